#!/usr/bin/env python3
"""The text-level conformance test: runs every .pto file below this folder as its RUN lines say, two at a time.

  run.py [--ptog PATH] [--only GLOB] [--every N] [-v] [--update]

directives.py has the language of the comment lines, data.py that of DATA and EXPECT. What a program of machine/ reports, as a
person reads it, stands beside it in a .report; --update writes these files anew. The last line is
"pto: N passed, M failed", counted in files. Exit status: 0 all passed, 1 something failed, 2 the test could not run.
"""
import argparse
import concurrent.futures
import difflib
import fnmatch
import json
import os
import re
import sys
import tempfile
import time

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"run.py: needs numpy, and {sys.executable} has none")

import data
from directives import BadTest, read, without
from shell import HERE, JOBS, Failure, Shell

SHOWN = 60   # lines of output shown with a failure


def arguments():
    parser = argparse.ArgumentParser(description="Runs the .pto conformance files.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"), help="the command under test")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only files whose path below tests/pto matches")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th of them")
    parser.add_argument("--update", action="store_true", help="write the .report files as they are now")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file")
    return parser.parse_args()


def short(text):
    lines = text.rstrip().split("\n")
    return "\n".join(["    " + line for line in lines[:SHOWN]] + ["    ..."] * (len(lines) > SHOWN))


# ---- what a run must show ----

def check_status(run, status, output):
    if status != run.status:
        raise Failure(f"expected exit status {run.status}, got {status}; the output:\n{short(output)}")


def check_text(run, output):
    shown, at = without(output), 0
    for wanted, text in run.checks:
        if not wanted:
            if text in shown:
                raise Failure(f"expected nowhere: {text}\n  the output:\n{short(output)}")
            continue
        found = shown.find(text, at)
        if found < 0:
            earlier = " (it stands earlier)" if text in shown else ""
            raise Failure(f"expected: {text}{earlier}\n  the output:\n{short(output)}")
        at = found + len(text)


def diag_line(diag):
    severity, name, line, column = diag
    return f"// {severity.upper()}: {name} @{line}:{column}"


def severity_of(diag):
    """What was not examined counts as a note, unless the program did not run because of it."""
    return "note" if diag.get("unjudged") and diag["severity"] == "warning" else diag["severity"]


def check_diags(run, stdout):
    try:
        found = json.loads(stdout)["diagnostics"]
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"--format json gives no diagnostics ({error}):\n{short(stdout)}") from None
    got = [(severity_of(d), d["id"], d.get("line", 0), d.get("column", 0)) for d in found]
    notes = any(diag[0] == "note" for diag in run.diags)
    got = [diag for diag in got if notes or diag[0] != "note"]
    if sorted(got) != sorted(run.diags):
        missing = [f"  - missing: {diag_line(d)}" for d in run.diags if d not in got]
        extra = [f"  - not listed: {diag_line(d)}" for d in got if d not in run.diags]
        messages = "\n".join(f"{d['line']}:{d['column']}: {d['severity']}: {d['message']} [{d['id']}]" for d in found)
        raise Failure("the diagnostics differ\n" + "\n".join(missing + extra or ["  - listed another number of times"])
                      + f"\n  all of them:\n{short(messages)}")


def check_files(shell, expects, arrays):
    for name, expression in expects:
        path = f"{shell.prefix}.{name}" + ("" if name.endswith(".bin") else ".npy")
        wrong = data.compare(expression, arrays, path)
        if wrong:
            raise Failure(f"expected {name} = {expression}\n{short(wrong)}")


def call_report(shell, command):
    """(exit status, stdout, stderr) without the line that repeats the command with --apply-fix."""
    status, stdout, stderr = shell.call(command)
    return status, stdout, re.sub(r"^ptog run: \d+ changes? .*\n", "", stderr, flags=re.MULTILINE)


