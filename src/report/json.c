/* report: diagnostics as one JSON object. */
#include "base/reserved.h"
#include "report/json_writer.h"

#include <ptog/target.h>

#include "base/pick.h"
#include "report/checked.h"
#include "report/put.h"

/* Of an author's own line: who calls it, and the place in the generated program. */
static void put_origin(struct ptog_json *json, const struct ptog_where *where)
{
    if (!where->origin)
        return;
    if (where->origin->origin) {
        ptog_json_key(json, "callers");
        ptog_json_open(json, '[');
        for (const struct ptog_where *caller = where->origin->origin; caller; caller = caller->origin) {
            ptog_json_open(json, '{');
            ptog_json_string_of(json, "file", caller->file);
            ptog_json_number_of(json, "line", caller->line);
            ptog_json_number_of(json, "column", caller->column);
            ptog_json_close(json, '}');
        }
        ptog_json_close(json, ']');
    }
    ptog_json_key(json, "generated");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "file", where->file);
    ptog_json_number_of(json, "line", where->line);
    ptog_json_number_of(json, "column", where->column);
    ptog_json_number_of(json, "end_column", where->end_column);
    ptog_json_close(json, '}');
}

/* Writes a related place; its file only where that is not the one of every place of the diagnostic. */
static void put_related(struct ptog_json *json, const struct ptog_related_place *related, bool names_file)
{
    const struct ptog_where *where = ptog_headline(&related->where);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "message", related->message);
    if (names_file || related->where.origin)
        ptog_json_string_of(json, "file", where->file);
    ptog_json_number_of(json, "line", where->line);
    ptog_json_number_of(json, "column", where->column);
    put_origin(json, &related->where);
    ptog_json_close(json, '}');
}

/* Writes the witness of a diagnostic: what it showed, and which instruction was late. */
static void put_witness(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "witness");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "message", diag->witness);
    ptog_json_number_of(json, "block", diag->late_block);
    ptog_json_number_of(json, "instruction", diag->late_instruction);
    ptog_json_close(json, '}');
}

/* A step of a fix: its words, and if it is a statement, what it is and where it goes. */
static void put_step(struct ptog_json *json, const struct ptog_fix *step)
{
    static const char *const kinds[] = {"words", "set", "wait", "barrier", "flush", "fence"};
    static const char *const sides[] = {NULL, "before", "after", "instead", "remove"};
    char words[PTOG_MAX_STEP];
    ptog_json_open(json, '{');
    ptog_fix_words(step, words, sizeof words);
    ptog_json_string_of(json, "text", words);
    ptog_json_string_of(json, "kind", kinds[step->kind]);
    if (step->kind != PTOG_FIX_WORDS) {
        ptog_fix_statement(step, words, sizeof words);
        ptog_json_string_of(json, "statement", words);
    }
    if (step->kind == PTOG_FIX_SET || step->kind == PTOG_FIX_WAIT || step->kind == PTOG_FIX_BARRIER) {
        ptog_json_string_of(json, "src", ptog_pipe_name(step->src));
        ptog_json_string_of(json, "dst", ptog_pipe_name(step->dst));
    }
    if (step->kind == PTOG_FIX_SET || step->kind == PTOG_FIX_WAIT)
        ptog_json_number_of(json, "id", (uint64_t)step->id);
    if (step->side != PTOG_FIX_ANYWHERE) {
        ptog_json_string_of(json, "side", sides[step->side]);
        if (step->names_file)
            ptog_json_string_of(json, "file", step->where.file);
        ptog_json_number_of(json, "line", step->where.line);
        ptog_json_number_of(json, "column", step->where.column);
    }
    if (step->side == PTOG_FIX_INSTEAD)
        ptog_json_number_of(json, "end_column", step->where.end_column);
    if (step->from_line > 0)
        ptog_json_number_of(json, "from_line", step->from_line);
    ptog_json_close(json, '}');
}

/* `target`: what it was found for, where that has to be said; NULL: the report has one target. */
static void put_diag(struct ptog_json *json, const struct ptog_diag *diag, const char *target)
{
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "id", diag->id);
    ptog_json_string_of(json, "severity", ptog_severity_name(diag->severity));
    if (diag->unjudged)
        ptog_json_bool_of(json, "unjudged", true);
    if (target)
        ptog_json_string_of(json, "target", target);
    ptog_json_string_of(json, "message", diag->message);
    const struct ptog_where *where = ptog_headline(&diag->where);
    ptog_json_string_of(json, "file", where->line > 0 ? where->file : NULL);
    ptog_json_number_of(json, "line", where->line);
    ptog_json_number_of(json, "column", where->column);
    ptog_json_number_of(json, "end_column", where->end_column);
    put_origin(json, &diag->where);
    ptog_json_key(json, "related");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->related_count; i++)
        put_related(json, &diag->related[i], diag->where.origin != NULL);
    ptog_json_close(json, ']');
    ptog_json_key(json, "fix");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->fix_count; i++)
        put_step(json, &diag->fix[i]);
    ptog_json_close(json, ']');
    if (diag->witness)
        put_witness(json, diag);
    ptog_json_number_of(json, "count", ptog_max(diag->count, 1));
    ptog_json_close(json, '}');
}

