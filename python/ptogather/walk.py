"""The operations of a program in the order of the text, and where the bytes of an output come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple

from ._library import ffi, lib, text_of
from .diagnostics import status_error

if TYPE_CHECKING:
    from .program import Program


class Operation(NamedTuple):
    """One operation; names of values are without '%'."""

    name: str
    line: int
    column: int
    results: Tuple[str, ...]
    operands: Tuple[str, ...]


def _names(list_: Any, count: int) -> Tuple[str, ...]:
    return tuple(text_of(list_[i]) or "" for i in range(count))


def operations(program: "Program") -> List[Operation]:
    """All of them."""
    found: List[Operation] = []

    def visit(_: Any, op: Any) -> bool:
        found.append(Operation(text_of(op.name) or "", int(op.line), int(op.column), _names(op.results, op.result_count),
                               _names(op.operands, op.operand_count)))
        return True

    callback = ffi.callback("bool(void *, const struct ptog_op_seen *)", visit, error=False)
    status = lib.ptog_program_walk(program._handle, callback, ffi.NULL)
    if status != lib.PTOG_OK:
        raise status_error(status, "walk")
    return found


class Origin(NamedTuple):
    """Where the elements of an output come from: the store, the operation that made the tile, its index tile."""

    store: Optional[Operation]
    maker: Optional[Operation]
    by: Optional[str]


_STORES = ("pto.tstore", "pto.mscatter", "pto.store_scalar")
_GATHERS = ("pto.mgather", "pto.tgather")


def origin_of(program: "Program", output: str) -> Origin:
    """Follows the text: views of the output, the last store to one of them, the operation before it that mentions the
    stored tile. For messages: in a program with branches it may be another one."""
    known, store, maker, tile = {output}, None, None, ""
    for op in operations(program):
        if op.results and known & set(op.operands):
            known |= set(op.results)
        if op.name in _STORES and known & set(op.operands):
            store, tile = op, op.operands[0]
    for op in operations(program):
        writes = tile in op.results or (op.operands and op.operands[-1] == tile and op.name not in _STORES)
        if store is not None and op.line < store.line and writes and "alloc" not in op.name:
            maker = op
    gathers = maker is not None and maker.name in _GATHERS and len(maker.operands) > 1
    return Origin(store, maker, maker.operands[1] if maker is not None and gathers else None)
