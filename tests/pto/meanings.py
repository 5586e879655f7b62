#!/usr/bin/env python3
"""What `ptog fmt` may not change: every program below this folder is converted to each form, and then checked and run as its RUN lines
say. Diagnostics, statistics and the bytes that are written are those of the program as it stands.

  meanings.py [--ptog PATH] [--only GLOB]

A form that cannot say a program is refused by `ptog fmt`, and left out. The last line is "meanings: N passed, M failed", counted in programs and
forms.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import data
from directives import read
from shell import HERE, JOBS, Shell

FORMS = ("dps", "ssa", "as")
FOLDERS = ("accept", "run", "machine", "fmt")
RUN = re.compile(r"ptog (check|run) %s( |$)")
# what is about the form itself: level 2 has to name a mode, other forms need not
OF_FORM = {"text-no-coalesce", "text-newest"}
# and where a form differs on purpose
ON_PURPOSE = {
    ("accept/no_mode.pto", "dps"),          # level 2 has to name a mode, level 1 need not
    ("run/tgather_compare_a5.pto", "ssa"),  # a free destination becomes a result, to which no data can be bound
    ("run/tgather_compare_eq.pto", "ssa"),
    ("run/tgather_compare_gt.pto", "ssa"),
    ("run/tgather_compare_u16_a5.pto", "ssa"),
    ("run/tgather_mask_stream.pto", "ssa"),
}
PLACE = re.compile(r"\b(lines?|line:column) \d+(:\d+)?|@\d+:\d+")


def told(stdout):
    """The diagnostics without their places, and the statistics."""
    report = json.loads(stdout)
    found = sorted((d["severity"], d["id"], PLACE.sub("", d["message"]), d["count"]) for d in report["diagnostics"]
                   if d["id"] not in OF_FORM)
    return found, report.get("stats")


def written(prefix, given):
    """The files that a run left, by name."""
    folder, start = os.path.split(prefix)
    names = sorted(name for name in os.listdir(folder) if name.startswith(start + ".") and name not in given)
    files = {name: Path(folder, name).read_bytes() for name in names if not name.endswith(".pto")}  # a repaired text has the form of its program
    for name in names:
        os.remove(os.path.join(folder, name))
    return files


def outcome(shell, command, given):
    stats = " --stats" if command.startswith("ptog run") and "--stats" not in command else ""
    status, stdout, stderr = shell.call(command + stats + " --format json")
    found, stats = told(stdout) if status in (0, 1) else (stderr, None)  # 2: the command could not run it at all
    return status, found, stats, written(shell.prefix, given)


def differs(before, after):
    for what, old, new in zip(("exit status", "diagnostics", "statistics", "bytes"), before, after):
        if old != new:
            if what == "bytes":
                old, new = ({name: len(text) for name, text in files.items()} for files in (old, new))
            return f"{what}: {old}\n    became: {new}"
    return ""


def commands_of(test):
    return [run.command for run in test.runs if RUN.match(run.command) and "--format" not in run.command and "--target all" not in run.command]


def convert(ptog, path, form, folder):
    """The file in that form; None when the form cannot say it."""
    converted = os.path.join(folder, f"{form}.pto")
    status, text, _ = Shell(ptog, path, "").call(f"ptog fmt --form {form} %s")
    if status != 0:
        return None
    Path(converted).write_text(text)
    return converted


def try_file(ptog, path):
    """The problems of one file, and how many forms were tried."""
    test = read((HERE / path).read_text(encoding="utf-8", errors="surrogateescape"))
    problems, tried = [], 0
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "t")
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        given = set(os.listdir(folder))
        shell = Shell(ptog, str(path), prefix)
        before = [outcome(shell, command, given) for command in commands_of(test)]
        for form in FORMS if before else ():
            converted = convert(ptog, str(path), form, folder)
            if not converted:
                continue
            tried += 1
            given.add(os.path.basename(converted))
            other = Shell(ptog, converted, prefix)
            found = [f"  {command}\n    {problem}" for command, old in zip(commands_of(test), before)
                     if (problem := differs(old, outcome(other, command, given)))]
            if bool(found) != ((str(path), form) in ON_PURPOSE):
                problems.append(f"{path} --form {form}\n" + ("\n".join(found) or "  is the same: it is no exception"))
    return problems, tried


def main():
    parser = argparse.ArgumentParser(description="Checks that ptog fmt keeps the meaning of programs.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"), help="the command under test")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only files whose path below tests/pto matches")
    given = parser.parse_args()
    paths = [path.relative_to(HERE) for folder in FOLDERS for path in sorted((HERE / folder).glob("*.pto"))]
    paths = [path for path in paths if fnmatch.fnmatch(str(path), given.only)]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(lambda path: try_file(os.path.abspath(given.ptog), path), paths))
    problems = [problem for found, _ in results for problem in found]
    tried = sum(count for _, count in results)
    for problem in problems:
        print(f"FAILED {problem}")
    if tried == 0:
        sys.exit("meanings.py: nothing was tried")
    print(f"meanings: {tried - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
