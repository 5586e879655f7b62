/* asm: operations that the forms write differently, to text in each of them. */
#include "asm/printer/printer.h"

#include <stdlib.h>
#include <string.h>

#include "asm/generic.h"
#include "base/pick.h"

/* ---- what the forms share */

static bool is_extra(const struct ptog_op *op, const struct ptog_part *part)
{
    return part != op->ins && part != op->outs && part != op->attrs;
}

/* Prints the parts of an instruction that are neither sources, destinations nor attributes. */
static void put_extras(struct ptog_printer *pr, const struct ptog_op *op)
{
    unsigned argument = 0;
    for (uint32_t i = 0; i < op->part_count; i++)
        if (is_extra(op, &op->parts[i]))
            ptog_print_part(pr, op, &op->parts[i], &argument);
}

/* Only keys can stand between operands and types. */
static bool extras_fit(const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (is_extra(op, part) && part->kind != PTOG_PART_KEY)
            return false;
    }
    return op->result_count == 0;
}

typedef bool choose(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry);

/* The sizes of the generic form have no meaning where ins and outs say it. */
static bool is_of_generic(const struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    return entry->key == PTOG_WORD_operandSegmentSizes && op->form == PTOG_OP_GENERIC && pr->form != PTOG_TEXT_WRITTEN;
}

/* A dictionary of the attributes chosen; nothing when there are none. */
static bool put_chosen(struct ptog_printer *pr, const struct ptog_op *op, const char *before, choose *chosen)
{
    bool any = false;
    for (uint32_t i = 0; op->attrs && i < op->attrs->count; i++) {
        const struct ptog_entry *entry = &op->attrs->entries[i];
        if (!chosen(pr, op, entry) || is_of_generic(pr, op, entry))
            continue;
        ptog_put(pr, any ? ", " : before);
        ptog_put(pr, ptog_when(!any, "{"));
        ptog_print_entry(pr, entry, op->name);
        any = true;
    }
    ptog_put(pr, ptog_when(any, "}"));
    return any;
}

static enum ptog_key_place printed_place(const struct ptog_op *op, const struct ptog_entry *entry)
{
    return ptog_key_place(op->name, entry->key);
}

/* ---- DPS */

/* Whether the form prints an attribute inside of ins(...). */
static bool goes_into_ins(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    (void)pr;
    return printed_place(op, entry) == PTOG_PLACE_IN_INS || ptog_dict_in_ins(op->name, op->ins->count);
}

/* Whether the form prints an attribute behind the clauses. */
static bool goes_after(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    return !goes_into_ins(pr, op, entry);
}

/* The dictionary of the operands: after a comma where it stands for an operand, without one where it does not. */
static void put_inner_dict(struct ptog_printer *pr, const struct ptog_op *op, bool any)
{
    const char *before = ptog_dict_in_ins(op->name, op->ins->count) ? " " : ", ";
    put_chosen(pr, op, ptog_when(any, before), goes_into_ins);
}

/* clause ::= word '(' group ')' */
static void put_clause(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part)
{
    struct ptog_group_style style = {
        .as_stored = pr->form == PTOG_TEXT_WRITTEN, .segments = ptog_op_has_segments(op->name), .op = op};
    if (part == op->ins)
        style.dict = put_inner_dict;
    ptog_put(pr, part == op->ins ? " ins(" : " outs(");
    ptog_print_group(pr, part, &style);
    ptog_put(pr, ")");
}

static bool is_empty(const struct ptog_part *part)
{
    return part->count == 0 && part->type_count == 0;
}

/* Whether an attribute is printed inside of ins(...). */
static bool has_ins_attrs(struct ptog_printer *pr, const struct ptog_op *op)
{
    for (uint32_t i = 0; op->attrs && i < op->attrs->count; i++)
        if (goes_into_ins(pr, op, &op->attrs->entries[i]))
            return true;
    return false;
}

/* Prints an instruction as levels 2 and 3 do: ins(...) outs(...). */
static void put_dps(struct ptog_printer *pr, const struct ptog_op *op)
{
    ptog_print_results(pr, op->results, op->result_count);
    ptog_put_symbol(pr, op->name);
    if (!is_empty(op->ins) || is_empty(op->outs) || has_ins_attrs(pr, op))
        put_clause(pr, op, op->ins);
    if (!is_empty(op->outs))
        put_clause(pr, op, op->outs);
    put_extras(pr, op);
    if (!put_chosen(pr, op, " ", goes_after))
        ptog_print_added_attrs(pr, op);
}

