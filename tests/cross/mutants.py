#!/usr/bin/env python3
"""Mutants of right kernels of both cores: every flag, counter and operation of a FIFO left out or moved, one at a time.

usage: mutants.py --ptog PATH [--verbose]

The kernels are files of tests/pto/machine. A set and its wait are left out one by one, and both; a set moves before the instruction that it
announces, a wait behind the instruction that it holds back; pushes, pops and frees are left out. Each mutant has to be found, by an error
or a warning. The last line is "cross mutants: N passed, M failed", counted in mutants.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = Path(__file__).resolve().parent.parent / "pto" / "machine"
# file, function that is run, target, functions that are mutated
KERNELS = [("cross_core.pto", "right", "a2a3", ["right"]), ("cross_single.pto", "named", "a5", ["named"]),
           ("fifo.pto", "right_cube", "a2a3", ["right_cube", "right_vector"]), ("fifo.pto", "pairs_cube", "a2a3", ["pairs_cube", "pairs_vector"]),
           ("fifo.pto", "entries_cores", "a2a3", ["entries_cube", "entries_vector"]),
           ("fifo_local.pto", "right_cube", "a5", ["right_cube", "right_vector"]), ("fifo_local.pto", "pairs_cube", "a5", ["pairs_vector"]),
           ("fifo_back.pto", "rows_cube", "a2a3", ["rows_cube", "rows_vector"]), ("fifo_back.pto", "boxes_cube", "a5", ["boxes_cube", "boxes_vector"])]
ORDERS = re.compile(r"pto\.(set_flag|wait_flag|sync\.set|sync\.wait|set_intra_block|wait_intra_block|tpush_to|tfree_from)")
SETS = re.compile(r"pto\.(set_flag|sync\.set|set_intra_block)\b")
WAITS = re.compile(r"pto\.(wait_flag|sync\.wait|wait_intra_block)\b")
INSTRUCTION = re.compile(r"pto\.t(load|store|mov|matmul|add|pop|push)")
PIPES = re.compile(r"PIPE_(\w+)")
# the pipe of an instruction, by its name and the memory of its first tile
PIPE_OF = [("tmatmul", "", "M"), ("tadd", "", "V"), ("tload", "", "MTE2"), ("tstore", "acc", "FIX"), ("tstore", "vec", "MTE3"),
           ("tpush_to_aiv", "", "FIX"), ("tpush_to_aic", "", "MTE3"), ("tmov", "vec", "V"), ("tmov", "mat", "MTE1")]


def pipe_of(line, local):
    if "tpop_from" in line:
        if not local:
            return "MTE2"
        return "V" if "tpop_from_aic" in line else "MTE1"
    memory = re.search(r"tile_buf<(\w+)", line)
    for name, loc, pipe in PIPE_OF:
        if f"pto.{name}" in line and (not loc or memory and memory[1] == loc):
            return pipe
    return None


def functions_of(text):
    """The lines of each function, as (first, behind the last)."""
    starts = [(m.group(1), i) for i, line in enumerate(text) if (m := re.match(r"func\.func @(\w+)", line))]
    return {name: (i, starts[n + 1][1] if n + 1 < len(starts) else len(text)) for n, (name, i) in enumerate(starts)}


def without(text, *lines):
    return [line for i, line in enumerate(text) if i not in lines]


def moved(text, line, to):
    changed = without(text, line)
    changed.insert(to if to < line else to - 1, text[line])
    return changed


def mutants_of(text, first, last, local):
    """What is changed, and the text with the change."""
    for i in range(first, last):
        line = text[i].strip()
        if not ORDERS.search(line) or (not local and "tfree_from" in line and "_view" not in line):
            continue  # a copied tile was given back when it was popped
        yield f"line {i + 1} left out: {line[:60]}", without(text, i)
        if SETS.search(line) and WAITS.search(text[i + 1]) and PIPES.findall(line) == PIPES.findall(text[i + 1]):
            yield f"lines {i + 1} and {i + 2} left out: {line[:60]}", without(text, i, i + 1)
        pipes = PIPES.findall(line)
        before, behind = text[i - 1], text[i + 1]
        if SETS.search(line) and pipe_of(before, local) == pipes[0] and INSTRUCTION.search(before):
            if "tpush" not in before or "_view" not in before:  # that of an entry is a set, and moves nothing
                yield f"line {i + 1} moved up: {line[:60]}", moved(text, i, i - 1)
        if WAITS.search(line) and len(pipes) == 2 and pipe_of(behind, local) == pipes[1] and INSTRUCTION.search(behind):
            yield f"line {i + 1} moved down: {line[:60]}", moved(text, i, i + 2)


def is_found(ptog, path, function, target):
    done = subprocess.run([ptog, "run", path, "--func", function, "--target", target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit status {done.returncode}: {done.stdout}")
    return done.returncode == 1 or re.search(r": warning: ", done.stdout) is not None, done.stdout


def main():
    parser = argparse.ArgumentParser(description="Mutants of kernels of both cores.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    jobs, failed = [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, function, target, mutated in KERNELS:
            text = (FILES / file).read_text(encoding="utf-8").split("\n")
            clean, report = is_found(options.ptog, FILES / file, function, target)
            if clean:
                print(f"FAILED {file} @{function}: the kernel itself is not clean\n{report}")
                failed += 1
            for name in mutated:
                for what, changed in mutants_of(text, *functions_of(text)[name], "local" in file or target == "a5"):
                    path = Path(folder) / f"{len(jobs)}.pto"
                    path.write_text("\n".join(changed), encoding="utf-8")
                    jobs.append((f"{file} @{name}, {what}", pool.submit(is_found, options.ptog, path, function, target)))
        for what, job in jobs:
            found, report = job.result()
            failed += not found
            if not found or options.verbose:
                print(f"{'found' if found else 'FAILED'} {what}\n{report if not found else ''}")
    print(f"cross mutants: {len(jobs) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
