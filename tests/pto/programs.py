#!/usr/bin/env python3
"""Random programs: makes them, lets the batch program read, print and run them, compares with the oracle, and counts.

  programs.py --batch PATH [--count N] [--seed S] [--quick] [--only N]

Every program is also printed as written, as DPS, SSA and PTO-AS where the form can express it, read again and printed
again, and what was printed is run too. On the machine it is run under other schedules as well: fast, slow and random ones,
of which none may change a byte or a letter of the report.
The last line is "programs: N passed, M failed". Exit status: 0 all passed, 1 something failed, 2 the test could not run.
"""
import argparse
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"programs.py: needs numpy, and {sys.executable} has none")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conform"))
from draw_steps import rng_of  # noqa: E402
from make_programs import MACHINES  # noqa: E402
from make_snippets import make  # noqa: E402
from wire import RESULT_MARK, Reader  # noqa: E402

CASE_MARK = 0x31474F5250474F54
DEFAULT_SEED = 20240917
SHOWN = 10
FORMS = ("as written", "DPS", "SSA", "PTO-AS")
TRIPS = ("good", "no such form", "not printed", "not read again", "other text the second time", "another program in DPS")
LEFT_OPEN = {"tgather-mask-shape", "tgather-mask-rows"}  # warnings about shapes: the oracle has no opinion, but knows the bytes
NOTE, WARNING = 0, 1
SCHEDULES = 3  # of each program on the machine: fast, slow, and random ones
DIFFERENCES = ("the status", "memory", "tiles", "the report")


def arguments():
    parser = argparse.ArgumentParser(description="Random PTO programs against a numpy oracle.")
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--count", type=int, default=2000, help="so many programs (default 2000)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="200 programs, for slow builds")
    parser.add_argument("--only", type=int, metavar="N", help="program N alone, and show it")
    return parser.parse_args()


# ---- the wire ----

