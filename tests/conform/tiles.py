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

from elements import bits_type, decode, encode, is_float, round_to
from facts import DTYPES, FAULT, ILLEGAL, KINDS, NUMBER, OK, ORDER, TARGETS, Tile
from oracle_tiles import FLOATS, INTEGERS, OPS, Where
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
    kinds: str                # of the operands after dst: t a tile, s a scalar, x a tmp, - no tmp
    scalar: int = 0           # the bits of the scalar among the sources
    scalar_dtype: str = ""
    places: list = field(default_factory=list)  # per tile: where a run gives its extents; -1: nowhere

    @property
    def op(self):
        return OPS[self.name]

    @property
    def sources(self):
        return self.tiles[1:1 + self.kinds.count("t")]

    @property
    def in_place(self):
        return self.kinds[0] == "t" and self.tiles[1].addr == self.tiles[0].addr

    def describe(self):
        lines = [f"{self.name} {self.dtype} on {self.target}, scalar {self.scalar:#x} of {self.scalar_dtype}"]
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


def draw_shapes(random, kinds, target, dtype, open_):
    """Tiles for dst and the tile sources. On host a source may have more than dst asks for, and any order; elsewhere another
    region than dst's, if the run alone knows it."""
    valid = int(random.integers(1, 9)), int(random.integers(1, 41))
    tiles = []
    for i in range(1 + kinds.count("t")):
        order = str(random.choice(list(ORDER))) if target in ("host", "cpu") else "row"
        more = (int(random.integers(0, 2)), int(random.integers(0, 2))) if target == "host" and i else (0, 0)
        tile = draw_tile(random, target, dtype, (valid[0] + more[0], valid[1] + more[1]), order)
        if i and open_ and target != "host" and random.integers(0, 4) == 0:
            tile.vrow, tile.vcol = int(random.integers(1, tile.rows + 1)), int(random.integers(1, tile.cols + 1))
        tiles.append(tile)
    return tiles + [draw_tile(random, target, dtype, (1, 32), "row")] * kinds.count("x")


def draw_scalar(random, name, dtype):
    """Bits and type. A float may be of another float type, and the count of a shift of any integer type."""
    other = FLOATS if dtype in FLOATS else INTEGERS if OPS[name].fault == "shift-range" else (dtype,)
    kind = str(random.choice(other)) if random.integers(0, 3) == 0 else dtype
    return int(draw_bits(random, kind, 1)[0]), kind


def may_alias(case_kinds, name, target, dtype):
    apart = OPS[name].apart
    return not (target == "a2a3" and apart and apart(case_kinds, dtype))


def draw_case(random, name, target, dtype, in_place=None):
    kinds = str(random.choice(OPS[name].kinds))
    open_ = bool(random.integers(0, 3) == 0)
    tiles = draw_shapes(random, kinds, target, dtype, open_)
    if in_place is None:
        in_place = [i for i in range(1, 1 + kinds.count("t")) if may_alias(kinds, name, target, dtype) and random.integers(0, 4) == 0]
    image = bytearray(random.bytes(place_tiles(random, tiles, in_place)))
    for tile in tiles[::-1]:
        image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, dtype, tile.rows * tile.cols).tobytes()
    places = draw_places(kinds, open_)
    return Case(name, target, dtype, tiles, image, kinds, *draw_scalar(random, name, dtype), places)


def draw_places(kinds, open_):
    """Where struct ptog_run has the extents of dst and of the tiles among the sources."""
    places = [place if open_ else -1 for place in [0] + [i + 1 for i, kind in enumerate(kinds) if kind == "t"]]
    return places + [-1] * kinds.count("x")


