/* exec: work in parts, on several threads where OpenMP is there and the caller allows it. */
#ifndef PTOG_EXEC_THREADS_H
#define PTOG_EXEC_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Below this much gathered data one thread does it all. Measured: docs/performance.md. */
#define PTOG_PARALLEL_BYTES ((uint64_t)256 << 10)

/* Does items first..last-1; false when it gives up. */
typedef bool ptog_part_fn(const void *work, int64_t first, int64_t last);

/* All `count` items, which gather `bytes`, on at most `threads` threads (0 and 1: this one). False when a part gave up.
 */
bool ptog_in_parts(ptog_part_fn *part, const void *work, int64_t count, uint64_t bytes, int threads);

#endif
