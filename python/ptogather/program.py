"""Programs: PTO text in any of its forms; read, checked, printed, repaired and run with arrays."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union, cast

from . import html
from ._library import Output, ffi, lib, name_bytes, nearest, number_of, short, target_of, text_of, word_of
from .collector import Collector, take_judged
from .diagnostics import Diagnostics, refused, status_error
from .elements import Element, element_by_code
from .judging import DEVICES
from .literals import Form, SlotKind, Target
from .tiles import DYNAMIC

if TYPE_CHECKING:
    from .proving import Proof, Reduced
    from .result import Result

Source = Union[str, bytes, "os.PathLike[str]", "Program"]


@dataclass(frozen=True)
class Slot:
    """What a function takes: memory, a tile or a number."""

    name: str
    kind: SlotKind
    dtype: Optional[Element]
    shape: Optional[Tuple[Optional[int], ...]]
    """None: not known, as for a pointer; an extent of None is known when it runs."""
    written: bool
    line: int
    column: int
    packed: bool = False
    """Its elements are stored as those of an array of that shape, row by row without gaps."""

    @property
    def type_name(self) -> str:
        """Extents and element type as far as the program gives them: "1x16 i32"."""
        extents = "x".join("?" if extent is None else str(extent) for extent in self.shape or ())
        return " ".join(word for word in (extents, self.dtype.name if self.dtype else "") if word)

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r}" + (f" ({self.type_name})" if self.type_name else "")


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


def target_or_null(target: Optional[Target]) -> Any:
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
        handle, said = parse_program(self.name, data)
        if handle is None:
            raise refused("program", said, self.name)
        self._handle: Any = handle

    @property
    def target(self) -> Optional[Target]:
        """The target that the module names; None when it names none."""
        found = lib.ptog_program_target(self._handle)
        return None if found == ffi.NULL else cast(Target, text_of(found.name))

    @property
    def functions(self) -> Tuple[str, ...]:
        """Bare statements are a function called ''."""
        found: list[str] = []
        while (name := lib.ptog_program_function_at(self._handle, len(found))) != ffi.NULL:
            found.append(text_of(name) or "")
        return tuple(found)

    def slots(self, function: Optional[str] = None) -> Tuple[Slot, ...]:
        """What has to be bound before a function can run."""
        name, slot = self._function(function), ffi.new("struct ptog_slot *")
        found: list[Slot] = []
        while lib.ptog_program_slot_at(self._handle, name, len(found), slot):
            shape = tuple(None if extent == DYNAMIC else int(extent) for extent in slot.shape[0:slot.rank])
            found.append(Slot(text_of(slot.name) or "", cast(SlotKind, word_of("ptog_slot_kind", slot.kind)),
                              element_by_code(slot.dtype), shape if slot.rank else None, bool(slot.written),
                              int(slot.line), int(slot.column), bool(slot.packed)))
        return tuple(found)

    @property
    def entry(self) -> Optional[str]:
        """The function that runs when none is named: the only one, the only kernel, or the only one that is neither
        private nor for the cube core; None when that leaves several."""
        return text_of(lib.ptog_program_entry(self._handle))

    def _function(self, function: Optional[str]) -> Any:
        if function is None and self.functions and self.entry is None:
            raise ValueError(f"function: the program has several: choose one of {', '.join(self.functions)}")
        if function is None:
            return ffi.NULL
        if not isinstance(function, str) or function not in self.functions:
            known = ", ".join(self.functions) or "none"
            raise ValueError(f"function: {short(function)} is not in the program, which has "
                             f"{known}{nearest(function, self.functions)}")
        return ffi.new("char[]", name_bytes(function, "function"))

    def check(self, target: Optional[Target] = None) -> Diagnostics:
        """Everything that is wrong with it on one target; without one, on its own, or on a2a3 and a5."""
        named = target if target is not None else self.target
        if named is not None:
            return self._check(named).take(named)
        lists = {device: self._check(device) for device in DEVICES}
        return take_judged(self.name, {device: (diags, not any(item.refuses for item in diags.take().errors))
                                       for device, diags in lists.items()}).diagnostics

    def _check(self, target: Target) -> Collector:
        """What is wrong with it on a target."""
        diags = Collector()
        status = lib.ptog_program_check(self._handle, target_of(target), diags.handle)
        if status not in (lib.PTOG_OK, lib.PTOG_ILLEGAL):
            raise status_error(status, "check")
        return diags

    def format(self, form: Form = "written") -> str:
        """The program in canonical text; `form` is written, dps, ssa or asm."""
        output, diags = Output(), Collector()
        status = lib.ptog_program_print(self._handle, number_of("ptog_form_text", form, "form"), output.sink,
                                        diags.handle)
        if status == lib.PTOG_ILLEGAL:
            raise refused("format", diags.take(self.target))
        if status != lib.PTOG_OK:
            raise status_error(status, "format")
        return str(output)

    def run(self, target: Optional[Target] = None, **options: Any) -> "Result":
        """As `pg.run(program, target, ...)`."""
        from .running import run
        return run(self, target, **options)

    def repair(self, target: Optional[Target] = None, **options: Any) -> "Program":
        """As `pg.repair(program, target, ...)`."""
        from .running import repair
        return repair(self, target, **options)

    def prove(self, target: Optional[Target] = None, **options: Any) -> "Proof":
        """As `pg.prove(program, target, ...)`."""
        from .proving import prove
        return prove(self, target, **options)

    def reduce(self, target: Optional[Target] = None, **options: Any) -> "Reduced":
        """As `pg.reduce(program, target, ...)`."""
        from .proving import reduce
        return reduce(self, target, **options)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<ptogather.Program {self.name!r}: {', '.join('@' + name for name in self.functions)}>"

    def _repr_html_(self) -> str:
        return html.program(self.text, self.check())


def parse_program(name: str, data: bytes) -> Tuple[Any, Diagnostics]:
    """A program, or None, and what was said about its text."""
    handle, diags = ffi.new("ptog_program **"), Collector()
    status = lib.ptog_program_parse(handle, name_bytes(name, "name"), data, len(data), diags.handle)
    if status not in (lib.PTOG_OK, lib.PTOG_ILLEGAL):
        raise status_error(status, "program")
    made = None if status == lib.PTOG_ILLEGAL else ffi.gc(handle[0], lib.ptog_program_free)
    return made, diags.take()


def as_program(source: Source) -> Program:
    return source if isinstance(source, Program) else Program(source)
