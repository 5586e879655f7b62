#!/usr/bin/env python3
"""Elementwise instructions against numpy: random cases for every instruction, type and target, each done by the way that a plan
chooses, by the obvious loop and by a core, and every byte of the on-chip buffer compared.

  tiles.py --batch PATH [--count N] [--soak] [--seed S] [--only NAME]

--count is per instruction, target and type. The last line is "tiles: N passed, M failed".
"""
import argparse
import itertools
import struct
import subprocess
import sys
import zlib
from dataclasses import dataclass

try:
    import numpy as np
except ImportError:
    sys.exit(f"tiles.py: needs numpy, and {sys.executable} has none")

import arg_tiles
import expand_tiles
import generate_tiles
import masks_tiles
import moves_tiles
import reduce_tiles
from draw_tiles import between, draw_case, draw_conversion, may_alias, stated_case, stated_conversion, sweep_cases, \
    sweep_conversions
from facts import DTYPES, KINDS, NUMBER, OK, ORDER, TARGETS
from judge_tiles import judge, judge_stated, refused_by
from oracle_cvt import NUMBERS, converts
from oracle_tiles import OPS
from vectors_tiles import CONVERSIONS, VECTORS
from wire import Reader

CASE_MARK, RESULT_MARK = 0x31454C4954474F54, 0x3154534552474F54
TILE, SCALAR = 1, 3
SWEPT = ("host", "a5")  # all values of 16-bit floats go through a lane there
SHOWN = 10

# ---- the batch program


def words(*values):
    return struct.pack(f"={len(values)}q", *values)


def pack_tile(tile, place):
    fractal = 512 if tile.order == "nz" else 0
    return words(TILE, NUMBER[tile.dtype], tile.rows, tile.cols, tile.vrow, tile.vcol, *ORDER[tile.order], fractal, tile.pad, tile.addr, place)


def pack_scalar(case, bits):
    return words(SCALAR, NUMBER[case.scalar_dtype], bits - (1 << 64 if bits >> 63 else 0))


def pack(case):
    """The other side of tests/conform/tiles_batch.c."""
    tiles = [pack_tile(tile, place) for tile, place in zip(case.tiles, case.places)]
    scalars = iter(case.scalars or [case.scalar])
    operands = [tiles.pop(0)] + [tiles.pop(0) if kind in "tx" else pack_scalar(case, next(scalars)) if kind == "s" else words(0, 0)
                                 for kind in case.kinds]
    name = case.name.encode()
    return b"".join([words(CASE_MARK), case.target.encode().ljust(16, b"\0"), words(len(name)), name, words(len(operands)),
                     *operands, words(*(tuple(case.attrs) + (0,) * 4)[:4]), words(len(case.image)), bytes(case.image)])


@dataclass
class Way:
    status: int
    faults: dict  # how many lanes, by id; of the core: the ids of its report
    image: bytes


