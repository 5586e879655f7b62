"""TSORT32: random cases, and what must come out, written from the pages of the manual and not from the library.

Each 32 columns of a row become 32 pairs of 8 bytes, a number and its index, in descending order. -0 equals 0; positive NaN come first,
negative ones last. Equal numbers keep their order; on cpu the smaller index comes first.
"""
import math

import numpy as np

from facts import SIZE
from oracle_mscatter import CPU, NOTE, Case, Want, tile

GROUP = 32
DST, SRC, IDX, TMP, UB = 0, 0x6000, 0x9000, 0xC000, 0xC400  # where the tiles lie, and how much of UB there is
SPECIAL = {"f16": (0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7C01, 0x0001, 0x8001),
           "f32": (0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0xFF800001, 0x00000001, 0x80000001)}
PAD = {"f16": 0xFE00, "f32": 0xFFC00000}
REAL = {"f16": np.float16, "f32": np.float32}


def bits_type(dtype):
    return np.dtype(f"u{SIZE[dtype]}")


def draw_numbers(random, dtype, count):
    """Bits of few different numbers, so that many are equal; in one case of four some are special."""
    bits = (random.integers(-20, 20, count) / 4).astype(REAL[dtype]).view(bits_type(dtype)).copy()
    if random.integers(4) == 0:
        special = random.integers(0, 6, count) == 0
        bits[special] = random.choice(SPECIAL[dtype], int(special.sum()))
    return bits


def value_of(dtype, bits):
    return float(np.array([bits], bits_type(dtype)).view(REAL[dtype])[0])


def is_negative(dtype, bits):
    return bool(int(bits) >> (8 * SIZE[dtype] - 1))


def sort_key(dtype, bits):
    """Smaller keys come first."""
    value = value_of(dtype, bits)
    if math.isnan(value):
        return (2, 0.0) if is_negative(dtype, bits) else (0, 0.0)
    return (1, -value)


def pair_bytes(dtype, bits, index):
    number = int(bits).to_bytes(SIZE[dtype], "little")
    return number.ljust(4, b"\0") + int(index).to_bytes(4, "little")


def draw(random, target):
    dtype, rows = str(random.choice(("f16", "f32"))), int(random.integers(1, 5))
    cols = int(random.choice((32, 64, int(random.integers(1, 97)))))
    whole, block = -(-cols // GROUP) * GROUP, 32 // SIZE[dtype]
    src_cols = -(-cols // block) * block + block * int(random.integers(0, 2))
    index_rows = 1 if random.integers(3) == 0 else rows
    index_cols = whole + 8 * int(random.integers(0, 2))
    dst_cols = (whole + 4 * int(random.integers(0, 2))) * 8 // SIZE[dtype]
    src = draw_numbers(random, dtype, rows * src_cols).reshape(rows, src_cols)
    idx = random.integers(0, random.choice((4, 1 << 32)), (index_rows, index_cols), dtype=np.uint64).astype(np.uint32)
    image = bytearray(random.bytes(UB))
    image[SRC:SRC + src.nbytes] = src.tobytes()
    image[IDX:IDX + idx.nbytes] = idx.tobytes()
    has_tmp = cols % GROUP != 0 or random.integers(2) == 0
    operands = [tile(dtype, rows, dst_cols, (rows, dst_cols), "row", DST), tile(dtype, rows, src_cols, (rows, cols), "row", SRC),
                tile("u32", index_rows, index_cols, (index_rows, cols), "row", IDX),
                tile(dtype, 1, whole, (1, whole), "row", TMP) if has_tmp else None]
    case = Case("tsort32", target, operands, (), bytes(image), b"", str(operands))
    return case, expect(case, src, idx, cols)


def sorted_group(case, src, idx, r, first, cols):
    """The pairs (bits, index) of one group."""
    dtype, on_cpu = case.operands[0]["dtype"], case.target in CPU
    pairs = []
    for c in range(first, first + GROUP if not on_cpu else min(first + GROUP, cols)):
        pairs.append((src[r, c] if c < cols else PAD[dtype], idx[r if len(idx) > 1 else 0, c]))
    return sorted(pairs, key=lambda pair: (sort_key(dtype, pair[0]), int(pair[1]) if on_cpu else 0))


def expect(case, src, idx, cols):
    dst, dtype = case.operands[0], case.operands[0]["dtype"]
    rows, pitch = dst["rows"], dst["cols"] * SIZE[dtype]
    want, image = Want(compared=TMP), bytearray(case.image)
    if case.target in CPU and len(idx) != rows:
        rows = 0
    step = 2 * GROUP * SIZE[dtype] if case.target in CPU else GROUP * 8
    for r in range(rows):
        for first in range(0, cols, GROUP):
            data = b"".join(pair_bytes(dtype, *pair) for pair in sorted_group(case, src, idx, r, first, cols))
            start = DST + r * pitch + first // GROUP * step
            image[start:start + len(data)] = data
        nans = sum(math.isnan(value_of(dtype, bits)) for bits in src[r, :cols])
        if nans:
            want.faults["sort-nan"] = want.faults.get("sort-nan", 0) + nans
            want.severities["sort-nan"] = NOTE
    want.image = bytes(image)
    return want
