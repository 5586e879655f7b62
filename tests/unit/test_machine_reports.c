/* unit: each fault of the machine in a kernel on ptog/core.h: the wrong kernel with its report, as a person reads it,
 * in tests/machine/reports; the kernel with the smallest change that makes it clean; and for each race the bytes that
 * the fast and the slow schedule leave. PTOG_UPDATE=1 writes the reports anew. */
#include "machine/scenarios.h"

#include <stdio.h>
#include <stdlib.h>

struct text {
    char of[8192];
    size_t length;
};

static void put(void *user, const char *piece, size_t length)
{
    struct text *text = user;
    assert_true(text->length + length < sizeof text->of);
    memcpy(text->of + text->length, piece, length);
    text->length += length;
    text->of[text->length] = '\0';
}

/* Runs the kernel; its report is in `text`, and k->diags stays to be looked at. */
static struct kernel run(const struct scenario *s, bool fixed, enum ptog_schedule schedule, struct text *text)
{
    struct ptog_device_options options = fixed ? s->right : s->wrong;
    options.schedule = schedule;
    struct kernel k = kernel_open(s->target, &options);
    s->issue(&k, fixed);
    kernel_finish(&k);
    text->length = 0;
    text->of[0] = '\0';
    ptog_report_text(k.diags, &(struct ptog_sink){.write = put, .user = text, .colour = false});
    return k;
}

static bool says(const struct kernel *k, const char *id)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(k->diags, i)) != NULL; i++)
        if (strcmp(diag->id, id) == 0)
            return true;
    return false;
}

static void compare_with_file(const char *name, const struct text *text)
{
    char path[1024], wanted[sizeof text->of] = "";
    snprintf(path, sizeof path, "%s/machine/reports/%s.report", PTOG_TESTS_DIR, name);
    const char *update = getenv("PTOG_UPDATE");
    FILE *file = fopen(path, update ? "w" : "r");
    assert_non_null(file);
    if (update)
        fwrite(text->of, 1, text->length, file);
    else
        wanted[fread(wanted, 1, sizeof wanted - 1, file)] = '\0';
    fclose(file);
    if (!update)
        assert_string_equal(text->of, wanted);
}

static void reports(void **state)
{
    static struct text text;
    (void)state;
    for (size_t i = 0; i < scenario_count; i++) {
        struct kernel k = run(&scenarios[i], false, PTOG_SCHEDULE_COST, &text);
        if (!says(&k, scenarios[i].id))
            fail_msg("%s is not reported:\n%s", scenarios[i].name, text.of);
        compare_with_file(scenarios[i].name, &text);
        kernel_close(&k);
    }
}

/* Nothing is left to say; but that a flag may be more than is needed. */
static void fixes(void **state)
{
    static struct text text;
    (void)state;
    for (size_t i = 0; i < scenario_count; i++) {
        struct kernel k = run(&scenarios[i], true, PTOG_SCHEDULE_COST, &text);
        const struct ptog_diag *diag;
        for (size_t d = 0; (diag = ptog_diags_at(k.diags, d)) != NULL; d++)
            if (strcmp(diag->id, "flag-redundant") != 0)
                fail_msg("%s, repaired:\n%s", scenarios[i].name, text.of);
        kernel_close(&k);
    }
}

/* ---- bytes ---- */

static const void *bytes_of(enum bytes what)
{
    static unsigned char unwritten[ROW_BYTES], zeros[ROW_BYTES];
    static float blocks[TABLE_COLS];
    memset(unwritten, 0xAA, sizeof unwritten);
    for (int i = 0; i < TABLE_COLS; i++)
        blocks[i] =
            kernel_table[i % 8]; /* rows 0 to 3 of the tile's first block column, all of them row 0 of the table */
    switch (what) {
    case ROW_0: return kernel_table;
    case ROW_1: return kernel_table + TABLE_COLS;
    case LAST_ROW: return kernel_table + (TABLE_ROWS - 1) * TABLE_COLS;
    case UNWRITTEN: return unwritten;
    case ZEROS: return zeros;
    default: return blocks;
    }
}

/* Each kind of race of the tables has its bytes. */
static void races_say_their_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < scenario_count; i++) {
        const char *id = scenarios[i].id;
        bool race = strncmp(id, "race-", 5) == 0 || strcmp(id, "same-pipe-hazard") == 0;
        assert_true(!race || (scenarios[i].fast != NO_BYTES && scenarios[i].slow != NO_BYTES));
    }
}

/* Every fault of the machine, and of its lanes, is here; a short buffer is one of plans. No instruction has an operand in
 * the buffer of scales yet: tests/pto/reject has a tile that ends past it. */
static void all_faults(void **state)
{
    (void)state;
    for (size_t i = 0;; i++) {
        const struct ptog_machine_fault *machine = ptog_machine_fault_at(i);
        const struct ptog_fault_info *lanes = ptog_fault_info_at(i);
        bool of_cpp = machine && machine->launch; /* tests/cpp has those */
        const char *const ids[] = {machine && !of_cpp ? machine->id : NULL, lanes ? lanes->id : NULL};
        if (!machine && !lanes)
            break;
        for (int n = 0; n < 2; n++) {
            bool there = !ids[n] || strcmp(ids[n], "short-buffer") == 0 || strcmp(ids[n], "flag-redundant") == 0 ||
                         strcmp(ids[n], "limit-queue") == 0 || strcmp(ids[n], "fb-overflow") == 0;
            for (size_t k = 0; k < scenario_count && !there; k++)
                there = strcmp(scenarios[k].id, ids[n]) == 0;
            if (!there)
                fail_msg("no kernel shows %s", ids[n]);
        }
    }
}

/* Every race says what the two schedules leave; under both the report is the same, and the repaired kernel's bytes too.
 */
static void schedules(void **state)
{
    static struct text usual, text;
    (void)state;
    for (size_t i = 0; i < scenario_count; i++) {
        const struct scenario *s = &scenarios[i];
        struct kernel k = run(s, false, PTOG_SCHEDULE_COST, &usual);
        kernel_close(&k);
        for (int slow = 0; slow < 2; slow++) {
            enum bytes what = slow ? s->slow : s->fast;
            k = run(s, false, slow ? PTOG_SCHEDULE_SLOW : PTOG_SCHEDULE_FAST, &text);
            assert_string_equal(text.of, usual.of);
            if (what != NO_BYTES && memcmp(kernel_out, bytes_of(what), ROW_BYTES) != 0)
                fail_msg("%s: other bytes under %s", s->name, slow ? "slow" : "fast");
            kernel_close(&k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports), cmocka_unit_test(fixes), cmocka_unit_test(schedules),
                                       cmocka_unit_test(races_say_their_bytes), cmocka_unit_test(all_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
