#!/usr/bin/env python3
"""Has the oracle teeth? The oracle is made wrong in one way at a time, and the tool is made silent about one class at a
time; the same mutants must then disagree. A way that nobody notices is a hole in the mutants.

  teeth.py --batch PATH [--kernels N] [--seed S]

The last line is "teeth: N passed, M failed".
"""
import argparse
import sys
from contextlib import contextmanager

import effects
import judge as judging
import order
import run
import vectors
from judge import judge
from wire import Batch

SILENT = ("race-raw", "race-war", "race-waw", "same-pipe-hazard", "flag-double-set", "flag-left-set", "flag-never-set",
          "gm-out-of-bounds", "uninit-read", "ub-misaligned-tile", "ub-partial-overlap", "mgather-row-index-shape")


@contextmanager
def changed(owner, name, value):
    old = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, old)


# ---- wrong ways to order things ----

def without_waits(graph):
    """A wait does not wait."""
    graph.unmatched = []


real_queue, real_build = order.Graph.queue, order.Graph.build


def complete_in_order(graph, e, entry, issued, started, ended):
    """A pipe completes in order of issue."""
    real_queue(graph, e, entry, issued, started, ended)
    started[entry.pipe] = graph.end[e]


def sets_overtake(graph, e, entry, issued, started, ended):
    """A set fires although earlier entries are not complete."""
    real_queue(graph, e, entry, issued, started, [] if entry.kind == "set" else ended)
    if entry.kind == "set":
        ended.append(graph.end[e])


def stores_at_once(graph):
    """A scalar store is complete at issue."""
    real_build(graph)
    for e, entry in enumerate(graph.entries):
        if entry.pipe == "S" and entry.kind == "work":
            graph.end[e] = graph.issue[e]


def stores_for_everyone(graph):
    """A set on S completes scalar stores for all pipes, not only for the one that waits."""
    real_build(graph)
    stores = []
    for e, entry in enumerate(graph.entries):
        if entry.pipe == "S" and entry.writes:
            stores.append(graph.end[e])
        if entry.pipe == "S" and entry.kind == "set":
            graph.before[graph.issue[e]] += stores


def no_barriers(graph, e, entry, issued, started, ended):
    """A barrier of one pipe does nothing."""
    real_queue(graph, e, entry, issued, started, [] if entry.kind == "barrier" else ended)
    if entry.kind == "barrier":
        ended.append(graph.end[e])


# ---- wrong ways to judge ----

real_pair, real_write = judging.judge_pair, effects.Run.write_ub


def only_writes_first(kernel, graph, verdict, first, first_writes, second, second_writes):
    """Nobody minds a write after a read."""
    if first_writes:
        real_pair(kernel, graph, verdict, first, first_writes, second, second_writes)


def no_padding(self, entry, tile, mask, padding=0, carried=()):
    """A short burst leaves no padding."""
    real_write(self, entry, tile, mask, 0, carried)


def plain_chain(self, case):
    """All of it on V, and no flags."""
    return vectors.ON_V


def nothing(*_):
    """Nothing of the kind."""
    return ()


WRONG = {
    "a wait does not wait": (order.Graph, "match", without_waits),
    "a pipe completes in order": (order.Graph, "queue", complete_in_order),
    "a set does not wait for its pipe": (order.Graph, "queue", sets_overtake),
    "a scalar store is complete at issue": (order.Graph, "build", stores_at_once),
    "a scalar store is complete for everyone at a set on S": (order.Graph, "build", stores_for_everyone),
    "a barrier of a pipe does nothing": (order.Graph, "queue", no_barriers),
    "a write after a read is fine": (judging, "judge_pair", only_writes_first),
    "flags are not judged": (judging, "judge_flags", nothing),
    "blocks are not judged": (judging, "judge_blocks", nothing),
    "tiles may lie anywhere": (judging, "judge_space", nothing),
    "bursts leave no padding": (effects.Run, "write_ub", no_padding),
    "MGATHER Row has no flags before it": (effects.Run, "before_row", nothing),
    "MGATHER Row has no flags after it": (effects.Run, "after_row", nothing),
    "MGATHER Elem has no flags before it": (effects.Run, "before_elem", nothing),
    "MGATHER Elem has no flags after it": (effects.Run, "after_elem", nothing),
    "vector instructions have one phase on V": (vectors.Elementwise, "chain", plain_chain),
    "every tile overlaps as it should": (effects.Run, "partly", nothing),
}


def arguments():
    parser = argparse.ArgumentParser(description="Breaks the oracle, and sees that the mutants notice.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--kernels", type=int, default=120, help="kernels whose mutants are used (default 120)")
    parser.add_argument("--seed", type=int, default=run.DEFAULT_SEED)
    return parser.parse_args()


def collect(options):
    """Kernels with what the tool reports of them."""
    batch, cases = Batch(options.batch), []
    for number in range(options.kernels):
        first = number * run.PER_KERNEL
        for _, _, kernel in run.cases_of(options.seed, number, range(first, first + run.PER_KERNEL)):
            cases.append((kernel, batch.run(kernel)))
    batch.close()
    return cases


def disagree(cases, blind=None, verdicts=None):
    """Does any case notice?"""
    for n, (kernel, result) in enumerate(cases):
        verdict = verdicts[n] if verdicts else judge(kernel)
        if any(True for _ in run.complaints_of(verdict, result, blind)):
            return True
    return False


def main():
    options = arguments()
    cases = collect(options)
    verdicts = [judge(kernel) for kernel, _ in cases]
    print(f"teeth: seed {options.seed}, {len(cases)} kernels and mutants")
    failures = ["the oracle and the tool disagree as they are"] * disagree(cases, verdicts=verdicts)
    for what, (owner, name, value) in WRONG.items():
        with changed(owner, name, value):
            failures += [f"nobody notices: {what}"] * (not disagree(cases))
    failures += [f"nobody notices a tool that is silent about {name}" for name in SILENT
                 if not disagree(cases, name, verdicts)]
    for failure in failures:
        print("  * " + failure)
    total = 1 + len(WRONG) + len(SILENT)
    print(f"teeth: {total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
