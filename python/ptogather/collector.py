"""Diagnostics from C: lists of them while they are filled, and the objects that are made of them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple

from ._library import Output, documented, ffi, fields, lib, name_bytes, targets_in, text_of
from .diagnostics import Diagnostic, Diagnostics, Place, Related, Step
from .literals import Target
from .sources import read_below


def _place(where: SimpleNamespace) -> Place:
    """The author's own line where it is known, else the line of the program."""
    place = Place(where.file, where.line, where.column, where.end_column, where.text)
    lines = []
    origin = where.origin
    while origin != ffi.NULL:
        lines.append(Place(text_of(origin.file), origin.line, origin.column, origin.end_column, text_of(origin.text)))
        origin = origin.origin
    return replace(lines[0], generated=place, callers=tuple(lines[1:])) if lines else place


_KNOWN = {"id", "severity", "message", "fix", "operand", "refuses", "documented", "accepted_by", "where", "related", "count",
          "witness", "unjudged"}


def _line(write: Any, step: Any) -> str:
    """What ptog_fix_words or ptog_fix_statement says of a step."""
    room = write(step, ffi.NULL, 0) + 1
    text = ffi.new("char[]", room)
    write(step, text, room)
    return text_of(text) or ""


def _step(step: Any) -> Step:
    found = fields(step)
    return Step(found["kind"], found["side"], _place(found["where"]), found["src"], found["dst"], int(found["id"]),
                _line(lib.ptog_fix_statement, step), _line(lib.ptog_fix_words, step), int(found["from_line"]))


def _diagnostic(entry: Any, report: str, target: Optional[Target]) -> Diagnostic:
    found = fields(entry)
    steps = tuple(_step(entry.fix + i) for i in range(entry.fix_count))
    return Diagnostic(
        id=found["id"], severity=found["severity"], message=found["message"], operand=found["operand"],
        fix="\n".join(map(str, steps)) or None, steps=steps, refuses=bool(found["refuses"]),
        documented=documented(found["documented"]), accepted_by=targets_in(found["accepted_by"]), place=_place(found["where"]),
        related=tuple(Related(one.message, _place(one.where)) for one in found["related"]),
        count=max(int(found["count"]), 1), witness=found["witness"], report=report,
        unjudged=bool(found["unjudged"]), target=target,
        more={name: value for name, value in found.items() if name not in _KNOWN})


def _blocks(report: str, count: int) -> Tuple[str, ...]:
    """The report cut into one block per diagnostic: each starts with the only line that is not indented."""
    blocks: list[str] = []
    for line in report.splitlines(keepends=True):
        if line[0] != " " or not blocks:
            blocks.append(line)
        else:
            blocks[-1] += line
    return tuple(block.rstrip("\n") for block in blocks) if len(blocks) == count else ("",) * count


class Judged(NamedTuple):
    """What was found of a program on several targets: all of it, by target, and why others refuse the program."""

    diagnostics: Diagnostics
    judged: Dict[Target, Diagnostics]
    refused_by: Dict[Target, Diagnostics]


class Collector:
    """A list of diagnostics in C while it is filled; `take` makes objects of it."""

    def __init__(self) -> None:
        self.handle = ffi.gc(lib.ptog_diags_new(), lib.ptog_diags_free)
        if self.handle == ffi.NULL:
            raise MemoryError("out of memory")

    def _quote(self) -> None:
        """Gives the list the authors' own files that loc(...) names, for the report to show their lines."""
        i = 0
        while (file := lib.ptog_diags_file_at(self.handle, i)) != ffi.NULL:
            text, i = read_below(ffi.string(file)), i + 1
            if text is not None and not lib.ptog_diags_quote(self.handle, file, text, len(text)):
                raise MemoryError("out of memory")

    def take(self, target: Optional[Target] = None) -> Diagnostics:
        """What was found on a target."""
        self._quote()
        count = lib.ptog_diags_count(self.handle)
        report, as_json, as_sarif = Output(), Output(), Output()
        lib.ptog_report_text(self.handle, report.sink)
        lib.ptog_report_json(self.handle, target.encode() if target else ffi.NULL, as_json.sink)
        lib.ptog_report_sarif(self.handle, as_sarif.sink)
        blocks = _blocks(str(report), count)
        items = [_diagnostic(lib.ptog_diags_at(self.handle, i), blocks[i], target) for i in range(count)]
        return Diagnostics(items, str(report), target, int(lib.ptog_diags_suppressed(self.handle)), str(as_json), str(as_sarif))


def take_judged(name: str, lists: Mapping[Target, Tuple[Collector, bool]]) -> Judged:
    """What was found of a program on several targets, each with whether the target accepts it. One that refuses the
    program does not decide when another one accepts it: in the report it is a note, "not for a2a3: ..."."""
    accepted = any(accepts for _, accepts in lists.values())
    judged: Dict[Target, Diagnostics] = {}
    refused_by: Dict[Target, Diagnostics] = {}
    for target, (collector, accepts) in lists.items():
        found = collector.take(target)
        if accepts or not accepted or found.verdict != "failed":
            judged[target] = found
        else:
            refused_by[target] = found
            if not lib.ptog_diags_not_for(collector.handle, target.encode()):
                raise MemoryError("out of memory")
    return Judged(_take_all(name, {target: collector for target, (collector, _) in lists.items()}), judged, refused_by)


def _take_all(name: str, lists: Mapping[Target, Collector]) -> Diagnostics:
    """The findings of all targets, in one report."""
    found = [collector.take(target) for target, collector in lists.items()]
    file, targets = ffi.new("char[]", name_bytes(name, "name")), [ffi.new("char[]", target.encode()) for target in lists]
    checked = ffi.new("struct ptog_checked[]", [{"file": file, "target": target, "diags": collector.handle}
                                                for target, collector in zip(targets, lists.values())])
    report, as_json, as_sarif = Output(), Output(), Output()
    lib.ptog_report_text_all(checked, len(found), report.sink)
    lib.ptog_report_json_all(checked, len(found), as_json.sink)
    lib.ptog_report_sarif_all(checked, len(found), ffi.NULL, as_sarif.sink)
    return Diagnostics([item for said in found for item in said], str(report), None, max(said.suppressed for said in found),
                       str(as_json), str(as_sarif))


def lane_diagnostics(fault: Any, target: Target) -> Diagnostics:
    """What a run says about single lanes, errors and warnings."""
    report = Output()
    lib.ptog_report_fault(fault, report.sink)
    lines = iter(str(report).splitlines())
    items = []
    for kind in range(len(fault.of)):
        info = lib.ptog_fault_info_at(kind)
        if info == ffi.NULL or fault.of[kind].count == 0:
            continue
        about = fields(info)
        line = next(lines, "")
        message = line.split(": ", 1)[-1].rsplit(" [", 1)[0] or about["what"]
        items.append(Diagnostic(id=about["id"], severity=about["severity"], message=message,
                                documented=documented(about["documented"]), count=int(fault.of[kind].count), report=line,
                                target=target))
    return Diagnostics(items, str(report), target)
