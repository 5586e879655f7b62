/* lint: sorting and searching by name. */
#include "lint/fifo/keys.h"

#include <stdlib.h>

#include "base/array.h"

bool ptog_fifo_keys_add(struct ptog_fifo_keys *keys, struct ptog_fifo_key key)
{
    if (!ptog_array_reserve(&keys->of, keys->count + 1, &keys->room))
        return false;
    keys->of[keys->count++] = key;
    return true;
}

/* How two numbers compare, for qsort. */
static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_names(const struct ptog_fifo_key *a, const struct ptog_fifo_key *b)
{
    if (a->where != b->where)
        return compare_numbers(a->where, b->where);
    if (a->name != b->name)
        return compare_numbers(a->name, b->name);
    return compare_numbers(a->other, b->other);
}

static int order_keys(const void *a, const void *b)
{
    const struct ptog_fifo_key *one = a, *other = b;
    int names = order_names(one, other);
    if (names != 0)
        return names;
    return compare_numbers(one->of, other->of);
}

void ptog_fifo_keys_sort(struct ptog_fifo_keys *keys)
{
    if (keys->count > 1)
        qsort(keys->of, keys->count, sizeof *keys->of, order_keys);
}

/* The number of the first key that is not before the one that is looked for, or, with `after`, that is after it. */
static size_t bound(const struct ptog_fifo_keys *keys, const struct ptog_fifo_key *wanted, bool after)
{
    size_t from = 0, to = keys->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int found = order_names(&keys->of[middle], wanted);
        if (found < 0 || (after && found == 0))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

size_t ptog_fifo_keys_find(const struct ptog_fifo_keys *keys, uint64_t where, uint64_t name, uint64_t other,
                           size_t *count)
{
    const struct ptog_fifo_key wanted = {where, name, other, 0};
    size_t first = bound(keys, &wanted, false);
    *count = bound(keys, &wanted, true) - first;
    return first;
}

void ptog_fifo_keys_free(struct ptog_fifo_keys *keys)
{
    free(keys->of);
    *keys = (struct ptog_fifo_keys){0};
}
