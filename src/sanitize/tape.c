/* sanitize: writing and reading tapes. An event is a word of fields, then what the fields announce. */
#include "sanitize/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Fields of a word, by their lowest bit. STEP: a word with the instruction of the events that follow. */
enum { KIND = 0, PIPE = 3, DST = 6, ID = 8, OWN = 11, HELD = 12, STORES = 13, NEEDS = 14 };
enum { STEP = 4, STEP_BITS = 3 };

void ptog_tape_free(struct ptog_tape *tape)
{
    free(tape->words);
    *tape = (struct ptog_tape){0};
}

void ptog_tapes_free(struct ptog_tapes *tapes)
{
    for (size_t i = 0; i < tapes->count; i++)
        ptog_tape_free(&tapes->of[i]);
    free(tapes->of);
    free(tapes->ends.of);
    ptog_index_free(&tapes->index);
    ptog_index_free(&tapes->ends.index);
    *tapes = (struct ptog_tapes){0};
}

static void forget(struct ptog_tapes *tapes, struct ptog_tape *tape)
{
    tapes->words -= tape->count;
    ptog_tape_free(tape);
}

static bool reserve(struct ptog_tapes *tapes, struct ptog_tape *tape, size_t words)
{
    if (tapes->words + words > PTOG_MOST_TAPE)
        return false;
    bool fits = ptog_array_reserve(&tape->words, tape->count + words, &tape->room);
    tapes->failed |= !fits;
    return fits;
}

/* ---- what was ordered when a tape started */

#define CLOCK_WORDS (sizeof(struct ptog_clocks) / sizeof(uint32_t)) /* it has no other fields */
#define MOST_FLAGS (PTOG_PIPES * PTOG_PIPES * PTOG_EVENT_IDS)
#define FLAG_WORDS 2 /* which flag it is and whether its wait was seen; the number of that wait */

/* A flag by its number. */
#define FLAG(order, n)                                                                                                 \
    (order)->flags[(n) / PTOG_EVENT_IDS / PTOG_PIPES][(n) / PTOG_EVENT_IDS % PTOG_PIPES][(n) % PTOG_EVENT_IDS]

/* Before the first flag of the caller only instructions have set flags, and each waited for its own at once: none is
 * open. The word before the flags counts them. */
void ptog_tape_start(struct ptog_tapes *tapes, struct ptog_tape *tape, const struct ptog_order *order)
{
    if (tape->count > 0 || tapes->lost)
        return;
    if (!reserve(tapes, tape, CLOCK_WORDS + 1 + FLAG_WORDS * MOST_FLAGS)) {
        tapes->lost = true;
        return;
    }
    uint32_t *word = tape->words + CLOCK_WORDS, *flags = word++;
    memcpy(tape->words, &order->clocks, sizeof order->clocks);
    *flags = 0;
    for (uint32_t i = 0; i < MOST_FLAGS; i++) {
        const struct ptog_flag *flag = &FLAG(order, i);
        if (!flag->was_set)
            continue;
        *word++ = i << 1 | flag->waited;
        *word++ = flag->wait_entry;
        ++*flags;
    }
    tape->count = (size_t)(word - tape->words);
    tapes->words += tape->count;
}

size_t ptog_tape_open(const struct ptog_tape *tape, struct ptog_order *order)
{
    const uint32_t *word = tape->words + CLOCK_WORDS;
    *order = (struct ptog_order){0};
    memcpy(&order->clocks, tape->words, sizeof order->clocks);
    for (uint32_t left = *word++; left > 0; left--) {
        struct ptog_flag *flag = &FLAG(order, *word >> 1);
        flag->was_set = flag->last.own = true;
        flag->waited = *word++ & 1;
        flag->wait_entry = *word++;
    }
    return (size_t)(word - tape->words);
}

/* ---- the ends of flags */

static uint32_t hash_of(const struct ptog_flag_end *end)
{
    uint32_t pair = end->src * 8u + end->dst * 64u + (end->placed ? 0 : end->id * 512u) + end->waits;
    return (end->site * 2654435761u ^ pair * 2246822519u) >> 7;
}

static bool is_end(const struct ptog_flag_end *a, const struct ptog_flag_end *b)
{
    return a->site == b->site && a->src == b->src && a->dst == b->dst && a->waits == b->waits &&
           (a->placed || a->id == b->id);
}

/* The number of the statement of an event; 0 when out of memory. */
static uint32_t end_of(struct ptog_flag_ends *ends, const struct ptog_event *event, const struct ptog_names *names)
{
    const struct ptog_site *site = ptog_names_site_at(names, event->site);
    struct ptog_flag_end end = {.site = event->site,
                                .src = (uint8_t)event->src,
                                .dst = (uint8_t)event->dst,
                                .id = (uint8_t)event->id,
                                .waits = event->kind == PTOG_EVENT_WAIT,
                                .placed = site && site->where.line > 0,
                                .insn = event->insn};
    uint32_t hash = hash_of(&end);
    const struct ptog_index_slot *slot = ptog_index_first(&ends->index, hash);
    for (; slot; slot = ptog_index_next(&ends->index, slot)) {
        struct ptog_flag_end *known = &ends->of[slot->number - 1];
        if (!is_end(known, &end))
            continue;
        known->ids |= known->id != end.id;
        return slot->number;
    }
    if (!ptog_array_reserve(&ends->of, ends->count + 1, &ends->room) ||
        !ptog_index_add(&ends->index, hash, ends->count + 1))
        return 0;
    ends->of[ends->count] = end;
    return ++ends->count;
}

