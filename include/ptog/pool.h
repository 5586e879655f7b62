/* Threads that are kept between runs. A large gather on several threads starts them for itself, which takes longer than
 * a gather of a megabyte; a caller who runs many gathers makes a pool once and names it in every ptog_run. */
#ifndef PTOG_POOL_H
#define PTOG_POOL_H

#include <ptog/status.h>

/* Threads that sleep until a run needs them. Any number of callers may name the same pool: one run at a time has its
 * help, and a run that finds it busy uses its own thread only. A pool does not survive fork. */
typedef struct ptog_pool ptog_pool;

/* A pool for runs on `threads` threads, the calling one included. Fewer are started when the system gives no more, and
 * none in a library without threads: every run is complete all the same. On PTOG_OK *pool is the caller's;
 * PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT: less than 1 or more than 4096 threads. */
PTOG_API enum ptog_status ptog_pool_new(ptog_pool **pool, int threads);

/* Ends its threads. No run may use it any more. NULL is fine. */
PTOG_API void ptog_pool_free(ptog_pool *pool);

/* The threads that a run has with it, the calling one included. */
PTOG_API int ptog_pool_threads(const ptog_pool *pool);

#endif
