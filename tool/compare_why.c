/* tool: why two targets differ. Each gather of the program is run on both with the same operands. Where the bytes
 * differ, the properties of the targets are exchanged one at a time: the one whose exchange makes the difference vanish
 * is its cause. Nothing is guessed from names. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

void compare_add_erratum(struct compare_why *why, const char *id)
{
    for (int i = 0; i < why->errata_count; i++)
        if (strcmp(why->errata[i], id) == 0)
            return;
    if (why->errata_count < COMPARE_MOST_ERRATA)
        why->errata[why->errata_count++] = id;
}

/* "1e+01" is the shortest text of 10, and not the one that people expect. */
static void without_exponent(char text[COMPARE_VALUE])
{
    double value = strchr(text, 'e') ? strtod(text, NULL) : 0;
    double size = value < 0 ? -value : value;
    if (size >= 1 && size < 1e9)
        snprintf(text, COMPARE_VALUE, "%.9g", value);
}

/* What cannot be read is 0xAA in every byte. */
void compare_put_value(char text[COMPARE_VALUE], enum ptog_dtype dtype, const void *bits)
{
    const unsigned char *bytes = bits;
    size_t size = ptog_dtype_size(dtype), used = 2;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0xAA) {
            ptog_dtype_format(text, COMPARE_VALUE, dtype, bits);
            without_exponent(text);
            return;
        }
    snprintf(text, COMPARE_VALUE, "0x");
    for (size_t i = 0; i < size; i++, used += 2)
        snprintf(text + used, COMPARE_VALUE - used, "AA");
}

/* ---- one gather on one target ---- */

struct lanes {
    unsigned char *dst, *cdst;
    enum ptog_status status;
    struct ptog_fault fault;
};

struct probe {
    const struct ptog_target *of[2]; /* the baseline, the other */
    struct compare_why *why;
    bool no_memory;
};

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static void free_lanes(struct lanes *lanes)
{
    free(lanes->dst);
    free(lanes->cdst);
}

/* False when out of memory. The destinations are copies; the obvious loop runs. */
static bool run_on(const struct ptog_target *target, const struct ptog_gather_seen *seen, struct lanes *lanes)
{
    ptog_plan *plan = NULL;
    struct ptog_run run = *seen->run;
    *lanes = (struct lanes){copy_of(run.dst.data, run.dst.bytes), copy_of(run.cdst.data, run.cdst.bytes), PTOG_OK, {0}};
    if (!lanes->dst || !lanes->cdst) {
        free_lanes(lanes);
        return false;
    }
    run.dst.data = lanes->dst;
    run.cdst.data = run.cdst.data ? lanes->cdst : NULL;
    run.reference = true;
    lanes->status = seen->mgather ? ptog_plan_mgather(&plan, target, seen->mgather, NULL)
                                  : ptog_plan_tgather(&plan, target, seen->tgather, NULL);
    if (lanes->status == PTOG_OK)
        lanes->status = ptog_plan_run(plan, &run, &lanes->fault);
    ptog_plan_free(plan);
    return true;
}

static bool ran(const struct lanes *lanes)
{
    return lanes->status == PTOG_OK || lanes->status == PTOG_FAULT;
}

static bool is_same(const struct lanes *a, const struct lanes *b, const struct ptog_run *run)
{
    return memcmp(a->dst, b->dst, run->dst.bytes) == 0 && memcmp(a->cdst, b->cdst, run->cdst.bytes) == 0;
}

/* ---- the first lane that differs ---- */

struct lane {
    bool cdst, padding;
    int64_t row, col;
    size_t at, size; /* in the tile's storage */
    enum ptog_dtype dtype;
};

static const struct ptog_tile *tile_of(const struct ptog_gather_seen *seen, bool cdst)
{
    if (seen->mgather)
        return &seen->mgather->dst;
    return cdst ? &seen->tgather->cdst : &seen->tgather->dst;
}

static bool differs(const struct lanes *a, const struct lanes *b, const struct lane *lane)
{
    const unsigned char *x = lane->cdst ? a->cdst : a->dst, *y = lane->cdst ? b->cdst : b->dst;
    return memcmp(x + lane->at, y + lane->at, lane->size) != 0;
}

static bool lane_in(const struct lanes *a, const struct lanes *b, const struct ptog_tile *tile, size_t bytes,
                    bool padding, struct lane *lane)
{
    int64_t rows = padding || tile->valid_row < 1 ? tile->rows : tile->valid_row;
    int64_t cols = padding || tile->valid_col < 1 ? tile->cols : tile->valid_col;
    lane->size = ptog_dtype_size(tile->dtype);
    lane->dtype = tile->dtype;
    lane->padding = padding;
    for (lane->row = 0; lane->row < rows; lane->row++)
        for (lane->col = 0; lane->col < cols; lane->col++) {
            lane->at = (size_t)ptog_tile_offset(tile, lane->row, lane->col) * lane->size;
            if (lane->at + lane->size <= bytes && differs(a, b, lane))
                return true;
        }
    return false;
}

