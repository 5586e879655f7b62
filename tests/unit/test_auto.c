/* unit: automatic mode: what is chosen, for every form on every machine; that nothing of it can be left out; places. */
#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "auto/order.h"
#include "auto/share.h"
#include "base/pick.h"
#include "core/automatic.h"

static const char *const machines[] = {"a2a3", "a5", "a5-custom"};
#define MACHINES (sizeof machines / sizeof machines[0])

/* ---- the choice */

/* The chosen syncs as "MTE2->V:1 barrier(MTE2)". */
static const char *chosen(const struct ptog_clocks *clocks, const struct ptog_waits *waits,
                          const struct ptog_demand *demand)
{
    static char text[256];
    struct ptog_sync syncs[PTOG_MAX_SYNCS];
    int count = ptog_auto_choose(clocks, waits, demand, syncs);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *src = ptog_pipe_name((enum ptog_pipe)syncs[i].src), *gap = ptog_when(i, " ");
        const char *dst = ptog_pipe_name((enum ptog_pipe)syncs[i].dst);
        used += (size_t)(ptog_sync_is_barrier(&syncs[i])
                             ? snprintf(text + used, sizeof text - used, "%sbarrier(%s)", gap, src)
                             : snprintf(text + used, sizeof text - used, "%s%s->%s:%d", gap, src, dst, syncs[i].id));
    }
    return text;
}

static const struct ptog_effects *effects_of(const char *target, enum ptog_form form)
{
    struct ptog_known_insn known = {.target = ptog_target_find(target), .form = form};
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 16, 32)};
    ptog_insn_mgather(&known.insn, &op);
    return ptog_effects_of(&known, &known.insn);
}

static void choices(void **state)
{
    struct ptog_clocks clocks = {.entries = {[PTOG_V] = 7, [PTOG_MTE2] = 5, [PTOG_MTE3] = 3}};
    struct ptog_waits waits = {0};
    struct ptog_demand demand = {.effects = effects_of("a5", PTOG_FORM_ROW)};
    (void)state;
    assert_string_equal(chosen(&clocks, &waits, &demand), "");
    demand.need[0].of[PTOG_MTE2] = 5;
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:1");
    waits.avoid[PTOG_MTE2][PTOG_V] = 1u << 1 | 1u << 2;
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:3");
    demand.need[0].of[PTOG_MTE3] = 3;
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:3 MTE3->V:1");
    clocks.known[PTOG_MTE3].of[PTOG_MTE2] = 5; /* MTE3 has waited for that load: one flag brings both */
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE3->V:1");
}

/* Row on a2a3 goes from V to S and from MTE3 to S by itself; what MTE2 did comes through V. */
static void own_chains(void **state)
{
    struct ptog_clocks clocks = {.entries = {[PTOG_V] = 7, [PTOG_MTE2] = 5, [PTOG_MTE3] = 3}};
    struct ptog_waits waits = {0};
    struct ptog_demand demand = {.effects = effects_of("a2a3", PTOG_FORM_ROW)};
    (void)state;
    demand.need[0].of[PTOG_V] = 7;
    demand.need[0].of[PTOG_MTE3] = 3;
    assert_string_equal(chosen(&clocks, &waits, &demand), "");
    demand.need[0].of[PTOG_MTE2] = 5;
    demand.need[1].of[PTOG_MTE2] = 5; /* the same pipe, which the detour orders too */
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:1");
    demand.effects = effects_of("a2a3", PTOG_FORM_ELEM);
    demand.need[1] = (struct ptog_clock){.heard = 0};
    assert_string_equal(chosen(&clocks, &waits, &demand), "");
    demand = (struct ptog_demand){.effects = effects_of("a2a3", PTOG_FORM_LOAD)};
    demand.need[0].of[PTOG_MTE2] = 5;
    assert_string_equal(chosen(&clocks, &waits, &demand), "barrier(MTE2)");
}

/* When every id is on its way, a flag back comes first. */
static void flags_back(void **state)
{
    struct ptog_clocks clocks = {.entries = {[PTOG_V] = 9, [PTOG_MTE2] = 9}};
    struct ptog_waits waits = {0};
    struct ptog_demand demand = {.effects = effects_of("a5", PTOG_FORM_ROW)};
    struct ptog_sync syncs[PTOG_MAX_SYNCS], set = {PTOG_MTE2, PTOG_V, 2, PTOG_SYNC_WHOLE};
    (void)state;
    demand.need[0].of[PTOG_MTE2] = 9;
    for (int id = 1; id < PTOG_AUTO_IDS; id++)
        waits.of[PTOG_MTE2][PTOG_V][id] = (uint32_t)id + 1;
    assert_string_equal(chosen(&clocks, &waits, &demand), "V->MTE2:1 MTE2->V:1");
    assert_int_equal(ptog_auto_before_set(&clocks, &waits, &set, syncs), 1);
    assert_int_equal(syncs[0].src, PTOG_V);
    clocks.known[PTOG_MTE2].of[PTOG_V] = 3; /* the waits for 1 and 2 are over */
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:1");
    assert_int_equal(ptog_auto_before_set(&clocks, &waits, &set, syncs), 0);
    waits.of[PTOG_MTE2][PTOG_V][1] = PTOG_IS_SET;
    assert_string_equal(chosen(&clocks, &waits, &demand), "MTE2->V:2");
}

