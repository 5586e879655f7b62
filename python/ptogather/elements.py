"""Element types: numpy's own, and the small floats that numpy does not have.

A small float lives in an array of uint16 or uint8, its bits. A `FloatArray` is a view of such an array that prints its
numbers and converts both ways; `pg.bfloat16`, `pg.float8_e4m3`, `pg.float8_e5m2` and `pg.hifloat8` make them.
"""

from __future__ import annotations

import functools
import operator
import os
import re
from typing import Any, Callable, Iterator, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._library import constants, ffi, lib, one_line, short, text_of

Shape = Union[int, Tuple[int, ...]]


class Element:
    """One element type: its name, its size, and the numpy type that stores it.

    >>> import ptogather as pg
    >>> pg.bfloat16, pg.bfloat16.itemsize, pg.bfloat16.storage
    (bf16, 2, dtype('uint16'))
    """

    def __init__(self, code: int) -> None:
        self.code = code
        self.name = text_of(lib.ptog_dtype_name(code)) or ""
        self.itemsize = int(lib.ptog_dtype_size(code))
        known = re.fullmatch(r"([iuf])\d+", self.name)
        self.storage: np.dtype[Any] = np.dtype(f"{known[1] if known else 'u'}{self.itemsize}")
        self.is_small = known is None

    def __repr__(self) -> str:
        return self.name

    # ---- of the small floats

    @functools.cached_property
    def _numbers(self) -> npt.NDArray[np.float32]:
        """The number of each pattern of 8 bits, as the library prints it; nan for hif8, whose numbers it does not know."""
        numbers = np.full(256, np.nan, np.float32)
        for bits in range(256):
            text = format_element(self, bytes([bits]))
            if not text.startswith("0x"):
                numbers[bits] = float(text)
        return numbers

    @property
    def has_numbers(self) -> bool:
        return self.itemsize != 1 or not bool(np.isnan(self._numbers).all())

    def view(self, bits: npt.ArrayLike) -> "FloatArray":
        """The array of uint16 or uint8 as numbers of this type, without a copy.

        >>> import numpy as np, ptogather as pg
        >>> pg.bfloat16.view(np.array([0x3f80, 0xc000], np.uint16))
        FloatArray([ 1, -2], dtype=bf16)
        """
        refuse_mask(bits, "bits")
        try:
            array = np.asarray(bits.bits if isinstance(bits, FloatArray) else bits)
        except Exception:  # of an object of the caller
            raise TypeError(f"bits: expected an array of {self.storage}, not {short(bits)}") from None
        if not self.is_small or array.dtype != self.storage:
            raise TypeError(f"bits: {self.name} is stored as {self.storage}, not as {array.dtype}")
        return FloatArray(array, self)

    def __call__(self, values: npt.ArrayLike) -> "FloatArray":
        """Numbers rounded to this type, to the nearest and of two nearest to the even one.

        >>> import ptogather as pg
        >>> pg.float8_e4m3([1.0, 0.3, 1000.0])
        FloatArray([     1, 0.3125,    nan], dtype=f8e4m3)
        """
        if not self.is_small:
            raise TypeError(f"{self.name} is a type of numpy: use numpy.asarray(values, {str(self.storage)!r})")
        if not self.has_numbers:
            raise TypeError(f"{self.name}: its numbers are not modelled; give the bits to {self.name}.view")
        refuse_mask(values, "values")
        try:
            numbers = np.asarray(values, np.float32)
        except Exception:  # of an object of the caller
            raise TypeError(f"values: expected numbers, not {short(values)}") from None
        return FloatArray(self._encode(numbers), self)

    def _encode(self, numbers: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
        if self.itemsize == 2:
            bits = np.ascontiguousarray(numbers).view(np.uint32).reshape(numbers.shape)
            rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
            return np.asarray(np.where(np.isnan(numbers), ((bits >> 16) | 0x40).astype(np.uint16), rounded))
        positive = self._numbers[:128]
        finite = positive[np.isfinite(positive)]  # they grow with their bits
        size = np.abs(numbers)
        above = np.searchsorted(finite, size).clip(0, len(finite) - 1)
        below = (above - 1).clip(0)
        low, high = size - finite[below], finite[above] - size
        code = np.where((low < high) | ((low == high) & (below % 2 == 0)), below, above)
        half_step = (finite[-1] - finite[-2]) / 2
        beyond = len(finite) if np.isinf(positive).any() else 127  # infinity, or the only nan
        over = (size > finite[-1] + half_step) | ((size == finite[-1] + half_step) & (len(finite) % 2 == 0))
        code = np.where(over, beyond, code)
        code = np.where(np.isnan(numbers), 127, code)
        return np.asarray((code + 128 * np.signbit(numbers)).astype(np.uint8))

    def _decode(self, bits: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        if self.itemsize == 2:
            wide = np.left_shift(np.ascontiguousarray(bits).astype(np.uint32), 16, dtype=np.uint32)
            return wide.view(np.float32).reshape(bits.shape)
        return np.asarray(self._numbers[bits])


def refuse_mask(value: object, argument: str) -> None:
    """Elements that are masked would be read like the others."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{argument}: a masked array is not supported, its mask would be lost: "
                        f"use {argument}.filled(0) or another value")


class FloatArray:
    """An array of small floats: a view of the array of their bits.

    numpy reads it as float32, an index gives a number or another view, an assignment rounds:

    >>> import numpy as np, ptogather as pg
    >>> a = pg.bfloat16([[1.5, 2.0], [3.0, 4.0]])
    >>> a[0, 1] = 0.1
    >>> a
    FloatArray([[        1.5, 0.100097656],
                [          3,           4]], dtype=bf16)
    >>> float(np.sum(a[1])), a.bits.dtype
    (7.0, dtype('uint16'))
    """

    __array_priority__ = 1

    def __init__(self, bits: npt.NDArray[Any], element: Element) -> None:
        self.bits = bits
        self.dtype = element

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.bits.shape

    @property
    def ndim(self) -> int:
        return self.bits.ndim

    @property
    def size(self) -> int:
        return self.bits.size

    @property
    def nbytes(self) -> int:
        return self.bits.nbytes

    def __len__(self) -> int:
        return len(self.bits)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        part = self.bits[key]
        if isinstance(part, np.ndarray):
            return FloatArray(part, self.dtype)
        return float(self.dtype._decode(np.asarray(part)))

    def __setitem__(self, key: Any, values: npt.ArrayLike) -> None:
        self.bits[key] = values.bits if isinstance(values, FloatArray) else self.dtype(values).bits

    def __array__(self, dtype: npt.DTypeLike = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        return self.dtype._decode(self.bits).astype(np.float32 if dtype is None else dtype, copy=False)

    def astype(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """The numbers in a type of numpy."""
        return self.__array__(dtype)

    def copy(self) -> "FloatArray":
        return FloatArray(self.bits.copy(), self.dtype)

    def reshape(self, *shape: Any) -> "FloatArray":
        return FloatArray(self.bits.reshape(*shape), self.dtype)

    def tolist(self) -> Any:
        return self.__array__().tolist()

    def _text(self, bits: Any) -> str:
        return format_element(self.dtype, np.asarray(bits, self.dtype.storage).tobytes())

    def _shown(self, text: Callable[[Any], str]) -> str:
        """The elements that numpy would show of a large array, each as `text` writes it."""
        return np.array2string(self.bits, separator=", ", prefix="FloatArray(", formatter={"int": text})

    def __repr__(self) -> str:
        texts: dict[int, str] = {}

        def collect(bits: Any) -> str:
            return texts.setdefault(int(bits), self._text(bits))

        self._shown(collect)  # calls it for every element that is shown: then the width of the columns is known
        width = max(map(len, texts.values()), default=0)
        return f"FloatArray({self._shown(lambda bits: texts[int(bits)].rjust(width))}, dtype={self.dtype.name})"


def format_element(element: Element, data: bytes) -> str:
    """One element as text, the shortest that reads back to the same value."""
    text = ffi.new("char[64]")
    lib.ptog_dtype_format(text, 64, element.code, data)
    return text_of(text) or ""


ELEMENTS = tuple(Element(code) for code in range(1, constants["PTOG_DTYPE_COUNT"]))
_by_code = {element.code: element for element in ELEMENTS}
_by_name = {element.name: element for element in ELEMENTS}

bfloat16 = _by_name["bf16"]
float8_e4m3 = _by_name["f8e4m3"]
float8_e5m2 = _by_name["f8e5m2"]
hifloat8 = _by_name["hif8"]
float8_e8m0 = _by_name["f8e8m0"]


def element_by_code(code: int) -> Optional[Element]:
    return _by_code.get(code)


def find_element(name: str) -> Optional[Element]:
    """By any spelling in use: "f32", "float32", "float", "bfloat16", "f8E4M3FN", ..."""
    return None if "\0" in name else _by_code.get(int(lib.ptog_dtype_find(name.encode())))


def element_of(spec: object, argument: str = "dtype") -> Element:
    """The element type that a name, a numpy type or an Element stands for; a TypeError that names the argument."""
    if isinstance(spec, Element):
        return spec
    found = find_element(spec) if isinstance(spec, str) else None
    if found is None:
        try:
            dtype = np.dtype(spec)  # type: ignore[call-overload]
        except Exception:  # numpy raises many kinds
            dtype = None
        if dtype is not None and dtype.names is None:
            found = find_element(dtype.name)
    if found is None:
        known = ", ".join(element.name for element in ELEMENTS)
        raise TypeError(f"{argument}: element type {short(spec)} is not supported (supported: {known})")
    return found


def empty(shape: Shape, dtype: object = "f32") -> Any:
    """A new array to be written: of numpy, or a FloatArray for a small float. It holds zeros.

    >>> import ptogather as pg
    >>> pg.empty((2, 3), "f32").shape, pg.empty(4, "bf16")
    ((2, 3), FloatArray([0, 0, 0, 0], dtype=bf16))
    """
    return zeros(shape, element_of(dtype), "shape")


def zeros(shape: Any, element: Element, argument: str) -> Any:
    """Memory for elements; an exception names the argument that needs too much."""
    try:
        extents = [operator.index(extent) for extent in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    except Exception:  # also of an object of the caller
        raise TypeError(f"{argument}: expected extents, not {short(shape)}") from None
    try:
        size = int(np.prod(extents, dtype=object)) * element.itemsize
        if size > MEMORY:
            raise MemoryError(f"{size} bytes do not fit into memory")
        array = np.zeros(extents, element.storage)
    except (TypeError, ValueError, MemoryError, OverflowError) as error:
        kind = ValueError if isinstance(error, OverflowError) else type(error)
        raise kind(f"{argument}: {short(shape)}: {one_line(error)}") from None
    return FloatArray(array, element) if element.is_small else array


MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
