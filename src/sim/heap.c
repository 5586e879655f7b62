/* sim: a heap of moves, the earliest on top: bytes that will move at a simulated time. */
#include "sim/heap.h"

#include "base/array.h"

static bool before(const struct ptog_due *a, const struct ptog_due *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

/* A place for the move; false when out of memory. */
static bool keep(struct ptog_timeline *t, const struct ptog_move *move, size_t *place)
{
    if (t->vacant > 0) {
        *place = t->vacant - 1;
        t->vacant = (size_t)t->pending[*place].number;
    } else {
        if (!ptog_array_reserve(&t->pending, t->places + 1, &t->place_room))
            return false;
        *place = t->places++;
    }
    t->pending[*place] = *move;
    return true;
}

bool ptog_heap_push(struct ptog_timeline *t, const struct ptog_move *move)
{
    struct ptog_due due = {.time = move->time, .number = move->number};
    if (!ptog_array_reserve(&t->heap, t->count + 1, &t->room) || !keep(t, move, &due.place))
        return false;
    size_t i = t->count++;
    for (; i > 0 && before(&due, &t->heap[(i - 1) / 2]); i = (i - 1) / 2)
        t->heap[i] = t->heap[(i - 1) / 2];
    t->heap[i] = due;
    return true;
}

struct ptog_move ptog_heap_pop(struct ptog_timeline *t)
{
    size_t place = t->heap[0].place;
    struct ptog_due last = t->heap[--t->count];
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
    struct ptog_move move = t->pending[place];
    t->pending[place].number = t->vacant;
    t->vacant = place + 1;
    return move;
}
