/* lower: the list of records that a function becomes, and how it grows. */
#include "lower/code.h"

#include <stdlib.h>

#include "base/array.h"

struct ptog_code *ptog_code_add(struct ptog_code_list *list, enum ptog_code_kind kind, const struct ptog_op *op)
{
    if (!ptog_array_reserve(&list->of, (size_t)list->count + 1, &list->room))
        return NULL;
    struct ptog_code *code = &list->of[list->count++];
    *code = (struct ptog_code){.kind = (uint8_t)kind, .op = op};
    return code;
}

struct ptog_code_arg *ptog_code_args(struct ptog_code_list *list, struct ptog_code *code, uint32_t count)
{
    struct ptog_code_arg *args = ptog_arena_alloc(&list->arena, ((size_t)count + 1) * sizeof *args);
    code->args = args;
    code->arg_count = args ? count : 0;
    return args;
}

void ptog_code_clear(struct ptog_code_list *list)
{
    list->count = 0;
    ptog_arena_free(&list->arena);
}

void ptog_code_free(struct ptog_code_list *list)
{
    free(list->of);
    ptog_arena_free(&list->arena);
    *list = (struct ptog_code_list){0};
}
