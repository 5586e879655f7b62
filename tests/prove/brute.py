#!/usr/bin/env python3
"""ptog prove against every path and every interleaving of random small programs with branches and loops.

usage: brute.py --build DIR [--count N] [--first N] [--seed N] [--only N]

A program has one or two scalar arguments, which decide its branches and how many turns its loops have, and sometimes blocks. The
model of tests/enumerate visits every state of the pipes for each value of the arguments from a range that takes every path, and for 1, 2 and 3
blocks. Compared are:

- every finding of prove is a fault of the model with the inputs that prove names;
- every kind of fault that the model has with some inputs was found, and both lines of every race that a report must name;
- a loop of which prove says that its order is judged for any number of turns has no fault with any that is visited;
- what prove says of its coverage, turns of loops, branches and lines that were not reached, is what a reader of the text sees that
  counts for itself;
- with a solver, if Z3 is installed: whatever prove says that no inputs do, none of those visited does, and where it says that there are no other
  paths, all faults were found.

Program N of a seed is the same whatever the count is; --only N runs one and prints it.
"""
import argparse
import json
import random
import re
import shlex
import sys
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "enumerate")]
import generate  # noqa: E402
from checks import Checks, run  # noqa: E402
from model import Explorer, TooLarge, Verdict, judge  # noqa: E402
from program import NAME, Reader  # noqa: E402

TARGETS = ("a2a3", "a5")
KINDS = {"right": 30, "removed": 45, "scattered": 25}
COMPARED = {"race-raw", "race-war", "race-waw", "gm-block-overlap"}
ROWS = 80  # of each buffer: every block has eight, and prove tries up to eight blocks
BLOCKS = (1, 2, 3)
OPEN_TURNS = 6  # of a loop whose bound is an argument; more have too many states
ANY_TURNS = "order is judged for any number of turns"
NO_OTHER_PATHS = "there are no other paths"
SEARCH = ("--seconds", "86400", "--paths", "150", "--max-steps", "4000")  # no clock ends a search or a run


class Draft(generate.Draft):
    """A program whose scalar arguments decide its branches and turns."""

    def __init__(self, random, target):
        super().__init__(random, target)
        self.arguments = ["n"] if random.random() < 0.6 else ["n", "m"]
        self.mask = 3 if len(self.arguments) == 1 else 1
        self.is_open = len(self.arguments) == 1 and random.random() < 0.3
        self.masked = False
        if self.is_open:
            self.blocks, self.apart = 1, False

    @property
    def values(self):
        """Of an argument: each side of every constant that it is compared with, with every remainder."""
        if self.is_open:
            return range(-1, OPEN_TURNS + 1)
        return range(-self.mask - 1, 2 * self.mask + 2)

    def argument(self):
        return self.random.choice(self.arguments)

    def fresh(self):
        return f"q{len(self.body)}"

    def number(self):
        """A value that depends on an argument."""
        if self.is_open or self.random.random() < 0.6:
            return self.argument()
        name, other = self.fresh(), self.random.choice([f"c{self.mask}", self.argument()])
        operation = "andi" if other.startswith("c") else "addi"
        self.add(f"%{name} = arith.{operation} %{self.argument()}, %{other} : index")
        return name

    def condition(self):
        if self.blocks == 2 and self.random.random() < 0.2:
            return "%first"
        if self.counter and self.random.random() < 0.3:
            half = self.fresh()
            self.add(f"%{half} = arith.andi %{self.counter}, %c1 : index")
            left, right = half, "c0"
        elif self.counter and self.random.random() < 0.5:
            left, right = self.counter, self.random.choice(["c0", "c1", self.argument()])
        else:
            left, right = self.number(), f"c{self.random.randint(0, self.mask)}"
        name = self.fresh()
        self.add(f"%{name} = arith.cmpi {self.random.choice(('eq', 'ne', 'slt', 'sge'))}, %{left}, %{right} : index")
        return f"%{name}"

    def loop(self, count):
        outer, before, bound = self.counter, set(self.written), "n"
        if not self.is_open:
            bound = self.fresh()
            self.add(f"%{bound} = arith.andi %{self.argument()}, %c{self.mask} : index")
        self.counter = f"i{len(self.body)}"
        self.inside(f"scf.for %{self.counter} = %c0 to %{bound} step %c1 {{", count)
        self.add("}")
        self.counter, self.written = outer, before

    def operations(self, count):
        while count > 0:
            part = self.random.randint(1, count)
            if self.depth < 2 and self.random.random() < 0.35 and part > 1 and not (self.is_open and self.counter):
                self.random.choice((self.loop, self.branch))(part)
                count -= part
            else:
                self.operation()
                count -= 1

    def text(self):
        text = super().text().replace("%x: !pto.ptr", "".join(f"%{name}: index, " for name in self.arguments) + "%x: !pto.ptr", 1)
        text = text.replace("shape = [%c16,", f"shape = [%c{ROWS},").replace("tensor_view<16x8", f"tensor_view<{ROWS}x8")
        return text.replace("  %n5 =", f"  %c3 = arith.constant 3 : index\n  %c{ROWS} = arith.constant {ROWS} : index\n  %n5 =", 1)


