"""Embedding bags on arrays: `embedding_bag`, with the arguments of torch's function of that name."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._library import ffi, lib, number_of, whole
from .arrays import Array, Borrowed, packed, wanted
from .diagnostics import Fault, status_error
from .elements import Element, find_element
from .gather import index_array
from .literals import BagMode
from .plans import MAX_THREADS
from .tensors import is_tensor, tensor_of

_TABLES = ("f32", "f16", "bf16", "i8", "f8e4m3", "f8e5m2")


def embedding_bag(input: Any, weight: Any, offsets: Any = None, max_norm: Optional[float] = None, norm_type: float = 2.0,
                  scale_grad_by_freq: bool = False, mode: BagMode = "mean", sparse: bool = False,
                  per_sample_weights: Any = None, include_last_offset: bool = False, padding_idx: Optional[int] = None, *,
                  scales: Any = None, precise: bool = False, threads: int = 1) -> Any:
    """The sum, the mean or the maximum of the rows of `weight` that each bag of `input` names.

    The arguments are those of `torch.nn.functional.embedding_bag`: `input` has two dimensions, a bag in each row, or
    one, and then `offsets` says where each bag starts. `per_sample_weights` multiply rows of a sum. Rows equal to
    `padding_idx` are left out, and not counted in a mean; a bag without rows gives zeros. `scale_grad_by_freq` and
    `sparse` are about gradients, which this function has not; `max_norm` is not supported.

    Rows may be float32, float16, bfloat16, int8 or a float of one byte. `scales`, one number for each row or one for
    all, multiply what is stored. The result has the type of the rows, and float32 when they have one byte. Rows are
    added one after the other: those of float32 in float32, as torch does, and all others, or with `precise` these, too,
    in float64, rounded once at the end.

    >>> import numpy as np, ptogather as pg
    >>> table = np.arange(12, dtype=np.float32).reshape(4, 3)
    >>> pg.embedding_bag([3, 0, 1], table, offsets=[0, 2], mode="sum")
    array([[ 9., 11., 13.],
           [ 3.,  4.,  5.]], dtype=float32)
    >>> pg.embedding_bag([[4, 0]], table)
    Traceback (most recent call last):
    ptogather.diagnostics.Fault: embedding_bag: input[0, 0] is 4; the table has 4 rows
    """
    if max_norm is not None:
        raise ValueError("max_norm: not supported yet: scale the rows before")
    table = wanted(weight, "weight")
    rows = _rows_of(table)
    bag = _describe(table, rows, mode, include_last_offset, padding_idx)
    bag.precise = bool(precise)
    index, starts = _bags_of(input, offsets, include_last_offset)
    factors = [None if value is None else _floats(value, argument)
               for value, argument in ((per_sample_weights, "per_sample_weights"), (scales, "scales"))]
    _check_factors(factors[0], factors[1], index, rows, mode)
    result = _result_type(table)
    out = np.zeros((starts.size - bool(include_last_offset), rows.shape[1]), result.storage)
    bag.idx = lib.PTOG_I32 if index.itemsize == 4 else lib.PTOG_I64
    if out.size:
        _run(bag, out, rows, index, starts, factors, threads)
    return _like(table, out, result)


def _rows_of(table: Borrowed) -> Array:
    data = table.data
    if table.element is None or table.element.name not in _TABLES:
        raise TypeError(f"weight: expected rows of {', '.join(_TABLES)}, not {table.element.name if table.element else data.dtype}")
    if data.ndim != 2:
        raise ValueError(f"weight: expected 2 dimensions, not {data.ndim}")
    return packed(data, "weight")


def _result_type(table: Borrowed) -> Element:
    element = table.element if table.data.itemsize > 1 else find_element("f32")
    assert element is not None
    return element


def _like(table: Borrowed, out: Array, result: Element) -> Any:
    """The result as the caller's own kind of array."""
    if table.element is result:
        return table.wrap(out)
    return tensor_of(out) if is_tensor(table.like) else out


def _describe(table: Borrowed, rows: Array, mode: Any, has_end: Any, padding: Any) -> Any:
    bag = ffi.new("struct ptog_bag *")
    assert table.element is not None
    bag.table, bag.mode = table.element.code, number_of("ptog_bag_mode", mode, "mode")
    bag.rows, bag.cols = rows.shape
    bag.has_end = bool(has_end)
    if padding is not None:
        count = max(rows.shape[0], 1)
        bag.has_padding, bag.padding = True, whole(padding, "padding_idx", -count, count - 1) % count
    return bag


