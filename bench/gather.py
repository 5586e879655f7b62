#!/usr/bin/env python3
"""Gathers against what people use today: memcpy of the same bytes, a plain C loop (gcc, clang), numpy, torch.

usage: bench/gather.py [--lib DIR] [--only TEXT] [--rounds N] [--pages 4k|huge] [--sweeps] [--csv F] [--json F]

One process holds everything: each job has one table, one index array per index type and one output, all touched before
the clock starts, and every side reads and writes those. The sides of a job take turns, many rounds; a side's figure is its
best round, the median stands beside it in the CSV and JSON. numpy and torch are given their native index type (int64) and
the fastest of their calls counts; a side that gives wrong bytes ends the run. torch is left out when it is not installed
(`make bench-peers` installs it).
"""

import argparse
import csv
import ctypes
import json
import mmap
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import numpy as np

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

KiB, MiB, GiB = 1 << 10, 1 << 20, 1 << 30
I32, I64 = 5, 7  # enum ptog_dtype
UNDEFINED, CLAMP, WRAP, ZERO = range(4)  # enum ptog_oob
PATTERNS = {"P0101": (1, 0b0101), "P1010": (2, 0b1010), "P0001": (3, 0b0001), "P0010": (4, 0b0010),
            "P0100": (5, 0b0100), "P1000": (6, 0b1000), "P1111": (7, 0b1111)}
TYPES = {"i8": (1, np.int8), "u8": (2, np.uint8), "i16": (3, np.int16), "u16": (4, np.uint16), "i32": (5, np.int32),
         "u32": (6, np.uint32), "i64": (7, np.int64), "u64": (8, np.uint64), "f16": (9, np.float16),
         "bf16": (10, np.uint16), "f32": (11, np.float32)}
ROUND_NS = 4e6  # a measurement lasts at least so long


class Job(ctypes.Structure):
    _fields_ = [("dst", ctypes.c_void_p), ("src", ctypes.c_void_p), ("idx", ctypes.c_void_p),
                ("dst_bytes", ctypes.c_size_t), ("src_bytes", ctypes.c_size_t), ("idx_bytes", ctypes.c_size_t),
                ("lanes", ctypes.c_int64), ("width", ctypes.c_int64), ("threads", ctypes.c_int)]


class Libraries:
    """libptog behind bench/sides.c, and the plain loops of two compilers."""

    def __init__(self, directory):
        self.sides = ctypes.CDLL(str(directory / "libbench_sides.so"))
        self.plain = {}
        for compiler in ("gcc", "clang"):
            path = directory / f"libbench_plain_{compiler}.so"
            if path.exists():
                self.plain[compiler] = ctypes.CDLL(str(path))
        i64, i32, ptr = ctypes.c_int64, ctypes.c_int, ctypes.c_void_p
        for name, arguments in {"row": [i64, i64, i64, i32, i32], "elem": [i64, i64, i32, i32], "tile": [i32, i64, i64],
                                "mask": [i32, i64, i64, i32, i64]}.items():
            make = getattr(self.sides, f"side_plan_{name}")
            make.argtypes, make.restype = arguments, ptr
        for name, arguments in {"ptog": [ptr, ptr, i64], "plain": [ptr, ptr, i64], "mask": [ptr, ptr, ctypes.c_uint, i64],
                                "memcpy": [ptr, ctypes.c_size_t, i64]}.items():
            side = getattr(self.sides, f"side_{name}")
            side.argtypes, side.restype = arguments, ctypes.c_double
        self.sides.side_kernel.argtypes, self.sides.side_kernel.restype = [ptr], ctypes.c_char_p

    def plan(self, kind, *arguments):
        plan = getattr(self.sides, f"side_plan_{kind}")(*arguments)
        if not plan:
            sys.exit(f"bench: no plan for {kind} {arguments}")
        return plan

    def ptog(self, plan, job):
        return lambda times: self.sides.side_ptog(plan, ctypes.byref(job), times)

    def loop(self, compiler, name, job):
        function = ctypes.cast(getattr(self.plain[compiler], name), ctypes.c_void_p)
        return lambda times: self.sides.side_plain(function, ctypes.byref(job), times)

    def mask_loop(self, compiler, name, job, pattern):
        function = ctypes.cast(getattr(self.plain[compiler], name), ctypes.c_void_p)
        return lambda times: self.sides.side_mask(function, ctypes.byref(job), pattern, times)

    def memcpy(self, job, count):
        return lambda times: self.sides.side_memcpy(ctypes.byref(job), count, times)