def sweep_cases(random, name, target, dtype):
    """Every value of a 16-bit type as the first source, four tiles of 128x128."""
    kinds = OPS[name].kinds[0]
    for part in range(4):
        tiles = [Tile(dtype, 128, 128, 128, 128) for _ in range(1 + kinds.count("t"))]
        place_tiles(random, tiles, [1])
        image = bytearray(tiles[-1].addr + tiles[-1].bytes)
        for tile in tiles[2:]:
            image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, dtype, 128 * 128).tobytes()
        image[:tiles[0].bytes] = np.arange(part << 14, part + 1 << 14, dtype=np.uint16).tobytes()
        yield Case(name, target, dtype, tiles, image, kinds, int(draw_bits(random, dtype, 1)[0]), dtype, [-1] * len(tiles))


# ---- the batch program


def words(*values):
    return struct.pack(f"={len(values)}q", *values)


def pack_tile(tile, place):
    fractal = 512 if tile.order == "nz" else 0
    return words(TILE, NUMBER[tile.dtype], tile.rows, tile.cols, tile.vrow, tile.vcol, *ORDER[tile.order], fractal, tile.addr, place)


def pack(case):
    """The other side of tests/conform/tiles_batch.c."""
    tiles = [pack_tile(tile, place) for tile, place in zip(case.tiles, case.places)]
    scalar = words(SCALAR, NUMBER[case.scalar_dtype], case.scalar - (1 << 64 if case.scalar >> 63 else 0))
    operands = [tiles.pop(0)] + [tiles.pop(0) if kind in "tx" else scalar if kind == "s" else words(0, 0) for kind in case.kinds]
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


@dataclass
class Expected:
    places: np.ndarray  # in dst's storage, by row and column
    bits: np.ndarray
    free: np.ndarray    # NaN: any of them
    faults: dict        # how many elements, by id
    ids: set            # what a core reports


def region(case):
    """How many rows and columns are computed, and where in dst's storage they go."""
    dst, op = case.tiles[0], case.op
    a2a3 = case.target == "a2a3"
    if a2a3 and op.idle and has_other_region(case):
        return 0, 0, np.zeros((0, 0), int)
    if a2a3 and op.packed and case.places[0] < 0 and dst.vcol < dst.cols and dst.vrow > 1:
        return dst.vrow, dst.vcol, np.arange(dst.vrow * dst.vcol).reshape(dst.vrow, dst.vcol)
    cols = dst.vcol
    if a2a3 and op.even and dst.size == 1 and cols < dst.cols:
        cols += cols % 2
    return dst.vrow, cols, dst.offsets(dst.vrow, cols)


def has_other_region(case):
    return any((tile.vrow, tile.vcol) != (case.tiles[0].vrow, case.tiles[0].vcol) for tile in case.sources)


