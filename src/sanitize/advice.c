/* sanitize: the fix of a fault, where it is the same for every case. */
#include <string.h>

#include "sanitize/sanitize.h"

static const struct {
    const char *id, *fix;
} advice[] = {
    {"race-self", "use another policy than Zero, or a table that is not NZ; the bytes are right in program order"},
    {"gm-block-overlap", "give each block rows of its own"},
    {"gm-out-of-bounds", "bind a larger buffer, or give the gather a policy: clamp, wrap or zero"},
    {"gm-outside-view", "make the view as large as the table, or give the gather a policy: clamp, wrap or zero"},
    {"index-negative", "make the index unsigned, or use the policy zero if it means that there is no row"},
    {"ub-outside-tile", "keep the indices below the number of elements of the source tile"},
    {"product-overflow", "split the table, or move the base of the view, so that index times pitch fits 32 bits"},
    {"ub-overflow", "place it lower, or make it smaller"},
    {"ub-overlap", "place the tiles apart, or make one a subview of the other"},
    {"ub-scratch-clash", "place it below 0x2e000"},
    {"ub-budget", "place the tiles lower, or launch with a dynUBufSize that holds them, at most 221184 bytes"},
    {"ub-reserved", "stay below 122880 bytes, or launch with a dynUBufSize that holds the tiles"},
    {"dma-misaligned", "let every burst start at a multiple of 32 bytes in UB: pad the rows of the tile"},
    {"dma-field-overflow", "split the transfer"},
    {"uninit-read", "load the tile, or gather into it, before it is read"},
    {"pad-read", "read valid elements only, or load with a pad value"},
};

const char *ptog_fault_advice(const char *id)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (strcmp(advice[i].id, id) == 0)
            return advice[i].fix;
    return NULL;
}
