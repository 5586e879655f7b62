/* asm: what stands in round brackets, to text: runs of operands with their types. The grammar is in parse_group.c. */
#include "asm/printer/printer.h"

#include "base/pick.h"

struct printed_group {
    const struct ptog_part *part;
    const struct ptog_group_style *style;
    uint32_t types; /* written so far */
    bool has_gaps;  /* a value before others has no type: only the runs as they were read can say that */
};

/* Whether the types of the items before item i stand between them and it. */
static bool starts_run(const struct printed_group *group, uint32_t i)
{
    const struct ptog_item *items = group->part->items;
    if (i == 0)
        return false;
    if (group->style->as_stored || group->has_gaps)
        return items[i].lead & PTOG_LEAD_RUN;
    bool all_typed = group->part->type_count == group->part->count;
    return (items[i].lead | items[i - 1].lead) & PTOG_LEAD_WORD || (group->style->segments && all_typed);
}

/* The types from `group->types` to `end`; the empty ones at the end say nothing. */
static void put_types(struct ptog_printer *pr, struct printed_group *group, uint32_t end)
{
    const struct ptog_type_use *types = group->part->types;
    uint32_t last = ptog_min_u32(end, group->part->type_count), first = group->types;
    group->types = ptog_max_u32(last, first);
    while (last > first && types[last - 1].type->kind == PTOG_TYPE_NONE)
        last--;
    if (last <= first)
        return;
    ptog_put(pr, first == 0 && group->part->count == 0 ? ": " : " : ");
    ptog_print_type_list(pr, types + first, last - first);
}

/* Prints what stands between item `i` and the one before it. */
static void put_separator(struct ptog_printer *pr, const struct printed_group *group, uint32_t i)
{
    const struct ptog_item *item = &group->part->items[i];
    bool no_tmp = item->kind == PTOG_ITEM_WORD && item->name == PTOG_WORD_no_tmp;
    bool stored = group->style->as_stored && item->lead & PTOG_LEAD_SPACE;
    if (i > 0)
        ptog_put(pr, item->lead & PTOG_LEAD_WORD || no_tmp || stored ? " " : ", ");
}

/* Prints item `i` of a group. */
static void put_elem(struct ptog_printer *pr, const struct printed_group *group, uint32_t i)
{
    const struct ptog_group_style *style = group->style;
    bool named = false;
    if (style->op && style->argument)
        named = ptog_arg_class(style->op->name, (*style->argument)++) != NULL;
    ptog_print_lead(pr, &group->part->items[i]);
    ptog_print_item(pr, &group->part->items[i], named);
}

/* Prints operands with their types in the style of a clause; the dictionary that the style has goes before the first
 * types. */
void ptog_print_group(struct ptog_printer *pr, const struct ptog_part *part, const struct ptog_group_style *style)
{
    struct printed_group group = {.part = part, .style = style};
    for (uint32_t k = 0; k < part->type_count; k++)
        group.has_gaps = group.has_gaps || part->types[k].type->kind == PTOG_TYPE_NONE;
    uint32_t run = 0, values = 0, i = 0;
    bool dict = style->dict != NULL;
    for (; i <= part->count; i++) {
        bool last = i == part->count;
        if ((last || starts_run(&group, i)) && dict) {
            style->dict(pr, style->op, i > 0);
            dict = false;
        }
        if (last)
            break;
        if (starts_run(&group, i)) {
            values += ptog_run_values(part->items + run, i - run);
            put_types(pr, &group, values);
            run = i;
        }
        put_separator(pr, &group, i);
        put_elem(pr, &group, i);
    }
    put_types(pr, &group, part->type_count);
}
