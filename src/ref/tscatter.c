/* ref: TSCATTER.   by index: dst = 0, then flat(dst)[idx[i,j]] = src[i,j], lane after lane
 *                  by mask:  dst = 0, then what the pattern keeps of dst = src */
#include "model/families/tscatter.h"

#include "ref/ref.h"
#include "ref/tile_bytes.h"

/* The meaning of tscatter: zeros where the target writes them, then each element to its place. */
enum ptog_status ptog_ref_tscatter(const struct ptog_known_insn *known, const struct ptog_run *run,
                                   struct ptog_fault *fault)
{
    struct ptog_ref_tiles tiles = {known, run};
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, fault);
    ptog_tscatter_zero(known, &bytes);
    enum ptog_status status = ptog_tscatter_walk(known, &bytes);
    return status == PTOG_OK ? ptog_fault_sum(fault) : status;
}
