/* tool/cxx: C++ source as tokens. Only as much is known as it takes to find kernel launches: where literals and
 * comments end, which brackets belong together, which lines are preprocessor directives. Any bytes are accepted. */
#ifndef TOOL_CXX_TOKENS_H
#define TOOL_CXX_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CXX_MAX_BYTES ((size_t)1 << 30) /* offsets have 32 bits */
#define CXX_NO_MATCH UINT32_MAX

enum cxx_kind {
    CXX_OTHER,     /* numbers, literals, operators without a line below, stray bytes */
    CXX_NAME,      /* identifiers and keywords */
    CXX_OPEN,      /* ( [ { and the digraphs <: <% */
    CXX_CLOSE,     /* ) ] } and the digraphs :> %> */
    CXX_LESS,      /* < */
    CXX_GREATER,   /* >, one at a time: >> is two of them, the second one glued */
    CXX_LAUNCH,    /* <<< */
    CXX_COMMA,     /* , */
    CXX_SEMICOLON, /* ; */
    CXX_SCOPE,     /* :: */
    CXX_MEMBER,    /* . and -> */
    CXX_PASTE,     /* ## */
    CXX_HASH,      /* # */
    CXX_END,       /* before the first token of the file and of each #define, and after the last */
};

struct cxx_token {
    uint32_t start, end; /* bytes; spliced lines may lie between */
    uint32_t match;      /* of a bracket: the index of its partner, or CXX_NO_MATCH */
    uint8_t kind;        /* enum cxx_kind */
    char bracket;        /* ( [ or {, of both partners */
    bool glued;          /* nothing, not even a comment, between this token and the one before it */
};

/* The name in an #include, with its quotes or angles. */
struct cxx_include {
    uint32_t start, end;
    struct cxx_source *target; /* the file that it is, when its launches are rewritten; see headers.h */
};

/* The tokens of the file, then the body of each #define, with a CXX_END at the start, between them and at the end. What
 * other directives say, and what #if 0 takes out, is not there. */
struct cxx_tokens {
    const char *text;
    size_t size;
    struct cxx_token *at;
    size_t count;
    size_t macros; /* from this index on: bodies of #define */
    struct cxx_include *includes;
    size_t include_count;
};

/* False: out of memory, or more than CXX_MAX_BYTES; there is nothing to free then. `text` is not copied. */
bool cxx_tokens_read(struct cxx_tokens *tokens, const char *text, size_t size);
void cxx_tokens_free(struct cxx_tokens *tokens);

/* Whether the token is spelled like `word`, spliced lines left out. */
bool cxx_token_is(const struct cxx_tokens *tokens, size_t i, const char *word);

#endif
