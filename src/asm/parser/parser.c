/* asm: what the files of the parser share: tokens, errors, memory, comments. */
#include "asm/parser/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asm/loc.h"
#include "base/pick.h"

/* ---- tokens */

/* Goes on to the next token. */
void ptog_take(struct ptog_parser *p)
{
    p->last_end = p->token.end;
    p->token = ptog_lexer_next(&p->lexer);
}

/* Goes on to the token at byte `at`, for what was read without tokens. */
void ptog_take_from(struct ptog_parser *p, uint32_t at)
{
    p->lexer.at = at;
    p->last_end = at;
    p->token = ptog_lexer_next(&p->lexer);
}

/* Passes a punctuation; false where another token stands there. */
bool ptog_take_if(struct ptog_parser *p, char punctuation)
{
    if (!ptog_at(p, punctuation))
        return false;
    ptog_take(p);
    return true;
}

/* Passes a punctuation; false, with a report, where another token stands there. */
bool ptog_expect(struct ptog_parser *p, char punctuation)
{
    char what[4] = {'\'', punctuation, '\'', '\0'};
    return ptog_take_if(p, punctuation) || ptog_fail_expected(p, what);
}

struct ptog_token ptog_look_ahead(const struct ptog_parser *p, unsigned tokens)
{
    struct ptog_lexer look = p->lexer;
    look.remarks = (struct ptog_stack){0}; /* comments stay where they are until they are really passed */
    struct ptog_token token = p->token;
    while (tokens-- > 0)
        token = ptog_lexer_next(&look);
    ptog_stack_free(&look.remarks);
    return token;
}

char ptog_after_token(const struct ptog_parser *p)
{
    uint32_t at = p->token.end;
    while (at < p->lexer.size && p->lexer.bytes[at] == ' ')
        at++;
    if (at < p->lexer.size && ptog_is(p->lexer.bytes[at], PTOG_CH_SIGN) && p->lexer.bytes[at] != '-')
        return p->lexer.bytes[at]; /* nearly always */
    return ptog_look_ahead(p, 1).punctuation;
}

/* ---- errors */

/* Writes the text of a span into `buf` in quotes, without control characters and cut after 40 bytes; returns buf. */
const char *ptog_quote(char buf[PTOG_QUOTE_SIZE], const struct ptog_source *source, struct ptog_span span)
{
    enum { MAX_QUOTED = 40, ESCAPED = 4 };
    size_t n = 0;
    uint32_t i = 0;
    buf[n++] = '\'';
    for (; i < span.length && n < MAX_QUOTED; i++) {
        unsigned char c = (unsigned char)source->bytes[span.at + i];
        if (c < ' ' || c == 0x7f)
            n += (size_t)snprintf(buf + n, PTOG_QUOTE_SIZE - n, "\\x%02x", c);
        else
            buf[n++] = (char)c;
    }
    for (; i < span.length && n < MAX_QUOTED + ESCAPED && ((unsigned char)source->bytes[span.at + i] & 0xc0) == 0x80;
         i++)
        buf[n++] = source->bytes[span.at + i];
    snprintf(buf + n, PTOG_QUOTE_SIZE - n, "%s'", ptog_when(i < span.length, "..."));
    return buf;
}

/* After an error at `span`: stops the parser when it was the last that is reported. Always false. */
static bool after_error(struct ptog_parser *p, struct ptog_span span)
{
    if (!p->diags->no_memory && p->diags->errors - p->errors_before >= PTOG_MAX_ERRORS) {
        p->stop = true;
        ptog_diag_emit(p->diags, PTOG_ID_TOO_MANY, span, "stopped after %d errors; the rest was not checked",
                       PTOG_MAX_ERRORS);
    }
    return p->diags->no_memory && ptog_fail_memory(p);
}

/* Reports an error, unless parsing has stopped already, and returns false. After too many errors parsing stops. */
bool ptog_fail(struct ptog_parser *p, const char *id, struct ptog_span span, const char *format, ...)
{
    if (p->stop)
        return false;
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    ptog_diag_emit(p->diags, id, span, "%s", message);
    return after_error(p, span);
}

/* Reports what was expected in the place of the token at hand. Always false. */
bool ptog_fail_expected(struct ptog_parser *p, const char *what)
{
    char quote[PTOG_QUOTE_SIZE];
    struct ptog_span span = ptog_token_span(p);
    if (p->token.kind == PTOG_TOKEN_END)
        return ptog_fail(p, PTOG_ID_SYNTAX, span, "expected %s, found the end of the text", what);
    ptog_quote(quote, p->source, span);
    if (p->token.problem == PTOG_PROBLEM_STRING)
        return ptog_fail(p, PTOG_ID_NOT_CLOSED, span, "%s is not closed on its line", quote);
    if (p->token.problem == PTOG_PROBLEM_BYTE)
        return ptog_fail(p, PTOG_ID_BYTE, span, "expected %s, found unexpected %s", what, quote);
    return ptog_fail(p, PTOG_ID_SYNTAX, span, "expected %s, found %s", what, quote);
}

