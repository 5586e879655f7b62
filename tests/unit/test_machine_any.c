/* unit: any sequence of calls, right or wrong, ends, stays in its buffers, and has one report for all timings. */
#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/pick.h"

static uint64_t state_of_random;

static uint64_t draw(uint64_t n)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (state_of_random >> 11) % n;
}

static enum ptog_pipe any_pipe(void)
{
    return (enum ptog_pipe)(draw(40) == 0 ? draw(10) : draw(4));
}

static int64_t any_extent(void)
{
    static const int64_t odd[] = {0, -1, 1, 7, 4097, INT64_MAX, (int64_t)1 << 33};
    return draw(50) == 0 ? odd[draw(COUNT_OF(odd))] : (int64_t)(draw(3) + 1) * 8;
}

/* Few addresses, so that tiles meet. */
static struct ptog_tile any_tile(enum ptog_dtype dtype)
{
    struct ptog_tile tile = ptog_tile_vec(dtype, any_extent(), any_extent());
    if (draw(2))
        tile = ptog_tile_vec(dtype, 1, any_extent());
    if (draw(4) == 0)
        tile = ptog_tile_valid(tile, (int64_t)draw(9), (int64_t)draw(9));
    if (draw(8) == 0)
        tile = ptog_tile_col_major(tile);
    if (draw(8) == 0)
        tile = ptog_tile_nz(tile);
    tile.pad = (enum ptog_pad)(draw(6) == 0 ? draw(4) : 0);
    uint64_t addr = draw(6) * 512;
    return ptog_tile_at(tile, draw(60) == 0 ? draw(300000) : addr);
}

static void any_call(struct kernel *k)
{
    static const enum ptog_dtype dtypes[] = {PTOG_F32, PTOG_I32, PTOG_F16, PTOG_U8};
    enum ptog_dtype dtype = dtypes[draw(COUNT_OF(dtypes))];
    int gm[] = {k->table, k->ids, k->out}, buffer = gm[draw(3)];
    uint64_t value = 7, offset = draw(8) * 64;
    struct ptog_transfer move = {.tile = any_tile(dtype)};
    struct ptog_mgather gather = {.dst = any_tile(dtype), .idx = any_tile(PTOG_I32), .oob = (enum ptog_oob)draw(4)};
    struct ptog_tgather inner = {.form = (enum ptog_tgather_form)draw(3),
                                 .dst = any_tile(dtype),
                                 .src = any_tile(dtype),
                                 .idx = any_tile(PTOG_I32),
                                 .tmp = any_tile(PTOG_I32),
                                 .k = any_tile(dtype),
                                 .cdst = any_tile(PTOG_I32),
                                 .pattern = (enum ptog_pattern)draw(9),
                                 .axis = (enum ptog_axis)draw(2),
                                 .cmp = draw(2) ? PTOG_CMP_GT : PTOG_CMP_EQ};
    gather.coalesce = (enum ptog_coalesce)draw(2);
    gather.idx = gather.coalesce == PTOG_ELEM
                     ? gather.idx
                     : ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, gather.dst.rows), gather.idx.addr);
    gather.table = ptog_tensor_2d(dtype, (int64_t)draw(40), draw(2) ? gather.dst.cols : (int64_t)draw(40));
    move.view = ptog_tensor_2d(dtype, ptog_given(move.tile.valid_row, move.tile.rows),
                               ptog_given(move.tile.valid_col, move.tile.cols));
    move.view.layout = move.tile.blayout == PTOG_COL_MAJOR ? PTOG_DN : PTOG_ND;
    switch (draw(12)) {
    case 0:
    case 1: ptog_core_load(k->core, &move, buffer, offset); break;
    case 2: ptog_core_store(k->core, &move, k->out, offset); break;
    case 3: ptog_core_mgather(k->core, &gather, buffer, offset, NULL); break;
    case 4: ptog_core_tgather(k->core, &inner, NULL); break;
    case 5: ptog_core_tgather_scalar(k->core, &inner, &value, NULL); break;
    case 6: ptog_core_store_scalar(k->core, k->out, offset, 4, &value); break;
    case 7: ptog_core_load_scalar(k->core, buffer, draw(30) == 0 ? UINT64_MAX : offset, 8, &value); break;
    case 8: ptog_core_barrier(k->core, draw(2) ? PTOG_ALL : any_pipe()); break;
    case 9: ptog_core_set_flag(k->core, any_pipe(), any_pipe(), (int)draw(3)); break;
    default: {
        enum ptog_pipe src = any_pipe(), dst = any_pipe();
        int id = draw(50) == 0 ? (int)draw(12) - 2 : (int)draw(3);
        ptog_core_set_flag(k->core, src, dst, id);
        if (draw(8) != 0)
            ptog_core_wait_flag(k->core, src, dst, id);
        break;
    }
    }
}

struct text {
    char of[1 << 18];
    size_t length;
};
static struct text reports[2];

static void put(void *user, const char *piece, size_t length)
{
    struct text *text = user;
    if (text->length + length < sizeof text->of)
        memcpy(text->of + text->length, piece, length);
    text->length += length;
}

static void report_of(const char *target, uint64_t seed, int schedule, struct text *text)
{
    struct ptog_latency late = {.block = 0, .instruction = (uint32_t)(seed % 40 + 1), .cycles = PTOG_LATE};
    struct ptog_device_options options = {
        .schedule = (enum ptog_schedule)(schedule < 5 ? schedule : 3), .seed = (uint64_t)schedule, .late = &late};
    options.late_count = 1; /* of PTOG_SCHEDULE_WITNESS */
    struct kernel k = kernel_open(target, &options);
    state_of_random = seed * 0x9E3779B97F4A7C15u | 1;
    int calls = (int)draw(40) + 1;
    for (int i = 0; i < calls; i++) {
        ptog_core_at(k.core, "any.c", (uint32_t)(i % 16 + 1));
        any_call(&k);
    }
    kernel_finish(&k);
    memset(text, 0, sizeof *text);
    ptog_report_text(k.diags, &(struct ptog_sink){.write = put, .user = text, .colour = false});
    kernel_close(&k);
}

static void any_calls(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    uint64_t kernels = number_from("PTOG_RANDOM_KERNELS", 500), seed = number_from("PTOG_SEED", 1), said = 0;
    (void)state;
    printf("%llu kernels from seed %llu\n", (unsigned long long)kernels, (unsigned long long)seed);
    for (uint64_t i = seed; i < seed + kernels; i++)
        for (int schedule = 0; schedule < 6; schedule++) {
            report_of(targets[i % 3], i, schedule, &reports[schedule > 0]);
            said += reports[0].length > 0;
            if (schedule > 0 && strcmp(reports[0].of, reports[1].of) != 0) {
                fprintf(stderr, "seed %llu: schedule %d has another report\n%s\n---\n%s\n", (unsigned long long)i,
                        schedule, reports[0].of, reports[1].of);
                fail();
            }
        }
    assert_true(said > kernels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
