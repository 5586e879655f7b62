/* sim: a heap of moves, the earliest on top: bytes that will move at a simulated time. */
#include "sim/heap.h"

#include "base/array.h"

static bool before(const struct ptog_move *a, const struct ptog_move *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

bool ptog_heap_push(struct ptog_timeline *t, const struct ptog_move *move)
{
    if (!ptog_array_reserve(&t->heap, t->count + 1, &t->room))
        return false;
    size_t i = t->count++;
    for (; i > 0 && before(move, &t->heap[(i - 1) / 2]); i = (i - 1) / 2)
        t->heap[i] = t->heap[(i - 1) / 2];
    t->heap[i] = *move;
    return true;
}

struct ptog_move ptog_heap_pop(struct ptog_timeline *t)
{
    struct ptog_move top = t->heap[0], last = t->heap[--t->count];
    size_t i = 0;
    for (size_t child = 1; child < t->count; child = 2 * i + 1) {
        if (child + 1 < t->count && before(&t->heap[child + 1], &t->heap[child]))
            child++;
        if (!before(&t->heap[child], &last))
            break;
        t->heap[i] = t->heap[child];
        i = child;
    }
    t->heap[i] = last;
    return top;
}
