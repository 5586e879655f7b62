#!/usr/bin/env python3
"""What a gather costs and how it is laid out on the machine, against the formulas of the MGATHER manual (002), written here a
second time: launches, transactions, bursts, what policies and shapes cost, its own flags, and what the boxes of a trace say.

  run.py --ptog PATH [--first]      --first: ends with the first failure

Counted figures are compared exactly. Of times only what the manual says is: the figures behind them are assumed, so the test
reads them from `ptog targets --costs`.
"""
import argparse
import json
import re
import sys
import tempfile
from math import ceil
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import numpy as np  # noqa: E402

from checks import Checks, run  # noqa: E402

SIZES = {"i8": 1, "f16": 2, "f32": 4}
TYPES = {"i8": np.int8, "f16": np.float16, "f32": np.float32}


class Machine:
    """Runs one gather on a target; indices are in UB from the start."""

    def __init__(self, ptog, work):
        self.ptog, self.work = ptog, work
        self.flags, self.set_at = [], {}  # that the last gather set itself, in order: "V->S"; and when

    def costs(self, target):
        """The figures of a target by name."""
        rows = re.findall(r"^(\S+) +([a-z0-9, -]*?) +(\d+)  ", run([self.ptog, "targets", "--costs"]).stdout, re.M)
        return {name: int(cycles) for name, targets, cycles in rows if target in targets.split(", ")}

    def curve(self, name):
        """The points (bytes, cycles) of a figure that depends on bytes."""
        page = run([self.ptog, "targets", "--costs"]).stdout
        points = re.search(rf"^{name} .*\n((?: +\d+ bytes +\d+\n)+)", page, re.M)[1]
        return [(int(size), int(cycles)) for size, cycles in re.findall(r"(\d+) bytes +(\d+)", points)]

    def go(self, target, text, idx, table):
        """(statistics, boxes of the trace with work)"""
        paths = {name: self.work / f"{name}.npy" for name in ("idx", "mem")}
        np.save(paths["idx"], idx)
        np.save(paths["mem"], table)
        source, trace = self.work / "gather.pto", self.work / "trace.json"
        source.write_text(text)
        trace.unlink(missing_ok=True)
        done = run([self.ptog, "run", source, "--target", target, "--in", f"idx={paths['idx']}", "--in", f"mem={paths['mem']}",
                    "--stats", "--format", "json", "--trace", trace, "--quiet"])
        report = json.loads(done.stdout)
        wrong = [d["id"] for d in report["diagnostics"] if d["severity"] == "error"]
        if wrong:
            raise AssertionError(f"{target}: {wrong}\n{text}")
        events = json.loads(trace.read_text())["traceEvents"]
        own = [e for e in events if e.get("cat") == "flag" and "flag of" in e["args"]]
        self.flags, self.set_at = [e["name"].split()[1] for e in own], {e["name"].split()[1]: e["ts"] for e in own}
        return report["stats"], [e for e in events if e.get("cat") == "work"]

    def gather(self, target, mode, rows, cols, kind="f32", oob="undefined", ids=None, table_rows=64, cols_valid=None):
        """One ND gather: `rows` x `cols`, of which `cols_valid` columns are valid."""
        valid = cols_valid or cols
        elem, custom = mode == "elem", target == "a5-custom"
        count = rows * valid if elem else rows
        ids = np.arange(count) % (table_rows * valid if elem else table_rows) if ids is None else np.asarray(ids)
        shape = (rows, valid) if elem else (rows, 1) if custom else (1, rows)
        padded = (rows, cols if elem else 1) if elem or custom else (1, ceil(rows / 8) * 8)
        idx_type = tile("i32", *padded, *shape)
        text = (f"pto.mgather ins(%mem, %idx : !pto.partition_tensor_view<{table_rows}x{valid}x{kind}>, {idx_type}) "
                f"outs(%dst : {tile(kind, rows, cols, rows, valid)}) "
                f"{{coalesce = #pto<coalesce {mode}>, gatherOob = #pto<gather_oob {oob}>}}\n")
        return self.go(target, text, ids.astype(np.int32).reshape(shape), np.zeros((table_rows, valid), TYPES[kind]))

    def gather_nz(self, rows, batches, block_cols, block_rows, kind="f16", oob="undefined", ids=None, stride1=None, mode="row"):
        c0 = 32 // SIZES[kind]
        stride1 = stride1 or block_rows * 16 * c0
        strides = [block_cols * stride1, stride1, 16 * c0, c0, 1]
        cols = batches * block_cols * c0
        ids = np.arange(rows) if ids is None else np.asarray(ids)
        shape = (1, rows) if mode == "row" else (rows, cols)
        text = (f"%v = pto.make_tensor_view %mem, shape = [{batches}, {block_cols}, {block_rows}, 16, {c0}], strides = {strides} "
                f"{{layout = #pto.layout<nz>}} : !pto.tensor_view<{batches}x{block_cols}x{block_rows}x16x{c0}x{kind}>\n"
                f"pto.mgather ins(%v, %idx : !pto.tensor_view<{batches}x{block_cols}x{block_rows}x16x{c0}x{kind}>, "
                f"{tile('i32', shape[0], ceil(shape[1] / 8) * 8, *shape)}) outs(%dst : {tile(kind, ceil(rows / 16) * 16, cols, rows, cols, nz=True)}) "
                f"{{coalesce = #pto<coalesce {mode}>, gatherOob = #pto<gather_oob {oob}>}}\n")
        return self.go("a2a3", text, np.resize(ids, shape).astype(np.int32), np.zeros(batches * strides[0], TYPES[kind]))


