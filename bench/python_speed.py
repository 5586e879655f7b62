#!/usr/bin/env python3
"""What Python adds: pg.take against numpy.take for one tile, and against ptog_plan_run itself for large gathers.

usage: bench/python_speed.py [--rounds 41]      with the ptogather package that this python3 has; `make bench-python` installs one

The sides take turns, here there there here, and the time is that of the thread. For a tile the best round of each counts; for
large gathers, which wait for memory that is shared with others, the median of the rounds' ratios. The exit status is 1 when a ratio is above what the package promises:
1.5 for a tile of 64 x 128 float32, 1.02 for gathers of 16 MiB and more.
"""

import argparse
import statistics
import sys
import time
import timeit

import numpy as np

import ptogather as pg
from ptogather._library import ffi, lib
from ptogather.plans import take_plan

TILE, LARGE = 1.5, 1.02


def turns(ours, theirs, rounds, number):
    """Seconds of one call of each side, round by round."""
    found = []
    for _ in range(rounds):
        a, b, c, d = (timeit.timeit(side, number=number, timer=time.thread_time) / number for side in (ours, theirs, theirs, ours))
        found.append((min(a, d), min(b, c)))
    return found


def tile(rounds, dtype, oob, with_out):
    """One tile of 64 rows, as the body of a loop has it; numpy gets the mode that does the same."""
    random = np.random.default_rng(0)
    table, idx = random.random((65536, 128), dtype=np.float32), random.integers(0, 65536, 64).astype(dtype)
    out = np.empty((64, 128), np.float32) if with_out else None
    mode = {"undefined": "raise", "clamp": "clip", "wrap": "wrap"}[oob]
    found = turns(lambda: pg.take(table, idx, oob, out), lambda: np.take(table, idx, 0, out, mode), rounds, 500)
    ours, numpys = (min(times) for times in zip(*found))
    name = f"64x128 f32, {np.dtype(dtype)} index, {oob}" + (", out=" if with_out else "")
    return name, ours, numpys, ours / numpys, TILE


def large(rounds, rows, width, lanes):
    """The same plan and the same buffers, through Python and straight."""
    random = np.random.default_rng(0)
    table, idx = random.random((rows, width), dtype=np.float32), random.integers(0, rows, lanes)
    out = np.empty((lanes, width), np.float32)
    planned = take_plan(table.shape, table.dtype, idx.shape, idx.dtype, "undefined", 1)
    run = ffi.new("struct ptog_run *", planned.template[0])
    run.dst.data, run.src.data, run.idx.data = ffi.from_buffer(out), ffi.from_buffer(table), ffi.from_buffer(idx)
    pg.take(table, idx, out=out)
    found = turns(lambda: pg.take(table, idx, out=out), lambda: lib.ptog_plan_run(planned.plan, run, ffi.NULL), rounds, 2)
    ours, straight = (statistics.median(times) for times in zip(*found))
    ratio = statistics.median(a / b for a, b in found)
    return f"{lanes}x{width} f32, against ptog_plan_run", ours, straight, ratio, LARGE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=41)
    rounds = parser.parse_args().rounds
    rows = [tile(rounds, dtype, oob, out) for dtype in (np.int64, np.int32) for oob in ("undefined", "clamp", "wrap")
            for out in (False, True)]
    rows += [large(3 * rounds, 1 << 16, 128, 1 << 15), large(3 * rounds, 1 << 12, 1024, 1 << 13), large(3 * rounds, 1 << 20, 16, 1 << 20)]
    slow = 0
    print(f"{'':46} {'here':>10} {'there':>10}  ratio  at most")
    for name, ours, theirs, ratio, most in rows:
        slow += ratio > most
        print(f"{name:46} {ours * 1e6:8.2f}us {theirs * 1e6:8.2f}us {ratio:6.2f} {most:8}")
    sys.exit(1 if slow else 0)


main()