/* The target that all of them have; NULL when they differ. */
static const char *common_target(const struct ptog_checked *checked, size_t count)
{
    const char *common = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *own = checked[i].target;
        if (own && common && strcmp(own, common) != 0)
            return NULL;
        if (own)
            common = own;
    }
    return common;
}

/* The worse of two verdicts. */
static enum ptog_verdict worse_verdict(enum ptog_verdict a, enum ptog_verdict b)
{
    return a > b ? a : b;
}

static enum ptog_verdict verdict_of(const struct ptog_checked *checked)
{
    return worse_verdict(ptog_diags_verdict(checked->diags), (enum ptog_verdict)checked->verdict);
}

/* Whether two entries are about one program. */
static bool is_same_file(const struct ptog_checked *a, const struct ptog_checked *b)
{
    return a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
}

/* One for each program that was read: the worst verdict of its targets, and the most that one of them suppressed. */
static void put_programs(struct ptog_json *json, const struct ptog_checked *checked, size_t count)
{
    ptog_json_key(json, "programs");
    ptog_json_open(json, '[');
    for (size_t i = 0, next; i < count; i = next) {
        enum ptog_verdict verdict = PTOG_PASSED;
        size_t suppressed = 0;
        for (next = i; next < count && (next == i || is_same_file(&checked[i], &checked[next])); next++) {
            verdict = worse_verdict(verdict, verdict_of(&checked[next]));
            suppressed = ptog_max(suppressed, ptog_diags_suppressed(checked[next].diags));
        }
        if (checked[i].unread)
            continue;
        ptog_json_newline(json);
        ptog_json_open(json, '{');
        ptog_json_string_of(json, "file", checked[i].file);
        ptog_json_string_of(json, "verdict", ptog_verdict_name(verdict));
        ptog_json_number_of(json, "suppressed", suppressed);
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

/* Writes what JSON begins with: version, target, and all diagnostics in their order. */
static void put_head(struct ptog_json *json, const struct ptog_checked *checked, size_t count)
{
    const struct ptog_diag *diag;
    struct ptog_walk walk = {.list = checked, .count = count};
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "version", 2);
    const char *common = common_target(checked, count);
    ptog_json_string_of(json, "target", common);
    ptog_json_key(json, "diagnostics");
    ptog_json_open(json, '[');
    while ((diag = ptog_walk_next(&walk)) != NULL) {
        ptog_json_newline(json);
        put_diag(json, diag, common ? NULL : checked[walk.program].target);
    }
    ptog_json_close(json, ']');
    put_programs(json, checked, count);
}

/* Nothing when all were read. */
static void put_unread(struct ptog_json *json, const struct ptog_checked *checked, size_t count)
{
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!checked[i].unread)
            continue;
        if (!begun) {
            ptog_json_key(json, "unread");
            ptog_json_open(json, '[');
        }
        begun = true;
        ptog_json_open(json, '{');
        ptog_json_string_of(json, "file", checked[i].file);
        ptog_json_string_of(json, "message", checked[i].unread);
        ptog_json_close(json, '}');
    }
    if (begun)
        ptog_json_close(json, ']');
}

static void put_tail(struct ptog_json *json)
{
    ptog_json_close(json, '}');
    ptog_put(json->sink, "\n");
}

void ptog_report_json_all(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    struct ptog_json json = {.sink = sink};
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    put_head(&json, checked, count);
    put_unread(&json, checked, count);
    put_tail(&json);
}

void ptog_report_json(const ptog_diags *diags, const char *target, const struct ptog_sink *sink)
{
    const struct ptog_checked one = {.target = target, .diags = diags};
    ptog_report_json_all(&one, 1, sink);
}

void ptog_report_json_stats(const ptog_diags *diags, const struct ptog_target *target, const struct ptog_stats *stats,
                            const struct ptog_sink *sink)
{
    struct ptog_json json = {.sink = sink};
    const struct ptog_checked one = {.target = target ? target->name : NULL, .diags = diags};
    if (!ptog_sink_is_usable(sink))
        return;
    put_head(&json, &one, 1);
    if (stats) {
        ptog_json_newline(&json);
        ptog_json_key(&json, "stats");
        ptog_json_stats(&json, target, stats);
    }
    put_tail(&json);
}
