/* repair: a set and a wait of its own for each flag statement of the text. */
#include "repair/decouple.h"

#include "repair/edits/text_flags.h"

/* Adds the other half of the statement `op`. */
static bool add_half(struct ptog_added *added, uint32_t op, const struct ptog_sync *flag)
{
    struct ptog_sync half = *flag;
    bool sets = flag->part == PTOG_SYNC_SET;
    struct ptog_lines *lines = sets ? &added->after[op] : &added->before[op];
    half.part = sets ? PTOG_SYNC_WAIT : PTOG_SYNC_SET;
    return ptog_lines_add(lines, lines->count, &half, 1);
}

/* Takes back the half that was added at `op` for the flag; it is the last of its lines, since what a set needs stands
 * before it. */
static void drop_half(struct ptog_added *added, uint32_t op, const struct ptog_sync *flag)
{
    struct ptog_lines *lines = flag->part == PTOG_SYNC_SET ? &added->after[op] : &added->before[op];
    ptog_lines_drop(lines, lines->count - 1);
}

bool ptog_decouple(struct ptog_added *added, const struct ptog_sync *flags)
{
    bool good = true;
    for (uint32_t op = 0; op < added->op_count && good; op++)
        if (!ptog_sync_is_barrier(&flags[op]))
            good = add_half(added, op, &flags[op]);
    return good;
}

/* Takes all halves of one flag out of the program, or puts them in again. False when out of memory. */
static bool change_halves(struct ptog_added *added, const struct ptog_sync *flags, const struct ptog_sync *flag,
                          bool drops)
{
    bool good = true;
    for (uint32_t op = 0; op < added->op_count && good; op++) {
        if (!ptog_is_same_flag(&flags[op], flag))
            continue;
        if (drops)
            drop_half(added, op, &flags[op]);
        else
            good = add_half(added, op, &flags[op]);
    }
    return good;
}

/* Whether no operation before this one sets or waits for the same flag. */
static bool is_first_of_flag(const struct ptog_sync *flags, uint32_t op)
{
    for (uint32_t i = 0; i < op; i++)
        if (ptog_is_same_flag(&flags[i], &flags[op]))
            return false;
    return !ptog_sync_is_barrier(&flags[op]);
}

enum ptog_status ptog_recouple(struct ptog_tries *tries, const struct ptog_sync *flags)
{
    enum ptog_status status = PTOG_OK;
    for (uint32_t op = 0; op < tries->added->op_count && status == PTOG_OK && !ptog_tries_are_used_up(tries); op++) {
        struct ptog_trial trial = ptog_trial_below(tries, 1);
        size_t faults = 0;
        if (!is_first_of_flag(flags, op))
            continue;
        change_halves(tries->added, flags, &flags[op], true);
        status = ptog_try(tries, &trial, NULL, &faults);
        if ((faults > 0 || trial.refused) && !change_halves(tries->added, flags, &flags[op], false))
            return PTOG_NO_MEMORY;
    }
    return status;
}
