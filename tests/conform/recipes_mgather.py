"""Illegal MGATHER cases, rule by rule. See recipes.py."""
from facts import A5
from oracle import logical_columns
from recipes import ELEM, MGATHER, NPU, ROW, on_nd, on_nz, recipe


# ---- types ----

@recipe("mgather-dtype", MGATHER, ("cpu",) + NPU)
def eight_bytes(case, rng):
    case.dst.dtype = case.table.dtype = rng.choice(("i64", "u64"))


@recipe("mgather-dtype", MGATHER, ("cpu", "a2a3", "a5-custom"))
def hifloat8(case, rng):
    case.dst.dtype = case.table.dtype = "hif8"


@recipe("mgather-index-dtype", MGATHER)
def short_index(case, rng):
    case.idx.dtype = rng.choice(("i16", "u8", "f32"))


@recipe("mgather-index-dtype", MGATHER, ("cpu",) + NPU)
def long_index(case, rng):
    case.idx.dtype = rng.choice(("i64", "u64"))


@recipe("mgather-same-dtype", MGATHER)
def two_types(case, rng):
    case.table.dtype = "i32" if case.dst.dtype != "i32" else "f32"


# ---- alignment, index shape ----

@recipe("mgather-dst-align", MGATHER, ("cpu",) + NPU, where=lambda cell: cell.layout.dst == "row")
def ragged_dst(case, rng):
    case.dst.cols += 1
    if case.target in ("cpu", "a5-custom") and case.idx.cols > 1:
        case.idx.cols += 1


@recipe("mgather-index-align", MGATHER, ("a2a3", "a5"), where=lambda cell: cell.layout.idx == "row")
def ragged_index(case, rng):
    case.idx.cols += rng.randint(1, 7)


@recipe("mgather-row-index-shape", ROW, ("host", "a2a3", "a5"))
def one_index_too_many(case, rng):
    case.idx.cols += 32
    case.idx.vcol += 1
    return case.dst.vrow > 1


@recipe("mgather-row-index-shape", ROW, ("a2a3",))
def standing_index(case, rng):
    case.idx.rows, case.idx.vrow, case.idx.vcol = case.dst.vrow, case.dst.vrow, 1
    return case.dst.vrow > 1


@recipe("mgather-row-index-shape", ROW, ("a5",), where=lambda cell: cell.layout.idx == "col")
def standing_row_major_index(case, rng):
    case.idx.order, case.idx.cols = "row", 8
    return case.dst.vrow > 1


@recipe("mgather-row-index-shape", ROW, ("host", "a2a3", "a5"), at_run=True)
def one_index_too_many_at_run(case, rng):
    case.idx.cols += 32
    case.idx.vcol, case.idx.dyn = case.idx.vcol + 1, (False, True)
    return case.dst.vrow > 1


@recipe("mgather-elem-index-shape", ELEM, ("host", "a2a3", "a5"))
def narrow_index(case, rng):
    case.idx.vcol -= 1
    return case.idx.vcol >= 1


@recipe("mgather-elem-index-shape", ELEM, ("host", "a2a3", "a5"), at_run=True)
def low_index_at_run(case, rng):
    case.idx.vrow, case.idx.dyn = case.idx.vrow - 1, (True, False)
    return case.idx.vrow >= 1


@recipe("mgather-index-columns", MGATHER, ("cpu", "a5-custom"))
def two_columns(case, rng):
    case.idx.cols = 2


@recipe("mgather-rows-match", MGATHER, ("cpu", "a5-custom"))
def more_index_rows(case, rng):
    case.idx.rows += 1


# ---- table ----

@recipe("mgather-table-rank", MGATHER, ("cpu", "a5-custom"))
def batched(case, rng):
    case.table.shape[rng.randrange(3)] = 2


@recipe("mgather-row-width-exact", ROW, ("a5",))
def wider_rows(case, rng):
    case.table.shape[4] += 1


@recipe("mgather-row-width-exact", ROW, ("a5",), at_run=True)
def wider_rows_at_run(case, rng):
    case.table.shape[4] += 1
    case.table.dyn_shape = (False, False, False, False, True)


@recipe("mgather-row-width", ROW, ("host", "a2a3"), where=on_nd)
def narrow_table(case, rng):
    case.table.shape[4] = case.dst.vcol - 1
    return case.dst.vcol > 1


@recipe("mgather-row-width", ROW, ("host", "a2a3"), at_run=True, where=on_nd)
def wide_tile_at_run(case, rng):
    case.table.shape[4] = case.dst.vcol - 1
    case.dst.dyn = (False, True)
    return case.dst.vcol > 1


@recipe("mgather-table-layout", MGATHER, ("cpu",) + A5, where=on_nd)
def unknown_layout(case, rng):
    case.table.layout = rng.choice(("dn", "nz"))


@recipe("mgather-table-layout", MGATHER, ("a2a3",), where=on_nd)
def dn_layout(case, rng):
    case.table.layout = "dn"


@recipe("mgather-dst-layout", MGATHER, ("cpu", "a2a3", "a5-custom"))
def col_major_dst(case, rng):
    case.dst.order = "col"


@recipe("mgather-dst-layout", MGATHER, A5)
def nz_dst(case, rng):
    case.dst.order = "nz"


@recipe("mgather-index-layout", MGATHER, ("cpu", "a2a3", "a5-custom"))
def col_major_index(case, rng):
    case.idx.order = "col"


@recipe("mgather-layout-pair", MGATHER, ("a2a3",))
def unpaired(case, rng):
    case.dst.order = "row" if case.table.layout == "nz" else "nz"


@recipe("mgather-capacity", MGATHER, where=on_nd)
def empty_table(case, rng):
    case.table.shape[3] = 0


@recipe("tensor-nz-rows", MGATHER, ("host", "a2a3"), where=on_nz)
def not_sixteen_rows(case, rng):
    case.table.shape[3] = rng.choice((8, 32))


@recipe("tile-nz-rows", MGATHER, ("a2a3",), where=on_nz)
def not_sixteen_tile_rows(case, rng):
    case.dst.rows += rng.randint(1, 15)


@recipe("tensor-nz-cols", MGATHER, ("host", "a2a3"), where=on_nz)
def not_c0_columns(case, rng):
    case.table.shape[4] *= 2


@recipe("mgather-nz-width", ROW, ("host", "a2a3"), where=on_nz)
def past_the_last_block(case, rng):
    case.dst.cols = logical_columns(case.table) + 32
    case.dst.vcol = case.dst.cols - rng.randrange(32)


@recipe("mgather-nz-overrun", ROW, ("host", "a2a3"), where=on_nz)
def blocks_past_the_tile(case, rng):
    case.table.shape[1] += -(-case.dst.cols // (32 // case.dst.size))
