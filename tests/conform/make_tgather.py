"""Makes legal TGATHER cases: one per call, for one cell of the legal product."""
import struct

import cells
from draw import chance, cut, extents, finish, grown, index_bytes, index_pool, lengthen, padded, place, run_options
from facts import A5, MASK_DTYPES, SIZE, Case, Tile, compare_k_dtypes, keeps


def tight(rng, dtype, vrow, vcol, order="row"):
    """A tile whose columns are all valid."""
    return finish(rng, Tile(dtype, grown(rng, vrow), vcol, vrow, vcol, order))


def tile(cell, rng, dtype, vrow, vcol, order="row"):
    """Padded columns where the target takes them: on host and A5 (E42)."""
    make = padded if cell.target in ("host",) + A5 else tight
    return make(rng, dtype, vrow, vcol, order)


def choose_short(rng, names):
    return rng.choice(names) if chance(rng, 0.1) else None


def random_buffer(rng, operand, name, short):
    size = operand.bytes
    return rng.randbytes(cut(rng, size) if name == short else lengthen(rng, size))


# ---- by index ----

def source_bytes(rng, case, short):
    """The tile, or the tile and what follows it on chip: an index past the tile finds bytes there."""
    size = case.src.bytes
    if short == "src":
        return cut(rng, size)
    return size + rng.randint(1, size) if chance(rng, 0.4) else size


