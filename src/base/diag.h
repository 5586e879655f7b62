/* base: the list of diagnostics behind ptog/diag.h. */
#ifndef PTOG_BASE_DIAG_H
#define PTOG_BASE_DIAG_H

#include <stdbool.h>

#include <ptog/diag.h>
#include <ptog/status.h>

/* Adds a copy of `diag`: message, fix, witness, places and related entries are copied, id, operand and documented must
 * be constants. False when out of memory. */
bool ptog_diags_add(ptog_diags *diags, const struct ptog_diag *diag);

/* Counts findings that the program suppressed; NULL is fine. */
void ptog_diags_suppress(ptog_diags *diags, size_t count);

/* Says in `diags`, which may be NULL, what is wrong with an argument of a public call: "ptog_plan_insn: target is
 * NULL". Returns PTOG_BAD_ARGUMENT. */
enum ptog_status ptog_bad_argument(ptog_diags *diags, const char *call, const char *argument, const char *problem);

/* Replaces the fix of a diagnostic by a copy that lives as long as the arena. False when out of memory. */
struct ptog_arena;
bool ptog_diag_copy_fix(struct ptog_arena *arena, struct ptog_diag *diag);

/* A fix of one step that says what to do in words. */
static inline struct ptog_fix ptog_fix_of_words(const char *text)
{
    return (struct ptog_fix){.text = text};
}

#endif
