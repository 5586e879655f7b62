/* exec: one element of a tile goes by the reference. */
#include "exec/plan.h"
#include "ref/ref.h"

static const struct ptog_kernel *choose(const struct ptog_known_insn *known)
{
    (void)known;
    return NULL;
}

static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    (void)known;
    return (struct ptog_ready){0};
}

static bool quick(const struct ptog_exec *x, const struct ptog_run *run)
{
    (void)x, (void)run;
    return false;
}

static enum ptog_status careful(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_singles = {choose, get_ready, quick, careful};
