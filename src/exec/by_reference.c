/* exec: what goes by the reference loop: masks, single elements, scatters to tiles, combinations and histograms always;
 * families without kernels of the list where their own loops do not fit. */
#include "exec/plan.h"
#include "ref/ref.h"

const struct ptog_kernel *ptog_exec_no_kernel(const struct ptog_known_insn *known)
{
    (void)known;
    return NULL;
}

struct ptog_ready ptog_exec_nothing_ready(const struct ptog_known_insn *known)
{
    (void)known;
    return (struct ptog_ready){0};
}

/* There is no fast path: the reference loop is run. */
static bool has_no_fast_path(const struct ptog_exec *x, const struct ptog_run *run)
{
    (void)x, (void)run;
    return false;
}

/* Runs the reference loop. */
static enum ptog_status reference_checked(const struct ptog_exec *x, const struct ptog_run *run,
                                          struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_masks = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                 reference_checked};
const struct ptog_exec_family ptog_exec_singles = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                   reference_checked};
const struct ptog_exec_family ptog_exec_tscatter = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                    reference_checked};
const struct ptog_exec_family ptog_exec_tgatherb = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                    reference_checked};
const struct ptog_exec_family ptog_exec_combine = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                   reference_checked};
const struct ptog_exec_family ptog_exec_thistogram = {ptog_exec_no_kernel, ptog_exec_nothing_ready, has_no_fast_path,
                                                      reference_checked};
