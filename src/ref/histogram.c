/* ref: THISTOGRAM.   dst[r,b] = the number of elements of row r of src whose byte is at most b, among those that pass
 */
#include "model/families/histogram.h"

#include "ref/ref.h"
#include "ref/tile_bytes.h"

/* The meaning of thistogram: each row's elements counted into bins. */
enum ptog_status ptog_ref_thistogram(const struct ptog_known_insn *known, const struct ptog_run *run,
                                     struct ptog_fault *fault)
{
    struct ptog_ref_tiles tiles = {known, run};
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, fault);
    for (int64_t r = 0; r < known->insn.of[PTOG_HISTOGRAM_SRC].tile.valid_row; r++)
        ptog_histogram_row(known, &bytes, r);
    return ptog_fault_sum(fault);
}
