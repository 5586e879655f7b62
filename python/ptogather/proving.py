"""Proof without data: inputs with which a program fails, and the smallest program that still fails."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Mapping, NamedTuple, Optional, Tuple, Union, cast

from ._library import ffi, lib, name_bytes, short, text_of, whole
from .arrays import copied
from .bind import Bindings
from .collector import Collector, take_judged
from .diagnostics import Diagnostic, Diagnostics, refused, status_error
from .execution import Execution
from .judging import DEVICES, worst_verdict
from .literals import Target, Verdict
from .program import Program, Source, as_program
from .running import mapping
from .synthetic import complete_inputs

Input = Union[int, str]


@dataclass(frozen=True)
class Finding:
    """What is wrong, and inputs that show it: `pg.run(program, finding.target, inputs=finding.inputs, blocks=finding.blocks)`."""

    diagnostic: Diagnostic
    target: Target
    inputs: Mapping[str, Input]
    """Numbers for scalar arguments, and texts such as "repeat:1,2,3" for memory. The rest is generated, as by `run`."""
    blocks: int = 1

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.inputs.items()] + [f"blocks={self.blocks}"] * (self.blocks > 1)
        return f"{self.diagnostic.id} at line {self.diagnostic.line}" + (f" with {', '.join(words)}" if words else "")


@dataclass(frozen=True)
class Covered:
    """What the runs have shown of one operation of the program."""

    kind: Literal["op", "branch", "loop"]
    line: int
    reached: bool
    was_true: bool
    """Of a branch: its condition was true in some run."""
    was_false: bool
    never: bool
    """No inputs do what no run did: a solver has shown it (`ptog prove --solver`)."""
    turns: Tuple[int, ...]
    """Of a loop: numbers of turns that it had, ascending; the smallest ones and the largest."""
    period: int
    """Of a loop: it does the same again after so many turns, and order is judged for any number of them; 0: it is not."""


class Coverage(NamedTuple):
    """How much was looked at on one target."""

    runs: int
    paths: int
    all_inputs: bool
    """Races and flags are judged for all inputs: these do not decide them."""
    all_candidates: bool
    """Every combination of the values worth trying was tried."""
    all_branches: bool
    all_paths: bool
    """A solver has shown that there are no other paths, and inputs decide nothing else."""
    not_reached: int
    operations: Tuple[Covered, ...]
    words: Tuple[str, ...]
    """The same in words, a line each."""


class Proof:
    """What `prove` gives."""

    def __init__(self, program: Program, findings: Tuple[Finding, ...], diagnostics: Diagnostics,
                 judged: Mapping[Target, Diagnostics], coverage: Mapping[Target, Coverage]) -> None:
        self.program, self.findings, self.diagnostics = program, findings, diagnostics
        self.judged: Dict[Target, Diagnostics] = dict(judged)
        """The findings by target; a target that refuses what another one accepts is left out."""
        self.coverage: Dict[Target, Coverage] = dict(coverage)

    @property
    def verdict(self) -> Verdict:
        return worst_verdict(self.judged.values(), False, False)

    @property
    def clean(self) -> bool:
        """No inputs were found with which it fails; `coverage` says how much that means."""
        return self.verdict == "passed"

    @property
    def report(self) -> str:
        """The findings as text, and what was covered."""
        words = [f"{target}: {line}\n" for target, found in self.coverage.items() for line in found.words]
        return str(self.diagnostics) + "".join(words)

    def __repr__(self) -> str:
        found = ", ".join(dict.fromkeys(finding.diagnostic.id for finding in self.findings))
        return f"<ptogather.Proof {self.program.name!r} on {' and '.join(self.judged)}: {self.verdict}{f', {found}' if found else ''}>"


@dataclass(frozen=True)
class Reduced:
    """What `reduce` gives: a smaller program, and inputs with which it has the finding."""

    program: Program
    target: Target
    id: str
    message: str
    line: int
    """Where the smaller program has it."""
    statements: int
    statements_before: int
    inputs: Mapping[str, Input]
    blocks: int
    is_smallest: bool
    """Nothing more can be left out; False: the search was ended before that was known."""

    def __str__(self) -> str:
        return self.program.text


def _inputs(one: Any) -> Dict[str, Input]:
    found: Dict[str, Input] = {text_of(one.numbers[i].name) or "": int(one.numbers[i].number) for i in range(one.number_count)}
    found.update({text_of(one.recipes[i].name) or "": text_of(one.recipes[i].text) or "" for i in range(one.recipe_count)})
    return found


def _deadline(seconds: float) -> Any:
    """A callback that ends a search after so many seconds of processor time."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not seconds > 0:
        raise TypeError(f"seconds: expected a number above 0, not {short(seconds)}")
    end = time.process_time() + seconds
    return ffi.callback("bool(void *, uint64_t)", lambda user, runs: time.process_time() < end, error=False)


