#!/usr/bin/env python3
"""Automatic mode on programs without flags, random ones and those of this folder: completed, printed, taken apart and
repaired.

  auto.py --batch PATH --ptog PATH [--count N] [--seed S] [--quick] [--only N]

Programs without flags come from make_snippets.py, a5 ones for a5-custom too where that takes them, and from make_hazards.py. The printed program must run
clean and to the same bytes; without any one of the pairs and barriers that were put in it must not; with some of them taken
out, the repaired program must. auto_batch.c does all that; auto_files.py does it with the .pto files and the command.
The last line is "auto: N passed, M failed".
"""
import argparse
import struct
import sys
import time
from collections import Counter
from dataclasses import replace

import auto_files
import programs
from draw_steps import rng_of
from make_hazards import make_hazards
from make_snippets import make
from wire import RESULT_MARK

MACHINES = ("a2a3", "a5", "a5-custom")
SHOWN = 5


def arguments():
    parser = argparse.ArgumentParser(description="Automatic mode on random PTO programs.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--ptog", required=True, help="the command under test")
    parser.add_argument("--count", type=int, default=800, help="so many of each kind; of the first, those for a machine")
    parser.add_argument("--seed", type=int, default=20250305)
    parser.add_argument("--quick", action="store_true", help="60 of each kind and every fourth file, for slow builds")
    parser.add_argument("--only", type=int, metavar="N", help="program N alone, and show it")
    return parser.parse_args()


class Batch(programs.Batch):
    def run(self, program, exact):
        """(pairs and barriers, removals, repairs, what is wrong)"""
        try:
            self.process.stdin.write(programs.pack(program) + struct.pack("=q", exact))
            self.process.stdin.flush()
            if self.reader.word() != RESULT_MARK:
                raise EOFError("no result")
            return (*self.reader.words(3), self.reader.text())
        except (BrokenPipeError, EOFError) as error:
            raise EOFError(f"the batch program ended with status {self.process.wait()} ({error})") from error


def cases(options):
    for number in range(options.count) if options.only is None else [options.only]:
        program = make(rng_of(options.seed, number), number)
        bare = not any(word in program.text for word in ("_flag", "barrier", "_event"))
        if program.target in MACHINES and bare:
            yield number, program, False
        if program.target == "a5" and bare:
            yield number, replace(program, target="a5-custom"), False
        target = MACHINES[number % 3]
        yield number, make_hazards(rng_of(options.seed, number), target), True


def main():
    options = arguments()
    options.count = 60 if options.quick else options.count
    print(f"auto: seed {options.seed}, {options.count} of each kind")
    start, batch, failed, kinds, sums = time.monotonic(), Batch(options.batch), 0, Counter(), [0, 0, 0]
    for number, program, exact in cases(options):
        try:
            *counts, wrong = batch.run(program, exact)
        except EOFError as error:
            counts, wrong = (0, 0, 0), str(error)
        kinds[program.target] += 1
        sums = [a + b for a, b in zip(sums, counts)]
        failed += bool(wrong)
        if wrong and failed <= SHOWN or options.only is not None:
            print(f"program {number}, seed {options.seed}, target {program.target}, {counts}: {wrong}\n{program.text}")
        if batch.process.poll() is not None:
            break
    failed += batch.close() != 0
    files = Counter() if options.only is not None else auto_files.run_all(options.ptog, 4 if options.quick else 1)
    failed, passed = failed + files["failed"], sum(kinds.values()) - failed + files["passed"]
    print(", ".join(f"{target} {count}" for target, count in sorted(kinds.items()))
          + "; {} pairs and barriers put in, {} left out one by one, {} repairs".format(*sums))
    print("files: {completed} runs completed, {removals} pairs and barriers left out, {repairs} runs repaired, {fixes} fixes tried, "
          "{together} times all of a report"
          .format_map({"completed": 0, "removals": 0, "repairs": 0, "fixes": 0, "together": 0, **files}))
    print(f"{time.monotonic() - start:.1f} s")
    print(f"auto: {passed} passed, {failed} failed")
    return 1 if failed or not sums[1] and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
