/* repair: the places of a function where a flag could stand, in the order of the text. */
#ifndef PTOG_REPAIR_EDITS_PLACES_H
#define PTOG_REPAIR_EDITS_PLACES_H

#include "repair/tries.h"

struct ptog_flag_place {
    const struct ptog_op *op;
    bool after; /* the operation, which is the last of its region; else before it */
};

struct ptog_flag_places {
    struct ptog_flag_place *of;
    uint32_t count;
    size_t room;
};

/* Lists those of the function that is tried, without flags that were moved or removed. False when out of memory; free
 * places->of in any case. */
bool ptog_flag_places_list(struct ptog_flag_places *places, const struct ptog_tries *tries);

/* The lines that stand at a place. */
struct ptog_lines *ptog_lines_at(const struct ptog_added *added, const struct ptog_flag_place *place);

/* The statement at this operation was moved or removed: nothing stands there any more. */
bool ptog_op_is_gone(const struct ptog_added *added, const struct ptog_op *op);

#endif
