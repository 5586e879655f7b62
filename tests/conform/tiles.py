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
from dataclasses import dataclass, field

try:
    import numpy as np
except ImportError:
    sys.exit(f"tiles.py: needs numpy, and {sys.executable} has none")

from elements import bits_type, decode, encode, is_float
from facts import DTYPES, ILLEGAL, KINDS, NUMBER, OK, ORDER, TARGETS, Tile
from oracle_tiles import OPS
from wire import Reader

CASE_MARK, RESULT_MARK = 0x31454C4954474F54, 0x3154534552474F54
TILE, SCALAR = 1, 3
WAYS = ("the plan's way", "the obvious loop", "the core")
SWEPT = ("host", "a5")  # all values of 16-bit floats go through a lane there
SHOWN = 10


@dataclass
class Case:
    name: str
    target: str
    dtype: str
    tiles: list               # dst first, then the tiles among the sources
    image: bytearray          # all tiles at their addresses
    scalar: int = 0           # the bits of the scalar among the sources
    places: list = field(default_factory=list)  # per tile: where a run gives its extents; -1: nowhere

    def describe(self):
        lines = [f"{self.name} {self.dtype} on {self.target}, scalar {self.scalar:#x}"]
        for tile, place in zip(self.tiles, self.places):
            lines.append(f"  {tile.rows}x{tile.cols} {tile.order}, valid {tile.vrow}x{tile.vcol}, at {tile.addr}"
                         + (", extents of the run" if place >= 0 else ""))
        return "\n".join(lines)


# ---- making cases


