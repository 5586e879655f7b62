/* What the batch programs of the tests share: native 64-bit words and raw bytes on stdin and stdout. Any I/O error ends
 * the program with a message and exit status 2. */
#ifndef PTOG_TESTS_BATCH_H
#define PTOG_TESTS_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "base/pick.h"

#define BATCH_RESULT_MARK INT64_C(0x3154534552474f54) /* "TOGREST1" */
#define BATCH_MAX_BYTES (INT64_C(1) << 28)            /* a longer field is a broken stream, not a case */

static inline _Noreturn void fail(const char *what)
{
    fprintf(stderr, "batch: %s\n", what);
    exit(2);
}

static inline void *allocate(size_t bytes)
{
    void *p = malloc(ptog_max(bytes, 1));
    if (!p)
        fail("out of memory");
    return p;
}

struct text {
    char *bytes; /* ends in a NUL that `length` does not count */
    size_t length, room;
};

/* For struct ptog_sink: grows a struct text. */
static inline void append(void *user, const char *text, size_t length)
{
    struct text *to = user;
    size_t needed = to->length + length + 1;
    if (needed > to->room) { /* twice as much: a report comes in many small pieces */
        to->room = 2 * needed;
        to->bytes = realloc(to->bytes, to->room);
    }
    if (!to->bytes)
        fail("out of memory");
    memcpy(to->bytes + to->length, text, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

/* ---- reading ---- */

static inline void read_bytes(void *to, size_t bytes)
{
    if (bytes && fread(to, 1, bytes, stdin) != bytes)
        fail(ferror(stdin) ? "cannot read stdin" : "a case ends early");
}

static inline int64_t read_word(void)
{
    int64_t word;
    read_bytes(&word, sizeof word);
    return word;
}

static inline size_t read_count(int64_t most)
{
    int64_t count = read_word();
    if (count < 0 || count > most)
        fail("a count makes no sense");
    return (size_t)count;
}

static inline struct text read_text(void)
{
    struct text text = {.length = read_count(BATCH_MAX_BYTES)};
    text.bytes = allocate(text.length + 1);
    read_bytes(text.bytes, text.length);
    text.bytes[text.length] = '\0';
    return text;
}

static inline void *read_buffer(size_t *bytes)
{
    *bytes = read_count(BATCH_MAX_BYTES);
    void *data = allocate(*bytes);
    read_bytes(data, *bytes);
    return data;
}

/* False at the end of the input. */
static inline bool read_mark(int64_t expected)
{
    int64_t mark;
    size_t got = fread(&mark, 1, sizeof mark, stdin);
    if (got == 0 && feof(stdin) && !ferror(stdin))
        return false;
    if (got != sizeof mark || mark != expected)
        fail("this is not the start of a case");
    return true;
}

/* ---- writing ---- */

static inline void write_bytes(const void *from, size_t bytes)
{
    if (bytes && fwrite(from, 1, bytes, stdout) != bytes)
        fail("cannot write stdout");
}

static inline void write_word(int64_t word)
{
    write_bytes(&word, sizeof word);
}

static inline void write_text(const char *text, size_t length)
{
    write_word((int64_t)length);
    write_bytes(text, length);
}

/* ---- all cases: `next` answers one; false at the end of the input */

static inline int run_batch(bool (*next)(ptog_diags *diags))
{
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        fail("out of memory");
    for (; next(diags); ptog_diags_clear(diags))
        if (fflush(stdout) != 0)
            fail("cannot write stdout");
    ptog_diags_free(diags);
    return 0;
}

#endif
