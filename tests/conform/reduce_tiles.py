"""Row and column reductions: random cases, and what they must give, written from the documents. Each target folds in an order of its
own; a sum is bit for bit what that order gives."""
import numpy as np

from draw_tiles import Case, draw_bits, draw_tile, place_tiles
from elements import bits_type, decode, encode, is_float, round_to
from facts import A5, OK, ORDER, SIZE, TARGETS, Tile
from oracle_tiles import INT16, INT32, INTEGERS, ORDERED, REALS

ROWS = ("trowsum", "trowprod", "trowmax", "trowmin")
COLS = ("tcolsum", "tcolprod", "tcolmax", "tcolmin")
NAMES = ROWS + COLS
FOUR = ("i16", "i32", "f16", "f32")
SHAPES = ((64, 128), (32, 256), (16, 512), (8, 1024))  # f32 rows that a2a3 folds in groups of 8
SOFT = ("host", "cpu", "cpusim")
LANE = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


def types_of(name, target):
    if target == "host":
        return ORDERED
    if target in ("cpu", "cpusim"):
        return {"trowsum": FOUR + ("bf16",), "tcolsum": REALS + ("bf16",), "tcolmax": REALS + ("bf16", "i8", "u8")}.get(name, ORDERED)
    if target == "a2a3":
        return FOUR
    more = {"trowsum": ("i64", "u64"), "trowprod": (), "trowmax": ("i8", "u8", "i64", "u64"), "trowmin": ("i8", "u8", "i64", "u64"),
            "tcolprod": ("u16", "u32", "bf16")}
    return FOUR + more[name] if name in more else INTEGERS + REALS + ("bf16",)


def lane_of(name):
    return name[4:]


# ---- two numbers: floats are float64 and rounded to a type each time, integers are Python's and cut in the end


def pair(name, target, a, b):
    """Elementwise. NaN is contagious but on the CPU simulator, which compares; +0 is larger than -0 but there."""
    what = lane_of(name)
    if what in ("sum", "prod") or a.dtype == object:
        return LANE[what](a, b)
    if target in ("cpu", "cpusim"):
        return np.where(b > a, b, a) if what == "max" else np.where(b < a, b, a)
    zeros = (a == 0) & (b == 0)
    sign = np.signbit(a) & np.signbit(b) if what == "max" else np.signbit(a) | np.signbit(b)
    return np.where(zeros, np.where(sign, -0.0, 0.0), LANE[what](a, b))


class Fold:
    """Folds arrays of numbers lanewise, rounding to `dtype` each time."""

    def __init__(self, case, dtype=None):
        self.name, self.target, self.dtype = case.name, case.target, dtype or case.dtype

    def __call__(self, a, b):
        both = pair(self.name, self.target, a, b)
        return round_to(self.dtype, both) if is_float(self.dtype) else both

    def saturating(self, a, b):
        both = self(a, b)
        beyond = np.isinf(both) & np.isfinite(a) & np.isfinite(b)
        return np.where(beyond, np.copysign(65504.0, both), both)

    def turn(self, rows):
        rows = list(rows)
        all_ = rows[0]
        for row in rows[1:]:
            all_ = self(all_, row)
        return all_

    def start(self, like):
        """Sums begin with 0 and products with 1: only the sign of a zero tells."""
        return {"sum": [np.zeros_like(like)], "prod": [np.ones_like(like)]}.get(lane_of(self.name), [])


def tree(fold, rows, saturates=False):
    """Neighbours, until one is left."""
    rows, by = list(rows), fold.saturating if saturates else fold
    while len(rows) > 1:
        rows = [by(*rows[i:i + 2]) if i + 1 < len(rows) else rows[i] for i in range(0, len(rows), 2)]
    return rows[0]