def inputs_of(case, rows, cols):
    """The sources as values: float64, or Python integers."""
    tiles, inputs = list(case.sources), []
    for kind in case.kinds.rstrip("x-"):
        if kind == "t":
            tile = tiles.pop(0)
            storage = np.frombuffer(case.image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
            value = decode(case.dtype, storage[tile.offsets(rows, cols)])
        else:
            value = decode(case.scalar_dtype, np.full((rows, cols), case.scalar).astype(bits_type(case.scalar_dtype)))
            value = round_to(case.dtype, value) if is_float(case.dtype) else value
        inputs.append(value if is_float(case.dtype) else value.astype(object))
    return inputs + [np.zeros((rows, cols), inputs[0].dtype)] * (2 - len(inputs))


def compute(case, where, a, b):
    """The bits, and how many elements have no result."""
    if is_float(case.dtype):
        with np.errstate(all="ignore"):
            return encode(case.dtype, case.op.real(where, a, b)), 0
    mask = (1 << where.width) - 1
    pairs = list(zip(a.ravel(), b.ravel()))
    bits = np.array([case.op.whole(where, x, y) & mask for x, y in pairs], np.uint64).astype(bits_type(case.dtype))
    faults = sum(case.op.faults(where, x, y) for x, y in pairs) if case.op.faults else 0
    return bits.reshape(a.shape), faults


def expect(case):
    where = Where(case.target, case.dtype, case.in_place)
    rows, cols, places = region(case)
    bits, faults = compute(case, where, *inputs_of(case, rows, cols))
    free = np.isnan(decode(case.dtype, bits)) if is_float(case.dtype) else np.zeros(bits.shape, bool)
    counts = {case.op.fault: faults} if faults else {}
    ids = set(counts)
    if case.target != "host" and has_other_region(case):
        ids.add("elementwise-shape-late")
    if "s" in case.kinds and is_float(case.dtype) and case.scalar_dtype != case.dtype:
        ids.add("elementwise-scalar-rounded")
    return Expected(places, bits, free, counts, ids)


def close(case, got, want):
    """Bits that are right: equal, or next to each other where the last place is free."""
    return got == want.bits if not case.op.loose else np.abs(got.astype(np.int64) - want.bits.astype(np.int64)) <= 1


def judge_image(case, image, want):
    dst = case.tiles[0]
    kind = bits_type(dst.dtype)
    got = np.frombuffer(image, kind, dst.rows * dst.cols, dst.addr)[want.places]
    nan = np.isnan(decode(case.dtype, got)) if is_float(case.dtype) else np.zeros(got.shape, bool)
    same = np.where(want.free, nan, close(case, got, want))
    if not same.all():
        r, c = (int(i) for i in np.argwhere(~same)[0])
        inputs = [str(value[r, c]) for value in inputs_of(case, *got.shape)]
        return f"({r},{c}) of {', '.join(inputs)} is {int(got[r, c]):#x}, not {int(want.bits[r, c]):#x}"
    rest = np.array(np.frombuffer(case.image, np.uint8))
    rest[dst.addr:dst.addr + dst.bytes].view(kind)[want.places] = got
    return "" if rest.tobytes() == image else "bytes outside dst's region changed"


def judge_plan(case, way, want):
    status = FAULT if want.faults else OK
    if way.status != status or way.faults != want.faults:
        return f"status {way.status}, {way.faults}, not {status}, {want.faults}"
    return judge_image(case, way.image, want)


def judge_core(case, way, want):
    """Of a tmp that a library uses, the contents are lost there."""
    if set(way.faults) != want.ids:
        return f"reports {sorted(way.faults)}, not {sorted(want.ids)}"
    image = bytearray(way.image)
    if case.target == "a2a3" and "x" in case.kinds:
        tmp = slice(case.tiles[-1].addr, case.tiles[-1].addr + case.op.clobbers)
        if any(byte != 0xAA for byte in image[tmp]):
            return "the contents of tmp are not lost"
        image[tmp] = case.image[tmp]
    return judge_image(case, bytes(image), want)


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    want = expect(case)
    found = [(name, judged_by(case, way, want)) for name, way, judged_by in zip(WAYS, ways, (judge_plan, judge_plan, judge_core))]
    return [f"{name}: {problem}" for name, problem in found if problem]


def refused_by(rule):
    def judge_refused(case, result):
        return [] if result[0] == ILLEGAL and rule in result[1] else [f"status {result[0]}, {result[1]}: not refused by {rule}"]
    return judge_refused


# ---- all of it


def cases_of(options, name, target, dtype):
    """(case, judge): of a row of the table so many, of a type that is not in it one. Each row has a seed of its own."""
    random = np.random.default_rng([options.seed, zlib.crc32(f"{name} {target} {dtype}".encode())])
    taken = dtype in OPS[name].types[target]
    for _ in range(options.count if taken else 1):
        yield draw_case(random, name, target, dtype), judge if taken else refused_by("elementwise-dtype")
    if taken and target == "a2a3" and OPS[name].apart:
        case = draw_case(random, name, target, dtype, in_place=[1])
        yield case, judge if may_alias(case.kinds, name, target, dtype) else refused_by("ub-overlap")
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
