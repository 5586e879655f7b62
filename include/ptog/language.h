/* The language of the text forms as an editor needs it: the tokens of any text, also of one that does not parse, and
 * the names that can be completed.
 *
 *     static bool color(void *user, const struct ptog_lexeme *lexeme) { ...; return true; }
 *     ptog_language_lex(text, bytes, color, NULL);
 *
 * Everything here reads constant tables and its arguments: any thread may call it. */
#ifndef PTOG_LANGUAGE_H
#define PTOG_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/insn.h>
#include <ptog/status.h>

/* What a token is. */
enum ptog_lexeme_kind {
    PTOG_LEXEME_BAD = 0,         /* bytes that start nothing; a string without its end */
    PTOG_LEXEME_WORD = 1,        /* pto.mgather, ins, f32 */
    PTOG_LEXEME_VALUE = 2,       /* %dst, %x#1 */
    PTOG_LEXEME_SYMBOL = 3,      /* @embed */
    PTOG_LEXEME_NUMBER = 4,      /* 12, -0x1f, 1.5e-3 */
    PTOG_LEXEME_STRING = 5,      /* "text", with its quotes */
    PTOG_LEXEME_ATTRIBUTE = 6,   /* #pto.layout */
    PTOG_LEXEME_TYPE = 7,        /* !pto.tile_buf */
    PTOG_LEXEME_PUNCTUATION = 8, /* ->, ..., or one of ( ) { } [ ] < > , : = ? * + - ^ | */
    PTOG_LEXEME_COMMENT = 9,     /* from its mark to the end of the line */
};

/* One token: bytes `at` to `end` (exclusive) of the text. */
struct ptog_lexeme {
    enum ptog_lexeme_kind kind;
    char punctuation; /* of a single character; 0 for everything else */
    bool starts_line; /* nothing but space and comments stands before it on its line */
    size_t at, end;
    uint64_t reserved[2];
};

/* Calls `visit` for every token and comment in the order of the text, until it returns false. PTOG_OK; PTOG_NO_MEMORY;
 * PTOG_BAD_ARGUMENT: NULL, or 4 GiB of text or more. */
PTOG_API enum ptog_status ptog_language_lex(const char *text, size_t bytes,
                                            bool (*visit)(void *user, const struct ptog_lexeme *lexeme), void *user);

/* An operation that the text forms know. */
struct ptog_operation {
    const char *name;        /* "pto.mgather", "scf.for"; a constant of the library */
    enum ptog_opcode opcode; /* PTOG_NO_INSN: it is no tile instruction */
    bool modelled;           /* the library can run it; else it is parsed and checked */
    uint64_t reserved[2];
};

/* Operation i, in the order of the tables. False past the end. */
PTOG_API bool ptog_operation_at(size_t i, struct ptog_operation *operation);

/* The operation of that name. False when there is none. */
PTOG_API bool ptog_operation_find(const char *name, struct ptog_operation *operation);

/* Attribute i of an operation, "coalesce" of "pto.mgather": a constant of the library. NULL past the end. */
PTOG_API const char *ptog_operation_attribute_at(const char *operation, size_t i);

/* Value i of an attribute, as programs write it: "#pto<coalesce row>" for "coalesce". Behaves like snprintf: returns
 * the length without the terminator, and truncates to `size`; with `text` NULL only the length. 0: there is no value i,
 * or any number or word is a value. */
PTOG_API size_t ptog_attribute_value_at(const char *attribute, size_t i, char *text, size_t size);

#endif
