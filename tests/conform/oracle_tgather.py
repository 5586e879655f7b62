"""The second opinion on TGATHER: by index, by mask, by comparison. See oracle.py."""
import numpy as np

from facts import NO_ROOM, SHORT_BUFFER, SIGNED, TILE_OVERRUN, UB_OUTSIDE_TILE, keeps
from oracle import FILL, U32, Expect, Faults, elements, fits, read, write


# ---- by index ----

def read_tile_indices(case, where):
    """(values, which of them could be read). cpu and host keep the type's sign, a2a3 and a5 zero-extend (E4)."""
    raw = elements(case.buffers["idx"], case.idx.size)
    have = where < len(raw) - 1
    values = read(raw, where, have)
    own_sign = case.target in ("cpu", "cpusim", "host") and case.idx.dtype in SIGNED
    return values.view(f"i{case.idx.size}").astype(np.int64) if own_sign else values.astype(np.uint64), have


def by_index(case):
    size, cap = case.dst.size, case.src.rows * case.src.cols
    where, to = case.idx.offsets(case.dst.vrow, case.dst.vcol), case.dst.offsets()
    index, have = read_tile_indices(case, where)
    room = fits(case.buffers["dst"], size, to)
    outside = (index < 0) | (index >= np.asarray(cap, index.dtype))
    source = elements(case.buffers["src"], size, FILL)
    live = room & have

    faults = Faults()
    if case.target in ("cpu", "cpusim", "host"):
        at = np.where(outside, 0, index).astype(np.int64)
        zero = outside & have
    else:  # the hardware reads whatever lies at src + idx*size, in uint32 bytes (E5)
        at = ((index.astype(np.int64) * size) & U32) // size
        zero = np.zeros(to.shape, bool)
        faults.lanes(UB_OUTSIDE_TILE, live & outside, index)
    inside = fits(case.buffers["src"], size, at)
    values = read(source, at, inside & have)
    values[zero] = 0
    short = ~room | ~have | (~outside & ~inside)
    faults.lanes(SHORT_BUFFER, short, np.where(have, index, index.dtype.type(0)) if room.all() else None)
    return faults.expect(write(case.buffers["dst"], size, to, values, room), capacity=cap)


# ---- by mask ----

def kept_lanes(case):
    """(source rows, source columns, dst positions) of the kept elements, in the order in which they are written."""
    step, first = keeps(case.pattern)
    rows, cols = np.arange(case.src.vrow), np.arange(case.src.vcol)
    if case.axis == "col":
        rows = rows[first::step]
        r, c = np.meshgrid(rows, cols, indexing="ij")
        return r, c, (r - first) // step * case.dst.cols + c
    r, c = np.meshgrid(rows, cols[first::step], indexing="ij")
    if case.src.size == 8 and case.target in ("a5", "a5-custom"):  # row r starts at r*(dst.cols/factor) (E35)
        return r, c, r * (case.dst.cols // step) + (c - first) // step
    return r, c, np.arange(r.size).reshape(r.shape)


def by_mask(case):
    size = case.src.size
    r, c, to = kept_lanes(case)
    at = r * case.src.cols + c
    inside, room = fits(case.buffers["src"], size, at), fits(case.buffers["dst"], size, to)
    past = to >= case.dst.rows * case.dst.cols if case.axis == "row" else np.zeros(to.shape, bool)
    values = read(elements(case.buffers["src"], size, FILL), at, inside)

    faults = Faults()
    bad = np.zeros((case.src.vrow, case.src.vcol), bool)
    bad[r, c] = ~(inside & room) & ~past  # reported at the source lane
    faults.lanes(SHORT_BUFFER, bad, 0)
    overrun, place = np.zeros(bad.shape, bool), np.zeros(bad.shape, np.int64)
    overrun[r, c], place[r, c] = past, to
    faults.lanes(TILE_OVERRUN, overrun, place)
    return faults.expect(write(case.buffers["dst"], size, to, values, room & ~past))


# ---- by comparison ----

def f8e4m3_values():
    """All 256 values of a format without infinities: 1 sign, 4 exponent (bias 7), 3 mantissa bits; all ones is NaN."""
    code = np.arange(256)
    exponent, mantissa = code >> 3 & 15, code & 7
    value = np.where(exponent == 0, mantissa / 8 * 2.0 ** -6, (1 + mantissa / 8) * 2.0 ** (exponent - 7.0))
    value[code & 0x7F == 0x7F] = np.nan
    return np.where(code & 0x80, -value, value)


F8E4M3 = f8e4m3_values()


def numbers(bits, dtype):
    """Bit patterns as values that numpy compares exactly as the element type does."""
    if dtype == "bf16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    if dtype == "f8e5m2":  # the upper half of an f16
        return (bits.astype(np.uint16) << 8).view(np.float16)
    if dtype == "f8e4m3":
        return F8E4M3[bits]
    return bits.view({"i": "i", "u": "u", "f": "f"}[dtype[0]] + str(bits.dtype.itemsize))


def as_compared(bits, case):
    """a5 rounds f32 to int32, saturating, NaN to 0, and compares as uint32 (E39); elsewhere the type's own value."""
    values = numbers(bits, case.src.dtype)
    if case.src.dtype != "f32" or case.target not in ("a5", "a5-custom"):
        return values
    rounded = np.rint(np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=2.0 ** 31, neginf=-2.0 ** 31))
    return np.clip(rounded, -2.0 ** 31, 2.0 ** 31 - 1).astype(np.int64) & U32


