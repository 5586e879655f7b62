/* sim: many lanes in one loop. A loop is written once, for indices and elements of any size; the compiler makes one of
 * it for each size, without a test inside. */
#include "sim/lanes.h"

/* ---- the loops; they get a copy of the lanes, which no byte that they write can change */

/* The largest of the indices, of `wide` bytes each. */
static inline uint64_t largest_of(struct ptog_sim_lanes lanes, size_t wide)
{
    uint64_t largest = 0;
    for (uint64_t i = 0; i < lanes.count; i++) {
        uint64_t index = ptog_bits_at(lanes.idx + i * wide, wide);
        largest = ptog_max(largest, index);
    }
    return largest;
}

/* Sets the mark of every index of the lanes, which are `wide` bytes each. */
static inline void mark_indices(struct ptog_sim_lanes lanes, size_t wide, unsigned char *marks)
{
    for (uint64_t i = 0; i < lanes.count; i++)
        marks[ptog_bits_at(lanes.idx + i * wide, wide)] = 1;
}

/* Copies the element that each index leads to. */
static inline void gather_lanes(struct ptog_sim_lanes lanes, size_t wide, size_t size)
{
    for (uint64_t i = 0; i < lanes.count; i++) {
        uint64_t index = ptog_bits_at(lanes.idx + i * wide, wide);
        ptog_bits_to(lanes.dst + i * size, size, ptog_bits_at(lanes.src + index * size, size));
    }
}

/* Copies elements that are `step` apart to one beside the other. */
static inline void move_lanes(struct ptog_sim_lanes lanes, uint64_t step, size_t size)
{
    for (uint64_t i = 0; i < lanes.count; i++)
        ptog_bits_to(lanes.dst + i * size, size, ptog_bits_at(lanes.src + i * step * size, size));
}

/* ---- one for each size */

uint64_t ptog_lanes_largest(const struct ptog_sim_lanes *lanes, size_t wide)
{
    if (wide == 2)
        return largest_of(*lanes, 2);
    return largest_of(*lanes, 4);
}

void ptog_lanes_mark(const struct ptog_sim_lanes *lanes, size_t wide, unsigned char *marks)
{
    if (wide == 2)
        mark_indices(*lanes, 2, marks);
    else
        mark_indices(*lanes, 4, marks);
}

/* Copies the lanes' elements, with a loop for each element size. */
static inline void gather_sized(const struct ptog_sim_lanes *lanes, size_t wide, size_t size)
{
    switch (size) {
    case 1: gather_lanes(*lanes, wide, 1); break;
    case 2: gather_lanes(*lanes, wide, 2); break;
    case 4: gather_lanes(*lanes, wide, 4); break;
    default: gather_lanes(*lanes, wide, 8); break;
    }
}

void ptog_lanes_gather(const struct ptog_sim_lanes *lanes, size_t wide, size_t size)
{
    if (wide == 2)
        gather_sized(lanes, 2, size);
    else
        gather_sized(lanes, 4, size);
}

void ptog_lanes_move(const struct ptog_sim_lanes *lanes, uint64_t step, size_t size)
{
    switch (size) {
    case 1: move_lanes(*lanes, step, 1); break;
    case 2: move_lanes(*lanes, step, 2); break;
    case 4: move_lanes(*lanes, step, 4); break;
    default: move_lanes(*lanes, step, 8); break;
    }
}
