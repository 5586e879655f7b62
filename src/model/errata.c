/* model: the errata that show between targets (src/spec/errata.def), listed and found by id or by the rule that
 * enforces them. */
#include <string.h>

#include <ptog/rule.h>

static const struct ptog_erratum errata[] = {
#define ERRATUM(id, what, rules) {id, what, rules},
#include "spec/errata.def"
#undef ERRATUM
};

const struct ptog_erratum *ptog_erratum_at(size_t i)
{
    if (i < sizeof errata / sizeof errata[0])
        return &errata[i];
    return NULL;
}

const struct ptog_erratum *ptog_erratum_find(const char *id)
{
    for (size_t i = 0; id && i < sizeof errata / sizeof errata[0]; i++)
        if (strcmp(errata[i].id, id) == 0)
            return &errata[i];
    return NULL;
}

/* One of the words of a list. */
static bool has_word(const char *list, const char *word, size_t length)
{
    while (*list) {
        size_t next = strcspn(list, " ");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next;
        list += *list == ' ';
    }
    return false;
}

const struct ptog_erratum *ptog_erratum_of_rule(const char *rule)
{
    for (size_t i = 0; rule && i < sizeof errata / sizeof errata[0]; i++)
        if (has_word(errata[i].rules, rule, strlen(rule)))
            return &errata[i];
    return NULL;
}
