/* Every cast of every instruction set against model/convert.h, bit by bit, in every mode: all elements of 8- and 16-bit
 * types, and of wider ones random and remarkable numbers. Then at every size around the vectors, in buffers that end at
 * a page nobody may touch. */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/casts.h"
#include "model/convert.h"
#include "model/dtype.h"
#include "unit/guard.h"

#define MANY 65536 /* all elements of 16 bits */
#define SOME 4096  /* of those that have more */
#define MOST 70

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33 ^ *state << 31;
}

/* Floats of every exponent, and those next to halves of whole numbers; integers of every length. */
static uint64_t element(enum ptog_dtype dtype, uint64_t i, uint64_t *state)
{
    uint64_t bits = random_bits(state);
    if (ptog_dtype_size(dtype) <= 2)
        return i;
    if (dtype != PTOG_F32)
        return (uint64_t)((int64_t)bits >> bits % 61);
    if (bits % 4 == 1)
        return ptog_dtype_from_real(dtype, (double)((int64_t)(bits >> 8 & 0x1ffff) - 65536) / 2) + bits % 3 - 1;
    if (bits % 4 == 2) /* where f16 has its numbers */
        return (bits & 0x8fffffff) | 0x30000000 | (bits >> 12 & 0x1f000000 & -(bits >> 62));
    return bits;
}

static struct ptog_cast_job job_of(const struct ptog_conversion *c, const unsigned char *from, unsigned char *to,
                                   size_t count)
{
    return (struct ptog_cast_job){.from = from, .to = to, .count = count, .round = c->round, .saturates = c->saturates};
}

/* How many elements the cast did before it stopped; what it did is right. */
static size_t check_job(const struct ptog_cast *cast, const struct ptog_conversion *c, const struct ptog_cast_job *job,
                        const unsigned char *from)
{
    size_t done = ptog_cast_run(cast, job);
    assert_in_range(done, 0, job->count);
    for (size_t i = 0; i < done; i++) {
        uint64_t bits = 0, got = 0, want;
        memcpy(&bits, from + i * cast->sizes[0], cast->sizes[0]);
        memcpy(&got, job->to + i * cast->sizes[1], cast->sizes[1]);
        want = ptog_convert(c, bits);
        if (memcmp(&got, &want, cast->sizes[1]) != 0)
            fail_msg("%s to %s, mode %d, %s: %llx is %llx, not %llx", ptog_dtype_name(c->from), ptog_dtype_name(c->to),
                     (int)c->round, c->saturates ? "ON" : "OFF", (unsigned long long)bits, (unsigned long long)got,
                     (unsigned long long)want);
    }
    return done;
}

/* All elements. Where it stops, one element is left out; that may not happen often. */
static void check_all(const struct ptog_cast *cast, const struct ptog_conversion *c, unsigned char *from,
                      unsigned char *to)
{
    static const size_t counts[] = {[1] = 256, [2] = MANY, [4] = SOME, [8] = SOME};
    size_t left_out = 0, count = counts[cast->sizes[0]];
    for (size_t at = 0; at < count;) {
        struct ptog_cast_job job = job_of(c, from + at * cast->sizes[0], to, count - at);
        size_t done = check_job(cast, c, &job, job.from);
        left_out += done < job.count;
        at += done + 1;
    }
    assert_true(left_out < count / 2 || cast->sizes[0] > 2); /* of random long ones, most do not fit */
}

static void check_sizes(const struct ptog_cast *cast, const struct ptog_conversion *c, const unsigned char *numbers,
                        struct guard guards[2])
{
    for (size_t count = 0; count <= MOST; count++)
        for (int end = 0; end < 2; end++) {
            unsigned char *from = guard_place(&guards[0], count * cast->sizes[0], end);
            unsigned char *to = guard_place(&guards[1], count * cast->sizes[1], end);
            memcpy(from, numbers + 40 * cast->sizes[0], count * cast->sizes[0]);
            struct ptog_cast_job job = job_of(c, from, to, count);
            check_job(cast, c, &job, from);
            if (cast->sizes[1] > cast->sizes[0])
                continue;
            job.to = from; /* in place */
            check_job(cast, c, &job, numbers + 40 * cast->sizes[0]);
        }
}

static void check_cast(const struct ptog_cast *cast, enum ptog_dtype from, enum ptog_dtype to)
{
    static unsigned char numbers[MANY * 8], results[MANY * 8];
    struct guard guards[2] = {guard_new(MOST * 8), guard_new(MOST * 8)};
    uint64_t state = 20261116;
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t bits = element(from, i, &state);
        memcpy(numbers + i * cast->sizes[0], &bits, cast->sizes[0]);
    }
    for (int mode = PTOG_ROUND_RINT; mode <= PTOG_ROUND_ODD; mode++)
        for (int saturates = 0; saturates < 2; saturates++) {
            struct ptog_conversion c = {from, to, (enum ptog_round)mode, saturates, false, false};
            if (mode == PTOG_ROUND_ODD && (from != PTOG_F32 || to != PTOG_F16))
                continue; /* no conversion has that mode */
            check_all(cast, &c, numbers, results);
            check_sizes(cast, &c, numbers, guards);
        }
    guard_free(&guards[0]);
    guard_free(&guards[1]);
}

static void check_set(enum ptog_isa isa)
{
    size_t found = 0;
    for (int from = PTOG_I8; from <= PTOG_HIF8; from++)
        for (int to = PTOG_I8; to <= PTOG_HIF8; to++) {
            struct ptog_cast cast;
            if (!ptog_cast_find(isa, (enum ptog_dtype)from, (enum ptog_dtype)to, &cast))
                continue;
            check_cast(&cast, (enum ptog_dtype)from, (enum ptog_dtype)to);
            found++;
        }
    assert_true(found >= 60);
}

static void plain_casts(void **state)
{
    (void)state;
    check_set(PTOG_ISA_SCALAR);
}

static void avx2_casts(void **state)
{
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX2))
        skip();
    check_set(PTOG_ISA_AVX2);
}

/* What must not be left to the loop over elements. */
static void usual_types_have_casts(void **state)
{
    static const enum ptog_dtype pairs[][2] = {{PTOG_F32, PTOG_F16},  {PTOG_F16, PTOG_F32}, {PTOG_F32, PTOG_BF16},
                                               {PTOG_BF16, PTOG_F32}, {PTOG_F32, PTOG_I32}, {PTOG_I32, PTOG_F32},
                                               {PTOG_F16, PTOG_I8},   {PTOG_I8, PTOG_F16},  {PTOG_I32, PTOG_I16}};
    struct ptog_cast cast;
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_true(ptog_cast_find(PTOG_ISA_SCALAR, pairs[i][0], pairs[i][1], &cast));
    assert_false(ptog_cast_find(PTOG_ISA_SCALAR, PTOG_U32, PTOG_I64, &cast));
    assert_false(ptog_cast_find(PTOG_ISA_SCALAR, PTOG_I32, PTOG_BF16, &cast));
    assert_null(cast.in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_casts), cmocka_unit_test(avx2_casts),
                                       cmocka_unit_test(usual_types_have_casts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
