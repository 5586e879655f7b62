"""Arguments of a program: arrays and numbers, as C wants them, and what keeps them alive."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from ._library import ffi, lib, name_bytes, nearest, short, whole
from .arrays import borrow, packed, say_copied
from .elements import Element, FloatArray, zeros
from .fitting import from_numbers, shape_of
from .program import Program, Slot
from .tensors import is_tensor, refuse_gradient, tensor_of
from .tiles import TileView


class Bindings:
    """The arguments of a function that are bound, as C wants them, and what keeps them alive. Outputs that are not
    given are made where the program says how large they are; `missing` are the slots that are left."""

    def __init__(self, program: Program, function: Optional[str], given: Mapping[str, Any]) -> None:
        slots = {slot.name: slot for slot in program.slots(function)}
        for name in given:
            if name not in slots:
                known = ", ".join(slots) or "nothing"
                raise TypeError(f"{name}: not an argument of the program; its arguments are {known}{nearest(name, slots)}")
        self.arrays: Dict[str, Any] = {}  # what the caller gave, or what was made
        self.outputs: Dict[str, Any] = {}
        self.recipes: Dict[str, str] = {}
        self.missing: List[Slot] = []
        self._back: List[Tuple[Any, Any]] = []  # an array of the caller, and the packed copy that is run on
        self._stored: List[Tuple[int, Any]] = []  # the number of a binding that the program stores to, and its memory
        self._keep: List[Any] = []
        self._tensors = any(is_tensor(value) for value in given.values())  # then outputs are tensors, too
        self.list = ffi.new("struct ptog_binding[]", max(len(slots), 1))
        self.count = 0
        for slot in slots.values():
            value = given.get(slot.name)
            if isinstance(value, str) and slot.kind != "number":
                self.recipes[slot.name] = _recipe(slot, value)
            elif slot.name in given:
                self.bind(slot, value)
            elif slot.kind == "memory" and slot.written and slot.shape and None not in slot.shape and slot.dtype:
                room = zeros(tuple(extent or 0 for extent in slot.shape), slot.dtype, slot.name)
                self.bind(slot, tensor_of(room) if self._tensors else room)
                continue
            if slot.name not in given or slot.name in self.recipes:
                self.missing.append(slot)

    def bind(self, slot: Slot, value: Any, generated: Any = None) -> None:
        """Binds one argument to a number or to the memory of an array. `generated` is the binding that the library made
        for it: then the memory is as large as the program needs, and nothing else is known of it than what that says."""
        binding = self.list[self.count]
        name = ffi.new("char[]", name_bytes(slot.name, slot.name))
        self._keep.append(name)
        if slot.kind == "number":
            self._bind_number(binding, slot, value)
            self.arrays[slot.name] = value
        else:
            self._bind_memory(binding, slot, value, generated)
        binding.name = name
        self.count += 1

    def _bind_memory(self, binding: Any, slot: Slot, value: Any, generated: Any) -> None:
        data, element = self._data(slot, value)
        data = data.reshape(shape_of(slot, value, data.shape)) if generated is None else data
        self._keep.append(data)
        if data.ndim > 5:
            raise ValueError(f"{slot.name}: its shape is {data.shape}; expected at most 5 dimensions")
        binding.data.data = ffi.cast("void *", data.__array_interface__["data"][0])
        binding.data.bytes = data.nbytes
        binding.dtype = element.code if element else lib.PTOG_DTYPE_NONE
        binding.rank = data.ndim
        for i, extent in enumerate(data.shape):
            binding.shape[i] = extent
        if generated is not None:
            binding.dtype, binding.rank, binding.shape = generated.dtype, generated.rank, generated.shape
        binding.read_only = not data.flags.writeable
        if slot.written and slot.kind == "memory" and not data.flags.writeable:
            raise ValueError(f"{slot.name}: the program stores to it, and the array is read-only")
        if slot.written or slot.kind == "tile":
            self._stored.append((self.count, data))

    @staticmethod
    def _bind_number(binding: Any, slot: Slot, value: Any) -> None:
        binding.is_number = True
        if isinstance(value, (bool, np.bool_)):
            binding.number = int(value)
        elif hasattr(value, "__index__"):
            binding.number = whole(value, slot.name, -(2**63), 2**63 - 1)
        elif isinstance(value, (float, np.floating)):
            binding.real = float(value)
        else:
            raise TypeError(f"{slot.name}: expected a number, not {short(value)}")

    def _data(self, slot: Slot, value: Any) -> Tuple[Any, Optional[Element]]:
        """The array to run on, and its type. Numbers of Python become the program's type."""
        if isinstance(value, TileView):
            value = value.array
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
            raise TypeError(f"{slot.name}: {data.dtype} is not a supported element type; the program expects {slot}")
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
        return run_on, element

    def apart(self) -> "Bindings":
        """The same arguments, with copies of what the program stores to: a run with them changes no array."""
        made = Bindings.__new__(Bindings)
        made.count, made.list = self.count, ffi.new("struct ptog_binding[]", max(self.count, 1))
        ffi.memmove(made.list, self.list, self.count * ffi.sizeof("struct ptog_binding"))
        made._keep = [self]
        for number, data in self._stored:
            copy = data.copy()
            made.list[number].data.data = ffi.cast("void *", copy.__array_interface__["data"][0])
            made._keep.append(copy)
        return made

    def finish(self) -> None:
        """What ran on a packed copy goes back to the caller's array."""
        for array, copy in self._back:
            array[...] = copy


def _recipe(slot: Slot, text: str) -> str:
    """A text that says how the data of an argument is made, as the command takes it."""
    if not lib.ptog_recipe_is_valid(name_bytes(text, slot.name)):
        raise ValueError(f"{slot.name}: {short(text)} is neither an array nor one of zeros, arange, random, random:SEED, "
                         "full:NUMBER, repeat:1,2,3")
    return text
