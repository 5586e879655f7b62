#!/usr/bin/env python3
"""Half pairs: every line that sets a flag or waits for one, deleted singly from a right program, is put back by
--apply-fix: one line, after which the program is clean, and gives the bytes of the right program.

  halves.py --ptog PATH [--quick]

examples/double_buffer.pto on both machines, and every .pto file with flags whose run on a machine is clean. Where the
line was not missed (the flag had another user, or its id serves a loop), the program without it is clean: then nothing is
added. Where the whole pair was not needed (the instruction has flags of its own), the other half may go instead: the program
without both lines is clean, and gives the same bytes. Advice that the report prints as statements is what is inserted.

The last line is "halves: N passed, M failed", counted in lines. Exit status: 0 all passed, 1 not, 2 the test could not run.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

try:
    import numpy
except ImportError:
    sys.exit(f"halves.py: needs numpy, and {sys.executable} has none")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "conform"))
import data  # noqa: E402
from directives import BadTest, read  # noqa: E402

SHOWN = 5
MACHINES = ("a2a3", "a5")
FLAG = re.compile(r"^\s*pto\.(set_flag|wait_flag)\s*(\[.*\])")


def is_without_pair(text, lines, number):
    """Is the text that of these lines without this one and without one line that is the other half of its pair?"""
    word, flag = FLAG.match(lines[number]).groups()
    for other, line in enumerate(lines):
        half = FLAG.match(line)
        if half and half[1] != word and half[2] == flag and text == [
                line for n, line in enumerate(lines) if n not in (number, other)]:
            return True
    return False


class Halves:
    def __init__(self, ptog):
        self.ptog, self.passed, self.failed, self.kinds = ptog, 0, 0, Counter()

    def run(self, command, path, *more):
        words = command.replace("%s", str(path)) + " " + " ".join(more)
        return subprocess.run(["/bin/sh", "-c", 'ptog() { "$PTOG" "$@"; }\n' + words], capture_output=True, cwd=HERE,
                              env={**os.environ, "PTOG": self.ptog, "LC_ALL": "C.UTF-8"})

    def errors(self, command, path):
        """The errors of a run; None: it says something else than a report."""
        try:
            said = json.loads(self.run(command, path, "--format json").stdout)["diagnostics"]
        except (ValueError, KeyError):
            return None
        return [diag for diag in said if diag["severity"] == "error"]

    def judge(self, command, lines, number, place, outputs, right):
        """What is wrong with the repair of the program without this line; None: nothing."""
        half, repaired = place / "half.pto", place / "repaired.pto"
        half.write_text("\n".join(lines[:number] + lines[number + 1:]))
        errors = self.errors(command, half)
        if errors is None:
            return "no report"
        self.run(command, half, f"--apply-fix -o {repaired}")
        text = repaired.read_text().split("\n")
        added = len(text) - len(lines) + 1
        left = self.errors(command, repaired)
        if not errors:
            self.kinds["not missed"] += 1
            return f"{added} lines were added to a clean program" if added else None
        whole_pair = added == -1 and is_without_pair(text, lines, number)
        self.kinds["not needed" if whole_pair else "put back"] += 1
        if left is None or left:
            return f"{[diag['id'] for diag in left or []]} are left"
        if added != 1 and not whole_pair:
            return f"{added} lines were added"
        if [path.read_bytes() for path in outputs] != right:
            return "other bytes"
        if whole_pair:
            return None
        line = next(new.strip() for new, old in zip(text, half.read_text().split("\n") + [""]) if new != old)
        advice = {step["statement"] for diag in errors for step in diag["fix"] if "statement" in step}
        return f"{line} was added, and {sorted(advice)} advised" if advice - {line} else None

    def program(self, title, command, text, place, quick):
        lines, path = text.split("\n"), place / "right.pto"
        path.write_text(text)
        outputs = [Path(name) for name in re.findall(r"--(?:in)?out \w+=\S*?:(\S+)", command)]
        if self.errors(command, path) != []:
            return
        right = [output.read_bytes() for output in outputs]
        for number in [n for n, line in enumerate(lines) if FLAG.match(line)][::3 if quick else 1]:
            said = self.judge(command, lines, number, place, outputs, right)
            self.passed += not said
            self.failed += bool(said)
            if said and self.failed <= SHOWN:
                print(f"FAILED {title}, without line {number + 1}, {lines[number].strip()}: {said}")


def double_buffer(halves, place, quick):
    numpy.save(place / "table.npy", numpy.arange(64 * 1024, dtype=numpy.float32).reshape(64, 1024))
    numpy.save(place / "words.npy", (numpy.arange(32) * 7 % 64).astype(numpy.int32))
    text = (ROOT / "examples" / "double_buffer.pto").read_text()
    for target in MACHINES:
        halves.program(f"double_buffer on {target}", f"ptog run %s --target {target} --in table={place}/table.npy "
                       f"--in words={place}/words.npy --out out=32x1024:{place}/out.npy", text, place, quick)


def files(halves, place, quick):
    for path in sorted(HERE.rglob("*.pto")):
        text = path.read_text(errors="surrogateescape")
        if not any(FLAG.match(line) for line in text.split("\n")):
            continue
        try:
            test = read(text)
        except BadTest:
            continue
        prefix = place / path.stem
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for run in test.runs:
            if run.command.startswith("ptog run ") and re.search(r"--target (a2a3|a5)\b", run.command) and not re.search(
                    "--format|--no-sanitize|--func|--inout|apply-fix|print-placement", run.command):
                halves.program(f"{path.relative_to(HERE)}", run.command.replace("%t", str(prefix)), text, place, quick)


def main():
    parser = argparse.ArgumentParser(description="Half pairs of flags, put back.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--quick", action="store_true", help="every third line, for slow builds")
    options = parser.parse_args()
    start = time.monotonic()
    if not os.access(options.ptog, os.X_OK):
        print(f"halves.py: cannot run {options.ptog}", file=sys.stderr)
        return 2
    halves = Halves(os.path.abspath(options.ptog))
    with tempfile.TemporaryDirectory() as place:
        double_buffer(halves, Path(place), options.quick)
        print(f"double_buffer: {dict(halves.kinds)}")
        files(halves, Path(place), options.quick)
    enough = halves.kinds["put back"] >= (16 if options.quick else 48)
    print(f"with files: {dict(halves.kinds)}, {time.monotonic() - start:.1f} s{'' if enough else ', too few lines'}")
    print(f"halves: {halves.passed} passed, {halves.failed + (not enough)} failed")
    return 1 if halves.failed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