class Buffers:
    """Anonymous mappings with the page size that was asked for, kept and reused: the large table is made once."""

    def __init__(self, pages):
        self.pages, self.kept = pages, {}

    def get(self, name, count, dtype):
        size = max(int(count) * np.dtype(dtype).itemsize, 1)
        if name not in self.kept or len(self.kept[name]) < size:
            room = -(-size // (2 * MiB)) * 2 * MiB
            area = mmap.mmap(-1, room)
            if self.pages == "huge":
                area.madvise(mmap.MADV_HUGEPAGE)
            np.frombuffer(area, np.uint8)[:] = 1
            self.kept[name] = area
        return np.frombuffer(self.kept[name], dtype, int(count))


def python_side(call):
    def run(times):
        start = time.perf_counter_ns()
        for _ in range(times):
            call()
        return (time.perf_counter_ns() - start) / times

    return run


def make_job(dst, src, idx, lanes, width, threads=1):
    at = lambda a: None if a is None else a.ctypes.data
    bytes_of = lambda a: 0 if a is None else a.nbytes
    return Job(at(dst), at(src), at(idx), bytes_of(dst), bytes_of(src), bytes_of(idx), lanes, width, threads)


class Bench:
    def __init__(self, libraries, buffers, rounds):
        self.lib, self.buffers, self.rounds = libraries, buffers, rounds
        self.random = np.random.default_rng(1)
        self.table_ready = 0

    # --- inputs

    def table(self, count):
        table = self.buffers.get("table", count, np.float32)
        if self.table_ready < count:  # every element has its own bits, and none is a NaN
            table.view(np.uint32)[:] = np.arange(count, dtype=np.uint32) & 0x3FFFFFFF
            self.table_ready = count
        return table

    def indices(self, lanes, below, outside=0.0):
        wide = self.buffers.get("index64", lanes, np.int64)
        wide[:] = self.random.integers(0, below, lanes)
        if outside > 0:
            bad = self.random.random(lanes) < outside
            wide[bad] += below * self.random.integers(1, 3, int(bad.sum()))
        narrow = self.buffers.get("index32", lanes, np.int32)
        narrow[:] = wide
        return wide, narrow

    # --- sides of the jobs

    def row(self, table_bytes, row_bytes, lanes, threads=1):
        width = row_bytes // 4
        rows = table_bytes // row_bytes
        table, out = self.table(rows * width), self.buffers.get("out", lanes * width, np.float32)
        wide, narrow = self.indices(lanes, rows)
        job = make_job(out, table, narrow, lanes, width)
        plan = self.lib.plan("row", rows, width, lanes, I32, UNDEFINED)
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(job, out.nbytes)}
        if threads > 1:
            both = make_job(out, table, narrow, lanes, width, threads)
            sides |= {"ptog x2": self.lib.ptog(plan, both), "memcpy x2": self.lib.memcpy(both, out.nbytes)}
        else:
            for compiler in self.lib.plain:
                sides[f"{compiler} loop"] = self.lib.loop(compiler, "plain_row", job)
                sides[f"{compiler} memcpy"] = self.lib.loop(compiler, "plain_row_memcpy", job)
            sides |= self.python_gathers(table.reshape(rows, width), wide, narrow, out.reshape(lanes, width))
        expected = table.reshape(rows, width)[wide]
        return sides, out.reshape(lanes, width), expected, self.kernel(plan)

    def elem(self, table_bytes, lanes, oob=UNDEFINED, outside=0.0, threads=1, capacity=None):
        count = capacity or table_bytes // 4
        table, out = self.table(count), self.buffers.get("out", lanes, np.float32)
        wide, narrow = self.indices(lanes, count, outside)
        job = make_job(out, table, narrow, lanes, 1)
        plan = self.lib.plan("elem", count, lanes, I32, oob)
        copy = self.buffers.get("copy", lanes, np.float32)  # the same bytes, in order: the table may be smaller
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(make_job(out, copy, None, lanes, 1), out.nbytes)}
        inside, expected = self.mapped(wide, count, oob, table)
        if threads > 1:
            both = make_job(out, table, narrow, lanes, 1, threads)
            sides |= {"ptog x2": self.lib.ptog(plan, both),
                      "memcpy x2": self.lib.memcpy(make_job(out, copy, None, lanes, 1, threads), out.nbytes)}
            return sides, out, expected, self.kernel(plan)
        # The unchecked loops can only be given indices that are inside.
        safe = self.buffers.get("inside32", lanes, np.int32)
        safe[:] = inside
        unchecked = make_job(out, table, safe, lanes, 1)
        for compiler in self.lib.plain:
            sides[f"{compiler} loop"] = self.lib.loop(compiler, "plain_elem_32_32", unchecked)
        if oob == UNDEFINED:
            sides |= self.python_gathers(table, wide, narrow, out)
        return sides, out, expected if oob == UNDEFINED else None, self.kernel(plan), expected

    @staticmethod
    def mapped(wide, count, oob, table):
        if oob == CLAMP:
            inside = np.minimum(wide, count - 1)
        elif oob == WRAP:
            inside = wide % count
        else:
            inside = np.where(wide < count, wide, 0)
        expected = table[inside]
        if oob == ZERO:
            expected = np.where(wide < count, expected, np.float32(0))
        return inside, expected

    @staticmethod
    def python_gathers(table, wide, narrow, out):
        sides = {}
        for mode in ("raise", "clip", "wrap"):
            sides[f"numpy take {mode}"] = python_side(lambda mode=mode: np.take(table, wide, axis=0, out=out, mode=mode))
        if torch:
            t, o, i = torch.from_numpy(table), torch.from_numpy(out), torch.from_numpy(wide)
            i32 = torch.from_numpy(narrow)
            sides["torch index_select"] = python_side(lambda: torch.index_select(t, 0, i, out=o))
            sides["torch index_select i32"] = python_side(lambda: torch.index_select(t, 0, i32, out=o))
            if table.ndim == 1:
                sides["torch take"] = python_side(lambda: torch.take(t, i, out=o))
                sides["torch gather"] = python_side(lambda: torch.gather(t, 0, i, out=o))
        return sides

    def tile_index(self, name):
        number, dtype = TYPES[name]
        size = np.dtype(dtype).itemsize
        src, out = self.buffers.get("src", 64 * 64, dtype), self.buffers.get("out", 64 * 64, dtype)
        src.view(np.uint8)[:] = self.random.integers(0, 120, src.nbytes)
        wide, narrow = self.indices(64 * 64, 64 * 64)
        job = make_job(out, src, narrow, 64 * 64, 1)
        plan = self.lib.plan("tile", number, 64, 64)
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(job, out.nbytes)}
        for compiler in self.lib.plain:
            sides[f"{compiler} loop"] = self.lib.loop(compiler, f"plain_elem_{8 * size}_32", job)
        return sides, out, src[wide], self.kernel(plan)

    def tile_mask(self, name, pattern):
        number, dtype = TYPES[name]
        which, bits = PATTERNS[pattern]
        kept = 128 * bin(bits).count("1") // 4
        src, out = self.buffers.get("src", 64 * 128, dtype), self.buffers.get("out", 64 * kept, dtype)
        src.view(np.uint8)[:] = self.random.integers(0, 120, src.nbytes)
        room = self.buffers.get("room", 64 * 128, dtype)  # what memcpy writes: as much as it reads
        job = make_job(out, src, None, 64 * 128, 1)
        plan = self.lib.plan("mask", number, 64, 128, which, kept)
        sides = {"ptog": self.lib.ptog(plan, job),
                 "memcpy": self.lib.memcpy(make_job(room, src, None, 64 * 128, 1), src.nbytes)}
        for compiler in self.lib.plain:
            sides[f"{compiler} loop"] = self.lib.mask_loop(compiler, f"plain_mask_{8 * src.itemsize}", job, bits)
        keep = np.array([bits >> (i & 3) & 1 for i in range(128)], bool)
        return sides, out.reshape(64, kept), src.reshape(64, 128)[:, keep], self.kernel(plan)

    def small_call(self):
        table, out = self.table(64 * 8), self.buffers.get("out", 8, np.float32)
        wide, narrow = self.indices(1, 64)
        job = make_job(out, table, narrow, 1, 8)
        plan = self.lib.plan("row", 64, 8, 1, I32, UNDEFINED)
        sides = {"ptog": self.lib.ptog(plan, job)}
        for compiler in self.lib.plain:
            sides[f"{compiler} memcpy"] = self.lib.loop(compiler, "plain_row_memcpy", job)
        return sides, out, table.reshape(64, 8)[int(wide[0])], self.kernel(plan)

    def kernel(self, plan):
        return self.lib.sides.side_kernel(plan).decode()

    # --- measuring

    def measure(self, made):
        sides, out, expected, kernel = made[:4]
        own = made[4] if len(made) > 4 else expected
        repeats = {}
        for name, side in sides.items():
            out.view(np.uint8)[...] = 0x5A
            once = side(1)
            if once < 0:
                sys.exit(f"bench: {name} failed ({kernel})")
            wanted = own if name.startswith("ptog") else expected
            if wanted is not None and not name.startswith("memcpy") and not np.array_equal(
                    out.view(np.uint8), np.ascontiguousarray(wanted).view(np.uint8)):
                sys.exit(f"bench: {name} gives wrong bytes ({kernel})")
            repeats[name] = max(1, int(ROUND_NS / max(side(1), 1)))
        slow = max(side(1) for side in sides.values())
        rounds = max(7, min(self.rounds, int(self.rounds * 20e6 / max(slow, 20e6))))
        times = {name: [] for name in sides}
        for _ in range(rounds):
            for name, side in sides.items():
                times[name].append(side(repeats[name]))
        return {name: {"best_ns": min(all_), "median_ns": statistics.median(all_)} for name, all_ in times.items()}, kernel


