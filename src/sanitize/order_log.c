/* sanitize: writing and reading order logs. An event is a word of fields, then what the fields announce. */
#include "sanitize/order_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Fields of a word, by their lowest bit. STEP: a word with the instruction of the events that follow. */
enum { KIND = 0, PIPE = 3, DST = 6, ID = 9, OWN = 12, HELD = 13, STORES = 14, NEEDS = 15 };
enum { STEP = 4, STEP_BITS = 3 };

void ptog_order_log_free(struct ptog_order_log *order_log)
{
    free(order_log->words);
    *order_log = (struct ptog_order_log){0};
}

/* Frees all logs with their index. */
void ptog_order_logs_free(struct ptog_order_logs *order_logs)
{
    for (size_t i = 0; i < order_logs->count; i++)
        ptog_order_log_free(&order_logs->of[i]);
    free(order_logs->of);
    free(order_logs->ends.of);
    ptog_index_free(&order_logs->index);
    ptog_index_free(&order_logs->ends.index);
    *order_logs = (struct ptog_order_logs){0};
}

/* Frees a log, and takes its words off the total. */
static void forget_order_log(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log)
{
    order_logs->words -= order_log->count;
    ptog_order_log_free(order_log);
}

/* Makes room for more words in a log. False when all logs together would be too long, or when out of memory, which sets
 * `failed`. */
static bool reserve_order_words(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log, size_t words)
{
    if (order_logs->words + words > PTOG_MAX_ORDER_LOG)
        return false;
    bool fits = ptog_array_reserve(&order_log->words, order_log->count + words, &order_log->room);
    order_logs->failed |= !fits;
    return fits;
}

/* ---- what was ordered when a order log started */

#define CLOCK_WORDS (sizeof(struct ptog_clocks) / sizeof(uint32_t)) /* it has no other fields */
#define MAX_FLAGS (PTOG_PIPES * PTOG_PIPES * PTOG_EVENT_IDS)
#define FLAG_WORDS 2 /* which flag it is and whether its wait was seen; the number of that wait */

/* The arguments of a function that finds a flag, of a flag by its number. */
#define FLAG(n) (n) / PTOG_EVENT_IDS / PTOG_PIPES, (n) / PTOG_EVENT_IDS % PTOG_PIPES, (n) % PTOG_EVENT_IDS

/* Starts the order log with the clocks and flags as they are, unless it runs already. Before the first flag of the
 * caller only instructions have set flags, and waited for them at once: none is open. */
void ptog_order_log_start(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log,
                          const struct ptog_order *order)
{
    if (order_log->count > 0 || order_logs->lost)
        return;
    if (!reserve_order_words(order_logs, order_log, CLOCK_WORDS + 1 + FLAG_WORDS * MAX_FLAGS)) {
        order_logs->lost = true;
        return;
    }
    uint32_t *word = order_log->words + CLOCK_WORDS, *flags = word++;
    memcpy(order_log->words, &order->clocks, sizeof order->clocks);
    *flags = 0;
    for (uint32_t pair = 0; pair < MAX_FLAGS / PTOG_EVENT_IDS; pair++) {
        const struct ptog_flag *of = order->flags[pair / PTOG_PIPES][pair % PTOG_PIPES];
        for (uint32_t id = 0; of && id < PTOG_EVENT_IDS; id++) {
            if (!of[id].was_set)
                continue;
            *word++ = (pair * PTOG_EVENT_IDS + id) << 1 | of[id].waited;
            *word++ = of[id].wait_entry;
            ++*flags;
        }
    }
    order_log->count = (size_t)(word - order_log->words);
    order_logs->words += order_log->count;
}

size_t ptog_order_log_open(const struct ptog_order_log *order_log, struct ptog_order *order)
{
    const uint32_t *word = order_log->words + CLOCK_WORDS;
    ptog_order_start_anew(order);
    memcpy(&order->clocks, order_log->words, sizeof order->clocks);
    for (uint32_t left = *word++; left > 0; left--, word += FLAG_WORDS) {
        struct ptog_flag *flag = ptog_order_flag(order, FLAG(word[0] >> 1));
        if (!flag)
            continue; /* order->failed */
        flag->was_set = flag->last.own = true;
        flag->waited = word[0] & 1;
        flag->wait_entry = word[1];
    }
    return (size_t)(word - order_log->words);
}

/* ---- the ends of flags */

static uint32_t hash_flag_end(const struct ptog_flag_end *end)
{
    uint32_t pair = end->src * 8u + end->dst * 64u + (end->placed ? 0 : end->id * 512u) + end->waits;
    return (end->site * 2654435761u ^ pair * 2246822519u) >> 7;
}

/* Whether two ends of flags are the same, event id included unless it was chosen here. */
static bool is_end(const struct ptog_flag_end *a, const struct ptog_flag_end *b)
{
    return a->site == b->site && a->src == b->src && a->dst == b->dst && a->waits == b->waits &&
           (a->placed || a->id == b->id);
}

/* The number of the set or wait of an event among all statements with flags; a new one is added. 0 when out of memory.
 */
