"""Global memory of a device: buffers, which are arrays, and parts of them, which are tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._library import ffi, lib, one_line, short
from .arrays import Array
from .elements import Element

if TYPE_CHECKING:
    from .device import Device


class Buffer:
    """Global memory that a device knows: an array and its handle. Index it for a part: `buffer[2:6, :8]`."""

    def __init__(self, device: "Device", name: str, handle: int, array: Array, element: Element) -> None:
        self.device, self.name, self.handle, self.array, self.dtype = device, name, handle, array, element
        self._label = " ".join(name.split())  # in a message
        self._text = ffi.new("char[]", self._label.encode("utf-8", "replace"))  # the same, as C wants it

    def __getitem__(self, key: Any) -> "View":
        try:
            part = self.array[key]
        except Exception as error:  # also of an object of the caller
            raise ValueError(f"{self._label}: {short(key)} is not a valid part: {one_line(error)}") from None
        if not isinstance(part, np.ndarray) or not np.may_share_memory(part, self.array):
            raise ValueError(f"{self._label}: {short(key)} does not keep the dimensions: use slices")
        return View(self, part)

    def __repr__(self) -> str:
        return f"Buffer({self.name!r}, {self.array.shape}, {self.dtype.name})"


class View:
    """A part of a buffer as a tensor: the shape and strides are numpy's."""

    def __init__(self, buffer: Buffer, part: Array) -> None:
        start = buffer.array.__array_interface__["data"][0]
        self.buffer, self.offset = buffer, part.__array_interface__["data"][0] - start
        if not 1 <= part.ndim <= 5 or part.size == 0:
            raise ValueError(f"{buffer._label}: a view of shape {part.shape}; expected 1 to 5 dimensions, none of them empty")
        strides = [stride // part.itemsize for stride in part.strides]
        if any(stride < 0 for stride in strides) or any(stride == 0 and extent > 1
                                                        for stride, extent in zip(strides, part.shape)):
            raise ValueError(f"{buffer._label}: strides {part.strides} are not those of a tensor")
        ones = 5 - part.ndim
        packed_outer = strides[0] * part.shape[0]
        self.tensor = ffi.new("struct ptog_tensor *", {
            "dtype": buffer.dtype.code, "layout": lib.PTOG_ND, "shape": [1] * ones + list(part.shape),
            "stride": [packed_outer] * ones + strides, "name": buffer._text})
        self.shape = part.shape


Memory = Union[Buffer, View]
