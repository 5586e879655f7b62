"""Instructions on arrays, as a target does them: `mgather` and `tgather`."""

from __future__ import annotations

import functools
from typing import Any, Optional, Tuple, cast

import numpy as np

from ._library import ffi, lib, number_of, short, target_of, warn, whole
from .arrays import Array, Borrowed, borrow, memory, packed, pitch_of, say_copied, wanted, writable
from .call_names import kept_text
from .collector import lane_diagnostics
from .diagnostics import Diagnostics, Fault, LaneWarning, status_error
from .elements import Element, FloatArray
from .literals import Axis, Compare, Mode, Oob, Pattern, Target
from .plans import MAX_THREADS, planned
from .tensors import is_tensor, tensor_of


@functools.lru_cache(maxsize=1024)
def _mgather_plan(target: Target, mode: str, oob: str, table: Tuple[int, Tuple[int, ...], int], dst: Tuple[int, int],
                  idx: Tuple[int, int, int]) -> Tuple[Any, Diagnostics]:
    code, shape, pitch = table
    op = ffi.new("struct ptog_mgather *")
    op.dst = lib.ptog_tile_vec(code, *dst)
    op.table.dtype, op.table.layout = code, lib.PTOG_ND
    op.table.shape = (1,) * (5 - len(shape)) + shape
    op.table.stride[3] = pitch
    op.idx = lib.ptog_tile_vec(*idx)
    op.coalesce, op.oob = number_of("ptog_coalesce", mode, "mode"), number_of("ptog_oob", oob, "oob")
    op.table.name, op.idx.name = kept_text("table"), kept_text("idx")
    return planned(lib.ptog_plan_mgather, op, "mgather", target)


def _table_of(table: Any, mode: str) -> Tuple[Borrowed, Array, int]:
    """The table and its pitch in elements; 0: packed. Elements are counted through, so elem takes packed ones only."""
    source = wanted(table, "table")
    data = source.data
    if not 1 <= data.ndim <= 5 or data.size == 0:
        raise ValueError(f"table: its shape is {data.shape}; expected 1 to 5 dimensions, none of them empty")
    if data.flags.c_contiguous:
        return source, data, 0
    pitch = pitch_of(data) if mode == "row" else None
    if pitch is None:
        say_copied("table", f"strides {data.strides} are not those of a table", data)
        return source, np.ascontiguousarray(data), 0
    return source, data, pitch


def _index_tile(idx: Any) -> Tuple[Array, Element, Tuple[int, int]]:
    """The index as a tile: a row when it has one dimension."""
    source = wanted(idx if isinstance(idx, (np.ndarray, FloatArray)) or hasattr(idx, "__dlpack__")
                    else borrow(idx, "idx").data, "idx")
    data = source.data
    if data.dtype.kind not in "iu" or source.element is None or source.element.is_small:
        raise TypeError(f"idx: expected whole numbers, not {source.element}")
    if data.ndim not in (1, 2) or data.size == 0:
        raise ValueError(f"idx: its shape is {data.shape}; expected one or two dimensions, none of them empty")
    data = packed(data, "idx")
    return data, source.element, (1, data.shape[0]) if data.ndim == 1 else (data.shape[0], data.shape[1])


