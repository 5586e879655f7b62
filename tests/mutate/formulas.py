#!/usr/bin/env python3
"""Mutation test of what the MGATHER manual (002) gives as formulas, chains of flags and figures: each is made wrong in one place,
and the test that is named for it must notice.

usage: tests/mutate/formulas.py [--build DIR] [ID...]      only the mutants with these ids
       tests/mutate/formulas.py --list                     their ids, for tests/meta/seeds; fails when a text is gone

A mutant is a source with one text replaced; tables and headers name the sources that are compiled again because of it. The
rest comes from a build with tests (build/test/gcc of `make test`). Survivors are listed; there must be none.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("CC", "gcc")
FLAGS = ["-std=c11", "-O1", "-w"]
JOBS = os.cpu_count() or 1

SIMT, ROW, ELEM, MGATHER = "src/sim/simt.c", "src/sim/families/mgather_row.c", "src/sim/families/mgather_elem.c", "src/sim/families/mgather.c"
COST, SCHEDULE, EFFECTS, MODEL = "src/sim/cost.c", "src/sim/schedule.c", "src/spec/effects.def", "src/model/mgather.c"
LAYOUT, BUDGET, TYPES = "src/model/ub_layout.c", "src/sanitize/budget.c", "include/pto/common/type.hpp"
WALKS = [SIMT, ELEM, MGATHER, "src/sim/families/mgather_simt.c"]
SIZES = ["src/model/ub_layout.c", "src/sanitize/budget.c"]

TARGETS = "include/ptog/spec/targets.def"

# id, file, text, what it becomes, the test that notices, the sources to compile when the file is none
MUTANTS = [
    # the SIMT launch
    ("row-warps", SIMT, "ptog_min(rows, PTOG_MOST_WARPS), per_row", "PTOG_MOST_WARPS, per_row", "figures"),
    ("warps-per-row", SIMT, "        per_row = ptog_min(PTOG_MOST_WARPS / row_warps, chunks(cols));", "        per_row = 1;", "figures"),
    ("warps-per-row-by-rows", SIMT, "        per_row = ptog_min(PTOG_MOST_WARPS / row_warps, chunks(cols));",
     "        per_row = PTOG_MOST_WARPS / row_warps;", "figures"),
    ("elem-warps", SIMT, "ptog_min(chunks(rows * cols), PTOG_MOST_WARPS), threads", "ptog_min(chunks(rows * cols), 16), threads", "figures"),
    ("elem-warps-by-elements", SIMT, "ptog_min(chunks(rows * cols), PTOG_MOST_WARPS), threads", "PTOG_MOST_WARPS, threads", "figures"),
    ("custom-row-warps", SIMT, "all ? PTOG_MOST_WARPS : ptog_min(rows, PTOG_MOST_WARPS), per_row", "ptog_min(rows, PTOG_MOST_WARPS), per_row",
     "figures"),
    ("custom-elem-warps", SIMT, "all ? PTOG_MOST_WARPS : ptog_min(chunks(rows * cols)", "ptog_min(chunks(rows * cols)", "figures"),
    ("idle-lanes", SIMT, "log->stats.idle_lanes += (uint64_t)(shape.steps - shape.elements);", "", "figures"),
    ("warp-of-32", "src/sim/simt.h", "#define PTOG_WARP 32", "#define PTOG_WARP 64", "figures", WALKS),
    ("line-of-128", "src/sim/simt.h", "#define PTOG_GM_LINE 128", "#define PTOG_GM_LINE 64", "figures", WALKS),
    ("row-lines", SIMT, "line <= last / PTOG_GM_LINE; line++)", "line <= from / PTOG_GM_LINE; line++)", "figures"),
    ("elem-loads-apart", ELEM, "    for (uint64_t i = 0; i < lanes->count; i++)\n        ptog_simt_line(", "    for (uint64_t i = 0; i < lanes->count; i += 2)\n        ptog_simt_line(", "figures"),
    # copies of Row
    ("nd-burst", ROW, ".bytes = cols * g->size,", ".bytes = (uint64_t)ptog_mgather_dst(op)->cols * g->size,", "figures"),
    ("nz-bursts", ROW, ".bursts = (uint64_t)blocks,", ".bursts = 1,", "figures"),
    ("nz-burst-bytes", ROW, ".bytes = 32,", ".bytes = 64,", "figures"),
    ("nz-gm-gap", ROW, "->stride[1] * g->size,", "->stride[2] * g->size,", "figures"),
    ("nz-ub-gap", ROW, "(uint64_t)ptog_mgather_dst(op)->rows * 32,", "(uint64_t)ptog_mgather_dst(op)->valid_row * 32,", "figures"),
    ("nz-batches", ROW, "batch < ptog_mgather_table(op)->shape[0]", "batch < 1", "figures"),
    ("nz-clears-first", ROW, "    if (nz && ptog_mgather_oob(op) == PTOG_OOB_ZERO) {", "    if (false) {", "figures"),
    # costs
    ("small-dma", COST, "    return ptog_max(cycles, costs->small_dma);", "    return cycles;", "figures"),
    ("policy-remap", COST, "    case PTOG_OOB_WRAP: return costs->remap;", "    case PTOG_OOB_WRAP: return 0;", "figures"),
    ("policy-select", COST, "    case PTOG_OOB_ZERO: return costs->select;", "    case PTOG_OOB_ZERO: return 0;", "figures"),
    ("cost-of-idle-warps", MGATHER, "costs->launch + costs->idle_warp * (double)log->idle_warps", "costs->launch", "figures"),
    ("policy-per-lane", SIMT, ".remaps = rows * ptog_min(cols, per_row * PTOG_WARP)", ".remaps = rows * cols", "figures"),
    ("warps-per-row-rounded-down", SIMT, "    return (n + PTOG_WARP - 1) / PTOG_WARP;", "    return n < PTOG_WARP ? 1 : n / PTOG_WARP;", "figures"),
    ("cost-of-launch", MGATHER, "return costs->launch + ", "return ", "figures"),
    ("cost-of-lines", MGATHER, "costs->transaction * (double)(stats->transactions - stats->line_hits)", "0", "figures"),
    ("cost-of-hits", MGATHER, "costs->line_hit * (double)stats->line_hits", "0", "figures"),
    ("simt-policy", MGATHER, "policy * (double)log->lanes / PTOG_WARP", "0", "figures"),
    ("line-hits", "src/sim/simt.h", "log->stats.line_hits += *place == name;", "", "figures"),
    ("elem-loads", MGATHER, "(double)(log->lanes - log->zeros) * costs->gm_load", "(double)log->lanes * costs->gm_load", "figures"),
    ("elem-policy", MGATHER, "(2 * costs->ub_access + policy)", "(2 * costs->ub_access)", "figures"),
    ("elem-sweet-spot", MGATHER, "* costs->next_block;", "* 0;", "figures"),
    ("elem-nz-walk", MGATHER, "    if (ptog_tile_order(dst) != PTOG_ORDER_NZ)\n", "", "figures"),
    ("row-policy", MGATHER, ".row = costs->ub_access + ptog_cost_policy(costs, oob)", ".row = costs->ub_access", "figures"),
    ("row-fill", MGATHER, "loop.zero = costs->fill", "loop.zero = 0", "figures"),
    ("nz-fill", MGATHER, "loop.first = costs->fill", "loop.first = 0", "figures"),
    ("copies-behind-loop", SCHEDULE, "one.issued = when_there_is_room(&way, time);", "one.issued = at->issued;", "figures"),
    ("outstanding", SCHEDULE, "    if (way->count < way->most)\n", "    if (way->count < MOST_UNDER_WAY)\n", "figures"),
    ("loop-waits", SCHEDULE, "    if (held > 0 && is_now)\n", "    if (false)\n", "figures"),
    ("scalar-counts", ELEM, "    log->stats.scalar_loads += lanes - log->zeros;", "", "figures"),
    # addresses and capacity
    ("row-capacity", MODEL, "target->row_count == PTOG_ROWS_SHAPE_3 ? 3 : 0, 3)", "3, 3)", "conform"),
    ("row-capacity-a5", MODEL, "target->row_count == PTOG_ROWS_SHAPE_3 ? 3 : 0, 3)", "0, 3)", "conform"),
    ("nz-capacity", MODEL, "(uint64_t)table->shape[2] * PTOG_NZ_ROWS", "(uint64_t)table->shape[2]", "conform"),
    ("elem-capacity", MODEL, "target->elem_count == PTOG_ELEMS_SHAPE_3_4 ? 3 : 0, 4)", "3, 4)", "conform"),
    ("a5-pitch", MODEL, "    case PTOG_PITCH_VALID_COL: return ptog_mgather_dst(op)->valid_col;", "", "conform"),
    # flags of the instructions
    *((f"flag-{form}-{src}-{dst}".lower(), EFFECTS, line, line.replace(f"PAIR({src}, {dst}), ", "", 1).replace(f", PAIR({src}, {dst})", "", 1),
       "figures", ["src/model/effects.c"])
      for form, line, pairs in (
          ("row", "    BEFORE(PAIR(V, S), PAIR(MTE3, S)),", (("V", "S"), ("MTE3", "S"))),
          ("row", "    AFTER(PAIR(S, MTE2), PAIR(MTE2, V), PAIR(MTE2, MTE3), PAIR(S, V), PAIR(S, MTE3))",
           (("S", "MTE2"), ("MTE2", "V"), ("MTE2", "MTE3"), ("S", "V"), ("S", "MTE3"))),
          ("elem", "       BEFORE(PAIR(V, S), PAIR(MTE3, S), PAIR(MTE2, S)), AFTER(PAIR(S, V), PAIR(S, MTE2), PAIR(S, MTE3)))",
           (("V", "S"), ("MTE3", "S"), ("MTE2", "S"), ("S", "V"), ("S", "MTE2"), ("S", "MTE3"))))
      for src, dst in pairs),
    ("flag-1x1-v-s", EFFECTS, "       BEFORE(PAIR(V, S)), AFTER(PAIR(S, V)))\nEFFECT(ROW", "       AFTER(PAIR(S, V)))\nEFFECT(ROW", "figures",
     ["src/model/effects.c"]),
    ("flag-1x1-s-v", EFFECTS, "       BEFORE(PAIR(V, S)), AFTER(PAIR(S, V)))\nEFFECT(ROW", "       BEFORE(PAIR(V, S)))\nEFFECT(ROW", "figures",
     ["src/model/effects.c"]),
    ("store-visibility", "src/model/order.c", "    if (pipe == PTOG_S) { /* scalar", "    if (pipe == PTOG_S) {\n"
     "        clocks->known[pipe].of[pipe] = clocks->entries[pipe]; /* scalar", "pto"),
    # where elements lie
    ("tile-offset-row", "src/model/tile.c", "    default: return r * tile->cols + c;", "    default: return r * tile->valid_col + c;", "conform"),
    ("tile-offset-nz", "src/model/tile.c", "c / c0 * (tile->rows * c0)", "c / c0 * (tile->valid_row * c0)", "conform"),
    # the on-chip buffer
    ("ub-of-a2a3", TARGETS, ".ub_bytes = 196608", ".ub_bytes = 262144", "memory", ["src/model/target.c"]),
    ("ub-of-a5", TARGETS, ".ub_bytes = 262144, .most_bursts = 65535, .scalar_1x1", ".ub_bytes = 253952, .most_bursts = 65535, .scalar_1x1",
     "memory", ["src/model/target.c"]),
    ("reserved", "src/model/ub_layout.h", "#define PTOG_UB_RESERVED ((uint64_t)8 << 10)", "#define PTOG_UB_RESERVED ((uint64_t)4 << 10)",
     "memory", SIZES),
    ("least-cache", "src/model/ub_layout.h", "#define PTOG_LEAST_CACHE ((uint64_t)32 << 10)",
     "#define PTOG_LEAST_CACHE ((uint64_t)16 << 10)", "memory", SIZES),
    ("most-cache", "src/model/ub_layout.h", "#define PTOG_MOST_CACHE ((uint64_t)128 << 10)",
     "#define PTOG_MOST_CACHE ((uint64_t)96 << 10)", "memory", SIZES),
    ("cache-shrinks", LAYOUT, "    return ptog_min(cache, PTOG_MOST_CACHE);", "    return PTOG_MOST_CACHE;", "memory"),
    ("less-static", LAYOUT, "ptog_left(most, static_bytes)", "most", "memory"),
    ("by-hand-is-dynamic", "src/core/calls.c", "if (tile->is_static && ", "if (", "memory"),
    ("default-budget", BUDGET, "((uint64_t)128 << 10)", "((uint64_t)256 << 10)", "memory"),
    ("request-holds", BUDGET, "s->top > static_bytes + dyn_ub)", "false)", "memory"),
    ("simt-context", "src/core/issue.c", "    if (core->device->options.launch != PTOG_LAUNCH_DIRECT)", "    if (true)", "memory"),
    ("misaligned-drop", "src/sim/dma.c", "        if (to % BLOCK != 0 && dma->drops)\n            continue;\n", "", "memory"),
    ("cpu-threads", "src/core/issue.c", "    run.threads = (int)device->options.threads;\n", "", "threads"),
    # C++
    ("oob-is-a-byte", TYPES, "enum class GatherOOB : std::uint8_t", "enum class GatherOOB", "cxx"),
    ("coalesce-is-a-byte", TYPES, "enum class Coalesce : std::uint8_t", "enum class Coalesce", "cxx"),
    ("oob-numbers", TYPES, "Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3", "Undefined = 0, Clamp = 2, Wrap = 1, Zero = 3", "cxx"),
]


def run(command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def stale(mutant):
    """Says that the text of a mutant is not, or more than once, in its file."""
    name, file, text = mutant[:3]
    count = (ROOT / file).read_text().count(text)
    if count != 1:
        print(f"mutate: the text of {name} is {count} times in {file}", file=sys.stderr)
    return count != 1


class Build:
    """What no mutant changes: a build with tests; and the tests that notice."""

    def __init__(self, place):
        self.place = place
        self.includes = ["-I", ROOT / "include", "-I", ROOT / "src", "-I", ROOT / "tests", "-I", place / "generated"]

    def link(self, sources, objects, out, *more):
        """A program from sources, with the mutant's objects before those of the library."""
        libraries = [self.place / f"lib{name}.a" for name in ("unit_helpers", "tool_io", "ptog")]
        done = run([CC, *FLAGS, "-DPTOG_THREADS=1", *self.includes, *sources, *objects, *libraries, "-o", out, "-lcmocka", "-lm", "-ldl",
                    "-lpthread", *more])
        if done.returncode:
            sys.exit(f"mutate: cannot build {out.name}:\n{done.stdout[-2000:]}")
        return out

    def tool(self, objects, work):
        places = [self.place / "CMakeFiles/ptog.dir/tool", *(self.place / "CMakeFiles/ptog.dir").glob("generated*")]
        return self.link([o for place in places for o in sorted(place.glob("*.o"))], objects, work / "ptog")

    def figures(self, objects, work):
        return run([sys.executable, ROOT / "tests/figures/run.py", "--ptog", self.tool(objects, work)])

    def pto(self, objects, work):
        return run([sys.executable, ROOT / "tests/pto/run.py", "--ptog", self.tool(objects, work), "--only", "machine/race_[os]*"])

    def conform(self, objects, work):
        batch = self.link([ROOT / "tests/conform/batch.c"], objects, work / "batch")
        return run([sys.executable, ROOT / "tests/conform/run.py", "--batch", batch, "--quick"])

    def unit(self, name, objects, work, *more):
        return run([self.link([ROOT / f"tests/unit/{name}.c"], objects, work / name, *more)])

    def memory(self, objects, work):
        return self.unit("test_machine_memory", objects, work)

    def threads(self, objects, work):
        return self.unit("test_threads", objects, work, "-Wl,--wrap=pthread_create")

    def cxx(self, objects, work):
        return run(["g++", "-std=c++17", "-fsyntax-only", "-I", work / "include", "-I", ROOT / "include", ROOT / "tests/cpp/enums.cpp"])

    def noticed(self, mutant, work):
        """Compiles the mutant and runs its test: True when that fails. A list of one entry: what is wrong with the mutant."""
        _, file, text, other, test, *sources = mutant
        source = (ROOT / file).read_text()
        if text != other and source.count(text) != 1:
            return f"its text is {source.count(text)} times in {file}"
        changed = work / file
        changed.parent.mkdir(parents=True)
        changed.write_text(source.replace(text, other))
        objects = []
        for name in sources[0] if sources else [file] if file.endswith(".c") else []:
            objects.append(work / (pathlib.Path(name).stem + ".o"))
            done = run([CC, *FLAGS, "-DPTOG_THREADS=1", "-I", work / "src", "-I", work / "include", *self.includes, "-c",
                        work / name if name == file else ROOT / name, "-o", objects[-1]])
            if done.returncode:
                return f"it does not compile:\n{done.stdout[-1000:]}"
        return getattr(self, test)(objects, work).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/test/gcc")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("ids", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(mutant[0] for mutant in MUTANTS))
        return 1 if any([stale(mutant) for mutant in MUTANTS]) else 0
    chosen = [mutant for mutant in MUTANTS if not options.ids or mutant[0] in options.ids]
    if not (options.build / "libptog.a").exists():
        sys.exit(f"mutate: {options.build} has no build with tests: run 'make test' once, or give --build")
    build, survivors = Build(options.build.resolve()), []

    def judge(mutant):
        with tempfile.TemporaryDirectory() as work:
            return build.noticed(mutant, pathlib.Path(work))

    nothing = [(f"nothing, {test}", "src/sim/simt.c", "", "", test) for test in sorted({m[4] for m in chosen})]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for mutant, found in zip(nothing, pool.map(judge, nothing)):
            if found is not False:
                sys.exit(f"mutate: {mutant[4]} fails before anything is changed: {found}")
        for mutant, found in zip(chosen, pool.map(judge, chosen)):
            if found is not True:
                survivors.append(mutant[0])
                print(f"survived: {mutant[0]}, which {mutant[4]} should notice{'' if found is False else ': ' + found}", flush=True)
    print(f"mutate: {len(chosen)} mutants of formulas, {len(survivors)} survivors")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
