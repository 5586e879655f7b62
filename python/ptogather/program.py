"""Programs: PTO text in any of its forms; read, checked, printed, repaired and run with arrays."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Literal, Optional, Tuple, Union, cast, overload

from . import html
from ._library import TARGETS, Output, ffi, lib, name_bytes, nearest, number_of, short, target_of, text_of, word_of
from .diagnostics import Collector, Diagnostics, refused, status_error
from .elements import Element, element_by_code
from .literals import Form, SlotKind, Target
from .tiles import DYNAMIC

if TYPE_CHECKING:
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
    """Its elements lie as those of an array of that shape, row after row without gaps."""

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
        handle, said = _parse(self.name, data)
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

    def check(self, target: Optional[Target] = None) -> Diagnostics:
        """Everything that is wrong with it on one target; without one, on its own or host."""
        diags = Collector()
        status = lib.ptog_program_check(self._handle, target_or_null(target), diags.handle)
        if status not in (lib.PTOG_OK, lib.PTOG_ILLEGAL):
            raise status_error(status, "check")
        return diags.take(target or self.target or "host")

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


class Checked(Dict[Target, Diagnostics]):
    """What `check(..., target="all")` gives: the diagnostics by target."""

    @property
    def accepted_by(self) -> Tuple[Target, ...]:
        return tuple(name for name, found in self.items() if found.clean)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}</td><td>{'clean' if found.clean else escape(', '.join(found.ids))}</td></tr>"
                       for name, found in self.items())
        return html.page(f"<table class='tile'>{rows}</table>")


@overload
def check(program: Source, target: Literal["all"]) -> Checked: ...


@overload
def check(program: Source, target: Optional[Target] = None) -> Diagnostics: ...


def check(program: Source, target: Union[Target, Literal["all"], None] = None) -> Union[Checked, Diagnostics]:
    """Everything that is wrong with a program, without running it; syntax errors, too.

    With target="all" it is a dict of the diagnostics by target.

    >>> import ptogather as pg
    >>> text = "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>"
    >>> pg.check(text)
    Diagnostics(clean)
    >>> pg.check(text, target="all").accepted_by
    ('host', 'a2a3', 'a5', 'cpusim')
    >>> pg.check("%d = mgather")[0].line
    1
    """
    one = None if isinstance(target, str) and target == "all" else target
    everywhere = one is None and target is not None
    if one is not None:
        target_of(one)
    if not isinstance(program, Program):
        name, data = read_source(program, None)
        handle, said = _parse(name, data)
        if handle is None:
            return Checked((each, said) for each in TARGETS) if everywhere else said
        program = Program(data, name)
    if everywhere:
        return Checked((each, program.check(each)) for each in TARGETS)
    return program.check(one)
