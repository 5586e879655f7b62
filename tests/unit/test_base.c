/* unit: growable arrays and the index by hash, also when memory is refused. */
#include "unit/check.h"
#include "unit/refusing.h"

#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/index.h"

static void array_grows_and_keeps_its_elements(void **state)
{
    (void)state;
    int *of = NULL;
    size_t room = 0;
    for (int i = 0; i < 10000; i++) {
        assert_true(ptog_array_reserve(&of, i + 1, &room));
        assert_true(room > (size_t)i);
        of[i] = i;
    }
    for (int i = 0; i < 10000; i++)
        assert_int_equal(of[i], i);
    assert_true(ptog_array_reserve(&of, 50000, &room)); /* many at once */
    assert_true(room >= 50000);
    assert_int_equal(of[9999], 9999);
    free(of);
}

static void array_refuses_what_cannot_be(void **state)
{
    (void)state;
    int *of = NULL;
    size_t room = 0;
    assert_false(ptog_array_reserve(&of, SIZE_MAX / sizeof *of, &room));
    assert_false(ptog_array_reserve(&of, SIZE_MAX, &room));
    assert_null(of);
    assert_int_equal(room, 0);
    assert_true(ptog_array_reserve(&of, 1, &room));
    int *before = of;
    size_t room_before = room;
    of[0] = 7;
    allocations_left = 0;
    bool grown = ptog_array_reserve(&of, room + 1, &room);
    allocations_left = -1;
    assert_false(grown);
    assert_ptr_equal(of, before);
    assert_int_equal(room, room_before);
    assert_int_equal(of[0], 7);
    free(of);
}

/* The number with this hash and value; number n stands for the value of[n - 1]. */
static uint32_t find(const struct ptog_index *index, const uint32_t *of, uint32_t hash, uint32_t value)
{
    for (const struct ptog_index_slot *s = ptog_index_first(index, hash); s; s = ptog_index_next(index, s)) {
        assert_int_equal(s->hash, hash);
        if (of[s->number - 1] == value)
            return s->number;
    }
    return 0;
}

/* Values with few hashes: most slots are probed past, and each hash has many numbers. */
static void index_finds_what_was_added(void **state)
{
    (void)state;
    static uint32_t of[5000];
    const uint32_t hashes[] = {0, 1, 63, 64, UINT32_MAX, 0x80000000u, 77};
    struct ptog_index index = {0};
    assert_null(ptog_index_first(&index, 0));
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t hash = i % 2 ? i * 2654435761u : hashes[i / 2 % 7];
        of[i] = i;
        assert_int_equal(find(&index, of, hash, i), 0);
        assert_true(ptog_index_add(&index, hash, i + 1));
    }
    assert_int_equal(index.count, 5000);
    assert_true(index.slot_count >= 10000);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(find(&index, of, i % 2 ? i * 2654435761u : hashes[i / 2 % 7], i), i + 1);
    ptog_index_free(&index);
    assert_null(ptog_index_first(&index, 1));
}

static void index_without_memory_is_as_before(void **state)
{
    (void)state;
    uint32_t of[40], added = 0;
    struct ptog_index index = {0};
    for (; added < 32; added++) { /* half of the first 64 slots */
        of[added] = added;
        assert_true(ptog_index_add(&index, added, added + 1));
    }
    allocations_left = 0;
    bool more = ptog_index_add(&index, 32, 33);
    allocations_left = -1;
    assert_false(more);
    assert_int_equal(index.count, 32);
    for (uint32_t i = 0; i < added; i++)
        assert_int_equal(find(&index, of, i, i), i + 1);
    ptog_index_free(&index);
}

/* Every length has its own way through the loop; a byte more, less or other gives another hash. */
static void hash_sees_every_byte(void **state)
{
    (void)state;
    char text[40];
    memset(text, 'a', sizeof text);
    for (size_t length = 1; length < sizeof text; length++) {
        uint32_t hash = ptog_hash_bytes(text, length);
        assert_int_equal(hash, ptog_hash_bytes(text, length));
        assert_int_not_equal(hash, ptog_hash_bytes(text, length - 1));
        for (size_t i = 0; i < length; i++) {
            text[i] = 'b';
            assert_int_not_equal(hash, ptog_hash_bytes(text, length));
            text[i] = 'a';
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(array_grows_and_keeps_its_elements),
        cmocka_unit_test(array_refuses_what_cannot_be),
        cmocka_unit_test(index_finds_what_was_added),
        cmocka_unit_test(index_without_memory_is_as_before),
        cmocka_unit_test(hash_sees_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
