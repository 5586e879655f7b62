#!/usr/bin/env python3
"""The test of tests/corpus/run.py: eight files with known outcomes, and the table that must come out.

  self.py --ptog PATH
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

FILES = {
    "clean.pto": "func.func @f() {\n  pto.barrier <PIPE_ALL>\n  return\n}\n",
    "unmodelled.pto": "func.func @f() {\n  pto.trap\n  return\n}\n",
    "syntax.pto": "func.func @f( {\n",
    "division_invalid.pto": "%c = arith.constant 0 : index\n%d = arith.divsi %c, %c : index\n",
    "not.pto": "// RUN: not compiler %s\nfunc.func @f() {\n  return\n}\n",
    "taken_invalid.pto": "// RUN: ptoas --some-option \\\n// RUN:   %s\nfunc.func @f() {\n  return\n}\n",  # counted nowhere
    "other.pto": "// RUN: ptoas %S/clean.pto\n",  # nor is a file without code
    "deep/micro.pto": "func.func @f() {\n  pto.vadd %a\n  return\n}\n",
}
WANTED = {
    "files": "8, 6 of the tile level",
    "crashed, or without end": "0",
    "read": "2 of 3 (66.7 %)",
    "pass check": "2 of 3 (66.7 %)",
    "must be refused, and are": "1 of 2 (50.0 %)",
    "--form ssa and back": "2 of 3 (66.7 %)",
    "all modelled, run clean": "1 of 1 (100.0 %)",
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ptog", required=True)
    ptog = Path(parser.parse_args().ptog).resolve()
    checks = Checks("corpus")
    with tempfile.TemporaryDirectory() as place:
        for name, text in FILES.items():
            path = Path(place) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        command = [sys.executable, ROOT / "tests" / "corpus" / "run.py", place, "--ptog", ptog]
        done, listed, empty = run(command), run([*command, "--list", "text-syntax"]), run([*command[:2], place + "/none"])
    for name, wanted in WANTED.items():
        found = re.search(rf"^{re.escape(name)} +(.*)$", done.stdout, re.MULTILINE)
        good = found and found[1].startswith(wanted)
        checks.check(name, [] if good else f"wanted {wanted}, got\n{done.stdout}{done.stderr}")
    checks.check("exit status", [] if done.returncode == 0 else done.stderr)
    checks.check("--list", [] if listed.stdout.endswith("syntax.pto\n") else listed.stdout)
    checks.check("no files", [] if empty.returncode == 1 and "no .pto file" in empty.stderr else empty.stderr)
    checks.finish()


if __name__ == "__main__":
    main()
