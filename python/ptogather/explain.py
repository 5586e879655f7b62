"""Why: the page of every id that a diagnostic can have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Any, Iterator, Optional, Tuple

from . import html
from ._library import documented, ffi, fields, lib, name_bytes, nearest, short, targets_in, text_of
from .literals import Severity, Target


@dataclass(frozen=True)
class Explanation:
    """A rule, a fault or an erratum: what it says, why, where it is documented, a wrong and a right example."""

    id: str
    kind: str
    what: str
    severity: Optional[Severity] = None
    why: Optional[str] = None
    documented: Optional[str] = None
    targets: Tuple[Target, ...] = ()
    base: Optional[str] = None
    wrong: Optional[str] = None
    right: Optional[str] = None
    drawn_wrong: Optional[str] = None
    """Of a race or a flag: its pipes from left to right, and the arrow that is missing."""
    drawn_right: Optional[str] = None

    def __str__(self) -> str:
        lines = [f"{self.id}  ({self.severity or self.kind})", f"  what     {self.what}"]
        for name, value in (("why", self.why), ("source", self.documented), ("targets", ", ".join(self.targets))):
            if value:
                lines.append(f"  {name:8} {value}")
        for name in ("base", "wrong", "right"):
            parts = (getattr(self, name), getattr(self, "drawn_" + name, None))
            shown = "\n\n".join(part.rstrip("\n") for part in parts if part)
            if shown:
                lines += [f"  {name}", *(f"      {line}".rstrip() for line in shown.splitlines())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html.page(f"<pre>{escape(str(self))}</pre>")


def _rule(row: Any) -> Explanation:
    found = fields(row)
    return Explanation(found["id"], "rule", found["what"], found["severity"], found["why"],
                       documented(found["documented"]), targets_in(found["targets"]), found["base"], found["wrong"], found["right"])


def _text_rule(row: Any) -> Explanation:
    found = fields(row)
    return Explanation(found["id"], "rule of the text", found["what"], found["severity"], found["why"],
                       wrong=found["wrong"], right=found["right"])


def _fault(row: Any) -> Explanation:
    found = fields(row)
    return Explanation(found["id"], "fault", found["what"], found["severity"], found["why"],
                       documented(found["documented"]))


def _machine_fault(row: Any) -> Explanation:
    picture = lib.ptog_picture_find(row.id)
    if picture == ffi.NULL:
        return _fault(row)
    drawn = fields(picture)
    return replace(_fault(row), base=drawn["before"] if drawn["wrong"] else None, wrong=drawn["wrong"],
                   right=drawn["right"], drawn_wrong=drawn["drawn_wrong"], drawn_right=drawn["drawn_right"])


def _erratum(row: Any) -> Explanation:
    found = fields(row)
    rules = found["rules"]
    return Explanation(found["id"], "erratum", found["what"], why=f"it is behind {rules}" if rules else None)


_TABLES = ((lib.ptog_rule_at, lib.ptog_rule_find, _rule), (lib.ptog_text_rule_at, lib.ptog_text_rule_find, _text_rule),
           (lib.ptog_fault_info_at, lib.ptog_fault_info_find, _fault),
           (lib.ptog_machine_fault_at, lib.ptog_machine_fault_find, _machine_fault),
           (lib.ptog_erratum_at, lib.ptog_erratum_find, _erratum))


def ids() -> Iterator[str]:
    """Every id that `explain` knows."""
    for at, _, _ in _TABLES:
        i = 0
        while (row := at(i)) != ffi.NULL:
            yield text_of(row.id) or ""
            i += 1


def explain(id: str) -> Explanation:
    """What an id means, why it matters and where it is documented.

    >>> import ptogather as pg
    >>> print(pg.explain("mgather-index-align").what)
    The contiguous padded extent of the index tile is a multiple of 32 bytes.
    >>> pg.explain("race-ra")
    Traceback (most recent call last):
    ValueError: id: 'race-ra' is not known; did you mean 'race-raw'?
    """
    if not isinstance(id, str):
        raise TypeError(f"id: expected a str, not {short(id)}")
    name = name_bytes(id, "id")
    for _, find, make in _TABLES:
        row = find(name)
        if row != ffi.NULL:
            return make(row)
    raise ValueError(f"id: {short(id)} is not known{nearest(id, ids())}")
