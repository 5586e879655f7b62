/* verify: predicates on the run-time extents of a plan. */
#include "verify/predicates.h"

bool ptog_missing_extent(const struct ptog_check *c, struct ptog_open_extent *found)
{
    struct ptog_insn written;
    struct ptog_extents extents;
    if (!c->run || !ptog_insn_is_open(c->written))
        return false;
    ptog_insn_copy(&written, c->written);
    ptog_insn_extents(&written, c->run, &extents);
    for (int i = 0; i < extents.count; i++) {
        *found = extents.of[i];
        if (*found->planned == PTOG_DYN && (found->given == 0 || found->given == PTOG_DYN))
            return true;
    }
    return false;
}

/* Finds the first static extent to which the run gives another value, with packed strides filled in; false: none. */
bool ptog_changed_extent(const struct ptog_check *c, struct ptog_open_extent *found)
{
    struct ptog_insn written, known;
    struct ptog_extents before, after;
    if (!c->run)
        return false;
    ptog_insn_copy(&written, c->written);
    ptog_insn_copy(&known, c->insn);
    ptog_insn_extents(&written, c->run, &before);
    ptog_insn_extents(&known, c->run, &after);
    for (int i = 0; i < before.count; i++) {
        *found = after.of[i];
        bool open = *before.of[i].planned == PTOG_DYN || *found->planned == PTOG_DYN;
        if (!open && found->given != 0 && found->given != *found->planned)
            return true;
    }
    return false;
}

bool ptog_run_has_extents(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    struct ptog_open_extent extent;
    return !ptog_missing_extent(c, &extent);
}

bool ptog_run_keeps_extents(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    struct ptog_open_extent extent;
    return !ptog_changed_extent(c, &extent);
}
