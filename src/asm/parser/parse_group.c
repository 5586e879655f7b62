/* asm: what stands in round brackets: runs of operands, each run with its types.
 *
 *   ins(%src, %tmp {isBinary = true} : T, U)        one run, and a dictionary in it
 *   ins(%src : T fp %scale : U)                     two runs; the second is led by a word
 *   (gm_slot_buffer = %p : T, c2v_buf = %b : i32)   two runs, with keys */
#include "asm/parser/parser.h"

#include <string.h>

/* A word before a value that says what the value is for; the value starts a run of its own. */
static bool at_led(const struct ptog_parser *p)
{
    return (ptog_is_word(p, "fp") || ptog_is_word(p, "pre_quant")) && ptog_look_ahead(p, 1).kind == PTOG_TOKEN_VALUE;
}

/* led ::= ('fp' | 'pre_quant') value */
static bool parse_led(struct ptog_parser *p, struct ptog_item *item, uint8_t lead)
{
    ptog_symbol word;
    if (!ptog_symbol_of(p, p->token.at, p->token.end, &word))
        return false;
    ptog_take(p);
    if (!ptog_parse_item(p, item, false))
        return false;
    item->lead = lead;
    item->lead_word = word;
    return true;
}

/* operand ::= item | led; for lists without brackets, where the forms without ins and outs write them */
bool ptog_parse_operand(struct ptog_parser *p, struct ptog_item *item)
{
    if (at_led(p))
        return parse_led(p, item, PTOG_LEAD_WORD);
    return ptog_parse_item(p, item, false);
}

/* called ::= word '(' items ')' */
static bool parse_called(struct ptog_parser *p, struct ptog_item *item)
{
    uint32_t at = p->token.at;
    *item = (struct ptog_item){.kind = PTOG_ITEM_WORD, .called = true};
    if (!ptog_symbol_of(p, at, p->token.end, &item->name) || !ptog_enter(p, 1))
        return false;
    ptog_take(p);
    bool good =
        ptog_expect(p, '(') && ptog_parse_items(p, ')', false, &item->items, &item->count) && ptog_expect(p, ')');
    ptog_leave(p, 1);
    item->span = ptog_span_from(p, at);
    return good;
}

/* elem ::= called | word '=' item | operand */
static bool parse_elem(struct ptog_parser *p, struct ptog_item *item)
{
    char next = p->token.kind == PTOG_TOKEN_WORD ? ptog_after_token(p) : '\0';
    if (next == '(')
        return parse_called(p, item);
    if (next != '=')
        return ptog_parse_operand(p, item);
    ptog_symbol word;
    if (!ptog_symbol_of(p, p->token.at, p->token.end, &word))
        return false;
    ptog_take(p);
    ptog_take(p);
    if (!ptog_parse_item(p, item, false))
        return false;
    item->lead = PTOG_LEAD_KEY;
    item->lead_word = word;
    return true;
}

/* Puts an item on the stack, with how it stands to the one before; false when out of memory. */
static bool push_elem(struct ptog_parser *p, struct ptog_item *item, uint8_t lead)
{
    item->lead |= lead;
    return ptog_push(p, item, sizeof *item);
}

/* What may follow an element without a comma: `no_tmp`, a dictionary. */
static bool parse_attached(struct ptog_parser *p)
{
    while (ptog_is_word(p, "no_tmp") || ptog_at(p, '{')) {
        struct ptog_item item;
        if (!ptog_parse_item(p, &item, false) || !push_elem(p, &item, PTOG_LEAD_SPACE))
            return false;
    }
    return true;
}

/* ---- types */

/* After a comma among types: whether operands follow. */
static bool at_next_run(const struct ptog_parser *p)
{
    if (p->token.kind != PTOG_TOKEN_WORD)
        return p->token.kind == PTOG_TOKEN_VALUE;
    char next = ptog_after_token(p);
    return next == '(' || next == '=';
}

/* Puts a type on the stack of the run; false when out of memory. */
static bool push_type(struct ptog_parser *p, const struct ptog_type_use *use)
{
    return ptog_stack_push(&p->run_types, use, sizeof *use) || ptog_fail_memory(p);
}

/* types ::= (type | string) {',' (type | string)};  *next: a comma and the next run follow */
static bool parse_run_types(struct ptog_parser *p, bool *next)
{
    *next = false;
    do {
        struct ptog_type_use use;
        if (!ptog_parse_listed(p, &use) || !push_type(p, &use))
            return false;
        if (!ptog_take_if(p, ','))
            return true;
        *next = at_next_run(p);
    } while (!*next);
    return true;
}

