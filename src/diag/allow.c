/* diag: "// ptog: allow ID, ID" in a text. The comment speaks of its own line; on a line of its own, of the next
 * line that is no comment. After the last id, anything may follow: why it is allowed, for people.
 *
 *     pto.mgather ins(%t, %i) outs(%d)   // ptog: allow race-raw: %i is constant
 */
#include "diag/allow.h"

#include <string.h>

#include <ptog/core.h>
#include <ptog/rule.h>

#include "base/nearest.h"
#include "base/pick.h"

#define MAX_ID 64
#define MAX_IDS 32         /* that are read of one comment */
#define MAX_COMMENTS 10000 /* whose ids are looked up: a text made to cost time costs little */

/* The rest of a line, as it is read. */
struct rest {
    const char *at, *end;
};

/* The bytes of a line. */
static struct rest rest_of_line(const struct ptog_source *source, uint32_t line)
{
    struct ptog_span span = ptog_source_line(source, line);
    return (struct rest){source->bytes + span.at, source->bytes + span.at + span.length};
}

/* Passes spaces and tabs. */
static void skip_spaces(struct rest *rest)
{
    while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
        rest->at++;
}

/* Reads this word after spaces; false where another stands there. */
static bool skip_word(struct rest *rest, const char *word)
{
    size_t length = strlen(word);
    skip_spaces(rest);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length) != 0)
        return false;
    rest->at += length;
    return true;
}

/* Goes to what follows "//", which does not count inside of a string. False: the line has no comment. */
static bool take_comment(struct rest *rest)
{
    bool in_string = false;
    for (; rest->at + 1 < rest->end; rest->at++) {
        if (in_string && *rest->at == '\\')
            rest->at++;
        else if (*rest->at == '"')
            in_string = !in_string;
        else if (!in_string && rest->at[0] == '/' && rest->at[1] == '/')
            return rest->at += 2, true;
    }
    return false;
}

static bool is_comment(struct rest rest)
{
    return skip_word(&rest, "//");
}

/* Most lines have no '/' at all, and memchr finds that out fast. */
static bool read_allow_comment(struct rest *rest)
{
    if (!memchr(rest->at, '/', (size_t)(rest->end - rest->at)))
        return false;
    return take_comment(rest) && skip_word(rest, "ptog:") && skip_word(rest, "allow");
}

/* The next id of the list; of no length after the last. */
static struct rest next_id(struct rest *rest)
{
    skip_spaces(rest);
    struct rest id = {rest->at, rest->at};
    while (id.end < rest->end && *id.end && strchr("abcdefghijklmnopqrstuvwxyz0123456789-", *id.end))
        id.end++;
    rest->at = id.end;
    if (!skip_word(rest, ","))
        rest->at = rest->end;
    return id;
}

/* Whether a list of ids names one. */
static bool names_id(struct rest ids, const char *wanted)
{
    for (int i = 0; i < MAX_IDS && ids.at < ids.end; i++) {
        struct rest id = next_id(&ids);
        if ((size_t)(id.end - id.at) == strlen(wanted) && memcmp(id.at, wanted, strlen(wanted)) == 0)
            return true;
    }
    return false;
}

/* Keeps the ids that a comment on a line allows, if there is such a comment. */
static void find_comment(struct ptog_allowed *allowed, const struct ptog_source *source, uint32_t line)
{
    struct rest rest = rest_of_line(source, line);
    if (read_allow_comment(&rest))
        allowed->ids[allowed->count++] =
            (struct ptog_span){(uint32_t)(rest.at - source->bytes), (uint32_t)(rest.end - rest.at)};
}

/* Finds the comments that speak of a line: its own, and those right above it. */
static void find_comments(struct ptog_allowed *allowed, const struct ptog_source *source, uint32_t line)
{
    *allowed = (struct ptog_allowed){.line = line};
    find_comment(allowed, source, line);
    for (uint32_t above = line - 1; above > 0 && line - above < PTOG_MAX_ALLOWED; above--) {
        if (!is_comment(rest_of_line(source, above)))
            return;
        find_comment(allowed, source, above);
    }
}

