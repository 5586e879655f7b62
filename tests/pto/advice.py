#!/usr/bin/env python3
"""Advice is what the repair does: a wrong program is repaired by following its report, and by --apply-fix, in the same way.

  advice.py --ptog PATH [-v]

Every run in advice/ and machine/, and the wrong kernels of examples/, that report faults of order alone. Of each:

- the first error of the report is the first ERROR line of the file: the cause (advice/ only);
- the edits of the JSON report, applied by their fields, give a program without errors;
- so do the `fixes` of SARIF, applied by their regions: the same text, letter for letter;
- every step stands in the report that people read;
- --apply-fix writes the same text.

The last line is "advice: N passed, M failed", counted in programs, of which there must be 30. Exit status: 0 all passed,
1 not, 2 the test could not run.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"advice.py: needs numpy, and {sys.executable} has none")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conform"))
import data  # noqa: E402
from directives import read  # noqa: E402
from edits import Overlap, Text, of_sarif, of_step  # noqa: E402

ENOUGH = 30
KERNELS = HERE.parent.parent / "examples" / "kernels"
OF_ORDER = re.compile(r"race-(raw|war|waw)|same-pipe-hazard|order-reversed|flag-(never-set|left-set|double-set|id-clash)")


class Wrong(Exception):
    """What a program does not do."""


# ---- one program ----

class Program:
    def __init__(self, ptog, name, path, command, place, first=None):
        self.ptog, self.name, self.path, self.command, self.place, self.first = ptog, name, path, command, place, first

    def run(self, path, *more):
        words = self.command.replace("%s", str(path)) + " " + " ".join(more)
        return subprocess.run(["/bin/sh", "-c", 'ptog() { "$PTOG" "$@"; }\n' + words], capture_output=True, text=True, cwd=HERE,
                              env={**os.environ, "PTOG": self.ptog, "LC_ALL": "C.UTF-8"})

    def errors(self, path):
        found = self.run(path, "--format json")
        try:
            return [diag for diag in json.loads(found.stdout)["diagnostics"] if diag["severity"] == "error"]
        except (ValueError, KeyError):
            raise Wrong(f"there is no report:\n{found.stdout}{found.stderr}") from None

    def is_wrong(self):
        """Does it have faults of order and no others?"""
        errors = self.errors(self.path)
        return bool(errors) and all(OF_ORDER.fullmatch(diag["id"]) for diag in errors)

    def check_clean(self, how, text):
        path = self.place / "followed.pto"
        path.write_text(text)
        left = self.errors(path)
        if left:
            raise Wrong(f"{how}: {[(diag['id'], diag['line']) for diag in left]} is left in\n{text}")

    def judge(self):
        """Raises Wrong."""
        errors, text = self.errors(self.path), Text(self.path.read_text())
        if self.first and (errors[0]["id"], errors[0]["line"], errors[0]["column"]) != self.first:
            raise Wrong(f"the first error is {errors[0]['id']} at line {errors[0]['line']}")
        fixed = self.place / "fixed.pto"
        fixed.unlink(missing_ok=True)
        repair = self.run(self.path, f"--apply-fix -o {fixed}")
        if not fixed.exists():
            raise Wrong(f"not repaired: {repair.stderr}")
        steps = [step for diag in errors for step in diag["fix"]]
        followed = text.applied([edit for step in steps for edit in of_step(text, step)])
        self.check_clean("following the report", followed)
        sarif = json.loads(self.run(self.path, "--format sarif").stdout)
        errors = [result for result in sarif["runs"][0]["results"] if result["level"] == "error"]
        if text.applied([edit for result in errors for edit in of_sarif(text, result.get("fixes", []))]) != followed:
            raise Wrong("SARIF has other edits than JSON")
        shown = self.run(self.path)
        missing = [step["text"] for step in steps if step["text"] not in shown.stdout + shown.stderr]
        if missing:
            raise Wrong(f"not shown: {missing}")
        if fixed.read_text() != followed:
            raise Wrong(f"--apply-fix writes\n{fixed.read_text()}\nand following the report gives\n{followed}")


# ---- all programs ----

def of_files(ptog, place):
    for path in [*sorted((HERE / "advice").glob("*.pto")), *sorted((HERE / "machine").glob("*.pto"))]:
        test = read(path.read_text())
        prefix = place / path.stem
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for number, run in enumerate(test.runs, 1):
            wrong = [diag for diag in run.diags if diag[0] == "error"]
            if not wrong or not re.search(r"ptog run .*--target (a2a3|a5)\b", run.command):
                continue
            first = wrong[0][1:] if path.parent.name == "advice" else None
            yield Program(ptog, f"{path.parent.name}/{path.name}, run {number}", path, run.command.replace("%t", str(prefix)), place,
                          first)


def of_kernels(ptog, place):
    for path in sorted(KERNELS.glob("*/wrong.pto")):
        for target in ("a2a3", "a5"):
            yield Program(ptog, f"{path.parent.name}/{path.name} on {target}", path, f"ptog run %s --target {target}", place)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--ptog", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place, ptog = Path(folder), os.path.abspath(options.ptog)
        for program in [*of_files(ptog, place), *of_kernels(ptog, place)]:
            try:
                wrong = program.is_wrong()
                if wrong:
                    program.judge()
                passed += wrong
                if options.verbose:
                    print("passed" if wrong else "no fault of order alone:", program.name)
            except (Wrong, Overlap) as wrong:
                failed += 1
                print(f"FAILED {program.name}: {wrong}")
    if passed + failed < ENOUGH:
        failed += 1
        print(f"{ENOUGH} programs are wanted")
    print(f"advice: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
