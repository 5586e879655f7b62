/* report: the statements of a C++ source: where each begins and ends. Only as much of the language is known as it takes
 * to put a line before or after one: literals, comments, directives, brackets. */
#ifndef PTOG_REPORT_STATEMENTS_H
#define PTOG_REPORT_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptog_statement {
    size_t start, end;    /* bytes: of its first one, and after its semicolon */
    uint32_t first, last; /* lines, from 1 */
};

struct ptog_statements {
    const char *text; /* the caller's */
    size_t bytes;
    struct ptog_statement *of; /* by where they end */
    size_t count, room;
};

/* Lists those of a text, to be freed in any case; false when out of memory. */
bool ptog_statements_find(struct ptog_statements *all, const char *text, size_t bytes);
void ptog_statements_free(struct ptog_statements *all);

/* The smallest one that is on this line; NULL: there is none, as in a macro. */
const struct ptog_statement *ptog_statement_on(const struct ptog_statements *all, uint32_t line);

/* Whether one of its words is in a list that ends with NULL; `first`: its first word. */
bool ptog_statement_has(const struct ptog_statements *all, const struct ptog_statement *s, const char *const *words,
                        bool first);

#endif
