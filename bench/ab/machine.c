/* bench/ab: kernels on ptog/core.h. Three kinds of works: steps of a kernel on a core that stays open, with the checks
 * and without; loads alone, where the machine's own work is all there is; and whole launches, from the opening of the
 * device to its report. */
#include <ptog/core.h>
#include <ptog/ptog.h>

#include "turn.h"

enum { TABLE_ROWS = 4096, WIDTH = 128, ROWS = 64, MAX_LANES = ROWS * WIDTH };

/* A kernel that gathers (or only loads its indices), on a target. */
struct kernel {
    const char *target;
    struct ptog_mgather mgather; /* without a dst: TGATHER, of tiles that are there from the start */
    struct ptog_tgather tgather;
    bool only_load;
    struct ptog_device_options options;
};

struct state {
    const struct kernel *kernel;
    struct ptog_transfer load, store;
    ptog_device *device;
    ptog_core *core;
    int table, ids, out; /* buffers of the device */
    float *table_data, *out_data;
    int32_t *ids_data;
};

static void flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst)
{
    ptog_core_set_flag(core, src, dst, 1);
    ptog_core_wait_flag(core, src, dst, 1);
}

/* Indices in, rows or elements gathered, and stored; everything ordered by flags unless the machine puts its own. */
static bool step_mgather(struct state *s)
{
    const struct ptog_mgather *op = &s->kernel->mgather;
    bool flags = !s->kernel->options.automatic;
    if (flags)
        flag(s->core, PTOG_V, PTOG_MTE2);
    ptog_core_load(s->core, &s->load, s->ids, 0);
    if (flags) {
        flag(s->core, PTOG_MTE2, PTOG_V);
        flag(s->core, PTOG_MTE3, PTOG_V);
    }
    bool done = ptog_core_mgather(s->core, op, s->table, 0, NULL) == PTOG_OK;
    if (flags)
        flag(s->core, PTOG_V, PTOG_MTE3);
    ptog_core_store(s->core, &s->store, s->out, 0);
    if (flags)
        ptog_core_barrier(s->core, PTOG_MTE3);
    return done;
}

static bool step(void *state)
{
    struct state *s = state;
    ptog_core_at(s->core, "kernel.c", 1);
    if (s->kernel->only_load) {
        bool done = ptog_core_load(s->core, &s->load, s->ids, 0) == PTOG_OK;
        ptog_core_barrier(s->core, PTOG_MTE2);
        return done;
    }
    if (s->kernel->mgather.dst.dtype != PTOG_DTYPE_NONE)
        return step_mgather(s);
    bool done = ptog_core_tgather(s->core, &s->kernel->tgather, NULL) == PTOG_OK;
    ptog_core_barrier(s->core, PTOG_ALL);
    return done;
}

/* What a TGATHER reads is in its tiles before the first instruction. */
static void preset(struct state *s)
{
    const struct ptog_tgather *op = &s->kernel->tgather;
    if (op->src.dtype == PTOG_DTYPE_NONE)
        return;
    ptog_core_preset(s->core, &op->src, s->table_data);
    if (op->idx.dtype != PTOG_DTYPE_NONE)
        ptog_core_preset(s->core, &op->idx, s->ids_data);
    if (op->k.dtype != PTOG_DTYPE_NONE)
        ptog_core_preset(s->core, &op->k, s->table_data);
}

static bool open_device(struct state *s)
{
    const struct kernel *kernel = s->kernel;
    size_t table_bytes = sizeof(float) * TABLE_ROWS * WIDTH;
    if (ptog_device_open(&s->device, ptog_target_find(kernel->target), &kernel->options) != PTOG_OK)
        return false;
    s->table = ptog_device_input(s->device, "table", s->table_data, table_bytes);
    s->ids = ptog_device_input(s->device, "ids", s->ids_data, sizeof(int32_t) * MAX_LANES);
    s->out = ptog_device_buffer(s->device, "out", s->out_data, sizeof(float) * MAX_LANES);
    if (ptog_core_open(&s->core, s->device, 0) != PTOG_OK)
        return false;
    preset(s);
    return true;
}

/* False: something was reported. */
static bool close_device(struct state *s)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_core_close(s->core);
    ptog_device_report(s->device, diags);
    bool clean = true;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (ptog_diags_at(diags, i)->severity == PTOG_ERROR) {
            fprintf(stderr, "%s\n", ptog_diags_at(diags, i)->message);
            clean = false;
        }
    ptog_diags_free(diags);
    ptog_device_close(s->device);
    return clean;
}

static struct ptog_transfer transfer(struct ptog_tile tile)
{
    return (struct ptog_transfer){.tile = tile, .view = ptog_tensor_2d(tile.dtype, tile.rows, tile.cols)};
}

