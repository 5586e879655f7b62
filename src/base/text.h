/* base: text built into a caller's buffer; too long is cut, never overrun. */
#ifndef PTOG_BASE_TEXT_H
#define PTOG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptog_text {
    char *buf;
    size_t size; /* of buf, terminator included */
    size_t len;  /* what the whole text needs, terminator excluded; may exceed size */
};

void ptog_text_init(struct ptog_text *text, char *buf, size_t size);
void ptog_text_add(struct ptog_text *text, const char *piece);
void ptog_text_add_n(struct ptog_text *text, const char *piece, size_t length);
__attribute__((format(printf, 2, 3))) void ptog_text_addf(struct ptog_text *text, const char *format, ...);

/* A number with a comma between thousands, "196,608", in a text of the caller's. */
#define PTOG_GROUPED 32
const char *ptog_grouped(uint64_t number, char text[PTOG_GROUPED]);

/* What stands before word i of a list of `count`, as in "a, b or c": "", ", " or " or ". */
const char *ptog_text_or(size_t i, size_t count);

/* A word that is not empty is in a list of words, separated by blanks. */
bool ptog_word_listed(const char *word, const char *words);

#endif
