/* repair: one or two edits that belong together. */
#ifndef PTOG_REPAIR_EDITS_CHANGE_H
#define PTOG_REPAIR_EDITS_CHANGE_H

#include "repair/edits/text_flags.h"

struct ptog_change {
    struct {
        const struct ptog_op *op; /* NULL: a new line, where `edit` says */
        struct ptog_edit edit;
    } of[2];
    uint32_t count;
};

/* Adds an edit to a change. A replacement keeps its part: a set stays a set. */
void ptog_change_replace(struct ptog_change *change, const struct ptog_text_flag *flag, const struct ptog_sync *with);
void ptog_change_remove(struct ptog_change *change, const struct ptog_text_flag *flag);
void ptog_change_move(struct ptog_change *change, const struct ptog_text_flag *flag, uint32_t to, bool after);

/* Adds a line before or after operation `to` to the change. */
void ptog_change_insert(struct ptog_change *change, const struct ptog_sync *sync, uint32_t to, bool after);

/* Makes a change, next to others that were made; false when out of memory: then nothing is changed. The second takes
 * back the last one that was made. */
bool ptog_change_make(struct ptog_added *added, const struct ptog_change *change);
void ptog_change_take_back(struct ptog_added *added, const struct ptog_change *change);

#endif
