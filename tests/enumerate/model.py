"""The model: what each instruction does on which pipe, and what the explorer's states say about a program.

Written from the documents (docs/reference/semantics.md and the manuals it cites), not from the library: README.md.
"""
import struct
import subprocess
from collections import Counter, namedtuple
from dataclasses import dataclass, field
from itertools import combinations, product

from program import PIPES, read_steps

CASE_MARK = 0x314D554E45474F54
RESULT_MARK = 0x3154534552474F54
INSTANT, ACCESS, SET, WAIT, BARRIER = range(5)
OWN = 8            # event id of the flags that belong to an instruction: never an id of the program
MAX_STATES = 200_000
MAX_ENTRIES, MAX_ACCESSES = 1000, 64  # as in explore.c
IN_ORDER = {"a2a3": 0, "a5": 1 << PIPES.index("V")}  # pipes whose instructions wait for each other, as bits

Entry = namedtuple("Entry", "kind pipe src dst id line touches", defaults=(0, 0, 0, 0, ()))
Touch = namedtuple("Touch", "how region")  # how: "read", "write", "add"
Fault = namedtuple("Fault", "id line other")


class TooLarge(Exception):
    """More states than the explorer may visit."""


def pipe_number(name):
    return len(PIPES) if name == "ALL" else PIPES.index(name)


# ---- instructions as entries of the queues ---------------------------------------------------------------------------


def own_pairs(line, *pairs):
    return [Entry(kind, pipe_number(pair[kind - SET]), pipe_number(pair[0]), pipe_number(pair[1]), OWN, line)
            for pair in pairs for kind in (SET, WAIT)]


def access(pipe, line, reads=(), writes=(), how="write", kind=ACCESS):
    touches = tuple(Touch("read", region) for region in reads) + tuple(Touch(how, region) for region in writes)
    return Entry(kind, pipe_number(pipe), line=line, touches=touches)


def mgather(step, target):
    (table, index, dst), line = step.operands, step.line
    if target == "a5":
        return [access("V", line, [table, index], [dst])]
    if step.more == ("elem",):
        return [*own_pairs(line, ("V", "S"), ("MTE3", "S"), ("MTE2", "S")),
                access("S", line, [index, table], kind=INSTANT), access("S", line, (), [dst]),
                *own_pairs(line, ("S", "V"), ("S", "MTE2"), ("S", "MTE3"))]
    return [*own_pairs(line, ("V", "S"), ("MTE3", "S")),
            access("S", line, [index], kind=INSTANT), access("MTE2", line, [table], [dst]),
            *own_pairs(line, ("S", "MTE2"), ("MTE2", "V"), ("MTE2", "MTE3"), ("S", "V"), ("S", "MTE3"))]


def element(tile, number):
    return type(tile)(tile.space, tile.lo + 4 * number, tile.lo + 4 * number + 4)


def entries_of(step, target):
    given, line = step.operands, step.line
    if step.name == "set_flag":
        src, dst, event = step.more
        return [Entry(SET, pipe_number(src), pipe_number(src), pipe_number(dst), event, line)]
    if step.name == "wait_flag":
        src, dst, event = step.more
        return [Entry(WAIT, pipe_number(dst), pipe_number(src), pipe_number(dst), event, line)]
    if step.name == "barrier":  # a5 has no barrier on V and needs none
        return [] if step.more[0] == "V" and target == "a5" else [Entry(BARRIER, pipe_number(step.more[0]), line=line)]
    if step.name == "tload":
        return [access("MTE2", line, given[:1], given[1:])]
    if step.name == "tstore":
        return [access("MTE3", line, given[:1], given[1:], *(step.more or ("write",)))]
    if step.name == "tadd":
        return [access("V", line, given[:2], given[2:])]
    if step.name == "mgather":
        return mgather(step, target)
    if step.name == "tgetval":
        return [access("S", line, [element(given[0], given[1])], kind=INSTANT)]
    return [access("S", line, (), [element(given[2], given[0])])]  # tsetval


# ---- the explorer ----------------------------------------------------------------------------------------------------


@dataclass
class Explored:
    stuck: bool
    set_twice: list  # by entry
    unended: list    # by access: a mask of those that had not ended when it started, in some timing


class Explorer:
    """The running explorer, with what it said before."""

    def __init__(self, path):
        self.process, self.known, self.states = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE), {}, 0

    def words(self, count):
        data = self.process.stdout.read(8 * count)
        if len(data) != 8 * count:
            raise EOFError(f"the explorer ended with status {self.process.wait()}")
        return struct.unpack(f"={count}q", data)

    def explore(self, entries, target):
        if len(entries) > MAX_ENTRIES or sum(e.kind in (INSTANT, ACCESS) for e in entries) > MAX_ACCESSES:
            raise TooLarge
        key = (target, *((e.kind, e.pipe, e.src, e.dst, e.id) for e in entries))
        if key not in self.known:
            self.known[key] = self.ask(entries, IN_ORDER[target])
        if self.known[key] is None:
            raise TooLarge
        return self.known[key]

    def ask(self, entries, in_order):
        numbers = [CASE_MARK, MAX_STATES, in_order, len(entries)]
        for e in entries:
            numbers += [e.kind, e.pipe, e.src, e.dst, e.id]
        self.process.stdin.write(struct.pack(f"={len(numbers)}q", *numbers))
        self.process.stdin.flush()
        mark, states, stuck = self.words(3)
        assert mark == RESULT_MARK
        set_twice = self.words(len(entries))
        unended = self.words(sum(e.kind in (INSTANT, ACCESS) for e in entries))
        self.states += states
        return None if states < 0 else Explored(bool(stuck), set_twice, unended)


