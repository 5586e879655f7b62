"""Comparing a program with numpy code."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Mapping, Optional

import numpy as np

from ._library import short
from .arrays import borrow, copied, numbers_of
from .elements import FloatArray, format_element
from .literals import Target
from .program import Program, Source, as_program
from .result import Result
from .running import mapping, run
from .synthetic import complete_inputs
from .walk import origin_of

__all__ = ["assert_same"]


def _expected(reference: Callable[..., Any], inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the reference says, by output: it takes the inputs by name, those that its parameters name."""
    try:
        parameters = inspect.signature(reference).parameters
    except (TypeError, ValueError):
        parameters = None  # of a function in C
    given = {name: value for name, value in inputs.items() if name not in outputs}
    if parameters is not None and not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        missing = [name for name, p in parameters.items()
                   if p.default is p.empty and name not in inputs and p.kind is not p.VAR_POSITIONAL]
        if missing:
            raise TypeError(f"reference: it expects {missing[0]!r}, and the program has {', '.join(inputs) or 'nothing'}")
        given = {name: inputs[name] for name in parameters if name in inputs}
    said = reference(**given)
    if isinstance(said, Mapping):
        return dict(said)
    if len(outputs) != 1:
        raise TypeError(f"reference: the program has {len(outputs)} outputs ({', '.join(outputs)}): return a dict of them")
    return {next(iter(outputs)): said}


def _differs(got: Any, wanted: Any, rtol: float, atol: float) -> Any:
    """Which elements are not the same; NaN is the same as NaN. Without tolerance bits of the same type are compared."""
    a, b = numbers_of(got, "output"), numbers_of(wanted, "reference")
    b = np.broadcast_to(b, a.shape) if b.ndim == 0 else b
    if rtol == 0 and atol == 0:
        return ~((a == b) | ((a != a) & (b != b)))
    return ~np.isclose(a.astype(np.float64), b.astype(np.float64), rtol=rtol, atol=atol, equal_nan=True)


def _text(array: Any, where: Any) -> str:
    if isinstance(array, FloatArray):
        return format_element(array.dtype, array.bits[where].tobytes())
    source = borrow(array, "reference")
    if source.element is None:
        return str(source.data[where])
    return format_element(source.element, source.data[where].tobytes())


def _source(program: Program, result: Result, name: str, where: Any) -> list[str]:
    """The lines of the program that the lane comes from, and its index."""
    origin, lines = origin_of(program, name), program.text.splitlines()
    said = []
    for op, word in ((origin.maker, "made"), (origin.store, "stored")):
        if op is not None and 0 < op.line <= len(lines):
            said.append(f"  {word} at {program.name}:{op.line}: {lines[op.line - 1].strip()}")
    if origin.by is not None and origin.by in result.tiles:
        index, shape = np.asarray(result.tiles[origin.by]), result.outputs[name].shape
        if index.shape == shape:  # one for each element
            said.append(f"  its index is {origin.by}[{', '.join(map(str, where))}] = {index[where]}")
        elif shape and index.size == shape[0]:  # one for each row
            said.append(f"  its index is {origin.by}[{where[0]}] = {index.reshape(-1)[where[0]]}")
    return said


def assert_same(program: Source, reference: Callable[..., Any], target: Optional[Target] = None, *, rtol: float = 0.0,
                atol: float = 0.0, function: Optional[str] = None, seed: int = 0,
                inputs: Optional[Mapping[str, Any]] = None, **arrays: Any) -> Result:
    """Runs a program and compares its outputs with those of numpy code; gives the result of the run.

    `reference` is called with the inputs by name and returns the output, or a dict of outputs. Inputs that are not
    given are generated. The AssertionError names the first lane that differs, its index, and where it comes from.
    A run that is not clean is an AssertionError, too.

    >>> import numpy as np, ptogather as pg
    >>> text = '''func.func @f(%table: !pto.partition_tensor_view<64x32xf32>, %idx: !pto.partition_tensor_view<1x16xi32>,
    ...                        %out: !pto.partition_tensor_view<16x32xf32>) {
    ...   %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
    ...   %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
    ...   pto.tload ins(%idx) outs(%i)
    ...   pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}
    ...   pto.tstore ins(%d) outs(%out)
    ...   return
    ... }'''
    >>> pg.assert_same(text, reference=lambda table, idx: table[idx[0]], target="a2a3")
    <ptogather.Result '<text>' on a2a3: clean>
    >>> def but_one(table, idx):
    ...     rows = table[idx[0]]
    ...     rows[3, 5] = 0.5
    ...     return rows
    >>> pg.assert_same(text, but_one, table=np.ones((64, 32), np.float32), idx=np.full((1, 16), 37, np.int32))
    Traceback (most recent call last):
    AssertionError: out[3, 5] is 1, and the reference says 0.5; 1 of 512 elements differ
      made at <text>:6: pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}
      stored at <text>:7: pto.tstore ins(%d) outs(%out)
      its index is i[3] = 37
    """
    if not callable(reference):
        raise TypeError(f"reference: expected a function, not {short(reference)}")
    program = as_program(program)
    given = complete_inputs(program, target, function, {**mapping(inputs), **arrays}, seed)
    before = {name: copied(value) for name, value in given.items()}
    result = run(program, target, function=function, inputs=given)
    if not result.clean:
        raise AssertionError(result.why_not_clean())
    for name, wanted in _expected(reference, before, result.outputs).items():
        if name not in result.outputs:
            raise TypeError(f"reference: {short(name)} is not an output; the outputs are {', '.join(result.outputs)}")
        _compare(program, result, name, wanted, rtol, atol)
    return result


def _compare(program: Program, result: Result, name: str, wanted: Any, rtol: float, atol: float) -> None:
    got = result.outputs[name]
    shape = tuple(np.shape(wanted))
    if shape != tuple(got.shape) and shape != ():
        raise AssertionError(f"{name} has the shape {tuple(got.shape)}, and the reference gives {shape}")
    differs = _differs(got, wanted, rtol, atol)
    if not differs.any():
        return
    where = tuple(int(i) for i in np.unravel_index(int(np.argmax(differs)), differs.shape))
    other = _text(wanted, where) if shape else str(wanted)
    lines = [f"{name}[{', '.join(map(str, where))}] is {_text(got, where)}, and the reference says {other}; "
             f"{int(differs.sum())} of {differs.size} elements differ", *_source(program, result, name, where)]
    raise AssertionError("\n".join(lines))
