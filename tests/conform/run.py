#!/usr/bin/env python3
"""The conformance test: makes cases, lets the batch program run them, compares each with the oracle, and counts.

  run.py --batch PATH [--cases N] [--seed S] [--quick] [--first] [--only N]

The last line is "conform: N passed, M failed". Exit status: 0 all passed, 1 something failed, 2 the test could not run.
"""
import argparse
import subprocess
import sys
import time

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"run.py: needs numpy, and {sys.executable} has none")

from judge import describe, judge
from schedule import Histogram, Schedule
from wire import Reader, pack

DEFAULT_SEED = 20240917
SHOWN = 20  # failures shown in full


def arguments():
    parser = argparse.ArgumentParser(description="Conformance of ptogather with docs/reference/semantics.md, checked against numpy.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--cases", type=int, default=10000, help="at least so many cases (default 10000)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="a tenth of the counts, for slow builds")
    parser.add_argument("--first", action="store_true", help="end with the first failure")
    parser.add_argument("--only", type=int, metavar="N", help="run case N alone, and show it")
    return parser.parse_args()


def rerun_command(options, n):
    quick = " --quick" if options.quick else ""
    return f"run.py --batch {options.batch} --cases {options.cases} --seed {options.seed}{quick} --only {n}"


def show(options, n, case, complaints, kernel=""):
    print(f"case {n} FAILED, seed {options.seed}" + (f", kernel {kernel}" if kernel else ""))
    print("\n".join([*describe(case), *(f"  * {complaint}" for complaint in complaints)]))
    print("  again: " + rerun_command(options, n))


class Batch:
    """The batch program: one process, one case at a time."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = Reader(self.process.stdout)

    def run(self, case):
        try:
            self.process.stdin.write(pack(case))
            self.process.stdin.flush()
            return self.reader.result(case)
        except (BrokenPipeError, EOFError) as error:
            status = self.process.wait()
            raise EOFError(f"the batch program ended with status {status} in this case ({error})") from error

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def run_cases(options, schedule, numbers, histogram):
    """(passed, failed). A case in which the batch program dies ends the test."""
    batch, passed, failed = Batch(options.batch), 0, 0
    for n in numbers:
        case = schedule.case(n)
        histogram.count(n, case)
        try:
            result = batch.run(case)
        except EOFError as error:
            show(options, n, case, [str(error)])
            return passed, failed + 1
        complaints = judge(case, result)
        failed += bool(complaints)
        passed += not complaints
        if complaints and failed <= SHOWN:
            show(options, n, case, complaints, result.kernel)
        elif options.only is not None:
            print("\n".join(describe(case)), f"\n  kernel {result.kernel or 'none'}: as expected", sep="")
        if failed and options.first:
            break
    status = batch.close()
    if status != 0:
        print(f"the batch program ended with status {status}")
        failed += 1
    return passed, failed


def main():
    options = arguments()
    start = time.monotonic()
    schedule = Schedule(options.cases, options.seed, options.quick)
    print(f"conform: seed {options.seed}, {len(schedule)} cases, each run by the chosen kernel and by the obvious loop")
    if options.only is not None and not 0 <= options.only < len(schedule):
        sys.exit(f"run.py: there is no case {options.only}; the last one is {len(schedule) - 1}")
    numbers = range(len(schedule)) if options.only is None else [options.only]
    histogram = Histogram(schedule)
    try:
        passed, failed = run_cases(options, schedule, numbers, histogram)
    except OSError as error:
        print(f"run.py: cannot run {options.batch}: {error}", file=sys.stderr)
        return 2
    if passed + failed >= len(schedule):  # not when one case was asked for, or the batch program died
        print("\n".join(histogram.lines()))
        for promise in histogram.broken_promises():
            print(promise)
            failed += 1
    if failed > SHOWN:
        print(f"{failed - SHOWN} more failures are not shown")
    print(f"{time.monotonic() - start:.1f} s")
    print(f"conform: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
