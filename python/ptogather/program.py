"""Programs: PTO text in any of its forms; read, checked, printed, repaired and run with arrays."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Mapping, Optional, Tuple, Union

import numpy as np

from . import html
from ._library import Output, constants, ffi, lib, name_bytes, nearest, number_of, short, switch, target_of, text_of, TARGETS, whole, word_of
from .arrays import borrow, packed, say_copied
from .diagnostics import Collector, Diagnostics, refused, status_error
from .elements import Element, FloatArray, element_by_code, zeros
from .result import Result
from .tiles import DYNAMIC, TileView

Source = Union[str, bytes, "os.PathLike[str]", "Program"]

_MOST_TRACE = 64 << 20  # bytes of the timeline that a result keeps unless it is told otherwise


@dataclass(frozen=True)
class Slot:
    """What a function takes: memory, a tile or a number."""

    name: str
    kind: str
    dtype: Optional[Element]
    shape: Optional[Tuple[Optional[int], ...]]
    """None: not known, as for a pointer; an extent of None is known when it runs."""
    written: bool
    line: int
    column: int

    def __str__(self) -> str:
        extents = "x".join("?" if extent is None else str(extent) for extent in self.shape or ())
        words = (extents, self.dtype.name if self.dtype else "")
        text = " ".join(word for word in words if word)
        return f"{self.kind} {self.name!r}" + (f" ({text})" if text else "")


def read_source(source: Any, name: Optional[str], argument: str = "program") -> Tuple[str, bytes]:
    """The name and the bytes of a program. A str is a path when such a file exists or it ends in .pto or .mlir, and
    otherwise the text itself."""
    if isinstance(source, bytes):
        return name or "<text>", source
    if isinstance(source, str) and "\n" not in source and "\0" not in source and len(source) < 4096:
        if source.endswith((".pto", ".mlir")) or os.path.isfile(source):
            source = Path(source)
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        with open(path, "rb") as file:
            return name or str(path), file.read()
    if not isinstance(source, str):
        raise TypeError(f"{argument}: expected the text of a program or the path of a file, not {short(source)}")
    return name or "<text>", source.encode("utf-8", "surrogateescape")


def _target_or_null(target: Optional[str]) -> Any:
    return ffi.NULL if target is None else target_of(target)


class Program:
    """A program that was read. A text with syntax errors raises Refused.

    >>> import ptogather as pg
    >>> p = pg.Program("%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>")
    >>> [str(slot) for slot in p.slots()]
    ["memory 't' (4x8 f32)", "tile 'i' (1x8 i32)"]
    """

    def __init__(self, source: Source, name: Optional[str] = None) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name: expected a str, not {short(name)}")
        if isinstance(source, Program):
            found, data = source.name, source.text.encode("utf-8", "surrogateescape")
        else:
            found, data = read_source(source, name)
        self.name: str = found
        self.text: str = data.decode("utf-8", "surrogateescape")
        handle, said = _parse(self.name, data)
        if handle is None:
            raise refused(f"program {short(self.name)}", said)
        self._handle: Any = handle

    @property
    def target(self) -> Optional[str]:
        """The target that the module names; None when it names none."""
        found = lib.ptog_program_target(self._handle)
        return None if found == ffi.NULL else text_of(found.name)

    @property
    def functions(self) -> Tuple[str, ...]:
        """Bare statements are a function called ''."""
        found: list[str] = []
        while (name := lib.ptog_program_function(self._handle, len(found))) != ffi.NULL:
            found.append(text_of(name) or "")
        return tuple(found)

    def slots(self, function: Optional[str] = None) -> Tuple[Slot, ...]:
        """What has to be bound before a function can run."""
        name, slot = self._function(function), ffi.new("struct ptog_slot *")
        found: list[Slot] = []
        while lib.ptog_program_slot(self._handle, name, len(found), slot) == lib.PTOG_OK:
            shape = tuple(None if extent == DYNAMIC else int(extent) for extent in slot.shape[0:slot.rank])
            found.append(Slot(text_of(slot.name) or "", word_of("ptog_slot_kind", slot.kind),
                              element_by_code(slot.dtype), shape if slot.rank else None, bool(slot.written),
                              int(slot.line), int(slot.column)))
        return tuple(found)

    def _function(self, function: Optional[str]) -> Any:
        if function is None:
            if len(self.functions) > 1:
                raise ValueError(f"function: the program has several: choose one of {', '.join(self.functions)}")
            return ffi.NULL
        if not isinstance(function, str) or function not in self.functions:
            known = ", ".join(self.functions) or "none"
            raise ValueError(f"function: {short(function)} is not in the program, which has "
                             f"{known}{nearest(function, self.functions)}")
        return ffi.new("char[]", name_bytes(function, "function"))

    def check(self, target: Optional[str] = None) -> Diagnostics:
        """Everything that is wrong with it on one target; without one, on its own or host."""
        diags = Collector()
        status = lib.ptog_program_check(self._handle, _target_or_null(target), diags.handle)
        if status not in (lib.PTOG_OK, lib.PTOG_ILLEGAL):
            raise status_error(status, "check")
        return diags.take(target or self.target or "host")

    def format(self, form: str = "written") -> str:
        """The program in canonical text; `form` is written, dps, ssa or asm."""
        output, diags = Output(), Collector()
        status = lib.ptog_program_print(self._handle, number_of("ptog_form_text", form, "form"), output.sink,
                                        diags.handle)
        if status == lib.PTOG_ILLEGAL:
            raise refused("format", diags.take(self.target))
        if status != lib.PTOG_OK:
            raise status_error(status, "format")
        return str(output)

    def run(self, target: Optional[str] = None, **options: Any) -> Result:
        """As `pg.run(program, target, ...)`."""
        return run(self, target, **options)

    def repair(self, target: Optional[str] = None, **options: Any) -> "Program":
        """As `pg.repair(program, target, ...)`."""
        return repair(self, target, **options)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<ptogather.Program {self.name!r}: {', '.join('@' + name for name in self.functions)}>"

    def _repr_html_(self) -> str:
        return html.program(self.text, self.check())


def _parse(name: str, data: bytes) -> Tuple[Any, Diagnostics]:
    """A program, or None, and what was said about its text."""
    handle, diags = ffi.new("ptog_program **"), Collector()
    status = lib.ptog_program_parse(handle, name_bytes(name, "name"), data, len(data), diags.handle)
    if status not in (lib.PTOG_OK, lib.PTOG_ILLEGAL):
        raise status_error(status, "program")
    made = None if status == lib.PTOG_ILLEGAL else ffi.gc(handle[0], lib.ptog_program_free)
    return made, diags.take()


def as_program(source: Source) -> Program:
    return source if isinstance(source, Program) else Program(source)


# ---- checking ---------------------------------------------------------------------------------------------------------


class Checked(dict):  # type: ignore[type-arg]
    """What `check(..., target="all")` gives: the diagnostics by target."""

    @property
    def accepted_by(self) -> Tuple[str, ...]:
        return tuple(name for name, found in self.items() if found.clean)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}</td><td>{'clean' if found.clean else escape(', '.join(found.ids))}</td></tr>"
                       for name, found in self.items())
        return html.page(f"<table class='tile'>{rows}</table>")


def check(program: Source, target: Optional[str] = None) -> Any:
    """Everything that is wrong with a program, without running it; syntax errors, too.

    With target="all" it is a dict of the diagnostics by target.

    >>> import ptogather as pg
    >>> text = "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>"
    >>> pg.check(text)
    Diagnostics(clean)
    >>> pg.check(text, target="all").accepted_by
    ('host', 'a2a3', 'a5')
    >>> pg.check("%d = mgather")[0].line
    1
    """
    everywhere = isinstance(target, str) and target == "all"
    if target is not None and not everywhere:
        target_of(target)
    if not isinstance(program, Program):
        name, data = read_source(program, None)
        handle, said = _parse(name, data)
        if handle is None:
            return Checked((one, said) for one in TARGETS) if everywhere else said
        program = Program(data, name)
    if everywhere:
        return Checked((one, program.check(one)) for one in TARGETS)
    return program.check(target)


# ---- binding ----------------------------------------------------------------------------------------------------------


class Bindings:
    """What a run is given, as C wants it, and what keeps it alive."""

    def __init__(self, program: Program, function: Optional[str], given: Mapping[str, Any]) -> None:
        slots = {slot.name: slot for slot in program.slots(function)}
        for name in given:
            if name not in slots:
                known = ", ".join(slots) or "nothing"
                raise TypeError(f"{name}: the program takes {known}, and no {short(name)}{nearest(name, slots)}")
        self.arrays: dict[str, Any] = {}      # what the caller gave, or what was made
        self.outputs: dict[str, Any] = {}
        self._back: list[Tuple[Any, Any]] = []  # an array of the caller, and the packed copy that is run on
        self._keep: list[Any] = []
        self.list = ffi.new("struct ptog_binding[]", max(len(slots), 1))
        self.count = 0
        for slot in slots.values():
            if slot.name not in given and not (slot.written or slot.kind == "tile"):
                raise TypeError(f"{slot.name}: the program needs it: {slot}")
            if slot.name in given or slot.kind != "tile":
                self._bind(slot, given.get(slot.name))

    def _bind(self, slot: Slot, value: Any) -> None:
        binding = self.list[self.count]
        self.count += 1
        name = ffi.new("char[]", name_bytes(slot.name, slot.name))
        self._keep.append(name)
        binding.name = name
        if slot.kind == "number":
            self._bind_number(binding, slot, value)
            return
        if value is None:
            value = self._room(slot)
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

    @staticmethod
    def _room(slot: Slot) -> Any:
        """An output that the caller did not give, where the program says how large it is."""
        if slot.shape is None or None in slot.shape or slot.dtype is None:
            raise TypeError(f"{slot.name}: the program stores to it and does not say how large it is: give an array")
        return zeros(tuple(extent or 0 for extent in slot.shape), slot.dtype, slot.name)

    def _data(self, slot: Slot, value: Any) -> Tuple[Any, Optional[Element]]:
        """The array to run on, and its type. Numbers of Python become the program's type."""
        if isinstance(value, TileView):
            value = value.array
        if isinstance(value, (list, tuple, int, float)) and slot.dtype is not None:
            try:
                value = slot.dtype(value) if slot.dtype.is_small else np.asarray(value, slot.dtype.storage)
            except (TypeError, ValueError, OverflowError) as error:
                raise TypeError(f"{slot.name}: {short(value)} does not fit {slot}: {short(str(error))}") from None
        source = borrow(value, slot.name)
        element, data = source.element, source.data
        small = slot.dtype is not None and slot.dtype.is_small and data.itemsize == slot.dtype.itemsize
        if small and data.dtype.kind in "iu":
            element = slot.dtype  # its bits
        if element is None and slot.dtype is not None:
            raise TypeError(f"{slot.name}: {data.dtype} is no element type; the program takes {slot}")
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
        self.arrays[slot.name] = value if isinstance(value, (np.ndarray, FloatArray)) else source.wrap(data)
        if slot.written and slot.kind == "memory":
            self.outputs[slot.name] = self.arrays[slot.name]
        return run_on, element

    def finish(self) -> None:
        """What ran on a packed copy goes back to the caller's array."""
        for array, copy in self._back:
            array[...] = copy