/* ---- kernels: every form in a loop over the same tiles */

enum form { ROWS, ROWS_ZERO, ELEMS, ONE_ELEM, BY_INDEX, BY_MASK, BY_COMPARE, FORMS };

static struct ptog_tile vec(ptog_core *core, enum ptog_dtype dtype, int64_t rows, int64_t cols)
{
    struct ptog_tile tile = ptog_tile_vec(dtype, rows, cols);
    assert_int_equal(ptog_core_place(core, &tile), PTOG_OK);
    return tile;
}

static void load(struct kernel *k, const struct ptog_tile *tile, int gm)
{
    struct ptog_transfer x = {.tile = *tile, .view = ptog_tensor_2d(tile->dtype, tile->rows, tile->cols)};
    assert_int_equal(ptog_core_load(AT(k, k->line + 1), &x, gm, 0), PTOG_OK);
}

static void store(struct kernel *k, const struct ptog_tile *tile, uint64_t offset)
{
    struct ptog_transfer x = {.tile = *tile, .view = ptog_tensor_2d(tile->dtype, tile->rows, tile->cols)};
    assert_int_equal(ptog_core_store(AT(k, k->line + 1), &x, k->out, offset), PTOG_OK);
}

static enum ptog_status gather(struct kernel *k, enum form form, const struct ptog_tile *tiles)
{
    bool rows = form == ROWS || form == ROWS_ZERO;
    struct ptog_mgather m = {.dst = rows ? tiles[0] : tiles[4],
                             .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, TABLE_COLS),
                             .idx = tiles[1],
                             .coalesce = rows ? PTOG_ROW : PTOG_ELEM,
                             .oob = form == ROWS_ZERO ? PTOG_OOB_ZERO : PTOG_OOB_CLAMP};
    struct ptog_tgather t = {.form = PTOG_BY_COMPARE};
    if (form == BY_INDEX || form == BY_MASK)
        t.form = form == BY_INDEX ? PTOG_BY_INDEX : PTOG_BY_MASK;
    int32_t limit = 1000;
    if (form == ONE_ELEM) {
        m.dst = ptog_tile_valid(m.dst, 1, 1);
        m.idx = ptog_tile_valid(m.idx, 1, 1);
    }
    if (form < BY_INDEX)
        return ptog_core_mgather(AT(k, k->line + 1), &m, k->table, 0, NULL);
    t.dst = form == BY_COMPARE ? tiles[3] : tiles[4];
    t.src = form == BY_COMPARE ? tiles[1] : tiles[5];
    t.idx = form == BY_INDEX ? tiles[1] : (struct ptog_tile){0};
    t.tmp = form == BY_INDEX ? tiles[2] : (struct ptog_tile){0};
    t.pattern = PTOG_P1111;
    if (form != BY_COMPARE)
        return ptog_core_tgather(AT(k, k->line + 1), &t, NULL);
    t.cdst = ptog_tile_valid(tiles[6], 1, 1);
    t.cmp = PTOG_CMP_GT;
    return ptog_core_tgather_scalar(AT(k, k->line + 1), &t, &limit, NULL);
}

/* False: the machine does not have the form. */
static bool run_kernel(struct kernel *k, enum form form)
{
    struct ptog_tile tiles[7];
    tiles[0] = vec(k->core, PTOG_F32, 16, TABLE_COLS);
    for (int i = 1; i < 4; i++)
        tiles[i] = vec(k->core, PTOG_I32, 1, 16);
    tiles[4] = vec(k->core, PTOG_F32, 1, 16);
    tiles[5] = vec(k->core, PTOG_F32, 1, 16);
    tiles[6] = vec(k->core, PTOG_I32, 1, 8);
    load(k, &tiles[3], k->ids);
    load(k, &tiles[6], k->ids);
    for (int time = 0; time < 8; time++) {
        k->line = 10;
        load(k, &tiles[1], k->ids);
        load(k, &tiles[5], k->table);
        if (gather(k, form, tiles) == PTOG_ILLEGAL)
            return false;
        const struct ptog_tile *dst = form == ROWS || form == ROWS_ZERO ? &tiles[0] : &tiles[4];
        store(k, form == BY_COMPARE ? &tiles[3] : dst, 0);
        store(k, &tiles[6], 8192);
    }
    return true;
}

