/* inputs: what was generated, in words for people. */
#include <inttypes.h>

#include "base/text.h"
#include "inputs/inputs.h"

#define MAX_NAMED 12 /* arguments; of the rest only the number is given */

/* Whether an argument belongs into the list of those that are filled in a way. */
static bool is_said(const struct ptog_generated *generated, enum ptog_input_kind kind)
{
    enum ptog_input_kind own = generated->kind;
    if (own == PTOG_INPUT_INDICES)
        own = PTOG_INPUT_RANDOM;
    bool is_seen = kind == PTOG_INPUT_NUMBER || generated->loaded || ptog_has_open_extents(&generated->slot);
    return own == kind && is_seen;
}

/* Appends the name of a generated argument, and what it is filled with. */
static void add_name(struct ptog_text *text, const struct ptog_generated *generated)
{
    ptog_text_addf(text, "%%%s", generated->name);
    if (generated->kind == PTOG_INPUT_NUMBER)
        ptog_text_addf(text, " = %" PRId64, generated->number);
    else if (generated->kind == PTOG_INPUT_SAME)
        ptog_text_addf(text, " (%" PRId64 ")", generated->value);
    else if (generated->kind == PTOG_INPUT_INDICES)
        ptog_text_addf(text, " (indices 0..%" PRIu64 ")", generated->limit - 1);
    if (ptog_has_open_extents(&generated->slot))
        ptog_text_addf(text, " (open extents: %" PRId64 ")", generated->number);
}

/* "random data for %a and %b", after what was said before. `named` counts all names. */
static void add_kind(struct ptog_text *text, const struct ptog_inputs *inputs, enum ptog_input_kind kind,
                     const char *lead, size_t *named)
{
    size_t count = 0, said = 0;
    for (size_t i = 0; i < inputs->count; i++)
        count += is_said(&inputs->of[i], kind);
    if (count == 0 || *named >= MAX_NAMED)
        return;
    ptog_text_add(text, text->len > 0 ? ", " : "");
    ptog_text_add(text, lead);
    for (size_t i = 0; i < inputs->count && said < count; i++) {
        if (!is_said(&inputs->of[i], kind))
            continue;
        if (*named == MAX_NAMED) {
            ptog_text_addf(text, " and %zu more", count - said);
            return;
        }
        if (said > 0)
            ptog_text_add(text, said + 1 == count ? " and " : ", ");
        add_name(text, &inputs->of[i]);
        ++said;
        ++*named;
    }
}

size_t ptog_inputs_words(const ptog_inputs *inputs, char *text, size_t size)
{
    struct ptog_text words;
    size_t named = 0;
    ptog_text_init(&words, text, text ? size : 0);
    if (!inputs)
        return 0;
    add_kind(&words, inputs, PTOG_INPUT_RANDOM, "random data for ", &named);
    add_kind(&words, inputs, PTOG_INPUT_COUNTING, "ascending numbers for ", &named);
    add_kind(&words, inputs, PTOG_INPUT_SAME, "one value for ", &named);
    add_kind(&words, inputs, PTOG_INPUT_ZEROS, "zeros for ", &named);
    add_kind(&words, inputs, PTOG_INPUT_NUMBER, "", &named);
    return words.len;
}