class Program:
    """A text, and everything it can be run with."""

    def __init__(self, draft):
        self.target, self.arguments, self.range = draft.target, draft.arguments, draft.values
        self.block_counts, self.is_open = BLOCKS if draft.blocks == 2 else (1,), draft.is_open
        self.text, self.kind = draft.text(), ""

    def inputs(self):
        for values in product(self.range, repeat=len(self.arguments)):
            yield dict(zip(self.arguments, values))


class Flagger(generate.Flagger):
    """Adds flags until no inputs show a fault."""

    def __init__(self, random, explorer, program):
        super().__init__(random, explorer, program.target, program.block_counts)
        self.program = program

    def judge(self, lines):
        """All faults of all inputs."""
        text, whole = "\n".join(lines), Verdict()
        for values, blocks in product(self.program.inputs(), self.blocks):
            one = judge(self.explorer, text, self.target, blocks, values)
            whole.faults |= one.faults
            whole.between |= one.between
            whole.unordered += one.unordered
        return whole


def draw_once(random, explorer):
    draft = Draft(random, random.choice(TARGETS))
    draft.operations(random.randint(3, 6))
    program = Program(draft)
    program.kind = random.choices(list(KINDS), KINDS.values())[0]
    if not set(NAME.findall("\n".join(draft.body))) & set(draft.arguments):
        return None
    if program.kind == "scattered":
        program.text = generate.scatter_flags(random, program.text)
        return program
    program.text = Flagger(random, explorer, program).complete(program.text)
    if not program.text or "_flag[" not in program.text and "pto.barrier" not in program.text:
        return None
    if program.kind == "removed":
        program.text = generate.remove_flags(random, program.text, random.randint(1, 2))
    return program


def draw(random, explorer):
    """A program all of whose paths the explorer can visit."""
    while True:
        try:
            program = draw_once(random, explorer)
            if program and ("_flag[" in program.text or "pto.barrier" in program.text):
                return program, {target: list(verdicts(explorer, program, target)) for target in TARGETS}
        except TooLarge:
            explorer.known.clear()


def verdicts(explorer, program, target):
    for values, blocks in product(program.inputs(), program.block_counts):
        yield values, blocks, judge(explorer, program.text, target, blocks, values)


# ---- coverage --------------------------------------------------------------------------------------------------------


class Traced(Reader):
    """A reader that counts what it comes by, over all inputs."""

    def __init__(self, program):
        super().__init__(program.text, 0)
        self.reached, self.turns, self.outcomes = set(), {}, {}
        for values, blocks in product(program.inputs(), program.block_counts):
            for self.block in range(blocks):
                self.values, self.steps = dict(values), []
                self.walk(0, len(self.lines))

    def statement(self, line, number):
        self.reached.add(number)
        super().statement(line, number)

    def region(self, line, at, last, other):
        self.reached.add(at + 1)
        given = [self.values.get(name) for name in NAME.findall(line)]
        if line.startswith("scf.if"):
            self.outcomes.setdefault(at + 1, set()).add(bool(given[0]))
        else:
            self.turns.setdefault(at + 1, set()).add(len(range(*given[1:4])))
        super().region(line, at, last, other)

    def statements(self):
        """The lines that have one."""
        skipped = ("", "}", "} else {", "return")
        return {i for i, line in enumerate(self.lines, 1) if line.strip() not in skipped and not line.startswith("func.func")}


