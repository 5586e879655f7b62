/* unit: the numbers that kernels are tuned by: the table, the text of PTOG_TUNE with any bytes in it, and that every
 * way of using memory gives the same bytes. */
#define _DEFAULT_SOURCE /* setenv, mkstemp */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/tune.h"
#include "unit/guard.h"

static unsigned seed = 20261117;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 24;
}

/* ---- the table */

static void rows_have_numbers_that_a_file_may_say(void **state)
{
    struct ptog_tune tune;
    const char *measured;
    size_t i = 0;
    (void)state;
    for (; ptog_tune_at(i, &tune, &measured); i++) {
        assert_true(strlen(tune.name) > 0 && strlen(measured) > 0);
#define TUNE_NUMBER(field, least, most, meaning) assert_true(tune.field >= (least) && tune.field <= (most));
#include "kernel/tune.def"
    }
    assert_true(i > 3);
    assert_string_equal(tune.name, "any");
}

static void the_row_of_this_processor_runs(void **state)
{
    struct ptog_tune tune = ptog_tune_here();
    (void)state;
    assert_true(ptog_isa_runs(tune.row_set) && ptog_isa_runs(tune.elem_set) && ptog_isa_runs(tune.mask_set));
}

/* ---- a text */

struct told {
    size_t count, line;
    char why[200];
};

static void note(void *data, size_t line, const char *why)
{
    struct told *told = data;
    if (told->count++ == 0) {
        told->line = line;
        snprintf(told->why, sizeof told->why, "%s", why);
    }
}

static struct ptog_tune read_text(const char *text, size_t bytes, struct told *told)
{
    struct ptog_tune tune = ptog_tune_here();
    *told = (struct told){0};
    ptog_tune_read(&tune, text, bytes, &(struct ptog_tune_watch){note, told});
    return tune;
}

static void fields_are_read(void **state)
{
    static const char text[] = "# a comment\n\n elem_far=5\r\nrow_hint = 2 \n\telem_set\t=\tscalar\nelem_far = 6";
    struct told told;
    struct ptog_tune tune = read_text(text, strlen(text), &told);
    (void)state;
    assert_int_equal(told.count, 0);
    assert_int_equal(tune.elem_far, 6);
    assert_int_equal(tune.row_hint, 2);
    assert_int_equal(tune.elem_set, PTOG_ISA_SCALAR);
    assert_int_equal(tune.row_set, ptog_tune_here().row_set);
}

static void lines_that_cannot_be_used_are_named(void **state)
{
    static const struct {
        const char *line, *why;
    } bad[] = {{"elem_far", "expected 'field = value'"},
               {"elem_fat = 5", "unknown field"},
               {"elem_far = ", "expected a number from 0 to"},
               {"elem_far = -1", "expected a number from 0 to"},
               {"elem_far = 0x10", "expected a number from 0 to"},
               {"elem_far = 99999999999999999999999", "expected a number from 0 to"},
               {"row_hint = 3", "expected a number from 0 to 2"},
               {"elem_ahead = 0", "expected a number from 1 to 1024"},
               {"row_set = sse9", "expected the name of a set of kernels"},
               {"= 4", "unknown field"}};
    char text[200];
    struct told told;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        snprintf(text, sizeof text, "row_most = 5\n%s\nrow_least = 3\n", bad[i].line);
        struct ptog_tune tune = read_text(text, strlen(text), &told);
        assert_int_equal(told.count, 1);
        assert_int_equal(told.line, 2);
        assert_non_null(strstr(told.why, bad[i].why));
        assert_int_equal(tune.row_most, 5);
        assert_int_equal(tune.row_least, 3);
        assert_int_equal(tune.elem_far, ptog_tune_here().elem_far);
    }
}

/* Any bytes, flush with a guard page; and every prefix of a good text. */
static void any_bytes_are_read(void **state)
{
    static const char *const words[] = {"elem_far", "=", " ",  "\n", "9",    "avx512",
                                        "row_set",  "#", "\r", "0",  "\xff", ""};
    struct guard guard = guard_new(4096);
    struct told told;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[512];
        size_t used = 0;
        while (used < 400 && draw() % 30 != 0) {
            const char *word = words[draw() % COUNT_OF(words)];
            if (*word == '\0')
                text[used++] = (char)draw();
            else
                used += (size_t)snprintf(text + used, sizeof text - used, "%s", word);
        }
        unsigned char *at = guard_place(&guard, used, true);
        memcpy(at, text, used);
        struct ptog_tune tune = read_text((const char *)at, used, &told);
#define TUNE_SET(field, meaning) assert_true(ptog_isa_runs(tune.field));
#define TUNE_NUMBER(field, least, most, meaning) assert_true(tune.field >= (least) && tune.field <= (most));
#include "kernel/tune.def"
    }
    guard_free(&guard);
}

/* ---- the file of PTOG_TUNE */

