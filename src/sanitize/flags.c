/* sanitize: the flag protocol. The k-th wait of a flag matches its k-th set; a set is wrong unless the wait of the one
 * before it happens before it; at the end nothing is left. */
#include <stdio.h>

#include "sanitize/sanitize.h"

/* The message of a finding about a set: `said`, and what the flag announces: "...; the set follows tload of %idx". */
static const char *message_of_set(struct ptog_sanitizer *s, const char *said, const struct ptog_pending_set *set)
{
    char insn[PTOG_INSN_WORDS];
    if (!set->after.site)
        return ptog_diag_text(&s->shared->diags, "%s", said);
    return ptog_diag_text(&s->shared->diags, "%s; the set follows %s", said,
                          ptog_names_insn_of(&s->shared->names, set->after, insn));
}

/* The words for an instruction's own use of a flag at the same time as the program's: `set` comes after `before`, and
 * one of the two is the instruction's. */
static void advise_clash(struct ptog_sanitizer *s, struct ptog_diag_entry *f, const struct ptog_event *event,
                         const struct ptog_pending_set *set, const struct ptog_pending_set *before)
{
    const struct ptog_pending_set *own = set->own ? set : before;
    struct ptog_operand_at user = {own->site, PTOG_AT_DST};
    char insn[PTOG_INSN_WORDS];
    if (own->after.site == own->site)
        user = own->after;
    f->diag.message =
        ptog_diag_text(&s->shared->diags,
                       set->own ? "%s uses flag %s->%s %d itself, but the program has set it and not waited for it yet"
                                : "%s uses flag %s->%s %d itself, and may not be done with it when the program sets it",
                       ptog_names_insn_of(&s->shared->names, user, insn), ptog_pipe_name(event->src),
                       ptog_pipe_name(event->dst), event->id);
    ptog_diag_advise(f, ptog_fix_of_words("use an event id other than 0, or wait for the flag before the instruction"));
}

/* Reports the set of an event: the one before it may not be over when it fires. Adds a finding, or counts one that is
 * there. */
static void note_double(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_pending_set *set,
                        const struct ptog_pending_set *before)
{
    bool clash = event->own != before->own, fresh;
    struct ptog_diag_key key = ptog_key(event->site, PTOG_AT_COUNT);
    char said[128];
    key.other = before->site;
    key.pipe = (uint8_t)event->src;
    key.other_pipe = (uint8_t)event->dst;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&s->shared->diags, clash ? PTOG_MACHINE_FLAG_ID_CLASH : PTOG_MACHINE_FLAG_DOUBLE_SET,
                               key, event->insn, 0, &fresh);
    if (!f || !fresh)
        return;
    f->other_message = "previously set here";
    if (clash) {
        advise_clash(s, f, event, set, before);
        return;
    }
    snprintf(said, sizeof said, "flag %s->%s %d may be set again before the previous set was waited for",
             ptog_pipe_name(event->src), ptog_pipe_name(event->dst), event->id);
    f->diag.message = message_of_set(s, said, set);
    /* only this one stands: the other was waited for */
    if (ptog_order_look(&s->order, event->src, event->dst, (unsigned)event->id)->count <= 1)
        f->advice = PTOG_ADVICE_FLAG_BACK;
    else
        ptog_diag_advise(f, (struct ptog_fix){.kind = PTOG_FIX_WAIT,
                                              .src = event->src,
                                              .dst = event->dst,
                                              .id = event->id,
                                              .text = "wait for it before this set, or remove one of the two: "});
}

void ptog_sanitizer_set(struct ptog_sanitizer *s, const struct ptog_event *event)
{
    struct ptog_pending_set token, before;
    if (!ptog_order_set(&s->order, event, &event->stamp.issued, &token, &before))
        note_double(s, event, &token, &before);
}

void ptog_sanitizer_wait(struct ptog_sanitizer *s, const struct ptog_event *event)
{
    struct ptog_pending_set token;
    if (ptog_order_wait(&s->order, event, &event->stamp.issued, &token) && s->hold.held > 0)
        ptog_hold_wait(&s->hold, event, &token, s->order.clocks.entries[event->dst]);
    s->shared->diags.no_memory |= s->hold.failed;
}

