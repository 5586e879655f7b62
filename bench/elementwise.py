#!/usr/bin/env python3
"""How long elementwise instructions take on host, tiles of 64x128, beside numpy: both in one process, in turn.

usage: bench/elementwise.py [--lib build/bench] [--rounds 40] [--markdown]

A line per instruction: microseconds of the best turn of each, ours in times of numpy's, what is promised, and whether it is
held. Results of numpy go to an array that is there already.
"""

import argparse
import ctypes
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHAPE, RUNS = (64, 128), 20
NUMPY = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "u32": np.uint32,
         "i64": np.int64}
PLAIN, SERIES, SMALL, CAST = 1.5, 4, 1, 1
# instruction, type, its new type, what numpy calls it, how many times as long it may take
WORKS = ([(f"t{name}", "f32", "f32", function, PLAIN) for name, function in
          (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", np.divide), ("max", np.maximum), ("min", np.minimum))]
         + [(f"t{name}", "i32", "i32", function, PLAIN) for name, function in
            (("add", np.add), ("max", np.maximum), ("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor), ("not", np.invert))]
         + [("tadd", "i8", "i8", np.add, PLAIN), ("tand", "i16", "i16", np.bitwise_and, PLAIN)]
         + [(name, "f32", "f32", function, SERIES) for name, function in (("texp", np.exp), ("tlog", np.log), ("tpow", np.power))]
         + [(f"t{name}", "f16", "f16", function, SMALL) for name, function in
            (("add", np.add), ("mul", np.multiply), ("div", np.divide), ("max", np.maximum), ("sqrt", np.sqrt), ("exp", np.exp),
             ("log", np.log), ("pow", np.power))]
         + [("tcvt", source, dtype, None, CAST) for source, dtype in
            (("f32", "f16"), ("f16", "f32"), ("f32", "i32"), ("i32", "f32"), ("f32", "i16"), ("i16", "f32"), ("f16", "i8"), ("i8", "f16"),
             ("f16", "i32"), ("u8", "f16"), ("i32", "i16"), ("i16", "i32"), ("i32", "u8"), ("i8", "i32"), ("i32", "i64"), ("i64", "i32"),
             ("f32", "i64"), ("i64", "f32"), ("u32", "u8"))])


def ours(lib, work, arrays):
    name, source, dtype, function, _ = work
    inputs = 1 if function is None else function.nin
    plan = lib.elementwise_plan(name.encode(), source.encode(), dtype.encode(), inputs)
    if not plan:
        sys.exit(f"elementwise.py: no plan for {name} {source} {dtype}")
    at = [array.ctypes.data for array in arrays]
    return lambda: lib.elementwise_time(plan, at[0], at[1], at[2], RUNS)


def theirs(work, arrays):
    function, (dst, a, b) = work[3], arrays

    def turn():
        start = time.perf_counter()
        if function is None:
            for _ in range(RUNS):
                np.copyto(dst, a, casting="unsafe")
        elif function.nin == 1:
            for _ in range(RUNS):
                function(a, out=dst)
        else:
            for _ in range(RUNS):
                function(a, b, out=dst)
        return (time.perf_counter() - start) / RUNS
    return turn


def measure(lib, work, rounds):
    """Seconds: (ours, numpy's). Every buffer has room for elements of eight bytes."""
    random = np.random.default_rng(1)
    room = [np.zeros(SHAPE[0] * SHAPE[1], np.float64) for _ in range(3)]
    arrays = [buffer.view(NUMPY[work[2 if i == 0 else 1]])[:SHAPE[0] * SHAPE[1]].reshape(SHAPE) for i, buffer in enumerate(room)]
    for array in arrays[1:]:
        array[:] = random.uniform(0.5, 2, SHAPE) if array.dtype.kind == "f" else random.integers(1, 100, SHAPE)
    sides = ours(lib, work, arrays), theirs(work, arrays)
    times = [[side() for side in sides] for _ in range(rounds)]
    return [min(time[side] for time in times) for side in (0, 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lib", default=str(ROOT / "build" / "bench"))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--markdown", action="store_true", help="the table of docs/explanation/performance-method.md")
    options = parser.parse_args()
    lib = ctypes.CDLL(f"{options.lib}/libbench_elementwise.so")
    lib.elementwise_plan.restype, lib.elementwise_plan.argtypes = ctypes.c_void_p, [ctypes.c_char_p] * 3 + [ctypes.c_int]
    lib.elementwise_time.restype, lib.elementwise_time.argtypes = ctypes.c_double, [ctypes.c_void_p] * 4 + [ctypes.c_int]
    line = "| {:18} | {:>7} | {:>7} | {:>5} | {} |" if options.markdown else "{:18} {:>7} {:>7} {:>5}  {}"
    print(line.format("", "ptog us", "numpy", "times", "promised"))
    if options.markdown:
        print("|---|---|---|---|---|")
    for work in WORKS:
        mine, numpy = measure(lib, work, options.rounds)
        most, ratio = work[4], mine / numpy
        label = work[0] + " " + work[1] + (f" to {work[2]}" if work[3] is None else "")
        print(line.format(label, f"{mine * 1e6:.2f}", f"{numpy * 1e6:.2f}", f"{ratio:.2f}", f"{most}: {'held' if ratio <= most else 'MISSED'}"))


if __name__ == "__main__":
    main()
