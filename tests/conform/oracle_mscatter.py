"""MSCATTER: random cases, and what must come out, written from the pages of the manual and not from the library.

Row: table[map(idx[r]), j] op= src[r, j]; Elem: flat(table)[map(idx[r, c])] op= src[r, c]. Lanes go one after the other.
"""
from dataclasses import dataclass, field

import numpy as np

from facts import A5, SIZE

OOB, ATOMIC, CONFLICT = ("undefined", "skip", "clamp", "wrap"), ("none", "add", "max", "min"), ("last", "default")
TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "f16", "bf16", "f32")
ADDED = {"a2a3": ("i8", "i16", "i32", "f16", "bf16", "f32"), **{a5: ("i32", "u32", "f16", "bf16", "f32") for a5 in A5}}
COMPARED = {"a2a3": (), **{a5: ("i32", "u32", "f32") for a5 in A5}}
CPU = ("cpu", "cpusim")
SRC, IDX, UB = 0, 0x8000, 0xC000   # where the tiles lie, and how much of UB there is
NOTE = 0


@dataclass
class Case:
    name: str
    target: str
    operands: list
    attrs: tuple
    image: bytes
    memory: bytes
    words: str
    by_plan: bool = True


@dataclass
class Want:
    rule: str = ""
    faults: dict = field(default_factory=dict)
    severities: dict = field(default_factory=dict)
    image: bytes = None
    memory: bytes = None
    compared: int = None  # how many bytes of UB are compared, from its start; None: all
    ignored: tuple = ()   # bytes of UB in between that are not: the first one, and the first one after them


# ---- elements: small numbers, so that sums and orders are never in doubt


def storage(dtype):
    return np.dtype({"bf16": "u2", "f16": "f2", "f32": "f4"}.get(dtype, f"{dtype[0]}{SIZE[dtype]}"))


def as_real(dtype, values):
    return (values.astype(np.uint32) << 16).view(np.float32) if dtype == "bf16" else values


def from_real(dtype, values):
    if dtype != "bf16":
        with np.errstate(over="ignore"):  # a sum of f16 that is too large is infinite
            return values.astype(storage(dtype))
    bits = np.asarray(values, np.float32).reshape(-1).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def elements(random, dtype, count):
    if dtype in ("f16", "bf16", "f32"):
        return from_real(dtype, (random.integers(1, 4000, count) / 4).astype(np.float32))
    return np.frombuffer(random.bytes(count * SIZE[dtype]), storage(dtype)).copy()


def combine(dtype, atomic, old, new):
    if atomic == "none":
        return new
    if dtype in ("f16", "bf16", "f32"):
        a, b = (np.float32(as_real(dtype, np.array([value], storage(dtype)))[0]) for value in (old, new))
        result = {"add": a + b, "max": max(a, b), "min": min(a, b)}[atomic]
        return from_real(dtype, np.array([result], np.float32))[0]
    a, b, wide = int(old), int(new), 8 * SIZE[dtype]
    result = {"add": a + b, "max": max(a, b), "min": min(a, b)}[atomic] & ((1 << wide) - 1)
    return np.array([result], np.uint64).astype(f"u{SIZE[dtype]}").view(storage(dtype))[0]


# ---- drawing


def draw_words(random, target, dtype):
    """(mode, policy, atomic, conflict), all legal."""
    mode, oob = random.choice(("row", "elem")), str(random.choice(OOB))
    may = ["none"] * 2 + ["add"] * (dtype in ADDED.get(target, TYPES)) + ["max", "min"] * (dtype in COMPARED.get(target, TYPES))
    atomic = str(random.choice(may))
    conflict = "last" if target == "a2a3" else str(random.choice(CONFLICT))
    if target in CPU and atomic != "none":
        conflict = "default"
    return mode, oob, atomic, conflict


def nz_offset(rows, cols, c0, r, c):
    return c // c0 * rows * c0 + r * c0 + c % c0


