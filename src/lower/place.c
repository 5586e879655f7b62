/* lower: where tiles lie in the on-chip buffer: at the address of the text, or one after another around those. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/array.h"
#include "base/pick.h"
#include "base/text.h"
#include "core/inside.h"
#include "diag/kind.h"
#include "lower/forward_address.h"
#include "lower/place.h"
#include "model/cube/memories.h"
#include "model/events.h"
#include "model/tile.h"

#define ROOM_FOR_ADDRESSES ((uint64_t)16 << 20)

uint64_t ptog_memory_limit(const struct ptog_target *target, enum ptog_loc loc)
{
    uint64_t bytes = ptog_memory_bytes(target, loc);
    if (bytes)
        return bytes;
    return PTOG_MAX_UB;
}

const char *ptog_overflow_id(enum ptog_loc loc)
{
    static const char *const ids[PTOG_LOCS] = {"ub-overflow",  "l1-overflow",   "l0a-overflow", "l0b-overflow",
                                               "l0c-overflow", "bias-overflow", "fb-overflow"};
    return ids[loc];
}

/* Values of types that are wrong have been reported; their tiles count as UB's. */
static enum ptog_loc loc_of(const struct ptog_value *value)
{
    return (unsigned)value->tile.tile.loc < PTOG_LOCS ? value->tile.tile.loc : PTOG_VEC;
}

/* Bytes of a tile; 0 when they are not known. */
static uint64_t bytes_of(const struct ptog_value *value)
{
    const struct ptog_tile *tile = &value->tile.tile;
    int64_t bytes = tile->dtype != PTOG_DTYPE_NONE ? ptog_tile_bytes(tile) : 0;
    return (uint64_t)ptog_max(bytes, 0);
}

/* ---- tiles without an address */

struct ptog_tile_place *ptog_place_find(struct ptog_tile_place *places, uint32_t count, uint32_t op, unsigned which)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct ptog_tile_place *place = &places[middle];
        if (place->op < op || (place->op == op && place->which < which))
            low = middle + 1;
        else
            high = middle;
    }
    struct ptog_tile_place *place = low < count ? &places[low] : NULL;
    if (place && place->op == op && place->which == which)
        return place;
    return NULL;
}

/* Appends the place of a tile, and makes the value know it. Sets `no_memory` when it cannot. */
static void add_place(struct ptog_eval *e, struct ptog_tile_place place, struct ptog_value *value)
{
    if (!ptog_array_reserve(&e->places, e->place_count + 1, &e->place_room)) {
        e->no_memory = true;
        return;
    }
    e->places[e->place_count++] = place;
    value->tile.place = value->tile.root = e->place_count;
}

/* The place that the check before the run gave tile `which`, from 1, of an operation. Functions are walked in the order
 * of their calls, so places are not in the order of the text while a program runs. */
static struct ptog_tile_place *place_of(const struct ptog_eval *e, const struct ptog_op *op, unsigned which)
{
    uint32_t i = e->place_of[op->number];
    for (; i > 0 && i <= e->place_count && e->places[i - 1].op == op->number; i++)
        if (e->places[i - 1].which == which)
            return &e->places[i - 1];
    return NULL;
}

/* For qsort: places in the order of the text. */
static int by_text(const void *a, const void *b)
{
    const struct ptog_tile_place *x = a, *y = b;
    if (x->op != y->op)
        return ptog_order(x->op, y->op);
    return (x->which > y->which) - (x->which < y->which);
}

void ptog_places_sort(struct ptog_tile_place *places, uint32_t count)
{
    if (count > 1)
        qsort(places, count, sizeof *places, by_text);
}

void ptog_place_new(struct ptog_eval *e, const struct ptog_op *op, uint8_t which, struct ptog_value *value)
{
    const struct ptog_value *forward = ptog_forward_address_of(e, value->name);
    value->tile.tile.placed = false;
    value->tile.place = value->tile.root = 0;
    if (forward) {
        if (!ptog_place_at(e, value, forward->number, forward->span))
            e->stopped = e->stopped || e->running;
        return;
    }
    if (!e->running) {
        struct ptog_tile_place place = {.name = value->name,
                                        .span = value->span,
                                        .loc = (uint8_t)loc_of(value),
                                        .life = ptog_life_begin(e, op == NULL)};
        if (op) {
            place.op = op->number;
            place.which = (uint8_t)(which + 1);
        } else if (e->place_count > 0) { /* a slot is found by its number: its key only keeps the order */
            place.op = e->places[e->place_count - 1].op;
            place.which = UINT8_MAX;
        }
        add_place(e, place, value);
        if (op && (which == 0 || e->place_of[op->number] == 0) && !e->no_memory)
            e->place_of[op->number] = e->place_count;
        return;
    }
    struct ptog_tile_place *place = place_of(e, op, which + 1u);
    if (!place)
        return;
    value->tile.place = value->tile.root = (uint32_t)(place - e->places) + 1;
    place->owns = false;
    if (place->needed)
        value->tile.tile = ptog_tile_static_at(value->tile.tile, place->addr);
}

