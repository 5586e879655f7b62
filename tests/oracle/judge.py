"""The verdict: what must be reported of a kernel, as a set of (id, line)."""
from dataclasses import dataclass, field, replace

from caches import Lines, judge_caches
from core import Entry
from effects import Run
from order import Graph
from refuse import refusals
from vector import warnings

SYNC = {"set", "wait", "barrier", "fence"}
SCRATCH = "scratch"  # written over, and then read, by an instruction for itself
ADDS = "adds"        # writes that never race with each other
OF_SHAPES = {"pitch-mismatch", "tile-overrun"}  # known from the text: reported whether the op is ever reached or not


@dataclass
class Verdict:
    refused: bool = False             # before anything ran
    found: set = field(default_factory=set)
    races: list = field(default_factory=list)    # (id, first entry, second entry) for those who repair
    memory: dict = None               # buffers after the run; None: they depend on timing
    in_turn: dict = None              # buffers if each op were over before the next
    of_blocks: bool = False           # a race between blocks, which no flag orders
    unsure: bool = False              # a NaN, or a last place that is free: bytes are not compared


def judge(kernel, may_be_auto=True, wide=False):
    """Everything that is wrong with a kernel. Its lines are those of its last printing. A kernel without flags and
    barriers is put in order by the tool (auto mode), unless it is said not to be. `wide`: with any data in its indices,
    sources and tables."""
    refused = refusals(kernel)
    if refused:
        return Verdict(True, refused | misaligned(kernel) | warned(kernel))
    gm = {name: bytearray(buffer.data) for name, buffer in kernel.buffers.items()}
    verdict, shared = Verdict(memory=gm, in_turn=gm), Shared()
    verdict.found |= misaligned(kernel) | misshaped(kernel)
    if not any(True for _ in kernel.turns()):
        verdict.found.add(("run-empty", 0))
    for block in range(kernel.blocks):  # each on a core of its own: one that hangs does not stop the others
        judge_block(kernel, Run(kernel, block, gm, wide), verdict, shared, may_be_auto and is_auto(kernel))
    return verdict


def misaligned(kernel):
    """Reported where the tile is made; the kernel runs, and its bursts are dropped or not. MGATHER Elem may write one anywhere."""
    return {("ub-misaligned-tile", tile.line) for tile in kernel.tiles.values() if tile.addr % 32 and not is_for_elem(kernel, tile)}


def is_for_elem(kernel, tile):
    """Is the tile the destination of MGATHER Elem, and nothing else?"""
    uses = [op.kind == "mgather" and op.mode == "elem" and n == 0
            for op in kernel.ops() for n, name in enumerate((op.dst, op.src, op.idx, op.tmp, *op.ins)) if name == tile.name]
    return bool(uses) and all(uses)


def misshaped(kernel):
    run = Run(replace(kernel, launch=0), 0, {name: bytearray(buffer.data) for name, buffer in kernel.buffers.items()})
    for op in kernel.ops():
        if op.kind != "vector":
            run.issue(op, 0)
    return {(name, line) for name, line, _ in run.faults if name in OF_SHAPES} | warned(kernel)


def warned(kernel):
    found = {(name, op.line) for op in kernel.ops() if op.kind == "vector" for name in warnings(kernel, op)}
    return found | {("tgather-contiguous", op.line) for op in kernel.ops() if has_padding_columns(kernel, op)}


def has_padding_columns(kernel, op):
    """004: all columns of the tiles of TGATHER are valid. On a2a3 such a kernel is refused, on a5 libraries accept it."""
    tiles = {"tgather": (op.dst, op.idx), "mask": (op.dst,)}.get(op.kind, ())
    return kernel.target != "a2a3" and any(kernel.tiles[name].vcol != kernel.tiles[name].cols for name in tiles)


def is_auto(kernel):
    return not any(op.kind in SYNC for op in kernel.ops())


def judge_block(kernel, run, verdict, shared, auto):
    for op, turn in kernel.turns():
        if auto:
            run.entries.append(Entry("barrier", "ALL", op))
        run.issue(op, turn)
        if run.stopped:
            break
    graph = Graph(run.entries)
    verdict.found |= {(name, line) for name, line, e in run.faults if graph.happens(graph.issue[e])}
    culprit = graph.culprit()
    if culprit is not None:
        verdict.found.add(("flag-never-set", run.entries[culprit].op.line))
    ended = culprit is None and not run.stopped
    judge_races(kernel, graph, verdict)
    judge_flags(graph, verdict, ended)
    judge_space(kernel, graph, verdict)
    judge_blocks(graph, verdict, shared, run.block)
    judge_caches(graph, verdict, shared.lines, run.block)
    if run.unsure:
        verdict.memory, verdict.unsure = None, True


# ---- races ----