# ---- running ----------------------------------------------------------------------------------------------------------


def _execution(program: Program, target: Optional[str], function: Optional[str], bindings: Bindings,
               options: Mapping[str, Any]) -> Tuple[Any, Any]:
    """struct ptog_execution, and what it points to."""
    known = {"blocks": 1, "schedule": "cost", "seed": 0, "dyn_ub": 0, "launch": "standard", "sanitize": True,
             "max_steps": 0, "late": ()}
    chosen = {**known, **{name: value for name, value in options.items() if value is not None}}
    execution = ffi.new("struct ptog_execution *")
    keep = [bindings, program._function(function)]
    execution.target = _target_or_null(target)
    execution.function = keep[1]
    execution.bindings, execution.binding_count = bindings.list, bindings.count
    execution.blocks = whole(chosen["blocks"], "blocks", 1, 2**31 - 1)
    execution.max_steps = whole(chosen["max_steps"], "max_steps", 0, 2**63 - 1)
    execution.schedule = number_of("ptog_schedule", chosen["schedule"], "schedule")
    execution.launch = number_of("ptog_launch", chosen["launch"], "launch")
    execution.seed = whole(chosen["seed"], "seed", 0, 2**64 - 1)
    execution.dyn_ub = whole(chosen["dyn_ub"], "dyn_ub", 0, 2**63 - 1)
    execution.no_sanitize = not switch(chosen["sanitize"], "sanitize")
    late = latencies(chosen["late"])
    execution.late, execution.late_count = late, len(late)
    return execution, (*keep, late)


