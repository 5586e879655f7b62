/* sim: bytes that are held back. */
#include "sim/held.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void ptog_held_free(struct ptog_held *held)
{
    free(held->pieces);
    free(held->data);
    *held = (struct ptog_held){0};
}

static bool reserve(struct ptog_held *held, uint64_t bytes)
{
    return ptog_array_reserve(&held->pieces, held->count + 1, &held->room) &&
           ptog_array_reserve(&held->data, held->used + bytes, &held->size);
}

static void put(const struct ptog_held *held, struct ptog_memory *memory)
{
    for (size_t i = 0; i < held->count; i++)
        memcpy(memory->ub + held->pieces[i].at, held->data + held->pieces[i].from, held->pieces[i].bytes);
}

static bool add(struct ptog_held *held, const struct ptog_memory *memory, uint64_t at, uint64_t bytes)
{
    bytes = ptog_ub_cut(memory, at, bytes);
    if (bytes == 0)
        return true;
    if (!reserve(held, bytes))
        return false;
    memcpy(held->data + held->used, memory->ub + at, bytes);
    held->pieces[held->count++] = (struct ptog_held_piece){at, bytes, held->used};
    held->used += bytes;
    return true;
}

static bool add_writes(struct ptog_held *held, const struct ptog_memory *memory, const struct ptog_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct ptog_access *access = &log->accesses[i];
        for (uint64_t k = 0; k < access->count && ptog_access_writes(access) && access->space == PTOG_IN_UB; k++)
            if (!add(held, memory, access->at + k * access->pitch, access->bytes))
                return false;
    }
    return !log->failed;
}

enum ptog_status ptog_held_run(struct ptog_held *held, const struct ptog_sim *sim, int phase)
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
    put(held, memory);
    enum ptog_status status = ptog_sim_phase(&logged, phase);
    if (status == PTOG_OK && !add_writes(held, memory, &log))
        status = PTOG_NO_MEMORY;
    memcpy(memory->ub, before, memory->ub_bytes);
    free(before);
    ptog_log_free(&log);
    return status;
}

void ptog_held_arrive(struct ptog_held *held, struct ptog_memory *memory)
{
    put(held, memory);
    held->count = held->used = 0;
}
