"""trowargmax, trowargmin, tcolargmax and tcolargmin: random cases, and what they must give, written from the documents: the first
position of the largest or smallest element, and that element itself."""
import numpy as np

from draw_tiles import Case, draw_bits, draw_tile, place_tiles
from elements import bits_type, decode, encode, is_float
from facts import A5, OK, ORDER, SIZE, TARGETS, Tile
from oracle_tiles import INT16, INT32, INTEGERS, ORDERED, REALS

ROWS, COLS = ("trowargmax", "trowargmin"), ("tcolargmax", "tcolargmin")
NAMES = ROWS + COLS
SOFT = ("host", "cpu", "cpusim")


def types_of(name, target):
    if target == "host":
        return ORDERED
    if target in SOFT:
        return INTEGERS + REALS + ("bf16",)
    if target == "a2a3":
        return ("i16", "i32") + REALS if name in ROWS else ("u16", "u32") + REALS
    return INT16 + INT32 + REALS + ("bf16",) + (("i8", "u8") if name in COLS else ())


def index_types(name, target, size):
    """Of positions beside values."""
    if size != 2 or target in ("cpu", "cpusim"):
        return INT32
    if name in COLS and target not in SOFT:
        return INT16
    return INT16 + INT32


# ---- cases


def needed_tmp(case):
    """Rows and columns that a2a3 writes over; None: tmp is not looked at."""
    src = case.tiles[1]
    block, repeat = 32 // src.size, 256 // src.size
    if case.target != "a2a3":
        return None
    if case.name in COLS:
        return 1, (2 if src.size == 4 or has_val(case) else 3) * min(repeat, -(-src.vcol // block) * block)
    if src.vcol > repeat:
        repeats = -(-src.vcol // repeat)
        return src.vrow, block * (-(-2 * repeats // block) - (-repeats // block))
    return (1, 2 * src.vrow) if has_val(case) else None


def has_val(case):
    return case.kinds.endswith("t") and len(case.kinds) == 3


def draw_numbers(random, dtype, count):
    """Few different ones, so that the first of several counts; now and then anything."""
    if random.integers(0, 3) == 0:
        return draw_bits(random, dtype, count)
    return random.choice(draw_bits(random, dtype, 5), count)


def draw_case(random, name, target, dtype):
    size, repeat = SIZE[dtype], 256 // SIZE[dtype]
    rows, cols = int(random.integers(1, 8)), int(random.choice([1, 3, 17, repeat, repeat + 1, 2 * repeat + 3]))
    if name in COLS:
        rows, cols = int(random.choice([1, 2, 5, 33])), int(random.integers(1, 90))
    any_order = lambda: str(random.choice(list(ORDER))) if target in SOFT else "row"  # noqa: E731
    src = draw_tile(random, target, dtype, (rows, cols), any_order())
    val = bool(random.integers(0, 2)) and not (name in COLS and target in A5 and size == 1)
    index = str(random.choice(index_types(name, target, size) if val else INT32))

    def column(kind):
        if random.integers(0, 2):
            return Tile(kind, rows, 1, rows, 1, order="col")
        return draw_tile(random, target, kind, (rows, 1), any_order())

    dst = column(index) if name in ROWS else draw_tile(random, target, index, (1, cols), any_order())
    case = Case(name, target, dtype, [dst, src], None, "t", 0, dtype, [0, 1] if random.integers(0, 4) == 0 else [-1, -1])
    case.kinds += "-" + ("t" if val else "-")
    need = needed_tmp(case)
    if need or random.integers(0, 2):
        low, wide = need or (1, 8)
        block = 32 // size
        low, wide = low + int(random.integers(0, 2)), -(-wide // block) * block + block * int(random.integers(0, 2))
        case.tiles.append(Tile(dtype, low, wide, low, wide))
        case.kinds = "tx" + case.kinds[2:]
    if val:
        case.tiles.append(column(dtype) if name in ROWS else draw_tile(random, target, dtype, (1, cols), any_order()))
    case.places = case.places + [-1] * (len(case.tiles) - 2)
    case.image = bytearray(random.bytes(place_tiles(random, case.tiles, [])))
    case.image[src.addr:src.addr + src.bytes] = draw_numbers(random, dtype, src.rows * src.cols).tobytes()
    return case


# ---- what they must give


def position(case, values):
    """In a list of numbers. NaN is beyond all of them, but the CPU simulator compares, and then it is beyond none."""
    best = 0
    for k, x in enumerate(values[1:], 1):
        y = values[best]
        if x != x or y != y:
            beyond = case.target not in ("cpu", "cpusim") and x != x and y == y
        else:
            beyond = x > y if case.name.endswith("max") else x < y
        best = k if beyond else best
    return best


def compared_as(case):
    if case.target == "a2a3" and case.name in COLS:
        return {"u16": "f16", "u32": "f32"}.get(case.dtype, case.dtype)
    return case.dtype


def written(case, at):
    """a2a3 takes a position of 2-byte columns through f16, ties away from zero."""
    if case.target != "a2a3" or case.name not in COLS or has_val(case) or SIZE[case.dtype] != 2 or at < 2048:
        return at
    step = 2 ** (int(at).bit_length() - 11)
    return int(np.floor(at / step + 0.5)) * step


def lines_of(case):
    """The bits of each row or column."""
    src = case.tiles[1]
    data = np.frombuffer(bytes(case.image), bits_type(case.dtype), src.rows * src.cols, src.addr)[src.offsets(src.vrow, src.vcol)]
    return data if case.name in ROWS else data.T


def results(case):
    """[(position, bits of the element)]"""
    found = []
    for line in lines_of(case):
        best = position(case, decode(compared_as(case), line).tolist())
        found.append((written(case, best), line[best]))
    return found


def after(case, way):
    image, need, found = bytearray(case.image), needed_tmp(case), results(case)
    if way == "core" and need:
        tmp = case.tiles[2]
        for r in range(need[0]):
            at = tmp.addr + r * tmp.cols * tmp.size
            image[at:at + need[1] * tmp.size] = b"\xaa" * (need[1] * tmp.size)
    for tile, column in ((case.tiles[0], 0), (case.tiles[-1], 1)):
        if column == 1 and not has_val(case):
            continue
        storage = np.frombuffer(image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
        at = tile.offsets(len(found), 1)[:, 0] if case.name in ROWS else tile.offsets(1, len(found))[0]
        storage[at] = [result[column] for result in found]
    return image


def expected_faults(case, way):
    """nan-order on a device, for each row or column with NaN; a core says it once."""
    lines = [] if case.target in SOFT or not is_float(case.dtype) else lines_of(case)
    count = sum(bool(np.isnan(decode(case.dtype, line)).any()) for line in lines)
    return {"nan-order": 1 if way == "core" else count} if count else {}


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    found = []
    for name, way in zip(("plan", "loop", "core"), ways):
        want = after(case, name)
        wrong = [i for i, (x, y) in enumerate(zip(way.image, want)) if x != y]
        if way.faults != expected_faults(case, name):
            found.append(f"{name}: reports {way.faults}, not {expected_faults(case, name)}")
        elif wrong:
            found.append(f"{name}: byte {wrong[0]} of the image is {way.image[wrong[0]]:#x}, not {want[wrong[0]]:#x}; {case.kinds}")
    return found


def refused(case, result):
    return [] if result[1] == ["reduce-dtype"] else [f"not refused by reduce-dtype: {result[:2]}"]


def draw_refused(random, name, target, dtype):
    tiles = [Tile("i32", 32, 1, 32, 1, order="col") if name in ROWS else Tile("i32", 1, 32, 1, 32), Tile(dtype, 32, 32, 32, 32),
             Tile(dtype, 32, 256, 32, 256)]
    case = Case(name, target, dtype, tiles, None, "tx-", 0, "i32", [-1] * 3)
    case.image = bytearray(place_tiles(random, tiles, []))
    return case


def cases(random_of, count, only):
    for name in NAMES if only is None else (only,) if only in NAMES else ():
        for target in TARGETS:
            for dtype in SIZE:
                random, taken = random_of(f"{name} {target} {dtype}"), dtype in types_of(name, target)
                for _ in range(count if taken else 1):
                    draw = draw_case if taken else draw_refused
                    yield draw(random, name, target, dtype), judge if taken else refused


# ---- single results that the documents state: elements as numbers or as bits, and the position per target

STATED = [
    ("trowargmax", "f32", [3.0, 7.0, 7.0], {"host": 1, "cpu": 1, "a2a3": 1, "a5": 1}),
    ("tcolargmax", "u32", [0xC0000000, 0x40000000], {"host": 0, "cpu": 0, "a2a3": 1, "a5": 0}),
    ("tcolargmax", "f16", [0.0] * 2051 + [1.0], {"host": 2051, "cpu": 2051, "a2a3": 2052, "a5": 2051}),
    ("trowargmin", "f32", [3.0, np.nan, 1.0], {"host": 1, "cpu": 2, "a2a3": 1, "a5": 1}),
]


def stated_cases(only):
    for name, dtype, values, want in STATED:
        for target, number in want.items() if only in (None, name) else ():
            cols, count = 32 // SIZE[dtype], len(values)
            src = Tile(dtype, 1, -(-count // cols) * cols, 1, count) if name in ROWS else Tile(dtype, count, cols, count, 1)
            tiles = [Tile("u32", 1, 8, 1, 1), src, Tile(dtype, 8, 64, 8, 64)]
            case = Case(name, target, dtype, tiles, None, "tx-", 0, dtype, [-1] * 3)
            case.image = bytearray(place_tiles(np.random.default_rng(0), tiles, []))
            at = src.offsets(src.vrow, src.vcol).ravel()
            bits = encode(dtype, np.array(values)) if is_float(dtype) else np.array(values, bits_type(dtype))
            np.frombuffer(case.image, bits_type(dtype), src.rows * src.cols, src.addr)[at] = bits
            yield case, judge_stated(number)


def judge_stated(number):
    def both(case, result):
        return judge(case, result) + ["the oracle gives another position than the documents"] * (results(case)[0][0] != number)
    return both
