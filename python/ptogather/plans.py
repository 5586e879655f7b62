"""Plans of gathers: made once for shapes, strides and types, and kept."""

from __future__ import annotations

import functools
import math
from typing import Any, Optional, Tuple

from ._library import ffi, lib, number_of, target_of, whole
from .collector import Collector
from .diagnostics import Diagnostics, refused, status_error
from .elements import element_of
from .literals import Target

RUN = ffi.typeof("struct ptog_run *")
FAULT = ffi.typeof("struct ptog_fault *")
_UNITS = {8: lib.PTOG_U64, 4: lib.PTOG_U32, 2: lib.PTOG_U16, 1: lib.PTOG_U8}
MAX_THREADS = 1024


def planned(make: Any, op: Any, what: str, target: Target) -> Tuple[Any, Diagnostics]:
    """The plan of an instruction, made by ptog_plan_..., and what was said about it."""
    plan, diags = ffi.new("ptog_plan **"), Collector()
    status = make(plan, target_of(target), op, diags.handle)
    found = diags.take(target)
    if status == lib.PTOG_ILLEGAL:
        raise refused(f"{what} on {target}", found)
    if status != lib.PTOG_OK:
        raise status_error(status, what)
    return ffi.gc(plan[0], lib.ptog_plan_free), found


class TakePlan:
    """A plan of take: what is the same for all arrays of these shapes, strides and types."""

    __slots__ = ("plan", "template", "shape", "dtype", "warns", "exports", "spare")

    def __init__(self, plan: Any, template: Any, shape: Tuple[int, ...], dtype: Any, warns: bool) -> None:
        self.plan, self.template, self.shape, self.dtype, self.warns = plan, template, shape, dtype, warns
        self.exports = dtype.kind in "biufc"  # numpy gives the memory of others to nobody
        self.spare: list[Any] = []  # calls that are ready to be used: making one costs as much as copying a tile

    def call(self) -> Any:
        """A run with everything filled in but the addresses, the three places for those, and a record of lanes."""
        run, fault = ffi.new(RUN, self.template[0]), ffi.new(FAULT) if self.warns else ffi.NULL
        return run, run.dst, run.src, run.idx, fault, fault.of[lib.PTOG_FAULT_INDEX_NEGATIVE] if self.warns else None


@functools.lru_cache(maxsize=1024)
def take_plan(table_shape: Tuple[int, ...], dtype: Any, idx_shape: Tuple[int, ...], idx_dtype: Any, oob: str,
              threads: int, pitch_bytes: int = 0) -> Optional[TakePlan]:
    """None: the general way has to look at it. Both arrays are packed, but for the table's rows when they have a pitch.

    As in `ptog gather`, a lane is bytes: it is gathered as rows of the largest integers that divide it.
    """
    if not table_shape or idx_dtype.kind not in "iu" or idx_dtype.itemsize < 4 or not idx_dtype.isnative or dtype.hasobject:
        return None
    capacity, row = table_shape[0], math.prod(table_shape[1:]) * dtype.itemsize
    lanes = math.prod(idx_shape)
    if capacity == 0 or row == 0 or lanes == 0:
        return None
    unit = next(size for size in _UNITS if row % size == 0 and pitch_bytes % size == 0)
    width, pitch = row // unit, (pitch_bytes or row) // unit
    rows = width > 1 or pitch > 1
    kind, op = _UNITS[unit], ffi.new("struct ptog_mgather *")
    op.dst = lib.ptog_tile_vec(kind, lanes if rows else 1, width if rows else lanes)
    op.table = lib.ptog_tensor_2d_pitch(kind, capacity, width, pitch) if rows else lib.ptog_tensor_2d(kind, 1, capacity)
    op.idx = lib.ptog_tile_vec(element_of(idx_dtype).code, 1, lanes)
    op.coalesce = lib.PTOG_ROW if rows else lib.PTOG_ELEM
    op.oob = number_of("ptog_oob", oob, "oob")
    plan, _ = planned(lib.ptog_plan_mgather, op, "take", "host")
    run = ffi.new(RUN)
    run.dst.bytes, run.idx.bytes = lanes * row, lanes * idx_dtype.itemsize
    run.src.bytes = (capacity - 1) * pitch * unit + row
    run.threads = min(whole(threads, "threads", 1, 2**31 - 1), MAX_THREADS)
    return TakePlan(plan, run, idx_shape + table_shape[1:], dtype, op.oob in (lib.PTOG_OOB_CLAMP, lib.PTOG_OOB_WRAP))
