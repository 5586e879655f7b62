#!/usr/bin/env python3
"""Scatters of rows beside numpy's assignment and add.at, and torch's index_copy_ and index_add_: one process, one thread, in turn.

usage: bench/scatter.py [--lib build/bench] [--rounds 21]

Random rows of float32, duplicates among them. A line per width of a row and size of the table: microseconds of ours (the median), and
how many times as fast it is as each peer (the median of the ratios within a round), in time of the thread. Results are compared first.
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
COUNT, WANTED = 8192, 1.1
# adds, bytes of a row, bytes of the table
WORKS = [(adds, row, size << 20) for adds in (False, True) for size in (1, 64, 256) for row in (64, 256, 512)]


def timed(call):
    start = time.thread_time()
    call()
    return time.thread_time() - start


def peers(adds, table, rows):
    """The calls of the others that do this work, with indices: name to function."""
    found = {}

    def assign(idx):
        table[idx] = rows

    found["numpy"] = (lambda idx: np.add.at(table, idx, rows)) if adds else assign
    if torch is not None:
        there, given = torch.from_numpy(table), torch.from_numpy(rows)
        call = there.index_add_ if adds else there.index_copy_
        found["torch"] = lambda idx: call(0, torch.from_numpy(idx), given)
    return found


def measure(lib, work, rounds):
    """Seconds of ours, and how many times as fast as each peer."""
    adds, row, size = work
    random = np.random.default_rng(1)
    count, cols = size // row, row // 4
    table, rows = np.zeros((count, cols), np.float32), random.integers(-9, 9, (COUNT, cols)).astype(np.float32)
    plan = lib.scatter_plan(count, cols, COUNT, adds)
    if not plan:
        sys.exit("scatter.py: no plan")

    def ours(idx, threads=1):
        return lib.scatter_time(plan, table.ctypes.data, table.nbytes, rows.ctypes.data, rows.nbytes, idx.ctypes.data, idx.nbytes, threads)

    found = peers(adds, table, rows)
    idx, results = random.integers(0, count, COUNT), []
    for call in (ours, lambda some: ours(some, 3), *found.values()):
        table[:] = 1
        seconds = call(idx)
        if isinstance(seconds, float) and seconds < 0:
            sys.exit(f"scatter.py: {work}: did not run")
        results.append(table[np.unique(idx)].copy())
    if not all(np.array_equal(results[0], other) for other in results[1:]):
        sys.exit(f"scatter.py: {work}: the results differ")
    sides = {"ptog": ours, **{peer: lambda idx, call=call: timed(lambda: call(idx)) for peer, call in found.items()}}
    times = {side: [] for side in sides}
    for turn in range(rounds):
        for side in list(sides) if turn % 2 else list(sides)[::-1]:  # each with rows that no other has just brought to a cache
            times[side].append(sides[side](random.integers(0, count, COUNT)))
    times = {side: np.array(values) for side, values in times.items()}
    return float(np.median(times["ptog"])), {peer: float(np.median(times[peer] / times["ptog"])) for peer in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lib", default=str(ROOT / "build" / "bench"))
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    lib = ctypes.CDLL(f"{options.lib}/libbench_scatter.so")
    lib.scatter_plan.restype, lib.scatter_plan.argtypes = ctypes.c_void_p, [ctypes.c_int64] * 3 + [ctypes.c_int]
    lib.scatter_time.restype = ctypes.c_double
    lib.scatter_time.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p, ctypes.c_size_t] * 3 + [ctypes.c_int]
    if torch is not None:
        torch.set_num_threads(1)
    line = "{:36} {:>8} {:>6} {:>6}  {}"
    print(line.format(f"{COUNT} rows of f32", "ptog us", "torch", "numpy", "promised"))
    for work in WORKS:
        seconds, ratios = measure(lib, work, options.rounds)
        label = f"{'added' if work[0] else 'copied'}, {work[1]} bytes, {work[2] >> 20} MiB table"
        shown = [f"{ratios[peer]:.2f}" if peer in ratios else "-" for peer in ("torch", "numpy")]
        print(line.format(label, f"{seconds * 1e6:.1f}", *shown,
                          f"{WANTED} times each: {'held' if min(ratios.values()) >= WANTED else 'MISSED'}"), flush=True)


if __name__ == "__main__":
    main()