/* ---- SSA and PTO-AS */

/* Whether an attribute is a suffix in PTO-AS. The second suffix needs the first. */
static bool is_suffix(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    bool as_written = pr->form == PTOG_TEXT_WRITTEN;
    enum ptog_key_place place = printed_place(op, entry);
    if (as_written)
        return entry->value.style == PTOG_ITEM_SUFFIX;
    if (entry->value.kind != PTOG_ITEM_ATTR || place < PTOG_PLACE_SUFFIX_1 || place > PTOG_PLACE_SUFFIX_2)
        return false;
    if (place == PTOG_PLACE_SUFFIX_1)
        return true;
    for (uint32_t i = 0; i < op->attrs->count; i++)
        if (printed_place(op, &op->attrs->entries[i]) == PTOG_PLACE_SUFFIX_1)
            return op->attrs->entries[i].value.kind == PTOG_ITEM_ATTR;
    return false;
}

/* Whether an attribute is none that PTO-AS prints behind the name. */
static bool is_no_suffix(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    return !is_suffix(pr, op, entry);
}

/* Every attribute. */
static bool is_any(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_entry *entry)
{
    (void)pr, (void)op, (void)entry;
    return true;
}

/* Prints the attributes of an instruction that PTO-AS has behind its name at that place. */
static void put_suffix(struct ptog_printer *pr, const struct ptog_op *op, enum ptog_key_place place)
{
    for (uint32_t i = 0; op->attrs && i < op->attrs->count; i++) {
        const struct ptog_entry *entry = &op->attrs->entries[i];
        if (printed_place(op, entry) != place || !is_suffix(pr, op, entry))
            continue;
        ptog_put(pr, ".");
        ptog_put_symbol(pr, entry->value.value);
    }
}

/* types ::= ':' list, in parentheses unless there is exactly one that needs none */
static void put_types(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t count)
{
    ptog_print_types(pr, types, count, count != 1 || types[0].type->kind == PTOG_TYPE_FUNCTION);
}

/* Types `from` to `to`, after *n others. */
static void put_joined(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t from, uint32_t to,
                       uint32_t *n)
{
    for (uint32_t i = from; i < to; i++) {
        ptog_put(pr, ptog_when((*n)++ > 0, ", "));
        ptog_print_type(pr, types[i].type);
    }
}

/* signature ::= ':' types ['->' types] */
static void put_signature(struct ptog_printer *pr, const struct ptog_op *op, bool arrow)
{
    ptog_put(pr, " : ");
    put_types(pr, op->ins->types, op->ins->type_count);
    if (!arrow)
        return;
    ptog_put(pr, " -> ");
    put_types(pr, op->outs->types, op->outs->type_count);
}

/* %d = x %a, %b : (T, T) -> T */
static void put_flow(struct ptog_printer *pr, const struct ptog_op *op, choose *dict)
{
    ptog_put(pr, ptog_when(op->ins->count > 0, " "));
    ptog_print_items(pr, op->ins->items, op->ins->count);
    put_extras(pr, op);
    put_chosen(pr, op, " ", dict);
    if (op->ins->type_count + op->outs->type_count > 0)
        put_signature(pr, op, op->outs->type_count > 0);
}

/* Operands and types in one list each: `at` of the operands stand before the destinations. */
static void put_flat(struct ptog_printer *pr, const struct ptog_op *op, uint32_t at, choose *dict, const char *end)
{
    const struct ptog_part *ins = op->ins, *outs = op->outs;
    uint32_t n = 0;
    if (at >= ins->count)
        at = ins->count;
    ptog_put(pr, ptog_when(ins->count + outs->count > 0, " "));
    ptog_print_items(pr, ins->items, at);
    ptog_put(pr, ptog_when(at > 0 && outs->count > 0, ", "));
    ptog_print_items(pr, outs->items, outs->count);
    ptog_put(pr, ptog_when(at + outs->count > 0 && ins->count > at, ", "));
    if (ins->count > at)
        ptog_print_items(pr, ins->items + at, ins->count - at);
    put_extras(pr, op);
    put_chosen(pr, op, " ", dict);
    bool usual = at > 0 || outs->count == ptog_op_outs(op) || (outs->count < ptog_op_outs(op) && ins->count == 0);
    bool joined =
        outs->type_count == outs->count && (at == 0 || ins->type_count >= at || outs->type_count == 0) && usual;
    uint32_t types = ins->type_count + outs->type_count;
    if (types > 0 && !joined) {
        put_signature(pr, op, true);
    } else if (types > 0) {
        uint32_t first = ptog_min_u32(at, ins->type_count);
        bool parens = types != 1;
        ptog_put(pr, parens ? " : (" : " : ");
        put_joined(pr, ins->types, 0, first, &n);
        put_joined(pr, outs->types, 0, outs->type_count, &n);
        put_joined(pr, ins->types, first, ins->type_count, &n);
        ptog_put(pr, ptog_when(parens, ")"));
        ptog_put(pr, end);
    }
}