def tile(dtype, rows, cols, valid, order, addr):
    return {"kind": "tile", "dtype": dtype, "rows": rows, "cols": cols, "valid": valid, "order": order, "addr": addr}


def draw_shape(random, target, mode, dtype):
    """(padded, valid, order) of the source."""
    c0 = 32 // SIZE[dtype]
    if target in ("a2a3", "host") and random.integers(4) == 0:
        rows, cols = 16 * int(random.integers(1, 3)), c0 * int(random.integers(1, 4))
        return (rows, cols), (int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))), "nz"
    rows, cols = int(random.integers(1, 9)), c0 * int(random.integers(1, 4))
    return (rows, cols), (int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))), "row"


def draw_table(random, target, mode, dtype, source):
    """A view as wide as the source asks for."""
    (_, cols), (_, vcol), order = source
    c0, height = 32 // SIZE[dtype], int(random.integers(1, 7))
    if order == "nz":
        blocks = cols // c0
        shape = (1, blocks, height, 16, c0)
        return {"kind": "view", "dtype": dtype, "layout": "nz", "shape": shape, "stride": (0, height * 16 * c0, 16 * c0, c0, 1)}
    width = vcol if target in A5 or mode == "elem" else vcol + int(random.integers(0, 4))
    pitch = width + (int(random.integers(0, 3)) if mode == "row" and target not in A5 else 0)
    return {"kind": "view", "dtype": dtype, "layout": "nd", "shape": (1, 1, 1, height, width), "stride": (0, 0, 0, pitch, 1)}


def place_of(table, row, col):
    stride, shape = table["stride"], table["shape"]
    if table["layout"] == "nd":
        return row * stride[3] + col
    block = col // shape[4]
    return block * stride[1] + row // 16 * stride[2] + row % 16 * stride[3] + col % shape[4]


def pitch_of(table):
    return table["stride"][3]


def capacity_of(table, mode):
    shape = table["shape"]
    if table["layout"] == "nz":
        return shape[2] * 16 if mode == "row" else shape[2] * 16 * shape[0] * shape[1] * shape[4]
    return shape[3] if mode == "row" else shape[3] * shape[4]


def draw_indices(random, capacity, count):
    """Mostly inside, some equal, some outside, some negative."""
    indices = random.integers(0, capacity, count)
    indices[random.integers(0, 4, count) == 0] = random.integers(0, capacity)
    odd = random.integers(0, 12, count) == 0
    indices[odd] = random.integers(-3, capacity + 4, int(odd.sum()))
    return indices


