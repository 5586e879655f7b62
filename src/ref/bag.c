/* ref: embedding bags. dst[b][c] = the sum, mean or maximum over the indices i of bag b of
 * table[idx[i]][c] * (scales[idx[i]] * weights[i]), in the order of i: in f32 where ptog_bag_is_single says so, and in
 * double precision, rounded once, elsewhere. */
#include <math.h>
#include <string.h>

#include "model/bag.h"
#include "model/dtype.h"
#include "ref/ref.h"

static double element_at(const struct ptog_bag_work *work, int64_t row, int64_t col)
{
    const struct ptog_bag *bag = work->bag;
    size_t size = ptog_dtype_size(bag->table);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)work->run->table.data + (size_t)(row * bag->pitch + col) * size, size);
    return bag->table == PTOG_I8 ? (double)(int8_t)bits : (double)ptog_dtype_to_float(bag->table, bits);
}

/* One element of dst, added in f32. */
static float add_singles(const struct ptog_bag_work *work, struct ptog_bag_span span, int64_t col)
{
    float sum = 0;
    int64_t count = 0;
    for (int64_t i = span.first; i < span.last; i++) {
        int64_t row = ptog_bag_index(work, work->run->idx, i);
        if (!ptog_bag_is_row(work, row))
            continue;
        float element = (float)element_at(work, row, col) * (float)ptog_bag_factor(work, i, row);
        sum += element;
        count++;
    }
    if (work->bag->mode == PTOG_BAG_MEAN && count > 0)
        sum /= (float)count;
    return sum == sum ? sum : NAN; /* of a NaN, neither sign nor payload is kept */
}

/* One element of dst, added in double, or the largest. */
static double reduce_bag(const struct ptog_bag_work *work, struct ptog_bag_span span, int64_t col)
{
    const enum ptog_bag_mode mode = work->bag->mode;
    double result = 0;
    int64_t count = 0;
    for (int64_t i = span.first; i < span.last; i++) {
        int64_t row = ptog_bag_index(work, work->run->idx, i);
        if (!ptog_bag_is_row(work, row))
            continue;
        double element = element_at(work, row, col) * ptog_bag_factor(work, i, row);
        if (mode != PTOG_BAG_MAX)
            result += element;
        else if (count == 0 || element > result || element != element)
            result = element;
        count++;
    }
    if (mode == PTOG_BAG_MEAN && count > 0)
        result /= (double)count;
    return result == result ? result : (double)NAN; /* of a NaN, neither sign nor payload is kept */
}

void ptog_ref_bag(const struct ptog_bag_work *work)
{
    const struct ptog_bag *bag = work->bag;
    size_t size = ptog_dtype_size(bag->dst);
    for (int64_t b = 0; b < work->bags; b++)
        for (int64_t col = 0; col < bag->cols; col++) {
            struct ptog_bag_span span = ptog_bag_span_of(work, b);
            double result = ptog_bag_is_single(bag) ? (double)add_singles(work, span, col) : reduce_bag(work, span, col);
            uint64_t bits = ptog_dtype_from_real(bag->dst, result);
            memcpy((char *)work->run->dst.data + (size_t)(b * bag->cols + col) * size, &bits, size);
        }
}
