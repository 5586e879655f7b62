/* mpi: the indices of a call: read without their sign, brought into the table by the policy, where they are. */
#include <string.h>

#include "mpi/plan.h"

static uint64_t load_index(const struct ptog_mpi_call *call, int64_t i)
{
    uint32_t narrow;
    uint64_t wide;
    if (ptog_dtype_size(call->plan->table.index) == 4)
        return memcpy(&narrow, call->idx + 4 * i, 4), narrow;
    return memcpy(&wide, call->idx + 8 * i, 8), wide;
}

/* As MGATHER on host: zeros, or 0xAA for what no correct program reads. */
int ptog_mpi_outside(const struct ptog_mpi *plan)
{
    return plan->table.oob == PTOG_OOB_ZERO ? 0 : 0xAA;
}

bool ptog_mpi_call_lane(const struct ptog_mpi_call *call, int64_t i, uint64_t *lane)
{
    uint64_t capacity = call->plan->shape.capacity, index = load_index(call, i);
    *lane = index;
    if (index < capacity)
        return true;
    switch (call->plan->table.oob) {
    case PTOG_OOB_CLAMP: *lane = capacity - 1; return true;
    case PTOG_OOB_WRAP: *lane = index % capacity; return true;
    default: return false;
    }
}

/* How many indices are `limit` or more: two plain loops, which the compiler does several lanes at a time. */
static uint64_t count_from(const struct ptog_mpi_call *call, uint64_t limit)
{
    uint64_t count = 0, wide;
    if (ptog_dtype_size(call->plan->table.index) == 8) {
        for (int64_t i = 0; i < call->n; i++)
            count += (uint64_t)(memcpy(&wide, call->idx + 8 * i, 8), wide >= limit);
        return count;
    }
    uint32_t narrow, below = (uint32_t)(limit - 1);
    for (int64_t i = 0; limit <= UINT32_MAX && i < call->n; i++)
        count += (uint64_t)(memcpy(&narrow, call->idx + 4 * i, 4), narrow > below);
    return count;
}

/* Counts the indices outside the table, which are a fault, or the negative ones that a policy brings in. */
static void count_outside(struct ptog_mpi_call *call, struct ptog_mpi_fault *fault)
{
    const struct ptog_mpi_table *table = &call->plan->table;
    uint64_t capacity = call->plan->shape.capacity;
    if (table->oob == PTOG_OOB_ZERO)
        return;
    if (table->oob == PTOG_OOB_CLAMP || table->oob == PTOG_OOB_WRAP) {
        if (table->index == PTOG_I32 || table->index == PTOG_I64)
            fault->negative = count_from(call, UINT64_C(1) << (table->index == PTOG_I32 ? 31 : 63));
        return;
    }
    fault->count = count_from(call, capacity);
    if (fault->count == 0)
        return;
    fault->status = PTOG_FAULT;
    while (load_index(call, fault->position) < capacity)
        fault->position++;
    fault->index = load_index(call, fault->position);
}

enum ptog_status ptog_mpi_call_start(struct ptog_mpi_call *call)
{
    struct ptog_mpi *plan = call->plan;
    struct ptog_mpi_fault *fault = &plan->fault;
    bool has_rows = call->out || call->rows;
    *fault = (struct ptog_mpi_fault){.rank = -1, .capacity = plan->shape.capacity};
    if (call->n < 0)
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the number of indices is negative");
    else if (call->n > 0 && (!call->idx || !has_rows))
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the indices or the rows are missing");
    else if (call->n > INT64_MAX / (int64_t)(plan->shape.lane_bytes + 8))
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the bytes of the rows do not fit in 63 bits");
    else
        count_outside(call, fault);
    plan->stats.calls++;
    return ptog_mpi_agree(plan->comm, fault);
}
