/* unit: the tables of the machine: faults, costs, and the effects, which must say what the instructions really do. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/kernel.h"

#include <math.h>
#include <stdlib.h>

#include "model/mgather.h"
#include "model/tgather.h"
#include "model/transfer.h"
#include "sim/insn.h"

static void faults_are_words(void **state)
{
    size_t i = 0;
    (void)state;
    for (const struct ptog_machine_fault *f; (f = ptog_machine_fault_at(i)) != NULL; i++) {
        assert_ptr_equal(ptog_machine_fault_find(f->id), f);
        assert_null(ptog_fault_info_find(f->id));
        assert_true(strlen(f->what) > 10 && strlen(f->why) > 10 && strlen(f->documented) > 3);
    }
    assert_int_equal(i, PTOG_MACHINE_FAULTS);
    assert_null(ptog_machine_fault_find("no-such-fault"));
    assert_null(ptog_machine_fault_find(NULL));
}

/* Every row of the fault table that is not one of the machine's is a fault of lanes. */
static void no_fault_is_missing(void **state)
{
    static const char *const ids[] = {
        "race-raw",         "race-war",           "race-waw",           "race-self",          "same-pipe-hazard",
        "flag-double-set",  "flag-left-set",      "flag-never-set",     "flag-id-clash",      "flag-bad-pair",
        "flag-bad-id",      "barrier-on-scalar",  "barrier-bad-pipe",   "scalar-stale",       "flag-reserved-id",
        "flag-redundant",   "gm-out-of-bounds",   "gm-outside-view",    "gm-block-overlap",   "index-negative",
        "ub-outside-tile",  "ub-overflow",        "ub-misaligned-tile", "ub-budget",          "ub-reserved",
        "ub-scratch-clash", "ub-partial-overlap", "dma-misaligned",     "dma-field-overflow", "uninit-read",
        "pad-read",         "pitch-mismatch",     "product-overflow",   "tile-overrun",       "no-simt-context",
        "scalar-unflushed", "line-shared",        "line-mixed"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        assert_true(ptog_machine_fault_find(ids[i]) || ptog_fault_info_find(ids[i]));
}

/* A number that is none is refused, and so is a clock that stands still. */
static void costs_are_numbers(void **state)
{
    const struct ptog_cost_override wrong[] = {
        {.name = "no-such-cost", .cycles = 1},   {.name = NULL, .cycles = 1},
        {.name = "gm-to-ub-a2a3", .cycles = 1},  {.name = "issue", .cycles = -1},
        {.name = "issue", .cycles = NAN},        {.name = "issue", .cycles = INFINITY},
        {.name = "set-flag", .cycles = 1e300},   {.name = "issue", .cycles = 2e12},
        {.name = "clock-mhz-a2a3", .cycles = 0}, {.name = "clock-mhz-a2a3", .cycles = -1850}};
    const double cycles[] = {-1, NAN, INFINITY, 2 * PTOG_LATE};
    ptog_device *device;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct ptog_device_options options = {.costs = &wrong[i], .cost_count = 1};
        assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), &options), PTOG_BAD_ARGUMENT);
        assert_null(device);
    }
    for (size_t i = 0; i < COUNT_OF(cycles); i++) {
        struct ptog_latency late = {.instruction = 1, .cycles = cycles[i]};
        struct ptog_device_options options = {.schedule = PTOG_SCHEDULE_WITNESS, .late = &late, .late_count = 1};
        assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), &options), PTOG_BAD_ARGUMENT);
    }
    struct ptog_device_options none = {.cost_count = 1};
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), &none), PTOG_BAD_ARGUMENT);
}

/* One list of figures serves all targets: each takes its own. */
static void costs_are_of_targets(void **state)
{
    const struct ptog_cost_override both[] = {{.name = "clock-mhz-a2a3", .cycles = 1000},
                                              {.name = "clock-mhz-a5", .cycles = 2000}};
    const struct ptog_device_options options = {.costs = both, .cost_count = 2};
    const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    const double mhz[] = {1000, 2000, 2000};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        struct ptog_stats stats;
        ptog_device *device;
        assert_int_equal(ptog_device_open(&device, ptog_target_find(targets[i]), &options), PTOG_OK);
        ptog_device_stats(device, &stats);
        assert_true(stats.mhz == mhz[i]);
        ptog_device_close(device);
    }
}

