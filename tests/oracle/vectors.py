"""The vector instructions that random programs draw: one row each, in TABLE at the end.

A row has a name, the operands after dst, the types by target, and a family. To add an instruction of a family that is here,
add a row. To add a family, write a class with the methods of Family and give it to its rows: then the mutants of run.py, the
automatic flags of tests/pto/auto.py, and tests/pto/pairs.py and witnesses.py draw the instruction too.

What an instruction gives is asked of the oracles in tests/conform, which were written from the documents."""
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "conform"))
import generate_tiles  # noqa: E402
import judge_tiles  # noqa: E402
import masks_tiles  # noqa: E402
import oracle_cvt  # noqa: E402
from draw_tiles import Case, may_alias  # noqa: E402
from elements import bits_type, decode, encode, is_float  # noqa: E402
from facts import CMP, SIZE, Tile  # noqa: E402
from oracle_tiles import OPS, uses_tmp  # noqa: E402
from places import overlap, reached_overlap, read_first, same_place  # noqa: E402

MACHINES = ("a2a3", "a5", "a5-custom")


class Mode(NamedTuple):
    """An attribute: as it is written among the sources and behind the destinations, and its numbers in struct ptog_insn."""
    inside: str = ""
    behind: str = ""
    numbers: tuple = ()


@dataclass
class Row:
    name: str
    family: "Family"
    types: Callable              # of a target: the types that dst may have, or what the family makes of them
    kinds: tuple = ("tt",)       # operands after dst, as text and struct have them: t tile, m mask, s scalar, x tmp, - no tmp
    modes: tuple = (Mode(),)
    weight: int = 1              # how often it is drawn: more, where it has phases and flags of its own
    calm: tuple = ()             # types for which it makes of numbers from 0 to 7 such numbers, the same on every target

    @property
    def reads_dst(self):
        return self.name in OPS and OPS[self.name].reads_dst

    def scalar_type(self, dtype):
        """The type of the number that goes with data of a type."""
        if self.family.names_place:
            return "index"
        return "i32" if self.name == "ttri" else dtype

    def line(self, mode, operands, dst):
        """The text. `operands`: (value, type) of the sources; `dst`: "value : type"."""
        values, types = (", ".join(words) for words in zip(*operands))
        return f"pto.{self.name} ins({values}{mode.inside} : {types}) outs({dst}){mode.behind}"


class Shape(NamedTuple):
    """A tile as a family wants it."""
    dtype: str
    rows: int
    cols: int
    vrow: int
    vcol: int
    order: str = "row"
    pad: int = 0


class Piece(NamedTuple):
    """Elements of an operand: the bytes at `places`, each so many, and for a write what comes there."""
    operand: int                 # 0: dst, then the tiles among the sources in their order; -1: tmp
    places: np.ndarray           # addresses
    size: int
    bits: np.ndarray = None
    needs: tuple = ()            # of a write: for each element what it was computed from, in the order of reading
    step: int = -1               # which step does it; -1: as the steps say
    is_padding: bool = False     # of a write: the bytes are nobody's result


class Need(NamedTuple):
    """An element for each one of a write."""
    places: np.ndarray           # addresses, in the shape of the write's places; below 0: none
    size: int
    bit: np.ndarray = None       # of a mask: the bit that is read
    makes: int = None            # of a mask that is written: the bit that is made


@dataclass
class Effect:
    """What an instruction touches, and what it gives."""
    reads: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    lost: int = 0                # bytes of tmp that are written over
    scratch: int = 0             # bytes of the library's scratch memory that are
    ids: set = field(default_factory=set)
    free: bool = False           # a NaN, or a last place that is free: bytes are not compared


class Step(NamedTuple):
    """Of an instruction with more than one phase, or on another pipe."""
    pipe: str
    works: bool = True           # reads its sources and writes dst
    tmp: bool = True             # writes tmp, if there is one
    reads: bool = True           # where only one of both is done: reads its sources,
    writes: bool = True          # ... writes dst


class Chain(NamedTuple):
    """The flags of an instruction's own, id 0, around its steps."""
    steps: tuple = (Step("V"),)
    before: tuple = ()
    between: tuple = ()          # after the first step
    after: tuple = ()


ON_V = Chain()


# ---- families ----

def block(dtype):
    return 32 // SIZE[dtype]


