"""Random programs of at most eight operations: without flags, with the flags they need, with some of these removed, and
with flags anywhere."""
import re
from dataclasses import dataclass

import numpy

from model import PIPES, TooLarge, judge
from program import NAME

MAX_OPERATIONS = 8
MAX_ROUNDS = 24  # of adding what is missing
BIG, SMALL = "!pto.tile_buf<vec, 8x8xi32>", "!pto.tile_buf<vec, 1x8xi32>"
BIG_VIEW, SMALL_VIEW = "!pto.partition_tensor_view<8x8xi32>", "!pto.partition_tensor_view<1x8xi32>"
TILES = {"t0": (0, BIG), "t1": (1024, BIG), "t2": (2048, BIG), "s0": (4096, SMALL), "s1": (4608, SMALL)}
BUFFERS = ("x", "y", "w", "table")  # 16 rows each; big views are of x and y, small ones of w
VIEWS = {"x0": ("x", "c0", 8), "x4": ("x", "c4", 8), "x8": ("x", "c8", 8), "xb": ("x", "b8", 8),
         "y0": ("y", "c0", 8), "y4": ("y", "c4", 8), "y8": ("y", "c8", 8), "yb": ("y", "b8", 8),
         "w0": ("w", "c0", 1), "w1": ("w", "c1", 1), "w8": ("w", "c8", 1), "wb": ("w", "b8", 1), "tab": ("table", "c0", 8)}
FLAG = re.compile(r"pto\.(set|wait)_flag\[<PIPE_(\w+)>, <PIPE_(\w+)>, <EVENT_ID(\d)>\]")


@dataclass
class Program:
    """A text with everything that a run of it takes."""
    text: str
    target: str
    blocks: int
    kind: str
    memory: dict  # by name: int32


def flag(what, src, dst, event):
    return f"pto.{what}_flag[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{event}>]"


def is_wide(tile):
    return TILES[tile][1] == BIG


