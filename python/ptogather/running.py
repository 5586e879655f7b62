"""Running a program, and repairing one."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple, Union

from ._library import Output, constants, ffi, lib, number_of, short, switch, target_of, whole
from .arrays import copied
from .bind import Bindings
from .diagnostics import Collector, refused, status_error
from .literals import Launch, Schedule, Target
from .program import Program, Source, as_program, target_or_null
from .result import Result
from .synthetic import synthetic_inputs

_DEFAULTS = {"blocks": 1, "schedule": "cost", "seed": 0, "dyn_ub": 0, "launch": "standard", "sanitize": True,
             "max_steps": 0, "late": ()}
_MOST_TRACE = 64 << 20  # bytes of the timeline that a result keeps unless it is told otherwise


def _execution(program: Program, target: Optional[Target], function: Optional[str], bindings: Bindings,
               options: Mapping[str, Any]) -> Tuple[Any, Any]:
    """struct ptog_execution, and what it points to. Options that are not given are as C has them."""
    chosen = {**_DEFAULTS, **options}
    execution = ffi.new("struct ptog_execution *")
    keep = [bindings, program._function(function)]
    execution.target = target_or_null(target)
    execution.function = keep[1]
    execution.bindings, execution.binding_count = bindings.list, bindings.count
    execution.blocks = whole(chosen["blocks"], "blocks", 1, 2**31 - 1)
    execution.max_steps = whole(chosen["max_steps"], "max_steps", 0, 2**63 - 1)
    execution.schedule = number_of("ptog_schedule", chosen["schedule"], "schedule")
    execution.launch = number_of("ptog_launch", chosen["launch"], "launch")
    execution.seed = whole(chosen["seed"], "seed", 0, 2**64 - 1)
    execution.dyn_ub = whole(chosen["dyn_ub"], "dyn_ub", 0, 2**63 - 1)
    execution.no_sanitize = not switch(chosen["sanitize"], "sanitize")
    late = latencies(chosen["late"])
    execution.late, execution.late_count = late, len(late)
    return execution, (*keep, late)


def kept_trace(trace: Any) -> int:
    """How many bytes of the timeline are kept: True is enough for some hundred thousand instructions."""
    if trace is True:
        return _MOST_TRACE
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


def run(program: Source, target: Optional[Target] = None, *, function: Optional[str] = None,
        inputs: Optional[Mapping[str, Any]] = None, blocks: int = 1, schedule: Schedule = "cost", seed: int = 0,
        dyn_ub: int = 0, launch: Launch = "standard", sanitize: bool = True, max_steps: int = 0,
        late: Any = (), trace: Union[bool, int] = True, **arrays: Any) -> Result:
    """Checks a program, then runs it with arrays for its arguments, bound by name (or in `inputs`, for names that are
    options here). On a2a3, a5 and a5-custom it runs on the machine, and its races are proved for all timings.

    An array that the program stores to is written in place; one that is not given is made, where the program says
    how large it is. A program that is refused raises Refused. One that runs gives a Result, right or wrong:
    `clean`, `diagnostics`, `outputs`, `tiles`, `stats`, `report`, `save_trace`. `trace` is whether, or how many bytes
    of, the timeline are kept; without it a long run is faster.

    >>> import numpy as np, ptogather as pg
    >>> text = '''func.func @embed(%table: !pto.partition_tensor_view<64x32xf32>, %idx: !pto.partition_tensor_view<1x16xi32>,
    ...                            %out: !pto.partition_tensor_view<16x32xf32>) {
    ...   %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
    ...   %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
    ...   pto.tload ins(%idx) outs(%i)
    ...   pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}
    ...   pto.tstore ins(%d) outs(%out)
    ...   return
    ... }'''
    >>> table = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    >>> r = pg.run(text, target="a2a3", table=table, idx=np.arange(16, dtype=np.int32)[::-1].copy(),
    ...            out=pg.empty((16, 32), "f32"))
    >>> r.clean, bool((r.outputs["out"] == table[15::-1]).all()), r.stats.cycles > 0
    (True, True, True)
    """
    program = as_program(program)
    given = {**mapping(inputs), **arrays}
    program._function(function)
    bindings = Bindings(program, function, given)
    options = {"blocks": blocks, "schedule": schedule, "seed": seed, "dyn_ub": dyn_ub, "launch": launch,
               "sanitize": sanitize, "max_steps": max_steps, "late": late}
    execution, keep = _execution(program, target, function, bindings, options)
    where = target or program.target or "host"
    most = kept_trace(trace)
    timeline = Output(most) if most and target_of(where).ub_bytes else None
    execution.trace = timeline.sink if timeline else ffi.NULL
    diags, result = Collector(), ffi.new("ptog_result **")
    status = lib.ptog_program_run(program._handle, execution, diags.handle, result)
    handle = ffi.gc(result[0], lib.ptog_result_free) if result[0] != ffi.NULL else None
    del keep
    if status == lib.PTOG_ILLEGAL:
        raise refused(f"run on {where}", diags.take(where), program.name)
    if status not in (lib.PTOG_OK, lib.PTOG_FAULT) or handle is None:
        raise status_error(status, "run")
    bindings.finish()
    return Result(program, where, handle, diags, bindings, timeline, bool(sanitize))


def mapping(inputs: Any) -> Mapping[str, Any]:
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping) or not all(isinstance(name, str) for name in inputs):
        raise TypeError(f"inputs: expected a dict of arrays by name, not {short(inputs)}")
    return inputs


def repair(program: Source, target: Optional[Target] = None, *, function: Optional[str] = None,
           inputs: Optional[Mapping[str, Any]] = None, **arrays: Any) -> Program:
    """The program with the flags and barriers that it lacks, every other line as it was.

    It is run to find them, with the arrays that are given and synthetic ones for the rest; no array is changed.

    >>> import ptogather as pg
    >>> text = '''func.func @copy(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
    ...   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   pto.tload ins(%a) outs(%t)
    ...   pto.barrier <PIPE_V>
    ...   pto.tstore ins(%t) outs(%b)
    ...   return
    ... }'''
    >>> pg.run(text, "a5", inputs=pg.synthetic_inputs(text)).clean
    False
    >>> fixed = pg.repair(text, target="a5")
    >>> print(*(line for line in str(fixed).splitlines() if "flag" in line), sep="\\n")
      pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
      pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
    """
    program = as_program(program)
    given = {**mapping(inputs), **arrays}
    slots = {slot.name for slot in program.slots(function)}
    made = {name: value for name, value in synthetic_inputs(program, function).items() if name not in given}
    # arrays that can be written are written while the flags are looked for, and restored: a copy keeps other threads
    # from seeing that
    bindings = Bindings(program, function, {**made, **{n: copied(v) if n in slots else v for n, v in given.items()}})
    execution, keep = _execution(program, target, function, bindings, {})
    output, diags = Output(), Collector()
    status = lib.ptog_program_repair(program._handle, execution, output.sink, diags.handle)
    del keep
    if status == lib.PTOG_ILLEGAL:
        raise refused("repair", diags.take(target or program.target or "host"), program.name)
    if status != lib.PTOG_OK:
        raise status_error(status, "repair")
    return Program(output.bytes(), program.name)
