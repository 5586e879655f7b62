"""tmov, textract, tinsert, tfillpad, ttrans, tconcat and tconcatidx: random cases, and what they must give, written from the
documents: dst is an array of bits that the instruction copies into, and each target has its own way with the ends of rows."""
import itertools

import numpy as np

from draw_tiles import Case, draw_bits, place_tiles
from elements import bits_type, encode, is_float
from facts import A5, FAULT, OK, ORDER, SIZE, TARGETS, Tile
from judge_tiles import refused_by
from oracle_tiles import INTEGERS

SOFT, NPU = ("cpu", "cpusim"), ("a2a3", *A5)
NINE = ("i8", "u8", "i16", "u16", "i32", "u32", "f16", "bf16", "f32")
ALL = tuple(SIZE)
NARROW = tuple(dtype for dtype in ALL if SIZE[dtype] < 8)
WINDOWS = ("i8", "i32", "f16", "bf16", "f32", "f8e4m3", "f8e5m2", "hif8")
FILLS = ("tfillpad", "tfillpad_inplace", "tfillpad_expand")
JOINS = ("tconcat", "tconcatidx")
NAMES = ("tmov", "textract", "tinsert", *FILLS, "ttrans", *JOINS)
ZERO, MAX, MIN = 1, 2, 3
LOST = 0xAA


def types_of(name, target):
    if target == "host":
        return ALL
    if name in JOINS:
        return NINE
    if name in FILLS:
        return NARROW
    if target in SOFT or (name == "tmov" and target == "a2a3"):
        return ALL
    return WINDOWS if name in ("textract", "tinsert") and target in A5 else NARROW


