"""Memory that another library lends through DLPack, as a numpy array over it."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._library import one_line
from .elements import Element, find_element


class DLDevice(ctypes.Structure):
    """DLDevice of https://github.com/dmlc/dlpack."""

    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DLType(ctypes.Structure):
    """DLDataType."""

    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    """DLTensor; a capsule "dltensor" starts with one."""

    _fields_ = [("data", ctypes.c_void_p), ("device", DLDevice), ("ndim", ctypes.c_int32), ("dtype", DLType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_ON_CPU = 1
_CODES = {(0, 8): "i8", (0, 16): "i16", (0, 32): "i32", (0, 64): "i64", (1, 8): "u8", (1, 16): "u16", (1, 32): "u32",
          (1, 64): "u64", (2, 16): "f16", (2, 32): "f32", (2, 64): "<f8", (4, 16): "bf16", (5, 64): "<c8",
          (5, 128): "<c16", (10, 8): "f8e4m3", (12, 8): "f8e5m2", (6, 8): "|b1"}


class _Holder:
    """Borrowed memory for numpy, and the object that keeps it alive."""

    def __init__(self, interface: dict[str, Any], owner: object) -> None:
        self.__array_interface__ = interface
        self.owner = owner


def from_dlpack(value: Any, argument: str) -> Tuple[npt.NDArray[Any], Optional[Element]]:
    """The elements as numpy stores them, and their type. The capsule is read, not consumed: as long as it lives, so
    does the memory."""
    try:
        capsule = value.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
    except Exception as error:  # of an object of the caller
        raise TypeError(f"{argument}: its __dlpack__ failed: {one_line(error)}") from None
    if tensor.device.type != _ON_CPU:
        raise TypeError(f"{argument}: its memory is on a device (DLPack type {tensor.device.type}): copy it to the CPU first")
    name = _CODES.get((tensor.dtype.code, tensor.dtype.bits)) if tensor.dtype.lanes == 1 else None
    if name is None:
        raise TypeError(f"{argument}: DLPack type {tensor.dtype.code} of {tensor.dtype.bits} bits is not supported")
    element = find_element(name)
    dtype = element.storage if element else np.dtype(name)
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = None
    if tensor.strides:
        strides = tuple(tensor.strides[i] * dtype.itemsize for i in range(tensor.ndim))
    address = (tensor.data or 0) + tensor.byte_offset
    interface = {"version": 3, "typestr": dtype.str, "shape": shape, "strides": strides, "data": (address, False)}
    data = np.asarray(_Holder(interface, capsule)) if 0 not in shape else np.zeros(shape, dtype)
    return data, element
