/* model: TLOAD and TSTORE. */
#include "model/transfer.h"

#include "model/dtype.h"
#include "model/tensor.h"
#include "model/tile.h"

void ptog_insn_transfer(struct ptog_insn *insn, const struct ptog_transfer *op)
{
    ptog_insn_start(insn, op->store ? PTOG_TSTORE : PTOG_TLOAD);
    ptog_insn_set_tile(insn, PTOG_TRANSFER_TILE, &op->tile);
    ptog_insn_set_view(insn, PTOG_TRANSFER_VIEW, &op->view);
}

enum ptog_form ptog_transfer_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    (void)target;
    return op->opcode == PTOG_TSTORE ? PTOG_FORM_STORE : PTOG_FORM_LOAD;
}

static int64_t times(int64_t a, int64_t b)
{
    return a == PTOG_DYN || b == PTOG_DYN ? PTOG_DYN : (int64_t)((uint64_t)a * (uint64_t)b);
}

bool ptog_view_extents(const struct ptog_tensor *view, int64_t *rows, int64_t *cols)
{
    const int64_t *shape = view->shape;
    if (view->layout == PTOG_NZ) {
        *rows = times(shape[2], shape[3]);
        *cols = times(times(shape[0], shape[1]), shape[4]);
        return true;
    }
    *rows = shape[3];
    *cols = shape[4];
    for (int d = 0; d < 3; d++)
        if (shape[d] != 1 && shape[d] != PTOG_DYN)
            return false;
    return true;
}

uint64_t ptog_view_place(const struct ptog_tensor *view, int64_t r, int64_t c)
{
    const int64_t *stride = view->stride;
    if (view->layout != PTOG_NZ)
        return (uint64_t)(r * stride[3] + c * stride[4]);
    int64_t c0 = view->shape[4], block = c / c0;
    return (uint64_t)(block / view->shape[1] * stride[0] + block % view->shape[1] * stride[1] +
                      r / PTOG_NZ_ROWS * stride[2] + r % PTOG_NZ_ROWS * stride[3] + c % c0 * stride[4]);
}

/* Integers: the largest and smallest; floats: the infinities, or the largest finite number where there are none. */
uint64_t ptog_pad_bits(enum ptog_dtype dtype, enum ptog_pad pad)
{
    static const uint64_t float_max[PTOG_DTYPE_COUNT] = {
        [PTOG_F16] = 0x7c00,  [PTOG_BF16] = 0x7f80, [PTOG_F32] = 0x7f800000,
        [PTOG_F8E4M3] = 0x7e, [PTOG_F8E5M2] = 0x7c, [PTOG_HIF8] = 0x6f,
    };
    if (pad == PTOG_PAD_ZERO)
        return 0;
    uint64_t sign = ptog_dtype_sign_bit(dtype), all = sign | (sign - 1);
    if (float_max[dtype])
        return pad == PTOG_PAD_MAX ? float_max[dtype] : float_max[dtype] | sign;
    if (ptog_dtype_is_signed(dtype))
        return pad == PTOG_PAD_MAX ? sign - 1 : sign;
    return pad == PTOG_PAD_MAX ? all : 0;
}
