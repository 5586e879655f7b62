/* lower: small arrays on the stack of a kernel: local_array holds numbers, eventid_array the numbers of flags. What
 * an array holds is known in a run alone; a check knows its type. */
#include <inttypes.h>
#include <stdlib.h>

#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"

#define MAX_ELEMENTS 65536 /* of one array: more than the stack of a core holds */

/* The elements of an array, by the operation that declares it. They live as long as the evaluator. */
struct ptog_local_array {
    struct ptog_local_array *next;
    const struct ptog_op *op;
    uint32_t count;
    struct {
        uint64_t bits;
        bool set;
    } of[];
};

void ptog_local_arrays_free(struct ptog_eval *e)
{
    while (e->arrays) {
        struct ptog_local_array *next = e->arrays->next;
        free(e->arrays);
        e->arrays = next;
    }
}

/* How many elements a type has; 0 when that is not known, or too many. */
static uint32_t element_count(const struct ptog_type *type)
{
    int64_t count = 1;
    if (type->elided)
        return 0;
    if (type->kind == PTOG_TYPE_EVENTID_ARRAY)
        count = type->slots;
    for (uint32_t i = 0; i < type->rank && count > 0 && count <= MAX_ELEMENTS; i++) {
        if (type->dims[i].value <= 0 || type->dims[i].value > MAX_ELEMENTS)
            return 0;
        count *= type->dims[i].value;
    }
    if (count <= 0 || count > MAX_ELEMENTS)
        return 0;
    return (uint32_t)count;
}

struct ptog_local_array *ptog_declare_array(struct ptog_eval *e, const struct ptog_op *op, uint32_t count)
{
    struct ptog_local_array *array = e->arrays;
    while (array && array->op != op)
        array = array->next;
    if (!array) {
        array = calloc(1, sizeof *array + count * sizeof array->of[0]);
        if (!array) {
            e->no_memory = true;
            return NULL;
        }
        array->op = op;
        array->count = count;
        array->next = e->arrays;
        e->arrays = array;
    }
    for (uint32_t i = 0; i < array->count; i++)
        array->of[i].set = false;
    return array;
}

/* Lowers the declaration of an array: defines it by its type. */
static void eval_declare_array(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type *type = ptog_used_type(ptog_result_type(&operands));
    struct ptog_value value = {.type = type};
    if (!ptog_want_operands(e, op, operands.count, 0, 0) || !ptog_want_results(e, op, 1))
        return;
    bool events = op->name == PTOG_OP_NAME_DECLARE_EVENTID_ARRAY;
    if (!type || type->kind != (events ? PTOG_TYPE_EVENTID_ARRAY : PTOG_TYPE_LOCAL_ARRAY)) {
        ptog_refuse(e, "text-operands", op->name_span, "the array needs its type, such as -> !pto.local_array<4xi32>");
    } else if (element_count(type) == 0 || (!events && type->element.foreign)) {
        ptog_say_not_modelled(e, op->name_span, "'%s' of this type is not simulated", ptog_op_info(op->name)->name);
    } else {
        struct ptog_made_code made = {.rank = element_count(type)};
        value.kind = PTOG_VALUE_ARRAY;
        made.value = value;
        ptog_emit_made(e, PTOG_CODE_ARRAY, op, &made, NULL, 0);
    }
    ptog_define_result(e, op, 0, &value);
}

/* ---- elements */

/* `before` and `after` are what the message says around the name of the array. */
static bool fail_element(struct ptog_eval *e, const struct ptog_made_code *made, const char *before, const char *after)
{
    ptog_diag_emit(e->diags, "text-operand", made->spans[0], "%s %%%.80s%s", before,
                   ptog_tree_text(e->tree, made->name), after);
    e->stopped = e->stopped || e->running;
    return false;
}

/* The extent of dimension i. */
static int64_t array_extent(const struct ptog_type *type, uint32_t i)
{
    if (type->kind == PTOG_TYPE_EVENTID_ARRAY)
        return type->slots;
    return type->dims[i].value;
}

static uint32_t array_rank(const struct ptog_type *type)
{
    if (type->kind == PTOG_TYPE_EVENTID_ARRAY)
        return 1;
    return type->rank;
}

/* The number of the element that %a[%i, %j] names, rows first; not known before a run when an index is not. False after
 * an error. */
static bool element_number(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_type *type,
                           const struct ptog_number *n, struct ptog_number *number)
{
    *number = (struct ptog_number){0, true};
    for (uint32_t i = 0; i < array_rank(type); i++) {
        if (n[i].known && (n[i].value < 0 || n[i].value >= array_extent(type, i)))
            return fail_element(e, made, "the index is outside of", "");
        number->value = number->value * array_extent(type, i) + (n[i].known ? n[i].value : 0);
        number->known = number->known && n[i].known;
    }
    return true;
}

void ptog_set_element(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *array,
                      const struct ptog_number *n, const struct ptog_value *value)
{
    struct ptog_number number;
    if (!element_number(e, made, array->type, n, &number) || !array->array || !number.known)
        return;
    bool real = value->kind == PTOG_VALUE_REAL;
    array->array->of[number.value].bits = real ? value->real.bits : (uint64_t)value->number.value;
    array->array->of[number.value].set = true;
}