def byte_wraps(rng, size, bits):
    """Indices whose byte offset passes 2^32 and comes out small."""
    return [((1 << 32) // size + rng.randrange(9)) & ((1 << bits) - 1)]


def scratch_tile(cell, rng, idx):
    """The optional tmp has the index's type; a small one is overrun by a2a3's 2-byte walk (E32)."""
    if not chance(rng, 0.4):
        return None
    if cell.target == "a2a3" and chance(rng, 0.4):
        return Tile(idx.dtype, 1, 8, 1, 8)
    return Tile(idx.dtype, idx.rows, idx.cols, idx.vrow, idx.vcol)


def source_extents(cell, rng):
    """Sometimes more elements than a signed 16-bit index counts."""
    if SIZE[cell.index] == 2 and chance(rng, 0.1):
        return rng.randint(200, 240), rng.randint(170, 250)
    return extents(rng)


def by_index(cell, rng):
    order = cell.layout.dst
    dst = tile(cell, rng, cell.dtype, *extents(rng), order)
    free = ("row", "col", "nz") if cell.target == "host" else ("row",)
    more = rng.choice((0, 0, 0, 1, 2))
    idx = tile(cell, rng, cell.index, dst.vrow + more, dst.vcol + rng.choice((0, 0, more)), rng.choice(free))
    src = padded(rng, cell.dtype, *source_extents(cell, rng), rng.choice(free))
    case = Case(cell.target, "index", cells.name(cell), dst, idx, src=src, tmp=scratch_tile(cell, rng, idx))
    if chance(rng, 0.1):
        place(rng, src, idx, dst, case.tmp)
    short = choose_short(rng, ("dst", "src", "idx"))
    bits = 8 * idx.size
    pool = index_pool(rng, bits, src.rows * src.cols, chance(rng, 0.65), byte_wraps(rng, dst.size, bits))
    index_size = cut(rng, idx.bytes) if short == "idx" else lengthen(rng, idx.bytes)
    case.buffers = {"dst": random_buffer(rng, dst, "dst", short), "src": rng.randbytes(source_bytes(rng, case, short)),
                    "idx": index_bytes(rng, idx, pool, index_size)}
    return case


# ---- by mask ----

def mask_dst(cell, rng, src, dtype):
    """Room for what is kept: to the element, or more; along rows sometimes less."""
    step, first = keeps(cell.pattern)
    if cell.axis == "col":
        rows = max(1, len(range(first, src.vrow, step)))
        return tile(cell, rng, dtype, grown(rng, rows), grown(rng, src.vcol))
    in_row = len(range(first, src.vcol, step))
    if src.size == 8 and cell.target in A5:  # rows of dst.cols/factor (E35)
        dst = tile(cell, rng, dtype, 1, rng.choice((step, 16, src.cols)))
        dst.rows = dst.vrow = -(-max(1, (src.vrow - 1) * (dst.cols // step) + in_row) // dst.cols) + rng.choice((0, 0, 2))
        return dst
    kept = max(1, src.vrow * in_row)
    if chance(rng, 0.1):
        kept = max(1, kept - rng.randrange(1, 40))
    cols = rng.choice((kept, kept, 1, src.vcol, 16))
    return tile(cell, rng, dtype, -(-kept // cols) + rng.choice((0, 0, 2)), cols)


def by_mask(cell, rng):
    src = padded(rng, cell.dtype, *extents(rng))
    same_size = [d for d in MASK_DTYPES[cell.target] if SIZE[d] == src.size]
    dst = mask_dst(cell, rng, src, rng.choice(same_size))
    case = Case(cell.target, "mask", cells.name(cell), dst, src=src, pattern=cell.pattern, axis=cell.axis)
    if chance(rng, 0.1):
        place(rng, src, dst)
    short = choose_short(rng, ("dst", "src"))
    case.buffers = {"dst": random_buffer(rng, dst, "dst", short), "src": random_buffer(rng, src, "src", short)}
    return case


# ---- by comparison ----

FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -1.5, 2.0, 3.0, 96.0, float("inf"), float("-inf"), float("nan"))
WIDE_FLOATS = FLOATS + (2.0 ** 31, -2.0 ** 31, 2147483520.0, 3e9, -3e9, 1e-40)


def bit_patterns(rng, dtype):
    """A few bit patterns to draw from, so that equal values and every kind of float meet."""
    size = SIZE[dtype]
    if dtype == "f32":
        return [struct.pack("=f", x) for x in WIDE_FLOATS]
    if dtype == "bf16":
        return [struct.pack("<f", x)[2:] for x in WIDE_FLOATS]
    if dtype == "f16":
        return [struct.pack("=e", x) for x in FLOATS]
    if dtype == "f8e5m2":
        return [struct.pack("<e", x)[1:] for x in FLOATS] + [rng.randbytes(1)]
    if dtype == "f8e4m3":  # zeros, subnormals, one, the largest, NaN
        codes = 0x00, 0x80, 0x01, 0x07, 0x08, 0x38, 0xB8, 0x7E, 0xFE, 0x7F, 0xFF
        return [bytes([code]) for code in codes] + [rng.randbytes(1)]
    edges = [b"\0" * size, b"\xff" * size, b"\0" * (size - 1) + b"\x80", b"\xff" * (size - 1) + b"\x7f"]
    return edges + [rng.randbytes(size) for _ in range(3)]


def vector_tile(rng, dtype, count):
    """[1,R] or [R,1] in a row-major tile."""
    return padded(rng, dtype, *rng.choice(((1, count), (count, 1))))


def values_buffer(rng, operand, pool, name, short):
    size = cut(rng, operand.bytes) if name == short else lengthen(rng, operand.bytes)
    return b"".join(rng.choices(pool, k=size // operand.size + 1))[:size]


def compare_extents(rng):
    """Often near a multiple of 64, where a5's count of whole steps shows (E38)."""
    return (rng.randint(2, 5), 64 * rng.randint(1, 2) + rng.randint(-3, 1)) if chance(rng, 0.15) else extents(rng)


def by_compare(cell, rng):
    rows, cols = compare_extents(rng)
    src = padded(rng, cell.dtype, rows, cols)
    others = sorted(compare_k_dtypes(cell.dtype) - {cell.dtype}) if cell.dtype[0] != "b" and "e" not in cell.dtype else ()
    k = vector_tile(rng, rng.choice(others) if others and chance(rng, 0.2) else cell.dtype, rng.choice((rows, 1)))
    dst = padded(rng, cell.index, rows + rng.choice((0, 0, 1)), cols)
    if chance(rng, 0.1):  # perhaps too narrow: the run is refused, or everything just fits
        dst.cols = dst.vcol = rng.randint(1, cols)
    dst.vcol = rng.choice((dst.vcol, rng.randint(1, dst.cols)))  # the room is dst.cols, whatever is valid
    cdst = vector_tile(rng, rng.choice(("i32", "u32")), rows)
    offset = rng.choice((0, 0, 5, -1, (1 << 31) - 1, -(1 << 31), rng.randint(-999, 999)))
    case = Case(cell.target, "compare", cells.name(cell), dst, src=src, k=k, cdst=cdst, cmp=cell.cmp, offset=offset)
    if chance(rng, 0.1):
        place(rng, src, k, dst, cdst)
    short = choose_short(rng, ("dst", "src", "k", "cdst"))
    pool = rng.sample(patterns := bit_patterns(rng, cell.dtype), rng.randint(2, len(patterns)))
    case.buffers = {"src": values_buffer(rng, src, pool, "src", short)}
    if k.dtype != cell.dtype:  # numbers, some of them in the source
        pool = [(number % 256 ** k.size).to_bytes(k.size, "little") for number in (0, 1, 2, -1, 80, 127, rng.randint(-99, 99))]
    case.buffers["k"] = values_buffer(rng, k, pool, "k", short)
    case.buffers.update({name: random_buffer(rng, getattr(case, name), name, short) for name in ("dst", "cdst")})
    return case


def make(cell, rng):
    case = {"index": by_index, "mask": by_mask, "compare": by_compare}[cell.form](cell, rng)
    return run_options(rng, case)
