/* model: one run of an embedding bag, its buffers looked at, and how its indices, offsets and factors are read. */
#ifndef PTOG_MODEL_BAG_H
#define PTOG_MODEL_BAG_H

#include <string.h>

#include <ptog/bag.h>

/* Buffers are there, large enough and apart. */
struct ptog_bag_work {
    const struct ptog_bag *bag; /* dst and pitch are set */
    const struct ptog_bag_run *run;
    int64_t bags, indices;
    size_t row_step, index_size; /* bytes */
};

/* Index, or offset, `i`. */
static inline int64_t ptog_bag_index(const struct ptog_bag_work *work, struct ptog_cbuf buffer, int64_t i)
{
    const unsigned char *at = (const unsigned char *)buffer.data + (size_t)i * work->index_size;
    int32_t narrow;
    int64_t wide;
    if (work->index_size == sizeof narrow)
        return memcpy(&narrow, at, sizeof narrow), narrow;
    return memcpy(&wide, at, sizeof wide), wide;
}

/* The indices of bag `b`: first to last - 1. */
struct ptog_bag_span {
    int64_t first, last;
};

/* The indices of bag `b`, from the first to behind the last. */
static inline struct ptog_bag_span ptog_bag_span_of(const struct ptog_bag_work *work, int64_t b)
{
    struct ptog_bag_span span = {ptog_bag_index(work, work->run->offsets, b), work->indices};
    if (b + 1 < work->bags || work->bag->has_end)
        span.last = ptog_bag_index(work, work->run->offsets, b + 1);
    return span;
}

/* Whether an index stands for a row. */
static inline bool ptog_bag_is_row(const struct ptog_bag_work *work, int64_t index)
{
    return !work->bag->has_padding || index != work->bag->padding;
}

/* Whether rows are added in f32. A maximum is the same either way. */
static inline bool ptog_bag_is_single(const struct ptog_bag *bag)
{
    return bag->table == PTOG_F32 && !bag->precise && bag->mode != PTOG_BAG_MAX;
}

static inline double ptog_bag_float(struct ptog_cbuf buffer, int64_t i)
{
    float value;
    memcpy(&value, (const unsigned char *)buffer.data + (size_t)i * sizeof value, sizeof value);
    return value;
}

/* What the elements of row `index`, which index `i` asks for, are multiplied by: exact, as a product of two f32. */
static inline double ptog_bag_factor(const struct ptog_bag_work *work, int64_t i, int64_t index)
{
    const struct ptog_bag_run *run = work->run;
    double factor = 1;
    if (run->scales.data)
        factor = ptog_bag_float(run->scales, run->scales.bytes == sizeof(float) ? 0 : index);
    if (run->weights.data)
        factor *= ptog_bag_float(run->weights, i);
    return factor;
}

#endif
