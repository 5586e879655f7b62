/* diag: diagnostics of a simulated run, noted while it runs: one entry for each kind and pair of places, with a count.
 */
#ifndef PTOG_DIAG_NOTE_H
#define PTOG_DIAG_NOTE_H

#include <ptog/core.h>

#include "base/diag.h"
#include "diag/kind.h"
#include "diag/list.h"
#include "model/events.h"

/* Adds `count` to the entry with this key, or makes one; 0 counts an instruction once, however often it is noted. Tells
 * list->noted. Returns the entry, which holds until the next call, or NULL when out of memory. *fresh: it is new, and
 * the caller fills in the rest. */
struct ptog_diag_entry *ptog_diag_note(struct ptog_diag_list *list, const struct ptog_diag_key *key, const char *id,
                                       enum ptog_severity severity, uint64_t insn, uint64_t count, bool *fresh);

/* Counts a fault of a row of machine_faults.def as ptog_diag_note does: its number becomes the kind of the key. */
struct ptog_diag_entry *ptog_diag_note_machine(struct ptog_diag_list *list, enum ptog_machine_fault_kind kind,
                                               struct ptog_diag_key key, uint64_t insn, uint64_t count, bool *fresh);

/* The entry is as bad as this occurrence of it, at least. */
void ptog_diag_raise(struct ptog_diag_entry *entry, enum ptog_severity severity);

/* Text that lives as long as the list; "" when out of memory, and the list says so. */
__attribute__((format(printf, 2, 3))) const char *ptog_diag_text(struct ptog_diag_list *list, const char *format, ...);

/* The fix of the entry is this step. */
static inline void ptog_diag_advise(struct ptog_diag_entry *entry, struct ptog_fix step)
{
    entry->advice = PTOG_ADVICE_STEP;
    entry->step = step;
}

#endif