def tile(kind, rows, cols, valid_rows=None, valid_cols=None, nz=False):
    valid = f", valid={valid_rows or rows}x{valid_cols or cols}"
    return f"!pto.tile_buf<vec, {rows}x{cols}x{kind}{valid}{', blayout=col_major, slayout=row_major' if nz else ''}>"


# ---- the formulas ----

def row_launch(rows, cols):
    """002 A5 Performance 1: kRowWarps, kWarpsPerRow."""
    row_warps = min(rows, 32)
    return row_warps, max(1, min(32 // row_warps, ceil(cols / 32)))


def row_idle(rows, cols):
    row_warps, per_row = row_launch(rows, cols)
    turns, chunks = ceil(rows / row_warps), ceil(ceil(cols / 32) / per_row)
    return turns * row_warps * chunks * per_row * 32 - rows * cols


def lines(places, size):
    """Transactions of one warp of Row, in the order of its lanes: one for each run of lanes in a 128-byte line."""
    count, last = 0, None
    for place in places:
        line = place * size // 128
        count += line != last
        last = line
    return count


def row_transactions(ids, cols, size):
    return sum(lines(range(i * cols + first, i * cols + min(first + 32, cols)), size)
               for i in ids for first in range(0, cols, 32))


def policy_lanes(mode, rows, cols):
    """002 A5 Performance 2: a remap per lane. A lane of Row remaps once for each row it works on."""
    row_warps, per_row = row_launch(rows, cols)
    return rows * (min(cols, 32 * per_row) if mode == "row" else cols)


def wanted(checks, name, stats, **figures):
    checks.check(name, [f"{key} is {stats[key]}, wanted {value}" for key, value in figures.items() if stats[key] != value])


def box_of(boxes, checks, name, **args):
    found = [b["args"] for b in boxes if b["args"]["instruction"] == "mgather" and all(key in b["args"] for key in args)]
    checks.check(name, [] if found and all(a[key] == value for a in found for key, value in args.items()) else
                 f"wanted {args}, found {found[:2] or [b['args'] for b in boxes][:2]}")


# ---- A5 ----

def check_launches(checks, machine):
    for rows, cols in ((1, 8), (1, 40), (2, 72), (8, 104), (1, 64), (1, 1024), (3, 512), (4, 96), (8, 128), (16, 64), (31, 64), (32, 32), (33, 32), (40, 64)):
        stats, boxes = machine.gather("a5", "row", rows, cols)
        row_warps, per_row = row_launch(rows, cols)
        ids = [i % 64 for i in range(rows)]
        wanted(checks, f"a5 row {rows}x{cols}", stats, launches=1, warps=row_warps * per_row, idle_lanes=row_idle(rows, cols),
               transactions=row_transactions(ids, cols, 4), transaction_bytes=rows * cols * 4, gm_read_bytes=rows * cols * 4)
        box_of(boxes, checks, f"a5 row {rows}x{cols}: its box", **{"dim3": f"{{32, {row_warps * per_row}}}", "rowWarps": row_warps,
               "warpsPerRow": per_row, "idle lanes": row_idle(rows, cols)})
    for rows, cols in ((1, 16), (2, 8), (4, 16), (8, 64), (17, 32), (32, 32), (33, 32), (64, 64)):
        ids = np.arange(rows * cols) % 4096
        stats, boxes = machine.gather("a5", "elem", rows, cols, ids=ids, table_rows=4096 // cols)
        warps = min(ceil(rows * cols / 32), 32)
        idle = ceil(rows * cols / (warps * 32)) * warps * 32 - rows * cols
        wanted(checks, f"a5 elem {rows}x{cols}", stats, warps=warps, idle_lanes=idle, transactions=rows * cols)
        box_of(boxes, checks, f"a5 elem {rows}x{cols}: its box", **{"dim3": f"{{32, {warps}}}", "idle lanes": idle})
    stats, _ = machine.gather("a5", "elem", 5, 208, cols_valid=205)  # one element more than there are threads
    wanted(checks, "a5 elem 5x205", stats, warps=32, idle_lanes=2048 - 1025)
    for mode, rows, cols in (("row", 1, 32), ("row", 8, 64), ("row", 40, 32), ("elem", 1, 32), ("elem", 8, 64)):
        stats, _ = machine.gather("a5-custom", mode, rows, cols)
        wanted(checks, f"a5-custom {mode} {rows}x{cols}: always 32 warps", stats, warps=32,
               idle_lanes=ceil(rows / 32) * 32 * ceil(cols / 32) * 32 - rows * cols)


def check_lines(checks, machine):
    """128-byte lines: neighbours share one, whatever the type; rows that lie across a border take another."""
    for kind in SIZES:
        stats, _ = machine.gather("a5", "row", 4, 64, kind)
        wanted(checks, f"a5 row, lines of {kind}", stats, transactions=row_transactions(range(4), 64, SIZES[kind]))
    stats, _ = machine.gather("a5", "row", 8, 24, ids=[0, 3, 5, 7, 9, 11, 13, 15])  # rows of 96 bytes
    wanted(checks, "a5 row across lines", stats, transactions=row_transactions([0, 3, 5, 7, 9, 11, 13, 15], 24, 4))
    stats, _ = machine.gather("a5", "row", 1, 160, "i8", ids=[0], cols_valid=129)  # its last byte is the first one of a line
    wanted(checks, "a5 row of 129 bytes", stats, transactions=row_transactions([0], 129, 1))
    for kind in SIZES:  # a lane of Elem loads its element by itself, whatever its neighbours do
        stats, _ = machine.gather("a5", "elem", 8, 32, kind)
        wanted(checks, f"a5 elem, loads of {kind}", stats, transactions=256)
    scattered = np.arange(256) * 37 % 4096
    stats, _ = machine.gather("a5", "elem", 8, 32, ids=scattered, table_rows=128)
    wanted(checks, "a5 elem, scattered", stats, transactions=256)


SHAPES = [(1, 8), (1, 32), (1, 1024), (3, 24), (8, 64), (16, 40), (31, 128), (32, 1), (32, 8), (33, 32), (64, 16), (100, 48), (512, 8)]


def check_modes(checks, machine):
    """002 A5 Performance 5: of the same elements, Row never costs more than Elem, and less where it merges two loads; Elem of (1, 1)
    has no launch to pay for."""
    for rows, cols in SHAPES:
        padded = ceil(cols / 8) * 8
        for order in ("sorted", "random"):
            ids = np.random.default_rng(rows * 4096 + cols).integers(0, 64, rows)
            ids = np.sort(ids) if order == "sorted" else ids
            elements = (ids[:, None] * cols + np.arange(cols)).reshape(-1)
            for oob in ("undefined", "clamp", "zero"):
                row, _ = machine.gather("a5", "row", rows, padded, ids=ids, cols_valid=cols, oob=oob)
                elem, _ = machine.gather("a5", "elem", rows, padded, ids=elements, cols_valid=cols, oob=oob)
                few, many = row["busy_cycles"]["V"], elem["busy_cycles"]["V"]
                merges = row_transactions(ids, cols, 4) < rows * cols
                checks.check(f"a5 {rows}x{cols}, {order} rows, {oob}: Row costs no more than Elem",
                             [] if (few < many if merges else few == many) else f"{few} {many}")
    row, elem = machine.gather("a5", "row", 1, 8, cols_valid=1)[0], machine.gather("a5", "elem", 1, 8, cols_valid=1)[0]
    checks.check("a5: a single element needs no launch in Elem", [] if elem["cycles"] < row["cycles"] else f"{elem['cycles']} {row['cycles']}")


def check_simt_cost(checks, machine):
    cost = machine.costs("a5")

    def busy(*args, target="a5", **more):
        stats, _ = machine.gather(target, *args, **more)
        return stats["busy_cycles"]["V"], stats

    cycles, stats = busy("row", 16, 64)
    expected = (cost["simt-launch"] + cost["simt-line-hit"] * stats["line_hits"] +
                cost["simt-transaction"] * (stats["transactions"] - stats["line_hits"]))
    checks.check("a5: launch and lines", [] if cycles == expected else f"{cycles}, wanted {expected}")
    for oob, step in (("clamp", "oob-remap"), ("wrap", "oob-remap"), ("zero", "oob-select")):
        for mode, rows, cols in (("row", 16, 64), ("row", 32, 128), ("row", 40, 8), ("elem", 16, 64), ("elem", 32, 128)):
            plain, _ = busy(mode, rows, cols)
            more, stats = busy(mode, rows, cols, oob=oob)
            wanted_more = cost[step] * policy_lanes(mode, rows, cols) / 32
            checks.check(f"a5 {mode} {rows}x{cols}: what {oob} costs", [] if more - plain == wanted_more else
                         f"{more - plain}, wanted {wanted_more}")
            wanted(checks, f"a5 {mode} {rows}x{cols}: {oob} is applied", stats, policy_steps=rows * cols)
    few, _ = busy("row", 1, 32, target="a5")
    many, _ = busy("row", 1, 32, target="a5-custom")
    checks.check("idle warps cost", [] if many - few == 31 * cost["simt-idle-warp"] else f"{many - few}")
    for mode, rows in (("row", 1), ("row", 8), ("row", 40), ("elem", 1), ("elem", 8), ("elem", 40)):
        cycles, stats = busy(mode, rows, 32, target="a5-custom")
        expected = (cost["simt-launch"] + cost["simt-idle-warp"] * max(32 - rows, 0) + cost["simt-line-hit"] * stats["line_hits"] +
                    cost["simt-transaction"] * (stats["transactions"] - stats["line_hits"]))
        checks.check(f"a5-custom {mode}, {rows} rows: warps without one", [] if cycles == expected else f"{cycles}, wanted {expected}")
    row, _ = busy("row", 16, 64)
    elem, _ = busy("elem", 16, 64, ids=np.arange(1024) * 37 % 4096, table_rows=64)
    checks.check("a5: Row is faster than scattered Elem", [] if row < elem else f"{row} {elem}")
    ids = np.random.default_rng(7).permutation(4096)[:64]
    for target in ("a5", "a5-custom"):
        mixed, some = busy("row", 64, 8, ids=ids, table_rows=4096, target=target)
        ordered, all_ = busy("row", 64, 8, ids=np.sort(ids), table_rows=4096, target=target)
        checks.check(f"{target}: sorted indices reuse lines", [] if ordered <= mixed and all_["line_hits"] >= some["line_hits"] else
                     f"{ordered} {mixed}")
    dense = np.random.default_rng(7).permutation(512)
    mixed, some = busy("row", 512, 8, ids=dense, table_rows=512)
    ordered, all_ = busy("row", 512, 8, ids=np.sort(dense), table_rows=512)
    wanted(checks, "a5: four sorted rows of 32 bytes share a line", all_, line_hits=512 - 512 // 4)
    expected = cost["simt-launch"] + 128 * cost["simt-transaction"] + 384 * cost["simt-line-hit"]
    checks.check("a5: what a recent line costs", [] if ordered == expected else f"{ordered}, wanted {expected}")
    checks.check("a5: sorted indices are faster", [] if ordered < mixed and all_["line_hits"] > some["line_hits"] else f"{ordered} {mixed}")


# ---- A2/A3 ----

def check_copies(checks, machine):
    cost = machine.costs("a2a3")
    for rows, cols, valid, kind in ((1, 8, 8, "f32"), (5, 16, 9, "f32"), (16, 64, 64, "f16"), (40, 32, 32, "i8")):
        stats, boxes = machine.gather("a2a3", "row", rows, cols, kind, cols_valid=valid)
        wanted(checks, f"a2a3 row {rows}x{valid} {kind}", stats, dmas=rows, bursts=rows, scalar_loads=0, scalar_stores=0,
               most_outstanding=min(rows, cost["outstanding-mte2"]))
        box_of([b for b in boxes if "nBurst" in b["args"]], checks, f"a2a3 row {rows}x{valid} {kind}: its boxes", nBurst=1,
               lenBurst=valid * SIZES[kind], gmGap=0, ubGap=0)
    for rows, batches, block_cols, block_rows, padding in ((16, 1, 2, 2, 0), (8, 2, 3, 1, 0), (24, 3, 1, 2, 64), (5, 1, 4, 1, 16)):
        c0, stride1 = 16, block_rows * 256 + padding
        stats, boxes = machine.gather_nz(rows, batches, block_cols, block_rows, ids=np.arange(rows) % (block_rows * 16), stride1=stride1)
        tile_rows = ceil(rows / 16) * 16
        wanted(checks, f"a2a3 nz row {rows}, {batches}x{block_cols}", stats, dmas=rows * batches, bursts=rows * batches * block_cols)
        gaps = {"gmGap": (stride1 - c0) * 2, "ubGap": tile_rows - 1} if block_cols > 1 else {"gmGap": 0, "ubGap": 0}
        box_of([b for b in boxes if "nBurst" in b["args"]], checks, f"a2a3 nz row {rows}, {batches}x{block_cols}: its boxes",
               nBurst=block_cols, lenBurst=32, **gaps)


def check_loop(checks, machine):
    """Copies start behind the issuing loop, which waits while as many are under way as there may be."""
    cost = machine.costs("a2a3")
    turn = cost["scalar-ub-access"] + cost["issue"]
    for rows in (4, 64):
        stats, boxes = machine.gather("a2a3", "row", rows, 32)
        loop = next(b for b in boxes if b["args"]["instruction"] == "mgather" and "nBurst" not in b["args"])
        first = min((b["ts"] for b in boxes if "nBurst" in b["args"]))
        cycle = loop["dur"] / loop["args"]["cycles"]  # in microseconds; the trace has whole nanoseconds
        checks.check(f"a2a3: the first of {rows} copies starts behind its turn of the loop",
                     [] if abs(first - loop["ts"] - turn * cycle) < 0.0011 else f"{first - loop['ts']}, wanted {turn * cycle}")
        checks.check(f"a2a3: {rows} turns", [] if loop["args"]["cycles"] == rows * turn else str(loop))
        copies = sorted(b["ts"] + b["dur"] for b in boxes if "nBurst" in b["args"])
        wanted(checks, f"a2a3: {rows} copies, so many at once", stats, most_outstanding=min(rows, cost["outstanding-mte2"]))
        behind = copies[rows - cost["outstanding-mte2"] - 1] if rows > cost["outstanding-mte2"] else 0
        ends = max(behind, loop["ts"] + loop["dur"])
        checks.check(f"a2a3: the loop of {rows} waits", [] if machine.set_at["S->MTE2"] >= ends - 0.002 else
                     f"{machine.set_at['S->MTE2']} {ends}")
    stats, _ = machine.gather("a2a3", "row", 10, 8)
    checks.check("a2a3: the least that a small copy takes", [] if stats["busy_cycles"]["MTE2"] == 10 * cost["small-dma"] else str(stats["busy_cycles"]))


def check_scalar_cost(checks, machine):
    cost = machine.costs("a2a3")
    access, load, near = cost["scalar-ub-access"], cost["scalar-gm-load"], cost["scalar-next-block"]

    def scalar(*args, **more):
        stats, _ = machine.gather("a2a3", *args, **more)
        return stats["busy_cycles"]["S"] - cost["issue"], stats

    for rows, cols, kind in ((8, 8, "f32"), (4, 16, "f32"), (2, 32, "f16"), (1, 64, "i8")):
        cycles, stats = scalar("elem", rows, cols, kind)
        lanes, blocks = rows * cols, cols * SIZES[kind] // 32
        expected = lanes * (load + 2 * access) + rows * (blocks - 1) * near
        checks.check(f"a2a3 elem {rows}x{cols} {kind}", [] if cycles == expected else f"{cycles}, wanted {expected}")
        wanted(checks, f"a2a3 elem {rows}x{cols} {kind}: loads and stores", stats, scalar_loads=lanes, scalar_stores=lanes, dmas=0,
               policy_steps=0)
    best, _ = scalar("elem", 8, 8)
    wide, _ = scalar("elem", 2, 32)
    checks.check("a2a3 elem: rows of one block are the sweet spot", [] if best < wide else f"{best} {wide}")
    row, elem = machine.gather("a2a3", "row", 16, 64)[0], machine.gather("a2a3", "elem", 16, 64)[0]
    checks.check("a2a3: Row is faster than Elem", [] if row["cycles"] < elem["cycles"] else f"{row['cycles']} {elem['cycles']}")
    for oob, step in (("clamp", "oob-remap"), ("wrap", "oob-remap"), ("zero", "oob-select")):
        for mode, count in (("row", 16), ("elem", 16 * 8)):
            plain, _ = scalar(mode, 16, 8)
            more, stats = scalar(mode, 16, 8, oob=oob)
            checks.check(f"a2a3 {mode}: what {oob} costs", [] if more - plain == cost[step] * count else
                         f"{more - plain}, wanted {cost[step] * count}")
            wanted(checks, f"a2a3 {mode}: {oob} is applied", stats, policy_steps=count)
    out = np.where(np.arange(64) % 4 == 0, 10**6, np.arange(64))
    inside, _ = scalar("elem", 8, 8, oob="zero")
    zeroed, stats = scalar("elem", 8, 8, oob="zero", ids=out)
    wanted(checks, "a2a3 elem: a lane that Zero replaces reads nothing", stats, scalar_loads=48, scalar_stores=64)
    checks.check("a2a3 elem: and is charged so", [] if inside - zeroed == 16 * load else f"{inside - zeroed}")
    few, stats = scalar("row", 8, 16, oob="zero", ids=[0, 10**6, 1, 2, 10**6, 3, 4, 5])
    all_, _ = scalar("row", 8, 16, oob="zero")
    wanted(checks, "a2a3 row: rows that Zero replaces", stats, dmas=6, scalar_stores=2 * 16)
    checks.check("a2a3 row: they are filled", [] if few - all_ == 2 * (2 * cost["scalar-fill"] - cost["issue"]) else f"{few - all_}")
    few, stats = scalar("row", 8, 32, oob="zero", ids=[0, 10**6, 1, 2, 10**6, 3, 4, 5], cols_valid=9)
    all_, _ = scalar("row", 8, 32, oob="zero", cols_valid=9)
    wanted(checks, "a2a3 row: of padded rows, the valid columns are filled", stats, scalar_stores=2 * 9)
    checks.check("a2a3 row: and charged by blocks", [] if few - all_ == 2 * (2 * cost["scalar-fill"] - cost["issue"]) else f"{few - all_}")
    for rows in (16, 5, 20):  # NZ tiles have a multiple of 16 rows: all of them are cleared, also those that are not valid
        nz, plain = machine.gather_nz(rows, 1, 2, 2, oob="zero")[0], machine.gather_nz(rows, 1, 2, 2)[0]
        tile_rows = ceil(rows / 16) * 16
        fill = tile_rows * 32 * 2 // 32 * cost["scalar-fill"] + rows * cost["oob-select"]
        spent = nz["busy_cycles"]["S"] - plain["busy_cycles"]["S"]
        checks.check(f"a2a3 nz row: a tile with {rows} rows is cleared first", [] if spent == fill else f"{spent}, wanted {fill}")
        wanted(checks, f"a2a3 nz row: a tile with {rows} rows is cleared with stores", nz, scalar_stores=tile_rows * 32)
    nz_elem, nd = machine.gather_nz(16, 1, 2, 2, ids=np.arange(512), mode="elem")[0], scalar("elem", 16, 32, "f16")[0]
    saved = nd - (nz_elem["busy_cycles"]["S"] - cost["issue"])
    checks.check("a2a3 nz elem: block by block", [] if saved == 16 * near else f"{saved}, wanted {16 * near}")


def along(points, size):
    """Between two points a straight line, before the first one its cycles, and after the last one the last line."""
    if size <= points[0][0]:
        return points[0][1]
    after = next((i for i in range(1, len(points)) if size <= points[i][0]), len(points) - 1)
    (from_, low), (to, high) = points[after - 1], points[after]
    return low + (size - from_) * (high - low) / (to - from_)


def check_curves(checks, machine):
    """What transfers and vector work cost, by bytes: the published points that `ptog targets --costs` lists."""
    for target in ("a2a3", "a5"):
        costs = machine.costs(target)
        for rows in (1, 4, 48, 100, 128, 150, 200):
            view, kind = f"!pto.partition_tensor_view<{rows}x128xf32>", tile("f32", rows, 128, rows, 128)
            text = (f"func.func @k(%idx: !pto.partition_tensor_view<8xi32>, %mem: {view}, %out: {view}) {{\n"
                    f"  %t = pto.alloc_tile : {kind}\n  pto.tload ins(%mem : {view}) outs(%t : {kind})\n"
                    f"  pto.texp ins(%t : {kind}) outs(%t : {kind})\n  pto.tstore ins(%t : {kind}) outs(%out : {view})\n  return\n}}\n")
            stats, _ = machine.go(target, text, np.zeros(8, np.int32), np.zeros((rows, 128), np.float32))
            busy, size = stats["busy_cycles"], rows * 512
            for pipe, expected in (("MTE2", along(machine.curve(f"gm-to-ub-{target}"), size)),
                                   ("MTE3", along(machine.curve(f"ub-to-gm-{target}"), size)),
                                   ("V", costs["vector-step"] * (1 + size / 256))):
                checks.check(f"{target} {pipe}, {size} bytes", [] if abs(busy[pipe] - expected) <= 0.5 else f"{busy[pipe]}, wanted {expected}")


def check_tgather_cost(checks, machine):
    """By index on a2a3 the published steps of a row; else vector work over the elements that are read."""
    for target in ("a2a3", "a5"):
        costs = machine.costs(target)
        for kind, rows, cols in (("f32", 4, 64), ("f32", 3, 72), ("f16", 4, 128), ("f16", 2, 144)):
            size = SIZES[kind]
            data, idx = tile(kind, rows, cols), tile("i32", rows, cols)
            step = (costs.get("gather-b32-step", 0), 64) if size == 4 else (costs.get("gather-b16-step", 0), 128)
            by_row = rows * (step[0] * ceil(cols / step[1]) + costs.get("gather-row", 0))
            for form, text, expected in (
                    ("index", f"pto.tgather ins(%mem, %idx, %tmp : {data}, {idx}, {idx}) outs(%dst : {data})\n",
                     by_row if target == "a2a3" else costs["vector-step"] * (1 + rows * cols * size / 256)),
                    ("mask", f"pto.tgather ins(%mem, {{maskPattern = #pto.mask_pattern<P1111>}} : {data}) outs(%dst : {data})\n"
                             f"pto.tgather ins(%idx, {{maskPattern = #pto.mask_pattern<P1111>}} : {idx}) outs(%other : {idx})\n",
                     costs["vector-step"] * (2 + rows * cols * (size + 4) / 256))):
                stats, _ = machine.go(target, text, np.zeros((rows, cols), np.int32), np.zeros((rows, cols), TYPES[kind]))
                cycles = stats["busy_cycles"]["V"]
                checks.check(f"{target} tgather by {form}, {rows}x{cols} {kind}", [] if abs(cycles - expected) <= 0.5 else
                             f"{cycles}, wanted {expected}")


def check_chains(checks, machine):
    """002 Pipe / Synchronisation Model: the flags that an instruction brings along, in this order."""
    row = ["V->S", "MTE3->S", "S->MTE2", "MTE2->V", "MTE2->MTE3", "S->V", "S->MTE3"]
    elem = ["V->S", "MTE3->S", "MTE2->S", "S->V", "S->MTE2", "S->MTE3"]
    for name, chain, gather in (
            ("a2a3 row", row, lambda: machine.gather("a2a3", "row", 8, 8)),
            ("a2a3 row, zero", row, lambda: machine.gather("a2a3", "row", 8, 8, oob="zero", ids=[10**6] * 8)),
            ("a2a3 nz row", row, lambda: machine.gather_nz(16, 1, 2, 2)),
            ("a2a3 nz row, zero", row, lambda: machine.gather_nz(16, 1, 2, 2, oob="zero")),
            ("a2a3 elem", elem, lambda: machine.gather("a2a3", "elem", 8, 8)),
            ("a2a3 nz elem", elem, lambda: machine.gather_nz(16, 1, 2, 2, ids=np.arange(512), mode="elem")),
            ("a5 row", [], lambda: machine.gather("a5", "row", 8, 8)),
            ("a5 elem", [], lambda: machine.gather("a5", "elem", 8, 8)),
            ("a5 elem of one", ["V->S", "S->V"], lambda: machine.gather("a5", "elem", 1, 8, cols_valid=1))):
        stats, _ = gather()
        checks.check(f"{name}: its own flags", [] if machine.flags == chain else f"{machine.flags}, wanted {chain}")
        wanted(checks, f"{name}: each is set and waited for", stats, sets=len(chain), waits=len(chain))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--first", action="store_true")
    options = parser.parse_args()
    checks = Checks("figures", options.first)
    with tempfile.TemporaryDirectory() as place:
        machine = Machine(options.ptog.resolve(), Path(place))
        for part in (check_launches, check_lines, check_modes, check_simt_cost, check_copies, check_loop, check_scalar_cost, check_chains,
                     check_curves, check_tgather_cost):
            part(checks, machine)
    checks.finish()


main()
