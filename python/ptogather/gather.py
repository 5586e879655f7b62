"""Gathers on arrays: `take`, for any table and index.

A plan is made once for shapes, strides and types, and kept; running it allocates nothing but the output, and the GIL
is released while it runs.
"""

from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np

from ._library import ffi, lib, number_of, warn, whole, words
from .arrays import Array, borrow, memory, packed, say_copied, writable
from .collector import lane_diagnostics
from .diagnostics import Diagnostics, Fault, LaneWarning, status_error
from .literals import Oob
from .plans import FAULT, MAX_THREADS, RUN, TakePlan, take_plan

_from_buffer, _plan_run = ffi.from_buffer, lib.ptog_plan_run
_OK, _FAULT_STATUS = lib.PTOG_OK, lib.PTOG_FAULT


def take(table: Any, idx: Any, oob: Oob = "undefined", out: Any = None, threads: int = 1, axis: int = 0) -> Any:
    """Rows of a table by an array of indices: `out[i, ...] = table[idx[i], ...]`, as `ptog gather` does it.

    Like `numpy.take(table, idx, axis=axis, out=out)`, for a table of any type and rank and an index of any shape, but
    an index is read as MGATHER reads it, without a sign: a negative one is a very large one. What happens to an index
    that is not in the table is `oob`: "undefined" raises Fault, "clamp" takes the last row, "wrap" takes it modulo the
    number of rows, "zero" gives zeros. `threads` is the most that a large gather may use. A tensor of torch, also a
    parameter, gives a tensor, without a gradient.

    >>> import numpy as np, ptogather as pg
    >>> table = np.arange(12, dtype=np.float32).reshape(4, 3)
    >>> pg.take(table, [[3, 0], [1, 7]], oob="zero")
    array([[[ 9., 10., 11.],
            [ 0.,  1.,  2.]],
    <BLANKLINE>
           [[ 3.,  4.,  5.],
            [ 0.,  0.,  0.]]], dtype=float32)
    >>> pg.take(table, [4])
    Traceback (most recent call last):
    ptogather.diagnostics.Fault: take: idx[0] is 4; the table has 4 rows [gm-out-of-bounds]
    """
    if type(axis) is not int or axis:
        return _take_along(table, idx, oob, out, threads, axis)
    if type(table) is np.ndarray and type(idx) is np.ndarray and table.flags.c_contiguous and idx.flags.c_contiguous:
        try:
            kept = take_plan(table.shape, table.dtype, idx.shape, idx.dtype, oob, threads)
        except TypeError:  # an argument that cannot be hashed
            kept = None
        if kept is not None and kept.exports:
            if out is None:
                out = np.empty(kept.shape, kept.dtype)
            elif type(out) is not np.ndarray or out.shape != kept.shape or out.dtype != kept.dtype \
                    or not out.flags.carray:
                return _take_general(table, idx, oob, out, threads)
            try:
                call = kept.spare.pop()
            except IndexError:
                call = kept.call()
            run, run_dst, run_src, run_idx, fault, negative = call
            run_dst.data = to = _from_buffer(out)
            run_src.data = source = _from_buffer(table)
            run_idx.data = index = _from_buffer(idx)
            if _plan_run(kept.plan, run, fault) == _OK and (negative is None or negative.count == 0):
                kept.spare.append(call)
                return out
            del to, source, index
            return _take_said(kept, run, out, table, idx)
    return _take_general(table, idx, oob, out, threads)


def _entries(table: Array, axis: int) -> str:
    """How many entries there are to choose from, in a message."""
    return f"the table has {table.shape[0]} rows" if axis == 0 else f"axis {axis} of the table has {table.shape[0]} entries"


def _take_said(kept: TakePlan, run: Any, out: Array, table: Array, idx: Array, axis: int = 0) -> Array:
    """Again, with a record of what is wrong with the lanes: an exception, or a warning."""
    fault = ffi.new(FAULT)
    status = lib.ptog_plan_run(kept.plan, run, fault)
    if status == lib.PTOG_OVERLAP:
        raise ValueError("out: it overlaps the table or the index")
    found = lane_diagnostics(fault, "host")
    if status == _FAULT_STATUS:
        where = np.unravel_index(fault.row + fault.col, idx.shape)  # one row, or one column, of lanes
        place = ", ".join(str(i) for i in where)
        raise Fault(f"take: idx[{place}] is {idx[where]}; {_entries(table, axis)} [{found.errors[0].id}]", found, out)
    if status != _OK:
        raise status_error(status, "take")
    _warn_lanes(found, "idx")
    return out


def _warn_lanes(found: Diagnostics, argument: str) -> None:
    for item in found.warnings:
        warn(f"{argument}: {item.message} [{item.id}]", LaneWarning)


