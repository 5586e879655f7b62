/* program: what has to be bound before a function can run: found by the walk that checks it. */
#include "base/arith.h"
#include "program/eval.h"

/* A stride that the type leaves out (0) or open is that of the data, which is packed. */
static bool is_packed(const struct ptog_view_value *view)
{
    const struct ptog_tensor *tensor = &view->tensor;
    int64_t packed = 1;
    if (view->rank == 0 || tensor->layout != PTOG_ND || !view->base.at.known || view->base.at.value != 0)
        return false;
    for (int d = 4; d >= 5 - (int)view->rank; d--) {
        bool is_given = tensor->stride[d] != 0 && tensor->stride[d] != PTOG_DYN && tensor->shape[d] != 1;
        if (is_given && tensor->stride[d] != packed)
            return false;
        if (packed == PTOG_DYN || tensor->shape[d] == PTOG_DYN || !ptog_mul_i64(packed, tensor->shape[d], &packed))
            packed = PTOG_DYN; /* where the next row should be is not known */
    }
    return true;
}

static void fill_shape(struct ptog_slot *slot, const struct ptog_value *value)
{
    if (value->kind == PTOG_VALUE_TILE) {
        const struct ptog_tile *tile = &value->tile.tile;
        slot->dtype = tile->dtype;
        slot->rank = tile->rows > 0 || tile->cols > 0 ? 2 : 0;
        slot->shape[0] = tile->valid_row != 0 ? tile->valid_row : tile->rows;
        slot->shape[1] = tile->valid_col != 0 ? tile->valid_col : tile->cols;
        slot->packed = slot->rank > 0;
    } else if (value->kind == PTOG_VALUE_VIEW) {
        slot->dtype = value->view.tensor.dtype;
        slot->rank = (int)value->view.rank;
        for (int i = 0; i < slot->rank; i++)
            slot->shape[i] = value->view.tensor.shape[5 - slot->rank + i];
        slot->packed = is_packed(&value->view);
    } else if (value->kind == PTOG_VALUE_POINTER) {
        slot->dtype = value->pointer.dtype;
    } else if (value->kind == PTOG_VALUE_REAL) {
        slot->dtype = value->real.dtype;
    }
}

enum ptog_status ptog_program_slot(const ptog_program *program, const char *function, size_t i, struct ptog_slot *slot)
{
    if (!program || !slot)
        return PTOG_BAD_ARGUMENT;
    const struct ptog_function *found = ptog_function_find(program, function);
    if (!found)
        return PTOG_BAD_ARGUMENT;
    struct ptog_finds finds = {.source = &program->source, .off = true};
    struct ptog_eval e;
    const struct ptog_target *target = program->target ? program->target : ptog_target_find("host");
    enum ptog_status status = ptog_eval_open(&e, program, target, &finds);
    if (status == PTOG_OK)
        ptog_eval_function(&e, found);
    if (e.no_memory || finds.no_memory)
        status = PTOG_NO_MEMORY;
    else if (status == PTOG_OK && i >= e.slot_count)
        status = PTOG_BAD_ARGUMENT;
    if (status == PTOG_OK) {
        const struct ptog_slot_state *state = &e.slots[i];
        struct ptog_place place = ptog_source_place(&program->source, state->span);
        *slot = (struct ptog_slot){.name = ptog_tree_text(&program->tree, state->name),
                                   .kind = state->kind,
                                   .written = state->written,
                                   .line = place.line,
                                   .column = place.column};
        fill_shape(slot, &state->value);
    }
    ptog_eval_close(&e);
    ptog_finds_free(&finds);
    return status;
}