static size_t warnings_of(const char *path, const char *word)
{
    ptog_diags *diags = ptog_diags_new();
    setenv("PTOG_TUNE", path, 1);
    const char *name = ptog_tuning(diags);
    size_t count = ptog_diags_count(diags);
    if (word) {
        assert_true(count > 0);
        assert_non_null(strstr(ptog_diags_at(diags, 0)->message, word));
    } else {
        assert_string_equal(name, "PTOG_TUNE");
    }
    assert_string_equal(ptog_tuning(NULL), name);
    ptog_diags_free(diags);
    unsetenv("PTOG_TUNE");
    return count;
}

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    char path[] = "/tmp/ptog-test-tune-XXXXXX", pipe[64], large[9000];
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(warnings_of(path, NULL), 0);
    write_bytes(path, "elem_far = 7\nelem_far = x\n", 26);
    assert_int_equal(warnings_of(path, ":2: expected a number"), 1);
    memset(large, '\n', sizeof large);
    write_bytes(path, large, sizeof large);
    assert_int_equal(warnings_of(path, "longer than 8 KiB"), 1);
    assert_int_equal(warnings_of("/nowhere/at/all", "cannot be opened"), 1);
    assert_int_equal(warnings_of("/", "is not a file"), 1);
    assert_int_equal(warnings_of("/dev/zero", "is not a file"), 1);
    snprintf(pipe, sizeof pipe, "%s.pipe", path);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(warnings_of(pipe, "is not a file"), 1);
    unlink(pipe);
    unlink(path);
}

/* ---- every way of using memory */

static void gather(const char *settings, bool rows)
{
    enum { COUNT = 700, WIDTH = 48, TABLE = 300 };
    static float table[TABLE * WIDTH], dst[COUNT * WIDTH], expected[COUNT * WIDTH];
    static int32_t idx[COUNT];
    char path[] = "/tmp/ptog-test-tune-XXXXXX";
    int fd = mkstemp(path), width = rows ? WIDTH : 1;
    assert_true(fd >= 0);
    close(fd);
    write_bytes(path, settings, strlen(settings));
    for (int i = 0; i < TABLE * WIDTH; i++)
        table[i] = (float)i;
    for (int i = 0; i < COUNT; i++) {
        idx[i] = (int32_t)(draw() % (uint32_t)(TABLE * WIDTH / width));
        for (int c = 0; c < width; c++)
            expected[i * width + c] = table[idx[i] * width + c];
    }
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, rows ? COUNT : 1, rows ? WIDTH : COUNT),
                              .table = ptog_tensor_2d(PTOG_F32, rows ? TABLE : 1, rows ? WIDTH : TABLE * WIDTH),
                              .idx = ptog_tile_vec(PTOG_I32, 1, COUNT),
                              .coalesce = rows ? PTOG_ROW : PTOG_ELEM};
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {table, sizeof table}, .idx = {idx, sizeof idx}};
    ptog_plan *plan;
    setenv("PTOG_TUNE", path, 1);
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    unsetenv("PTOG_TUNE");
    memset(dst, 0, sizeof dst);
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    assert_memory_equal(dst, expected, (size_t)(COUNT * width) * sizeof *dst);
    if (strstr(settings, "scalar"))
        assert_non_null(strstr(ptog_plan_kernel(plan), ".scalar"));
    ptog_plan_free(plan);
    unlink(path);
}

/* Whether elements of a table of so many bytes go by the plain loops. */
static bool is_scalar(enum ptog_oob oob, int64_t bytes)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 1, 8),
                              .table = ptog_tensor_2d(PTOG_F32, 1, bytes / 4),
                              .idx = ptog_tile_vec(PTOG_I32, 1, 8),
                              .coalesce = PTOG_ELEM,
                              .oob = oob};
    ptog_plan *plan;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    bool found = strstr(ptog_plan_kernel(plan), ".scalar") != NULL;
    ptog_plan_free(plan);
    return found;
}

static void wrap_and_tables_of_a_size_have_a_set_of_their_own(void **state)
{
    static const char text[] = "gather_set = scalar\nelem_near = 4096\nnear_bytes = 8192\n";
    char path[] = "/tmp/ptog-test-tune-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    bool usual = is_scalar(PTOG_OOB_UNDEFINED, 64);
    write_bytes(path, text, strlen(text));
    setenv("PTOG_TUNE", path, 1);
    assert_true(is_scalar(PTOG_OOB_WRAP, 64) && is_scalar(PTOG_OOB_UNDEFINED, 4100) && is_scalar(PTOG_OOB_ZERO, 8192));
    assert_int_equal(is_scalar(PTOG_OOB_ZERO, 4096), usual);
    assert_int_equal(is_scalar(PTOG_OOB_UNDEFINED, 8196), usual);
    unsetenv("PTOG_TUNE");
    unlink(path);
}

static void all_settings_give_the_same_bytes(void **state)
{
    static const char *const settings[] = {
        "",
        "elem_far = 0\nshort_far = 0\nrow_far = 0\n",
        "elem_far = 0\nelem_ahead = 1024\nelem_hint = 2\nrow_far = 0\nshort_far = 0\nrow_most = 128\nrow_least = 128\n",
        "stream_above = 0\n",
        "stream_above = 0\nshort_far = 0\nrow_hint = 1\nrow_ahead = 65536\n",
        "row_set = scalar\nelem_set = scalar\n",
        "row_set = avx512\nelem_set = avx512\ngather_set = avx512\nmask_set = avx512\n",
        "elem_set = avx512-gather\nrow_least = 9\nrow_most = 2\nrow_far = 0\nshort_far = 0\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(settings); i++)
        for (int rows = 0; rows < 2; rows++)
            gather(settings[i], rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_numbers_that_a_file_may_say),
        cmocka_unit_test(the_row_of_this_processor_runs),
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(lines_that_cannot_be_used_are_named),
        cmocka_unit_test(any_bytes_are_read),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(wrap_and_tables_of_a_size_have_a_set_of_their_own),
        cmocka_unit_test(all_settings_give_the_same_bytes),
    };
    if (getenv("PTOG_SEED"))
        seed = (unsigned)strtoul(getenv("PTOG_SEED"), NULL, 10);
    fprintf(stderr, "tune: seed %u (PTOG_SEED)\n", seed);
    unsetenv("PTOG_ISA");
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
