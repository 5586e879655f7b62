/* repair: which statement of the text an added flag or barrier was moved from, and what it takes along. */
#include "repair/edits/moved.h"

#include "base/text.h"
#include "repair/write.h"

/* The operation of that number in a region or the regions inside of it; NULL: it is not there. */
static const struct ptog_op *find_op(const struct ptog_region *region, uint32_t number)
{
    const struct ptog_op *found = NULL;
    for (const struct ptog_op *op = region->first; op && op->number <= number && !found; op = op->next) {
        if (op->number == number)
            return op;
        for (uint32_t i = 0; i < op->part_count && !found; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = find_op(op->parts[i].region, number);
    }
    return found;
}

static bool is_same_sync(const struct ptog_sync *a, const struct ptog_sync *b)
{
    return a->src == b->src && a->dst == b->dst && a->id == b->id && a->part == b->part;
}

/* The statement of the text that was moved to line `i` before or after an operation; of equal ones each line gets
 * another. NULL: the line is new. */
const struct ptog_op *ptog_moved_from(const struct ptog_tree *tree, const struct ptog_added *added,
                                      const struct ptog_op *to, bool after, uint32_t i)
{
    const struct ptog_lines *lines = after ? &added->after[to->number] : &added->before[to->number];
    uint32_t equal = 0;
    for (uint32_t k = 0; k < i && k < lines->count; k++)
        equal += is_same_sync(&lines->of[k], &lines->of[i]);
    for (uint32_t n = 0; i < lines->count && n < added->op_count; n++) {
        const struct ptog_edit *edit = &added->edits[n];
        bool here = edit->kind == PTOG_EDIT_MOVE && edit->to == to->number && edit->after == after;
        if (here && is_same_sync(&edit->sync, &lines->of[i]) && equal-- == 0)
            return find_op(&tree->root, n);
    }
    return NULL;
}

/* What stands behind an operation on its line, comment included, in `tail`; returns how many bytes. */
size_t ptog_statement_tail(const struct ptog_program *program, const struct ptog_op *op, char tail[PTOG_LONGEST_TAIL])
{
    const struct ptog_symbols *symbols = &program->tree.symbols;
    const struct ptog_source *source = &program->source;
    uint32_t end = op->span.at + op->span.length;
    struct ptog_text text;
    ptog_text_init(&text, tail, PTOG_LONGEST_TAIL);
    if (op->loc != 0) {
        ptog_text_add(&text, " ");
        ptog_text_add_n(&text, ptog_symbol_text(symbols, op->loc), ptog_symbol_length(symbols, op->loc));
    }
    ptog_text_add_n(&text, source->bytes + end, ptog_end_with_comment(source, op->span) - end);
    if (text.len < PTOG_LONGEST_TAIL)
        return text.len;
    tail[0] = '\0';
    return 0;
}
