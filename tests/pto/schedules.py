#!/usr/bin/env python3
"""Runs the programs below this folder on the machine under other schedules: fast, slow and random ones.

  schedules.py [--ptog PATH] [--only GLOB] [--seed S] [--random N] [-v]

A run line without target, or for host or cpu, is tried on a2a3, a5 and a5-custom. What a target refuses is left out. Of all
others the report must be the same, letter for letter, under every schedule; and the files too, unless a race is reported.
Where a program that expects bytes on host runs cleanly on a machine, the bytes are those. The last line is
"schedules: N passed, M failed", counted in programs and targets. Exit status: 0 all passed, 1 something failed, 2 the test
could not run.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from run import HERE, JOBS, Failure, Shell, check_files, data, short
from directives import read

FOLDERS = ("run", "kernels", "seeds", "machine")
MACHINES = ("a2a3", "a5", "a5-custom")
RACES = re.compile(r"race-(?!self)|same-pipe-hazard|gm-block-overlap")
HARMLESS = {"race-self", "index-negative"}  # what a legal, correctly synchronised program may have
OUTPUT = re.compile(r"--(?:out|dump|inout) \S+?:?(%t\S+)")
OTHERWISE = {  # (file, target): why a clean run leaves other bytes there than on host
    ("tgather_compare_gt.pto", "a5"): "a5 counts whole steps of 64 in the stored index (E38)",
    ("tgather_compare_gt.pto", "a5-custom"): "as a5",
    ("compare_real_argument.pto", "a5"): "a5 compares rounded numbers (E39)",
    ("compare_real_argument.pto", "a5-custom"): "as a5",
    ("cpu_ignores_row.pto", "a5-custom"): "Row there, element-wise on cpu (E7)",
    ("elem_clamp.pto", "a5-custom"): "Clamp takes a negative index to 0 (E1)",
    ("load_pad.pto", "a2a3"): "the padding of a load ends at the block (E56)",
    ("load_pad.pto", "a5"): "as a2a3",
    ("load_pad.pto", "a5-custom"): "as a2a3",
    ("transfer_vectors.pto", "a2a3"): "... and of a DN view the step inside a column is not read (E56, E70)",
    ("transfer_vectors.pto", "a5"): "as a2a3",
    ("transfer_vectors.pto", "a5-custom"): "as a2a3",
    ("mscatter_max.pto", "a5"): "the CPU simulator compares with the element whose number is the row",
    ("mscatter_max.pto", "a5-custom"): "as a5",
    ("mscatter_wrap.pto", "a2a3"): "-1 wraps as 2^32-1 there, as 2^64-1 on cpu",
    ("mscatter_wrap.pto", "a5"): "as a2a3",
    ("mscatter_wrap.pto", "a5-custom"): "as a2a3",
    ("elementwise_scalars.pto", "a2a3"): "tdivs in place multiplies by the inverse (target_quirks.def)",
    ("fill_scalar.pto", "a2a3"): "texpands fills elements one after the other (target_quirks.def)",
}


def arguments():
    parser = argparse.ArgumentParser(description="The .pto files on the machine, under other schedules.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"), help="the command under test")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only files whose path below tests/pto matches")
    parser.add_argument("--seed", type=int, default=1, help="of the random schedules (default 1)")
    parser.add_argument("--random", type=int, default=1, metavar="N", help="random schedules per program (default 1)")
    parser.add_argument("-v", "--verbose", action="store_true", help="name what is left out")
    return parser.parse_args()


# ---- one program on one target ----

def target_named(run, text):
    said = re.search(r"--target[ =](\S+)", run.command)
    return said[1] if said else (re.search(r'pto\.target_arch = "([^"]+)"', text) or [None, None])[1]


def function_of(run):
    return (re.search(r"--func (\S+)", run.command) or [None, None])[1]


def targets_of(run, runs, text):
    """(target, is it the file's own?) A target that has a run of its own for the same function is not tried with that of another; what
    is on a5 is so on a5-custom."""
    named = target_named(run, text)
    if named in MACHINES:
        return [(named, True)]
    own = {target_named(other, text) for other in runs if function_of(other) == function_of(run)}
    return [(target, False) for target in MACHINES if target.split("-")[0] not in own]


def command_for(run, target):
    return re.sub(r" --target[ =]\S+| --stats", "", run.command) + f" --target {target}"


def outcome(shell, command):
    """(exit status, the report as JSON, what the files hold). Files that were there before are gone."""
    paths = [shell.expand(path) for path in OUTPUT.findall(command)]
    for path in paths:
        Path(path).unlink(missing_ok=True)
    status, stdout, stderr = shell.call(command + " --format json")
    if status == 2:
        raise Failure(f"exit status 2:\n{short(stderr)}")
    return status, stdout, [Path(path).read_bytes() if os.path.exists(path) else None for path in paths]


def ran(status, files, found):
    """Not refused: a run with faults writes its files, a refused program none."""
    return status == 0 or bool(files) and None not in files or any(diag["id"] in ("flag-never-set",) for diag in found)


def compare(shell, command, usual, schedule, racy):
    status, report, files = outcome(shell, f"{command} --schedule {schedule}")
    if (status, report) != usual[:2]:
        raise Failure(f"--schedule {schedule} changes the report:\n{short(report)}")
    if not racy and files != usual[2]:
        raise Failure(f"--schedule {schedule} changes what the files hold")


def try_target(shell, run, target, own, arrays, schedules):
    """How many schedules were tried; None: the target refuses the program."""
    command = command_for(run, target)
    usual = outcome(shell, command)
    found = json.loads(usual[1])["diagnostics"]
    ids = {diag["id"] for diag in found if diag["severity"] != "note"}
    if not ran(usual[0], usual[2], found):
        return None
    if not own and ids <= HARMLESS and (Path(shell.path).name, target) not in OTHERWISE:
        check_files(shell, run.expects, arrays)
    racy = any(RACES.match(name) for name in ids)
    for schedule in schedules:
        compare(shell, command, usual, schedule, racy)
    shown = [re.sub(r"^ptog run: \d+ changes? .*\n", "", shell.call(f"{command}{more}")[2], flags=re.M)  # it repeats the command
             for more in ("", " --schedule fast", " --schedule slow")]
    if shown[1:] != shown[:1] * 2:
        raise Failure("another schedule changes the text of the report")
    return len(schedules)


# ---- one file, all files ----

class Tally:
    def __init__(self):
        self.passed = self.failed = self.schedules = 0
        self.lines = []


def run_file(path, options, place):
    text, tally = path.read_text(encoding="utf-8", errors="surrogateescape"), Tally()
    test = read(text)
    arrays = {name.removesuffix(".bin"): data.make(words) for name, words in test.data}
    prefix = os.path.join(place, str(path.relative_to(HERE)).replace("/", "_").removesuffix(".pto"))
    shell = Shell(os.path.abspath(options.ptog), str(path.relative_to(HERE)), prefix)
    for name, _ in test.data:
        data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), arrays[name.removesuffix(".bin")])
    for number, run in enumerate(test.runs, 1):
        if not run.has_diags or not run.command.startswith("ptog run ") or re.search("--schedule|--max-steps|--aicore", run.command):
            continue
        for target, own in targets_of(run, test.runs, text):
            seeds = (f"random:{options.seed + 1000 * number + i}" for i in range(options.random))
            try:
                tried = try_target(shell, run, target, own, arrays, ["fast", "slow", *seeds])
            except Failure as failure:
                tally.failed += 1
                tally.lines.append(f"FAILED {path.relative_to(HERE)}, run {number}, {target}\n  {failure}")
                continue
            tally.passed += tried is not None
            tally.schedules += tried or 0
            if tried is None and options.verbose:
                tally.lines.append(f"left out {path.relative_to(HERE)}, run {number}, {target}")
    return tally


def main():
    options, start = arguments(), time.monotonic()
    files = sorted(p for folder in FOLDERS for p in (HERE / folder).glob("*.pto")
                   if fnmatch.fnmatch(str(p.relative_to(HERE)), options.only))
    if not os.access(options.ptog, os.X_OK):
        print(f"schedules.py: cannot run {options.ptog}", file=sys.stderr)
        return 2
    print(f"schedules: seed {options.seed}")
    passed = failed = schedules = 0
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for tally in pool.map(lambda path: run_file(path, options, place), files):
            passed, failed, schedules = passed + tally.passed, failed + tally.failed, schedules + tally.schedules
            for line in tally.lines:
                print(line)
    print(f"{schedules} schedules, {time.monotonic() - start:.1f} s")
    print(f"schedules: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
