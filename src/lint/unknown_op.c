/* lint: names of operations that are in no table: which dialect they are of, and what a misspelled one was meant to
 * be. */
#include "lint/lint.h"

#include <string.h>

#include "asm/nearest.h"
#include "base/pick.h"

#define MAX_COMPARED 100u /* findings, after which unknown names are no longer compared with the known ones */

static const char *const dialects[] = {
#define DIALECT(name) name,
#include "spec/dialects.def"
};

static const char *const dialect_ops[] = {
#define DIALECT_OP(name) name,
#include "spec/dialects.def"
};

#define PTO "pto."
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* ---- where a name comes from */

/* How long the first word of a name is: "memref" of "memref.load". */
static size_t first_word_length(const char *name)
{
    return strcspn(name, ".");
}

static bool is_foreign(const char *name)
{
    size_t length = first_word_length(name);
    for (size_t i = 0; name[length] && i < COUNT(dialects); i++)
        if (strlen(dialects[i]) == length && memcmp(dialects[i], name, length) == 0)
            return true;
    return false;
}

static bool is_dialect_op(const char *name)
{
    for (size_t i = 0; i < COUNT(dialect_ops); i++)
        if (strcmp(dialect_ops[i], name) == 0)
            return true;
    return false;
}

enum ptog_op_origin ptog_op_origin(const struct ptog_tree *tree, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(tree, op->name);
    if (op->name < PTOG_WORD_OPS_END || ptog_op_is_micro(name) || is_dialect_op(name))
        return PTOG_ORIGIN_KNOWN;
    if (is_foreign(name))
        return PTOG_ORIGIN_FOREIGN;
    return PTOG_ORIGIN_UNKNOWN;
}

/* ---- what a misspelled name was meant to be */

/* The names of PTO without their "pto.", as PTO-AS has them. */
static void offer_pto(struct ptog_nearest *nearest)
{
    for (ptog_symbol s = 1; s < PTOG_WORD_OPS_END; s++)
        if (strncmp(ptog_op_info(s)->name, PTO, strlen(PTO)) == 0)
            ptog_nearest_offer(nearest, ptog_op_info(s)->name + strlen(PTO));
}

static void offer_others(struct ptog_nearest *nearest)
{
    for (ptog_symbol s = 1; s < PTOG_WORD_OPS_END; s++)
        if (strncmp(ptog_op_info(s)->name, PTO, strlen(PTO)) != 0)
            ptog_nearest_offer(nearest, ptog_op_info(s)->name);
    for (size_t i = 0; i < COUNT(dialect_ops); i++)
        ptog_nearest_offer(nearest, dialect_ops[i]);
}

static const char *nearest_op(const char *name, bool pto)
{
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, name, strlen(name));
    offer_pto(&nearest);
    if (!pto)
        offer_others(&nearest);
    return nearest.best;
}

/* What the first word of a name with dots was meant to be: an operation of PTO-AS, with its suffixes after it, or a
 * dialect. */
static const char *nearest_first_word(const char *name)
{
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, name, first_word_length(name));
    offer_pto(&nearest);
    for (size_t i = 0; i < COUNT(dialects); i++)
        ptog_nearest_offer(&nearest, dialects[i]);
    return nearest.best;
}

/* "pto.mgather.row": the name of an operation that has suffixes in PTO-AS, with one of them. */
static bool has_suffix(const struct ptog_tree *tree, const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length] != '.')
        length--;
    ptog_symbol op = ptog_symbol_find(&tree->symbols, name, length);
    return op != 0 && op < PTOG_WORD_OPS_END && ptog_suffix_key(op, PTOG_PLACE_SUFFIX_1) != 0;
}

void ptog_lint_unknown_op(const struct ptog_tree *tree, const struct ptog_op *op, struct ptog_finds *finds)
{
    const char *name = ptog_tree_text(tree, op->name), *rest = "";
    bool pto = strncmp(name, PTO, strlen(PTO)) == 0, few = finds->count < MAX_COMPARED;
    if (pto && has_suffix(tree, name)) {
        ptog_say(finds, "text-unknown-op", op->name_span,
                 "unknown operation '%.80s': suffixes belong to PTO-AS, where names have no 'pto.'", name);
        return;
    }
    const char *nearest = NULL;
    if (few && pto)
        nearest = nearest_op(name + strlen(PTO), true);
    else if (few)
        nearest = nearest_op(name, false);
    if (few && !nearest && !pto && strchr(name, '.')) {
        nearest = nearest_first_word(name);
        rest = name + first_word_length(name);
    }
    if (nearest)
        ptog_say(finds, "text-unknown-op", op->name_span, "unknown operation '%.80s', did you mean '%s%s%.80s'?", name,
                 ptog_when(pto, PTO), nearest, rest);
    else
        ptog_say(finds, "text-unknown-op", op->name_span, "unknown operation '%.80s'", name);
}
