/* sanitize: a core that stands still: which queues wait for what, and the cycle between them. */
#include "base/text.h"
#include "sanitize/sanitize.h"

static const struct ptog_blocked *head_of(const struct ptog_blocked *heads, size_t count, enum ptog_pipe pipe)
{
    for (size_t i = 0; i < count; i++)
        if (heads[i].pipe == pipe)
            return &heads[i];
    return NULL;
}

/* "set_flag(MTE2, V, 1)"; a kernel in C++ is told in C++. */
static void add_set(struct ptog_text *text, const struct ptog_court *court, const struct ptog_blocked *head)
{
    char words[96];
    struct ptog_fix set = {.kind = PTOG_FIX_SET, .src = head->src, .dst = head->dst, .id = head->id};
    if (court->spelling == PTOG_SPELL_CXX)
        set.spelling = PTOG_SPELL_CXX;
    ptog_fix_statement(&set, words, sizeof words);
    ptog_text_add(text, words);
}

/* Who waits for whom, from the wait to blame on: a queue that does not stand still needs S to issue the set, and the
 * program has nothing more to issue before S goes on. */
static void add_cycle(struct ptog_text *text, const struct ptog_blocked *heads, size_t count,
                      const struct ptog_event *stop)
{
    bool seen[PTOG_PIPES] = {false};
    const struct ptog_blocked *head = &heads[0];
    ptog_text_addf(text, "; cycle: %s", ptog_pipe_name(head->pipe));
    while (head && !seen[head->pipe]) {
        seen[head->pipe] = true;
        ptog_text_addf(text, " -> %s", ptog_pipe_name(head->src));
        const struct ptog_blocked *next = head_of(heads, count, head->src);
        if (!next && head->src != PTOG_S) {
            next = head_of(heads, count, PTOG_S);
            ptog_text_add(text, next || stop ? " -> S" : " -> the end of the program");
        }
        if (!next && stop)
            ptog_text_addf(text, " -> %s", ptog_pipe_name(heads[0].pipe));
        head = next;
    }
}

/* "; S stands at barrier(ALL) at line 17" */
static void add_stop(struct ptog_text *text, const struct ptog_sanitizer *s, const struct ptog_event *stop)
{
    const struct ptog_site *site = ptog_names_site_at(&s->court->names, stop->site);
    ptog_text_addf(text, "; S stands at %s(ALL)", site ? site->name : "barrier");
    if (site && site->where.line > 0)
        ptog_text_addf(text, " at line %u", (unsigned)site->where.line);
}

void ptog_sanitizer_deadlock(void *user, const struct ptog_blocked *heads, size_t count, const struct ptog_event *stop)
{
    struct ptog_sanitizer *s = user;
    const struct ptog_blocked *first = &heads[0];
    struct ptog_finding_key key = ptog_key(first->site, PTOG_AT_COUNT);
    char message[900];
    struct ptog_text text;
    bool fresh;
    key.pipe = (uint8_t)first->src;
    key.other_pipe = (uint8_t)first->dst;
    if (count > 1 || stop)
        key.other = count > 1 ? heads[1].site : stop->site;
    struct ptog_finding *f =
        ptog_findings_machine(&s->court->findings, PTOG_MACHINE_FLAG_NEVER_SET, key, UINT64_MAX, 1, &fresh);
    if (!f || !fresh)
        return;
    ptog_text_init(&text, message, sizeof message);
    ptog_text_add(&text, "deadlock: ");
    for (size_t i = 0; i < count; i++) {
        const struct ptog_site *site = ptog_names_site_at(&s->court->names, heads[i].site);
        ptog_text_addf(&text, "%s%s waits for ", i ? "; " : "", ptog_pipe_name(heads[i].pipe));
        add_set(&text, s->court, &heads[i]);
        if (i > 0 && site && site->where.line > 0)
            ptog_text_addf(&text, " at line %u", (unsigned)site->where.line);
    }
    if (stop)
        add_stop(&text, s, stop);
    add_cycle(&text, heads, count, stop);
    f->message = ptog_findings_text(&s->court->findings, "%s", message);
    f->other_message = count > 1 ? "waits too" : "S stands here";
    ptog_finding_advise(f, (struct ptog_fix){.kind = PTOG_FIX_SET,
                                             .src = first->src,
                                             .dst = first->dst,
                                             .id = first->id,
                                             .text = "issue ",
                                             .more = " before this wait"});
}

void ptog_sanitizer_full(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    bool fresh;
    struct ptog_finding *f = ptog_findings_machine(&s->court->findings, PTOG_MACHINE_LIMIT_QUEUE,
                                                   ptog_key(event->site, PTOG_AT_COUNT), UINT64_MAX, 1, &fresh);
    if (f && fresh)
        f->message = ptog_findings_text(
            &s->court->findings, "stopped: more than 65,536 entries of %s wait for a flag; what follows was not judged",
            ptog_pipe_name(event->pipe));
}