# --- what is promised: (peers, at least so many times as fast); "time": at most so many times the time

def best(results, prefix):
    found = [r["best_ns"] for name, r in results.items() if name.startswith(prefix) and "x2" not in name]
    return min(found) if found else None


def peers(results, names):
    found = [best(results, name) for name in names]
    found = [x for x in found if x is not None]
    return min(found) if found else None


LOOPS, PYTHON = ("gcc", "clang"), ("numpy", "torch")


def faster(names, ratio, own="ptog"):
    return ("x", names, ratio, own)


def at_most(names, ratio, own="ptog"):
    return ("time", names, ratio, own)


def works(bench):
    big = lambda row_bytes: (lambda: bench.row(GiB, row_bytes, 64 * MiB // row_bytes))
    yield "row, 1 GiB table, 64-byte rows", big(64), [faster(("torch",), 2.5), faster(("numpy",), 2.0)]
    for row_bytes, ratio in ((256, 1.4), (512, 1.15), (2048, 1.1)):
        yield f"row, 1 GiB table, {row_bytes}-byte rows", big(row_bytes), [faster(("torch",), ratio), faster(("numpy",), ratio)]
    yield ("row, 64x128 tile, table in L2", lambda: bench.row(256 * KiB, 512, 64),
           [faster(LOOPS, 1.0), faster(("memcpy",), 0.9)])
    yield ("elem, table in L1", lambda: bench.elem(16 * KiB, 16384), [faster(PYTHON, 1.15), at_most(LOOPS, 1.08)])
    yield ("elem, table in L2", lambda: bench.elem(256 * KiB, 16384), [faster(PYTHON, 1.15), at_most(LOOPS, 1.08)])
    yield ("elem, 64 MiB table, 4 M indices", lambda: bench.elem(64 * MiB, 4 * MiB), [faster(PYTHON, 1.3)])
    yield ("elem, 1 GiB table, 4 M indices", lambda: bench.elem(GiB, 4 * MiB),
           [faster(PYTHON, 1.1)])
    yield ("elem clamp, 5 % outside, L1", lambda: bench.elem(16 * KiB, 16384, CLAMP, 0.05), [at_most(LOOPS, 1.25)])
    yield ("elem zero, 5 % outside, L1", lambda: bench.elem(16 * KiB, 16384, ZERO, 0.05), [at_most(LOOPS, 1.25)])
    yield ("elem wrap, capacity 4001, 5 % outside, L1", lambda: bench.elem(16 * KiB, 16384, WRAP, 0.05, capacity=4001),
           [at_most(LOOPS, 1.8)])
    yield ("elem wrap, capacity 4001, all outside, L1", lambda: bench.elem(16 * KiB, 16384, WRAP, 1.0, capacity=4001),
           [at_most(LOOPS, 1.8)])
    for name in ("i8", "i16", "f32"):
        for pattern in PATTERNS:
            yield (f"tgather mask {pattern}, {name}, 64x128", lambda n=name, p=pattern: bench.tile_mask(n, p),
                   [at_most(("memcpy",), 1.5), faster(LOOPS, 4.0)])
    for name in TYPES:
        yield f"tgather index, {name}, 64x64", lambda n=name: bench.tile_index(n), [faster(LOOPS, 1.0)]
    yield "plan_run of a 1x8 row", bench.small_call, [("beyond", LOOPS, 25, "ptog")]
    yield ("row, 1 GiB table, 512-byte rows, 2 threads", lambda: bench.row(GiB, 512, 128 * KiB, threads=2),
           [("scaling", ("memcpy",), 1.6, "ptog")])
    yield ("elem, 1 GiB table, 4 M indices, 2 threads", lambda: bench.elem(GiB, 4 * MiB, threads=2),
           [("scaling", ("memcpy",), 1.6, "ptog")])


def judge(results, promise):
    """What was promised, what was measured, and whether it holds (None: no such peer here)."""
    kind, names, ratio, own = promise
    if own not in results:
        return f"{own}: not offered", None
    mine = results[own]["best_ns"]
    label = "/".join(names) + (" with scratch" if own != "ptog" else "")
    if kind == "scaling":
        got = mine / results["ptog x2"]["best_ns"]
        copy = results["memcpy"]["best_ns"] / results["memcpy x2"]["best_ns"]
        return f"{got:.2f}x one thread (memcpy {copy:.2f}x), wanted {ratio}x", got >= ratio or got >= 0.98 * copy
    other = peers(results, names)
    if other is None:
        return f"{label}: not here", None
    if kind == "beyond":
        return f"{mine - other:.1f} ns beyond the copy, wanted under {ratio}", mine - other < ratio
    if kind == "time":
        return f"{mine / other:.2f}x the time of {label}, wanted at most {ratio}", mine / other <= ratio
    return f"{other / mine:.2f}x {label}, wanted {ratio}", other / mine >= ratio


def figure(nanoseconds):
    if nanoseconds is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f} {unit}"
    return f"{nanoseconds:.1f} ns"


def times(results, prefixes, mine):
    other = peers(results, prefixes)
    return "-" if other is None else f"{other / mine:.2f}x"


def run_works(bench, only):
    rows, missed = [], 0
    print(f"\n{'work':44} {'ptog':>9} {'memcpy':>7} {'gcc':>7} {'clang':>7} {'numpy':>7} {'torch':>7}")
    print(f"{'':44} {'':>9} {'ptog is so many times as fast as':>39}")
    for name, make, promises in works(bench):
        if only and only not in name:
            continue
        results, kernel = bench.measure(make())
        mine = results["ptog"]["best_ns"]
        print(f"{name:44} {figure(mine):>9} " + " ".join(
            f"{times(results, (peer,), mine):>7}" for peer in ("memcpy", "gcc", "clang", "numpy", "torch")))
        verdicts = []
        for promise in promises:
            text, holds = judge(results, promise)
            verdicts.append({"promise": text, "holds": holds})
            missed += holds is False
            print(f"    {'held' if holds else 'no peer' if holds is None else 'MISSED'}: {text}")
        sys.stdout.flush()
        rows.append({"work": name, "kernel": kernel, "sides": results, "promises": verdicts})
    return rows, missed


def sweeps(bench):
    """For the plots: the ratio against the best of numpy and torch, by row width and by table size."""
    def ratio(made, names):
        results, _ = bench.measure(made)
        return {peer: (peers(results, (peer,)) or 0) / results["ptog"]["best_ns"] for peer in names}

    lines = {"row width": [], "table size": []}
    for row_bytes in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
        lines["row width"].append((row_bytes, ratio(bench.row(GiB, row_bytes, min(16 * MiB // row_bytes, 1 << 18)), ("memcpy", *LOOPS, *PYTHON))))
    for shift in range(13, 31):
        lines["table size"].append((1 << shift, ratio(bench.elem(1 << shift, 1 << 18), (*LOOPS, *PYTHON))))
    return lines


def machine(pages):
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    def version(command):
        try:
            return subprocess.run([command, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
        except OSError:
            return f"{command}: not installed"
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform(), "gcc": version("gcc"), "clang": version("clang"),
            "numpy": np.__version__, "torch": torch.__version__ if torch else None, "pages": pages,
            "isa": os.environ.get("PTOG_ISA", "chosen")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--only", help="works whose name has this in it")
    parser.add_argument("--no-works", action="store_true", help="only what the plots show")
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--pages", choices=("4k", "huge"), default="4k")
    parser.add_argument("--sweeps", action="store_true", help="measure what the plots show, too")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    about = machine(options.pages)
    print("Gathers, one thread unless said, float32, random indices; the best of many interleaved rounds")
    for key, value in about.items():
        print(f"  {key:7} {value}")
    bench = Bench(Libraries(options.lib), Buffers(options.pages), options.rounds)
    rows, missed = ([], 0) if options.no_works else run_works(bench, options.only)
    lines = sweeps(bench) if options.sweeps else {}
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["work", "kernel", "side", "best_ns", "median_ns"])
            for row in rows:
                for side, r in row["sides"].items():
                    out.writerow([row["work"], row["kernel"], side, f"{r['best_ns']:.1f}", f"{r['median_ns']:.1f}"])
    if options.json:
        options.json.write_text(json.dumps({"machine": about, "works": rows, "sweeps": lines}, indent=1) + "\n")
    if rows:
        print(f"\n{missed} promises missed" if missed else "\nevery promise held")


if __name__ == "__main__":
    main()