struct parsed_group {
    size_t items, types;         /* where they start on their stacks */
    size_t run_items, run_types; /* the same of the run at hand */
};

/* A run with more types than operands. */
static bool fail_types(struct ptog_parser *p, const struct parsed_group *group, uint32_t values)
{
    const struct ptog_type_use *types = (const void *)(p->run_types.data + group->run_types);
    size_t count = (p->run_types.used - group->run_types) / sizeof *types;
    return ptog_fail(p, PTOG_ID_SYNTAX, types[values].span, "expected %u operand type%s, found %zu", values,
                     values == 1 ? "" : "s", count);
}

/* Every value of a run that another run follows has its type in the list, if only an empty one: so types are found by
 * the number of their value. */
static bool fill_types(struct ptog_parser *p, const struct parsed_group *group)
{
    static const struct ptog_type none;
    const struct ptog_item *items = (const void *)(p->lists.data + group->run_items);
    uint32_t values = ptog_run_values(items, (uint32_t)((p->lists.used - group->run_items) / sizeof *items));
    size_t wanted = group->run_types + values * sizeof(struct ptog_type_use);
    if (p->run_types.used > wanted)
        return fail_types(p, group, values);
    while (p->run_types.used < wanted)
        if (!push_type(p, &(struct ptog_type_use){.type = &none}))
            return false;
    return true;
}

/* Begins a run of items that share a list of types, after the one before has got its own. */
static bool start_run(struct ptog_parser *p, struct parsed_group *group)
{
    if (!fill_types(p, group))
        return false;
    group->run_items = p->lists.used;
    group->run_types = p->run_types.used;
    return true;
}

/* ---- all of it */

/* run ::= elem {',' elem} ['no_tmp'] [[','] dict] [':' types] {led [':' types]};  *next: another one follows */
static bool parse_run(struct ptog_parser *p, struct parsed_group *group, uint8_t lead, bool *next)
{
    struct ptog_item item;
    *next = false;
    if (!ptog_at(p, ':')) {
        do {
            if (!parse_elem(p, &item) || !push_elem(p, &item, lead) || !parse_attached(p))
                return false;
            lead = 0;
        } while (ptog_take_if(p, ','));
    }
    for (;;) {
        if (ptog_take_if(p, ':') && !parse_run_types(p, next))
            return false;
        if ((*next || at_led(p)) && p->lists.used == group->run_items)
            return ptog_fail_expected(p, "')'"); /* types of no operands */
        if (*next || !at_led(p))
            return true;
        if (!start_run(p, group) || !parse_led(p, &item, PTOG_LEAD_WORD | PTOG_LEAD_RUN) ||
            !ptog_push(p, &item, sizeof item))
            return false;
        if (ptog_take_if(p, ',')) { /* more operands may follow the led one */
            *next = true;
            return true;
        }
    }
}

/* Empty types at the end of the list say nothing. */
static bool take_types(struct ptog_parser *p, size_t from, struct ptog_part *part)
{
    if (p->run_types.used == from)
        return true;
    const struct ptog_type_use *types = (const void *)(p->run_types.data + from);
    size_t count = (p->run_types.used - from) / sizeof *types;
    while (count > 0 && types[count - 1].type->kind == PTOG_TYPE_NONE)
        count--;
    size_t bytes = count * sizeof *types;
    p->run_types.used = from + bytes;
    part->types = ptog_stack_take(&p->run_types, from, &p->tree->arena);
    part->type_count = (uint32_t)(bytes / sizeof *part->types);
    return bytes == 0 || part->types || ptog_fail_memory(p);
}

/* group ::= [run {',' run}] ')' after its '(' */
bool ptog_parse_group(struct ptog_parser *p, struct ptog_part *part)
{
    struct parsed_group group = {p->lists.used, p->run_types.used, p->lists.used, p->run_types.used};
    bool next = !ptog_at(p, ')'), good = true;
    for (uint8_t lead = 0; next && good; lead = PTOG_LEAD_RUN)
        good = (lead == 0 || start_run(p, &group)) && parse_run(p, &group, lead, &next);
    if (good && !ptog_at(p, ')'))
        good = ptog_fail_expected(p, "',' or ')'");
    if (good) {
        ptog_take(p);
        good = ptog_take_list(p, group.items, sizeof *part->items, &part->items, &part->count) &&
               take_types(p, group.types, part);
    }
    p->run_types.used = group.types;
    return good;
}