/* A tile that got its address before its type was known counts from its first use on. */
static void count_placed(struct ptog_eval *e, const struct ptog_value *value)
{
    uint64_t bytes = bytes_of(value), end;
    enum ptog_loc loc = loc_of(value);
    if (loc != PTOG_VEC || !ptog_add_u64(value->tile.tile.addr, bytes, &end) || end <= e->ub_need ||
        end > ptog_memory_limit(e->target, loc))
        return;
    struct ptog_range range = {value->tile.tile.addr, end};
    e->no_memory = e->no_memory || !ptog_stack_push(&e->ranges[loc], &range, sizeof range);
    e->ub_need = end;
}

static struct ptog_misaligned *misaligned_tiles(const struct ptog_eval *e)
{
    return (struct ptog_misaligned *)(void *)e->misaligned.data;
}

/* A note of an earlier walk is gone. */
static bool is_misaligned(const struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t note = value->tile.misaligned;
    return note > 0 && note <= e->misaligned.used / sizeof(struct ptog_misaligned);
}

void ptog_place_use(struct ptog_eval *e, struct ptog_value *value)
{
    if (is_misaligned(e, value))
        misaligned_tiles(e)[value->tile.misaligned - 1].uses++;
    if (!e->running && value->tile.tile.placed)
        count_placed(e, value);
    if (e->running)
        ptog_place_own(e, value);
    if (value->tile.place == 0 || value->tile.tile.placed)
        return;
    struct ptog_tile_place *place = &e->places[value->tile.place - 1];
    if (e->running) {
        value->tile.tile = ptog_tile_static_at(value->tile.tile, place->addr);
        return;
    }
    uint64_t bytes = bytes_of(value);
    ptog_life_use(e, value->tile.place);
    place->needed = true;
    if (bytes > place->bytes)
        place->bytes = bytes;
}

/* ---- tiles with one */

/* Reports a tile at an address that instructions cannot access, once for each place in the text. */
static void say_misaligned(struct ptog_eval *e, const struct ptog_misaligned *tile)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(PTOG_MACHINE_UB_MISALIGNED);
    struct ptog_diag diag = {
        .id = row->id, .kind = PTOG_DIAG_UB_MISALIGNED, .severity = row->severity, .message = tile->message};
    for (uint32_t i = 0; i < e->diags->count; i++)
        if (e->diags->list[i].span.at == tile->span.at && e->diags->list[i].diag.kind == diag.kind)
            return;
    ptog_diag_emit_copy(e->diags, &diag, tile->span);
}

void ptog_say_misaligned(struct ptog_eval *e)
{
    const struct ptog_misaligned *tiles = misaligned_tiles(e);
    for (size_t i = 0; i < e->misaligned.used / sizeof *tiles; i++)
        if (tiles[i].uses == 0 || tiles[i].uses > tiles[i].elem_uses)
            say_misaligned(e, &tiles[i]);
    e->misaligned.used = 0;
}

void ptog_note_misaligned(struct ptog_eval *e, struct ptog_value *value, struct ptog_span span, const char *message)
{
    struct ptog_misaligned tile = {.span = span};
    const struct ptog_misaligned *tiles = misaligned_tiles(e);
    size_t i = 0, count = e->misaligned.used / sizeof tile;
    while (i < count && tiles[i].span.at != span.at)
        i++;
    value->tile.misaligned = (uint32_t)i + 1;
    if (i < count)
        return;
    snprintf(tile.message, sizeof tile.message, "%s", message);
    e->no_memory = e->no_memory || !ptog_stack_push(&e->misaligned, &tile, sizeof tile);
}

void ptog_place_use_elem(struct ptog_eval *e, const struct ptog_value *value)
{
    if (is_misaligned(e, value))
        misaligned_tiles(e)[value->tile.misaligned - 1].elem_uses++;
}

