#!/usr/bin/env python3
"""The library against a model that visits every state: verdicts, repairs and automatic flags of random small programs.

usage: run.py --build DIR [--count N] [--seed N] [--only N] [--kind KIND] [FILE.pto...]

Program N of a seed is the same whatever the count is; --only N runs one and prints it. A FILE is judged instead of random
programs. README.md says what is compared. The last line is "enumerate: N passed, M failed", counted in programs.
"""
import argparse
import random
import sys
from collections import Counter
from pathlib import Path

import generate
import tool as batch
from model import Explorer, Verdict, judge
from program import NotRead, execute, read_steps

HERE = Path(__file__).resolve().parent
SHOWN = 5
ENOUGH = 1000  # repairs, from which on their share is judged
MAX_UNREPAIRED = 0.01  # of programs that lack some of their flags
TARGETS = ("a2a3", "a5")
RACES = {"race-raw", "race-war", "race-waw"}
BETWEEN = RACES | {"gm-block-overlap"}


class Comparison:
    """The two sides, and what they disagree about."""

    def __init__(self, build):
        self.explorer, self.tool = Explorer(build / "enumerate_explore"), batch.Tool(build / "enumerate_batch")
        self.count = Counter()

    # ---- single questions

    def meaning(self, program, text=None):
        """The bytes after every instruction in the order of issue, blocks one after another."""
        memory = {name: data.copy() for name, data in program.memory.items()}
        for block in range(program.blocks):
            execute(read_steps(text or program.text, block), memory)
        return {name: data.tobytes() for name, data in memory.items()}

    def is_true(self, said, verdict):
        """Whether a reported error is a fault of the model."""
        if said.id in BETWEEN and (said.line, said.other) in verdict.between:
            return True
        return any(fault.id == said.id and fault.line in (0, said.line) and (fault.other == 0 or fault.other == said.other)
                   for fault in verdict.faults)

    def names_of(self, said, verdict):
        """The faults of the model that an error may stand for."""
        names = {fault.id for fault in verdict.faults if self.is_true(said, Verdict({fault})) and fault.id == said.id}
        if said.id in BETWEEN and (said.line, said.other) in verdict.between:
            names.add("between blocks")
        return names

    def compare(self, verdict, result):
        """The differences between what the model knows and what was reported."""
        errors = result.errors
        if "flag-never-set" in verdict.ids:
            return [] if any(said.id == "flag-never-set" for said in errors) else ["a deadlock is not reported"]
        wrong = [f"reported, and not so: {said.id} at line {said.line}, other line {said.other}: {said.message}"
                 for said in errors if not self.is_true(said, verdict)]
        missing = verdict.ids - {name for said in errors for name in self.names_of(said, verdict)}
        if missing:
            wrong.append(f"not reported: {', '.join(sorted(missing))} of {describe(verdict)}")
        pairs = verdict.plain - {(said.line, said.other) for said in errors}
        wrong += [f"not reported: the accesses of lines {first} and {second}" for second, first in sorted(pairs)]
        twice = {fault.line for fault in verdict.faults if fault.id == "flag-double-set"}
        wrong += [f"not reported: the flag that line {line} sets twice"
                  for line in sorted(twice - {said.line for said in errors if said.id == "flag-double-set"})]
        return wrong

    def redundant(self, program, target):
        """By lines: whether a pair that is executed, a set and its only wait, can be left out."""
        lines, found = program.text.split("\n"), {}
        issued = {step.line for block in range(program.blocks) for step in read_steps(program.text, block)}
        flags = {i: generate.FLAG.search(line).groups() for i, line in enumerate(lines) if generate.FLAG.search(line)}
        for i, (what, *triple) in flags.items():
            partners = [k for k, (other, *same) in flags.items() if same == triple and k != i]
            if what != "set" or i + 1 not in issued or len(partners) != 1 or flags[partners[0]][0] != "wait":
                continue
            rest = [line for k, line in enumerate(lines) if k not in (i, partners[0])]
            found[i + 1, partners[0] + 1] = judge(self.explorer, "\n".join(rest), target, program.blocks).is_clean
        return found

    # ---- programs

    def compare_redundancy(self, program, target, result):
        noted = {line for said in result.said if said.id == "flag-redundant" for line in (said.line, said.other)}
        wrong = []
        for (set_line, wait_line), is_redundant in self.redundant(program, target).items():
            self.count["pairs, of them redundant" if is_redundant else "pairs, of them needed"] += 1
            if is_redundant != bool(noted & {set_line, wait_line}):
                wrong.append(f"the pair of lines {set_line} and {wait_line} can{'' if is_redundant else 'not'} be left out, "
                             f"and is {'not ' if is_redundant else ''}noted")
        return wrong

    def compare_repair(self, program, target, verdict, result):
        """A right program is left as it is. A wrong one is made clean, with the bytes of the program in the order of issue,
        or it is said that it is not repaired."""
        if verdict.is_clean:
            self.count["right programs"] += 1
            return ["a right program was changed"] if result.text != program.text else []
        self.count[f"repairs of {program.kind} programs"] += 1
        again = result.text and self.tool.run(result.text, target, program.blocks, program.memory)
        if not again or again.errors:
            how = "which no flag repairs" if verdict.between else "not repaired"
            self.count[f"repairs of {program.kind} programs, {how}"] += 1
            return self.compare(judge(self.explorer, result.text, target, program.blocks), again) if again else []
        new = judge(self.explorer, result.text, target, program.blocks)
        wrong = [] if new.is_clean else [f"the repair is called clean, and is not: {describe(new)}\n{result.text}"]
        if again.memory != self.meaning(program):
            wrong.append(f"the repair gives other bytes\n{result.text}")
        return wrong

    def compare_completion(self, program, target, result):
        """Automatic flags."""
        if result.text is None:
            return ["there is no completed text"]
        new = judge(self.explorer, result.text, target, program.blocks)
        self.count["programs with automatic flags"] += 1
        wrong = self.compare(Verdict(between=judge(self.explorer, program.text, target, program.blocks).between), result)
        if new.faults:
            wrong.append(f"automatic flags are not enough: {describe(new)}\n{result.text}")
        if not new.between and result.memory != self.meaning(program):
            wrong.append(f"automatic flags give other bytes\n{result.text}")
        return wrong

    def compare_on(self, program, target):
        is_bare = not any(word in program.text for word in ("_flag[", "pto.barrier"))
        wanted = batch.COMPLETE if is_bare else batch.REPAIR if target == program.target else batch.RUN
        result = self.tool.run(program.text, target, program.blocks, program.memory, wanted)
        if result.status == batch.ILLEGAL:
            return [f"refused: {[said.message for said in result.said]}"]
        if is_bare:
            return self.compare_completion(program, target, result)
        verdict = judge(self.explorer, program.text, target, program.blocks)
        for name in verdict.ids or {"clean"}:
            self.count[f"verdict {name}"] += 1
        wrong = self.compare(verdict, result)
        if verdict.is_clean:
            wrong += self.compare_redundancy(program, target, result)
            if result.memory != self.meaning(program):
                wrong.append("other bytes than in the order of issue")
        if wanted == batch.REPAIR and not wrong:
            wrong += self.compare_repair(program, target, verdict, result)
        return wrong

    def differences(self, program):
        self.count[f"kind {program.kind}"] += 1
        try:
            return [f"{target}: {problem}" for target in TARGETS for problem in self.compare_on(program, target)]
        except (EOFError, BrokenPipeError, NotRead) as error:
            return [str(error)]


