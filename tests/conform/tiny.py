#!/usr/bin/env python3
"""Conformance test: tcvt from and to numbers of 4 bits and hif8, with programs in text. What comes out is computed here, from the lists of
the numbers and not from the library.

  tiny.py --ptog FILE

A byte of f4E2M1x2, f4E1M2x2 and i4x2 holds two numbers, the first in its low half. a5 converts bf16 from and to the first two, and f32 and
f16 to hif8; a2a3 converts f16 from and to i4x2; host all of them. Every number of bf16, f16 and the small types is converted, in every mode.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import Checks, limited, run  # noqa: E402

GRIDS = {"!pto.f4E2M1x2": [0, 0.5, 1, 1.5, 2, 3, 4, 6], "!pto.f4E1M2x2": [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]}
MODES = ("RINT", "ROUND", "FLOOR", "CEIL", "TRUNC")
CARRIER = {"f32": np.uint32, "f16": np.uint16, "bf16": np.uint16}


def reals(dtype, bits):
    """The numbers that bits are, as float64."""
    if dtype == "f16":
        return bits.view(np.float16).astype(np.float64)
    if dtype == "bf16":
        bits = bits.astype(np.uint32) << 16
    with np.errstate(invalid="ignore"):
        return bits.view(np.float32).astype(np.float64)


def choose(numbers, value, mode):
    """The positions in a sorted list of numbers that stand for values, clamped to its ends. Of two that are equally near, RINT takes the
    one with an even position counted from 0, ROUND the one farther from 0."""
    value = np.clip(np.where(np.isnan(value), 0, value), numbers[0], numbers[-1])
    above = np.searchsorted(numbers, value, side="left")
    below = np.where(numbers[above] == value, above, above - 1)
    low, high = value - numbers[below], numbers[above] - value
    zero = int(np.searchsorted(numbers, 0.0))
    even = np.where((below - zero) % 2 == 0, below, above)
    away = np.where(value > 0, above, below)
    nearest = np.where(low < high, below, above)
    return {"RINT": np.where(low == high, even, nearest), "ROUND": np.where(low == high, away, nearest), "FLOOR": below, "CEIL": above,
            "TRUNC": np.where(value > 0, below, above)}[mode]


def signed_codes(grid, value, mode):
    """Codes of sign and magnitude: a result of 0 keeps the sign of the number."""
    numbers = np.array([-g for g in grid[:0:-1]] + grid)
    place = choose(numbers, value, mode) - (len(grid) - 1)
    sign = np.signbit(value) | (place < 0)
    return np.where(np.isnan(value), 0, np.abs(place) | sign.astype(np.int64) << 3)


def integer_codes(value, mode):
    return np.where(np.isnan(value), 0, choose(np.arange(-8.0, 8.0), value, mode) - 8) & 15


def pack(codes):
    return (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)


def unpack(pairs):
    return np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(len(pairs), -1)


HIF8 = {}  # code: number


def list_hif8():
    """All numbers of the format: a sign, then 11, 10, 01, 001 or 0001 before an exponent of 4, 3, 2, 1 or 0 bits with a sign and a leading
    1 of its own, then the mantissa; after 0000 stands M of 2**(M-23)."""
    for code in range(128):
        bits = f"{code:07b}"
        prefix = next((p for p in ("11", "10", "01", "001", "0001") if bits.startswith(p)), None)
        if prefix is None:
            HIF8[code] = 2.0 ** (int(bits[4:], 2) - 23) if int(bits[4:], 2) else 0.0
            continue
        width = {"11": 4, "10": 3, "01": 2, "001": 1, "0001": 0}[prefix]
        exponent, mantissa = bits[len(prefix):len(prefix) + width], bits[len(prefix) + width:]
        power = int("1" + exponent[1:], 2) * (-1 if exponent[0] == "1" else 1) if width else 0
        HIF8[code] = 2.0 ** power * (1 + int(mantissa, 2) / 2 ** len(mantissa))
    HIF8[0x6f] = float("inf")


def hif8_codes(value):
    """The nearest number, of two equally near ones the farther from 0; beyond the middle of the last two it is infinite. One zero."""
    order = sorted((number, code) for code, number in HIF8.items() if number != float("inf"))
    numbers, codes = np.array([n for n, _ in order] + [1.5 * 2.0 ** 15]), np.array([c for _, c in order] + [0x6f])
    size = np.abs(value)
    place = choose(numbers, np.where(np.isnan(size), 0, size), "ROUND")
    code = codes[place] | np.where((value < 0) & (codes[place] != 0), 0x80, 0)
    return np.where(np.isnan(value), 0x80, code).astype(np.uint8)


PROGRAM = """module attributes {{pto.target_arch = "{arch}"}} {{
func.func @k(%s: !pto.partition_tensor_view<{r}x{sc}x{source}>, %o: !pto.partition_tensor_view<{r}x{dc}x{dst}>) {{
  %a = pto.alloc_tile : !pto.tile_buf<vec, {r}x{sw}x{source}, valid={r}x{sc}>
  %b = pto.alloc_tile : !pto.tile_buf<vec, {r}x{dw}x{dst}, valid={r}x{dc}>
  pto.tload ins(%s : !pto.partition_tensor_view<{r}x{sc}x{source}>) outs(%a : !pto.tile_buf<vec, {r}x{sw}x{source}, valid={r}x{sc}>)
  pto.tcvt ins(%a {{rmode = #pto<round_mode {mode}>, satmode = #pto<saturation_mode ON>}} : !pto.tile_buf<vec, {r}x{sw}x{source}, valid={r}x{sc}>)
      outs(%b : !pto.tile_buf<vec, {r}x{dw}x{dst}, valid={r}x{dc}>)
  pto.tstore ins(%b : !pto.tile_buf<vec, {r}x{dw}x{dst}, valid={r}x{dc}>) outs(%o : !pto.partition_tensor_view<{r}x{dc}x{dst}>)
  return
}}
}}
"""


class Conversions:
    def __init__(self, ptog, checks, folder):
        self.ptog, self.checks, self.folder = ptog, checks, Path(folder)

    def run(self, target, source, dst, mode, given, shape):
        """Bytes of dst: the program converts `given`. shape: columns of dst."""
        rows, cols = given.shape
        wide = lambda n: (n + 31) // 32 * 32  # noqa: E731
        text = PROGRAM.format(arch="a3" if target == "a2a3" else "a5", source=source, dst=dst, mode=mode, r=rows, sc=cols, dc=shape,
                              sw=wide(cols), dw=wide(shape))
        (self.folder / "k.pto").write_text(text)
        given.tofile(self.folder / "s.bin")
        done = run(limited(60, [self.ptog, "run", self.folder / "k.pto", "--target", target, "--quiet", "--in", f"s={self.folder / 's.bin'}",
                                "--out", f"o={self.folder / 'o.npy'}"]))
        if done.returncode != 0:
            self.checks.check(f"{source} to {dst} on {target}, {mode}", done.stdout + done.stderr)
            return None
        return np.load(self.folder / "o.npy")

    def expect(self, target, source, dst, mode, given, wanted):
        got = self.run(target, source, dst, mode, given, wanted.shape[1])
        if got is None:
            return
        got, wanted = np.ascontiguousarray(got).view(np.uint8), np.ascontiguousarray(wanted).view(np.uint8)
        wrong = np.argwhere(got != wanted)
        self.checks.check(f"{source} to {dst} on {target}, {mode}",
                          [f"{len(wrong)} of {wanted.size} bytes differ, the first at {wrong[0]}"] if len(wrong) else [])


def every(dtype):
    """Every pattern of a 16-bit type, and f32 numbers around those of hif8, in rows."""
    if dtype != "f32":
        return np.arange(65536, dtype=np.uint16).reshape(16, -1)[:, :2048], np.arange(65536, dtype=np.uint16).reshape(16, -1)[:, 2048:]
    numbers = np.array(sorted(n for n in HIF8.values() if np.isfinite(n)) + [2.0 ** 15 * 1.5])
    middles = (numbers[1:] + numbers[:-1]) / 2
    points = np.concatenate([numbers, middles, middles * 1.0001, middles * 0.9999, [np.inf, np.nan, 1e30]])
    points = np.concatenate([points, -points])
    points = np.concatenate([points, np.zeros(-len(points) % 128)]).astype(np.float32)
    return (points.view(np.uint32).reshape(-1, 64),)


def convert_all(c):
    for target, sources in (("a5", ("bf16",)), ("host", ("bf16", "f16", "f32"))):
        for source in sources:
            for (dst, grid), mode in ((pair, mode) for pair in GRIDS.items() for mode in MODES):
                for given in every(source):
                    c.expect(target, source, dst, mode, given, pack(signed_codes(grid, reals(source, given), mode)))
    for target, mode in ((t, m) for t in ("a2a3", "host") for m in MODES):
        for given in every("f16"):
            c.expect(target, "f16", "!pto.i4x2", mode, given, pack(integer_codes(reals("f16", given), mode)))
    pairs = np.arange(256, dtype=np.uint8).reshape(4, 64)
    codes = unpack(pairs).astype(np.int64)
    for target, dst in (("a5", "bf16"), ("host", "f32"), ("host", "f16")):
        for source, grid in GRIDS.items():
            values = np.where(codes & 8, -1.0, 1.0) * np.array(grid)[codes & 7]
            wanted = values.astype(np.float32)
            wanted = (wanted.view(np.uint32) >> 16).astype(np.uint16) if dst == "bf16" else values.astype(np.float16) if dst == "f16" else wanted
            c.expect(target, source, dst, "RINT", pairs, wanted)
    for target in ("a2a3", "host"):
        c.expect(target, "!pto.i4x2", "f16", "RINT", pairs, ((codes & 7) - (codes & 8)).astype(np.float16))
    odd = np.array([[0x3f80, 0x4000, 0x40c0] * 11], np.uint16)  # 33 columns of 1, 2 and 6: the last pair is not whole
    whole = pack(signed_codes(GRIDS["!pto.f4E2M1x2"], np.append(reals("bf16", odd), [[0.0]], axis=1), "RINT"))
    whole[0, -1] = 0
    c.expect("a5", "bf16", "!pto.f4E2M1x2", "RINT", odd, whole)
    for target, source in (("a5", "f32"), ("a5", "f16"), ("host", "f32"), ("host", "f16")):
        for given in every(source):
            c.expect(target, source, "!pto.hif8", "ROUND", given, hif8_codes(reals(source, given)))
    numbers = np.array([HIF8[code & 127] * (-1 if code & 128 else 1) if code != 128 else np.nan for code in range(256)], np.float32).reshape(4, 64)
    for target in ("a5", "host"):
        got = c.run(target, "!pto.hif8", "f32", "RINT", np.arange(256, dtype=np.uint8).reshape(4, 64), 64)
        same = got is not None and np.array_equal(got, numbers, equal_nan=True)
        c.checks.check(f"hif8 to f32 on {target}", [] if same else ["the numbers differ"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptog", required=True)
    options = parser.parse_args()
    list_hif8()
    checks = Checks("tiny")
    with tempfile.TemporaryDirectory() as folder:
        convert_all(Conversions(options.ptog, checks, folder))
    checks.finish()


if __name__ == "__main__":
    main()