static bool unordered(const struct kernel *k)
{
    for (size_t i = 0; ptog_diags_at(k->diags, i); i++)
        if (strncmp(ptog_diags_at(k->diags, i)->id, "race-r", 6) == 0 ||
            strncmp(ptog_diags_at(k->diags, i)->id, "race-w", 6) == 0 ||
            strncmp(ptog_diags_at(k->diags, i)->id, "flag", 4) == 0 ||
            strcmp(ptog_diags_at(k->diags, i)->id, "same-pipe-hazard") == 0)
            return true;
    return false;
}

/* How many were put in; -1: the machine does not have the form. */
static int64_t run_form(const char *target, enum form form, uint64_t left_out, bool *clean)
{
    struct ptog_device_options options = {.automatic = true, .no_sanitize = true};
    struct kernel k = kernel_open(target, &options);
    struct ptog_stats stats;
    ptog_core_automatic(k.core, &(struct ptog_automatic){.on = true, .left_out = left_out});
    bool has = run_kernel(&k, form);
    kernel_finish(&k);
    ptog_device_stats(k.device, &stats);
    *clean = !unordered(&k);
    kernel_close(&k);
    return has ? (int64_t)stats.inserted : -1;
}

static void forms(void **state)
{
    int kernels = 0;
    (void)state;
    for (size_t m = 0; m < MACHINES; m++)
        for (int form = 0; form < FORMS; form++) {
            bool clean;
            int64_t count = run_form(machines[m], (enum form)form, 0, &clean);
            if (count < 0)
                continue;
            kernels++;
            bool all = strcmp(machines[m], "a2a3") == 0 && (form == ELEMS || form == ONE_ELEM); /* its own flags do */
            assert_true(clean);
            assert_true(all ? count == 0 : count > 0);
            for (uint64_t i = 1; i <= (uint64_t)count; i++) {
                run_form(machines[m], (enum form)form, i, &clean);
                if (clean)
                    printf("%s, form %d: number %d of %d is not needed\n", machines[m], form, (int)i, (int)count);
                assert_false(clean);
            }
        }
    assert_true(kernels >= 17);
}

/* ---- the bytes, whatever the timing */

static void bytes(void **state)
{
    static unsigned char first[OUT_BYTES];
    (void)state;
    for (size_t m = 0; m < MACHINES; m++)
        for (int form = 0; form < FORMS; form++)
            for (uint64_t seed = 0; seed < 8; seed++) {
                struct ptog_device_options options = {
                    .automatic = true, .schedule = seed ? PTOG_SCHEDULE_RANDOM : PTOG_SCHEDULE_COST, .seed = seed};
                struct kernel k = kernel_open(machines[m], &options);
                run_kernel(&k, (enum form)form);
                kernel_close(&k);
                if (seed == 0)
                    memcpy(first, kernel_out, sizeof first);
                assert_memory_equal(first, kernel_out, sizeof first);
            }
}

/* ---- the kernel's own flags */

static void own_flags_count(void **state)
{
    struct ptog_device_options options = {.automatic = true};
    struct kernel k = kernel_open("a5", &options);
    struct ptog_transfer ids = load_ids(), out = store_rows();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_stats stats;
    (void)state;
    ptog_core_load(AT(&k, 1), &ids, k.ids, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
    ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL);
    flag(&k, 4, PTOG_V, PTOG_MTE3, 1);
    ptog_core_store(AT(&k, 5), &out, k.out, 0);
    EXPECT_CLEAN(&k);
    ptog_device_stats(k.device, &stats);
    assert_int_equal(stats.inserted, 0);
    kernel_close(&k);
}

