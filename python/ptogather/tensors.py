"""Tensors of torch: borrowed as numpy arrays over the same memory, and made of results. torch is never imported here: a
program that has a tensor has imported it.

Elements cross as integers of their size, so every type of torch does, whatever DLPack or numpy know of it.
"""

from __future__ import annotations

import sys
from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._library import one_line
from .dlpack import from_dlpack
from .elements import Element, FloatArray, find_element

_INTEGERS = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


def is_tensor(value: object) -> bool:
    """Whether it is a tensor of torch, a parameter included."""
    torch = sys.modules.get("torch")
    kind = getattr(torch, "Tensor", None)
    return isinstance(kind, type) and isinstance(value, kind)


def _type_of(tensor: Any) -> Tuple[Optional[Element], "np.dtype[Any]"]:
    """The element type, and the type that numpy stores it as."""
    name = str(tensor.dtype).rsplit(".", 1)[-1]
    element = find_element(name)
    return element, element.storage if element else np.dtype(name)


def borrow_tensor(tensor: Any, argument: str) -> Tuple[npt.NDArray[Any], Optional[Element], bool]:
    """A detached view: its elements as numpy stores them, their type, and whether they had to be copied."""
    torch: Any = sys.modules["torch"]
    if tensor.device.type != "cpu":
        raise TypeError(f"{argument}: the tensor is on {tensor.device}: copy it to the CPU first, {argument}.cpu()")
    try:
        element, dtype = _type_of(tensor)
    except TypeError:
        raise TypeError(f"{argument}: tensors of {tensor.dtype} are not supported") from None
    try:
        plain = tensor.detach().resolve_conj().resolve_neg()
        copied = plain.data_ptr() != tensor.data_ptr()
        size = plain.element_size()
        bits = plain.view(getattr(torch, _INTEGERS[size])) if size in _INTEGERS else torch.view_as_real(plain)
    except Exception as error:  # a layout that is not strided, for one
        raise TypeError(f"{argument}: the tensor has no memory to read: {one_line(error)}") from None
    data, _ = from_dlpack(bits, argument)
    if size not in _INTEGERS:  # complex128: pairs of float64
        return np.ascontiguousarray(data).view(dtype)[..., 0], element, copied or not data.flags.c_contiguous
    return data.view(dtype), element, copied


def as_tensor(data: npt.NDArray[Any], like: Any) -> Any:
    """A tensor of the type of `like` over the memory of an array."""
    torch: Any = sys.modules["torch"]
    if data.itemsize not in _INTEGERS:
        return torch.view_as_complex(torch.from_dlpack(data.view(np.float64).reshape(*data.shape, 2)))
    bits = data.view(_INTEGERS[data.itemsize])
    return torch.from_dlpack(bits).view(like.dtype)


_SMALL = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}


def tensor_of(array: Any) -> Any:
    """A tensor over the memory of an array or FloatArray; the array itself where torch has no such type."""
    torch: Any = sys.modules["torch"]
    data = array.bits if isinstance(array, FloatArray) else array
    name = _SMALL.get(array.dtype.name, "") if isinstance(array, FloatArray) else str(array.dtype)
    dtype = getattr(torch, name, None) if name else None
    if dtype is None or data.itemsize not in _INTEGERS:
        return array
    return torch.from_dlpack(data.view(_INTEGERS[data.itemsize])).view(dtype)


def refuse_gradient(tensor: Any, argument: str) -> None:
    """A tensor that is written cannot be one that torch keeps a gradient of, as with `out=` in torch itself."""
    if tensor.requires_grad:
        raise ValueError(f"{argument}: the tensor requires a gradient; give {argument}.detach() to write its memory")
