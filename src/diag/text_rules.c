/* diag: the table of what the text forms ask, src/spec/text_rules.def. */
#include <string.h>

#include <ptog/rule.h>

#define ERROR PTOG_ERROR
#define WARNING PTOG_WARNING
#define NOTE PTOG_NOTE
#define UNJUDGED PTOG_WARNING, .unjudged = true
#define NEWEST PTOG_NOTE, .strict = true

static const struct ptog_text_rule rules[] = {
#define TEXT_RULE(id_, level, what_, why_, wrong_, right_)                                                             \
    {.id = (id_), .what = (what_), .why = (why_), .wrong = (wrong_), .right = (right_), .severity = level},
#include "spec/text_rules.def"
#undef TEXT_RULE
};
#define COUNT (sizeof rules / sizeof rules[0])

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
