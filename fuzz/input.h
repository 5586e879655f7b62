/* fuzz: an input as a source of numbers, and operands made of them. An input that has ended gives zeros. */
#ifndef PTOG_FUZZ_INPUT_H
#define PTOG_FUZZ_INPUT_H

#include <stdlib.h>

#include <ptog/ptog.h>

struct input {
    const unsigned char *at, *end;
};

static inline unsigned byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* Mostly small, sometimes an extreme. */
static inline int64_t extent(struct input *in)
{
    static const int64_t extremes[] = {0,    PTOG_DYN, -2, INT64_MAX, INT64_MIN, (int64_t)1 << 32, (int64_t)1 << 62,
                                       65536};
    unsigned b = byte(in);
    return b < 0xf0 ? b % 48 : extremes[b % 8];
}

static inline struct ptog_tile tile(struct input *in)
{
    struct ptog_tile t = ptog_tile_vec((enum ptog_dtype)(byte(in) % 16), extent(in), extent(in));
    unsigned b = byte(in);
    if (b & 1)
        t = ptog_tile_valid(t, extent(in), extent(in));
    if (b & 2)
        t = b & 4 ? ptog_tile_nz(t) : ptog_tile_col_major(t);
    if (b & 8)
        t.slayout = (enum ptog_slayout)(byte(in) % 4);
    if (b & 16)
        t = ptog_tile_at(t, byte(in) * 32u);
    if (b & 32)
        t.loc = (enum ptog_loc)(byte(in) % 6);
    return t;
}

static inline struct ptog_tensor tensor(struct input *in)
{
    enum ptog_dtype dtype = (enum ptog_dtype)(byte(in) % 16);
    unsigned b = byte(in);
    if (b & 1)
        return ptog_tensor_nz(dtype, extent(in), extent(in), extent(in));
    struct ptog_tensor t = ptog_tensor_2d(dtype, extent(in), extent(in));
    t.layout = (enum ptog_layout)(b >> 1 & 3);
    for (int d = 0; d < 5; d++) {
        if (b & 8)
            t.shape[d] = extent(in);
        if (b & 16)
            t.stride[d] = extent(in);
    }
    return t;
}

/* Tiles of many megabytes are legal, but take their time. */
static inline bool is_small(const struct ptog_tile *t)
{
    return ptog_tile_bytes(t) < 1 << 16;
}

#endif
