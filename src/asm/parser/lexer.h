/* asm: bytes to tokens, one at a time. Comments are kept aside in a queue; the parser gives them to operations. */
#ifndef PTOG_ASM_PARSER_LEXER_H
#define PTOG_ASM_PARSER_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "base/stack.h"

enum ptog_token_kind {
    PTOG_TOKEN_END = 0,
    PTOG_TOKEN_WORD,        /* pto.mgather */
    PTOG_TOKEN_VALUE,       /* %dst, %12, %x#1 */
    PTOG_TOKEN_SYMBOL,      /* @name, @"name", @a::@b */
    PTOG_TOKEN_INT,         /* -5, 0x1f */
    PTOG_TOKEN_FLOAT,       /* 1.5e-3 */
    PTOG_TOKEN_STRING,      /* "text", quotes included */
    PTOG_TOKEN_HASH,        /* #pto.layout */
    PTOG_TOKEN_BANG,        /* !pto.tile */
    PTOG_TOKEN_ARROW,       /* -> */
    PTOG_TOKEN_ELLIPSIS,    /* ... */
    PTOG_TOKEN_PUNCTUATION, /* one of ( ) { } [ ] < > , : = ? * + - ^ | : the byte itself is what counts */
    PTOG_TOKEN_BAD,         /* nothing of these; `problem` says why */
};

enum ptog_problem { PTOG_PROBLEM_NONE, PTOG_PROBLEM_BYTE, PTOG_PROBLEM_STRING };

struct ptog_token {
    uint8_t kind;
    char punctuation; /* 0 for other kinds */
    bool new_line;    /* the first on its line */
    bool blank;       /* and an empty line, or several, stands before that */
    uint8_t problem;
    uint32_t at, end;
};

struct ptog_remark { /* a comment, before it belongs to anything */
    uint32_t at, end;
    char mark;     /* '/', '#', ';' */
    bool own_line; /* nothing stood before it on its line */
    bool blank;    /* an empty line did, before that */
};

struct ptog_lexer {
    const char *bytes;
    uint32_t size, at;
    bool value_due; /* the last token asks for a value: a '#' that starts a line is an attribute then */
    bool no_memory;
    struct ptog_stack remarks; /* struct ptog_remark */
};

void ptog_lexer_start(struct ptog_lexer *lexer, const struct ptog_source *source);
struct ptog_token ptog_lexer_next(struct ptog_lexer *lexer);

/* Character classes, shared with the type parser. */
enum {
    PTOG_CH_LETTER = 1,
    PTOG_CH_DIGIT = 2,
    PTOG_CH_SPACE = 4,
    PTOG_CH_NAME = 8,
    PTOG_CH_IN_TYPE = 16,
    PTOG_CH_SIGN = 32
};
extern const uint8_t ptog_character[256];

static inline bool ptog_is(char c, unsigned classes)
{
    return (ptog_character[(unsigned char)c] & classes) != 0;
}

#endif
