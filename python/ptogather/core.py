"""A core: one block of a kernel, with the instructions as methods."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from ._library import ffi, lib, name_bytes, nearest, number_of, short, target_of, text_of, whole
from .arrays import Array, borrow, wanted
from .call_names import call_names, kept_text
from .collector import Collector
from .diagnostics import Fault, refused, status_error
from .elements import MEMORY, FloatArray
from .literals import Axis, Compare, Mode, Oob, Pattern, Pipe
from .memory import Buffer, Memory, View
from .places import caller, place
from .tiles import Tile, TileView, new_region

if TYPE_CHECKING:
    from .device import Device


def _tile(value: Any, argument: str) -> Any:
    if isinstance(value, TileView):
        value = value.tile
    if not isinstance(value, Tile):
        raise TypeError(f"{argument}: expected a Tile, not {short(value)}")
    return value._tile


class Core:
    """One block of a kernel: the instructions, as methods. `Device.core` opens it, `close` waits for everything."""

    def __init__(self, device: Device, handle: Any) -> None:
        self.device, self._handle = device, handle

    def _open(self) -> Any:
        if self._handle is None or self._handle not in self.device._state.cores:
            self._handle = None
            raise ValueError("core: it is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        return self._handle is None or self._handle not in self.device._state.cores

    def close(self) -> None:
        """Waits for everything and judges what is left over. Twice is fine."""
        with self.device._state.lock:
            if not self.closed:
                self.device._state.close_core(self._handle)
            self._handle = None

    def __enter__(self) -> "Core":
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _view(self, value: Any, argument: str) -> View:
        if isinstance(value, Buffer):
            value = View(value, value.array)
        if not isinstance(value, View):
            raise TypeError(f"{argument}: expected a buffer of the device or a part of one, not {short(value)}")
        if value.buffer.device is not self.device:
            raise ValueError(f"{argument}: {short(value.buffer.name)} belongs to another device")
        return value

    def _issue(self, what: str, function: Any, *arguments: Any, verify: Any = None, method: str = "",
               tiles: Sequence[Any] = ()) -> None:
        """Issues one instruction from the caller's line; an exception says why it was not. `tiles`: those of the call of
        `method`, each with its position and keyword there; messages name them as the caller does."""
        with self.device._state.lock:
            core = self._open()
            frame = caller()
            where, keep = place(frame)
            names = call_names(frame, method) if tiles else {}
            for position, keyword, tile in tiles:
                name = names.get(position) or names.get(keyword)
                tile.name = kept_text(name) if name else ffi.NULL
            if where != ffi.NULL:
                lib.ptog_core_where(core, where)
            status = function(core, *arguments)
            del keep
        if status == lib.PTOG_OK:
            return
        if status == lib.PTOG_ILLEGAL:
            diags = Collector()
            if verify is not None:
                verify[0](target_of(self.device.target), verify[1], diags.handle)
            raise refused(f"{what} on {self.device.target}", diags.take(self.device.target))
        if status == lib.PTOG_FAULT:
            raise Fault(f"{what}: the core has ended: it waits forever, or has issued too many instructions")
        raise status_error(status, what, bad_argument=f"operands: {what} expects another kind of operand (tile, "
                           "memory or number), or stores to an input", no_room=f"{what}: a row has more matches than dst has "
                           "columns, or the on-chip buffer is full")

    # ---- data

    def load(self, tile: Tile, source: Memory) -> None:
        """TLOAD: a view of global memory to the valid region of a tile."""
        view = self._fitted(self._view(source, "source"), tile)
        op = ffi.new("struct ptog_transfer *", {"tile": _tile(tile, "tile")[0], "view": view.tensor[0]})
        self._issue("load", lib.ptog_core_load, op, view.buffer.handle, view.offset, verify=(lib.ptog_verify_transfer, op),
                    method="load", tiles=((0, "tile", op.tile),))

    def store(self, to: Memory, tile: Tile) -> None:
        """TSTORE: the valid region of a tile to a view of global memory."""
        view = self._fitted(self._view(to, "to"), tile)
        op = ffi.new("struct ptog_transfer *", {"tile": _tile(tile, "tile")[0], "view": view.tensor[0], "store": True})
        self._issue("store", lib.ptog_core_store, op, view.buffer.handle, view.offset,
                    verify=(lib.ptog_verify_transfer, op), method="store", tiles=((1, "tile", op.tile),))

    @staticmethod
    def _fitted(view: View, tile: Any) -> View:
        """A view of one dimension is a row; of n numbers for a tile of n x 1 it is a column, as numpy would say."""
        if isinstance(tile, Tile) and len(view.shape) == 1 and tile.valid[1] == 1 and tile.valid[0] == view.shape[0] > 1:
            tensor = ffi.new("struct ptog_tensor *", view.tensor[0])
            step = tensor.stride[4]
            tensor.shape[3], tensor.shape[4], tensor.stride[3], tensor.stride[4] = view.shape[0], 1, step, 1
            made = View.__new__(View)
            made.buffer, made.offset, made.tensor, made.shape = view.buffer, view.offset, tensor, (view.shape[0], 1)
            return made
        return view

    def mgather(self, dst: Tile, table: Memory, idx: Tile, mode: Mode = "row", oob: Oob = "undefined") -> None:
        """MGATHER: rows or elements of a table in global memory, through an index tile."""
        view = self._view(table, "table")
        op = ffi.new("struct ptog_mgather *", {
            "dst": _tile(dst, "dst")[0], "table": view.tensor[0], "idx": _tile(idx, "idx")[0],
            "coalesce": number_of("ptog_coalesce", mode, "mode"), "oob": number_of("ptog_oob", oob, "oob")})
        self._issue("mgather", lib.ptog_core_mgather, op, view.buffer.handle, view.offset, ffi.NULL,
                    verify=(lib.ptog_verify_mgather, op), method="mgather", tiles=((0, "dst", op.dst), (2, "idx", op.idx)))

    def tgather(self, dst: Tile, src: Tile, idx: Tile, tmp: Optional[Tile] = None) -> None:
        """TGATHER by index: `dst[i, j] = flat(src)[idx[i, j]]`."""
        op = ffi.new("struct ptog_tgather *", {"form": lib.PTOG_BY_INDEX, "dst": _tile(dst, "dst")[0],
                                               "src": _tile(src, "src")[0], "idx": _tile(idx, "idx")[0]})
        if tmp is not None:
            op.tmp = _tile(tmp, "tmp")[0]
        self._tgather(op, "tgather", ("dst", "src", "idx", "tmp"))

    def tgather_mask(self, dst: Tile, src: Tile, pattern: Pattern, axis: Axis = "row") -> None:
        """TGATHER by mask: the elements that a pattern keeps, one after another."""
        op = ffi.new("struct ptog_tgather *", {
            "form": lib.PTOG_BY_MASK, "dst": _tile(dst, "dst")[0], "src": _tile(src, "src")[0],
            "pattern": number_of("ptog_pattern", pattern, "pattern"), "axis": number_of("ptog_axis", axis, "axis")})
        self._tgather(op, "tgather_mask", ("dst", "src"))

    def tgather_compare(self, dst: Tile, cdst: Tile, src: Tile, k: Tile, cmp: Compare = "gt", offset: int = 0,
                        tmp: Optional[Tile] = None) -> None:
        """TGATHER by comparison: per row, the positions j with `src[i, j] cmp k[i]`, and their number."""
        op = ffi.new("struct ptog_tgather *", {
            "form": lib.PTOG_BY_COMPARE, "dst": _tile(dst, "dst")[0], "src": _tile(src, "src")[0],
            "k": _tile(k, "k")[0], "cdst": _tile(cdst, "cdst")[0], "cmp": number_of("ptog_cmp", cmp, "cmp"),
            "offset": whole(offset, "offset", -(2**31), 2**31 - 1)})
        if tmp is not None:
            op.tmp = _tile(tmp, "tmp")[0]
        self._tgather(op, "tgather_compare", ("dst", "cdst", "src", "k", "cmp", "offset", "tmp"))

    def _tgather(self, op: Any, method: str, parameters: Sequence[str]) -> None:
        tiles = [(position, keyword, getattr(op, keyword)) for position, keyword in enumerate(parameters)
                 if keyword not in ("cmp", "offset")]
        self._issue("tgather", lib.ptog_core_tgather, op, ffi.NULL, verify=(lib.ptog_verify_tgather, op), method=method,
                    tiles=tiles)

    def issue(self, name: str, *operands: Any, attributes: Sequence[int] = ()) -> None:
        """Any instruction of ptog/spec/insns.def by its name, with its operands in the order of its row: tiles, buffers
        and their parts, numbers of numpy, None for one that is left out.

        >>> import numpy as np, ptogather as pg
        >>> a, b = pg.Tile("f32", 8, 8, addr=0), pg.Tile("f32", 8, 8, addr=0x100)
        >>> with pg.Device("a2a3") as dev, dev.core() as core:
        ...     core.preset(a, 2)
        ...     core.preset(b, 0.5)
        ...     core.issue("tadd", a, a, b)
        ...     core.peek(a)[0, 0]
        2.5
        """
        opcode = lib.ptog_opcode_find(name_bytes(name, "name")) if isinstance(name, str) else 0
        if opcode == lib.PTOG_NO_INSN:
            known = [text_of(lib.ptog_opcode_name(code)) or "" for code in range(1, lib.PTOG_OPCODES)]
            raise ValueError(f"name: {short(name)} is not an instruction{nearest(name, known)}")
        insn = ffi.new("struct ptog_insn *")
        lib.ptog_insn_start(insn, opcode)
        if len(operands) > insn.count:
            raise ValueError(f"operands: {short(name)} has {insn.count} at most, not {len(operands)}")
        for number, operand in enumerate(operands):
            self._operand(insn.of[number], operand, f"operand {number}")
        try:
            numbers = list(attributes)
        except TypeError:
            raise TypeError(f"attributes: expected numbers, not {short(attributes)}") from None
        if len(numbers) > len(insn.attr):
            raise ValueError(f"attributes: there are {len(insn.attr)} at most, not {len(numbers)}")
        for number, attribute in enumerate(numbers):
            insn.attr[number] = whole(attribute, "attributes", -(2**31), 2**31 - 1)
        tiles = [(number + 1, "", insn.of[number].tile) for number in range(len(operands))
                 if insn.of[number].kind == lib.PTOG_IS_TILE]
        self._issue(short(name), lib.ptog_core_insn, insn, ffi.NULL, verify=(lib.ptog_verify, insn), method="issue", tiles=tiles)

    def _operand(self, to: Any, operand: Any, argument: str) -> None:
        if operand is None:
            return
        if isinstance(operand, (Buffer, View)):
            view = self._view(operand, argument)
            to.kind, to.buffer, to.offset, to.view = lib.PTOG_IS_VIEW, view.buffer.handle, view.offset, view.tensor[0]
        elif isinstance(operand, np.generic):
            value = wanted(operand, argument)
            assert value.element is not None  # wanted() has seen to it
            to.kind, to.tile = lib.PTOG_IS_SCALAR, lib.ptog_tile_vec(value.element.code, 1, 1)
            to.bits = int.from_bytes(value.data.tobytes(), sys.byteorder)
        else:
            to.kind, to.tile = lib.PTOG_IS_TILE, _tile(operand, argument)[0]

    # ---- synchronisation

    def set_flag(self, src: Pipe, dst: Pipe, id: int = 0) -> None:
        """Sets a flag when everything that `src` was given is complete; `dst` can wait for it."""
        self._flag("set_flag", lib.ptog_core_set_flag, src, dst, id)

    def wait_flag(self, src: Pipe, dst: Pipe, id: int = 0) -> None:
        """Holds `dst` until the flag is set."""
        self._flag("wait_flag", lib.ptog_core_wait_flag, src, dst, id)

    def _flag(self, what: str, function: Any, src: Any, dst: Any, id: Any) -> None:
        self._issue(what, function, number_of("ptog_pipe", src, "src"), number_of("ptog_pipe", dst, "dst"),
                    whole(id, "id", -(2**31), 2**31 - 1))

    def barrier(self, pipe: Pipe = "ALL") -> None:
        """Holds a pipe, or all of them, until what it was given is complete."""
        self._issue("barrier", lib.ptog_core_barrier, number_of("ptog_pipe", pipe, "pipe"))

    # ---- tiles from outside

    def place(self, tile: Tile) -> Tile:
        """Automatic mode: the tile at the next free address of the on-chip buffer."""
        placed = ffi.new("struct ptog_tile *", _tile(tile, "tile")[0])
        with self.device._state.lock:
            status = lib.ptog_core_place(self._open(), placed)
        if status != lib.PTOG_OK:
            raise status_error(status, "place", no_room="place: the on-chip buffer is full",
                               bad_argument="tile: it has an address, or the device is not automatic")
        return Tile._of(placed[0])

    def preset(self, tile: Tile, values: Any) -> None:
        """The valid region of a tile before the first instruction: defined, and ordered before everything."""
        wanted_tile = self._fitting(tile)
        shape, element = tile.valid, tile.dtype
        source = borrow(values if isinstance(values, FloatArray) or not element.is_small else element(values), "values")
        if source.data.dtype.kind not in "biuf":
            raise TypeError(f"values: expected numbers, not {source.data.dtype}")
        room = new_region(tile)
        data = room.bits if isinstance(room, FloatArray) else room
        try:
            data[...] = source.data
        except ValueError:
            raise ValueError(f"values: their shape is {source.data.shape}, not {shape}") from None
        self._touch("preset", lib.ptog_core_preset, wanted_tile, data)

    def peek(self, tile: Tile) -> TileView:
        """The valid region as it is once everything issued so far has completed."""
        wanted_tile, region = self._fitting(tile), new_region(tile)
        self._touch("peek", lib.ptog_core_peek, wanted_tile, region.bits if isinstance(region, FloatArray) else region)
        return TileView("tile", tile, region)

    def _fitting(self, tile: Any) -> Any:
        """The tile, when it has an address and lies in the on-chip buffer."""
        found = _tile(tile, "tile")
        self._open()
        room = int(target_of(self.device.target).ub_bytes) or MEMORY
        if tile.addr is None:
            raise ValueError(f"tile: {tile!r} has no address")
        if tile.nbytes < 0 or tile.addr + tile.nbytes > room:
            raise ValueError(f"tile: {tile!r} does not fit into the {room} bytes that there are")
        return found

    def _touch(self, what: str, function: Any, tile: Any, data: Array) -> None:
        with self.device._state.lock:
            status = function(self._open(), tile, ffi.from_buffer(data))
        if status != lib.PTOG_OK:
            raise status_error(status, what, bad_argument="tile: it has no address, or does not fit the on-chip buffer")

    # ---- scalars

    def load_scalar(self, source: Memory, offset: int = 0) -> Any:
        """One element of global memory, by its number in the view's buffer."""
        view = self._view(source, "source")
        value = np.zeros(1, view.buffer.dtype.storage)
        self._issue("load_scalar", lib.ptog_core_load_scalar, view.buffer.handle, self._byte(view, offset),
                    value.itemsize, ffi.from_buffer(value))
        return FloatArray(value, view.buffer.dtype)[0] if view.buffer.dtype.is_small else value[0]

    def store_scalar(self, to: Memory, value: Any, offset: int = 0) -> None:
        """Stores one element of global memory."""
        view = self._view(to, "to")
        element = view.buffer.dtype
        try:
            data = element([value]).bits if element.is_small else np.array([value]).astype(element.storage, casting="same_kind")
        except Exception:  # also of an object of the caller
            data = np.zeros(0)
        if data.shape != (1,):
            raise TypeError(f"value: {short(value)} is not a {element.name}")
        self._issue("store_scalar", lib.ptog_core_store_scalar, view.buffer.handle, self._byte(view, offset),
                    data.itemsize, ffi.from_buffer(data))

    def dcci(self, line: Memory | None = None, offset: int = 0) -> None:
        """Flushes the data cache of S: the line of one element, by its number in the view's buffer, or all of it."""
        if line is None:
            self._issue("dcci", lib.ptog_core_dcci, -1, 0)
            return
        view = self._view(line, "line")
        self._issue("dcci", lib.ptog_core_dcci, view.buffer.handle, self._byte(view, offset))

    def dsb(self) -> None:
        """Waits until flushed lines are in global memory."""
        self._issue("dsb", lib.ptog_core_dsb)

    @staticmethod
    def _byte(view: View, offset: Any) -> int:
        return int(view.offset + whole(offset, "offset", 0, 2**40) * view.buffer.dtype.itemsize)

    def __repr__(self) -> str:
        return f"<ptogather.Core of {self.device.target}: {'closed' if self.closed else 'open'}>"

