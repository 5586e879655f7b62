#!/usr/bin/env python3
"""Pairs of flags: leaving one out of a right program is reported, or the program was told that the pair is redundant.
Never both; and neither only where an instruction would touch other bytes with other data, so that the pair may be needed
then. What a note says of the other machine is held against the program without the pair on that machine.

  pairs.py --ptog PATH --batch PATH [--count N] [--seed S] [--quick]

Every .pto file with flags whose run on a machine is clean, on every target that takes it; and random programs with
random flags between their instructions. A pair is a set and the wait that takes it; statements that meet in a loop are
one pair together. A pair in a branch that no turn takes is left out.

It is reported at its place: one of the errors speaks of two instructions, the first of which is issued before a set of the
pair, and the second one after a wait of it. By lines: the first stands above the set, the second below the wait; where a
loop holds both an instruction and the flag, an earlier or a later turn will do. That says little inside a loop, so in files
with loops one of the two must also be at its end of the pair: the first in the pipe that sets, or the second in the pipe
that waits. (A pair in the middle of a chain of flags may order two instructions of other pipes. No file has such a pair;
random programs may, and there the lines alone are looked at.) Of a flag that is set too early, the two are the sets by line,
and by pipe the wait between them and the second set. The exact lines, in loops too, are compared in tests/oracle.

The last line is "pairs: N passed, M failed", counted in pairs. Exit status: 0 all passed, 1 not, 2 the test could not run.
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
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"pairs.py: needs numpy, and {sys.executable} has none")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conform"))
import data  # noqa: E402
from directives import BadTest, read  # noqa: E402
from draw_steps import rng_of  # noqa: E402
from make_hazards import make_hazards  # noqa: E402
from make_programs import MACHINES, make_function  # noqa: E402
from programs import Batch  # noqa: E402

DEFAULT_SEED = 20250311
SHOWN = 5
ERROR = 2
FLAG = re.compile(r"^\s*pto\.(set_flag|wait_flag|set_flag_dyn|wait_flag_dyn|record_event|wait_event)\s*(\[.*\])")
PIPES = (re.compile(r"^race: \w+ \(pipe (?P<second>\w+)\) may .* before \w+ \(pipe (?P<first>\w+)\) has"),
         re.compile(r"^race: \w+ \(pipe (?P<second>(?P<first>\w+))\) may .*, earlier on the same pipe, has"),
         re.compile(r"^(?:\w+(?: of \S+)? uses )?flag (?P<second>\w+)->(?P<first>\w+) \d+ (?:may|is|itself)"))  # the wait comes before the next set
EVENT_PIPES = {"TLOAD": "MTE2", "TVEC": "V", "TSTORE_VEC": "MTE3"}
OPEN = {"a2a3": re.compile(r"pto\.(mgather\b.*coalesce row|mgather\b.*\.row\b|tgather\b(?!.*[Pp]attern))"),
        "a5": re.compile(r"pto\.tgather\b(?!.*[Pp]attern)")}  # what they touch depends on their data
ELSEWHERE = re.compile(r" \(on (\w[\w-]*)(?: and (\w+)|; needed on (\w+)|; [^)]*)?\) *$")
LOC = re.compile(r' loc\("[^"]*":\d+:\d+\)')
NO_FLAG = "pto.barrier <PIPE_M>"  # does nothing, and keeps the program one that has synchronisation of its own


# ---- pairs of a text ----

def is_set(line):
    match = FLAG.match(line)
    return match and match[1].startswith(("set", "record"))


def ends_of(line):
    """The pipes of a flag: the one that sets it, the one that waits."""
    words = re.findall(r"PIPE_(\w+)|pipe_event_type<(\w+)>", FLAG.match(line)[2])
    return tuple(pipe or EVENT_PIPES[event] for pipe, event in words[:2])


def turns_of(lines, first, last):
    """The numbers of the lines from first to last (from 0) as they are run, each loop twice."""
    loops = [(start - 1, end - 1) for start, end in loops_of(lines)]
    number = first
    while number <= last:
        end = next((end for start, end in loops if start == number), None)
        if end is None or (first, last) == (number, end):
            yield number
            number += 1
            continue
        yield number
        for _ in range(2):
            yield from turns_of(lines, number + 1, end - 1)
        number = end


def pairs_of(lines):
    """Lists of line numbers (from 0): of each flag, the statements of the k-th set and the k-th wait. Those that meet in
    another turn of a loop, too, are one pair."""
    flags = {}
    for number in turns_of(lines, 0, len(lines) - 1):
        match = FLAG.match(lines[number])
        if match:
            flags.setdefault(match[2], ([], []))[not is_set(lines[number])].append(number)
    for sets, waits in flags.values():
        groups = []
        for ends in map(set, zip(sets, waits)):
            met = [group for group in groups if group & ends]
            groups = [group for group in groups if not group & ends] + [ends.union(*met)]
        yield from map(sorted, groups)


def of_function(lines, command):
    """The lines with those of other functions than the one that is run left blank."""
    chosen, inside, kept = re.search(r"--func (\S+)", command), True, []
    for line in lines:
        start = re.search(r"func\.func @(\w+)", line)
        if start and chosen:
            inside = start[1] == chosen[1]
        kept.append(line if inside else "")
    return kept


def without(lines, pair):
    return "\n".join(NO_FLAG if number in pair else line for number, line in enumerate(lines))


# ---- where an error belongs ----

class Error(NamedTuple):
    """What the program without the pair is told: of which two lines (0: of one only)."""
    id: str
    first: int
    second: int
    message: str


def loops_of(lines):
    """(first, last) line of each loop, from 1."""
    opened, loops = [], []
    for number, line in enumerate(lines, 1):
        for brace in re.findall(r"[{}]", re.sub(r'"[^"]*"|//.*', "", line)):
            if brace == "{":
                opened.append((number, "scf.for" in line))
            elif opened:
                start, is_loop = opened.pop()
                if is_loop:
                    loops.append((start, number))
    return loops


def is_before(first, second, loops):
    """Is some run of the first line issued before some run of the second?"""
    return first < second or any(start <= first <= end and start <= second <= end for start, end in loops)


def is_around(error, lines, pair, loops):
    """Is the first instruction issued before a set of the pair, and the second one after a wait?"""
    sets = [number + 1 for number in pair if is_set(lines[number])]
    waits = [number + 1 for number in pair if not is_set(lines[number])]
    return error.first > 0 and any(is_before(error.first, line, loops) for line in sets) and any(
        is_before(line, error.second, loops) for line in waits)


def is_at_an_end(error, lines, pair):
    """Is one of the two in the pipe of its end of the pair?"""
    source, to = ends_of(lines[pair[0]])
    found = [pipes for pattern in PIPES if (pipes := pattern.search(error.message))]
    return any(pipes["first"] == source or pipes["second"] == to for pipes in found)


def is_at_its_place(errors, lines, pair, by_pipes):
    loops = loops_of(lines)
    return any(is_around(error, lines, pair, loops) and (not by_pipes or not loops or is_at_an_end(error, lines, pair))
               for error in errors)


class Verdicts:
    def __init__(self):
        self.passed, self.failed, self.kinds = 0, 0, Counter()

    def judge(self, title, lines, pair, noted, errors, by_pipes, target):
        """noted: lines of the notes of the whole program; errors: what the program without the pair is told."""
        redundant = any(number + 1 in noted for number in pair)
        is_open = any(OPEN.get(target, OPEN["a5"]).search(line) for line in lines)
        kind = "redundant" if redundant else "needed" if errors else "needed with other data"
        said = ("noted as redundant, and reported without it" if redundant and errors else
                "neither noted nor reported without it" if kind == "needed with other data" and not is_open else
                "reported at other lines" if errors and not is_at_its_place(errors, lines, pair, by_pipes) else None)
        self.count(said, kind, title, lines, pair, errors)

    def judge_elsewhere(self, title, lines, pair, note, target, errors):
        """What a note says of the other machine. errors: what the program without the pair is told there."""
        here, both, needed = ELSEWHERE.search(note).groups()
        is_open = any(OPEN[both or needed].search(line) for line in lines) if both or needed else True
        said = (f"the note is not about {target}" if here != target else
                f"noted as redundant on {both}, too, and reported there" if both and errors else
                f"noted as needed on {needed}, and not reported there" if needed and not errors and not is_open else None)
        self.count(said, "elsewhere", title, lines, pair, errors)

    def count(self, said, kind, title, lines, pair, errors):
        self.passed += not said
        self.failed += bool(said)
        self.kinds[kind] += 1
        if said and self.failed <= SHOWN:
            text = "\n".join(f"{number:4}  {line}" for number, line in enumerate(lines, 1))
            print(f"FAILED {title}, the pair of lines {[number + 1 for number in pair]}: {said}: {errors}\n{text}")


# ---- files ----

class NotRun(Exception):
    """The command did not come to a verdict. That is no finding: the file may have been replaced while it was run."""


class Files:
    def __init__(self, ptog, verdicts):
        self.ptog, self.verdicts = ptog, verdicts

    def run(self, command, source, path):
        path.write_text(source)
        words = command.replace("%s", str(path)) + " --format json"
        done = subprocess.run(["/bin/sh", "-c", 'ptog() { "$PTOG" "$@"; }\n' + words], capture_output=True, cwd=HERE,
                              env={**os.environ, "PTOG": self.ptog, "LC_ALL": "C.UTF-8"})
        if done.returncode not in (0, 1):
            raise NotRun(f"{words}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
        return json.loads(done.stdout)["diagnostics"]

    def file(self, path, place):
        text = LOC.sub("", path.read_text(errors="surrogateescape"))  # reports are about the lines of this file
        try:
            test = read(text)
        except BadTest:
            return
        prefix = os.path.join(place, path.stem)
        for name, words in test.data:
            array = data.make(words)
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), array)
        commands = {run.command.replace("%t", prefix) for run in test.runs
                    if run.command.startswith("ptog run %s") and not re.search("--format|--no-sanitize|--apply-fix", run.command)}
        for target in sorted(MACHINES):
            for command in sorted({re.sub(r" --target \S+", "", c) + f" --target {target}" for c in commands}):
                try:
                    self.target(path, text, command, Path(place) / path.name)
                except NotRun as error:
                    self.verdicts.failed += 1
                    print(f"FAILED {error}")

    def target(self, path, text, command, copy):
        lines = text.split("\n")
        diags = self.run(command, text, copy)
        if any(diag["severity"] == "error" for diag in diags):
            return
        noted = {diag["line"]: diag["message"] for diag in diags if diag["id"] == "flag-redundant"}
        target = command.split("--target ")[1]
        for pair in pairs_of(of_function(lines, command)):
            title = f"{path.relative_to(HERE)} ({target})"
            errors = self.errors(command, without(lines, pair), copy)
            self.verdicts.judge(title, lines, pair, noted, errors, True, target)
            for note in [noted[number + 1] for number in pair if number + 1 in noted]:
                other = "a5" if target == "a2a3" else "a2a3"
                there = self.errors(command.replace(f"--target {target}", f"--target {other}"), without(lines, pair), copy)
                self.verdicts.judge_elsewhere(title, lines, pair, note, target, there)

    def errors(self, command, source, path):
        return [Error(diag["id"], diag["related"][0]["line"] if diag["related"] else 0, diag["line"], diag["message"])
                for diag in self.run(command, source, path) if diag["severity"] == "error"]


# ---- random programs ----

INSTRUCTION = re.compile(r"^\s*pto\.(mgather|t\w+)\b")
COUPLES = (("V", "MTE2"), ("V", "MTE3"), ("MTE2", "MTE3"), ("S", "V"), ("S", "MTE2"), ("S", "MTE3"))


def flag(src, dst, number):
    words = f"[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{number}>]"
    return [f"    pto.set_flag{words}", f"    pto.wait_flag{words}"]


def synchronised(text, rng, share=0.85):
    """Flags in both directions between some pipes after each instruction, and barriers, each flag with its own lines."""
    lines, chosen = [], rng.sample(COUPLES, rng.randint(2, 6))
    for line in text.split("\n"):
        lines.append(line)
        if not INSTRUCTION.match(line):
            continue
        for a, b in chosen:
            if rng.random() < share:
                number = rng.randint(1, 5)
                lines += flag(a, b, number) + flag(b, a, number)
        lines += [f"    pto.barrier <PIPE_{pipe}>" for pipe in ("V", "MTE2", "MTE3") if rng.random() < 0.8]
    return "\n".join(lines)


def draw_program(rng, number):
    """Gathers, one after the other, or vector instructions that get in each other's way; for the two machines in turn."""
    return (make_function, make_hazards)[number // 2 % 2](rng, ("a2a3", "a5")[number % 2])


def next_pairs(lines):
    """A set and the wait in the line below it."""
    return [[number, number + 1] for number, line in enumerate(lines) if is_set(line)]


def errors_of(result):
    return [Error(diag.id, diag.other, diag.line, diag.message) for diag in result.run_diags if diag.severity == ERROR]


def is_run(batch, program, lines, number):
    """Whether the program comes to a line: a barrier on S, put there, is reported if it does. (A branch may lie in another
    that excludes it.)"""
    probe = lines[:number] + ["    pto.barrier <PIPE_S>"] + lines[number:]
    return any(error.id == "barrier-on-scalar" for error in errors_of(batch.run(replace(program, text="\n".join(probe)))))


def random_programs(options, verdicts, count):
    """Of the first `count` programs whose run is clean, some pairs each."""
    batch, number, clean = Batch(options.batch), 0, 0
    while clean < count:
        rng = rng_of(options.seed, number)
        program = draw_program(rng, number)
        number += 1
        program = replace(program, text=synchronised(program.text, rng), dumps={})
        lines, result = program.text.split("\n"), batch.run(program)
        if not result.read or errors_of(result) or result.run_status not in (0, 1):
            continue
        clean += 1
        noted = {diag.line for diag in result.run_diags if diag.id == "flag-redundant"}
        pairs = next_pairs(lines)
        for pair in rng.sample(pairs, min(len(pairs), options.pairs)):
            mutant = batch.run(replace(program, text=without(lines, pair)))
            if not noted & {line + 1 for line in pair} and not errors_of(mutant) and not is_run(batch, program, lines, pair[0]):
                verdicts.kinds["never run"] += 1
                continue
            title = f"program {number - 1}, seed {options.seed}, target {program.target}"
            verdicts.judge(title, lines, pair, noted, errors_of(mutant), False, program.target)
    verdicts.failed += batch.close() != 0
    return number


def main():
    parser = argparse.ArgumentParser(description="Pairs of flags, left out one by one.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--batch", required=True)
    parser.add_argument("--count", type=int, default=60, help="so many clean programs (default 60)")
    parser.add_argument("--pairs", type=int, default=10, help="pairs of each (default 10)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="12 programs, for slow builds")
    options = parser.parse_args()
    start, verdicts = time.monotonic(), Verdicts()
    print(f"pairs: seed {options.seed}")
    if not os.access(options.ptog, os.X_OK) or not os.access(options.batch, os.X_OK):
        print(f"pairs.py: cannot run {options.ptog} or {options.batch}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as place:
        files = Files(os.path.abspath(options.ptog), verdicts)
        for path in sorted(HERE.rglob("*.pto")):
            if any(FLAG.match(line) for line in path.read_text(errors="surrogateescape").split("\n")):
                files.file(path, place)
    print(f"files: {dict(verdicts.kinds)}")
    tried = random_programs(options, verdicts, 12 if options.quick else options.count)
    print(f"with programs, {tried} tried: {dict(verdicts.kinds)}, {time.monotonic() - start:.1f} s")
    enough = all(verdicts.kinds[kind] >= (15 if options.quick else 100) for kind in ("needed", "redundant"))
    enough = enough and verdicts.kinds["elsewhere"] >= 15
    if not enough:
        print("too few pairs of a kind")
    print(f"pairs: {verdicts.passed} passed, {verdicts.failed + (not enough)} failed")
    return 1 if verdicts.failed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
