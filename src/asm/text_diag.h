/* asm: diagnostics about text, as data. Rendering them (file:line:column, the line, a caret) is another room's work. */
#ifndef PTOG_ASM_TEXT_DIAG_H
#define PTOG_ASM_TEXT_DIAG_H

#include <ptog/diag.h>

#include "asm/source.h"
#include "base/arena.h"

/* Ids of what this room reports. */
#define PTOG_ID_SYNTAX "text-syntax"             /* one thing was found, another expected */
#define PTOG_ID_BYTE "text-byte"                 /* a byte that starts nothing: NUL, half of a character, ... */
#define PTOG_ID_NOT_CLOSED "text-not-closed"     /* a string or bracket without its end */
#define PTOG_ID_NUMBER "text-number"             /* a number that does not fit */
#define PTOG_ID_NESTING "text-nesting"           /* brackets inside brackets inside ... */
#define PTOG_ID_DUPLICATE "text-duplicate"       /* a key given twice */
#define PTOG_ID_UNKNOWN_WORD "text-unknown-word" /* a word where only certain words have a meaning */
#define PTOG_ID_TYPE "text-type"                 /* a type with the wrong parts */
#define PTOG_ID_FORM "text-form"                 /* the wanted form cannot say this */
#define PTOG_ID_TOO_MANY "text-too-many"         /* the note after the last error reported */

#define PTOG_MOST_ERRORS 20

struct ptog_related {
    const char *message;
    struct ptog_span span;
};

struct ptog_text_diag {
    const char *id;
    enum ptog_severity severity;
    const char *message;
    struct ptog_span span;
    const struct ptog_related *related;
    size_t related_count;
    const char *const *fix; /* lines */
    size_t fix_count;
};

struct ptog_text_diags {
    struct ptog_arena arena;
    struct ptog_text_diag *list;
    size_t count, room;
    size_t error_count;
};

/* Adds a diagnostic with a message made as by printf; NULL when out of memory. The id is a constant. */
__attribute__((format(printf, 5, 6))) struct ptog_text_diag *ptog_text_diag_add(struct ptog_text_diags *diags,
                                                                                const char *id,
                                                                                enum ptog_severity severity,
                                                                                struct ptog_span span,
                                                                                const char *format, ...);

/* Adds to the diagnostic given, which may be NULL; false when out of memory. */
bool ptog_text_diag_relate(struct ptog_text_diags *diags, struct ptog_text_diag *diag, struct ptog_span span,
                           const char *message);
bool ptog_text_diag_fix(struct ptog_text_diags *diags, struct ptog_text_diag *diag, const char *line);

void ptog_text_diags_free(struct ptog_text_diags *diags);

#endif
