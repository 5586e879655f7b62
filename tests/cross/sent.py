#!/usr/bin/env python3
"""Copies between the cores against numpy: an accumulator to UB of the vector cores (tmov, textract, tinsert; one of them, or a half for
each; converted, scaled, without its negative elements; rows, columns or boxes), and tiles of the vector cores back to L1.

  sent.py --ptog PATH [--count N] [--seed S] [--only N]

A program multiplies two matrices of small whole numbers, which is exact, sends the product to the vector cores, and these store it, or
send it back to L1, where it is multiplied by the identity. Flags inside a core are left to automatic mode, counters between the cores are
written. Every program runs on host, cpu and a5, and on a5 once more without its first counter: then it must have a race. The last line is
"sent: N passed, M failed". A failure prints the program and how to repeat it.
"""
import argparse
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import Checks, run  # noqa: E402

TARGETS = ("host", "cpu", "a5")
NUMPY = {"f16": "f2", "f32": "f4", "i8": "i1", "i32": "i4"}
MODES = ("single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n")
NZ = ", blayout=col_major, slayout=row_major"


def up(n, step):
    return (n + step - 1) // step * step


class Case:
    def __init__(self, seed, number):
        rng = random.Random(f"{seed} {number}")
        self.target = TARGETS[number % len(TARGETS)]
        self.dtype = rng.choice(["f16", "f16", "i8"])
        self.sum = "i32" if self.dtype == "i8" else "f32"
        self.mode = rng.choice(MODES)
        self.op = rng.choice(["tmov", "textract", "tinsert"])
        split = self.mode.startswith("dual")
        self.back = self.dtype == "f16" and rng.random() < 0.4       # to L1 again, which needs f16
        self.layout = rng.choice(["nd", "nz"] if self.back else ["nd"] if split else ["nd", "dn"])
        if self.op == "textract" or (self.op == "tinsert" and self.layout == "dn"):
            self.layout = "nd"                                        # compilers know no other
        self.scale = None if split or self.back or rng.random() < 0.6 else (0.5, rng.randint(0, 3))
        self.out = "f16" if self.back else self.sum if split else rng.choice(["f32", "f16"] if self.sum == "f32" else ["i32"])
        if self.back and split:
            self.mode, split = rng.choice(MODES[:2]), False          # halves have elements of 4 bytes
        if self.scale:
            self.out = "i8"
        self.relu = rng.random() < 0.3
        self.m, self.n = rng.randint(1, 40), rng.randint(1, 40)
        if self.mode == MODES[2]:
            self.m = up(self.m, 2)
        if self.mode == MODES[3]:
            self.n = up(self.n, 32)
        self.k = rng.randint(1, 24)
        data = np.random.default_rng(rng.getrandbits(32))
        self.a = data.integers(-4, 5, (self.m, self.k)).astype(NUMPY[self.dtype])
        self.b = data.integers(-4, 5, (self.k, self.n)).astype(NUMPY[self.dtype])
        self.parts = 2 if split else 1
        self.rows = self.m // 2 if self.mode == MODES[2] else self.m  # of each part
        self.cols = self.n // 2 if self.mode == MODES[3] else self.n
        c0 = 32 // np.dtype(NUMPY[self.out]).itemsize
        moved = self.op == "tinsert" and self.layout == "nd" and not self.back  # into the middle of a larger tile
        self.row, self.col = (rng.randint(0, 5), c0 * rng.randint(0, 2)) if moved else (0, 0)
        self.below = 16 * rng.randint(0, 1)                           # rows of L1 above those that come back
        if self.op == "textract" and not split:                       # a window of the accumulator
            self.from_row, self.from_col = 16 * rng.randint(0, (self.m - 1) // 16), 16 * rng.randint(0, (self.n - 1) // 16)
            self.rows, self.cols = rng.randint(1, self.m - self.from_row), rng.randint(1, self.n - self.from_col)
        else:
            self.from_row = self.from_col = 0
        self.eye = np.eye(up(self.cols, 16), dtype="f2")

    def vec(self):
        """The tile in UB: what arrives, below and behind what a tinsert leaves out."""
        c0 = 32 // np.dtype(NUMPY[self.out]).itemsize
        r, c = self.row + self.rows, self.col + self.cols
        shape = {"nd": f"{r}x{up(c, c0)}", "dn": f"{up(r, c0)}x{c}", "nz": f"{up(self.m, 16)}x{up(c, 16)}"}[self.layout]
        order = {"nd": "", "dn": ", blayout=col_major", "nz": NZ}[self.layout]
        return f"!pto.tile_buf<vec, {shape}x{self.out}, valid={r}x{c}{order}>"

    def text(self):
        m, k, n, d = up(self.m, 16), up(self.k, 32), up(self.n, 32), self.dtype
        ma, mb = f"!pto.tile_buf<mat, {m}x{k}x{d}, valid={self.m}x{self.k}{NZ}>", f"!pto.tile_buf<mat, {k}x{n}x{d}, valid={self.k}x{self.n}{NZ}>"
        left = f"!pto.tile_buf<left, {m}x{k}x{d}, valid={self.m}x{self.k}, slayout=row_major, compact=1>"
        right = f"!pto.tile_buf<right, {k}x{n}x{d}, valid={self.k}x{self.n}, slayout=col_major, compact=1>"
        acc = f"!pto.tile_buf<acc, {m}x{n}x{self.sum}, valid={self.m}x{self.n}{NZ}, fractal=1024, compact=1>"
        a, b = (f"!pto.partition_tensor_view<{r}x{c}x{d}>" for r, c in ((self.m, self.k), (self.k, self.n)))
        wide, tall = up(self.cols, 16), up(self.rows, 16)
        e = f"!pto.partition_tensor_view<{wide}x{wide}xf16>"
        back = f"!pto.tile_buf<mat, {tall + self.below}x{wide}xf16, valid={self.below + self.rows}x{self.cols}{NZ}>"
        vec = self.vec()
        lines = [f"func.func @f(%f: !pto.ptr<i64>, %a: {a}, %b: {b}, %e: {e}, %p: !pto.ptr<{'f32' if self.back else self.out}>) {{"]
        put = lines.append
        rows, cols, total = self.rows, self.cols, self.rows * self.cols
        for number in sorted({0, 1, rows, cols, total, self.parts * rows, self.row, self.col, self.from_row, self.from_col, self.below}):
            put(f"  %n{number} = arith.constant {number} : index")
        if self.scale:
            bits = int(np.float32(self.scale[0]).view("u4")) | self.scale[1] << 37 | 1 << 46
            put(f"  %scale = arith.constant {bits} : i64")
        put("  pto.set_ffts %f : !pto.ptr<i64>")
        put(f"  %v = pto.alloc_tile : {vec}")
        if self.back:
            put(f"  %back = pto.alloc_tile : {back}")
        put("  pto.section.cube {")
        for name, kind in (("ma", ma), ("mb", mb), ("l", left), ("r", right), ("s", acc)):
            put(f"    %{name} = pto.alloc_tile : {kind}")
        put(f"    pto.tload ins(%a : {a}) outs(%ma : {ma})")
        put(f"    pto.tload ins(%b : {b}) outs(%mb : {mb})")
        put(f"    pto.tmov ins(%ma : {ma}) outs(%l : {left})")
        put(f"    pto.tmov ins(%mb : {mb}) outs(%r : {right})")
        put(f"    pto.tmatmul ins(%l, %r : {left}, {right}) outs(%s : {acc})")
        at = {"tmov": (), "textract": (self.from_row, self.from_col), "tinsert": (self.row, self.col)}[self.op]
        ins = ["%s", *(f"%n{i}" for i in at), *(["%scale"] if self.scale else [])]
        types = [acc, *("index" for _ in at), *(["i64"] if self.scale else [])]
        attrs = [] if self.mode == MODES[0] and self.m % 2 else [f"accToVecMode = #pto.acc_to_vec_mode<{self.mode}>"]
        attrs += ["reluPreMode = #pto<relu_pre_mode normal_relu>"] if self.relu else []
        put(f"    pto.{self.op} ins({', '.join(ins)} : {', '.join(types)}) outs(%v : {vec})" + (f" {{{', '.join(attrs)}}}" if attrs else ""))
        put("    pto.sync.set #pto.pipe<PIPE_FIX>, 0")
        if self.back:
            self.multiply(put, back, e, wide, tall)
        put("  }")
        put("  pto.section.vector {")
        put("    pto.sync.wait #pto.pipe<PIPE_MTE3>, 0")
        put("    %i64 = pto.get_subblock_idx")
        put("    %i = arith.index_cast %i64 : i64 to index")
        for part in range(self.parts) if self.parts == 2 else [int(self.mode == MODES[1])]:
            put(f"    %k{part} = arith.constant {part} : index")
            put(f"    %is{part} = arith.cmpi eq, %i, %k{part} : index")
            put(f"    scf.if %is{part} {{")
            if self.back:
                put(f"      pto.tinsert ins(%v, %n{self.below}, %n0 : {vec}, index, index) outs(%back : {back})")
            else:
                self.store(put, part, vec)
            put("    }")
        if self.back:
            put("    pto.sync.set #pto.pipe<PIPE_MTE3>, 1")
        put("  }")
        return "\n".join([*lines, "  return", "}", ""])

    def view(self, put, part, dtype):
        """The rows of the output that belong to a part; what is stored by columns lies there by columns."""
        all_rows = self.parts * self.rows
        strides, layout = (f"%n1, %n{all_rows}", " {layout = #pto.layout<dn>}") if self.layout == "dn" else (f"%n{self.cols}, %n1", "")
        whole, o = f"!pto.tensor_view<?x?x{dtype}>", f"!pto.partition_tensor_view<{self.rows}x{self.cols}x{dtype}>"
        put(f"      %o{part} = pto.make_tensor_view %p, shape = [%n{all_rows}, %n{self.cols}], strides = [{strides}]{layout} : {whole}")
        put(f"      %q{part} = pto.partition_view %o{part}, offsets = [%n{self.rows if part and self.parts == 2 else 0}, %n0], "
            f"sizes = [%n{self.rows}, %n{self.cols}] : {whole} -> {o}")
        return f"%q{part} : {o}"

    def store(self, put, part, vec):
        view = self.view(put, part, self.out)
        tile, kind = "%v", vec
        if self.row or self.col:
            tile, kind = f"%w{part}", vec.replace(f"valid={self.row + self.rows}x{self.col + self.cols}", f"valid={self.rows}x{self.cols}")
            wide = up(self.cols, 32 // np.dtype(NUMPY[self.out]).itemsize)
            put(f"      {tile} = pto.subview %v[%n{self.row}, %n{self.col}] sizes [{self.rows}, {wide}] valid [%n{self.rows}, %n{self.cols}] : {vec} -> {kind}")
        put(f"      pto.tstore ins({tile} : {kind}) outs({view})")

    def multiply(self, put, back, identity, wide, tall):
        """On the cube core: what has come back to L1 times the identity."""
        me = f"!pto.tile_buf<mat, {wide}x{wide}xf16{NZ}>"
        left = f"!pto.tile_buf<left, {tall}x{wide}xf16, valid={self.rows}x{self.cols}, slayout=row_major, compact=1>"
        right = f"!pto.tile_buf<right, {wide}x{wide}xf16, valid={self.cols}x{self.cols}, slayout=col_major, compact=1>"
        acc = f"!pto.tile_buf<acc, {tall}x{wide}xf32, valid={self.rows}x{self.cols}{NZ}, fractal=1024, compact=1>"
        for tile, kind in (("me", me), ("lb", left), ("rb", right), ("sb", acc)):
            put(f"    %{tile} = pto.alloc_tile : {kind}")
        put(f"    pto.tload ins(%e : {identity}) outs(%me : {me})")
        put("    pto.sync.wait #pto.pipe<PIPE_MTE1>, 1")
        put(f"    pto.textract ins(%back, %n{self.below}, %n0 : {back}, index, index) outs(%lb : {left})")
        put(f"    pto.tmov ins(%me : {me}) outs(%rb : {right})")
        put(f"    pto.tmatmul ins(%lb, %rb : {left}, {right}) outs(%sb : {acc})")
        put(f"    pto.tstore ins(%sb : {acc}) outs({self.view(put, 0, 'f32')})")

    def wanted(self):
        exact = self.a.astype("i8") @ self.b.astype("i8")
        if self.relu and not (self.scale and self.target == "cpu"):
            exact = np.maximum(exact, 0)
        if self.scale:
            exact = np.clip(np.rint(exact * self.scale[0] + self.scale[1]), -128, 127)
            exact = np.maximum(exact, 0) if self.relu else exact
        exact = exact[self.from_row:self.from_row + self.parts * self.rows] if self.mode != MODES[3] else exact
        if self.mode == MODES[3]:
            return np.concatenate([exact[:, :self.cols], exact[:, self.cols:]]).astype("f8")
        return exact[:, self.from_col:self.from_col + self.cols].astype("f8")


def output(case, folder, ptog, text):
    (folder / "p.pto").write_text(text)
    for name, array in (("a", case.a), ("b", case.b), ("e", case.eye), ("f", np.zeros(1, "i8"))):
        np.save(folder / f"{name}.npy", array)
    given = [word for name in "abef" for word in ("--in", f"{name}={name}.npy")]
    shape = f"{case.parts * case.rows}x{case.cols}"
    return run([ptog, "run", "p.pto", "--target", case.target, *given, "--out", f"p={shape}:o.npy"], cwd=folder)


def differs(case, folder, ptog):
    text = case.text()
    done = output(case, folder, ptog, text)
    if done.returncode != 0:
        return [f"exit status {done.returncode}\n{done.stdout}{done.stderr}"]
    shape = (case.parts * case.rows, case.cols)
    got = np.load(folder / "o.npy").astype("f8").reshape(shape)
    if case.layout == "dn":
        got = got.ravel().reshape(shape[::-1]).T
    problems = [] if (got == case.wanted()).all() else [f"the output is\n{got}\nexpected\n{case.wanted()}"]
    if case.target == "a5":
        done = output(case, folder, ptog, text.replace("    pto.sync.set #pto.pipe<PIPE_FIX>, 0\n", "").replace("    pto.sync.wait #pto.pipe<PIPE_MTE3>, 0\n", ""))
        if done.returncode != 1 or "race-raw" not in done.stderr:
            problems.append(f"without its counter there is no race: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return problems


def main():
    parser = argparse.ArgumentParser(description="Copies between the cores against numpy.")
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=90)
    parser.add_argument("--seed", type=int, default=20261119)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    checks = Checks("sent")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.count) if given.only is None else [given.only]:
            case = Case(given.seed, number)
            problems = differs(case, Path(folder), given.ptog.resolve())
            again = f"again: sent.py --ptog {given.ptog} --seed {given.seed} --only {number}"
            checks.check(f"{case.target} {case.op} {case.mode} {case.layout}", problems and [*problems, case.text(), again])
    checks.finish()


if __name__ == "__main__":
    main()
