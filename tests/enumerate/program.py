"""Programs of this test as text, and what they issue: every entry of the queues, every access, and the bytes they mean.

Reads the texts that generate.py writes and what a repair adds to them: one statement per line, constants, loops and
branches whose conditions are known, tiles with addresses, views of whole rows.
"""
import re
from dataclasses import dataclass, field

import numpy

ROW = 32  # bytes of a row, in global memory and in a tile: eight 32-bit integers
PIPES = ("S", "V", "MTE2", "MTE3")
NAME = re.compile(r"%([\w$.-]+)")
OPEN = re.compile(r"scf\.(for|if)\b.*\{$")
ARITH = {"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b, "andi": lambda a, b: a & b,
         "remsi": lambda a, b: a % b, "divsi": lambda a, b: a // b, "ori": lambda a, b: a | b}
COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "slt": lambda a, b: a < b, "sle": lambda a, b: a <= b,
           "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b, "ult": lambda a, b: a < b, "ugt": lambda a, b: a > b}


class NotRead(Exception):
    """A line that this reader does not know."""


@dataclass
class Region:
    """Bytes of global memory, or of the on-chip buffer (space "UB")."""
    space: str
    lo: int
    hi: int


@dataclass
class Step:
    """One instruction as it is issued."""
    line: int
    name: str
    operands: list = field(default_factory=list)
    more: tuple = ()  # pipes and id of a flag, the pipe of a barrier, the kind of a store or gather


def names_in(text, clause):
    found = re.search(clause + r"\(([^:)]*)", text)
    return NAME.findall(found[1]) if found else []


def listed(text, key):
    return NAME.findall(re.search(key + r" = \[([^\]]*)\]", text)[1])


class Reader:
    """Walks through a text once for one block and values of its scalar arguments, and keeps what is issued."""

    def __init__(self, text, block, values=None):
        self.lines, self.block, self.values, self.steps = text.split("\n"), block, dict(values or {}), []

    def read(self):
        self.walk(0, len(self.lines))
        return self.steps

    def end_of(self, at):
        """The line of the brace that closes what line `at` opens, and that of its `else`."""
        depth, other = 0, None
        for number in range(at, len(self.lines)):
            line = self.lines[number].strip()
            if line.startswith("}"):
                depth -= 1
                if line == "} else {" and depth == 0:
                    other = number
                    depth += 1
                elif depth == 0:
                    return number, other
                elif line == "} else {":
                    depth += 1
            elif line.endswith("{"):
                depth += 1
        raise NotRead(f"line {at + 1} is not closed")

    def walk(self, at, end):
        while at < end:
            line = re.sub(r"\s*//.*", "", self.lines[at]).strip()
            if OPEN.match(line):
                last, other = self.end_of(at)
                self.region(line, at, last, other)
                at = last
            elif line not in ("", "}", "return") and not line.startswith(("func.func", "module", "//")):
                self.statement(line, at + 1)
            at += 1

    def region(self, line, at, last, other):
        names = [self.values.get(name) for name in NAME.findall(line)]
        if line.startswith("scf.if"):
            if names[0]:
                self.walk(at + 1, last if other is None else other)
            elif other is not None:
                self.walk(other + 1, last)
            return
        counter, (lo, hi, step) = NAME.findall(line)[0], names[1:4]
        for value in range(lo, hi, step):
            self.values[counter] = value
            self.walk(at + 1, last)

    def statement(self, line, number):
        result = re.match(r"%([\w$.-]+) = (.*)", line)
        body = result[2] if result else line
        name = re.match(r"[\w.]+", body)[0]
        if name.startswith("arith.") or name in ("pto.get_block_idx", "pto.make_tensor_view", "pto.partition_view",
                                                 "pto.alloc_tile"):
            self.values[result[1]] = self.value(name, body)
            return
        step = Step(number, name.removeprefix("pto."))
        if step.name in ("set_flag", "wait_flag"):
            src, dst, event = re.match(r"pto\.\w+\[<PIPE_(\w+)>, <PIPE_(\w+)>, <EVENT_ID(\d)>\]", body).groups()
            step.more = (src, dst, int(event))
        elif step.name == "barrier":
            step.more = (re.search(r"<PIPE_(\w+)>", body)[1],)
        elif step.name in ("tload", "tstore", "tadd", "mgather", "tgetval", "tsetval"):
            step.operands = [self.values[name] for name in names_in(body, "ins") + names_in(body, "outs")]
            step.more = ("add",) if "atomic_add" in body else ("elem",) if "coalesce elem" in body else ()
            if step.name == "tgetval":
                self.values[result[1]] = step  # its value is known when it has been executed
        else:
            raise NotRead(f"line {number}: {line}")
        self.steps.append(step)

    def value(self, name, body):
        given = [self.values.get(word) for word in NAME.findall(body)]
        if name == "arith.constant":
            word = body.split()[1]
            return {"true": 1, "false": 0}[word] if word in ("true", "false") else int(word, 0)
        if name == "arith.cmpi":
            return int(COMPARE[re.match(r"arith\.cmpi (\w+)", body)[1]](*given[:2]))
        if name == "arith.index_cast":
            return given[0]
        if name.startswith("arith."):
            if name[6:] not in ARITH:
                raise NotRead(body)
            return ARITH[name[6:]](*given[:2])
        if name == "pto.get_block_idx":
            return self.block
        if name == "pto.make_tensor_view":
            return NAME.findall(body)[0]
        if name == "pto.partition_view":
            first, rows = self.values[listed(body, "offsets")[0]], self.values[listed(body, "sizes")[0]]
            return Region(given[0], first * ROW, (first + rows) * ROW)
        address = self.values[re.search(r"addr = %([\w$.-]+)", body)[1]]
        return Region("UB", address, address + int(re.search(r"vec, (\d+)x8xi32", body)[1]) * ROW)


def read_steps(text, block, values=None):
    return Reader(text, block, values).read()


# ---- bytes ----------------------------------------------------------------------------------------------------------


def execute(steps, memory):
    """The meaning of a program: every instruction in the order of issue, flags ignored. Changes `memory`."""
    spaces = {**memory, "UB": numpy.zeros(8192 // 4, numpy.int32)}
    found = {}

    def of(region):
        return spaces[region.space][region.lo // 4:region.hi // 4]

    def number(value):
        return found.get(id(value), 0) if isinstance(value, Step) else value

    for step in steps:
        given = step.operands
        if step.name in ("tload", "tstore"):
            of(given[1])[:] = of(given[0]) + (of(given[1]) if step.more == ("add",) else 0)
        elif step.name == "tadd":
            of(given[2])[:] = of(given[0]) + of(given[1])
        elif step.name == "mgather":
            table, index = of(given[0]), of(given[1]).astype(numpy.uint32)
            rows = table.reshape(-1, 1 if step.more == ("elem",) else 8)
            of(given[2])[:] = rows[index % len(rows)].reshape(-1)
        elif step.name == "tgetval":
            found[id(step)] = of(given[0])[number(given[1])]
        elif step.name == "tsetval":
            of(given[2])[number(given[0])] = number(given[1])
