/* exec: planning and running embedding bags. A run looks at its buffers, then at every offset and every index, before
 * anything is written: the kernels trust all of them. */
#include "exec/bag.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "exec/plan.h"
#include "exec/threads.h"
#include "exec/tune.h"
#include "kernel/map.h"
#include "ref/ref.h"

#define MAX_BYTES ((uint64_t)INT64_MAX) /* of a table */
#define FETCHED_BYTES 12288
#define LEAST_AHEAD 16 /* rows */

/* ---- planning */

/* Whether indices of bags may have this type. */
static bool is_index_type(enum ptog_dtype dtype)
{
    return dtype == PTOG_I32 || dtype == PTOG_I64;
}

/* Whether results of bags may have this type. */
static bool is_result_type(enum ptog_dtype dtype)
{
    return dtype == PTOG_F32 || dtype == PTOG_F16 || dtype == PTOG_BF16;
}

/* The type of the results, where none is named. */
static enum ptog_dtype usual_result(enum ptog_dtype table)
{
    return ptog_dtype_size(table) == 1 ? PTOG_F32 : table;
}

/* Whether the bytes of the table can be counted. */
static bool is_countable(const struct ptog_bag *bag)
{
    uint64_t row = (uint64_t)bag->pitch, size = ptog_dtype_size(bag->table);
    return row <= MAX_BYTES / size && (bag->rows == 0 || row * size <= MAX_BYTES / (uint64_t)bag->rows);
}

/* What is wrong with a description whose defaults are filled in; NULL: nothing. *field names it. */
static const char *find_problem(const struct ptog_bag *bag, const char **field)
{
    if (!ptog_bag_kernel_find(&ptog_bags_plain, bag->table))
        return *field = "bag.table", "is not f32, f16, bf16, i8, f8e4m3 or f8e5m2";
    if (!is_result_type(bag->dst))
        return *field = "bag.dst", "is not f32, f16 or bf16";
    if (!is_index_type(bag->idx))
        return *field = "bag.idx", "is not i32 or i64";
    if ((unsigned)bag->mode > PTOG_BAG_MAX)
        return *field = "bag.mode", "is not a mode";
    if (bag->rows < 0)
        return *field = "bag.rows", "is negative";
    if (bag->cols < 1)
        return *field = "bag.cols", "is less than 1";
    if (bag->pitch < bag->cols)
        return *field = "bag.pitch", "is less than the columns";
    if (!is_countable(bag))
        return *field = "bag.rows", "makes a table of more than 2^63 bytes";
    return NULL;
}

enum ptog_status ptog_plan_bag(ptog_bag_plan **plan, const struct ptog_bag *bag, ptog_diags *diags)
{
    const char *call = "ptog_plan_bag", *field;
    if (!plan)
        return ptog_bad_argument(diags, call, "plan", "is NULL");
    *plan = NULL;
    if (!bag)
        return ptog_bad_argument(diags, call, "bag", "is NULL");
    if (!ptog_is_unreserved(bag))
        return ptog_bad_argument(diags, call, "bag", "has a reserved word that is not zero");
    struct ptog_bag whole = *bag;
    if (whole.dst == PTOG_DTYPE_NONE)
        whole.dst = usual_result(whole.table);
    if (whole.pitch == 0)
        whole.pitch = whole.cols;
    const char *problem = find_problem(&whole, &field);
    if (problem)
        return ptog_bad_argument(diags, call, field, problem);
    if (!(*plan = calloc(1, sizeof **plan)))
        return PTOG_NO_MEMORY;
    (*plan)->bag = whole;
    (*plan)->set = ptog_bag_set_find(ptog_exec_isa());
    (*plan)->kernel = ptog_bag_kernel_find((*plan)->set, whole.table);
    (*plan)->tune = ptog_exec_tune(NULL);
    return PTOG_OK;
}

void ptog_bag_plan_free(ptog_bag_plan *plan)
{
    free(plan);
}

/* ---- the buffers of a run */

