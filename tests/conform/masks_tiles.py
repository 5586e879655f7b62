"""tcmp, tcmps, tsel and tsels: random cases, and what they must give, written from the documents. Results are bytes: a mask has a bit
for each column, the first one lowest, and rows as far apart as its tile's."""
import operator

import numpy as np

from draw_tiles import Case, draw_bits, draw_tile, place_tiles
from elements import FORMAT, bits_type, decode, encode
from facts import A5, OK, ORDER, SIZE, TARGETS, Tile
from oracle_tiles import BITS, INT16, INTEGERS, ORDERED, REALS

EQ, NE, LT, LE, GT, GE = MODES = range(6)
COMPARE = {EQ: operator.eq, NE: operator.ne, LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge}
EIGHT = ("i8", "u8")
ALL = tuple(SIZE)
A5_TYPES = INTEGERS + REALS + ("bf16",)


def types_of(name, target):
    if name in ("tsel", "tsels"):
        return BITS[2:] + REALS + ("bf16",) if target == "a2a3" else ALL
    if target == "a2a3":
        return ("i32",) + REALS + (INT16 if name == "tcmps" else ())
    return A5_TYPES if target in A5 else ORDERED


# ---- cases


def draw_mask(random, target, valid, kinds):
    """A mask with room for the bits, and a step of the hardware more."""
    kind = str(random.choice(kinds))
    room = 32 * (-(-valid[1] // 256)) // SIZE[kind]
    cols = room + int(random.integers(0, 2)) * 32 // SIZE[kind]
    rows = valid[0] + int(random.integers(0, 2))
    return Tile(kind, rows, cols, rows, cols)


def draw_case(random, name, target, dtype):
    valid = int(random.integers(1, 7)), int(random.integers(1, 300 if random.integers(0, 4) == 0 else 70))
    if name == "tsel" and target in A5 and SIZE[dtype] == 1:
        valid = valid[0], min(valid[1], 256)
    order = lambda: str(random.choice(list(ORDER))) if target in ("host", "cpu", "cpusim") else "row"  # noqa: E731
    data = [draw_tile(random, target, dtype, valid, order()) for _ in range(3)]
    if target in A5:
        data[1].cols = data[0].cols
    if name in ("tcmp", "tcmps"):
        masks = EIGHT if target == "a2a3" else EIGHT + ("u32",)
        tiles = [draw_mask(random, target, valid, masks)] + data[:2 if name == "tcmp" else 1]
        kinds = "tt" if name == "tcmp" else "ts"
    else:
        masks = EIGHT if name == "tsel" and target in A5 else INTEGERS
        tiles = [data[0], draw_mask(random, target, valid, masks)] + data[1:3 if name == "tsel" else 2]
        if name == "tsel" and target in ("cpu", "cpusim"):
            tiles[1].rows, tiles[1].vrow = 8 * tiles[1].rows, 8 * tiles[1].vrow
        tiles += [Tile("u8", 1, 32, 1, 32)]
        kinds = "tttx" if name == "tsel" else "ttxs"
    case = Case(name, target, dtype, tiles, None, kinds, int(draw_bits(random, dtype, 1)[0]), dtype, [-1] * len(tiles),
                (int(random.integers(0, 6)),))
    case.image = bytearray(random.bytes(place_tiles(random, tiles, [])))
    for tile in tiles[1:]:
        case.image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, tile.dtype, tile.rows * tile.cols).tobytes()
    return case


# ---- what they mean


def numbers(dtype, bits):
    return decode(dtype, bits) if dtype != "hif8" else bits


def storage(case, tile, rows, cols):
    data = np.frombuffer(bytes(case.image), bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
    return data[tile.offsets(rows, cols)]


def compared(case, rows, cols):
    """A bit for each of these elements."""
    sources = case.tiles[1:]
    bits = [storage(case, tile, rows, cols) for tile in sources[:2 if case.name == "tcmp" else 1]]
    if case.name == "tcmps":
        bits.append(np.full((rows, cols), case.scalar).astype(bits_type(case.dtype)))
    dtype, mode = case.dtype, case.attrs[0]
    if case.target == "a2a3" and dtype == "i32" and mode != NE:
        mode = EQ
    if case.target == "a2a3" and dtype in INT16:
        dtype = "f16"
    a, b = (numbers(dtype, x) for x in bits)
    with np.errstate(all="ignore"):
        if case.target in ("cpu", "cpusim") and case.name == "tcmps" and dtype in FORMAT and mode in (EQ, NE):
            near = np.abs(a - b)
            return near < 1e-9 if mode == EQ else (near > 1e-9) | np.isnan(a) | np.isnan(b)
        return COMPARE[mode](a, b)


def packed(bits, count):
    """Rows of so many bytes."""
    rows = np.zeros((bits.shape[0], 8 * count), bool)
    rows[:, :min(bits.shape[1], 8 * count)] = bits[:, :8 * count]
    return np.packbits(rows, axis=1, bitorder="little")


def expect_compare(case):
    """dst's bytes, and whether the last row sticks out."""
    dst, a = case.tiles[:2]
    before = np.frombuffer(bytes(case.image[dst.addr:dst.addr + dst.bytes]), np.uint8)
    pitch, size = dst.cols * dst.size, SIZE[case.dtype]
    if case.target in ("cpu", "cpusim"):
        return expect_cpu(case, dst, a), False
    step, bytes_ = {"host": (8, 1), "a2a3": (64, 8) if size == 4 else (128, 16)}.get(case.target, (256, 32) if size == 1 else (128, 16))
    count = -(-a.vcol // step) * bytes_
    bits = compared(case, a.vrow, min([8 * count] + [tile.cols for tile in case.tiles[1:]]) if case.target == "a2a3" else a.vcol)
    invert = case.target == "a2a3" and case.attrs[0] == NE
    rows = packed(~bits if invert else bits, count)  # EQ of all bits first
    after = np.concatenate([before, np.zeros(count, np.uint8)])
    for r in range(a.vrow):
        after[r * pitch:r * pitch + count] = rows[r]
    over = (a.vrow - 1) * pitch + count > dst.bytes
    after = after[:dst.bytes]
    if invert:
        after[:a.vrow * pitch] = ~after[:a.vrow * pitch]
    return after, over


def expect_cpu(case, dst, a):
    """Cleared; tcmp writes whole words, tcmps one byte per element of dst, row after row over dst's valid columns."""
    bits = compared(case, a.vrow, a.vcol)
    if case.name == "tcmp":
        words = min(-(-a.vcol // (8 * dst.size)), dst.vcol)
        after = np.zeros((dst.rows, dst.cols * dst.size), np.uint8)
        after[:a.vrow, :words * dst.size] = packed(bits, words * dst.size)
        return after.ravel()
    whole = np.zeros((a.rows, a.cols), bool)
    whole[:a.vrow, :a.vcol] = bits
    stream = packed(whole, a.cols // 8).ravel()
    elements = np.zeros(dst.rows * dst.cols, bits_type(dst.dtype))
    for n, byte in enumerate(stream):
        if n // dst.vcol < dst.vrow:
            elements[n // dst.vcol * dst.cols + n % dst.vcol] = byte
    return elements.view(np.uint8)


def expect_select(case):
    dst, mask = case.tiles[:2]
    data = np.frombuffer(bytes(case.image[mask.addr:mask.addr + mask.bytes]), np.uint8)
    a = storage(case, case.tiles[2], dst.vrow, dst.vcol)
    b = storage(case, case.tiles[3], dst.vrow, dst.vcol) if case.name == "tsel" else np.full(a.shape, case.scalar).astype(a.dtype)
    bits = np.zeros(a.shape, bool)
    for r, c in np.ndindex(a.shape):
        n = r * dst.vcol + c
        if case.name == "tsel" and case.target in ("cpu", "cpusim"):
            element = n // 8
            byte, bit = (element // mask.vcol * mask.cols + element % mask.vcol) * mask.size, n % 8
        else:
            byte, bit = r * mask.cols * mask.size + c // 8, c % 8
        bits[r, c] = data[byte] >> bit & 1
    after = np.frombuffer(bytes(case.image[dst.addr:dst.addr + dst.bytes]), a.dtype).copy()
    after[dst.offsets(dst.vrow, dst.vcol)] = np.where(bits, a, b)
    return after.view(np.uint8), False


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    after, over = (expect_compare if case.name in ("tcmp", "tcmps") else expect_select)(case)
    image, dst = bytearray(case.image), case.tiles[0]
    image[dst.addr:dst.addr + dst.bytes] = after.tobytes()
    warned = case.target == "a2a3" and case.dtype == "i32" and case.name in ("tcmp", "tcmps") and case.attrs[0] not in (EQ, NE)
    found = []
    for name, way in zip(("plan", "loop", "core"), ways):
        want = bytearray(image)
        if name == "core" and case.target == "a2a3" and "x" in case.kinds:
            want[case.tiles[-1].addr:case.tiles[-1].addr + 32] = b"\xaa" * 32
        expected = {"tile-overrun"} if over else set()
        if name == "core":
            expected |= {"tcmp-order"} if warned else set()
        if set(way.faults) != expected:
            found.append(f"{name}: reports {sorted(way.faults)}, not {sorted(expected)}")
        elif way.image != bytes(want):
            at = next(i for i, (x, y) in enumerate(zip(way.image, want)) if x != y)
            found.append(f"{name}: byte {at - dst.addr} of dst is {way.image[at]:#x}, not {want[at]:#x}; mode {case.attrs[0]}")
    return found


NAMES = ("tcmp", "tcmps", "tsel", "tsels")


def cases(random_of, count, only):
    for name in NAMES:
        for target in TARGETS:
            for dtype in types_of(name, target) if only in (None, name) else ():
                random = random_of(f"{name} {target} {dtype}")
                yield from ((draw_case(random, name, target, dtype), judge) for _ in range(count))


# ---- single results that the documents state: instruction, target, type, mode, a, b, the first two bytes of the mask

STATED = [
    ("tcmp", ("host", "a2a3", "a5", "cpu"), "f32", EQ, [1.0] * 9, [1.0] * 9, (0xFF, 0x01)),
    ("tcmp", ("host", "a2a3", "a5", "cpu"), "f32", NE, [np.nan], [1.0], (0x01,)),
    ("tcmp", ("host", "a2a3", "a5", "cpu"), "f32", EQ, [np.nan], [np.nan], (0x00,)),
    ("tcmp", ("host", "a2a3", "a5", "cpu"), "f32", EQ, [-0.0], [0.0], (0x01,)),
    ("tcmps", ("cpu",), "f32", EQ, [np.inf], np.inf, (0x00,)),
    ("tcmps", ("host", "a2a3", "a5"), "f32", EQ, [np.inf], np.inf, (0x01,)),
    ("tcmp", ("a2a3",), "i32", LT, [3], [5], (0x00,)),
    ("tcmp", ("host", "a5", "cpu"), "i32", LT, [3], [5], (0x01,)),
    ("tcmps", ("a2a3",), "i16", EQ, [-1], -1, (0x00,)),
    ("tcmps", ("host", "a5", "cpu"), "i16", EQ, [-1], -1, (0x01,)),
    ("tcmp", ("host", "a2a3", "a5", "cpu"), "f32", GT, [0.0] * 7 + [2.0], [1.0] * 8, (0x80,)),
    ("tcmp", ("a5",), "i8", EQ, [1] * 257, [1] * 257, (0xFF,) * 32 + (0x01,) + (0,) * 31),
]


def stated_cases():
    for name, targets, dtype, mode, a, b, want in STATED:
        for target in targets:
            cols = -(-len(a) // 32) * 32 if len(a) > 64 else 64
            sources = 2 if name == "tcmp" else 1
            mask = "u32" if target == "a5" and len(a) <= 64 else "u8"
            size = SIZE[dtype]
            tiles = [Tile(mask, 1, 64, 1, 64, addr=0)] + [Tile(dtype, 1, cols, 1, len(a), addr=1024 * (i + 1)) for i in range(sources)]
            case = Case(name, target, dtype, tiles, bytearray(4096), "tt" if sources == 2 else "ts", 0, dtype, [-1] * len(tiles), (mode,))
            values = [a, b] if sources == 2 else [a]
            for tile, value in zip(tiles[1:], values):
                case.image[tile.addr:tile.addr + size * len(value)] = encode(dtype, np.array(value)).tobytes()
                if target == "a2a3":  # the padding, which is compared, too
                    pad = encode(dtype, np.full(cols - len(value), 0 if mode != GT else 1)).tobytes()
                    case.image[tile.addr + size * len(value):tile.addr + size * cols] = pad
            if sources == 1:
                case.scalar = int(encode(dtype, np.array([b]))[0])
            yield case, judge_stated(want, len(a))


def judge_stated(want, count):
    def both(case, result):
        after, _ = expect_compare(case)
        got = tuple(int(b) for b in after[:len(want)])
        mask = [0xFF] * (count // 8) + [(1 << count % 8) - 1] * (count % 8 > 0)
        mask += [0xFF] * (len(want) - len(mask))
        wrong = [(x ^ y) & m for x, y, m in zip(got, want, mask)]
        return judge(case, result) + [f"the oracle gives {got}, the documents {want}"] * any(wrong)
    return both