class Draft:
    """A program in the making: the lines of its body."""

    def __init__(self, random, target):
        self.random, self.target = random, target
        self.blocks = 2 if random.random() < 0.25 else 1
        self.body, self.written, self.depth, self.counter = [], set(), 0, None
        self.apart = self.blocks == 2 and random.random() < 0.7  # the blocks keep to their own rows

    def add(self, line):
        self.body.append("  " * self.depth + line)

    # ---- operations

    def tile(self, wide=None, written=False):
        fitting = [t for t in TILES if (wide is None or is_wide(t) == wide) and (not written or t in self.written)]
        return self.random.choice(fitting) if fitting else None

    def view(self, wide):
        names = [v for v, (buffer, row, rows) in VIEWS.items() if buffer != "table" and (rows == 8) == wide and
                 (row == "b8" if self.apart else row != "b8" or self.blocks == 2)]
        return self.random.choice(names)

    def load(self):
        tile = self.tile()
        self.written.add(tile)
        return (f"pto.tload ins(%{self.view(is_wide(tile))} : {BIG_VIEW if is_wide(tile) else SMALL_VIEW}) "
                f"outs(%{tile} : {TILES[tile][1]})")

    def store(self):
        tile = self.tile(written=True)
        if not tile:
            return self.load()
        add = " {atomicType = #pto<atomic_type atomic_add>}" if self.random.random() < 0.35 else ""
        return (f"pto.tstore ins(%{tile} : {TILES[tile][1]}) "
                f"outs(%{self.view(is_wide(tile))} : {BIG_VIEW if is_wide(tile) else SMALL_VIEW}){add}")

    def sum(self):
        wide = self.random.random() < 0.6
        a, b = self.tile(wide, True), self.tile(wide, True)
        if not a:
            return self.load()
        dst, kind = self.tile(wide), TILES[a][1]
        self.written.add(dst)
        return f"pto.tadd ins(%{a}, %{b} : {kind}, {kind}) outs(%{dst} : {kind})"

    def gather(self):
        index = self.tile(False, True)
        if not index:
            return self.load()
        row = self.random.random() < 0.6
        dst = self.tile(True) if row else {"s0": "s1", "s1": "s0"}[index]
        self.written.add(dst)
        return (f"pto.mgather ins(%tab, %{index} : {BIG_VIEW}, {SMALL}) outs(%{dst} : {TILES[dst][1]}) "
                f"{{coalesce = #pto<coalesce {'row' if row else 'elem'}>, gatherOob = #pto<gather_oob wrap>}}")

    def scalar(self):
        tile = self.tile(written=True)
        if not tile:
            return self.load()
        if self.random.random() < 0.5:
            return f"%e{len(self.body)} = pto.tgetval ins(%{tile}, %c1 : {TILES[tile][1]}, index) outs : i32"
        last = self.body[-1].strip() if self.body else ""
        value = NAME.match(last)[1] if "tgetval" in last else "n5"
        return f"pto.tsetval ins(%c1, %{value} : index, i32) outs(%{tile} : {TILES[tile][1]})"

    def operation(self):
        makers = (self.load, self.store, self.sum, self.gather, self.scalar)
        self.add(self.random.choices(makers, (30, 26, 24, 12, 8))[0]())

    # ---- loops and branches

    def condition(self):
        choices = ["%on", "%off"] + ["%first"] * (self.blocks == 2)
        if self.counter:
            self.add(f"%q{len(self.body)} = arith.cmpi eq, %{self.counter}, %c0 : index")
            return f"%q{len(self.body) - 1}"
        return self.random.choice(choices)

    def inside(self, opening, count):
        self.add(opening)
        self.depth += 1
        self.operations(count)
        self.depth -= 1

    def loop(self, count):
        outer, self.counter = self.counter, f"i{len(self.body)}"
        self.inside(f"scf.for %{self.counter} = %c0 to %c2 step %c1 {{", count)
        self.add("}")
        self.counter = outer

    def branch(self, count):
        before, condition = set(self.written), self.condition()
        other = self.random.randint(0, count - 1)
        self.inside(f"scf.if {condition} {{", count - other)
        self.written, after = before, self.written
        if other:
            self.inside("} else {", other)
        self.add("}")
        self.written &= after

    def operations(self, count):
        while count > 0:
            part = self.random.randint(1, count)
            if self.depth < 2 and self.random.random() < 0.14 and part > 1:
                self.random.choice((self.loop, self.branch))(part)
                count -= part
            else:
                self.operation()
                count -= 1

    # ---- the whole text

    def text(self):
        lines = ["func.func @k(" + ", ".join(f"%{name}: !pto.ptr<i32>" for name in BUFFERS) + ") {"]
        lines += [f"  %c{n} = arith.constant {n} : index" for n in (0, 1, 2, 4, 8, 16)]
        lines += ["  %n5 = arith.constant 5 : i32", "  %on = arith.constant true", "  %off = arith.constant false"]
        if self.blocks == 2:
            lines += ["  %b = pto.get_block_idx", "  %b8 = arith.muli %b, %c8 : index",
                      "  %first = arith.cmpi eq, %b, %c0 : index"]
        lines += [f"  %m{name} = pto.make_tensor_view %{name}, shape = [%c16, %c8], strides = [%c8, %c1] : "
                  "!pto.tensor_view<16x8xi32>" for name in BUFFERS]
        used = {name for line in self.body for name in NAME.findall(line)}
        for name, (buffer, row, rows) in VIEWS.items():
            if name in used:
                lines.append(f"  %{name} = pto.partition_view %m{buffer}, offsets = [%{row}, %c0], sizes = [%c{rows}, %c8] : "
                             f"!pto.tensor_view<16x8xi32> -> {BIG_VIEW if rows == 8 else SMALL_VIEW}")
        for name, (address, kind) in TILES.items():
            if name in used:
                lines += [f"  %a{name} = arith.constant {address} : i64",
                          f"  %{name} = pto.alloc_tile addr = %a{name} : {kind}"]
        return "\n".join([*lines, *("  " + line for line in self.body), "  return", "}", ""])


