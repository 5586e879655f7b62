"""What happens before what: an explicit graph of events, closed under "and then".

Every entry has an issue, a start and an end. The scalar program issues in order. A pipe starts its entries in order of
issue and completes them in any order. A set fires when every earlier entry of its pipe is complete, and never holds up
a later one. A wait holds up its pipe until its set has fired; a wait on S holds up the issue. The k-th wait of a triple
belongs to the k-th set. A scalar load is complete at issue; a scalar store, for whoever comes after the wait of a later set
on S, and for everyone after a barrier on all."""
from collections import defaultdict

PIPES = ("S", "V", "MTE2", "MTE3")


class Graph:
    def __init__(self, entries):
        self.entries = entries
        self.before = []                     # by node: the nodes that come directly before it
        n = len(entries)
        self.issue, self.start, self.end = [None] * n, [None] * n, [None] * n
        self.sets, self.waits = defaultdict(list), defaultdict(list)   # by triple: numbers of entries
        self.build()
        self.match()
        self.close()

    def node(self, *before):
        self.before.append([b for b in before if b is not None])
        return len(self.before) - 1

    def build(self):
        issued = None                        # the last event of the scalar program
        started = dict.fromkeys(PIPES)       # by pipe: the last start, or what holds up the next
        ended = {pipe: [] for pipe in PIPES}  # by pipe: every end so far
        stores = []                          # ends of scalar stores
        for e, entry in enumerate(self.entries):
            if entry.pipe == "S":
                issued = self.issue[e] = self.start[e] = self.end[e] = self.node(issued)
                if entry.kind == "wait":
                    issued = self.end[e] = self.node(issued)
                if entry.writes:
                    self.end[e] = self.node(issued)
                    stores.append(self.end[e])
                if entry.kind == "set":      # the scalar program goes on; only its wait has the stores behind it
                    self.end[e] = self.node(issued, *stores)
            elif entry.pipe == "ALL":
                everything = [end for ends in ended.values() for end in ends]
                self.issue[e] = self.node(issued)
                issued = self.start[e] = self.end[e] = self.node(self.issue[e], *everything, *stores)
            else:
                issued = self.issue[e] = self.node(issued)
                self.queue(e, entry, issued, started, ended[entry.pipe])
            if entry.kind == "set":
                self.sets[entry.flag].append(e)
            if entry.kind == "wait":
                self.waits[entry.flag].append(e)

    def queue(self, e, entry, issued, started, ended):
        """An entry of V, MTE2 or MTE3."""
        pipe = entry.pipe
        self.start[e] = self.node(issued, started[pipe])
        if entry.kind == "barrier":
            self.before[self.start[e]] += ended
            self.end[e] = self.start[e]
        elif entry.kind == "wait":
            self.end[e] = self.node(self.start[e])
        elif entry.kind == "set":
            self.end[e] = self.node(self.start[e], *ended)
        else:
            self.end[e] = self.node(self.start[e])
        started[pipe] = self.end[e] if entry.kind == "wait" else self.start[e]
        ended.append(self.end[e])

    def match(self):
        self.unmatched = []                  # waits without a set
        for flag, waits in self.waits.items():
            sets = self.sets.get(flag, [])
            for k, wait in enumerate(waits):
                if k < len(sets):
                    self.before[self.end[wait]].append(self.end[sets[k]])
                else:
                    self.unmatched.append(wait)

    def close(self):
        """`past[n]`: every node from which n can be reached. Nodes that can never happen are left at None."""
        count = len(self.before)
        after, missing = [[] for _ in range(count)], [len(b) for b in self.before]
        for n, before in enumerate(self.before):
            for b in before:
                after[b].append(n)
        for wait in self.unmatched:
            missing[self.end[wait]] += 1
        ready, self.past = [n for n in range(count) if not missing[n]], [None] * count
        while ready:
            n = ready.pop()
            past = 0
            for b in self.before[n]:
                past |= self.past[b] | 1 << b
            self.past[n] = past
            for a in after[n]:
                missing[a] -= 1
                if not missing[a]:
                    ready.append(a)

    def happens(self, node):
        return self.past[node] is not None

    def over(self, e, writes):
        """When the writes, or the reads, of an entry are complete: a scalar load is at issue."""
        return self.end[e] if writes or self.entries[e].pipe != "S" else self.start[e]

    def ordered(self, first, second):
        """Does `first` always happen before `second`?"""
        return bool(self.past[second] >> first & 1)

    def heads(self):
        """Where the pipes stand still in the end: of each, the first wait that was issued and is never over."""
        heads = {}
        for e, entry in enumerate(self.entries):
            if entry.kind == "wait" and self.happens(self.issue[e]) and not self.happens(self.end[e]):
                heads.setdefault(entry.pipe, e)
        return sorted(heads.values())

    def culprit(self):
        """The wait to blame for a deadlock: the first whose set was never issued; where all were, the first. None:
        there is no deadlock."""
        heads = self.heads()
        return next((e for e in heads if not self.is_set(e)), heads[0] if heads else None)

    def is_set(self, wait):
        flag = self.entries[wait].flag
        k = self.waits[flag].index(wait)
        return k < len(self.sets.get(flag, [])) and self.happens(self.issue[self.sets[flag][k]])
