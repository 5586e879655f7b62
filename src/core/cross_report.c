/* core: counters between the cores of a launch: what is wrong with them, and cores that wait forever. */
#include "base/origin.h"
#include "base/pick.h"
#include "base/text.h"
#include "core/device.h"

#define MAX_PENDING 15u /* a counter has 4 bits */

static struct ptog_core_number number_of(const struct ptog_core *core)
{
    return (struct ptog_core_number){core->block, core->subblock, core->cube};
}

/* Whether the device has more than one block, so that messages name it. */
static bool has_blocks(const struct ptog_device *device)
{
    for (size_t i = 0; i < device->open_count; i++)
        if (device->open[i]->block > 0)
            return true;
    return false;
}

/* A finding at a set. */
static void say(struct ptog_core *core, enum ptog_machine_fault_kind kind, const struct ptog_cross_set *set,
                const char *message, const char *fix)
{
    bool fresh;
    struct ptog_diag_entry *f = core->sanitizer
                                    ? ptog_diag_note_machine(&core->device->shared.diags, kind,
                                                             ptog_key(set->site, PTOG_AT_COUNT), set->insn, 0, &fresh)
                                    : NULL;
    if (!f || !fresh)
        return;
    f->diag.message = message;
    ptog_diag_advise(f, ptog_fix_of_words(fix));
}

void ptog_cross_judge_count(struct ptog_core *core, int counter, const struct ptog_cross_set *set)
{
    char name[PTOG_CORE_NAME];
    if (counter >= PTOG_CROSS_IDS || core->cross->ready[counter].count != MAX_PENDING + 1)
        return;
    say(core, PTOG_MACHINE_XFLAG_OVERFLOW, set,
        ptog_diag_text(&core->device->shared.diags, "counter %d of %s is set %u times before a wait, but has 4 bits",
                       counter, ptog_core_words(number_of(core), has_blocks(core->device), name), MAX_PENDING + 1),
        "wait for the counter before it is set 16 times");
}

void ptog_cross_judge_clash(struct ptog_core *core)
{
    uint32_t both = core->device->cross_ids & core->device->sync_all_ids;
    struct ptog_cross_set here = {.site = core->site, .insn = core->insn};
    if (both)
        say(core, PTOG_MACHINE_XFLAG_CLASH, &here,
            ptog_diag_text(&core->device->shared.diags, "syncall and the program both use counter %d",
                           __builtin_ctz(both)),
            "use counters 0 to 10");
}

void ptog_cross_say_pipe(struct ptog_core *core, enum ptog_pipe pipe)
{
    struct ptog_cross_set here = {.site = core->site, .insn = core->insn};
    bool none = pipe == PTOG_S || (unsigned)pipe >= PTOG_ALL;
    const char *core_name = core->cube ? "cube" : "vector";
    if (none)
        say(core, PTOG_MACHINE_FLAG_BAD_PAIR, &here,
            ptog_diag_text(&core->device->shared.diags, "pipe %s sets no counters", ptog_pipe_name(pipe)),
            "name the pipe that writes what the other core reads");
    else
        say(core, PTOG_MACHINE_WRONG_CORE, &here,
            ptog_diag_text(&core->device->shared.diags, "a %s core has no pipe %s: the counter is not set", core_name,
                           ptog_pipe_name(pipe)),
            core->cube ? "name MTE2, MTE1, M or FIX" : "name V, MTE2 or MTE3");
}

/* ---- the end */

void ptog_cross_left(struct ptog_core *core)
{
    struct ptog_cross *cross = core->cross;
    char name[PTOG_CORE_NAME];
    if (!cross || !core->sanitizer)
        return;
    ptog_core_words(number_of(core), has_blocks(core->device), name);
    ptog_links_unheard(core->sanitizer);
    for (int id = 0; cross->channels && id < PTOG_INTRA_IDS && !ptog_core_ended(core); id++)
        if (cross->channels->ready[PTOG_CHANNELS + id].count > 0)
            say(core, PTOG_MACHINE_XFLAG_LEFT, &cross->channels->ready[PTOG_CHANNELS + id].of[0],
                ptog_diag_text(&core->device->shared.diags, "flag %d of %s is set, but never waited for", id, name),
                "add a wait for it on that core, or remove the set");
    for (int id = 0; id < PTOG_CROSS_IDS; id++) {
        const struct ptog_cross_queue *left = &cross->ready[id], *alone = &cross->partial[2][id];
        for (uint32_t i = 0; i < left->count; i++)
            ptog_links_left(core->sanitizer, id, left->of[i].site, &left->of[i].seen);
        for (uint32_t i = 0; i < left->count && !ptog_core_ended(core); i++)
            say(core, PTOG_MACHINE_XFLAG_LEFT, &left->of[i],
                ptog_diag_text(&core->device->shared.diags, "counter %d is set, but %s never waits for it", id, name),
                "add a wait for it on that core, or remove the set");
        for (uint32_t i = 0; i < alone->count; i++)
            say(core, PTOG_MACHINE_XFLAG_REDUCE, &alone->of[i],
                ptog_diag_text(&core->device->shared.diags,
                               "only %s sets counter %d here: it goes up when both vector cores have set it", name, id),
                "set it on both vector cores of the block");
    }
}

