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

import os
import threading
import weakref
from types import SimpleNamespace
from typing import Any, Mapping, Optional, Tuple, Union

from ._library import Output, PathLike, ffi, fields, lib, name_bytes, number_of, short, switch, target_of, whole, write_whole
from .arrays import Array, packed, wanted
from .call_names import call_names
from .collector import Collector
from .core import Core
from .diagnostics import Diagnostics, status_error
from .elements import Element
from .literals import Launch, Schedule, Target
from .memory import Buffer
from .places import caller
from .execution import kept_trace, latencies
from .pages import page_of
from .stats import Stats, stats_of


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


def _kernel_file(diags: Collector) -> str:
    """The file of the first finding that has one, else that of the caller."""
    first = lib.ptog_diags_at(diags.handle, 0)
    if first != ffi.NULL and first.where.file != ffi.NULL:
        return os.fsdecode(ffi.string(first.where.file))
    frame = caller()
    return frame.f_code.co_filename if frame is not None else "kernel"


def _contents(path: str) -> bytes:
    """Empty when it cannot be read: a notebook's cell is no file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


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

    def __init__(self, target: Target = "a2a3", *, schedule: Schedule = "cost", seed: int = 0, dyn_ub: int = 0,
                 launch: Launch = "standard", sanitize: bool = True, automatic: bool = False, max_instructions: int = 0,
                 late: Any = (), costs: Optional[Mapping[str, float]] = None, trace: Union[bool, int] = True) -> None:
        found = target_of(target)
        override, names = _costs({} if costs is None else costs)
        slow = latencies(late)
        most = kept_trace(trace)
        self.target = target
        self._checked = switch(sanitize, "sanitize")
        self._timeline = Output(most) if most and found.ub_bytes else None
        options = ffi.new("struct ptog_device_options *", {
            "schedule": number_of("ptog_schedule", schedule, "schedule"), "seed": whole(seed, "seed", 0, 2**64 - 1),
            "dyn_ub": whole(dyn_ub, "dyn_ub", 0, 2**63 - 1), "launch": number_of("ptog_launch", launch, "launch"),
            "no_sanitize": not self._checked, "automatic": switch(automatic, "automatic"), "costs": override, "cost_count": len(names),
            "most_instructions": whole(max_instructions, "max_instructions", 0, 2**63 - 1), "late": slow,
            "late_count": len(slow), "trace_drawings": True, "trace": self._timeline.sink if self._timeline else ffi.NULL})
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

    def core(self, block: int = 0, *, cube: bool = False) -> "Core":
        """A block of the kernel: its vector core, or its cube core. Several may be open at once; they are not ordered with each other."""
        number, is_cube = whole(block, "block", 0, 2**32 - 1), switch(cube, "cube")
        with self._state.lock:
            handle = ffi.new("ptog_core **")
            status = (lib.ptog_core_open_cube if is_cube else lib.ptog_core_open)(handle, self._open(), number)
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
        """Memory that the kernel reads. It is not copied, and has to keep its values until the device is closed. Messages
        call it `name`, or as the caller calls the array."""
        source = wanted(array, "array")
        return self._memory(lib.ptog_device_input, packed(source.data, "array"), source.element,
                            self._called("input") if name is None else name)

    def buffer(self, array: Any, name: Optional[str] = None) -> Buffer:
        """Memory that the kernel stores to, and may read: a packed array that can be written."""
        source = wanted(array, "array")
        if not source.data.flags.c_contiguous:
            raise ValueError(f"array: it is not packed (C-contiguous), its strides are {source.data.strides}")
        if not source.data.flags.writeable:
            raise ValueError("array: it is read-only")
        return self._memory(lib.ptog_device_buffer, source.data, source.element,
                            self._called("buffer") if name is None else name)

    def _called(self, method: str) -> Optional[str]:
        """What the caller calls the array, where no other buffer is called so."""
        names = call_names(caller(), method)
        name = names.get(0) or names.get("array")
        return None if name in [made.name for made in self._buffers] else name

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
            raise ValueError(f"stats: {self.target} does not simulate pipes: there are no figures")
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
            raise ValueError(f"save_trace: not available: {self.target} does not simulate pipes, or trace=False was given")
        if self._timeline.cut:
            raise ValueError("save_trace: it is longer than what was kept: use trace= and more bytes")
        write_whole(path, self._timeline.bytes())

    def report(self, path: PathLike, source: Optional[PathLike] = None) -> None:
        """Writes one page for a browser: findings, timeline, figures, on-chip buffer, and the kernel. The device has to be
        open; its cores are closed, and its timeline ends here. `source` is the file of the kernel; without it that of the
        first finding, or of the caller."""
        with self._state.lock:
            if self._state.handle is None:
                raise ValueError("report: the device is closed: write it before")
            for core in list(self._state.cores):
                self._state.close_core(core)
            lib.ptog_device_end_trace(self._open())
            diags, stats = Collector(), ffi.NULL
            status = lib.ptog_device_report(self._open(), diags.handle)
            if status != lib.PTOG_OK:
                raise status_error(status, "report")
            if target_of(self.target).ub_bytes:
                stats = ffi.new("struct ptog_stats *")
                lib.ptog_device_stats(self._open(), stats)
            name = os.fsdecode(source) if source is not None else _kernel_file(diags)
            entries: list[Any] = []
            entry = ffi.new("struct ptog_ub_entry *")
            while lib.ptog_device_ub_at(self._open(), len(entries), entry):
                entries.append(entry[0])
                entry = ffi.new("struct ptog_ub_entry *")
            page = page_of(name, _contents(name), self.target, diags, unchecked=not self._checked, stats=stats,
                           entries=ffi.new("struct ptog_ub_entry[]", entries), timeline=self._timeline)
        write_whole(path, page)

    def __repr__(self) -> str:
        return f"<ptogather.Device {self.target}: {'closed' if self.closed else 'open'}>"

    def _repr_html_(self) -> str:
        return self.diagnostics._repr_html_()