def halved(fold, rows, odd):
    """Rows in pairs, the last of an odd number joins pair number `odd`."""
    pairs = [fold(rows[2 * i], rows[2 * i + 1]) for i in range(len(rows) // 2)]
    if len(rows) % 2:
        pairs[odd] = fold(pairs[odd], rows[-1])
    return pairs


# ---- the orders: x has the elements that are folded along its first axis


def a2a3_row(case, x):
    fold = Fold(case)
    if is_float(case.dtype) and case.name != "trowprod":
        return a2a3_float_row(case, fold, x)
    block = 32 // SIZE[case.dtype]
    lanes = [fold.turn(x[lane::block]) for lane in range(min(block, len(x)))]
    if not is_float(case.dtype):
        return fold.turn(lanes)
    return round_to(case.dtype, Fold(case, "f32").turn(lanes))


def a2a3_float_row(case, fold, x):
    dst, src = case.tiles[:2]
    saturates = case.dtype == "f16" and case.name == "trowsum"
    if dst.order == "col" and is_tuned(case):
        groups = [tree(fold, x[i:i + 8]) for i in range(0, len(x), 8)]
        while len(groups) > 8:
            if len(groups) >= 64:
                groups = [tree(fold, groups[i:i + 8]) for i in range(0, len(groups), 8)]
            else:
                groups = [fold(groups[i + k], groups[i + 8 + k]) for i in range(0, len(groups), 16) for k in range(8)]
        return tree(fold, groups)
    repeat = 256 // SIZE[case.dtype]
    if len(x) <= repeat:
        return tree(fold, x, saturates)
    whole = [x[i:i + repeat] for i in range(0, len(x) - repeat + 1, repeat)]
    rest = x[len(whole) * repeat:]
    slots = halved(fold, whole, 0) if len(whole) > 1 else whole
    slots[0] = slots[0].copy()
    slots[0][:len(rest)] = fold(slots[0][:len(rest)], rest)
    while len(slots) > 1:
        slots = halved(fold, slots, -1)
    return tree(fold, slots[0], saturates)


def is_tuned(case):
    src = case.tiles[1]
    return case.dtype == "f32" and case.places[0] < 0 and (src.rows, src.cols) in SHAPES and (src.vrow, src.vcol) == (src.rows, src.cols)


def a5_row(case, x):
    fold, repeat = Fold(case), 256 // SIZE[case.dtype]
    if case.name == "trowprod":
        lanes = [fold.turn(x[lane::repeat]) if lane < len(x) else np.ones_like(x[0]) for lane in range(repeat)]
        while len(lanes) > 1:
            lanes = [fold(a, b) for a, b in zip(lanes[:len(lanes) // 2], lanes[len(lanes) // 2:])]
        return lanes[0]
    saturates = case.dtype == "f16" and case.name == "trowsum"
    return fold.turn(fold.start(x[0]) + [tree(fold, x[i:i + repeat], saturates) for i in range(0, len(x), repeat)])


def columns(case, x):
    fold, rows = Fold(case), list(x)
    if case.attrs[:1] == (1,):
        a5 = case.target in A5
        if len(rows) == 1:
            return fold.turn((fold.start(rows[0]) if a5 else []) + rows)
        while len(rows) > 1:
            rows = halved(fold, rows, -1 if a5 else 0)
        return rows[0]
    if case.target == "a2a3":
        return fold.turn(rows)
    ahead = [rows[0]] + [fold(*rows[i:i + 2]) if i + 1 < len(rows) else rows[i] for i in range(1, len(rows), 2)]
    return fold.turn(ahead)


def folded(case, x):
    """The results as numbers; x by elements that are folded and by results."""
    with np.errstate(all="ignore"):
        if case.target in SOFT:
            exact = is_float(case.dtype) and lane_of(case.name) in ("sum", "prod")
            held = "f32" if case.name == "trowsum" and is_float(case.dtype) else case.dtype
            fold = Fold(case, held)
            if case.target == "host" and exact:
                all_ = (np.zeros if lane_of(case.name) == "sum" else np.ones)(x.shape[1:])
                for row in x:
                    all_ = pair(case.name, case.target, all_, row)
                return all_
            return fold.turn(fold.start(x[0]) + list(x))
        if case.name in COLS:
            return columns(case, x)
        return (a2a3_row if case.target == "a2a3" else a5_row)(case, x)


# ---- cases


def draw_numbers(random, dtype, count):
    """Now and then everything that there is; else numbers whose sums and products are rounded, and seldom leave the type."""
    if not is_float(dtype) or random.integers(0, 4) == 0:
        return draw_bits(random, dtype, count)
    scale = random.choice([1e-3, 1.0, 1.0, 50.0, 3e4 if dtype == "f16" else 1e8], count)
    return encode(dtype, random.normal(size=count) * scale)


def draw_shape(random, name, target, dtype):
    size, repeat = SIZE[dtype], 256 // SIZE[dtype]
    if name in COLS:
        rows, cols = int(random.choice([1, 2, 3, 4, 5, 7, 12, 33])), int(random.integers(1, 70))
        return rows, min(cols, 64) if size == 8 and target in A5 else cols
    choices = [1, 3, 8, 17, repeat - 1, repeat, repeat + 1, 2 * repeat - 1, 2 * repeat, 2 * repeat + 5, 3 * repeat + 7, 4 * repeat,
               7 * repeat + 2, 11 * repeat]
    cols = int(random.choice(choices[:7] if size == 1 else choices))
    return int(random.integers(1, 7)), min(cols, 64) if size == 8 and target in A5 else cols


def needed_tmp(case):
    """Rows and columns of tmp that are written over; None: it is not looked at."""
    src = case.tiles[1]
    block, repeat = 32 // src.size, 256 // src.size
    if case.target == "a2a3" and case.name in ROWS:
        if case.name == "trowprod" or not is_float(case.dtype):
            return 1, block
        if case.tiles[0].order == "col" and is_tuned(case):
            return 1, 1024
        if src.vcol <= repeat:
            return None
        return src.vrow, repeat * (max(1, src.vcol // repeat // 2) if case.name == "trowsum" else 1)
    if case.attrs[:1] == (1,):
        if case.target == "a2a3":
            return (src.vrow // 2, src.vcol) if src.vrow > 1 else None
        if case.target in A5:
            return max(1, src.vrow // 2), min(src.vcol, repeat)
    return None


def draw_case(random, name, target, dtype):
    valid = draw_shape(random, name, target, dtype)
    any_order = lambda: str(random.choice(list(ORDER))) if target in SOFT else "row"  # noqa: E731
    src = draw_tile(random, target, dtype, valid, any_order())
    if target == "a2a3" and dtype == "f32" and name in ROWS and random.integers(0, 3) == 0:
        rows, cols = SHAPES[int(random.integers(0, 4))]
        src = Tile("f32", rows, cols, rows, cols)
    if name in ROWS:
        dst = draw_tile(random, target, dtype, (src.vrow, 1), any_order())
        if random.integers(0, 2):
            dst = Tile(dtype, src.vrow, 1, src.vrow, 1, order="col")
    else:
        dst = draw_tile(random, target, dtype, (1, src.vcol), any_order())
    binary = int(name == "tcolsum" and random.integers(0, 2))
    open_ = bool(random.integers(0, 4) == 0)
    case = Case(name, target, dtype, [dst, src], None, "t", 0, dtype, [0, 1] if open_ else [-1, -1], (binary,))
    if name in ROWS or name == "tcolsum":
        add_tmp(random, case)
    in_place = name in COLS and random.integers(0, 4) == 0 and dst.order == src.order == "row"
    end = place_tiles(random, case.tiles, [])
    if in_place:
        dst.addr = src.addr
        dst.rows, dst.cols = 1, src.cols
    case.image = bytearray(random.bytes(end))
    for tile in case.tiles[:0:-1]:
        case.image[tile.addr:tile.addr + tile.bytes] = draw_numbers(random, tile.dtype, tile.rows * tile.cols).tobytes()
    return case


def add_tmp(random, case):
    need = needed_tmp(case)
    if not need and random.integers(0, 2):
        case.kinds += "-"
        return
    rows, cols = need or (1, 8)
    block = 32 // SIZE[case.dtype]
    rows, cols = rows + int(random.integers(0, 2)), -(-cols // block) * block + block * int(random.integers(0, 3))
    case.kinds += "x"
    case.places = case.places + [-1]
    case.tiles.append(Tile(case.dtype, rows, cols, rows, cols))


# ---- what they must give


def numbers(case):
    """The elements, folded along the first axis: as float64, or as integers of any length."""
    src = case.tiles[1]
    data = np.frombuffer(bytes(case.image), bits_type(case.dtype), src.rows * src.cols, src.addr)[src.offsets(src.vrow, src.vcol)]
    values = decode(case.dtype, data)
    values = values if is_float(case.dtype) else values.astype(object)
    return values.T if case.name in ROWS else values


def encoded(case, values):
    if is_float(case.dtype):
        return encode(case.dtype, values)
    mask = (1 << 8 * SIZE[case.dtype]) - 1
    return np.array([int(v) & mask for v in values], np.uint64).astype(bits_type(case.dtype))


def results(case):
    """(places in dst's storage, bits, which may be any NaN)"""
    dst, bits = case.tiles[0], encoded(case, folded(case, numbers(case)))
    at = dst.offsets(len(bits), 1)[:, 0] if case.name in ROWS else dst.offsets(1, len(bits))[0]
    return at, bits, np.isnan(decode(case.dtype, bits)) if is_float(case.dtype) else np.zeros(len(bits), bool)


def filled(case):
    """Bytes of dst's first row behind the results that a2a3 fills to the end of a block."""
    dst = case.tiles[0]
    if case.target != "a2a3" or case.name not in COLS:
        return range(0)
    return range(dst.vcol * dst.size, min(-(-dst.vcol * dst.size // 32) * 32, dst.cols * dst.size))


def after(case, way):
    """The image that a way must leave, and where any NaN is right."""
    dst, src = case.tiles[:2]
    image, need = bytearray(case.image), needed_tmp(case)
    from_tmp = case.attrs[:1] == (1,) and src.vrow > 1
    for i in filled(case):
        if way == "core" or not from_tmp:
            image[dst.addr + i] = case.image[(case.tiles[-1] if from_tmp else src).addr + i]
    if way == "core" and need and "x" in case.kinds:
        tmp = case.tiles[-1]
        for r in range(need[0]):
            at = tmp.addr + r * tmp.cols * tmp.size
            image[at:at + need[1] * tmp.size] = b"\xaa" * (need[1] * tmp.size)
    at, bits, free = results(case)
    storage = np.frombuffer(image, bits.dtype, dst.rows * dst.cols, dst.addr)
    storage[at] = bits
    return image, set(dst.addr + int(k) * dst.size + b for k in at[free] for b in range(dst.size)), at[free]


def expected_faults(case, way):
    """nan-order on a device, for each maximum or minimum among NaN; a core says it once."""
    x = numbers(case)
    if case.target in SOFT or lane_of(case.name) in ("sum", "prod") or not is_float(case.dtype) or not np.isnan(x).any():
        return {}
    return {"nan-order": 1 if way == "core" else int(np.isnan(x).any(axis=0).sum())}


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    dst, found = case.tiles[0], []
    for name, way in zip(("plan", "loop", "core"), ways):
        want, free, places = after(case, name)
        got = np.frombuffer(way.image, bits_type(case.dtype), dst.rows * dst.cols, dst.addr)
        wrong = [i for i, (x, y) in enumerate(zip(way.image, want)) if x != y and i not in free]
        if way.faults != expected_faults(case, name):
            found.append(f"{name}: reports {way.faults}, not {expected_faults(case, name)}")
        elif wrong:
            found.append(f"{name}: byte {wrong[0] - dst.addr} of dst is {way.image[wrong[0]]:#x}, not {want[wrong[0]]:#x}")
        elif len(places) and not np.isnan(decode(case.dtype, got[places])).all():
            found.append(f"{name}: a number where NaN is expected")
    return found


def refused(case, result):
    return [] if result[1] == ["reduce-dtype"] else [f"not refused by reduce-dtype: {result[:2]}"]


def cases(random_of, count, only):
    for name in NAMES if only is None else (only,) if only in NAMES else ():
        for target in TARGETS:
            for dtype in SIZE:
                random = random_of(f"{name} {target} {dtype}")
                taken = dtype in types_of(name, target)
                for _ in range(count if taken else 1):
                    case = draw_case(random, name, target, dtype) if taken else draw_refused(random, name, target, dtype)
                    yield case, judge if taken else refused


def draw_refused(random, name, target, dtype):
    """Of a type that is not taken, small, and with a tmp that would do."""
    tiles = [Tile(dtype, 32, 1, 32, 1, order="col") if name in ROWS else Tile(dtype, 1, 32, 1, 32), Tile(dtype, 32, 32, 32, 32)]
    kinds = "tx" if name in ROWS or name == "tcolsum" else "t"
    tiles += [Tile(dtype, 32, 64, 32, 64)] * kinds.count("x")
    case = Case(name, target, dtype, tiles, None, kinds, 0, "i32", [-1] * len(tiles), (0,))
    case.image = bytearray(place_tiles(random, tiles, []))
    return case


# ---- single results that the documents state, per target: the elements of a row or column, and what they become

STATED = [
    ("trowsum", "f32", 0, [1, 1e8, -1e8, 1], {"host": 2, "cpu": 1, "a2a3": 0, "a5": 0}),
    ("trowsum", "f16", 0, [60000, 60000, -30000, 100], {"host": np.inf, "cpu": np.inf, "a2a3": 35584, "a5": 35584}),
    ("tcolsum", "f32", 0, [1, 1e8, -1e8], {"host": 1, "cpu": 0, "a2a3": 0, "a5": 1}),
    ("tcolsum", "f32", 1, [1, 0, 1e8, 0, -1e8], {"host": 1, "cpu": 0, "a2a3": 0, "a5": 1}),
    ("trowsum", "i16", 0, [32767, 1], {"host": -32768, "cpu": -32768, "a2a3": -32768, "a5": -32768}),
    ("tcolsum", "f16", 0, [1] * 4096, {"host": 4096, "cpu": 2048, "a2a3": 2048, "a5": 4096}),
]


def stated_cases(only):
    for name, dtype, binary, values, want in STATED:
        for target, number in want.items() if only in (None, name) else ():
            cols = 32 // SIZE[dtype]
            long = -(-len(values) // cols) * cols
            src = Tile(dtype, 1, long, 1, len(values)) if name in ROWS else Tile(dtype, len(values), cols, len(values), 1)
            tmp = Tile(dtype, 8, 64, 8, 64)
            tiles = [Tile(dtype, 1, cols, 1, 1), src, tmp]
            case = Case(name, target, dtype, tiles, None, "tx", 0, dtype, [-1] * 3, (binary,))
            case.image = bytearray(place_tiles(np.random.default_rng(0), tiles, []))
            at = src.offsets(src.vrow, src.vcol).ravel()
            np.frombuffer(case.image, bits_type(dtype), src.rows * src.cols, src.addr)[at] = encode(dtype, np.array(values))
            yield case, judge_stated(number)


def judge_stated(number):
    def both(case, result):
        wrong = results(case)[1][0] != encode(case.dtype, np.array([number]))[0]
        return judge(case, result) + ["the oracle gives another result than the documents"] * bool(wrong)
    return both
