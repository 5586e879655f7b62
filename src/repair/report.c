/* repair: what the machine reports, as findings at the operations of the text. */
#include "repair/report.h"

#include <string.h>

#include <ptog/rule.h>

#include "base/arena.h"
#include "program/eval.h"
#include "repair/advise.h"

static const struct ptog_op_place *place_of(const struct ptog_eval *e, const struct ptog_where *where)
{
    for (uint32_t i = 0; where->line > 0 && i <= e->tree->op_count; i++) {
        const struct ptog_op_place *place = e->machine.places[i];
        if (place && place->where.line == where->line && place->where.column == where->column)
            return place;
    }
    return NULL;
}

/* Whether the verifier's word about the operation was lifted to the text before, there or at one of its operands. */
static bool was_said(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    const struct ptog_op_place *place = place_of(e, &diag->where);
    for (uint32_t i = 0; place && i < e->finds->count; i++) {
        const struct ptog_finding *found = &e->finds->list[i];
        if (strcmp(found->diag.id, diag->id) == 0 && found->span.at >= place->whole.at &&
            found->span.at - place->whole.at < place->whole.length)
            return true;
    }
    return false;
}

/* Where a tile lies is said where it is made, not again where it is used. */
static bool is_of_tile(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    for (uint32_t i = 0; strcmp(diag->id, "ub-misaligned-tile") == 0 && i < e->finds->count; i++)
        if (strcmp(e->finds->list[i].diag.id, diag->id) == 0)
            return true;
    return false;
}

/* A run that was stopped leaves its flags as they were, and what comes after might need them. */
static bool is_known(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    return diag->refuses || is_of_tile(e, diag) || (ptog_rule_find(diag->id) && was_said(e, diag)) ||
           (e->stopped && (strcmp(diag->id, "flag-left-set") == 0 || strcmp(diag->id, "flag-redundant") == 0));
}

/* ---- fixes: set_flag(MTE2, V, 1) as the text writes it, pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>] */

struct fix {
    char text[1024];
    size_t used;
};

static void put(struct fix *fix, const char *bytes, size_t count)
{
    if (count >= sizeof fix->text - fix->used)
        count = sizeof fix->text - 1 - fix->used;
    memcpy(fix->text + fix->used, bytes, count);
    fix->used += count;
    fix->text[fix->used] = '\0';
}

static void put_text(struct fix *fix, const char *text)
{
    put(fix, text, strlen(text));
}

/* The arguments after '(' up to ')'; what follows. */
static const char *put_arguments(struct fix *fix, const char *at, bool flag)
{
    put_text(fix, flag ? "[" : " ");
    while (*at && *at != ')') {
        size_t length = strcspn(at, ",)");
        bool open = strncmp(at, "id", length) == 0; /* any that is free */
        put_text(fix, open || (*at >= '0' && *at <= '9') ? "<EVENT_ID" : "<PIPE_");
        put(fix, open ? "n" : at, open ? 1 : length);
        put_text(fix, ">");
        at += length;
        if (*at == ',') {
            put_text(fix, ", ");
            at += strspn(at, ", ");
        }
    }
    put_text(fix, flag ? "]" : "");
    return *at ? at + 1 : at;
}

static const char *text_fix(struct fix *fix, const char *from)
{
    static const char *const calls[] = {"set_flag(", "wait_flag(", "barrier("};
    fix->used = 0;
    fix->text[0] = '\0';
    while (*from) {
        size_t i = 0;
        while (i < 3 && strncmp(from, calls[i], strlen(calls[i])) != 0)
            i++;
        if (i == 3) {
            put(fix, from++, 1);
            continue;
        }
        put_text(fix, "pto.");
        put(fix, calls[i], strlen(calls[i]) - 1);
        from = put_arguments(fix, from + strlen(calls[i]), i < 2);
    }
    return fix->text;
}

/* ---- findings */

/* Lines that were tried, or what the machine says. */
static const char *fix_of(struct ptog_adviser *adviser, const struct ptog_diag *diag, struct fix *fix)
{
    const struct ptog_eval *e = adviser->e;
    const struct ptog_op_place *here = place_of(e, &diag->where);
    const struct ptog_op_place *there = diag->related_count > 0 ? place_of(e, &diag->related[0].where) : NULL;
    char tried[PTOG_LONGEST_FIX];
    if (!here || !there || !ptog_advise(adviser, diag, here->op, there->op, tried))
        return text_fix(fix, diag->fix);
    fix->used = 0;
    put_text(fix, tried);
    return fix->text;
}

static void add(struct ptog_adviser *adviser, const struct ptog_diag *diag)
{
    struct ptog_eval *e = adviser->e;
    const struct ptog_op_place *place = place_of(e, &diag->where);
    struct ptog_diag said = *diag;
    struct fix fix;
    said.related = NULL;
    said.related_count = 0;
    if (diag->fix)
        said.fix = fix_of(adviser, diag, &fix);
    struct ptog_finding *found = ptog_say_diag(e->finds, &said, place ? place->span : (struct ptog_span){0});
    if (!found)
        return;
    found->nowhere = !place;
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_op_place *other = place_of(e, &diag->related[i].where);
        if (other)
            ptog_say_related(found, other->span, diag->related[i].message);
    }
}

ptog_diags *ptog_report_machine(struct ptog_eval *e, const struct ptog_execution *execution,
                                const struct ptog_function *function)
{
    struct ptog_adviser adviser = {.e = e, .execution = execution, .function = function};
    const struct ptog_diag *diag;
    if (!e->machine.device)
        return NULL;
    ptog_diags *diags = ptog_diags_new();
    adviser.report = diags;
    if (!diags || ptog_device_report(e->machine.device, diags) != PTOG_OK)
        e->no_memory = true;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (!is_known(e, diag))
            add(&adviser, diag);
    ptog_adviser_close(&adviser);
    return diags;
}
