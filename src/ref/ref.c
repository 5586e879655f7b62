/* ref: the entry of the reference: it finds the function of the instruction's family (ref/<family>.c), in which the
 * obvious loop does what the documents say. */
#include "ref/ref.h"

enum ptog_status ptog_ref_insn(const struct ptog_known_insn *known, const struct ptog_run *run,
                               struct ptog_fault *fault)
{
    static ptog_ref_fn *const families[PTOG_FAMILIES] = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = ptog_ref_##name,
#include <ptog/spec/forms.def>
    };
    return families[ptog_insn_family(&known->insn)](known, run, fault);
}
