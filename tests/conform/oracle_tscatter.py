"""TSCATTER: random cases, and what must come out, written from the pages of the manual and not from the library.

By index: dst becomes 0 (on cpu it stays), then flat(dst)[idx[i, j]] = src[i, j]; by mask: dst becomes 0, then element F*j+p of a row, or
row F*i+p, is that of src. a5 has no mask form, and reads indices as unsigned; equal ones of a vector step are a conflict there.
"""
import numpy as np

from facts import A5, SIZE, keeps
from oracle_mscatter import CPU, NOTE, TYPES, Case, Want, tile

DST, SRC, IDX, UB = 0x1000, 0x6000, 0x9000, 0xC000   # where the tiles lie, and how much of UB there is
ERROR = 2
PATTERNS = ("P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111")
MASKED = {cpu: ("i16", "u16", "i32", "u32", "f16", "bf16", "f32") for cpu in CPU}


def draw(random, target):
    return draw_mask(random, target) if random.integers(2) else draw_index(random, target)


def block(dtype):
    return 32 // SIZE[dtype]


def image_with(random, parts):
    image = bytearray(random.bytes(UB))
    for addr, values in parts:
        image[addr:addr + values.nbytes] = values.tobytes()
    return bytes(image)


# ---- by index


def draw_index(random, target):
    dtype = str(random.choice(TYPES + (("i64", "u64") if target in A5 + ("host",) else ())))
    size, wide = SIZE[dtype], 2 if SIZE[dtype] <= 2 else 4
    itype = str(random.choice((f"i{8 * wide}", f"u{8 * wide}")))
    rows, cols = int(random.integers(1, 4)), 32 // min(size, wide) * int(random.integers(1, 6 if size < 8 else 3))
    cols = min(cols, 64) if size == 8 else cols
    valid = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))
    dst_rows, dst_cols = int(random.integers(1, 9)), block(dtype) * int(random.integers(1, 5))
    elements = dst_rows * dst_cols
    index = random.integers(0, elements, (rows, cols))
    if random.integers(2):  # few equal ones
        index = random.permutation(max(elements, rows * cols))[:rows * cols].reshape(rows, cols) % elements
    if random.integers(3) == 0:
        outside = random.integers(0, 5, (rows, cols)) == 0
        index[outside] = random.choice((-1, -16, elements, elements + 7), int(outside.sum()))
    src = np.frombuffer(random.bytes(rows * cols * size), f"u{size}").reshape(rows, cols)
    if random.integers(4) == 0:
        src = np.full((rows, cols), 7, f"u{size}")
    idx = index.astype(f"i{wide}")
    operands = [tile(dtype, dst_rows, dst_cols, (dst_rows, int(random.integers(1, dst_cols + 1))), "row", DST),
                tile(dtype, rows, cols, (rows, cols), "row", SRC), tile(itype, rows, cols, valid, "row", IDX)]
    case = Case("tscatter", target, operands, (0,), image_with(random, ((SRC, src), (IDX, idx))), b"", str(operands))
    return case, expect_index(case, src, idx)


def number_of(case, bits):
    """An index as the target reads it."""
    wide, itype = bits.dtype.itemsize, case.operands[2]["dtype"]
    unsigned = case.target in A5 or itype[0] == "u"
    return int(bits) % (1 << 8 * wide) if unsigned else int(bits)


def expect_index(case, src, idx):
    dst, size = case.operands[0], SIZE[case.operands[0]["dtype"]]
    elements, (rows, cols) = dst["rows"] * dst["cols"], case.operands[2]["valid"]
    want, image = Want(), bytearray(case.image)
    if case.target not in CPU:
        image[DST:DST + elements * size] = bytes(elements * size)
    step = 256 // idx.dtype.itemsize if case.target in A5 else 1
    conflicts, outside, agree = 0, 0, True
    for i in range(rows):
        for first in range(0, cols, step):
            seen = {}
            for j in range(first, min(first + step, cols)):
                place = number_of(case, idx[i, j])
                outside += not 0 <= place < elements
                if place in seen:
                    conflicts, agree = conflicts + 1, agree and seen[place] == src[i, j]
                seen[place] = src[i, j]
                if 0 <= place < elements:
                    image[DST + place * size:DST + (place + 1) * size] = src[i, j].tobytes()
    if outside:
        want.faults["ub-outside-tile"] = outside
    if conflicts:
        want.faults["scatter-conflict"] = conflicts
        want.severities["scatter-conflict"] = NOTE if agree else ERROR
    want.image = bytes(image)
    return want


# ---- by mask


def draw_mask(random, target):
    dtype, pattern, axis = str(random.choice(MASKED.get(target, TYPES))), str(random.choice(PATTERNS)), int(random.integers(2))
    size, (times, first) = SIZE[dtype], keeps(pattern)
    rows, cols = int(random.integers(1, 5)), block(dtype) * int(random.integers(1, 3))
    valid = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))
    grown = (valid[0] * (times if axis else 1), valid[1] * (1 if axis else times))
    padded = grown[0] + int(random.integers(0, 2)), -(-grown[1] // block(dtype)) * block(dtype) + block(dtype) * int(random.integers(0, 2))
    src = np.frombuffer(random.bytes(rows * cols * size), f"u{size}").reshape(rows, cols)
    operands = [tile(dtype, *padded, grown, "row", DST), tile(dtype, rows, cols, valid, "row", SRC), None]
    attrs = (1, PATTERNS.index(pattern) + 1, axis)
    case = Case("tscatter", target, operands, attrs, image_with(random, ((SRC, src),)), b"", f"{pattern} {operands}")
    if target in A5:
        return case, Want(rule="tscatter-target")
    if target == "a2a3" and size == 1 and axis and pattern != "P1111":
        return case, Want(rule="tscatter-mask-col-bytes")
    return case, expect_mask(case, src, times, first, axis)


def expect_mask(case, src, times, first, axis):
    dst, size, (rows, cols) = case.operands[0], src.dtype.itemsize, case.operands[1]["valid"]
    stored = np.frombuffer(case.image[DST:DST + dst["rows"] * dst["cols"] * size], src.dtype).reshape(dst["rows"], dst["cols"]).copy()
    if times > 1 and case.target in CPU:
        stored[:dst["valid"][0], :dst["valid"][1]] = 0
    elif times > 1:
        stored[:] = 0
    part = src[:rows, :cols]
    if times > 1 and not axis and case.target in CPU:
        part = src.reshape(-1)[:rows * cols].reshape(rows, cols)
    if axis:
        stored[first:first + times * rows:times, :cols] = part
    else:
        stored[:rows, first:first + times * cols:times] = part
    image = bytearray(case.image)
    image[DST:DST + stored.nbytes] = stored.tobytes()
    return Want(image=bytes(image))
