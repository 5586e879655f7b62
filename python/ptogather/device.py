"""Kernels written in Python, one call per instruction, on the device of `ptog/core.h`.

    with pg.Device("a2a3") as dev:
        table, words, out = dev.input(table), dev.input(words), dev.buffer(result)
        with dev.core(0) as core:
            core.load(idx, words)
            core.set_flag("MTE2", "V", 0)
            ...
    dev.diagnostics

A report names the line of Python that issued an instruction. A device may be used by several threads: they take turns.
"""

from __future__ import annotations

import itertools
import linecache
import sys
import threading
import weakref
from types import CodeType, FrameType, SimpleNamespace
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import Output, PathLike, ffi, fields, lib, name_bytes, nearest, number_of, short, switch, target_of, text_of, whole, write_whole
from .arrays import Array, borrow, packed, wanted
from .diagnostics import Collector, Diagnostics, Fault, refused, status_error
from .elements import MEMORY, Element, FloatArray
from .program import kept_trace, latencies
from .result import Stats, stats_of
from .tiles import Tile, TileView, new_region


class Buffer:
    """Global memory that a device knows: an array and its handle. Index it for a part: `buffer[2:6, :8]`."""

    def __init__(self, device: "Device", name: str, handle: int, array: Array, element: Element) -> None:
        self.device, self.name, self.handle, self.array, self.dtype = device, name, handle, array, element
        self._short = " ".join(name.split())[:40]  # in a message

    def __getitem__(self, key: Any) -> "View":
        try:
            part = self.array[key]
        except Exception as error:  # also of an object of the caller
            raise ValueError(f"{self._short}: {short(key)} is no part of it: {short(str(error))}") from None
        if not isinstance(part, np.ndarray) or not np.may_share_memory(part, self.array):
            raise ValueError(f"{self._short}: {short(key)} is no part of it that keeps its dimensions: use slices")
        return View(self, part)

    def __repr__(self) -> str:
        return f"Buffer({self.name!r}, {self.array.shape}, {self.dtype.name})"