def kept_trace(trace: Any) -> int:
    """How many bytes of the timeline are kept: True is enough for some hundred thousand instructions."""
    if trace is True:
        return _MOST_TRACE
    return 0 if trace is False else whole(trace, "trace", 0, 2**62)


def latencies(late: Any) -> Any:
    """Pairs (block, instruction) of instructions that end late, as a race's witness names them."""
    try:
        pairs = [(block, instruction) for block, instruction in late]
    except (TypeError, ValueError):
        raise TypeError(f"late: expected pairs of block and instruction, not {short(late)}") from None
    array = ffi.new("struct ptog_latency[]", len(pairs))
    for entry, (block, instruction) in zip(array, pairs):
        entry.block = whole(block, "late", 0, 2**32 - 1)
        entry.instruction = whole(instruction, "late", 0, 2**32 - 1)
        entry.cycles = constants["PTOG_LATE"]
    return array


def run(program: Source, target: Optional[str] = None, *, function: Optional[str] = None,
        inputs: Optional[Mapping[str, Any]] = None, blocks: int = 1, schedule: str = "cost", seed: int = 0,
        dyn_ub: int = 0, launch: str = "standard", sanitize: bool = True, max_steps: int = 0,
        late: Any = (), trace: Union[bool, int] = True, **arrays: Any) -> Result:
    """Checks a program, then runs it with arrays for its arguments, bound by name (or in `inputs`, for names that are
    options here). On a2a3, a5 and a5-custom it runs on the machine, and its races are proved for all timings.

    An array that the program stores to is written in place; one that is not given is made, where the program says
    how large it is. A program that is refused raises Refused. One that runs gives a Result, right or wrong:
    `clean`, `diagnostics`, `outputs`, `tiles`, `stats`, `report`, `save_trace`. `trace` is whether, or how many bytes
    of, the timeline are kept.

    >>> import numpy as np, ptogather as pg
    >>> text = '''func.func @embed(%table: !pto.partition_tensor_view<64x32xf32>, %idx: !pto.partition_tensor_view<1x16xi32>,
    ...                            %out: !pto.partition_tensor_view<16x32xf32>) {
    ...   %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
    ...   %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
    ...   pto.tload ins(%idx) outs(%i)
    ...   pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}
    ...   pto.tstore ins(%d) outs(%out)
    ...   return
    ... }'''
    >>> table = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    >>> r = pg.run(text, target="a2a3", table=table, idx=np.arange(16, dtype=np.int32)[::-1].copy(),
    ...            out=pg.empty((16, 32), "f32"))
    >>> r.clean, bool((r.outputs["out"] == table[15::-1]).all()), r.stats.cycles > 0
    (True, True, True)
    """
    program = as_program(program)
    given = {**mapping(inputs), **arrays}
    program._function(function)
    bindings = Bindings(program, function, given)
    options = {"blocks": blocks, "schedule": schedule, "seed": seed, "dyn_ub": dyn_ub, "launch": launch,
               "sanitize": sanitize, "max_steps": max_steps, "late": late}
    execution, keep = _execution(program, target, function, bindings, options)
    where = target or program.target or "host"
    most = kept_trace(trace)
    timeline = Output(most) if most and target_of(where).ub_bytes else None
    execution.trace = timeline.sink if timeline else ffi.NULL
    diags, result = Collector(), ffi.new("ptog_result **")
    status = lib.ptog_program_run(program._handle, execution, diags.handle, result)
    handle = ffi.gc(result[0], lib.ptog_result_free) if result[0] != ffi.NULL else None
    del keep
    if status == lib.PTOG_ILLEGAL:
        raise refused(f"run {short(program.name)} on {where}", diags.take(where))
    if status not in (lib.PTOG_OK, lib.PTOG_FAULT) or handle is None:
        raise status_error(status, "run")
    bindings.finish()
    return Result(program, where, handle, diags, bindings, timeline, bool(sanitize))