/* ---- writing */

#define MOST_WORDS 8 /* of one event */

void ptog_tape_add(struct ptog_tapes *tapes, struct ptog_tape *tape, const struct ptog_event *event,
                   const struct ptog_names *names, uint32_t turns, const struct ptog_clock *need)
{
    bool flag = event->kind == PTOG_EVENT_SET || event->kind == PTOG_EVENT_WAIT;
    if (tapes->lost || tape->count == 0)
        return;
    uint32_t end = flag && !event->own ? end_of(&tapes->ends, event, names) : 0;
    tapes->failed |= flag && !event->own && end == 0;
    if (tapes->failed || !reserve(tapes, tape, MOST_WORDS)) {
        forget(tapes, tape);
        tapes->lost = true;
        return;
    }
    uint32_t *word = &tape->words[tape->count], *first = word;
    if (event->step != tape->step)
        *word++ = STEP | event->step << STEP_BITS;
    tape->step = event->step;
    uint32_t fields = (uint32_t)event->kind << KIND | (uint32_t)event->pipe << PIPE;
    uint32_t *header = word++;
    if (event->pipe != PTOG_S && event->pipe != PTOG_ALL && event->stamp.turn != turns) {
        fields |= 1u << HELD;
        *word++ = event->stamp.turn;
        tape->held = true;
    }
    if (flag) {
        enum ptog_pipe other = event->kind == PTOG_EVENT_SET ? event->dst : event->src;
        fields |= (uint32_t)other << DST | (uint32_t)event->id << ID | (uint32_t)event->own << OWN;
        if (!event->own)
            *word++ = end;
    }
    if (event->kind == PTOG_EVENT_WORK) {
        fields |= (uint32_t)ptog_event_stores(event) << STORES;
        for (int p = 0; p < PTOG_PIPES; p++)
            if (need->of[p] > 0) {
                fields |= 1u << (NEEDS + p);
                *word++ = need->of[p];
            }
    }
    *header = fields;
    tape->turns = turns + 1; /* this one may change it */
    tape->count += (size_t)(word - first);
    tapes->words += (size_t)(word - first);
}

/* ---- the tapes of a device */

/* The tape that is kept already and has the same words, or NULL. */
static struct ptog_tape *twin_of(const struct ptog_tapes *tapes, const struct ptog_tape *tape, uint32_t hash)
{
    const struct ptog_index_slot *slot = ptog_index_first(&tapes->index, hash);
    for (; slot; slot = ptog_index_next(&tapes->index, slot)) {
        struct ptog_tape *kept = &tapes->of[slot->number - 1];
        if (kept->count == tape->count && memcmp(kept->words, tape->words, tape->count * sizeof *tape->words) == 0)
            return kept;
    }
    return NULL;
}

/* Keeps a tape that is like no other; it takes no more room than it needs. False when out of memory. */
static bool keep(struct ptog_tapes *tapes, struct ptog_tape *tape, uint32_t hash)
{
    if (!ptog_array_reserve(&tapes->of, tapes->count + 1, &tapes->room) ||
        !ptog_index_add(&tapes->index, hash, (uint32_t)tapes->count + 1))
        return false;
    uint32_t *words = realloc(tape->words, tape->count * sizeof *words);
    if (words) {
        tape->words = words;
        tape->room = tape->count;
    }
    tape->times = 1;
    tapes->of[tapes->count++] = *tape;
    *tape = (struct ptog_tape){0};
    return true;
}

void ptog_tapes_keep(struct ptog_tapes *tapes, struct ptog_tape *tape, bool good)
{
    tapes->dead |= !good;
    if (tape->count > 0 && good && !tapes->lost) {
        uint32_t hash = ptog_hash_bytes(tape->words, tape->count * sizeof *tape->words);
        struct ptog_tape *twin = twin_of(tapes, tape, hash);
        if (twin)
            twin->times++;
        else if (!keep(tapes, tape, hash))
            tapes->lost = tapes->failed = true;
    }
    forget(tapes, tape);
}

/* ---- reading */

bool ptog_tape_read(const struct ptog_tape *tape, size_t *at, struct ptog_taped *taped)
{
    uint32_t step = taped->event.step;
    if (*at == tape->count)
        return false;
    if ((tape->words[*at] & ((1u << STEP_BITS) - 1)) == STEP)
        step = tape->words[(*at)++] >> STEP_BITS;
    uint32_t fields = tape->words[(*at)++];
    struct ptog_event event = {.kind = (enum ptog_event_kind)(fields & 7), .step = step};
    event.pipe = (enum ptog_pipe)(fields >> PIPE & 7);
    event.own = fields >> OWN & 1;
    event.id = (int)(fields >> ID & 7);
    *taped = (struct ptog_taped){.held = fields >> HELD & 1, .stores = fields >> STORES & 1};
    if (taped->held)
        taped->turn = tape->words[(*at)++];
    if (event.kind == PTOG_EVENT_SET || event.kind == PTOG_EVENT_WAIT) {
        enum ptog_pipe other = (enum ptog_pipe)(fields >> DST & 3);
        event.src = event.kind == PTOG_EVENT_SET ? event.pipe : other;
        event.dst = event.kind == PTOG_EVENT_SET ? other : event.pipe;
        event.site = event.own ? 0 : tape->words[(*at)++];
    }
    for (int p = 0; p < PTOG_PIPES; p++)
        if (fields >> (NEEDS + p) & 1)
            taped->need.of[p] = tape->words[(*at)++];
    taped->event = event;
    return true;
}