/* The counts of a comparison say more than its positions; padding comes last. */
static bool first_lane(const struct lanes *a, const struct lanes *b, const struct ptog_gather_seen *seen,
                       struct lane *lane)
{
    for (int padding = 0; padding < 2; padding++) {
        *lane = (struct lane){.cdst = false};
        if (lane_in(a, b, tile_of(seen, false), seen->run->dst.bytes, padding, lane))
            return true;
        *lane = (struct lane){.cdst = true};
        if (seen->tgather && seen->tgather->form == PTOG_BY_COMPARE &&
            lane_in(a, b, tile_of(seen, true), seen->run->cdst.bytes, padding, lane))
            return true;
    }
    return false;
}

/* ---- its index ---- */

/* Where in the storage of the index tile the target finds the index of a lane; -1: it uses none. */
static int64_t index_place(const struct ptog_target *target, const struct ptog_gather_seen *seen,
                           const struct lane *lane)
{
    const struct ptog_mgather *m = seen->mgather;
    if (!m)
        return seen->tgather->form == PTOG_BY_INDEX ? ptog_tile_offset(&seen->tgather->idx, lane->row, lane->col) : -1;
    if (!target->policies)
        return lane->row * m->idx.cols + lane->col;
    if (ptog_mgather_mode(target, m) == PTOG_ELEM)
        return ptog_tile_offset(&m->idx, lane->row, lane->col);
    if (m->idx.valid_row == 1 && !target->writes_padded)
        return ptog_tile_offset(&m->idx, 0, lane->row);
    return ptog_tile_offset(&m->idx, lane->row, 0);
}

static bool is_signed(enum ptog_dtype dtype)
{
    return dtype == PTOG_I8 || dtype == PTOG_I16 || dtype == PTOG_I32 || dtype == PTOG_I64;
}

/* The index as text; false: there is none. */
static bool index_of(const struct ptog_target *target, const struct ptog_gather_seen *seen, const struct lane *lane,
                     char text[COMPARE_VALUE], bool *negative)
{
    const struct ptog_tile *idx = seen->mgather ? &seen->mgather->idx : &seen->tgather->idx;
    int64_t place = index_place(target, seen, lane);
    size_t size = ptog_dtype_size(idx->dtype), at = (size_t)place * size;
    const unsigned char *bytes = seen->run->idx.data;
    *negative = false;
    snprintf(text, COMPARE_VALUE, "none");
    if (place < 0)
        return false;
    if (at + size > seen->run->idx.bytes || place >= idx->rows * idx->cols)
        return true;
    ptog_dtype_format(text, COMPARE_VALUE, idx->dtype, bytes + at);
    *negative = is_signed(idx->dtype) && text[0] == '-';
    return true;
}

/* ---- the cause ---- */

struct case_of {
    const struct ptog_target *const *of;
    const struct ptog_gather_seen *seen;
    const struct lanes *lanes; /* on both */
    const struct lane *lane;
    bool negative, no_index; /* the index of the lane, on one of them */
    struct compare_why *why;
};

static void cause_mode(const struct case_of *c)
{
    bool cpu = c->of[0]->mode_from == PTOG_MODE_ALWAYS_ELEM || c->of[1]->mode_from == PTOG_MODE_ALWAYS_ELEM;
    compare_add_erratum(c->why, cpu ? "E7" : "E8");
    if (cpu && c->no_index)
        compare_add_erratum(c->why, "E10");
}

static void cause_policies(const struct case_of *c)
{
    if (c->negative) {
        compare_add_erratum(c->why, "E1");
        compare_add_erratum(c->why, "E2");
    } else {
        compare_add_erratum(c->why, c->no_index ? "E10" : "E7");
    }
}

static void cause_rows(const struct case_of *c)
{
    compare_add_erratum(c->why, "E12");
}

static void cause_elems(const struct case_of *c)
{
    compare_add_erratum(c->why, "E17");
}

static void cause_pitch(const struct case_of *c)
{
    compare_add_erratum(c->why, "E13");
}

static void cause_product(const struct case_of *c)
{
    compare_add_erratum(c->why, "E16");
}

static void cause_padded(const struct case_of *c)
{
    compare_add_erratum(c->why, c->lane->padding ? "E26" : "E58");
}

