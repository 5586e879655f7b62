/* ref: TGATHERB.   block b of row r of dst = the 32 bytes of src at offset[r,b] */
#include "model/families/tgatherb.h"

#include "ref/ref.h"
#include "ref/tile_bytes.h"

/* The meaning of tgatherb: one block of 32 bytes after another. */
enum ptog_status ptog_ref_tgatherb(const struct ptog_known_insn *known, const struct ptog_run *run,
                                   struct ptog_fault *fault)
{
    struct ptog_ref_tiles tiles = {known, run};
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, fault);
    for (int64_t i = 0; i < ptog_tgatherb_count(known); i++) {
        struct ptog_block_lane lane;
        ptog_tgatherb_lane(known, i, &lane);
        if (ptog_tgatherb_offset(known, &bytes, &lane))
            ptog_tgatherb_copy(known, &bytes, &lane);
    }
    return ptog_fault_sum(fault);
}
