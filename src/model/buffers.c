/* model: the buffers of a run, by operand. */
#include "model/buffers.h"

#include "base/pick.h"

uint64_t ptog_operand_span(const struct ptog_operand *operand)
{
    if (operand->kind != PTOG_IS_VIEW) {
        int64_t bytes = ptog_tile_bytes(&operand->tile);
        return (uint64_t)ptog_max(bytes, 0);
    }
    int64_t last = 1;
    for (int d = 0; d < 5; d++)
        last += (operand->view.shape[d] - 1) * operand->view.stride[d];
    return (uint64_t)(last * (int64_t)ptog_dtype_size(operand->view.dtype));
}

#define NO_PLACE SIZE_MAX

/* Where in a run the buffer is; struct ptog_buf and struct ptog_cbuf have one layout. A number that says where
 * something lies is the instruction's: a run has no other. */
static size_t offset_in_run(const struct ptog_operand_row *row)
{
    if (row->is_place)
        return NO_PLACE;
    switch (row->name) {
    case PTOG_AT_BITS:
    case PTOG_AT_OFFSET:
    case PTOG_AT_SRC2:
    case PTOG_AT_INDICES:
    case PTOG_AT_IDX: return offsetof(struct ptog_run, idx);
    case PTOG_AT_SCRATCH:
    case PTOG_AT_TMP: return offsetof(struct ptog_run, tmp);
    case PTOG_AT_IDX1:
    case PTOG_AT_SRC3:
    case PTOG_AT_BIAS:
    case PTOG_AT_QUANT:
    case PTOG_AT_VALUE:
    case PTOG_AT_K: return offsetof(struct ptog_run, k);
    case PTOG_AT_VAL:
    case PTOG_AT_SUM:
    case PTOG_AT_DST1:
    case PTOG_AT_CDST: return offsetof(struct ptog_run, cdst);
    case PTOG_AT_SRC1: return offsetof(struct ptog_run, src1);
    default: return row->role == PTOG_ROLE_OUT ? offsetof(struct ptog_run, dst) : offsetof(struct ptog_run, src);
    }
}

struct ptog_buf ptog_run_buffer(const struct ptog_run *run, const struct ptog_operand_row *row)
{
    size_t place = offset_in_run(row);
    if (place == NO_PLACE)
        return (struct ptog_buf){0};
    return *(const struct ptog_buf *)(const void *)((const char *)run + place);
}

void ptog_run_set_buffer(struct ptog_run *run, const struct ptog_operand_row *row, struct ptog_buf buffer)
{
    size_t place = offset_in_run(row);
    if (place != NO_PLACE)
        *(struct ptog_buf *)(void *)((char *)run + place) = buffer;
}
