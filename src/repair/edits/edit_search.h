/* repair: one round of edits.c: a report, and the changes that are tried for its faults. */
#ifndef PTOG_REPAIR_EDITS_EDIT_SEARCH_H
#define PTOG_REPAIR_EDITS_EDIT_SEARCH_H

#include "diag/kind.h"
#include "repair/edits/change.h"
#include "repair/edits/places.h"

struct ptog_edit_search {
    struct ptog_tries *tries;
    struct ptog_text_flags flags;
    struct ptog_flag_places places;
    ptog_diags *report; /* of the text with the changes so far */
    ptog_diags *other;  /* the same on the other machine; NULL: nobody has asked */
    size_t faults;
    bool hides; /* something is held back, so that other faults may not show */
    struct ptog_change best;
    size_t best_faults;
    bool done; /* a change was made that leaves no fault */
};

/* What a change may leave: fewer faults; none, also on the other machine; none, and there none that it did not have. */
enum ptog_leaves { PTOG_LEAVES_LESS, PTOG_LEAVES_NOTHING, PTOG_LEAVES_NOTHING_NEW };

/* Runs with a change. If it leaves no fault it stays, and the search is done; if it leaves less than others, it is
 * remembered. Nothing is run when the search is done. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_try_change(struct ptog_edit_search *search, const struct ptog_change *change,
                                 enum ptog_leaves leaves);

/* The ways: changes that a fault of the report suggests, tried one after the other. */
enum ptog_status ptog_replace_one(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_pair_anew(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_move_to_race(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_move_one(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_remove_surely(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_remove_here(struct ptog_edit_search *search, const struct ptog_diag *diag);
enum ptog_status ptog_remove_pair(struct ptog_edit_search *search, const struct ptog_diag *diag);

/* Statement `i` of those at the places of a fault; NULL: no more. */
const struct ptog_text_flag *ptog_named_flag(const struct ptog_edit_search *search, const struct ptog_diag *diag,
                                             size_t i);

/* The flag, or the barrier, that would order the two accesses of a race; false: it is none, or no such thing would. */
bool ptog_race_needs(const struct ptog_diag *diag, enum ptog_fix_kind kind, struct ptog_sync *sync);

/* The set and the wait of a flag; false: there are none, or more, or they were changed. */
bool ptog_find_pair(const struct ptog_edit_search *search, const struct ptog_sync *flag,
                    const struct ptog_text_flag *pair[2]);

#endif
