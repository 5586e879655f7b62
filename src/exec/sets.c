/* exec: the instruction sets that were compiled in, as people may ask for them. */
#include <ptog/version.h>

#include "exec/tune.h"

bool ptog_kernel_set_at(size_t i, struct ptog_kernel_set *set)
{
    struct ptog_tune tune = ptog_exec_tune(NULL);
    for (int isa = 0; set && isa < PTOG_ISA_COUNT; isa++) {
        if (!ptog_kernel_at((enum ptog_isa)isa, 0)) /* another CPU's: nothing of it was compiled */
            continue;
        if (i-- > 0)
            continue;
        *set = (struct ptog_kernel_set){.name = ptog_isa_name((enum ptog_isa)isa),
                                        .runs = ptog_isa_runs((enum ptog_isa)isa),
                                        .chosen = isa == (int)tune.row_set || isa == (int)tune.elem_set ||
                                                  isa == (int)tune.gather_set || isa == (int)tune.mask_set};
        return true;
    }
    return false;
}
