#!/usr/bin/env python3
"""Mutants against an oracle: correct kernels, changed in one place each; what the tool reports of every mutant must be
what the oracle finds in it, by id and line, no more and no less. Where nothing is wrong, the bytes must agree too. A mutant
with races and nothing else, or without one to three lines of flags, must become clean when it is repaired. Of the kernels
themselves, the redundant pairs of flags are compared.

  run.py --batch PATH [--count N] [--seed S] [--quick] [--only N] [--blind ID] [--jobs N]

The last line is "mutants: N passed, M failed". Exit status: 0 all passed, 1 something failed, 2 the test could not run.
README.md says how the oracle works and how to look at a survivor.
"""
import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter

from draw import draw
from judge import judge
from kernel import text_of
from mend import HARMLESS
from mutate import mutant
from redundant import redundant_lines
from wire import NOTE, Batch

DEFAULT_SEED = 20260501
FULL, QUICK = 5000, 500
PER_KERNEL = 20     # mutants of one kernel
PER_JOB = 5         # kernels
SHOWN = 5
RACES = {"race-raw", "race-war", "race-waw", "same-pipe-hazard", "order-reversed"}
HALVES = RACES | {"flag-left-set", "flag-never-set", "flag-double-set"}  # where lines of flags are missing
DELETED = ("delete_sync", "delete_syncs")
NOTES = {"flag-reserved-id"}  # the notes that the oracle gives, too
LEFT_OPEN = {"tgather-mask-shape", "mgather-in-place"}  # warnings about what newer compilers or other targets refuse; the oracle has no opinion

RELEASED = {"transfer-shape", "tscatter-mask-shape", "reduce-valid", "reduce-tmp-size"}  # what the library asserts in debug builds alone: the tool warns and runs on, the oracle refuses

# Classes of faults that a full run must have met, so that no class is passed by never being tried.
EXPECTED = {"race-raw", "race-war", "race-waw", "order-reversed", "race-self", "same-pipe-hazard", "flag-double-set", "flag-left-set",
            "flag-never-set", "flag-id-clash", "flag-bad-pair", "flag-bad-id", "flag-reserved-id",
            "barrier-on-scalar", "gm-out-of-bounds", "gm-outside-view", "gm-block-overlap", "index-negative",
            "ub-outside-tile", "ub-overflow", "ub-misaligned-tile", "ub-budget", "ub-reserved", "ub-scratch-clash",
            "ub-overlap", "ub-partial-overlap", "uninit-read", "pad-read", "pitch-mismatch", "product-overflow", "no-simt-context",
            "dma-misaligned", "scalar-unflushed"}


def arguments():
    parser = argparse.ArgumentParser(description="Mutants of correct kernels against an independent oracle.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--count", type=int, default=FULL, help=f"so many mutants (default {FULL})")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} mutants, for slow builds")
    parser.add_argument("--only", type=int, metavar="N", help="mutant N alone, and show it")
    parser.add_argument("--blind", metavar="ID", help="drop this id from what the tool reports: the test must fail")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


# ---- cases ----

def kernel_of(seed, number):
    return draw(random.Random(f"{seed} {number}"))


def mutant_of(kernel, seed, number):
    return mutant(kernel, random.Random(f"{seed} mutant {number}"))


def cases_of(seed, kernel_number, numbers):
    """(what it is called, what was done, kernel): the kernel as it is, then its mutants."""
    kernel = kernel_of(seed, kernel_number)
    yield f"kernel {kernel_number}", "unchanged", kernel
    for number in numbers:
        changed, what = mutant_of(kernel, seed, number)
        yield f"mutant {number}", what, changed


# ---- the verdict ----

def reported(result, blind=None):
    return {(name, line) for severity, line, name, _ in result.diags
            if (severity > NOTE or name in NOTES) and name not in LEFT_OPEN and name != blind}


def notes_of(kernel, result):
    """Of a correct kernel, the pairs of flags that are noted as redundant must be those that are."""
    noted = {line for _, line, name, _ in result.diags if name == "flag-redundant"}
    redundant = set(redundant_lines(kernel))
    yield from (f"line {line}: flag-redundant is not noted" for line in sorted(redundant - noted))
    yield from (f"line {line}: flag-redundant is noted, and the pair is needed" for line in sorted(noted - redundant))


def complaints_of(verdict, result, blind=None):
    found = reported(result, blind)
    missing, added = verdict.found - found, found - verdict.found
    if verdict.refused:
        released = {one for one in verdict.found if one[0] in RELEASED}
        if released == verdict.found:
            added = set()        # what follows from the transfer: the oracle did not run it
        else:
            missing -= released  # another rule refused, so nothing ran
    for name, line in sorted(missing):
        yield f"line {line}: {name} is not reported"
    for name, line in sorted(added):
        yield f"line {line}: {name} is reported, and the oracle finds none"
    if not verdict.found and not found and verdict.memory is not None:
        for name, data in verdict.memory.items():
            if bytes(data) != result.memory[name]:
                yield f"%{name} holds other bytes than it should"