/* Whether a buffer is there and holds whole elements. */
static bool has_whole_elements(struct ptog_cbuf buffer, size_t size)
{
    return (buffer.data || buffer.bytes == 0) && buffer.bytes % size == 0;
}

/* Bytes from the first element of the table to the last. */
static uint64_t table_bytes(const struct ptog_bag *bag)
{
    if (bag->rows == 0)
        return 0;
    return ((uint64_t)(bag->rows - 1) * (uint64_t)bag->pitch + (uint64_t)bag->cols) * ptog_dtype_size(bag->table);
}

/* Whether there is a weight for every index and a scale for every row, where there are any. */
static bool are_factors_right(const struct ptog_bag_work *work)
{
    const struct ptog_bag_run *run = work->run;
    const struct ptog_bag *bag = work->bag;
    if (run->weights.data &&
        (bag->mode != PTOG_BAG_SUM || run->weights.bytes / sizeof(float) != (uint64_t)work->indices))
        return false;
    if (!has_whole_elements(run->weights, sizeof(float)) || !has_whole_elements(run->scales, sizeof(float)))
        return false;
    uint64_t scales = run->scales.bytes / sizeof(float);
    return !run->scales.data || scales == 1 || scales == (uint64_t)bag->rows;
}

/* Whether the buffers that are read have the sizes that they must have. */
static bool are_sources_right(const struct ptog_bag_work *work)
{
    const struct ptog_bag_run *run = work->run;
    uint64_t wanted = table_bytes(work->bag);
    return has_whole_elements(run->idx, work->index_size) && has_whole_elements(run->offsets, work->index_size) &&
           work->bags >= 0 && (run->table.data || wanted == 0) && run->table.bytes >= wanted && are_factors_right(work);
}

/* Whether dst shares no byte with a source. */
static bool is_apart(struct ptog_buf dst, uint64_t used, struct ptog_cbuf source)
{
    struct ptog_bytes to = {dst.data, used}, from = {source.data, source.bytes};
    return !ptog_bytes_overlap(to, from);
}

/* PTOG_OK if a run's buffers can be used: there, large enough, apart from each other. */
static enum ptog_status check_buffers(const struct ptog_bag_work *work)
{
    const struct ptog_bag_run *run = work->run;
    const struct ptog_bag *bag = work->bag;
    uint64_t row = (uint64_t)bag->cols * ptog_dtype_size(bag->dst);
    if (!ptog_is_unreserved(run) || run->threads < 0 || !are_sources_right(work))
        return PTOG_BAD_ARGUMENT;
    if (work->bags > 0 && (!run->dst.data || run->dst.bytes / row < (uint64_t)work->bags))
        return run->dst.data ? PTOG_NO_ROOM : PTOG_BAD_ARGUMENT;
    uint64_t used = row * (uint64_t)work->bags;
    bool apart = is_apart(run->dst, used, run->table) && is_apart(run->dst, used, run->idx) &&
                 is_apart(run->dst, used, run->offsets) && is_apart(run->dst, used, run->weights) &&
                 is_apart(run->dst, used, run->scales);
    return apart ? PTOG_OK : PTOG_OVERLAP;
}

/* ---- its indices */

/* Fills *fault, unless it is NULL, with what is invalid. Always true. */
static bool is_bad(struct ptog_bag_fault *fault, bool is_offset, int64_t at, int64_t value)
{
    if (fault)
        *fault = (struct ptog_bag_fault){.is_offset = is_offset, .at = at, .value = value};
    return true;
}

/* Whether the offsets of bags decrease or leave the indices; fills *fault with the first. */
static bool find_bad_offset(const struct ptog_bag_work *work, struct ptog_bag_fault *fault)
{
    int64_t count = work->bags + work->bag->has_end, least = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t offset = ptog_bag_index(work, work->run->offsets, i);
        if ((i == 0 && offset != 0) || offset < least || offset > work->indices)
            return is_bad(fault, true, i, offset);
        least = offset;
    }
    return false;
}