def mapping(inputs: Any) -> Mapping[str, Any]:
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping) or not all(isinstance(name, str) for name in inputs):
        raise TypeError(f"inputs: expected a dict of arrays by name, not {short(inputs)}")
    return inputs


def repair(program: Source, target: Optional[str] = None, *, function: Optional[str] = None,
           inputs: Optional[Mapping[str, Any]] = None, **arrays: Any) -> Program:
    """The program with the flags and barriers that it lacks, every other line as it was.

    It is run to find them, with the arrays that are given and synthetic ones for the rest; no array is changed.

    >>> import ptogather as pg
    >>> text = '''func.func @copy(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
    ...   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   pto.tload ins(%a) outs(%t)
    ...   pto.barrier <PIPE_V>
    ...   pto.tstore ins(%t) outs(%b)
    ...   return
    ... }'''
    >>> pg.run(text, "a5", inputs=pg.synthetic_inputs(text)).clean
    False
    >>> fixed = pg.repair(text, target="a5")
    >>> print(*(line for line in str(fixed).splitlines() if "flag" in line), sep="\\n")
      pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
      pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
    """
    from .synthetic import synthetic_inputs
    program = as_program(program)
    given = {**mapping(inputs), **arrays}
    slots = {slot.name for slot in program.slots(function)}
    made = {name: value for name, value in synthetic_inputs(program, function).items() if name not in given}
    bindings = Bindings(program, function, {**made, **{n: _copied(v) if n in slots else v for n, v in given.items()}})
    execution, keep = _execution(program, target, function, bindings, {})
    output, diags = Output(), Collector()
    status = lib.ptog_program_repair(program._handle, execution, output.sink, diags.handle)
    del keep
    if status == lib.PTOG_ILLEGAL:
        raise refused(f"repair {short(program.name)}", diags.take(target or program.target or "host"))
    if status != lib.PTOG_OK:
        raise status_error(status, "repair")
    return Program(output.bytes(), program.name)


def _copied(value: Any) -> Any:
    """Arrays that can be written may be written while the flags are looked for, and are restored: a copy keeps other
    threads from seeing that."""
    return value.copy() if isinstance(value, (np.ndarray, FloatArray)) and value.ndim else value
