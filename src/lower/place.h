/* lower: where tiles lie in UB. A tile has the address that the text gives it, or gets a place: the check before the
 * run notes which tiles are used, how large they are and how long they live, and ptog_place_all puts them where the
 * text left room: side by side, or, where that is too much, those over each other that are never alive together. */
#ifndef PTOG_LOWER_PLACE_H
#define PTOG_LOWER_PLACE_H

#include "lower/alive.h"
#include "lower/eval.h"

/* A tile without an address of its own. */
struct ptog_tile_place {
    uint32_t op;   /* the operation that makes the tile */
    uint8_t which; /* of its results, from 1 */
    uint8_t loc;   /* enum ptog_loc: the memory */
    bool needed;   /* something reads or writes it */
    bool owns;     /* of a run: nobody else had its bytes since it was made and first used */
    uint64_t bytes, addr;
    struct ptog_life life;
    uint32_t heir_of; /* from 1: an input that may die where this is first written, in place; 0: none */
    bool inherits;    /* it has the bytes of that one */
    ptog_symbol name;
    struct ptog_span span;
};

/* Gives a tile that an operation makes its place. */
void ptog_place_new(struct ptog_eval *e, const struct ptog_op *op, uint8_t which, struct ptog_value *value);

/* The tile will be read or written: it needs its place. */
void ptog_place_use(struct ptog_eval *e, struct ptog_value *value);

/* Gives a tile an address of the text. False after an error. */
bool ptog_place_at(struct ptog_eval *e, struct ptog_value *value, struct ptog_number addr, struct ptog_span span);

/* Checks an address that is known: alignment and capacity. */
bool ptog_place_check(struct ptog_eval *e, struct ptog_value *value, struct ptog_span span);

/* A tile that does not start at a multiple of 32, and who uses it: MGATHER Elem may write it there. */
struct ptog_misaligned {
    struct ptog_span span;
    char message[80];
    uint32_t uses, elem_uses;
};

/* Notes such a tile, once per span. */
void ptog_note_misaligned(struct ptog_eval *e, struct ptog_value *value, struct ptog_span span, const char *message);

/* The use that ptog_place_use has counted is the destination of MGATHER Elem. */
void ptog_place_use_elem(struct ptog_eval *e, const struct ptog_value *value);

/* After a walk: ub-misaligned-tile for those that more than Elem uses, or nothing. It does not refuse: the machine
 * shows what becomes of such a tile. */
void ptog_say_misaligned(struct ptog_eval *e);

/* Whether two places have bytes together. */
bool ptog_places_overlap(const struct ptog_tile_place *a, const struct ptog_tile_place *b);

/* Puts places in the order of the text. Values that know their place by its number no longer find it. */
void ptog_places_sort(struct ptog_tile_place *places, uint32_t count);

/* The place of tile `which`, from 1, of an operation; NULL when there is none. Sorted places are found by halving. */
struct ptog_tile_place *ptog_place_find(struct ptog_tile_place *places, uint32_t count, uint32_t op, unsigned which);

/* In a run, before a tile is used: bytes that another tile had, or that it had itself before it was made again, are as
 * if nothing had ever written them. */
void ptog_place_own(struct ptog_eval *e, const struct ptog_value *value);

/* Whether a tile that a run left still has its bytes. */
bool ptog_place_is_kept(const struct ptog_eval *e, const struct ptog_tile_value *tile);

/* Places what needs a place; after the function was walked. */
void ptog_place_all(struct ptog_eval *e);

/* The bytes that the tiles of a memory may take, and the fault of tiles that take more. */
uint64_t ptog_memory_limit(const struct ptog_target *target, enum ptog_loc loc);
const char *ptog_overflow_id(enum ptog_loc loc);

#endif
