/* mpi: making a plan. Every step is done by all ranks, or by none: what fails on one is agreed on before the next. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "mpi/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- local kernels ---- */

/* Makes the plans for gathers from the whole table and from this rank's rows. */
static enum ptog_status open_fetches(struct ptog_mpi *plan)
{
    const struct ptog_mpi_shape *shape = &plan->shape;
    uint64_t count = ptog_mpi_shape_count(shape, plan->rank);
    struct ptog_mpi_source whole = {.index = plan->table.index,
                                    .oob = plan->table.oob,
                                    .lane = shape->lane_bytes,
                                    .capacity = shape->capacity,
                                    .large = true};
    struct ptog_mpi_source shard = {
        .index = PTOG_U64, .oob = PTOG_OOB_ZERO, .lane = shape->piece, .capacity = count > 0 ? count : 1};
    enum ptog_status status = PTOG_OK;
    if (plan->whole)
        status = ptog_mpi_fetch_open(&plan->whole_fetch, &whole);
    if (status == PTOG_OK)
        status = ptog_mpi_fetch_open(&plan->shard_fetch, &shard);
    return status;
}

/* The arithmetic of a scatter is that of the tile instructions. */
static enum ptog_status open_combine(struct ptog_mpi *plan)
{
    static const enum ptog_opcode opcodes[] = {
        [PTOG_MPI_ADD] = PTOG_TADD, [PTOG_MPI_MAX] = PTOG_TMAX, [PTOG_MPI_MIN] = PTOG_TMIN};
    if (!plan->table.scatters || plan->table.combine == PTOG_MPI_REPLACE)
        return PTOG_OK;
    int64_t width = (int64_t)(plan->shape.piece / ptog_dtype_size(plan->table.dtype));
    struct ptog_tile tile = ptog_tile_vec(plan->table.dtype, 1, width), tiles[] = {tile, tile, tile};
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, opcodes[plan->table.combine], tiles, 3);
    return ptog_plan_insn(&plan->combine, ptog_target_at(PTOG_TARGET_HOST), &insn, NULL);
}

/* ---- the plan ---- */

/* How many of the three ways to say where the rows are were used. */
static int ways(const struct ptog_mpi_table *t)
{
    return (t->at != NULL) + (t->memory != NULL) + (t->files != NULL);
}

/* A plan with all of its memory, which is one block; NULL when out of memory. */
static struct ptog_mpi *allocate(const struct ptog_mpi_table *table, const struct ptog_mpi_shape *shape, int rank)
{
    struct ptog_mpi *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->rank = rank;
    plan->ranks = shape->ranks;
    plan->table = *table;
    plan->shape = *shape;
    uint64_t bytes = ptog_mpi_carve(plan, NULL);
    plan->memory = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    if (!plan->memory) {
        free(plan);
        return NULL;
    }
    ptog_mpi_carve(plan, plan->memory);
    plan->shape.first = plan->first;
    return plan;
}

/* What this rank alone can say about its arguments. */
static void check(const struct ptog_mpi_table *table, int ranks, struct ptog_mpi_shape *shape,
                  struct ptog_mpi_fault *fault)
{
    const char *wrong = table ? ptog_mpi_shape_start(shape, table, ranks) : "there is no table";
    if (!wrong && ways(table) > 1)
        wrong = "rows are given in two ways at once: at, memory and files exclude one another";
    if (!wrong && !table->files && table->file_count > 0)
        wrong = "files are missing";
    if (wrong)
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, wrong);
}

/* From here on the plan exists on all ranks. */
static enum ptog_status fill_plan(struct ptog_mpi *plan, MPI_Comm comm, struct ptog_mpi_fault *fault)
{
    MPI_Comm_dup(comm, &plan->comm);
    plan->has_comm = true;
    MPI_Comm_set_errhandler(plan->comm, MPI_ERRORS_ARE_FATAL);
    if (!ptog_mpi_shape_bounds(&plan->shape, &plan->table, plan->first))
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "bounds fall, or do not go from 0 to rows");
    if (ptog_mpi_agree(plan->comm, fault) != PTOG_OK)
        return fault->status;
    ptog_mpi_shards_open(plan, fault);
    enum ptog_status status = open_fetches(plan);
    if (status == PTOG_OK)
        status = open_combine(plan);
    if (status != PTOG_OK)
        ptog_mpi_refuse(fault, status,
                        status == PTOG_ILLEGAL ? "this combination is not supported for this type"
                                               : ptog_status_text(status));
    return ptog_mpi_agree(plan->comm, fault);
}

enum ptog_status ptog_mpi_plan(ptog_mpi **plan, MPI_Comm comm, const struct ptog_mpi_table *table,
                               struct ptog_mpi_fault *fault)
{
    struct ptog_mpi_fault own, *said = fault ? fault : &own;
    struct ptog_mpi_shape shape = {0};
    struct ptog_mpi *made = NULL;
    int rank, ranks;
    *said = (struct ptog_mpi_fault){.rank = -1};
    if (plan)
        *plan = NULL;
    if (comm == MPI_COMM_NULL)
        return said->status = PTOG_BAD_ARGUMENT;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    check(table, ranks, &shape, said);
    if (!plan)
        ptog_mpi_refuse(said, PTOG_BAD_ARGUMENT, "plan is NULL");
    if (ptog_mpi_agree(comm, said) != PTOG_OK)
        return said->status;
    ptog_mpi_compare(comm, table, ranks, said);
    if (said->status == PTOG_OK)
        made = allocate(table, &shape, rank);
    if (!made)
        ptog_mpi_refuse(said, PTOG_NO_MEMORY, "out of memory");
    if (ptog_mpi_agree(comm, said) == PTOG_OK && fill_plan(made, comm, said) == PTOG_OK) {
        *plan = made;
        return PTOG_OK;
    }
    ptog_mpi_plan_free(made);
    return said->status;
}

/* Frees a plan; collective, as it frees what ranks share. NULL may be given. */
void ptog_mpi_plan_free(ptog_mpi *plan)
{
    if (!plan)
        return;
    ptog_mpi_shards_close(plan);
    ptog_mpi_fetch_close(&plan->whole_fetch);
    ptog_mpi_fetch_close(&plan->shard_fetch);
    ptog_plan_free(plan->combine);
    if (plan->has_comm)
        MPI_Comm_free(&plan->comm);
    free(plan->memory);
    free(plan);
}

uint64_t ptog_mpi_plan_bytes(const struct ptog_mpi_table *table, int ranks, int rank)
{
    struct ptog_mpi plan = {.rank = rank, .ranks = ranks};
    if (!table || ptog_mpi_share(table, ranks, rank) < 0 || ptog_mpi_shape_start(&plan.shape, table, ranks))
        return 0;
    plan.table = *table;
    return ptog_mpi_carve(&plan, NULL);
}

const struct ptog_mpi_fault *ptog_mpi_plan_fault(const ptog_mpi *plan)
{
    return plan ? &plan->fault : NULL;
}

struct ptog_mpi_stats ptog_mpi_plan_stats(const ptog_mpi *plan)
{
    return plan ? plan->stats : (struct ptog_mpi_stats){0};
}