/* A UB without a size is as large as the program asks; for addresses that only the run knows, some room is kept. */
static uint64_t room_at_run(const struct ptog_eval *e)
{
    if (e->target->ub_bytes > 0)
        return e->target->ub_bytes;
    if (e->addr_unknown)
        return ptog_max(e->ub_need, ROOM_FOR_ADDRESSES);
    return e->ub_need;
}

/* Checks the address of a tile, if it has one: notes it when it is misaligned, and reports a tile that ends past its
 * memory, for which it returns false. Before a run the tile's range is added to those in use. */
bool ptog_place_check(struct ptog_eval *e, struct ptog_value *value, struct ptog_span span)
{
    const struct ptog_tile *tile = &value->tile.tile;
    uint64_t bytes = bytes_of(value), end;
    enum ptog_loc loc = loc_of(value);
    uint64_t limit = e->running && loc == PTOG_VEC ? room_at_run(e) : ptog_memory_limit(e->target, loc);
    bool aligned = loc == PTOG_VEC;
    if (!tile->placed || bytes == 0)
        return true;
    if (e->target->ub_bytes > 0 && aligned && tile->addr % PTOG_UB_BLOCK != 0) {
        char message[120];
        snprintf(message, sizeof message,
                 "the tile is at UB address 0x%" PRIx64 ", which is not a multiple of 32 bytes", tile->addr);
        ptog_note_misaligned(e, value, span, message);
    }
    if (!ptog_add_u64(tile->addr, bytes, &end) || end > limit) {
        char size[PTOG_GROUPED], room[PTOG_GROUPED];
        ptog_diag_emit(e->diags, ptog_overflow_id(loc), span,
                       loc == PTOG_VEC ? "the tile (%s bytes at 0x%" PRIx64 ") ends past the %s-byte %s of %s"
                                       : "the tile (%s bytes at 0x%" PRIx64 ") ends past the %s bytes of %s on %s",
                       ptog_grouped(bytes, size), tile->addr, ptog_grouped(limit, room), ptog_memory_name(loc),
                       e->target->name);
        return false;
    }
    if (e->running)
        return true;
    struct ptog_range range = {tile->addr, end};
    e->no_memory = e->no_memory || !ptog_stack_push(&e->ranges[loc], &range, sizeof range);
    if (loc == PTOG_VEC)
        e->ub_need = ptog_max(end, e->ub_need);
    return true;
}

bool ptog_place_at(struct ptog_eval *e, struct ptog_value *value, struct ptog_number addr, struct ptog_span span)
{
    struct ptog_tile *tile = &value->tile.tile;
    value->tile.place = value->tile.root = 0;
    tile->placed = false;
    if (!addr.known) {
        e->addr_unknown = true;
        return true;
    }
    if (addr.value < 0) {
        ptog_diag_emit(e->diags, "ub-overflow", span, "the address of a tile must not be negative");
        return false;
    }
    *tile = ptog_tile_at(*tile, (uint64_t)addr.value);
    return ptog_place_check(e, value, span);
}

/* ---- bytes that several tiles have in turn */

bool ptog_places_overlap(const struct ptog_tile_place *a, const struct ptog_tile_place *b)
{
    return a->loc == b->loc && a->addr < b->addr + b->bytes && b->addr < a->addr + a->bytes;
}

void ptog_place_own(struct ptog_eval *e, const struct ptog_value *value)
{
    if (!value->tile.root)
        return;
    struct ptog_tile_place *place = &e->places[value->tile.root - 1];
    if (place->owns || place->life.always || !place->needed)
        return;
    bool inherits = place->inherits && e->places[place->heir_of - 1].owns;
    for (uint32_t i = 0; e->shared && i < e->place_count; i++)
        if (e->places[i].owns && ptog_places_overlap(&e->places[i], place))
            e->places[i].owns = false;
    place->owns = true;
    if (!inherits) /* else the instruction still reads them */
        ptog_core_forget(e->machine.core, (enum ptog_loc)place->loc, place->addr, place->bytes);
}

bool ptog_place_is_kept(const struct ptog_eval *e, const struct ptog_tile_value *tile)
{
    if (!e->shared || !tile->root)
        return true;
    const struct ptog_tile_place *place = &e->places[tile->root - 1];
    return place->life.always || place->owns;
}