/* Whether an index leaves the table; fills *fault with the first. */
static bool find_bad_index(const ptog_bag_plan *plan, const struct ptog_bag_work *work, struct ptog_bag_fault *fault)
{
    uint64_t rows = (uint64_t)work->bag->rows;
    if (!plan->set->has_outside(work->run->idx.data, work->index_size, work->indices, rows))
        return false;
    for (int64_t i = 0; i < work->indices; i++) {
        int64_t index = ptog_bag_index(work, work->run->idx, i);
        if ((uint64_t)index >= rows && ptog_bag_is_row(work, index))
            return is_bad(fault, false, i, index);
    }
    return false;
}

/* ---- running */

/* Rows of a table that the nearer caches do not hold are fetched, into which of them tune.def says. Measured on an AMD
 * EPYC of family 25, model 17, into the second, rows of 64, 128, 256 and 512 bytes from 64 MiB, ns a row: 16 rows ahead
 * 16, 17, 24, 45; 32 ahead 11, 11, 19, 39; 64 ahead 9, 10, 18, 45; into the nearest, at best, 14, 22, 56, 84. On one of
 * family 26, model 2, into the nearest, rows of 128, 256 and 512 bytes from 1 GiB: 8 KiB ahead 5.0, 10.5, 19.0; 12
 * KiB 5.0, 9.8, 19.5; 16 KiB 5.1, 10.7, 20.6; from 64 MiB 4.4, 7.5, 16; 4.4, 6.6, 15; 4.4, 6.4, 19. From
 * the second cache 512 bytes take 2.7 ns when they are fetched into the nearest, and 2.9 when not. */
static int64_t rows_ahead(const ptog_bag_plan *plan)
{
    const struct ptog_bag *bag = &plan->bag;
    int64_t row = (int64_t)ptog_dtype_size(bag->table) * bag->cols;
    if (table_bytes(bag) <= (uint64_t)plan->tune.elem_near)
        return 0;
    return ptog_min_i64(ptog_max_i64(FETCHED_BYTES / row, LEAST_AHEAD), PTOG_BAG_AHEAD);
}

/* What all parts of a run share, taken from the sizes of its buffers. */
static struct ptog_bag_work start_work(const struct ptog_bag *bag, const struct ptog_bag_run *run)
{
    size_t size = ptog_dtype_size(bag->idx);
    return (struct ptog_bag_work){.bag = bag,
                                  .run = run,
                                  .bags = (int64_t)(run->offsets.bytes / size) - bag->has_end,
                                  .indices = (int64_t)(run->idx.bytes / size),
                                  .row_step = (size_t)bag->pitch * ptog_dtype_size(bag->table),
                                  .index_size = size};
}

/* Sums all bags, on several threads where that pays. */
static void run_kernels(const ptog_bag_plan *plan, const struct ptog_bag_work *work)
{
    bool is_near = table_bytes(&plan->bag) <= (uint64_t)plan->tune.near_bytes;
    struct ptog_bag_job job = {.work = *work,
                               .plan = plan,
                               .ahead = rows_ahead(plan),
                               .hint = is_near ? PTOG_HINT_NEAREST : (int)plan->tune.row_hint,
                               .is_single = ptog_bag_is_single(&plan->bag)};
    struct ptog_items items = {ptog_bag_part, &job, work->bags, (uint64_t)work->indices * work->row_step};
    ptog_in_parts(&items, work->run->threads, work->run->pool);
}

enum ptog_status ptog_bag_run(const ptog_bag_plan *plan, const struct ptog_bag_run *run, struct ptog_bag_fault *fault)
{
    if (fault)
        memset(fault, 0, sizeof *fault);
    if (!plan || !run)
        return PTOG_BAD_ARGUMENT;
    struct ptog_bag_work work = start_work(&plan->bag, run);
    enum ptog_status status = check_buffers(&work);
    if (status != PTOG_OK)
        return status;
    if (find_bad_offset(&work, fault) || find_bad_index(plan, &work, fault))
        return PTOG_FAULT;
    if (run->reference)
        ptog_ref_bag(&work);
    else
        run_kernels(plan, &work);
    return PTOG_OK;
}
