/* tool/cxx: the lexer, one token at a time. Lines spliced with a backslash are seen as one everywhere but in raw
 * strings, as the compilers do it. There are no trigraphs. */
#ifndef TOOL_CXX_LEX_H
#define TOOL_CXX_LEX_H

#include "tokens.h"

struct cxx_lexer {
    const char *text;
    size_t size;
    size_t at; /* never in front of a spliced line end */
};

struct cxx_lexer cxx_lexer_start(const char *text, size_t size);

/* Skips blanks and comments; stops at a token, at the end of the line, or at the end. */
void cxx_lex_blanks(struct cxx_lexer *lexer);

/* True, and past it: the line ends here. */
bool cxx_lex_newline(struct cxx_lexer *lexer);

/* The next token; there is at least one byte left, and it is not blank. `glued` and `match` are the caller's. After the
 * keyword operator, <<< is << and <. */
struct cxx_token cxx_lex_token(struct cxx_lexer *lexer, bool after_operator);

/* The name in #include <...> or "..." has neither comments nor escapes in it. */
void cxx_lex_header_name(struct cxx_lexer *lexer);

/* The byte after the spliced line ends (backslash, blanks, newline) at `i`; `i` when there is none. */
size_t cxx_skip_splices(const char *text, size_t size, size_t i);

/* Whether text[start .. end) is spelled like `word`, spliced lines left out. */
bool cxx_spelled(const char *text, size_t start, size_t end, const char *word);

#endif
