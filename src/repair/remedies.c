/* repair: remedies: what could fix a race or a flag that is set twice, the lightest first. Nothing is run here. */
#include "repair/remedies.h"

#include "diag/kind.h"
#include "lower/eval.h"

bool ptog_is_race(const struct ptog_diag *diag)
{
    return ptog_kind_is_race(diag->kind);
}

static bool is_set_twice(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_FLAG_DOUBLE_SET;
}

bool ptog_is_of_order(const struct ptog_diag *diag)
{
    bool statement = diag->fix_count > 0 && diag->fix[0].kind != PTOG_FIX_WORDS;
    return statement && (ptog_is_race(diag) || is_set_twice(diag));
}

/* ---- what the machine proposes */

/* The flag or the barrier that the fix of a fault sets; false: it has none. */
static bool proposed(const struct ptog_diag *diag, enum ptog_fix_kind kind, struct ptog_sync *sync)
{
    for (size_t i = 0; i < diag->fix_count; i++)
        if (diag->fix[i].kind == kind) {
            const struct ptog_fix *step = &diag->fix[i];
            *sync = (struct ptog_sync){(uint8_t)step->src, (uint8_t)step->dst, (uint8_t)step->id, PTOG_SYNC_WHOLE};
            return true;
        }
    return false;
}

/* The ids between these pipes that some lines use, as bits. */
static unsigned ids_of(const struct ptog_lines *lines, uint8_t src, uint8_t dst)
{
    unsigned ids = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->of[i].src == src && lines->of[i].dst == dst)
            ids |= 1u << lines->of[i].id;
    return ids;
}

/* The lowest of the ids that is not among `used`; 0: there is none. */
static uint8_t lowest_free(unsigned used)
{
    for (uint8_t id = 1; id < PTOG_AUTO_IDS; id++)
        if (!(used >> id & 1))
            return id;
    return 0;
}

uint8_t ptog_free_id(const struct ptog_tries *tries, uint8_t src, uint8_t dst)
{
    const struct ptog_added *added = tries->added;
    unsigned used = tries->e->machine.used_ids[src][dst];
    for (uint32_t op = 0; op < added->op_count; op++)
        used |= ids_of(&added->before[op], src, dst) | ids_of(&added->after[op], src, dst);
    uint8_t id = lowest_free(used | tries->named[src][dst]);
    return id > 0 ? id : lowest_free(used);
}

/* ---- remedies */

/* Sets *remedy to one of this kind that uses the flag. False when that makes no sense here, or no event id is free. */
static bool flag_remedy(const struct ptog_tries *tries, enum ptog_remedy_kind kind, struct ptog_sync flag, bool twice,
                        struct ptog_remedy *remedy)
{
    struct ptog_sync back = {flag.dst, flag.src, ptog_free_id(tries, flag.dst, flag.src), PTOG_SYNC_WHOLE};
    switch (kind) {
    case PTOG_REMEDY_SPREAD:
        remedy->spread = true;
        remedy->after = remedy->before[0] = flag;
        remedy->after.part = PTOG_SYNC_SET;
        remedy->before[0].part = PTOG_SYNC_WAIT;
        return flag.id > 0 && !twice;
    case PTOG_REMEDY_PAIR: /* a flag that is set twice lacks the way back, which is what the machine names */
        remedy->before[0] = flag;
        return flag.id > 0;
    case PTOG_REMEDY_PAIR_AND_BACK:
        remedy->before[0] = back;
        remedy->before[1] = flag;
        remedy->count = 2;
        return flag.id > 0 && back.id > 0 && !twice;
    case PTOG_REMEDY_PAIR_THERE:
        remedy->spread = true;
        remedy->after = flag;
        remedy->count = 0;
        return flag.id > 0 && !twice;
    default: return false;
    }
}

/* Whether both operations stand in one region, or in one inside it, the second after the first: so they are executed
 * as often, and in turn. */
bool ptog_op_follows(const struct ptog_region *region, uint32_t first, uint32_t second)
{
    bool seen = false;
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        if (op->number == second)
            return seen;
        seen |= op->number == first;
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION && ptog_op_follows(op->parts[i].region, first, second))
                return true;
    }
    return false;
}

bool ptog_remedy_of(const struct ptog_tries *tries, enum ptog_remedy_kind kind, const struct ptog_diag *diag,
                    uint32_t here, uint32_t there, struct ptog_remedy *remedy)
{
    bool twice = is_set_twice(diag);
    struct ptog_sync flag;
    *remedy = (struct ptog_remedy){.count = 1};
    if ((!twice && !ptog_is_race(diag)) || diag->related_count == 0)
        return false;
    if (kind == PTOG_REMEDY_BARRIER_ALL) {
        remedy->before[0] = (struct ptog_sync){PTOG_ALL, PTOG_ALL, 0, PTOG_SYNC_WHOLE};
        return true;
    }
    if (kind == PTOG_REMEDY_BARRIER)
        return proposed(diag, PTOG_FIX_BARRIER, &remedy->before[0]);
    if (kind == PTOG_REMEDY_SPREAD && !ptog_op_follows(tries->function->region, there, here))
        return false;
    if (!proposed(diag, PTOG_FIX_SET, &flag))
        return false;
    flag.id = ptog_free_id(tries, flag.src, flag.dst);
    return flag_remedy(tries, kind, flag, twice, remedy);
}

bool ptog_remedy_add(struct ptog_added *added, const struct ptog_remedy *remedy, uint32_t here, uint32_t there)
{
    struct ptog_lines *before = &added->before[here], *after = &added->after[there];
    return (!remedy->spread || ptog_lines_add(after, after->count, &remedy->after, 1)) &&
           ptog_lines_add(before, before->count, remedy->before, remedy->count);
}
