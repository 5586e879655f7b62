/* sanitize: a core that stands still: which pipes wait for which flags, and why these never come. */
#include "base/origin.h"
#include "base/text.h"
#include "sanitize/sanitize.h"

/* The queue of a pipe among those that stand still; NULL: it does not. */
static const struct ptog_blocked *head_of(const struct ptog_blocked *heads, size_t count, enum ptog_pipe pipe)
{
    for (size_t i = 0; i < count; i++)
        if (heads[i].pipe == pipe)
            return &heads[i];
    return NULL;
}

/* Why the first flag never comes, where the waits alone do not tell: the pipe that should set it has nothing to do. */
static void add_reason(struct ptog_text *text, const struct ptog_blocked *heads, size_t count,
                       const struct ptog_event *stop)
{
    const struct ptog_blocked *first = &heads[0];
    bool setter_waits = head_of(heads, count, first->src) || (first->src == PTOG_S && stop);
    bool s_waits = head_of(heads, count, PTOG_S) || stop;
    if (setter_waits)
        return;
    if (s_waits)
        ptog_text_addf(text, ", but S issues nothing more to %s while it waits", ptog_pipe_name(first->src));
    else
        ptog_text_addf(text, ", and %s has finished", ptog_pipe_name(first->src));
}

/* "; S waits at barrier(ALL) at line 17" */
static void add_stop(struct ptog_text *text, const struct ptog_sanitizer *s, const struct ptog_event *stop,
                     const struct ptog_where *beside)
{
    const struct ptog_site *site = ptog_names_site_at(&s->shared->names, stop->site);
    ptog_text_addf(text, "; S waits at %s(ALL)", site ? site->name : "barrier");
    if (site)
        ptog_text_add_line(text, &site->where, beside);
}

/* Appends what a pipe waits for: "V waits for flag MTE2->V 1 before tadd of %sum"; "S waits for flag V->S 0 in mgather
 * of %rows". */
static void add_head(struct ptog_text *text, const struct ptog_sanitizer *s, const struct ptog_blocked *head)
{
    const struct ptog_names *names = &s->shared->names;
    char insn[PTOG_INSN_WORDS];
    ptog_text_addf(text, "%s waits for flag %s->%s %d", ptog_pipe_name(head->pipe), ptog_pipe_name(head->src),
                   ptog_pipe_name(head->dst), head->id);
    if (head->own)
        ptog_text_addf(text, " in %s",
                       ptog_names_insn_of(names, (struct ptog_operand_at){head->site, PTOG_AT_DST}, insn));
    else if (head->next.site)
        ptog_text_addf(text, " before %s", ptog_names_insn_of(names, head->next, insn));
}

/* Reports that the pipes wait for flags that nobody will set, with each wait at the head of its queue and the
 * instruction at which S stopped. */
void ptog_sanitizer_deadlock(void *user, const struct ptog_blocked *heads, size_t count, const struct ptog_event *stop)
{
    struct ptog_sanitizer *s = user;
    const struct ptog_blocked *first = &heads[0];
    const struct ptog_site *at = ptog_names_site_at(&s->shared->names, first->site);
    const struct ptog_where *here = at ? &at->where : NULL;
    struct ptog_diag_key key = ptog_key(first->site, PTOG_AT_COUNT);
    char message[900];
    struct ptog_text text;
    bool fresh;
    key.pipe = (uint8_t)first->src;
    key.other_pipe = (uint8_t)first->dst;
    if (count > 1 || stop)
        key.other = count > 1 ? heads[1].site : stop->site;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&s->shared->diags, PTOG_MACHINE_FLAG_NEVER_SET, key, UINT64_MAX, 1, &fresh);
    if (!f || !fresh)
        return;
    ptog_text_init(&text, message, sizeof message);
    ptog_text_add(&text, "deadlock: ");
    add_head(&text, s, first);
    for (size_t i = 1; i < count; i++) {
        const struct ptog_site *site = ptog_names_site_at(&s->shared->names, heads[i].site);
        ptog_text_add(&text, "; ");
        add_head(&text, s, &heads[i]);
        if (site)
            ptog_text_add_line(&text, &site->where, here);
    }
    if (stop)
        add_stop(&text, s, stop, here);
    add_reason(&text, heads, count, stop);
    f->diag.message = ptog_diag_text(&s->shared->diags, "%s", message);
    f->other_message = count > 1 ? "also waits" : "S waits here";
    ptog_diag_advise(f, (struct ptog_fix){.kind = PTOG_FIX_SET,
                                          .src = first->src,
                                          .dst = first->dst,
                                          .id = first->id,
                                          .text = "add ",
                                          .more = " before this wait"});
}

/* Reports that a pipe holds too many entries behind a wait, so that the run was stopped. */
void ptog_sanitizer_full(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    bool fresh;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&s->shared->diags, PTOG_MACHINE_LIMIT_QUEUE,
                                                       ptog_key(event->site, PTOG_AT_COUNT), UINT64_MAX, 1, &fresh);
    if (f && fresh)
        f->diag.message = ptog_diag_text(
            &s->shared->diags,
            "stopped: more than 65,536 instructions of pipe %s wait for a flag; the rest was not checked",
            ptog_pipe_name(event->pipe));
}
