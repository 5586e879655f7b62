"""The data cache of S, from its description: S goes through lines of 64 bytes. A line is in the cache from the first access of S
after the last dcci of it; what MTE3 writes since then S does not see. What S stored is in global memory after a dcci of its line and a
dsb after that. Everything is looked up in the list of what happened before, in the order of issue."""

LINE = 64


def lines_of(mask):
    """(number, bytes) of the lines that a set of bytes touches."""
    number = 0
    while mask >> number * LINE:
        here = mask >> number * LINE & (1 << LINE) - 1
        if here:
            yield number, here
        number += 1


class Lines:
    """What all blocks did to the lines of global memory: (block, pipe, is a write, space, line, bytes), or dcci or dsb."""

    def __init__(self):
        self.past = []

    def own(self, block):
        return [event for event in self.past if event[0] == block]

    def is_stale(self, block, space, line, mask):
        newer, cached = 0, False
        for _, pipe, writes, where, number, theirs in self.own(block):
            if pipe == "dcci":
                newer, cached = 0, False
            elif (where, number) == (space, line) and pipe == "S":
                newer, cached = newer if cached else 0, True
            elif (where, number) == (space, line) and pipe == "MTE3" and writes and cached:
                newer |= theirs
        return bool(newer & mask)

    def is_unflushed(self, block, space, line, mask):
        dirty = flushed = 0
        for _, pipe, writes, where, number, theirs in self.own(block):
            if pipe == "dcci":
                dirty, flushed = 0, flushed | dirty
            elif pipe == "dsb":
                flushed = 0
            elif (where, number) == (space, line) and pipe == "S" and writes:
                dirty, flushed = dirty | theirs, flushed & ~theirs
        return bool((dirty | flushed) & mask)

    def stores(self, space, line, pipe):
        return [event for event in self.past if event[1] == pipe and event[2] and event[3:5] == (space, line)]

    def faults(self, block, pipe, writes, space, line, mask):
        if pipe == "S" and not writes and self.is_stale(block, space, line, mask):
            yield "scalar-stale"
        if pipe == "MTE2" and not writes and self.is_unflushed(block, space, line, mask):
            yield "scalar-unflushed"
        if pipe == "S" and writes:
            others = [event for event in self.stores(space, line, "S") if event[0] != block]
            if others and not any(event[5] & mask for event in others):
                yield "line-shared"
        if writes and pipe in ("S", "MTE3") and self.stores(space, line, "MTE3" if pipe == "S" else "S"):
            yield "line-mixed"

    def enter(self, block, pipe, writes, space, mask):
        """The faults of an access, which is then part of the past."""
        for line, here in lines_of(mask):
            yield from self.faults(block, pipe, writes, space, line, here)
            self.past.append((block, pipe, writes, space, line, here))


def judge_caches(graph, verdict, lines, block):
    for e, entry in enumerate(graph.entries):
        if not graph.happens(graph.issue[e]):
            continue
        if entry.cache:
            lines.past.append((block, entry.cache, False, "", 0, 0))
        if entry.kind != "work" or entry.pipe not in ("S", "MTE2", "MTE3"):
            continue
        for writes, accesses in ((False, entry.reads), (True, [*entry.writes, *entry.adds])):
            for space, mask in accesses:
                for name in lines.enter(block, entry.pipe, writes, space, mask) if space != "UB" else ():
                    verdict.found.add((name, entry.op.line))
