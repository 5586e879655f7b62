/* tool: why two targets differ. Each gather of the program is run on both with the same operands, and the first lane
 * that differs is looked at. */
#include "compare_why.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

void compare_add_erratum(struct compare_why *why, const char *id)
{
    for (int i = 0; i < why->errata_count; i++)
        if (strcmp(why->errata[i], id) == 0)
            return;
    if (why->errata_count < COMPARE_MAX_ERRATA)
        why->errata[why->errata_count++] = id;
}

void compare_keep_author(struct compare_why *why, const struct ptog_where *origin)
{
    if (!origin)
        return;
    why->author.line = origin->line;
    why->author.column = origin->column;
    snprintf(why->author.file, sizeof why->author.file, "%s", origin->file);
}

/* "1e+01" is the shortest text of 10, and not the one that people expect. */
static void without_exponent(char text[COMPARE_VALUE])
{
    double value = strchr(text, 'e') ? strtod(text, NULL) : 0;
    double size = value < 0 ? -value : value;
    if (size >= 1 && size < 1e9)
        snprintf(text, COMPARE_VALUE, "%.9g", value);
}

/* Writes a value as text; one that cannot be read is 0xAA in every byte. */
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

struct probe {
    const struct ptog_target *of[2]; /* the baseline, the other */
    struct compare_why *why;
    bool no_memory;
};