# ---- what is wrong with a program ------------------------------------------------------------------------------------


def overlaps(a, b):
    return a.space == b.space and a.lo < b.hi and b.lo < a.hi


def conflict(first, second):
    """The ids that a race of two entries may have; none: they do not touch the same bytes."""
    ids = set()
    for a, b in product(first.touches, second.touches):
        if not overlaps(a.region, b.region) or a.how == b.how and a.how in ("read", "add"):
            continue
        if a.how != "read" and b.how != "read":
            ids.add("race-waw")
        if b.how != "write" and a.how != "read":
            ids.add("race-raw")
        if a.how != "write" and b.how != "read":
            ids.add("race-war")
    return ids


@dataclass
class Verdict:
    """What is wrong with a program, as the identifiers of the reports."""
    faults: set = field(default_factory=set)
    between: set = field(default_factory=set)      # lines whose accesses two blocks make to the same bytes, in no order
    plain: set = field(default_factory=set)        # lines of two accesses of one block that a report must name
    unordered: list = field(default_factory=list)  # (first, second) entries, for a generator that adds flags

    @property
    def ids(self):
        return {fault.id for fault in self.faults} | ({"between blocks"} if self.between else set())

    @property
    def is_clean(self):
        return not self.faults and not self.between


def judge_pair(verdict, first, second, is_ordered, is_reversed):
    """Two entries of one block in the order of issue; true if they are wrong. On one pipe a read is before a later write,
    and S waits for itself."""
    ids = conflict(first, second)
    same_pipe = first.pipe == second.pipe
    if not ids or is_ordered or same_pipe and (ids == {"race-war"} or first.pipe == 0):
        return False
    if same_pipe:
        ids = {"same-pipe-hazard"}
    elif is_reversed:
        ids = {"order-reversed"}
    verdict.faults |= {Fault(name, second.line, first.line) for name in ids}
    verdict.unordered.append((first, second))
    return True


def covers(entry, space, byte):
    """How an entry touches a byte: a set of "read", "write" and "add"."""
    return {touch.how for touch in entry.touches if touch.region.space == space and touch.region.lo <= byte < touch.region.hi}


def hides(first, second, between, space, byte):
    """Whether who looks only at the last write, the last add and the last read of each pipe cannot see that two entries
    touch this byte in no order, for what lies between them in the order of issue."""
    seen, mine = covers(first, space, byte), covers(second, space, byte)
    later = [(entry.pipe, covers(entry, space, byte)) for entry in between]
    if not mine or any("write" in how for _, how in later):
        return True
    if "write" in seen:
        return False
    if first.pipe == second.pipe or any("add" in how for _, how in later) or mine == seen:
        return True
    return "add" not in seen and any(pipe == first.pipe and "read" in how for pipe, how in later)


def is_plain(first, second, between):
    """Whether a report must name these two, and not only others that race."""
    points = {(touch.region.space, touch.region.lo) for entry in (first, second, *between) for touch in entry.touches}
    points |= {(touch.region.space, touch.region.hi) for entry in (first, second, *between) for touch in entry.touches}
    return any(covers(first, *point) and not hides(first, second, between, *point) for point in points)


def judge_block(verdict, explorer, entries, target):
    explored = explorer.explore(entries, target)
    if explored.stuck:
        verdict.faults.add(Fault("flag-never-set", 0, 0))
        return
    accesses = [entry for entry in entries if entry.kind in (INSTANT, ACCESS)]
    for i, j in combinations(range(len(accesses)), 2):
        late, reversed_late = explored.unended[j] >> i & 1, explored.unended[i] >> j & 1
        if judge_pair(verdict, accesses[i], accesses[j], not late, not reversed_late):
            if is_plain(accesses[i], accesses[j], accesses[i + 1:j]):
                verdict.plain.add((accesses[j].line, accesses[i].line))
    judge_flags(verdict, entries, explored)


def judge_flags(verdict, entries, explored):
    """Flags of the program that are set twice in some timing, or are never waited for."""
    left = Counter()
    for entry, twice in zip(entries, explored.set_twice):
        if entry.kind == SET and entry.id != OWN and twice:
            verdict.faults.add(Fault("flag-double-set", entry.line, 0))
        left[entry.src, entry.dst, entry.id] += (entry.kind == SET) - (entry.kind == WAIT)
    for entry in entries:
        if entry.kind == SET and left[entry.src, entry.dst, entry.id] > 0:
            verdict.faults.add(Fault("flag-left-set", entry.line, 0))


def judge_blocks(verdict, blocks):
    """Nothing orders two blocks."""
    for first, second in combinations(blocks, 2):
        for a, b in product(first, second):
            if any(touch.region.space != "UB" for touch in a.touches) and conflict(in_memory(a), in_memory(b)):
                verdict.between |= {(a.line, b.line), (b.line, a.line)}


def in_memory(entry):
    """The entry with its accesses of global memory only: each block has an on-chip buffer of its own."""
    return entry._replace(touches=tuple(touch for touch in entry.touches if touch.region.space != "UB"))


def judge(explorer, text, target, block_count, values=None):
    """`values`: of scalar arguments, by name."""
    blocks = [[entry for step in read_steps(text, block, values) for entry in entries_of(step, target)]
              for block in range(block_count)]
    verdict = Verdict()
    for entries in blocks:
        judge_block(verdict, explorer, entries, target)
    judge_blocks(verdict, blocks)
    return verdict
