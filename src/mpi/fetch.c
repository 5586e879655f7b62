/* mpi: the local side of a gather: lanes through an index list, by the plans of libptog. A plan is for a number of
 * lanes that is known before, so a list is taken in blocks: large ones, whose output is written past the cache, then
 * small ones, then the rest. */
#include <string.h>

#include "mpi/plan.h"

#define LARGE_BYTES                                                                                                    \
    ((uint64_t)33 << 20) /* of output: more than the 32 MiB from which on libptog writes past the cache */

static enum ptog_dtype unit_type(uint64_t unit)
{
    switch (unit) {
    case 8: return PTOG_U64;
    case 4: return PTOG_U32;
    case 2: return PTOG_U16;
    default: return PTOG_U8;
    }
}

/* Of a small block only the first lanes may be wanted: their number is known when it runs. */
static enum ptog_status make_plan(ptog_plan **plan, const struct ptog_mpi_source *source, uint64_t unit, int64_t lanes,
                                  bool small)
{
    int64_t width = (int64_t)(source->lane / unit), capacity = (int64_t)source->capacity;
    enum ptog_dtype type = unit_type(unit);
    bool rows = width > 1;
    struct ptog_mgather op = {.dst = ptog_tile_vec(type, rows ? lanes : 1, rows ? width : lanes),
                              .table = ptog_tensor_2d(type, rows ? capacity : 1, rows ? width : capacity),
                              .idx = ptog_tile_vec(source->index, 1, lanes),
                              .coalesce = rows ? PTOG_ROW : PTOG_ELEM,
                              .oob = source->oob};
    if (small) {
        op.idx.valid_col = PTOG_DYN;
        *(rows ? &op.dst.valid_row : &op.dst.valid_col) = PTOG_DYN;
    }
    return ptog_plan_mgather(plan, ptog_target_at(PTOG_TARGET_HOST), &op, NULL);
}

/* Makes the plans that gather from one table, for blocks of some sizes; close it in any case. */
enum ptog_status ptog_mpi_fetch_open(struct ptog_mpi_fetch *fetch, const struct ptog_mpi_source *source)
{
    uint64_t unit = 8;
    while (source->lane % unit != 0)
        unit /= 2;
    int64_t small = ptog_mpi_block_lanes(source->lane), large = (int64_t)(LARGE_BYTES / source->lane + 1);
    *fetch = (struct ptog_mpi_fetch){.lane = source->lane,
                                     .rows = source->lane > unit,
                                     .index_bytes = ptog_dtype_size(source->index),
                                     .table_bytes = source->capacity * source->lane};
    if (source->large && large > small)
        fetch->lanes_of[fetch->blocks++] = large;
    fetch->lanes_of[fetch->blocks++] = small;
    enum ptog_status status = PTOG_OK;
    for (int i = 0; i < fetch->blocks && status == PTOG_OK; i++)
        status = make_plan(&fetch->plans[i], source, unit, fetch->lanes_of[i], i + 1 == fetch->blocks);
    return status;
}

void ptog_mpi_fetch_close(struct ptog_mpi_fetch *fetch)
{
    for (int i = 0; i < fetch->blocks; i++)
        ptog_plan_free(fetch->plans[i]);
    *fetch = (struct ptog_mpi_fetch){0};
}

/* The first `count` lanes of a block. An index outside the table is no surprise here: it was counted before. */
static void run_block(const struct ptog_mpi_fetch *fetch, int block, const void *from, const void *ids, int64_t count,
                      unsigned char *to)
{
    size_t lanes = (size_t)fetch->lanes_of[block];
    struct ptog_run run = {.dst = {to, lanes * fetch->lane},
                           .src = {from, (size_t)fetch->table_bytes},
                           .idx = {ids, lanes * fetch->index_bytes},
                           .threads = 1};
    if (block + 1 == fetch->blocks) {
        run.idx_valid[1] = count;
        run.dst_valid[fetch->rows ? 0 : 1] = count;
    }
    ptog_plan_run(fetch->plans[block], &run, NULL);
}

/* Less than a small block. The buffers of a plan are those of a whole block, so the list is copied to one. */
static void run_rest(const struct ptog_mpi_fetch *fetch, const void *from, const void *ids, int64_t count,
                     unsigned char *to, unsigned char *bounce)
{
    uint64_t whole[PTOG_MPI_MAX_BLOCK];
    memcpy(whole, ids, (size_t)count * fetch->index_bytes);
    run_block(fetch, fetch->blocks - 1, from, whole, count, bounce ? bounce : to);
    if (bounce)
        memcpy(to, bounce, (size_t)((uint64_t)count * fetch->lane));
}

void ptog_mpi_fetch_run(const struct ptog_mpi_fetch *fetch, const void *from, const void *ids, int64_t count,
                        unsigned char *to, unsigned char *bounce)
{
    const unsigned char *list = ids;
    int64_t done = 0;
    for (int block = 0; block < fetch->blocks; block++)
        for (int64_t lanes = fetch->lanes_of[block]; count - done >= lanes; done += lanes)
            run_block(fetch, block, from, list + (size_t)done * fetch->index_bytes, lanes,
                      to + (uint64_t)done * fetch->lane);
    if (done < count)
        run_rest(fetch, from, list + (size_t)done * fetch->index_bytes, count - done, to + (uint64_t)done * fetch->lane,
                 bounce);
}
