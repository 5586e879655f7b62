/* asm: the generic form, "pto.x"(%a, %b): MLIR writes the operands in the order in which the operation declares them,
 * and says in operandSegmentSizes which of the optional ones are there. */
#include "asm/generic.h"

#include "asm/insn_words.h"

#include <string.h>

struct generic_row {
    ptog_symbol op;
    const char *order, *ins, *outs, *led;
};

/* The row of spec/names.def for an operation whose generic form lists its operands in another order; NULL: none. */
static const struct generic_row *row_of(ptog_symbol op)
{
    static const struct generic_row rows[] = {
#define GENERIC(NAME, order, ins, outs, led) {PTOG_OP_NAME_##NAME, order, ins, outs, led},
#include "spec/names.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].op == op)
            return &rows[i];
    return NULL;
}

static bool is_optional(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

/* array<i32: 1, 0> or dense<[1, 0]>: each a number of operands, here 0 or 1. False when it is something else. */
static bool read_sizes(const char *text, const char *order, bool given[PTOG_MAX_GENERIC])
{
    size_t count = 0;
    text += strcspn(text, "[:");
    while (*text == '[' || *text == ':' || *text == ',') {
        text++;
        text += strspn(text, " ");
        if ((*text != '0' && *text != '1') || order[count] == '\0')
            return false;
        given[count++] = *text++ == '1';
    }
    return order[count] == '\0' && (*text == ']' || *text == '>');
}

/* Without sizes, as many of the optional ones as there are operands, from the first on; when that says which ones. */
static bool count_sizes(const char *order, uint32_t operands, bool given[PTOG_MAX_GENERIC])
{
    uint32_t needed = 0, optional = 0, left;
    for (const char *letter = order; *letter; letter++) {
        needed += !is_optional(*letter);
        optional += is_optional(*letter);
    }
    left = operands - needed;
    if (operands < needed || left > optional || (optional > 1 && left > 0 && left < optional))
        return false;
    for (size_t i = 0; order[i]; i++)
        given[i] = !is_optional(order[i]) || left > 0;
    return true;
}

/* The number of a letter among those of a list that are given. */
static uint32_t number_in(const char *list, char letter, const char *order, const bool given[PTOG_MAX_GENERIC])
{
    uint32_t number = 0;
    for (; *list != letter; list++)
        number += given[strchr(order, *list) - order];
    return number;
}

/* Says for each operand of the generic form, of which `given` were written, where level 2 has it. False: the row does
 * not say. */
static bool place_all(const struct generic_row *row, const bool given[PTOG_MAX_GENERIC],
                      struct ptog_generic_place places[PTOG_MAX_GENERIC])
{
    uint32_t n = 0;
    for (size_t i = 0; row->order[i]; i++) {
        char letter = row->order[i];
        const char *list = strchr(row->outs, letter) ? row->outs : row->ins;
        if (!given[i])
            continue;
        if (!strchr(list, letter))
            return false;
        places[n] =
            (struct ptog_generic_place){.out = list == row->outs, .at = number_in(list, letter, row->order, given)};
        if (strchr(row->led, letter))
            places[n].lead = letter == 'F' ? PTOG_WORD_fp : PTOG_WORD_pre_quant;
        n++;
    }
    return true;
}

enum ptog_generic_order ptog_generic_order(const struct ptog_tree *tree, ptog_symbol op, const struct ptog_item *sizes,
                                           uint32_t operands, struct ptog_generic_place places[PTOG_MAX_GENERIC])
{
    const struct generic_row *row = row_of(op);
    bool given[PTOG_MAX_GENERIC] = {false};
    uint32_t count = 0;
    if (!row)
        return PTOG_GENERIC_LAST;
    if (row->order[0] == '\0')
        return PTOG_GENERIC_UNREAD;
    if (!sizes && !count_sizes(row->order, operands, given))
        return PTOG_GENERIC_UNREAD;
    if (sizes && (sizes->kind != PTOG_ITEM_RAW || !read_sizes(ptog_tree_text(tree, sizes->name), row->order, given)))
        return PTOG_GENERIC_WRONG;
    for (size_t i = 0; row->order[i]; i++)
        count += given[i];
    if (count != operands)
        return PTOG_GENERIC_WRONG;
    return place_all(row, given, places) ? PTOG_GENERIC_LISTED : PTOG_GENERIC_UNREAD;
}
