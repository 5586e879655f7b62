"""The verdict: what must be reported of a kernel, as a set of (id, line)."""
from dataclasses import dataclass, field

from effects import UB, Entry, Run
from kernel import SIZE
from order import Graph

SYNC = {"set", "wait", "barrier"}


@dataclass
class Verdict:
    refused: bool = False             # before anything ran
    found: set = field(default_factory=set)
    races: list = field(default_factory=list)    # (id, first entry, second entry) for those who repair
    memory: dict = None               # buffers after the run; None: they depend on timing


def judge(kernel, may_be_auto=True):
    """Everything that is wrong with a kernel. Its lines are those of its last printing. A kernel without flags, barriers
    and events is put in order by the tool (auto mode), unless it is said not to be."""
    from refuse import refusals
    refused = refusals(kernel)
    if refused:
        return Verdict(True, refused)
    gm = {name: bytearray(buffer.data) for name, buffer in kernel.buffers.items()}
    verdict, written = Verdict(memory=gm), []
    for block in range(kernel.blocks):
        if not judge_block(kernel, block, gm, verdict, written, may_be_auto and is_auto(kernel)):
            break
    return verdict


def is_auto(kernel):
    return not any(op.kind in SYNC for op in kernel.ops())


def judge_block(kernel, block, gm, verdict, written, auto):
    run = Run(kernel, block, gm)
    for op, turn in kernel.turns(block):
        if auto:
            run.entries.append(Entry("barrier", "ALL", op))
        run.issue(op, turn)
        if run.stopped:
            break
    graph = Graph(run.entries)
    issued = {run.entries[e].instance for e in range(len(run.entries)) if graph.happens(graph.issue[e])}
    verdict.found |= {(name, line) for name, line, instance in run.faults if instance in issued or run.stopped}
    blocked = deadlock(graph, verdict)
    judge_races(kernel, graph, verdict)
    judge_flags(graph, verdict, not blocked and not run.stopped)
    judge_space(kernel, run, issued, verdict)
    judge_blocks(graph, verdict, written)
    return not blocked and not run.stopped


def deadlock(graph, verdict):
    """A wait that no set can satisfy."""
    blocked = graph.blocked()
    for e in blocked:
        entry = graph.entries[e]
        if entry.kind == "wait":
            verdict.found.add(("flag-never-set", entry.op.line))
    return blocked


# ---- races ----

def judge_races(kernel, graph, verdict):
    by_space = {}
    for e, entry in enumerate(graph.entries):
        if entry.kind != "work" or not graph.happens(graph.issue[e]):
            continue
        for write, accesses in ((False, entry.reads), (True, entry.writes)):
            for space, mask in accesses:
                if mask:
                    by_space.setdefault(space, []).append((e, write, mask))
    for accesses in by_space.values():
        for n, (second, second_writes, mask) in enumerate(accesses):
            for first, first_writes, other in accesses[:n]:
                if (first_writes or second_writes) and first != second and mask & other:
                    judge_pair(kernel, graph, verdict, first, first_writes, second, second_writes)


def judge_pair(kernel, graph, verdict, first, first_writes, second, second_writes):
    a, b = graph.entries[first], graph.entries[second]
    if not graph.happens(graph.start[second]) or graph.ordered(graph.end[first], graph.start[second]):
        return
    if a.pipe == b.pipe and (b.pipe == "S" or not first_writes or b.pipe == "V" and kernel.target != "a2a3"):
        return
    if a.instance == b.instance:
        name = "race-self"
    elif a.pipe == b.pipe:
        name = "same-pipe-hazard"
    else:
        name = "race-raw" if not second_writes else "race-waw" if first_writes else "race-war"
    verdict.found.add((name, b.op.line))
    verdict.races.append((name, a, b))
    if name != "race-self":
        verdict.memory = None


# ---- flags ----

def judge_flags(graph, verdict, ended):
    for flag, sets in graph.sets.items():
        waits = graph.waits.get(flag, [])
        for k, e in enumerate(sets):
            if not graph.happens(graph.issue[e]):
                continue
            entry = graph.entries[e]
            if k and not wait_is_before(graph, waits, k - 1, e):
                other = graph.entries[sets[k - 1]]
                if not (entry.own and other.own):
                    name = "flag-id-clash" if entry.own or other.own else "flag-double-set"
                    verdict.found.add((name, entry.op.line))
                    verdict.races.append((name, other, entry))
            if k >= len(waits) and ended:
                verdict.found.add(("flag-left-set", entry.op.line))


def wait_is_before(graph, waits, k, e):
    if k >= len(waits):
        return False
    node, fires = graph.end[waits[k]], graph.end[e]
    return graph.happens(fires) and graph.ordered(node, fires)


# ---- the on-chip buffer ----

def tiles_of(kernel, op):
    return [kernel.tiles[name] for name in (op.dst, op.src, op.idx, op.tmp) if name in kernel.tiles]


def is_launch(kernel, op):
    """Does the op launch SIMT lanes?"""
    if kernel.target == "a2a3" or op.kind != "mgather":
        return False
    dst, idx = kernel.tiles[op.dst], kernel.tiles[op.idx]
    return not (kernel.target == "a5" and op.mode == "elem" and (dst.vrow, dst.vcol) == (1, 1))


def judge_space(kernel, run, issued, verdict):
    seen, used, launched = set(), 0, False
    for entry in run.entries:
        if entry.kind in SYNC and not entry.own or entry.instance not in issued or entry.instance in seen:
            continue
        seen.add(entry.instance)
        tiles = tiles_of(kernel, entry.op)
        used = max([used, *(tile.addr + tile.bytes for tile in tiles)])
        if kernel.target == "a2a3":
            if any(tile.addr + tile.bytes > 184 << 10 for tile in tiles):
                verdict.found.add(("ub-scratch-clash", entry.op.line))
            continue
        launched = launched or is_launch(kernel, entry.op)
        if launched:
            judge_budget(kernel, used, entry.op.line, verdict)


def judge_budget(kernel, used, line, verdict):
    if kernel.dyn_ub > 216 << 10:
        verdict.found.add(("ub-budget", line))
    elif kernel.dyn_ub:
        if used > kernel.dyn_ub:
            verdict.found.add(("ub-budget", line))
    elif used > 128 << 10:
        verdict.found.add(("ub-budget", line))
    elif used > 120 << 10:
        verdict.found.add(("ub-reserved", line))


# ---- blocks ----

def judge_blocks(graph, verdict, others):
    """Nothing orders two blocks: a byte of global memory that one writes belongs to it alone."""
    mine = []
    for e, entry in enumerate(graph.entries):
        if entry.kind != "work" or not graph.happens(graph.issue[e]):
            continue
        for write, accesses in ((False, entry.reads), (True, entry.writes)):
            for space, mask in accesses:
                if space != "UB":
                    mine.append((space, mask, write))
                    judge_strangers(verdict, others, space, mask, write, entry.op.line)
    others += mine


def judge_strangers(verdict, others, space, mask, write, line):
    for other, theirs, wrote in others:
        if other == space and mask & theirs and (write or wrote):
            name = "gm-block-overlap" if write and wrote else "race-raw" if wrote else "race-war"
            verdict.found.add((name, line))
            verdict.memory = None