def draw(random, target):
    dtype, index_dtype = str(random.choice(TYPES)), str(random.choice(("i32", "u32")))
    words = draw_words(random, target, dtype)
    mode = words[0]
    source = draw_shape(random, target, mode, dtype)
    (rows, cols), (vrow, vcol), order = source
    table = draw_table(random, target, mode, dtype, source)
    reach = place_of(table, capacity_of(table, "row") - 1, (table["shape"][1] * table["shape"][4]) - 1) + 1
    memory = elements(random, dtype, max(1, reach + int(random.choice((-2, 0, 5)))))
    src = elements(random, dtype, rows * cols)
    index_valid, index_cols = ((1, vrow), -(-vrow // 8) * 8) if mode == "row" else ((vrow, vcol), -(-vcol // 8) * 8)
    indices = np.zeros((index_valid[0], index_cols), np.uint32)
    drawn = draw_indices(random, capacity_of(table, mode), index_valid[0] * index_valid[1])
    indices[:, :index_valid[1]] = (drawn & 0xFFFFFFFF).reshape(index_valid)
    image = bytearray(UB)
    image[SRC:SRC + src.nbytes] = src.tobytes()
    image[IDX:IDX + indices.nbytes] = indices.tobytes()
    attrs = (("row", "elem").index(mode), OOB.index(words[1]), ATOMIC.index(words[2]), CONFLICT.index(words[3]))
    operands = [tile(dtype, rows, cols, (vrow, vcol), order, SRC), table,
                tile(index_dtype, *indices.shape, index_valid, "row", IDX)]
    case = Case("mscatter", target, operands, attrs, bytes(image), memory.tobytes(), f"{words} {operands}")
    return case, expect(case, words, src, indices, index_dtype, memory.copy(), table)


# ---- what comes out


def mapped_index(target, oob, bits, index_dtype, capacity):
    """The index under a policy; None: the lane is dropped by Skip."""
    index = int(bits)
    if target in CPU and index_dtype == "i32" and index >> 31:
        index += (1 << 64) - (1 << 32)
    if oob == "clamp":
        return min(index, capacity - 1)
    if oob == "wrap":
        return index % capacity
    return None if oob == "skip" and index >= capacity else index


def lanes_of(case, mode, source, table):
    """Lanes in the order in which a later one wins."""
    (rows, cols), (vrow, vcol), order = source
    c0 = table["shape"][4]
    if order == "nz" and mode == "row" and case.target == "a2a3":
        vcol = table["shape"][1] * c0  # all blocks of the row, padding too
    lanes = [(r, c) for r in range(vrow) for c in range(vcol)]
    return sorted(lanes, key=lambda lane: (lane[1] // c0, *lane)) if order == "nz" and mode == "elem" else lanes


def expect(case, words, src, indices, index_dtype, memory, table):
    mode, oob, atomic, conflict = words
    operand, dtype = case.operands[0], case.operands[0]["dtype"]
    source = (operand["rows"], operand["cols"]), operand["valid"], operand["order"]
    capacity, c0 = capacity_of(table, mode), 32 // SIZE[dtype]
    simt_store = case.target in A5 and atomic == "none"
    want, writers = Want(), {}

    def count(kind):
        want.faults[kind] = want.faults.get(kind, 0) + 1

    for r, c in lanes_of(case, mode, source, table):
        bits = indices[0, r] if mode == "row" else indices[r, c]
        if index_dtype == "i32" and bits >> 31 and oob in ("clamp", "wrap") and (mode == "elem" or c == 0):
            count("index-negative")
        index = mapped_index(case.target, oob, bits, index_dtype, capacity)
        if index is None:
            continue
        if index >= capacity and simt_store and conflict == "last":
            count("scatter-dropped")
            continue
        if case.target in A5 and mode == "row" and c == 0 and index * pitch_of(table) > 0xFFFFFFFF:
            count("product-overflow")
        logical = table["shape"][1] * table["shape"][4]
        place = place_of(table, index, c) if mode == "row" else \
            place_of(table, index // logical, index % logical) if table["layout"] == "nz" else index
        if place >= len(memory):
            count("gm-out-of-bounds")
            continue
        if index >= capacity:
            count("gm-outside-view")
        element = src[nz_offset(*source[0], c0, r, c) if source[2] == "nz" else r * source[0][1] + c]
        flat = case.target in CPU and mode == "row" and atomic in ("max", "min")
        if flat and index >= len(memory):
            continue
        memory[place] = combine(dtype, atomic, memory[index if flat else place], element)
        writers.setdefault(place, []).append(bytes(element.tobytes()))
    if simt_store and conflict == "default":
        crowded = [values for values in writers.values() if len(values) > 1]
        if crowded:
            want.faults["scatter-conflict"] = sum(len(values) - 1 for values in crowded)
            agree = all(a == b for values in crowded for a, b in zip(values, values[1:]))
            want.severities["scatter-conflict"] = NOTE if agree else 2
    if not pitch_fits(case.target, mode, table):
        want.faults["pitch-mismatch"] = len(lanes_of(case, mode, source, table))
    want.memory, want.image = memory.tobytes(), case.image
    return want


def pitch_fits(target, mode, table):
    if table["layout"] == "nz":
        return True
    height, width, pitch = table["shape"][3], table["shape"][4], table["stride"][3]
    return mode == "row" or height == 1 or pitch == width
