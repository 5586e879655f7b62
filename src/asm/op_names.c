/* asm: names of operations: which dialect one is of, and what a misspelled one was meant to be. */
#include "asm/op_names.h"

#include <string.h>

#include "asm/words.h"
#include "base/nearest.h"

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

/* Whether the name of an operation is known, of a dialect that others may have, or unknown. */
enum ptog_op_origin ptog_op_origin(const struct ptog_tree *tree, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(tree, op->name);
    if (ptog_symbol_is_op(op->name) || ptog_op_is_micro(name) || is_dialect_op(name))
        return PTOG_ORIGIN_KNOWN;
    if (is_foreign(name))
        return PTOG_ORIGIN_FOREIGN;
    return PTOG_ORIGIN_UNKNOWN;
}

/* ---- what a misspelled name was meant to be */

/* The names of PTO without their "pto.", as PTO-AS has them. */
static void offer_pto(struct ptog_nearest *nearest)
{
    ptog_symbol s;
    for (size_t i = 0; (s = ptog_known_op_at(i)) != 0; i++)
        if (strncmp(ptog_op_info(s)->name, PTO, strlen(PTO)) == 0)
            ptog_nearest_offer(nearest, ptog_op_info(s)->name + strlen(PTO));
}

/* Offers all known names outside of dialect pto as the nearest one. */
static void offer_others(struct ptog_nearest *nearest)
{
    ptog_symbol s;
    for (size_t i = 0; (s = ptog_known_op_at(i)) != 0; i++)
        if (strncmp(ptog_op_info(s)->name, PTO, strlen(PTO)) != 0)
            ptog_nearest_offer(nearest, ptog_op_info(s)->name);
    for (size_t i = 0; i < COUNT(dialect_ops); i++)
        ptog_nearest_offer(nearest, dialect_ops[i]);
}

/* The known operation whose name is nearest to a misspelled one, of dialect pto alone or of all; NULL: none is near. */
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
    return ptog_symbol_is_op(op) && ptog_suffix_key(op, PTOG_PLACE_SUFFIX_1) != 0;
}

/* Guesses which name was meant by an unknown one: the nearest operation, or, with its rest kept, the nearest dialect.
 */
struct ptog_name_guess ptog_guess_op_name(const struct ptog_tree *tree, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(tree, op->name);
    bool pto = strncmp(name, PTO, strlen(PTO)) == 0;
    struct ptog_name_guess guess = {.dialect = "", .rest = ""};
    if (pto) {
        guess.dialect = PTO;
        guess.nearest = nearest_op(name + strlen(PTO), true);
        return guess;
    }
    guess.nearest = nearest_op(name, false);
    if (!guess.nearest && strchr(name, '.')) {
        guess.nearest = nearest_first_word(name);
        guess.rest = name + first_word_length(name);
    }
    return guess;
}

bool ptog_op_name_has_suffix(const struct ptog_tree *tree, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(tree, op->name);
    return strncmp(name, PTO, strlen(PTO)) == 0 && has_suffix(tree, name);
}
