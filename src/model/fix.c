/* model: the steps of a fix as words: the one place that knows how flags, barriers, and dcci and dsb are spelled. */
#include "base/text.h"

#include <ptog/diag.h>

#include "base/pick.h"

/* How a spelling writes a statement: its name, what stands around the arguments, and what stands before each of them.
 */
struct spelling {
    const char *set, *wait, *barrier;
    const char *open, *close;                 /* around the arguments of a flag */
    const char *open_barrier, *close_barrier; /* ... of a barrier */
    const char *pipe, *event, *end;           /* before a pipe, before an id, after each of them */
    const char *flush, *fence;                /* whole statements */
};

static const struct spelling spellings[] = {
    [PTOG_SPELL_PLAIN] = {"set_flag", "wait_flag", "barrier", "(", ")", "(", ")", "", "", "", "dcci(-1, 0)", "dsb()"},
    [PTOG_SPELL_TEXT] = {"pto.set_flag", "pto.wait_flag", "pto.barrier", "[", "]", " ", "", "<PIPE_", "<EVENT_ID", ">",
                         "pto.cmo.cacheinvalid all #pto.address_space<gm>",
                         "pto.fence.barrier_all #pto.fence_scope<gm>"},
    [PTOG_SPELL_CXX] = {"set_flag", "wait_flag", "pipe_barrier", "(", ")", "(", ")", "PIPE_", "EVENT_ID", "",
                        "dcci((__gm__ void *)0, ENTIRE_DATA_CACHE)", "dsb(DSB_DDR)"},
};

static void add_pipe(struct ptog_text *text, const struct spelling *s, enum ptog_pipe pipe)
{
    ptog_text_addf(text, "%s%s%s", s->pipe, ptog_pipe_name(pipe), s->end);
}

/* Appends the flag, barrier or flush of a fix as it is written in its language. */
static void add_statement(struct ptog_text *text, const struct ptog_fix *fix)
{
    const struct spelling *s = &spellings[fix->spelling];
    if (fix->kind == PTOG_FIX_WORDS)
        return;
    if (fix->kind == PTOG_FIX_FLUSH || fix->kind == PTOG_FIX_FENCE) {
        ptog_text_add(text, fix->kind == PTOG_FIX_FLUSH ? s->flush : s->fence);
        return;
    }
    if (fix->kind == PTOG_FIX_BARRIER) {
        ptog_text_addf(text, "%s%s", s->barrier, s->open_barrier);
        add_pipe(text, s, fix->src);
        ptog_text_add(text, s->close_barrier);
        return;
    }
    ptog_text_addf(text, "%s%s", fix->kind == PTOG_FIX_SET ? s->set : s->wait, s->open);
    add_pipe(text, s, fix->src);
    ptog_text_add(text, ", ");
    add_pipe(text, s, fix->dst);
    ptog_text_addf(text, ", %s%d%s%s", s->event, fix->id, s->end, s->close);
}

/* "before line 14  ", "move line 16 before line 14 of k.pto  ", "replace line 14 with  "; where the kernel does not
 * tell its lines, "before mgather  ". */
static void add_fix_place(struct ptog_text *text, const struct ptog_fix *fix)
{
    static const char *const sides[] = {"", "before ", "after ", "replace ", "remove "};
    if (fix->side == PTOG_FIX_ANYWHERE)
        return;
    if (fix->from_line > 0)
        ptog_text_addf(text, "move line %u ", (unsigned)fix->from_line);
    ptog_text_add(text, sides[fix->side]);
    if (fix->where.line > 0)
        ptog_text_addf(text, "line %u%s%s", (unsigned)fix->where.line, ptog_when(fix->names_file, " of "),
                       ptog_when(fix->names_file, fix->where.file));
    else
        ptog_text_add(text, ptog_or(fix->name, "the instruction"));
    ptog_text_add(text, fix->side == PTOG_FIX_INSTEAD ? " with  " : "  ");
}

/* Writes the statement of a step, without its place, and returns how long it is, as snprintf does. */
size_t ptog_fix_statement(const struct ptog_fix *fix, char *words, size_t size)
{
    struct ptog_text text;
    ptog_text_init(&text, words, words ? size : 0);
    if (!fix)
        return 0;
    add_statement(&text, fix);
    if (fix->from_line > 0)
        ptog_text_add(&text, ptog_or(fix->more, "")); /* it moves along */
    return text.len;
}

size_t ptog_fix_words(const struct ptog_fix *fix, char *words, size_t size)
{
    struct ptog_text text;
    ptog_text_init(&text, words, words ? size : 0);
    if (!fix)
        return 0;
    add_fix_place(&text, fix);
    ptog_text_add(&text, ptog_or(fix->text, ""));
    add_statement(&text, fix);
    if (fix->from_line == 0)
        ptog_text_add(&text, ptog_or(fix->more, ""));
    return text.len;
}