def tile_of(shape):
    """As tests/conform has it."""
    return Tile(*shape[:6], pad=shape.pad)


def region(tile, rows, cols):
    """Addresses of the first rows x cols elements."""
    return tile.addr + tile.offsets(rows, cols) * tile.size


class Family:
    case = Case                  # how tests/conform sees it
    steps = None                 # how a dst that overlaps a source is written, places.read_first(); None: it is refused
    by_source = False            # its type is that of the first source, not of dst
    leaves_rest = False          # it leaves alone what lies behind the valid regions, places.reach()
    names_place = False          # its numbers are rows and columns

    def operands(self, rng, row, target, dtype):
        """The kinds of its operands after dst: one of the row's, where a tmp may be left out with one or without."""
        kinds = rng.choice(row.kinds)
        return kinds.replace("-", rng.choice("-x")) if target == "a2a3" else kinds

    def mode(self, rng, row, kinds):
        """Which of the row's modes."""
        return rng.randrange(len(row.modes))

    def numbers(self, rng, row, target, shapes):
        """The numbers among its operands, where there are several."""
        return ()

    def shapes(self, rng, row, target, dtype, kinds):
        """Tiles for dst, the tile sources and tmp."""
        raise NotImplementedError

    def effect(self, case):
        raise NotImplementedError

    def refusals(self, case):
        """Ids of rules that a mutant may break."""
        yield from self.overlaps(case)

    def warnings(self, case):
        """Ids of what is said of an instruction that runs all the same."""
        return ()

    def chain(self, case):
        return ON_V

    def in_place(self, case, source):
        """May the source (from 1 on) be dst?"""
        return False

    def writes_tmp(self, case):
        """Does the target's library use the tmp that is given?"""
        return True

    def meet(self, a, b):
        return reached_overlap(a, b) if self.leaves_rest else overlap(a, b)

    def overlaps(self, case):
        dst = case.tiles[0]
        for n, tile in enumerate(case.tiles[1:], 1):
            if n == len(case.tiles) - 1 and case.kinds[-1] == "x" and not self.writes_tmp(case):
                continue
            is_source = n <= case.kinds.count("t") + case.kinds.count("m")
            harmless = same_place(dst, tile) or self.steps and read_first(dst, tile, self.steps)
            if self.meet(dst, tile) and not (is_source and harmless and self.in_place(case, n)):
                yield "ub-overlap"


def drawn_region(rng, dtype, most=3):
    """Rows, columns and valid columns of a small tile."""
    rows, cols = rng.randint(1, most), block(dtype) * rng.choice((1, 1, 2))
    return rows, cols, cols if rng.random() < 0.6 else rng.randint(1, cols)


