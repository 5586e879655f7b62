"""What notebooks show: programs with their findings at the lines, findings, and tiles as coloured tables."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence

if TYPE_CHECKING:
    from .diagnostics import Diagnostic, Place

STYLE = """<style>
.ptog { font: 13px/1.45 ui-monospace, monospace; color: #1d2329; background: #fff; }
.ptog .source { border: 1px solid #d9dee4; overflow-x: auto; padding: 4px 0; }
.ptog .source div { white-space: pre; padding: 0 8px; }
.ptog .number { color: #8a94a0; display: inline-block; width: 3em; text-align: right; margin-right: 1em; }
.ptog .line.error { background: #fdeceb; } .ptog .line.warning { background: #fff6dd; } .ptog .line.note { background: #eaf4fd; }
.ptog .finding { border-left: 4px solid #5c6773; margin: 4px 0 4px 4em; padding: 2px 8px; background: #f6f8fa; white-space: pre-wrap; }
.ptog .finding.error { border-color: #c62828; } .ptog .finding.warning { border-color: #b57a00; } .ptog .finding.note { border-color: #1f6fb2; }
.ptog .finding b.error { color: #c62828; } .ptog .finding b.warning { color: #b57a00; } .ptog .finding b.note { color: #1f6fb2; }
.ptog .clean { color: #1b7f3b; }
.ptog .op { color: #7a3e9d; } .ptog .value { color: #0b5394; } .ptog .type { color: #2f6f4f; } .ptog .comment { color: #8a94a0; } .ptog .text { color: #a0522d; }
.ptog table.tile { border-collapse: collapse; width: auto; margin: 4px 0; } .ptog table.tile td { padding: 1px 6px; text-align: right; border: 1px solid #e6eaee; }
.ptog table.tile td.padding { background: repeating-linear-gradient(45deg, #e6eaee 0 3px, #fff 3px 7px); min-width: 2em; }
.ptog .hint { color: #5c6773; }
</style>"""

TOKEN = re.compile(r"""(?P<comment>//.*)|(?P<text>"[^"\n]*")|(?P<value>%[\w$.\-]+)|(?P<type>[!\#][\w.]+)"""
                   r"""|(?P<op>\b(?:pto|arith|scf|func|builtin|memref|cf)\.[\w.]+|\bmodule\b|\breturn\b|\bt?m?gather[\w.]*)""")

MAX_ROWS, MAX_COLS = 24, 24  # of a tile that is shown
MAX_LINES = 400               # of a program that is shown


def page(inner: str) -> str:
    return f"{STYLE}<div class='ptog'>{inner}</div>"


def highlighted(line: str) -> str:
    """One line of a program with its words in colours."""
    parts, end = [], 0
    for match in TOKEN.finditer(line):
        parts += [escape(line[end:match.start()]), f"<span class='{match.lastgroup}'>{escape(match[0])}</span>"]
        end = match.end()
    return "".join(parts) + escape(line[end:])


def distinct(findings: Iterable["Diagnostic"]) -> list["Diagnostic"]:
    """What several targets say alike, once."""
    return list({(item.id, item.place.in_program, item.message): item for item in findings}.values())


def _at(place: "Place") -> str:
    return f"{escape(place.file or '-')}:{place.line}" if place.generated else f"line {place.line}"


def finding(diagnostic: "Diagnostic") -> str:
    kind = escape(diagnostic.severity)
    lines = [f"<b class='{kind}'>{kind}</b> {escape(diagnostic.message)} <code>[{escape(diagnostic.id)}]</code>"]
    if diagnostic.place.generated:
        lines[0] = f"<code>{escape(diagnostic.file or '-')}:{diagnostic.line}</code> {lines[0]}"
    lines += [f"{_at(one.place)}: {escape(one.message)}" for one in diagnostic.related if one.place.line]
    for name in ("fix", "witness"):
        value = getattr(diagnostic, name)
        if value:
            lines.append(f"{name}: {escape(value)}")
    return f"<div class='finding {kind}'>" + "\n".join(lines) + "</div>"


def program(text: str, findings: Iterable["Diagnostic"] = ()) -> str:
    """A program, each finding below its line; those without a line come first."""
    at: dict[int, list["Diagnostic"]] = {}
    for item in distinct(findings):
        at.setdefault(item.place.in_program.line, []).append(item)
    lines = text.splitlines()
    shown = [finding(item) for item in at.get(0, [])] + ["<div class='source'>"]
    for number, line in enumerate(lines[:MAX_LINES], 1):
        here = at.get(number, [])
        order = ("note", "warning", "error")
        worst = max((item.severity for item in here), key=order.index, default="")
        shown.append(f"<div class='line {worst}'><span class='number'>{number}</span>{highlighted(line)}</div>")
        shown += [finding(item) for item in here]
    if len(lines) > MAX_LINES:
        shown.append(f"<div class='hint'>... {len(lines) - MAX_LINES} more lines</div>")
    return page("".join(shown) + "</div>")


def _colour(number: Optional[float], least: float, most: float) -> str:
    """Blue for the least, white in the middle, red for the most."""
    if number is None or not most > least:
        return ""
    part = (number - least) / (most - least)
    red, blue = (255, int(255 - 170 * (2 * part - 1))) if part > 0.5 else (int(255 - 170 * (1 - 2 * part)), 255)
    green = int(255 - 130 * abs(2 * part - 1))
    return f" style='background:rgb({red},{green},{blue})'"


def _cell(text: str, number: Optional[float], least: float, most: float) -> str:
    return f"<td{_colour(number, least, most)}>{escape(text)}</td>"


def tile(title: str, texts: Sequence[Sequence[str]], numbers: Sequence[Sequence[Any]], rows: int, cols: int) -> str:
    """A table of what is valid, with a scale of colours; the padding up to rows x cols is hatched."""
    finite = [x for row in numbers for x in row if x == x and abs(x) != float("inf")]
    least, most = (min(finite), max(finite)) if finite else (0.0, 0.0)
    body = []
    for r in range(min(rows, MAX_ROWS)):
        cells = []
        for c in range(min(cols, MAX_COLS)):
            if r < len(texts) and c < len(texts[r]):
                number = numbers[r][c]
                known = number == number and abs(number) != float("inf")
                cells.append(_cell(texts[r][c], number if known else None, least, most))
            else:
                cells.append("<td class='padding'></td>")
        body.append("<tr>" + "".join(cells) + "</tr>")
    cut = rows > MAX_ROWS or cols > MAX_COLS
    hint = f"<div class='hint'>the first {min(rows, MAX_ROWS)} x {min(cols, MAX_COLS)} of {rows} x {cols}</div>" if cut else ""
    return page(f"<div>{escape(title)}</div><table class='tile'>{''.join(body)}</table>{hint}")


def frame(document: str, height: int = 520) -> str:
    """A whole page inside another one."""
    return (f"<iframe srcdoc=\"{escape(document, quote=True)}\" style='width:100%;height:{height}px;border:1px solid "
            f"#d9dee4' sandbox='allow-scripts'></iframe>")