class Batch:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = Reader(self.process.stdout)

    def ask(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def ids(self):
        return [self.reader.text() for _ in range(self.reader.word())]

    def by_plan(self, case):
        status = self.reader.word()
        counts = [self.reader.word() for _ in KINDS]
        return Way(status, {kind: n for kind, n in zip(KINDS, counts) if n}, self.reader.bytes(len(case.image)))

    def by_core(self, case):
        status = self.reader.word()
        return Way(status, dict.fromkeys(self.ids(), 1), self.reader.bytes(len(case.image)))

    def run(self, case):
        """(status, ids, ways): the ways are there when the instruction is legal."""
        self.ask(pack(case))
        if self.reader.word() != RESULT_MARK:
            raise EOFError("this is not the start of a result")
        status, ids = self.reader.word(), self.ids()
        ways = [self.by_plan(case), self.by_plan(case), self.by_core(case)] if status == OK else []
        return status, ids, ways

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


# ---- all of it


def cases_of(options, name, target, dtype):
    """(case, judge): of a row of the table so many, of a type that is not in it one. Each row has a seed of its own."""
    random = np.random.default_rng([options.seed, zlib.crc32(f"{name} {target} {dtype}".encode())])
    taken = dtype in OPS[name].types[target]
    for _ in range(options.count if taken else 1):
        yield draw_case(random, name, target, dtype), judge if taken else refused_by("elementwise-dtype")
    if taken and target == "a2a3" and OPS[name].apart:
        case = draw_case(random, name, target, dtype, in_place=[1])
        yield case, judge if may_alias(case, 1) else refused_by("ub-overlap")
    if taken and target in SWEPT and dtype in ("f16", "bf16"):
        yield from ((case, judge) for case in sweep_cases(random, name, target, dtype))


def conversions(options, target):
    """tcvt between any two types, and all values of the 16-bit floats, by every mode; at length (--soak), to every type and on every
    target."""
    for source, dtype in itertools.product(NUMBERS, NUMBERS):
        random = np.random.default_rng([options.seed, zlib.crc32(f"tcvt {target} {source} {dtype}".encode())])
        taken = converts(target, source, dtype)
        for _ in range(options.count if taken else 1):
            yield draw_conversion(random, target, source, dtype), judge if taken else refused_by("tcvt-type-pair")
        if not taken or not (options.soak or target in SWEPT + ("a2a3",)):
            continue
        if source in ("f16", "bf16") and (options.soak or dtype in ("f32", "f16", "bf16", "i32", "i16", "i8", "u8")):
            yield from ((case, judge) for case in sweep_conversions(random, target, source, dtype, np.arange(1 << 16, dtype=np.uint16)))
        if source == "f32" and dtype in ("f16", "bf16") and target == "host":
            yield from ((case, judge) for case in sweep_conversions(random, target, source, dtype, between(dtype)))


def all_cases(options):
    for name, targets, dtype, operands, *stated in VECTORS:
        if options.only in (None, name):
            yield from ((stated_case(name, target, dtype, operands), judge_stated(*stated)) for target in targets)
    for name, target, dtype in itertools.product([options.only] if options.only else OPS, TARGETS, DTYPES):
        if name not in OPS or OPS[name].convert:
            continue
        yield from cases_of(options, name, target, dtype)
    random_of = lambda what: np.random.default_rng([options.seed, zlib.crc32(what.encode())])  # noqa: E731
    yield from masks_tiles.cases(random_of, options.count, options.only)
    yield from moves_tiles.cases(random_of, options.count, options.only)
    yield from moves_tiles.stated_cases(random_of, options.only)
    yield from generate_tiles.cases(random_of, options.count, options.only)
    yield from generate_tiles.stated_cases(options.only)
    yield from expand_tiles.cases(random_of, options.count, options.only)
    yield from expand_tiles.stated_cases(options.only)
    yield from reduce_tiles.cases(random_of, options.count, options.only)
    yield from reduce_tiles.stated_cases(options.only)
    yield from arg_tiles.cases(random_of, options.count, options.only)
    yield from arg_tiles.stated_cases(options.only)
    if options.only in (None, *masks_tiles.NAMES):
        yield from masks_tiles.stated_cases()
    if options.only in (None, "tcvt"):
        for targets, *conversion, result in CONVERSIONS:
            yield from ((stated_conversion(target, *conversion), judge_stated(result)) for target in targets)
        yield from itertools.chain.from_iterable(conversions(options, target) for target in TARGETS)


def run_cases(options):
    batch, passed, failed = Batch(options.batch), 0, 0
    for n, (case, judged_by) in enumerate(all_cases(options)):
        complaints = judged_by(case, batch.run(case))
        passed, failed = passed + (not complaints), failed + bool(complaints)
        if complaints and failed <= SHOWN:
            print(f"case {n} FAILED, seed {options.seed}: {case.describe()}", *(f"  * {c}" for c in complaints), sep="\n")
    return passed, failed + (batch.close() != 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True, help="the built batch program")
    parser.add_argument("--count", type=int, default=10, help="cases per instruction, target and type")
    parser.add_argument("--soak", action="store_true", help="200 of them")
    parser.add_argument("--seed", type=int, default=20261116)
    names = [*OPS, *masks_tiles.NAMES, *generate_tiles.NAMES, *expand_tiles.NAMES, *moves_tiles.NAMES, *reduce_tiles.NAMES, *arg_tiles.NAMES]
    parser.add_argument("--only", choices=sorted(names), metavar="NAME", help="this instruction alone")
    options = parser.parse_args()
    options.count = 200 if options.soak else options.count
    try:
        passed, failed = run_cases(options)
    except (OSError, EOFError) as error:
        print(f"tiles.py: {options.batch}: {error}", file=sys.stderr)
        return 2
    print(f"tiles: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
