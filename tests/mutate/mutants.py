"""The mutants of tests/mutate/formulas.py: what the MGATHER and TGATHER manuals (002, 004) and the custom A5 page (000) give as
formulas, chains of flags, figures and lists of types, each made wrong in one place; and every static assertion of the gathers in the
C++ headers, left out."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIMT, ROW, ELEM, MGATHER = "src/sim/simt.c", "src/sim/families/mgather_row.c", "src/sim/families/mgather_elem.c", "src/sim/families/mgather.c"
COST, SCHEDULE, EFFECTS, MODEL = "src/sim/cost.c", "src/sim/schedule.c", "src/spec/effects.def", "src/model/mgather.c"
LAYOUT, BUDGET, TYPES = "src/model/ub_layout.c", "src/sanitize/budget.c", "include/pto/common/type.hpp"
WALKS = [SIMT, ELEM, MGATHER, "src/sim/families/mgather_simt.c"]
SIZES = ["src/model/ub_layout.c", "src/sanitize/budget.c"]

TARGETS, ACCEPTS, MAP = "include/ptog/spec/targets.def", "include/ptog/spec/accepts.def", "src/model/index_map.h"
TENSOR, TILE, TGATHER, PATTERNS = "src/model/tensor.c", "src/model/tile.c", "src/model/tgather.c", "src/spec/patterns.def"
CALLS, GATHERS, KERNEL_MAP = "include/pto/common/pto_instr.hpp", "include/pto/ptog/gather_instr.hpp", "src/kernel/map.h"
TARGET = ["src/model/target.c"]  # holds the tables of targets and of the types that they accept

# programs of tests/unit
MEMORY, KERNELS, TGATHERS = "test_machine_memory", "test_machine_random", "test_machine_tgather"

ASSERTIONS = "include/pto/ptog/check.hpp"


def assertions():
    """One mutant per static assertion of MGATHER and TGATHER: static-RULE-NUMBER."""
    text, numbers = (ROOT / ASSERTIONS).read_text(), {}
    for found in re.finditer(r'static_assert\(((?:(?!static_assert).)*?)(,\s*"[MT]GATHER: [^;]*?\[([a-z0-9-]+)\]"\);)', text, re.S):
        numbers[found[3]] = numbers.get(found[3], 0) + 1
        start = text.rfind("\n", 0, found.start()) + 1  # with what stands before it, the text is there once
        before = text[text.rfind("\n", 0, text.rfind("\n", 0, start - 1)) + 1:found.start()]
        yield (f"static-{found[3]}-{numbers[found[3]]}", ASSERTIONS, before + found[0], f"{before}static_assert(true || ({found[1]}){found[2]}",
               "assertions")


# id, file, text, what it becomes, the test that notices (of formulas.py, or a program of tests/unit), the sources to compile when the
# file is none
MUTANTS = [
    # the SIMT launch
    ("row-warps", SIMT, "ptog_min(rows, PTOG_MAX_WARPS), per_row", "PTOG_MAX_WARPS, per_row", "figures"),
    ("warps-per-row", SIMT, "        per_row = ptog_min(PTOG_MAX_WARPS / row_warps, chunk_count(cols));", "        per_row = 1;", "figures"),
    ("warps-per-row-by-rows", SIMT, "        per_row = ptog_min(PTOG_MAX_WARPS / row_warps, chunk_count(cols));",
     "        per_row = PTOG_MAX_WARPS / row_warps;", "figures"),
    ("elem-warps", SIMT, "ptog_min(chunk_count(rows * cols), PTOG_MAX_WARPS),", "ptog_min(chunk_count(rows * cols), 16),", "figures"),
    ("elem-warps-by-elements", SIMT, "ptog_min(chunk_count(rows * cols), PTOG_MAX_WARPS),", "PTOG_MAX_WARPS,", "figures"),
    ("custom-row-warps", SIMT, "all ? PTOG_MAX_WARPS : ptog_min(rows, PTOG_MAX_WARPS), per_row", "ptog_min(rows, PTOG_MAX_WARPS), per_row",
     "figures"),
    ("custom-elem-warps", SIMT, "all ? PTOG_MAX_WARPS : ptog_min(chunk_count(rows * cols)", "ptog_min(chunk_count(rows * cols)", "figures"),
    ("idle-lanes", SIMT, "log->stats.idle_lanes += (uint64_t)(shape.steps - shape.elements);", "", "figures"),
    ("warp-of-32", "src/sim/simt.h", "#define PTOG_WARP 32", "#define PTOG_WARP 64", "figures", WALKS),
    ("line-of-128", "src/sim/simt.h", "#define PTOG_GM_LINE 128", "#define PTOG_GM_LINE 64", "figures", WALKS),
    ("row-lines", SIMT, "line <= last / PTOG_GM_LINE; line++)", "line <= from / PTOG_GM_LINE; line++)", "figures"),
    ("elem-loads-apart", ELEM, "    for (uint64_t i = 0; i < lanes->count; i++)\n        ptog_simt_line(", "    for (uint64_t i = 0; i < lanes->count; i += 2)\n        ptog_simt_line(", "test_machine_walk"),
    ("elem-rounds", SIMT, "int64_t rounds = (rows * cols + threads - 1) / threads", "int64_t rounds = (rows * cols + threads - 2) / threads",
     "figures"),
    ("row-last-line", SIMT, "from + PTOG_WARP * size) - 1;", "from + PTOG_WARP * size) - 2;", "figures"),
    ("elem-unchecked", ELEM, "        if (!inside || found.mapped >= w->g.capacity)\n", "        if (!inside && found.mapped >= w->g.capacity)\n", MEMORY),
    # copies of Row
    ("nz-batches-apart", ROW, "c < first + blocks * c0 && ", "c <= first + blocks * c0 && ", MEMORY),
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
    ("custom-idle-warps", SIMT, "        idle = ptog_max(warps - rows, 0);", "        idle = 0;", "figures"),
    ("cost-of-idle-warps", MGATHER, "costs->launch + costs->idle_warp * (double)log->idle_warps", "costs->launch", "figures"),
    ("policy-per-lane", SIMT, ".remaps = rows * ptog_min(cols, per_row * PTOG_WARP)", ".remaps = rows * cols", "figures"),
    ("warps-per-row-rounded-down", SIMT, "    return (n + PTOG_WARP - 1) / PTOG_WARP;", "    return n < PTOG_WARP ? 1 : n / PTOG_WARP;", "figures"),
    ("cost-of-launch", MGATHER, "return costs->launch + ", "return ", "figures"),
    ("cost-of-lines", MGATHER, "costs->transaction * (double)(stats->transactions - stats->line_hits)", "0", "figures"),
    ("cost-of-hits", MGATHER, "costs->line_hit * (double)stats->line_hits", "0", "figures"),
    ("simt-policy", MGATHER, "policy * (double)log->lanes / PTOG_WARP", "0", "figures"),
    ("line-hits", "src/sim/simt.h", "log->stats.line_hits += *place == name;", "", "figures", WALKS),
    ("elem-loads", MGATHER, "(double)(log->lanes - log->zeros) * costs->gm_load", "(double)log->lanes * costs->gm_load", "figures"),
    ("elem-policy", MGATHER, "(2 * costs->ub_access + policy)", "(2 * costs->ub_access)", "figures"),
    ("elem-sweet-spot", MGATHER, "* costs->next_block;", "* 0;", "figures"),
    ("elem-nz-walk", MGATHER, "    if (ptog_tile_order(dst) != PTOG_ORDER_NZ)\n", "", "figures"),
    ("row-policy", MGATHER, ".row = costs->ub_access + ptog_cost_policy(costs, oob)", ".row = costs->ub_access", "figures"),
    ("row-fill", MGATHER, "loop.zero = costs->fill", "loop.zero = 0", "figures"),
    ("nz-fill", MGATHER, "loop.first = costs->fill", "loop.first = 0", "figures"),
    ("copies-behind-loop", SCHEDULE, "one.issued = when_there_is_room(&way, time);", "one.issued = at->issued;", "figures"),
    ("outstanding", SCHEDULE, "    if (way->count < way->most)\n", "    if (way->count < MAX_UNDER_WAY)\n", "figures"),
    ("loop-waits", SCHEDULE, "    if (held > 0 && is_now)\n", "    if (false)\n", "figures"),
    ("scalar-counts", ELEM, "    log->stats.scalar_loads += lanes - log->zeros;", "", "figures"),
    ("most-warps", "src/sim/simt.h", "#define PTOG_MAX_WARPS 32", "#define PTOG_MAX_WARPS 16", "figures", WALKS),
    ("nd-zero-columns", ROW, "    access.bytes = (uint64_t)dst->valid_col * g->size;", "    access.bytes = (uint64_t)dst->cols * g->size;", MEMORY),
    ("nd-zero-stores", ROW, "stats.scalar_stores += (uint64_t)dst->valid_col;", "stats.scalar_stores += (uint64_t)dst->cols;", "figures"),
    ("nd-zero-cost", MGATHER, "loop.zero = costs->fill * (double)blocks_of(dst->valid_col, dst->dtype)",
     "loop.zero = costs->fill * (double)blocks_of(dst->cols, dst->dtype)", "figures"),
    ("nz-clear-cost", MGATHER, "loop.first = costs->fill * (double)blocks_of(dst->rows * dst->cols, dst->dtype)",
     "loop.first = costs->fill * (double)blocks_of(dst->valid_row * dst->valid_col, dst->dtype)", "figures"),
    ("nz-clear-whole", ROW, "0, (uint64_t)ptog_tile_bytes(ptog_mgather_dst(op)));",
     "0, (uint64_t)(ptog_mgather_dst(op)->valid_row * 32));", MEMORY),
    ("nz-clear-stores", ROW, "(uint64_t)(ptog_mgather_dst(op)->rows * ptog_mgather_dst(op)->cols);",
     "(uint64_t)(ptog_mgather_dst(op)->valid_row * ptog_mgather_dst(op)->valid_col);", "figures"),
    ("nz-elem-order", ELEM, "        walk_nz(&w, rows, cols);", "        walk_rows(&w, rows, cols);", "test_machine_walk"),
    ("row-issue", MGATHER, "(double)log->stats.dmas * loop.dma", "0", "figures"),
    ("row-index-read", MGATHER, ".row = costs->ub_access + ", ".row = ", "figures"),
    ("elem-two-accesses", MGATHER, "(2 * costs->ub_access + policy)", "(costs->ub_access + policy)", "figures"),
    ("nd-row-step", ROW, ".ub = ptog_mgather_dst(op)->addr + (uint64_t)(r * ptog_mgather_dst(op)->cols)",
     ".ub = ptog_mgather_dst(op)->addr + (uint64_t)(r * ptog_mgather_dst(op)->valid_col)", KERNELS),
    ("nz-row-place", ROW, "(uint64_t)ptog_tile_offset(ptog_mgather_dst(op), r, first) * g->size,",
     "(uint64_t)ptog_tile_offset(ptog_mgather_dst(op), r, 0) * g->size,", KERNELS),
    ("scalar-1x1-at-run-time", "src/model/condition.c", "    const struct ptog_tile *dst = ptog_mgather_dst(c->insn);\n    return ptog_mgather_as(c->target, c->insn)->scalar_1x1",
     "    const struct ptog_tile *dst = ptog_mgather_dst(c->written);\n    return ptog_mgather_as(c->target, c->insn)->scalar_1x1", "test_machine_lanes"),
    ("scalar-1x1", TARGETS, ".scalar_1x1 = true, ", "", "figures", TARGET),
    ("dyn-ub-on-a2a3", BUDGET, "    if (s->target->machine != PTOG_MACHINE_SIMT && dyn_ub > 0)\n", "    if (false)\n", MEMORY),
    ("reserved-warning", BUDGET, "    else if (dyn_ub == 0 && s->top > usable - PTOG_MAX_CACHE)", "    else if (false)", MEMORY),
    # policies
    ("clamp", MAP, "return i < capacity ? i : capacity - 1;", "return i < capacity ? i : 0;", "conform", [MODEL]),
    ("wrap", MAP, "return i % capacity;", "return i & (capacity - 1);", "conform", [MODEL]),
    ("zero-past-the-end", MAP, "i >= capacity;", "i > capacity;", "conform", [MODEL]),
    ("clamp-below", MODEL, "oob == PTOG_OOB_CLAMP && as->clamps_signed && ", "oob == PTOG_OOB_CLAMP && false && ", "conform"),
    ("no-policy-on-cpu", TARGETS, ".mode_from = PTOG_MODE_ALWAYS_ELEM, .policies = false,", ".mode_from = PTOG_MODE_ALWAYS_ELEM, .policies = true,",
     "conform", TARGET),
    ("kernel-clamp", KERNEL_MAP, "return i < last ? i : last;", "return i < last ? i : 0;   ", "test_kernels", ["src/kernel/scalar.c"]),
    ("kernel-wrap", KERNEL_MAP, "return less < rest ? less : rest;", "return rest;                     ", "test_kernels", ["src/kernel/scalar.c"]),
    ("kernel-zero", KERNEL_MAP, "raw > job->wide.last;", "raw > job->wide.last + 1;", "test_kernels", ["src/kernel/scalar.c"]),
    # addresses and capacity
    ("row-capacity", MODEL, "target->row_count == PTOG_ROWS_SHAPE_3 ? 3 : 0, 3)", "3, 3)", "conform"),
    ("row-capacity-a5", MODEL, "target->row_count == PTOG_ROWS_SHAPE_3 ? 3 : 0, 3)", "0, 3)", "conform"),
    ("nz-capacity", MODEL, "(uint64_t)table->shape[2] * PTOG_NZ_ROWS", "(uint64_t)table->shape[2]", "conform"),
    ("elem-capacity", MODEL, "target->elem_count == PTOG_ELEMS_SHAPE_3_4 ? 3 : 0, 4)", "3, 4)", "conform"),
    ("product-64", MODEL, "        n *= (uint64_t)shape[d];", "        n = (uint32_t)(n * (uint64_t)shape[d]);", "conform"),
    ("product-warning", MODEL, "product > UINT32_MAX;", "false;", "conform"),
    ("a2a3-pitch", MODEL, "    default: return ptog_mgather_table(op)->stride[3];", "    default: return ptog_mgather_table(op)->shape[4];", "conform"),
    ("custom-pitch", MODEL, "    case PTOG_PITCH_SHAPE_4: return ptog_mgather_table(op)->shape[4];",
     "    case PTOG_PITCH_SHAPE_4: return ptog_mgather_table(op)->stride[3];", "conform"),
    ("custom-mode", MODEL, "return ptog_mgather_idx(op)->cols == 1;", "return ptog_mgather_idx(op)->rows == 1;", "conform"),
    ("custom-whole-tile", TARGETS, ".writes_padded = true, ", "", "conform", TARGET),
    ("cpu-always-elem", MODEL, "    if (target->mode_from == PTOG_MODE_ALWAYS_ELEM)\n        return false;\n", "", "conform"),
    ("cpu-index-walk", MODEL, "        return r * idx->cols + c;", "        return r * idx->valid_col + c;", "conform"),
    ("cpu-signed-index", TARGETS, ".policies = false, .signed_index = true,", ".policies = false,", "conform", TARGET),
    ("nz-block-row", MODEL, "row / PTOG_NZ_ROWS, (uint64_t)table->stride[2]", "row / PTOG_NZ_ROWS, (uint64_t)table->stride[3] * PTOG_NZ_ROWS", "conform"),
    ("nz-row-in-block", MODEL, "row % PTOG_NZ_ROWS, (uint64_t)table->stride[3]", "row % PTOG_NZ_ROWS, c0", "conform"),
    ("nz-block-column", MODEL, "block % blocks, (uint64_t)table->stride[1]", "block, (uint64_t)table->stride[1]", "conform"),
    ("nz-batch", MODEL, "block / blocks, (uint64_t)table->stride[0]", "block / blocks, (uint64_t)table->stride[1] * blocks", "conform"),
    ("nz-elem-split", MODEL, "nz_place(table, i / cols, i % cols, place)", "nz_place(table, i % cols, i / cols, place)", "conform"),
    ("nz-logical-columns", TENSOR, "(uint64_t)tensor->shape[0] * (uint64_t)tensor->shape[1] * ", "(uint64_t)tensor->shape[1] * ", "conform"),
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
    ("launch-is-on-v", EFFECTS, "EFFECT(ROW | ELEM, SIMT, ALWAYS, PHASES(PHASE(V, ", "EFFECT(ROW | ELEM, SIMT, ALWAYS, PHASES(PHASE(S, ", "figures",
     ["src/model/effects.c"]),
    ("copies-are-on-mte2", EFFECTS, "EFFECT(ROW, DMA, ALWAYS, PHASES(PHASE(S, D(IDX, VALID), W(DST, DATA)), PHASE(MTE2, ",
     "EFFECT(ROW, DMA, ALWAYS, PHASES(PHASE(S, D(IDX, VALID), W(DST, DATA)), PHASE(MTE3, ", "figures", ["src/model/effects.c"]),
    ("elem-is-on-s", EFFECTS, "EFFECT(ELEM, DMA, ALWAYS, PHASES(PHASE(S, ", "EFFECT(ELEM, DMA, ALWAYS, PHASES(PHASE(V, ", "figures",
     ["src/model/effects.c"]),
    ("flag-1x1-v-s", EFFECTS, "       BEFORE(PAIR(V, S)), AFTER(PAIR(S, V)))\nEFFECT(ROW", "       AFTER(PAIR(S, V)))\nEFFECT(ROW", "figures",
     ["src/model/effects.c"]),
    ("flag-1x1-s-v", EFFECTS, "       BEFORE(PAIR(V, S)), AFTER(PAIR(S, V)))\nEFFECT(ROW", "       BEFORE(PAIR(V, S)))\nEFFECT(ROW", "figures",
     ["src/model/effects.c"]),
    ("store-visibility", "src/model/order.c", "    if (pipe == PTOG_S) { /* scalar", "    if (pipe == PTOG_S) {\n"
     "        clocks->known[pipe].of[pipe] = clocks->entries[pipe]; /* scalar", "pto"),
    # where elements lie
    ("tile-offset-row", TILE, "    default: return r * tile->cols + c;", "    default: return r * tile->valid_col + c;", "conform"),
    ("tile-offset-nz", TILE, "c / c0 * (tile->rows * c0)", "c / c0 * (tile->valid_row * c0)", "conform"),
    ("tile-offset-col", TILE, "return c * tile->rows + r;", "return c * tile->valid_row + r;", "conform"),
    ("index-list", TILE, "    if (tile->valid_row == 1)\n        return ptog_tile_offset(tile, 0, i);\n", "", "conform"),
    # TGATHER
    ("tgather-index", "src/ref/tgather_index.c", "from = (uint64_t)ptog_tile_offset(idx, r, c);", "from = (uint64_t)(r * idx->valid_col + c);", "conform"),
    ("tgather-source-padding", "src/ref/tgather_index.c", "uint64_t elements = (uint64_t)(src->rows * src->cols), ",
     "uint64_t elements = (uint64_t)(src->valid_row * src->valid_col), ", "conform"),
    ("tgather-index-16", "src/sim/families/tgather_index.c", "        return (uint16_t)bits;", "        return (uint64_t)(int16_t)bits;", TGATHERS),
    ("tgather-index-16-value", "src/ref/tgather_index.c", "bool extend = target->tile_oob == PTOG_TILE_OOB_ZERO;", "bool extend = true;", "conform"),
    ("tgather-mask-column", "src/ref/tgather_mask.c", "(uint64_t)(r * ptog_tgather_src(op)->cols + c)", "(uint64_t)(r * ptog_tgather_src(op)->valid_col + c)",
     "conform"),
    ("tgather-overrun", "src/ref/tgather_mask.c", "    if (to >= ptog_tgather_dst(op)->rows * ptog_tgather_dst(op)->cols) {", "    if (false) {",
     "conform"),
    ("tgather-mask-room", TGATHER, ".room = dst->rows * dst->cols}", ".room = 2 * dst->rows * dst->cols}", TGATHERS),
    *((f"pattern-{name.lower()}", PATTERNS, f"PATTERN(PTOG_{name}, {first}, {step})", f"PATTERN(PTOG_{name}, {other}, {step})", "conform", [TGATHER])
      for name, first, step, other in (("P0101", 0, 2, 1), ("P1010", 1, 2, 0), ("P0001", 0, 4, 3), ("P0010", 1, 4, 2), ("P0100", 2, 4, 1),
                                       ("P1000", 3, 4, 0))),
    ("pattern-p1111", PATTERNS, "PATTERN(PTOG_P1111, 0, 1)", "PATTERN(PTOG_P1111, 0, 2)", "conform", [TGATHER]),
    # lists of types
    *((f"types-{name}", ACCEPTS, line, line.replace(old, new), "test_types", TARGET) for name, line, old, new in (
        ("nine", "#define PTOG_D_NINE (PTOG_D_SIX | PTOG_D_INT8 | PTOG_D(BF16))", " | PTOG_D(BF16)", ""),
        ("six", "#define PTOG_D_SIX (PTOG_D_INT16 | PTOG_D_INT32 | PTOG_D(F16) | PTOG_D(F32))", "PTOG_D(F16) | ", ""),
        ("mgather-index", "ACCEPTS(MGATHER, PTOG_ANY_FORM, IDX, PTOG_T_ANY, PTOG_D_INT32)", "PTOG_D_INT32", "PTOG_D_INT16 | PTOG_D_INT32"),
        ("mgather-a2a3", "ACCEPTS(MGATHER, PTOG_ANY_FORM, DATA, PTOG_T(CPU) | PTOG_T(A2A3), PTOG_D_NINE)", "PTOG_D_NINE", "PTOG_D_NINE | PTOG_D_F8"),
        ("mgather-a5", "ACCEPTS(MGATHER, PTOG_ANY_FORM, DATA, PTOG_T(A5), PTOG_D_NINE | PTOG_D_F8 | PTOG_D(HIF8))", " | PTOG_D(HIF8)", ""),
        ("mgather-custom", "ACCEPTS(MGATHER, PTOG_ANY_FORM, DATA, PTOG_T(A5_CUSTOM), PTOG_D_NINE | PTOG_D_F8)", " | PTOG_D_F8", ""),
        ("tgather-index-a5", "ACCEPTS(TGATHER, PTOG_F(INDEX), IDX, PTOG_T(CPU) | PTOG_T_A5, PTOG_D_INT16 | PTOG_D_INT32)", "PTOG_D_INT16 | ", ""),
        ("tgather-index-a2a3", "ACCEPTS(TGATHER, PTOG_F(INDEX), IDX, PTOG_T(A2A3), PTOG_D_INT32)", "PTOG_D_INT32", "PTOG_D_INT16 | PTOG_D_INT32"),
        ("tgather-a2a3", "ACCEPTS(TGATHER, PTOG_F(INDEX), DATA, PTOG_T(A2A3), PTOG_D_SIX)", "PTOG_D_SIX", "PTOG_D_SIX | PTOG_D(BF16)"),
        ("tgather-a5", "ACCEPTS(TGATHER, PTOG_F(INDEX), DATA, PTOG_T_A5, PTOG_D_SIX | PTOG_D_BYTE | PTOG_D_INT64)", "PTOG_D_SIX", "PTOG_D_SIX | PTOG_D(BF16)"),
        ("tgather-mask-a2a3", "ACCEPTS(TGATHER, PTOG_F(MASK), DATA, PTOG_T(A2A3), PTOG_D_SIX | PTOG_D(BF16))", " | PTOG_D(BF16)", ""))),
    # the on-chip buffer
    ("ub-of-a2a3", TARGETS, ".ub_bytes = 196608", ".ub_bytes = 262144", MEMORY, TARGET),
    ("ub-of-a5", TARGETS, ".ub_bytes = 262144, .most_bursts = 65535, .scalar_1x1", ".ub_bytes = 253952, .most_bursts = 65535, .scalar_1x1",
     MEMORY, TARGET),
    ("reserved", "src/model/ub_layout.h", "#define PTOG_UB_RESERVED ((uint64_t)8 << 10)", "#define PTOG_UB_RESERVED ((uint64_t)4 << 10)",
     MEMORY, SIZES),
    ("least-cache", "src/model/ub_layout.h", "#define PTOG_LEAST_CACHE ((uint64_t)32 << 10)",
     "#define PTOG_LEAST_CACHE ((uint64_t)16 << 10)", MEMORY, SIZES),
    ("most-cache", "src/model/ub_layout.h", "#define PTOG_MAX_CACHE ((uint64_t)128 << 10)",
     "#define PTOG_MAX_CACHE ((uint64_t)96 << 10)", MEMORY, SIZES),
    ("cache-shrinks", LAYOUT, "    return ptog_min(cache, PTOG_MAX_CACHE);", "    return PTOG_MAX_CACHE;", MEMORY),
    ("less-static", LAYOUT, "ptog_left(most, static_bytes)", "most", MEMORY),
    ("by-hand-is-dynamic", "src/core/calls.c", "if (tile->is_static && ", "if (", MEMORY),
    ("default-budget", BUDGET, "((uint64_t)128 << 10)", "((uint64_t)256 << 10)", MEMORY),
    ("request-holds", BUDGET, "s->top > static_bytes + dyn_ub)", "false)", MEMORY),
    ("simt-context", "src/core/issue.c", "    if (core->device->options.launch != PTOG_LAUNCH_DIRECT)", "    if (true)", MEMORY),
    *((f"misaligned-{name}-row", ROW, text, text.replace("drops = true", "drops = false"), MEMORY) for name, text in (
        ("nd", "bursts = 1,\n                             .buffer = g->buffer,\n                             .drops = true,"),
        ("nz", "                                 .drops = true,\n                                 .row = r}"))),
    ("misaligned-drop", "src/sim/dma.c", "        if (to % BLOCK != 0 && dma->drops)\n            continue;\n", "", MEMORY),
    ("cpu-threads", "src/core/issue.c", "    run.threads = (int)device->options.threads;\n", "", "threads"),
    # C++
    *assertions(),
    ("oob-is-a-byte", TYPES, "enum class GatherOOB : std::uint8_t", "enum class GatherOOB", "cxx"),
    ("coalesce-is-a-byte", TYPES, "enum class Coalesce : std::uint8_t", "enum class Coalesce", "cxx"),
    ("default-mode", GATHERS, "PTOG_GATHER(n, true, PTOG_ROW, GatherOOB::Undefined, false) ", "PTOG_GATHER(n, false, PTOG_ELEM, GatherOOB::Undefined, false)", "examples"),
    ("default-policy", GATHERS, "<Coalesce Mode, GatherOOB Oob = GatherOOB::Undefined, ", "<Coalesce Mode, GatherOOB Oob = GatherOOB::Zero, ", "examples"),
    ("custom-form", GATHERS, "ptog::is_one_column<Idx>() ? PTOG_ROW : PTOG_ELEM, Oob, true)", "PTOG_ELEM, Oob, true)", "examples"),
    ("custom-policy", GATHERS, "PTOG_ROW : PTOG_ELEM, Oob, true)", "PTOG_ROW : PTOG_ELEM, GatherOOB::Undefined, true)", "examples"),
    ("mode-and-policy", GATHERS, "static_cast<ptog_coalesce>(Mode), Oob, true)", "static_cast<ptog_coalesce>(Mode), GatherOOB::Undefined, true)", "examples"),
    ("by-mask", CALLS, "run_by_mask(dst, src, Pattern, Axis, PTOG_HERE)", "run_by_mask(dst, src, MaskPattern::P1010, Axis, PTOG_HERE)", "examples"),
    ("coalesce-numbers", TYPES, "Row = 0, Elem = 1", "Row = 1, Elem = 0", "cxx"),
    ("oob-numbers", TYPES, "Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3", "Undefined = 0, Clamp = 2, Wrap = 1, Zero = 3", "cxx"),
]
