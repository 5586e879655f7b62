"""Pairs of flags that change nothing: what is left of a correct kernel without them is just as correct, whatever data its
indices, sources and tables hold."""
from copy import copy

from effects import Run
from judge import judge
from kernel import Loop
from order import Graph


def pairs_of(kernel):
    """Lists of ops: sets and the waits that take them. Statements that meet in a loop are one pair together."""
    pair = {}
    for block in range(kernel.blocks):
        run = Run(kernel, block, {name: bytearray(buffer.data) for name, buffer in kernel.buffers.items()})
        for op, turn in kernel.turns():
            run.issue(op, turn)
        graph = Graph(run.entries)
        for flag, sets in graph.sets.items():
            for first, second in zip(sets, graph.waits.get(flag, [])):
                a, b = run.entries[first], run.entries[second]
                if not a.own and not b.own:
                    join(pair, a.op, b.op)
    lists = []
    for ops in pair.values():
        if not any(ops is other for other in lists):
            lists.append(ops)
    return lists


def join(pair, a, b):
    together = list({id(op): op for op in [*pair.get(id(a), [a]), *pair.get(id(b), [b])]}.values())
    for op in together:
        pair[id(op)] = together


def without(kernel, ops):
    """The kernel without some ops; all others stay where they are, and keep their lines."""
    left = {id(op) for op in ops}
    rest = copy(kernel)
    rest.body = [item for item in kernel.body if id(item) not in left]
    rest.body = [Loop(item.count, [op for op in item.body if id(op) not in left], item.line)
                 if isinstance(item, Loop) else item for item in rest.body]
    return rest


RACES = {"race-raw", "race-war", "race-waw", "same-pipe-hazard", "order-reversed"}


def redundant_lines(kernel):
    """Of each redundant pair, the line of the set that is issued first. In a kernel that other data could make race nobody
    is told to remove a flag."""
    verdict = judge(kernel, may_be_auto=False, wide=True)
    if any(name in RACES for name, _ in verdict.found):
        return
    order = {id(op): n for n, op in reversed(list(enumerate(op for op, _ in kernel.turns())))}
    for ops in pairs_of(kernel):
        if judge(without(kernel, ops), may_be_auto=False, wide=True).found == verdict.found:
            yield min((op for op in ops if op.kind == "set"), key=lambda op: order[id(op)]).line
