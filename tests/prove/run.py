#!/usr/bin/env python3
"""ptog prove on programs of which only some inputs show the mistake, and on the same programs without it.

  run.py --ptog PATH [--only NAME]

Every wrong program is found, without inputs, with the finding that was planted; `ptog run` with the inputs that prove names
shows the same finding, from the command line and from the files of --witness. ptog reduce brings it to at most 12 statements with the same
finding. The correct programs have no finding. So have the kernels of examples/kernels, and each of their wrong.pto has, without options,
a finding that its wrong.expected shows with data, on the same target. With Z3, where it is installed, more is found and said; without it nothing
is claimed.
"""
import argparse
import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))
from cases import CASES, MEM, N, NM, PART, TILE, VIEW, program  # noqa: E402
from cores import CORES  # noqa: E402

TARGET = "a2a3"
MAX_STATEMENTS = 12
UNHURRIED = ("--seconds", "86400")  # the number of runs ends a search, so that its result is that of every machine
COMMAND = re.compile(r"^ptog prove: ([a-z-]+) at line (\d+): ptog (run .*)$", re.MULTILINE)


def run_findings(ptog, words):
    """The ids and lines of the errors of a command's report."""
    done = run([ptog, *words, "--format", "json"])
    return {(one["id"], one["line"]) for one in json.loads(done.stdout)["diagnostics"] if one["severity"] == "error"}


def wrong_problems(ptog, path, ids, place):
    """What is not as it should be with a planted mistake."""
    found = run([ptog, "prove", path, "--target", TARGET, "--witness", place, *UNHURRIED])
    commands = COMMAND.findall(found.stderr)
    if found.returncode != 1 or not commands:
        return [f"exit status {found.returncode}", *found.stderr.splitlines()[-8:]]
    reported = {(one, int(line)) for one, line, _ in commands}
    problems = [f"{one} was not found, but {sorted(reported)}" for one in ids if one not in {id for id, _ in reported}]
    for one, line, command in commands:
        if (one, int(line)) not in run_findings(ptog, shlex.split(command)):
            problems.append(f"{one} at line {line}: the command does not show it: {command}")
    shown = set()
    for script in sorted(place.glob("*/command.sh")):
        shown |= run_findings(ptog, shlex.split(script.read_text())[1:])
    problems += [f"{one}: the files of --witness do not show it" for one in sorted(reported - shown)]
    return problems


def statement_count(text):
    """Lines that are neither functions, returns, labels, yields nor brackets."""
    frame = re.compile(r"(func\.func|module|return|scf\.yield|\^|\})")
    return sum(bool(line.strip()) and not frame.match(line.strip()) for line in text.splitlines())


