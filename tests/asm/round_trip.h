/* Text to tree to text and back, in every form: what the unit tests and the fuzz target check of any text. */
#ifndef PTOG_TESTS_ASM_ROUND_TRIP_H
#define PTOG_TESTS_ASM_ROUND_TRIP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"

struct parsed {
    struct ptog_source source;
    struct ptog_tree tree;
    struct ptog_diag_list diags;
    enum ptog_status status;
};

static inline void parse_bytes(struct parsed *parsed, const char *text, size_t size)
{
    memset(parsed, 0, sizeof *parsed);
    parsed->status = ptog_source_open(&parsed->source, "test.pto", text, size);
    if (parsed->status == PTOG_OK)
        parsed->status = ptog_parse(&parsed->tree, &parsed->source, &parsed->diags);
}

static inline void parse_text(struct parsed *parsed, const char *text)
{
    parse_bytes(parsed, text, strlen(text));
}

static inline void parsed_free(struct parsed *parsed)
{
    ptog_tree_free(&parsed->tree);
    ptog_diag_list_free(&parsed->diags);
    ptog_source_close(&parsed->source);
}

struct printed {
    char *text; /* terminated; "" when nothing was written */
    size_t size;
    enum ptog_status status;
};

static inline void printed_write(void *user, const char *text, size_t length)
{
    struct printed *printed = user;
    printed->text = realloc(printed->text, printed->size + length + 1);
    if (!printed->text)
        abort();
    memcpy(printed->text + printed->size, text, length);
    printed->size += length;
    printed->text[printed->size] = '\0';
}

static inline struct printed print_form(struct parsed *parsed, enum ptog_text_form form)
{
    struct printed printed = {.text = calloc(1, 1)};
    struct ptog_sink sink = {.write = printed_write, .user = &printed, .colour = false};
    printed.status = ptog_print(&parsed->tree, form, &sink, &parsed->diags);
    return printed;
}

static inline bool same_text(const struct printed *a, const struct printed *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* In a function, DPS adds allocations that SSA takes away: the trees differ then, only the texts are compared. */
static inline bool has_function(const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        if (ptog_op_info(op->name)->kind == PTOG_KIND_FUNC)
            return true;
        const struct ptog_part *part = ptog_op_part(op, PTOG_PART_REGION, 0);
        if (part && has_function(part->region))
            return true;
    }
    return false;
}

/* Prints `first` in a form, reads that and prints it again. NULL when all is well, else what is wrong. */
static inline const char *check_form(struct parsed *first, enum ptog_text_form form, bool strict)
{
    const char *problem = NULL;
    size_t before = first->diags.errors;
    struct printed once = print_form(first, form);
    if (once.status != PTOG_OK) {
        if (form == PTOG_TEXT_WRITTEN)
            problem = "cannot be printed as written";
        else if (once.status != PTOG_ILLEGAL)
            problem = "out of memory";
        else if (first->diags.errors == before)
            problem = "refused without a reason";
        else if (once.size > 0)
            problem = "refused, but something was written";
        free(once.text);
        return problem;
    }
    struct parsed second;
    parse_bytes(&second, once.text, once.size);
    struct printed twice = print_form(&second, form);
    enum ptog_equality equality = form == PTOG_TEXT_WRITTEN ? PTOG_EQUAL_WRITTEN : PTOG_EQUAL_MEANING;
    if (second.status != PTOG_OK)
        problem = "what was printed does not parse";
    else if ((strict || form == PTOG_TEXT_WRITTEN) && !ptog_tree_equal(&first->tree, &second.tree, equality))
        problem = "what was printed parses to another tree";
    else if (!same_text(&once, &twice))
        problem = "printing is not idempotent";
    free(once.text);
    free(twice.text);
    parsed_free(&second);
    return problem;
}

/* Converts to `there` and from there to `back`: the meaning stays. */
static inline const char *check_there_and_back(struct parsed *first, enum ptog_text_form there,
                                               enum ptog_text_form back)
{
    const char *problem = NULL;
    struct printed text = print_form(first, there);
    if (text.status == PTOG_OK) {
        struct parsed second;
        parse_bytes(&second, text.text, text.size);
        struct printed again = print_form(&second, back);
        if (again.status == PTOG_OK) {
            struct parsed third;
            parse_bytes(&third, again.text, again.size);
            if (third.status != PTOG_OK || !ptog_tree_equal(&first->tree, &third.tree, PTOG_EQUAL_MEANING))
                problem = "the way there and back changes the meaning";
            parsed_free(&third);
        }
        free(again.text);
        parsed_free(&second);
    }
    free(text.text);
    return problem;
}

/* Everything above, for a text of any kind. A text with errors is only read. */
static inline const char *round_trip(const char *text, size_t size)
{
    struct parsed first;
    parse_bytes(&first, text, size);
    const char *problem = first.status == PTOG_ILLEGAL && first.diags.errors == 0 ? "an error without a reason" : NULL;
    if (first.status == PTOG_OK) {
        bool strict = !has_function(&first.tree.root);
        for (int form = PTOG_TEXT_WRITTEN; form <= PTOG_TEXT_AS && !problem; form++)
            problem = check_form(&first, (enum ptog_text_form)form, strict);
        for (int there = PTOG_TEXT_DPS; strict && there <= PTOG_TEXT_AS && !problem; there++)
            for (int back = PTOG_TEXT_DPS; back <= PTOG_TEXT_AS && !problem; back++)
                problem = check_there_and_back(&first, (enum ptog_text_form)there, (enum ptog_text_form)back);
    }
    parsed_free(&first);
    return problem;
}

#endif
