"""Illegal TGATHER cases, rule by rule. See recipes.py."""
from facts import A5
from recipes import NPU, recipe


@recipe("tgather-dtype", ("index",), NPU)
def brain_float(case, rng):
    case.dst.dtype = case.src.dtype = "bf16"


@recipe("tgather-index-dtype", ("index",))
def float_index(case, rng):
    case.idx.dtype = rng.choice(("f32", "i8"))


@recipe("tgather-index-dtype", ("index",), ("cpu",) + NPU)
def long_tile_index(case, rng):
    case.idx.dtype = "i64"


@recipe("tgather-same-dtype", ("index",))
def two_tile_types(case, rng):
    case.src.dtype = "i32" if case.dst.dtype != "i32" else "u32"


@recipe("tgather-contiguous", ("index", "mask"), ("cpu", "a2a3"))
def padded_columns(case, rng):
    tile = rng.choice((case.dst, case.idx or case.dst))
    tile.cols += 1
    return case.idx is not None or case.target != "a2a3" or case.dst.vrow != 1


@recipe("tgather-contiguous", ("index", "mask"), ("cpu", "a2a3"), at_run=True)
def padded_columns_at_run(case, rng):
    case.dst.vcol, case.dst.dyn = case.dst.cols - 1, (False, True)
    one_run = case.idx is None and case.target == "a2a3" and case.dst.vrow == 1
    return case.dst.vcol > 0 and not one_run


@recipe("tgather-index-shape", ("index",))
def few_indices(case, rng):
    case.idx.vrow = case.dst.vrow - 1
    return case.idx.vrow > 0


@recipe("tgather-index-shape", ("index",), at_run=True)
def few_indices_at_run(case, rng):
    case.idx.vrow, case.idx.dyn = case.dst.vrow - 1, (True, False)
    return case.idx.vrow > 0


@recipe("tgather-index-layout", ("index",), ("cpu",) + NPU)
def col_major_tile_index(case, rng):
    case.idx.order = "col"


@recipe("tgather-mask-dtype", ("mask",), ("a2a3",))
def bytes_by_mask(case, rng):
    case.dst.dtype = case.src.dtype = rng.choice(("i8", "i64", "hif8"))


@recipe("tgather-mask-size", ("mask",))
def two_sizes(case, rng):
    case.dst.dtype = "f16" if case.src.size != 2 else "f32"


@recipe("tgather-mask-room", ("mask",), where=lambda cell: cell.pattern == "P1111" and cell.axis == "col")
def no_room(case, rng):
    case.src.rows = case.src.vrow = case.dst.rows * case.dst.cols + 1


@recipe("tgather-mask-room", ("mask",), at_run=True, where=lambda cell: cell.pattern == "P1111" and cell.axis == "col")
def no_room_at_run(case, rng):
    no_room(case, rng)
    case.src.dyn = (True, False)


@recipe("tgather-mask-axis", ("mask",), A5, where=lambda cell: cell.axis == "col")
def eight_bytes_by_rows(case, rng):
    case.dst.dtype = case.src.dtype = rng.choice(("i64", "u64"))


@recipe("tgather-compare-mode", ("compare",))
def other_comparison(case, rng):
    case.cmp = rng.choice(("ne", "lt", "le", "ge"))


@recipe("tgather-compare-dtype", ("compare",))
def unordered_type(case, rng):
    case.src.dtype = case.k.dtype = "hif8"


@recipe("tgather-compare-dtype", ("compare",), NPU)
def uncompared_type(case, rng):
    case.src.dtype = case.k.dtype = rng.choice(("i64", "bf16"))


@recipe("tgather-compare-dtype", ("compare",), ("a2a3",))
def unsigned_on_a2a3(case, rng):
    case.src.dtype = case.k.dtype = rng.choice(("i8", "i16", "u32"))


@recipe("tgather-compare-i32", ("compare",), ("a2a3",))
def order_of_i32(case, rng):
    case.src.dtype = case.k.dtype = "i32"
    case.cmp = "gt"
