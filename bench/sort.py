#!/usr/bin/env python3
"""Sorts of pairs beside numpy's stable argsort: groups of 32 columns (TSORT32) and full rows (TSORT32, then TMRGSORT), in one thread, in turn.

usage: bench/sort.py [--lib build/bench] [--rounds 41]

Every round has new random numbers of float32, the same ones for both. A line per work: microseconds of ours (the median), and how many
times as fast it is as numpy, which gives positions only (the median of the ratios within a round), in time of the thread. Results are
compared in every round.
"""

import argparse
import ctypes
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
WANTED = 1.0
WORKS = [(64, 1024, 0), (1, 512, 2), (1, 2048, 3), (1, 8192, 4)]  # rows, columns, merges


def positions_by_numpy(numbers, merges):
    start = time.thread_time()
    found = np.argsort(numbers if merges else numbers.reshape(-1, 32), axis=1, kind="stable")
    return time.thread_time() - start, found


def measure(lib, work, rounds):
    rows, cols, merges = work
    random = np.random.default_rng(1)
    plan = lib.sort_plan(rows, cols, merges)
    if not plan:
        sys.exit(f"sort.py: {work}: no plan")
    ids, lists = np.arange(cols, dtype=np.uint32), [np.zeros((rows, cols, 2), np.uint32) for _ in range(2)]
    ours, theirs = [], []
    for turn in range(rounds):
        numbers = random.standard_normal((rows, cols)).astype(np.float32)
        falling = -numbers  # numpy's order rises
        for first in (turn % 2, 1 - turn % 2):
            if first:
                seconds, found = positions_by_numpy(falling, merges)
                theirs.append(seconds)
            else:
                ours.append(lib.sort_time(plan, numbers.ctypes.data, ids.ctypes.data, lists[0].ctypes.data, lists[1].ctypes.data,
                                          numbers.size, ids.nbytes))
        pairs = lists[merges % 2][..., 1]
        if ours[-1] < 0 or not np.array_equal(pairs if merges else pairs.reshape(-1, 32) % 32, found):
            sys.exit(f"sort.py: {work}: the results differ")
    return float(np.median(ours)), float(np.median(np.array(theirs) / np.array(ours)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lib", default=str(ROOT / "build" / "bench"))
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    lib = ctypes.CDLL(f"{options.lib}/libbench_sort.so")
    lib.sort_plan.restype, lib.sort_plan.argtypes = ctypes.c_void_p, [ctypes.c_int64, ctypes.c_int64, ctypes.c_int]
    lib.sort_time.restype = ctypes.c_double
    lib.sort_time.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_size_t] * 2
    print("{:36} {:>8} {:>6}  {}".format("f32, stable", "ptog us", "numpy", "promised"))
    for work in WORKS:
        seconds, ratio = measure(lib, work, options.rounds)
        label = f"a row of {work[1]}" if work[2] else f"{work[0] * work[1] // 32} groups of 32"
        print(f"{label:36} {seconds * 1e6:8.1f} {ratio:6.2f}  {WANTED} times: {'held' if ratio >= WANTED else 'MISSED'}", flush=True)


if __name__ == "__main__":
    main()
