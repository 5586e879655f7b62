/* tool: what a program that names no target would do on the machines: it runs on host, where races are not looked for,
 * so "clean" alone would say more than was looked at. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/pick.h"
#include "run.h"

#define MOST_BYTES ((size_t)256 << 20) /* of data that is copied for it */
#define SECONDS 1.0                    /* on each machine */
#define OPERATIONS 256                 /* between two looks at the clock */

static const char *const machines[] = {"a2a3", "a5"};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- the data as it is before the run ---- */

static void free_copies(struct ptog_binding *bindings, size_t count)
{
    for (size_t i = 0; bindings && i < count; i++)
        free(bindings[i].data.data);
    free(bindings);
}

static bool copy_data(struct ptog_binding *to, const struct ptog_binding *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes = from[i].data.bytes;
        to[i] = from[i];
        if (!from[i].data.data)
            continue;
        to[i].data.data = malloc(tool_max(bytes, 1));
        if (!to[i].data.data)
            return false;
        if (bytes > 0)
            memcpy(to[i].data.data, from[i].data.data, bytes);
    }
    return true;
}

static struct ptog_binding *copies(const struct ptog_binding *from, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += from[i].data.bytes;
    struct ptog_binding *to = bytes <= MOST_BYTES ? calloc(count + 1, sizeof *to) : NULL;
    if (to && copy_data(to, from, count))
        return to;
    free_copies(to, count);
    return NULL;
}

void run_elsewhere_start(struct run_elsewhere *elsewhere, const struct run_items *items)
{
    struct ptog_binding *given = run_bindings(items, &elsewhere->count);
    elsewhere->before = given ? copies(given, elsewhere->count) : NULL;
    free(given);
}

void run_elsewhere_free(struct run_elsewhere *elsewhere)
{
    free_copies(elsewhere->before, elsewhere->count);
    elsewhere->before = NULL;
}

/* ---- one machine ---- */

static uint64_t look_at_clock(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    (void)done, (void)most, (void)line;
    if (now() > *(const double *)user)
        return 0;
    return OPERATIONS;
}

static const struct ptog_diag *first_error(const ptog_diags *diags, size_t *errors)
{
    const struct ptog_diag *diag, *first = NULL;
    *errors = 0;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (diag->severity != PTOG_ERROR)
            continue;
        if (!first)
            first = diag;
        ++*errors;
    }
    return first;
}

static void say_judged(const char *name, enum ptog_status status, const ptog_diags *diags)
{
    size_t errors;
    const struct ptog_diag *first = first_error(diags, &errors);
    if (first && strcmp(first->id, "run-steps") == 0)
        fprintf(stderr, "%s: not judged in a second, use --target %s\n", name, name);
    else if (status == PTOG_ILLEGAL && first)
        fprintf(stderr, "%s: refused, %s at line %u; see --target %s\n", name, first->id, (unsigned)first->where.line,
                name);
    else if (first)
        fprintf(stderr, "%s: %zu error%s, %s at line %u; see --target %s\n", name, errors, tool_plural(errors),
                first->id, (unsigned)first->where.line, name);
    else
        fprintf(stderr, "%s: clean for all timings\n", name);
}

static void judge(const struct run_elsewhere *elsewhere, const ptog_program *program,
                  const struct ptog_execution *execution, const char *name)
{
    double end = now() + SECONDS;
    struct ptog_progress clock = {.at = look_at_clock, .user = &end};
    struct ptog_execution there = *execution;
    struct ptog_binding *bindings = elsewhere->before ? copies(elsewhere->before, elsewhere->count) : NULL;
    ptog_diags *diags = ptog_diags_new();
    there.target = ptog_target_find(name);
    there.bindings = bindings;
    there.binding_count = elsewhere->count;
    there.progress = &clock;
    there.trace = NULL;
    enum ptog_status status = bindings && diags ? ptog_program_run(program, &there, diags, NULL) : PTOG_NO_MEMORY;
    if (status == PTOG_NO_MEMORY || status == PTOG_BAD_ARGUMENT)
        fprintf(stderr, "%s: not judged, use --target %s\n", name, name);
    else
        say_judged(name, status, diags);
    ptog_diags_free(diags);
    free_copies(bindings, elsewhere->count);
}

void run_elsewhere_tell(const struct run_elsewhere *elsewhere, const ptog_program *program,
                        const struct ptog_execution *execution)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        judge(elsewhere, program, execution, machines[i]);
}

/* ---- without running ---- */

void check_elsewhere_tell(const ptog_program *program)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        ptog_diags *diags = ptog_diags_new();
        size_t errors;
        enum ptog_status status =
            diags ? ptog_program_check(program, ptog_target_find(machines[i]), diags) : PTOG_NO_MEMORY;
        const struct ptog_diag *first = first_error(diags, &errors);
        if (status == PTOG_OK && !first)
            fprintf(stderr, "%s: accepted; 'ptog run --target %s' looks for races\n", machines[i], machines[i]);
        else if (first)
            fprintf(stderr, "%s: %s, %s at line %u; see --target %s\n", machines[i],
                    first->refuses ? "refused" : "wrong", first->id, (unsigned)first->where.line, machines[i]);
        ptog_diags_free(diags);
    }
}