static void costs_have_sources(void **state)
{
    (void)state;
    for (size_t i = 0; ptog_cost_at(i); i++) {
        const struct ptog_cost *cost = ptog_cost_at(i);
        assert_true(cost->targets != 0 && strlen(cost->source) > 5);
        assert_true(cost->cycles > 0 || cost->point_count >= 2);
        for (size_t k = 1; k < cost->point_count; k++)
            assert_true(cost->points[k][0] > cost->points[k - 1][0] && cost->points[k][1] > cost->points[k - 1][1]);
    }
    struct ptog_cost_override wrong = {.name = "no-such-cost", .cycles = 1},
                              dear = {.name = "scalar-gm-load", .cycles = 5000};
    struct ptog_device_options options = {.costs = &wrong, .cost_count = 1};
    ptog_device *device;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), &options), PTOG_BAD_ARGUMENT);
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        options = (struct ptog_device_options){.costs = &dear, .cost_count = (size_t)i};
        struct kernel k = kernel_open("a2a3", &options);
        struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
        struct ptog_stats stats;
        ptog_core_preset(k.core, &op.idx, kernel_ids);
        ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
        kernel_finish(&k);
        ptog_device_stats(k.device, &stats);
        cycles[i] = stats.cycles;
        kernel_close(&k);
    }
    assert_true(cycles[1] > cycles[0] + 16 * 4000);
}

/* Runs an instruction with a log: each access is one that the table gives for its phase. */
static void check_effects(const struct ptog_known_insn *known, struct ptog_memory *memory)
{
    struct ptog_log log = {.gm_reads = true};
    struct ptog_dma_list dmas = {0};
    struct ptog_sim sim = {.known = known, .memory = memory, .log = &log, .dmas = &dmas};
    for (int phase = 0; phase < known->effects->phase_count; phase++)
        assert_int_equal(ptog_sim_phase(&sim, phase), PTOG_OK);
    assert_true(log.count > 0);
    for (size_t i = 0; i < log.count; i++) {
        const struct ptog_phase *phase = &known->effects->phases[log.accesses[i].phase];
        bool listed = false;
        for (int e = 0; e < phase->count; e++)
            listed |= phase->effects[e].operand == log.accesses[i].operand &&
                      phase->effects[e].writes == ptog_access_writes(&log.accesses[i]);
        assert_true(listed);
    }
    ptog_log_free(&log);
    free(dmas.of);
}

static struct ptog_tgather tgather_by(enum ptog_tgather_form by)
{
    return (struct ptog_tgather){.form = by,
                                 .pattern = PTOG_P0101,
                                 .dst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 32), 0),
                                 .src = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 32), 0x400),
                                 .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 32), 0x800),
                                 .k = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 1), 0xC00),
                                 .cdst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 1), 0xC20)};
}

/* Any instruction on tiles with every operand that it may have, tiles of one row 4 KiB apart. */
static struct ptog_insn insn_of(enum ptog_opcode opcode, enum ptog_dtype dtype)
{
    const struct ptog_insn_row *row = ptog_insn_row(opcode);
    struct ptog_insn insn;
    ptog_insn_start(&insn, opcode);
    for (int i = 0; i < row->count; i++) {
        struct ptog_tile tile = ptog_tile_at(ptog_tile_vec(dtype, 1, 32), 0x1000 * (uint64_t)i);
        if (row->of[i].kind == PTOG_IS_SCALAR || (row->of[i].scalar && i == 2))
            ptog_insn_set_scalar(&insn, i, dtype, 0);
        else
            ptog_insn_set_tile(&insn, i, &tile);
    }
    return insn;
}

