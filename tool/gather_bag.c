/* tool: ptog gather --bag, sums, means and maxima of rows. The output, and indices and offsets as 64-bit numbers, are
 * in memory; the table is mapped. */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/memory.h"
#include "io/pick.h"

/* ---- the command line ---- */

static const char *bag_option_given(const struct gather_bag_request *request)
{
    if (request->offsets)
        return "--offsets";
    if (request->weights)
        return "--weights";
    return request->scales ? "--scales" : NULL;
}

bool gather_bag_read(struct gather_bag *bag, const struct gather_bag_request *request)
{
    static const char *const modes[] = {"sum", "mean", "max"}; /* in the order of enum ptog_bag_mode */
    const char *given = bag_option_given(request);
    if (!request->mode && given)
        tool_usage("gather", "%s needs --bag sum, --bag mean or --bag max", given);
    if (!request->mode)
        return !given;
    for (int i = 0; i < 3; i++)
        if (strcmp(request->mode, modes[i]) == 0) {
            bag->is_wanted = true;
            bag->what.mode = (enum ptog_bag_mode)i;
            return true;
        }
    tool_usage("gather", "--bag %s: expected one of sum, mean, max", request->mode);
    return false;
}

static bool refuse_bag(const char *path, const char *why)
{
    tool_fail("gather", "%s: %s", path, why);
    return false;
}

/* ---- the arrays ---- */

static bool is_bag_type(enum ptog_dtype dtype)
{
    return dtype == PTOG_F32 || dtype == PTOG_F16 || dtype == PTOG_BF16 || dtype == PTOG_I8 || dtype == PTOG_F8E4M3 ||
           dtype == PTOG_F8E5M2;
}

/* The table, as far as a bag can use it. */
static bool check_table(const struct gather_table *table)
{
    if (table->count > 1)
        return refuse_bag(table->path, "not supported yet: --bag of a table in several files");
    if (table->array.rank != 2)
        return refuse_bag(table->path, "--bag needs a table of two dimensions");
    if (!is_bag_type(gather_table_type(table)))
        return refuse_bag(table->path, "--bag needs rows of float32, float16, bfloat16, int8 or 1-byte floats");
    return table->array.shape[1] > 0 || refuse_bag(table->path, "its rows have no elements");
}

/* Opens weights or scales, if there are any; false, with a message, when that fails. */
static bool open_floats(struct gather_source *source, const char *spec)
{
    if (!spec)
        return true;
    if (!gather_open(source, spec, "gather") || !gather_convert(source))
        return false;
    return tool_npy_dtype(&source->array) == PTOG_F32 || refuse_bag(spec, "is not an array of float32");
}

/* Opens the offsets of bags, from a file or a list; false, with a message, when they cannot be. */
static bool open_offsets(struct gather_source *offsets, const char *spec)
{
    if (!spec)
        return true;
    if (gather_is_list(spec))
        return gather_open_list(offsets, spec, "--offsets", "gather");
    if (!gather_open(offsets, spec, "gather") || !gather_convert(offsets))
        return false;
    const struct tool_npy *array = &offsets->array;
    bool whole = (array->kind == 'i' || array->kind == 'u') && array->item <= 8 && array->rank == 1;
    return whole || refuse_bag(spec, "is not an array of whole numbers with one dimension");
}

