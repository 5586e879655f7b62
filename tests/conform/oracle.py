"""The second opinion: what a case must do, computed in numpy from the formulas of semantics.md and errata.md.

`expect(case)` gives the status, the bytes and the faults of a legal case. This file holds MGATHER and what both
instructions share; oracle_tgather.py holds TGATHER.
"""
from dataclasses import dataclass
from math import prod

import numpy as np

from facts import (FAULT, GM_OUTSIDE_VIEW, GM_OUT_OF_BOUNDS, INDEX_NEGATIVE, KINDS, OK, PITCH_MISMATCH,
                   PRODUCT_OVERFLOW, SHORT_BUFFER, SIGNED, TILE_OVERRUN)

U32 = (1 << 32) - 1
WARNINGS = (INDEX_NEGATIVE, PRODUCT_OVERFLOW)
U64 = (1 << 64) - 1
FILL = 0xAAAAAAAAAAAAAAAA  # what a lane gets whose bytes do not exist
FAR = 1 << 33              # strides are at least 1: so large an index leaves every buffer, and no product overflows


@dataclass
class Expect:
    status: int
    dst: bytes
    cdst: bytes
    faults: list      # by kind: (count, row, col, index); None for a field that the documents leave open
    capacity: int

    def first_error(self):
        """(row, col, kind, index) of the first error lane in row-major order; None without errors."""
        lanes = [(row, col, kind, index) for kind, (count, row, col, index) in enumerate(self.faults)
                 if count and kind not in WARNINGS]
        return min(lanes, key=lambda lane: lane[:3], default=None)

    def error_count(self):
        return sum(entry[0] for kind, entry in enumerate(self.faults) if kind not in WARNINGS)


class Faults:
    """Counts lanes by kind; the masks are in row-major order of the lanes."""

    def __init__(self):
        self.of = [(0, 0, 0, 0)] * len(KINDS)

    def lanes(self, kind, mask, index=0):
        """`index` is an array that broadcasts to the mask, a number, or None for "left open"."""
        count = int(np.count_nonzero(mask))
        if count:
            row, col = divmod(int(mask.argmax()), mask.shape[1])
            if isinstance(index, np.ndarray):
                index = int(np.broadcast_to(index, mask.shape)[row, col]) & U64
            self.of[kind] = (count, row, col, index)

    def expect(self, dst, cdst=b"", capacity=0):
        expect = Expect(OK, dst, cdst, self.of, capacity)
        if expect.error_count():
            expect.status = FAULT
        return expect


# ---- memory ----