# ---- flags -----------------------------------------------------------------------------------------------------------


def indent_of(line):
    return line[:len(line) - len(line.lstrip())]


class Flagger:
    """Adds flags to a text until the model finds nothing wrong with it."""

    def __init__(self, random, explorer, target, blocks):
        self.random, self.explorer, self.target, self.blocks = random, explorer, target, blocks

    def judge(self, lines):
        return judge(self.explorer, "\n".join(lines), self.target, self.blocks)

    def new_id(self, lines, src, dst):
        used = {int(found[4]) for found in map(FLAG.search, lines) if found and (found[2], found[3]) == (src, dst)}
        free = [n for n in range(1, 6) if n not in used]
        return self.random.choice(free or range(1, 6))

    def are_neighbours(self, lines, first, second):
        """Whether two lines stand in one list of statements, in this order."""
        between = [line.strip() for line in lines[first:second - 1]]
        return first < second and not any(line.endswith("{") or line.startswith("}") for line in between)

    def put(self, lines, first, second):
        """The lines with something between two accesses that have no order."""
        src, dst = PIPES[first.pipe], PIPES[second.pipe]
        new, space = list(lines), indent_of(lines[second.line - 1])
        if src == dst or self.random.random() < 0.05:
            pipe = src if src == dst and self.random.random() < 0.8 else "ALL"
            new.insert(second.line - 1, f"{space}pto.barrier <PIPE_{pipe}>")
            return new
        event = self.new_id(lines, src, dst)
        new.insert(second.line - 1, space + flag("wait", src, dst, event))
        after = first.line if self.are_neighbours(lines, first.line, second.line) else second.line - 1
        new.insert(self.random.randint(after, second.line - 1), space + flag("set", src, dst, event))
        return new

    def complete(self, text):
        """A text without faults; None: this one is not made right by flags."""
        lines = text.split("\n")
        verdict = self.judge(lines)
        for _ in range(MAX_ROUNDS):
            if verdict.is_clean:
                return "\n".join(lines)
            if not verdict.unordered:
                return None
            first, second = self.random.choice(verdict.unordered)
            new = self.put(lines, first, second)
            if self.judge(new).ids & {"flag-double-set", "flag-never-set"}:
                new = list(lines)
                new.insert(second.line - 1, indent_of(lines[second.line - 1]) + "pto.barrier <PIPE_ALL>")
            lines, verdict = new, self.judge(new)
        return None

    def vary(self, text, rounds):
        """Sets that are issued later, so that their waits are held, waits that are issued earlier, and pairs that nobody
        needs: what leaves the program right is kept."""
        lines = text.split("\n")
        for _ in range(rounds):
            new = list(lines)
            flags = [i for i, line in enumerate(lines) if FLAG.search(line)]
            if flags and self.random.random() < 0.75:
                at = self.random.choice(flags)
                line = new.pop(at)
                later = FLAG.search(line)[1] == "set"
                to = self.random.randint(at, min(at + 4, len(new) - 3)) if later else self.random.randint(max(at - 4, 0), at)
                new.insert(to, line)
            else:
                src, dst = self.random.sample(PIPES, 2)
                places = sorted(self.random.sample(range(body_start(lines), len(lines) - 3 + 1), 1) * 2)
                new[places[0]:places[0]] = [flag(what, src, dst, self.new_id(lines, src, dst)) for what in ("set",)]
                event = FLAG.search(new[places[0]])[4]
                new.insert(places[0] + 1, flag("wait", src, dst, event))
            if body_is_whole(new) and self.judge(new).is_clean:
                lines = new
        return "\n".join(lines)


def body_start(lines):
    """The first line that is not a declaration."""
    return next(i for i, line in enumerate(lines) if re.match(r"\s+(pto\.(t|m?gather|set|wait|barrier)|scf\.|%\w+ = pto\.tgetval)",
                                                             line) and "alloc" not in line)


