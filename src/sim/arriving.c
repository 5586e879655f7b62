/* sim: bytes that are on their way to UB: written into a buffer of their own, copied into UB when they arrive. */
#include "sim/arriving.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void ptog_arriving_free(struct ptog_arriving *arriving)
{
    free(arriving->pieces);
    free(arriving->data);
    *arriving = (struct ptog_arriving){0};
}

/* Makes room for one more piece of so many bytes. False when out of memory. */
static bool reserve_arriving(struct ptog_arriving *arriving, uint64_t bytes)
{
    return ptog_array_reserve(&arriving->pieces, arriving->count + 1, &arriving->room) &&
           ptog_array_reserve(&arriving->data, arriving->used + bytes, &arriving->size);
}

/* Writes all bytes that are on their way into UB. */
static void store_arriving(const struct ptog_arriving *arriving, struct ptog_memory *memory)
{
    for (size_t i = 0; i < arriving->count; i++)
        memcpy(memory->ub + arriving->pieces[i].at, arriving->data + arriving->pieces[i].from,
               arriving->pieces[i].bytes);
}

/* Keeps a copy of bytes of UB, up to its end, as a piece that is on its way. False when out of memory. */
static bool add_arriving(struct ptog_arriving *arriving, const struct ptog_memory *memory, uint64_t at, uint64_t bytes)
{
    bytes = ptog_ub_cut(memory, at, bytes);
    if (bytes == 0)
        return true;
    if (!reserve_arriving(arriving, bytes))
        return false;
    memcpy(arriving->data + arriving->used, memory->ub + at, bytes);
    arriving->pieces[arriving->count++] = (struct ptog_arriving_piece){at, bytes, arriving->used};
    arriving->used += bytes;
    return true;
}

/* Keeps what the writes of a log have put into UB. False when out of memory. */
static bool add_writes(struct ptog_arriving *arriving, const struct ptog_memory *memory, const struct ptog_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct ptog_access *access = &log->accesses[i];
        for (uint64_t k = 0; k < access->count && ptog_access_writes(access) && access->space == PTOG_IN_UB; k++)
            if (!add_arriving(arriving, memory, access->at + k * access->pitch, access->bytes))
                return false;
    }
    return !log->failed;
}

enum ptog_status ptog_arriving_run(struct ptog_arriving *arriving, const struct ptog_sim *sim, int phase)
{
    struct ptog_memory *memory = sim->memory;
    struct ptog_log log = {0};
    struct ptog_sim logged = *sim;
    unsigned char *before = malloc(memory->ub_bytes);
    if (!before)
        return PTOG_NO_MEMORY;
    ptog_ub_touch(memory, 0, memory->ub_bytes);
    logged.log = &log;
    memcpy(before, memory->ub, memory->ub_bytes);
    store_arriving(arriving, memory);
    enum ptog_status status = ptog_sim_phase(&logged, phase);
    if (status == PTOG_OK && !add_writes(arriving, memory, &log))
        status = PTOG_NO_MEMORY;
    memcpy(memory->ub, before, memory->ub_bytes);
    free(before);
    ptog_log_free(&log);
    return status;
}

void ptog_arriving_land(struct ptog_arriving *arriving, struct ptog_memory *memory)
{
    store_arriving(arriving, memory);
    arriving->count = arriving->used = 0;
}
