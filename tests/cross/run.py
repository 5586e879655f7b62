#!/usr/bin/env python3
"""Kernels of both cores against a model that visits every state: races between the cores, and deadlocks. Some have a FIFO.

usage: run.py --ptog PATH [--count N] [--seed N] [--only N] [--ops N]

A program has a cube core and a vector core with at most so many operations each: loads and stores of three slots of global memory,
counters between the cores, flags inside a core, barriers. The model lets every entry start and finish at any time that flags, counters
and barriers allow; two accesses of one slot race where both can be under way at once. Every other program has a FIFO of 1, 2 or 5 slots,
whose pushes and pops the model takes apart as the documents do: a wait for a free slot, a store, a counter; a wait for an entry, a load, a
counter. Program N of a seed is the same whatever the
count is; --only N runs one and prints it. The last line is "cross: N passed, M failed", counted in programs.
"""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

PIPES = {"cube": {"load": "MTE2", "store": "FIX"}, "vector": {"load": "MTE2", "store": "MTE3"}}
OTHER = {"cube": "vector", "vector": "cube"}
SLOTS, IDS = 3, 2
TILES = {"cube": ("mat, 16x16xf32, blayout=col_major, slayout=row_major",
                  "acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024"),
         "vector": ("vec, 16x16xf32", "vec, 16x16xf32")}
SLOT = "!pto.partition_tensor_view<16x16xf32>"


# ---- programs: for each core a list of operations

FIFO_SLOTS = (1, 2, 5)
SIZE = 1024  # of a slot of the FIFO


