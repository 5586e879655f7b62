/* lower: affine.apply, which computes a number from others by an affine map. */
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"

/* The numbers that the names of a map stand for. */
struct affine_call {
    const struct ptog_number *names;
    bool wrong; /* a divisor is not positive */
};

static struct ptog_number affine_value(struct affine_call *call, const struct ptog_affine *node);

/* The divisor is positive, as affine maps ask. */
static int64_t affine_divide(int64_t a, int64_t b, enum ptog_affine_sign sign)
{
    int64_t quotient = a / b, rest = a % b;
    if (sign == PTOG_AFFINE_FLOORDIV)
        return quotient - (rest < 0);
    if (sign == PTOG_AFFINE_CEILDIV)
        return quotient + (rest > 0);
    if (rest < 0)
        return rest + b;
    return rest;
}

/* What a term makes of the value of those before it; numbers wrap around. */
static struct ptog_number affine_combine(struct affine_call *call, struct ptog_number value, struct ptog_number other,
                                         enum ptog_affine_sign sign)
{
    bool known = value.known && other.known;
    if (sign == PTOG_AFFINE_PLUS)
        return (struct ptog_number){(int64_t)((uint64_t)value.value + (uint64_t)other.value), known};
    if (sign == PTOG_AFFINE_MINUS)
        return (struct ptog_number){(int64_t)((uint64_t)value.value - (uint64_t)other.value), known};
    if (sign == PTOG_AFFINE_TIMES)
        return (struct ptog_number){(int64_t)((uint64_t)value.value * (uint64_t)other.value), known};
    call->wrong = call->wrong || (other.known && other.value <= 0);
    if (!known || call->wrong)
        return (struct ptog_number){0, false};
    return (struct ptog_number){affine_divide(value.value, other.value, sign), true};
}

/* Expressions nest no deeper than the parser lets them. */
static struct ptog_number affine_value(struct affine_call *call, const struct ptog_affine *node)
{
    struct ptog_number value;
    switch ((enum ptog_affine_kind)node->kind) {
    case PTOG_AFFINE_NUMBER: return (struct ptog_number){node->value, true};
    case PTOG_AFFINE_NAME: return call->names[node->value];
    case PTOG_AFFINE_NEGATED:
        value = affine_value(call, node->first);
        value.value = (int64_t)(0 - (uint64_t)value.value);
        return value;
    default: break;
    }
    value = affine_value(call, node->first);
    for (const struct ptog_affine *term = node->first->next; term; term = term->next)
        value = affine_combine(call, value, affine_value(call, term), (enum ptog_affine_sign)term->sign);
    return value;
}

static uint32_t count_of(const struct ptog_part *part)
{
    if (part)
        return part->count;
    return 0;
}

/* Reads the operands into names[from...] and args[from...]. False after an error in one of them. */
static bool use_operands(struct ptog_eval *e, const struct ptog_part *part, uint32_t from, struct ptog_number *names,
                         struct ptog_code_arg *args)
{
    bool good = true;
    for (uint32_t i = 0; i < count_of(part); i++) {
        good = ptog_use_number(e, &part->items[i], NULL, &names[from + i]) && good;
        args[from + i] = ptog_code_arg_of(e, &part->items[i]);
    }
    return good;
}

/* Whether a map has one result and not too many names. */
static bool is_single(const struct ptog_affine_map *map)
{
    return map && map->result_count == 1 && map->dim_count + map->symbol_count <= PTOG_MAX_NAMES;
}

/* Reports a map that cannot be applied. Always false. */
static bool refuse_map(struct ptog_eval *e, const struct ptog_made_code *made)
{
    return ptog_refuse(e, "text-operand", made->spans[0],
                       "the map must be a single expression of + - * floordiv ceildiv mod");
}

/* Sets *number to what a map gives for its names. False after a report, when the map divides by zero or overflows. */
bool ptog_make_affine(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_number *n,
                      struct ptog_number *number)
{
    struct affine_call call = {.names = n};
    *number = affine_value(&call, made->map->result);
    if (!call.wrong)
        return true;
    number->known = false;
    return refuse_map(e, made);
}

/* Reads the operands of a map, writes the record, and gives the number, as far as it is known. */
static void apply_map(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                      struct ptog_number *number)
{
    const struct ptog_part *dims = ptog_op_part(op, PTOG_PART_PARENS, 0),
                           *symbols = ptog_op_part(op, PTOG_PART_LIST, 0);
    struct ptog_number names[PTOG_MAX_NAMES] = {{0}};
    struct ptog_code_arg args[PTOG_MAX_NAMES];
    if (!is_single(made->map)) {
        refuse_map(e, made);
    } else if (count_of(dims) != made->map->dim_count || count_of(symbols) != made->map->symbol_count) {
        ptog_refuse(e, "text-operands", op->name_span,
                    "the map has a different number of dimensions or symbols than there are operands");
    } else if (use_operands(e, dims, 0, names, args) && use_operands(e, symbols, made->map->dim_count, names, args)) {
        ptog_emit_made(e, PTOG_CODE_AFFINE, op, made, args, count_of(dims) + count_of(symbols));
        ptog_make_affine(e, made, names, number);
    }
}

/* Lowers affine.apply: defines its result, known where the names of the map are, and appends a record with the map. */
void ptog_eval_affine(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *text = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = 64};
    if (!ptog_want_results(e, op, 1))
        return;
    if (!text || text->count != 1 || text->items[0].kind != PTOG_ITEM_MAP) {
        ptog_refuse(e, "text-operands", op->name_span,
                    "'affine.apply' needs a map such as affine_map<(d0) -> (d0 * 2)>");
        ptog_define_any(e, op);
        return;
    }
    struct ptog_made_code made = {.map = text->items[0].map, .spans = {text->items[0].span}};
    apply_map(e, op, &made, &value.number);
    ptog_define_result(e, op, 0, &value);
}