static void *copy_bytes(const void *bytes, size_t size)
{
    void *copy = malloc(tool_max(size, 1));
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

void compare_free_lanes(struct compare_lanes *lanes)
{
    free(lanes->dst);
    free(lanes->cdst);
}

bool compare_run_on(const struct ptog_target *target, const struct ptog_gather_seen *seen, struct compare_lanes *lanes)
{
    ptog_plan *plan = NULL;
    struct ptog_run run = *seen->run;
    *lanes = (struct compare_lanes){
        copy_bytes(run.dst.data, run.dst.bytes), copy_bytes(run.cdst.data, run.cdst.bytes), PTOG_OK, {0}};
    if (!lanes->dst || !lanes->cdst) {
        compare_free_lanes(lanes);
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

bool compare_ran(const struct compare_lanes *lanes)
{
    return lanes->status == PTOG_OK || lanes->status == PTOG_FAULT;
}

bool compare_is_same(const struct compare_lanes *a, const struct compare_lanes *b, const struct ptog_run *run)
{
    return memcmp(a->dst, b->dst, run->dst.bytes) == 0 && memcmp(a->cdst, b->cdst, run->cdst.bytes) == 0;
}

/* ---- the first lane that differs ---- */

static const struct ptog_tile *tile_of(const struct ptog_gather_seen *seen, bool cdst)
{
    if (seen->mgather)
        return &seen->mgather->dst;
    if (cdst)
        return &seen->tgather->cdst;
    return &seen->tgather->dst;
}

static const unsigned char *bytes_at(const struct compare_lanes *lanes, const struct compare_lane *lane)
{
    if (lane->cdst)
        return lanes->cdst + lane->at;
    return lanes->dst + lane->at;
}

bool compare_differs(const struct compare_lanes *a, const struct compare_lanes *b, const struct compare_lane *lane)
{
    return memcmp(bytes_at(a, lane), bytes_at(b, lane), lane->size) != 0;
}

/* Finds the first lane in which two results differ, padding only if asked for; false when there is none. */
static bool lane_in(const struct compare_lanes *a, const struct compare_lanes *b, const struct ptog_tile *tile,
                    size_t bytes, bool padding, struct compare_lane *lane)
{
    int64_t rows = padding || tile->valid_row < 1 ? tile->rows : tile->valid_row;
    int64_t cols = padding || tile->valid_col < 1 ? tile->cols : tile->valid_col;
    lane->size = ptog_dtype_size(tile->dtype);
    lane->dtype = tile->dtype;
    lane->padding = padding;
    for (lane->row = 0; lane->row < rows; lane->row++)
        for (lane->col = 0; lane->col < cols; lane->col++) {
            lane->at = (size_t)ptog_tile_offset(tile, lane->row, lane->col) * lane->size;
            if (lane->at + lane->size <= bytes && compare_differs(a, b, lane))
                return true;
        }
    return false;
}

/* The counts of a comparison say more than its positions; padding comes last. */
static bool first_lane(const struct compare_lanes *a, const struct compare_lanes *b,
                       const struct ptog_gather_seen *seen, struct compare_lane *lane)
{
    for (int padding = 0; padding < 2; padding++) {
        *lane = (struct compare_lane){.cdst = false};
        if (lane_in(a, b, tile_of(seen, false), seen->run->dst.bytes, padding, lane))
            return true;
        *lane = (struct compare_lane){.cdst = true};
        if (seen->tgather && seen->tgather->form == PTOG_BY_COMPARE &&
            lane_in(a, b, tile_of(seen, true), seen->run->cdst.bytes, padding, lane))
            return true;
    }
    return false;
}

/* ---- its index ---- */

/* Where in the storage of the index tile the target finds the index of a lane; -1: it uses none. */
static int64_t index_place(const struct ptog_target *target, const struct ptog_gather_seen *seen,
                           const struct compare_lane *lane)
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
static bool index_of(const struct ptog_target *target, const struct ptog_gather_seen *seen,
                     const struct compare_lane *lane, char text[COMPARE_VALUE], bool *negative)
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

/* ---- every gather ---- */

/* Notes at which gather two targets differ. */
static void note_place(struct compare_why *why, const struct ptog_gather_seen *seen)
{
    why->found = true;
    why->instruction = seen->name;
    why->line = seen->line;
    why->column = seen->column;
    compare_keep_author(why, seen->origin);
}

/* Finds why the first lane that differs does; false when nothing explains it. */
static bool explain_lane(struct probe *probe, const struct ptog_gather_seen *seen, const struct compare_lanes lanes[2])
{
    struct compare_why *why = probe->why;
    struct compare_lane lane;
    if (!first_lane(&lanes[0], &lanes[1], seen, &lane))
        return true;
    struct compare_case c = {.of = probe->of, .seen = seen, .lanes = lanes, .lane = &lane, .why = why};
    note_place(why, seen);
    why->operand = lane.cdst ? "cdst" : "dst";
    why->row = lane.row;
    why->col = lane.col;
    why->padding = lane.padding;
    why->has_values = true;
    for (int side = 0; side < 2; side++) {
        bool negative;
        const unsigned char *bytes = bytes_at(&lanes[side], &lane);
        compare_put_value(why->value[side], lane.dtype, bytes);
        why->has_index = index_of(probe->of[side], seen, &lane, why->index[side], &negative) && !lane.cdst;
        c.negative = c.negative || negative;
        c.no_index = c.no_index || (why->has_index && strcmp(why->index[side], "none") == 0);
        why->capacity[side] = lanes[side].fault.capacity;
    }
    return compare_find_cause(&c);
}

/* What only the machine does: its transfers move bytes, not elements. */
static void machine_only(struct probe *probe, const struct ptog_gather_seen *seen, const struct compare_lanes lanes[2])
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
    probe->why->because = "that only one of them uses the scratch tile";
    compare_add_erratum(probe->why, "E32");
}

/* One gather of the run: whether the targets differ there, and why. */
static void look_at_gather(void *user, const struct ptog_gather_seen *seen)
{
    struct probe *probe = user;
    struct compare_lanes lanes[2];
    if (probe->why->found || probe->no_memory)
        return;
    if (!compare_run_on(probe->of[0], seen, &lanes[0])) {
        probe->no_memory = true;
        return;
    }
    if (!compare_run_on(probe->of[1], seen, &lanes[1])) {
        compare_free_lanes(&lanes[0]);
        probe->no_memory = true;
        return;
    }
    if (compare_ran(&lanes[0]) && compare_ran(&lanes[1])) {
        machine_only(probe, seen, lanes);
        scratch(probe, seen);
        if (!compare_is_same(&lanes[0], &lanes[1], seen->run)) {
            struct compare_why machine = *probe->why;
            *probe->why = (struct compare_why){0};
            if (!explain_lane(probe, seen, lanes))
                probe->no_memory = true;
            if (!probe->why->found)
                *probe->why = machine;
        }
    }
    compare_free_lanes(&lanes[0]);
    compare_free_lanes(&lanes[1]);
}

bool compare_find_why(const ptog_program *program, const struct ptog_execution *execution,
                      const struct ptog_target *baseline, const struct ptog_target *other, struct compare_why *why)
{
    struct probe probe = {.of = {baseline, other}, .why = why};
    struct ptog_gather_watch watch = {.gathers = look_at_gather, .user = &probe};
    struct ptog_execution meaning = *execution;
    ptog_diags *diags = ptog_diags_new();
    *why = (struct compare_why){0};
    meaning.target = baseline->ub_bytes == 0 && other->ub_bytes > 0 ? other : baseline; /* one that has a UB to read */
    meaning.watch = &watch;
    enum ptog_status status = diags ? ptog_program_run(program, &meaning, diags, NULL) : PTOG_NO_MEMORY;
    ptog_diags_free(diags);
    return status != PTOG_NO_MEMORY && !probe.no_memory;
}