def body_is_whole(lines):
    """No flag among the declarations or behind the return."""
    start, end = body_start(lines), next(i for i, line in enumerate(lines) if line.strip() == "return")
    return all(start <= i < end for i, line in enumerate(lines) if FLAG.search(line)) and \
        not any("= pto.alloc_tile" in line or "partition_view %" in line for line in lines[start:])


def remove_flags(random, text, count):
    """Without so many sets or waits; half the time a pair goes as a whole."""
    lines = text.split("\n")
    for _ in range(count):
        flags = [i for i, line in enumerate(lines) if FLAG.search(line)]
        if not flags:
            break
        gone = {random.choice(flags)}
        if random.random() < 0.5:
            triple = FLAG.search(lines[min(gone)]).groups()[1:]
            gone |= {i for i in flags if FLAG.search(lines[i]).groups()[1:] == triple}
        lines = [line for i, line in enumerate(lines) if i not in gone]
    return "\n".join(lines)


def scatter_flags(random, text):
    """Flags and barriers anywhere."""
    lines = text.split("\n")
    for _ in range(random.randint(1, 4)):
        start = body_start(lines)
        places = [random.randint(start, len(lines) - 3) for _ in range(2)]
        src, dst = random.sample(PIPES, 2)
        event = random.randint(1, 2)
        new = [flag("set", src, dst, event), flag("wait", src, dst, event)]
        if random.random() < 0.15:
            new = [f"pto.barrier <PIPE_{random.choice(('MTE2', 'MTE3', 'V', 'ALL'))}>"]
        for place, line in sorted(zip(places, new), reverse=True):
            lines.insert(place, line)
    return "\n".join(lines)


def reverse_pair(random, text):
    """A pair of flags in the other direction, around the two operations that it stood between: the wait comes before the
    first of them, the set after the second."""
    lines = text.split("\n")
    flags = {i: FLAG.search(line).groups() for i, line in enumerate(lines) if FLAG.search(line)}
    pairs = [(i, k) for i, (what, *triple) in flags.items() if what == "set"
             for k, (other, *same) in flags.items() if other == "wait" and same == triple and k > i]
    if not pairs:
        return text
    first, second = random.choice(pairs)
    _, src, dst, event = flags[first]
    lines[first - 1:first + 1] = [flag("wait", dst, src, event), lines[first - 1]]
    lines[second:second + 2] = [lines[second + 1], flag("set", dst, src, event)]
    return "\n".join(lines)


# ---- programs --------------------------------------------------------------------------------------------------------

KINDS = {"bare": 12, "right": 20, "removed": 40, "reversed": 8, "scattered": 20}


def draw_memory(random):
    source = numpy.random.default_rng(random.getrandbits(32))
    return {name: source.integers(0, 8 if name in ("w", "table") else 100, 128, dtype=numpy.int32) for name in BUFFERS}


def draw_once(random, explorer, kind):
    draft = Draft(random, random.choice(("a2a3", "a5")))
    draft.operations(random.randint(2, MAX_OPERATIONS))
    text = draft.text()
    flagger = Flagger(random, explorer, draft.target, draft.blocks)
    if kind == "scattered":
        text = scatter_flags(random, text)
    elif kind == "bare":
        judge(explorer, text, draft.target, draft.blocks)  # small enough?
    else:
        text = flagger.complete(text)
        if not text or not FLAG.search(text) and kind in ("removed", "reversed"):
            return None
        text = flagger.vary(text, random.choice((0, 2, 6)))
    if kind == "removed":
        text = remove_flags(random, text, random.randint(1, 3))
    if kind == "reversed":
        text = reverse_pair(random, text)
        if not body_is_whole(text.split("\n")):
            return None
    return Program(text, draft.target, draft.blocks, kind, draw_memory(random))


def draw(random, explorer, kinds=KINDS):
    kind = random.choices(list(kinds), kinds.values())[0]
    while True:
        try:
            program = draw_once(random, explorer, kind)
            if program:
                for target in ("a2a3", "a5"):
                    judge(explorer, program.text, target, program.blocks)
                return program
        except TooLarge:
            pass