def mgather(table: Any, idx: Any, mode: Mode = "row", oob: Oob = "undefined", *, target: Target = "host", out: Any = None,
            threads: int = 1) -> Any:
    """MGATHER, from global memory to a tile, as a target does it.

    "row": `dst[r, j] = table[map(idx[r]), j]`; "elem": `dst[r, c] = flat(table)[map(idx[r, c])]`. `oob` says what
    becomes of an index outside the table, as for `take`. The index is a tile of one or two dimensions; one dimension
    is a row. What the target does not accept raises Refused with the reasons; lanes that no correct program has raise
    Fault with the result in it; warnings are warnings.

    >>> import numpy as np, ptogather as pg
    >>> table = np.arange(48, dtype=np.float32).reshape(6, 8)
    >>> pg.mgather(table, [2, 0, 9], mode="row", oob="clamp")[:, :3]
    array([[16., 17., 18.],
           [ 0.,  1.,  2.],
           [40., 41., 42.]], dtype=float32)
    >>> pg.mgather(table, np.array([[2], [0]], np.int32), target="a2a3")
    Traceback (most recent call last):
    ptogather.diagnostics.Refused: mgather on a2a3: idx has the valid shape 2x1 (row_major), but row mode \
on a2a3 needs [1, R] row_major with one index for each of the 2 rows of the destination tile [mgather-row-index-shape] (and 1 more)
    """
    number_of("ptog_coalesce", mode, "mode"), number_of("ptog_oob", oob, "oob"), target_of(target)
    mode, oob = cast(Mode, mode.lower()), cast(Oob, oob.lower())
    threads = min(whole(threads, "threads", 1, 2**31 - 1), MAX_THREADS)
    source, data, pitch = _table_of(table, mode)
    index, index_element, tile = _index_tile(idx)
    if mode == "row" and data.ndim < 2:
        raise ValueError(f"table: its shape is {data.shape}; rows need two dimensions or more")
    shape = (index.size, data.shape[-1]) if mode == "row" else index.shape
    dst = (index.size, data.shape[-1]) if mode == "row" else tile
    assert source.element is not None  # wanted() has seen to it
    plan, found = _mgather_plan(target, mode, oob, (source.element.code, data.shape, pitch), dst,
                                (index_element.code, *tile))
    result = np.zeros(shape, data.dtype) if out is None else writable(out, "out", shape, data.dtype)
    run = ffi.new("struct ptog_run *")
    run.dst.data, run.dst.bytes = memory(result)
    run.src.data, run.src.bytes = memory(data)
    run.idx.data, run.idx.bytes = memory(index)
    run.threads = threads
    wrapped = source.wrap(result) if out is None else out
    _run_plan(plan, run, "mgather", target, wrapped, found)
    return wrapped


def _run_plan(plan: Any, run: Any, what: str, target: Target, result: Any, found: Diagnostics) -> None:
    """Runs it; an exception for what went wrong, warnings for what planning and lanes warn of."""
    fault = ffi.new("struct ptog_fault *")
    status = lib.ptog_plan_run(plan, run, fault)
    if status not in (lib.PTOG_OK, lib.PTOG_FAULT):
        raise status_error(status, what, overlap="out: it overlaps another argument",
                           no_room=f"{what}: a row has more matches than the output has columns")
    lanes = lane_diagnostics(fault, target)
    for diagnostics in (found, lanes):
        for item in diagnostics.warnings:
            warn(f"{what} on {target}: {item.message} [{item.id}]", LaneWarning)
    if status == lib.PTOG_FAULT:
        raise Fault(f"{what} on {target}: {lanes.errors[0].message} [{lanes.errors[0].id}]", lanes, result)


# ---- tgather ----------------------------------------------------------------------------------------------------------


def _tile_of(value: Any, argument: str) -> Tuple[Borrowed, Array, Tuple[int, int]]:
    """An array as a tile; one dimension is a row."""
    source = wanted(value, argument)
    if source.data.ndim not in (1, 2) or source.data.size == 0:
        raise ValueError(f"{argument}: its shape is {source.data.shape}; expected one or two dimensions, none of them empty")
    data = packed(source.data, argument)
    rows, cols = (1, data.shape[0]) if data.ndim == 1 else data.shape
    return source, data, (rows, cols)