def reduce_problems(ptog, path, id, small):
    """What is not as it should be with the smallest program that has a finding."""
    done = run([ptog, "reduce", path, "--target", TARGET, "--finding", id, "-o", small, *UNHURRIED])
    command = re.search(r"^ptog reduce: ptog (run .*)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 or not command:
        return [f"exit status {done.returncode}", *done.stderr.splitlines()[:8]]
    text, problems = small.read_text(), []
    if statement_count(text) > MAX_STATEMENTS:
        problems.append(f"{statement_count(text)} statements are left:\n{text}")
    if id not in {one for one, _ in run_findings(ptog, shlex.split(command[1]))}:
        problems.append(f"the command does not show {id}: {command[1]}\n{text}")
    if "//" in text:
        problems.append(f"a comment is left:\n{text}")
    if re.search(r"[<, ]0x\d+x|x0x", text):
        problems.append(f"an extent is 0:\n{text}")
    new = set(re.findall(r"%[a-z]\w*", text)) - set(re.findall(r"%[a-z]\w*", path.read_text()))
    return problems + [f"{name} is a new name" for name in sorted(new)]


def correct_problems(ptog, path):
    found = run([ptog, "prove", path, "--target", TARGET, *UNHURRIED])
    return [] if found.returncode == 0 else [f"exit status {found.returncode}", *found.stderr.splitlines()[:12]]


def check_cases(checks, ptog, place, only):
    for name, (arguments, body, ids) in CASES.items():
        if only and only not in name:
            continue
        path = place / f"{name}.pto"
        path.write_text("// A comment, of 2026.\n" + program(arguments, body, True))
        checks.check(f"{name}: the mistake is found", wrong_problems(ptog, path, ids, place / name))
        for id in ids:
            checks.check(f"{name}: {id} is reduced", reduce_problems(ptog, path, id, place / "small.pto"))
        path.write_text(program(arguments, body, False))
        checks.check(f"{name}: the correct program is clean", correct_problems(ptog, path))


def check_cores(checks, ptog, place):
    """Kernels on both cores."""
    for name, (wrong, correct, ids) in CORES.items():
        path = place / f"{name}.pto"
        path.write_text(wrong)
        checks.check(f"{name}: the mistake is found", wrong_problems(ptog, path, ids, place / name))
        for id in ids:
            checks.check(f"{name}: {id} is reduced", reduce_problems(ptog, path, id, place / "small.pto"))
        path.write_text(correct)
        checks.check(f"{name}: the correct kernel is clean", correct_problems(ptog, path))


def expected_findings(path):
    """By target: the ids and lines of the errors that a run with data has."""
    found = {}
    for run_of in path.read_text().split("$ ptog run ")[1:]:
        target = re.search(r"--target (\S+)", run_of)[1]
        found[target] = {(id, int(line)) for line, id in re.findall(r"^wrong\.pto:(\d+):\d+: error: .*\[([a-z-]+)\]$", run_of, re.MULTILINE)}
    return found


def kernel_problems(ptog, path):
    found = run([ptog, "prove", path, *UNHURRIED])
    if path.name != "wrong.pto":
        return [] if found.returncode == 0 else found.stderr.splitlines()[:10]
    problems = [] if found.returncode == 1 else [f"exit status {found.returncode}"]
    for target, expected in expected_findings(path.parent / "wrong.expected").items():
        shown = {(id, int(line)) for id, line, words in COMMAND.findall(found.stderr) if f"--target {target}" in words}
        if bool(expected) != bool(shown) or not shown >= expected:
            problems.append(f"{target}: {sorted(expected)} expected, {sorted(shown)} found")
    return problems


def check_kernels(checks, ptog):
    for path in sorted((ROOT / "examples/kernels").glob("*/*.pto")):
        checks.check(f"{path.parent.name}/{path.name}", kernel_problems(ptog, path))


# ---- what a program trusts ----

DYNAMIC = TILE.replace("16x64xf32>", "16x64xf32, valid=?x64>")
COPY = f"""pto.tload ins(%p : {PART}) outs(%a : {TILE})
barrier A
store a"""
TRUSTS = {  # arguments that the program never compares: what is refused is assumed, not found
    "extent": (NM, f"""%is = arith.cmpi eq, %m, %c0 : index
if %is
barrier V
end
%t = pto.alloc_tile valid_row = %n : {DYNAMIC}"""),
    "place": (N, f"""%at = arith.maxsi %n, %c0 : index
%p = pto.partition_view %sv, offsets = [%at, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
{COPY}"""),
    "rows": (N, f"""%nv = pto.make_tensor_view %src, shape = [%n, %c64], strides = [%c64, %c1] : {VIEW}
%p = pto.partition_view %nv, offsets = [%c0, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
{COPY}"""),
    "element": (MEM, """%at = pto.load_scalar %w[%c1] : !pto.ptr<i32> -> i32
%place = arith.index_cast %at : i32 to index
%number = pto.load_scalar %w[%place] : !pto.ptr<i32> -> i32"""),
    "event id": (N, "load a\nset 2 V %n\nwait 2 V %n\nexp a b"),
}
CHECKS = {  # the program looks after the bounds itself, or computes what is refused, and is wrong
    "extent": (N, f"""%is = arith.cmpi slt, %n, %c64 : index
if %is
%t = pto.alloc_tile valid_row = %n : {DYNAMIC}
end"""),
    "rest": (N, f"""scf.for %i = %c0 to %n step %c16 {{
%rest = arith.subi %n, %i : index
%t = pto.alloc_tile valid_row = %rest : {DYNAMIC}
end"""),
    "place": (N, f"""%most = arith.minsi %n, %c64 : index
%p = pto.partition_view %sv, offsets = [%most, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
{COPY}"""),
}
ALWAYS = "load a\nbarrier A\nstore a\nbarrier A\n"


def check_trust(checks, ptog, place):
    path = place / "trust.pto"
    for programs, is_trusted in ((TRUSTS, True), (CHECKS, False)):
        for name, (arguments, body) in programs.items():
            path.write_text(program(arguments, ALWAYS + body, True))
            found = run([ptog, "prove", path, "--target", TARGET, *UNHURRIED])
            as_meant = found.returncode == (not is_trusted) and (": assumed: no inputs like %" in found.stderr) >= is_trusted
            checks.check(f"{name}: {'assumed' if is_trusted else 'found'}", [] if as_meant else [found.stderr])


# ---- what comes first ----

LATE_LOOP = """%sum = arith.addi %n, %m : index
%is = arith.cmpi slt, %sum, %c0 : index
%three = arith.constant 3 : index
%turns = arith.andi %n, %three : index
load a
barrier A
if %is
for %i %turns
barrier V
end
end
store a"""


def check_order(checks, ptog, place):
    """Turns of a loop that negative arguments alone reach are aimed at before most values are tried."""
    path = place / "order.pto"
    path.write_text(program(NM, LATE_LOOP, True))
    words = run([ptog, "prove", path, "--target", TARGET, "--solver", "never", "--paths", "60", *UNHURRIED]).stderr
    checks.check("turns within 60 runs", [] if ": 0, 1, 2, 3 turns" in words else [words])


# ---- with a solver ----

FAR = """%big = arith.constant 1234567 : index
%modulus = arith.constant 91234567 : index
%wanted = arith.constant 77 : index
%product = arith.muli %n, %big : index
%rest = arith.remui %product, %modulus : index
%usual = arith.cmpi ne, %rest, %wanted : index
load a
- if %usual
barrier A
- end
store a"""
NEVER = """%square = arith.muli %n, %n : index
%last = arith.andi %square, %c2 : index
%never = arith.cmpi ne, %last, %c0 : index
load a
if %never
barrier V
end
barrier A
store a"""
PATHS = """%odd = arith.andi %n, %c1 : index
%is = arith.cmpi ne, %odd, %c0 : index
load a
if %is
barrier A
else
barrier 2
barrier A
end
store a"""


def has_solver(ptog, path):
    """Whether the command finds Z3; one with the address sanitizer never does."""
    return "is not installed" not in run([ptog, "prove", path, "--solver", "always", "--paths", "1"]).stderr


def said(ptog, path, body, is_wrong, solver, arguments=N):
    path.write_text(program(arguments, body, is_wrong))
    return run([ptog, "prove", path, "--target", TARGET, "--solver", solver, *UNHURRIED]).stderr


def check_solver(checks, ptog, place):
    path = place / "solver.pto"
    for body in (FAR, NEVER, PATHS):
        words = said(ptog, path, body, True, "never")
        checks.check("without a solver nothing is claimed", [words] if "no inputs" in words or "no other paths" in words else [])
    if not has_solver(ptog, path):
        return
    words = said(ptog, path, FAR, True, "auto")
    found = COMMAND.search(words)
    shown = run_findings(ptog, shlex.split(found[3])) if found else ()
    checks.check("a condition that only a solver decides", [] if "race-raw" in {id for id, _ in shown} else [words])
    cast = "%i = arith.index_cast %n : i64 to index\n" + FAR.replace("%n,", "%i,")
    found = COMMAND.search(said(ptog, path, cast, True, "auto", [("n", "i64")]))
    checks.check("the same of an i64 that becomes an index", [] if found and found[1] == "race-raw" else [cast])
    words = said(ptog, path, FAR, False, "always")
    checks.check("the same without the mistake", [words] if COMMAND.search(words) else [])
    words = said(ptog, path, NEVER, False, "auto")
    expected = ("never true, and no inputs make it so", "was not reached, and no inputs lead there")
    checks.check("a branch that no inputs take", [] if all(one in words for one in expected) else [words])
    words = said(ptog, path, PATHS, False, "always")
    checks.check("all paths", [] if "there are no other paths" in words else [words])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    checks = Checks("prove")
    with tempfile.TemporaryDirectory() as place:
        check_cases(checks, options.ptog, Path(place), options.only)
        if not options.only:
            check_cores(checks, options.ptog, Path(place))
            check_trust(checks, options.ptog, Path(place))
            check_order(checks, options.ptog, Path(place))
            check_solver(checks, options.ptog, Path(place))
    if not options.only:
        check_kernels(checks, options.ptog)
    checks.finish()


if __name__ == "__main__":
    main()
