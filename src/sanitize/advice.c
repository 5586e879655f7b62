/* sanitize: the fix of a finding: words where they are the same for every case, else the flag or barrier that would
 * order two accesses, or what flushes the data cache of S, and where it goes. */
#include "base/diag.h"

#include <string.h>

#include "model/target.h"

#include "sanitize/sanitize.h"

static const struct {
    unsigned kind; /* enum ptog_diag_kind */
    const char *fix;
} advice[] = {
    {PTOG_DIAG_RACE_SELF, "use a policy other than Zero, or a table that is not NZ"},
    {PTOG_DIAG_ORDER_REVERSED, "move the set before its wait"},
    {PTOG_DIAG_GM_BLOCK_OVERLAP, "let each block write rows of its own"},
    {PTOG_DIAG_LINE_SHARED, "let each block store to lines of its own: multiples of 64 bytes apart"},
    {PTOG_DIAG_LINE_MIXED, "write the line by S alone or by MTE3 alone, or place the two in different 64-byte lines"},
    {PTOG_DIAG_SCATTER_NOT_ATOMIC, "use coalesce row, or let each block add to elements of its own"},
    {PTOG_DIAG_LANE + PTOG_FAULT_SCATTER_CONFLICT,
     "use scatterConflict last or an atomic operation, or make the indices distinct"},
    {PTOG_DIAG_LANE + PTOG_FAULT_GATHERB_MISALIGNED, "make every offset a multiple of 32 bytes"},
    {PTOG_DIAG_LANE + PTOG_FAULT_SORT_UNSORTED, "sort each list in descending order first, for example with tsort32"},
    {PTOG_DIAG_LANE + PTOG_FAULT_SCATTER_DROPPED,
     "use the policy skip, clamp or wrap, or keep every index inside the table"},
    {PTOG_DIAG_LANE + PTOG_FAULT_GM_OUT_OF_BOUNDS,
     "bind a larger buffer, or give the gather an out-of-bounds policy (clamp, wrap or zero)"},
    {PTOG_DIAG_LANE + PTOG_FAULT_GM_OUTSIDE_VIEW,
     "make the view as large as the table, or give the gather an out-of-bounds policy (clamp, wrap or zero)"},
    {PTOG_DIAG_LANE + PTOG_FAULT_INDEX_NEGATIVE,
     "use the policy zero if a negative index means 'no row', or make the indices unsigned"},
    {PTOG_DIAG_LANE + PTOG_FAULT_UB_OUTSIDE_TILE, "keep every index below the number of elements of the source tile"},
    {PTOG_DIAG_LANE + PTOG_FAULT_PRODUCT_OVERFLOW,
     "split the table, or move the start of the view, so that index times row pitch fits in 32 bits"},
    {PTOG_DIAG_UB_OVERFLOW, "place the tile at a lower address, or make it smaller"},
    {PTOG_DIAG_UB_PARTIAL_OVERLAP, "place the tiles apart, or make one a subview of the other"},
    {PTOG_DIAG_UB_SCRATCH_CLASH, "place the tile below 0x2e000, or give the other instruction a tmp tile"},
    {PTOG_DIAG_UB_BUDGET,
     "place the tiles at lower addresses, or launch with a dynUBufSize that holds them (at most 221,184 bytes less static memory)"},
    {PTOG_DIAG_UB_RESERVED, "keep the tiles within 122,880 bytes, or launch with a dynUBufSize that holds them"},
    {PTOG_DIAG_DMA_MISALIGNED, "pad the rows of the tile, so that every burst starts at a multiple of 32 bytes in UB"},
    {PTOG_DIAG_DMA_FIELD_OVERFLOW, "split the transfer into smaller ones"},
    {PTOG_DIAG_UNINIT_READ, "write it first, for example with tload"},
    {PTOG_DIAG_PAD_READ, "read valid elements only, or load with a pad value"},
};

/* What the table advises against a kind of fault; NULL: nothing. */
static const char *advice_of(unsigned kind)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (advice[i].kind == kind)
            return advice[i].fix;
    return NULL;
}

/* ---- flags and barriers */

