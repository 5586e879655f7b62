"""THISTOGRAM: random cases, and what must come out, written from the pages of the manual and not from the library.

dst[r, b] is the number of elements of row r whose byte k is at most b, among those whose bytes above k are the ones of the filter: for
16 bits the one of the row, for 32 bits those in the first column of rows 0, 1, 2, the highest byte first.
"""
import numpy as np

from facts import A5, SIZE
from oracle_mscatter import Case, Want, tile

DST, SRC, IDX, UB = 0x0, 0x4000, 0x9000, 0xC000


def draw(random, target):
    dtype = str(random.choice(("u16", "u32")))
    size, byte = SIZE[dtype], int(random.integers(SIZE[dtype]))
    rows, cols = int(random.integers(1, 9)), 32 // size * int(random.integers(1, 9))
    valid = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))
    values = random.integers(0, 4, (rows, cols, size), dtype=np.uint8)  # few different bytes, so that filters pass some
    values[..., byte] = random.integers(0, 256, (rows, cols), dtype=np.uint8)
    above = size - 1 - byte
    if dtype == "u16":
        idx, order = random.integers(0, 4, (32, 1), dtype=np.uint8), "col"
    else:
        idx, order = random.integers(0, 4, (max(above, 1), cols), dtype=np.uint8), "row"
    dst_cols = 256 if target in A5 else 256 + 8 * int(random.integers(0, 2))
    image = bytearray(random.bytes(UB))
    for addr, array in ((SRC, values), (IDX, idx)):
        image[addr:addr + array.nbytes] = array.tobytes()
    operands = [tile("u32", rows, dst_cols, (valid[0], 256), "row", DST), tile(dtype, rows, cols, valid, "row", SRC),
                tile("u8", *idx.shape, idx.shape, order, IDX)]
    case = Case("thistogram", target, operands, (byte,), bytes(image), b"", f"byte {byte} {operands}")
    if target == "a2a3":
        return case, Want(rule="thistogram-target")
    for r in range(valid[0]):
        row = values[r, :valid[1]]
        passes = np.ones(len(row), bool)
        for k in range(byte + 1, size):
            passes &= row[:, k] == (idx[r, 0] if dtype == "u16" else idx[size - 1 - k, 0])
        bins = np.cumsum(np.bincount(row[passes, byte], minlength=256)).astype(np.uint32)
        image[DST + r * dst_cols * 4:DST + (r * dst_cols + 256) * 4] = bins.tobytes()
    return case, Want(image=bytes(image))
