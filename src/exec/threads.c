/* exec: work in parts, on several threads where OpenMP is there and the caller allows it. Parts are whole ranges in
 * order, so that what is written does not depend on their number. */
#include "exec/threads.h"

#define PARTS 256 /* at most */

static int parts_for(int64_t count, uint64_t bytes, int threads)
{
    int64_t parts = threads < PARTS ? threads : PARTS;
    if (bytes < PTOG_PARALLEL_BYTES || parts < 1)
        return 1;
    return (int)(parts < count ? parts : count > 0 ? count : 1);
}

/* Where part p of `parts` begins. */
static int64_t begin_of(int64_t count, int parts, int p)
{
    return count / parts * p + (count % parts < p ? count % parts : p);
}

bool ptog_in_parts(ptog_part_fn *part, const void *work, int64_t count, uint64_t bytes, int threads)
{
    int parts = parts_for(count, bytes, threads);
    if (parts == 1)
        return part(work, 0, count);
    bool well[PARTS], all = true;
#if defined(_OPENMP)
#pragma omp parallel for num_threads(parts) schedule(static, 1)
#endif
    for (int p = 0; p < parts; p++)
        well[p] = part(work, begin_of(count, parts, p), begin_of(count, parts, p + 1));
    for (int p = 0; p < parts; p++)
        all = all && well[p];
    return all;
}