def as_source(bits, case):
    """k as the source's type: integers of another one are numbers, signed, and converted (E40)."""
    if case.k.dtype == case.src.dtype:
        return bits
    number = bits.view(f"i{case.k.size}")
    if case.src.dtype[0] in "iu":
        return number.astype(f"u{case.src.size}")
    with np.errstate(over="ignore"):
        return number.astype(f"f{case.src.size}").view(f"u{case.src.size}")


def vector_offsets(tile, count):
    """Positions of the elements of a [1,R] or [R,1] tile; a single one serves all rows (E40)."""
    if tile.vrow * tile.vcol == 1:
        return np.zeros((count, 1), np.int64)
    return tile.offsets(count, 1) if tile.vcol == 1 else tile.offsets(1, count).T


def matches(case, rows, cols, faults):
    size, at = case.src.size, case.src.offsets()
    k_at = vector_offsets(case.k, rows)
    have, have_k = fits(case.buffers["src"], size, at), fits(case.buffers["k"], case.k.size, k_at)
    source = as_compared(read(elements(case.buffers["src"], size), at, have), case)
    k = as_compared(as_source(read(elements(case.buffers["k"], case.k.size), k_at, have_k), case), case)
    short = ~have
    short[:, :1] |= ~have_k
    faults.lanes(SHORT_BUFFER, short, 0)
    greater = case.cmp == "gt" and not (case.src.dtype == "u16" and case.target in ("a5", "a5-custom"))  # E37
    return have & have_k & (source > k if greater else source == k)


def by_compare(case):
    rows, cols = case.src.vrow, case.src.vcol
    faults = Faults()
    hit = matches(case, rows, cols, faults)
    counts = hit.sum(1, keepdims=True).astype(np.uint32)
    if counts.max() > case.dst.cols:
        return Expect(NO_ROOM, case.buffers["dst"], case.buffers["cdst"], None, 0)

    step = 64 * -(-cols // 64) if case.target in ("a5", "a5-custom") else case.src.cols  # E38
    i, j = np.ogrid[:rows, :cols]
    stored = ((case.offset + i * step + j) & U32).astype(np.uint32)
    to = np.where(hit, i * case.dst.cols + hit.cumsum(1) - 1, 0)
    room = fits(case.buffers["dst"], 4, to)
    count_to = vector_offsets(case.cdst, rows)
    count_room = fits(case.buffers["cdst"], 4, count_to)
    if (hit & ~room).any() or not count_room.all():  # which lane is named, the documents leave open
        count = np.count_nonzero(hit & ~room) + np.count_nonzero(~count_room)
        faults.of[SHORT_BUFFER] = (count, None, None, None)
    dst = write(case.buffers["dst"], 4, to, stored, hit & room)
    return faults.expect(dst, write(case.buffers["cdst"], 4, count_to, counts, count_room))


def tgather(case):
    return {"index": by_index, "mask": by_mask, "compare": by_compare}[case.form](case)
