#!/usr/bin/env python3
"""Loops, branches, tiles that loops carry and parts of tiles: a program with them is told what the same program is told
that has every operation written out as it is run.

  unrolled.py --ptog PATH [--count N] [--seed S] [--quick] [--only N]

Both have random flags and barriers, so most of them are wrong. Reports are compared by the steps they speak of, as sets of
(id, step, other steps) of errors and warnings, and so are the bytes that are left behind. The straight program is what the
oracle of tests/oracle knows; it has no loops in loops, branches and subviews.
The last line is "unrolled: N passed, M failed". Exit status: 0 all passed, 1 not, 2 the test could not run.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass

try:
    import numpy as np
except ImportError:
    sys.exit(f"unrolled.py: needs numpy, and {sys.executable} has none")

TARGETS = ("a2a3", "a5")
PIPES = ("S", "V", "MTE2", "MTE3")
HALVES = (("MTE2", "V"), ("V", "MTE3"), ("MTE3", "MTE2"))  # of flags whose set and wait are drawn apart
SHOWN = 3
ROWS, COLS = 8, 8
TABLE, DATA = "!pto.partition_tensor_view<16x8xf32>", "!pto.tensor_view<?x?x{}>"
COMPARISONS = {"eq": int.__eq__, "ne": int.__ne__, "slt": int.__lt__, "sge": int.__ge__}


# ---- the tree of a program ----

@dataclass
class Step:
    kind: str
    seed: int     # of what it touches


@dataclass
class Loop:
    low: int
    high: int
    stride: int
    swapped: tuple  # two tiles that change places in every turn; (): none
    body: list


@dataclass
class Branch:
    comparison: str
    number: int
    yes: list
    no: list


def tile(rows, cols, dtype):
    return f"!pto.tile_buf<vec, {rows}x{cols}x{dtype}>"


def view(rows, cols, dtype):
    return f"!pto.partition_tensor_view<{rows}x{cols}x{dtype}>"


# name: (address, rows, columns, type); two of them lie at one place
TILES = {"i0": (0x0, 1, 8, "i32"), "i1": (0x20, 1, 8, "i32"), "g0": (0x100, 8, 8, "i32"), "g1": (0x200, 8, 8, "i32"),
         "d0": (0x300, 8, 8, "f32"), "d1": (0x400, 8, 8, "f32"), "d2": (0x400, 8, 8, "f32"), "w0": (0x600, 8, 16, "f32"),
         "w1": (0x800, 16, 8, "f32")}
STEPS = ("pair", "pair", "barrier", "barrier", "barrier", "set", "wait", "load", "load", "load_part", "store", "store_part",
         "row", "row_part", "elem", "index", "load_scalar", "store_scalar")


def draw(rng, depth, steps):
    nodes = []
    while steps > 0:
        kind, inner = rng.random(), rng.randint(1, min(steps, 6))
        if depth < 3 and kind < 0.2:
            low, stride, turns = rng.randint(0, 2), rng.randint(1, 2), rng.choice((0, 1, 2, 2, 3))
            swapped = rng.choice(((), ("i0", "i1"), ("d0", "d1")))
            nodes.append(Loop(low, low + turns * stride, stride, swapped, draw(rng, depth + 1, inner)))
        elif depth < 3 and kind < 0.35:
            no = draw(rng, depth + 1, 1) if rng.random() < 0.5 else []
            nodes.append(Branch(rng.choice(list(COMPARISONS)), rng.randint(0, 3), draw(rng, depth + 1, inner), no))
        else:
            nodes.append(Step(rng.choice(STEPS), rng.getrandbits(30)))
            inner = 1
        steps -= inner
    return nodes


# ---- its text ----

class Writer:
    """Writes the tree; `straight`: as it is run. steps[line] is the step that stands in a line, by its place in the tree."""

    def __init__(self, straight):
        self.straight, self.lines, self.steps = straight, [], {}
        self.counters, self.names, self.count = [], {name: name for name in TILES}, 0

    def add(self, text, step=None):
        self.lines.append("  " + text)
        if step is not None:
            self.steps[len(self.lines)] = step

    def value(self, text):
        self.count += 1
        self.add(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, number):
        return self.value(f"arith.constant {number} : index")

    def index(self, rng, modulus, scale=1):
        """(counter * factor + offset) % modulus * scale"""
        which, factor, offset = rng.randint(0, 5), rng.randint(0, 2), rng.randint(0, 3)
        counter = self.counters[which % len(self.counters)] if self.counters else None
        if self.straight:
            return self.constant(((counter or 0) * factor + offset) % modulus * scale)
        sum_ = self.constant(offset)
        if counter:
            product = self.value(f"arith.muli {counter}, {self.constant(factor)} : index")
            sum_ = self.value(f"arith.addi {product}, {sum_} : index")
        rest = self.value(f"arith.remsi {sum_}, {self.constant(modulus)} : index")
        return self.value(f"arith.muli {rest}, {self.constant(scale)} : index")

    def tile(self, rng, *names):
        name = rng.choice(names)
        return "%" + self.names[name], tile(*TILES[name][1:])

    def part_of_tile(self, rng, name, rows):
        _, tall, wide, dtype = TILES[name]
        row, col = self.index(rng, tall - rows + 1), self.index(rng, wide // COLS, COLS)
        text = f"pto.subview %{self.names[name]}[{row}, {col}] sizes [{rows}, {COLS}] : {tile(tall, wide, dtype)} -> "
        return self.value(text + tile(rows, COLS, dtype)), tile(rows, COLS, dtype)

    def part_of_view(self, rng, name, rows, dtype):
        row = self.index(rng, 4, rng.choice((1, 4)))
        text = f"pto.partition_view %{name}_view, offsets = [{row}, 0], sizes = [{rows}, {COLS}] : "
        return self.value(f"{text}{DATA.format(dtype)} -> {view(rows, COLS, dtype)}"), view(rows, COLS, dtype)

    def transfer(self, step, operation, to, of):
        ends = (of, to) if operation == "tload" else (to, of)
        self.add("pto.{} ins({} : {}) outs({} : {})".format(operation, *ends[0], *ends[1]), step)

    def gather(self, step, index, to, mode):
        words = f"pto.mgather ins(%table, {index[0]} : {TABLE}, {index[1]}) outs({to[0]} : {to[1]})"
        self.add(f"{words} {{coalesce = #pto<coalesce {mode}>, gatherOob = #pto<gather_oob wrap>}}", step)

    def step(self, kind, rng, step):
        if kind in ("pair", "set", "wait"):
            src, dst = rng.sample(PIPES, 2) if kind == "pair" else rng.choice(HALVES)
            flag = f"[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{rng.randint(0, 3)}>]"
            for half in ("set", "wait") if kind == "pair" else (kind,):
                self.add(f"pto.{half}_flag{flag}", (step, half))
        elif kind == "barrier":
            self.add(f"pto.barrier <PIPE_{rng.choice(('V', 'MTE2', 'MTE3', 'ALL', 'ALL'))}>", step)
        elif kind in ("load", "store"):
            name = rng.choice(("i0", "i1", "g0", "g1", "d0", "d1", "d2") if kind == "load" else ("d0", "d1", "d2"))
            rows, dtype = TILES[name][1], TILES[name][3]
            array = "ids" if dtype == "i32" else rng.choice(("data", "out")) if kind == "load" else "out"
            self.transfer(step, "t" + kind, self.tile(rng, name), self.part_of_view(rng, array, rows, dtype))
        elif kind in ("load_part", "store_part"):
            rows = rng.choice((1, 2, 4, 8))
            part = self.part_of_tile(rng, rng.choice(("d0", "w0", "w1")), rows)
            self.transfer(step, "t" + kind[:-5], part, self.part_of_view(rng, "out", rows, "f32"))
        elif kind in ("row", "row_part"):
            to = self.tile(rng, "d0", "d1") if kind == "row" else self.part_of_tile(rng, rng.choice(("w0", "w1")), ROWS)
            self.gather(step, self.tile(rng, "i0", "i1"), to, "row")
        elif kind == "elem":
            self.gather(step, self.tile(rng, "g0", "g1"), self.tile(rng, "d0", "d1", "d2"), "elem")
        elif kind == "index":
            src, idx, dst = self.tile(rng, "w0", "w1"), self.tile(rng, "g0", "g1"), self.tile(rng, "d0", "d1", "d2")
            self.add(f"pto.tgather ins({src[0]}, {idx[0]} : {src[1]}, {idx[1]}) outs({dst[0]} : {dst[1]})", step)
        else:
            place, name = self.index(rng, 8, rng.choice((1, 8))), rng.choice(("ids", "numbers"))
            if kind == "load_scalar":
                self.count += 1
                self.add(f"%v{self.count} = pto.load_scalar %{name}[{place}] : !pto.ptr<i32> -> i32", step)
            else:
                number = self.value(f"arith.constant {rng.randint(0, 7)} : i32")
                self.add(f"pto.store_scalar {number}, %{name}[{place}] : i32, !pto.ptr<i32>", step)

    def loop(self, node, step):
        names, swapped = dict(self.names), node.swapped
        if self.straight:
            for counter in range(node.low, node.high, node.stride):
                self.counters.append(counter)
                self.nodes(node.body, step)
                self.counters.pop()
                for name, other in zip(swapped, [self.names[name] for name in reversed(swapped)]):
                    self.names[name] = other
        else:
            bounds = [self.constant(number) for number in (node.low, node.high, node.stride)]
            self.count += 1
            counter, types = f"%k{self.count}", ", ".join(tile(*TILES[name][1:]) for name in swapped)
            head = "scf.for {} = {} to {} step {}".format(counter, *bounds)
            if swapped:
                inner = {name: f"{name}_{self.count}" for name in swapped}
                passed = ", ".join(f"%{inner[name]} = %{names[name]}" for name in swapped)
                head = f"%r{self.count}:2 = {head} iter_args({passed}) -> ({types})"
                self.names.update(inner)
            self.add(head + " {")
            self.counters.append(counter)
            self.nodes(node.body, step)
            self.counters.pop()
            if swapped:
                self.add("scf.yield " + ", ".join("%" + inner[name] for name in reversed(swapped)) + f" : {types}")
            self.add("}")
        self.names = names

    def branch(self, node, step):
        counter = self.counters[-1] if self.counters else None
        if self.straight:
            taken = COMPARISONS[node.comparison](counter or 0, node.number)
            self.nodes(node.yes if taken else node.no, (*step, taken))
            return
        left, right = counter or self.constant(0), self.constant(node.number)
        self.add("scf.if {} {{".format(self.value(f"arith.cmpi {node.comparison}, {left}, {right} : index")))
        self.nodes(node.yes, (*step, True))
        if node.no:
            self.add("} else {")
            self.nodes(node.no, (*step, False))
        self.add("}")

    def nodes(self, nodes, step):
        for number, node in enumerate(nodes):
            place = (*step, number)
            if isinstance(node, Loop):
                self.loop(node, place)
            elif isinstance(node, Branch):
                self.branch(node, place)
            else:
                self.step(node.kind, random.Random(node.seed), place)

    def program(self, nodes, loaded):
        self.lines = ["func.func @f(%table: " + TABLE + ", %ids: !pto.ptr<i32>, %data: !pto.ptr<f32>, %out: !pto.ptr<f32>, "
                      "%numbers: !pto.ptr<i32>) {"]
        for name, dtype in (("ids", "i32"), ("data", "f32"), ("out", "f32")):
            shape = f"shape = [32, 8], strides = [8, 1] : {DATA.format(dtype)}"
            self.add(f"%{name}_view = pto.make_tensor_view %{name}, {shape}")
        for name, (address, rows, cols, dtype) in TILES.items():
            self.add(f"%at_{name} = arith.constant {address} : i64")
            self.add(f"%{name} = pto.alloc_tile addr = %at_{name} : {tile(rows, cols, dtype)}")
        for name in ("i0", "i1", "g0", "g1", "d0", "d1") if loaded else ():
            self.load_first(name)
        self.add("pto.barrier <PIPE_ALL>", "loaded")
        self.nodes(nodes, ())
        return "\n".join([*self.lines, "  return", "}", ""])

    def load_first(self, name):
        _, rows, cols, dtype = TILES[name]
        array = "ids" if dtype == "i32" else "data"
        text = f"pto.partition_view %{array}_view, offsets = [0, 0], sizes = [{rows}, {cols}] : {DATA.format(dtype)} -> "
        of = self.value(text + view(rows, cols, dtype)), view(rows, cols, dtype)
        self.transfer(("loaded", name), "tload", ("%" + name, tile(rows, cols, dtype)), of)


# ---- runs ----

class NotRun(Exception):
    """A program that should run does not."""


class Runs:
    def __init__(self, ptog, place):
        self.ptog, self.place = ptog, place
        rng = np.random.default_rng(7)
        arrays = {"table": np.arange(128, dtype="f4").reshape(16, 8), "ids": rng.integers(0, 64, (32, 8)).astype("i4"),
                  "data": np.arange(256, dtype="f4").reshape(32, 8), "out": -np.arange(256, dtype="f4").reshape(32, 8),
                  "numbers": np.arange(64, dtype="i4").reshape(8, 8)}
        for name, array in arrays.items():
            np.save(os.path.join(place, name + ".npy"), array)

    def run(self, text, steps, target):
        """(exit status, what is said, what is left)"""
        with open(os.path.join(self.place, "f.pto"), "w", encoding="utf-8") as file:
            file.write(text)
        words = ["--in", "table=table.npy", "--in", "data=data.npy"]
        kept = ("ids", "out", "numbers")
        for name in kept:
            words += ["--inout", f"{name}={name}.npy:{name}_after.npy"]
        done = subprocess.run([self.ptog, "run", "f.pto", "--target", target, *words, "--format", "json"], cwd=self.place,
                              capture_output=True)
        if done.returncode not in (0, 1):
            raise NotRun(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        said = set()
        for diag in json.loads(done.stdout)["diagnostics"]:
            if diag["severity"] != "note":
                others = tuple(sorted(str(steps.get(other["line"])) for other in diag["related"]))
                said.add((diag["id"], str(steps.get(diag["line"])), others))
        return done.returncode, said, [self.take(name + "_after.npy") for name in kept]

    def take(self, name):
        path = os.path.join(self.place, name)
        if not os.path.exists(path):
            raise NotRun(f"{name} was not written")
        with open(path, "rb") as file:
            data = file.read()
        os.unlink(path)
        return data


def compare(runs, seed, number, kinds):
    """What is different, or None; and the program."""
    rng, target = random.Random(seed * 1000003 + number), TARGETS[number % 2]
    nodes, loaded = draw(rng, 0, 6 + number % 14), rng.random() < 0.85
    writers = [Writer(False), Writer(True)]
    texts = [writer.program(nodes, loaded) for writer in writers]
    try:
        nested, straight = (runs.run(text, writer.steps, target) for text, writer in zip(texts, writers))
    except NotRun as error:
        return str(error), texts
    kinds.update(id_ for id_, _, _ in nested[1])
    kinds["clean"] += nested[0] == 0
    if nested[1] != straight[1]:
        return f"only here: {nested[1] - straight[1]}\nonly written out: {straight[1] - nested[1]}", texts
    if nested[0] != straight[0] or nested[2] != straight[2]:
        return "other bytes or another exit status than written out", texts
    return None, texts


def main():
    parser = argparse.ArgumentParser(description="Programs with loops and branches, and written out.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--count", type=int, default=300, help="so many programs (default 300)")
    parser.add_argument("--seed", type=int, default=20250316)
    parser.add_argument("--quick", action="store_true", help="60 programs, for slow builds")
    parser.add_argument("--only", type=int, metavar="N", help="program N alone, and show it")
    options = parser.parse_args()
    if not os.access(options.ptog, os.X_OK):
        print(f"unrolled.py: cannot run {options.ptog}", file=sys.stderr)
        return 2
    numbers = range(60 if options.quick else options.count) if options.only is None else [options.only]
    failed, kinds = 0, Counter()
    print(f"unrolled: seed {options.seed}")
    with tempfile.TemporaryDirectory() as place:
        runs = Runs(os.path.abspath(options.ptog), place)
        for number in numbers:
            wrong, texts = compare(runs, options.seed, number, kinds)
            failed += wrong is not None
            if wrong and failed <= SHOWN or options.only is not None:
                print(f"program {number}, seed {options.seed}, target {TARGETS[number % 2]}: {wrong}", *texts, sep="\n")
    print(", ".join(f"{name} {count}" for name, count in sorted(kinds.items())))
    missing = {"race-raw", "race-war", "race-waw", "same-pipe-hazard", "flag-double-set", "flag-left-set", "flag-never-set",
               "clean"} - set(kinds) if options.only is None else set()
    if missing:
        print(f"no program had {sorted(missing)}")
    print(f"unrolled: {len(numbers) - failed} passed, {failed + bool(missing)} failed")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
