/* model: elementwise instructions. */
#include "model/elementwise.h"

enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    (void)target;
    (void)op;
    return PTOG_FORM_PAIRWISE;
}
