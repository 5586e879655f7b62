/* unit: traces through the C interface: complete, unchanged runs, sinks, launches, and running out of memory. What a
 * trace says is checked by tests/trace. */
#include "machine/kernel.h"

#include <stdlib.h>

#include "report/live.h"

struct text {
    char *bytes;
    size_t length;
};

static void take(void *user, const char *bytes, size_t length)
{
    struct text *text = user;
    text->bytes = realloc(text->bytes, text->length + length + 1);
    assert_non_null(text->bytes);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static size_t count_of(const struct text *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text->bytes; at && (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

static bool ends_well(const struct text *text)
{
    static const char end[] = "\"MHz\":1850}}\n";
    return text->length > sizeof end && strcmp(text->bytes + text->length - (sizeof end - 1), end) == 0;
}

static void embed(struct kernel *k, bool with_flag)
{
    struct ptog_transfer load = load_ids(), store = store_rows();
    struct ptog_mgather rows = gather_rows(PTOG_OOB_CLAMP);
    assert_int_equal(ptog_core_load(AT(k, 1), &load, k->ids, 0), PTOG_OK);
    if (with_flag)
        flag(k, 2, PTOG_MTE2, PTOG_V, 1);
    assert_int_equal(ptog_core_mgather(AT(k, 3), &rows, k->table, 0, NULL), PTOG_OK);
    assert_int_equal(ptog_core_store(AT(k, 4), &store, k->out, 0), PTOG_OK);
}

static void test_embedding(void **state)
{
    struct text text = {0};
    struct ptog_sink sink = {.write = take, .user = &text};
    struct kernel k = kernel_open("a2a3", &(struct ptog_device_options){.trace = &sink});
    (void)state;
    memset(&sink, 0, sizeof sink); /* it was copied */
    embed(&k, true);
    kernel_finish(&k);
    EXPECT_CLEAN(&k);
    ptog_device_end_trace(k.device);
    size_t length = text.length;
    assert_true(ends_well(&text));
    kernel_close(&k);
    assert_int_equal(text.length, length); /* nothing is written twice */
    assert_int_equal(count_of(&text, "\"name\":\"tload\""), 1);
    assert_int_equal(count_of(&text, "\"name\":\"mgather\""), 1 + 16); /* S, and a DMA for each row */
    assert_int_equal(count_of(&text, "\"place\":\"k.c:4\""), 2);       /* issue, work */
    assert_int_equal(count_of(&text, "\"ph\":\"s\""), count_of(&text, "\"ph\":\"f\""));
    assert_int_equal(count_of(&text, "\"ph\":\"i\""), 0);
    assert_int_equal(count_of(&text, "idx (UB 0x8000..0x803f)"), 1);
    assert_int_equal(count_of(&text, "\"name\":\"MTE2\""), 1);
    /* the indices that arrived, at once, in a tile of the type that says how to read them */
    assert_int_equal(count_of(&text, ",32768,\""), 1);
    assert_int_equal(count_of(&text, "\"at\":32768,\"rows\":1,\"cols\":16,"), 1);
    assert_int_equal(count_of(&text, "\"values cut\":false"), 1);
    free(text.bytes);
}

/* The report, the bytes and the figures are those of a run without a trace, with and without the sanitizer. */
static void test_changes_nothing(void **state)
{
    (void)state;
    for (int no_sanitize = 0; no_sanitize < 2; no_sanitize++) {
        struct ptog_stats stats[2];
        size_t found[2];
        static unsigned char bytes[2][2048];
        for (int traced = 0; traced < 2; traced++) {
            struct text text = {0};
            struct ptog_sink sink = {.write = take, .user = &text};
            struct ptog_device_options options = {.trace = traced ? &sink : NULL,
                                                  .no_sanitize = no_sanitize,
                                                  .schedule = PTOG_SCHEDULE_RANDOM,
                                                  .seed = 3};
            struct kernel k = kernel_open("a2a3", &options);
            embed(&k, false);
            kernel_finish(&k);
            ptog_device_stats(k.device, &stats[traced]);
            found[traced] = ptog_diags_count(k.diags);
            memcpy(bytes[traced], kernel_out, sizeof bytes[0]);
            kernel_close(&k);
            assert_int_equal(text.length > 0, traced);
            if (traced)
                assert_int_equal(count_of(&text, "\"name\":\"race-raw\",\"pid\":1"), no_sanitize ? 0 : 1);
            free(text.bytes);
        }
        assert_int_equal(found[0], found[1]);
        assert_int_equal(found[0], no_sanitize ? 0 : 1);
        assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
        assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
    }
}

/* Two launches: the second begins where the first ended. */
static void test_launches(void **state)
{
    struct text text = {0};
    struct ptog_sink sink = {.write = take, .user = &text};
    struct kernel k = kernel_open("a2a3", &(struct ptog_device_options){.trace = &sink});
    struct ptog_transfer load = load_ids();
    (void)state;
    assert_int_equal(ptog_core_load(AT(&k, 1), &load, k.ids, 0), PTOG_OK);
    ptog_core_close(k.core);
    ptog_device_sync(k.device);
    assert_int_equal(ptog_core_open(&k.core, k.device, 0), PTOG_OK);
    assert_int_equal(ptog_core_load(AT(&k, 2), &load, k.ids, 0), PTOG_OK);
    kernel_finish(&k);
    kernel_close(&k);
    assert_true(ends_well(&text));
    assert_int_equal(count_of(&text, "\"name\":\"block 0\""), 2);
    const char *second = strstr(text.bytes, "\"name\":\"issue tload\",\"pid\":2");
    assert_non_null(second);
    second = strstr(second, "\"ts\":");
    assert_true(strtod(second + 5, NULL) > 0.1); /* a load takes 216 cycles at 1850 MHz */
    free(text.bytes);
}

/* A device that nobody used, or whose core was never opened, leaves a trace, too. */
static void test_empty(void **state)
{
    struct text text = {0};
    ptog_device *device;
    struct ptog_sink sink = {.write = take, .user = &text};
    (void)state;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), &(struct ptog_device_options){.trace = &sink}),
                     PTOG_OK);
    ptog_device_close(device);
    assert_true(ends_well(&text));
    free(text.bytes);
    ptog_device_end_trace(NULL);
}

static void note_later(void *user, double time, uint64_t bytes)
{
    double *last = user;
    (void)bytes;
    assert_true(time >= *last);
    *last = time;
}

/* Two changes within one cycle are reported in the order in which they happened. */
static void test_live_within_a_cycle(void **state)
{
    struct ptog_live live = {0};
    double last = 0;
    (void)state;
    assert_true(ptog_live_open(&live, 256));
    ptog_live_write(&live, 0, 32, 0.75, 2);
    ptog_live_write(&live, 32, 32, 0.25, 3);
    ptog_live_end(&live, note_later, &last);
    assert_true(last == 3);
    ptog_live_free(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_embedding), cmocka_unit_test(test_changes_nothing),
                                       cmocka_unit_test(test_launches), cmocka_unit_test(test_empty),
                                       cmocka_unit_test(test_live_within_a_cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
