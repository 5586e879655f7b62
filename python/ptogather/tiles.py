"""Tiles: what one is (`Tile`), and what one held when a run ended (`TileView`)."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import html
from ._library import constants, ffi, lib, number_of, short, text_of, whole
from .elements import Element, FloatArray, element_by_code, element_of, format_element, zeros
from .literals import Layout, Loc, Pad

_MOST = 2**62


def _pair(value: Any, argument: str) -> Tuple[int, int]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{argument}: expected two numbers, rows and columns, not {short(value)}")
    return whole(value[0], argument, 1, _MOST), whole(value[1], argument, 1, _MOST)


class Tile:
    """A 2-D block in the on-chip buffer: `rows` x `cols` are stored, the `valid` ones count. `loc`: 'vec', or a memory of the cube core.
    `pad`: what a load fills the padding with; 'custom': elements with the bits of the number `pad_bits`.

    >>> import ptogather as pg
    >>> pg.Tile("i32", 1, 8, valid=(1, 4), addr=0x1000)
    Tile('i32', 1, 8, valid=(1, 4), addr=0x1000)
    >>> pg.Tile("f32", 8, 8, layout="sideways")
    Traceback (most recent call last):
    ValueError: layout: 'sideways' is not one of row_major, col_major, nz
    """

    def __init__(self, dtype: Any, rows: int, cols: int, *, valid: Optional[Tuple[int, int]] = None,
                 layout: Layout = "row_major", addr: Optional[int] = None, pad: Pad = "null", pad_bits: int = 0,
                 loc: Loc = "vec") -> None:
        element = element_of(dtype)
        tile = lib.ptog_tile_vec(element.code, whole(rows, "rows", 1, _MOST), whole(cols, "cols", 1, _MOST))
        layouts = {"row_major": None, "col_major": lib.ptog_tile_col_major, "nz": lib.ptog_tile_nz}
        if not isinstance(layout, str) or layout not in layouts:
            raise ValueError(f"layout: {short(layout)} is not one of {', '.join(layouts)}")
        make = layouts[layout]
        tile = tile if make is None else make(tile)
        if valid is not None:
            counts = _pair(valid, "valid")
            if counts[0] > rows or counts[1] > cols:
                raise ValueError(f"valid: {counts} is more than the tile has, {(rows, cols)}")
            tile = lib.ptog_tile_valid(tile, *counts)
        if addr is not None:
            tile = lib.ptog_tile_at(tile, whole(addr, "addr", 0, 2**63))
        tile.pad = number_of("ptog_pad", pad, "pad")
        tile.pad_bits = whole(pad_bits, "pad_bits", 0, 2**(8 * element.itemsize) - 1 if tile.pad == lib.PTOG_PAD_CUSTOM else 0)
        tile.loc = number_of("ptog_loc", loc, "loc")
        self._tile = ffi.new("struct ptog_tile *", tile)

    @classmethod
    def _of(cls, tile: Any) -> "Tile":
        """The tile that a struct of C describes; the struct is copied."""
        made = cls.__new__(cls)
        made._tile = ffi.new("struct ptog_tile *", tile)
        return made

    @property
    def dtype(self) -> Element:
        found = element_by_code(self._tile.dtype)
        assert found is not None  # no tile is made without a type
        return found

    @property
    def shape(self) -> Tuple[int, int]:
        """What is stored."""
        return int(self._tile.rows), int(self._tile.cols)

    @property
    def valid(self) -> Tuple[int, int]:
        """What counts; all of it unless it was said otherwise."""
        rows, cols = int(self._tile.valid_row), int(self._tile.valid_col)
        return rows if rows > 0 else self.shape[0], cols if cols > 0 else self.shape[1]

    @property
    def layout(self) -> str:
        return text_of(lib.ptog_tile_order_name(lib.ptog_tile_order(self._tile))) or ""

    @property
    def addr(self) -> Optional[int]:
        return int(self._tile.addr) if self._tile.placed else None

    @property
    def nbytes(self) -> int:
        return int(lib.ptog_tile_bytes(self._tile))

    def at(self, addr: int) -> "Tile":
        """The same tile at a byte address of the on-chip buffer."""
        return Tile._of(lib.ptog_tile_at(self._tile[0], whole(addr, "addr", 0, 2**63)))

    def __repr__(self) -> str:
        words = [repr(self.dtype.name), str(self.shape[0]), str(self.shape[1])]
        if self.valid != self.shape:
            words.append(f"valid={self.valid}")
        if self.layout != "row_major":
            words.append(f"layout={self.layout!r}")
        if self._tile.loc != lib.PTOG_VEC:
            words.append(f"loc={text_of(lib.ptog_loc_name(self._tile.loc))!r}")
        if self.addr is not None:
            words.append(f"addr={self.addr:#x}")
        return f"Tile({', '.join(words)})"


class TileView:
    """What a tile held: `array` is its valid region, `tile` says how it is stored. numpy reads it as an array."""

    def __init__(self, name: str, tile: Tile, array: Any) -> None:
        self.name, self.tile, self.array = name, tile, array

    @property
    def shape(self) -> Tuple[int, int]:
        return self.tile.valid

    @property
    def dtype(self) -> Element:
        return self.tile.dtype

    def __array__(self, dtype: npt.DTypeLike = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        return np.asarray(self.array, dtype)

    def __getitem__(self, key: Any) -> Any:
        return self.array[key]

    def __repr__(self) -> str:
        return f"TileView({self.name!r}, {self.tile!r},\n{self.array!r})"

    def _repr_html_(self) -> str:
        rows, cols = min(self.shape[0], html.MAX_ROWS), min(self.shape[1], html.MAX_COLS)
        part = self.array[:rows, :cols]
        bits = part.bits if isinstance(part, FloatArray) else part
        texts = [[format_element(self.dtype, np.asarray(x).tobytes()) for x in row] for row in bits]
        numbers = np.asarray(part, np.float64).tolist()
        title = f"{self.name}: {self.shape[0]}x{self.shape[1]} {self.dtype.name}, {self.tile.layout}"
        if self.tile.shape != self.shape:
            title += f", stored {self.tile.shape[0]}x{self.tile.shape[1]}"
        return html.tile(title, texts, numbers, *self.tile.shape)


def new_region(tile: Tile) -> Any:
    """Memory for a tile's valid region, row by row."""
    if tile.nbytes < 0:
        raise ValueError(f"tile: {tile!r} has extents that are not known, or too large")
    return zeros(tile.valid, tile.dtype, "tile")


DYNAMIC = constants["PTOG_DYN"]