/* Prints the destinations as results. */
static void put_results(struct ptog_printer *pr, const struct ptog_op *op)
{
    ptog_print_results(pr, op->outs->items, op->outs->count);
}

/* A list of types has no place for one that is left out. */
static bool all_types_named(const struct ptog_part *part)
{
    for (uint32_t i = 0; i < part->type_count; i++)
        if (part->types[i].type->kind == PTOG_TYPE_NONE)
            return false;
    return true;
}

/* Types after an arrow tell how many destinations there are, when it is more than the usual number. */
static bool arrow_tells(const struct ptog_op *op)
{
    return op->outs->count > ptog_op_outs(op) && op->outs->type_count == op->outs->count;
}

/* Whether the destinations can be told from the operands again when both stand in one list. */
static bool flat_fits(const struct ptog_op *op)
{
    const struct ptog_part *ins = op->ins, *outs = op->outs;
    bool more_types = outs->type_count > ptog_op_outs(op) && outs->type_count != outs->count;
    if (!all_types_named(ins) || !all_types_named(outs))
        return false;
    if (more_types) /* than destinations: every operand is one, and is read as one again */
        return ins->count == 0;
    if (ptog_op_info(op->name)->kind == PTOG_KIND_STORE) {
        if (outs->count == 1)
            return ins->count >= 1 && (outs->type_count > 0 || ins->type_count < 2);
        return outs->count == 0 && ins->count < 2;
    }
    uint32_t wanted = ptog_op_outs(op);
    return outs->count == wanted || (outs->count < wanted && ins->count == 0) || arrow_tells(op);
}

/* Reports that an instruction cannot be written in a form. */
static void say_no_form(struct ptog_printer *pr, const struct ptog_op *op, const char *form)
{
    ptog_print_problem(pr, op->span, "'%s' with these operands cannot be written in the %s form",
                       ptog_op_info(op->name)->name, form);
}

/* Prints an instruction as level 1 does, its destinations as results where they can be; reports what it cannot say. */
static void put_ssa(struct ptog_printer *pr, const struct ptog_op *op)
{
    bool store = ptog_op_info(op->name)->kind == PTOG_KIND_STORE;
    bool result = op->defines || (pr->form == PTOG_TEXT_SSA && pr->verdicts[op->number] == PTOG_SSA_RESULT);
    if (result) {
        if (!all_types_named(op->ins))
            say_no_form(pr, op, "level-1");
        put_results(pr, op);
        ptog_put_symbol(pr, op->name);
        put_flow(pr, op, is_any);
        return;
    }
    if (!flat_fits(op))
        say_no_form(pr, op, "level-1");
    ptog_put_symbol(pr, op->name);
    put_flat(pr, op, store, is_any, ptog_when(store, " -> ()"));
}

/* Prints an instruction as PTO-AS does; reports what it cannot say. */
static void put_as(struct ptog_printer *pr, const struct ptog_op *op)
{
    bool store = ptog_op_info(op->name)->kind == PTOG_KIND_STORE;
    if (op->defines ? !all_types_named(op->ins) : !flat_fits(op))
        say_no_form(pr, op, "PTO-AS");
    if (op->defines)
        put_results(pr, op);
    ptog_put(pr, ptog_op_info(op->name)->name + strlen("pto."));
    put_suffix(pr, op, PTOG_PLACE_SUFFIX_1);
    put_suffix(pr, op, PTOG_PLACE_SUFFIX_2);
    if (op->defines)
        put_flow(pr, op, is_no_suffix);
    else
        put_flat(pr, op, store, is_no_suffix, "");
}

/* ---- generic form: only as it was written */

struct generic_operand {
    const struct ptog_item *item;
    const struct ptog_type_use *type; /* NULL: none is listed */
};