def _bags_of(input: Any, offsets: Any, has_end: Any) -> Tuple[Array, Array]:
    """Indices and offsets, packed and of one type. The indices keep their shape, for messages."""
    index = index_array(input, "input")
    if index.ndim == 2:
        if offsets is not None:
            raise ValueError("offsets: input has two dimensions, a bag in each row: offsets have no meaning then")
        starts = np.arange(index.shape[0] + bool(has_end), dtype=np.int64) * index.shape[1]
    elif index.ndim == 1:
        if offsets is None:
            raise ValueError("offsets: input has one dimension: expected where each bag starts")
        starts = index_array(offsets, "offsets")
        if starts.ndim != 1:
            raise ValueError(f"offsets: expected one dimension, not {starts.ndim}")
        if has_end and starts.size == 0:
            raise ValueError("offsets: expected at least the end of the last bag")
    else:
        raise ValueError(f"input: expected one dimension, or two, not {index.ndim}")
    signed = np.int32 if index.dtype.itemsize == starts.dtype.itemsize == 4 else np.int64
    return tuple(array if array.dtype == signed else array.astype(signed) for array in (index, starts))  # type: ignore[return-value]


def _floats(value: Any, argument: str) -> Array:
    found = wanted(value, argument)
    if found.element is None or found.element.name not in ("f32", "f16", "bf16"):
        raise TypeError(f"{argument}: expected float32, not {found.data.dtype}")
    data = found.data if found.element.name == "f32" else np.asarray(found.wrap(found.data), np.float32)
    return packed(np.atleast_1d(data), argument)


def _check_factors(weights: Optional[Array], scales: Optional[Array], index: Array, rows: Array, mode: Any) -> None:
    if weights is not None and str(mode).lower() != "sum":
        raise ValueError(f"per_sample_weights: a {mode} has none; expected mode='sum'")
    if weights is not None and weights.shape != index.shape:
        raise ValueError(f"per_sample_weights: expected the shape of input, {index.shape}, not {weights.shape}")
    if scales is not None and scales.shape not in ((1,), (rows.shape[0],), (rows.shape[0], 1)):
        raise ValueError(f"scales: expected one number, or {rows.shape[0]}, one for each row, not shape {scales.shape}")


def _run(bag: Any, out: Array, rows: Array, index: Array, starts: Array, factors: Any, threads: Any) -> None:
    plan = ffi.new("ptog_bag_plan **")
    status = lib.ptog_plan_bag(plan, bag, ffi.NULL)
    if status != lib.PTOG_OK:
        raise status_error(status, "embedding_bag")
    handle = ffi.gc(plan[0], lib.ptog_bag_plan_free)
    run, fault = ffi.new("struct ptog_bag_run *"), ffi.new("struct ptog_bag_fault *")
    run.threads = min(whole(threads, "threads", 1, 2**31 - 1), MAX_THREADS)
    held = []  # while the library reads them
    for name, array in (("dst", out), ("table", rows), ("idx", index), ("offsets", starts), ("weights", factors[0]),
                        ("scales", factors[1])):
        if array is None:
            continue
        buffer = getattr(run, name)
        held.append(ffi.from_buffer(array.reshape(-1).view(np.uint8)) if array.size else ffi.new("char[1]"))
        buffer.data, buffer.bytes = ffi.cast("void *", held[-1]), array.nbytes
    status = lib.ptog_bag_run(handle, run, fault)
    if status == lib.PTOG_FAULT:
        raise Fault(_fault_text(fault, index, starts, rows))
    if status != lib.PTOG_OK:
        raise status_error(status, "embedding_bag")


def _fault_text(fault: Any, index: Array, starts: Array, rows: Array) -> str:
    if fault.is_offset:
        return (f"embedding_bag: offsets[{fault.at}] is {fault.value}; offsets start at 0, do not decrease, and end at the "
                f"number of indices, {index.size}, at most")
    where = ", ".join(str(i) for i in np.unravel_index(fault.at, index.shape))
    return f"embedding_bag: input[{where}] is {fault.value}; the table has {rows.shape[0]} rows"