def _covered(proof: Any) -> Tuple[Covered, ...]:
    found: List[Covered] = []
    one = ffi.new("struct ptog_covered *")
    kinds: Tuple[Literal["op", "branch", "loop"], ...] = ("op", "branch", "loop")
    while lib.ptog_proof_covered_at(proof, len(found), one):
        found.append(Covered(kinds[int(one.kind)], int(one.line), bool(one.reached), bool(one.was_true), bool(one.was_false),
                             bool(one.never), tuple(int(turns) for turns in one.turns[0:one.turn_count]), int(one.period)))
    return tuple(found)


def _coverage(proof: Any) -> Coverage:
    one = ffi.new("struct ptog_proof_summary *")
    lib.ptog_proof_summary(proof, one)
    text = ffi.new("char[]", lib.ptog_proof_words(proof, ffi.NULL, 0) + 1)
    lib.ptog_proof_words(proof, text, len(text))
    return Coverage(int(one.runs), int(one.paths), bool(one.all_inputs), bool(one.all_candidates), bool(one.all_branches),
                    bool(one.all_paths), int(one.not_reached), _covered(proof), tuple((text_of(text) or "").splitlines()))


class _Search:
    """What prove and reduce share: the program, what is bound, and limits."""

    def __init__(self, program: Source, function: Optional[str], given: Mapping[str, Any], blocks: Optional[int], seconds: float) -> None:
        self.program, self.seconds = as_program(program), seconds
        self.execution = Execution(self.program, function, {})
        self.execution.struct.blocks = 0 if blocks is None else whole(blocks, "blocks", 1, 2**31 - 1)
        # what is stored to is written by every run: copies keep the caller's arrays as they are
        kept = {name: copied(value) for name, value in given.items()}
        self.bindings = Bindings(self.program, function, kept)
        if self.bindings.recipes:
            filled = complete_inputs(self.program, None, function, kept)
            self.bindings = Bindings(self.program, function, {name: filled[name] for name in kept})

    def on(self, target: Target) -> Any:
        return self.execution.on(target, self.bindings)


def _prove_on(search: _Search, target: Target, max_runs: int) -> Tuple[Collector, bool, Tuple[Finding, ...], Coverage]:
    go_on, diags, handle = _deadline(search.seconds), Collector(), ffi.new("ptog_proof **")
    options = ffi.new("struct ptog_prove_options *", {"max_runs": max_runs, "go_on": go_on})
    status = lib.ptog_program_prove(handle, search.program._handle, search.on(target), options, diags.handle)
    if status not in (lib.PTOG_OK, lib.PTOG_FAULT, lib.PTOG_ILLEGAL):
        raise status_error(status, f"prove on {target}")
    proof, one = ffi.gc(handle[0], lib.ptog_proof_free), ffi.new("struct ptog_proof_case *")
    items, coverage = diags.take(target), _coverage(proof)
    found: List[Finding] = []
    while lib.ptog_proof_case_at(proof, len(found), one):
        found.append(Finding(items[int(one.diag)], target, _inputs(one), max(int(one.blocks), 1)))
    return diags, coverage.paths > 0, tuple(found), coverage


