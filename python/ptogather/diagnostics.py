"""Diagnostics as objects, and the exceptions and warnings that carry them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Iterator, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

from . import html
from ._library import lib, text_of
from .judging import verdict_of
from .literals import Severity, Target, Verdict


@dataclass(frozen=True)
class Place:
    """A place in a text: lines and columns start at 1, the end is exclusive, line 0 is no place."""

    file: Optional[str]
    line: int
    column: int
    end_column: int
    text: Optional[str]
    generated: Optional[Place] = None
    """The line of the program, where this place is the author's own line that loc(...) names."""
    callers: Tuple[Place, ...] = ()
    """The lines that call the author's own line, from the innermost on."""

    @property
    def in_program(self) -> Place:
        """The place in the text of the program."""
        return self.generated or self


@dataclass(frozen=True)
class Related:
    """Another place that has to do with a diagnostic: "written here"."""

    message: str
    place: Place


@dataclass(frozen=True)
class Step:
    """One step of a fix: a flag, a barrier or a flush of the data cache of S, and where it goes, or only words."""

    kind: Literal["words", "set", "wait", "barrier", "flush", "fence"]
    side: Literal["anywhere", "before", "after", "instead", "remove"]
    place: Place
    src: str
    dst: str
    id: int
    statement: str
    words: str
    from_line: int = 0
    """Of a statement that is moved: its line now. 0: the statement is new."""

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Diagnostic:
    """One finding: what, how severe, where, and what would fix it."""

    id: str
    severity: Severity
    message: str
    fix: Optional[str] = None
    steps: Tuple[Step, ...] = ()
    """The fix as data, one step to a line of `fix`."""
    operand: Optional[str] = None
    refuses: bool = False
    documented: Optional[str] = None
    accepted_by: Tuple[Target, ...] = ()
    place: Place = Place(None, 0, 0, 0, None)
    related: Tuple[Related, ...] = ()
    count: int = 1
    witness: Optional[str] = None
    unjudged: bool = False
    """Something was not examined: without an error, the verdict is "not judged"."""
    target: Optional[Target] = None
    """The target that it was found on."""
    report: str = ""
    """The block of text that the command prints for it, with the line and a caret."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What the library's struct ptog_diag has besides, by its names."""

    @property
    def line(self) -> int:
        return self.place.line

    @property
    def column(self) -> int:
        return self.place.column

    @property
    def file(self) -> Optional[str]:
        return self.place.file

    def __str__(self) -> str:
        return self.report or f"{self.severity}: {self.message} [{self.id}]"

    def _repr_html_(self) -> str:
        return html.page(html.finding(self))


class Diagnostics(Sequence[Diagnostic]):
    """What was found, in order; `str` is the report that the command prints, with carets.

    >>> import ptogather as pg
    >>> found = pg.check("%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x3xi32>) -> !pto.tile<3x8xf32>",
    ...                  target="a2a3")
    >>> found.clean, found[0].id, found[0].severity
    (False, 'mgather-index-align', 'error')
    """

    def __init__(self, items: Sequence[Diagnostic], report: str = "", target: Optional[Target] = None, suppressed: int = 0,
                 json_text: str = "", sarif_text: str = "") -> None:
        self._items = tuple(items)
        self._report = report or "".join(f"{item}\n" for item in items)
        self._json, self._sarif = json_text, sarif_text
        self.target = target
        """The target that was checked or run on; None: several, or none."""
        self.suppressed = suppressed
        """How many findings the program itself suppresses, with `ptog: allow`; they are not listed."""

    @overload
    def __getitem__(self, key: int) -> Diagnostic: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Diagnostic]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Diagnostic, Sequence[Diagnostic]]:
        return self._items[key]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    @property
    def verdict(self) -> Verdict:
        """"passed": everything was examined, and there is no error. "not judged": there is none in what was examined,
        but something was not. "failed": there is an error."""
        return verdict_of(self)

    @property
    def clean(self) -> bool:
        """The verdict is "passed"; warnings and notes are fine."""
        return self.verdict == "passed"

    @property
    def errors(self) -> Tuple[Diagnostic, ...]:
        return tuple(item for item in self if item.severity == "error")

    @property
    def warnings(self) -> Tuple[Diagnostic, ...]:
        return tuple(item for item in self if item.severity == "warning")

    @property
    def ids(self) -> Tuple[str, ...]:
        return tuple(item.id for item in self)

    def json(self) -> Any:
        """The object that `--format json` prints."""
        return json.loads(self._json or '{"version":2,"target":null,"diagnostics":[],"programs":[]}')

    def sarif(self) -> Any:
        """A SARIF 2.1.0 log with one run, for code hosts and editors."""
        return json.loads(self._sarif or '{"version":"2.1.0","runs":[]}')

    def __str__(self) -> str:
        return self._report

    def __repr__(self) -> str:
        if not self:
            return f"Diagnostics(clean{f', {self.suppressed} suppressed' if self.suppressed else ''})"
        return f"Diagnostics({', '.join(self.ids[:8])}{', ...' if len(self) > 8 else ''})"

    def _repr_html_(self) -> str:
        found = "".join(html.finding(item) for item in html.distinct(self))
        return html.page(found or "<p class='clean'>clean</p>")


# ---- exceptions and warnings ------------------------------------------------------------------------------------------


class Error(Exception):
    """What the library refuses or finds wrong. `diagnostics` says what, `report` is the text with carets."""

    def __init__(self, message: str, diagnostics: Optional[Diagnostics] = None, result: Any = None) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics if diagnostics is not None else Diagnostics(())
        self.result = result

    @property
    def report(self) -> str:
        return str(self.diagnostics)


class Refused(Error):
    """The program or the operands are not legal on the target; nothing ran."""


class Fault(Error):
    """It ran, and some lanes did what no correct program does; `result` is what came out."""


class LaneWarning(UserWarning):
    """A run did what its author may not expect: a negative index was read as a very large one."""


def first_line(what: str, diagnostics: Diagnostics, name: str = "") -> str:
    """One line for an exception: the first error, and how many more there are. `name` is the program's."""
    errors = diagnostics.errors or tuple(diagnostics)
    if not errors:
        return f"{what}: {name}" if name else what
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    message = " ".join(errors[0].message.split())
    at = f"{errors[0].file or name}:{errors[0].line}: " if errors[0].line else f"{name}: " if name else ""
    return f"{what}: {at}{message} [{errors[0].id}]{more}"


def refused(what: str, diagnostics: Diagnostics, name: str = "") -> Refused:
    return Refused(first_line(what, diagnostics, name), diagnostics)


def status_error(status: int, what: str, **reasons: str) -> Exception:
    """The exception for a status that has no diagnostics; `reasons` by the status's word say it better."""
    for word, reason in reasons.items():
        if status == getattr(lib, "PTOG_" + word.upper()):
            return ValueError(reason)
    if status == lib.PTOG_NO_MEMORY:
        return MemoryError(f"{what}: out of memory")
    return ValueError(f"{what}: {text_of(lib.ptog_status_text(status))}")
