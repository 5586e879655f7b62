/* unit tests of programs: parse, check and run a text in one line. */
#ifndef PTOG_TESTS_UNIT_TEST_PROGRAM_TOOLS_H
#define PTOG_TESTS_UNIT_TEST_PROGRAM_TOOLS_H

#include "base/pick.h"
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ids of all diagnostics, one after another with a space between; cut at the end of `text`. */
static inline const char *ids_of(const ptog_diags *diags, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", ptog_when(used, " "), ptog_diags_at(diags, i)->id);
    }
    return text;
}

static inline ptog_program *parsed(const char *text)
{
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = ptog_program_parse(&program, "t.pto", text, strlen(text), diags);
    if (status != PTOG_OK)
        print_error("%s\n%s\n", ptog_diags_count(diags) ? ptog_diags_at(diags, 0)->message : "?", text);
    assert_int_equal(status, PTOG_OK);
    ptog_diags_free(diags);
    return program;
}

/* Checks `text` on a target and compares the ids found; an empty list is PTOG_OK. */
static inline void check_gives(const char *text, const char *target, const char *ids)
{
    char found[1000];
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = parsed(text);
    ptog_program_check(program, ptog_target_find(target), diags);
    ids_of(diags, found, sizeof found);
    if (strcmp(found, ids) != 0) {
        print_error("in:\n%s\n", text);
        for (size_t i = 0; i < ptog_diags_count(diags); i++)
            print_error("line %u: %s\n", (unsigned)ptog_diags_at(diags, i)->where.line,
                        ptog_diags_at(diags, i)->message);
    }
    assert_string_equal(found, ids);
    ptog_program_free(program);
    ptog_diags_free(diags);
}

/* The first message of a check. */
static inline void check_says(const char *text, const char *target, unsigned line, unsigned column, const char *message)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = parsed(text);
    ptog_program_check(program, ptog_target_find(target), diags);
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    assert_non_null(diag);
    assert_string_equal(diag->message, message);
    assert_int_equal(diag->where.line, line);
    assert_int_equal(diag->where.column, column);
    ptog_program_free(program);
    ptog_diags_free(diags);
}

struct run_of {
    enum ptog_status status;
    ptog_result *result;
    ptog_diags *diags;
    ptog_program *program;
    char ids[1000];
};

static inline struct run_of run_text(const char *text, struct ptog_execution execution)
{
    struct run_of run = {.diags = ptog_diags_new(), .program = parsed(text)};
    run.status = ptog_program_run(run.program, &execution, run.diags, &run.result);
    ids_of(run.diags, run.ids, sizeof run.ids);
    return run;
}

static inline void run_done(struct run_of *run)
{
    ptog_result_free(run->result);
    ptog_program_free(run->program);
    ptog_diags_free(run->diags);
}

/* Runs a text without bindings and compares the ids found. */
static inline void run_gives(const char *text, const char *target, const char *ids)
{
    struct run_of run = run_text(text, (struct ptog_execution){.target = ptog_target_find(target), .max_steps = 1000});
    if (strcmp(run.ids, ids) != 0)
        print_error("%s\nin:\n%s\n", ptog_diags_count(run.diags) ? ptog_diags_at(run.diags, 0)->message : "", text);
    assert_string_equal(run.ids, ids);
    run_done(&run);
}

#define BIND_F32(n, array, r, c)                                                                                       \
    {                                                                                                                  \
        .name = (n), .data = {(array), sizeof(array)}, .dtype = PTOG_F32, .rank = 2, .shape = {(r), (c) }              \
    }
#define BIND_I32(n, array, r, c)                                                                                       \
    {                                                                                                                  \
        .name = (n), .data = {(array), sizeof(array)}, .dtype = PTOG_I32, .rank = 2, .shape = {(r), (c) }              \
    }
#define BIND_NUMBER(n, value)                                                                                          \
    {                                                                                                                  \
        .name = (n), .is_number = true, .number = (value)                                                              \
    }

#endif
