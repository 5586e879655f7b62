/* unit: the verifier takes any extents of any operand, of every instruction on every target; a sanitizer build shows
 * sums and products that overflow. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "check.h"

#include <stdio.h>

#include "verify/verify.h"

static uint64_t state_of_random;

static uint64_t draw(uint64_t n)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (state_of_random >> 11) % n;
}

static int64_t any_extent(void)
{
    static const int64_t odd[] = {0,
                                  PTOG_DYN,
                                  -2,
                                  INT64_MIN,
                                  INT64_MAX,
                                  INT64_MAX - 7,
                                  (int64_t)1 << 62,
                                  (int64_t)1 << 61,
                                  (int64_t)1 << 32,
                                  INT32_MAX,
                                  65536};
    return draw(3) == 0 ? odd[draw(COUNT_OF(odd))] : (int64_t)(draw(4) + 1) * 16;
}

static struct ptog_tile any_tile(enum ptog_dtype dtype)
{
    struct ptog_tile tile = ptog_tile_vec(dtype, draw(2) ? 1 : any_extent(), any_extent());
    if (draw(2))
        tile = ptog_tile_valid(tile, any_extent(), any_extent());
    if (draw(4) == 0)
        tile = draw(2) ? ptog_tile_nz(tile) : ptog_tile_col_major(tile);
    if (draw(4) == 0)
        tile = ptog_tile_at(tile, draw(3) ? draw(64) * 32 : UINT64_MAX - draw(64));
    return tile;
}

static struct ptog_insn any_insn(enum ptog_opcode opcode)
{
    struct ptog_insn insn;
    enum ptog_dtype dtype = (enum ptog_dtype)draw(16);
    ptog_insn_start(&insn, opcode);
    for (int i = 0; i < insn.count && i < PTOG_MAX_OPERANDS; i++) {
        struct ptog_tile tile = any_tile(draw(4) ? dtype : (enum ptog_dtype)draw(18));
        if (draw(8))
            ptog_insn_set_tile(&insn, i, &tile);
        else
            ptog_insn_set_scalar(&insn, i, dtype, draw(UINT64_MAX));
    }
    for (int i = 0; i < PTOG_MAX_ATTRS; i++)
        insn.attr[i] = (int64_t)draw(8);
    return insn;
}

static void any_extents_are_judged(void **state)
{
    (void)state;
    uint64_t seed = number_from("PTOG_SEED", 20261117), refused = 0;
    uint64_t count = number_from("PTOG_COUNT", 300) * PTOG_OPCODES;
    ptog_diags *diags = ptog_diags_new();
    printf("test_verify_extents: PTOG_SEED=%llu\n", (unsigned long long)seed);
    state_of_random = seed * 2 + 1;
    for (uint64_t i = 0; i < count; i++) {
        struct ptog_insn insn = any_insn((enum ptog_opcode)(i % PTOG_OPCODES));
        const struct ptog_run run = {.dst_valid = {any_extent(), any_extent()},
                                     .src_valid = {any_extent(), any_extent()}};
        const struct ptog_target *target = ptog_target_at(draw(PTOG_TARGETS));
        enum ptog_status status = ptog_verify_run(target, &insn, draw(2) ? &run : NULL, diags);
        refused += status == PTOG_ILLEGAL && ptog_diags_count(diags) > 0;
        assert_true(status == PTOG_OK || ptog_diags_count(diags) > 0);
        ptog_diags_clear(diags);
    }
    assert_true(refused > count / 4);
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_extents_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
