#!/usr/bin/env python3
"""The enumerator itself: with a wrong model, a wrong meaning or a library that reads another program it finds differences.

usage: teeth.py --build DIR

The last line is "enumerate teeth: N passed, M failed", counted in mistakes.
"""
import argparse
import random
import sys
from pathlib import Path
from unittest import mock

import generate
import model
import program
import run
import tool

COUNT = 250  # programs in which a mistake must show


def changed_entries(change):
    """The model with other entries for an instruction: `change` gets one and returns what is in its place."""
    original = model.entries_of
    return mock.patch.object(model, "entries_of", lambda step, target: [
        new for entry in original(step, target) for new in change(step, target, entry)])


def without(kind):
    return changed_entries(lambda step, target, entry: [entry] * (entry.kind != kind))


def changed_touches(change):
    return changed_entries(lambda step, target, entry: [entry._replace(touches=tuple(map(change, entry.touches)))])


def hidden_set(text):
    """A text without its first set."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if "set_flag" in line), None)
    return "\n".join(line for i, line in enumerate(lines) if i != first)


def library_reads(change):
    original = tool.Tool.run
    return mock.patch.object(tool.Tool, "run", lambda self, text, *rest: original(self, change(text), *rest))


def library_repairs(change):
    original = tool.Tool.run

    def run_it(self, text, target, blocks, memory, wanted=tool.RUN):
        result = original(self, text, target, blocks, memory, wanted)
        if wanted == tool.REPAIR and result.text:
            result.text = change(result.text)
        return result
    return mock.patch.object(tool.Tool, "run", run_it)


MISTAKES = {
    "barriers do nothing": lambda: without(model.BARRIER),
    "V of a2a3 waits for itself": lambda: mock.patch.dict(model.IN_ORDER, a2a3=2),
    "V of a5 does not wait for itself": lambda: mock.patch.dict(model.IN_ORDER, a5=0),
    "MTE3 waits for itself": lambda: mock.patch.dict(model.IN_ORDER, a2a3=8, a5=10),
    "gathers have no flags of their own": lambda: changed_entries(lambda step, target, entry: [entry] * (entry.id != model.OWN)),
    "tadd is on MTE3": lambda: changed_entries(lambda step, target, entry: [
        entry._replace(pipe=3) if step.name == "tadd" else entry]),
    "scalar stores end at once": lambda: changed_entries(lambda step, target, entry: [
        entry._replace(kind=model.INSTANT) if step.name == "tsetval" else entry]),
    "scalar loads end late": lambda: changed_entries(lambda step, target, entry: [
        entry._replace(kind=model.ACCESS) if entry.kind == model.INSTANT else entry]),
    "adds are plain stores": lambda: changed_touches(lambda touch: touch._replace(how=touch.how.replace("add", "write"))),
    "plain stores are adds": lambda: changed_touches(
        lambda touch: touch._replace(how="add") if touch.how == "write" and touch.region.space != "UB" else touch),
    "global memory is not looked at": lambda: changed_touches(
        lambda touch: touch if touch.region.space == "UB" else touch._replace(region=program.Region("UB", 0, 0))),
    "blocks are ordered": lambda: mock.patch.object(model, "judge_blocks", lambda verdict, blocks: None),
    "order against issue is order": lambda: mock.patch.object(
        model, "judge_pair", lambda verdict, first, second, is_ordered, is_reversed, real=model.judge_pair:
        real(verdict, first, second, is_ordered or is_reversed, False)),
    "a flag is set twice and nobody cares": lambda: mock.patch.object(
        model, "judge_flags", lambda verdict, entries, explored, real=model.judge_flags:
        real(verdict, entries, model.Explored(False, [0] * len(entries), []))),
    "the bytes of a gather are others": lambda: mock.patch.object(
        run, "execute", lambda steps, memory, real=program.execute: real([s for s in steps if s.name != "mgather"], memory)),
    "adding stores replace": lambda: mock.patch.object(
        run, "execute", lambda steps, memory, real=program.execute: real(
            [program.Step(s.line, s.name, s.operands, ()) if s.name == "tstore" else s for s in steps], memory)),
    "the library does not see a flag": lambda: library_reads(hidden_set),
    "a repair loses a flag": lambda: library_repairs(hidden_set),
    "a repair changes a right program": lambda: library_repairs(lambda text: text + "// changed\n"),
}


def shows(build, mistake):
    """Whether some program differs when the mistake is made. The programs are drawn without it."""
    drawn = model.Explorer(build / "enumerate_explore")
    comparison = run.Comparison(build)
    for number in range(COUNT):
        drawing = generate.draw(random.Random(f"teeth {number}"), drawn)
        with mistake():
            try:
                if comparison.differences(drawing):
                    return True
            except model.TooLarge:
                pass
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    build, unseen = parser.parse_args().build, []
    for name, mistake in MISTAKES.items():
        if not shows(build, mistake):
            unseen.append(name)
            print(f"nobody notices: {name}")
    print(f"enumerate teeth: {len(MISTAKES) - len(unseen)} passed, {len(unseen)} failed")
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
