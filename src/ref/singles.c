/* ref: one element of a tile.   tgetval: value = src[element], into the buffer of dst;   tsetval: dst[element] = value
 */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/singles.h"

#include "model/fault.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* The meaning of tgetval and tsetval: one element, to or from the run's buffers. */
enum ptog_status ptog_ref_singles(const struct ptog_known_insn *known, const struct ptog_run *run,
                                  struct ptog_fault *fault)
{
    const struct ptog_operand *value = &known->insn.of[PTOG_SINGLE_VALUE];
    uint64_t element = (uint64_t)ptog_single_element(&known->insn), bits = value->bits;
    size_t size = ptog_dtype_size(known->insn.of[PTOG_SINGLE_TILE].tile.dtype);
    bool good;
    if (known->insn.opcode == PTOG_TGETVAL) {
        memset(&bits, PTOG_NO_DATA, sizeof bits);
        good = ptog_lane_read(run->src, element, size, &bits);
        good = ptog_lane_write(run->dst, 0, size, &bits) && good;
    } else {
        if (run->k.data && run->k.bytes >= size) /* a run may have another scalar than the plan */
            memcpy(&bits, run->k.data, size);
        good = ptog_lane_write(run->dst, element, size, &bits);
    }
    if (!good)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, 0, (int64_t)element, 0);
    return ptog_fault_sum(fault);
}
