#!/usr/bin/env python3
"""Scatters, gathers into L1, block gathers, sorts, histograms and combinations of tiles against numpy: random cases for every target, done by a plan, by the obvious loop and on a core, and every byte compared.

  scatter.py --batch PATH [--count N] [--seed S] [--only NAME]

--count is per instruction and target. The last line is "scatter: N passed, M failed".
"""
import argparse
import struct
import subprocess
import sys
import zlib
from dataclasses import dataclass

try:
    import numpy as np
except ImportError:
    sys.exit(f"scatter.py: needs numpy, and {sys.executable} has none")

import oracle_combine
import oracle_histogram
import oracle_merges
import oracle_mgather_l1
import oracle_mscatter
import oracle_sorts
import oracle_tgatherb
import oracle_tscatter
from facts import KINDS, NUMBER, OK, ORDER, TARGETS
from wire import Reader

CASE_MARK, RESULT_MARK = 0x3154415343474F54, 0x3154534552474F54
TILE, VIEW, SCALAR = 1, 2, 3
LAYOUT = {"nd": 0, "dn": 1, "nz": 2}
ORACLES = {"mgather": oracle_mgather_l1, "mscatter": oracle_mscatter, "tsort32": oracle_sorts, "tscatter": oracle_tscatter, "tgatherb": oracle_tgatherb,
           "tmrgsort": oracle_merges, "thistogram": oracle_histogram,
           **{name: oracle_combine.Combined(name) for name in oracle_combine.NAMES}}
SHOWN = 10


# ---- the batch program


def words(*values):
    return struct.pack(f"={len(values)}q", *values)


def pack_operand(operand):
    if operand is None:
        return words(0)
    kind = operand["kind"]
    if kind == "tile":
        fractal = 512 if operand["order"] == "nz" else 0
        return words(TILE, NUMBER[operand["dtype"]], operand["rows"], operand["cols"], *operand["valid"], *ORDER[operand["order"]],
                     fractal, operand["addr"], operand.get("loc", 0))
    if kind == "view":
        return words(VIEW, operand.get("offset", 0), NUMBER[operand["dtype"]], LAYOUT[operand["layout"]], *operand["shape"], *operand["stride"])
    return words(SCALAR, NUMBER[operand["dtype"]], operand["bits"])


def pack(case):
    """The other side of tests/conform/scatter_batch.c."""
    name = case.name.encode()
    return b"".join([words(CASE_MARK), case.target.encode().ljust(16, b"\0"), words(len(name)), name, words(len(case.operands)),
                     *map(pack_operand, case.operands), words(*(tuple(case.attrs) + (0,) * 4)[:4]), words(int(case.by_plan)),
                     words(len(case.image)), case.image, words(len(case.memory)), case.memory])


@dataclass
class Way:
    status: int
    faults: dict  # of a plan: how many lanes, by id; of the core: the severity of each id of its report
    image: bytes
    memory: bytes


class Batch:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = Reader(self.process.stdout)

    def ids(self):
        return {self.reader.text(): self.reader.word() for _ in range(self.reader.word())}

    def memories(self, case):
        return self.reader.bytes(len(case.image)), self.reader.bytes(len(case.memory))

    def by_plan(self, case):
        status = self.reader.word()
        counts = [self.reader.word() for _ in KINDS]
        return Way(status, {kind: n for kind, n in zip(KINDS, counts) if n}, *self.memories(case))

    def by_core(self, case):
        status = self.reader.word()
        return Way(status, self.ids(), *self.memories(case))

    def run(self, case):
        """(status, ids, ways): the ways are there when the instruction is legal."""
        self.process.stdin.write(pack(case))
        self.process.stdin.flush()
        if self.reader.word() != RESULT_MARK:
            raise EOFError("this is not the start of a result")
        status, ids = self.reader.word(), self.ids()
        if status != OK:
            return status, ids, []
        plans = [self.by_plan(case), self.by_plan(case)] if case.by_plan else []
        return status, ids, [*plans, self.by_core(case)]

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


# ---- all of it


def judge(case, result, want):
    """What is wrong with a result, in words. `want` has `rule`, the one that refuses, or `faults`, `image` and `memory`."""
    status, ids, ways = result
    if want.rule:
        return [] if status != OK and want.rule in ids else [f"expected {want.rule}, got status {status} and {sorted(ids)}"]
    if status != OK:
        return [f"refused by {sorted(ids)}"]
    complaints = []
    for way, name in zip(ways, ("plan", "reference", "core") if case.by_plan else ("core",)):
        core = name == "core"
        got = {kind for kind in way.faults if kind in KINDS or kind in want.faults} if core else way.faults
        expected = set(want.faults) if core else {kind: n for kind, n in want.faults.items() if n > 0}
        if got != expected:
            complaints.append(f"{name}: faults {sorted(way.faults) if core else way.faults}, expected {sorted(want.faults) if core else want.faults}")
        if core and any(way.faults.get(kind) != severity for kind, severity in want.severities.items()):
            complaints.append(f"{name}: severities {way.faults}, expected {want.severities}")
        for what, bytes_, other in (("memory", way.memory, want.memory), ("UB", way.image[:want.compared], want.image and want.image[:want.compared])):
            if want.ignored and what == "UB":
                bytes_, other = (part[:want.ignored[0]] + part[want.ignored[1]:] for part in (bytes_, other))
            if other is not None and bytes_ != other:
                at = next(i for i, (a, b) in enumerate(zip(bytes_, other)) if a != b)
                complaints.append(f"{name}: {what} differs from byte {at} on: {bytes_[at:at + 8].hex()}, expected {other[at:at + 8].hex()}")
    return complaints


def run_cases(options):
    batch, passed, failed = Batch(options.batch), 0, 0
    for name, oracle in ORACLES.items():
        for target in TARGETS if options.only in (None, name) else ():
            random = np.random.default_rng([options.seed, zlib.crc32(f"{name} {target}".encode())])
            for n in range(options.count):
                case, want = oracle.draw(random, target)
                complaints = judge(case, batch.run(case), want)
                passed, failed = passed + (not complaints), failed + bool(complaints)
                if complaints and failed <= SHOWN:
                    print(f"{name} on {target}, case {n} FAILED, seed {options.seed}: {case.words}", *(f"  * {c}" for c in complaints), sep="\n")
    return passed, failed + (batch.close() != 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--count", type=int, default=500, help="cases per instruction and target")
    parser.add_argument("--seed", type=int, default=20261118)
    parser.add_argument("--only", choices=sorted(ORACLES), metavar="NAME", help="this instruction alone")
    options = parser.parse_args()
    try:
        passed, failed = run_cases(options)
    except (OSError, EOFError) as error:
        print(f"scatter.py: {options.batch}: {error}", file=sys.stderr)
        return 2
    print(f"scatter: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
