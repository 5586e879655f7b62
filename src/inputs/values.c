/* inputs: the elements of generated data: by a recipe, random numbers, random indices, or 1, 2, 3, ... */
#include <string.h>

#include "inputs/inputs.h"

bool ptog_is_integer(enum ptog_dtype dtype)
{
    return dtype >= PTOG_I8 && dtype <= PTOG_U64;
}

uint64_t ptog_next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A permutation of the numbers below 2^bits: multiplications by odd numbers and shifts, each of which is one. */
static uint64_t permute(uint64_t x, int bits, uint64_t seed)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    for (int round = 0; round < 4; round++) {
        uint64_t factor = ptog_next_random(&state) >> 20 | 1, offset = ptog_next_random(&state) >> 20;
        x = (x * factor + offset) & mask;
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

/* Element i of a random permutation of the numbers below `limit`, which begins again after `limit` of them. */
static uint64_t distinct_number(uint64_t i, uint64_t limit, uint64_t seed)
{
    int bits = 1;
    while (bits < 63 && UINT64_C(1) << bits < limit)
        bits++;
    uint64_t x = i % limit;
    do
        x = permute(x, bits, seed + i / limit);
    while (x >= limit);
    return x;
}

/* Writes an integer as an element. */
static void put_integer(unsigned char *to, enum ptog_dtype dtype, uint64_t number)
{
    memcpy(to, &number, ptog_dtype_size(dtype));
}

/* Writes a number as an element of any type. */
static void put_real(unsigned char *to, enum ptog_dtype dtype, double real)
{
    uint64_t bits = ptog_is_integer(dtype) ? (uint64_t)(int64_t)real : ptog_dtype_from_real(dtype, real);
    put_integer(to, dtype, bits);
}

#define QUARTERS 65u /* from -8 to 8 */

/* Floating-point numbers in quarters from -8 to 8: they add up exactly in every type and
 * order. */
static void fill_quarters(enum ptog_dtype dtype, unsigned char *data, size_t count, uint64_t state)
{
    unsigned char quarters[QUARTERS][8];
    size_t size = ptog_dtype_size(dtype);
    for (unsigned i = 0; i < QUARTERS; i++)
        put_real(quarters[i], dtype, ((double)i - 32) / 4);
    for (size_t i = 0; i < count; i++)
        memcpy(data + i * size, quarters[(ptog_next_random(&state) >> 16) % QUARTERS], size);
}

/* Fills `count` elements with random numbers of the argument's range and type; integers stay 0 where no range is known
 * yet. */
static void fill_random(const struct ptog_generated *generated, unsigned char *data, size_t count, uint64_t seed)
{
    enum ptog_dtype dtype = generated->dtype ? generated->dtype : PTOG_U8;
    size_t size = ptog_dtype_size(dtype);
    if (ptog_is_integer(dtype) && generated->limit == 0) /* not known yet: zero is in every range */
        return;
    uint64_t state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15), low = generated->low;
    uint64_t span = generated->limit - low;
    if (!ptog_is_integer(dtype)) {
        fill_quarters(dtype, data, count, state);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = ptog_next_random(&state) >> 16;
        if (generated->capacity > 0)
            put_integer(data + i * size, dtype, distinct_number(i, span, seed));
        else
            put_integer(data + i * size, dtype, low + bits % span);
    }
}

/* Fills elements with the numbers of a list, "1,2,3", over and over. */
static void fill_list(enum ptog_dtype dtype, const char *list, unsigned char *data, size_t count)
{
    size_t size = ptog_dtype_size(dtype);
    const char *at = list;
    for (size_t i = 0; i < count; i++) {
        put_real(data + i * size, dtype, ptog_recipe_number(&at));
        at = *at == ',' ? at + 1 : list;
    }
}

/* first, first + step, ... */
static void fill_steps(enum ptog_dtype dtype, double first, double step, unsigned char *data, size_t count)
{
    size_t size = ptog_dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        put_real(data + i * size, dtype, first + step * (double)i);
}

static uint64_t seed_of(const char *digits)
{
    uint64_t seed = 0;
    for (; *digits; digits++)
        seed = seed * 10 + (uint64_t)(*digits - '0');
    return seed;
}

/* Fills `count` elements as the argument's recipe says; `data` is zero before. */
static void fill_recipe(const struct ptog_generated *generated, unsigned char *data, size_t count)
{
    const char *recipe = generated->recipe;
    enum ptog_dtype dtype = generated->dtype ? generated->dtype : PTOG_U8;
    if (strcmp(recipe, "zeros") == 0)
        return;
    if (strcmp(recipe, "arange") == 0)
        fill_steps(dtype, 0, 1, data, count);
    else if (strncmp(recipe, "full:", 5) == 0)
        fill_list(dtype, recipe + 5, data, count);
    else if (strncmp(recipe, "random:", 7) == 0)
        fill_random(generated, data, count, seed_of(recipe + 7));
    else if (strcmp(recipe, "random") == 0)
        fill_random(generated, data, count, generated->seed);
    else
        fill_list(dtype, strncmp(recipe, "repeat:", 7) == 0 ? recipe + 7 : recipe, data, count);
}

struct ptog_fill ptog_fill_of(const struct ptog_generated *generated, size_t bytes)
{
    bool integer = ptog_is_integer(generated->dtype); /* only these have a range */
    return (struct ptog_fill){.dtype = generated->dtype,
                              .kind = generated->kind,
                              .low = integer ? generated->low : 0,
                              .limit = integer ? generated->limit : 0,
                              .capacity = integer ? generated->capacity : 0,
                              .value = generated->value,
                              .bytes = bytes};
}

bool ptog_fill_is_same(const struct ptog_fill *a, const struct ptog_fill *b)
{
    return a->dtype == b->dtype && a->kind == b->kind && a->low == b->low && a->limit == b->limit &&
           a->capacity == b->capacity && a->value == b->value && a->bytes == b->bytes;
}

void ptog_fill_values(const struct ptog_generated *generated, unsigned char *data, size_t bytes)
{
    enum ptog_dtype dtype = generated->dtype ? generated->dtype : PTOG_U8;
    size_t count = bytes / ptog_dtype_size(dtype);
    switch (generated->kind) {
    case PTOG_INPUT_RECIPE: fill_recipe(generated, data, count); break;
    case PTOG_INPUT_RANDOM:
    case PTOG_INPUT_INDICES: fill_random(generated, data, count, generated->seed); break;
    case PTOG_INPUT_COUNTING: fill_steps(dtype, (double)generated->value, 1, data, count); break;
    case PTOG_INPUT_SAME: fill_steps(dtype, (double)generated->value, 0, data, count); break;
    case PTOG_INPUT_ZEROS:
    case PTOG_INPUT_NUMBER: break;
    }
}

bool ptog_may_be_indices(const struct ptog_generated *generated)
{
    bool random = !generated->recipe || strncmp(generated->recipe, "random", 6) == 0;
    return random && !generated->scalar && !generated->slot.written && ptog_is_integer(generated->dtype) &&
           generated->slot.kind != PTOG_SLOT_NUMBER;
}

void ptog_fill_mark(const struct ptog_generated *generated, uint64_t number)
{
    size_t size = ptog_dtype_size(generated->dtype);
    for (size_t at = 0; at + size <= generated->need; at += size)
        put_integer(generated->space + at, generated->dtype, number);
}