/* Reports an unknown word of some kind; `nearest` may be NULL. Always false. */
bool ptog_fail_unknown(struct ptog_parser *p, struct ptog_span span, const char *what, const char *nearest)
{
    char quote[PTOG_QUOTE_SIZE];
    ptog_quote(quote, p->source, span);
    if (nearest)
        return ptog_fail(p, PTOG_ID_UNKNOWN_WORD, span, "unknown %s %s, did you mean '%s'?", what, quote, nearest);
    return ptog_fail(p, PTOG_ID_UNKNOWN_WORD, span, "unknown %s %s", what, quote);
}

/* Ends parsing for want of memory. Always false. */
bool ptog_fail_memory(struct ptog_parser *p)
{
    p->no_memory = true;
    p->stop = true;
    return false;
}

bool ptog_enter(struct ptog_parser *p, int levels)
{
    if (p->depth + levels <= PTOG_MAX_NESTING) {
        p->depth += levels;
        return true;
    }
    ptog_fail(p, PTOG_ID_NESTING, ptog_token_span(p), "nested more than %d levels deep", PTOG_MAX_NESTING);
    p->stop = true;
    return false;
}

/* ---- memory */

/* Puts bytes on the parser's stack; false, with an end to parsing, when out of memory. */
bool ptog_push(struct ptog_parser *p, const void *piece, size_t bytes)
{
    return ptog_stack_push(&p->lists, piece, bytes) || ptog_fail_memory(p);
}

/* Moves the list that starts at `from` into the tree; `list` is the address of the pointer to it. */
bool ptog_take_list(struct ptog_parser *p, size_t from, size_t size, void *list, uint32_t *count)
{
    size_t bytes = p->lists.used - from;
    void *taken = ptog_stack_take(&p->lists, from, &p->tree->arena);
    if (bytes > 0 && !taken)
        return ptog_fail_memory(p);
    *count = (uint32_t)(bytes / size);
    memcpy(list, &taken, sizeof taken);
    return true;
}

/* The symbol of the text between two bytes; false when out of memory. */
bool ptog_symbol_of(struct ptog_parser *p, uint32_t at, uint32_t end, ptog_symbol *symbol)
{
    *symbol = ptog_symbol_add(&p->tree->symbols, p->source->bytes + at, end - at);
    return *symbol != 0 || ptog_fail_memory(p);
}

bool ptog_read_u64(const char *text, size_t length, uint64_t *value)
{
    unsigned base = length > 2 && text[0] == '0' && text[1] == 'x' ? 16 : 10;
    *value = 0;
    for (size_t i = base == 16 ? 2 : 0; i < length; i++) {
        unsigned c = (unsigned char)text[i];
        unsigned digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* ---- comments */

/* The next comment before byte `end` that no statement has got yet; NULL: none. It is not taken. */
static const struct ptog_remark *next_remark(const struct ptog_parser *p, uint32_t end)
{
    if (p->remarks_given == p->lexer.remarks.used)
        return NULL;
    const struct ptog_remark *remark = (const void *)(p->lexer.remarks.data + p->remarks_given);
    if (remark->at < end)
        return remark;
    return NULL;
}

/* A comment of the tree for the next remark of the lexer, without spaces at its end; NULL, with a report, when out of
 * memory. */
static struct ptog_comment *make_comment(struct ptog_parser *p, const struct ptog_remark *remark)
{
    uint32_t at = remark->at + (remark->mark == '/' ? 2 : 1), end = remark->end;
    while (end > at && ptog_is(p->source->bytes[end - 1], PTOG_CH_SPACE))
        end--;
    struct ptog_comment *comment = ptog_arena_alloc(&p->tree->arena, sizeof *comment);
    if (!comment || !ptog_symbol_of(p, at, end, &comment->text) ||
        (remark->mark == '#' && !ptog_loc_note_alias(p->tree, comment->text))) {
        ptog_fail_memory(p);
        return NULL;
    }
    comment->mark = remark->mark;
    comment->blank = remark->blank;
    comment->span = (struct ptog_span){remark->at, end - remark->at};
    p->remarks_given += sizeof *remark;
    return comment;
}

bool ptog_take_comments(struct ptog_parser *p, uint32_t end, struct ptog_comment **list)
{
    while (*list)
        list = &(*list)->next;
    for (const struct ptog_remark *remark; (remark = next_remark(p, end)); list = &(*list)->next) {
        *list = make_comment(p, remark);
        if (!*list)
            return false;
    }
    if (p->remarks_given == p->lexer.remarks.used)
        p->remarks_given = p->lexer.remarks.used = 0;
    return !p->lexer.no_memory || ptog_fail_memory(p);
}

bool ptog_take_trailing(struct ptog_parser *p, struct ptog_comment **after)
{
    const struct ptog_remark *remark = next_remark(p, p->token.at);
    if (!remark || remark->own_line)
        return true;
    *after = make_comment(p, remark);
    return *after != NULL;
}