/* Appends what each core that stands still waits for: "the cube core waits for counter 0 at line 12; vector core 0
 * ..." */
static void add_waits(struct ptog_text *text, const struct ptog_device *device, const struct ptog_core *first)
{
    const struct ptog_names *names = &device->shared.names;
    const struct ptog_where *here = &ptog_names_site_at(names, first->cross->site)->where;
    char name[PTOG_CORE_NAME];
    for (size_t i = 0; i < device->open_count; i++) {
        const struct ptog_core *core = device->open[i];
        if (!core->cross->waiting)
            continue;
        ptog_text_addf(text, "%s%s waits ", core == first ? "" : "; ",
                       ptog_core_words(number_of(core), has_blocks(device), name));
        if (core->cross->counter >= PTOG_CROSS_COUNTERS + PTOG_CHANNELS)
            ptog_text_addf(text, "for flag %d of %s", core->cross->counter - PTOG_CROSS_COUNTERS - PTOG_CHANNELS,
                           core->cube ? "a vector core" : "the cube core");
        else if (core->cross->counter >= PTOG_CROSS_COUNTERS)
            ptog_fifo_add_wait(text, core, (uint32_t)(core->cross->counter - PTOG_CROSS_COUNTERS));
        else if (core->cross->counter >= PTOG_CROSS_IDS)
            ptog_text_add(text, "for other cores in syncall");
        else
            ptog_text_addf(text, "for counter %d", core->cross->counter);
        const struct ptog_site *site = ptog_names_site_at(names, core->cross->site);
        if (core != first && site)
            ptog_text_add_line(text, &site->where, here);
    }
}

/* Whether a core has come to its end, and sets nothing more. */
static bool has_finished(const struct ptog_device *device)
{
    for (size_t i = 0; i < device->open_count; i++)
        if (!device->open[i]->cross->waiting)
            return true;
    return false;
}

/* Shows in the trace of a core that it waits for ever: until the last core of the device stands still. */
static void show_hang(struct ptog_core *core)
{
    struct ptog_period period = {.kind = PTOG_PERIOD_CROSS_BLOCKED,
                                 .pipe = PTOG_S,
                                 .id = core->cross->counter,
                                 .cause.site = core->cross->site,
                                 .from = core->timeline.now};
    for (size_t i = 0; i < core->device->open_count; i++)
        period.to = ptog_max(period.to, core->device->open[i]->timeline.now);
    if (core->track)
        ptog_track_period(core->track, &period);
}

void ptog_device_deadlock(ptog_device *device)
{
    struct ptog_core *first = NULL, *second = NULL;
    char message[900];
    struct ptog_text text;
    bool fresh, hung = false;
    for (size_t i = 0; device && i < device->open_count; i++) {
        struct ptog_core *core = device->open[i];
        hung |= core->pipes.dead;
        if (!core->cross->waiting)
            continue;
        if (!first)
            first = core;
        else if (!second && core->cross->site != first->cross->site)
            second = core;
    }
    if (!first)
        return;
    struct ptog_diag_key key = ptog_key(first->cross->site, PTOG_AT_COUNT);
    if (second)
        key.other = second->cross->site;
    if (first->track)
        ptog_core_trace_begin(first); /* the finding is at its wait */
    struct ptog_diag_entry *f =
        hung ? NULL : ptog_diag_note_machine(&device->shared.diags, PTOG_MACHINE_DEADLOCK, key, UINT64_MAX, 1, &fresh);
    if (f && fresh) {
        ptog_text_init(&text, message, sizeof message);
        ptog_text_add(&text, "deadlock: ");
        add_waits(&text, device, first);
        if (has_finished(device))
            ptog_text_add(&text, "; the other cores have finished");
        f->diag.message = ptog_diag_text(&device->shared.diags, "%s", message);
        f->other_message = "also waits";
        bool is_fifo =
            first->cross->counter >= PTOG_CROSS_COUNTERS && first->cross->counter < PTOG_CROSS_COUNTERS + PTOG_CHANNELS;
        ptog_diag_advise(
            f,
            ptog_fix_of_words(is_fifo ? "push and pop in an order that both cores get through, and free what is popped"
                                      : "set the counter on the other core before that core waits"));
    }
    for (size_t i = 0; i < device->open_count; i++)
        if (device->open[i]->cross->waiting) {
            device->open[i]->hangs = true;
            show_hang(device->open[i]);
        }
}
