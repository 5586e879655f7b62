/* model: how the on-chip buffer of a SIMT machine is shared, low to high:
 *
 *     | static: tiles the compiler placed | dynamic: dynUBufSize | ... | 8 KiB reserved | data cache, 32 to 128 KiB |
 *
 * The data cache gives way to a launch that asks for a dynUBufSize, down to 32 KiB; a kernel that launches no lanes has
 * none. Machines without SIMT launches share nothing. */
#ifndef PTOG_MODEL_UB_LAYOUT_H
#define PTOG_MODEL_UB_LAYOUT_H

#include <ptog/core.h>
#include <ptog/target.h>

#define PTOG_UB_RESERVED ((uint64_t)8 << 10)
#define PTOG_LEAST_CACHE ((uint64_t)32 << 10)
#define PTOG_MAX_CACHE ((uint64_t)128 << 10)

/* What a launch may ask for as dynUBufSize, next to so many bytes of static memory: 216 KiB less those. */
uint64_t ptog_ub_most_dynamic(const struct ptog_target *target, uint64_t static_bytes);

/* Of a run with these figures that was launched with `dyn_ub`; 0: no dynUBufSize was given. */
struct ptog_ub_layout ptog_ub_layout_of(const struct ptog_target *target, const struct ptog_stats *stats,
                                        uint64_t dyn_ub);

#endif
