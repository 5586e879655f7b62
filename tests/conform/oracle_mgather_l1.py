"""MGATHER into L1: random cases, and what must come out, written from the pages of the manual and not from the library.

Row: dst[r, j] = table[map(idx[r]), j]; Elem: dst[r, c] = flat(table)[map(idx[r, c])]. dst is NZ. Rows end in whole blocks of 32 bytes, with
zeros; Elem, and Row under the policy Zero, leave zeros in the rest of the tile. Table, indices and scratch memory lie in one buffer.
"""
import numpy as np

from facts import COALESCE, MGATHER_DTYPES, OOB, SIZE
from oracle_mscatter import CPU, Case, Want, nz_offset, tile

MAT = 1          # PTOG_MAT
NAMES = list(OOB)


def view(dtype, shape, stride, offset):
    return {"kind": "view", "dtype": dtype, "layout": "nd", "shape": shape, "stride": stride, "offset": offset}


def draw_table(random, dtype, mode, width):
    """Rows of Row may be wider than dst, and lie apart; a table of Elem is packed. Some have more than two dimensions."""
    outer = (1, 1, 1) if random.integers(3) else (1, int(random.integers(1, 3)), int(random.integers(1, 4)))
    height = int(random.integers(1, 7))
    cols = width + int(random.integers(0, 4)) if mode == "row" else int(random.integers(1, 9))
    pitch = cols + (int(random.integers(0, 3)) if mode == "row" else 0)
    stride = (outer[1] * outer[2] * height * pitch, outer[2] * height * pitch, height * pitch, pitch, 1)
    return view(dtype, (*outer, height, cols), stride, 0)


def draw_indices(random, capacity, shape):
    indices = random.integers(0, capacity, shape)
    odd = random.integers(0, 8, shape) == 0
    indices[odd] = random.integers(-3, capacity + 4, int(odd.sum()))
    return indices & 0xFFFFFFFF


def draw(random, target):
    dtype, index_dtype = str(random.choice(MGATHER_DTYPES[target])), str(random.choice(("i32", "u32")))
    mode, oob = str(random.choice(("row", "elem"))), str(random.choice(NAMES))
    size, c0 = SIZE[dtype], 32 // SIZE[dtype]
    rows, cols = 16 * int(random.integers(1, 3)), c0 * int(random.integers(1, 4))
    vrow, vcol = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))
    table = draw_table(random, dtype, mode, vcol)
    capacity = capacity_of(target, mode, table)
    pitch = vcol + int(random.integers(0, 3))
    indices = np.zeros((1, vrow) if mode == "row" else (vrow, pitch), np.uint64)
    drawn = draw_indices(random, capacity, (1, vrow) if mode == "row" else (vrow, vcol))
    indices[:, :drawn.shape[1]] = drawn
    reach = int(np.prod(table["shape"][:4])) * table["stride"][3] * size
    first = -(-reach // 64) * 64
    second = first + -(-4 * indices.size // 64) * 64
    end = second + rows * cols * size
    memory = bytearray(random.bytes(end))
    memory[first:first + 4 * indices.size] = indices.astype(np.uint32).tobytes()
    shape = (1, 1, 1, *drawn.shape)
    given = view(index_dtype, shape, (0, 0, 0, indices.shape[1], 1), first)
    scratch = view(dtype, (1, 1, 1, 1, rows * cols), (0, 0, 0, rows * cols, 1), second) if mode == "elem" else None
    dst = {**tile(dtype, rows, cols, (vrow, vcol), "nz", 0), "loc": MAT}
    case = Case("mgather", target, [dst, table, None, given, scratch], (COALESCE[mode], OOB[oob]), random.bytes(rows * cols * size),
                bytes(memory), f"{mode} {oob} {dst} {table} {given}")
    return case, expect(case, mode, oob if target != "cpu" else "undefined", drawn, index_dtype)


def capacity_of(target, mode, table):
    shape = table["shape"]
    return int(np.prod(shape)) if mode == "elem" else shape[3] if target in CPU else int(np.prod(shape[:4]))


def mapped(target, oob, index, signed, capacity):
    """The index under a policy; None: the lane is zero."""
    if target in CPU and signed and index >> 31:
        index += (1 << 64) - (1 << 32)
    if oob == "zero" and index >= capacity:
        return None
    return min(index, capacity - 1) if oob == "clamp" else index % capacity if oob == "wrap" else index


def expect(case, mode, oob, indices, index_dtype):
    dst, table, _, _, scratch = case.operands
    size, (rows, cols), (vrow, vcol) = SIZE[dst["dtype"]], (dst["rows"], dst["cols"]), dst["valid"]
    c0, capacity, signed = 32 // size, capacity_of(case.target, mode, table), index_dtype == "i32"
    image, memory, faults = bytearray(case.image), bytearray(case.memory), {}

    def count(kind):
        faults[kind] = faults.get(kind, 0) + 1

    def put(r, c, data):
        at = nz_offset(rows, cols, c0, r, c) * size
        image[at:at + size] = data

    if mode == "elem" or oob == "zero":
        image = bytearray(len(image))
    for r in range(vrow):
        for c in range(-(-vcol // c0) * c0):
            put(r, c, bytes(size))
    for r in range(vrow):
        for c in range(vcol):
            raw = int(indices[0, r] if mode == "row" else indices[r, c])
            once = mode == "elem" or c == 0
            if once and signed and raw >> 31 and oob in ("clamp", "wrap"):
                count("index-negative")
            index = mapped(case.target, oob, raw, signed, capacity)
            if index is None:
                continue
            at = (index * table["stride"][3] + c if mode == "row" else index) * size
            inside = at + size <= len(memory)
            put(r, c, case.memory[at:at + size] if inside else b"\xaa" * size)
            if not inside:
                count("gm-out-of-bounds")
            elif index >= capacity:
                count("gm-outside-view")
    if mode == "elem" and case.target not in CPU:
        memory[scratch["offset"]:scratch["offset"] + len(image)] = image
    return Want(faults=faults, image=bytes(image), memory=bytes(memory))