/* The operands in the order of the generic form, each with its type; returns how many. */
static uint32_t list_generic(const struct ptog_printer *pr, const struct ptog_op *op, struct generic_operand *list)
{
    struct ptog_generic_place places[PTOG_MAX_GENERIC];
    uint32_t count = op->ins->count + (op->defines ? 0 : op->outs->count);
    const struct ptog_item *sizes = ptog_op_attr(op, PTOG_WORD_operandSegmentSizes);
    bool listed = !op->defines && ptog_generic_order(pr->tree, op->name, sizes, count, places) == PTOG_GENERIC_LISTED;
    for (uint32_t i = 0; i < count; i++) {
        struct ptog_generic_place place = {.out = i >= op->ins->count, .at = i};
        if (place.out)
            place.at -= op->ins->count;
        if (listed)
            place = places[i];
        const struct ptog_part *part = place.out ? op->outs : op->ins;
        list[i].item = &part->items[place.at];
        list[i].type = place.at < part->type_count ? &part->types[place.at] : NULL;
    }
    return count;
}

/* "(%a, %b) : (A, B)"; without types, if none are listed. Returns whether they are. */
static bool put_generic_operands(struct ptog_printer *pr, const struct ptog_op *op)
{
    size_t room = op->ins->count + op->outs->count + 1u;
    struct generic_operand *list = calloc(room, sizeof *list);
    uint32_t count = list ? list_generic(pr, op, list) : 0, n = 0;
    pr->no_memory = pr->no_memory || !list;
    ptog_put(pr, "(");
    for (uint32_t i = 0; i < count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_print_item(pr, list[i].item, false);
    }
    ptog_put(pr, ")");
    put_extras(pr, op);
    put_chosen(pr, op, " ", is_any);
    bool typed = count == 0 || list[0].type;
    ptog_put(pr, ptog_when(typed, " : ("));
    for (uint32_t i = 0; i < count; i++)
        if (list[i].type)
            put_joined(pr, list[i].type, 0, 1, &n);
    ptog_put(pr, ptog_when(typed, ")"));
    free(list);
    return typed;
}

/* Prints an instruction in MLIR's generic form. */
static void put_generic(struct ptog_printer *pr, const struct ptog_op *op)
{
    if (op->defines)
        put_results(pr, op);
    ptog_print_name(pr, op);
    uint32_t results = op->defines ? op->outs->type_count : 0;
    if (put_generic_operands(pr, op) || results > 0) {
        ptog_put(pr, " -> ");
        put_types(pr, op->outs->types, results);
    }
}

/* ---- the choice */

void ptog_print_alloc_type(struct ptog_printer *pr, const struct ptog_type *type)
{
    if (type)
        ptog_print_type(pr, type);
    else
        ptog_put(pr, "!pto.tile_buf<...>");
}

/* Prints, before a statement of a function, the allocations of the tiles that it defines. */
void ptog_print_allocs(struct ptog_printer *pr, const struct ptog_op *op)
{
    if (pr->form != PTOG_TEXT_DPS || !pr->in_function || !op->defines || !ptog_op_is_tile(op->name))
        return;
    for (uint32_t i = 0; i < op->outs->count; i++) {
        const struct ptog_type *type = i < op->outs->type_count ? op->outs->types[i].type : NULL;
        if (ptog_print_placed_alloc(pr, op, &op->outs->items[i], i, type)) {
            ptog_put(pr, "\n");
            continue;
        }
        ptog_print_indent(pr);
        ptog_print_results(pr, &op->outs->items[i], 1);
        ptog_put(pr, "pto.alloc_tile : ");
        ptog_print_alloc_type(pr, type);
        ptog_put(pr, "\n");
    }
}

void ptog_print_tile_op(struct ptog_printer *pr, const struct ptog_op *op)
{
    bool written = pr->form == PTOG_TEXT_WRITTEN;
    if (!written && pr->form != PTOG_TEXT_DPS && !extras_fit(op))
        ptog_print_problem(pr, op->span, "'%s' uses syntax that only level 2 has", ptog_op_info(op->name)->name);
    static const enum ptog_op_form wanted[] = {
        [PTOG_TEXT_DPS] = PTOG_OP_DPS, [PTOG_TEXT_SSA] = PTOG_OP_SSA, [PTOG_TEXT_AS] = PTOG_OP_AS};
    switch (written ? op->form : wanted[pr->form]) {
    case PTOG_OP_DPS: put_dps(pr, op); break;
    case PTOG_OP_SSA: put_ssa(pr, op); break;
    case PTOG_OP_AS: put_as(pr, op); break;
    default: put_generic(pr, op); break;
    }
}
