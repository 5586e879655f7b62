/* model: one element of a tile. */
#include "model/singles.h"

#include "model/moves.h"

enum ptog_form ptog_singles_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target, (void)insn;
    return PTOG_FORM_SINGLE;
}

int64_t ptog_single_element(const struct ptog_insn *insn)
{
    return ptog_move_number(insn, PTOG_SINGLE_WHERE);
}