class View:
    """A part of a buffer as a tensor: the shape and strides are numpy's."""

    def __init__(self, buffer: Buffer, part: Array) -> None:
        start = buffer.array.__array_interface__["data"][0]
        self.buffer, self.offset = buffer, part.__array_interface__["data"][0] - start
        if not 1 <= part.ndim <= 5 or part.size == 0:
            raise ValueError(f"{buffer._short}: a view of shape {part.shape}; expected 1 to 5 dimensions, none of them empty")
        strides = [stride // part.itemsize for stride in part.strides]
        if any(stride < 0 for stride in strides) or any(stride == 0 and extent > 1
                                                        for stride, extent in zip(strides, part.shape)):
            raise ValueError(f"{buffer._short}: strides {part.strides} are not those of a tensor")
        ones = 5 - part.ndim
        packed_outer = strides[0] * part.shape[0]
        self.tensor = ffi.new("struct ptog_tensor *", {
            "dtype": buffer.dtype.code, "layout": lib.PTOG_ND, "shape": [1] * ones + list(part.shape),
            "stride": [packed_outer] * ones + strides})
        self.shape = part.shape


Memory = Union[Buffer, View]


class _State:
    """What lives in C: closed in the right order, also when nobody closes it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.cores: set[Any] = set()
        self.lock = threading.RLock()
        self.keep: list[Any] = []

    def close_core(self, core: Any) -> None:
        self.cores.discard(core)
        lib.ptog_core_close(core)

    def close(self) -> None:
        with self.lock:
            for core in list(self.cores):
                self.close_core(core)
            if self.handle is not None:
                handle, self.handle = self.handle, None
                lib.ptog_device_close(handle)


def _costs(costs: Any) -> Tuple[Any, list[Any]]:
    if not isinstance(costs, Mapping):
        raise TypeError(f"costs: expected a dict of cycles by name, not {short(costs)}")
    array, names = ffi.new("struct ptog_cost_override[]", len(costs)), []
    for entry, (name, cycles) in zip(array, costs.items()):
        if not isinstance(name, str) or not isinstance(cycles, (int, float)):
            raise TypeError(f"costs: expected a number of cycles by name, not {short(name)}: {short(cycles)}")
        names.append(ffi.new("char[]", name_bytes(name, "costs")))
        entry.name, entry.cycles = names[-1], cycles
    return array, names


class Device:
    """A simulated device: global memory and vector cores.

    `schedule` is cost, fast, slow, random (with `seed`) or witness (with `late`); what is reported does not depend on
    it. With `automatic`, missing flags and barriers are put in and tiles without an address get one.

    >>> import numpy as np, ptogather as pg
    >>> table, words, result = np.eye(8, dtype=np.float32), np.arange(8, dtype=np.int32)[::-1].copy(), pg.empty((8, 8))
    >>> idx, dst = pg.Tile("i32", 1, 8, addr=0), pg.Tile("f32", 8, 8, addr=0x100)
    >>> with pg.Device("a2a3") as dev:
    ...     with dev.core(0) as core:
    ...         core.load(idx, dev.input(words))
    ...         core.set_flag("MTE2", "V", 0)
    ...         core.wait_flag("MTE2", "V", 0)
    ...         core.mgather(dst, dev.input(table), idx)
    ...         core.set_flag("V", "MTE3", 0)
    ...         core.wait_flag("V", "MTE3", 0)
    ...         core.store(dev.buffer(result), dst)
    >>> dev.clean, bool((result == table[::-1]).all())
    (True, True)
    """

    def __init__(self, target: str = "a2a3", *, schedule: str = "cost", seed: int = 0, dyn_ub: int = 0,
                 launch: str = "standard", sanitize: bool = True, automatic: bool = False, max_instructions: int = 0,
                 late: Any = (), costs: Optional[Mapping[str, float]] = None, trace: Union[bool, int] = True) -> None:
        found = target_of(target)
        override, names = _costs({} if costs is None else costs)
        slow = latencies(late)
        most = kept_trace(trace)
        self.target = target
        self._timeline = Output(most) if most and found.ub_bytes else None
        options = ffi.new("struct ptog_device_options *", {
            "schedule": number_of("ptog_schedule", schedule, "schedule"), "seed": whole(seed, "seed", 0, 2**64 - 1),
            "dyn_ub": whole(dyn_ub, "dyn_ub", 0, 2**63 - 1), "launch": number_of("ptog_launch", launch, "launch"),
            "no_sanitize": not switch(sanitize, "sanitize"), "automatic": switch(automatic, "automatic"), "costs": override, "cost_count": len(names),
            "most_instructions": whole(max_instructions, "max_instructions", 0, 2**63 - 1), "late": slow,
            "late_count": len(slow), "trace": self._timeline.sink if self._timeline else ffi.NULL})
        handle = ffi.new("ptog_device **")
        status = lib.ptog_device_open(handle, found, options)
        if status != lib.PTOG_OK:
            raise status_error(status, "Device", bad_argument=f"costs: {short(costs)} has an unknown name or a bad number")
        self._state = _State(handle[0])
        self._state.keep += [self._timeline, options, override, names, slow]
        self._buffers: list[Buffer] = []
        self._said: Optional[Diagnostics] = None
        self._figures: Optional[Stats] = None
        self._map: Tuple[Any, ...] = ()
        self._finalizer = weakref.finalize(self, self._state.close)

    # ---- its life

    def _open(self) -> Any:
        if self._state.handle is None:
            raise ValueError("device: it is closed")
        return self._state.handle

    @property
    def closed(self) -> bool:
        return self._state.handle is None

    def close(self) -> None:
        """Closes its cores, keeps what there is to say, and frees the rest. Twice is fine."""
        with self._state.lock:
            if self._state.handle is None:
                return
            for core in list(self._state.cores):
                self._state.close_core(core)
            self._said, self._figures, self._map = self._report(), self._stats(), self._ub()
            self._state.close()
            self._state.keep.clear()

    def __enter__(self) -> "Device":
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def core(self, block: int = 0) -> "Core":
        """A block of the kernel. Several may be open at once; they are not ordered with each other."""
        number = whole(block, "block", 0, 2**32 - 1)
        with self._state.lock:
            handle = ffi.new("ptog_core **")
            status = lib.ptog_core_open(handle, self._open(), number)
            if status != lib.PTOG_OK:
                raise status_error(status, "core")
            self._state.cores.add(handle[0])
            return Core(self, handle[0])

    def sync(self) -> None:
        """A boundary between two launches: everything before it is complete for everyone. Cores are closed."""
        with self._state.lock:
            if self._state.cores:
                raise ValueError("sync: a core is open: close the cores first")
            lib.ptog_device_sync(self._open())

    # ---- global memory

    def input(self, array: Any, name: Optional[str] = None) -> Buffer:
        """Memory that the kernel reads. It is not copied, and has to keep its values until the device is closed."""
        source = wanted(array, "array")
        return self._memory(lib.ptog_device_input, packed(source.data, "array"), source.element, name)

    def buffer(self, array: Any, name: Optional[str] = None) -> Buffer:
        """Memory that the kernel stores to, and may read: a packed array that can be written."""
        source = wanted(array, "array")
        if not source.data.flags.c_contiguous:
            raise ValueError(f"array: it is not packed (C-contiguous), its strides are {source.data.strides}")
        if not source.data.flags.writeable:
            raise ValueError("array: it is read-only")
        return self._memory(lib.ptog_device_buffer, source.data, source.element, name)

    def _memory(self, function: Any, data: Array, element: Optional[Element], name: Any) -> Buffer:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name: expected a str, not {short(name)}")
        if data.size == 0 or element is None:
            raise ValueError("array: it is empty")
        with self._state.lock:
            name = name or f"gm{len(self._buffers)}"
            pointer = ffi.cast("void *", data.__array_interface__["data"][0])
            handle = function(self._open(), name_bytes(name, "name"), pointer, data.nbytes)
            if handle < 0:
                raise MemoryError("array: out of memory")
            self._state.keep.append(data)
            made = Buffer(self, name, handle, data, element)
            self._buffers.append(made)
            return made

    # ---- what it has to say

    def _report(self) -> Diagnostics:
        diags = Collector()
        status = lib.ptog_device_report(self._open(), diags.handle)
        if status != lib.PTOG_OK:
            raise status_error(status, "diagnostics")
        return diags.take(self.target)

    def _stats(self) -> Optional[Stats]:
        if not target_of(self.target).ub_bytes:
            return None
        stats = ffi.new("struct ptog_stats *")
        lib.ptog_device_stats(self._open(), stats)
        return stats_of(stats)

    def _ub(self) -> Tuple[Any, ...]:
        entry = ffi.new("struct ptog_ub_entry *")
        found: list[Any] = []
        while lib.ptog_device_ub_at(self._open(), len(found), entry):
            found.append(SimpleNamespace(**fields(entry)))
        return tuple(found)

    @property
    def diagnostics(self) -> Diagnostics:
        """What the closed cores did wrong."""
        with self._state.lock:
            return self._said if self._said is not None else self._report()

    @property
    def clean(self) -> bool:
        return self.diagnostics.clean

    @property
    def stats(self) -> Stats:
        """Sums over the closed cores; every figure is an estimate."""
        with self._state.lock:
            found = self._figures if self._state.handle is None else self._stats()
        if found is None:
            raise ValueError(f"stats: {self.target} has no machine: there are no figures")
        return found

    @property
    def ub(self) -> Tuple[Any, ...]:
        """Who sat where in the on-chip buffer, of the closed cores."""
        with self._state.lock:
            return self._map if self._state.handle is None else self._ub()

    def save_trace(self, path: PathLike) -> None:
        """Writes the timeline of the device, which has to be closed: then it is complete."""
        if not self.closed:
            raise ValueError("save_trace: the device is open: close it first")
        if self._timeline is None:
            raise ValueError(f"save_trace: there is none: {self.target} has no machine, or it was told trace=False")
        if self._timeline.cut:
            raise ValueError("save_trace: it is longer than what was kept: use trace= and more bytes")
        write_whole(path, self._timeline.bytes())

    def __repr__(self) -> str:
        return f"<ptogather.Device {self.target}: {'closed' if self.closed else 'open'}>"

    def _repr_html_(self) -> str:
        return self.diagnostics._repr_html_()


# ---- where an instruction was issued ----------------------------------------------------------------------------------


_places: dict[Tuple[CodeType, int], Any] = {}
_MOST_PLACES = 65536


def _positions(frame: FrameType) -> Tuple[int, int, int]:
    """Line, first and last column of the call that the frame is at; columns are 0 before Python 3.11."""
    line = frame.f_lineno
    if not hasattr(frame.f_code, "co_positions"):
        return line, 0, 0
    first, last, start, end = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None),
                                   (line, line, None, None))
    if first is None or start is None or end is None or first != last:
        return first or line, 0, 0
    text = linecache.getline(frame.f_code.co_filename, first).encode()
    return first, len(text[:start].decode("utf-8", "replace")) + 1, len(text[:end].decode("utf-8", "replace")) + 1


def _place() -> Any:
    """The innermost line of Python outside this file, as C wants it, and what it points to."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    if frame is None:
        return ffi.NULL, None
    key = (frame.f_code, frame.f_lasti)
    if key not in _places:
        if len(_places) >= _MOST_PLACES:
            _places.clear()
        line, column, end = _positions(frame)
        file = frame.f_code.co_filename
        text = linecache.getline(file, line).rstrip("\n")
        keep = (ffi.new("char[]", file.encode("utf-8", "surrogateescape").replace(b"\0", b"")),
                ffi.new("char[]", text.encode("utf-8", "surrogateescape").replace(b"\0", b"")))
        where = ffi.new("struct ptog_where *", {"file": keep[0], "line": line, "column": column, "end_column": end})
        where.text = keep[1] if text and column else ffi.NULL
        _places[key] = (where, keep)
    return _places[key]


# ---- cores ------------------------------------------------------------------------------------------------------------


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

    def _issue(self, what: str, function: Any, *arguments: Any, verify: Any = None) -> None:
        """Issues one instruction from the caller's line; an exception says why it was not."""
        with self.device._state.lock:
            core = self._open()
            where, keep = _place()
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
            raise Fault(f"{what}: the core has ended: it waits for ever, or has issued too many instructions")
        raise status_error(status, what, bad_argument=f"operands: {what} takes another kind of one of them, a tile, memory "
                           "or a number, or stores to an input", no_room=f"{what}: there is no room: a row has more matches than dst has "
                           "columns, or the on-chip buffer is full")

    # ---- data

    def load(self, tile: Tile, source: Memory) -> None:
        """TLOAD: a view of global memory to the valid region of a tile."""
        view = self._fitted(self._view(source, "source"), tile)
        op = ffi.new("struct ptog_transfer *", {"tile": _tile(tile, "tile")[0], "view": view.tensor[0]})
        self._issue("load", lib.ptog_core_load, op, view.buffer.handle, view.offset, verify=(lib.ptog_verify_transfer, op))

    def store(self, to: Memory, tile: Tile) -> None:
        """TSTORE: the valid region of a tile to a view of global memory."""
        view = self._fitted(self._view(to, "to"), tile)
        op = ffi.new("struct ptog_transfer *", {"tile": _tile(tile, "tile")[0], "view": view.tensor[0], "store": True})
        self._issue("store", lib.ptog_core_store, op, view.buffer.handle, view.offset,
                    verify=(lib.ptog_verify_transfer, op))

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

    def mgather(self, dst: Tile, table: Memory, idx: Tile, mode: str = "row", oob: str = "undefined") -> None:
        """MGATHER: rows or elements of a table in global memory, through an index tile."""
        view = self._view(table, "table")
        op = ffi.new("struct ptog_mgather *", {
            "dst": _tile(dst, "dst")[0], "table": view.tensor[0], "idx": _tile(idx, "idx")[0],
            "coalesce": number_of("ptog_coalesce", mode, "mode"), "oob": number_of("ptog_oob", oob, "oob")})
        self._issue("mgather", lib.ptog_core_mgather, op, view.buffer.handle, view.offset, ffi.NULL,
                    verify=(lib.ptog_verify_mgather, op))

    def tgather(self, dst: Tile, src: Tile, idx: Tile, tmp: Optional[Tile] = None) -> None:
        """TGATHER by index: `dst[i, j] = flat(src)[idx[i, j]]`."""
        op = ffi.new("struct ptog_tgather *", {"form": lib.PTOG_BY_INDEX, "dst": _tile(dst, "dst")[0],
                                               "src": _tile(src, "src")[0], "idx": _tile(idx, "idx")[0]})
        if tmp is not None:
            op.tmp = _tile(tmp, "tmp")[0]
        self._tgather(op)

    def tgather_mask(self, dst: Tile, src: Tile, pattern: str, axis: str = "row") -> None:
        """TGATHER by mask: the elements that a pattern keeps, one after another."""
        op = ffi.new("struct ptog_tgather *", {
            "form": lib.PTOG_BY_MASK, "dst": _tile(dst, "dst")[0], "src": _tile(src, "src")[0],
            "pattern": number_of("ptog_pattern", pattern, "pattern"), "axis": number_of("ptog_axis", axis, "axis")})
        self._tgather(op)

    def tgather_compare(self, dst: Tile, cdst: Tile, src: Tile, k: Tile, cmp: str = "gt", offset: int = 0,
                        tmp: Optional[Tile] = None) -> None:
        """TGATHER by comparison: per row, the positions j with `src[i, j] cmp k[i]`, and their number."""
        op = ffi.new("struct ptog_tgather *", {
            "form": lib.PTOG_BY_COMPARE, "dst": _tile(dst, "dst")[0], "src": _tile(src, "src")[0],
            "k": _tile(k, "k")[0], "cdst": _tile(cdst, "cdst")[0], "cmp": number_of("ptog_cmp", cmp, "cmp"),
            "offset": whole(offset, "offset", -(2**31), 2**31 - 1)})
        if tmp is not None:
            op.tmp = _tile(tmp, "tmp")[0]
        self._tgather(op)

    def _tgather(self, op: Any) -> None:
        self._issue("tgather", lib.ptog_core_tgather, op, ffi.NULL, verify=(lib.ptog_verify_tgather, op))

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
            raise ValueError(f"name: {short(name)} is no instruction{nearest(name, known)}")
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
        self._issue(short(name), lib.ptog_core_insn, insn, ffi.NULL, verify=(lib.ptog_verify, insn))

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

    def set_flag(self, src: str, dst: str, id: int = 0) -> None:
        """Sets a flag when everything that `src` was given is complete; `dst` can wait for it."""
        self._flag("set_flag", lib.ptog_core_set_flag, src, dst, id)

    def wait_flag(self, src: str, dst: str, id: int = 0) -> None:
        """Holds `dst` until the flag is set."""
        self._flag("wait_flag", lib.ptog_core_wait_flag, src, dst, id)

    def _flag(self, what: str, function: Any, src: Any, dst: Any, id: Any) -> None:
        self._issue(what, function, number_of("ptog_pipe", src, "src"), number_of("ptog_pipe", dst, "dst"),
                    whole(id, "id", -(2**31), 2**31 - 1))

    def barrier(self, pipe: str = "all") -> None:
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
            raise TypeError(f"value: {short(value)} is no {element.name}")
        self._issue("store_scalar", lib.ptog_core_store_scalar, view.buffer.handle, self._byte(view, offset),
                    data.itemsize, ffi.from_buffer(data))

    @staticmethod
    def _byte(view: View, offset: Any) -> int:
        return int(view.offset + whole(offset, "offset", 0, 2**40) * view.buffer.dtype.itemsize)

    def __repr__(self) -> str:
        return f"<ptogather.Core of {self.device.target}: {'closed' if self.closed else 'open'}>"