static void cause_tile_oob(const struct case_of *c)
{
    bool narrow = ptog_dtype_size(c->seen->tgather->idx.dtype) == 2;
    compare_add_erratum(c->why, narrow && c->negative ? "E4" : "E5");
}

/* The column that a stored position stands for, on a target. */
static int64_t column_of(const struct case_of *c, int side)
{
    const struct ptog_tgather *t = c->seen->tgather;
    int64_t pitch = c->of[side]->compare_a5 ? (t->src.valid_col + 63) / 64 * 64 : t->src.cols;
    uint32_t stored;
    memcpy(&stored, c->lanes[side].dst + c->lane->at, sizeof stored);
    return (int64_t)(uint32_t)(stored - (uint32_t)t->offset) - c->lane->row * pitch;
}

/* Other positions of the same columns, or other columns. */
static void cause_compare(const struct case_of *c)
{
    bool same = !c->lane->cdst && c->lane->size == 4 && column_of(c, 0) == column_of(c, 1);
    compare_add_erratum(c->why, same ? "E38" : "E39");
}

static void cause_mask(const struct case_of *c)
{
    compare_add_erratum(c->why, "E35");
}

/* What the targets differ in, and what a difference in it means. */
#define PROPERTY(field) offsetof(struct ptog_target, field), sizeof(((struct ptog_target *)0)->field)
static const struct {
    size_t offset, size;
    const char *what;
    void (*cause)(const struct case_of *c);
    bool lifts; /* may be exchanged although a rule then refuses: it moves no bound */
} properties[] = {
    {PROPERTY(row_pitch), "where the next row is", cause_pitch, false},
    {PROPERTY(row_count), "the capacity of Row", cause_rows, false},
    {PROPERTY(elem_count), "the capacity of Elem", cause_elems, false},
    {PROPERTY(product_32), "the width of offsets", cause_product, false},
    {PROPERTY(policies), "whether an index is checked", cause_policies, true},
    {PROPERTY(mode_from), "how the mode is chosen", cause_mode, true},
    {PROPERTY(writes_padded), "whether padding is walked", cause_padded, true},
    {PROPERTY(tile_oob), "what an index outside the source tile reads", cause_tile_oob, true},
    {PROPERTY(compare_a5), "how a comparison compares and counts", cause_compare, true},
    {PROPERTY(mask_8_by_row), "where a mask puts 8-byte rows", cause_mask, true},
};
#define PROPERTIES (sizeof properties / sizeof properties[0])

/* `side` with a property of the other: 2 when all bytes become the other's, 1 when the lane does, 0, or -1: no memory.
 */
static int explains(const struct case_of *c, size_t property, int side)
{
    struct ptog_target mixed = *c->of[side];
    size_t offset = properties[property].offset, size = properties[property].size;
    const struct lanes *wanted = &c->lanes[1 - side];
    struct lanes got;
    memcpy((char *)&mixed + offset, (const char *)c->of[1 - side] + offset, size);
    if (!run_on(&mixed, c->seen, &got))
        return -1;
    if (got.status == PTOG_ILLEGAL && properties[property].lifts) {
        free_lanes(&got);
        mixed.bit = 0; /* no rule holds on it */
        if (!run_on(&mixed, c->seen, &got))
            return -1;
    }
    int result = !ran(&got) ? 0 : is_same(&got, wanted, c->seen->run) ? 2 : !differs(&got, wanted, c->lane);
    free_lanes(&got);
    return result;
}

static bool find_cause(const struct case_of *c)
{
    int best = 0;
    size_t found = 0;
    for (size_t i = 0; i < PROPERTIES; i++) {
        const char *a = (const char *)c->of[0] + properties[i].offset,
                   *b = (const char *)c->of[1] + properties[i].offset;
        for (int side = 0; side < 2 && memcmp(a, b, properties[i].size) != 0; side++) {
            int result = explains(c, i, side);
            if (result < 0)
                return false;
            if (result > best) {
                best = result;
                found = i;
            }
        }
    }
    if (best > 0) {
        c->why->because = properties[found].what;
        c->why->proved = best == 2;
        properties[found].cause(c);
    }
    return true;
}

/* ---- every gather ---- */

static void note_place(struct compare_why *why, const struct ptog_gather_seen *seen)
{
    why->found = true;
    why->instruction = seen->name;
    why->line = seen->line;
    why->column = seen->column;
}