static void *begin(const void *what)
{
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->kernel = what;
    s->load = transfer(s->kernel->mgather.idx);
    s->store = transfer(s->kernel->mgather.dst);
    s->table_data = calloc(TABLE_ROWS * WIDTH, sizeof(float));
    s->out_data = calloc(MAX_LANES, sizeof(float));
    s->ids_data = calloc(MAX_LANES, sizeof(int32_t));
    if (!s->table_data || !s->out_data || !s->ids_data)
        return NULL;
    for (size_t i = 0; i < TABLE_ROWS * WIDTH; i++)
        s->table_data[i] = (float)(i % 1000);
    for (size_t i = 0; i < MAX_LANES; i++)
        s->ids_data[i] = turn_index(i, ROWS * ROWS); /* inside the table, and inside a tile */
    return s;
}

static void *begin_open(const void *what)
{
    struct state *s = begin(what);
    if (!s || !open_device(s))
        return NULL;
    return s;
}

static bool launch(void *state)
{
    struct state *s = state;
    bool done = open_device(s) && step(s);
    return close_device(s) && done;
}

static bool end(void *state)
{
    struct state *s = state;
    free(s->table_data);
    free(s->out_data);
    free(s->ids_data);
    free(s);
    return true;
}

static bool end_open(void *state)
{
    bool clean = close_device(state);
    return end(state) && clean;
}

/* ---- the works */

static struct ptog_mgather gather(enum ptog_coalesce coalesce, int64_t rows, int64_t width)
{
    int64_t index_rows = coalesce == PTOG_ROW ? 1 : rows, index_cols = coalesce == PTOG_ROW ? rows : width;
    return (struct ptog_mgather){.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, rows, width), 0),
                                 .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, width),
                                 .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, index_rows, index_cols), 0x10000),
                                 .coalesce = coalesce,
                                 .oob = PTOG_OOB_CLAMP};
}

static struct ptog_tgather within(enum ptog_tgather_form form)
{
    struct ptog_tgather op = {.form = form,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, 64), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, 64), 0x4000)};
    if (form == PTOG_BY_INDEX) {
        op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, ROWS, 64), 0x8000);
        op.tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, ROWS, 64), 0xc000);
    } else if (form == PTOG_BY_MASK) {
        op.pattern = PTOG_P0101;
        op.dst.cols = 32;
    } else {
        op.dst.dtype = PTOG_I32;
        op.cmp = PTOG_CMP_GT;
        op.k = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, ROWS), 0x8000);
        op.cdst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, ROWS), 0xc000);
    }
    return op;
}

int main(int argc, char **argv)
{
    const struct ptog_device_options free_run = {.no_sanitize = true}, automatic = {.automatic = true};
    const struct ptog_mgather rows = gather(PTOG_ROW, ROWS, WIDTH), elements = gather(PTOG_ELEM, ROWS, WIDTH);
    const struct ptog_mgather small = gather(PTOG_ROW, 8, 16);
    const struct ptog_tgather index = within(PTOG_BY_INDEX), mask = within(PTOG_BY_MASK);
    const struct ptog_tgather compare = within(PTOG_BY_COMPARE);
    const struct {
        const char *name;
        struct kernel kernel;
        bool launched;
    } list[] = {
        {"machine row, a2a3", {"a2a3", .mgather = rows}, false},
        {"machine row, a5", {"a5", .mgather = rows}, false},
        {"machine row unchecked, a2a3", {"a2a3", .mgather = rows, .options = free_run}, false},
        {"machine row unchecked, a5", {"a5", .mgather = rows, .options = free_run}, false},
        {"machine row automatic, a2a3", {"a2a3", .mgather = rows, .options = automatic}, false},
        {"machine elem, a2a3", {"a2a3", .mgather = elements}, false},
        {"machine elem, a5", {"a5", .mgather = elements}, false},
        {"machine elem unchecked, a2a3", {"a2a3", .mgather = elements, .options = free_run}, false},
        {"machine elem unchecked, a5", {"a5", .mgather = elements, .options = free_run}, false},
        {"machine index, a2a3", {"a2a3", .tgather = index}, false},
        {"machine index, a5", {"a5", .tgather = index}, false},
        {"machine mask, a2a3", {"a2a3", .tgather = mask}, false},
        {"machine mask, a5", {"a5", .tgather = mask}, false},
        {"machine compare, a2a3", {"a2a3", .tgather = compare}, false},
        {"machine compare, a5", {"a5", .tgather = compare}, false},
        {"machine load 1x8, a2a3", {"a2a3", .mgather = small, .only_load = true}, false},
        {"core row, host", {"host", .mgather = rows}, false},
        {"launch 8x16, host", {"host", .mgather = small}, true},
        {"launch 8x16, a2a3", {"a2a3", .mgather = small}, true},
        {"launch 8x16, a5", {"a5", .mgather = small}, true},
    };
    struct work works[sizeof list / sizeof *list];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        works[i] = (struct work){list[i].name, &list[i].kernel, begin_open, step, end_open};
        if (list[i].launched)
            works[i] = (struct work){list[i].name, &list[i].kernel, begin, launch, end};
    }
    return turn_main(argc, argv, works, sizeof list / sizeof *list);
}
