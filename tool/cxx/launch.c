/* tool/cxx: finding the parts of a kernel launch. Without the declarations, < may open template arguments or compare: a
 * name in front of it makes it a candidate, and the number of > that follow one another decides. */
#include "launch.h"

#include <stdarg.h>
#include <stdio.h>

#include "io/pick.h"

#define NONE SIZE_MAX

struct launch_search {
    const struct cxx_tokens *tokens;
    struct cxx_problem *problem;
};

/* The kind of token `i`. */
static enum cxx_kind kind_at(const struct launch_search *search, size_t i)
{
    return (enum cxx_kind)search->tokens->at[i].kind;
}

/* Returns NONE, so that a failure is one statement. */
__attribute__((format(printf, 3, 4))) static size_t fail(const struct launch_search *search, size_t token,
                                                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    search->problem->at = search->tokens->at[token].start;
    vsnprintf(search->problem->text, sizeof search->problem->text, format, args);
    va_end(args);
    return NONE;
}

/* ---- in front of <<<: the name. A token before the first one is a CXX_END, so i - 1 exists */

/* Words that stand in front of an expression, and are no part of a name. */
static bool is_name(const struct launch_search *search, size_t i)
{
    static const char *const words[] = {"return", "else",      "do",       "case",     "throw", "goto",
                                        "new",    "delete",    "operator", "typename", "using", "template",
                                        "sizeof", "co_return", "co_yield", "co_await"};
    if (kind_at(search, i) != CXX_NAME)
        return false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (cxx_token_is(search->tokens, i, words[k]))
            return false;
    return true;
}

/* The first token of what ends at `last` and may be a name: a name, or a macro that makes one, CONCAT(run, 4). */
static size_t name_ending(const struct launch_search *search, size_t last)
{
    const struct cxx_token *token = &search->tokens->at[last];
    if (is_name(search, last))
        return last;
    bool call = token->kind == CXX_CLOSE && token->bracket == '(' && token->match != CXX_NO_MATCH;
    if (call && is_name(search, token->match - 1))
        return token->match - 1;
    return NONE;
}

/* From the last > of template arguments back to the name in front of their <. */
static size_t back_over_angles(const struct launch_search *search, size_t last)
{
    size_t depth = 0;
    for (size_t i = last;; i--) {
        switch (kind_at(search, i)) {
        case CXX_GREATER: depth++; break;
        case CXX_LESS:
            if (name_ending(search, i - 1) != NONE && --depth == 0)
                return name_ending(search, i - 1);
            break;
        case CXX_CLOSE:
            if (search->tokens->at[i].match == CXX_NO_MATCH)
                return NONE;
            i = search->tokens->at[i].match;
            break;
        case CXX_OPEN:
        case CXX_SEMICOLON:
        case CXX_LAUNCH:
        case CXX_END: return NONE;
        default: break;
        }
    }
}

/* One part of a qualified name, with its template arguments; `last` is its last token. `whole`: it is the last part,
 * and may be made by a macro. */
static size_t back_over_part(const struct launch_search *search, size_t last, bool whole)
{
    if (is_name(search, last))
        return last;
    if (whole && name_ending(search, last) != NONE)
        return name_ending(search, last);
    if (kind_at(search, last) == CXX_OTHER && kind_at(search, last - 1) == CXX_PASTE) /* kernel ## 4 */
        return last;
    if (kind_at(search, last) == CXX_CLOSE)
        return fail(search, last,
                    "not supported: a launch of an expression; name it first, as in 'auto &kernel = *pointer;'");
    size_t name = kind_at(search, last) == CXX_GREATER ? back_over_angles(search, last) : NONE;
    if (name == NONE)
        return fail(search, last + 1, "expected the kernel's name before '<<<'");
    return name;
}

/* Whether the name goes on before `first`, which is one of its parts: where the part in front of it ends. */
static size_t part_before(const struct launch_search *search, size_t first)
{
    enum cxx_kind joint = kind_at(search, first - 1);
    if (joint == CXX_PASTE)
        return first - 2;
    if (joint == CXX_MEMBER)
        return first - 2;
    if (joint == CXX_SCOPE && (is_name(search, first - 2) || kind_at(search, first - 2) == CXX_GREATER))
        return first - 2;
    return NONE;
}

/* The first token of the name, with template arguments and scopes, that ends at `last`; NONE: there is no name. */
static size_t back_over_name(const struct launch_search *search, size_t last)
{
    for (bool whole = true;; whole = false) {
        size_t first = back_over_part(search, last, whole);
        if (first == NONE)
            return NONE;
        while (kind_at(search, first - 1) == CXX_LESS &&
               is_name(search, first - 2)) /* kernel<a < b>: the second compared */
            first -= 2;
        if (kind_at(search, first - 1) == CXX_NAME && cxx_token_is(search->tokens, first - 1, "template"))
            first--;
        last = part_before(search, first);
        if (last == NONE)
            return kind_at(search, first - 1) == CXX_SCOPE ? first - 1 : first;
    }
}