def _kept(pattern: str, extent: int) -> int:
    """How many of so many positions a pattern keeps; it is read right to left, and over and over."""
    return sum(pattern[-1 - position % 4] == "1" for position in range(4)) * (extent // 4) + \
        sum(pattern[-1 - position] == "1" for position in range(extent % 4))


def _vec(element: Any, shape: Tuple[int, int]) -> Any:
    return lib.ptog_tile_vec(element.code, *shape)


def _set(run: Any, name: str, array: Array) -> None:
    buffer = getattr(run, name)
    buffer.data, buffer.bytes = memory(array)


def tgather(src: Any, idx: Any = None, *, pattern: Optional[Pattern] = None, axis: Axis = "row", cmp: Optional[Compare] = None,
            k: Any = None, offset: int = 0, target: Target = "host") -> Any:
    """TGATHER, from tile to tile, in one of its three forms.

    With an index, `dst[i, j] = flat(src)[idx[i, j]]`. With a pattern, the elements of each row (or the rows, along
    axis "col") that it keeps. With a comparison, "gt" or "eq", the positions of each row where `src[i, j] cmp k`, and
    how many there are: positions that are not used are -1.

    >>> import numpy as np, ptogather as pg
    >>> src = np.arange(16, dtype=np.float32).reshape(2, 8)
    >>> pg.tgather(src, [[15, 0], [3, 3]])
    array([[15.,  0.],
           [ 3.,  3.]], dtype=float32)
    >>> pg.tgather(src, pattern="P0101")
    array([[ 0.,  2.,  4.,  6.],
           [ 8., 10., 12., 14.]], dtype=float32)
    >>> positions, counts = pg.tgather(src, cmp="gt", k=5)
    >>> counts, positions[0]
    (array([2, 8], dtype=int32), array([ 6,  7, -1, -1, -1, -1, -1, -1], dtype=int32))
    """
    target_of(target)
    given = [name for name, value in (("idx", idx), ("pattern", pattern), ("cmp", cmp)) if value is not None]
    if len(given) != 1:
        raise TypeError(f"idx, pattern, cmp: one of them is needed, not {', '.join(given) or 'none'}")
    source, data, shape = _tile_of(src, "src")
    op, run = ffi.new("struct ptog_tgather *"), ffi.new("struct ptog_run *")
    op.src = _vec(source.element, shape)
    _set(run, "src", data)
    if idx is not None:
        return _by_index(op, run, source, idx, target)
    if pattern is not None:
        op.pattern, op.axis = number_of("ptog_pattern", pattern, "pattern"), number_of("ptog_axis", axis, "axis")
        return _by_mask(op, run, source, shape, pattern, target)
    op.cmp, op.offset = number_of("ptog_cmp", cmp, "cmp"), whole(offset, "offset", -(2**31), 2**31 - 1)
    return _by_compare(op, run, source, shape, k, target)


def _by_index(op: Any, run: Any, source: Borrowed, idx: Any, target: Target) -> Any:
    index, element, tile = _index_tile(idx)
    result = np.zeros(index.shape, source.data.dtype)
    op.form, op.dst, op.idx = lib.PTOG_BY_INDEX, _vec(source.element, tile), _vec(element, tile)
    _set(run, "dst", result)
    _set(run, "idx", index)
    return _finish(op, run, source.wrap(result), target)


def _by_mask(op: Any, run: Any, source: Borrowed, shape: Tuple[int, int], pattern: str, target: Target) -> Any:
    by_row = op.axis == lib.PTOG_AXIS_ROW
    kept = _kept(pattern, shape[1] if by_row else shape[0])
    if kept == 0:
        raise ValueError(f"pattern: {pattern} keeps nothing of {shape}")
    tile = (shape[0], kept) if by_row else (kept, shape[1])
    result = np.zeros(tile, source.data.dtype)
    op.form, op.dst = lib.PTOG_BY_MASK, _vec(source.element, tile)
    _set(run, "dst", result)
    return _finish(op, run, source.wrap(result), target)


def _by_compare(op: Any, run: Any, source: Borrowed, shape: Tuple[int, int], k: Any, target: Target) -> Any:
    element, rows = source.element, shape[0]
    assert element is not None  # wanted() has seen to it
    limit = borrow(k if isinstance(k, FloatArray) or not element.is_small else element(k), "k").data
    if limit.dtype.kind not in "biuf" or limit.ndim > 1 or limit.size not in (1, rows):
        raise TypeError(f"k: expected a number, or one for each of {rows} rows, not {short(k)}")
    limits = np.ascontiguousarray(np.broadcast_to(limit, rows)).astype(element.storage)
    positions, counts = np.full(shape, -1, np.int32), np.zeros(rows, np.int32)
    op.form, op.dst, op.k = lib.PTOG_BY_COMPARE, lib.ptog_tile_vec(lib.PTOG_I32, *shape), _vec(element, (1, rows))
    op.cdst = lib.ptog_tile_vec(lib.PTOG_I32, 1, rows)
    for name, array in (("dst", positions), ("k", limits), ("cdst", counts)):
        _set(run, name, array)
    found = tuple(map(tensor_of, (positions, counts))) if is_tensor(source.like) else (positions, counts)
    return _finish(op, run, found, target)


def _finish(op: Any, run: Any, result: Any, target: Target) -> Any:
    op.src.name, op.idx.name, op.k.name = kept_text("src"), kept_text("idx"), kept_text("k")
    plan, found = planned(lib.ptog_plan_tgather, op, "tgather", target)
    _run_plan(plan, run, "tgather", target, result, found)
    return result