def repairs_of(kernel, what, verdict, batch):
    """A mutant with races within blocks and nothing else becomes clean when it is repaired, and leaves what it says, read in turn. So does
    one that lacks one to three lines of flags; but a deadlock may have hidden what a correct kernel may have."""
    names = {name for name, _ in verdict.found}
    half = what in DELETED
    if not names or names - (HALVES if half else RACES) or verdict.of_blocks:
        return
    text = batch.repair(kernel)
    if text is None:
        yield "it is not repaired"
        return
    result = batch.run(kernel, text)
    left = sorted({(line, name) for name, line in reported(result) if name not in (HARMLESS if half else ())})
    yield from (f"repaired, it has {name} at line {line} of\n{text}" for line, name in left)
    for buffer, data in verdict.in_turn.items():
        if not left and not verdict.unsure and bytes(data) != result.memory[buffer]:
            yield f"repaired, %{buffer} holds other bytes than it should after\n{text}"


def describe(name, what, kernel, complaints, verdict, result):
    launch = (f", {kernel.blocks} blocks" * (kernel.blocks > 1) + ", launched directly" * kernel.launch
              + f", dynUBufSize {kernel.dyn_ub}" * bool(kernel.dyn_ub))
    lines = [f"{name}: {what}; target {kernel.target}{launch}"]
    lines += [f"{n:4}  {line}" for n, line in enumerate(text_of(kernel).rstrip().split("\n"), 1)]
    lines += [f"  %{buffer.name}: {len(buffer.data)} bytes" for buffer in kernel.buffers.values()]
    lines += [f"  the tool: line {line}: {message} [{id_}]" for _, line, id_, message in result.diags]
    lines += [f"  the oracle: line {line}: {id_}" for id_, line in sorted(verdict.found, key=lambda f: f[1])]
    return "\n".join(lines + [f"  * {complaint}" for complaint in complaints])


# ---- all of them ----

class Tally:
    def __init__(self):
        self.passed = self.failed = self.mutants = self.faulty = 0
        self.ids, self.failures = Counter(), []

    def add(self, what, verdict, complaints):
        self.passed, self.failed = self.passed + (not complaints), self.failed + bool(complaints)
        self.mutants += what != "unchanged"
        self.faulty += what != "unchanged" and bool(verdict.found)
        self.ids.update({name for name, _ in verdict.found})

    def join(self, other):
        for name in ("passed", "failed", "mutants", "faulty"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ids += other.ids
        self.failures += other.failures


def work(job):
    """Some kernels and their mutants."""
    options, numbers = job
    batch, tally = Batch(options.batch), Tally()
    for kernel_number in sorted({n // PER_KERNEL for n in numbers}):
        mine = [n for n in numbers if n // PER_KERNEL == kernel_number]
        for name, what, kernel in cases_of(options.seed, kernel_number, mine):
            try:
                result = batch.run(kernel)
            except EOFError as error:
                tally.failed += 1
                tally.failures.append(f"{name}: {what}; {error}\n{text_of(kernel)}")
                return tally
            verdict = judge(kernel)
            complaints = list(complaints_of(verdict, result, options.blind))
            if what == "unchanged":
                complaints += notes_of(kernel, result)
            complaints += repairs_of(kernel, what, verdict, batch)
            tally.add(what, verdict, complaints)
            if complaints or options.only is not None and what != "unchanged":
                tally.failures.append(describe(name, what, kernel, complaints, verdict, result))
    tally.failed += batch.close() != 0
    return tally


def jobs_of(options, count):
    if options.only is not None:
        return [(options, [options.only])]
    size = PER_KERNEL * PER_JOB
    return [(options, range(start, min(start + size, count))) for start in range(0, count, size)]


def run_all(options, count):
    tally = Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for part in pool.imap(work, jobs_of(options, count)):
            for text in part.failures[:max(0, SHOWN - len(tally.failures))]:
                print(f"{text}\n  again: run.py --batch {options.batch} --seed {options.seed} --only N", flush=True)
            tally.join(part)
    return tally


def main():
    options = arguments()
    count, start = QUICK if options.quick else options.count, time.monotonic()
    print(f"mutants: seed {options.seed}, {count} mutants, {PER_KERNEL} of each kernel")
    try:
        tally = run_all(options, count)
    except OSError as error:
        print(f"run.py: cannot run {options.batch}: {error}", file=sys.stderr)
        return 2
    print(", ".join(f"{name} {number}" for name, number in sorted(tally.ids.items())))
    missing = EXPECTED - set(tally.ids) if count >= FULL and options.only is None else set()
    if missing:
        print(f"no mutant has {', '.join(sorted(missing))}: draw other ones")
    print(f"{tally.mutants} mutants, {tally.faulty} of them with a fault; {time.monotonic() - start:.1f} s")
    print(f"mutants: {tally.passed} passed, {tally.failed + len(missing)} failed")
    return 1 if tally.failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