def judge_races(kernel, graph, verdict):
    by_space = {}
    for e, entry in enumerate(graph.entries):
        if entry.kind != "work" or not graph.happens(graph.issue[e]):
            continue
        for write, accesses in ((False, entry.reads), (True, entry.writes), (ADDS, entry.adds)):
            for space, mask in accesses:
                if mask:
                    by_space.setdefault(space, []).append((e, write, mask))
        if entry.scratch:
            by_space.setdefault("UB", []).append((e, SCRATCH, entry.scratch))
    for accesses in by_space.values():
        for n, (second, second_writes, mask) in enumerate(accesses):
            for first, first_writes, other in accesses[:n]:
                own = second_writes is SCRATCH and graph.entries[first].pipe == graph.entries[second].pipe
                both_add = first_writes is ADDS and second_writes is ADDS
                first_writes = first_writes in (True, ADDS)  # scratch memory is read in the end
                if (first_writes or second_writes) and first != second and mask & other and not own and not both_add:
                    judge_pair(kernel, graph, verdict, first, first_writes, second, bool(second_writes))


def judge_pair(kernel, graph, verdict, first, first_writes, second, second_writes):
    a, b = graph.entries[first], graph.entries[second]
    if not graph.happens(graph.start[first]) or not graph.happens(graph.start[second]):
        return  # behind a wait that is never over
    if graph.ordered(graph.over(first, first_writes), graph.start[second]):
        return
    if graph.ordered(graph.over(second, second_writes), graph.start[first]):
        verdict.found.add(("order-reversed", b.op.line))  # flags order them against the order of issue
        verdict.memory = None
        return
    if a.pipe == b.pipe and (b.pipe == "S" or not first_writes or b.pipe == "V" and kernel.target != "a2a3"):
        return
    if a.instance == b.instance and (a.pipe, b.pipe) != ("V", "S"):  # its flags order these, but for a clash of the program's
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
            if not graph.happens(graph.end[e]):
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
    return [kernel.tiles[name] for name in (op.dst, op.src, op.idx, op.tmp, *op.ins) if name in kernel.tiles]


def is_launch(kernel, op):
    """Does the op launch SIMT lanes?"""
    if kernel.target == "a2a3" or op.kind != "mgather":
        return False
    dst = kernel.tiles[op.dst]
    return not (kernel.target == "a5" and op.mode == "elem" and (dst.vrow, dst.vcol) == (1, 1))


def judge_space(kernel, graph, verdict):
    """Where the tiles lie that are used. The budget is that of the whole kernel; the first instruction that uses the
    highest tile answers for it."""
    top, place, launch = 0, None, None
    for e, entry in enumerate(graph.entries):
        if entry.kind != "work" and not entry.own or not graph.happens(graph.issue[e]):
            continue  # an instruction that stands still in its own flags has used its tiles
        tiles = tiles_of(kernel, entry.op)
        for tile in tiles:
            if tile.addr + tile.bytes > top:
                top, place = tile.addr + tile.bytes, entry.op.line
        if launch is None and is_launch(kernel, entry.op):
            launch = entry.op.line
    if kernel.target != "a2a3" and top:
        judge_budget(kernel, top, place, launch, verdict)


def judge_budget(kernel, top, place, launch, verdict):
    if launch is None:
        if top > 248 << 10:
            verdict.found.add(("ub-budget", place))
        return
    if kernel.dyn_ub > 216 << 10:
        verdict.found.add(("ub-budget", launch))
    if top > (kernel.dyn_ub or 128 << 10):
        verdict.found.add(("ub-budget", place))
    elif not kernel.dyn_ub and top > 120 << 10:
        verdict.found.add(("ub-reserved", place))


# ---- blocks ----

class Shared:
    """Global memory between blocks: nothing orders two of them, so every access of one block meets every access of the
    others, whatever either does later."""

    def __init__(self):
        self.writers, self.adders, self.readers = {}, {}, {}    # (space, block): bytes
        self.lines = Lines()

    @staticmethod
    def others(table, space, block):
        mask = 0
        for (other_space, other), theirs in table.items():
            if other_space == space and other != block:
                mask |= theirs
        return mask

    @staticmethod
    def enter(table, space, block, mask):
        table[space, block] = table.get((space, block), 0) | mask

    def read(self, space, block, mask):
        if (self.others(self.writers, space, block) | self.others(self.adders, space, block)) & mask:
            yield "race-raw"
        self.enter(self.readers, space, block, mask)

    def write(self, space, block, mask):
        if (self.others(self.writers, space, block) | self.others(self.adders, space, block)) & mask:
            yield "gm-block-overlap"
        if self.others(self.readers, space, block) & mask:
            yield "race-war"
        self.enter(self.writers, space, block, mask)

    def add(self, space, block, mask):
        if self.others(self.writers, space, block) & mask:
            yield "gm-block-overlap"
        if self.others(self.readers, space, block) & mask:
            yield "race-war"
        self.enter(self.adders, space, block, mask)


def judge_blocks(graph, verdict, shared, block):
    for e, entry in enumerate(graph.entries):
        if entry.kind != "work" or not graph.happens(graph.start[e]):
            continue
        for judged, accesses in ((shared.read, entry.reads), (shared.write, entry.writes), (shared.add, entry.adds)):
            for space, mask in accesses:
                for name in judged(space, block, mask) if space != "UB" else ():
                    verdict.found.add((name, entry.op.line))
                    verdict.memory, verdict.of_blocks = None, True
