/* diag: the table of what the text forms require, src/spec/text_rules.def. */
#include <string.h>

#include <ptog/rule.h>

#include "diag/kind.h"

#define ERROR PTOG_ERROR
#define WARNING PTOG_WARNING
#define NOTE PTOG_NOTE
#define UNJUDGED PTOG_WARNING, .unjudged = true
#define LIMIT UNJUDGED
#define NOTHING_RUN UNJUDGED
#define NEWEST PTOG_NOTE, .strict = true

static const struct ptog_text_rule rules[] = {
#define TEXT_RULE(id_, level, what_, why_, wrong_, right_)                                                             \
    {.id = (id_), .what = (what_), .why = (why_), .wrong = (wrong_), .right = (right_), .severity = level},
#include "spec/text_rules.def"
#undef TEXT_RULE
};
#define COUNT (sizeof rules / sizeof rules[0])

#undef ERROR
#undef WARNING
#undef NOTE
#undef UNJUDGED
#undef LIMIT
#undef NOTHING_RUN
#undef NEWEST

/* Which rules say that a run ended early, or did nothing: their severities, by name. */
enum text_level { ERROR, WARNING, NOTE, UNJUDGED, LIMIT, NOTHING_RUN, NEWEST };
static const uint8_t levels[] = {
#define TEXT_RULE(id, level, ...) level,
#include "spec/text_rules.def"
#undef TEXT_RULE
};

static bool has_level(unsigned kind, enum text_level level)
{
    return kind >= PTOG_DIAG_TEXT && kind - PTOG_DIAG_TEXT < COUNT && levels[kind - PTOG_DIAG_TEXT] == level;
}

bool ptog_kind_is_limit(unsigned kind)
{
    return kind == PTOG_DIAG_LIMIT_QUEUE || has_level(kind, LIMIT);
}

bool ptog_kind_is_empty_run(unsigned kind)
{
    return has_level(kind, NOTHING_RUN);
}

const struct ptog_text_rule *ptog_text_rule_at(size_t i)
{
    if (i < COUNT)
        return &rules[i];
    return NULL;
}

const struct ptog_text_rule *ptog_text_rule_find(const char *id)
{
    for (size_t i = 0; id && i < COUNT; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    return NULL;
}