/* ---- behind <<<: the launch arguments */

struct arguments {
    size_t pending; /* < that may be open template arguments */
    size_t commas;  /* those that are surely not in template arguments */
    size_t close;   /* the first of the three >; NONE: not yet */
    size_t guess;   /* the same, if what looks like the end of three template arguments is not */
    bool missing;   /* an argument has no tokens */
};

static size_t run_of_greater(const struct launch_search *search, size_t i)
{
    size_t n = 1;
    while (kind_at(search, i + n) == CXX_GREATER && search->tokens->at[i + n].glued)
        n++;
    return n;
}

/* Takes `n` signs '>' in a row, which may close template arguments or a launch. */
static void take_greater(struct arguments *arguments, size_t i, size_t n)
{
    size_t pending = arguments->pending;
    if (n < 3) {
        arguments->pending -= tool_min(n, pending);
    } else if (n > pending) {
        arguments->close = i + (tool_min(n - 3, pending));
    } else { /* all of them may close template arguments */
        if (arguments->guess == NONE)
            arguments->guess = i + n - 3;
        arguments->pending -= n;
    }
}

static bool ends_arguments(const struct launch_search *search, size_t i)
{
    enum cxx_kind k = kind_at(search, i);
    bool unmatched = k == CXX_OPEN && search->tokens->at[i].match == CXX_NO_MATCH;
    return unmatched || k == CXX_CLOSE || k == CXX_SEMICOLON || k == CXX_LAUNCH || k == CXX_END;
}

/* Returns the token that ended the search. */
static size_t read_arguments(const struct launch_search *search, size_t open, struct arguments *arguments)
{
    size_t i = open + 1;
    bool first = true; /* of an argument */
    while (arguments->close == NONE && !ends_arguments(search, i)) {
        enum cxx_kind k = kind_at(search, i);
        size_t n = k == CXX_GREATER ? run_of_greater(search, i) : 1;
        arguments->missing |= first && (k == CXX_COMMA || n >= 3);
        arguments->pending += k == CXX_LESS && is_name(search, i - 1);
        arguments->commas += k == CXX_COMMA && arguments->pending == 0;
        if (k == CXX_GREATER)
            take_greater(arguments, i, n);
        first = k == CXX_COMMA;
        i = (k == CXX_OPEN ? search->tokens->at[i].match : i) + n;
    }
    return i;
}

/* What follows >>> in code; a macro may leave it to its users. */
static bool check_call(const struct launch_search *search, size_t after)
{
    if (after >= search->tokens->macros)
        return true;
    if (kind_at(search, after) != CXX_OPEN || search->tokens->at[after].bracket != '(')
        return fail(search, after, "expected '(' and the kernel's arguments after '>>>'") != NONE;
    if (search->tokens->at[after].match == CXX_NO_MATCH)
        return fail(search, after, "unterminated launch: expected ')' after the kernel's arguments") != NONE;
    return true;
}

/* The token that closes the launch opened at `open`; NONE after a problem was noted: it is not closed, or an argument
 * is missing. */
static size_t find_close(const struct launch_search *search, size_t open)
{
    struct arguments arguments = {.close = NONE, .guess = NONE};
    size_t stop = read_arguments(search, open, &arguments);
    const struct cxx_token *at = &search->tokens->at[stop];
    size_t close = arguments.close != NONE ? arguments.close : arguments.guess;
    if (close == NONE && at->kind == CXX_END)
        return fail(search, open, "unterminated launch: expected '>>>' before the end of the %s",
                    open < search->tokens->macros ? "file" : "macro");
    if (close == NONE && at->kind == CXX_OPEN)
        return fail(search, stop, "unterminated launch: '%c' is not closed", at->bracket);
    if (close == NONE)
        return fail(search, open, "unterminated launch: expected '>>>' before '%s'",
                    at->kind == CXX_LAUNCH ? "<<<" : (char[]){search->tokens->text[at->start], '\0'});
    if (arguments.missing)
        return fail(search, open, "a launch argument is missing: expected <<<blocks, dynUB, stream>>>");
    if (arguments.commas > 2)
        return fail(search, open, "expected 1 to 3 launch arguments, <<<blocks, dynUB, stream>>>, not %zu",
                    arguments.commas + 1);
    if (check_call(search, close + 3))
        return close;
    return NONE;
}

bool cxx_launch_find(const struct cxx_tokens *tokens, size_t open, struct cxx_launch *launch,
                     struct cxx_problem *problem)
{
    struct launch_search search = {tokens, problem};
    launch->open = open;
    launch->name = back_over_name(&search, open - 1);
    if (launch->name == NONE)
        return false;
    launch->close = find_close(&search, open);
    return launch->close != NONE;
}