def coverage_problems(program, words):
    traced = Traced(program)
    turns = {int(line): {int(word) for word in said.split(", ")} for line, said in
             re.findall(r"loop at line (\d+): ([\d, ]+) turns?", words)}
    never = {(int(line), which == "true") for line, which in
             re.findall(r"branch at line (\d+): the condition was never (true|false)", words)}
    missed = {line for first, last in re.findall(r"lines? (\d+)(?: to (\d+))? (?:was|were) not reached", words)
              for line in range(int(first), int(last or first) + 1)}
    if program.is_open:  # prove tries more turns
        turns = {line: said & set(program.range) for line, said in turns.items()}
        turns = {line: said | {turn for turn in traced.turns.get(line, ()) if turn > 3} for line, said in turns.items()}
    if turns != traced.turns:
        yield f"turns: {turns} is said, {traced.turns} is counted"
    expected = {(line, which) for line, seen in traced.outcomes.items() for which in (True, False) if which not in seen}
    if never != expected:
        yield f"branches never taken: {sorted(never)} is said, {sorted(expected)} is counted"
    if missed & traced.statements() != traced.statements() - traced.reached:
        yield f"lines not reached: {sorted(missed)} is said, {sorted(traced.statements() - traced.reached)} is counted"


def has_solver(ptog, path):
    """Whether the command finds Z3; one with the address sanitizer never does."""
    return "is not installed" not in run([ptog, "prove", path, "--solver", "always", "--paths", "1"]).stderr


def solver_problems(program, words):
    """What prove has ruled out, and some inputs do."""
    traced = Traced(program)
    for line, which in re.findall(r"branch at line (\d+): the condition was never (true|false), and no inputs", words):
        if (which == "true") in traced.outcomes.get(int(line), ()):
            yield f"the condition at line {line} is {which} for some inputs"
    for first, last in re.findall(r"lines? (\d+)(?: to (\d+))? (?:was|were) not reached, and no inputs", words):
        for line in set(range(int(first), int(last or first) + 1)) & traced.reached:
            yield f"line {line} is reached with some inputs"


# ---- the two sides ---------------------------------------------------------------------------------------------------


def prove(ptog, path, target):
    """The findings, each with its numbers and blocks; and what is said of the coverage."""
    done = run([ptog, "prove", path, "--target", target, "--solver", "never", *SEARCH, "--format", "json"])
    commands, findings = {}, []
    for id, line, command in re.findall(r"^ptog prove: ([a-z-]+) at line (\d+): ptog run (.*)$", done.stderr, re.MULTILINE):
        given = shlex.split(command)
        numbers = dict(word.split("=") for word in given if re.fullmatch(r"\w+=-?\d+", word))
        blocks = int(given[given.index("--blocks") + 1]) if "--blocks" in given else 1
        commands.setdefault((id, int(line)), []).append(({name: int(value) for name, value in numbers.items()}, blocks))
    for one in json.loads(done.stdout)["diagnostics"]:
        if one["severity"] == "error":
            other = one["related"][0]["line"] if one.get("related") else 0
            findings.append((one["id"], one["line"], other, *commands[one["id"], one["line"]].pop(0)))
    return findings, done.stderr


def is_fault(finding, verdict):
    id, line, other = finding[:3]
    if id in COMPARED and (line, other) in verdict.between:
        return True
    return any(fault.id == id and fault.line in (0, line) and fault.other in (0, other) for fault in verdict.faults)


