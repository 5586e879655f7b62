/* exec: the instruction sets that were compiled in, as people may ask for them. */
#include <stdlib.h>

#include <ptog/version.h>

#include "kernel/kernel.h"

bool ptog_kernel_set_at(size_t i, struct ptog_kernel_set *set)
{
    enum ptog_isa chosen = ptog_isa_find(getenv("PTOG_ISA"));
    for (int isa = 0; set && isa < PTOG_ISA_COUNT; isa++) {
        if (!ptog_kernel_at((enum ptog_isa)isa, 0)) /* another CPU's: nothing of it was compiled */
            continue;
        if (i-- > 0)
            continue;
        *set = (struct ptog_kernel_set){.name = ptog_isa_name((enum ptog_isa)isa),
                                        .runs = ptog_isa_runs((enum ptog_isa)isa),
                                        .chosen = isa == (int)chosen};
        return true;
    }
    return false;
}