/* MGATHER the other way round. */
static struct ptog_insn scatter_of(const struct ptog_mgather *m)
{
    struct ptog_insn insn;
    ptog_insn_mgather(&insn, m);
    insn.opcode = PTOG_MSCATTER;
    insn.attr[PTOG_MSCATTER_OOB] = PTOG_SCATTER_OOB_SKIP;
    return insn;
}

static struct ptog_insn mask_scatter(void)
{
    struct ptog_insn insn = insn_of(PTOG_TSCATTER, PTOG_I32);
    insn.of[2] = (struct ptog_operand){0};
    insn.attr[PTOG_TSCATTER_BY] = PTOG_BY_MASK;
    insn.attr[PTOG_TSCATTER_PATTERN] = PTOG_P1111;
    return insn;
}

/* The operands of the other forms are absent. */
static struct ptog_insn merge_of(enum ptog_form form)
{
    struct ptog_insn insn = insn_of(PTOG_TMRGSORT, PTOG_F32);
    int lists = form == PTOG_FORM_MERGE_RUNS ? 0 : (int)(form - PTOG_FORM_MERGE_2) + 2;
    for (int i = lists == 0 ? 3 : 1; i < 3; i++)
        insn.of[i] = (struct ptog_operand){0};
    for (int i = 3 + lists; i < 7 + (lists == 0); i++)
        insn.of[i] = (struct ptog_operand){0};
    return insn;
}

/* A product of 16x32 by 32x32 elements, a copy of its left matrix from L1, a load into L1, a store of the result; the
 * tiles do not overlap in one range of bytes. */
static struct ptog_insn cube_example(enum ptog_form form)
{
    struct ptog_tile acc = ptog_tile_at(ptog_tile_cube(PTOG_ACC, PTOG_F32, 16, 32), 0),
                     left = ptog_tile_at(ptog_tile_cube(PTOG_LEFT, PTOG_F16, 16, 32), 0x1000),
                     right = ptog_tile_at(ptog_tile_cube(PTOG_RIGHT, PTOG_F16, 32, 32), 0x2000),
                     mat = ptog_tile_at(ptog_tile_cube(PTOG_MAT, PTOG_F16, 16, 32), 0x3000),
                     scales = ptog_tile_at(ptog_tile_cube(PTOG_SCALING, PTOG_U64, 1, 32), 0x4000),
                     numbers = ptog_tile_at(ptog_tile_vec(PTOG_U64, 1, 32), 0x5000);
    struct ptog_transfer x = {.view = ptog_tensor_2d(PTOG_F16, 16, 32), .tile = mat};
    struct ptog_insn insn;
    numbers.loc = PTOG_MAT;
    if (form == PTOG_FORM_STORE_ACC)
        x = (struct ptog_transfer){.view = ptog_tensor_2d(PTOG_F32, 16, 32), .tile = acc, .store = true};
    if (form == PTOG_FORM_PRODUCT)
        ptog_insn_tiles(&insn, PTOG_TMATMUL, (struct ptog_tile[]){acc, left, right}, 3);
    else if (form == PTOG_FORM_TO_L0)
        ptog_insn_tiles(&insn, PTOG_TMOV, (struct ptog_tile[]){left, mat}, 2);
    else if (form == PTOG_FORM_FROM_ACC)
        ptog_insn_tiles(&insn, PTOG_TMOV, (struct ptog_tile[]){mat, acc}, 2);
    else if (form == PTOG_FORM_TO_SCALES)
        ptog_insn_tiles(&insn, PTOG_TMOV, (struct ptog_tile[]){scales, numbers}, 2);
    else
        ptog_insn_transfer(&insn, &x);
    return insn;
}

/* A gather of rows into L1, from the start of the one buffer there is, with its indices from there, too. */
static struct ptog_insn gather_l1(void)
{
    struct ptog_insn insn;
    struct ptog_tile mat = ptog_tile_at(ptog_tile_cube(PTOG_MAT, PTOG_F16, 16, 32), 0x3000);
    ptog_insn_start(&insn, PTOG_MGATHER);
    ptog_insn_set_tile(&insn, 0, &mat);
    insn.of[1] = (struct ptog_operand){.kind = PTOG_IS_VIEW, .view = ptog_tensor_2d(PTOG_F16, 16, 32)};
    insn.of[3] = (struct ptog_operand){.kind = PTOG_IS_VIEW, .offset = 1024, .view = ptog_tensor_2d(PTOG_I32, 1, 16)};
    return insn;
}

