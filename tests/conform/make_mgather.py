"""Makes legal MGATHER cases: one per call, for one cell of the legal product."""
from math import prod

import cells
from draw import (chance, cut, extents, finish, index_bytes, index_pool, lengthen, padded, place, round_up,
                  run_options)
from facts import A5, SIZE, Case, Tensor, Tile
from oracle import capacity, logical_columns, row_pitch


# ---- tiles ----

def dst_tile(cell, rng):
    rows, cols = extents(rng, small=cell.form == "elem" and chance(rng, 0.5))
    return padded(rng, cell.dtype, rows, cols, cell.layout.dst, blocks=cell.target != "host",
                  fractal_rows=cell.target == "a2a3")


def matching_rows(cell, rng, dst):
    """cpu and a5-custom: as many padded rows as dst; one column, or dst's columns."""
    column = cell.form == "row" or cell.layout.idx == "column"
    idx = finish(rng, Tile(cell.index, dst.rows, 1 if column else dst.cols, dst.vrow, 1 if column else dst.vcol))
    return idx


def index_tile(cell, rng, dst):
    if cell.target in ("cpu", "a5-custom"):
        return matching_rows(cell, rng, dst)
    order = cell.layout.idx or rng.choice(("row", "col", "nz"))
    blocks = cell.target in ("a2a3", "a5")
    if cell.form == "elem":
        return padded(rng, cell.index, dst.vrow, dst.vcol, order, blocks)
    standing = order == "col" if cell.target in ("a5", "cpusim") else cell.target == "host" and chance(rng, 0.5)
    extent = (dst.vrow, 1) if standing else (1, dst.vrow)
    return padded(rng, cell.index, *extent, order, blocks)


# ---- tables ----

def strides(rng, shape, inner, gap=0):
    """Strides of dimensions 0..2 outside `inner`, the two inner ones. A dimension of extent 1 may have any stride."""
    stride = [0, 0, 0, *inner]
    span = max(shape[3] * inner[0], shape[4] * inner[1])
    for d in (2, 1, 0):
        stride[d] = rng.randint(1, 99) if shape[d] == 1 and chance(rng, 0.5) else span + gap
        span = shape[d] * (span + gap)
    return stride


def outer(cell, rng):
    """shape0..2; cpu and a5-custom want 1, 1, 1."""
    if cell.target in ("cpu", "a5-custom") or chance(rng, 0.7):
        return [1, 1, 1]
    return [rng.choice((1, 1, 2)), rng.choice((1, 2, 3)), rng.choice((1, 2, 3))]


def table_rows(rng, many):
    return rng.choice((1, 2, 3, 5, 7, 11, 13)) if many else rng.choice((1, 3, 5, 6, 7, 12, 16, 19, 23, 37))


def row_width(cell, rng, dst):
    """How wide the table's rows are: exact on a5, at least the tile's on host and a2a3, unchecked on a5-custom."""
    if cell.target == "a5":
        return dst.vcol
    if cell.target == "a5-custom":
        return rng.choice((dst.cols, dst.cols, dst.cols, dst.vcol, dst.cols + 3))
    return dst.vcol + rng.choice((0, 0, 1, 5))


def row_table(cell, rng, dst, tame):
    """ND or DN, Row. Unless `tame`, the pitch is sometimes not what the target multiplies with."""
    width, shape012 = row_width(cell, rng, dst), outer(cell, rng)
    shape = shape012 + [table_rows(rng, prod(shape012) > 1), width]
    pitch = width + rng.choice((0, 0, 1, 7))
    if cell.target in A5 and (tame or chance(rng, 0.75)):
        pitch = width
    if cell.target in A5 and not tame and chance(rng, 0.12):  # described, not allocated: products do not fit in 32 bits
        shape[3] = rng.choice(((1 << 31) + 3, (1 << 32) - 5, (1 << 32) + 7))
    gap = rng.choice((3, 64)) if not tame and chance(rng, 0.25) else 0
    if cell.layout.table == "nd":
        inner = (pitch, 1)
        stride = strides(rng, shape, inner, gap)
        if cell.target not in A5 and gap == 0 or tame:  # collapse onto stride3
            stride[:3] = [pitch * prod(shape[d + 1:4]) for d in range(3)]
        return stride_table(cell, shape, stride)
    return dn_row_table(cell, rng, shape, gap)


def dn_row_table(cell, rng, shape, gap):
    """DN: columns are contiguous over all rows that Row can reach, or over one matrix's rows (reported as pitch)."""
    rows = prod(shape[:4])
    stride = strides(rng, shape, (1, shape[3] + gap), gap)
    if gap == 0:
        stride = [prod(shape[d + 1:4]) for d in range(4)] + [rows + rng.choice((0, 0, 5))]
    return stride_table(cell, shape, stride)


