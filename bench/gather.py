#!/usr/bin/env python3
"""Gathers against what people use today: memcpy of the same bytes, a plain C loop (gcc, clang), numpy, torch.

usage: bench/gather.py [--lib DIR] [--only TEXT] [--rounds N] [--seconds S] [--grid] [--sweeps] [--csv F] [--json F]

The sides of a job take turns, round by round and each time in another order (bench/gather_jobs.py). A figure is the median over the rounds; a ratio is the
median of the ratios within each round, so that a busy machine disturbs both sides alike; the spread says within how many
percent half of the rounds lie. "limit" is the time in which this machine brings the same lines (bench/limit.c), in times of
ours: 1.00 is as fast as memory can be. numpy and torch count with the fastest of their calls; torch is left out when it is not
installed (`make bench-peers` installs it). What is promised is in bench/promises.py.
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys

import numpy as np

import promises
from gather_jobs import GiB, Jobs, KiB, Libraries, MiB, torch
from promises import ABSENT, LOOPS, MISSED, PYTHON, Results

PEERS = ("memcpy", "gcc", "clang", "numpy", "torch")
NEIGHBOUR = "import numpy as np\na, b = np.ones(1 << 22), np.ones(1 << 22)\nwhile True:\n    np.copyto(a, b)\n"


def check_bytes(made, name):
    wanted = made.own if name.startswith("ptog") else made.expected
    if wanted is not None and not name.startswith("memcpy") and not np.array_equal(
            made.out.view(np.uint8), np.ascontiguousarray(wanted).view(np.uint8)):
        sys.exit(f"bench: {name} gives wrong bytes ({made.kernel})")


def measure(made, options):
    """Every side in turn, for about so many seconds in all, at least five rounds. Each round has another order: what a side
    leaves in the caches helps or hinders the one after it."""
    repeats, once = {}, {}
    options.libraries.sides.side_clock(made.of_day)
    for name, side in made.sides.items():
        made.out.view(np.uint8)[...] = 0x5A
        if side(1) < 0:
            sys.exit(f"bench: {name} failed ({made.kernel})")
        check_bytes(made, name)
        once[name] = min(side(1) for _ in range(3))
        repeats[name] = max(1, int(options.turn / max(once[name], 1)))
    a_round = sum(max(options.turn, once[name]) for name in made.sides)
    rounds = max(5, min(options.rounds, int(options.seconds * 1e9 / a_round)))
    times = {name: [] for name in made.sides}
    order, dice = list(made.sides), random.Random(1)
    for _ in range(rounds):
        dice.shuffle(order)
        for name in order:
            times[name].append(made.sides[name](repeats[name]))
    return Results(times, made.limit() if made.limit else None)


def figure(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f} {unit}"
    return f"{nanoseconds:.1f} ns"


def cells(results):
    """Our time, its spread, the limit, and the ratio to each peer, as text."""
    limit = results.limit()
    ratios = [results.against((peer,)) for peer in PEERS]
    return [figure(results.median()), f"{results.spread():.0f} %", "-" if limit is None else f"{limit:.2f}",
            *("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios)]


def run_works(works, options, note=""):
    rows = []
    for name, make, wanted in works:
        if options.only and options.only not in name:
            continue
        made = make()
        results = measure(made, options)
        row = {"work": name + note, "kernel": made.kernel, "cells": cells(results), "promises": [],
               "sides": {side: {"median_ns": statistics.median(t), "best_ns": min(t)} for side, t in results.times.items()}}
        print(f"{row['work']:58} " + " ".join(f"{cell:>8}" for cell in row["cells"]))
        for promise in wanted:
            text, verdict = promise.judge(results)
            row["promises"].append({"text": text, "verdict": verdict})
            print(f"    {verdict}: {text}")
        sys.stdout.flush()
        rows.append(row)
    return rows


class Neighbour:
    """A program that copies memory on every core but one, as another tenant would."""

    def __enter__(self):
        self.others = [subprocess.Popen([sys.executable, "-c", NEIGHBOUR]) for _ in range(max(1, (os.cpu_count() or 2) - 1))]

    def __exit__(self, *_):
        for other in self.others:
            other.kill()
            other.wait()


def grid(jobs, options):
    """For the picture of README.md: the ratio to the best peer, by size of the table and width of a row."""
    lines = []
    for size in (256 * KiB, 4 * MiB, 64 * MiB, GiB):
        for width in (4, 16, 64, 256, 1024, 4096):
            lanes = min(16 * MiB // width, 1 << 18) if size > 4 * MiB else min(MiB // width, 1 << 16)
            made = jobs.elem(size, lanes) if width == 4 else jobs.row(size, width, lanes)
            results = measure(made, options)
            lines.append({"table": size, "width": width, "ratio": results.against((*LOOPS, *PYTHON)),
                          "peers": {peer: results.against((peer,)) for peer in (*LOOPS, *PYTHON)}})
    return lines


def sweeps(jobs, options):
    """For the plots of docs/explanation/performance-method.md: the ratio to each peer, by width of a row and by size of the table."""
    def ratios(made, names):
        results = measure(made, options)
        return {peer: results.against((peer,)) or 0 for peer in names}

    widths = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
    return {"row width": [(w, ratios(jobs.row(GiB, w, min(16 * MiB // w, 1 << 18)), PEERS)) for w in widths],
            "table size": [(1 << s, ratios(jobs.elem(1 << s, 1 << 18), (*LOOPS, *PYTHON))) for s in range(13, 31)]}


def machine():
    def first(command, pattern=""):
        try:
            lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        except OSError:
            return f"{command[0]}: not installed"
        return next((line for line in lines if pattern in line), "?")

    cpu = first(["sh", "-c", "cat /proc/cpuinfo"], "model name").split(":")[-1].strip()
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform(), "gcc": first(["gcc", "--version"]),
            "clang": first(["clang", "--version"]), "numpy": np.__version__, "torch": torch.__version__ if torch else "not installed",
            "isa": os.environ.get("PTOG_ISA", "chosen"), "tuned by": os.environ.get("PTOG_TUNE", "the table")}


def limits(jobs):
    """Nanoseconds for a random line, by size of the table and of pages."""
    found = {}
    for size in (256 * KiB, 4 * MiB, 64 * MiB, GiB):
        _, places = jobs.indices(1 << 18, size // 64)
        found[f"{size // KiB} KiB"] = jobs.lib.sides.side_limit(jobs.table(size // 4).ctypes.data, places.ctypes.data, 1 << 18, 64, 5) / (1 << 18)
    return found


def everything(libraries, options):
    jobs, at, rows = Jobs(libraries, "4k"), {}, []
    head = ["ptog", "spread", "limit", *PEERS]
    print(f"\n{'work':58} " + " ".join(f"{word:>8}" for word in head))
    print(f"{'':58} {'':26} ptog is so many times as fast as")
    if not options.no_works:
        if not options.only:
            at["4 KiB pages"] = limits(jobs)
        rows += run_works(promises.works(jobs), options)
        rows += run_works(promises.threaded(jobs), options)
        with Neighbour():
            rows += run_works(promises.threaded(jobs), options, ", a busy neighbour")
    lines = sweeps(jobs, options) if options.sweeps else {}
    cells_ = grid(jobs, options) if options.grid else []
    jobs = None  # its gigabyte is needed
    if not options.no_works:
        jobs = Jobs(libraries, "huge")
        if not options.only:
            at["huge pages"] = limits(jobs)
        rows += run_works(promises.huge(jobs), options)
    return {"limits": at, "works": rows, "sweeps": lines, "grid": cells_}


def summary(found):
    for pages, sizes in found["limits"].items():
        print(f"limit, {pages}: " + ", ".join(f"{size} {ns:.2f} ns a line" for size, ns in sizes.items()))
    verdicts = [p["verdict"] for row in found["works"] for p in row["promises"]]
    missed = verdicts.count(MISSED)
    for row in found["works"]:
        for promise in row["promises"]:
            if promise["verdict"] == MISSED:
                print(f"MISSED  {row['work']}: {promise['text']}")
    print(f"{len(verdicts)} promises: {missed} missed, {verdicts.count(ABSENT)} against what is not installed")


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["work", "kernel", "side", "best_ns", "median_ns"])
        for row in rows:
            for side, r in row["sides"].items():
                out.writerow([row["work"], row["kernel"], side, f"{r['best_ns']:.1f}", f"{r['median_ns']:.1f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--only", help="works whose name has this in it")
    parser.add_argument("--no-works", action="store_true", help="only what the plots and the picture show")
    parser.add_argument("--rounds", type=int, default=41, help="at most so many for each work")
    parser.add_argument("--seconds", type=float, default=1.5, help="about so many for each work")
    parser.add_argument("--turn", type=float, default=2e6, help="nanoseconds of a side's turn, at least")
    parser.add_argument("--sweeps", action="store_true", help="measure what the plots show, too")
    parser.add_argument("--grid", action="store_true", help="measure what the picture of README.md shows, too")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    about = machine()
    print("Gathers, one thread unless said, float32, uniformly random indices unless said; medians of rounds in turns")
    for key, value in about.items():
        print(f"  {key:8} {value}")
    options.libraries = Libraries(options.lib)
    found = everything(options.libraries, options)
    if options.csv:
        write_csv(options.csv, found["works"])
    if options.json:
        options.json.write_text(json.dumps({"machine": about, **found}, indent=1) + "\n")
    if found["works"]:
        print()
        summary(found)


if __name__ == "__main__":
    main()
