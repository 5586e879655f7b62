#!/usr/bin/env python3
"""Mutants against an oracle: correct kernels, changed in one place each; what the tool reports of every mutant must be
what the oracle finds in it, by id and line, no more and no less.

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
from mutate import mutant
from wire import NOTE, Batch

DEFAULT_SEED = 20260501
PER_KERNEL = 20     # mutants of one kernel
SHOWN = 5
LEFT_OPEN = {"tgather-mask-shape"}  # a warning about shapes that newer compilers refuse; the oracle has no opinion
NOTES = {"ub-scratch-clash"}  # notes that the oracle has an opinion on


def arguments():
    parser = argparse.ArgumentParser(description="Mutants of correct kernels against an independent oracle.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--count", type=int, default=5000, help="so many mutants (default 5000)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="500 mutants, for slow builds")
    parser.add_argument("--only", type=int, metavar="N", help="mutant N alone, and show it")
    parser.add_argument("--blind", metavar="ID", help="drop this id from what the tool reports: the test must fail")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def kernel_of(seed, number):
    return draw(random.Random(f"{seed} {number}"))


def mutant_of(kernel, seed, number):
    return mutant(kernel, random.Random(f"{seed} mutant {number}"))


def reported(result, blind=None):
    return {(name, line) for severity, line, name, _ in result.diags
            if (severity > NOTE or name in NOTES) and name not in LEFT_OPEN and name != blind}


def complaints_of(verdict, result, blind):
    found = reported(result, blind)
    for name, line in sorted(verdict.found - found):
        yield f"line {line}: {name} is not reported"
    for name, line in sorted(found - verdict.found):
        yield f"line {line}: {name} is reported, and the oracle finds none"
    if not verdict.found and not found and verdict.memory is not None:
        for name, data in verdict.memory.items():
            if bytes(data) != result.memory[name]:
                yield f"%{name} holds other bytes than it should"


def try_one(batch, kernel, blind):
    """Runs a kernel, and compares. (complaints, ids, result)"""
    result = batch.run(kernel)
    verdict = judge(kernel)
    return list(complaints_of(verdict, result, blind)), verdict, result


def describe(number, what, kernel, complaints, verdict, result):
    lines = [f"mutant {number}: {what}, target {kernel.target}, {kernel.blocks} blocks"
             + (", launched directly" if kernel.launch else "") + (f", dynUBufSize {kernel.dyn_ub}" if kernel.dyn_ub else "")]
    lines += [f"{n:4}  {line}" for n, line in enumerate(text_of(kernel).rstrip().split("\n"), 1)]
    lines += [f"  %{buffer.name}: {len(buffer.data)} bytes" for buffer in kernel.buffers.values()]
    lines += [f"  the tool: line {line}: {message} [{name}]" for severity, line, name, message in result.diags]
    lines += [f"  the oracle: {name}, line {line}" for name, line in sorted(verdict.found, key=lambda f: f[1])]
    return "\n".join(lines + [f"  * {complaint}" for complaint in complaints])


def work(job):
    """All mutants of one kernel: (texts of those that failed, passed, failed, kinds)."""
    options, base, numbers = job
    batch = Batch(options.batch)
    failures, passed, failed, kinds = [], 0, 0, Counter()
    try:
        for kernel_number in sorted({n // PER_KERNEL for n in numbers}):
            kernel = kernel_of(options.seed, kernel_number)
            cases = [(f"{kernel_number} unchanged", "correct", kernel)] if options.only is None else []
            for number in [n for n in numbers if n // PER_KERNEL == kernel_number]:
                changed, what = mutant_of(kernel, options.seed, number)
                cases.append((number, what, changed))
            for number, what, changed in cases:
                complaints, verdict, result = try_one(batch, changed, options.blind)
                kinds.update({name for name, _ in verdict.found} or {"(clean)"})
                kinds["(mutants with a fault)"] += bool(verdict.found) and what != "correct"
                passed, failed = passed + (not complaints), failed + bool(complaints)
                if complaints and len(failures) < SHOWN or options.only is not None:
                    failures.append(describe(number, what, changed, complaints, verdict, result))
    except EOFError as error:
        return [*failures, f"{error}, in mutant {number} ({what})\n{text_of(changed)}"], passed, failed + 1, kinds
    batch.close()
    return failures, passed, failed, kinds


def jobs_of(options, count):
    if options.only is not None:
        return [(options, 0, [options.only])]
    size = PER_KERNEL * 5
    return [(options, start, range(start, min(start + size, count))) for start in range(0, count, size)]


def main():
    options = arguments()
    count, start = 500 if options.quick else options.count, time.monotonic()
    print(f"mutants: seed {options.seed}, {count} mutants, {PER_KERNEL} of each kernel")
    passed, failed, shown, kinds = 0, 0, 0, Counter()
    try:
        with multiprocessing.Pool(options.jobs) as pool:
            for failures, p, f, k in pool.imap(work, jobs_of(options, count)):
                passed, failed = passed + p, failed + f
                kinds += k
                for text in failures[:max(0, SHOWN - shown)]:
                    shown += 1
                    print(f"{text}\n  again: run.py --batch {options.batch} --seed {options.seed} --only N")
    except OSError as error:
        print(f"run.py: cannot run {options.batch}: {error}", file=sys.stderr)
        return 2
    print(", ".join(f"{name} {number}" for name, number in sorted(kinds.items())))
    print(f"{time.monotonic() - start:.1f} s")
    print(f"mutants: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
