"""Is a case legal? The rules of semantics.md and errata.md, decided without the library.

`violations(case)` gives the ids of the broken rules: empty for every legal case, and holding case.rule for the others.
`notices(case)` gives the ids that a legal case must be warned about; of those in NOTICES no other may appear.
"""
from facts import (A5, COMPARE_DTYPES, INDEX_32, MASK_DTYPES, MGATHER_DTYPES, SIZE, a5_misreads, compare_k_dtypes, keeps,
                   mgather_index_dtypes, tgather_dtypes, tgather_index_dtypes)
from oracle import U32, capacity, logical_columns, pitch_differs

NOTICES = {"tgather-compare-u16", "cpu-ignores-oob", "a5-custom-mode", "mgather-outer-rows", "pitch-mismatch", "product-overflow",
           "tile-overrun", "tgather-contiguous", "tgather-dtype-undocumented", "library-differs-index-width",
           "library-differs-mask-axis", "mgather-in-place"}


def broken(rules):
    """The ids of the rules that do not hold."""
    return {name for name, holds in rules if not holds}


# ---- tiles ----

def tile_rules(tile):
    yield "tile-loc", tile.loc == 0
    yield "tile-shape", tile.rows >= 1 and tile.cols >= 1
    for dyn, extent, padded in zip(tile.dyn, (tile.vrow, tile.vcol), (tile.rows, tile.cols)):
        yield "extent-missing", not dyn or extent != 0
        yield "tile-valid", 1 <= extent <= padded or dyn and extent == 0
    yield "tile-nz-cols", tile.order != "nz" or tile.cols % (32 // tile.size) == 0


def aligned(tile):
    """The contiguous padded extent is whole 32-byte blocks; NZ is, by tile-nz-cols (E23)."""
    return tile.order == "nz" or (tile.cols if tile.order == "row" else tile.rows) * tile.size % 32 == 0


def apart(a, b):
    if a is None or b is None or a.addr is None or b.addr is None:
        return True
    return a.addr + a.bytes <= b.addr or b.addr + b.bytes <= a.addr


# ---- MGATHER ----

def row_index_fits(case):
    """Which orientation of the index tile a target reads (E11)."""
    idx, count = case.idx, case.dst.vrow
    lying, standing = (idx.vrow, idx.vcol) == (1, count), (idx.vrow, idx.vcol) == (count, 1)
    linear = lying and idx.order == "row" or standing and idx.order == "col"
    packed = linear or standing and idx.cols == 1
    return {"a2a3": lying, "a5": linear, "cpusim": packed, "host": lying or standing}.get(case.target, standing)


def index_rules(case):
    idx, dst, target = case.idx, case.dst, case.target
    if target in ("cpu", "a5-custom"):
        yield "mgather-index-columns", idx.cols in (1, dst.cols)
        yield "mgather-rows-match", idx.rows == dst.rows
    elif case.form == "row":
        yield "mgather-row-index-shape", row_index_fits(case)
    else:
        yield "mgather-elem-index-shape", (idx.vrow, idx.vcol) == (dst.vrow, dst.vcol)
    orders = {"host": ("row", "col", "nz"), "a5": ("row", "col"), "cpusim": ("row", "col")}.get(target, ("row",))
    yield "mgather-index-layout", idx.order in orders
    yield "mgather-index-align", target not in ("a2a3", "a5") or aligned(idx)


def nz_rules(case):
    table, dst = case.table, case.dst
    yield "tensor-nz-rows", table.shape[3] == 16
    yield "tensor-nz-cols", table.shape[4] == 32 // table.size
    if case.form == "row":
        yield "mgather-nz-width", dst.vcol <= logical_columns(table)
        yield "mgather-nz-overrun", logical_columns(table) <= dst.cols


def table_rules(case):
    table, dst, target = case.table, case.dst, case.target
    layouts = {"host": ("nd", "dn", "nz"), "a2a3": ("nd", "nz")}.get(target, ("nd",))
    yield "mgather-table-layout", table.layout in layouts
    yield "mgather-table-rank", target not in ("cpu", "a5-custom") or table.shape[:3] == [1, 1, 1]
    yield "mgather-capacity", capacity(case) > 0
    if case.form == "row":
        yield "mgather-row-width-exact", target != "a5" or table.shape[4] == dst.vcol
        wide = target in ("host", "a2a3", "cpusim") and table.layout != "nz"
        yield "mgather-row-width", not wide or dst.vcol <= table.shape[4]
    if table.layout == "nz":
        yield from nz_rules(case)


def in_place(case):
    """Each element of dst lies where its index does, and the target gathers one after the other (E44)."""
    dst, idx = case.dst, case.idx
    return (case.target == "a2a3" and case.form == "elem" and dst.addr == idx.addr and dst.cols == idx.cols and
            dst.order == idx.order == "row" and dst.size == idx.size)


def mgather_rules(case):
    dst, idx, target = case.dst, case.idx, case.target
    yield "mgather-dtype", dst.dtype in MGATHER_DTYPES[target]
    yield "mgather-index-dtype", idx.dtype in mgather_index_dtypes(target)
    yield "mgather-same-dtype", dst.dtype == case.table.dtype
    yield "mgather-dst-align", target == "host" or aligned(dst)
    orders = {"host": ("row", "col", "nz"), "a2a3": ("row", "nz"), "a5": ("row", "col"), "cpusim": ("row", "col")}.get(target, ("row",))
    yield "mgather-dst-layout", dst.order in orders
    yield "tile-nz-rows", target != "a2a3" or dst.order != "nz" or dst.rows % 16 == 0
    yield "mgather-layout-pair", target != "a2a3" or (case.table.layout == "nz") == (dst.order == "nz")
    yield "ub-overlap", apart(dst, idx) or in_place(case)
    yield from index_rules(case)
    yield from table_rules(case)


# ---- TGATHER ----

def by_index_rules(case):
    dst, src, idx, target = case.dst, case.src, case.idx, case.target
    yield "tgather-dtype", dst.dtype in tgather_dtypes(target)
    yield "tgather-index-dtype", idx.dtype in tgather_index_dtypes(target)
    yield "tgather-same-dtype", dst.dtype == src.dtype
    yield "tgather-contiguous", target not in ("cpu", "cpusim", "a2a3") or dst.vcol == dst.cols and idx.vcol == idx.cols
    yield "tgather-index-shape", idx.vrow >= dst.vrow and idx.vcol >= dst.vcol
    yield "tgather-index-layout", target == "host" or (dst.order, src.order, idx.order) == ("row", "row", "row")


def mask_room(case):
    step, first = keeps(case.pattern)
    if case.axis == "col":
        return len(range(first, case.src.vrow, step)) <= case.dst.rows and case.src.vcol <= case.dst.cols
    kept = len(range(first, case.src.vcol, step))
    pitch = case.dst.cols // step if case.src.size == 8 and case.target in A5 else kept
    return (case.src.vrow - 1) * pitch + kept <= case.dst.rows * case.dst.cols


def by_mask_rules(case):
    dst, src, target = case.dst, case.src, case.target
    yield "tgather-mask-dtype", dst.dtype in MASK_DTYPES[target] and src.dtype in MASK_DTYPES[target]
    yield "tgather-mask-size", dst.size == src.size
    yield "tgather-mask-room", case.axis == "row" or mask_room(case)
    yield "tgather-mask-axis", not (target in A5 and src.size == 8 and case.axis == "col")
    one_run = target == "a2a3" and dst.vrow == 1
    yield "tgather-contiguous", target not in ("cpu", "cpusim", "a2a3") or dst.vcol == dst.cols or one_run


def by_compare_rules(case):
    yield "tgather-compare-mode", case.cmp in ("eq", "gt")
    yield "tgather-compare-i32", not (case.target == "a2a3" and case.src.dtype == "i32" and case.cmp == "gt")
    yield "tgather-compare-dtype", (case.src.dtype in COMPARE_DTYPES[case.target] and case.dst.dtype in INDEX_32
                                    and case.cdst.dtype in INDEX_32 and case.k.dtype in compare_k_dtypes(case.src.dtype))


def tgather_rules(case):
    yield "ub-overlap", all(apart(case.dst, other) for other in (case.src, case.idx, case.k, case.cdst))
    yield from {"index": by_index_rules, "mask": by_mask_rules, "compare": by_compare_rules}[case.form](case)


# ---- both ----

def violations(case):
    if case.is_mgather and case.dst.loc == 1:  # a gather into L1, which takes no index tile
        return {"mgather-l1-index-loc"}
    tiles = [tile for tile in (case.dst, case.src, case.idx, case.k, case.cdst) if tile]
    ids = set().union(*(broken(tile_rules(tile)) for tile in tiles))
    if case.table:
        missing = any(dyn and n == 0 for dyn, n in zip(case.table.dyn_shape, case.table.shape))
        ids |= broken([("extent-missing", not missing)])
    return ids | broken(mgather_rules(case) if case.is_mgather else tgather_rules(case))


def tmp_overruns(case):
    """With 2-byte data a2a3 walks tmp with dst's row stride (E32)."""
    if case.target != "a2a3" or case.tmp is None or SIZE[case.dst.dtype] != 2:
        return False
    return case.tmp.rows * case.tmp.cols < (case.dst.vrow - 1) * case.dst.cols + case.dst.vcol


def tgather_notices(case):
    form, dst, on_a5 = case.form, case.dst, case.target in A5
    all_rows = case.axis == "col" and (on_a5 or case.target == "a2a3") and case.pattern != "P1111"
    yield "library-differs-mask-axis", not (form == "mask" and all_rows)
    yield "tile-overrun", not (tmp_overruns(case) or form == "mask" and case.axis == "row" and not mask_room(case))
    yield "tgather-compare-u16", not (form == "compare" and on_a5 and case.src.dtype == "u16" and case.cmp == "gt")
    if not on_a5:
        return
    columns = [dst] * (form != "compare") + [case.idx] * (form == "index")
    yield "tgather-contiguous", all(tile.vcol == tile.cols for tile in columns)
    sizes = {"index": (2, 4), "mask": (1, 2, 4)}.get(form, (dst.size,))
    yield "tgather-dtype-undocumented", dst.size in sizes
    yield "library-differs-index-width", not (form == "index" and a5_misreads(dst.dtype, case.idx.dtype))


def notices(case):
    if not case.is_mgather:
        return broken(tgather_notices(case))
    quiet = [("cpu-ignores-oob", case.target != "cpu" or case.oob == "undefined"),
             ("a5-custom-mode", case.target != "a5-custom" or case.coalesce == case.form),
             ("mgather-outer-rows", (case.target, case.form) not in (("a5", "row"), ("cpusim", "row")) or case.table.shape[:3] == [1, 1, 1]),
             ("pitch-mismatch", not pitch_differs(case)),
             ("mgather-in-place", apart(case.dst, case.idx)),
             ("product-overflow", case.target not in A5 or capacity(case) <= U32)]
    return broken(quiet)
