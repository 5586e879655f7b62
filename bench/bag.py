#!/usr/bin/env python3
"""Embedding bags beside torch's embedding_bag and numpy's add.reduceat: one process, one thread, in turn.

usage: bench/bag.py [--lib build/bench] [--rounds 21] [--markdown]

Sums of random bags of 32 rows. A line per width of a row and size of the table: microseconds of ours (the median), and how many
times as fast it is as each peer (the median of the ratios within a round), in time of the thread. Results are compared first.
"""

import argparse
import ctypes
import pathlib
import sys
import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None

ROOT = pathlib.Path(__file__).resolve().parents[1]
EACH, BAGS = 32, 1024
WANTED, NEAR = 1.2, 1 << 20
# type, bytes of a row, bytes of the table
WORKS = [("f32", row, size << 20) for size in (1, 64, 1024) for row in (64, 128, 256, 512)] + \
        [("f16", 128, 64 << 20), ("i8", 64, 64 << 20), ("i8", 256, 64 << 20)]
STORED = {"f32": np.float32, "f16": np.float16, "i8": np.int8}


class Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


class Run(ctypes.Structure):
    """struct ptog_bag_run"""

    _fields_ = [("dst", Buffer), ("table", Buffer), ("idx", Buffer), ("offsets", Buffer), ("weights", Buffer),
                ("scales", Buffer), ("threads", ctypes.c_int), ("reference", ctypes.c_bool), ("pool", ctypes.c_void_p),
                ("reserved", ctypes.c_uint64 * 6)]


def buffer(array):
    return Buffer() if array is None else Buffer(array.ctypes.data, array.nbytes)


def aligned(array):
    """A copy that starts with a cache line, as tensors of torch do."""
    room = np.empty(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[:] = array
    return copy


def timed(call):
    start = time.thread_time()
    call()
    return time.thread_time() - start


def peers(name, table, scales, offsets, dst):
    """The calls of the others that do this work, with indices: name to function."""
    found = {}
    if torch is not None:
        starts = torch.from_numpy(offsets)
    if name == "f32":
        found["numpy"] = lambda idx: np.add.reduceat(table[idx], offsets, axis=0, out=dst)
        if torch is not None:
            weight, bag = torch.from_numpy(table), torch.nn.functional.embedding_bag
            found["torch"] = lambda idx: bag(torch.from_numpy(idx), weight, starts, mode="sum").numpy()
    if scales is not None and torch is not None:  # torch's rows of bytes have a scale and a bias behind them
        packed = np.empty((table.shape[0], table.shape[1] + 8), np.uint8)
        packed[:, :-8] = table.view(np.uint8) ^ 0x80
        packed[:, -8:-4] = scales.view(np.uint8).reshape(-1, 4)
        packed[:, -4:] = (scales * -128).view(np.uint8).reshape(-1, 4)
        bytewise, call = torch.from_numpy(packed), torch.ops.quantized.embedding_bag_byte_rowwise_offsets
        found["torch"] = lambda idx: call(bytewise, torch.from_numpy(idx), starts, False, 0, False, None, None, False).numpy()
    return found


def compare(work, found, ours, dst, idx):
    if ours(idx) < 0:
        sys.exit(f"bag.py: {work}: did not run")
    for peer, call in found.items():
        if not np.allclose(call(idx), dst, rtol=1e-4, atol=1e-2):
            sys.exit(f"bag.py: {work}: the results of {peer} differ")


def measure(lib, work, rounds):
    """Seconds of ours, and how many times as fast as each peer."""
    name, row, size = work
    dtype, random = np.dtype(STORED[name]), np.random.default_rng(1)
    rows, cols = size // row, row // dtype.itemsize
    table = aligned(random.integers(-127, 128, (rows, cols), np.int8).astype(dtype))
    scales = (random.uniform(0.5, 1, rows) / 64).astype(np.float32) if name == "i8" else None
    offsets = np.arange(0, BAGS * EACH, EACH, dtype=np.int64)
    dst, other = np.zeros((BAGS, cols), np.float32), np.zeros((BAGS, cols), np.float32)
    plan = lib.bag_plan(name.encode(), 0, rows, cols)
    if not plan:
        sys.exit(f"bag.py: no plan for {name}")
    found = peers(name, table, scales, offsets, other)

    def ours(idx):
        run = Run(buffer(dst), buffer(table), buffer(idx), buffer(offsets), Buffer(), buffer(scales), 1)
        return lib.bag_time(plan, ctypes.byref(run), 1)

    sides = {"ptog": ours, **{peer: lambda idx, call=call: timed(lambda: call(idx)) for peer, call in found.items()}}
    compare(work, found, ours, dst, random.integers(0, rows, BAGS * EACH))
    times = {side: [] for side in sides}
    for turn in range(rounds):
        for side in list(sides) if turn % 2 else list(sides)[::-1]:  # each with rows that no other has just brought to a cache
            times[side].append(sides[side](random.integers(0, rows, BAGS * EACH)))
    times = {side: np.array(values) for side, values in times.items()}
    return float(np.median(times["ptog"])), {peer: float(np.median(times[peer] / times["ptog"])) for peer in found}


def verdict(work, ratios):
    """The promise is about tables that no cache holds."""
    if "torch" not in ratios:
        return "torch: not installed" if torch is None else "-"
    if work[2] <= NEAR:
        return "-"
    return f"{WANTED} times torch: {'held' if ratios['torch'] >= WANTED else 'MISSED'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lib", default=str(ROOT / "build" / "bench"))
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--markdown", action="store_true", help="the table of docs/explanation/performance-method.md")
    options = parser.parse_args()
    lib = ctypes.CDLL(f"{options.lib}/libbench_bag.so")
    lib.bag_plan.restype, lib.bag_plan.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    lib.bag_time.restype, lib.bag_time.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    if torch is not None:
        torch.set_num_threads(1)
    line = "| {:34} | {:>8} | {:>6} | {:>6} | {} |" if options.markdown else "{:34} {:>8} {:>6} {:>6}  {}"
    print(line.format("rows of a bag of 32, sum", "ptog us", "torch", "numpy", "promised"))
    if options.markdown:
        print("|---|---|---|---|---|")
    for work in WORKS:
        seconds, ratios = measure(lib, work, options.rounds)
        label = f"{work[0]}, {work[1]} bytes, {work[2] >> 20} MiB table"
        shown = [f"{ratios[peer]:.2f}" if peer in ratios else "-" for peer in ("torch", "numpy")]
        print(line.format(label, f"{seconds * 1e6:.1f}", *shown, verdict(work, ratios)), flush=True)


if __name__ == "__main__":
    main()