/* Makes *value one of the result's type; without a type, the number of an event. False after a report: elements are
 * numbers. */
static bool start_element(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                          struct ptog_value *value)
{
    if (use && !ptog_value_from_type(e, use, value))
        return false;
    if (!use && op->name == PTOG_OP_NAME_EVENTID_ARRAY_GET) {
        value->kind = PTOG_VALUE_NUMBER;
        value->width = 64;
    }
    if (value->kind == PTOG_VALUE_NUMBER || value->kind == PTOG_VALUE_REAL)
        return true;
    return ptog_refuse(e, "text-operand", op->name_span,
                       "an element of an array is a number: it needs -> and its type");
}

void ptog_get_element(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *array,
                      const struct ptog_number *n, struct ptog_value *value)
{
    struct ptog_number number;
    bool known = element_number(e, made, array->type, n, &number) && array->array && number.known;
    if (known && !array->array->of[number.value].set) {
        known = false;
        fail_element(e, made, "an element of", " is read before it is set");
    }
    uint64_t bits = known ? array->array->of[number.value].bits : 0;
    if (value->kind == PTOG_VALUE_REAL) {
        value->real.bits = bits;
        value->real.known = known;
    } else {
        value->number = (struct ptog_number){(int64_t)bits, known};
    }
}

/* The indices of %a[%i, %j], which are arguments of the record. False after an error. */
static bool read_indices(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type *type,
                         const struct ptog_made_code *made, struct ptog_number *n, struct ptog_code_arg *args)
{
    uint32_t rank = array_rank(type);
    if (!item->called || item->count != rank || rank > PTOG_MAX_NAMES)
        return fail_element(e, made, "an element of", " needs one index for each dimension");
    bool good = true;
    for (uint32_t i = 0; i < rank && good; i++) {
        good = ptog_use_number(e, &item->items[i], NULL, &n[i]);
        args[i] = ptog_code_arg_of(e, &item->items[i]);
    }
    return good;
}

/* Checks that the operand may be an element of the array, and writes the record. */
static void check_set_element(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                              const struct ptog_value *array, const struct ptog_value *value)
{
    const struct ptog_item *item = &operands->items[0];
    struct ptog_made_code made = {.name = item->name, .spans = {item->span}};
    struct ptog_number n[PTOG_MAX_NAMES];
    struct ptog_code_arg args[2 + PTOG_MAX_NAMES];
    if (value->kind != PTOG_VALUE_NUMBER && value->kind != PTOG_VALUE_REAL) {
        fail_element(e, &made, "an element of", " is a number");
    } else if (read_indices(e, item, array->type, &made, n, &args[2])) {
        args[0] = ptog_code_arg_of(e, &operands->items[1]);
        args[1] = ptog_code_arg_of(e, item);
        ptog_emit_made(e, PTOG_CODE_SET_ELEMENT, op, &made, args, 2 + item->count);
        ptog_set_element(e, &made, array, n, value);
    }
}

/* `value` is as its type says it; a check knows no more of the element. */
static void check_get_element(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                              const struct ptog_value *array, struct ptog_value *value)
{
    struct ptog_made_code made = {.name = item->name, .spans = {item->span}, .value = *value};
    struct ptog_number n[PTOG_MAX_NAMES];
    struct ptog_code_arg args[1 + PTOG_MAX_NAMES];
    if (!read_indices(e, item, array->type, &made, n, &args[1]))
        return;
    args[0] = ptog_code_arg_of(e, item);
    ptog_emit_made(e, PTOG_CODE_GET_ELEMENT, op, &made, args, 1 + item->count);
    ptog_get_element(e, &made, array, n, value);
}

/* Lowers reading, or with `sets` writing, an element of an array. */
static void eval_array_element(struct ptog_eval *e, const struct ptog_op *op, bool sets)
{
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_value result = {0};
    uint32_t count = sets ? 2 : 1;
    if (!ptog_want_operands(e, op, operands.count, count, count) || !ptog_want_results(e, op, sets ? 0 : 1))
        return;
    const struct ptog_item *item = &operands.items[0];
    const struct ptog_value *array = ptog_use_as(e, item, ptog_operand_type(&operands, 0), PTOG_VALUE_ARRAY);
    const struct ptog_value *value = NULL;
    if (sets)
        value = ptog_use(e, &operands.items[1], NULL, PTOG_VALUE_NUMBER);
    bool good = array && ptog_eval_lint(e, op);
    if (good && sets && value && value->kind != PTOG_VALUE_ANY)
        check_set_element(e, op, &operands, array, value);
    else if (good && !sets && start_element(e, op, ptog_result_type(&operands), &result))
        check_get_element(e, op, item, array, &result);
    if (!sets)
        ptog_define_result(e, op, 0, &result);
}

/* Lowers an operation on arrays of numbers or event ids. */
void ptog_eval_local_array(struct ptog_eval *e, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_DECLARE_LOCAL_ARRAY:
    case PTOG_OP_NAME_DECLARE_EVENTID_ARRAY: eval_declare_array(e, op); break;
    case PTOG_OP_NAME_LOCAL_ARRAY_SET:
    case PTOG_OP_NAME_EVENTID_ARRAY_SET: eval_array_element(e, op, true); break;
    default: eval_array_element(e, op, false); break;
    }
}
