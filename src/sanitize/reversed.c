/* sanitize: accesses that flags order against the order of issue. A pipe that stands at a wait is passed by whatever is
 * issued meanwhile on other pipes; where the set of that wait is issued later still, what passed may be complete before
 * the wait lets go:
 *
 *     issued    wait_flag(MTE2, V, 1)   mgather (V) reads i   tload (MTE2) writes i   set_flag(MTE2, V, 1)
 *     happens   tload, set_flag, wait_flag, mgather: it reads what was loaded after it
 */
#include "base/array.h"
#include "sanitize/sanitize.h"

#define MAX_LATE_SETS ((size_t)1 << 16) /* a finding beyond them names no flag */

/* Keeps a set that S issued before work that is still to come, and that is waited for only now: it may fire late. Sets
 * `failed` when out of memory. */
void ptog_hold_wait(struct ptog_hold *hold, const struct ptog_event *wait, const struct ptog_pending_set *token,
                    uint32_t wait_entry)
{
    if (token->insn <= wait->insn || hold->late_count == MAX_LATE_SETS)
        return;
    if (!ptog_array_reserve(&hold->late_sets, hold->late_count + 1, &hold->late_room)) {
        hold->failed = true;
        return;
    }
    hold->late_sets[hold->late_count++] = (struct ptog_late_set){.clock = token->clock,
                                                                 .insn = token->insn,
                                                                 .set_site = token->site,
                                                                 .wait_site = wait->site,
                                                                 .wait_entry = wait_entry,
                                                                 .src = (uint8_t)wait->src,
                                                                 .dst = (uint8_t)wait->dst,
                                                                 .id = (uint8_t)wait->id};
}

/* Does the set fire after what passed, whose reads are complete at issue if S made them? */
static bool follows(const struct ptog_late_set *late, const struct ptog_passed *passed, bool writes)
{
    if (passed->pipe == PTOG_S && !writes)
        return late->insn > passed->insn;
    return late->clock.of[passed->pipe] >= passed->entry;
}

/* Is the wait over before the held entry starts? */
static bool precedes(const struct ptog_sanitizer *s, const struct ptog_late_set *late, enum ptog_pipe held)
{
    return late->dst == held || s->order.clocks.known[held].of[late->dst] >= late->wait_entry;
}

/* The flag on the path from what passed to the held entry; NULL: it was not written down. */
static const struct ptog_late_set *flag_between(const struct ptog_sanitizer *s, const struct ptog_passed *passed,
                                                bool writes, enum ptog_pipe held)
{
    for (size_t i = 0; i < s->hold.late_count; i++)
        if (follows(&s->hold.late_sets[i], passed, writes) && precedes(s, &s->hold.late_sets[i], held))
            return &s->hold.late_sets[i];
    return NULL;
}

void ptog_sanitizer_note_reversed(struct ptog_sanitizer *s, const struct ptog_event *held,
                                  const struct ptog_passed *passed, struct ptog_race race)
{
    struct ptog_diag_entry *f = ptog_sanitizer_note_race(s, PTOG_MACHINE_ORDER_REVERSED, &race);
    s->raced = true;
    if (!f || f->race.wait_site)
        return;
    const struct ptog_late_set *late = flag_between(s, passed, race.second.writes, held->pipe);
    if (!late)
        return;
    f->race.set_site = late->set_site;
    f->race.wait_site = late->wait_site;
    f->race.flag_src = late->src;
    f->race.flag_dst = late->dst;
    f->race.flag_id = late->id;
}
