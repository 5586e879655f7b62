/* ref: instructions that combine elements of several tiles: the walk of model/families/combine.h, in the buffers of a
 * run */
#include "model/families/combine.h"

#include <string.h>

#include "model/buffers.h"
#include "ref/ref.h"
#include "ref/tile_bytes.h"

/* A run may have another scalar than the plan. */
static void take_scalar(struct ptog_known_insn *known, const struct ptog_run *run)
{
    int at = ptog_combine_find(known, PTOG_AT_VALUE);
    if (at < 0)
        return;
    struct ptog_buf given = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[at]);
    size_t size = ptog_dtype_size(known->insn.of[at].tile.dtype);
    if (given.data && given.bytes >= size)
        memcpy(&known->insn.of[at].bits, given.data, size);
}

/* Performs an instruction that combines tiles on the buffers of a run; returns PTOG_FAULT when lanes were noted. */
enum ptog_status ptog_ref_combine(const struct ptog_known_insn *known, const struct ptog_run *run,
                                  struct ptog_fault *fault)
{
    struct ptog_known_insn own;
    struct ptog_ref_tiles tiles = {&own, run};
    memcpy(&own, known, ptog_known_bytes(known)); /* a shared one has no room for operands that it lacks */
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, fault);
    take_scalar(&own, run);
    ptog_combine_run(&own, &bytes, PTOG_ALL_RESULTS);
    return ptog_fault_sum(fault);
}
