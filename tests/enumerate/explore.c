/* The explorer of tests/enumerate: reads the entries that one block issues and walks through every state in which the
 * four pipes can be. README.md describes the model; model.py is the other side of the stream and explains the words.
 *
 * A state says how far S has issued, how far each queue has come, and which accesses have ended. From a state every
 * step is taken that some timing allows: a queue starts its next access or consumes a flag, or an access ends. Steps
 * that can neither be seen nor prevent another one (issuing, a set that fires, a barrier that opens) are taken at once.
 */
#include "batch.h"

#define CASE_MARK INT64_C(0x314d554e45474f54) /* "TOGENUM1" */
#define MAX_ENTRIES 1000
#define MAX_ACCESSES 64
#define PIPES 4 /* S, V, MTE2, MTE3 */
#define S 0
#define ALL 4

enum kind { INSTANT, ACCESS, SET, WAIT, BARRIER }; /* INSTANT: an access that ends as it starts */

struct entry {
    int64_t kind, pipe, src, dst, id;
    int position; /* in its pipe's queue */
    int access;   /* number of an access */
    int partner;  /* of a wait: its set; of a set: the wait of the previous set of the triple; -1: none */
    bool follows; /* a set that is not the first of its triple */
};

struct state {
    uint16_t issued, head[PIPES];
    uint16_t unused;
    uint32_t unused2;
    uint64_t ended;
};

static struct entry entries[MAX_ENTRIES];
static int entry_count, access_count, queue[PIPES][MAX_ENTRIES], queue_length[PIPES];
static int64_t in_order;                   /* pipes whose accesses wait for each other, as bits */
static uint64_t unended[MAX_ACCESSES];     /* by access: those that had not ended when it started, in some timing */
static bool set_twice[MAX_ENTRIES], stuck; /* what was found */

/* ---- the states that were reached */

static struct state *states;
static size_t state_count, state_room;
static uint32_t *table; /* number of a state plus one, by hash */
static size_t table_size;

static size_t hash_of(const struct state *state)
{
    uint64_t words[3];
    memcpy(words, state, sizeof words);
    uint64_t h = words[0] * 0x9E3779B97F4A7C15u ^ words[1] * 0xC2B2AE3D27D4EB4Fu ^ words[2] * 0x165667B19E3779F9u;
    return (size_t)(h ^ h >> 29);
}

static size_t find_slot(const struct state *state)
{
    size_t slot = hash_of(state) & (table_size - 1);
    while (table[slot] && memcmp(&states[table[slot] - 1], state, sizeof *state) != 0)
        slot = (slot + 1) & (table_size - 1);
    return slot;
}

static void grow(void)
{
    state_room = state_room ? 2 * state_room : 1024;
    states = realloc(states, state_room * sizeof *states);
    free(table);
    table_size = 2 * state_room;
    table = calloc(table_size, sizeof *table);
    if (!states || !table)
        fail("out of memory");
    for (size_t i = 0; i < state_count; i++)
        table[find_slot(&states[i])] = (uint32_t)i + 1;
}

static void reach(const struct state *state)
{
    if (state_count == state_room)
        grow();
    size_t slot = find_slot(state);
    if (table[slot])
        return;
    states[state_count] = *state;
    table[slot] = (uint32_t)++state_count;
}

static void forget_states(void)
{
    state_count = 0;
    if (table)
        memset(table, 0, table_size * sizeof *table);
}

/* ---- what holds in a state */

static bool is_access(const struct entry *entry)
{
    return entry->kind == INSTANT || entry->kind == ACCESS;
}

/* The first position of a queue that is not complete: an access that has not ended, or what the queue has not passed.
 */
static int complete_up_to(const struct state *state, int64_t pipe)
{
    for (int i = 0; i < state->head[pipe]; i++) {
        const struct entry *entry = &entries[queue[pipe][i]];
        if (is_access(entry) && !(state->ended >> entry->access & 1))
            return i;
    }
    return state->head[pipe];
}

static bool has_fired(const struct state *state, const struct entry *set)
{
    return set->position < complete_up_to(state, set->pipe);
}

static bool is_present(const struct state *state, const struct entry *wait)
{
    return wait->partner >= 0 && has_fired(state, &entries[wait->partner]);
}

static bool has_passed(const struct state *state, int number)
{
    return number >= 0 && entries[number].position < state->head[entries[number].pipe];
}

/* Whether everything that was issued is complete. */
static bool is_quiet(const struct state *state)
{
    for (int pipe = 0; pipe < PIPES; pipe++) {
        int done = complete_up_to(state, pipe);
        if (done < queue_length[pipe] && queue[pipe][done] < state->issued)
            return false;
    }
    return true;
}

static bool is_end(const struct state *state)
{
    return state->issued == entry_count && is_quiet(state);
}

/* ---- steps that are taken at once */

/* S issues the next entry, unless S itself has something to do there. */
static bool issue(struct state *state)
{
    if (state->issued == entry_count)
        return false;
    const struct entry *entry = &entries[state->issued];
    if (entry->pipe == ALL && !is_quiet(state))
        return false;
    if (entry->pipe == S && entry->kind != SET)
        return false;
    if (entry->pipe == S)
        state->head[S]++;
    state->issued++;
    return true;
}

