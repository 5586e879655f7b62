"""tci and ttri: random cases, and what they must give, written from the documents."""
import numpy as np

from draw_tiles import Case, draw_bits, draw_tile, place_tiles
from elements import bits_type, decode, encode, is_float
from facts import A5, OK, TARGETS, Tile
from oracle_tiles import INT16, INT32, INTEGERS, ORDERED, REALS

NAMES = ("tci", "ttri")


def types_of(name, target):
    if target in ("host", "cpu", "cpusim"):
        return ORDERED
    if name == "tci":
        return INT16 + INT32 + (REALS if target == "a2a3" else ())
    return (INT16 + INT32 if target == "a2a3" else INTEGERS) + REALS + ("bf16",)


def draw_case(random, name, target, dtype):
    valid = (1 if name == "tci" else int(random.integers(1, 9))), int(random.integers(1, 100))
    dst = draw_tile(random, target, dtype, valid, "row")
    tiles, kinds = [dst], "s"
    if name == "tci":
        dst.rows = 1
        with_tmp = random.integers(0, 2)
        kinds = "sx" if with_tmp else "s-"
        room = (1792 if dst.size == 2 else 768) + 1024 * int(random.integers(0, 3))
        tiles += [Tile("u8", 1, room, 1, room)] * int(with_tmp)
    elif target in A5 and dst.size == 8:
        dst.vcol = min(dst.vcol, 64)
    scalar_dtype = dtype if name == "tci" else "i32"
    scalar = int(draw_bits(random, dtype, 1)[0]) if name == "tci" else int(random.integers(-12, 100)) & 0xFFFFFFFF
    case = Case(name, target, dtype, tiles, None, kinds, scalar, scalar_dtype, [-1] * len(tiles), (int(random.integers(0, 2)),))
    case.image = bytearray(random.bytes(place_tiles(random, tiles, [])))
    return case


def signed(case):
    return (case.scalar ^ 1 << 31) - (1 << 31)


def numbers(case):
    """(values by row and column as bits, which of them are written)"""
    dst, flag = case.tiles[0], case.attrs[0]
    r, c = np.indices((dst.vrow, dst.cols))
    if case.name == "ttri":
        d = signed(case)
        ones = c - r >= d if flag else c - r <= d
        values = encode(case.dtype, ones.astype(np.float64 if is_float(case.dtype) else np.int64))
        reach = c < dst.vcol
        if case.target in A5 and not flag:
            chunk = 256 // dst.size
            reach |= (c <= r + d) & (c < -(-dst.vcol // chunk) * chunk)
        return values, reach
    negates = flag and case.target == "a2a3" and "x" in case.kinds
    if is_float(case.dtype):
        start = value_of(case)
        with np.errstate(all="ignore"):
            values = encode(case.dtype, -(start + c) if negates else start - c if flag else start + c)
    else:
        mask = (1 << 8 * dst.size) - 1
        count = [(-(case.scalar + k) if negates else case.scalar - k if flag else case.scalar + k) & mask for k in range(dst.cols)]
        values = np.array([count], np.uint64).astype(bits_type(case.dtype))
    return values, c < dst.vcol


def value_of(case):
    return decode(case.dtype, np.array([case.scalar]).astype(bits_type(case.dtype)))[0]


def lost(case):
    size, dst = case.tiles[0].size, case.tiles[0]
    if case.target != "a2a3" or "x" not in case.kinds:
        return 0
    return 2560 if size == 4 and dst.vcol >= 64 else 1792 if size == 2 else 768


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    dst = case.tiles[0]
    values, written = numbers(case)
    image = bytearray(case.image)
    data = np.frombuffer(image, bits_type(case.dtype), dst.rows * dst.cols, dst.addr).reshape(dst.rows, dst.cols)
    data[:dst.vrow][written] = values[written]
    nan = is_float(case.dtype) and case.name == "tci" and np.isnan(value_of(case))
    found = []
    for name, way in zip(("plan", "loop", "core"), ways):
        want, expected = bytearray(image), set()
        if name == "core" and lost(case):
            tmp = case.tiles[-1]
            want[tmp.addr:tmp.addr + min(lost(case), tmp.bytes)] = b"\xaa" * min(lost(case), tmp.bytes)
            expected = {"tile-overrun"} if lost(case) > tmp.bytes else set()
        if set(way.faults) != expected:
            found.append(f"{name}: reports {sorted(way.faults)}, not {sorted(expected)}")
        elif way.image != bytes(want) and not nan:
            at = next(i for i, (x, y) in enumerate(zip(way.image, want)) if x != y)
            found.append(f"{name}: byte {at - dst.addr} of dst is {way.image[at]:#x}, not {want[at]:#x}; attribute {case.attrs[0]}")
    return found


def cases(random_of, count, only):
    for name in NAMES:
        for target in TARGETS:
            for dtype in types_of(name, target) if only in (None, name) else ():
                random = random_of(f"{name} {target} {dtype}")
                yield from ((draw_case(random, name, target, dtype), judge) for _ in range(count))


# ---- single results that the documents state: instruction, targets, type, scalar, attribute, with a tmp, place, number

STATED = [
    ("tci", ("host", "cpu", "a2a3", "a5"), "i32", 100, 1, False, (0, 1), 99),
    ("tci", ("a2a3",), "i32", 100, 1, True, (0, 1), -101),
    ("tci", ("host", "cpu", "a2a3", "a5"), "i16", 32767, 0, False, (0, 1), -32768),
    ("ttri", ("host", "cpu", "a2a3", "a5"), "i32", -1, 0, False, (0, 0), 0),
    ("ttri", ("host", "cpu", "a2a3", "a5"), "i32", 64, 0, False, (0, 63), 1),
    ("ttri", ("host", "cpu", "a2a3", "a5"), "f32", 1, 1, False, (0, 0), 0),
]


def stated_cases(only):
    for name, targets, dtype, scalar, flag, tmp, place, number in STATED:
        for target in targets if only in (None, name) else ():
            tiles = [Tile(dtype, 1, 64, 1, 64, addr=0)] + [Tile("u8", 1, 768, 1, 768, addr=1024)] * tmp
            kinds = "s" if name == "ttri" else "sx" if tmp else "s-"
            case = Case(name, target, dtype, tiles, bytearray(4096), kinds, scalar & 0xFFFFFFFF, dtype if name == "tci" else "i32",
                        [-1] * len(tiles), (flag,))
            yield case, judge_stated(place, number)


def judge_stated(place, number):
    def both(case, result):
        values, _ = numbers(case)
        wrong = values[place] != encode(case.dtype, np.array([number]))[0]
        return judge(case, result) + ["the oracle gives another result than the documents"] * bool(wrong)
    return both