def tmp_shape(dtype, rows, cols, least=32):
    """A tmp of at least so many bytes, its rows whole blocks."""
    cols = -(-cols // block(dtype)) * block(dtype)
    while rows * cols * SIZE[dtype] < least:
        cols += block(dtype)
    return Shape(dtype, rows, cols, rows, cols)


class Elementwise(Family):
    """dst[r,c] = lane(src[r,c], ...): all tiles alike."""
    steps = "packed"
    leaves_rest = True

    def writes_tmp(self, case):
        return uses_tmp(case.name, case.target, case.dtype)

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        tiles = [Shape(dtype, rows, cols, rows, vcol) for _ in range(1 + kinds.count("t"))]
        return tiles + self.tmp(row, target, tiles[0]) * kinds.count("x")

    def operands(self, rng, row, target, dtype):
        kinds = super().operands(rng, row, target, dtype)
        if row.name in ("tpow", "tpows") and dtype[0] in "iu":  # text takes no tmp there
            return kinds.replace("x", "-")
        return kinds

    def tmp(self, row, target, dst):
        op, like = OPS[row.name], tile_of(dst)
        if not uses_tmp(row.name, target, dst.dtype):
            return [tmp_shape(dst.dtype, 1, 8)]
        shape = tmp_shape(*op.tmp(like))
        shape = tmp_shape(*shape[:3], op.lost(like, tile_of(shape)))
        if target == "a2a3" and row.name in ("tpow", "tpows"):  # the library asks for dst's valid shape
            return [shape._replace(rows=max(shape.rows, dst.vrow), cols=max(shape.cols, dst.cols), vrow=dst.vrow, vcol=dst.vcol)]
        return [shape]

    def in_place(self, case, source):
        return may_alias(case, source)

    def effect(self, case):
        want, dst, op = judge_tiles.expect(case), case.tiles[0], case.op
        effect = Effect(ids=want.ids, free=bool(want.free.any()) or op.loose, lost=judge_tiles.lost_bytes(case))
        for n, tile in enumerate(case.sources, 1):
            effect.reads.append(Piece(n, region(tile, *self.read(case, tile)), tile.size))
        if op.reads_dst:
            effect.reads.append(Piece(0, region(dst, dst.vrow, dst.vcol), dst.size))
        kept = judge_tiles.written(case, *want.places.shape)
        needs = tuple(Need(need.places[kept], need.size) for need in self.needs(case, want.places.shape))
        effect.writes.append(Piece(0, dst.addr + want.places[kept] * dst.size, dst.size, want.bits[kept], needs))
        effect.writes += self.spoiled(case)
        return effect

    def needs(self, case, shape):
        """The elements of the sources in the same place; past the valid ones of dst nothing is asked."""
        dst = case.tiles[0]
        for tile in [*case.sources, *[dst] * case.op.reads_dst]:
            rows, cols = (min(tile.vrow, dst.vrow), min(tile.vcol, dst.vcol)) if case.op.part else (dst.vrow, dst.vcol)
            places = np.full(shape, -1)
            places[:rows, :cols] = region(tile, rows, cols)
            yield Need(places, tile.size)

    def read(self, case, tile):
        dst = case.tiles[0]
        return min(tile.vrow, dst.vrow), min(tile.vcol, dst.vcol)

    def spoiled(self, case):
        """What a2a3 leaves of integers in their place."""
        dst = case.tiles[0]
        for n, (tile, leaves) in enumerate(zip(case.sources, case.op.spoils), 1):
            if case.target == "a2a3" and not is_float(case.dtype):
                bits = judge_tiles.bits_of(case, tile, dst.vrow, dst.vcol)
                left = [leaves(int(x)) & 0xFFFFFFFF for x in decode(tile.dtype, bits).ravel()]
                places = region(tile, dst.vrow, dst.vcol)
                yield Piece(n, places, tile.size, np.array(left).astype(bits.dtype).reshape(bits.shape), (Need(places, tile.size),))

    def refusals(self, case):
        dst = case.tiles[0]
        yield from self.overlaps(case)
        if any((tile.vrow, tile.vcol) != (dst.vrow, dst.vcol) for tile in case.sources):
            yield "elementwise-shape"
        if case.kinds[-1] == "x" and uses_tmp(case.name, case.target, case.dtype) and case.tiles[-1].bytes < self.tmp_need(case):
            yield "elementwise-tmp-size"
        if case.kinds[-1] == "x" and case.target == "a2a3" and not self.tmp_valid_fits(case):
            yield "elementwise-tmp-valid"

    def tmp_valid_fits(self, case):
        dst, tmp = case.tiles[0], case.tiles[-1]
        if case.name == "tprelu":
            return 8 * tmp.vcol >= dst.vcol
        return case.name not in ("tpow", "tpows") or (tmp.vrow, tmp.vcol) == (dst.vrow, dst.vcol)

    def tmp_need(self, case):
        dst, tmp = case.tiles[0], case.tiles[-1]
        if case.name == "tprelu":
            return (dst.vrow + 1) * max(tmp.cols, -(-dst.vcol // 8))
        if case.name in ("trem", "trems", "trsqrt"):
            _, rows, cols = case.op.tmp(dst)
            return rows * cols * dst.size
        return case.op.lost(dst, tmp)

    def chain(self, case):
        """Section "Phases" of the description: by element on S, or S after V."""
        name, is_a2a3, whole = case.name, case.target == "a2a3", not is_float(case.dtype)
        around = dict(before=(("V", "S"),), after=(("S", "V"),) if is_a2a3 else ())
        if name in ("tdivs", "trecip") and whole and SIZE[case.dtype] in (2, 4):
            return Chain((Step("S"),), **around)
        if is_a2a3 and (name in ("tshl", "tshr") or name in ("tpow", "tpows") and whole):
            return Chain((Step("S"),), **around)
        if is_a2a3 and name in ("tpow", "tpows"):
            return Chain((Step("V"), Step("S", tmp=False)), between=(("V", "S"),), after=(("S", "V"),))
        return ON_V


class Parts(Elementwise):
    """One of two sources is smaller than dst."""
    steps = None

    def shapes(self, rng, row, target, dtype, kinds):
        tiles = super().shapes(rng, row, target, dtype, kinds)
        n = rng.choice((1, 2))
        tiles[n] = tiles[n]._replace(vrow=rng.randint(1, tiles[n].vrow), vcol=rng.randint(1, tiles[n].vcol))
        return tiles

    def refusals(self, case):
        dst, sources = case.tiles[0], case.sources
        yield from self.overlaps(case)
        fits = all(tile.vrow <= dst.vrow and tile.vcol <= dst.vcol for tile in sources)
        if not fits or not any((tile.vrow, tile.vcol) == (dst.vrow, dst.vcol) for tile in sources):
            yield "tpart-shape"


class Convert(Elementwise):
    """dst is of another type: types are pairs."""

    def shapes(self, rng, row, target, dtype, kinds):
        source, to = dtype
        rows, cols, vcol = drawn_region(rng, min(dtype, key=lambda d: SIZE[d]))
        tiles = [Shape(to, rows, cols, rows, vcol), Shape(source, rows, cols, rows, vcol)]
        return tiles + [Shape("u8", 1, 1024, 1, 1024)] * kinds.count("x")

    def in_place(self, case, source):
        return True  # of one size: same_place() asks for that

    def writes_tmp(self, case):
        return case.target == "a2a3"

    def overlaps(self, case):
        dst, src = case.tiles[:2]
        narrows = dst.addr == src.addr and dst.size <= src.size and dst.cols * dst.size <= src.cols * src.size
        if self.meet(dst, src) and not narrows or self.writes_tmp(case) and any(self.meet(dst, tmp) for tmp in case.tiles[2:]):
            yield "ub-overlap"

    def tmp_need(self, case):
        return oracle_cvt.tmp_bytes(case)


def mask_bytes(target, dtype, cols):
    """How many bytes of a row of a mask are written for so many columns."""
    step = 64 if target == "a2a3" and SIZE[dtype] == 4 else 256 if target != "a2a3" and SIZE[dtype] == 1 else 128
    return -(-cols // step) * step // 8


class Compare(Family):
    """A bit for each element: dst is a mask."""
    by_source = True

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        mask = Shape("u8", rows, 32, rows, mask_bytes(target, dtype, vcol))
        return [mask] + [Shape(dtype, rows, cols, rows, vcol)] * kinds.count("t")

    def effect(self, case):
        dst, a = case.tiles[:2]
        after, over = masks_tiles.expect_compare(case)
        count, pitch = mask_bytes(case.target, case.dtype, a.vcol), dst.cols * dst.size
        wide = max(count, pitch) if case.target == "a2a3" and case.attrs[0] == CMP["ne"] else count
        places = np.array([[r * pitch + k for k in range(wide)] for r in range(a.vrow)])
        effect = Effect(ids={"tile-overrun"} if over else set())
        effect.reads = [Piece(n, region(tile, a.vrow, a.vcol), tile.size) for n, tile in enumerate(case.tiles[1:], 1)]
        effect.writes = [Piece(0, dst.addr + places, 1, after[places] if not over else None, tuple(self.needs(case, places.shape)))]
        return effect

    def needs(self, case, shape):
        """Each bit has elements of its own; those past the valid columns have none."""
        a = case.tiles[1]
        for bit in range(8):
            for tile in case.tiles[1:]:
                places = np.full(shape, -1)
                columns = region(tile, a.vrow, a.vcol)[:, bit::8]
                places[:, :columns.shape[1]] = columns
                yield Need(places, tile.size, makes=bit)

    def refusals(self, case):
        dst, a = case.tiles[:2]
        yield from self.overlaps(case)
        if any((tile.vrow, tile.vcol) != (a.vrow, a.vcol) for tile in case.tiles[2:]):
            yield "mask-shape"
        if dst.rows < a.vrow:
            yield "tcmp-mask-room"

    def warnings(self, case):
        if case.target == "a2a3" and case.dtype == "i32" and case.attrs[0] not in (CMP["eq"], CMP["ne"]):
            yield "tcmp-order"


class Select(Family):
    """One of two elements, by a bit."""

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        tile, mask = Shape(dtype, rows, cols, rows, vcol), Shape("u8", rows, 32, rows, mask_bytes(target, dtype, vcol))
        return [tile, mask] + [tile] * kinds.count("t") + [Shape("u8", 1, 32, 1, 32)] * kinds.count("x")

    def in_place(self, case, source):
        return source > 1

    def writes_tmp(self, case):
        return case.target == "a2a3"

    def effect(self, case):
        dst, mask = case.tiles[:2]
        after, _ = masks_tiles.expect_select(case)
        bits = after.view(bits_type(dst.dtype))[dst.offsets(dst.vrow, dst.vcol)]
        rows, cols = np.indices((dst.vrow, -(-dst.vcol // 8)))
        effect = Effect(lost=32 if case.target == "a2a3" else 0)
        effect.reads = [Piece(1, mask.addr + rows * mask.cols + cols, 1)]
        effect.reads += [Piece(n, region(case.tiles[n], dst.vrow, dst.vcol), dst.size) for n in range(2, 2 + case.kinds.count("t"))]
        effect.writes = [Piece(0, region(dst, dst.vrow, dst.vcol), dst.size, bits, tuple(self.needs(case)))]
        return effect

    def needs(self, case):
        """The bit, and of the two elements the one that it picks."""
        dst, mask = case.tiles[:2]
        rows, cols = np.indices((dst.vrow, dst.vcol))
        at = mask.addr + rows * mask.cols + cols // 8
        picked = np.frombuffer(bytes(case.image), np.uint8)[at] >> cols % 8 & 1
        yield Need(at, 1, cols % 8)
        for n, tile in enumerate(case.tiles[2:2 + case.kinds.count("t")]):
            yield Need(np.where(picked != n, region(tile, dst.vrow, dst.vcol), -1), dst.size)

    def refusals(self, case):
        dst, mask = case.tiles[:2]
        yield from self.overlaps(case)
        if any((tile.vrow, tile.vcol) != (dst.vrow, dst.vcol) for tile in case.tiles[2:2 + case.kinds.count("t")]):
            yield "mask-shape"
        if mask.rows < dst.vrow:
            yield "tsel-mask-room"

    def chain(self, case):
        """tsels on a2a3: S puts the scalar into tmp."""
        if case.name == "tsels" and case.target == "a2a3":
            return Chain((Step("S", works=False), Step("V", tmp=False)), between=(("S", "V"),))
        return ON_V


class Generate(Family):
    """Numbers by their place."""
    leaves_rest = True

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype, 1 if row.name == "tci" else 3)
        tmp = [Shape("u8", 1, 2560, 1, 2560)] * kinds.count("x")
        return [Shape(dtype, rows, cols, rows, vcol), *tmp]

    def effect(self, case):
        dst = case.tiles[0]
        values, written = generate_tiles.numbers(case)
        effect = Effect(lost=generate_tiles.lost(case))
        effect.writes = [Piece(0, region(dst, dst.vrow, dst.cols)[written], dst.size, values[written])]
        return effect

    def writes_tmp(self, case):
        return case.target == "a2a3"

    def chain(self, case):
        """tci goes element by element on S, but for a2a3 with a tmp; no flag orders that."""
        on_s = case.name == "tci" and not (case.target == "a2a3" and "x" in case.kinds)
        return Chain((Step("S"),)) if on_s else ON_V


# ---- rows ----

ELEMENTWISE, PARTS, CONVERT, COMPARE, SELECT, GENERATE = Elementwise(), Parts(), Convert(), Compare(), Select(), Generate()
DRAWN = ("i8", "u8", "i16", "u16", "i32", "u32", "f16", "bf16", "f32")  # those that kernels of this folder have


def of_conform(name):
    return lambda target: [dtype for dtype in DRAWN if dtype in OPS[name].types[target]]


def of_masks(name):
    return lambda target: [dtype for dtype in DRAWN if dtype in masks_tiles.types_of(name, target)]


def of_generate(name):
    return lambda target: [dtype for dtype in DRAWN if dtype in generate_tiles.types_of(name, target) and not is_float(dtype)]


def pairs(target):
    return [(source, to) for source in DRAWN for to in DRAWN if oracle_cvt.converts(target, source, to)]


def like(name, family=ELEMENTWISE, weight=1, calm=()):
    """A row whose operands and types are those of tests/conform."""
    return Row(name, family, of_conform(name), OPS[name].kinds, weight=weight, calm=calm)


BOTH, WORDS, FLOATS = ("i32", "f32"), ("i32",), ("f32",)
ROUND = tuple(Mode(f" {{rmode = #pto<round_mode {word}>, satmode = #pto<saturation_mode {sat}>}}", "", (n, k))
              for n, word in ((1, "RINT"), (2, "ROUND"), (5, "TRUNC")) for k, sat in enumerate(("ON", "OFF")))
ORDERS = tuple(Mode(f" {{cmpMode = #pto<cmp {word}>}}", "", (number,)) for word, number in CMP.items())
DOWN = (Mode("", "", (0,)), Mode("", " {descending = true}", (1,)))
SIDES = tuple(Mode(f" {{upperOrLower = {n} : i32}}", "", (n,)) for n in (0, 1))

from broadcasts import BROADCASTS  # noqa: E402  (they need the families above)
from moves import MOVES  # noqa: E402
from reductions import REDUCTIONS  # noqa: E402
from scatters import SCATTERS  # noqa: E402

TABLE = [
    like("tadd", calm=FLOATS), like("tsub", calm=FLOATS), like("tmul"), like("tmax", calm=BOTH), like("tmin", calm=BOTH),
    like("tdiv"), like("tfmod"), like("tand", calm=WORDS), like("tor", calm=WORDS), like("tshl", weight=4), like("tshr", weight=4),
    like("tadds", calm=FLOATS), like("tsubs"), like("tmuls"), like("tmaxs", calm=BOTH), like("tmins", calm=BOTH),
    like("tdivs", weight=4, calm=WORDS), like("tfmods"), like("tands", calm=WORDS), like("tors", calm=WORDS), like("tshls"), like("tshrs", calm=WORDS), like("tlrelu"),
    like("texp"), like("tlog"), like("tsqrt"), like("trsqrt"), like("trecip", weight=4), like("tneg", calm=FLOATS),
    like("tabs", calm=FLOATS), like("trelu", calm=BOTH), like("tnot"), like("texpands", calm=BOTH), like("trem"), like("trems"),
    like("txor", calm=WORDS), like("txors", calm=WORDS), like("tprelu"), like("tpow", weight=4), like("tpows", weight=4), like("taxpy"), like("tfusedmuladd"), like("tmuladddst"), like("tsubrelu"),
    like("tpartadd", PARTS, calm=FLOATS), like("tpartmul", PARTS), like("tpartmax", PARTS, calm=BOTH), like("tpartmin", PARTS, calm=BOTH),
    Row("tcvt", CONVERT, pairs, ("t-", "tx"), ROUND),
    Row("tcmp", COMPARE, of_masks("tcmp"), ("tt",), ORDERS),
    Row("tcmps", COMPARE, of_masks("tcmps"), ("ts",), ORDERS),
    Row("tsel", SELECT, of_masks("tsel"), ("mttx",), calm=BOTH),
    Row("tsels", SELECT, of_masks("tsels"), ("mtxs",), weight=4, calm=BOTH),
    Row("tci", GENERATE, of_generate("tci"), ("s-", "sx"), DOWN, weight=4),
    Row("ttri", GENERATE, of_generate("ttri"), ("s",), SIDES),
    *BROADCASTS, *MOVES, *REDUCTIONS, *SCATTERS,
]
ROWS = {row.name: row for row in TABLE}


def case_of(row, target, tiles, image, kinds, scalar, mode, place=()):
    """What the families look at. `tiles`: dst, the sources and tmp; `scalar`: a number; `place`: several."""
    dtype = tiles[row.family.by_source].dtype
    kind = row.scalar_type(dtype)
    bits = 0 if row.family.names_place else int(encode(kind, np.array([scalar]))[0])
    kinds = kinds if row.family is SELECT else kinds.replace("m", "t")
    case = row.family.case(row.name, target, dtype, tiles, image, kinds, bits, kind, [-1] * len(tiles), mode.numbers)
    case.scalars = list(place)
    return case


def small_numbers(rng, dtype, count, most=6):
    """Small numbers as bytes: nothing overflows, and nothing is divided by zero."""
    return encode(dtype, np.array([rng.randint(1, most) for _ in range(count)])).tobytes()