/* A flag of the kernel that automatic mode has used before gets its flag back. */
static void own_flag_after(void **state)
{
    struct ptog_device_options options = {.automatic = true};
    struct kernel k = kernel_open("a5", &options);
    struct ptog_transfer ids = load_ids();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    ptog_core_load(AT(&k, 1), &ids, k.ids, 0);
    ptog_core_mgather(AT(&k, 2), &op, k.table, 0, NULL); /* MTE2 -> V, 1 */
    for (int id = 0; id < 6; id++)
        flag(&k, 3, PTOG_MTE2, PTOG_V, id);
    for (int time = 0; time < 2; time++)
        flag(&k, 4, PTOG_MTE2, PTOG_V, 1);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* Scalar accesses wait too, and are waited for. */
static void scalars(void **state)
{
    struct ptog_device_options options = {.automatic = true};
    struct kernel k = kernel_open("a2a3", &options);
    struct ptog_tile tile = ptog_tile_vec(PTOG_I32, 1, 16);
    int32_t value = 77, got = 0;
    (void)state;
    assert_int_equal(ptog_core_place(k.core, &tile), PTOG_OK);
    load(&k, &tile, k.ids);
    store(&k, &tile, 0);
    ptog_core_load_scalar(AT(&k, 20), k.out, 4, 4, &got);
    assert_int_equal(got, kernel_ids[1]);
    ptog_core_store_scalar(AT(&k, 21), k.out, 4, 4, &value);
    ptog_core_dcci(k.core, k.out, 4);
    ptog_core_dsb(k.core);
    load(&k, &tile, k.out);
    store(&k, &tile, 64);
    EXPECT(&k, "line-mixed 21 1"); /* which no order helps */
    memcpy(&got, kernel_out + 68, sizeof got);
    assert_int_equal(got, 77);
    kernel_close(&k);
}

/* ---- places */

static void places(void **state)
{
    struct ptog_device_options options = {.automatic = true};
    struct kernel k = kernel_open("a2a3", &options), plain = kernel_open("a2a3", NULL);
    struct ptog_tile small = ptog_tile_vec(PTOG_I8, 1, 33), next = ptog_tile_vec(PTOG_F32, 1, 8), again = next;
    struct ptog_tile rest = ptog_tile_vec(PTOG_I8, 1, 196608 - 96), none = {0};
    (void)state;
    assert_int_equal(ptog_core_place(k.core, &small), PTOG_OK);
    assert_int_equal(ptog_core_place(k.core, &next), PTOG_OK);
    assert_true(small.placed && small.addr == 0 && next.placed && next.addr == 64);
    assert_int_equal(ptog_core_place(k.core, &next), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_place(k.core, &none), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_place(k.core, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_place(NULL, &again), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_place(plain.core, &again), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_place(k.core, &rest), PTOG_OK);
    assert_int_equal(ptog_core_place(k.core, &again), PTOG_NO_ROOM);
    assert_false(again.placed);
    kernel_close(&plain);
    kernel_close(&k);
}

static void around_what_is_taken(void **state)
{
    struct ptog_range taken[] = {{200, 300}, {32, 40}, {500, 600}};
    struct ptog_room room;
    uint64_t addr;
    (void)state;
    ptog_room_open(&room, taken, 3, 1024);
    assert_true(ptog_room_take(&room, 32, &addr) && addr == 0);
    assert_true(ptog_room_take(&room, 100, &addr) && addr == 64);
    assert_true(ptog_room_take(&room, 1, &addr) && addr == 192);
    assert_true(ptog_room_take(&room, 384, &addr) && addr == 608);
    assert_false(ptog_room_take(&room, 64, &addr));
    assert_false(ptog_room_take(&room, UINT64_MAX, &addr));
    assert_true(ptog_room_take(&room, 32, &addr) && addr == 992);
}

/* Random tiles: those that are alive together lie apart, and outside of what is taken; what needs no more than there is
 * at any time mostly fits, and what needs more never does. */
static void places_in_turn(void **state)
{
    enum { COUNT = 24, LIMIT = 4096 };
    const struct ptog_range taken[] = {{1000, 1100}};
    int fit = 0, full = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 500; seed++) {
        struct ptog_live_range of[COUNT];
        uint64_t most;
        for (unsigned i = 0, x = seed * 2654435761u; i < COUNT; i++, x = x * 1664525u + 1013904223u) {
            uint32_t first = x >> 8 & 63, length = x >> 16 & 15;
            of[i] = (struct ptog_live_range){1 + (x >> 20) % 900, 0, first, first + length};
        }
        ptog_share_worst(of, COUNT, &most);
        if (ptog_share(of, COUNT, taken, 1, LIMIT) != PTOG_OK) {
            full += most <= LIMIT / 2;
            continue;
        }
        fit++;
        assert_true(most <= LIMIT);
        for (int i = 0; i < COUNT; i++) {
            assert_true(of[i].addr % 32 == 0 && of[i].addr + of[i].bytes <= LIMIT);
            assert_true(of[i].addr >= 1100 || of[i].addr + of[i].bytes <= 1000);
            for (int k = 0; k < i; k++)
                assert_true(!ptog_live_ranges_meet(&of[i], &of[k]) || of[i].addr >= of[k].addr + of[k].bytes ||
                            of[k].addr >= of[i].addr + of[i].bytes);
        }
    }
    assert_int_equal(full, 0);
    assert_true(fit > 50 && fit < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),        cmocka_unit_test(own_chains),
        cmocka_unit_test(flags_back),     cmocka_unit_test(forms),
        cmocka_unit_test(bytes),          cmocka_unit_test(own_flags_count),
        cmocka_unit_test(own_flag_after), cmocka_unit_test(scalars),
        cmocka_unit_test(places),         cmocka_unit_test(around_what_is_taken),
        cmocka_unit_test(places_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
