#!/usr/bin/env python3
"""tload and tstore of views with five dimensions, against numpy: random shapes, strides and layouts, on every target. Outer dimensions
are stacked, devices do not read stride 3 of DN, padding ends where the target ends it, and host and a5 take larger views.

  transfers.py --ptog PATH [--count N] [--seed S] [--only N]

The last line is "transfers: N passed, M failed". A failure prints the program and how to repeat it.
"""
import argparse
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(f"transfers.py: needs numpy, and {sys.executable} has none")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import Checks, run  # noqa: E402

TARGETS = ("host", "cpu", "a2a3", "a5", "a5-custom")
DEVICES = ("a2a3", "a5", "a5-custom")
LARGER = ("host", "a5", "a5-custom")
DTYPES = {"f32": "f4", "i16": "i2", "i8": "i1"}
PADS = {0: None, 1: 0, 2: "max", 3: "min"}
MARK = 0x55  # what outputs hold before


@dataclass
class View:
    layout: str   # nd, dn
    shape: list   # five
    stride: list

    def extents(self):
        s = self.shape
        outer = s[0] * s[1] * s[2]
        return (outer * s[3], s[4]) if self.layout == "nd" else (s[3], outer * s[4])

    def places(self, target):
        """Where element (r, c) lies, as an array of the stacked extents."""
        stride = list(self.stride)
        if self.layout == "dn" and target in DEVICES:
            stride[3] = 1
        at = sum(np.arange(n).reshape([-1 if d == i else 1 for i in range(5)]) * step
                 for d, (n, step) in enumerate(zip(self.shape, stride)))
        if self.layout == "dn":  # columns of all blocks side by side
            at = np.moveaxis(at, 3, 0)
        return at.reshape(self.extents())

    def elements(self):
        return 1 + sum((n - 1) * step for n, step in zip(self.shape, self.stride))


def factors(rng, n):
    """Three numbers whose product divides n, and what is left."""
    parts = []
    for _ in range(3):
        parts.append(rng.choice([d for d in range(1, n + 1) if n % d == 0][:4]))
        n //= parts[-1]
    return parts, n


def draw_view(rng, layout, rows, cols, exact_stride=False):
    stacked, left = factors(rng, rows if layout == "nd" else cols)
    inner = [left, cols] if layout == "nd" else [rows, left]
    shape, stride, packed = stacked + inner, [0] * 5, 1
    for d in (4, 3, 2, 1, 0) if layout == "nd" else (3, 4, 2, 1, 0):
        fastest = packed == 1
        stride[d] = packed if fastest else packed + rng.choice((0, 0, 3))
        packed = stride[d] * shape[d] if not fastest or shape[d] > 1 else packed
    if layout == "dn" and not exact_stride and rng.random() < 0.3:  # devices do not read it
        stride[3] = rng.choice((2, 5))
        stride[4] = max(stride[4], stride[3] * shape[3])
        for d in (2, 1, 0):
            stride[d] = max(stride[d], stride[d + 1 if d < 2 else 4] * shape[d + 1 if d < 2 else 4])
    return View(layout, shape, stride)


