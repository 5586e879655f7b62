/* Every map of every instruction set, at every size around its vectors, in buffers that end at a page nobody may touch,
 * against the lane of the same name. */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/maps.h"
#include "model/dtype.h"
#include "model/lane.h"
#include "unit/guard.h"

#define MOST 70

static enum ptog_lane_id lane_of(const char *name)
{
#define LANE(lane, ...)                                                                                                \
    if (strcmp(name, #lane) == 0)                                                                                      \
        return PTOG_LANE_##lane;
#include "model/lanes.def"
    return PTOG_LANE_none;
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33 ^ *state << 31;
}

/* Random patterns, and now and then zeros, infinities, NaN and the same number twice. */
static uint64_t element(enum ptog_dtype dtype, uint64_t *state)
{
    static const double few[] = {0.0, -0.0, 1.0, -1.0, 65504.0, 1e-7, 0.5};
    uint64_t bits = random_bits(state);
    if (!ptog_dtype_is_float(dtype) || bits % 3 == 0)
        return bits % 4 == 1 ? bits & 7 : bits;
    if (bits % 11 == 1)
        return ptog_dtype_from_real(dtype, bits & 1024 ? 1.0 / 0.0 : 0.0 / 0.0);
    return ptog_dtype_from_real(dtype, few[bits / 16 % 7] * (bits & 512 ? 3.0 : 1.0));
}

static bool is_nan(enum ptog_dtype dtype, uint64_t bits)
{
    float value = ptog_dtype_is_float(dtype) ? ptog_dtype_to_float(dtype, bits) : 0;
    return value != value;
}

static void fill(unsigned char *to, enum ptog_dtype dtype, size_t count, bool is_one, uint64_t *state)
{
    size_t size = ptog_dtype_size(dtype);
    uint64_t bits = element(dtype, state);
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * size, &bits, size);
        bits = is_one ? bits : element(dtype, state);
    }
}

static void check_map(const struct ptog_map *map, struct guard guards[3], size_t count, int ones, uint64_t *state)
{
    size_t size = ptog_dtype_size(map->dtype), step = PTOG_MAP_STEP / size;
    bool a_is_one = ones & 1, b_is_one = ones & 2;
    unsigned char *a = guard_place(&guards[0], (a_is_one ? step : count) * size, true);
    unsigned char *b = guard_place(&guards[1], (b_is_one ? step : count) * size, true);
    unsigned char *to = guard_place(&guards[2], count * size, true);
    fill(a, map->dtype, a_is_one ? step : count, a_is_one, state);
    fill(b, map->dtype, b_is_one ? step : count, b_is_one, state);
    map->run(&(struct ptog_map_job){a, b, a_is_one, b_is_one, to, count});
    for (size_t i = 0; i < count; i++) {
        uint64_t x = 0, y = 0, got = 0;
        memcpy(&x, a + (a_is_one ? 0 : i * size), size);
        memcpy(&y, b + (b_is_one ? 0 : i * size), size);
        memcpy(&got, to + i * size, size);
        uint64_t want = ptog_lane_compute(ptog_target_find("host"), lane_of(map->name), map->dtype, x, y, 0);
        if (got != want && !(is_nan(map->dtype, got) && is_nan(map->dtype, want)))
            fail_msg("%s %s of %llx, %llx is %llx, not %llx; %zu of %zu", map->name, ptog_dtype_name(map->dtype),
                     (unsigned long long)x, (unsigned long long)y, (unsigned long long)got, (unsigned long long)want, i,
                     count);
    }
}

static void check_set(const struct ptog_map *maps)
{
    struct guard guards[3];
    uint64_t state = 20261116;
    for (int i = 0; i < 3; i++)
        guards[i] = guard_new(MOST * 8 + PTOG_MAP_STEP);
    for (; maps->name; maps++) {
        assert_int_not_equal(lane_of(maps->name), PTOG_LANE_none);
        for (size_t count = 0; count <= MOST; count++)
            check_map(maps, guards, count, (int)(count % 4), &state);
    }
    for (int i = 0; i < 3; i++)
        guard_free(&guards[i]);
}

static void plain_maps(void **state)
{
    (void)state;
    check_set(ptog_maps_plain);
}

static void avx2_maps(void **state)
{
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX2))
        skip();
    check_set(ptog_maps_avx2);
}

static void avx512_maps(void **state)
{
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX512))
        skip();
    check_set(ptog_maps_avx512);
}

/* All 65,536 inputs of exp and log of f16: AVX-512 computes them with factors that were chosen for just these. */
static void every_f16(void **state)
{
    static uint16_t in[65536], out[65536];
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX512))
        skip();
    for (size_t i = 0; i < 65536; i++)
        in[i] = (uint16_t)i;
    for (const struct ptog_map *map = ptog_maps_avx512; map->name; map++) {
        assert_int_equal(map->dtype, PTOG_F16);
        map->run(&(struct ptog_map_job){(unsigned char *)in, (unsigned char *)in, false, false, (unsigned char *)out,
                                        65536});
        for (size_t i = 0; i < 65536; i++) {
            uint64_t want = ptog_lane_compute(ptog_target_find("host"), lane_of(map->name), PTOG_F16, in[i], 0, 0);
            if (out[i] != want && !(is_nan(PTOG_F16, out[i]) && is_nan(PTOG_F16, want)))
                fail_msg("%s of %zx is %x, not %llx", map->name, i, out[i], (unsigned long long)want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_maps), cmocka_unit_test(avx2_maps),
                                       cmocka_unit_test(avx512_maps), cmocka_unit_test(every_f16)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
