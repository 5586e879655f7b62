/* ref: TGATHER, its three forms. */
#include "model/tgather.h"

#include "model/fault.h"
#include "ref/ref.h"

/* The meaning of tgather in its form. */
enum ptog_status ptog_ref_tgather(const struct ptog_known_insn *known, const struct ptog_run *run,
                                  struct ptog_fault *fault)
{
    enum ptog_status status = PTOG_OK;
    if (known->form == PTOG_FORM_INDEX)
        ptog_ref_by_index(known->target, &known->insn, run, fault);
    else if (known->form == PTOG_FORM_MASK)
        ptog_ref_by_mask(known->target, &known->insn, run, fault);
    else
        status = ptog_ref_by_compare(known->target, &known->insn, run, fault);
    if (status == PTOG_OK)
        return ptog_fault_sum(fault);
    return status;
}
