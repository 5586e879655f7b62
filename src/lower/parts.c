/* lower: errors that all operations share: counts of operands and results, and attributes that are names. */
#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "base/text.h"
#include "lower/parts.h"
#include "lower/scope.h"

/* Reports a number of operands or results that an operation cannot have. */
static void say_count(struct ptog_eval *e, const struct ptog_op *op, const char *what, uint32_t count, uint32_t least,
                      uint32_t most)
{
    const char *name = ptog_tree_text(e->tree, op->name);
    const char *plural = ptog_plural(most);
    if (least == most)
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "'%s' needs %u %s%s here, not %u", name,
                       (unsigned)most, what, plural, (unsigned)count);
    else
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "'%s' needs %u to %u %s%s here, not %u", name,
                       (unsigned)least, (unsigned)most, what, plural, (unsigned)count);
}

bool ptog_want_operands(struct ptog_eval *e, const struct ptog_op *op, uint32_t count, uint32_t least, uint32_t most)
{
    if (count >= least && count <= most)
        return true;
    say_count(e, op, "operand", count, least, most);
    ptog_define_any(e, op);
    return false;
}

/* Whether the operation has so many results, or leaves them unnamed. If not, that is reported and its results are
 * defined as anything. */
bool ptog_want_results(struct ptog_eval *e, const struct ptog_op *op, uint32_t count)
{
    uint64_t has = 0;
    for (uint32_t i = 0; i < op->result_count; i++)
        has += ptog_max(op->results[i].number, 1);
    if (has == count || has == 0) /* results may go unnamed */
        return true;
    say_count(e, op, "result", (uint32_t)ptog_min(has, UINT32_MAX), count, count);
    ptog_define_any(e, op);
    return false;
}

/* ---- attributes */

const struct ptog_item *ptog_op_word_attr(const struct ptog_op *op, enum ptog_word key)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        for (uint32_t k = 0; part->kind == PTOG_PART_DICT && k < part->count; k++)
            if (part->entries[k].key == (ptog_symbol)key)
                return &part->entries[k].value;
    }
    return NULL;
}

const struct ptog_item *ptog_attr_of(const struct ptog_eval *e, const struct ptog_op *op, const char *key)
{
    return ptog_op_attribute(e->tree, op, key);
}

/* Reports which words an attribute may be, those of `name` from number `from` to `to`. */
static void say_values(struct ptog_eval *e, struct ptog_span span, const char *(*name)(int), int from, int to)
{
    char list[160] = "";
    for (int i = from; i <= to; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 ptog_text_or((size_t)(i - from), (size_t)(to - from + 1)), name(i));
    ptog_diag_emit(e->diags, "text-attribute", span, "expected %s here", list);
}

/* The number of an attribute's value in an enum, by name or number; -1 after a report. */
int ptog_attr_enum(struct ptog_eval *e, const struct ptog_item *item, const char *(*name)(int), int from, int to)
{
    if (item->kind == PTOG_ITEM_INT && !item->negative && item->number >= (uint64_t)from &&
        item->number <= (uint64_t)to)
        return (int)item->number;
    for (int i = from; i <= to; i++)
        if (ptog_item_is_word(e->tree, item, name(i)))
            return i;
    say_values(e, item->span, name, from, to);
    return -1;
}
