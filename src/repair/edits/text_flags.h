/* repair: the flags and barriers of a text, as statements that can be replaced, moved or removed. */
#ifndef PTOG_REPAIR_EDITS_TEXT_FLAGS_H
#define PTOG_REPAIR_EDITS_TEXT_FLAGS_H

#include "repair/tries.h"

struct ptog_text_flag {
    const struct ptog_op *op;
    const struct ptog_region *region; /* that it stands in */
    struct ptog_sync sync;            /* as it is now, when it was replaced */
    bool changed;                     /* it was replaced, and stays as it is */
    bool has_line;                    /* of its own: it can be moved and removed */
};

struct ptog_text_flags {
    struct ptog_text_flag *of;
    uint32_t count;
    size_t room;
};

/* Lists those that a run reaches, in the order of the text, without those that were moved or removed; there is a
 * tries->reference. False when out of memory; free flags->of in any case. */
bool ptog_text_flags_list(struct ptog_text_flags *flags, const struct ptog_tries *tries);

/* A statement that sets a flag, or waits for one, or a barrier, with everything written out. */
bool ptog_op_is_flag(const struct ptog_op *op);

/* The one that stands at a place of a report; NULL: none does. */
const struct ptog_text_flag *ptog_text_flag_at(const struct ptog_text_flags *flags, const struct ptog_source *source,
                                               const struct ptog_where *where);

/* Whether two syncs speak of one flag; whether they are the set and the wait of it. */
bool ptog_is_same_flag(const struct ptog_sync *a, const struct ptog_sync *b);
bool ptog_are_partners(const struct ptog_sync *a, const struct ptog_sync *b);

/* No other statement sets, or waits for, the same flag. */
bool ptog_is_alone(const struct ptog_text_flags *flags, const struct ptog_sync *sync);

#endif
