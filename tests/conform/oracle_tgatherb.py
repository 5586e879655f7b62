"""TGATHERB: random cases, and what must come out, written from the pages of the manual and not from the library.

Block b of 32 bytes of row r of dst is the 32 bytes at offset[r, b] of src. A last block that is not full is cut to the valid elements; cpu
leaves it out. a2a3 goes by 256 bytes: of what is left of a row it writes 256 bytes too, with eight offsets each, one row after the other.
"""
import numpy as np

from facts import A5, SIZE
from oracle_mscatter import CPU, TYPES, Case, Want, tile

DST, SRC, OFFSET, UB = 0x0, 0x6000, 0x9000, 0xC000
MACHINES = ("a2a3",) + tuple(A5)
FAR = 0x80000000   # such offsets lead out of UB


def draw(random, target):
    dtype = str(random.choice(TYPES))
    size, block = SIZE[dtype], 32 // SIZE[dtype]
    rows, cols = int(random.integers(1, 5)), block * int(random.integers(1, 22))
    valid = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1)) if random.integers(2) else cols
    src_rows, src_cols = int(random.integers(1, 5)), block * int(random.integers(1, 9))
    room = src_rows * src_cols * size
    offset_cols = -(-(-(-cols * size // 32)) // 8) * 8 + 8 * int(random.integers(0, 2))
    offset = 32 * random.integers(0, room // 32, (rows, offset_cols))
    kind = int(random.integers(4))
    odd = random.integers(0, 6, offset.shape) == 0
    if kind == 0 and room > 32:
        offset[odd] = random.integers(0, room - 32, int(odd.sum()))
    if kind == 1:
        offset[odd] = random.choice((FAR, 0xFFFFFFE0), int(odd.sum()))
    offset = offset.astype(np.uint32)
    image = bytearray(random.bytes(UB))
    image[OFFSET:OFFSET + offset.nbytes] = offset.tobytes()
    operands = [tile(dtype, rows, cols, valid, "row", DST), tile(dtype, src_rows, src_cols, (src_rows, src_cols), "row", SRC),
                tile(str(random.choice(("u32", "i32"))), rows, offset_cols, (rows, offset_cols), "row", OFFSET)]
    case = Case("tgatherb", target, operands, (), bytes(image), b"", str(operands))
    return case, expect(case, offset, room)


def lanes(case, offset):
    """(place in dst, offset, bytes, whether dst has valid elements there), in the order of the target."""
    dst, size = case.operands[0], SIZE[case.operands[0]["dtype"]]
    (rows, cols), pitch = dst["valid"], dst["cols"] * size
    width, flat = cols * size, offset.reshape(-1)
    if case.target != "a2a3":
        for r in range(rows):
            for b in range(width // 32 if case.target in CPU else -(-width // 32)):
                yield r * pitch + 32 * b, int(offset[r, b]), min(32, width - 32 * b), True
        return
    steps = width // 256
    for r in range(rows):
        for b in range(8 * steps):
            yield r * pitch + 32 * b, int(offset[r, b]), 32, True
    for r in range(rows if width % 256 else 0):
        for k in range(8):
            yield r * pitch + 256 * steps + 32 * k, int(flat[8 * steps + 8 * r + k]), 32, 256 * steps + 32 * k < width


def expect(case, offset, room):
    dst, size = case.operands[0], SIZE[case.operands[0]["dtype"]]
    end, image, source = dst["rows"] * dst["cols"] * size, bytearray(case.image), case.image[SRC:SRC + room]
    counts = {"gatherb-misaligned": 0, "ub-outside-tile": 0, "tile-overrun": 0}
    for to, start, length, is_valid in lanes(case, offset):
        outside = start + 32 > room
        counts["gatherb-misaligned"] += is_valid and start % 32 != 0
        if outside and case.target not in MACHINES:
            continue
        counts["ub-outside-tile"] += is_valid and outside
        data = b"\xaa" * 32 if outside else source[start:start + 32]
        counts["tile-overrun"] += max(0, to + length - max(to, end)) // size
        length = max(0, min(length, end - to))
        image[DST + to:DST + to + length] = data[:length]
    return Want(faults={kind: n for kind, n in counts.items() if n}, image=bytes(image))
