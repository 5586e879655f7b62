#!/usr/bin/env python3
"""Matrix products of the cube core against numpy: random m, k, n, types, layouts and windows, K in several steps with .acc, a bias, one row
alone (tgemv), on every target. The accumulator is stored as it is, converted, scaled by a number or by columns, without its negative
elements, added to what is there, or goes back to L1 and through another product, or through a FIFO that converts it as a store does. Some matrices are
padded with zeros in L1, and multiplied whole. The programs have no flags: automatic mode puts them in. Small integers are exact everywhere;
random floats are within the bound of the order of additions.

  products.py --ptog PATH [--count N] [--seed S] [--only N]

The last line is "products: N passed, M failed". A failure prints the program and how to repeat it.
"""
import argparse
import random
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(f"products.py: needs numpy, and {sys.executable} has none")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import Checks, run  # noqa: E402

TARGETS = ("host", "cpu", "a2a3", "a5")
NUMPY = {"f16": "f2", "f32": "f4", "i8": "i1", "i32": "i4"}


def up(n, step):
    return (n + step - 1) // step * step


def view(rows, cols, dtype):
    return f"!pto.partition_tensor_view<{rows}x{cols}x{dtype}>"


class Case:
    def __init__(self, seed, number):
        rng = random.Random(f"{seed} {number}")
        self.target = TARGETS[number % len(TARGETS)]
        self.dtype = rng.choice(["f16", "f16", "f32", "i8"])
        self.sum = "i32" if self.dtype == "i8" else "f32"
        self.scale = rng.choice([None, None, "number", "columns"])
        outs = ["f32", "f32", "f16"] if self.sum == "f32" else ["i32"]
        if self.scale:
            outs = ["i8", "ui8", "f16"] if self.sum == "i32" or self.target != "a2a3" else ["i8", "ui8"]
            outs += ["i16"] if self.sum == "i32" and (self.scale == "columns" or self.target in ("host", "cpu")) else []
        self.out = rng.choice(outs)
        self.relu = rng.random() < 0.3
        self.twice = not self.scale and self.out in ("f32", "i32") and rng.random() < 0.2  # stored, and added to that
        self.vector = rng.random() < 0.15
        self.m, self.n = 1 if self.vector else rng.randint(1, 40), rng.randint(1, 40)
        self.steps = rng.choice([1, 1, 2, 3])
        self.box = 64 // np.dtype(NUMPY[self.dtype]).itemsize  # of k, on both sides
        self.k = rng.randint(1, 40) if self.steps == 1 else self.steps * self.box
        self.turned = rng.random() < 0.3     # B is stored by columns, a DN view
        self.bias = rng.random() < 0.3
        self.exact = rng.random() < 0.7 or self.dtype == "i8" or self.scale is not None
        self.back = self.sum == "f32" and self.exact and rng.random() < 0.3  # to L1, and times the identity
        converts = self.out not in ("i16", "i32") and self.scale != "number" or self.out in ("i8", "ui8")
        self.fifo = rng.choice(["nz2nd", "nz2dn"]) if converts and not self.twice and rng.random() < 0.4 else None
        self.fill = self.steps == 1 and not self.turned and not self.vector and rng.random() < 0.3
        data = np.random.default_rng(rng.getrandbits(32))
        draw = (lambda shape: data.integers(-8, 9, shape)) if self.exact else data.standard_normal
        self.a = np.asarray(draw((self.m, self.k))).astype(NUMPY[self.dtype])
        self.b = np.asarray(draw((self.k, self.n))).astype(NUMPY[self.dtype])
        self.c = np.asarray(draw((1, self.n))).astype(NUMPY[self.sum])
        scales = 2.0 ** data.integers(-3, 2, self.n if self.scale == "columns" else 1)
        self.factors, self.offset, self.signed = scales, int(data.integers(0, 9)), self.out == "i8"
        self.shift = int(data.integers(0, 16))
        if self.target == "a2a3":
            self.fifo = None  # its cores share nothing but global memory, which an automatic buffer is none of
        if self.fifo and self.scale == "number":
            self.offset = 0  # set_quant_scalar has none
        bits = scales.astype("f4").view("u4").astype("u8") | np.uint64(self.offset << 37 | self.signed << 46 | self.shift << 32)
        self.scales = bits.astype("i8").reshape(1, -1)
        self.quant = {("f32", "f32"): "no_convert", ("f32", "f16"): "f32_f16"}.get((self.sum, self.out), "")
        if self.scale:
            kind = "deqf16" if self.sum == "i32" else "qf322f16_pre"
            if self.out in ("i8", "ui8"):
                kind = "req8" if self.sum == "i32" else "qf322b8_pre"
            self.quant = f"{kind}_{'scalar' if self.scale == 'number' else 'vec'}"
        if self.quant == "qf322f16_pre_vec" or (self.scale == "columns" and self.out == "ui8"):
            self.fifo = None  # a FIFO has no such conversion
        if self.target == "a5" and self.scale == "columns":
            self.fifo = None  # compilers accept tiles of 16- and 32-bit scales there, the library copies 64-bit ones
        self.eye = np.eye(up(self.n, 16), dtype="f2")

    def text(self):
        m, k, n, d, s = up(self.m, 16), up(self.k, self.box), up(self.n, 32), self.dtype, self.sum
        step, valid = (k, self.k) if self.steps == 1 else (self.box, self.box)
        valid = k if self.fill else valid
        pad = ", pad=1" if self.fill else ""
        ma = f"!pto.tile_buf<mat, {m}x{k}x{d}, valid={self.m}x{self.k}, blayout=col_major, slayout=row_major{pad}>"
        order = "slayout=col_major" if self.turned else "blayout=col_major, slayout=row_major"
        mb = f"!pto.tile_buf<mat, {k}x{n}x{d}, valid={self.k}x{self.n}, {order}{pad}>"
        left = f"!pto.tile_buf<left, {m}x{step}x{d}, valid={self.m}x{valid}, slayout=row_major, compact=1>"
        right = f"!pto.tile_buf<right, {step}x{n}x{d}, valid={valid}x{self.n}, slayout=col_major, compact=1>"
        acc = f"!pto.tile_buf<acc, {m}x{n}x{s}, valid={self.m}x{self.n}, blayout=col_major, slayout=row_major, fractal=1024, compact=1>"
        unit = "tgemv" if self.vector else "tmatmul"
        mc, tc = (f"!pto.tile_buf<{loc}, 1x{n}x{s}, valid=1x{self.n}>" for loc in ("mat", "bias"))
        a, b = view(self.m, self.k, d), view(self.k, self.n, d)
        c, o = view(1, self.n, s), view(self.m, self.n, self.out)
        wide = up(self.n, 16)
        sv, ev = view(1, self.scales.shape[1], "i64"), view(wide, wide, "f16")
        ms, fs = (f"!pto.tile_buf<{loc}, 1x{wide}xi64, valid=1x{self.n}>" for loc in ("mat", "scaling"))
        lines = [f"func.func @f(%a: !pto.ptr<{d}>, %b: !pto.ptr<{d}>, %c: {c}, %q: {sv}, %e: {ev}, %o: {o}) {{"]
        put = lines.append
        for number in sorted({0, 1, self.m, self.n, self.k, *range(0, k, step)}):
            put(f"  %n{number} = arith.constant {number} : index")
        put(f"  %va = pto.make_tensor_view %a, shape = [%n{self.m}, %n{self.k}], strides = [%n{self.k}, %n1] : !pto.tensor_view<?x?x{d}>")
        strides, layout = (f"%n1, %n{self.k}", " {layout = #pto.layout<dn>}") if self.turned else (f"%n{self.n}, %n1", "")
        put(f"  %vb = pto.make_tensor_view %b, shape = [%n{self.k}, %n{self.n}], strides = [{strides}]{layout} : !pto.tensor_view<?x?x{d}>")
        for name, of, rows, cols, kind in (("pa", "va", self.m, self.k, a), ("pb", "vb", self.k, self.n, b)):
            put(f"  %{name} = pto.partition_view %{of}, offsets = [%n0, %n0], sizes = [%n{rows}, %n{cols}] : !pto.tensor_view<?x?x{d}> -> {kind}")
        if self.scale == "columns":
            put(f"  %ms = pto.alloc_tile : {ms}")
            put(f"  %fs = pto.alloc_tile : {fs}")
            put(f"  pto.tload ins(%q : {sv}) outs(%ms : {ms})")
            put(f"  pto.tmov ins(%ms : {ms}) outs(%fs : {fs})")
        elif self.scale:
            put(f"  %number = arith.constant {int(self.scales[0, 0])} : i64")
        for tile, kind in (("ma", ma), ("mb", mb), ("l", left), ("r", right), ("s", acc), *((("mc", mc), ("t", tc)) if self.bias else ())):
            put(f"  %{tile} = pto.alloc_tile : {kind}")
        put(f"  pto.tload ins(%pa : {a}) outs(%ma : {ma})")
        put(f"  pto.tload ins(%pb : {b}) outs(%mb : {mb})")
        if self.bias:
            put(f"  pto.tload ins(%c : {c}) outs(%mc : {mc})")
            put(f"  pto.tmov ins(%mc : {mc}) outs(%t : {tc})")
        for tile, kind in (("ma", ma), ("mb", mb)) if self.fill else ():
            put(f"  pto.tfillpad ins(%{tile} : {kind}) outs(%{tile} : {kind})")
        for at in range(0, k, step):
            put(f"  pto.textract ins(%ma, %n0, %n{at} : {ma}, index, index) outs(%l : {left})")
            put(f"  pto.textract ins(%mb, %n{at}, %n0 : {mb}, index, index) outs(%r : {right})")
            if at > 0:
                put(f"  pto.{unit}.acc ins(%s, %l, %r : {acc}, {left}, {right}) outs(%s : {acc})")
            elif self.bias:
                put(f"  pto.{unit}.bias ins(%l, %r, %t : {left}, {right}, {tc}) outs(%s : {acc})")
            else:
                put(f"  pto.{unit} ins(%l, %r : {left}, {right}) outs(%s : {acc})")
        if self.back:
            self.go_back(put, acc, ev, m, n, wide)
        scaled = {None: f"%s : {acc}", "number": f"%s, %number : {acc}, i64", "columns": f"%s : {acc} fp %fs : {fs}"}[self.scale]
        if self.fifo:
            return "\n".join([*self.through_fifo(lines, acc, fs, o), ""])
        relu = "reluPreMode = #pto<relu_pre_mode normal_relu>" if self.relu else ""
        put(f"  pto.tstore ins({scaled}) outs(%o : {o})" + (f" {{{relu}}}" if relu else ""))
        if self.twice:
            put(f"  pto.tstore ins({scaled}) outs(%o : {o}) {{atomicType = #pto<atomic_type atomic_add>{', ' + relu if relu else ''}}}")
        return "\n".join([*lines, "  return", "}", ""])

    def stored(self, vec, o):
        """Stores what was popped: columns to a view of columns, of the memory that is the transposed array."""
        if self.fifo == "nz2nd":
            return [f"  pto.tstore ins(%p : {vec}) outs(%o : {o})"]
        m, n = f"%m{self.m}", f"%m{self.n}"
        constants = [f"  %m{x} = arith.constant {x} : index" for x in sorted({0, 1, self.m, self.n})]
        return [*constants, f"  %vo = pto.make_tensor_view %o, shape = [{m}, {n}], strides = [%m1, {m}] {{layout = #pto.layout<dn>}} : !pto.tensor_view<?x?x{self.out}>",
                f"  %po = pto.partition_view %vo, offsets = [%m0, %m0], sizes = [{m}, {n}] : !pto.tensor_view<?x?x{self.out}> -> {o}",
                f"  pto.tstore ins(%p : {vec}) outs(%po : {o})"]

    def through_fifo(self, lines, acc, fs, o):
        """The body of the cube core, which pushes the accumulator, and the vector core that pops and stores it."""
        rows, cols = up(self.m, 32), up(self.n, 32)
        dtype = {"i8": "si8"}.get(self.out, self.out)
        order = ", blayout=col_major" if self.fifo == "nz2dn" else ""
        vec = f"!pto.tile_buf<vec, {rows}x{cols}x{dtype}, valid={self.m}x{self.n}{order}>"
        relu = "normal_relu" if self.relu else "no_relu"
        setup = (f"id = 0, dir_mask = 1, slot_size = {rows * cols * 4}, nosplit = true, "
                 f"acc_push_epilogue = #pto.acc_push_epilogue<layout = {self.fifo}, quant = {self.quant}, relu = {relu}>")
        if self.fifo == "nz2dn":
            lines[0] = lines[0].replace(f"%o: {o}", f"%o: !pto.ptr<{self.out}>")
        head = lines[0].replace(" {", " attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {")
        ends = [head, "  %zero = arith.constant 0 : i32", '  %in = pto.import_reserved_buffer {name = "fifo", peer_func = @g} -> i32',
                f"  pto.aic_initialize_pipe {{{setup}}} (c2v_consumer_buf = %in : i32, v2c_consumer_buf = %zero : i32)"]
        lines[0:1] = ends
        if self.scale == "number":
            lines += [f"  %scale = arith.constant {float(self.factors[0])!r} : f32", "  pto.set_quant_scalar(%scale : f32) {id = 0}"]
        elif self.scale:
            lines += [f"  pto.set_quant_vector(%fs : {fs}) {{id = 0}}"]
        lines += [f"  pto.tpush_to_aiv(%s : {acc}) {{id = 0, split = 0}}", "  return", "}"]
        lines += [head.replace("@f(", "@g(").replace("<cube>", "<vector>"), "  %zero = arith.constant 0 : i32",
                  f'  %in = pto.reserve_buffer {{name = "fifo", size = {rows * cols * 32}, location = #pto.address_space<vec>, auto = true}} -> i32',
                  f"  pto.aiv_initialize_pipe {{{setup}}} (c2v_consumer_buf = %in : i32, v2c_consumer_buf = %zero : i32)",
                  f"  %p = pto.tpop_from_aic {{id = 0, split = 0}} -> {vec}",
                  *self.stored(vec, o), "  pto.tfree_from_aic {id = 0, split = 0}", "  return", "}"]
        return lines

    def go_back(self, put, acc, identity, m, n, wide):
        """The accumulator, small whole numbers, as f16 through L1 times the identity: by tmov, or by tinsert below other rows."""
        below = 16 * (self.k % 2)
        mat = f"!pto.tile_buf<mat, {m + below}x{wide}xf16, valid={self.m + below}x{self.n}, blayout=col_major, slayout=row_major>"
        me = f"!pto.tile_buf<mat, {wide}x{wide}xf16, blayout=col_major, slayout=row_major>"
        left = f"!pto.tile_buf<left, {m}x{wide}xf16, valid={self.m}x{self.n}, slayout=row_major, compact=1>"
        right = f"!pto.tile_buf<right, {wide}x{n}xf16, valid={self.n}x{self.n}, slayout=col_major, compact=1>"
        for tile, kind in (("back", mat), ("me", me), ("lb", left), ("rb", right)):
            put(f"  %{tile} = pto.alloc_tile : {kind}")
        put(f"  %below = arith.constant {below} : index")
        put(f"  pto.tload ins(%e : {identity}) outs(%me : {me})")
        if below:
            put(f"  pto.tinsert ins(%s, %below, %n0 : {acc}, index, index) outs(%back : {mat})")
        else:
            put(f"  pto.tmov ins(%s : {acc}) outs(%back : {mat})")
        put(f"  pto.textract ins(%back, %below, %n0 : {mat}, index, index) outs(%lb : {left})")
        put(f"  pto.textract ins(%me, %n0, %n0 : {me}, index, index) outs(%rb : {right})")
        put(f"  pto.tmatmul ins(%lb, %rb : {left}, {right}) outs(%s : {acc})")

    def wanted(self):
        """The product in f64 or i64, and how far a result may be from it."""
        wide = "i8" if self.sum == "i32" else "f8"
        a, b, c = self.a.astype(wide), self.b.astype(wide), self.c.astype(wide) if self.bias else 0
        bound = (self.k + 2) * 2.0**-24 * (np.abs(a) @ np.abs(b) + np.abs(c))
        exact = a @ b + c
        if self.back:
            exact = exact.astype("f2").astype(wide)  # small whole numbers: none is rounded but those beyond 2048
        if self.scale:
            exact, bound = self.scaled(exact), np.zeros_like(bound)
        if self.relu:
            exact = np.maximum(exact, 0)
        if self.twice:
            exact, bound = 2 * exact, 2 * bound
        if self.out == "f16" and not self.scale:
            bound = bound + 2.0**-10 * np.abs(exact)
        return exact, np.zeros_like(bound) if self.exact and self.out != "f16" else bound

    def scaled(self, exact):
        """What a scale makes of whole numbers. On cpu what was negative becomes 0 at the end, elsewhere at the start."""
        if self.relu and self.target != "cpu":
            exact = np.maximum(exact, 0)
        if self.out == "i16":
            return np.clip(exact.astype("i8") >> self.shift + 1, -32768, 32767)
        if self.out == "f16":
            return np.clip((exact * self.factors), -65504, 65504).astype("f2").astype("f8")
        return np.clip(np.rint(exact * self.factors + self.offset), *((-128, 127) if self.signed else (0, 255)))


