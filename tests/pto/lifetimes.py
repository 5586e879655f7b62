#!/usr/bin/env python3
"""Tiles that share bytes: random programs with loops, branches, calls and parts of tiles, whose tiles do not fit in the on-chip buffer
side by side. On a2a3, where those that are never alive together lie over each other, a program gives the bytes that it gives on
host, where each has its own, and nothing is found; written out with its addresses (--print-placement) it does so again.

  lifetimes.py --ptog PATH [--count N] [--seed S] [--only N]

The last line is "lifetimes: N passed, M failed".
"""
import argparse
import random
import re
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(f"lifetimes.py: needs numpy, and {sys.executable} has none")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import Checks, run  # noqa: E402

ROWS, COLS = 48, 128  # 24 KiB: eight fit
TILE = f"!pto.tile_buf<vec, {ROWS}x{COLS}xf32>"
HALF = f"!pto.tile_buf<vec, {ROWS // 2}x{COLS}xf32>"
VIEW = f"!pto.partition_tensor_view<{ROWS}x{COLS}xf32>"
INPUTS, OUTPUTS = 3, 4


class Program:
    """A function that reads only what it has written."""

    def __init__(self, seed, number):
        self.rng = random.Random(seed * 1000003 + number)
        self.lines, self.depth, self.names = [], 1, 0
        self.tiles, self.ready = [], set()
        for _ in range(self.rng.randint(3, 7)):
            self.alloc()
        for _ in range(self.rng.randint(6, 14)):
            self.statement()
        self.store()

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def alloc(self):
        name = f"%t{self.names}"
        self.names += 1
        self.add(f"{name} = pto.alloc_tile : {TILE}")
        self.tiles.append(name)

    # -- statements

    def load(self):
        tile = self.rng.choice(self.tiles)
        self.add(f"pto.tload ins(%in{self.rng.randrange(INPUTS)} : {VIEW}) outs({tile} : {TILE})")
        self.ready.add(tile)

    def compute(self):
        if not self.ready:
            return self.load()
        a, b = (self.rng.choice(sorted(self.ready)) for _ in range(2))
        dst = self.rng.choice(self.tiles)
        self.add(f"pto.tadd ins({a}, {b} : {TILE}, {TILE}) outs({dst} : {TILE})")
        self.ready.add(dst)

    def store(self):
        if self.ready:
            tile = self.rng.choice(sorted(self.ready))
            self.add(f"pto.tstore ins({tile} : {TILE}) outs(%out{self.rng.randrange(OUTPUTS)} : {VIEW})")

    def halves(self):
        """One half of a tile is doubled into the other."""
        if not self.ready:
            return self.load()
        tile, part = self.rng.choice(sorted(self.ready)), f"%p{self.names}"
        self.names += 1
        for name, row in ((part + "a", 0), (part + "b", ROWS // 2)):
            self.add(f"{name} = pto.subview {tile}[{row}, 0] sizes [{ROWS // 2}, {COLS}] : {TILE} -> {HALF}")
        self.add(f"pto.tadd ins({part}a, {part}a : {HALF}, {HALF}) outs({part}b : {HALF})")

    def call(self):
        if not self.ready:
            return self.load()
        a, b = self.rng.choice(sorted(self.ready)), self.rng.choice(self.tiles)
        if a != b:
            self.add(f"func.call @{self.rng.choice(('twice', 'through'))}({a}, {b}) : ({TILE}, {TILE}) -> ()")
            self.ready.add(b)

    def body(self, head):
        """A region of its own: what it allocates ends with it, and what it makes ready may not be."""
        self.add(head)
        tiles, ready = list(self.tiles), set(self.ready)
        self.depth += 1
        if self.rng.random() < 0.6:
            self.alloc()
        for _ in range(self.rng.randint(2, 4)):
            self.statement(nested=True)
        self.depth -= 1
        self.add("}")
        self.tiles, self.ready = tiles, ready

    def loop(self):
        self.names += 1
        self.body(f"scf.for %i{self.names} = %c0 to %c2 step %c1 {{")

    def branch(self):
        self.body(f"scf.if %b{self.rng.randrange(2)} {{")

    def statement(self, nested=False):
        flat = [self.load, self.compute, self.compute, self.store, self.halves, self.call]
        if self.depth == 1 and self.rng.random() < 0.3:
            self.alloc()
        self.rng.choice(flat if nested and self.depth > 2 else [*flat, self.loop, self.branch])()

    def text(self):
        arguments = [f"%in{i}: {VIEW}" for i in range(INPUTS)] + [f"%out{i}: {VIEW}" for i in range(OUTPUTS)]
        return "\n".join([
            f"func.func private @twice(%a: {TILE}, %b: {TILE}) {{", f"  %s = pto.alloc_tile : {TILE}",
            f"  pto.tadd ins(%a, %a : {TILE}, {TILE}) outs(%s : {TILE})", f"  pto.tadd ins(%s, %a : {TILE}, {TILE}) outs(%b : {TILE})",
            "  return", "}",
            f"func.func private @through(%a: {TILE}, %b: {TILE}) {{", f"  %s = pto.alloc_tile : {TILE}",
            f"  func.call @twice(%a, %s) : ({TILE}, {TILE}) -> ()", f"  pto.tadd ins(%s, %a : {TILE}, {TILE}) outs(%b : {TILE})",
            "  return", "}",
            f"func.func @kernel({', '.join(arguments)}) attributes {{pto.entry}} {{",
            "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index", "  %c2 = arith.constant 2 : index",
            "  %block = pto.get_block_idx", "  %zero = arith.constant 0 : i64",
            "  %b0 = arith.cmpi eq, %block, %zero : i64", "  %b1 = arith.cmpi ne, %block, %zero : i64",
            *self.lines, "  return", "}", ""])


def outputs(ptog, file, target, folder, *options):
    """(exit status, what was said, the bytes of the outputs)"""
    words = [word for i in range(INPUTS) for word in ("--in", f"in{i}={folder / f'in{i}.npy'}")]
    places = [folder / f"{target}{i}.npy" for i in range(OUTPUTS)]
    for i, place in enumerate(places):
        words += ["--inout", f"out{i}={folder / 'marks.npy'}:{place}"]
    done = run([ptog, "run", file, "--target", target, *words, *options])
    there = all(place.exists() for place in places)
    return done.returncode, done.stdout + done.stderr, [np.load(place) for place in places] if there else None


def judge(ptog, program, folder):
    """(problems, whether tiles lie over each other); None: it does not fit at all."""
    file, again = folder / "kernel.pto", folder / "placed.pto"
    file.write_text(program.text())
    status, said, wanted = outputs(ptog, file, "host", folder)
    if status != 0:
        return [f"host: {said}"], False
    status, said, got = outputs(ptog, file, "a2a3", folder, "--ub-map")
    if "ub-overflow" in said:
        return None, False
    if status != 0:
        return [f"a2a3: {said}"], False
    problems = [f"out{i} differs" for i in range(OUTPUTS) if not np.array_equal(got[i], wanted[i])]
    status, text, _ = outputs(ptog, file, "a2a3", folder, "--print-placement", "-o", again)
    status, said_again, got = outputs(ptog, again, "a2a3", folder)
    if status != 0:
        problems.append(f"with its addresses: {said_again}")
    problems += [f"out{i} differs, with its addresses" for i in range(OUTPUTS) if not np.array_equal(got[i], wanted[i])]
    return problems, bool(re.search("shares memory with", said))


def main():
    parser = argparse.ArgumentParser(description="Programs whose tiles share bytes, against the same ones where none do.")
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20240917)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    checks, shared = Checks("lifetimes"), 0
    with tempfile.TemporaryDirectory() as name:
        folder, rng = Path(name), np.random.default_rng(given.seed)
        for i in range(INPUTS):
            np.save(folder / f"in{i}.npy", rng.integers(-9, 9, (ROWS, COLS)).astype("f4"))
        np.save(folder / "marks.npy", np.full((ROWS, COLS), -1, "f4"))
        for number in range(given.count) if given.only is None else [given.only]:
            program = Program(given.seed, number)
            problems, over = judge(given.ptog.resolve(), program, folder)
            shared += over
            if problems is None:
                continue
            again = f"again: lifetimes.py --ptog {given.ptog} --seed {given.seed} --only {number}"
            checks.check(f"program {number}", problems and [*problems, program.text(), again])
            for left in folder.glob("*2a3?.npy"):
                left.unlink()
    if given.only is None and given.count >= 40:  # of the first few, none may
        checks.check("some share bytes", [] if shared > given.count // 10 else f"only {shared} of {given.count} do")
    checks.finish()


if __name__ == "__main__":
    main()
