/* The batch program of auto.py: programs without flags and their data come in on stdin, verdicts go out on stdout.
 *
 * Each program is run, to the bytes that it means, and printed as it ran. The printed text must run clean, and to the
 * same bytes. Without any one of the pairs and barriers that were put in, a fault of order must be reported. With some
 * of them taken out, the repaired text must run clean again, to the same bytes. What comes out for each is how much was
 * tried and what went wrong. */
#include "pto/case.h"
#include "repair/run.h"

#define FLAGS "pto.set_flag["
#define BARRIER "pto.barrier <PIPE_"
#define NOTHING "pto.barrier <PIPE_M>" /* order of its own, so that nothing is completed, and no effect */
#define MAX_SYNCS 512

struct sync {
    size_t at, length; /* of the lines in the text */
};

struct verdict {
    bool exact; /* asked for: the bytes must be those that the program means */
    int64_t syncs, removals, repairs;
    struct text wrong; /* empty: nothing is */
};

static void complain(struct verdict *v, const char *what, const struct text *text)
{
    append(&v->wrong, what, strlen(what));
    append(&v->wrong, "\n", 1);
    append(&v->wrong, text->bytes, text->length);
}

/* ---- running */

static bool is_of_order(const char *id)
{
    static const char *const ids[] = {"race-raw",        "race-war",      "race-waw",      "same-pipe-hazard",
                                      "flag-double-set", "flag-id-clash", "flag-left-set", "flag-never-set"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (strcmp(id, ids[i]) == 0)
            return true;
    return false;
}

struct ran {
    enum ptog_status status;
    size_t unordered;  /* faults of order that a flag could mend */
    size_t redundant;  /* pairs that change nothing; a repair may leave such ones of the author's */
    struct text first; /* the first of them */
    struct ptog_binding after[MAX_COUNT];
    struct text printed;
};

static struct ptog_execution execution_of(const struct program_case *c, const struct ptog_binding *bindings)
{
    return (struct ptog_execution){.target = ptog_target_find(c->target.bytes),
                                   .bindings = bindings,
                                   .binding_count = c->binding_count,
                                   .blocks = c->blocks};
}

static void judge(struct ran *ran, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        ran->redundant += strcmp(diag->id, "flag-redundant") == 0;
        if (!is_of_order(diag->id) || strstr(diag->message, "another block"))
            continue;
        if (ran->unordered++ == 0)
            append(&ran->first, diag->message, strlen(diag->message));
    }
}

/* Parses and runs, with so many operations for flags that are missing and for fixes; `print`: and prints as it ran. */
static struct ran run_on(const struct program_case *c, const char *target, const struct text *text, bool print,
                         uint64_t operations)
{
    struct ran ran = {.status = PTOG_ILLEGAL};
    ptog_program *program = NULL;
    ptog_result *result = NULL;
    ptog_diags *diags = ptog_diags_new();
    copy_bindings(ran.after, c);
    if (ptog_program_parse(&program, "auto.pto", text->bytes, text->length, diags) == PTOG_OK) {
        struct ptog_execution execution = execution_of(c, ran.after);
        execution.target = ptog_target_find(target);
        ran.status = ptog_run_within(&(struct ptog_budget){.most = operations}, program, &execution, diags, &result);
        judge(&ran, diags);
        struct ptog_sink sink = {.write = append, .user = &ran.printed};
        if (result && print && ptog_result_program(result, &sink, diags) != PTOG_OK)
            ran.status = PTOG_ILLEGAL;
    }
    ptog_result_free(result);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return ran;
}

static struct ran run_text(const struct program_case *c, const struct text *text, bool print)
{
    return run_on(c, c->target.bytes, text, print, PTOG_BUDGET);
}

static void free_ran(struct ran *ran, const struct program_case *c)
{
    free_bindings(ran->after, c->binding_count);
    free(ran->printed.bytes);
    free(ran->first.bytes);
}

static bool same_bytes(const struct ran *a, const struct ran *b, const struct program_case *c)
{
    for (size_t i = 0; i < c->binding_count; i++)
        if (a->after[i].data.bytes > 0 &&
            memcmp(a->after[i].data.data, b->after[i].data.data, a->after[i].data.bytes) != 0)
            return false;
    return true;
}

/* ---- the pairs and barriers of a text */

static size_t line_end(const struct text *text, size_t at)
{
    const char *end = strchr(text->bytes + at, '\n');
    return end ? (size_t)(end - text->bytes) : text->length;
}

/* All of them were put in: the programs have none. A set and its wait stand on two lines. */
static size_t find_syncs(const struct text *text, struct sync syncs[MAX_SYNCS])
{
    size_t count = 0;
    for (size_t at = 0; at < text->length && count < MAX_SYNCS;) {
        const char *line = text->bytes + at + strspn(text->bytes + at, " ");
        size_t end = line_end(text, at);
        bool flags = strncmp(line, FLAGS, strlen(FLAGS)) == 0, barrier = strncmp(line, BARRIER, strlen(BARRIER)) == 0;
        if (flags)
            end = line_end(text, end + 1);
        if (flags || barrier)
            syncs[count++] = (struct sync){at, end - at};
        at = end + 1;
    }
    return count;
}

