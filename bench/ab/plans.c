/* bench/ab: gathers by ptog_plan_run on host, from a call of eight elements to tables larger than the caches; the
 * obvious loop; and extents that are known only when the plan runs. */
#include <ptog/ptog.h>

#include "turn.h"

/* A gather, of either instruction, and how it is run. */
struct gather {
    struct ptog_mgather mgather; /* without a dst: the other one */
    struct ptog_tgather tgather;
    bool reference;
    int64_t valid[2]; /* of dst, when the plan does not know it */
};

struct state {
    ptog_plan *plan;
    struct ptog_run run;
};

/* Bytes of a tile, or of a table; every element is a small number whatever its type. */
static void *filled(size_t bytes)
{
    unsigned char *data = malloc(bytes ? bytes : 1);
    for (size_t i = 0; data && i < bytes; i++)
        data[i] = (unsigned char)(i * 37 % 61);
    return data;
}

static struct ptog_buf tile_of(const struct ptog_tile *tile)
{
    struct ptog_buf buf = {NULL, 0};
    if (tile->dtype == PTOG_DTYPE_NONE)
        return buf;
    buf.bytes = (size_t)ptog_tile_bytes(tile);
    buf.data = filled(buf.bytes);
    return buf;
}

static struct ptog_cbuf read_only(struct ptog_buf buf)
{
    return (struct ptog_cbuf){buf.data, buf.bytes};
}

/* The index tile, int32: numbers below `below`. */
static struct ptog_cbuf indices_of(const struct ptog_tile *tile, int64_t below)
{
    struct ptog_buf buf = tile_of(tile);
    for (size_t i = 0; i < buf.bytes / sizeof(int32_t); i++)
        ((int32_t *)buf.data)[i] = turn_index(i, (uint32_t)below);
    return read_only(buf);
}

static void begin_mgather(struct state *s, const struct ptog_mgather *op)
{
    int64_t rows = op->table.shape[3], cols = op->table.shape[4];
    size_t bytes = (size_t)(rows * cols) * sizeof(float);
    ptog_plan_mgather(&s->plan, ptog_target_find("host"), op, NULL);
    s->run.dst = tile_of(&op->dst);
    s->run.src = (struct ptog_cbuf){filled(bytes), bytes};
    s->run.idx = indices_of(&op->idx, op->coalesce == PTOG_ROW ? rows : rows * cols);
}

static void begin_tgather(struct state *s, const struct ptog_tgather *op)
{
    ptog_plan_tgather(&s->plan, ptog_target_find("host"), op, NULL);
    s->run.dst = tile_of(&op->dst);
    s->run.src = read_only(tile_of(&op->src));
    s->run.k = read_only(tile_of(&op->k));
    s->run.cdst = tile_of(&op->cdst);
    s->run.idx = indices_of(&op->idx, op->src.rows * op->src.cols);
}

static void *begin(const void *what)
{
    const struct gather *gather = what;
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (gather->mgather.dst.dtype != PTOG_DTYPE_NONE)
        begin_mgather(s, &gather->mgather);
    else
        begin_tgather(s, &gather->tgather);
    s->run.reference = gather->reference;
    s->run.dst_valid[0] = gather->valid[0];
    s->run.dst_valid[1] = gather->valid[1];
    return s->plan ? s : NULL;
}

static bool call(void *state)
{
    struct state *s = state;
    return ptog_plan_run(s->plan, &s->run, NULL) == PTOG_OK;
}

static bool end(void *state)
{
    struct state *s = state;
    ptog_plan_free(s->plan);
    free(s->run.dst.data);
    free(s->run.cdst.data);
    free((void *)(uintptr_t)s->run.src.data);
    free((void *)(uintptr_t)s->run.idx.data);
    free((void *)(uintptr_t)s->run.k.data);
    free(s);
    return true;
}