/* What a fix is made from. */
struct advice_call {
    const struct ptog_sanitizer_shared *shared;
    const struct ptog_diag_entry *entry;
    struct ptog_flags_advised *advised;
    struct ptog_fix *steps;
};

/* The lowest of the ids that is not among `used`; 0: there is none. */
static int lowest_free(unsigned used)
{
    for (int id = 1; id <= PTOG_ADVISED_IDS; id++)
        if (!(used >> id & 1))
            return id;
    return 0;
}

/* An event id that neither the program nor the fix of other places uses between these pipes, or, when those use all
 * that are left, one that the program does not use; 0, which instructions use: there is none. */
static int free_id(const struct advice_call *call, enum ptog_pipe src, enum ptog_pipe dst)
{
    const struct ptog_diag_key *key = &call->entry->key;
    struct ptog_flags_advised *advised = call->advised;
    unsigned used = call->shared->used_ids[src][dst], named = 0;
    for (int i = 0; i < advised->count; i++) {
        const struct ptog_flag_advised *flag = &advised->of[i];
        if (flag->src != src || flag->dst != dst)
            continue;
        if (flag->site == key->site && flag->other == key->other)
            return flag->id;
        named |= 1u << flag->id;
    }
    int id = lowest_free(used | named);
    if (id == 0)
        return lowest_free(used);
    advised->of[advised->count++] =
        (struct ptog_flag_advised){key->site, key->other, (uint8_t)src, (uint8_t)dst, (uint8_t)id};
    return id;
}

/* Puts a step at the line of a site; the column is not given, since a statement may begin before its name. */
static void put_at(struct ptog_fix *step, enum ptog_fix_side side, const struct ptog_site *site)
{
    step->side = side;
    if (!site)
        return;
    step->where = (struct ptog_where){.file = site->where.file, .line = site->where.line};
    step->name = site->name;
}

/* May the set stand after the first of the two? What is run more than once may be run in other numbers, and lines of
 * two files have no order: there the pair stands together. */
