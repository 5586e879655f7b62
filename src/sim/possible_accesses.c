/* sim: what an instruction could touch with other data, less what it has touched: the families say the first. */
#include "sim/insn.h"

/* The bytes that a phase writes to dst. */
static uint64_t written(const struct ptog_log *log, int phase)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct ptog_access *access = &log->accesses[i];
        if (access->operand == PTOG_AT_DST && access->phase == phase && ptog_access_writes(access))
            bytes += access->bytes * access->count;
    }
    return bytes;
}

/* Where a phase has written all that it could, its writes need not be looked at twice. That is so for most gathers; as
 * each row of dst is written once, the number of bytes tells. */
static void leave_out(struct ptog_log *possible, const struct ptog_log *done)
{
    const bool whole[2] = {written(possible, 0) == written(done, 0), written(possible, 1) == written(done, 1)};
    size_t kept = 0;
    for (size_t i = 0; i < possible->count; i++) {
        const struct ptog_access access = possible->accesses[i];
        if (access.operand != PTOG_AT_DST || !whole[access.phase])
            possible->accesses[kept++] = access;
    }
    possible->count = kept;
}

void ptog_sim_possible(const struct ptog_sim *sim, const struct ptog_log *done)
{
    const struct ptog_sim_family *family = ptog_sim_family_of(sim->known);
    sim->log->count = 0;
    sim->log->phase = 0;
    if (!family->possible)
        return;
    family->possible(sim);
    leave_out(sim->log, done);
}