def elements(buffer, size, past_end=0):
    """The whole elements of a buffer, and one more that stands for everything past its end."""
    inside = np.frombuffer(buffer, f"u{size}", len(buffer) // size)
    return np.append(inside, inside.dtype.type(past_end & ((1 << 8 * size) - 1)))


def read(memory, where, inside):
    return memory[np.where(inside, where, len(memory) - 1)]


def write(buffer, size, where, values, mask):
    """The buffer's bytes after values go to the element positions `where` that the mask selects."""
    after = np.frombuffer(buffer, np.uint8).copy()
    view = after[:len(after) // size * size].view(f"u{size}")
    view[where[mask]] = values[mask]
    return after.tobytes()


def fits(buffer, size, where):
    return where < len(buffer) // size


# ---- MGATHER: index to address ----

def written_extents(case):
    """a5-custom writes the whole padded tile, everyone else the valid region (E26)."""
    return (case.dst.rows, case.dst.cols) if case.target == "a5-custom" else (case.dst.vrow, case.dst.vcol)


def logical_columns(table):
    return table.shape[0] * table.shape[1] * (32 // table.size)


def capacity(case):
    shape = case.table.shape
    if case.table.layout == "nz":
        rows = shape[2] * 16
        return rows if case.form == "row" else rows * logical_columns(case.table)
    if case.form == "row":
        return shape[3] if case.target in ("a5", "a5-custom", "cpusim") else prod(shape[:4])
    return shape[3] * shape[4] if case.target == "a5-custom" else prod(shape)


def index_positions(case, rows, cols):
    """Where in the index tile's storage the index of each lane lies: a column for Row, rows x cols for Elem."""
    if case.target == "cpu":  # a plain walk of the storage, whatever the valid shape (E10)
        return np.arange(rows)[:, None] * case.idx.cols + np.arange(cols)
    if case.form == "elem":
        return case.idx.offsets(rows, cols)
    if case.target == "a5-custom" or case.idx.vcol == 1:
        return case.idx.offsets(rows, 1)
    return case.idx.offsets(1, rows).T


def read_indices(case, where):
    """Values as the target reads them: signed on cpu, else unsigned of the index's width (E1, E2, E3)."""
    raw = elements(case.buffers["idx"], case.idx.size)
    have = where < len(raw) - 1
    values = read(raw, where, have)
    if case.target == "cpu":
        kind = "i" if case.idx.dtype in SIGNED else "u"
        return values.view(f"{kind}{case.idx.size}").astype(np.int64), have
    if case.target == "cpusim" and case.idx.dtype in SIGNED:  # to 64 bits with its sign (E72)
        return values.view(f"i{case.idx.size}").astype(np.int64).view(np.uint64), have
    return values.astype(np.uint64), have


def map_index(case, index, cap):
    """(mapped index, lanes that Zero replaces)."""
    none = np.zeros(index.shape, bool)
    if case.target == "cpu":
        return index, none
    if case.oob == "clamp":
        negative = (case.target == "a5-custom" and case.idx.dtype in SIGNED) & (index >= np.uint64(1 << 31))  # "[0, tableSize-1]"
        index = np.where(negative, np.uint64(0), np.minimum(index, np.uint64(cap - 1)))
    if case.oob == "wrap":
        index = index % np.uint64(cap)
    zero = index >= np.uint64(cap) if case.oob == "zero" else none
    return np.minimum(index, np.uint64(FAR)).astype(np.int64), zero


def nz_address(table, row, col):
    c0 = 32 // table.size
    block, s = col // c0, table.stride
    return (block // table.shape[1] * s[0] + block % table.shape[1] * s[1] + row // 16 * s[2] + row % 16 * s[3]
            + col % c0 * s[4])


def row_pitch(case):
    """Elements from one row to the next, as the target multiplies (E13)."""
    return {"a5": case.dst.vcol, "a5-custom": case.table.shape[4]}.get(case.target, case.table.stride[3])


def addresses(case, mapped, cols):
    """Element offset from the table's base, per lane."""
    table, j = case.table, np.arange(cols)
    if case.form == "elem":
        if table.layout != "nz":
            return mapped
        width = logical_columns(table)
        return nz_address(table, mapped // width, mapped % width)
    if table.layout == "nz":
        return nz_address(table, mapped, j)
    start = mapped * row_pitch(case)
    return start + j * (1 if case.target in ("a5", "a5-custom") else table.stride[4])


def pitch_differs(case):
    """Is some in-capacity index read elsewhere than where the view puts it? (E13, E14, E15; E20 for DN)"""
    shape, stride = case.table.shape, case.table.stride
    if case.table.layout == "nz":
        return False
    if case.form == "row" and case.target in ("a5", "a5-custom", "cpusim"):
        return shape[3] > 1 and stride[3] != row_pitch(case)
    # From the inside out: where each dimension has to step so that the whole is one walk.
    inner = [3, 4] if case.table.layout == "dn" else [4, 3]
    walk, step = (inner + [2, 1, 0], 1) if case.form == "elem" else ([3, 2, 1, 0], stride[3])
    for d in walk:
        if shape[d] > 1 and stride[d] != step:
            return True
        step *= shape[d]
    return False


# ---- MGATHER: the whole ----

def beyond_view(case, index, cap):
    """Index outside the table where no policy maps it back (E6)."""
    if case.target == "cpu":
        return index >= cap
    return index >= np.uint64(cap) if case.oob == "undefined" else np.zeros(index.shape, bool)


def count_index_faults(case, faults, index, mapped, asked, zero):
    """Faults that count indices. `asked`: lanes whose index was read."""
    if case.form == "row" and case.target in ("a5", "a5-custom"):
        faults.lanes(PRODUCT_OVERFLOW, asked & ~zero & (mapped * row_pitch(case) > U32), index)
    if case.target != "cpu" and case.idx.dtype in SIGNED and case.oob in ("clamp", "wrap"):
        faults.lanes(INDEX_NEGATIVE, asked & (index >= np.uint64(1 << (8 * case.idx.size - 1))), index)


def mgather(case):
    rows, cols = written_extents(case)
    size, cap = case.dst.size, capacity(case)
    where = index_positions(case, rows, cols)
    index, have = read_indices(case, where)
    mapped, zero = map_index(case, index, cap)
    address = addresses(case, mapped, cols)

    table = elements(case.buffers["src"], size, FILL)
    inside = (address >= 0) & (address < len(table) - 1)
    to = case.dst.offsets(rows, cols)
    room = fits(case.buffers["dst"], size, to)
    overrun = where >= case.idx.rows * case.idx.cols if case.target == "cpu" else np.zeros(where.shape, bool)
    have = have & ~overrun
    live = room & have & ~zero

    values = np.broadcast_to(read(table, address, inside & have), to.shape).copy()
    values[np.broadcast_to(zero & have, to.shape)] = 0

    faults = Faults()
    faults.lanes(GM_OUT_OF_BOUNDS, live & ~inside, index)
    past = case.target == "a5-custom" and case.form == "row" and np.arange(cols) >= case.table.shape[4]  # of a row of the table
    faults.lanes(GM_OUTSIDE_VIEW, live & inside & (beyond_view(case, index, cap) | past), index)
    faults.lanes(TILE_OVERRUN, room & overrun, 0)
    if pitch_differs(case):
        faults.of[PITCH_MISMATCH] = (rows * cols, 0, 0, 0)
    count_index_faults(case, faults, index, mapped, have & room if case.form == "elem" else have, zero)
    # The documents give no index for a lane that is not written because dst ends early.
    short = ~room | ~(have | overrun)
    faults.lanes(SHORT_BUFFER, short, 0 if room.all() else None)
    return faults.expect(write(case.buffers["dst"], size, to, values, room), capacity=cap)


def expect(case):
    if case.is_mgather:
        return mgather(case)
    from oracle_tgather import tgather
    return tgather(case)
