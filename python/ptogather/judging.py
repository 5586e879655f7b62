"""What the findings of a run amount to: passed, failed or not judged; and the targets that a program is judged on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from .literals import Target, Verdict

if TYPE_CHECKING:
    from .diagnostics import Diagnostic, Diagnostics

DEVICES: Tuple[Target, ...] = ("a2a3", "a5")
"""A program that names no target, in a run that names none, is judged on these."""

_EMPTY = "run-empty"  # of a run that executed no instruction
_ORDER: Tuple[Verdict, ...] = ("passed", "not judged", "failed")


def verdict_of(items: Iterable["Diagnostic"], allow_empty: bool = False, allow_unjudged: bool = False) -> Verdict:
    """As ptog_diags_verdict; what is allowed does not count."""
    verdict: Verdict = "passed"
    for item in items:
        if item.unjudged:
            if not (allow_empty if item.id == _EMPTY else allow_unjudged):
                verdict = "not judged"
        elif item.severity == "error":
            return "failed"
    return verdict


def worst_verdict(judged: Iterable["Diagnostics"], allow_empty: bool, allow_unjudged: bool) -> Verdict:
    """The verdict over several targets."""
    return max((verdict_of(said, allow_empty, allow_unjudged) for said in judged), key=_ORDER.index)
