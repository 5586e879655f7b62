/* program: what was found, with spans, until it is handed out in the order of the text. */
#ifndef PTOG_PROGRAM_FOUND_H
#define PTOG_PROGRAM_FOUND_H

#include <ptog/diag.h>

#include "asm/asm.h"
#include "base/arena.h"

#define PTOG_MOST_FOUND 10000u /* of one check; more help nobody */
#define PTOG_MOST_RELATED 4

struct ptog_found {
    struct ptog_diag diag; /* strings live in the arena; `where` and `related` are made when it is handed out */
    struct ptog_span span;
    bool nowhere; /* about the program as a whole */
    bool first;   /* a cause of others, which come after it wherever they are */
    uint32_t stands_at; /* where it stands among others: its own place, or the first one that the same change fixes */
    bool follows;       /* from another one that the same change fixes */
    uint32_t order;
    struct ptog_related related[PTOG_MOST_RELATED];
};

struct ptog_finds {
    const struct ptog_source *source;
    const struct ptog_tree *tree; /* whose locations the findings have; NULL: they have none */
    struct ptog_arena arena;
    struct ptog_found *list;
    uint32_t count;
    size_t room;
    size_t errors;      /* of any kind */
    size_t refusals;    /* errors with which nothing is run */
    bool off;           /* nothing is kept */
    uint32_t unreached; /* branches around that are never taken: what would refuse the program there is a warning */
    bool strict;        /* what only the newest compiler refuses is refused */
    bool no_memory;
};

/* Adds a finding of src/spec/text_rules.def, whose severity it has. NULL when it was not kept; that is no error. */
__attribute__((format(printf, 4, 5))) struct ptog_found *ptog_say(struct ptog_finds *finds, const char *id,
                                                                  struct ptog_span span, const char *format, ...);

/* Adds a finding of another table. */
struct ptog_found *ptog_say_diag(struct ptog_finds *finds, const struct ptog_diag *diag, struct ptog_span span);

/* Adds to what was said; NULL is fine. Messages are constants, except the words of a fix, which are copied. */
void ptog_say_related(struct ptog_found *found, struct ptog_span span, const char *message);
void ptog_say_fix(struct ptog_finds *finds, struct ptog_found *found, const char *fix);
void ptog_say_severity(struct ptog_finds *finds, struct ptog_found *found, enum ptog_severity severity);

/* Hands everything out by position, then id, but for what the text allows (program/allow.h): that is no error any more.
 * `diags` may be NULL. False when out of memory. */
bool ptog_finds_give(struct ptog_finds *finds, ptog_diags *diags);
void ptog_finds_free(struct ptog_finds *finds);

/* What the parser or printer said. */
bool ptog_text_diags_give(const struct ptog_source *source, const struct ptog_text_diags *from, ptog_diags *diags);

#endif
