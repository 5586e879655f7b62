/* What a fallible call returns. The numbers are part of the ABI and never change. */
#ifndef PTOG_STATUS_H
#define PTOG_STATUS_H

#include <ptog/export.h>

enum ptog_status {
    PTOG_OK = 0,      /* done */
    PTOG_FAULT = 1,   /* the run completed, but some lanes did what no correct program does: see struct ptog_fault */
    PTOG_ILLEGAL = 2, /* the verifier refuses the operands; nothing was written */
    PTOG_BAD_ARGUMENT = 3, /* a pointer is NULL, or a buffer is missing; nothing was written */
    PTOG_NO_MEMORY = 4,    /* an allocation failed; nothing was written */
    PTOG_NO_ROOM = 5,      /* compare TGATHER: a row has more matches than dst has columns; nothing was written */
    PTOG_OVERLAP = 6,      /* a destination buffer overlaps another buffer of the run; nothing was written */
};

/* A short English sentence; never NULL, also for numbers not listed above. */
PTOG_API const char *ptog_status_text(enum ptog_status status);

#endif