def draw_bits(random, dtype, count):
    """Random patterns, small numbers and the ends of the range, in about equal parts."""
    kind = bits_type(dtype)
    bits = random.integers(0, 2 ** (8 * np.dtype(kind).itemsize), count, dtype=np.uint64).astype(kind)
    small = random.integers(-9, 10, count)
    if dtype == "hif8":
        return bits
    if is_float(dtype):
        edges = encode(dtype, np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 1e-3, 300.0]))
        few = encode(dtype, small * random.choice([1.0, 0.25, 3.0], count))
    else:
        limits = np.iinfo(decode(dtype, bits[:1]).dtype)
        edges = np.array([limits.min, limits.max, 0, 1, limits.max // 2], limits.dtype).view(kind)
        few = small.astype(np.int64).astype(limits.dtype).view(kind)
    choice = random.integers(0, 3, count)
    return np.select([choice == 0, choice == 1], [bits, few], random.choice(edges, count)).astype(kind)


def draw_tile(random, target, dtype, valid, order):
    """A tile with at least this valid region, its rows a multiple of 32 bytes."""
    block = 32 // np.dtype(bits_type(dtype)).itemsize
    rows = valid[0] + int(random.integers(0, 3))
    cols = -(-valid[1] // block) * block + block * int(random.integers(0, 2))
    if order == "nz":
        rows = -(-rows // 16) * 16
    return Tile(dtype, rows, cols, *valid, order=order)


def place_tiles(random, tiles, in_place):
    """One after the other, with a gap now and then; a source of `in_place` is dst."""
    at = 0
    for i, tile in enumerate(tiles):
        if i in in_place:
            tiles[i] = tile = Tile(**{**tiles[0].__dict__})
            continue
        tile.addr = at
        at += -(-tile.bytes // 32) * 32 + 32 * int(random.integers(0, 2))
    return at


def draw_shapes(random, op, target, dtype):
    """Tiles for dst and the tile sources. On host a source may have more than dst asks for, and any order."""
    valid = int(random.integers(1, 9)), int(random.integers(1, 41))
    tiles = []
    for i in range(1 + op.kinds.count("t")):
        order = str(random.choice(list(ORDER))) if target in ("host", "cpu") else "row"
        more = (int(random.integers(0, 2)), int(random.integers(0, 2))) if target == "host" and i else (0, 0)
        tiles.append(draw_tile(random, target, dtype, (valid[0] + more[0], valid[1] + more[1]), order))
    return tiles


def draw_case(random, name, target, dtype):
    op = OPS[name]
    tiles = draw_shapes(random, op, target, dtype)
    sources = range(1, len(tiles))
    in_place = [i for i in sources if random.integers(0, 4) == 0]
    image = bytearray(random.bytes(place_tiles(random, tiles, in_place)))
    for tile in tiles[::-1]:
        image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, dtype, tile.rows * tile.cols).tobytes()
    open_ = random.integers(0, 3) == 0
    places = [i if open_ else -1 for i in range(len(tiles))]
    return Case(name, target, dtype, tiles, image, int(draw_bits(random, dtype, 1)[0]), places)


def sweep_cases(random, name, target, dtype):
    """Every value of a 16-bit type as the first source, four tiles of 128x128."""
    op = OPS[name]
    for part in range(4):
        tiles = [Tile(dtype, 128, 128, 128, 128) for _ in range(1 + op.kinds.count("t"))]
        place_tiles(random, tiles, [1])
        image = bytearray(tiles[-1].addr + tiles[-1].bytes)
        for tile in tiles[2:]:
            image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, dtype, 128 * 128).tobytes()
        image[:tiles[0].bytes] = np.arange(part << 14, part + 1 << 14, dtype=np.uint16).tobytes()
        yield Case(name, target, dtype, tiles, image, int(draw_bits(random, dtype, 1)[0]), [-1] * len(tiles))


# ---- the batch program


def words(*values):
    return struct.pack(f"={len(values)}q", *values)


def pack_tile(tile, place):
    fractal = 512 if tile.order == "nz" else 0
    return words(TILE, NUMBER[tile.dtype], tile.rows, tile.cols, tile.vrow, tile.vcol, *ORDER[tile.order], fractal, tile.addr, place)


def pack(case):
    """The other side of tests/conform/tiles_batch.c."""
    tiles = [pack_tile(tile, place) for tile, place in zip(case.tiles, case.places)]
    scalar = words(SCALAR, NUMBER[case.dtype], case.scalar - (1 << 64 if case.scalar >> 63 else 0))
    operands = [tiles.pop(0)] + [tiles.pop(0) if kind == "t" else scalar for kind in OPS[case.name].kinds]
    name = case.name.encode()
    return b"".join([words(CASE_MARK), case.target.encode().ljust(16, b"\0"), words(len(name)), name, words(len(operands)),
                     *operands, words(len(case.image)), bytes(case.image)])


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


# ---- judging


def elements(case, tile):
    """The bits of a tile's elements in the region of dst."""
    dst = case.tiles[0]
    storage = np.frombuffer(case.image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
    return storage[tile.offsets(dst.vrow, dst.vcol)]


def expected(case):
    """The bits of dst's region, and a truth per element: a NaN, whose bits are free."""
    op, tiles = OPS[case.name], case.tiles[1:]
    inputs = []
    for kind in op.kinds:
        bits = elements(case, tiles.pop(0)) if kind == "t" else np.array([[case.scalar]]).astype(bits_type(case.dtype))
        inputs.append(decode(case.dtype, bits))
    shape = case.tiles[0].vrow, case.tiles[0].vcol
    with np.errstate(all="ignore"):
        value = np.broadcast_to(op.lane(case.target, case.dtype, *inputs, *[None] * (2 - len(inputs))), shape)
        bits = encode(case.dtype, value)
        free = np.isnan(decode(case.dtype, bits)) if is_float(case.dtype) else np.zeros(shape, bool)
    return bits, free


def judge_way(case, way, bits, free):
    dst = case.tiles[0]
    if way.status != OK or way.faults:
        return f"status {way.status}, {way.faults}, not 0"
    got = np.frombuffer(way.image, bits_type(dst.dtype), dst.rows * dst.cols, dst.addr)[dst.offsets()]
    same = np.where(free, np.isnan(decode(case.dtype, got)) if is_float(case.dtype) else False, got == bits)
    if not same.all():
        r, c = (int(i) for i in np.argwhere(~same)[0])
        inputs = [f"{int(elements(case, tile)[r, c]):#x}" for tile in case.tiles[1:]]
        return f"({r},{c}) of {', '.join(inputs)} is {int(got[r, c]):#x}, not {int(bits[r, c]):#x}"
    rest = np.array(np.frombuffer(case.image, np.uint8))
    storage = rest[dst.addr:dst.addr + dst.bytes].view(bits_type(dst.dtype))
    storage[dst.offsets()] = got
    return "" if rest.tobytes() == way.image else "bytes outside dst's region changed"


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    bits, free = expected(case)
    found = [(name, judge_way(case, way, bits, free)) for name, way in zip(WAYS, ways)]
    return [f"{name}: {problem}" for name, problem in found if problem]


def judge_refused(case, result):
    """A type that the target does not take: refused, and with this reason."""
    return [] if result[0] == ILLEGAL and "elementwise-dtype" in result[1] else [f"status {result[0]}, {result[1]}: not refused"]


# ---- all of it


def cases_of(options, name, target, dtype):
    """(case, judge): of a row of the table so many, of a type that is not in it one. Each row has a seed of its own."""
    random = np.random.default_rng([options.seed, zlib.crc32(f"{name} {target} {dtype}".encode())])
    taken = dtype in OPS[name].types[target]
    for _ in range(options.count if taken else 1):
        yield draw_case(random, name, target, dtype), judge if taken else judge_refused
    if taken and target in SWEPT and dtype in ("f16", "bf16"):
        yield from ((case, judge) for case in sweep_cases(random, name, target, dtype))


def all_cases(options):
    for name, target, dtype in itertools.product([options.only] if options.only else OPS, TARGETS, DTYPES):
        yield from cases_of(options, name, target, dtype)


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
    parser.add_argument("--only", choices=sorted(OPS), metavar="NAME", help="this instruction alone")
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