class Case:
    def __init__(self, seed, number):
        rng = self.rng = random.Random(seed * 1000003 + number)
        self.target = TARGETS[number % len(TARGETS)]
        self.dtype = rng.choice(list(DTYPES))
        self.kind = np.dtype(DTYPES[self.dtype])
        self.layout = rng.choice(("nd", "dn"))
        self.pad = rng.choice(list(PADS))
        unit = 32 // self.kind.itemsize
        self.valid = [rng.randint(1, 12), rng.randint(1, 12)]
        self.rows, self.cols = self.valid[0] + rng.randint(0, 3), self.valid[1] + rng.randint(0, 3)
        if self.layout == "nd":
            self.cols = -(-self.cols // unit) * unit
        else:
            self.rows = -(-self.rows // unit) * unit
        moved = list(self.valid)
        if self.target in LARGER and rng.random() < 0.3:
            moved = [rng.randint(self.valid[0], self.rows if self.layout == "nd" else self.valid[0] + 5),
                     rng.randint(self.valid[1], self.cols if self.layout == "dn" else self.valid[1] + 5)]
        self.source = draw_view(rng, self.layout, *moved)
        self.to = draw_view(rng, self.layout, *self.valid, exact_stride=True)

    def moved(self):
        """The region of the tile that the load writes."""
        rows, cols = self.source.extents()
        return (rows, self.valid[1]) if self.layout == "nd" else (self.valid[0], cols)

    def text(self):
        tile = f"vec, {self.rows}x{self.cols}x{self.dtype}"
        blayout = ", blayout=col_major" if self.layout == "dn" else ""
        part = f"!pto.tile_buf<{tile}, valid={self.valid[0]}x{self.valid[1]}{blayout}, pad={self.pad}>"
        whole = f"!pto.tile_buf<{tile}{blayout}>"
        lines, known = [], set()

        def number(n, kind="index"):
            if (n, kind) not in known:
                known.add((n, kind))
                lines.append(f"  %c{n}_{kind} = arith.constant {n} : {kind}")
            return f"%c{n}_{kind}"

        def view(name, pointer, of):
            dims = "x".join(map(str, of.shape))
            shape, stride = (", ".join([number(n) for n in numbers]) for numbers in (of.shape, of.stride))
            lines.append(f"  %{name} = pto.make_tensor_view %{pointer}, shape = [{shape}], strides = [{stride}] "
                         f"{{layout = #pto.layout<{of.layout}>}} : !pto.tensor_view<{dims}x{self.dtype}>")
            return f"%{name} : !pto.tensor_view<{dims}x{self.dtype}>"

        zero = number(0, "i64")
        every = View(self.layout, [1, 1, 1, self.rows, self.cols],
                     [1, 1, 1, self.cols, 1] if self.layout == "nd" else [1, 1, 1, 1, self.rows])
        source, to, all_of_it = view("v", "src", self.source), view("w", "part", self.to), view("x", "all", every)
        lines += [f"  %t = pto.alloc_tile addr = {zero} : {part}", f"  %u = pto.alloc_tile addr = {zero} : {whole}",
                  f"  pto.tload ins({source}) outs(%t : {part})",
                  f"  pto.tstore ins(%t : {part}) outs({to})", f"  pto.tstore ins(%u : {whole}) outs({all_of_it})"]
        arguments = ", ".join(f"%{name}: !pto.ptr<{self.dtype}>" for name in ("src", "part", "all"))
        return "\n".join([f"func.func @transfers({arguments}) {{", *lines, "  return", "}", ""])

    def fill(self):
        """The value of padding; None where the target pads nothing."""
        if self.pad == 0:
            return 0 if self.target == "cpu" else None
        if self.pad == 1:
            return 0
        if self.kind.kind == "f":
            return np.inf if self.pad == 2 else -np.inf
        info = np.iinfo(self.kind)
        return info.max if self.pad == 2 else info.min

    def padded(self):
        """The region up to which padding goes."""
        rows, cols = self.moved()
        if self.target not in DEVICES:
            return self.rows, self.cols
        unit = 32 // self.kind.itemsize
        return (rows, -(-cols // unit) * unit) if self.layout == "nd" else (-(-rows // unit) * unit, cols)

    def expect(self, source):
        """(the tile, which of its elements are known)"""
        tile, known = np.zeros((self.rows, self.cols), self.kind), np.zeros((self.rows, self.cols), bool)
        if self.fill() is not None:
            rows, cols = self.padded()
            tile[:rows, :cols], known[:rows, :cols] = self.fill(), True
        rows, cols = self.moved()
        tile[:rows, :cols] = source[self.source.places(self.target)[:rows, :cols]]
        known[:rows, :cols] = True
        return tile, known


def differs(case, folder, ptog):
    source = np.random.default_rng(case.rng.randrange(1 << 30)).integers(-100, 100, case.source.elements()).astype(case.kind)
    np.save(folder / "src.npy", source)
    marks = np.frombuffer(bytes([MARK]) * case.kind.itemsize * case.to.elements(), case.kind)
    np.save(folder / "marks.npy", marks)
    (folder / "t.pto").write_text(case.text())
    done = run([ptog, "run", folder / "t.pto", "--target", case.target, "--in", f"src={folder / 'src.npy'}", "--format", "json",
                "--inout", f"part={folder / 'marks.npy'}:{folder / 'part.npy'}",
                "--out", f"all={case.rows * case.cols}:{folder / 'all.npy'}"])
    if done.returncode == 2 or not (folder / "all.npy").exists():
        return [done.stdout + done.stderr]
    tile, known = case.expect(source)
    order = "C" if case.layout == "nd" else "F"
    got = np.load(folder / "all.npy").ravel().reshape((case.rows, case.cols), order=order)
    part = marks.copy()
    part[case.to.places(case.target)] = tile[:case.valid[0], :case.valid[1]]
    problems = []
    if not np.array_equal(got[known], tile[known]):
        problems.append(f"the tile is\n{got}\nexpected\n{np.where(known, tile, 0)}")
    if not np.array_equal(np.load(folder / "part.npy").ravel(), part):
        problems.append(f"part is\n{np.load(folder / 'part.npy')}\nexpected\n{part}")
    return problems


def main():
    parser = argparse.ArgumentParser(description="tload and tstore of views with five dimensions, against numpy.")
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=20240917)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    checks = Checks("transfers")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.count) if given.only is None else [given.only]:
            case = Case(given.seed, number)
            problems = differs(case, Path(folder), given.ptog.resolve())
            again = f"again: transfers.py --ptog {given.ptog} --seed {given.seed} --only {number}"
            checks.check(f"{case.target} {case.layout} {case.dtype}", problems and [*problems, case.text(), again])
            for left in Path(folder).glob("*.npy"):
                left.unlink()
    checks.finish()


if __name__ == "__main__":
    main()
