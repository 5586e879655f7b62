/* model: how the on-chip buffer is shared. */
#include "model/ub_layout.h"

#include "base/pick.h"

uint64_t ptog_ub_most_dynamic(const struct ptog_target *target, uint64_t static_bytes)
{
    uint64_t most = target->ub_bytes - PTOG_UB_RESERVED - PTOG_LEAST_CACHE;
    return ptog_left(most, static_bytes);
}

static uint64_t cache_of(const struct ptog_target *target, uint64_t static_bytes, uint64_t dyn_ub)
{
    if (dyn_ub == 0)
        return PTOG_MAX_CACHE;
    uint64_t most = ptog_ub_most_dynamic(target, static_bytes);
    uint64_t spare = ptog_left(most, dyn_ub), cache = PTOG_LEAST_CACHE + spare;
    return ptog_min(cache, PTOG_MAX_CACHE);
}

struct ptog_ub_layout ptog_ub_layout_of(const struct ptog_target *target, const struct ptog_stats *stats,
                                        uint64_t dyn_ub)
{
    struct ptog_ub_layout layout = {.static_bytes = stats->ub_static};
    layout.dynamic_bytes = dyn_ub;
    if (dyn_ub == 0 && stats->ub_top > stats->ub_static)
        layout.dynamic_bytes = stats->ub_top - stats->ub_static;
    if (target->machine != PTOG_MACHINE_SIMT)
        return layout;
    layout.reserved_bytes = PTOG_UB_RESERVED;
    layout.cache_bytes = stats->launches > 0 ? cache_of(target, stats->ub_static, dyn_ub) : 0;
    layout.cache_at = target->ub_bytes - layout.cache_bytes;
    layout.reserved_at = layout.cache_at - layout.reserved_bytes;
    return layout;
}
