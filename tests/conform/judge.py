"""Compares what the library did with what was expected, and says where they part."""
import numpy as np

from facts import ILLEGAL, KINDS, NO_ROOM, OK, STATUS
from legal import NOTICES, notices, violations
from oracle import expect, written_extents

RUN_NAMES = ("kernel", "reference")


def judge(case, result):
    """A list of complaints; empty when the case passed."""
    broken = violations(case)
    if case.rule:
        if case.rule not in broken:
            return [f"the test itself is wrong: this case does not break {case.rule}, but {sorted(broken)}"]
        return list(judge_refused(case, result))
    if broken:
        return [f"the test itself is wrong: a legal case breaks {sorted(broken)}"]
    return list(judge_legal(case, result))


def status_name(status):
    return STATUS[status] if 0 <= status < len(STATUS) else str(status)


# ---- refused ----

def judge_refused(case, result):
    planned = OK if case.at_run else ILLEGAL
    if result.status != planned:
        yield f"plan: {status_name(result.status)}, expected {status_name(planned)} ({case.rule}); {result.refusals()}"
        return
    if case.rule not in result.refusals():
        yield f"refused for {result.refusals()}, {case.rule} is not among them"
    for name, run in zip(RUN_NAMES, result.runs):
        if run.status != ILLEGAL:
            yield f"{name}: {status_name(run.status)}, expected illegal ({case.rule})"
        if run.dst != case.buffers["dst"] or run.cdst != case.buffers.get("cdst", b""):
            yield f"{name}: refused, but something was written"


# ---- legal ----

def judge_legal(case, result):
    if result.status != OK or result.refusals():
        yield f"plan: {status_name(result.status)}, refused for {result.refusals()}, expected ok"
        return
    if result.check_status != OK:
        yield f"check: {status_name(result.check_status)}, expected ok"
    yield from judge_notices(case, result)
    expected = expect(case)
    for name, run in zip(RUN_NAMES, result.runs):
        yield from (f"{name}: {complaint}" for complaint in judge_run(case, run, expected))
    yield from judge_agreement(*result.runs)


def judge_notices(case, result):
    said, wanted = result.ids() & NOTICES, notices(case)
    if said != wanted:
        yield f"diagnostics: missing {sorted(wanted - said)}, unexpected {sorted(said - wanted)}"


def judge_run(case, run, expected):
    if run.status != expected.status:
        yield f"status {status_name(run.status)}, expected {status_name(expected.status)}"
    for name, tile in (("dst", case.dst), ("cdst", case.cdst)):
        if getattr(run, name) != getattr(expected, name):
            yield first_difference(case, name, tile, getattr(run, name), getattr(expected, name))
    if not run.intact:
        yield "an input buffer was changed"
    if expected.status != NO_ROOM:
        yield from judge_faults(run, expected)


def same(got, wanted):
    """None stands for what the documents leave open."""
    return all(w is None or g == w for g, w in zip(got, wanted))


def judge_faults(run, expected):
    for kind, wanted in enumerate(expected.faults):
        got = run.of[kind]
        if got[0] != wanted[0] or wanted[0] and not same(got, wanted):
            yield f"fault {KINDS[kind]}: (count, row, col, index) {got}, expected {wanted}"
    if run.capacity != expected.capacity:
        yield f"fault capacity {run.capacity}, expected {expected.capacity}"
    if run.count != expected.error_count():
        yield f"fault count {run.count}, expected {expected.error_count()}"
    first = expected.first_error()
    if first and not same((run.row, run.col, run.kind, run.index), first):
        yield f"first fault (row, col, kind, index) {(run.row, run.col, run.kind, run.index)}, expected {first}"


def judge_agreement(kernel, reference):
    """What the documents leave open must still be one thing."""
    if kernel != reference:
        names = [name for name in vars(kernel) if getattr(kernel, name) != getattr(reference, name)]
        yield f"kernel and reference differ in {', '.join(names)}"


# ---- saying where ----

def lane_of(case, tile, element):
    """The lane that a storage position holds, in words."""
    rows, cols = written_extents(case) if case.is_mgather else (tile.vrow, tile.vcol)
    hit = np.argwhere(tile.offsets(rows, cols) == element)
    return f"lane ({hit[0][0]}, {hit[0][1]})" if len(hit) else "outside the valid region"


def first_difference(case, name, tile, got, wanted):
    at = next(i for i, (a, b) in enumerate(zip(got, wanted)) if a != b)
    element = at // tile.size
    span = slice(element * tile.size, (element + 1) * tile.size)
    wrong = sum(a != b for a, b in zip(got, wanted))
    return (f"{name} byte {at} is 0x{got[at]:02x}, expected 0x{wanted[at]:02x}: element {element}, "
            f"{lane_of(case, tile, element)}, holds {got[span].hex()}, expected {wanted[span].hex()}, "
            f"was {case.buffers[name][span].hex()}; {wrong} bytes differ")


def describe(case):
    """A case as a person reads it."""
    head = f"  {case.target} {case.form}, cell: {case.cell}"
    if case.rule:
        head += f", made illegal: {case.rule}{' at run time' if case.at_run else ''}"
    yield head
    for name in ("dst", "idx", "table", "src", "tmp", "k", "cdst"):
        operand = getattr(case, name)
        if operand is not None:
            yield f"  {name:5} {operand}"
    yield (f"  coalesce {case.coalesce}, oob {case.oob}, pattern {case.pattern}, axis {case.axis}, cmp {case.cmp}, "
           f"offset {case.offset}, threads {case.threads}, shift {case.shift}")
    yield "  buffers " + ", ".join(f"{name} {len(data)} bytes" for name, data in case.buffers.items())
    if case.idx and "idx" in case.buffers:
        size = case.idx.size if case.idx.size in (1, 2, 4, 8) else 1
        values = np.frombuffer(case.buffers["idx"], f"u{size}", len(case.buffers["idx"]) // size)
        yield f"  index storage {values[:48].tolist()}{' ...' if len(values) > 48 else ''}"