/* Reports a flag that is still set at the end, with its fix. */
static void note_left(struct ptog_sanitizer *s, const struct ptog_pending_set *token, int src, int dst, int id)
{
    struct ptog_diag_key key = ptog_key(token->site, PTOG_AT_COUNT);
    char said[128];
    bool fresh;
    key.pipe = (uint8_t)src;
    key.other_pipe = (uint8_t)dst;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&s->shared->diags, PTOG_MACHINE_FLAG_LEFT_SET, key, token->insn, token->times, &fresh);
    if (!f || !fresh)
        return;
    snprintf(said, sizeof said, "flag %s->%s %d is set but never waited for", ptog_pipe_name((enum ptog_pipe)src),
             ptog_pipe_name((enum ptog_pipe)dst), id);
    f->diag.message = message_of_set(s, said, token);
    ptog_diag_advise(f, (struct ptog_fix){.kind = PTOG_FIX_WAIT,
                                          .src = (enum ptog_pipe)src,
                                          .dst = (enum ptog_pipe)dst,
                                          .id = id,
                                          .text = "add ",
                                          .more = ", or remove the set"});
}

void ptog_sanitizer_left(struct ptog_sanitizer *s)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; s->order.flags[src][dst] && id < PTOG_EVENT_IDS; id++) {
                const struct ptog_flag *flag = &s->order.flags[src][dst][id];
                for (uint32_t i = 0; i < flag->count; i++)
                    note_left(s, &flag->tokens[flag->first + i], src, dst, id);
            }
}

/* Reports a fault of a flag or barrier with these words, unless it was reported before. */
static void note_text(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind, const struct ptog_event *event,
                      const char *message, const char *fix)
{
    struct ptog_diag_key key = ptog_key(event->site, PTOG_AT_COUNT);
    bool fresh;
    key.pipe = (uint8_t)event->src;
    key.other_pipe = (uint8_t)event->dst;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&s->shared->diags, kind, key, event->insn, 0, &fresh);
    if (!f || !fresh)
        return;
    f->diag.message = message;
    ptog_diag_advise(f, ptog_fix_of_words(fix));
}

void ptog_sanitizer_bad_flag(struct ptog_sanitizer *s, const struct ptog_event *event, bool *usable)
{
    struct ptog_diag_list *diags = &s->shared->diags;
    const char *src = ptog_pipe_name(event->src), *dst = ptog_pipe_name(event->dst);
    bool cube = s->cube;
    bool pair = ptog_core_has_pipe(s->target, cube, event->src) && ptog_core_has_pipe(s->target, cube, event->dst) &&
                event->src != event->dst;
    bool id = event->id >= 0 && event->id < PTOG_EVENT_IDS;
    *usable = pair && id;
    const char *fix = "use two different pipes of S, V, MTE2 and MTE3";
    if (cube)
        fix = "use two different pipes of S, MTE2, MTE1, M and FIX";
    if (event->src == event->dst)
        fix = "use a barrier on that pipe";
    if (!pair)
        note_text(s, PTOG_MACHINE_FLAG_BAD_PAIR, event,
                  ptog_diag_text(diags, "there is no flag from %s to %s", src, dst), fix);
    if (!id)
        note_text(s, PTOG_MACHINE_FLAG_BAD_ID, event,
                  ptog_diag_text(diags, "event id %d is not between 0 and 7", event->id), "use an id from 0 to 5");
    else if (event->id >= 6)
        note_text(s, PTOG_MACHINE_FLAG_RESERVED_ID, event,
                  ptog_diag_text(diags, "event id %d is reserved by system software", event->id),
                  "use an id from 0 to 5");
    if (*usable)
        s->shared->used_ids[event->src][event->dst] |= (uint8_t)(1u << event->id);
}

void ptog_sanitizer_bad_barrier(struct ptog_sanitizer *s, enum ptog_pipe pipe, uint32_t site, uint64_t insn)
{
    struct ptog_event event = {.src = pipe, .dst = pipe, .site = site, .insn = insn};
    if (pipe == PTOG_V && s->cube) {
        note_text(s, PTOG_MACHINE_BARRIER_BAD_PIPE, &event,
                  "V is a pipe of the vector core: the cube core has no barrier on it",
                  "remove it, or use a barrier on MTE2, MTE1, M, FIX or ALL");
        return;
    }
    if (pipe == PTOG_V) {
        note_text(s, PTOG_MACHINE_BARRIER_BAD_PIPE, &event,
                  "A5 has no barrier on V: its vector instructions already wait for each other",
                  "remove it; to order V with another pipe, use a flag");
        return;
    }
    if (pipe == PTOG_FIX)
        note_text(s, PTOG_MACHINE_BARRIER_BAD_PIPE, &event,
                  "FIX is a pipe of the cube core: the vector core has no barrier on it",
                  "remove it, or use a barrier on MTE2, MTE3 or ALL");
    if (pipe == PTOG_S)
        note_text(s, PTOG_MACHINE_BARRIER_ON_SCALAR, &event, "the scalar pipe S has no barrier",
                  "remove it, or use a barrier on another pipe");
    /* One on MTE1 or M, of the cube core too, orders nothing here and does no harm. */
}
