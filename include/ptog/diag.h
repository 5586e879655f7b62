/* Diagnostics are data: an id people can search, a severity, a message with the actual values. A list of them is filled
 * by the verifier and read, or rendered (ptog/report.h), by the caller. A list belongs to one thread at a time. */
#ifndef PTOG_DIAG_H
#define PTOG_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/export.h>

enum ptog_severity { PTOG_NOTE = 0, PTOG_WARNING = 1, PTOG_ERROR = 2 };

/* A place in a text. Lines and columns start at 1, a column is a character, the end is exclusive. Line 0: no place. */
struct ptog_where {
    const char *file;
    uint32_t line, column, end_column;
    const char *text; /* the line itself, for showing it; NULL when there is none */
};

/* Another place that has to do with a diagnostic: "written here". */
struct ptog_related_place {
    const char *message;
    struct ptog_where where;
};

struct ptog_diag {
    const char *id; /* "mgather-row-index-shape": see ptog_rule_find */
    enum ptog_severity severity;
    bool refuses;        /* the operands are refused; an error without it is run as the target would, wrongly */
    const char *operand; /* "dst", "idx", "table", ... */
    const char *message;
    const char *fix;      /* what to change, in one or more lines; NULL when there is no single answer */
    const char *seed;     /* the document and section that asks for it */
    uint32_t accepted_by; /* targets (ptog_target.bit) that would accept the same operands */
    struct ptog_where where;
    const struct ptog_related_place *related;
    size_t related_count;
    uint64_t count; /* how often it happened; 0 and 1 are once */
    /* Of a race: a timing that shows it, in words, and as the instruction that has to be late (PTOG_SCHEDULE_WITNESS of
     * ptog/core.h). NULL: none. A program's run also says which bytes are different then. */
    const char *witness;
    uint32_t late_block, late_instruction;
};

typedef struct ptog_diags ptog_diags;

/* An empty list; NULL when out of memory. Free it with ptog_diags_free (NULL is fine). */
PTOG_API ptog_diags *ptog_diags_new(void);
PTOG_API void ptog_diags_free(ptog_diags *diags);
PTOG_API void ptog_diags_clear(ptog_diags *diags);

/* Forgets the entries that are less severe than `least`. */
PTOG_API void ptog_diags_keep(ptog_diags *diags, enum ptog_severity least);

/* Entries live until the list is cleared or freed. NULL past the end; a NULL list is empty. */
PTOG_API size_t ptog_diags_count(const ptog_diags *diags);
PTOG_API const struct ptog_diag *ptog_diags_at(const ptog_diags *diags, size_t i);

/* "error", "warning", "note". */
PTOG_API const char *ptog_severity_name(enum ptog_severity severity);

#endif
