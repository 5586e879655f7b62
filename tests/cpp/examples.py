"""examples/cpp: each compiles without a word, on A2/A3, and prints what its .expected says, report and exit status included."""

import os

from tools import ROOT, at_once
from checks import run

PLACE = ROOT / "examples" / "cpp"
UPDATE = "PTOG_UPDATE_EXPECTED"  # set: writes the .expected files instead


def check_example(checks, cxx, source):
    program, said = cxx.compile(source.name, f"example-{source.stem}", defines=["PTOG_TARGET=a2a3"], place=PLACE)
    checks.check(f"{source.name} compiles without a word", [said] if said or not program else [])
    if not program:
        return
    done = run([program], cwd=PLACE, env={"NO_COLOR": "1"})
    text = f"{done.stdout}{done.stderr}exit status {done.returncode}\n"
    expected = source.with_suffix(".expected")
    if os.environ.get(UPDATE):
        expected.write_text(text)
    wanted = expected.read_text() if expected.exists() else ""
    checks.check(f"{source.name} prints what it should", [] if text == wanted else f"expected\n{wanted}\nfound\n{text}")


def check(checks, cxx):
    sources = sorted(path for path in PLACE.glob("*.cpp") if "<<<" not in path.read_text())  # launches: tests/cxx/run.py
    checks.check("there are examples", [] if sources else f"none in {PLACE}")
    at_once(lambda source: check_example(checks, cxx, source), sources)
