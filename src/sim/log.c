/* sim: the log of an instruction: its accesses, merged into as few pieces as possible, and the faults of its lanes. */
#include "sim/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/tile.h"

#define LOOK_BACK 3 /* rows of a gather alternate between read, write and padding */

void ptog_log_clear(struct ptog_log *log)
{
    *log = (struct ptog_log){.accesses = log->accesses,
                             .room = log->room,
                             .recent = log->recent,
                             .marks = log->marks,
                             .mark_room = log->mark_room};
}

void ptog_log_free(struct ptog_log *log)
{
    free(log->accesses);
    free(log->marks);
    log->accesses = NULL;
    log->marks = NULL;
}

/* Makes *next a part of *last if it continues it: the following bytes, or the next one at the same pitch. False: it
 * does not. */
static bool merge_access(struct ptog_access *last, const struct ptog_access *next)
{
    if (last->kind != next->kind || last->space != next->space || last->operand != next->operand ||
        last->phase != next->phase || last->buffer != next->buffer || last->writes != next->writes || last->same != next->same ||
        next->at <= last->at)
        return false;
    if (next->count > 1) {
        if (last->count == 1 || last->bytes != next->bytes || last->pitch != next->pitch ||
            next->at - last->at != last->count * last->pitch)
            return false;
        last->count += next->count;
        return true;
    }
    if (last->count == 1 && next->at == last->at + last->bytes) {
        last->bytes += next->bytes;
        return true;
    }
    if (last->bytes != next->bytes || next->at < last->at + last->bytes)
        return false;
    if (last->count == 1)
        last->pitch = next->at - last->at;
    else if (next->at - last->at != last->count * last->pitch)
        return false;
    last->count++;
    return true;
}

/* They may touch the same bytes, so their order counts. */
static bool crosses(const struct ptog_access *a, const struct ptog_access *b)
{
    uint64_t a_end = a->at + (a->count - 1) * a->pitch + a->bytes, b_end = b->at + (b->count - 1) * b->pitch + b->bytes;
    return a->space == b->space && a->buffer == b->buffer && a->at < b_end && b->at < a_end;
}

void ptog_log_add(struct ptog_log *log, const struct ptog_access *access)
{
    if (!log || log->unread || access->bytes == 0 || access->count == 0)
        return;
    struct ptog_access next = *access;
    next.phase = log->phase;
    for (size_t back = 1; back <= LOOK_BACK && back <= log->count; back++) {
        struct ptog_access *before = &log->accesses[log->count - back];
        if (merge_access(before, &next))
            return;
        if (crosses(before, &next))
            break;
    }
    if (!ptog_array_reserve(&log->accesses, log->count + 1, &log->room)) {
        log->failed = true;
        return;
    }
    log->accesses[log->count++] = next;
}

/* ---- elements in any order */

#define ALL_MARKED (UINT64_MAX / 255) /* eight marks that are set */

unsigned char *ptog_log_mark(struct ptog_log *log, uint64_t count)
{
    if (!log || log->each || log->unread)
        return NULL;
    if (log->mark_room < count) {
        unsigned char *marks = calloc(count, 1);
        log->failed |= !marks;
        if (!marks)
            return NULL;
        free(log->marks);
        log->marks = marks;
        log->mark_room = count;
    }
    return log->marks;
}

/* The first element from `i` on, up to `count`, that is marked as wanted; eight are looked at in one go. */
static uint64_t next_mark(const unsigned char *marks, uint64_t i, uint64_t count, unsigned char wanted)
{
    uint64_t others = wanted ? 0 : ALL_MARKED, eight;
    for (; i + sizeof eight <= count; i += sizeof eight) {
        memcpy(&eight, marks + i, sizeof eight);
        if (eight != others)
            break;
    }
    while (i < count && marks[i] != wanted)
        i++;
    return i;
}

void ptog_log_marked(struct ptog_log *log, struct ptog_access access, uint64_t count)
{
    uint64_t size = access.bytes, start = access.at, end;
    for (uint64_t i = next_mark(log->marks, 0, count, 1); i < count; i = next_mark(log->marks, end, count, 1)) {
        end = next_mark(log->marks, i, count, 0);
        access.at = start + i * size;
        access.bytes = (end - i) * size;
        ptog_log_add(log, &access);
    }
    memset(log->marks, 0, count);
}

void ptog_log_region(struct ptog_log *log, struct ptog_access access, const struct ptog_tile *tile, int64_t rows,
                     int64_t cols)
{
    uint64_t size = ptog_dtype_size(tile->dtype), start = tile->addr;
    if (!log)
        return;
    access.at = start;
    access.element = (uint8_t)size;
    if (ptog_tile_order(tile) == PTOG_ORDER_NZ) {
        int64_t c0 = ptog_c0(tile->dtype);
        for (int64_t c = 0; c < cols; c += c0) {
            bool whole = cols - c >= c0;
            access.at = start + (uint64_t)ptog_tile_offset(tile, 0, c) * size;
            access.bytes = whole ? (uint64_t)rows * 32 : (uint64_t)(cols - c) * size;
            access.count = whole ? 1 : (uint64_t)rows;
            access.pitch = 32;
            ptog_log_add(log, &access);
        }
        return;
    }
    bool by_row = ptog_tile_order(tile) == PTOG_ORDER_ROW;
    int64_t run = by_row ? cols : rows, runs = by_row ? rows : cols, pitch = by_row ? tile->cols : tile->rows;
    access.bytes = (uint64_t)run * size;
    access.count = (uint64_t)runs;
    access.pitch = (uint64_t)pitch * size;
    if (run == pitch) {
        access.bytes *= access.count;
        access.count = 1;
    }
    ptog_log_add(log, &access);
}