def too_few_repaired(count):
    """Why too many programs that lack some flags are not repaired; None: they are not."""
    repairs, left = count["repairs of removed programs"], count["repairs of removed programs, not repaired"]
    if repairs < ENOUGH or left <= MAX_UNREPAIRED * repairs:
        return None
    return f"{left} of {repairs} programs that lack some flags are not repaired"


def describe(verdict):
    return ", ".join(sorted(f"{f.id} at line {f.line}" + (f" with {f.other}" if f.other else "") for f in verdict.faults) +
                     [f"lines {a} and {b} in two blocks" for a, b in sorted(verdict.between)])


def numbered(text):
    return "\n".join(f"{i:3} {line}" for i, line in enumerate(text.split("\n"), 1))


def programs(options, comparison):
    """Numbers, or files, and programs."""
    for path in options.files:
        text = Path(path).read_text()
        blocks = 2 if "get_block_idx" in text else 1
        for target in TARGETS:
            yield path, generate.Program(text, target, blocks, "file", generate.draw_memory(random.Random(1)))
    kinds = {options.kind: 1} if options.kind else generate.KINDS
    for number in [options.only] if options.only is not None else range(0 if options.files else options.count):
        comparison.explorer.known.clear()
        yield number, generate.draw(random.Random(f"{options.seed} {number}"), comparison.explorer, kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--kind", choices=generate.KINDS)
    parser.add_argument("--save", type=Path, help="a folder for the programs with differences")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    comparison, passed, failed = Comparison(options.build), 0, 0
    for name, program in programs(options, comparison):
        problems = comparison.differences(program)
        passed, failed = passed + (not problems), failed + bool(problems)
        if options.only is not None:
            print(numbered(program.text))
        if problems and (failed <= SHOWN or options.save):
            print(f"program {name}, {program.kind}, made for {program.target}: again with --seed {options.seed} --only {name}"
                  f"{f' --kind {options.kind}' if options.kind else ''}")
            print(*problems, sep="\n", flush=True)
        if problems and options.save:
            note = problems[0].split("\n")[0]
            (options.save / f"{options.seed}_{name}.pto").write_text(f"// {program.target} {program.kind}: {note}\n{program.text}")
    print(*(f"{count:7} {name}" for name, count in sorted(comparison.count.items())), sep="\n")
    unrepaired = too_few_repaired(comparison.count)
    if unrepaired:
        failed += 1
        print(unrepaired)
    print(f"enumerate: {comparison.explorer.states} states, seed {options.seed}: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