def differs(case, folder, ptog):
    (folder / "p.pto").write_text(case.text())
    np.save(folder / "a.npy", case.a.ravel())
    np.save(folder / "b.npy", (case.b.T if case.turned else case.b).ravel())
    for name, array in (("c", case.c), ("q", case.scales), ("e", case.eye)):
        np.save(folder / f"{name}.npy", array)
    done = run([ptog, "run", "p.pto", "--target", case.target, "--in", "a=a.npy", "--in", "b=b.npy", "--in", "c=c.npy",
                "--in", "q=q.npy", "--in", "e=e.npy",
                "--out", f"o={case.n if case.fifo == 'nz2dn' else case.m}x{case.m if case.fifo == 'nz2dn' else case.n}:o.npy"], cwd=folder)
    if done.returncode != 0:
        return [f"exit status {done.returncode}\n{done.stdout}{done.stderr}"]
    got, (exact, bound) = np.load(folder / "o.npy").astype("f8"), case.wanted()
    got = got.T if case.fifo == "nz2dn" else got.reshape(case.m, case.n)
    if (np.abs(got - exact) <= bound).all():
        return []
    return [f"the product is\n{got}\nexpected\n{exact}"]


def main():
    parser = argparse.ArgumentParser(description="Matrix products of the cube core against numpy.")
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=20261118)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    checks = Checks("products")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.count) if given.only is None else [given.only]:
            case = Case(given.seed, number)
            problems = differs(case, Path(folder), given.ptog.resolve())
            again = f"again: products.py --ptog {given.ptog} --seed {given.seed} --only {number}"
            checks.check(f"{case.target} {case.m}x{case.k}x{case.n} {case.dtype}", problems and [*problems, case.text(), again])
    checks.finish()


if __name__ == "__main__":
    main()