static const struct entry *head_of(const struct state *state, int pipe)
{
    int at = state->head[pipe];
    if (at == queue_length[pipe] || queue[pipe][at] >= state->issued + (pipe == S))
        return NULL;
    return &entries[queue[pipe][at]];
}

/* A queue goes past a set, which fires when what is before it is complete, and past a barrier that is open. */
static bool pass(struct state *state, int pipe)
{
    const struct entry *entry = head_of(state, pipe);
    if (!entry || pipe == S || (entry->kind != SET && entry->kind != BARRIER))
        return false;
    if (entry->kind == BARRIER && complete_up_to(state, pipe) < state->head[pipe])
        return false;
    state->head[pipe]++;
    return true;
}

static void settle(struct state *state)
{
    for (bool moved = true; moved;) {
        moved = issue(state);
        for (int pipe = 1; pipe < PIPES; pipe++)
            moved |= pass(state, pipe);
    }
}

/* ---- steps that timings decide */

static void go_past(struct state *state, int pipe)
{
    state->head[pipe]++;
    state->issued = (uint16_t)(state->issued + (pipe == S));
}

static bool step(const struct state *from, int pipe)
{
    const struct entry *entry = head_of(from, pipe);
    struct state next = *from;
    if (!entry || entry->kind == SET || entry->kind == BARRIER)
        return false;
    if (entry->kind == WAIT && !is_present(from, entry))
        return false;
    if (is_access(entry) && (in_order >> pipe & 1) && complete_up_to(from, pipe) < from->head[pipe])
        return false;
    if (is_access(entry))
        unended[entry->access] |= ~from->ended;
    if (entry->kind == INSTANT)
        next.ended |= UINT64_C(1) << entry->access;
    go_past(&next, pipe);
    settle(&next);
    reach(&next);
    return true;
}

static bool end_accesses(const struct state *from, int pipe)
{
    bool moved = false;
    for (int i = 0; i < from->head[pipe]; i++) {
        const struct entry *entry = &entries[queue[pipe][i]];
        struct state next = *from;
        if (!is_access(entry) || (from->ended >> entry->access & 1))
            continue;
        next.ended |= UINT64_C(1) << entry->access;
        settle(&next);
        reach(&next);
        moved = true;
    }
    return moved;
}

static void look_for_double_sets(const struct state *state)
{
    for (int i = 0; i < entry_count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->kind == SET && entry->follows && has_fired(state, entry) && !has_passed(state, entry->partner))
            set_twice[i] = true;
    }
}

/* False: there are more states than that. */
static bool explore(size_t most_states)
{
    struct state state = {0};
    forget_states();
    settle(&state);
    reach(&state);
    for (size_t i = 0; i < state_count; i++) {
        bool moved = false;
        state = states[i];
        if (state_count > most_states)
            return false;
        look_for_double_sets(&state);
        for (int pipe = 0; pipe < PIPES; pipe++) {
            moved |= step(&state, pipe);
            moved |= end_accesses(&state, pipe);
        }
        stuck |= !moved && !is_end(&state);
    }
    return true;
}

/* ---- a case */

/* The k-th wait of a triple consumes its k-th set. */
static int find_of_triple(const struct entry *like, int64_t kind, int k)
{
    for (int i = 0; i < entry_count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->kind == kind && entry->src == like->src && entry->dst == like->dst && entry->id == like->id &&
            k-- == 0)
            return i;
    }
    return -1;
}

static void match_flags(void)
{
    for (int i = 0; i < entry_count; i++) {
        struct entry *entry = &entries[i];
        int k = 0;
        if (entry->kind != SET && entry->kind != WAIT)
            continue;
        while (find_of_triple(entry, entry->kind, k) != i)
            k++;
        entry->follows = k > 0;
        entry->partner = entry->kind == WAIT ? find_of_triple(entry, SET, k) : -1;
        if (entry->kind == SET && k > 0)
            entry->partner = find_of_triple(entry, WAIT, k - 1);
    }
}

static bool read_case(size_t *most_states)
{
    if (!read_mark(CASE_MARK))
        return false;
    *most_states = (size_t)read_word();
    in_order = read_word();
    entry_count = (int)read_count(MAX_ENTRIES);
    access_count = 0;
    memset(queue_length, 0, sizeof queue_length);
    memset(unended, 0, sizeof unended);
    memset(set_twice, 0, sizeof set_twice);
    stuck = false;
    for (int i = 0; i < entry_count; i++) {
        struct entry *entry = &entries[i];
        *entry = (struct entry){read_word(), read_word(), read_word(), read_word(), read_word(), 0, 0, -1, false};
        if (is_access(entry) && (entry->access = access_count++) == MAX_ACCESSES)
            fail("too many accesses");
        if (entry->pipe < PIPES) {
            entry->position = queue_length[entry->pipe]++;
            queue[entry->pipe][entry->position] = i;
        }
    }
    match_flags();
    return true;
}

static bool next_case(ptog_diags *diags)
{
    size_t most_states;
    (void)diags;
    if (!read_case(&most_states))
        return false;
    bool whole = explore(most_states);
    write_word(BATCH_RESULT_MARK);
    write_word(whole ? (int64_t)state_count : -1);
    write_word(stuck);
    for (int i = 0; i < entry_count; i++)
        write_word(set_twice[i]);
    for (int i = 0; i < access_count; i++)
        write_word((int64_t)unended[i]);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
