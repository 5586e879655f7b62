"""Broadcasts, trowexpand to tcolexpandexpdif: random cases, and what they must give, written from the documents. One source is small:
a column (of one element per row, or of a 32-byte block per row), or a row."""
from dataclasses import replace

import numpy as np

from draw_tiles import Case, draw_bits, draw_tile, place_tiles
from elements import bits_type, decode, encode, is_float, round_to
from facts import A5, FAULT, OK, ORDER, SIZE, TARGETS, Tile
from judge_tiles import refused_by, warned_by
from oracle_tiles import FLOATS, FOUR, INT16, INT32, LESS, MAX, MIN, ORDERED, PRODUCT, QUOTIENT, REALS, SUM, Op, Where

# ---- types: host, cpu, a2a3, a5

SIX = INT16 + INT32 + REALS
NINE = SIX + ("i8", "u8", "bf16")
ALL, NARROW = tuple(SIZE), tuple(d for d in SIZE if SIZE[d] < 8)


def on(host, cpu, a2a3, a5):
    return {"host": host, "cpu": cpu, "cpusim": cpu, "a2a3": a2a3, **{target: a5 for target in A5}}


def difference(where, a, b):
    """The difference is rounded before exp sees it, but not in f32 on a5."""
    rest = a - b
    return np.exp(rest if where.target in A5 and where.dtype == "f32" else round_to(where.dtype, rest))


WITH = {
    "add": Op(on(ORDERED, SIX, FOUR, NINE), **SUM),
    "sub": Op(on(ORDERED, SIX, FOUR, NINE), **LESS),
    "mul": Op(on(ORDERED, SIX + ("u8",), FOUR, NINE), **PRODUCT),
    "max": Op(on(ORDERED, SIX, FOUR, NINE), **MAX),
    "min": Op(on(ORDERED, SIX, FOUR, NINE), **MIN),
    "div": Op(on(ORDERED, SIX, REALS, NINE), real=lambda w, a, b: a / b, **QUOTIENT),
    "expdif": Op(on(FLOATS, REALS, REALS, REALS), real=difference, loose=True),
    "": Op(on(ALL, ALL, NARROW, ALL)),
}
NAMES = tuple(f"t{way}expand{what}" for way in ("row", "col") for what in WITH)


class Expand(Case):
    @property
    def what(self):
        return self.name.split("expand")[1]

    @property
    def op(self):
        return WITH[self.what]

    @property
    def column(self):
        return self.name.startswith("trow")

    @property
    def tmp(self):
        return self.tiles[-1] if "x" in self.kinds else None


# ---- which source is the whole one


def pitch(tile):
    return 1 if tile.order == "col" else tile.cols


def whole_of(case):
    """Its number, 1 or 2: it has dst's region. If both do, it is src0, but on a2a3 without a tmp the one with the wider rows."""
    dst, both = case.tiles[0], case.tiles[1:3]
    fits = [(tile.vrow, tile.vcol) == (dst.vrow, dst.vcol) for tile in both]
    if all(fits) and case.column and case.target == "a2a3" and not case.tmp:
        return 1 if pitch(both[0]) >= pitch(both[1]) else 2
    return 1 if fits[0] else 2 if fits[1] and (case.column or case.target not in ("cpu", "cpusim")) else 0


# ---- what they mean


