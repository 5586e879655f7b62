#!/usr/bin/env python3
"""Repairs next to flags whose ids are computed: a program with set_flag_dyn and wait_flag_dyn in loops, of which some pairs
were left out, is clean after --apply-fix and gives the bytes of the whole program; and where one pair is missing, the
flag that the report advises is the one that is inserted.

  dynamic.py --ptog PATH [--count N] [--seed S] [--quick]

The last line is "dynamic: N passed, M failed", counted in programs. Exit status: 0 all passed, 1 not, 2 it could not run.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

try:
    import numpy
except ImportError:
    sys.exit(f"dynamic.py: needs numpy, and {sys.executable} has none")

DEFAULT_SEED = 20261116
SHOWN = 3
FLAG = re.compile(r"pto\.(?:set|wait)_flag\[<PIPE_(\w+)>, <PIPE_(\w+)>, <EVENT_ID(\d)>\]")
HEAD = """func.func @kernel(%table: !pto.partition_tensor_view<16x8xf32>, %words: !pto.ptr<i32>, %out: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a0 = arith.constant 0x0 : i64
  %a1 = arith.constant 0x100 : i64
  %a2 = arith.constant 0x1000 : i64
  %a3 = arith.constant 0x2000 : i64
  %wv = pto.make_tensor_view %words, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xi32>
  %ov = pto.make_tensor_view %out, shape = [%c64, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
  %i0 = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 1x8xi32>
  %i1 = pto.alloc_tile addr = %a1 : !pto.tile_buf<vec, 1x8xi32>
  %d0 = pto.alloc_tile addr = %a2 : !pto.tile_buf<vec, 8x8xf32>
  %d1 = pto.alloc_tile addr = %a3 : !pto.tile_buf<vec, 8x8xf32>
"""
LOAD = "pto.tload ins(%w{n} : !pto.partition_tensor_view<1x8xi32>) outs(%i{n} : !pto.tile_buf<vec, 1x8xi32>)"
GATHER = ("pto.mgather ins(%table, %i{n} : !pto.partition_tensor_view<16x8xf32>, !pto.tile_buf<vec, 1x8xi32>) "
          "outs(%d{n} : !pto.tile_buf<vec, 8x8xf32>) {{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}}")
STORE = "pto.tstore ins(%d{n} : !pto.tile_buf<vec, 8x8xf32>) outs(%o{n} : !pto.partition_tensor_view<8x8xf32>)"
IDS = {"%k + 1": ["%e = arith.addi %k, %c1 : index"],
       "%k % 2 + 1": ["%m = arith.remsi %k, %c2 : index", "%e = arith.addi %m, %c1 : index"],
       "5 - %k": ["%e = arith.subi %c5, %k : index"],
       "%k + 2": ["%e = arith.addi %k, %c2 : index"]}


# ---- programs: a list of lines, of which some belong to a pair that may be left out ----

class Line:
    def __init__(self, text, pair=None):
        self.text, self.pair = text, pair


class Draw:
    def __init__(self, rng):
        self.rng, self.pairs, self.used, self.dynamic = rng, 0, {}, {}

    def flag(self, src, dst, turns):
        """A set and a wait of an id that no other pair between these pipes has; None: there is none left."""
        self.pairs += 1
        taken = self.used.setdefault((src, dst), set())
        if self.dynamic.get((src, dst)) is None and not taken and self.rng.random() < 0.6:
            self.dynamic[src, dst] = True
            taken |= set(range(1, 6))
            words = f"_flag_dyn[<PIPE_{src}>, <PIPE_{dst}>, %e]"
        else:
            free = sorted(set(range(1, 6)) - taken)
            if not free:
                return None
            number = self.rng.choice(free)
            taken.add(number)
            words = f"_flag[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{number}>]"
        return Line(f"pto.set{words}", self.pairs), Line(f"pto.wait{words}", self.pairs)

    def body(self, turns):
        """Loads, gathers and stores of two buffers, in an order of their own, a flag from each to the next."""
        groups = [[LOAD.format(n=n), GATHER.format(n=n), STORE.format(n=n)] for n in range(self.rng.randint(1, 2))]
        lines, waits = [], {}
        pipes = ("MTE2", "V", "MTE3")
        steps = sorted((n, step) for n in range(len(groups)) for step in range(3))
        if len(groups) == 2 and self.rng.random() < 0.7:
            steps = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
        for n, step in steps:
            lines += waits.get((n, step), [])
            lines.append(Line(groups[n][step]))
            if step == 2:
                continue
            pair = self.flag(pipes[step], pipes[step + 1], turns)
            if pair is None:
                lines.append(Line("pto.barrier <PIPE_ALL>"))
                continue
            lines.append(pair[0])
            waits[n, step + 1] = [pair[1]]
        return lines + [Line("pto.barrier <PIPE_ALL>")]


def draw(rng):
    """Indented lines of one or two loops."""
    lines, at = [Line(line) for line in HEAD.rstrip().split("\n")], 0
    for _ in range(rng.randint(1, 2)):
        drawn = Draw(rng)
        turns, ids = rng.choice((2, 3)), rng.choice(sorted(IDS))
        inside = [Line(line) for line in IDS[ids]]
        inside += [Line(f"%t = arith.muli %k, %c2 : index"), Line("%at0 = arith.muli %t, %c8 : index"),
                   Line("%at1 = arith.addi %at0, %c8 : index")]
        for n in range(2):
            inside += [Line(f"%w{n} = pto.partition_view %wv, offsets = [%c0, %at{n}], sizes = [%c1, %c8] : "
                            "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x8xi32>"),
                       Line(f"%o{n} = pto.partition_view %ov, offsets = [%at{n}, %c0], sizes = [%c8, %c8] : "
                            "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x8xf32>")]
        inside += drawn.body(turns)
        for line in inside:
            line.text, line.pair = "    " + line.text, line.pair and (at, line.pair)
        lines += [Line(f"  scf.for %k = %c0 to %c{turns} step %c1 {{"), *inside, Line("  }")]
        at += 1
    return lines + [Line("  return"), Line("}")]


# ---- running ----

class Shell:
    def __init__(self, ptog, place):
        self.ptog, self.place = ptog, place
        numpy.save(place / "table.npy", numpy.arange(128, dtype=numpy.float32).reshape(16, 8))
        numpy.save(place / "words.npy", (numpy.arange(64) * 5 % 16).astype(numpy.int32))

    def run(self, text, target, *more):
        """The bytes of out, and the diagnostics."""
        path, out = self.place / "program.pto", self.place / "out.npy"
        path.write_text(text)
        out.unlink(missing_ok=True)
        done = subprocess.run([self.ptog, "run", path, "--target", target, "--in", f"table={self.place}/table.npy",
                               "--in", f"words={self.place}/words.npy", "--out", f"out=64x8:{out}", *more],
                              capture_output=True)
        if "--apply-fix" in more:
            return None, None
        return out.read_bytes() if out.exists() else None, json.loads(done.stdout)["diagnostics"]

    def repaired(self, text, target):
        path = self.place / "repaired.pto"
        self.run(text, target, "--apply-fix", "-o", str(path))
        return path.read_text()


def errors_of(diags):
    return [diag for diag in diags if diag["severity"] == "error"]


def flags_of(lines):
    return {match.groups() for line in lines for match in [FLAG.search(line)] if match}


def judge(shell, text, without, target, single, kinds):
    """What is wrong with the repair; None: nothing."""
    right, diags = shell.run(text, target, "--format", "json")
    if errors_of(diags):
        return f"the whole program has {[diag['id'] for diag in errors_of(diags)]}"
    _, diags = shell.run(without, target, "--format", "json")
    errors = errors_of(diags)
    kinds["broken" if errors else "still right"] += 1
    repaired = shell.repaired(without, target)
    given, diags = shell.run(repaired, target, "--format", "json")
    if errors_of(diags):
        return f"repaired, it has {[diag['id'] for diag in errors_of(diags)]}:\n{repaired}"
    if given != right:
        return f"repaired, it gives other bytes:\n{repaired}"
    added = flags_of(set(repaired.split("\n")) - set(without.split("\n")))
    advised = flags_of(step["text"] for diag in errors for step in diag["fix"])
    if single and advised and len(added) == len(advised) == 1:
        kinds["advised"] += 1
        if added != advised:
            return f"{advised} is advised, and {added} inserted:\n{repaired}"
    return None


def main():
    parser = argparse.ArgumentParser(description="Repairs next to flags whose ids are computed.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="40 programs, for slow builds")
    options = parser.parse_args()
    count, start, kinds, failed = 40 if options.quick else options.count, time.monotonic(), Counter(), 0
    print(f"dynamic: seed {options.seed}")
    if not os.access(options.ptog, os.X_OK):
        print(f"dynamic.py: cannot run {options.ptog}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as place:
        shell = Shell(os.path.abspath(options.ptog), Path(place))
        for number in range(count):
            rng = random.Random(f"{options.seed} {number}")
            lines, target = draw(rng), ("a5", "a2a3")[number % 4 == 3]
            pairs = sorted({line.pair for line in lines if line.pair})
            gone = set(rng.sample(pairs, min(len(pairs), rng.randint(1, 2))))
            said = judge(shell, "\n".join(line.text for line in lines) + "\n",
                         "\n".join(line.text for line in lines if line.pair not in gone) + "\n", target, len(gone) == 1, kinds)
            failed += bool(said)
            if said and failed <= SHOWN:
                print(f"FAILED program {number} on {target}: {said}")
    enough = kinds["broken"] >= count // 2 and kinds["advised"] >= count // 20
    print(f"{dict(kinds)}, {time.monotonic() - start:.1f} s{'' if enough else ', too few of a kind'}")
    print(f"dynamic: {count - failed} passed, {failed + (not enough)} failed")
    return 1 if failed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