static bool explain_lane(struct probe *probe, const struct ptog_gather_seen *seen, const struct lanes lanes[2])
{
    struct compare_why *why = probe->why;
    struct lane lane;
    if (!first_lane(&lanes[0], &lanes[1], seen, &lane))
        return true;
    struct case_of c = {.of = probe->of, .seen = seen, .lanes = lanes, .lane = &lane, .why = why};
    note_place(why, seen);
    why->operand = lane.cdst ? "cdst" : "dst";
    why->row = lane.row;
    why->col = lane.col;
    why->padding = lane.padding;
    why->has_values = true;
    for (int side = 0; side < 2; side++) {
        bool negative;
        const unsigned char *bytes = (lane.cdst ? lanes[side].cdst : lanes[side].dst) + lane.at;
        compare_put_value(why->value[side], lane.dtype, bytes);
        why->has_index = index_of(probe->of[side], seen, &lane, why->index[side], &negative) && !lane.cdst;
        c.negative = c.negative || negative;
        c.no_index = c.no_index || (why->has_index && strcmp(why->index[side], "none") == 0);
        why->capacity[side] = lanes[side].fault.capacity;
    }
    return find_cause(&c);
}

/* What only the machine does: its transfers move bytes, not elements. */
static void machine_only(struct probe *probe, const struct ptog_gather_seen *seen, const struct lanes lanes[2])
{
    const struct ptog_mgather *m = seen->mgather;
    bool row_dma = false;
    for (int side = 0; side < 2; side++)
        row_dma = row_dma || (probe->of[side]->ub_bytes > 0 && probe->of[side]->row_pitch == PTOG_PITCH_STRIDE_3);
    if (!m || !row_dma || probe->why->instruction || m->coalesce != PTOG_ROW)
        return;
    bool steps = m->table.layout == PTOG_NZ && m->table.stride[4] != 1;
    bool ends = seen->run->src.bytes % ptog_dtype_size(m->table.dtype) != 0 &&
                lanes[0].fault.of[PTOG_FAULT_GM_OUT_OF_BOUNDS].count > 0;
    if (!steps && !ends)
        return;
    note_place(probe->why, seen);
    probe->why->found = false; /* a gather that differs in meaning explains more */
    probe->why->because = "that a transfer moves bytes, not elements";
    compare_add_erratum(probe->why, steps ? "E67" : "E68");
}

/* Only the hardware that uses a scratch tile writes it. */
static void scratch(struct probe *probe, const struct ptog_gather_seen *seen)
{
    const struct ptog_tgather *t = seen->tgather;
    if (!t || t->form != PTOG_BY_INDEX || t->tmp.dtype == PTOG_DTYPE_NONE || probe->why->instruction ||
        probe->of[0]->walks_tmp == probe->of[1]->walks_tmp)
        return;
    note_place(probe->why, seen);
    probe->why->found = false;
    probe->why->scratch = true;
    probe->why->because = "that one of them uses the scratch tile";
    compare_add_erratum(probe->why, "E32");
}

static void look(void *user, const struct ptog_gather_seen *seen)
{
    struct probe *probe = user;
    struct lanes lanes[2];
    if (probe->why->found || probe->no_memory)
        return;
    if (!run_on(probe->of[0], seen, &lanes[0])) {
        probe->no_memory = true;
        return;
    }
    if (!run_on(probe->of[1], seen, &lanes[1])) {
        free_lanes(&lanes[0]);
        probe->no_memory = true;
        return;
    }
    if (ran(&lanes[0]) && ran(&lanes[1])) {
        machine_only(probe, seen, lanes);
        scratch(probe, seen);
        if (!is_same(&lanes[0], &lanes[1], seen->run)) {
            struct compare_why machine = *probe->why;
            *probe->why = (struct compare_why){0};
            if (!explain_lane(probe, seen, lanes))
                probe->no_memory = true;
            if (!probe->why->found)
                *probe->why = machine;
        }
    }
    free_lanes(&lanes[0]);
    free_lanes(&lanes[1]);
}

bool compare_find_why(const ptog_program *program, const struct ptog_execution *execution,
                      const struct ptog_target *baseline, const struct ptog_target *other, struct compare_why *why)
{
    struct probe probe = {.of = {baseline, other}, .why = why};
    struct ptog_gather_watch watch = {.gathers = look, .user = &probe};
    struct ptog_execution meaning = *execution;
    ptog_diags *diags = ptog_diags_new();
    *why = (struct compare_why){0};
    meaning.target = baseline->ub_bytes == 0 && other->ub_bytes > 0 ? other : baseline; /* one that has a UB to read */
    meaning.watch = &watch;
    enum ptog_status status = diags ? ptog_program_run(program, &meaning, diags, NULL) : PTOG_NO_MEMORY;
    ptog_diags_free(diags);
    return status != PTOG_NO_MEMORY && !probe.no_memory;
}
