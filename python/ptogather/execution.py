"""One execution of a program on one target: its options, what it is bound to, and what comes back from C."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional

from ._library import Output, constants, ffi, lib, number_of, short, switch, target_of, whole
from .bind import Bindings
from .collector import Collector
from .diagnostics import status_error
from .literals import Target
from .program import Program, target_or_null

DEFAULTS: Mapping[str, Any] = {"blocks": 1, "schedule": "cost", "seed": 0, "dyn_ub": 0, "launch": "standard",
                               "sanitize": True, "max_steps": 0, "max_work": 0, "max_memory": 0, "late": ()}
_MAX_TRACE = 64 << 20  # bytes of the timeline that a result keeps unless another number is given


def kept_trace(trace: Any) -> int:
    """How many bytes of the timeline are kept: True is enough for some hundred thousand instructions."""
    if trace is True:
        return _MAX_TRACE
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


class Execution:
    """struct ptog_execution, and what it points to. Options that are not given are as C has them."""

    def __init__(self, program: Program, function: Optional[str], options: Mapping[str, Any]) -> None:
        chosen = {**DEFAULTS, **options}
        self.program = program
        self.struct = ffi.new("struct ptog_execution *")
        self._name, self._late = program._function(function), latencies(chosen["late"])
        struct = self.struct
        struct.function = self._name
        struct.blocks = whole(chosen["blocks"], "blocks", 1, 2**31 - 1)
        for limit in ("max_steps", "max_work", "max_memory"):
            setattr(struct, limit, whole(chosen[limit], limit, 0, 2**63 - 1))
        struct.schedule = number_of("ptog_schedule", chosen["schedule"], "schedule")
        struct.launch = number_of("ptog_launch", chosen["launch"], "launch")
        struct.seed = whole(chosen["seed"], "seed", 0, 2**64 - 1)
        struct.dyn_ub = whole(chosen["dyn_ub"], "dyn_ub", 0, 2**63 - 1)
        struct.no_sanitize = not switch(chosen["sanitize"], "sanitize")
        struct.late, struct.late_count = self._late, len(self._late)

    def on(self, target: Optional[Target], bindings: Optional[Bindings]) -> Any:
        """The struct for a target (None: the program's own, or host) and arguments."""
        self.struct.target = target_or_null(target)
        self.struct.bindings = bindings.list if bindings else ffi.NULL
        self.struct.binding_count = bindings.count if bindings else 0
        return self.struct


class Executed(NamedTuple):
    """What an execution left behind."""

    target: Target
    accepted: bool
    """The target takes the program; else it is refused, and nothing ran."""
    handle: Any
    """ptog_result; None: it did not run to its end."""
    diags: Collector
    timeline: Optional[Output]


def execute(execution: Execution, target: Target, bindings: Bindings, trace: int = 0) -> Executed:
    """Checks and runs the program on a target; `trace` is how many bytes of the timeline are kept."""
    timeline = Output(trace) if trace and target_of(target).ub_bytes else None
    struct, started = execution.on(target, bindings), ffi.new("bool *")
    struct.trace = timeline.sink if timeline else ffi.NULL
    struct.started, struct.trace_drawings = started, timeline is not None
    diags, result = Collector(), ffi.new("ptog_result **")
    status = lib.ptog_program_run(execution.program._handle, struct, diags.handle, result)
    struct.started, struct.trace, struct.trace_drawings = ffi.NULL, ffi.NULL, False
    handle = ffi.gc(result[0], lib.ptog_result_free) if result[0] != ffi.NULL else None
    if status not in (lib.PTOG_OK, lib.PTOG_FAULT, lib.PTOG_ILLEGAL):
        raise status_error(status, f"run on {target}")
    ran = status != lib.PTOG_ILLEGAL
    return Executed(target, bool(started[0]), handle if ran else None, diags, timeline)
