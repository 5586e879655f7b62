"""Inputs for a program that nobody gave any: good enough to reach its instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._library import whole
from .elements import FloatArray

if TYPE_CHECKING:
    from .program import Slot, Source

_UNKNOWN = 65536  # elements behind a pointer, of which the program does not say how many there are
_DYNAMIC = 64     # an extent that is known only at run time


def _shape(slot: "Slot") -> tuple[int, ...]:
    if slot.shape is None:
        return (_UNKNOWN,)
    return tuple(_DYNAMIC if extent is None else extent for extent in slot.shape)


def _fewest_rows(slots: tuple["Slot", ...]) -> int:
    """Indices below it are rows of every table of the program."""
    extents = [int(np.prod(_shape(slot)[:-1])) if len(_shape(slot)) > 1 else _shape(slot)[0]
               for slot in slots if slot.kind == "memory" and slot.dtype and slot.dtype.name[0] not in "iu"]
    return max(min(extents, default=8), 1)


def _array(slot: "Slot", below: int, random: np.random.Generator) -> Any:
    shape, element = _shape(slot), slot.dtype
    if element is None:
        return np.zeros(shape, np.uint8)
    if element.is_small and not element.has_numbers:
        return FloatArray(random.integers(0, 128, shape, np.uint8), element)
    if element.is_small:
        return element(random.integers(-8, 8, shape))
    if element.storage.kind in "iu":
        below = min(below, int(np.iinfo(element.storage).max))
        return random.integers(0, below, shape).astype(element.storage)
    return random.integers(-999, 999, shape).astype(element.storage)


def synthetic_inputs(program: "Source", function: Optional[str] = None, seed: int = 0) -> dict[str, Any]:
    """Arrays and numbers for every argument of a program: whole numbers small enough to be rows of its tables, other
    elements random, numbers 1, outputs zeros. The same seed gives the same ones.

    >>> import ptogather as pg
    >>> inputs = pg.synthetic_inputs("%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) "
    ...                              "-> !pto.tile<8x8xf32>")
    >>> inputs["t"].shape, bool(inputs["i"].max() < 4)
    ((4, 8), True)
    """
    from .program import as_program
    slots = as_program(program).slots(function)
    below, random = _fewest_rows(slots), np.random.default_rng(whole(seed, "seed", 0, 2**63))
    made: dict[str, Any] = {}
    for slot in slots:
        if slot.kind == "number":
            made[slot.name] = 1
        else:
            made[slot.name] = _array(slot, below, random)
            if slot.written and slot.kind == "memory":
                data = made[slot.name].bits if isinstance(made[slot.name], FloatArray) else made[slot.name]
                data[...] = 0
    return made
