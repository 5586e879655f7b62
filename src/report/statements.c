/* report: the statements of a C++ source. One pass over its bytes; each brace that is open remembers the statement that
 * it stands in, so that a statement around a lambda goes on behind it. */
#include "report/statements.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The statement that an open brace is in. */
struct level {
    size_t start;
    uint32_t first, depth;
};

struct scan {
    struct ptog_statements *all;
    struct level *braces; /* those that are open */
    size_t brace_count, brace_room;
    size_t at;     /* where the scan is */
    uint32_t line; /* and its line */
    size_t start;  /* of the statement at hand; none has begun while `first` is 0 */
    uint32_t first;
    uint32_t depth;  /* of ( and [ */
    bool line_start; /* nothing but blanks on this line so far */
    bool no_memory;
};

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The byte so far ahead; NUL past the end. */
static char ahead(const struct scan *s, size_t n)
{
    if (s->all->bytes - s->at > n)
        return s->all->text[s->at + n];
    return '\0';
}

static bool at_end(const struct scan *s)
{
    return s->at >= s->all->bytes;
}

/* Goes on by so many bytes; counts lines. */
static void pass_bytes(struct scan *s, size_t count)
{
    for (; count > 0 && !at_end(s); count--)
        s->line += s->all->text[s->at++] == '\n';
}

/* ---- what holds no statement */

static void skip_line_comment(struct scan *s)
{
    while (!at_end(s) && ahead(s, 0) != '\n')
        pass_bytes(s, 1);
}

static void skip_block_comment(struct scan *s)
{
    pass_bytes(s, 2);
    while (!at_end(s) && (ahead(s, 0) != '*' || ahead(s, 1) != '/'))
        pass_bytes(s, 1);
    pass_bytes(s, 2);
}

/* One byte, with the one behind it when it is a backslash. */
static void pass_escaped(struct scan *s)
{
    pass_bytes(s, 1 + (ahead(s, 0) == '\\'));
}

static void skip_directive(struct scan *s)
{
    while (!at_end(s) && ahead(s, 0) != '\n')
        pass_escaped(s);
}

/* R"mark(...)mark": `close`, of `length` bytes, is the mark. */
static bool at_raw_end(const struct scan *s, const char *mark, size_t length)
{
    return ahead(s, 0) == ')' && s->all->bytes - s->at > length + 1 &&
           memcmp(s->all->text + s->at + 1, mark, length) == 0 && ahead(s, length + 1) == '"';
}

/* Passes a raw string: R"mark(...)mark". */
static void skip_raw(struct scan *s)
{
    pass_bytes(s, 1);
    const char *mark = s->all->text + s->at;
    size_t from = s->at;
    while (!at_end(s) && ahead(s, 0) != '(')
        pass_bytes(s, 1);
    size_t length = s->at - from;
    while (!at_end(s) && !at_raw_end(s, mark, length))
        pass_bytes(s, 1);
    pass_bytes(s, length + 2);
}

/* Passes a string or a character; it ends with its line at the latest. */
static void skip_literal(struct scan *s)
{
    char quote = ahead(s, 0);
    if (quote == '"' && s->at > 0 && s->all->text[s->at - 1] == 'R') {
        skip_raw(s);
        return;
    }
    pass_bytes(s, 1);
    while (!at_end(s) && ahead(s, 0) != quote && ahead(s, 0) != '\n')
        pass_escaped(s);
    pass_bytes(s, ahead(s, 0) == quote);
}

/* ---- statements */

/* A block begins: keeps where the statement around it started. Sets `no_memory` when it cannot. */
static void open_brace(struct scan *s)
{
    struct level level = {s->start, 0, s->depth};
    if (s->depth > 0)
        level.first = s->first;
    if (ptog_array_reserve(&s->braces, s->brace_count + 1, &s->brace_room))
        s->braces[s->brace_count++] = level;
    else
        s->no_memory = true;
    s->first = s->depth = 0;
    pass_bytes(s, 1);
}

/* Passes a closing brace: the statement that it stands in goes on after a lambda, and is over after a block. */
static void close_brace(struct scan *s)
{
    struct level level = {0};
    pass_bytes(s, 1);
    if (s->brace_count > 0)
        level = s->braces[--s->brace_count];
    s->start = level.start;
    s->first = level.first;
    s->depth = level.depth;
}

/* Passes a semicolon, and adds the statement that it ends, unless it stands in brackets. */
static void end_statement(struct scan *s)
{
    pass_bytes(s, 1);
    if (s->depth > 0)
        return;
    struct ptog_statement found = {s->start, s->at, s->first, s->line};
    if (ptog_array_reserve(&s->all->of, s->all->count + 1, &s->all->room))
        s->all->of[s->all->count++] = found;
    else
        s->no_memory = true;
    s->first = 0;
}

/* Takes a byte of a statement, which begins with it if none had. */
static void take_byte(struct scan *s, char c)
{
    if (s->first == 0) {
        s->start = s->at;
        s->first = s->line;
    }
    bool separates = c == '\'' && s->at > 0 && is_letter(s->all->text[s->at - 1]); /* the digits of 1'000 */
    if (c == ';') {
        end_statement(s);
    } else if ((c == '"' || c == '\'') && !separates) {
        skip_literal(s);
    } else {
        s->depth += c == '(' || c == '[';
        s->depth -= s->depth > 0 && (c == ')' || c == ']');
        pass_bytes(s, 1);
    }
}

/* Passes what stands next: blanks, a comment, a directive, a brace, or a byte of a statement. */
static void scan_step(struct scan *s)
{
    char c = ahead(s, 0);
    bool was_start = s->line_start;
    s->line_start = c == '\n' || (was_start && is_blank(c));
    if (is_blank(c))
        pass_bytes(s, 1);
    else if (c == '/' && ahead(s, 1) == '/')
        skip_line_comment(s);
    else if (c == '/' && ahead(s, 1) == '*')
        skip_block_comment(s);
    else if (c == '#' && was_start)
        skip_directive(s);
    else if (c == '{')
        open_brace(s);
    else if (c == '}')
        close_brace(s);
    else
        take_byte(s, c);
}

bool ptog_statements_find(struct ptog_statements *all, const char *text, size_t bytes)
{
    *all = (struct ptog_statements){.text = text, .bytes = bytes};
    struct scan scan = {.all = all, .line = 1, .line_start = true};
    while (!at_end(&scan) && !scan.no_memory)
        scan_step(&scan);
    free(scan.braces);
    return !scan.no_memory;
}

void ptog_statements_free(struct ptog_statements *all)
{
    free(all->of);
    *all = (struct ptog_statements){0};
}

/* ---- questions */

const struct ptog_statement *ptog_statement_on(const struct ptog_statements *all, uint32_t line)
{
    const struct ptog_statement *best = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct ptog_statement *s = &all->of[i];
        if (s->first <= line && line <= s->last && (!best || s->end - s->start < best->end - best->start))
            best = s;
    }
    return best;
}

/* Whether a word is one of a list. */
static bool is_in(const char *const *words, const char *word, size_t length)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0)
            return true;
    return false;
}

bool ptog_statement_has(const struct ptog_statements *all, const struct ptog_statement *s, const char *const *words,
                        bool first)
{
    for (size_t i = s->start; i < s->end; i++) {
        size_t from = i;
        while (i < s->end && is_letter(all->text[i]))
            i++;
        if (i > from && is_in(words, all->text + from, i - from))
            return true;
        if (first && i > from)
            return false;
    }
    return false;
}