def elem_table(cell, rng, tame):
    """ND or DN, Elem: packed, or with a pitch that the target does not see."""
    shape012 = outer(cell, rng)
    shape = shape012 + [table_rows(rng, True), rng.choice((1, 3, 8, 10, 17, 33))]
    if cell.target in A5 and not tame and chance(rng, 0.08):  # 2^32 elements and more
        shape = [1, 1, 1, 1 << 16, (1 << 16) + rng.randint(0, 3)]
    extra = rng.choice((1, 8)) if not tame and chance(rng, 0.15) else 0
    dn = cell.layout.table == "dn"
    inner = (1, shape[3] + extra) if dn else (shape[4] + extra, 1)
    return stride_table(cell, shape, strides(rng, shape, inner))


def nz_table(cell, rng, dst):
    """NZ. For Row the tile is made to hold every block of a row, and the valid columns to lie in the table."""
    c0 = 32 // SIZE[cell.dtype]
    shape = [rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2, 3)), 16, c0]
    if cell.form == "row":
        shape[:2] = rng.choice(((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2)))
        shape[1] += max(0, -(-dst.vcol // c0) - shape[0] * shape[1])
    padding, s4 = rng.choice((0, 0, 0, 4)), rng.choice((1, 1, 1, 1, 2))
    s3 = c0 * s4 + padding
    s2 = 16 * s3 + rng.choice((0, 0, padding))
    s1 = shape[2] * s2 + rng.choice((0, 0, 9))
    return stride_table(cell, shape, [shape[1] * s1 + rng.choice((0, 0, 5)), s1, s2, s3, s4])


def stride_table(cell, shape, stride):
    return Tensor(cell.dtype, cell.layout.table, shape, stride)


def dynamic_dims(cell, rng, table):
    """Extents given at run time: never the inner two of NZ, nor the dimensions whose static value is a rule."""
    table.implicit = chance(rng, 0.5)
    if not chance(rng, 0.25):
        return
    first = 3 if cell.target in ("cpu", "a5-custom") else 0
    last = 2 if table.layout == "nz" else 4
    table.dyn_shape = tuple(first <= d <= last and chance(rng, 0.6) for d in range(5))
    if chance(rng, 0.5):
        table.dyn_stride = tuple(d < 4 and chance(rng, 0.4) for d in range(5))


def make_table(cell, rng, dst, tame):
    if cell.layout.table == "nz":
        table = nz_table(cell, rng, dst)
        if cell.form == "row":  # every block of a row fits into the tile
            width = max(dst.cols, logical_columns(table))
            dst.cols = round_up(width, 32 // dst.size) if dst.order == "nz" else width
    elif cell.form == "row":
        table = row_table(cell, rng, dst, tame)
    else:
        table = elem_table(cell, rng, tame)
    dynamic_dims(cell, rng, table)
    return table


# ---- buffers ----

def view_elements(table):
    return 1 + sum((n - 1) * step for n, step in zip(table.shape, table.stride))


def table_bytes(rng, case, tame):
    """Exact, too short, or longer than the view: then an index past the capacity finds bytes (gm-outside-view)."""
    size, count = case.table.size, view_elements(case.table)
    if count > 1 << 16:  # described only
        return rng.randint(200, 600) * size
    kind = rng.random()
    if kind < 0.15 and not tame:
        return cut(rng, count * size)
    if kind < 0.40:
        return (count + rng.randint(1, 3) * case.table.stride[3]) * size + rng.choice((0, 0, 1))
    return count * size


def wrapping_indices(rng, case):
    """Row indices whose uint32 product comes out small: q*2^32/pitch and a few more."""
    if case.form != "row" or case.target not in A5 or row_pitch(case) < 2:
        return []
    pitch = row_pitch(case)
    q = rng.randint(1, pitch - 1)
    return [-(-(q << 32) // pitch) + t for t in range(3)]


def choose_short(rng):
    """Which buffer ends before its tile, if any. A short dst goes with a tame rest: its lanes report nothing else."""
    kind = rng.random()
    return "dst" if kind < 0.05 else "idx" if kind < 0.10 else None


def fill_buffers(rng, case, short, tame):
    cap = capacity(case)
    wild = not (tame and case.form == "row") and chance(rng, 0.65)
    extra = wrapping_indices(rng, case) if wild and chance(rng, 0.5) else ()
    pool = index_pool(rng, 8 * case.idx.size, cap, wild, [i for i in extra if i < 1 << 32])
    sizes = {name: cut(rng, tile.bytes) if name == short else lengthen(rng, tile.bytes)
             for name, tile in (("dst", case.dst), ("idx", case.idx))}
    case.buffers = {"dst": rng.randbytes(sizes["dst"]), "src": rng.randbytes(table_bytes(rng, case, tame)),
                    "idx": index_bytes(rng, case.idx, pool, sizes["idx"])}


def make(cell, rng):
    short = choose_short(rng)
    tame = short == "dst"
    dst = dst_tile(cell, rng)
    table = make_table(cell, rng, dst, tame)
    idx = index_tile(cell, rng, dst)
    coalesce = cell.form if cell.target in ("host", "a2a3", "a5", "cpusim") else rng.choice(("row", "elem"))
    case = Case(cell.target, cell.form, cells.name(cell), dst, idx, table, coalesce=coalesce, oob=cell.oob)
    if chance(rng, 0.1):
        place(rng, dst, idx)
    fill_buffers(rng, case, short, tame)
    return run_options(rng, case)
