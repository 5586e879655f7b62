"""Puts a kernel in order: where the oracle finds a race or a flag that is set twice, a flag or a barrier is put."""
from judge import judge
from kernel import Op, text_of

HARMLESS = {"race-self", "ub-reserved", "tcmp-order"}  # a correct kernel may have these


class Repair:
    def __init__(self, kernel, rng):
        self.kernel, self.rng, self.tries = kernel, rng, {}

    def place(self, op):
        """(list, position, loop) of an op."""
        for ops, loop in self.kernel.lists():
            for n, item in enumerate(ops):
                if item is op:
                    return ops, n, loop
        raise LookupError(op)

    def insert(self, at, op, after=False):
        ops, n, _ = self.place(at)
        ops.insert(n + after, op)

    def outer(self, loop):
        return next(n for n, item in enumerate(self.kernel.body) if item is loop)

    def free_id(self, source, to):
        used = {op.id for op in self.kernel.ops() if op.kind in ("set", "wait") and (op.pipe, op.to) == (source, to)}
        free = [n for n in range(1 if self.kernel.target == "a2a3" else 0, 6) if n not in used]
        return self.rng.choice(free) if free else None

    def barrier(self, before, pipe="ALL"):
        self.insert(before, Op("barrier", pipe=pipe))

    def back(self, source, to, producer, consumer, loop):
        """A flag from one turn to the next: there before the first, and taken after the last."""
        number = self.free_id(source, to)
        if number is None:
            return self.barrier(consumer)
        flag = dict(pipe=source, to=to, id=number)
        self.insert(consumer, Op("wait", **flag))
        self.insert(producer, Op("set", **flag), after=True)
        at = self.outer(loop)
        self.kernel.body.insert(at + 1, Op("wait", **flag))
        self.kernel.body.insert(at, Op("set", **flag))

    def order(self, first, second, source, to):
        """A flag from one op to another."""
        (a, m, inside_a), (b, n, inside_b) = self.place(first), self.place(second)
        if inside_a is not None and inside_a is inside_b and m >= n:
            return self.back(source, to, first, second, inside_a)
        number = self.free_id(source, to)
        if number is None:
            return self.barrier(second)
        flag = dict(pipe=source, to=to, id=number)
        if a is b:
            b.insert(n, Op("wait", **flag))
            a.insert(m + 1, Op("set", **flag))
            return None
        if inside_a is not None:
            a, m = self.kernel.body, self.outer(inside_a)
        if inside_b is not None:
            b, n = self.kernel.body, self.outer(inside_b)
        b.insert(n, Op("wait", **flag))
        a.insert(m + 1, Op("set", **flag))
        return None

    def fix(self, name, first, second):
        key = (name, id(first.op), id(second.op))
        self.tries[key] = self.tries.get(key, 0) + 1
        if name in ("flag-double-set", "flag-id-clash"):
            return self.fix_flag(first, second)
        if self.tries[key] > 2 or self.rng.random() < 0.08:
            return self.barrier(second.op)
        if first.pipe == second.pipe:
            return self.barrier(second.op, first.pipe)
        to = second.pipe
        if to == "S" and second.op.kind == "mgather" and first.pipe != "V" and self.rng.random() < 0.7:
            to = "V"  # the instruction's own V->S does the rest
        return self.order(first.op, second.op, first.pipe, to)

    def fix_flag(self, first, second):
        ops, _, loop = self.place(second.op)
        waits = [op for op in ops if op.kind == "wait" and (op.pipe, op.to, op.id) == second.flag]
        if second.own or loop is None or not waits or first.op is not second.op or self.rng.random() < 0.1:
            return self.barrier(second.op)
        source, to = second.flag[1], second.flag[0]
        return self.back(source, to, waits[0], second.op, loop)


def repair(kernel, rng, most=40):
    """True: the kernel is correct now."""
    fixer = Repair(kernel, rng)
    for _ in range(most):
        text_of(kernel)
        verdict = judge(kernel, may_be_auto=False)
        if not {name for name, _ in verdict.found} - HARMLESS:
            return True
        races = [race for race in verdict.races if race[0] not in HARMLESS]
        if verdict.refused or not races:
            return False
        fixer.fix(*races[0])
    return False
