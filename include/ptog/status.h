/* What a fallible call returns. A status says what kind of answer the call has; why is in the diagnostics (ptog/diag.h)
 * or in the faults (struct ptog_fault of ptog/plan.h) that the call filled.
 *
 *   status              is it the caller's mistake?      was something written?
 *   PTOG_OK             no                               yes
 *   PTOG_FAULT          the kernel's or the program's    yes, and some of it is wrong
 *   PTOG_ILLEGAL        the kernel's or the program's    no
 *   PTOG_BAD_ARGUMENT   yes: of this very call           no
 *   PTOG_NO_MEMORY      no                               no, or a list is not complete where the call says so
 *   PTOG_NO_ROOM        the data's                       no
 *   PTOG_OVERLAP        yes: of the buffers              no
 *   PTOG_BLOCKED        no                               no
 */
#ifndef PTOG_STATUS_H
#define PTOG_STATUS_H

#include <ptog/export.h>

/* The numbers are part of the ABI and never change. */
enum ptog_status {
    PTOG_OK = 0,      /* done */
    PTOG_FAULT = 1,   /* the run completed, but some lanes did what no correct program does: see struct ptog_fault */
    PTOG_ILLEGAL = 2, /* the verifier refuses the operands; nothing was written */
    PTOG_BAD_ARGUMENT = 3, /* NULL, a missing buffer, a reserved word, ...: the entry `bad-argument` says which */
    PTOG_NO_MEMORY = 4,    /* an allocation failed; nothing was written */
    PTOG_NO_ROOM = 5,      /* compare TGATHER: a row has more matches than dst has columns; nothing was written */
    PTOG_OVERLAP = 6,      /* a destination buffer overlaps another buffer of the run; nothing was written */
    PTOG_BLOCKED = 7,      /* the core waits for another core: call again after that has gone on */
};

/* A short English sentence; never NULL, also for numbers not listed above. */
PTOG_API const char *ptog_status_text(enum ptog_status status);

#endif