def fifo_of(number):
    """How many slots the FIFO of a program has; 0: it has none."""
    return FIFO_SLOTS[number // 2 % 3] if number % 2 else 0


def draw_fifo(rng, program, slots, most):
    """Pushes and pops beside a few other operations, mostly as many of the one as of the other."""
    count = rng.randint(1, 6 if slots == 5 else 3)
    pops = count if rng.random() < 0.8 else rng.randint(1, count + 1)
    for core, kind, times in (("cube", "push", count), ("vector", "pop", pops)):
        del program[core][max(0, most - 1 - min(times, 3)):]
        for _ in range(times):
            program[core].insert(rng.randint(0, len(program[core])), (kind,))


def draw(number, seed, most):
    """Operations of both cores. A counter is always set by one pipe: which of two pipes fires first would be open."""
    rng = random.Random(f"{seed}/{number}")
    setters = {(core, i): rng.choice(list(PIPES[core].values())) for core in PIPES for i in range(IDS)}
    program = {core: [] for core in PIPES}
    for core, pipes in PIPES.items():
        for _ in range(rng.randint(1, most - 2)):
            kind = rng.choices(["load", "store", "flag", "barrier"], [4, 4, 2, 1])[0]
            if kind in ("load", "store"):
                program[core].append((kind, rng.randrange(SLOTS)))
            else:
                program[core].append((kind, *(rng.sample(sorted(pipes.values()), 2) if kind == "flag" else ())))
    for _ in range(rng.randint(0, 2)):
        core, i = rng.choice(list(PIPES)), rng.randrange(IDS)
        ends = {core: ("set", i, setters[core, i]), OTHER[core]: ("wait", i)}
        for end, op in ends.items():
            if rng.random() < 0.9 and len(program[end]) < most:
                program[end].insert(rng.randint(0, len(program[end])), op)
    if fifo_of(number):
        draw_fifo(rng, program, fifo_of(number), most)
    return program


def statement(core, op):
    load, store = TILES[core]
    if op[0] == "load":
        return f"pto.tload ins(%s{op[1]} : {SLOT}) outs(%i : !pto.tile_buf<{load}>)"
    if op[0] == "store":
        return f"pto.tstore ins(%o : !pto.tile_buf<{store}>) outs(%s{op[1]} : {SLOT})"
    if op[0] == "set":
        return f"pto.sync.set #pto.pipe<PIPE_{op[2]}>, {op[1]}"
    if op[0] == "wait":
        return f"pto.sync.wait #pto.pipe<PIPE_MTE2>, {op[1]}"
    if op[0] == "flag":
        flag = f"[<PIPE_{op[1]}>, <PIPE_{op[2]}>, <EVENT_ID0>]"
        return f"pto.set_flag{flag}\n    pto.wait_flag{flag}"
    if op[0] == "push":
        return f"pto.tpush_to_aiv(%o : !pto.tile_buf<{store}>) {{id = 0, split = 0}}"
    if op[0] == "pop":
        return f"%pN = pto.tpop_from_aic {{id = 0, split = 0}} -> !pto.tile_buf<{load}>"
    return "pto.barrier <PIPE_ALL>"


def fifo_text(core, slots):
    """The end of the FIFO that a core has. The pop of a program does not use its tile: local slots race with nothing."""
    q = (f'%q = pto.import_reserved_buffer {{name = "q", peer_func = @vector}} -> i32' if core == "cube" else
         f'%q = pto.reserve_buffer {{name = "q", size = {8 * SIZE}, location = #pto.address_space<vec>, auto = true}} -> i32')
    unit = {"cube": "aic", "vector": "aiv"}[core]
    return ["  %zero = arith.constant 0 : i32", "  " + q,
            f"  pto.{unit}_initialize_pipe {{id = 0, dir_mask = 1, slot_size = {SIZE}, slot_num = {slots}, nosplit = true}} (gm_slot_buffer = %ring : "
            "!pto.ptr<f32>, c2v_consumer_buf = %q : i32, v2c_consumer_buf = %zero : i32)"]


def with_fifo(program, slots):
    """A FIFO joins two functions, each for one core."""
    args = ", ".join(f"%s{i}: {SLOT}" for i in range(SLOTS))
    lines = []
    for core, ops in program.items():
        lines.append(f"func.func @{core}(%ffts: !pto.ptr<i64>, %ring: !pto.ptr<f32>, {args}) attributes "
                     f"{{pto.kernel_kind = #pto.kernel_kind<{core}>}} {{")
        lines += ["  pto.set_ffts %ffts : !pto.ptr<i64>", *fifo_text(core, slots)]
        lines += [f"  %{name} = pto.alloc_tile : !pto.tile_buf<{tile}>" for name, tile in zip("io", TILES[core])]
        for n, op in enumerate(ops):
            lines.append("  " + statement(core, op).replace("%pN", f"%p{n}"))
            if op[0] == "pop":
                lines.append("  pto.tfree_from_aic {id = 0, split = 0}")
        lines += ["  pto.barrier <PIPE_MTE2>", "  return", "}"]
    return "\n".join([*lines, ""])


def text_of(program, slots=0):
    if slots:
        return with_fifo(program, slots)
    args = ", ".join(f"%s{i}: {SLOT}" for i in range(SLOTS))
    lines = [f"func.func @f(%ffts: !pto.ptr<i64>, {args}) {{", "  pto.set_ffts %ffts : !pto.ptr<i64>"]
    for core, ops in program.items():
        lines.append(f"  pto.section.{core} {{")
        lines += [f"    %{name} = pto.alloc_tile : !pto.tile_buf<{tile}>" for name, tile in zip("io", TILES[core])]
        lines += ["    " + statement(core, op) for op in ops]
        lines += ["    pto.barrier <PIPE_MTE2>", "  }"]  # a program without flags would be completed
    return "\n".join([*lines, "  return", "}", ""])


# ---- the model

ISSUED, STARTED, DONE = 1, 2, 3


class Model:
    """Every state of a program: how far each core has issued, what each entry does, counters and flags."""

    READY, FREE = IDS, IDS + 1  # counters of a FIFO, beside those of the program
    COUNTERS = IDS + 2

    def __init__(self, program, slots=0):
        self.slots = slots
        self.ops = {core: self.entries_of(core, ops) for core, ops in program.items()}
        self.races = self.deadlock = False

    def fifo_entries(self, kind, i):
        """Entry i of a FIFO: frees come half a ring at a time, and the first ones need none."""
        period = self.slots if self.slots <= 2 else self.slots // 2
        slot = f"slot {i % self.slots}"
        if kind == "push":
            waits = [("wait", None, self.FREE)] if i >= self.slots and i % period == 0 else []
            return [*waits, ("store", PIPES["cube"]["store"], slot), ("set", PIPES["cube"]["store"], self.READY)]
        frees = [("set", PIPES["vector"]["load"], self.FREE)] if (i + 1) % period == 0 else []
        return [("wait", None, self.READY), ("load", PIPES["vector"]["load"], slot), *frees]

    def entries_of(self, core, ops):
        entries, entry = [], 0
        for op in ops:
            if op[0] in ("push", "pop"):
                entries += self.fifo_entries(op[0], entry)
                entry += 1
            elif op[0] == "flag":
                entries += [("set_flag", op[1], op[2]), ("wait_flag", op[2], op[1])]
            elif op[0] in ("load", "store"):
                entries.append((op[0], PIPES[core][op[0]], op[1]))
            elif op[0] == "set":
                entries.append(("set", op[2], op[1]))
            else:
                entries.append((op[0], None, op[1] if len(op) > 1 else None))
        return entries

    def explore(self):
        """A state: per core the states of its entries (0: not issued); the counters; the flags."""
        start = (tuple((0,) * len(self.ops[core]) for core in PIPES), (0,) * (2 * self.COUNTERS), ())
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            following = list(self.steps(state))
            self.look(state)
            if not following and any(s != DONE for entries in state[0] for s in entries):
                self.deadlock = True
            for following_state in following:
                if following_state not in seen:
                    seen.add(following_state)
                    todo.append(following_state)

    def look(self, state):
        under_way = [[op for op, s in zip(self.ops[core], entries) if s == STARTED and op[0] in ("load", "store")]
                     for core, entries in zip(PIPES, state[0])]
        self.races |= any(a[2] == b[2] and "store" in (a[0], b[0]) for a in under_way[0] for b in under_way[1])

    def steps(self, state):
        for number, core in enumerate(PIPES):
            entries = state[0][number]
            issued = sum(s > 0 for s in entries)
            if issued < len(entries):
                yield from self.issue(state, number, core, issued)
            for i in range(issued):
                yield from self.advance(state, number, core, i)

    @staticmethod
    def changed(state, number, i, to, counters=None, flags=None):
        cores = list(state[0])
        cores[number] = cores[number][:i] + (to,) + cores[number][i + 1:]
        return (tuple(cores), state[1] if counters is None else counters, state[2] if flags is None else flags)

    def issue(self, state, number, core, i):
        op, entries = self.ops[core][i], state[0][number]
        if op[0] == "wait":
            at = number * self.COUNTERS + op[2]
            if state[1][at] > 0:
                yield self.changed(state, number, i, DONE, counters=state[1][:at] + (state[1][at] - 1,) + state[1][at + 1:])
        elif op[0] == "barrier":
            if all(s == DONE for s in entries[:i]):
                yield self.changed(state, number, i, DONE)
        else:
            yield self.changed(state, number, i, ISSUED)

    def advance(self, state, number, core, i):
        op, entries = self.ops[core][i], state[0][number]
        earlier = [entries[k] for k in range(i) if self.ops[core][k][1] == op[1]]
        waits = [entries[k] for k in range(i) if self.ops[core][k][1] == op[1] and self.ops[core][k][0] == "wait_flag"]
        if entries[i] == STARTED:
            yield self.changed(state, number, i, DONE)
        if entries[i] != ISSUED:
            return
        if op[0] in ("load", "store") and all(s >= STARTED for s in earlier) and all(s == DONE for s in waits):
            yield self.changed(state, number, i, STARTED)
        elif op[0] == "set" and all(s == DONE for s in earlier):
            at = (1 - number) * self.COUNTERS + op[2]
            yield self.changed(state, number, i, DONE, counters=state[1][:at] + (state[1][at] + 1,) + state[1][at + 1:])
        elif op[0] == "set_flag" and all(s == DONE for s in earlier):
            yield self.changed(state, number, i, DONE, flags=tuple(sorted((*state[2], (number, op[1], op[2])))))
        elif op[0] == "wait_flag" and all(s >= STARTED for s in earlier) and (number, op[2], op[1]) in state[2]:
            left = list(state[2])
            left.remove((number, op[2], op[1]))
            yield self.changed(state, number, i, DONE, flags=tuple(left))


# ---- both of them

class Comparison:
    def __init__(self, ptog, folder):
        self.ptog, self.folder = ptog, Path(folder)
        numpy.save(self.folder / "s.npy", numpy.zeros((16, 16), "f4"))
        numpy.save(self.folder / "ring.npy", numpy.zeros((8, SIZE // 4), "f4"))

    def judged(self, number, program, slots, target):
        """What the tool says: whether cores race, and whether they stand still for ever."""
        path = self.folder / f"{number}.pto"
        path.write_text(text_of(program, slots), encoding="utf-8")
        files = [x for i in range(SLOTS) for x in ("--inout", f"s{i}={self.folder}/s.npy:{self.folder}/{number}.{i}.npy")]
        if slots:
            files += ["--func", "cube", "--inout", f"ring={self.folder}/ring.npy:{self.folder}/{number}.ring.npy"]
        done = subprocess.run([self.ptog, "run", path, "--target", target, "--subblocks", "1", "--format", "json", *files],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"exit status {done.returncode}: {done.stderr}")
        said = json.loads(done.stdout)
        found = said["diagnostics"] if isinstance(said, dict) else said
        races = any("no counter orders the two" in d["message"] or d["id"] == "fifo-overrun" for d in found)
        return (races, any(d["id"] == "deadlock" for d in found))

    def compare(self, number, program):
        slots = fifo_of(number)
        model = Model(program, slots)
        model.explore()
        expected = (model.races, model.deadlock)
        for target in ("a2a3",) if slots else ("a2a3", "a5"):
            found = self.judged(number, program, slots, target)
            if found != expected:
                return f"{target}: races, deadlock: the model says {expected}, the tool {found}", expected
        return None, expected


def main():
    parser = argparse.ArgumentParser(description="Compares kernels of both cores with a model.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--ops", type=int, default=5)
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    failed, kinds = 0, {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        comparison = Comparison(options.ptog, folder)
        programs = {n: draw(n, options.seed, options.ops) for n in numbers}
        for n, (problem, kind) in zip(numbers, pool.map(lambda n: comparison.compare(n, programs[n]), numbers)):
            kinds[kind] = kinds.get(kind, 0) + 1
            failed += problem is not None
            if problem or options.only is not None:
                print(f"program {n} of seed {options.seed}: {problem or kind}\n{text_of(programs[n], fifo_of(n))}")
    if options.only is None and options.count >= 100 and len(kinds) < 4:
        print(f"the programs do not have races and deadlocks of all kinds: {kinds}")
        failed += 1
    print(f"{kinds.get((True, False), 0)} race, {kinds.get((False, True), 0)} stand still, {kinds.get((True, True), 0)} do both")
    print(f"cross: {len(numbers) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