def prove(program: Source, target: Optional[Target] = None, *, function: Optional[str] = None,
          inputs: Optional[Mapping[str, Any]] = None, blocks: Optional[int] = None, seconds: float = 5.0, max_runs: int = 0,
          **arrays: Any) -> Proof:
    """Searches for inputs with which a program fails: it is run with many, chosen so that branches go both ways, loops have
    no, one, two and many turns, and indices reach both ends of what they index. What is given, in `inputs`, `arrays` and `blocks`,
    stays as it is. `seconds` (processor time on each target) and `max_runs` (0: as the command) end the search.

    >>> import ptogather as pg
    >>> text = '''func.func @copy(%n: index, %a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
    ...   %most = arith.constant 1000 : index
    ...   %few = arith.cmpi slt, %n, %most : index
    ...   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   pto.tload ins(%a) outs(%t)
    ...   scf.if %few {
    ...     pto.barrier <PIPE_ALL>
    ...   }
    ...   pto.tstore ins(%t) outs(%b)
    ...   return
    ... }'''
    >>> pg.run(text, "a5").clean
    True
    >>> proof = pg.prove(text, "a5")
    >>> print(*proof.findings)
    race-raw at line 9 with n=1000
    >>> pg.run(text, "a5", inputs=proof.findings[0].inputs).clean
    False
    """
    search = _Search(program, function, {**mapping(inputs), **arrays}, blocks, seconds)
    runs = whole(max_runs, "max_runs", 0, 1 << 24)
    named = target if target is not None else search.program.target
    proved = {one: _prove_on(search, one, runs) for one in (DEVICES if named is None else (named,))}
    judged = take_judged(search.program.name, {one: (diags, accepted) for one, (diags, accepted, _, _) in proved.items()})
    if not any(accepted for _, accepted, _, _ in proved.values()) and judged.diagnostics.verdict == "failed":
        raise refused(f"prove on {' and '.join(proved)}", judged.diagnostics, search.program.name)
    kept = {one: entry for one, entry in proved.items() if one in judged.judged}
    return Proof(search.program, tuple(finding for _, _, found, _ in kept.values() for finding in found), judged.diagnostics,
                 judged.judged, {one: coverage for one, (_, _, _, coverage) in kept.items()})


def _reduce_on(search: _Search, target: Target, options: Any, diags: Collector) -> Optional[Reduced]:
    handle = ffi.new("ptog_reduced **")
    status = lib.ptog_program_reduce(handle, search.program._handle, search.on(target), options, diags.handle)
    if status == lib.PTOG_ILLEGAL:
        return None
    if status != lib.PTOG_OK:
        raise status_error(status, f"reduce on {target}")
    reduced, one = ffi.gc(handle[0], lib.ptog_reduced_free), ffi.new("struct ptog_reduced_summary *")
    lib.ptog_reduced_summary(reduced, one)
    return Reduced(Program(ffi.string(lib.ptog_reduced_text(reduced)), search.program.name), target, text_of(one.id) or "",
                   text_of(one.message) or "", int(one.line), int(one.statements), int(one.statements_before), _inputs(one),
                   max(int(one.blocks), 1), bool(one.is_smallest))


def reduce(program: Source, target: Optional[Target] = None, *, finding: Optional[str] = None, line: int = 0,
           function: Optional[str] = None, inputs: Optional[Mapping[str, Any]] = None, blocks: Optional[int] = None,
           seconds: float = 20.0, **arrays: Any) -> Reduced:
    """The smallest program that still has a finding, which is looked for as `prove` does: the one with the id `finding`, at
    `line`, or the first. Without a target, a2a3 and then a5 are tried. A program without the finding raises ValueError.

    >>> import ptogather as pg
    >>> text = '''func.func @copy(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
    ...   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   %u = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    ...   pto.tload ins(%a) outs(%t)
    ...   pto.barrier <PIPE_MTE2>
    ...   pto.texp ins(%t) outs(%u)
    ...   pto.tstore ins(%t) outs(%b)
    ...   return
    ... }'''
    >>> small = pg.reduce(text, "a2a3", finding="race-raw", line=7)
    >>> small.statements, small.statements_before, "texp" in small.program.text
    (4, 6, False)
    """
    if finding is not None and not isinstance(finding, str):
        raise TypeError(f"finding: expected an id such as 'race-raw', not {short(finding)}")
    search = _Search(program, function, {**mapping(inputs), **arrays}, blocks, seconds)
    id = ffi.NULL if finding is None else ffi.new("char[]", name_bytes(finding, "finding"))
    named = target if target is not None else search.program.target
    found: List[str] = []
    for one in cast(Tuple[Target, ...], DEVICES if named is None else (named,)):
        go_on, diags = _deadline(seconds), Collector()
        options = ffi.new("struct ptog_reduce_options *", {"id": id, "line": whole(line, "line", 0, 2**32 - 1), "go_on": go_on})
        reduced = _reduce_on(search, one, options, diags)
        if reduced is not None:
            return reduced
        found += [f"{item.id} at line {item.line} on {one}" for item in diags.take(one).errors]
    wanted = (finding or "finding") + (f" at line {line}" if line else "")
    raise ValueError(f"finding: the program has no {wanted}; it has {', '.join(dict.fromkeys(found)) or 'none'}")