/* An instruction of each form. */
static struct ptog_insn example_of(enum ptog_form form)
{
    struct ptog_insn insn;
    struct ptog_mgather m = form == PTOG_FORM_ELEM || form == PTOG_FORM_SCATTER_ELEM ? gather_elems(PTOG_OOB_ZERO)
                                                                                     : gather_rows(PTOG_OOB_ZERO);
    struct ptog_transfer x = load_ids();
    struct ptog_tgather t = tgather_by(PTOG_BY_COMPARE);
    if (form == PTOG_FORM_INDEX || form == PTOG_FORM_MASK)
        t = tgather_by(form == PTOG_FORM_INDEX ? PTOG_BY_INDEX : PTOG_BY_MASK);
    x.store = form == PTOG_FORM_STORE;
    switch (form) {
    case PTOG_FORM_LOAD:
    case PTOG_FORM_STORE: ptog_insn_transfer(&insn, &x); break;
    case PTOG_FORM_PREFETCH:
        ptog_insn_transfer(&insn, &x);
        insn.opcode = PTOG_TPREFETCH;
        break;
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM: ptog_insn_mgather(&insn, &m); break;
    case PTOG_FORM_SCATTER_ROW:
    case PTOG_FORM_SCATTER_ELEM: return scatter_of(&m);
    case PTOG_FORM_SORT_32: return insn_of(PTOG_TSORT32, PTOG_F32);
    case PTOG_FORM_SCATTER_INDEX: return insn_of(PTOG_TSCATTER, PTOG_I32);
    case PTOG_FORM_SCATTER_MASK: return mask_scatter();
    case PTOG_FORM_GATHER_BLOCKS: return insn_of(PTOG_TGATHERB, PTOG_U32);
    case PTOG_FORM_COMBINE: return insn_of(PTOG_TADDC, PTOG_F32);
    case PTOG_FORM_HISTOGRAM: return insn_of(PTOG_THISTOGRAM, PTOG_U16);
    case PTOG_FORM_MERGE_RUNS:
    case PTOG_FORM_MERGE_2:
    case PTOG_FORM_MERGE_3:
    case PTOG_FORM_MERGE_4: return merge_of(form);
    case PTOG_FORM_PAIRWISE: ptog_insn_tiles(&insn, PTOG_TADD, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3); break;
    case PTOG_FORM_PARTIAL: ptog_insn_tiles(&insn, PTOG_TPARTADD, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3); break;
    case PTOG_FORM_FROM_COLUMN: ptog_insn_tiles(&insn, PTOG_TROWEXPAND, (struct ptog_tile[]){t.dst, t.src}, 2); break;
    case PTOG_FORM_FROM_ROW: ptog_insn_tiles(&insn, PTOG_TCOLEXPAND, (struct ptog_tile[]){t.dst, t.src}, 2); break;
    case PTOG_FORM_BY_COLUMN:
        ptog_insn_tiles(&insn, PTOG_TROWEXPANDADD, (struct ptog_tile[]){t.dst, t.src, t.idx, t.idx}, 4);
        insn.of[2].tile = ptog_tile_at(ptog_tile_vec(t.dst.dtype, t.dst.rows, 1), t.idx.addr);
        insn.of[2].tile.blayout = PTOG_COL_MAJOR;
        insn.of[3].tile.addr = 0x2000;
        break;
    case PTOG_FORM_BY_ROW:
        ptog_insn_tiles(&insn, PTOG_TCOLEXPANDADD, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3);
        break;
    case PTOG_FORM_TO_MASK: ptog_insn_tiles(&insn, PTOG_TCMP, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3); break;
    case PTOG_FORM_TO_MASK_BY_SCALAR:
        ptog_insn_tiles(&insn, PTOG_TCMPS, (struct ptog_tile[]){t.dst, t.src}, 2);
        ptog_insn_set_scalar(&insn, 2, PTOG_I32, 7);
        break;
    case PTOG_FORM_SELECT:
        ptog_insn_tiles(&insn, PTOG_TSEL, (struct ptog_tile[]){t.dst, t.idx, t.src, t.src, t.idx}, 5);
        insn.of[4].tile.addr = 0x2000;
        break;
    case PTOG_FORM_SELECT_SCALAR:
        ptog_insn_tiles(&insn, PTOG_TSELS, (struct ptog_tile[]){t.dst, t.idx, t.src, t.idx}, 4);
        insn.of[3].tile.addr = 0x2000;
        ptog_insn_set_scalar(&insn, 4, PTOG_I32, 7);
        break;
    case PTOG_FORM_ROW_REDUCE:
        ptog_insn_tiles(&insn, PTOG_TROWSUM, (struct ptog_tile[]){t.cdst, t.src, t.idx}, 3);
        break;
    case PTOG_FORM_ROW_ARG:
        ptog_insn_tiles(&insn, PTOG_TROWARGMAX, (struct ptog_tile[]){t.cdst, t.src, t.idx}, 3);
        break;
    case PTOG_FORM_ROW_ARG_VALUE: return insn_of(PTOG_TROWARGMIN, PTOG_I32);
    case PTOG_FORM_COL_ARG_VALUE: return insn_of(PTOG_TCOLARGMIN, PTOG_I32);
    case PTOG_FORM_COL_ARG:
        ptog_insn_tiles(&insn, PTOG_TCOLARGMIN, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3);
        break;
    case PTOG_FORM_COL_REDUCE:
        ptog_insn_tiles(&insn, PTOG_TCOLSUM, (struct ptog_tile[]){t.dst, t.src, t.idx}, 3);
        break;
    case PTOG_FORM_GENERATE:
        ptog_insn_tiles(&insn, PTOG_TCI, &t.dst, 1);
        ptog_insn_set_scalar(&insn, 1, PTOG_I32, 7);
        break;
    case PTOG_FORM_CONVERT: ptog_insn_tiles(&insn, PTOG_TCVT, (struct ptog_tile[]){t.dst, t.src}, 2); break;
    case PTOG_FORM_UNARY: ptog_insn_tiles(&insn, PTOG_TABS, (struct ptog_tile[]){t.dst, t.src}, 2); break;
    case PTOG_FORM_BY_SCALAR:
        ptog_insn_tiles(&insn, PTOG_TADDS, (struct ptog_tile[]){t.dst, t.src}, 2);
        ptog_insn_set_scalar(&insn, 2, PTOG_I32, 7);
        break;
    case PTOG_FORM_FILL:
        ptog_insn_tiles(&insn, PTOG_TEXPANDS, &t.dst, 1);
        ptog_insn_set_scalar(&insn, 1, PTOG_I32, 7);
        break;
    case PTOG_FORM_COPY: return insn_of(PTOG_TMOV, PTOG_I32);
    case PTOG_FORM_WINDOW: return insn_of(PTOG_TEXTRACT, PTOG_I32);
    case PTOG_FORM_PAD: return insn_of(PTOG_TFILLPAD, PTOG_U8);
    case PTOG_FORM_TRANSPOSE: return insn_of(PTOG_TTRANS, PTOG_I32);
    case PTOG_FORM_JOIN: return insn_of(PTOG_TCONCAT, PTOG_I32);
    case PTOG_FORM_JOIN_COUNTED: return insn_of(PTOG_TCONCATIDX, PTOG_I32);
    case PTOG_FORM_SINGLE: return insn_of(PTOG_TSETVAL, PTOG_I32);
    case PTOG_FORM_GATHER_L1: return gather_l1();
    case PTOG_FORM_LOAD_L1:
    case PTOG_FORM_STORE_ACC:
    case PTOG_FORM_TO_L0:
    case PTOG_FORM_TO_SCALES:
    case PTOG_FORM_FROM_ACC:
    case PTOG_FORM_PRODUCT: return cube_example(form);
    default: ptog_insn_tgather(&insn, &t); break;
    }
    return insn;
}