/* The text with those syncs, of which the bits are set, replaced by nothing. */
static struct text without(const struct text *text, const struct sync *syncs, size_t count, const bool *gone)
{
    struct text made = {0};
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (!gone[i])
            continue;
        append(&made, text->bytes + at, syncs[i].at - at);
        append(&made, NOTHING, strlen(NOTHING));
        at = syncs[i].at + syncs[i].length;
    }
    append(&made, text->bytes + at, text->length - at);
    return made;
}

/* ---- what must hold */

static void try_removals(const struct program_case *c, const struct text *text, const struct sync *syncs, size_t count,
                         struct verdict *v)
{
    for (size_t i = 0; i < count && v->wrong.length == 0; i++) {
        bool gone[MAX_SYNCS] = {false};
        gone[i] = true;
        struct text less = without(text, syncs, count, gone);
        struct ran ran = run_on(c, c->target.bytes, &less, false, 0); /* nobody reads its fixes */
        if (ran.unordered == 0)
            complain(v, "a pair or barrier is not needed; without it:", &less);
        v->removals++;
        free_ran(&ran, c);
        free(less.bytes);
    }
}

static struct text repaired(const struct program_case *c, const struct text *text)
{
    struct text made = {0};
    struct ptog_sink sink = {.write = append, .user = &made};
    struct ptog_binding bindings[MAX_COUNT];
    ptog_program *program = NULL;
    copy_bindings(bindings, c);
    struct ptog_execution execution = execution_of(c, bindings);
    if (ptog_program_parse(&program, "less.pto", text->bytes, text->length, NULL) != PTOG_OK ||
        ptog_program_repair(program, &execution, &sink, NULL) != PTOG_OK)
        append(&made, "", 0);
    for (size_t i = 0; i < c->binding_count; i++)
        if (memcmp(bindings[i].data.data, c->bindings[i].data.data, c->bindings[i].data.bytes) != 0)
            fail("a repair has changed the buffers");
    free_bindings(bindings, c->binding_count);
    ptog_program_free(program);
    return made;
}

static void try_repair(const struct program_case *c, const struct ran *clean, const struct sync *syncs, size_t count,
                       uint64_t seed, struct verdict *v)
{
    bool gone[MAX_SYNCS] = {false};
    for (size_t i = 0; i < count; i++)
        gone[i] = (seed >> (i * 7 % 61) & 3) == 0;
    struct text less = without(&clean->printed, syncs, count, gone), whole = repaired(c, &less);
    struct ran ran = run_text(c, &whole, false);
    if (ran.unordered > 0 || ran.status != clean->status) {
        complain(v, "a repaired program is not clean:", &whole);
        complain(v, "it says:", &ran.first);
    } else if (!same_bytes(&ran, clean, c)) {
        complain(v, "a repaired program leaves other bytes:", &whole);
    }
    v->repairs++;
    free_ran(&ran, c);
    free(whole.bytes);
    free(less.bytes);
}

static void try_case(const struct program_case *c, uint64_t seed, struct verdict *v)
{
    struct sync syncs[MAX_SYNCS];
    struct ran first = run_text(c, &c->source, true), meant = run_on(c, "host", &c->source, false, 0);
    if (first.unordered > 0)
        complain(v, "the program is not clean:", &first.first);
    if (v->exact && (first.status != meant.status || !same_bytes(&first, &meant, c)))
        complain(v, "the program leaves other bytes than it means:", &c->source);
    if (first.printed.length > 0 && v->wrong.length == 0) {
        struct ran again = run_text(c, &first.printed, false);
        if (again.status != first.status || again.unordered + again.redundant > 0)
            complain(v, "the printed program is not clean:", &first.printed);
        else if (!same_bytes(&first, &again, c))
            complain(v, "the printed program leaves other bytes:", &first.printed);
        size_t count = find_syncs(&first.printed, syncs);
        v->syncs = (int64_t)count;
        try_removals(c, &first.printed, syncs, count, v);
        for (uint64_t i = 0; i < 2 && count > 0 && v->wrong.length == 0; i++)
            try_repair(c, &first, syncs, count, seed * (i + 1), v);
        free_ran(&again, c);
    } else if (first.status == PTOG_OK || first.status == PTOG_FAULT) {
        complain(v, "the program is not printed:", &c->source);
    }
    free_ran(&first, c);
    free_ran(&meant, c);
}

int main(void)
{
    static struct program_case c;
    uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
    while (read_case(&c)) {
        struct verdict v = {.exact = read_word() != 0};
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        try_case(&c, seed, &v);
        write_word(BATCH_RESULT_MARK);
        write_word(v.syncs);
        write_word(v.removals);
        write_word(v.repairs);
        write_text(v.wrong.bytes, v.wrong.length);
        free(v.wrong.bytes);
        free_case(&c);
        if (fflush(stdout) != 0)
            fail("cannot write stdout");
    }
    return 0;
}
