#!/usr/bin/env python3
"""Traces of every program of tests/pto that runs on a machine, under several schedules, and of random kernels: rules.py
says what must hold of them.

  run.py [--ptog PATH] [--kernels N] [--seed N]
  run.py [--ptog PATH] --pictures      draws the pictures of docs/how-to/trace.md again
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "pto"), str(ROOT / "docs")]
import numpy  # noqa: E402

import data  # noqa: E402
import draw_trace  # noqa: E402
import random_kernels  # noqa: E402
import rules  # noqa: E402
from checks import Checks, run  # noqa: E402
from directives import read  # noqa: E402

JOBS = 2
SCHEDULES = ["", "--schedule fast", "--schedule slow", "--schedule random:%d"]
MACHINE = re.compile(r"--target (a2a3|a5|a5-custom)\b")


def report_of(text):
    """What --format json says of a run with --stats; None when the program did not run."""
    try:
        report = json.loads(text)
    except ValueError:
        return None
    return report if (report.get("stats") or {}).get("mhz") else None


BETWEEN_CORES = "no counter orders the two"


def fault_problems(trace, report):
    """What is reported of flags and races stands in the trace, and nothing stands there that is not reported. A run that
    was stopped does not report the flags it leaves; what the text allows is not reported either."""
    shown = {e["name"] for e in trace["traceEvents"] if e["ph"] == "i"}
    said = {d["id"] for d in report["diagnostics"]}
    if any(d["id"] == "race-raw" and BETWEEN_CORES in d["message"] for d in report["diagnostics"]):
        shown = {"race-raw" if name == "race-war" and name not in said else name for name in shown}  # told in the other order
    allowed = any(program["suppressed"] for program in report["programs"])
    faults = {d["id"] for d in report["diagnostics"] if d["severity"] != "note"}  # notes are found after the run
    missing = {name for name in faults if name.startswith(("race-", "flag-"))} - shown
    return ([f"{name} is reported and not in the trace" for name in sorted(missing)] +
            [f"{name} is in the trace and not reported" for name in sorted(shown - said - {"flag-left-set"} if not allowed else ())])


def judge(ptog, words, path, cwd):
    """Runs with a trace; the problems with it. A program that is refused leaves no file."""
    done = run([ptog, *words, "--trace", path, "--stats", "--format", "json"], cwd=cwd)
    report = report_of(done.stdout)
    if not report:
        refused = done.returncode in (1, 2)
        return ([] if refused and not os.path.exists(path) else [f"exit {done.returncode}, and a file:\n{done.stderr}"]), 0
    with open(path, encoding="utf-8") as file:
        text = file.read()
    os.unlink(path)
    try:
        trace = json.loads(text)
    except ValueError as error:
        return [f"not JSON: {error}"], 1
    stats = {**report["stats"], "us": report["stats"]["cycles"] / report["stats"]["mhz"]}
    return rules.problems(trace, stats) + fault_problems(trace, report), 1


# ---- what is run ----

def files(place, seed, schedules):
    """(name, words, directory) for each run of tests/pto on a machine."""
    root = HERE.parent / "pto"
    for number, path in enumerate(sorted(root.rglob("*.pto"))):
        test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
        commands = [r.command for r in test.runs if r.command.startswith("ptog run %s ") and MACHINE.search(r.command)
                    and not re.search("[|<>;&]|--stats|--format|--schedule", r.command)]
        if not commands:
            continue
        prefix = os.path.join(place, f"{number}")
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for command in commands:
            for schedule in schedules:
                extra = schedule % seed if "%" in schedule else schedule
                words = command.replace("%s", str(path.relative_to(root))).replace("%t", prefix).split()[1:] + extra.split()
                yield f"{path.name}: {command} {extra}", words, root


def kernels(place, seed, count):
    numpy.save(os.path.join(place, "table.npy"), numpy.arange(64 * 16, dtype="f4").reshape(64, 16))
    numpy.save(os.path.join(place, "ids.npy"), numpy.arange(0, 64, 4, dtype="i4").reshape(1, 16))
    for number in range(seed, seed + count):
        draw = random.Random(number)
        path = os.path.join(place, f"k{number}.pto")
        Path(path).write_text(random_kernels.make(draw))
        words = ["run", path, "--target", draw.choice(["a2a3", "a5"]), "--in", "table=table.npy", "--in", "ids=ids.npy",
                 "--out", f"out=k{number}.npy", "--blocks", str(draw.choice([1, 1, 2, 3])),
                 *(draw.choice(SCHEDULES).replace("%d", str(number))).split()]
        yield f"random kernel {number} ({words[3]})", words, place


# ---- the pictures ----

def pictures(ptog, place):
    """(file, picture) for each target of docs/how-to/trace.md."""
    numpy.save(os.path.join(place, "rows.npy"), numpy.arange(64 * 1024, dtype="f4").reshape(64, 1024))
    numpy.save(os.path.join(place, "words.npy"), (numpy.arange(32, dtype="i4") * 7 % 64).reshape(1, 32))
    for target in ("a2a3", "a5"):
        path = os.path.join(place, "picture.json")
        done = run([ptog, "run", "examples/double_buffer.pto", "--target", target, "--in", f"table={place}/rows.npy",
                    "--in", f"words={place}/words.npy", "--out", f"out=32x1024:{place}/out.npy", "--trace", path], cwd=ROOT)
        if done.returncode != 0:
            sys.exit(done.stderr)
        with open(path, encoding="utf-8") as file:
            yield ROOT / "docs" / "img" / f"trace-{target}.svg", draw_trace.draw(json.load(file))


def check_pictures(checks, ptog, place):
    for path, picture in pictures(ptog, place):
        same = path.exists() and path.read_text(encoding="utf-8") == picture
        checks.check(f"{path.name} is up to date", [] if same else "tests/trace/run.py --pictures draws it again")


def main():
    parser = argparse.ArgumentParser(description="Checks traces.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"))
    parser.add_argument("--kernels", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="the files with the random schedule only")
    parser.add_argument("--pictures", action="store_true")
    options = parser.parse_args()
    if options.pictures:
        with tempfile.TemporaryDirectory() as place:
            for path, picture in pictures(os.path.abspath(options.ptog), place):
                path.write_text(picture, encoding="utf-8")
        return
    ptog, checks, traced = os.path.abspath(options.ptog), Checks("trace"), 0
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = [*files(place, options.seed, SCHEDULES[-1:] if options.quick else SCHEDULES), *kernels(place, options.seed, options.kernels)]
        jobs = [pool.submit(judge, ptog, words, os.path.join(place, f"trace{i}.json"), cwd)
                for i, (_, words, cwd) in enumerate(work)]
        for (name, _, _), job in zip(work, jobs):
            found, count = job.result()
            traced += count
            checks.check(name, found[:5])
        check_pictures(checks, ptog, place)
    checks.check("most of them ran", [] if traced > 0.8 * len(work) else f"only {traced} of {len(work)} left a trace")
    checks.finish()


if __name__ == "__main__":
    main()
