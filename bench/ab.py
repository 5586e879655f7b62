#!/usr/bin/env python3
"""Two builds of ptogather, measured in turn: is NEW slower than OLD at anything?

usage: bench/ab.py OLD [NEW] [--quick] [--only WORD] [--rounds N] [--instructions]

OLD and NEW are revisions or source directories; without NEW, this tree as it is. Both are built below build/ab, the measuring
programs of bench/ab with the headers and the library of each, and everything runs on one core.

A round of a work is four turns, OLD NEW NEW OLD, so that a machine that gets slower is slower for both. A turn is a process
of its own and gives the best time of a call; the better turn of a side is its figure of the round. The table has medians over
the rounds: of both figures, of their ratio, and of OLD's own spread, which is how far the two turns of OLD are apart. A work is
slower when the ratio is more than 5 % and more than that spread above 1, and still is when it is measured again at the end with
twice the rounds of twice the length.

With --instructions, a work is run once on each side under valgrind, and the instructions of a call are compared instead of
times: they are the same on a machine that has other work. They say nothing about memory, about what a branch costs, or about
kernels for AVX-512, which valgrind does not have.

The exit status is 1 when a work is slower or fails in NEW only, 2 when the two cannot be compared.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "ab"))
from sides import Problem, Side  # noqa: E402
from works import Missing, all_works  # noqa: E402

SLOWER = 0.05
PATIENCE = 8  # seconds after which a work gets no further round, once it has FEWEST
FEWEST = 3


class Figures:
    """What the rounds of one work gave; each is the times of OLD's two turns and of NEW's."""

    def __init__(self, rounds):
        self.old = statistics.median(min(old) for old, _ in rounds)
        self.new = statistics.median(min(new) for _, new in rounds)
        self.ratio = statistics.median(min(new) / min(old) for old, new in rounds)
        self.spread = statistics.median(max(old) / min(old) - 1 for old, _ in rounds)

    def verdict(self):
        if self.ratio > 1 + max(SLOWER, self.spread):
            return "slower"
        if self.ratio > 1 + SLOWER:
            return "within OLD's spread"
        if self.ratio < 1 / (1 + max(SLOWER, self.spread)):
            return "faster"
        return "same"


def time_text(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def row(name, old, new, ratio, spread, verdict):
    print(f"{name:<34} {old:>12} {new:>12} {ratio:>6} {spread:>7}  {verdict}", flush=True)


def count_text(instructions):
    """At least four digits of a count, with separators."""
    return f"{instructions:,.0f}" if instructions >= 1000 else f"{instructions:.1f}"


def counts_row(name, counts, verdict):
    row(name, count_text(counts.old), count_text(counts.new), f"{counts.ratio:.3f}", "", verdict)


def figures_row(name, figures, verdict):
    row(name, time_text(figures.old), time_text(figures.new), f"{figures.ratio:.3f}", f"{figures.spread:.1%}", verdict)


def one_round(work, old, new, milliseconds):
    first, second, third, last = [work.turn(side, milliseconds) for side in (old, new, new, old)]
    return (first, last), (second, third)


def measured(work, old, new, rounds, milliseconds):
    start, done = time.monotonic(), []
    while len(done) < rounds and (len(done) < FEWEST or time.monotonic() - start < PATIENCE):
        done.append(one_round(work, old, new, milliseconds))
    return Figures(done)


def lacks(work, side):
    """Why a side cannot do a work: None, or (it was never built, the reason)."""
    try:
        work.turn(side, 1)
    except (Missing, Problem) as why:
        return isinstance(why, Missing), str(why)
    return None


class Counts:
    """The instructions of one call on both sides. There is no noise, so every difference counts."""

    spread = 0

    def __init__(self, work, old, new):
        self.old, self.new = work.count(old), work.count(new)
        self.ratio = self.new / self.old

    verdict = Figures.verdict


class Comparison:
    def __init__(self, old, new, options):
        self.old, self.new, self.options = old, new, options
        self.suspects, self.reasons = [], {}
        self.bad = self.compared = 0

    def only_in_one(self, work, old_lacks, new_lacks):
        """A row for a work that one side cannot do. What NEW has built and cannot do any more is bad."""
        if old_lacks and new_lacks:
            raise Problem(f"{work.name} fails on both sides: {new_lacks[1]}")
        verdict = "only in OLD" if new_lacks else "only in NEW"
        if new_lacks and not new_lacks[0]:
            verdict, self.bad = "fails in NEW", self.bad + 1
        row(work.name, "", "", "", "", verdict)
        self.reasons.setdefault((old_lacks or new_lacks)[1], []).append(work.name)

    def work(self, work):
        old_lacks, new_lacks = lacks(work, self.old), lacks(work, self.new)
        if old_lacks or new_lacks:
            self.only_in_one(work, old_lacks, new_lacks)
            return
        self.compared += 1
        if self.options.instructions:
            counts = Counts(work, self.old, self.new)
            self.bad += counts.verdict() == "slower"
            counts_row(work.name, counts, counts.verdict())
            return
        figures = measured(work, self.old, self.new, self.options.rounds, self.options.milliseconds)
        verdict = figures.verdict()
        if verdict == "slower":
            self.suspects.append(work)
            verdict = "slower? see below"
        figures_row(work.name, figures, verdict)

    def again(self):
        """The works that seemed slower, some time later and for longer. This measurement stands."""
        if self.suspects:
            print("\nmeasured again:")
        for work in self.suspects:
            figures = measured(work, self.old, self.new, 2 * self.options.rounds, 2 * self.options.milliseconds)
            figures_row(work.name, figures, figures.verdict())
            self.bad += figures.verdict() == "slower"

    def finish(self):
        for reason, names in self.reasons.items():
            print(f"\n{'; '.join(names)}: {reason}")
        if not self.compared:
            raise Problem("no work was measured on both sides")
        print(f"\n{self.compared} works compared, {self.bad} slower or failing in NEW")
        return 1 if self.bad else 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="a revision or a source directory")
    parser.add_argument("new", metavar="NEW", nargs="?", default=str(pathlib.Path(__file__).resolve().parents[1]))
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, and nothing that takes long")
    parser.add_argument("--only", metavar="WORD", action="append", help="only works with this in their name; may be repeated")
    parser.add_argument("--rounds", type=int, help="rounds of a work: 9, or 5 with --quick")
    parser.add_argument("--instructions", action="store_true", help="compare instructions, which valgrind counts, instead of time")
    options = parser.parse_args()
    options.rounds = options.rounds or (5 if options.quick else 9)
    options.milliseconds = 10 if options.quick else 30
    if options.rounds < FEWEST:
        parser.error(f"--rounds {options.rounds}: expected at least {FEWEST}")
    return options


def wanted(works, options):
    if not options.only:
        return [work for work in works if not ((options.quick or options.instructions) and work.slow)]
    chosen = [work for work in works if any(word in work.name for word in options.only)]
    if not chosen:
        names = "\n  ".join(work.name for work in works)
        raise Problem(f"no work has {' or '.join(options.only)} in its name; there are:\n  {names}")
    return chosen


def compare(options):
    sides = [Side("OLD", options.old), Side("NEW", options.new)]
    for side in sides:
        print(f"{side.name}: {side.title}", flush=True)
        side.make()
        side.compile()
    works = wanted(all_works(sides), options)
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # of everything that is started from here on
    what = "instructions of one call" if options.instructions else f"processor time of one call on core {core}, {options.rounds} rounds"
    print(f"{what}\n")
    row("work", "OLD", "NEW", "ratio", "spread", "verdict")
    comparison = Comparison(*sides, options)
    for work in works:
        comparison.work(work)
    comparison.again()
    return comparison.finish()


def main():
    try:
        sys.exit(compare(parsed()))
    except Problem as why:
        print(f"bench/ab.py: {why}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
