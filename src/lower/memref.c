/* lower: what stands in a memref after its shape: strides, a start, the memory it lies in. */
#include "asm/words.h"
#include "lower/types.h"

/* Sets strides and start of a view, in elements as there is no buffer yet. False: not one stride for each dimension. */
static bool use_strides(const struct ptog_strided *strided, struct ptog_view_value *view)
{
    if (!strided || strided->count != view->rank)
        return false;
    for (uint32_t i = 0; i < view->rank; i++)
        view->tensor.stride[5 - view->rank + i] = strided->strides[i];
    view->base.at = (struct ptog_number){strided->offset, strided->offset != PTOG_DYN};
    return true;
}

bool ptog_memref_layout(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_view_value *view)
{
    view->base.at = (struct ptog_number){0, true};
    for (uint32_t i = 0; i < use->type->rest_count; i++) {
        const struct ptog_item *rest = &use->type->rest[i];
        if (rest->kind == PTOG_ITEM_ATTR && rest->name == PTOG_WORD_address_space)
            view->outside_gm = view->outside_gm || rest->value != PTOG_WORD_gm;
        else if (rest->kind != PTOG_ITEM_LAYOUT)
            return ptog_refuse(e, "text-view", use->span,
                               "after its shape a memref has strided<[...]> and #pto.address_space<gm>");
        else if (!use_strides(rest->strided, view))
            return ptog_refuse(
                e, "text-view", use->span,
                "expected strided<[...]> with a number or '?' for each dimension, then offset: a number");
    }
    return true;
}