def untrue_findings(explorer, program, target, findings):
    for finding in findings:
        values, blocks = finding[3:]
        try:
            verdict = judge(explorer, program.text, target, blocks, values)
        except TooLarge:
            continue
        is_stuck = "flag-never-set" in verdict.ids  # the model looks at nothing else then
        if not is_stuck and not is_fault(finding, verdict):
            yield f"found, and not so: {finding[0]} at line {finding[1]}, other line {finding[2]}, with {values}, {blocks} blocks"


def missed_faults(judged, findings):
    """What the model has with some inputs and prove does not have at all."""
    ids, lines, missed = {id for id, *_ in findings}, {finding[1:3] for finding in findings}, {}
    for values, blocks, verdict in judged:
        if "flag-never-set" in verdict.ids:
            if "flag-never-set" not in ids:
                missed["flag-never-set"] = (values, blocks)
            continue
        for fault in verdict.ids - ids - {"between blocks"}:
            missed[fault] = (values, blocks)
        if verdict.between and not any(finding[1:3] in verdict.between for finding in findings):
            missed["between blocks"] = (values, blocks)
        for pair in verdict.plain - lines:
            missed[f"lines {pair}"] = (values, blocks)
    return [f"not found: {name} with {values}, {blocks} blocks" for name, (values, blocks) in missed.items()]


class Comparison:
    def __init__(self, build, place):
        self.ptog, self.path = build / "ptog", Path(place) / "k.pto"
        self.explorer, self.count = Explorer(build / "enumerate_explore"), Counter()
        self.path.write_text("func.func @f() {\n  return\n}\n")
        self.has_solver = has_solver(self.ptog, self.path)

    def solved_problems(self, program, target, judged):
        """Of prove with a solver."""
        words = run([self.ptog, "prove", self.path, "--target", target, "--solver", "always", *SEARCH]).stderr
        self.count["ruled out by a solver"] += "and no inputs" in words
        self.count["statements that there are no other paths"] += NO_OTHER_PATHS in words
        if NO_OTHER_PATHS in words and not all(one.is_clean for _, _, one in judged):
            yield f"'{NO_OTHER_PATHS}' is said, with order for all inputs, of a program with faults"
        yield from solver_problems(program, words)

    def problems_on(self, program, target, judged):
        findings, words = prove(self.ptog, self.path, target)
        self.count["clean for all inputs" if all(one.is_clean for _, _, one in judged) else "with a fault for some inputs"] += 1
        self.count[f"kind {program.kind}"] += 1
        self.count["statements for any number of turns"] += ANY_TURNS in words
        if ANY_TURNS in words and not findings and not all(one.is_clean for _, _, one in judged):
            yield f"'{ANY_TURNS}' is said of a program with faults"
        if not any("flag-never-set" in one.ids for _, _, one in judged):  # such runs end early
            self.count["coverage compared"] += 1
            yield from coverage_problems(program, words)
        yield from untrue_findings(self.explorer, program, target, findings)
        yield from missed_faults(judged, findings)
        if self.has_solver and target == program.target:  # its script is that of the other target
            yield from self.solved_problems(program, target, judged)

    def problems(self, program, judged):
        self.path.write_text(program.text)
        return [f"{target}: {problem}" for target in TARGETS for problem in self.problems_on(program, target, judged[target])]


def numbered(text):
    return "\n".join(f"{i:3} {line}" for i, line in enumerate(text.split("\n"), 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    checks = Checks(f"brute force, seed {options.seed}")
    with tempfile.TemporaryDirectory() as place:
        comparison = Comparison(options.build, place)
        for number in [options.only] if options.only is not None else range(options.first, options.first + options.count):
            program, judged = draw(random.Random(f"{options.seed} {number}"), comparison.explorer)
            if options.only is not None:
                print(numbered(program.text))
            checks.check(f"program {number}, {program.kind}: again with --only {number}", comparison.problems(program, judged))
            comparison.explorer.known.clear()
    print(*(f"{count:7} {name}" for name, count in sorted(comparison.count.items())), sep="\n")
    checks.finish()


if __name__ == "__main__":
    main()
