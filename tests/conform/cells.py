"""The legal product: form x target x element type x policy x layout x index type. One cell is one combination."""
from collections import namedtuple
from itertools import product

from facts import (A5, COMPARE_DTYPES, INDEX_32, MASK_DTYPES, MGATHER_DTYPES, OOB, PATTERN, SIZE, TARGETS,
                   mgather_index_dtypes, tgather_dtypes, tgather_index_dtypes)

Cell = namedtuple("Cell", "target form dtype index oob layout pattern axis cmp", defaults=(None,) * 6)
Layout = namedtuple("Layout", "table dst idx")  # idx: the tile's order; "column"/"full" for cpu's two shapes; None: any


def name(cell):
    parts = [cell.target, cell.form, cell.dtype]
    for part in cell[3:]:
        if part is not None:
            parts.append("-".join(p or "any" for p in part) if isinstance(part, Layout) else part)
    return " ".join(parts)


def mgather_layouts(target, form):
    if target == "host":
        return [Layout(table, dst, None) for table, dst in product(("nd", "dn", "nz"), ("row", "col", "nz"))]
    if target == "a2a3":
        return [Layout("nd", "row", "row"), Layout("nz", "nz", "row")]
    if target in ("a5", "cpusim"):
        return [Layout("nd", dst, idx) for dst, idx in product(("row", "col"), repeat=2)]
    if target == "cpu":
        return [Layout("nd", "row", shape) for shape in ("column", "full")]
    return [Layout("nd", "row", "row")]


def mgather_cells(target, form):
    if target == "cpu" and form == "row":  # there is no such path (E7)
        return []
    axes = MGATHER_DTYPES[target], mgather_index_dtypes(target), OOB, mgather_layouts(target, form)
    return [Cell(target, form, *rest) for rest in product(*axes)]


def index_cells(target):
    orders = ("row", "col", "nz") if target == "host" else ("row",)
    return [Cell(target, "index", dtype, index, layout=Layout(None, order, None))
            for dtype, index, order in product(tgather_dtypes(target), tgather_index_dtypes(target), orders)]


def mask_cells(target):
    return [Cell(target, "mask", dtype, pattern=pattern, axis=axis)
            for dtype, pattern, axis in product(MASK_DTYPES[target], PATTERN, ("row", "col"))
            if not (target in A5 and SIZE[dtype] == 8 and axis == "col")]


def compare_cells(target):
    """`index` is the type of the stored positions."""
    return [Cell(target, "compare", dtype, index, cmp=cmp)
            for dtype, index, cmp in product(COMPARE_DTYPES[target], INDEX_32, ("eq", "gt"))
            if not (target == "a2a3" and dtype == "i32" and cmp == "gt")]


def cells():
    every = []
    for target in TARGETS:
        every += mgather_cells(target, "row") + mgather_cells(target, "elem")
        every += index_cells(target) + mask_cells(target) + compare_cells(target)
    return every
