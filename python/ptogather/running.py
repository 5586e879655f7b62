"""Running a program, and repairing one."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple, Union

from ._library import Output, lib, short, switch
from .arrays import copied
from .bind import Bindings
from .collector import Collector, Judged, take_judged
from .diagnostics import refused, status_error
from .execution import Executed, Execution, execute, kept_trace
from .judging import DEVICES
from .literals import Launch, Schedule, Target
from .program import Program, Source, as_program
from .result import Result
from .synthetic import complete


def _bound(program: Program, function: Optional[str], target: Optional[Target], given: Mapping[str, Any]) -> Bindings:
    """The arguments that are given. What is wrong with the program itself is reported before what is wrong with them."""
    try:
        return Bindings(program, function, given)
    except (TypeError, ValueError):
        found = program.check(target)
        if any(item.refuses for item in found.errors):
            raise refused("check", found, program.name) from None
        raise


def _judge(execution: Execution, target: Optional[Target], bindings: Bindings, trace: int) -> Tuple[Executed, Judged]:
    """The run that gives the bytes, and what was found. Without a target, devices judge the program on copies of what
    it stores to, and the bytes are those of host, or of a device when host refuses what that one accepts."""
    if target is not None:
        ran = execute(execution, target, bindings, trace)
        found = ran.diags.take(target)
        return ran, Judged(found, {target: found}, {})
    devices = [execute(execution, device, bindings.apart()) for device in DEVICES]
    judged = take_judged(execution.program.name, {one.target: (one.diags, one.accepted) for one in devices})
    accepted = [one.target for one in devices if one.accepted]
    if not accepted:
        return devices[0], judged
    ran = execute(execution, "host", bindings, trace)
    return (ran if ran.accepted else execute(execution, accepted[0], bindings, trace)), judged


def run(program: Source, target: Optional[Target] = None, *, function: Optional[str] = None,
        inputs: Optional[Mapping[str, Any]] = None, blocks: int = 1, schedule: Schedule = "cost", seed: int = 0,
        dyn_ub: int = 0, launch: Launch = "standard", sanitize: bool = True, max_steps: int = 0,
        max_work: int = 0, max_memory: int = 0, late: Any = (), trace: Union[bool, int] = True, generate: bool = True,
        allow_empty: bool = False, allow_unjudged: bool = False, **arrays: Any) -> Result:
    """Checks a program, then runs it with arrays for its arguments, bound by name (or in `inputs`, for names that are
    options here). On a2a3, a5 and a5-custom it runs on the machine, and its races are proved for all timings. A program
    that names no target is judged on a2a3 and a5, when `target` names none either, and its bytes are those of host.

    An array that the program stores to is written in place. What is not given is generated, as by the command, unless
    `generate` is False; a text such as "zeros", "arange", "random:7", "full:2.5" or "repeat:1,2,3" says how. A program
    that is refused raises Refused. One that runs gives a Result, whatever the verdict: `clean`, `diagnostics`,
    `outputs`, `tiles`, `stats`, `report`, `save_trace`. A run that executes nothing, or that was not judged to its end,
    is not clean, unless `allow_empty` or `allow_unjudged`. `max_steps` (operations), `max_work` (bytes that they touch)
    and `max_memory` (bytes that simulating them takes) end a run that exceeds them; 0 is the default of the command.
    `trace` is whether, or how many bytes of, the timeline are kept; without it a long run is faster.

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
    given, kept = {**mapping(inputs), **arrays}, kept_trace(trace)
    allowed = {"allow_empty": switch(allow_empty, "allow_empty"), "allow_unjudged": switch(allow_unjudged, "allow_unjudged")}
    execution = Execution(program, function, {
        "blocks": blocks, "schedule": schedule, "seed": seed, "dyn_ub": dyn_ub, "launch": launch, "sanitize": sanitize,
        "max_steps": max_steps, "max_work": max_work, "max_memory": max_memory, "late": late})
    named = target if target is not None else program.target
    execution.on(named, None)  # an unknown target is reported before anything runs
    bindings = _bound(program, function, named, given)
    made = complete(execution, named, bindings, given, switch(generate, "generate"))
    ran, judged = _judge(execution, named, bindings, kept)
    if ran.handle is None and judged.diagnostics.verdict == "failed":
        raise refused(f"run on {' and '.join(judged.judged)}", judged.diagnostics, program.name)
    bindings.finish()
    return Result(program, ran, judged, bindings, made, checked=bool(sanitize), **allowed)


def mapping(inputs: Any) -> Mapping[str, Any]:
    """The arguments that a caller gives in a dict."""
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping) or not all(isinstance(name, str) for name in inputs):
        raise TypeError(f"inputs: expected a dict of arrays by name, not {short(inputs)}")
    return inputs


def repair(program: Source, target: Optional[Target] = None, *, function: Optional[str] = None,
           inputs: Optional[Mapping[str, Any]] = None, **arrays: Any) -> Program:
    """The program with its flags and barriers repaired, every other line as it was.

    It is run to find them, with the arrays that are given and generated ones for the rest; no array is changed.

    >>> import ptogather as pg
    >>> text = '''func.func @copy(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
    ...   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   pto.tload ins(%a) outs(%t)
    ...   pto.barrier <PIPE_V>
    ...   pto.tstore ins(%t) outs(%b)
    ...   return
    ... }'''
    >>> pg.run(text, "a5").clean
    False
    >>> fixed = pg.repair(text, target="a5")
    >>> print(*(line for line in str(fixed).splitlines() if "flag" in line), sep="\\n")
      pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
      pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]
    """
    program = as_program(program)
    given = {**mapping(inputs), **arrays}
    execution = Execution(program, function, {})
    execution.on(target, None)
    # arrays that can be written are written while the flags are looked for, and restored: a copy keeps other threads
    # from seeing that
    bindings = _bound(program, function, target, {name: copied(value) for name, value in given.items()})
    complete(execution, target, bindings, {})
    output, diags = Output(), Collector()
    status = lib.ptog_program_repair(program._handle, execution.on(target, bindings), output.sink, diags.handle)
    if status == lib.PTOG_ILLEGAL:
        raise refused("repair", diags.take(target or program.target or "host"), program.name)
    if status != lib.PTOG_OK:
        raise status_error(status, "repair")
    return Program(output.bytes(), program.name)
