"""Checking a program without running it, on one target or on all."""

from __future__ import annotations

from html import escape
from typing import Dict, Literal, Optional, Tuple, Union, overload

from . import html
from ._library import TARGETS, target_of
from .diagnostics import Diagnostics
from .literals import Target
from .program import Program, Source, parse_program, read_source


class Checked(Dict[Target, Diagnostics]):
    """What `check(..., target="all")` gives: the diagnostics by target."""

    @property
    def accepted_by(self) -> Tuple[Target, ...]:
        return tuple(name for name, found in self.items() if found.verdict != "failed")

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
        handle, said = parse_program(name, data)
        if handle is None:
            return Checked((each, said) for each in TARGETS) if everywhere else said
        program = Program(data, name)
    if everywhere:
        return Checked((each, program.check(each)) for each in TARGETS)
    return program.check(one)
