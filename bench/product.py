#!/usr/bin/env python3
"""Matrix products on host (TMATMUL) beside numpy's matmul of float64, which is OpenBLAS' dgemm on Debian, in one thread, in turn.

usage: bench/product.py [--lib build/bench] [--rounds 41]

A line per work: microseconds of ours (the median), and how many times as long as numpy it takes (the median of the ratios within a
round), in time of the thread. The first result is compared with numpy's.
"""

import argparse
import ctypes
import os
import pathlib
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
WANTED = 3.0
TYPES = {"f16": np.float16, "f32": np.float32}


def boxes(matrix, rows, cols):
    """A matrix as boxes of rows x cols, one after another, row by row."""
    m, n = matrix.shape
    return matrix.reshape(m // rows, rows, n // cols, cols).transpose(0, 2, 1, 3)


def measure(lib, n, name, rounds):
    random, dtype = np.random.default_rng(n), TYPES[name]
    c0 = 32 // np.dtype(dtype).itemsize
    a, b = ((random.integers(-64, 64, (n, n)) / 16).astype(dtype) for _ in range(2))
    left = np.ascontiguousarray(boxes(a, 16, c0))  # rows of boxes, rows inside
    right = np.ascontiguousarray(boxes(b, c0, 16).transpose(0, 1, 3, 2))  # rows of boxes, columns inside
    out, x, y = np.zeros((n // 16, n // 16, 16, 16), np.float32), a.astype(np.float64), b.astype(np.float64)
    plan = lib.product_plan(n, lib.ptog_dtype_find(name.encode()))
    if not plan:
        sys.exit(f"product.py: {name}, {n}: no plan")
    ours, theirs = [], []
    for turn in range(rounds):
        for first in (turn % 2, 1 - turn % 2):
            if first:
                start = time.thread_time()
                product = x @ y
                theirs.append(time.thread_time() - start)
            else:
                ours.append(lib.product_time(plan, left.ctypes.data, right.ctypes.data, left.nbytes, out.ctypes.data, out.nbytes))
    if ours[-1] < 0 or not np.array_equal(out.transpose(1, 2, 0, 3).reshape(n, n), product.astype(np.float32)):
        sys.exit(f"product.py: {name}, {n}: the results differ")
    return float(np.median(ours)), float(np.median(np.array(ours) / np.array(theirs)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lib", default=str(ROOT / "build" / "bench"))
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    lib = ctypes.CDLL(f"{options.lib}/libbench_product.so")
    lib.product_plan.restype, lib.product_plan.argtypes = ctypes.c_void_p, [ctypes.c_int64, ctypes.c_int]
    lib.product_time.restype = ctypes.c_double
    lib.product_time.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    print("{:24} {:>9} {:>7}  {}".format("into f32", "ptog us", "numpy", "promised"))
    for name in TYPES:
        for n in (128, 256, 512):
            seconds, ratio = measure(lib, n, name, options.rounds)
            label = f"{n}x{n}x{n}, {name}"
            print(f"{label:24} {seconds * 1e6:9.1f} {ratio:7.2f}  at most {WANTED} times: {'held' if ratio <= WANTED else 'MISSED'}", flush=True)


if __name__ == "__main__":
    main()
