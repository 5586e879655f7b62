/* tool/cxx: kernel launches made into C++: three small edits for each launch; and words of the device compiler that are
 * not C++ left out or replaced: [aicore], __attribute__((aiv)), asm that reads the registers SYS_CNT and PC. */
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "lex.h"

static const char before_name[] = "::ptog::fn([&](auto &&...ptog_a) { ";
static const char after_name[] = "(ptog_a...); }).on(";
static const char after_arguments[] = ")";

struct edit {
    size_t start, end; /* bytes replaced, may be none */
    const char *text;
};

static int by_place(const void *a, const void *b)
{
    size_t x = ((const struct edit *)a)->start, y = ((const struct edit *)b)->start;
    return (x > y) - (x < y);
}

static void make_edits(struct edit *edits, const struct cxx_tokens *tokens, const struct cxx_launch *launch)
{
    const struct cxx_token *at = tokens->at;
    edits[0] = (struct edit){at[launch->name].start, at[launch->name].start, before_name};
    edits[1] = (struct edit){at[launch->open].start, at[launch->open].end, after_name};
    edits[2] = (struct edit){at[launch->close].start, at[launch->close + 2].end, after_arguments};
}

/* ---- writing */

struct writer {
    char *to;
    const char *text;
    size_t at; /* bytes of `text` that were dealt with */
};

/* Copies the text up to `end`. */
static void copy_to(struct writer *writer, size_t end)
{
    memcpy(writer->to, writer->text + writer->at, end - writer->at);
    writer->to += end - writer->at;
    writer->at = end;
}

/* The lines spliced inside what is replaced stay. */
static void replace(struct writer *writer, const struct edit *edit)
{
    copy_to(writer, edit->start);
    size_t length = strlen(edit->text);
    memcpy(writer->to, edit->text, length);
    writer->to += length;
    while (writer->at < edit->end) {
        writer->at++;
        copy_to(writer, cxx_skip_splices(writer->text, edit->end, writer->at));
    }
}

/* Writes the text with its edits into memory of its own; false when out of memory. */
static bool write_edited(const char *text, size_t size, const struct edit *edits, size_t count,
                         struct cxx_rewritten *rewritten)
{
    size_t room = size + 1;
    for (size_t i = 0; i < count; i++)
        room += strlen(edits[i].text);
    rewritten->text = malloc(room);
    if (!rewritten->text)
        return false;
    struct writer writer = {.to = rewritten->text, .text = text};
    for (size_t i = 0; i < count; i++)
        replace(&writer, &edits[i]);
    if (size > 0)
        copy_to(&writer, size);
    rewritten->size = (size_t)(writer.to - rewritten->text);
    return true;
}

/* ---- problems */

static void add_problem(struct cxx_rewritten *rewritten, const struct cxx_problem *problem)
{
    if (rewritten->problem_count < CXX_MAX_PROBLEMS)
        rewritten->problems[rewritten->problem_count] = *problem;
    rewritten->problem_count++;
}

static int by_offset(const void *a, const void *b)
{
    size_t x = ((const struct cxx_problem *)a)->at, y = ((const struct cxx_problem *)b)->at;
    return (x > y) - (x < y);
}

/* Fills in the line and column of a problem from its byte. */
static void locate_problem(const char *text, struct cxx_problem *problem)
{
    size_t line_start = 0;
    problem->line = 1;
    for (size_t i = 0; i < problem->at; i++)
        if (text[i] == '\n') {
            problem->line++;
            line_start = i + 1;
        }
    problem->column = problem->at - line_start + 1;
}

static void finish_problems(const char *text, struct cxx_rewritten *rewritten)
{
    size_t kept = tool_min(rewritten->problem_count, CXX_MAX_PROBLEMS);
    qsort(rewritten->problems, kept, sizeof *rewritten->problems, by_offset);
    for (size_t i = 0; i < kept; i++)
        locate_problem(text, &rewritten->problems[i]);
}

/* ---- the whole */

/* A token of a word of the device compiler, and what it becomes; NULL: any token, which stays. */
struct word_part {
    const char *token, *becomes;
};

#define MAX_PARTS 11 /* the last one has neither */
#define LEFT_OUT(token)                                                                                                \
    {                                                                                                                  \
        token, ""                                                                                                      \
    }
#define READS_REGISTER(text, read, constraint)                                                                         \
    {                                                                                                                  \
        LEFT_OUT("asm"), LEFT_OUT("volatile"), LEFT_OUT("("), {text, read}, {":", "("}, LEFT_OUT(constraint),          \
            LEFT_OUT("("), {NULL, ""}, LEFT_OUT(")"), {")", ")"},                                                      \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }
