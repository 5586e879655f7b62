"""Whether a value that is bound to an argument has its shape, and what to write instead when it has not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np

from ._library import one_line, short
from .elements import Element

if TYPE_CHECKING:
    from .program import Slot

_MAX_LISTED = 16  # numbers of a list that a message repeats


def _extents(shape: Tuple[Optional[int], ...]) -> str:
    return "x".join("?" if extent is None else str(extent) for extent in shape)


def _same(wanted: Tuple[Optional[int], ...], shape: Tuple[int, ...]) -> bool:
    """The extents are the same from the last one on; those that only one of them has are 1."""
    rank = max(len(wanted), len(shape))
    pairs = zip((1,) * (rank - len(wanted)) + wanted, (1,) * (rank - len(shape)) + shape)
    return all(extent is None or extent == found for extent, found in pairs)


def filled_shape(wanted: Tuple[Optional[int], ...], count: int) -> Optional[Tuple[int, ...]]:
    """The shape that `count` elements have in the argument, with one open extent at most; None: there is none."""
    known = int(np.prod([extent for extent in wanted if extent is not None], dtype=np.int64))
    if wanted.count(None) > 1 or known == 0 or count % known or (None not in wanted and count != known):
        return None
    return tuple(count // known if extent is None else extent for extent in wanted)


def _repeated(slot: "Slot", value: Any) -> str:
    """What the caller may have meant by too few numbers."""
    if isinstance(value, np.ndarray) and value.size:
        return f"; to repeat them, {slot.name}=np.resize({slot.name}, {slot.shape})"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f'; to fill it with the number, {slot.name}="full:{value}"'
    if isinstance(value, (list, tuple)) and len(value) <= _MAX_LISTED \
            and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in value):
        return f'; to repeat them, {slot.name}="repeat:{",".join(map(str, value))}"'
    return ""


def shape_of(slot: "Slot", value: Any, shape: Tuple[int, ...]) -> Tuple[int, ...]:
    """The shape in which an array is bound: its own, or the argument's for as many elements in one dimension. A
    ValueError when it does not fit. `value` is what the caller wrote."""
    if slot.shape is None or not slot.packed or _same(slot.shape, shape):
        return shape
    count = int(np.prod(shape, dtype=np.int64))
    fitted = filled_shape(slot.shape, count) if len(shape) == 1 else None
    if fitted is not None:
        return fitted
    needed = int(np.prod([extent or 1 for extent in slot.shape], dtype=np.int64))
    if None not in slot.shape and count < needed:
        raise ValueError(f"{slot.name}: %{slot.name} has {needed} elements ({slot.type_name}), but {count} "
                         f"{'is' if count == 1 else 'are'} given{_repeated(slot, value)}")
    raise ValueError(f"{slot.name}: its shape is {_extents(shape)}, but %{slot.name} is {_extents(slot.shape)}")


def from_numbers(slot: "Slot", value: Any, element: Element) -> Any:
    """Numbers of Python as an array of the argument's type; a TypeError when one of them does not fit it."""
    try:
        if element.is_small:
            return element(value)
        numbers = np.asarray(value)
        with np.errstate(invalid="ignore"):  # what does not fit is reported below
            array = numbers.astype(element.storage)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{slot.name}: {short(value)} does not fit {slot}: {one_line(error)}") from None
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{slot.name}: {short(value)} does not fit {slot}: expected numbers")
    different = array != numbers if element.storage.kind in "iu" else np.zeros(0, bool)
    if different.any():
        raise TypeError(f"{slot.name}: {numbers.reshape(-1)[np.argmax(different)]} does not fit {element.name}")
    return array
