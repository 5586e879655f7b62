"""The figures of a run on the machine."""

from __future__ import annotations

from dataclasses import dataclass, fields as attributes_of
from typing import TYPE_CHECKING, Any, Tuple

from ._library import constants, ffi, fields, lib, nearest, text_of


@dataclass(frozen=True, repr=False)
class Stats:
    """The figures of a run on the machine, summed over its cores; `cycles` is that of the slowest core. Every figure is
    an estimate: counts are those of the model, cycles come from its cost table."""

    cycles: float
    mhz: float
    instructions: int
    sets: int
    waits: int
    barriers: int
    wait_cycles: float
    """Of S and the queues, held by flags."""
    busy_cycles: Tuple[float, ...]
    """By pipe: S, V, MTE2, MTE3."""
    dmas: int
    bursts: int
    dropped_bursts: int
    gm_read_bytes: int
    gm_write_bytes: int
    scalar_loads: int
    scalar_stores: int
    launches: int
    warps: int
    idle_lanes: int
    transactions: int
    transaction_bytes: int
    ub_top: int
    """The highest byte of the on-chip buffer that a tile reached, plus one."""
    inserted: int
    """Pairs of flags, and barriers, that automatic mode added."""
    ub_static: int
    line_hits: int
    policy_steps: int
    most_outstanding: int
    core_cycles: float
    """Cycles of all cores together."""
    figures: Tuple[Tuple[str, str], ...]
    """The lines that `ptog run --stats` prints, as names and texts."""

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            known = [one.name for one in attributes_of(Stats)]
            raise AttributeError(f"unknown figure {name!r}{nearest(name, known)}")

    def __repr__(self) -> str:
        return "\n".join(f"{name:13} {text}" for name, text in self.figures)


def stats_of(struct: Any) -> Stats:
    """The figures in a struct ptog_stats, whose fields have the names of the attributes."""
    lines = ffi.new("struct ptog_figure[]", constants["PTOG_MAX_FIGURES"])
    count = lib.ptog_report_figures(struct, lines)
    figures = tuple((text_of(lines[i].name) or "", text_of(lines[i].text) or "") for i in range(count))
    return Stats(figures=figures, **fields(struct))
