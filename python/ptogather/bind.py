"""Arguments of a program: arrays and numbers, as C wants them, and what keeps them alive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Tuple

import numpy as np

from ._library import ffi, lib, name_bytes, nearest, short, whole
from .arrays import borrow, packed, say_copied
from .elements import Element, FloatArray, zeros
from .fitting import from_numbers, shape_of
from .tensors import is_tensor, refuse_gradient, tensor_of
from .tiles import TileView

if TYPE_CHECKING:
    from .program import Program, Slot


class Bindings:
    """What a run is given, as C wants it, and what keeps it alive."""

    def __init__(self, program: "Program", function: Optional[str], given: Mapping[str, Any]) -> None:
        slots = {slot.name: slot for slot in program.slots(function)}
        for name in given:
            if name not in slots:
                known = ", ".join(slots) or "nothing"
                raise TypeError(f"{name}: the program takes {known}, and no {short(name)}{nearest(name, slots)}")
        self.arrays: dict[str, Any] = {}      # what the caller gave, or what was made
        self.outputs: dict[str, Any] = {}
        self._back: list[Tuple[Any, Any]] = []  # an array of the caller, and the packed copy that is run on
        self._keep: list[Any] = []
        self._tensors = any(is_tensor(value) for value in given.values())  # then outputs are tensors, too
        self.list = ffi.new("struct ptog_binding[]", max(len(slots), 1))
        self.count = 0
        for slot in slots.values():
            if slot.name not in given and not (slot.written or slot.kind == "tile"):
                raise TypeError(f"{slot.name}: the program needs it: {slot}")
            if slot.name in given or slot.kind != "tile":
                self._bind(slot, given.get(slot.name))

    def _bind(self, slot: "Slot", value: Any) -> None:
        binding = self.list[self.count]
        self.count += 1
        name = ffi.new("char[]", name_bytes(slot.name, slot.name))
        self._keep.append(name)
        binding.name = name
        if slot.kind == "number":
            self._bind_number(binding, slot, value)
            return
        if value is None:
            value = tensor_of(self._room(slot)) if self._tensors else self._room(slot)
        data, element = self._data(slot, value)
        self._keep.append(data)
        if data.ndim > 5:
            raise ValueError(f"{slot.name}: its shape is {data.shape}; expected at most 5 dimensions")
        binding.data.data = ffi.cast("void *", data.__array_interface__["data"][0])
        binding.data.bytes = data.nbytes
        binding.dtype = element.code if element else lib.PTOG_DTYPE_NONE
        binding.rank = data.ndim
        for i, extent in enumerate(data.shape):
            binding.shape[i] = extent
        binding.read_only = not data.flags.writeable
        if slot.written and slot.kind == "memory" and not data.flags.writeable:
            raise ValueError(f"{slot.name}: the program stores to it, and the array is read-only")

    @staticmethod
    def _bind_number(binding: Any, slot: "Slot", value: Any) -> None:
        binding.is_number = True
        if isinstance(value, (bool, np.bool_)):
            binding.number = int(value)
        elif hasattr(value, "__index__"):
            binding.number = whole(value, slot.name, -(2**63), 2**63 - 1)
        elif isinstance(value, (float, np.floating)):
            binding.real = float(value)
        else:
            raise TypeError(f"{slot.name}: expected a number, not {short(value)}")

    @staticmethod
    def _room(slot: "Slot") -> Any:
        """An output that the caller did not give, where the program says how large it is."""
        if slot.shape is None or None in slot.shape or slot.dtype is None:
            raise TypeError(f"{slot.name}: the program stores to it and does not say how large it is: give an array")
        return zeros(tuple(extent or 0 for extent in slot.shape), slot.dtype, slot.name)

    def _data(self, slot: "Slot", value: Any) -> Tuple[Any, Optional[Element]]:
        """The array to run on, and its type. Numbers of Python become the program's type."""
        if isinstance(value, TileView):
            value = value.array
        written = value
        if isinstance(value, (list, tuple, int, float)) and slot.dtype is not None:
            value = from_numbers(slot, value, slot.dtype)
        source = borrow(value, slot.name)
        if slot.written and is_tensor(value):
            refuse_gradient(value, slot.name)
        element, data = source.element, source.data
        small = slot.dtype is not None and slot.dtype.is_small and data.itemsize == slot.dtype.itemsize
        if small and data.dtype.kind in "iu":
            element = slot.dtype  # its bits
        if element is None and slot.dtype is not None:
            raise TypeError(f"{slot.name}: {data.dtype} is no element type; the program takes {slot}")
        shape = shape_of(slot, written, data.shape)
        run_on = data
        if not data.flags.c_contiguous:
            if slot.written:
                say_copied(slot.name, f"strides {data.strides} are not packed, and it is copied back", data)
                run_on = np.ascontiguousarray(data)
                self._back.append((data, run_on))
                if not data.flags.writeable:
                    raise ValueError(f"{slot.name}: the program stores to it, and the array is read-only")
            else:
                run_on = packed(data, slot.name)
        keeps = isinstance(value, (np.ndarray, FloatArray)) or is_tensor(value)
        self.arrays[slot.name] = value if keeps else source.wrap(data)
        if slot.written and slot.kind == "memory":
            self.outputs[slot.name] = self.arrays[slot.name]
        return run_on.reshape(shape), element

    def finish(self) -> None:
        """What ran on a packed copy goes back to the caller's array."""
        for array, copy in self._back:
            array[...] = copy