static const struct word_part device_words[][MAX_PARTS] = {
    {LEFT_OUT("["), LEFT_OUT("aicore"), LEFT_OUT("]")},
    {LEFT_OUT("__attribute__"), LEFT_OUT("("), LEFT_OUT("("), LEFT_OUT("aiv"), LEFT_OUT(")"), LEFT_OUT(")")},
    {LEFT_OUT("__attribute__"), LEFT_OUT("("), LEFT_OUT("("), LEFT_OUT("aic"), LEFT_OUT(")"), LEFT_OUT(")")},
    READS_REGISTER("\"MOV %0, SYS_CNT\\n\"", "::ptog::read_sys_cnt", "\"+l\""),
    READS_REGISTER("\"MOV %0, SYS_CNT\\n\"", "::ptog::read_sys_cnt", "\"=l\""),
    READS_REGISTER("\"MOV %0, PC\\n\"", "::ptog::read_pc", "\"+l\""),
    READS_REGISTER("\"MOV %0, PC\\n\"", "::ptog::read_pc", "\"=l\""),
};

/* How many tokens from `i` on spell a word of the device; 0: they do not. */
static size_t match_word(const struct cxx_tokens *tokens, size_t i, const struct word_part *parts)
{
    size_t count = 0;
    while (parts[count].becomes && i + count < tokens->count &&
           (!parts[count].token || cxx_token_is(tokens, i + count, parts[count].token)))
        count++;
    if (parts[count].becomes)
        return 0;
    return count;
}

/* How many tokens of a word of the device compiler begin at i, and which; 0: none do. */
static size_t device_word(const struct cxx_tokens *tokens, size_t i, const struct word_part **parts)
{
    size_t count = 0;
    for (size_t w = 0; count == 0 && w < sizeof device_words / sizeof device_words[0]; w++) {
        *parts = device_words[w];
        count = match_word(tokens, i, *parts);
    }
    return count;
}

/* Room for the edits of all launches and words. */
static size_t most_edits(const struct cxx_tokens *tokens)
{
    const struct word_part *parts;
    size_t count = 0;
    for (size_t i = 0; i < tokens->count; i++)
        count += tokens->at[i].kind == CXX_LAUNCH ? 3 : device_word(tokens, i, &parts);
    return count;
}

/* Adds the edits that rewrite a launch, kernel<<<...>>>(...), or the problem that it has. */
static void find_launch(const struct cxx_tokens *tokens, size_t i, struct edit *edits, struct cxx_rewritten *rewritten)
{
    struct cxx_launch launch;
    struct cxx_problem problem;
    if (!cxx_launch_find(tokens, i, &launch, &problem)) {
        add_problem(rewritten, &problem);
        return;
    }
    make_edits(&edits[rewritten->edits], tokens, &launch);
    rewritten->edits += 3;
    rewritten->launches++;
}

/* Adds the edits of all launches and of words that only compilers of the device know. */
static void find_edits(const struct cxx_tokens *tokens, struct edit *edits, struct cxx_rewritten *rewritten)
{
    const struct word_part *parts;
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0, count = device_word(tokens, i, &parts); k < count; k++)
            if (parts[k].token)
                edits[rewritten->edits++] =
                    (struct edit){tokens->at[i + k].start, tokens->at[i + k].end, parts[k].becomes};
        if (tokens->at[i].kind == CXX_LAUNCH)
            find_launch(tokens, i, edits, rewritten);
    }
}

/* Finds all edits of a source and writes the text with them, unless there are problems; false when out of memory. */
static bool rewrite_tokens(const struct cxx_tokens *tokens, const struct cxx_renamed *names, size_t count,
                           struct cxx_rewritten *rewritten)
{
    struct edit *edits = malloc((most_edits(tokens) + count + 1) * sizeof *edits);
    if (!edits)
        return false;
    find_edits(tokens, edits, rewritten);
    finish_problems(tokens->text, rewritten);
    for (size_t i = 0; i < count; i++)
        edits[rewritten->edits++] = (struct edit){names[i].start, names[i].end, names[i].name};
    qsort(edits, rewritten->edits, sizeof *edits, by_place);
    bool done =
        rewritten->problem_count == 0 && write_edited(tokens->text, tokens->size, edits, rewritten->edits, rewritten);
    free(edits);
    return done;
}

/* Rewrites a source into *rewritten, with its includes renamed; problems are in there, too. False when out of
 * memory. */
bool cxx_rewrite_named(const char *text, size_t size, const struct cxx_renamed *names, size_t count,
                       struct cxx_rewritten *rewritten)
{
    struct cxx_tokens tokens;
    *rewritten = (struct cxx_rewritten){0};
    if (!cxx_tokens_read(&tokens, text, size))
        return false;
    bool done = rewrite_tokens(&tokens, names, count, rewritten);
    rewritten->includes = tokens.includes; /* now theirs */
    rewritten->include_count = tokens.include_count;
    tokens.includes = NULL;
    cxx_tokens_free(&tokens);
    return done;
}

bool cxx_rewrite(const char *text, size_t size, struct cxx_rewritten *rewritten)
{
    return cxx_rewrite_named(text, size, NULL, 0, rewritten);
}

void cxx_rewritten_free(struct cxx_rewritten *rewritten)
{
    free(rewritten->text);
    free(rewritten->includes);
    rewritten->text = NULL;
    rewritten->includes = NULL;
}
