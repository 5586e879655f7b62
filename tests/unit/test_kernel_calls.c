/* unit: kernels called as they are, with jobs that tiles of a test's size do not have: many blocks of indices, rows
 * fetched ahead, stores past the cache, an index that is too large at any place. The expected bytes come from the loop
 * in this file. */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "kernel/kernel.h"
#include "unit/guard.h"

#define MOST ((size_t)4 << 20)
#define TABLE_ROWS 61

static struct guard dst_guard, src_guard, idx_guard;
static unsigned char expected[MOST];
static unsigned seed = 20261116;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 24;
}

static void fill(unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)draw();
}

/* Between the guard pages, flush with one of them or up to 63 bytes away from it. */
static unsigned char *put(struct guard *guard, size_t bytes)
{
    size_t shift = draw() % 2 ? draw() % 64 : 0;
    bool at_end = draw() % 2;
    unsigned char *data = guard_place(guard, bytes + shift, at_end);
    return at_end ? data : data + shift;
}

/* One call of a gather kernel against the loop of this file. `bad`: one index is above `most`. */
static void call(const struct ptog_kernel *kernel, struct ptog_job job, int64_t count, size_t width, bool bad)
{
    uint64_t capacity = TABLE_ROWS, range = kernel->how == PTOG_OOB_UNDEFINED ? capacity : 5 * capacity;
    int index_size = kernel->index_size;
    size_t dst_bytes = (size_t)count * width, idx_bytes = (size_t)(count * index_size);
    struct ptog_lanes at = {put(&dst_guard, dst_bytes), put(&src_guard, capacity * width), put(&idx_guard, idx_bytes),
                            count};
    unsigned char *idx = (unsigned char *)(uintptr_t)at.idx;
    if (job.stream && count > 0)
        at.dst = guard_place(&dst_guard, dst_bytes, false);
    job.dst_step = job.src_step = job.tail = (int64_t)width;
    job.idx_step = index_size;
    job.most = range - 1;
    ptog_job_set_capacity(&job, capacity, index_size);
    fill((unsigned char *)(uintptr_t)at.src, capacity * width);
    for (int64_t k = 0; k < count; k++) {
        uint64_t i = draw() % range;
        memcpy(idx + k * index_size, &i, (size_t)index_size);
        bool zero = kernel->how == PTOG_OOB_ZERO && i >= capacity;
        uint64_t row = kernel->how == PTOG_OOB_CLAMP && i >= capacity ? capacity - 1 : i % capacity;
        if (zero)
            memset(expected + (size_t)k * width, 0, width);
        else
            memcpy(expected + (size_t)k * width, at.src + row * width, width);
    }
    if (bad) {
        uint64_t i = range + draw() % 7;
        memcpy(idx + (int64_t)(draw() % (uint32_t)count) * index_size, &i, (size_t)index_size);
        assert_false(kernel->gather(&job, at.dst, at.src, at.idx, at.count));
        return;
    }
    bool gathered = kernel->gather(&job, at.dst, at.src, at.idx, at.count);
    if (!gathered || memcmp(expected, at.dst, dst_bytes) != 0) {
        fprintf(stderr, "%s: %d lanes of %zu bytes, seed now %u\n", kernel->name, (int)count, width, seed);
        fail();
    }
}

/* Calls `test` with every kernel of a kind that runs on this CPU. */
static void each(enum ptog_kernel_kind kind, void (*test)(const struct ptog_kernel *))
{
    const struct ptog_kernel *kernel;
    for (int isa = 0; isa < PTOG_ISA_COUNT; isa++)
        for (size_t i = 0; ptog_isa_runs((enum ptog_isa)isa) && (kernel = ptog_kernel_at((enum ptog_isa)isa, i)); i++)
            if (kernel->kind == kind)
                test(kernel);
}

static const int64_t around_blocks[] = {255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2100};

static void call_elem_job(const struct ptog_kernel *kernel, struct ptog_job job)
{
    size_t size = (size_t)kernel->part;
    for (int64_t count = 0; count <= 140; count++)
        call(kernel, job, count, size, false);
    for (size_t c = 0; c < COUNT_OF(around_blocks); c++)
        for (int bad = 0; bad < 2; bad++)
            call(kernel, job, around_blocks[c], size, bad);
    for (int i = 0; i < 20; i++)
        call(kernel, job, 1 + draw() % 3000, size, draw() % 2);
}

/* From a table near the core, and from one that is not. */
static void call_elem(const struct ptog_kernel *kernel)
{
    call_elem_job(kernel, (struct ptog_job){0});
    for (int hint = 0; hint < 3; hint++) {
        static const int64_t ahead[] = {1, 32, 300};
        call_elem_job(kernel, (struct ptog_job){.ahead = ahead[hint], .hint = hint});
    }
}

static void elements(void **state)
{
    (void)state;
    each(PTOG_KERNEL_ELEM, call_elem);
    each(PTOG_KERNEL_ELEM_STEP, call_elem);
}

static void call_rows(const struct ptog_kernel *kernel)
{
    static const int64_t ahead[] = {0, 1, 16, 128};
    static const int64_t counts[] = {0, 1, 2, 127, 128, 129, 255, 256, 257, 384, 900};
    for (size_t c = 0; c < COUNT_OF(counts); c++)
        for (size_t a = 0; a < COUNT_OF(ahead); a++)
            for (int stream = 0; stream < 2; stream++) {
                size_t most = draw() % 4 ? 150 : 1500;
                size_t width = kernel->part ? (size_t)kernel->part : 1 + draw() % most;
                if (!kernel->part && stream)
                    width = width / 64 * 64 + 64;
                struct ptog_job job = {.ahead = ahead[a], .hint = (int)(draw() % 3), .stream = stream};
                call(kernel, job, counts[c], width, false);
                if (counts[c] > 0)
                    call(kernel, job, counts[c], width, true);
            }
    for (size_t width = 1; !kernel->part && width <= 300; width++)
        call(kernel, (struct ptog_job){.ahead = draw() % 3}, 1 + draw() % 5, width, false);
}

