/* sim: moves by time: bytes that will move at a simulated time.
 *
 * Most moves are added in the order in which they are due, because a pipe does one after another: those stand in a
 * queue. A move that is due before the last of the queue goes to a heap, the earliest on top. The next one is the
 * earlier of the queue's first and the heap's top.
 *
 *     queue   | done | first ... last |          heap   top / \ ...                                                  */
#include "sim/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Whether a move is due before another one; of equal times, the one that was issued first. */
static bool is_due_before(const struct ptog_due *a, const struct ptog_due *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

/* A place for a move; false when out of memory. */
static bool find_place(struct ptog_timeline *t, size_t *place)
{
    if (t->vacant > 0) {
        *place = t->vacant - 1;
        t->vacant = (size_t)t->pending[*place].number;
    } else {
        if (!ptog_array_reserve(&t->pending, t->places + 1, &t->place_room))
            return false;
        *place = t->places++;
    }
    return true;
}

/* Puts a place of `pending` on the list of free ones. */
static void free_pending(struct ptog_timeline *t, size_t place)
{
    t->pending[place].number = t->vacant;
    t->vacant = place + 1;
}

/* Appends a move to the queue, whose front is reused. False when out of memory. */
static bool push_queue(struct ptog_timeline *t, const struct ptog_due *due)
{
    if (t->first == t->last)
        t->first = t->last = 0;
    if (t->last == t->queue_room && t->first > t->queue_room / 2) { /* half of it is done: move the rest there */
        memcpy(t->queue, t->queue + t->first, (t->last - t->first) * sizeof *t->queue);
        t->last -= t->first;
        t->first = 0;
    }
    if (!ptog_array_reserve(&t->queue, t->last + 1, &t->queue_room))
        return false;
    t->queue[t->last++] = *due;
    return true;
}

/* Puts a move into the heap, the next one to end first. False when out of memory. */
static bool push_heap(struct ptog_timeline *t, const struct ptog_due *due)
{
    if (!ptog_array_reserve(&t->heap, t->heaped + 1, &t->room))
        return false;
    size_t i = t->heaped++;
    for (; i > 0 && is_due_before(due, &t->heap[(i - 1) / 2]); i = (i - 1) / 2)
        t->heap[i] = t->heap[(i - 1) / 2];
    t->heap[i] = *due;
    return true;
}

struct ptog_move *ptog_heap_push(struct ptog_timeline *t, double time)
{
    struct ptog_due due = {.time = time, .number = t->moves++};
    bool in_order = t->first == t->last || !is_due_before(&due, &t->queue[t->last - 1]);
    if (!find_place(t, &due.place))
        return NULL;
    if (in_order ? !push_queue(t, &due) : !push_heap(t, &due)) {
        free_pending(t, due.place);
        return NULL;
    }
    t->count++;
    t->pending[due.place] = (struct ptog_move){.time = time, .number = due.number};
    return &t->pending[due.place];
}

/* Takes the first move out of the heap, which has one. */
static void pop_heap(struct ptog_timeline *t)
{
    struct ptog_due last = t->heap[--t->heaped];
    size_t i = 0;
    for (size_t child = 1; child < t->heaped; child = 2 * i + 1) {
        if (child + 1 < t->heaped && is_due_before(&t->heap[child + 1], &t->heap[child]))
            child++;
        if (!is_due_before(&t->heap[child], &last))
            break;
        t->heap[i] = t->heap[child];
        i = child;
    }
    t->heap[i] = last;
}

/* Whether the next move is the first of the queue, not of the heap. */
static bool is_queue_next(const struct ptog_timeline *t)
{
    return t->heaped == 0 || (t->first < t->last && is_due_before(&t->queue[t->first], &t->heap[0]));
}

double ptog_heap_time(const struct ptog_timeline *t)
{
    if (is_queue_next(t))
        return t->queue[t->first].time;
    return t->heap[0].time;
}

/* Takes the move that is due first, which there must be, out of heap or queue. */
struct ptog_move ptog_heap_pop(struct ptog_timeline *t)
{
    size_t place;
    if (is_queue_next(t)) {
        place = t->queue[t->first++].place;
    } else {
        place = t->heap[0].place;
        pop_heap(t);
    }
    t->count--;
    struct ptog_move move = t->pending[place];
    free_pending(t, place);
    return move;
}

void ptog_heap_free(struct ptog_timeline *t)
{
    free(t->heap);
    free(t->queue);
    free(t->pending);
    t->heap = t->queue = NULL;
    t->pending = NULL;
    t->heaped = t->room = t->first = t->last = t->queue_room = t->count = t->places = t->place_room = t->vacant = 0;
}
