/* lower: the code that the check walk writes as it goes. */
#include "lower/emit.h"

#include "base/pick.h"
#include "lower/scope.h"

struct ptog_code *ptog_emit(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op)
{
    struct ptog_code *code = ptog_code_add(e->emits, kind, op);
    e->emitted = true;
    if (code)
        return code;
    e->no_memory = true;
    return &e->lost_code;
}

uint32_t ptog_emit_next(const struct ptog_eval *e)
{
    return e->emits->count;
}

struct ptog_code *ptog_emitted(struct ptog_eval *e, uint32_t number)
{
    if (number < e->emits->count)
        return &e->emits->of[number];
    return &e->lost_code;
}

struct ptog_code_arg ptog_code_arg_of(const struct ptog_eval *e, const struct ptog_item *item)
{
    if (item->kind == PTOG_ITEM_INT)
        return (struct ptog_code_arg){0, (int64_t)ptog_negated_if(item->negative, item->number)};
    uint32_t number = item->kind == PTOG_ITEM_VALUE ? e->value_of[item->name] : 0;
    return (struct ptog_code_arg){number > e->frame ? number - e->frame : 0, 0};
}

void ptog_emit_args_after(struct ptog_eval *e, struct ptog_code *code, const struct ptog_item *first,
                          const struct ptog_item *items, uint32_t count)
{
    uint32_t before = first != NULL;
    struct ptog_code_arg *args = ptog_code_args(e->emits, code, count + before);
    if (!args) {
        e->no_memory = true;
        return;
    }
    if (first)
        args[0] = ptog_code_arg_of(e, first);
    for (uint32_t i = 0; i < count; i++)
        args[before + i] = ptog_code_arg_of(e, &items[i]);
}

void ptog_emit_args(struct ptog_eval *e, struct ptog_code *code, const struct ptog_item *items, uint32_t count)
{
    ptog_emit_args_after(e, code, NULL, items, count);
}

void ptog_emit_given_args(struct ptog_eval *e, struct ptog_code *code, const struct ptog_code_arg *args, uint32_t count)
{
    struct ptog_code_arg *to = ptog_code_args(e->emits, code, count);
    e->no_memory = e->no_memory || !to;
    for (uint32_t i = 0; to && i < count; i++)
        to[i] = args[i];
}

void ptog_emit_made(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op,
                    const struct ptog_made_code *made, const struct ptog_code_arg *args, uint32_t count)
{
    struct ptog_code *code = ptog_emit(e, kind, op);
    struct ptog_made_code *copy = ptog_arena_alloc(&e->emits->arena, sizeof *copy);
    e->no_memory = e->no_memory || !copy;
    if (copy)
        *copy = *made;
    code->made = copy;
    ptog_emit_given_args(e, code, args, count);
}