def index_array(idx: Any, argument: str = "idx") -> Array:
    """Whole numbers, packed, of 4 or 8 bytes."""
    data = borrow(idx, argument).data
    if data.size == 0 and data.dtype.kind == "f" and not isinstance(idx, np.ndarray):
        data = data.astype(np.int64)  # an empty list
    if data.dtype.kind not in "iu":
        raise TypeError(f"{argument}: expected whole numbers, not {data.dtype}")
    if data.itemsize < 4 or not data.dtype.isnative:
        signed = data.dtype.kind == "i"
        data = data.astype(np.int32 if signed and data.itemsize < 4 else np.int64 if signed else np.uint64)
    return packed(data, argument)


def _row_pitch(data: Array) -> Optional[int]:
    """Bytes between the rows of a table whose rows are packed; 0: all of it is; None: it has to be copied."""
    if data.flags.c_contiguous:
        return 0
    inner = data[:1].flags.c_contiguous and data.ndim > 0 and data.shape[0] > 1
    row = int(np.prod(data.shape[1:], dtype=np.int64)) * data.itemsize
    return data.strides[0] if inner and data.strides[0] > row else None


def _take_empty(data: Array, idx: Array, oob: str, shape: Tuple[int, ...], axis: int) -> Array:
    """A table without rows has nothing to clamp or wrap to; rows without elements still have to exist."""
    capacity, lanes = data.shape[0], idx.size
    outside = idx.astype(np.uint64) >= capacity if lanes else np.zeros(0, bool)
    if oob == "undefined" and outside.any():
        where = np.unravel_index(int(np.argmax(outside)), idx.shape)
        raise Fault(f"take: idx[{', '.join(str(i) for i in where)}] is {idx[where]}; {_entries(data, axis)}")
    if capacity == 0 and lanes and oob in ("clamp", "wrap"):
        raise ValueError(f"table: it has no rows to {oob} to")
    return np.zeros(shape, data.dtype)


def _policy(oob: Any) -> str:
    """The policy; numpy.take has its axis at this place."""
    if isinstance(oob, int) and not isinstance(oob, bool):
        raise ValueError(f"oob: {oob} is not one of {', '.join(words('ptog_oob'))}; an axis is named, axis={oob}")
    number_of("ptog_oob", oob, "oob")
    return str(oob).lower()


def _take_along(table: Any, idx: Any, oob: Any, out: Any, threads: int, axis: Any) -> Any:
    """take along any axis: one gather of rows, with an index for every row of the axes before it."""
    oob, source = _policy(oob), borrow(table, "table")
    if axis is None:
        raise TypeError("axis: expected a whole number, not None; to gather from all elements, take(table.reshape(-1), idx)")
    rank = source.data.ndim
    axis = whole(axis, "axis", -rank, rank - 1) % rank if rank else 0
    index = index_array(idx)
    if rank == 0 or axis == 0:
        return _take_general(table, index, oob, out, threads)
    data = packed(source.data, "table")
    outer, count, inner = data.shape[:axis], data.shape[axis], data.shape[axis + 1:]
    # as many rows as the axis has entries, numbered from 1, so that 0 is what the policy "zero" gives
    chosen = np.asarray(_take_general(np.arange(1, count + 1), index, oob, None, 1, axis)) - 1
    starts = np.arange(math.prod(outer)).reshape(-1, *(1,) * index.ndim) * count
    rows = np.where(chosen < 0, -1, starts + chosen)
    shape = outer + index.shape + inner
    result = np.empty(shape, data.dtype) if out is None else writable(out, "out", shape, data.dtype)
    if result.size:
        _take_general(data.reshape(-1, *inner), rows, "zero", result.reshape(rows.shape + inner), threads)
    return source.wrap(result) if out is None else out


def _take_general(table: Any, idx: Any, oob: Any, out: Any, threads: int, axis: int = 0) -> Any:
    """take for arguments of every kind. `axis` is the one that a message names."""
    oob = _policy(oob)
    threads = min(whole(threads, "threads", 1, 2**31 - 1), MAX_THREADS)
    source, index = borrow(table, "table"), index_array(idx)
    data = source.data
    if data.ndim == 0:
        raise ValueError("table: it has no rows: it is a single number")
    pitch = _row_pitch(data)
    if pitch is None:
        say_copied("table", f"strides {data.strides} are not those of rows", data)
        data, pitch = np.ascontiguousarray(data), 0
    shape = index.shape + data.shape[1:]
    result = np.empty(shape, data.dtype) if out is None else writable(out, "out", shape, data.dtype)
    kept = take_plan(data.shape, data.dtype, index.shape, index.dtype, oob, threads, pitch)
    if kept is None:
        result[...] = _take_empty(data, index, oob, shape, axis)
    else:
        run = ffi.new(RUN, kept.template[0])
        run.dst.data, run.src.data, run.idx.data = memory(result)[0], memory(data)[0], memory(index)[0]
        _take_said(kept, run, result, data, index, axis)
    return source.wrap(result) if out is None else out