static uint32_t number_flag_end(struct ptog_flag_ends *ends, const struct ptog_event *event,
                                const struct ptog_names *names)
{
    const struct ptog_site *site = ptog_names_site_at(names, event->site);
    struct ptog_flag_end end = {.site = event->site,
                                .src = (uint8_t)event->src,
                                .dst = (uint8_t)event->dst,
                                .id = (uint8_t)event->id,
                                .waits = event->kind == PTOG_EVENT_WAIT,
                                .placed = site && site->where.line > 0,
                                .insn = event->insn};
    uint32_t hash = hash_flag_end(&end);
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

#define MAX_WORDS 8 /* of one event */

void ptog_order_log_add(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log,
                        const struct ptog_event *event, const struct ptog_names *names, uint32_t turns,
                        const struct ptog_clock *need)
{
    bool flag = event->kind == PTOG_EVENT_SET || event->kind == PTOG_EVENT_WAIT;
    if (order_logs->lost || order_log->count == 0)
        return;
    uint32_t end = flag && !event->own ? number_flag_end(&order_logs->ends, event, names) : 0;
    order_logs->failed |= flag && !event->own && end == 0;
    if (order_logs->failed || !reserve_order_words(order_logs, order_log, MAX_WORDS)) {
        forget_order_log(order_logs, order_log);
        order_logs->lost = true;
        return;
    }
    uint32_t *word = &order_log->words[order_log->count], *first = word;
    if (event->step != order_log->step)
        *word++ = STEP | event->step << STEP_BITS;
    order_log->step = event->step;
    uint32_t fields = (uint32_t)event->kind << KIND | (uint32_t)event->pipe << PIPE;
    uint32_t *header = word++;
    if (event->pipe != PTOG_S && event->pipe != PTOG_ALL && event->stamp.turn != turns) {
        fields |= 1u << HELD;
        *word++ = event->stamp.turn;
        order_log->held = true;
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
    order_log->turns = turns + 1; /* this one may change it */
    order_log->count += (size_t)(word - first);
    order_logs->words += (size_t)(word - first);
}

/* ---- the order logs of a device */

/* The order log that is kept already and has the same words, or NULL. */
static struct ptog_order_log *twin_of(const struct ptog_order_logs *order_logs, const struct ptog_order_log *order_log,
                                      uint32_t hash)
{
    const struct ptog_index_slot *slot = ptog_index_first(&order_logs->index, hash);
    for (; slot; slot = ptog_index_next(&order_logs->index, slot)) {
        struct ptog_order_log *kept = &order_logs->of[slot->number - 1];
        if (kept->count == order_log->count &&
            memcmp(kept->words, order_log->words, order_log->count * sizeof *order_log->words) == 0)
            return kept;
    }
    return NULL;
}

/* Keeps a order log that is like no other; it takes no more room than it needs. False when out of memory. */
static bool keep(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log, uint32_t hash)
{
    if (!ptog_array_reserve(&order_logs->of, order_logs->count + 1, &order_logs->room) ||
        !ptog_index_add(&order_logs->index, hash, (uint32_t)order_logs->count + 1))
        return false;
    uint32_t *words = realloc(order_log->words, order_log->count * sizeof *words);
    if (words) {
        order_log->words = words;
        order_log->room = order_log->count;
    }
    order_log->times = 1;
    order_logs->of[order_logs->count++] = *order_log;
    *order_log = (struct ptog_order_log){0};
    return true;
}

void ptog_order_logs_keep(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log, bool good)
{
    order_logs->dead |= !good;
    if (order_log->count > 0 && good && !order_logs->lost) {
        uint32_t hash = ptog_hash_bytes(order_log->words, order_log->count * sizeof *order_log->words);
        struct ptog_order_log *twin = twin_of(order_logs, order_log, hash);
        if (twin)
            twin->times++;
        else if (!keep(order_logs, order_log, hash))
            order_logs->lost = order_logs->failed = true;
    }
    forget_order_log(order_logs, order_log);
}

/* ---- reading */

bool ptog_order_log_read(const struct ptog_order_log *order_log, size_t *at, struct ptog_order_entry *logged)
{
    uint32_t step = logged->event.step;
    if (*at == order_log->count)
        return false;
    if ((order_log->words[*at] & ((1u << STEP_BITS) - 1)) == STEP)
        step = order_log->words[(*at)++] >> STEP_BITS;
    uint32_t fields = order_log->words[(*at)++];
    struct ptog_event event = {.kind = (enum ptog_event_kind)(fields & 7), .step = step};
    event.pipe = (enum ptog_pipe)(fields >> PIPE & 7);
    event.own = fields >> OWN & 1;
    event.id = (int)(fields >> ID & 7);
    *logged = (struct ptog_order_entry){.held = fields >> HELD & 1, .stores = fields >> STORES & 1};
    if (logged->held)
        logged->turn = order_log->words[(*at)++];
    if (event.kind == PTOG_EVENT_SET || event.kind == PTOG_EVENT_WAIT) {
        enum ptog_pipe other = (enum ptog_pipe)(fields >> DST & 7);
        event.src = event.kind == PTOG_EVENT_SET ? event.pipe : other;
        event.dst = event.kind == PTOG_EVENT_SET ? other : event.pipe;
        event.site = event.own ? 0 : order_log->words[(*at)++];
    }
    for (int p = 0; p < PTOG_PIPES; p++)
        if (fields >> (NEEDS + p) & 1)
            logged->need.of[p] = order_log->words[(*at)++];
    logged->event = event;
    return true;
}