def blocks(count, step):
    return -(-count // step) * step


# ---- cases


class Draw:
    """Random tiles of one type for one target."""

    def __init__(self, random, target, dtype):
        self.random, self.target, self.dtype = random, target, dtype
        self.c0 = 32 // SIZE[dtype]

    def number(self, low, high):
        return int(self.random.integers(low, high + 1))

    def order(self, *npu):
        return str(self.random.choice(npu or ["row"] if self.target in NPU else list(ORDER)))

    def tile(self, rows, cols, order="row", valid=None, dtype=None):
        """Padded up to whole blocks; of which so much is valid."""
        c0 = 32 // SIZE[dtype or self.dtype]
        wide = blocks(cols, c0) if order != "col" or self.target not in NPU or cols > 1 else 1
        tall = blocks(rows, 16) if order == "nz" else blocks(rows, c0) if wide == 1 else rows
        return Tile(dtype or self.dtype, tall, wide, *(valid or (rows, cols)), order=order)

    def less(self, tile):
        tile.vrow, tile.vcol = self.number(1, tile.vrow), self.number(1, tile.vcol)

    def pad(self):
        return self.number(ZERO, MIN)


def draw_tmov(d):
    order = d.order("row", "row", "col")
    one = d.target in NPU and order == "col"
    rows, cols = d.number(1, 9), 1 if one else d.number(1, 40)
    if d.target in A5 and not one and d.random.integers(0, 4) == 0:  # row-major to NZ
        src = d.tile(rows, cols)
        return [Tile(d.dtype, blocks(rows, 16), src.cols, rows, cols, order="nz"), src], []
    dst = d.tile(rows, cols, order)
    src = d.tile(rows, cols, order if d.target in NPU else d.order())
    if d.target == "host" or d.target in A5:
        src = d.tile(d.number(1, 9), 1 if one else d.number(1, 40), src.order)
    if d.target == "a2a3" and d.random.integers(0, 2):
        dst.vcol = dst.cols  # all of it: whole rows are copied, if that is known before
    if d.target not in SOFT:
        d.less(src)
        if dst.vcol < dst.cols or d.random.integers(0, 2):
            d.less(dst)
    return [dst, src], [1] * int(d.random.integers(0, 4) == 0 and (dst.rows, dst.cols, dst.order) == (src.rows, src.cols, src.order))


def draw_window(d, name):
    """The window at a place that the target takes; one element may lie anywhere."""
    order = d.order("row", "nz")
    rows, cols = d.number(1, 20), d.number(1, 40)
    whole = d.tile(rows, cols, order)
    one = d.random.integers(0, 4) == 0
    step = (16 if order == "nz" else 1, whole.cols and d.c0) if d.target == "a2a3" and not one else (1, 1)
    row, col = (d.number(0, (n - 1) // s) * s for n, s in zip((rows, cols), step))
    valid = (1, 1) if one else (d.number(1, rows - row), d.number(1, cols - col))
    if d.target == "a2a3" and not one and SIZE[d.dtype] == 1:
        valid = valid[0], valid[1] + valid[1] % 2 if valid[1] + col < whole.cols else max(2, valid[1] - valid[1] % 2)
        if valid[1] + col > whole.cols:
            col, valid = 0, (valid[0], 2)
    part = d.tile(*valid, order if d.target in NPU else d.order())
    if d.target in SOFT and name == "textract":
        whole.vrow, whole.vcol = max(whole.vrow, row + valid[0]), max(whole.vcol, col + valid[1])
    return ([part, whole] if name == "textract" else [whole, part]), [row, col]


def draw_fill(d, name):
    order = d.order()
    src = d.tile(d.number(1, 9), d.number(1, 40), order)
    src.rows, src.cols = src.rows + d.number(0, 2) * (order != "nz"), src.cols + d.number(0, 1) * d.c0
    dst = Tile(**{**src.__dict__, "pad": d.pad()})
    if name == "tfillpad_expand":
        more = (d.number(0, 1) * 16, d.number(0, 2) * d.c0)
        dst.rows, dst.cols = dst.rows + more[0], dst.cols + more[1]
    src.pad = d.number(0, 1) * dst.pad
    dst.vrow = d.number(src.vrow, dst.rows)
    dst.vcol = d.number(1, dst.cols)
    in_place = name == "tfillpad_inplace" and d.target in NPU or d.random.integers(0, 3) == 0
    return [dst, src], [1] * int(in_place and (dst.rows, dst.cols) == (src.rows, src.cols))


def draw_ttrans(d):
    src = d.tile(d.number(1, 40), d.number(1, 40), d.order())
    d.less(src)
    dst = d.tile(blocks(src.vcol, d.number(1, 3)), src.vrow + d.number(0, 1) * d.c0, d.order())
    y = 32 if SIZE[d.dtype] == 1 else 16
    if d.random.integers(0, 2):
        dst.cols = blocks(dst.cols, y)
    elements = blocks(src.vcol, d.c0) * blocks(src.vrow, y)
    return [dst, src, Tile(d.dtype, 1, elements, 1, elements)]


def draw_join(d, name):
    rows, cols = d.number(1, 9), [d.number(1, 40), d.number(1, 40)]
    if d.random.integers(0, 3) == 0:
        cols[0] = blocks(cols[0], d.c0)
    orders = [d.order() for _ in range(3)]
    sources = [d.tile(rows, n, order) for n, order in zip(cols, orders)]
    dst = d.tile(rows, sum(cols), orders[2])
    if d.target == "a2a3":
        dst.vcol = d.number(1, dst.cols)
    if name == "tconcat":
        return [dst, *sources]
    if d.target not in SOFT:
        dst.vcol = d.number(1, dst.cols)
    kinds = INTEGERS if d.target == "host" else INTEGERS[:6]
    counts = [d.tile(rows, d.number(1, 9), dtype=str(d.random.choice(kinds))) for _ in range(2)]
    return [dst, *sources, *counts]


def put_counts(d, case):
    """So many columns of each source, in bytes of the indices' type."""
    for tile, idx in zip(case.tiles[1:3], case.tiles[3:5]):
        most = min(tile.cols, (127 if SIZE[idx.dtype] == 1 else 4096) // SIZE[idx.dtype])
        least = 0 if d.random.integers(0, 4) == 0 else 1
        counts = d.random.integers(least, max(least, most) + 1, idx.rows) * SIZE[idx.dtype]
        if case.target in SOFT:  # together they have room
            counts = np.minimum(counts, case.tiles[0].cols // 2 * SIZE[idx.dtype])
        storage(case, idx, case.image)[idx.offsets(idx.rows, 1)[:, 0]] = counts.astype(bits_type(idx.dtype))


def draw_case(random, name, target, dtype):
    d, in_place, numbers, kinds = Draw(random, target, dtype), [], [], "t"
    if name == "tmov":
        tiles, in_place = draw_tmov(d)
    elif name in ("textract", "tinsert"):
        tiles, numbers = draw_window(d, name)
        kinds = "tss"
    elif name in FILLS:
        tiles, in_place = draw_fill(d, name)
    elif name == "ttrans":
        tiles, kinds = draw_ttrans(d), "tx"
    else:
        tiles = draw_join(d, name)
        kinds = "t" * (len(tiles) - 1)
    own = [(tile.vrow, tile.vcol, tile.pad) for tile in tiles]
    case = Case(name, target, dtype, tiles, None, kinds, 0, "i64", [-1] * len(tiles))
    case.scalars = numbers
    size = place_tiles(random, tiles, in_place)
    for tile, (tile.vrow, tile.vcol, tile.pad) in zip(tiles, own):
        pass
    if name == "tmov" and random.integers(0, 2):
        case.places[:2] = [0, 1]  # the run alone knows what is valid
    case.image = bytearray(random.bytes(size))
    for tile in tiles:
        case.image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, tile.dtype, tile.rows * tile.cols).tobytes()
    if name == "tconcatidx":
        put_counts(d, case)
    return case


# ---- what they mean


def storage(case, tile, image):
    return np.frombuffer(image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)


class Plane:
    """A tile's storage by row and column."""

    def __init__(self, case, tile, image):
        self.tile, self.data = tile, storage(case, tile, image)

    def __setitem__(self, at, values):
        self.data[self.tile.offsets(self.tile.rows, self.tile.cols)[at]] = values

    def __getitem__(self, at):
        return self.data[self.tile.offsets(self.tile.rows, self.tile.cols)[at]].copy()


def pad_bits(dtype, pad):
    if pad == ZERO or dtype == "hif8" or dtype.startswith("f8"):
        return 0
    if is_float(dtype):
        return int(encode(dtype, np.array([np.inf if pad == MAX else -np.inf]))[0])
    signed, bits = dtype[0] == "i", 8 * SIZE[dtype]
    if pad == MAX:
        return (1 << (bits - signed)) - 1
    return 1 << (bits - 1) if signed else 0


def do_tmov(case, dst, src):
    to, of = dst.tile, src.tile
    rows, cols = min(to.vrow, of.vrow), min(to.vcol, of.vcol)
    if case.target == "a2a3":
        c0 = 32 // to.size
        if to.order == "col":
            rows = min(blocks(rows, c0), to.rows)
        elif to.vcol == to.cols and case.places[0] < 0:
            cols = to.cols
        else:
            cols = min(blocks(cols, c0), to.cols)
    dst[:rows, :cols] = src[:rows, :cols]


def do_window(case, dst, src):
    row, col = case.scalars
    if case.name == "textract":
        rows, cols = dst.tile.vrow, dst.tile.vcol
        dst[:rows, :cols] = src[row:row + rows, col:col + cols]
    else:
        rows, cols = src.tile.vrow, src.tile.vcol
        dst[row:row + rows, col:col + cols] = src[:rows, :cols]


def do_fill(case, dst, src):
    to, of = dst.tile, src.tile
    rows = to.rows if case.target in SOFT else to.vrow
    data = src[:of.vrow, :]
    kept = of.vcol
    if case.target == "a2a3" and to.pad == of.pad:
        kept = min(blocks(of.vcol, 32 // to.size), of.cols)
    dst[:rows, :] = pad_bits(to.dtype, to.pad)
    dst[:of.vrow, :kept] = data[:, :kept]


def do_ttrans(case, dst, src):
    rows, cols = src.tile.vrow, src.tile.vcol
    if case.target == "a2a3" and dst.tile.cols % steps(case) == 0:
        dst[:cols, rows:min(blocks(rows, 32 // dst.tile.size), dst.tile.cols)] = int.from_bytes([LOST] * dst.tile.size, "little")
    dst[:cols, :rows] = src[:rows, :cols].T


def steps(case):
    return 32 if SIZE[case.dtype] == 1 else 16


def do_tconcat(case, dst, first, second):
    rows, (n, m) = dst.tile.vrow, (first.tile.vcol, second.tile.vcol)
    if case.target == "a2a3":
        c0 = 32 // dst.tile.size
        dst[:rows, :blocks(n, c0)] = first[:rows, :blocks(n, c0)]
        m = blocks(m, c0) if n % c0 == 0 else m
    dst[:rows, :n] = first[:rows, :n]
    dst[:rows, n:n + m] = second[:rows, :m]


def do_tconcatidx(case, dst, first, second, idx, idx1):
    """How many rows have a count that makes A2/A3 copy without end."""
    zeros = 0
    room = dst.tile.cols if case.target in SOFT else dst.tile.vcol
    for r in range(dst.tile.vrow):
        n, m = (int(plane[r, 0]) // plane.tile.size for plane in (idx, idx1))
        n = min(n, room, first.tile.cols)
        m = min(m, room - n, second.tile.cols)
        if case.target == "a2a3" and 0 in (n, m):
            zeros += 1
            continue
        dst[r, :n] = first[r, :n]
        dst[r, n:n + m] = second[r, :m]
    return zeros


DO = {"tmov": do_tmov, "textract": do_window, "tinsert": do_window, **dict.fromkeys(FILLS, do_fill), "ttrans": do_ttrans,
      "tconcat": do_tconcat, "tconcatidx": do_tconcatidx}


def expect(case):
    """The image after it, and how many rows have a count of 0."""
    after = bytearray(case.image)
    tiles = case.tiles[:2] if case.name == "ttrans" else case.tiles
    zeros = DO[case.name](case, Plane(case, tiles[0], after), *(Plane(case, tile, case.image) for tile in tiles[1:]))
    return after, zeros or 0


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    want, zeros = expect(case)
    found, dst = [], case.tiles[0]
    for name, way in zip(("plan", "loop", "core"), ways):
        image = bytearray(want)
        if name == "core" and case.name == "ttrans" and case.target == "a2a3" and dst.cols % steps(case) == 0:
            image[case.tiles[2].addr:case.tiles[2].addr + case.tiles[2].bytes] = bytes([LOST]) * case.tiles[2].bytes
        if set(way.faults) != ({"tconcat-zero"} if zeros else set()):
            found.append(f"{name}: reports {sorted(way.faults)}, and {zeros} counts are 0")
        elif name != "core" and (way.status, way.faults.get("tconcat-zero", 0)) != (FAULT if zeros else OK, zeros):
            found.append(f"{name}: status {way.status}, {way.faults}")
        elif way.image != bytes(image):
            at = next(i for i, (x, y) in enumerate(zip(way.image, image)) if x != y)
            found.append(f"{name}: byte {at - dst.addr} of dst is {way.image[at]:#x}, not {image[at]:#x}; at {case.scalars}")
    return found


def cases(random_of, count, only):
    for name, target, dtype in itertools.product(NAMES, TARGETS, ALL):
        if only not in (None, name):
            continue
        random = random_of(f"{name} {target} {dtype}")
        taken = dtype in types_of(name, target)
        for _ in range(count if taken else 1):
            yield draw_case(random, name, target, dtype), judge if taken else refused_by("move-dtype")


# ---- what the documents state: instruction, targets, tiles, the numbers of a window, and the rule that refuses it, or "" and
# single elements of dst: {(row, column): (number of the source, row, column) or bits or None, where dst keeps what it had}

F32 = lambda rows, cols, vrow=None, vcol=None, **more: Tile("f32", rows, cols, vrow or rows, vcol or cols, **more)  # noqa: E731
INF = 0x7F800000
STATED = [
    ("tmov", ("host", "a5"), [F32(4, 8, 3, 6), F32(4, 8, 4, 5)], [], "", {(2, 4): (1, 2, 4), (2, 5): None, (3, 0): None}),
    ("tmov", ("a2a3",), [F32(4, 8, 3, 6), F32(4, 8, 4, 5)], [], "", {(2, 4): (1, 2, 4), (2, 7): (1, 2, 7), (3, 0): None}),
    ("tmov", ("cpu", "cpusim"), [F32(4, 8, 3, 6), F32(4, 8, 4, 5)], [], "tmov-shape", {}),
    ("textract", ("a2a3",), [F32(4, 8), F32(8, 16)], [0, 1], "window-align", {}),
    ("textract", ("host", "cpu", "a5"), [F32(4, 8), F32(8, 16)], [0, 1], "", {(3, 7): (1, 3, 8)}),
    ("tinsert", TARGETS, [F32(8, 16), F32(1, 8, 1, 1)], [5, 3], "", {(5, 3): (1, 0, 0), (5, 4): None, (4, 3): None}),
    ("ttrans", ("a2a3",), [F32(16, 16), F32(8, 16), F32(8, 16)], [], "ttrans-tmp", {}),
    ("ttrans", TARGETS, [F32(16, 16), F32(8, 16), F32(16, 16)], [], "", {(15, 7): (1, 7, 15), (15, 8): None}),
    ("tfillpad", ("host", "a2a3", "a5"), [F32(8, 16, 5, 16, pad=MAX), F32(8, 16, 3, 5)], [], "",
     {(2, 4): (1, 2, 4), (2, 5): INF, (4, 15): INF, (5, 0): None}),
    ("tfillpad", ("cpu",), [F32(8, 16, 5, 16, pad=MAX), F32(8, 16, 3, 5)], [], "", {(5, 0): INF, (7, 15): INF}),
    ("tfillpad", ("a2a3",), [F32(8, 16, pad=MAX), F32(8, 16, 8, 5, pad=MAX)], [], "", {(0, 5): (1, 0, 5), (0, 7): (1, 0, 7), (0, 8): INF}),
    ("tfillpad", ("host", "a5", "cpu"), [F32(8, 16, pad=MAX), F32(8, 16, 8, 5, pad=MAX)], [], "", {(0, 5): INF}),
    ("tfillpad", ("host", "a2a3", "a5"), [Tile("i8", 2, 32, 2, 32, pad=MAX), Tile("i8", 2, 32, 2, 5)], [], "", {(0, 5): 0x7F, (1, 31): 0x7F}),
    ("tfillpad", ("host", "a2a3", "a5"), [Tile("u8", 2, 32, 2, 32, pad=MIN), Tile("u8", 2, 32, 2, 5)], [], "", {(0, 5): 0, (1, 31): 0}),
    ("tfillpad", ("host", "a2a3", "a5"), [F32(2, 16, pad=MIN), F32(2, 16, 2, 5)], [], "", {(0, 4): (1, 0, 4), (0, 5): 1 << 31 | INF}),
    ("tconcat", ("a2a3",), [F32(4, 16, 4, 12), F32(4, 8, 4, 5), F32(4, 16, 4, 7)], [], "", {(0, 4): (1, 0, 4), (0, 5): (2, 0, 0)}),
    ("tconcat", ("a5",), [F32(4, 16, 4, 13), F32(4, 8, 4, 5), F32(4, 16, 4, 7)], [], "", {(0, 4): (1, 0, 4), (0, 5): (2, 0, 0), (0, 12): None}),
    ("tconcat", ("host", "cpu"), [F32(4, 16, 4, 13), F32(4, 8, 4, 5), F32(4, 16, 4, 7)], [], "tconcat-cols", {}),
]


def judge_stated(rule, elements):
    def judge_both(case, result):
        if rule:
            return refused_by(rule)(case, result)
        after, _ = expect(case)
        got, before = Plane(case, case.tiles[0], after), [Plane(case, tile, case.image) for tile in case.tiles]
        wrong = []
        for (r, c), want in elements.items():
            bits = before[0][r, c] if want is None else before[want[0]][want[1], want[2]] if isinstance(want, tuple) else want
            wrong += [f"the oracle gives {int(got[r, c]):#x} at ({r},{c}), the documents {int(bits):#x}"] * (int(got[r, c]) != int(bits))
        return judge(case, result) + wrong
    return judge_both


def stated_cases(random_of, only):
    random = random_of("what the documents state of moves")
    kinds = {"textract": "tss", "tinsert": "tss", "ttrans": "tx", "tconcat": "tt"}
    for name, targets, tiles, numbers, rule, elements in STATED:
        for target in targets if only in (None, name) else ():
            own = [Tile(**tile.__dict__) for tile in tiles]
            case = Case(name, target, own[0].dtype, own, None, kinds.get(name, "t"), 0, "i64", [-1] * len(own))
            case.scalars = numbers
            case.image = bytearray(random.bytes(place_tiles(random, own, [])))
            yield case, judge_stated(rule, elements)
