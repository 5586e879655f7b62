/* bench: how fast this machine can bring random lines from memory, whatever is done with them: the limit of every
 * gather from a table of that size. Places are random, independent of each other and known long before; at each,
 * `bytes` are read, one load per line, and nothing is written. The best of several widths counts: lines asked for by
 * the loads alone, and by fetching 8 to 64 places ahead. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define LINE 64

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Reads at all places; `ahead` 0: nothing is fetched. */
static uint64_t read_places(const unsigned char *table, const int32_t *places, int64_t count, int64_t bytes,
                            int64_t ahead)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *next = table + places[i + ahead < count ? i + ahead : count - 1] * bytes;
        const unsigned char *here = table + places[i] * bytes;
        for (int64_t k = 0; k < bytes; k += LINE) {
            if (ahead > 0)
                __builtin_prefetch(next + k, 0, 2);
            sum += here[k];
        }
    }
    return sum;
}

/* Nanoseconds for `count` places of `bytes` bytes each, the best of the widths and of `rounds` rounds. */
EXPORT double side_limit(const void *table, const int32_t *places, int64_t count, int64_t bytes, int64_t rounds)
{
    static const int64_t widths[] = {0, 8, 16, 32, 64};
    static volatile uint64_t used;
    double best = 1e300;
    for (int64_t r = 0; r < rounds; r++)
        for (unsigned w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            double start = now();
            used += read_places(table, places, count, bytes, widths[w]);
            double took = now() - start;
            if (took < best)
                best = took;
        }
    return best;
}
