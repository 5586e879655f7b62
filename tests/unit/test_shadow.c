/* The shadow of races against a list of every byte: whatever the accesses are, wherever they end, each byte has the
 * last entry of each pipe that wrote and read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <ptog/target.h>

#include "sanitize/sanitize.h"

enum { BYTES = 3 * 4096 + 1000, EVENTS = 400 };

struct byte {
    uint32_t written[PTOG_PIPES], read[PTOG_PIPES];
};

static uint64_t seed;

static uint64_t below(uint64_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % limit;
}

/* In equal steps through a page or two, or almost, mostly from its start on. */
static void make_steps(struct ptog_access *access)
{
    uint64_t grain = UINT64_C(8) << below(5); /* of smaller ones there are so many that they take long */
    access->pitch = grain << (1 + below(4));
    access->bytes = grain * (1 + below(access->pitch / grain));
    access->count = 4096 / access->pitch * (1 + below(2)) - (below(4) == 0);
    access->at = access->at / 4096 * 4096 + grain * below(access->pitch / grain + 1);
    if (below(5) == 0)
        access->at += access->pitch;
}

/* Aligned to a power of two, mostly; some end with a page, with the buffer, or behind it. */
static struct ptog_access any_access(void)
{
    uint64_t grain = UINT64_C(1) << below(13), at = below(BYTES) / grain * grain;
    struct ptog_access access = {.space = PTOG_IN_GM, .at = at, .bytes = grain * (1 + below(4)), .count = 1};
    access.kind = below(2) ? PTOG_WRITES : PTOG_READS;
    if (below(4) == 0) {
        access.count = 1 + below(5);
        access.pitch = access.bytes + below(3) * grain;
    }
    if (below(6) == 0)
        access.bytes = 4096 - access.at % 4096;
    if (below(12) == 0)
        access.bytes = BYTES;
    if (below(8) == 0)
        make_steps(&access);
    return access;
}

static void note(struct byte *bytes, const struct ptog_access *access, enum ptog_pipe pipe, uint32_t entry)
{
    for (uint64_t k = 0; k < access->count; k++)
        for (uint64_t i = 0; i < access->bytes; i++) {
            uint64_t at = access->at + k * access->pitch + i;
            if (at < BYTES && ptog_access_writes(access))
                bytes[at].written[pipe] = entry;
            else if (at < BYTES)
                bytes[at].read[pipe] = entry;
        }
}

/* Asked of millions of bytes: an assertion is made only where one fails. */
static bool is_written(const struct ptog_cell *cell, const struct byte *byte)
{
    return memcmp(cell->written, byte->written, sizeof cell->written) == 0;
}

static bool is_read(const struct ptog_cell *cell, const struct byte *byte)
{
    bool same = true;
    for (int q = 0; q < PTOG_PIPES; q++)
        same &= q == PTOG_S || cell->read[q] == byte->read[q];
    return same;
}

static void compare(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t count)
{
    const struct byte *bytes = user;
    for (uint64_t i = at; i < at + count; i++)
        if (!is_written(cell, &bytes[i]) || !is_read(cell, &bytes[i]))
            fail_msg("byte %d", (int)i);
}

static void only_writes(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t count)
{
    const struct byte *bytes = user;
    for (uint64_t i = at; i < at + count; i++)
        if (!is_written(cell, &bytes[i]))
            fail_msg("byte %d", (int)i);
}

static void run(void)
{
    static struct byte bytes[BYTES];
    struct ptog_shadow shadow;
    struct ptog_sanitizer_shared shared = {.target = ptog_target_find("a2a3"), .gm = &shadow, .gm_count = 1};
    struct ptog_sanitizer s;
    memset(bytes, 0, sizeof bytes);
    assert_true(ptog_shadow_open(&shadow, BYTES));
    assert_true(ptog_sanitizer_open(&s, &shared, 1, (struct ptog_core_number){0}));
    for (uint32_t step = 1; step <= EVENTS; step++) {
        struct ptog_access accesses[3];
        struct ptog_event event = {.kind = PTOG_EVENT_WORK, .pipe = (enum ptog_pipe)below(PTOG_PIPES), .step = step};
        event.accesses = accesses;
        event.count = 1 + below(3);
        for (size_t i = 0; i < event.count; i++)
            accesses[i] = any_access();
        ptog_sanitizer_event(&s, &event);
        for (size_t i = 0; i < event.count; i++)
            note(bytes, &accesses[i], event.pipe, s.order.clocks.entries[event.pipe]);
        struct ptog_access look = any_access();
        ptog_shadow_visit(&shadow, &look, ptog_access_writes(&look) ? compare : only_writes, bytes);
    }
    struct ptog_access all = {.kind = PTOG_WRITES, .space = PTOG_IN_GM, .bytes = BYTES, .count = 1};
    ptog_shadow_visit(&shadow, &all, compare, bytes);
    ptog_sanitizer_close(&s);
    shared.gm = NULL;
    shared.gm_count = 0;
    ptog_sanitizer_shared_close(&shared);
    ptog_shadow_close(&shadow);
}

static void like_single_bytes(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        seed = i;
        print_message("seed %d\n", (int)i);
        run();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_single_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
