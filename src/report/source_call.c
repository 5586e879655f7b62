/* report: the arguments of an instruction's call in a C++ source. A call is looked for by its name, in the statements
 * on a line; what a macro hides is not found. */
#include <string.h>

#include <ptog/report.h>

#include "base/reserved.h"
#include "report/statements.h"

/* A part of the source. */
struct piece {
    const char *text;
    size_t at, end;
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The letter in upper case. */
static char upper_letter(char c)
{
    if (c >= 'a' && c <= 'z')
        return (char)(c - 'a' + 'A');
    return c;
}

static bool is_source_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char char_at(const struct piece *p, size_t ahead)
{
    if (p->end - p->at > ahead)
        return p->text[p->at + ahead];
    return '\0';
}

/* Goes past a string, a character or a comment, if one begins here; whether one did. */
static bool skip_text(struct piece *p)
{
    char c = char_at(p, 0), next = char_at(p, 1);
    if (c == '"' || c == '\'') {
        for (p->at++; p->at < p->end && char_at(p, 0) != c; p->at++)
            p->at += char_at(p, 0) == '\\';
        p->at += p->at < p->end;
    } else if (c == '/' && next == '/') {
        while (p->at < p->end && char_at(p, 0) != '\n')
            p->at++;
    } else if (c == '/' && next == '*') {
        for (p->at += 2; p->at < p->end && (char_at(p, 0) != '*' || char_at(p, 1) != '/');)
            p->at++;
        p->at += 2;
    } else {
        return false;
    }
    if (p->at > p->end)
        p->at = p->end;
    return true;
}

static void skip_blanks(struct piece *p)
{
    while (p->at < p->end && is_source_blank(char_at(p, 0)))
        p->at++;
}

/* <...>, if it begins here; false where it does not end. */
static bool skip_template(struct piece *p)
{
    int depth = 0;
    if (char_at(p, 0) != '<')
        return true;
    while (p->at < p->end) {
        char c = char_at(p, 0);
        if (skip_text(p))
            continue;
        depth += c == '<' || c == '(';
        depth -= c == '>' || c == ')';
        p->at++;
        if (depth == 0)
            return true;
    }
    return false;
}

/* ---- one argument */

/* Whether an argument is the name of something: rows, tiles[i % 2], in.idx, this->idx, *dst, ns::table. */
static bool is_variable_name(const char *text)
{
    int brackets = 0;
    text += text[0] == '*';
    if (!is_word(text[0]) || (text[0] >= '0' && text[0] <= '9'))
        return false;
    for (size_t i = 0; text[i]; i++) {
        bool arrow = (text[i] == '-' && text[i + 1] == '>') || (text[i] == '>' && text[i - 1] == '-');
        brackets += text[i] == '[';
        if (!is_word(text[i]) && !arrow && !strchr(brackets > 0 ? ".:[]+-*%& " : ".:[", text[i]))
            return false;
        brackets -= text[i] == ']';
    }
    return brackets == 0;
}

/* Adds the name of an argument of the call; empty where it is no variable. */
static void add_argument(struct ptog_source_call *call, const char *text, size_t length)
{
    while (length > 0 && is_source_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_source_blank(text[length - 1]))
        length--;
    if (call->count == PTOG_MAX_OPERANDS)
        return;
    char *name = call->name[call->count++];
    memset(name, 0, PTOG_LONGEST_NAME);
    if (length < PTOG_LONGEST_NAME)
        memcpy(name, text, length);
    if (!is_variable_name(name))
        memset(name, 0, PTOG_LONGEST_NAME);
}

/* The arguments behind an opening parenthesis; false where they cannot be told apart, or do not end. */
static bool take_arguments(struct piece *p, struct ptog_source_call *call)
{
    size_t start = ++p->at;
    int depth = 0;
    call->count = 0;
    while (p->at < p->end) {
        char c = char_at(p, 0);
        bool begins = start == p->at; /* nothing but blanks and comments so far */
        if (skip_text(p)) {
            if (begins && c == '/')
                start = p->at;
            continue;
        }
        start += begins && is_source_blank(c);
        if (c == '<')
            return false; /* a comma may be part of a type */
        if (depth == 0 && (c == ',' || c == ')')) {
            add_argument(call, p->text + start, p->at - start);
            start = p->at + 1;
        }
        p->at++;
        if (depth == 0 && c == ')')
            return true;
        depth += strchr("([{", c) != NULL;
        depth -= strchr(")]}", c) != NULL;
    }
    return false;
}

/* ---- calls on a line */

enum name_match { NO_MATCH, PREFIX, WHOLE };

/* How a word of the source matches the name of an instruction: as a whole, or as its beginning, since a call may have
 * a shorter name: TFILLPAD<...> is tfillpad_inplace. */
static enum name_match match_of(const char *word, size_t length, const char *instruction)
{
    size_t i = 0;
    while (i < length && instruction[i] && upper_letter(word[i]) == upper_letter(instruction[i]))
        i++;
    if (i < length || length < 4)
        return NO_MATCH;
    return instruction[i] ? PREFIX : WHOLE;
}

struct call_search {
    const char *instruction;
    uint32_t line;
    enum name_match best;
    bool differ; /* calls with other arguments match as well */
    struct ptog_source_call *call;
};

static bool same_names(const struct ptog_source_call *a, const struct ptog_source_call *b)
{
    return a->count == b->count && memcmp(a->name, b->name, a->count * sizeof a->name[0]) == 0;
}

static uint32_t count_lines(const char *text, size_t from, size_t to)
{
    uint32_t lines = 0;
    for (; from < to; from++)
        lines += text[from] == '\n';
    return lines;
}

/* Adds what stands before the point of `idx.GetValue(0)` or `idx->GetValue(0)` as the first argument of the call. */
static void take_object(const struct piece *p, size_t start, size_t word, struct ptog_source_call *call)
{
    size_t end = word;
    if (end > start && p->text[end - 1] == '.')
        end--;
    else if (end > start + 1 && p->text[end - 1] == '>' && p->text[end - 2] == '-')
        end -= 2;
    else
        return;
    size_t from = end, brackets = 0;
    for (; from > start; from--) {
        char c = p->text[from - 1];
        bool arrow = c == '>' && from - start > 1 && p->text[from - 2] == '-';
        brackets += c == ']';
        from -= arrow;
        if (brackets == 0 && !arrow && !is_word(c) && !strchr(".:", c))
            break;
        brackets -= c == '[' && brackets > 0;
    }
    call->count = 0;
    add_argument(call, p->text + from, end - from);
}

/* A call that begins with the word at p, if it does, and is on the line. */
static void look_at_call(struct call_search *s, struct piece p, size_t start, size_t word, uint32_t first)
{
    struct ptog_source_call found = {0};
    enum name_match match = match_of(p.text + word, p.at - word, s->instruction);
    if (match < s->best || match == NO_MATCH)
        return;
    skip_blanks(&p);
    if (!skip_template(&p))
        return;
    skip_blanks(&p);
    if (char_at(&p, 0) != '(' || !take_arguments(&p, &found) || s->line > first + count_lines(p.text, word, p.at))
        return;
    take_object(&p, start, word, &found);
    s->differ = match == s->best && (s->differ || !same_names(&found, s->call));
    s->best = match;
    memcpy(s->call->name, found.name, sizeof found.name);
    s->call->count = found.count;
}

/* Looks for the call in a statement, line by line up to the wanted one. */
static void search_statement(struct call_search *s, const struct ptog_statements *all, const struct ptog_statement *of)
{
    struct piece p = {all->text, of->start, of->end};
    uint32_t line = of->first;
    while (p.at < p.end) {
        size_t start = p.at;
        if (!skip_text(&p)) {
            while (p.at < p.end && is_word(char_at(&p, 0)))
                p.at++;
            if (p.at > start && line <= s->line)
                look_at_call(s, p, of->start, start, line);
            p.at += p.at == start;
        }
        line += count_lines(all->text, start, p.at);
    }
}

enum ptog_status ptog_source_call_find(const char *text, size_t bytes, const char *instruction, uint32_t line,
                                       struct ptog_source_call *call)
{
    if ((!text && bytes > 0) || !instruction || !call || !ptog_is_unreserved(call))
        return PTOG_BAD_ARGUMENT;
    struct call_search search = {.instruction = instruction, .line = line, .call = call};
    struct ptog_statements all;
    call->count = 0;
    bool listed = ptog_statements_find(&all, text, bytes);
    for (size_t i = 0; listed && i < all.count; i++)
        if (all.of[i].first <= line && line <= all.of[i].last)
            search_statement(&search, &all, &all.of[i]);
    ptog_statements_free(&all);
    if (search.differ)
        call->count = 0;
    return listed ? PTOG_OK : PTOG_NO_MEMORY;
}