def packed(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("=q", len(data)) + data


def pack_binding(binding):
    dims = (*binding.dims, *[0] * (5 - len(binding.dims)))
    words = struct.pack("=9q", binding.number is not None, binding.number or 0, binding.dtype, len(binding.dims), *dims)
    return packed(binding.name) + words + packed(binding.data)


def schedules_of(program):
    return SCHEDULES if program.target in MACHINES else 0


def pack(program):
    parts = [struct.pack("=q", CASE_MARK), packed(program.target), packed(program.text)]
    parts += [struct.pack("=3q", program.blocks, schedules_of(program), program.seed)]
    parts += [struct.pack("=q", len(program.bindings)), *map(pack_binding, program.bindings)]
    return b"".join([*parts, struct.pack("=q", len(program.dumps)), *map(packed, program.dumps)])


class Diag(NamedTuple):
    severity: int
    line: int
    other: int      # the line of the other place it speaks of; 0: none
    id: str
    message: str


class Result:
    """What the batch program did with one program."""

    def __init__(self, reader, program):
        self.reader = reader
        if reader.word() != RESULT_MARK:
            raise EOFError("the batch program wrote something that is not a result")
        self.status, self.diags = reader.word(), self.read_diags()
        self.read = bool(reader.word())
        if not self.read:
            return
        self.dps = reader.word()
        self.trips = [(reader.word(), reader.text()) for _ in FORMS]
        self.run_status, self.run_diags = reader.word(), self.read_diags()
        self.memory = [reader.bytes(reader.word()) for _ in program.bindings]
        self.dumps = [(reader.words(4), reader.bytes(reader.word())) for _ in program.dumps]
        self.schedules = [(reader.word(), reader.text()) for _ in range(schedules_of(program))]
        self.alike = [bool(reader.word()) for _ in FORMS]

    def read_diags(self):
        return [Diag(*self.reader.words(3), self.reader.text(), self.reader.text()) for _ in range(self.reader.word())]


class Batch:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = Reader(self.process.stdout)

    def run(self, program):
        try:
            self.process.stdin.write(pack(program))
            self.process.stdin.flush()
            return Result(self.reader, program)
        except (BrokenPipeError, EOFError) as error:
            status = self.process.wait()
            raise EOFError(f"the batch program ended with status {status} in this program ({error})") from error

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


# ---- the verdict ----

def trip_complaints(program, result):
    for form, (trip, text) in zip(FORMS, result.trips):
        may_miss = form in ("SSA", "PTO-AS")
        may_move = not program.bare and form == "SSA"  # allocations go, and come back elsewhere
        if trip == 0 or trip == 1 and may_miss or trip == 5 and may_move:
            continue
        yield f"{form}: {TRIPS[trip]}\n{text}"
    for form, alike, (_, text) in zip(FORMS, result.alike, result.trips):
        if not alike:
            yield f"{form}: runs to other bytes\n{text}"


def run_complaints(program, result):
    ids = {diag.id for diag in result.run_diags if diag.severity > NOTE} - LEFT_OPEN
    expected = program.ids - LEFT_OPEN
    messages = "".join(f"\n      line {diag.line}: {diag.message} [{diag.id}]" for diag in result.run_diags)
    if ids != expected:
        yield f"reported {sorted(ids)}, expected {sorted(expected)}{messages}"
    if result.run_status not in (0, 1):
        yield f"the run ended with status {result.run_status}{messages}"
        return
    for binding, after in zip(program.bindings, result.memory):
        if binding.number is None and after != binding.after:
            at = next(i for i, (a, b) in enumerate(zip(after, binding.after)) if a != b)
            got, want = after[at:at + 8].hex(), binding.after[at:at + 8].hex()
            yield f"%{binding.name} differs from byte {at} of {len(after)} on: {got}, expected {want}"
    for (name, want), ((status, *_), got) in zip(program.dumps.items(), result.dumps):
        if status != 0 or got != want:
            yield f"tile %{name}: status {status}, {got[:16].hex()}..., expected {want[:16].hex()}..."


def schedule_complaints(program, result):
    for number, (difference, report) in enumerate(result.schedules):
        name = ("fast", "slow")[number] if number < 2 else f"random:{program.seed + number}"
        changed = [what for bit, what in enumerate(DIFFERENCES) if difference >> bit & 1]
        if changed:
            yield f"the schedule {name} changes {' and '.join(changed)}\n{report}"


def complaints_of(program, result):
    if not result.read:
        return [f"not read: {result.diags}"]
    found = [f"a diagnostic of reading: {diag}" for diag in result.diags]
    return found + list(trip_complaints(program, result)) + list(run_complaints(program, result)) + list(
        schedule_complaints(program, result))


# ---- all of them ----

def show(options, number, program, complaints):
    verdict = "FAILED" if complaints else "as expected"
    print(f"program {number} {verdict}, seed {options.seed}, target {program.target}\n{program.text}")
    for binding in program.bindings:
        value = f"{len(binding.data)} bytes" if binding.number is None else str(binding.number)
        print(f"  %{binding.name}: {value}")
    for complaint in complaints:
        print("  * " + complaint)
    print(f"  again: programs.py --batch {options.batch} --seed {options.seed} --only {number}")


def run_programs(options, numbers):
    batch, passed, failed, kinds, schedules = Batch(options.batch), 0, 0, Counter(), 0
    for number in numbers:
        program = make(rng_of(options.seed, number), number)
        program.seed = number
        kinds[program.target, "snippet" if program.bare else "blocks" if program.blocks > 1 else "function"] += 1
        kinds["with", program.sync] += program.target in MACHINES
        schedules += schedules_of(program)
        try:
            complaints = complaints_of(program, batch.run(program))
        except EOFError as error:
            show(options, number, program, [str(error)])
            return passed, failed + 1, kinds, schedules
        failed += bool(complaints)
        passed += not complaints
        if complaints and failed <= SHOWN or options.only is not None:
            show(options, number, program, complaints)
    failed += batch.close() != 0
    return passed, failed, kinds, schedules


def main():
    options = arguments()
    count, start = 200 if options.quick else options.count, time.monotonic()
    print(f"programs: seed {options.seed}, {count} programs, each read, printed in four forms, and run")
    try:
        passed, failed, kinds, schedules = run_programs(options, range(count) if options.only is None else [options.only])
    except OSError as error:
        print(f"programs.py: cannot run {options.batch}: {error}", file=sys.stderr)
        return 2
    print(", ".join(f"{target} {kind} {number}" for (target, kind), number in sorted(kinds.items())))
    print(f"{schedules} other schedules, {time.monotonic() - start:.1f} s")
    print(f"programs: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