/* A number of the file as a number with a sign. */
static int64_t whole_at(const struct tool_npy *array, uint64_t i)
{
    uint64_t value = gather_index_at(array, i);
    return array->kind == 'i' && array->item <= 4 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

static uint64_t array_elements(const struct tool_npy *array)
{
    return array->bytes / array->item;
}

/* Indices, and where each bag starts: as given, or a bag for each row of the indices. */
static bool list_bags(struct gather_bag *bag, const struct gather_job *job)
{
    const struct tool_npy *index = &job->index.array, *starts = &bag->offsets.array;
    bool is_given = bag->offsets.path != NULL;
    if (index->rank != (is_given ? 1 : 2))
        return refuse_bag(job->index.path,
                          is_given ? "with --offsets, --index has one dimension"
                                   : "--bag needs --offsets, or indices of two dimensions, a bag in each row");
    bag->bags = is_given ? array_elements(starts) : (uint64_t)index->shape[0];
    bag->indices = array_elements(index);
    if (bag->bags + bag->indices < tool_memory_left() / (2 * sizeof *bag->numbers))
        bag->numbers = malloc((size_t)(bag->bags + bag->indices + 1) * sizeof *bag->numbers);
    if (!bag->numbers)
        return refuse_bag(job->index.path, "out of memory");
    for (uint64_t i = 0; i < bag->indices; i++)
        bag->numbers[i] = whole_at(index, i);
    for (uint64_t b = 0; b < bag->bags; b++)
        bag->numbers[bag->indices + b] = is_given ? whole_at(starts, b) : (int64_t)b * index->shape[1];
    return true;
}

/* Whether weights and scales fit the bags; if not, that is printed. */
static bool check_factors(const struct gather_bag *bag, const struct gather_job *job)
{
    const char *weights = bag->weights.path, *scales = bag->scales.path;
    if (weights && bag->what.mode != PTOG_BAG_SUM)
        return refuse_bag(weights, "--weights are for --bag sum");
    if (weights && array_elements(&bag->weights.array) != bag->indices)
        return refuse_bag(weights, "does not have one number for every index");
    uint64_t count = scales ? array_elements(&bag->scales.array) : 1;
    return count == 1 || count == job->capacity || refuse_bag(scales, "has neither one number nor one for every row");
}

bool gather_bag_plan(struct gather_bag *bag, struct gather_job *job, const struct gather_bag_request *request)
{
    struct gather_table *table = &job->table;
    if (job->mode != PTOG_ROW || job->oob != PTOG_OOB_UNDEFINED || job->output_shards)
        return tool_usage("gather", "--bag has no --mode elem, no --oob and no --output-shards"), false;
    if (!check_table(table) || !open_offsets(&bag->offsets, request->offsets) ||
        !open_floats(&bag->weights, request->weights) || !open_floats(&bag->scales, request->scales) ||
        !list_bags(bag, job))
        return false;
    bag->what.table = gather_table_type(table);
    bag->what.idx = PTOG_I64;
    bag->what.rows = table->array.shape[0];
    bag->what.cols = table->array.shape[1];
    bag->rows = (struct ptog_cbuf){table->array.data, table->array.bytes};
    job->capacity = (uint64_t)bag->what.rows;
    job->lanes = bag->bags;
    job->rank = 2;
    job->shape[0] = (int64_t)bag->bags;
    job->shape[1] = bag->what.cols;
    if (table->array.item == 1) { /* the output is float32 */
        table->array.kind = 'f';
        table->array.item = 4;
        table->type = NULL;
    }
    job->lane = (uint64_t)bag->what.cols * table->array.item;
    return check_factors(bag, job);
}

void gather_bag_close(struct gather_bag *bag)
{
    gather_close(&bag->offsets);
    gather_close(&bag->weights);
    gather_close(&bag->scales);
    free(bag->numbers);
}

/* ---- running ---- */

static struct ptog_cbuf floats_of(const struct gather_source *source)
{
    return (struct ptog_cbuf){source->path ? source->array.data : NULL, source->array.bytes};
}

/* Prints which index or offset of a bag is wrong; returns the exit status. */
static int say_bag_fault(const struct gather_bag *bag, const struct gather_job *job, const struct ptog_bag_fault *fault)
{
    if (!fault->is_offset)
        return gather_bad_index(job, (uint64_t)fault->at);
    tool_fail("gather",
              "%s: offset %" PRId64 " is %" PRId64 "; offsets start at 0, do not decrease, and end at %" PRIu64
              ", the number of indices, at most",
              bag->offsets.path, fault->at, fault->value, bag->indices);
    return TOOL_WRONG;
}

/* Sums the rows of all bags into `to`; the exit status. */
static int run_bag(const struct gather_bag *bag, const struct gather_job *job, unsigned char *to, uint64_t bytes)
{
    struct ptog_bag_run run = {.dst = {to, (size_t)bytes},
                               .table = bag->rows,
                               .idx = {bag->numbers, (size_t)bag->indices * sizeof *bag->numbers},
                               .offsets = {bag->numbers + bag->indices, (size_t)bag->bags * sizeof *bag->numbers},
                               .weights = floats_of(&bag->weights),
                               .scales = floats_of(&bag->scales),
                               .threads = job->threads};
    struct ptog_bag_fault fault;
    ptog_bag_plan *plan = NULL;
    enum ptog_status status = ptog_plan_bag(&plan, &bag->what, NULL);
    if (status == PTOG_OK)
        status = ptog_bag_run(plan, &run, &fault);
    ptog_bag_plan_free(plan);
    if (status == PTOG_FAULT)
        return say_bag_fault(bag, job, &fault);
    return status == PTOG_OK ? TOOL_OK : tool_fail("gather", "%s", ptog_status_text(status));
}

/* Writes header and sums to the output file, which is kept only when it is complete; returns the exit status. */
static int write_bags(const struct gather_output *out, const unsigned char *bags, uint64_t bytes)
{
    struct tool_file file;
    struct tool_why why;
    if (!tool_file_start(&file, out->name.path, &why))
        return tool_fail("gather", "%s: %s", out->path, why.text);
    if (!tool_file_write(&file, out->header, out->header_bytes, &why) || !tool_file_write(&file, bags, bytes, &why)) {
        tool_file_drop(&file);
        return tool_fail("gather", "%s: %s", out->path, why.text);
    }
    if (!tool_file_keep(&file, &why))
        return tool_fail("gather", "%s: %s", out->path, why.text);
    return TOOL_OK;
}

int gather_bag_run(const struct gather_bag *bag, const struct gather_job *job, const struct gather_output *out)
{
    uint64_t bytes = job->lanes * job->lane;
    unsigned char *to =
        job->lane < tool_memory_left() / tool_max(job->lanes, 1) ? ptog_alloc(tool_max(bytes, 1)) : NULL;
    if (!to)
        return tool_fail("gather", "the output of %" PRIu64 " bags does not fit in memory", job->lanes);
    int result = run_bag(bag, job, to, bytes);
    if (result == TOOL_OK)
        result = write_bags(out, to, bytes);
    if (result == TOOL_OK)
        gather_report(job, out, 0);
    ptog_free(to);
    return result;
}