bool ptog_line_allows(struct ptog_allowed *allowed, const struct ptog_source *source, uint32_t line, const char *id)
{
    if (allowed->line != line)
        find_comments(allowed, source, line);
    for (uint32_t i = 0; i < allowed->count; i++) {
        const char *at = source->bytes + allowed->ids[i].at;
        if (names_id((struct rest){at, at + allowed->ids[i].length}, id))
            return true;
    }
    return false;
}

bool ptog_allows(struct ptog_allowed *allowed, const struct ptog_source *source, const struct ptog_diag_entry *found)
{
    if (found->nowhere || found->diag.refuses)
        return false;
    return ptog_line_allows(allowed, source, ptog_source_place(source, found->span).line, found->diag.id);
}

/* ---- ids that do not exist ---- */

static bool is_known(const char *id)
{
    return ptog_rule_find(id) || ptog_text_rule_find(id) || ptog_fault_info_find(id) || ptog_machine_fault_find(id);
}

/* Offers the ids of all tables as the nearest one. */
static void offer_all(struct ptog_nearest *nearest)
{
    for (size_t i = 0; ptog_rule_at(i); i++)
        ptog_nearest_offer(nearest, ptog_rule_at(i)->id);
    for (size_t i = 0; ptog_text_rule_at(i); i++)
        ptog_nearest_offer(nearest, ptog_text_rule_at(i)->id);
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        ptog_nearest_offer(nearest, ptog_fault_info_at(i)->id);
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        ptog_nearest_offer(nearest, ptog_machine_fault_at(i)->id);
}

/* Reports an id after 'ptog: allow' that no table has. */
static void check_id(const struct ptog_source *source, struct rest id, struct ptog_diag_list *diags)
{
    struct ptog_span span = {(uint32_t)(id.at - source->bytes), (uint32_t)(id.end - id.at)};
    struct ptog_nearest nearest;
    char name[MAX_ID + 1];
    size_t length = ptog_min(span.length, MAX_ID);
    memcpy(name, id.at, length);
    name[length] = '\0';
    if (length == 0)
        ptog_diag_emit(diags, "text-allow", span, "expected the id of a rule or a fault after 'ptog: allow'");
    if (length == 0 || is_known(name))
        return;
    ptog_nearest_start(&nearest, name, length);
    offer_all(&nearest);
    if (nearest.best)
        ptog_diag_emit(diags, "text-allow", span, "no rule or fault is called '%s'; did you mean '%s'?", name,
                       nearest.best);
    else
        ptog_diag_emit(diags, "text-allow", span, "no rule or fault is called '%s'; nothing is suppressed", name);
}

/* Reports the ids of a comment that no table has. */
static void check_comment(const struct ptog_source *source, struct rest ids, struct ptog_diag_list *diags)
{
    for (int i = 0; i < MAX_IDS && (i == 0 || ids.at < ids.end); i++)
        check_id(source, next_id(&ids), diags);
}

/* The list of the next comment that allows something, from line *line on; false: there is no more. */
static bool next_list(const struct ptog_source *source, uint32_t *line, struct rest *ids)
{
    if (source->size == 0 || !memchr(source->bytes, '/', source->size))
        return false; /* as for most texts that a compiler wrote */
    while (*line <= source->line_count) {
        *ids = rest_of_line(source, (*line)++);
        if (read_allow_comment(ids))
            return true;
    }
    return false;
}

bool ptog_allows_any(const struct ptog_source *source)
{
    struct rest ids;
    uint32_t line = 1;
    return next_list(source, &line, &ids);
}

void ptog_allow_check(const struct ptog_source *source, struct ptog_diag_list *diags)
{
    struct rest ids;
    uint32_t line = 1;
    for (uint32_t comments = 0; comments < MAX_COMMENTS && next_list(source, &line, &ids); comments++)
        check_comment(source, ids, diags);
}
