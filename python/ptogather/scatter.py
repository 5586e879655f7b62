"""Scatters into arrays: `put` and `scatter_add`, the inverse of `take`.

A plan is made once for shapes, strides and types, and kept, as for `take`.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Tuple

import numpy as np

from ._library import ffi, lib, number_of, whole
from .arrays import Array, Borrowed, borrow, memory, packed
from .collector import lane_diagnostics
from .diagnostics import Fault, status_error
from .elements import FloatArray, element_of
from .gather import _row_pitch, _warn_lanes, index_array
from .literals import ScatterOob
from .plans import _UNITS, FAULT, MAX_THREADS, RUN, planned
from .tensors import is_tensor, refuse_gradient


def put(table: Any, idx: Any, rows: Any, oob: ScatterOob = "undefined", threads: int = 1) -> Any:
    """Writes rows into a table: `table[idx[i], ...] = rows[i, ...]`, in place; the result is the table.

    The inverse of `take`, and what MSCATTER does with rows: of equal indices the last one wins, for any number of
    threads. `rows` has the table's type, and the shape of the indices followed by that of a row. An index is read
    without a sign; what happens to one that is not in the table is `oob`: "undefined" raises Fault before anything is
    written, "skip" writes nothing for it, "clamp" takes the last row, "wrap" takes it modulo the number of rows.

    >>> import numpy as np, ptogather as pg
    >>> table = np.zeros((4, 2), np.float32)
    >>> pg.put(table, [2, 0, 2], np.array([[1, 1], [2, 2], [3, 3]], np.float32))
    array([[2., 2.],
           [0., 0.],
           [3., 3.],
           [0., 0.]], dtype=float32)
    """
    return _scatter("put", table, idx, rows, oob, threads)


def scatter_add(table: Any, idx: Any, rows: Any, oob: ScatterOob = "undefined", threads: int = 1) -> Any:
    """Adds rows to those of a table: `table[idx[i], ...] += rows[i, ...]`, in place; the result is the table.

    Like `numpy.add.at` and torch's `index_add_`; the arguments are those of `put`. Rows with equal indices are added in
    the order of the indices, and each sum is rounded to the type of the table, for any number of threads. Integers wrap
    around.

    >>> import numpy as np, ptogather as pg
    >>> pg.scatter_add(np.zeros((2, 2), np.float32), [1, 1], np.array([[1, 2], [3, 4]], np.float32))
    array([[0., 0.],
           [4., 6.]], dtype=float32)
    """
    return _scatter("scatter_add", table, idx, rows, oob, threads)


def _scatter(what: str, table: Any, idx: Any, rows: Any, oob: Any, threads: Any) -> Any:
    adds = what == "scatter_add"
    number_of("ptog_scatter_oob", oob, "oob")
    target, index = _target(table), index_array(idx)
    data = target.data
    source = _source(rows, target, index)
    threads = min(whole(threads, "threads", 1, 2**31 - 1), MAX_THREADS)
    if adds and target.element is None:
        raise TypeError(f"table: {data.dtype} is not a supported element type; convert it, for example to float32")
    _check_inside(what, data, index, str(oob).lower())
    if source.size == 0 or data.size == 0:
        return table
    code = target.element.code if adds and target.element is not None else 0
    plan, template, warns = _plan(data.shape, data.itemsize, index.shape, index.dtype, str(oob).lower(), code, threads, _row_pitch(data) or 0)
    run, fault = ffi.new(RUN, template[0]), ffi.new(FAULT)
    run.dst.data, run.src.data, run.idx.data = memory(data)[0], memory(source)[0], memory(index)[0]
    status = lib.ptog_plan_run(plan, run, fault)
    if status == lib.PTOG_OVERLAP:
        raise ValueError("table: it overlaps the rows or the index")
    if status != lib.PTOG_OK:
        raise status_error(status, what)
    if warns:
        _warn_lanes(lane_diagnostics(fault, "host"), "idx")
    return table


def _target(table: Any) -> Borrowed:
    """The table, over its own memory: rows that are packed, at a constant distance."""
    if is_tensor(table):
        refuse_gradient(table, "table")
    elif not isinstance(table, (np.ndarray, FloatArray)) and not hasattr(table, "__dlpack__"):
        raise TypeError(f"table: expected an array that is written in place, not {type(table).__name__}")
    target = borrow(table, "table")
    data = target.data
    if data.ndim == 0:
        raise ValueError("table: it has no rows: it is a single number")
    if isinstance(table, np.ndarray) and not np.shares_memory(table, data) and data.size:
        raise ValueError("table: its elements lie in another byte order; it cannot be written in place")
    if _row_pitch(data) is None:
        raise ValueError(f"table: strides {data.strides} are not those of rows; it cannot be written in place")
    if not data.flags.writeable:
        raise ValueError("table: it is read-only")
    return target


def _source(rows: Any, target: Borrowed, index: Array) -> Array:
    source, data = borrow(rows, "rows"), target.data
    shape = index.shape + data.shape[1:]
    if source.data.dtype != data.dtype or source.element != target.element:
        raise TypeError(f"rows: its type is {_type_name(source)}, not {_type_name(target)} as that of the table")
    if source.data.shape != shape:
        raise ValueError(f"rows: its shape is {source.data.shape}, not {shape}: that of the indices, then that of a row")
    return packed(source.data, "rows")


def _type_name(array: Borrowed) -> str:
    return str(array.element.name if array.element is not None and array.element.is_small else array.data.dtype)


def _check_inside(what: str, data: Array, index: Array, oob: str) -> None:
    """Whether every index means a row, or may mean none."""
    capacity = data.shape[0]
    if capacity == 0 and index.size and oob in ("clamp", "wrap"):
        raise ValueError(f"table: it has no rows to {oob} to")
    if oob != "undefined" or not index.size:
        return
    outside = index.view(f"u{index.itemsize}") >= capacity
    if outside.any():
        where = np.unravel_index(int(np.argmax(outside)), index.shape)
        raise Fault(f"{what}: idx[{', '.join(str(i) for i in where)}] is {index[where]}; the table has {capacity} rows")


@functools.lru_cache(maxsize=256)
def _plan(shape: Tuple[int, ...], itemsize: int, idx_shape: Tuple[int, ...], idx_dtype: Any, oob: str, added: int, threads: int,
          pitch_bytes: int) -> Tuple[Any, Any, bool]:
    """The plan, a run with everything in it but the addresses, and whether a run may say something about an index. What is
    copied is bytes, as in `take`; `added` is the type of what is added."""
    capacity, row, lanes = shape[0], math.prod(shape[1:]) * itemsize, math.prod(idx_shape)
    unit = itemsize if added else next(size for size in _UNITS if row % size == 0 and pitch_bytes % size == 0)
    kind, insn = added or _UNITS[unit], ffi.new("struct ptog_insn *")
    width, pitch = row // unit, (pitch_bytes or row) // unit
    is_rows = width > 1 or pitch > 1
    src, index = ffi.new("struct ptog_tile *"), ffi.new("struct ptog_tile *")
    src[0] = lib.ptog_tile_vec(kind, lanes if is_rows else 1, width if is_rows else lanes)
    index[0] = lib.ptog_tile_vec(element_of(idx_dtype).code, 1, lanes)
    lib.ptog_insn_start(insn, lib.PTOG_MSCATTER)
    lib.ptog_insn_set_tile(insn, 0, src)
    insn.of[1].kind = lib.PTOG_IS_VIEW
    insn.of[1].view = lib.ptog_tensor_2d_pitch(kind, capacity, width, pitch) if is_rows else lib.ptog_tensor_2d(kind, 1, capacity)
    lib.ptog_insn_set_tile(insn, 2, index)
    insn.attr[lib.PTOG_MSCATTER_COALESCE] = lib.PTOG_ROW if is_rows else lib.PTOG_ELEM
    insn.attr[lib.PTOG_MSCATTER_OOB] = number_of("ptog_scatter_oob", oob, "oob")
    insn.attr[lib.PTOG_MSCATTER_ATOMIC] = lib.PTOG_SCATTER_ADD if added else lib.PTOG_SCATTER_NONE
    plan, _ = planned(lib.ptog_plan_insn, insn, "put", "host")
    run = ffi.new(RUN)
    run.dst.bytes = (capacity - 1) * pitch * unit + row
    run.src.bytes, run.idx.bytes, run.threads = lanes * row, lanes * idx_dtype.itemsize, threads
    return plan, run, oob in ("clamp", "wrap")
