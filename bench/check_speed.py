#!/usr/bin/env python3
"""How fast `ptog check` reads and checks level-2 text: MB/s at several sizes, so that the growth can be seen too.

usage: bench/check_speed.py [--ptog build/ptog] [--rounds 5]

The text is generated: kernels of the kinds people write, each with its own extents, in one file. The time is that of the
whole command, best of the rounds; a table of one line per size is printed.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SIZES = [1, 2, 5, 10]  # MB

KERNEL = """
  func.func @embed_{n}(%table: !pto.ptr<f32>, %index: !pto.ptr<i32>, %out: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant {rows} : index
    %words = arith.constant {words} : index
    %width = arith.constant {width} : index
    %tv = pto.make_tensor_view %table, shape = [%rows, %width] strides = [%width, %c1] : !pto.tensor_view<?x?xf32>
    %iv = pto.make_tensor_view %index, shape = [%c1, %words] strides = [%words, %c1] : !pto.tensor_view<?x?xi32>
    %ov = pto.make_tensor_view %out, shape = [%words, %width] strides = [%width, %c1] : !pto.tensor_view<?x?xf32>
    %tp = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%rows, %width] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<{rows}x{width}xf32>
    %ip = pto.partition_view %iv, offsets = [%c0, %c0], sizes = [%c1, %words] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x{words}xi32>
    %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%words, %width] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<{words}x{width}xf32>
    %idx = pto.alloc_tile : !pto.tile_buf<vec, 1x{words}xi32>
    %dst = pto.alloc_tile : !pto.tile_buf<vec, {words}x{width}xf32>
    pto.tload ins(%ip : !pto.partition_tensor_view<1x{words}xi32>) outs(%idx : !pto.tile_buf<vec, 1x{words}xi32>)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
    pto.mgather ins(%tp, %idx : !pto.partition_tensor_view<{rows}x{width}xf32>, !pto.tile_buf<vec, 1x{words}xi32>) outs(%dst : !pto.tile_buf<vec, {words}x{width}xf32>) {{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}}
    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]
    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]
    pto.tstore ins(%dst : !pto.tile_buf<vec, {words}x{width}xf32>) outs(%op : !pto.partition_tensor_view<{words}x{width}xf32>)
    return
  }}
"""


def program(megabytes):
    """At least so many bytes of kernels; every one has other extents."""
    parts, size, n = ["module {\n"], 0, 0
    while size < megabytes * 1_000_000:
        words, width = 8 * (1 + n % 16), 8 * (1 + n % 31)
        part = KERNEL.format(n=n, rows=100 + n % 1000, words=words, width=width)
        parts.append(part)
        size += len(part)
        n += 1
    parts.append("}\n")
    return "".join(parts)


def seconds(ptog, path, rounds):
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        done = subprocess.run([ptog, "check", path, "--target", "a2a3"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        best = min(best, time.perf_counter() - start)
        if done.returncode != 0:
            raise SystemExit(f"ptog check failed:\n{done.stderr.decode()[:2000]}")
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ptog", default=ROOT / "build/ptog")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("ptog check, level-2 text, one core, best of", options.rounds)
    print(f"{'MB':>6} {'seconds':>9} {'MB/s':>7}")
    with tempfile.TemporaryDirectory() as place:
        for megabytes in SIZES:
            path = os.path.join(place, f"{megabytes}.pto")
            with open(path, "w") as file:
                file.write(program(megabytes))
            size = os.path.getsize(path) / 1e6
            took = seconds(options.ptog, path, options.rounds)
            print(f"{size:6.1f} {took:9.4f} {size / took:7.1f}")


if __name__ == "__main__":
    main()
