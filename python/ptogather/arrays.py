"""Arrays at the border: anything that holds numbers becomes a numpy array over the same memory.

numpy arrays, FloatArrays, tensors of torch, the buffer protocol, `__array_interface__` and `__dlpack__` are not copied.
What has to be copied, because the model has no such strides, is reported with a `CopyWarning`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._library import ffi, one_line, short, warn
from .dlpack import from_dlpack
from .elements import Element, FloatArray, find_element, refuse_mask
from .tensors import as_tensor, borrow_tensor, is_tensor, refuse_gradient

Array = npt.NDArray[Any]


class CopyWarning(UserWarning):
    """An argument was copied because its memory does not lie as the model wants it."""


class Borrowed(NamedTuple):
    """An argument: its elements as numpy stores them, their type (None: a type of numpy that the model does not have),
    and how to give an array of the same kind back."""

    data: Array
    element: Optional[Element]
    like: Any

    def wrap(self, data: Array) -> Any:
        """A result of the same kind as the argument: a FloatArray, a tensor, an array of ml_dtypes, or numpy's own."""
        if is_tensor(self.like):
            return as_tensor(data, self.like)
        if isinstance(self.like, FloatArray) and self.element is not None:
            return FloatArray(data, self.element)
        return data.view(self.like.dtype) if isinstance(self.like, np.ndarray) and self.element is not None else data


def _as_numpy(value: Any, argument: str) -> Array:
    try:
        if isinstance(value, (bytes, bytearray, memoryview)) or type(value).__module__ == "array":
            return np.asarray(memoryview(value))
        array = np.asarray(value)
    except Exception as error:  # of an object of the caller
        raise TypeError(f"{argument}: expected an array of numbers, not {short(value)}: {one_line(error)}") from None
    return array


def borrow(value: Any, argument: str) -> Borrowed:
    """Any array as numpy's, over the same memory. A TypeError names the argument."""
    if isinstance(value, FloatArray):
        return Borrowed(value.bits, value.dtype, value)
    if is_tensor(value):
        data, element, copied = borrow_tensor(value, argument)
        if copied:
            say_copied(argument, "its memory holds the conjugate or the negative", data)
        return Borrowed(data, element, value)
    refuse_mask(value, argument)
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        data, element = from_dlpack(value, argument)
        return Borrowed(data, element, FloatArray(data, element) if element is not None and element.is_small else None)
    array = _as_numpy(value, argument)
    if array.dtype.hasobject or (array.dtype.kind in "US" and not isinstance(value, np.ndarray)):
        raise TypeError(f"{argument}: expected an array of numbers, not {short(value)}")
    element = None if array.dtype.names else find_element(array.dtype.name)
    if element is not None and element.is_small:  # of ml_dtypes
        return Borrowed(array.view(element.storage), element, array)
    if element is not None and not array.dtype.isnative:
        say_copied(argument, f"its byte order is not this machine's, {array.dtype.str}", array)
        array = array.astype(element.storage)
    return Borrowed(array, element, None)


def numbers_of(value: Any, argument: str) -> Array:
    """Any array or number as an array of numbers; small floats become float32."""
    source = borrow(value, argument)
    if source.element is not None and source.element.is_small:
        return np.asarray(FloatArray(source.data, source.element))
    return source.data


def copied(value: Any) -> Any:
    """An array or tensor with memory of its own; anything else is itself."""
    if is_tensor(value):
        return value.detach().clone()
    return value.copy() if isinstance(value, (np.ndarray, FloatArray)) and value.ndim else value


def wanted(value: Any, argument: str) -> Borrowed:
    """The same, of a type that the model has."""
    borrowed = borrow(value, argument)
    if borrowed.element is None:
        raise TypeError(f"{argument}: {borrowed.data.dtype} is not a supported element type; convert it, for example to float32")
    return borrowed


def say_copied(argument: str, why: str, array: Array) -> None:
    warn(f"{argument}: {why}: {array.nbytes} bytes are copied", CopyWarning)


def packed(array: Array, argument: str) -> Array:
    """The array itself when it is contiguous, else a copy, and that is said."""
    if array.flags.c_contiguous:
        return array
    say_copied(argument, f"strides {array.strides} are not packed", array)
    return np.ascontiguousarray(array)


def pitch_of(array: Array) -> Optional[int]:
    """How many elements lie between rows, when the array is rows of packed elements at a constant distance; else None.

    >>> import numpy as np
    >>> pitch_of(np.zeros((4, 8))), pitch_of(np.zeros((4, 8))[:, :3]), pitch_of(np.zeros((4, 8)).T)
    (8, 8, None)
    """
    if array.ndim < 2 or array.size == 0 or array.itemsize == 0:
        return None
    if array.shape[-1] > 1 and array.strides[-1] != array.itemsize:
        return None
    distance, rows = None, 1  # between rows, and how many rows the dimensions inside make
    for extent, stride in zip(array.shape[-2::-1], array.strides[-2::-1]):
        if extent > 1 and distance is None:
            distance = stride if rows == 1 else None
        elif extent > 1 and stride != rows * (distance or 0):
            return None
        rows *= extent
    if distance is None:
        distance = array.shape[-1] * array.itemsize
    if distance % array.itemsize or distance < array.shape[-1] * array.itemsize:
        return None
    return distance // array.itemsize


def memory(array: Array) -> Tuple[Any, int]:
    """The first byte and the number of bytes up to the last element: of an array whose strides are not negative."""
    if array.size == 0:
        return ffi.NULL, 0
    last = sum((extent - 1) * stride for extent, stride in zip(array.shape, array.strides))
    return ffi.cast("void *", array.__array_interface__["data"][0]), last + array.itemsize


def writable(value: Any, argument: str, shape: Tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An output that the caller gives: of this shape and type, packed, and not read-only."""
    if is_tensor(value):
        refuse_gradient(value, argument)
    if not isinstance(value, np.ndarray) or type(value) is np.ma.MaskedArray:
        value = borrow(value, argument).data
    if value.shape != shape:
        raise ValueError(f"{argument}: its shape is {value.shape}, not {shape}")
    if value.dtype != dtype:
        if value.dtype.itemsize != dtype.itemsize or find_element(value.dtype.name) is None:
            raise TypeError(f"{argument}: its type is {value.dtype}, not {dtype}")
        known = find_element(value.dtype.name)
        if known is None or not known.is_small or known.storage != dtype:
            raise TypeError(f"{argument}: its type is {value.dtype}, not {dtype}")
        value = value.view(dtype)
    if not value.flags.c_contiguous:
        raise ValueError(f"{argument}: it is not packed (C-contiguous), its strides are {value.strides}")
    if not value.flags.writeable:
        raise ValueError(f"{argument}: it is read-only")
    return np.asarray(value)