static void effects_are_what_happens(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    static float data[4096];
    (void)state;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        const struct ptog_target *target = ptog_target_find(targets[t]);
        struct ptog_global gm = {0};
        struct ptog_memory memory, timed;
        assert_int_equal(ptog_global_add(&gm, "gm", data, sizeof data, false), 0);
        assert_true(ptog_memories_open(&memory, &timed, target->ub_bytes, &gm));
        ptog_ub_touch(&memory, 0, memory.ub_bytes);
        memset(memory.ub, 0, 65536);
        for (int form = 0; form < PTOG_FORMS; form++)
            for (int zero = 0; zero < 2; zero++) {
                struct ptog_known_insn known;
                struct ptog_insn insn = example_of((enum ptog_form)form);
                uint32_t far = zero ? 1u << 30 : 0; /* some rows are out of range */
                memcpy(memory.ub + 0x8000, &far, 4);
                ptog_known_start(&known, target, &insn, NULL);
                assert_int_equal(known.form, form);
                known.effects = ptog_effects_of(&known, &insn);
                assert_non_null(known.effects);
                check_effects(&known, &memory);
            }
        ptog_memories_close(&memory, &timed);
        ptog_global_close(&gm);
    }
}

static void effects_of_every_instruction(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    static const enum ptog_dtype dtypes[] = {PTOG_I32, PTOG_F32};
    struct ptog_global gm = {0};
    struct ptog_memory memory, timed;
    (void)state;
    assert_true(ptog_memories_open(&memory, &timed, 196608, &gm));
    ptog_ub_touch(&memory, 0, memory.ub_bytes);
    memset(memory.ub, 0, 65536);
    for (int opcode = 1; opcode < PTOG_OPCODES; opcode++)
        for (size_t i = 0; i < 2 * COUNT_OF(targets); i++) {
            struct ptog_known_insn known;
            enum ptog_family family = ptog_insn_row((enum ptog_opcode)opcode)->family;
            if (family == PTOG_FAMILY_TRANSFER || family == PTOG_FAMILY_MGATHER || family == PTOG_FAMILY_MSCATTER ||
                family == PTOG_FAMILY_TGATHER || family == PTOG_FAMILY_MASKS)
                continue;
            struct ptog_insn insn = insn_of((enum ptog_opcode)opcode, dtypes[i / 2]);
            ptog_known_start(&known, ptog_target_find(targets[i % 2]), &insn, NULL);
            known.effects = ptog_effects_of(&known, &insn);
            check_effects(&known, &memory);
        }
    ptog_memories_close(&memory, &timed);
    ptog_global_close(&gm);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(ptog_pipe_name(PTOG_MTE2), "MTE2");
    assert_string_equal(ptog_pipe_name(PTOG_ALL), "ALL");
    assert_string_equal(ptog_pipe_name((enum ptog_pipe)99), "?");
}

/* Who sits where: by address, with first and last use. */
static void map_of_ub(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_transfer load = load_ids();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_ub_entry entry;
    (void)state;
    ptog_core_load(AT(&k, 1), &load, k.ids, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
    ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL);
    kernel_finish(&k);
    assert_true(ptog_device_ub_at(k.device, 0, &entry));
    assert_true(entry.addr == 0 && entry.bytes == 2048 && entry.uses == 1);
    assert_string_equal(entry.operand, "dst");
    assert_true(ptog_device_ub_at(k.device, 1, &entry));
    assert_true(entry.addr == 0x8000 && entry.first.line == 1 && entry.last.line == 3 && entry.uses == 2);
    assert_false(ptog_device_ub_at(k.device, 2, &entry));
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_words),
        cmocka_unit_test(no_fault_is_missing),
        cmocka_unit_test(costs_have_sources),
        cmocka_unit_test(costs_are_numbers),
        cmocka_unit_test(costs_are_of_targets),
        cmocka_unit_test(effects_are_what_happens),
        cmocka_unit_test(effects_of_every_instruction),
        cmocka_unit_test(names),
        cmocka_unit_test(map_of_ub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