def spread(case, i, rows, cols):
    """The elements of source `i` for so many rows and columns of dst, as bits."""
    tile = case.tiles[i]
    storage = np.frombuffer(bytes(case.image), bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
    places = tile.offsets(tile.rows, tile.cols)
    r, c = np.indices((rows, cols))
    if i == (1 if case.what == "" else 3 - whole_of(case)):
        if not case.column:
            r = 0 * r
        elif case.what == "" or tile.vcol == 1:
            c = 0 * c
        else:
            c = c % tile.vcol
    return storage[places[r, c]]


def written_cols(case):
    """a2a3: trowexpand writes bytes in pairs, and tcolexpand whole blocks."""
    dst, block = case.tiles[0], 32 // case.tiles[0].size
    if case.target == "a2a3" and case.name == "trowexpand" and dst.size == 1 and dst.vcol < dst.cols:
        return dst.vcol + dst.vcol % 2
    if case.target == "a2a3" and case.name == "tcolexpand":
        return min(-(-dst.vcol // block) * block, dst.cols, case.tiles[1].cols)
    return dst.vcol


def expect(case):
    """The bits of all that is written, and how many elements have no result."""
    dst = case.tiles[0]
    rows, cols = dst.vrow, written_cols(case)
    if case.what == "":
        return spread(case, 1, rows, cols), 0
    where = Where(case.target, case.dtype)
    a, b = (decode(case.dtype, spread(case, i, rows, cols)) for i in (1, 2))
    if is_float(case.dtype):
        with np.errstate(all="ignore"):
            return encode(case.dtype, case.op.real(where, a, b)), 0
    pairs = list(zip(a.astype(object).ravel(), b.astype(object).ravel()))
    bits = [case.op.whole(where, x, y) & (1 << where.width) - 1 for x, y in pairs]
    faults = sum(y == 0 for _, y in pairs) if case.what == "div" else 0
    return np.array(bits, np.uint64).astype(bits_type(case.dtype)).reshape(rows, cols), faults


def tmp_bytes(rows):
    """A block of 32 bytes for each row, 8 rows at a time; 240 of them at once where there are more than 255."""
    return 256 * -(-rows // 8) if rows < 256 else 7680


def uneven_rows(case):
    """Rows of a 32-byte block whose elements differ: the manual has two formulas for them."""
    small = 3 - whole_of(case) if case.what else 0
    if not case.column or small not in (1, 2) or case.tiles[small].vcol == 1:
        return 0
    rows = spread(case, small, case.tiles[0].vrow, min(case.tiles[0].vcol, case.tiles[small].vcol))
    return int((rows != rows[:, :1]).any(axis=1).sum())


def judge_way(case, name, way, want, faults):
    dst, core = case.tiles[0], name == "core"
    ids = {"div-by-zero"} if faults else set()
    uneven = uneven_rows(case)
    if uneven:
        ids.add("expand-block-differs")
    if core and case.column and case.tiles[1 if case.what == "" else 3 - whole_of(case)].vrow > dst.vrow:
        ids.add("expand-rows")
    if set(way.faults) != ids or (not core and (way.faults.get("div-by-zero", 0) != faults or way.status != (FAULT if faults else OK))):
        return f"status {way.status}, reports {way.faults}, not {ids}"
    if not core and way.faults.get("expand-block-differs", 0) != uneven:
        return f"{way.faults}, not {uneven} rows of a block whose elements differ"
    image = np.frombuffer(bytes(way.image), np.uint8).copy()
    before = np.frombuffer(bytes(case.image), np.uint8).copy()
    if core and case.tmp and case.target == "a2a3":
        lost = slice(case.tmp.addr, case.tmp.addr + tmp_bytes(dst.vrow))
        if (image[lost] != 0xAA).any():
            return "the contents of tmp are not lost"
        image[lost] = before[lost]
    kind, places = bits_type(dst.dtype), dst.offsets(*want.shape)
    got = image[dst.addr:dst.addr + dst.bytes].view(kind)[places]
    same = got == want
    if case.what == "expdif":
        same |= np.abs(got.astype(np.int64) - want.astype(np.int64)) <= 1
    if case.what and is_float(case.dtype):
        same |= np.isnan(decode(case.dtype, got)) & np.isnan(decode(case.dtype, want))
    if not same.all():
        r, c = (int(i) for i in np.argwhere(~same)[0])
        return f"({r},{c}) is {int(got[r, c]):#x}, not {int(want[r, c]):#x}"
    before[dst.addr:dst.addr + dst.bytes].view(kind)[places] = got
    return "" if (before == image).all() else "bytes outside dst's region changed"


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    want, faults = expect(case)
    found = [(name, judge_way(case, name, way, want, faults)) for name, way in zip(("plan", "loop", "core"), ways)]
    return [f"{name}: {problem}" for name, problem in found if problem]


# ---- cases


def draw_valid(random, target, dtype, column):
    block = 32 // SIZE[dtype]
    rows = int(random.integers(1, 20) if random.integers(0, 8) else random.integers(230, 300))
    cols = int(random.choice([random.integers(1, 60), random.integers(60, 300), 1, block], p=[0.6, 0.2, 0.1, 0.1]))
    if target in A5 and SIZE[dtype] == 8:
        cols = min(cols, 64)
    if rows > 20:
        cols = min(cols, 40)
    return (min(rows, 255) if not column and target == "a2a3" else rows), cols


def draw_small(random, target, name, dtype, valid):
    """The small source: a column of any of its shapes, or a row."""
    block, soft = 32 // SIZE[dtype], target in ("host", "cpu", "cpusim")
    if name.startswith("tcol"):
        rows = int(random.integers(1, 4))
        order = str(random.choice(list(ORDER))) if target == "host" or (soft and name == "tcolexpand") else "row"
        return draw_tile(random, target, dtype, (rows, valid[1]), order)
    more = valid[0] + int(random.integers(0, 2)) * int(random.integers(0, 2))
    rows = -(-more // block) * block
    if name == "trowexpand" and random.integers(0, 2):
        order = str(random.choice(list(ORDER))) if soft else "row"
        return draw_tile(random, target, dtype, (more, 1 if target in A5 else int(random.integers(1, 9))), order)
    if name != "trowexpand" and random.integers(0, 3) == 0:
        return Tile(dtype, more, block, more, block)
    if target == "host" and random.integers(0, 2):
        return draw_tile(random, target, dtype, (more, 1), str(random.choice(list(ORDER))))
    return Tile(dtype, rows, 1, more, 1, order="col")


def draw_tmp(random, case, small):
    if not case.column or case.what == "" or random.integers(0, 2):
        return []
    if case.target == "a2a3" and small.order != "col":
        return []
    cols = tmp_bytes(case.tiles[0].vrow) + 32 * int(random.integers(0, 3)) if case.target == "a2a3" else 32
    return [Tile("u8", 1, cols, 1, cols)]


def draw_case(random, name, target, dtype):
    valid = draw_valid(random, target, dtype, name.startswith("trow"))
    order = lambda: str(random.choice(list(ORDER))) if target == "host" else "row"  # noqa: E731
    case = Expand(name, target, dtype, [draw_tile(random, target, dtype, valid, order())], None, "t")
    small = draw_small(random, target, name, dtype, valid)
    case.tiles.append(small)
    if case.what:
        whole = draw_tile(random, target, dtype, valid, order())
        if target in A5:
            whole.cols = case.tiles[0].cols
        at = 1 if target in ("cpu", "cpusim") and not case.column else int(random.integers(1, 3))
        case.tiles.insert(at, whole)
        tmp = draw_tmp(random, case, small)
        case.kinds, case.tiles = "tt" + ("x" if tmp else "-") * case.column, case.tiles + tmp
        if case.tiles[whole_of(case)] is not whole:
            return draw_case(random, name, target, dtype)
    open_ = bool(random.integers(0, 3) == 0)
    if open_ and target in A5 and name == "trowexpand":
        open_ = False
    tiles = 1 + case.kinds.count("t")
    case.places = [i if open_ else -1 for i in range(tiles)] + [-1] * case.kinds.count("x")
    in_place = [whole_of(case)] if case.what and random.integers(0, 3) == 0 else []
    case.image = bytearray(random.bytes(place_tiles(random, case.tiles, in_place)))
    if in_place and whole_of(case) != in_place[0]:  # with dst's columns, the other one is the whole now
        return draw_case(random, name, target, dtype)
    for tile in case.tiles[::-1]:
        case.image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, tile.dtype, tile.rows * tile.cols).tobytes()
    case.scalar_dtype = dtype
    return case


def cases(random_of, count, only):
    for name in NAMES:
        for target in TARGETS if only in (None, name) else ():
            taken = WITH[name.split("expand")[1]].types[target]
            for dtype in SIZE:
                random = random_of(f"{name} {target} {dtype}")
                for _ in range(count if dtype in taken else 1):
                    yield draw_case(random, name, target, dtype), judge if dtype in taken else refused_by("elementwise-dtype")


# ---- what the documents state


def stated(name, target, dtype, tiles, values, kinds):
    """A case with these tiles one after the other, and sources that start with these numbers."""
    case = Expand(name, target, dtype, [replace(tile) for tile in tiles], None, kinds, places=[-1] * len(tiles), scalar_dtype=dtype)
    at = 0
    for tile in case.tiles:
        tile.addr, at = at, at + -(-tile.bytes // 32) * 32
    case.image = bytearray(at)
    for tile, value in zip(case.tiles[1:], values):
        data = encode(dtype, np.array(value)).tobytes()
        case.image[tile.addr:tile.addr + len(data)] = data
    return case


def gives(place, value):
    """The oracle and every way give this number at (row, column) of dst."""
    def judge_both(case, result):
        want, _ = expect(case)
        wrong = want[place] != encode(case.dtype, np.array([value]))[0]
        return judge(case, result) + ["the oracle gives another result than the documents"] * bool(wrong)
    return judge_both


def tile(rows, cols, vrow=0, vcol=0, order="row", dtype="f32"):
    return Tile(dtype, rows, cols, vrow or rows, vcol or cols, order=order)


NPU = ("a2a3", "a5")
EVERY = ("host", "cpu") + NPU
COLUMN, BLOCKS = tile(16, 1, order="col"), tile(16, 8)
STATED = [
    # column 9 of a column of 8 takes its column 1
    ("trowexpandadd", EVERY, [tile(16, 32), tile(16, 32), BLOCKS], [[0.0] * 512, list(range(128))], "tt-", gives((2, 9), 17)),
    # src0 is the column
    ("trowexpandsub", EVERY, [tile(16, 32), COLUMN, tile(16, 32)], [[5.0] * 16, [1.0, 2.0] * 256], "tt-", gives((3, 1), 3)),
    ("tcolexpandsub", ("host",) + NPU, [tile(16, 32), tile(1, 32), tile(16, 32)], [[5.0] * 32, [1.0, 2.0] * 256], "tt", gives((3, 1), 3)),
    ("tcolexpandsub", ("cpu",), [tile(16, 32), tile(1, 32), tile(16, 32)], [[], []], "tt", refused_by("expand-operand")),
    ("trowexpandadd", EVERY, [tile(16, 32), tile(16, 32), tile(16, 16, vcol=8)], [[], []], "tt-", refused_by("expand-layout")),
    ("trowexpandadd", EVERY, [tile(16, 32), tile(16, 32, vcol=30), COLUMN], [[], []], "tt-", refused_by("expand-operand")),
    ("trowexpandadd", ("a2a3",), [tile(16, 32), tile(16, 32), BLOCKS, tile(8, 64)], [[], []], "ttx", refused_by("expand-tmp")),
    ("trowexpandadd", ("a5", "cpu", "host"), [tile(16, 32), tile(16, 32), BLOCKS, tile(8, 64)], [[], [1.0] * 128], "ttx", gives((9, 9), 1)),
    # 9 rows want a tmp of 512 bytes
    ("trowexpandmul", ("a2a3",), [tile(16, 32, vrow=9), tile(16, 32, vrow=9), tile(16, 1, vrow=9, order="col"), tile(1, 128)],
     [[3.0] * 512, [2.0] * 16], "ttx", gives((8, 31), 6)),
    ("trowexpandmul", ("a2a3",), [tile(16, 32, vrow=9), tile(16, 32, vrow=9), tile(16, 1, vrow=9, order="col"), tile(1, 120)],
     [[], []], "ttx", warned_by("expand-tmp-size")),
    # 256 rows want 7680 bytes
    ("trowexpandmul", ("a2a3",), [tile(256, 8), tile(256, 8), tile(256, 1, order="col"), tile(1, 1920)],
     [[3.0] * 2048, [2.0] * 256], "ttx", gives((255, 7), 6)),
    ("trowexpandmul", ("a2a3",), [tile(256, 8), tile(256, 8), tile(256, 1, order="col"), tile(1, 1912)], [[], []], "ttx",
     warned_by("expand-tmp-size")),
    ("tcolexpandadd", ("a2a3",), [tile(256, 32), tile(256, 32), tile(1, 32)], [[], []], "tt", refused_by("expand-limit")),
    ("tcolexpandadd", ("a5", "cpu"), [tile(256, 32), tile(256, 32), tile(1, 32)], [[], [4.0] * 32], "tt", gives((255, 3), 4)),
    ("tcolexpandadd", ("a2a3",), [tile(256, 32, vcol=31), tile(256, 32, vcol=31), tile(1, 32)], [[], [4.0] * 32], "tt", gives((255, 3), 4)),
    ("trowexpandadd", ("a5",), [tile(16, 32), tile(16, 64, vcol=32), COLUMN], [[], []], "tt-", refused_by("expand-pitch")),
    ("trowexpandadd", ("a2a3",), [tile(16, 32), tile(16, 64, vcol=32), COLUMN], [[], [7.0] * 16], "tt-", gives((15, 31), 7)),
    ("trowexpandexpdif", EVERY, [tile(16, 32), tile(16, 32), COLUMN], [[1.0] * 512, [1.0] * 16], "tt-", gives((0, 5), 1)),
]


def other_types():
    """What the documents state of other types."""
    for name in ("trowexpand", "tcolexpand"):
        wide = [tile(16, 68, vcol=65, dtype="i64"), tile(16, 1, order="col", dtype="i64") if name == "trowexpand" else tile(1, 68, vcol=65, dtype="i64")]
        yield stated(name, "a5", "i64", wide, [[]], "t"), refused_by("reduce-wide")
    odd = [tile(4, 32, vcol=3, dtype="u8"), tile(32, 1, vrow=4, order="col", dtype="u8")]
    for target in EVERY:
        yield stated("trowexpand", target, "u8", odd, [[1, 2, 3, 4]], "t"), gives((3, 2), 4)


def beside_itself(name, tiles):
    """dst is the small source."""
    case = stated(name, "a2a3", "f32", tiles, [[], []], "tt-" if name.startswith("trow") else "tt")
    case.tiles[2].addr = case.tiles[0].addr
    return case, refused_by("ub-overlap")


def stated_cases(only):
    for name, targets, tiles, values, kinds, judged_by in STATED:
        if only in (None, name):
            yield from ((stated(name, target, "f32", tiles, values, kinds), judged_by) for target in targets)
    if only is None:
        yield from other_types()
        yield beside_itself("trowexpandadd", [tile(16, 8), tile(16, 8), BLOCKS])
        yield beside_itself("tcolexpandadd", [tile(16, 8), tile(16, 8), tile(1, 8)])