static bool is_spread(const struct ptog_site *first, const struct ptog_site *second)
{
    if (!first || !second || first->runs != 1 || second->runs != 1 || first->where.line >= second->where.line)
        return false;
    const char *a = first->where.file, *b = second->where.file;
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Sets *step to a barrier on a pipe before the site. Returns 1, the number of steps. */
static size_t add_barrier_step(struct ptog_fix *step, enum ptog_pipe pipe, const struct ptog_site *here)
{
    *step = (struct ptog_fix){.kind = PTOG_FIX_BARRIER, .src = pipe, .dst = pipe};
    put_at(step, PTOG_FIX_BEFORE, here);
    return 1;
}

/* A set and a wait of a free id; false: there is none. */
static bool flag(const struct advice_call *call, enum ptog_pipe src, enum ptog_pipe dst)
{
    int id = free_id(call, src, dst);
    call->steps[0] = (struct ptog_fix){.kind = PTOG_FIX_SET, .src = src, .dst = dst, .id = id};
    call->steps[1] = (struct ptog_fix){.kind = PTOG_FIX_WAIT, .src = src, .dst = dst, .id = id};
    return id > 0;
}

/* A flag from the pipe of the first access to that of the second. */
static size_t flag_between(const struct advice_call *call)
{
    const struct ptog_sanitizer_shared *shared = call->shared;
    const struct ptog_diag_key *key = &call->entry->key;
    const struct ptog_site *here = ptog_names_site_at(&shared->names, key->site);
    const struct ptog_site *there = ptog_names_site_at(&shared->names, key->other);
    enum ptog_pipe src = (enum ptog_pipe)key->other_pipe, dst = (enum ptog_pipe)key->pipe;
    if (dst == PTOG_S && src == PTOG_MTE2 && shared->target->machine == PTOG_MACHINE_DMA && here &&
        strcmp(here->name, "mgather") == 0)
        dst = PTOG_V; /* as documented: the instruction's own V->S goes on from there */
    if (src == PTOG_S && dst != PTOG_V && shared->target->machine == PTOG_MACHINE_SIMT && there &&
        strcmp(there->name, "mgather") == 0)
        src = PTOG_V; /* as documented: a single element is released to V, and the caller's flag goes on from there */
    if (!flag(call, src, dst))
        return add_barrier_step(call->steps, PTOG_ALL, here);
    if (is_spread(there, here))
        put_at(&call->steps[0], PTOG_FIX_AFTER, there);
    else
        put_at(&call->steps[0], PTOG_FIX_BEFORE, here);
    put_at(&call->steps[1], PTOG_FIX_BEFORE, here);
    return 2;
}

/* A flag that is set in a loop: before each set, a pair in the other direction waits until the last set was waited for.
 */
static size_t flag_back(const struct advice_call *call)
{
    const struct ptog_diag_key *key = &call->entry->key;
    const struct ptog_site *here = ptog_names_site_at(&call->shared->names, key->site);
    if (!flag(call, (enum ptog_pipe)key->other_pipe, (enum ptog_pipe)key->pipe))
        return add_barrier_step(call->steps, PTOG_ALL, here);
    put_at(&call->steps[0], PTOG_FIX_BEFORE, here);
    put_at(&call->steps[1], PTOG_FIX_BEFORE, here);
    return 2;
}

/* dcci of all lines, and dsb. */
static size_t flush(const struct advice_call *call, const struct ptog_site *here, enum ptog_fix_side side, size_t count)
{
    call->steps[0] = (struct ptog_fix){.kind = PTOG_FIX_FLUSH, .src = PTOG_ALL, .dst = PTOG_ALL};
    call->steps[1] = (struct ptog_fix){.kind = PTOG_FIX_FENCE, .src = PTOG_ALL, .dst = PTOG_ALL};
    for (size_t i = 0; i < count; i++)
        put_at(&call->steps[i], side, here);
    return count;
}

/* What to do about two sub-blocks that write the same rows. */
static const char *subblock_advice(enum ptog_spelling spelling)
{
    if (spelling == PTOG_SPELL_CXX)
        return "let each sub-block write rows of its own: get_subblockid() tells them apart";
    return "let each sub-block write rows of its own: get_subblock_idx tells them apart";
}

/* Fills in the steps against a fault by the advice that was chosen for it; returns how many. */
static size_t steps_of(const struct advice_call *call)
{
    const struct ptog_diag_entry *f = call->entry;
    const struct ptog_site *here = ptog_names_site_at(&call->shared->names, f->key.site);
    switch (f->advice) {
    case PTOG_ADVICE_FLAG: return flag_between(call);
    case PTOG_ADVICE_FLAG_BACK: return flag_back(call);
    case PTOG_ADVICE_BARRIER: return add_barrier_step(call->steps, (enum ptog_pipe)f->key.pipe, here);
    case PTOG_ADVICE_FLUSH: return flush(call, here, PTOG_FIX_BEFORE, 1);
    case PTOG_ADVICE_FLUSH_AND_FENCE: return flush(call, here, PTOG_FIX_BEFORE, 2);
    case PTOG_ADVICE_FLUSH_BEHIND: return flush(call, here, PTOG_FIX_AFTER, 2);
    case PTOG_ADVICE_STEP: call->steps[0] = f->step; return 1;
    case PTOG_ADVICE_OF_ID: break;
    }
    call->steps[0] = ptog_fix_of_words(advice_of(f->key.kind));
    if (f->key.kind == PTOG_DIAG_GM_BLOCK_OVERLAP && call->shared->subblocks)
        call->steps[0] = ptog_fix_of_words(subblock_advice(call->shared->spelling));
    return call->steps[0].text ? 1 : 0;
}

/* Fills `steps` with the fix of a diagnostic, in the language of the device's kernel, and returns how many there are.
 * Event ids that it chooses are noted in *advised. */
size_t ptog_sanitizer_fix(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *entry,
                          struct ptog_flags_advised *advised, struct ptog_fix steps[PTOG_MAX_STEPS])
{
    size_t count = steps_of(&(struct advice_call){shared, entry, advised, steps});
    for (size_t i = 0; i < count; i++)
        steps[i].spelling = shared->spelling;
    return count;
}