def check_schedules(shell, run, arrays):
    """Other timings leave the bytes that the file predicts, and the report as it was."""
    usual = call_report(shell, run.command), shell.call(run.command + " --format json")
    for schedule, expects in run.schedules.items():
        other = f"{run.command} --schedule {schedule}"
        if (call_report(shell, other), shell.call(other + " --format json")) != usual:
            raise Failure(f"--schedule {schedule} changes the report:\n{short(''.join(shell.call(other)[1:]))}")
        try:
            check_files(shell, expects, arrays)
        except Failure as failure:
            raise Failure(f"--schedule {schedule}: {failure}") from None


def run_once(shell, run, arrays, outputs):
    if run.has_diags:
        status, stdout, stderr = shell.call(run.command + " --format json")
        check_diags(run, stdout)
        check_status(run, status, stdout + stderr)
    if not run.has_diags or run.checks or run.same:
        status, stdout, stderr = shell.call(run.command)
        check_status(run, status, stdout + stderr)
        check_text(run, stdout + stderr)
    outputs.append(stdout)
    if run.same and without(outputs[run.same - 1]) != without(stdout):
        raise Failure(f"expected the output of run {run.same}:\n{short(outputs[run.same - 1])}\n  got:\n{short(stdout)}")
    check_files(shell, run.expects, arrays)
    check_schedules(shell, run, arrays)


# ---- the reports beside the programs ----

def reports_of(shell, test):
    """What a person reads, command by command, without the lines with the verdict and the command of the repair."""
    parts = []
    for run in test.runs:
        if run.has_diags and run.diags:
            _, stdout, stderr = call_report(shell, run.command)
            stderr = re.sub(r"^ptog run: (clean|failed|not judged|refused) .*\n", "", stderr, flags=re.MULTILINE)
            parts.append(f"$ {run.command}\n{stdout}{stderr}")
    return "\n".join(parts)


def check_reports(shell, test, path, update):
    golden = path.with_suffix(".report")
    found = reports_of(shell, test)
    if update and found:
        golden.write_text(found, encoding="utf-8")
    wanted = golden.read_text(encoding="utf-8") if golden.exists() else ""
    if found != wanted:
        lines = difflib.unified_diff(wanted.split("\n"), found.split("\n"), golden.name, "now", lineterm="")
        raise Failure("the report differs; --update takes it over\n" + short("\n".join(lines)))


# ---- one file, all files ----

def run_file(path, ptog, place, update):
    """None, or how the file failed."""
    try:
        test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except BadTest as error:
        return str(error)
    try:
        arrays = {name.removesuffix(".bin"): data.make(words) for name, words in test.data}
    except (ArithmeticError, IndexError, KeyError, ValueError) as error:
        return f"a DATA line makes no array: {error!r}"
    prefix = os.path.join(place, str(path.relative_to(HERE)).replace("/", "_").removesuffix(".pto"))
    shell = Shell(ptog, str(path.relative_to(HERE)), prefix)
    outputs = []
    for name, _ in test.data:
        data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), arrays[name.removesuffix(".bin")])
    for run in test.runs:
        try:
            run_once(shell, run, arrays, outputs)
        except Failure as failure:
            return f"  command: {shell.expand(run.command)}\n  {failure}"
    try:
        if path.parent.name == "machine":
            check_reports(shell, test, path, update)
    except Failure as failure:
        return f"  {failure}"
    return None


def main():
    options = arguments()
    start = time.monotonic()
    files = sorted(p for p in HERE.rglob("*.pto") if fnmatch.fnmatch(str(p.relative_to(HERE)), options.only))[::options.every]
    if not os.access(options.ptog, os.X_OK):
        print(f"run.py: cannot run {options.ptog}", file=sys.stderr)
        return 2
    failed = 0
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        ptog = os.path.abspath(options.ptog)
        for path, wrong in zip(files, pool.map(lambda path: run_file(path, ptog, place, options.update), files)):
            failed += wrong is not None
            if wrong is not None:
                print(f"FAILED {path.relative_to(HERE)}\n{wrong}")
            elif options.verbose:
                print(f"passed {path.relative_to(HERE)}")
    print(f"{time.monotonic() - start:.1f} s")
    print(f"pto: {len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