static struct gather rows(int64_t table_rows, int64_t width, int64_t lanes)
{
    return (struct gather){.mgather = {.dst = ptog_tile_vec(PTOG_F32, lanes, width),
                                       .table = ptog_tensor_2d(PTOG_F32, table_rows, width),
                                       .idx = ptog_tile_vec(PTOG_I32, 1, lanes),
                                       .coalesce = PTOG_ROW,
                                       .oob = PTOG_OOB_CLAMP}};
}

static struct gather elements(int64_t table, int64_t lanes, enum ptog_oob oob)
{
    return (struct gather){.mgather = {.dst = ptog_tile_vec(PTOG_F32, 1, lanes),
                                       .table = ptog_tensor_2d(PTOG_F32, 1, table),
                                       .idx = ptog_tile_vec(PTOG_I32, 1, lanes),
                                       .coalesce = PTOG_ELEM,
                                       .oob = oob}};
}

static struct gather by_index(enum ptog_dtype type)
{
    return (struct gather){.tgather = {.form = PTOG_BY_INDEX,
                                       .dst = ptog_tile_vec(type, 64, 64),
                                       .src = ptog_tile_vec(type, 64, 64),
                                       .idx = ptog_tile_vec(PTOG_I32, 64, 64)}};
}

static struct gather by_mask(enum ptog_dtype type)
{
    return (struct gather){.tgather = {.form = PTOG_BY_MASK,
                                       .dst = ptog_tile_vec(type, 64, 64),
                                       .src = ptog_tile_vec(type, 64, 128),
                                       .pattern = PTOG_P0101}};
}

static struct gather by_compare(void)
{
    return (struct gather){.tgather = {.form = PTOG_BY_COMPARE,
                                       .dst = ptog_tile_vec(PTOG_I32, 64, 128),
                                       .src = ptog_tile_vec(PTOG_F32, 64, 128),
                                       .k = ptog_tile_vec(PTOG_F32, 1, 1),
                                       .cdst = ptog_tile_vec(PTOG_I32, 1, 64),
                                       .cmp = PTOG_CMP_GT}};
}

static struct gather reference(struct gather gather)
{
    gather.reference = true;
    return gather;
}

/* The same with extents of dst that only the run knows: they are verified in every run. */
static struct gather dynamic(struct gather gather)
{
    struct ptog_tile *dst = &gather.mgather.dst;
    gather.valid[0] = dst->rows;
    gather.valid[1] = dst->cols;
    *dst = ptog_tile_valid(*dst, PTOG_DYN, PTOG_DYN);
    return gather;
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        struct gather gather;
    } list[] = {
        {"run row 1x8", rows(64, 8, 1)},
        {"run row 64x128", rows(512, 128, 64)},
        {"run row 64x128, dynamic", dynamic(rows(512, 128, 64))},
        {"run row 4096x128, 32 MiB", rows(65536, 128, 4096)},
        {"run elem 4096", elements(4096, 4096, PTOG_OOB_CLAMP)},
        {"run elem 4096, zero", elements(4000, 4096, PTOG_OOB_ZERO)},
        {"run elem 256 Ki, 32 MiB", elements(8 << 20, 256 << 10, PTOG_OOB_CLAMP)},
        {"run index 64x64 f32", by_index(PTOG_F32)},
        {"run index 64x64 i16", by_index(PTOG_I16)},
        {"run mask 64x128 f32", by_mask(PTOG_F32)},
        {"run mask 64x128 i8", by_mask(PTOG_I8)},
        {"run compare 64x128 f32", by_compare()},
        {"reference row 64x128", reference(rows(512, 128, 64))},
        {"reference elem 4096", reference(elements(4096, 4096, PTOG_OOB_CLAMP))},
        {"reference index 64x64 f32", reference(by_index(PTOG_F32))},
        {"reference mask 64x128 f32", reference(by_mask(PTOG_F32))},
        {"reference compare 64x128", reference(by_compare())},
    };
    struct work works[sizeof list / sizeof *list];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        works[i] = (struct work){list[i].name, &list[i].gather, begin, call, end};
    return turn_main(argc, argv, works, sizeof list / sizeof *list);
}