static void rows(void **state)
{
    (void)state;
    each(PTOG_KERNEL_WHOLE_ROW, call_rows);
}

static void call_compact(const struct ptog_kernel *kernel)
{
    size_t size = (size_t)kernel->part, step = (size_t)kernel->index_size;
    for (size_t kept = 0; kept <= 420; kept++) {
        size_t bytes = kept ? ((kept - 1) * step + 1) * size : 0; /* not a byte behind the last one kept */
        unsigned char *src = put(&src_guard, bytes), *dst = put(&dst_guard, kept * size);
        fill(src, bytes);
        for (size_t k = 0; k < kept; k++)
            memcpy(expected + k * size, src + k * step * size, size);
        kernel->compact(dst, src, (int64_t)kept);
        if (memcmp(expected, dst, kept * size) != 0) {
            fprintf(stderr, "%s: %zu kept, seed now %u\n", kernel->name, kept, seed);
            fail();
        }
    }
}

static void masks(void **state)
{
    (void)state;
    each(PTOG_KERNEL_COMPACT, call_compact);
}

#define WRAPPED 200 /* lanes: a block of every set, and some more */

/* i % capacity without a division, where it is hardest: the numbers around multiples of the capacity, and around the
 * ends of the type; in one of four calls no index is more than four times the capacity. Elements of one and of four
 * bytes: what is gathered says which one it was. */
static void wrap_is_exact(const struct ptog_kernel *kernel)
{
    const size_t size = (size_t)kernel->part;
    if (kernel->how != PTOG_OOB_WRAP || (size != 1 && size != 4))
        return;
    unsigned char *table = put(&src_guard, MOST / 2);
    fill(table, MOST / 2);
    for (int i = 0; i < 3000; i++) {
        uint64_t all = kernel->index_size == 8 ? UINT64_MAX : UINT32_MAX, index[WRAPPED];
        const uint64_t most[] = {10, 1000, MOST / 2 / size};
        uint64_t capacity = 1 + draw() % most[i % 3];
        struct ptog_job job = {.most = UINT64_MAX, .dst_step = (int64_t)size, .idx_step = kernel->index_size};
        unsigned char dst[WRAPPED * 4], idx[WRAPPED * 8];
        if (i % 4 == 0)
            all = 4 * capacity - 1;
        ptog_job_set_capacity(&job, capacity, kernel->index_size);
        for (int k = 0; k < WRAPPED; k++) {
            uint64_t random = ((uint64_t)draw() << 32 | draw()) % all, multiple = random / capacity * capacity;
            uint64_t near[] = {random, multiple, multiple - 1, multiple + 1, all - draw() % 3, draw() % 3};
            index[k] = ptog_min(near[k % 6], all); /* multiple - 1 may be below zero */
            memcpy(idx + k * kernel->index_size, &index[k], (size_t)kernel->index_size);
        }
        assert_true(kernel->gather(&job, dst, table, idx, WRAPPED));
        for (size_t k = 0; k < WRAPPED; k++)
            if (memcmp(dst + k * size, table + index[k] % capacity * size, size) != 0) {
                fprintf(stderr, "%s: %llu %% %llu, seed now %u\n", kernel->name, (unsigned long long)index[k],
                        (unsigned long long)capacity, seed);
                fail();
            }
    }
}

static void wraps(void **state)
{
    (void)state;
    each(PTOG_KERNEL_ELEM, wrap_is_exact);
}

/* More elements than the index type can name: no index is out of range. */
static void capacities_beyond_the_index_type(void **state)
{
    struct ptog_job job = {0};
    (void)state;
    ptog_job_set_capacity(&job, ((uint64_t)1 << 32) + 5, 4);
    assert_int_equal(job.wide.last, UINT32_MAX);
    assert_int_equal(job.wide.wrap, 0);
    ptog_job_set_capacity(&job, (uint64_t)1 << 32, 4);
    assert_int_equal(job.wide.last, UINT32_MAX);
    assert_int_equal(job.wide.wrap, 0);
    ptog_job_set_capacity(&job, UINT32_MAX, 4);
    assert_int_equal(job.wide.last, UINT32_MAX - 1);
    assert_int_equal(job.wide.wrap, UINT32_MAX);
    assert_int_equal(job.wide.magic, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements),
        cmocka_unit_test(rows),
        cmocka_unit_test(masks),
        cmocka_unit_test(wraps),
        cmocka_unit_test(capacities_beyond_the_index_type),
    };
    if (getenv("PTOG_SEED"))
        seed = (unsigned)strtoul(getenv("PTOG_SEED"), NULL, 10);
    fprintf(stderr, "kernel calls: seed %u (PTOG_SEED)\n", seed);
    dst_guard = guard_new(MOST), src_guard = guard_new(MOST), idx_guard = guard_new(MOST);
    int failed = cmocka_run_group_tests_name("kernel calls", tests, NULL, NULL);
    guard_free(&dst_guard), guard_free(&src_guard), guard_free(&idx_guard);
    return failed;
}
