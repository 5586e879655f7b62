/* lower: how long tiles live. */
#include "lower/alive.h"

#include "lower/insn/text_insn.h"
#include "lower/place.h"
#include "model/insn.h"

struct ptog_life ptog_life_begin(const struct ptog_eval *e, bool always)
{
    return (struct ptog_life){.born = e->now, .always = always, .local = e->calls > 0};
}

/* Notes a use of the place, by its number from 1, at the operation at hand. A place from before the loop at hand is
 * listed in `looped`. */
void ptog_life_use(struct ptog_eval *e, uint32_t place)
{
    struct ptog_life *life = &e->places[place - 1].life;
    if (life->last == 0) {
        life->first = e->now;
        life->begin = e->at;
    }
    if (life->born < e->loop_from && life->last < e->loop_from)
        e->no_memory = e->no_memory || !ptog_stack_push(&e->looped, &place, sizeof place);
    life->last = e->now;
}

void ptog_life_lend(struct ptog_eval *e, struct ptog_value *value)
{
    ptog_place_use(e, value);
    if (!e->running && value->tile.place > 0)
        e->places[value->tile.place - 1].life.always = true;
}

/* Of a tile as it was made; 0 when it is a part, or has an address. */
static uint32_t whole_place(const struct ptog_text_operand *use)
{
    bool whole = use->value->kind == PTOG_VALUE_TILE && !use->value->tile.tile.part;
    return whole ? use->value->tile.place : 0;
}

/* Notes for each tile that the instruction defines here which source it may share its bytes with, since the target
 * computes it in place. Changes `heir_of` of its place. */
void ptog_life_inherit(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    for (int out = 0; out < insn->count; out++) {
        uint32_t dst = insn->of[out].is_out ? whole_place(&insn->of[out]) : 0;
        if (dst == 0 || e->places[dst - 1].life.first != e->now)
            continue;
        for (int in = 0; in < insn->count && e->places[dst - 1].heir_of == 0; in++) {
            uint32_t src = insn->of[in].is_out ? 0 : whole_place(&insn->of[in]);
            bool may_be_dst = ptog_insn_row(insn->insn.opcode)->of[insn->of[in].position].role == PTOG_ROLE_SAME;
            if (src != 0 && src != dst && may_be_dst &&
                ptog_insn_is_in_place(e->target, &insn->insn, insn->of[out].position, insn->of[in].position))
                e->places[dst - 1].heir_of = src;
        }
    }
}

/* Begins a loop for the life of tiles; give what it returns to ptog_life_loop_end. */
struct ptog_loop_life ptog_life_loop(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_loop_life loop = {e->now + 1, e->loop_from, e->looped.used, op};
    e->loop_from = loop.from;
    return loop;
}

/* Ends the innermost loop: tiles from before the loop that it uses live through all of it, and are noted for the loop
 * around. */
void ptog_life_loop_end(struct ptog_eval *e, const struct ptog_loop_life *loop)
{
    const uint32_t *places = (const uint32_t *)(const void *)e->looped.data; /* NULL: no loop has used any yet */
    size_t count = e->looped.used / sizeof *places;
    for (size_t i = loop->used / sizeof *places; i < count; i++) {
        struct ptog_life *life = &e->places[places[i] - 1].life;
        if (life->born >= loop->from)
            continue; /* a new one in every turn */
        if (life->first > loop->from) {
            life->first = loop->from;
            life->begin = loop->op;
        }
        life->last = e->now;
    }
    if (e->again >= loop->from)
        e->again = e->now;
    e->loop_from = loop->around;
    if (loop->around == 0)
        e->looped.used = loop->used;
}

void ptog_life_again(struct ptog_eval *e)
{
    e->again = e->now;
}

void ptog_life_span(const struct ptog_eval *e, const struct ptog_life *life, uint32_t *first, uint32_t *last)
{
    *first = life->always ? 0 : life->first;
    *last = life->always ? UINT32_MAX : life->last;
    if (life->local && e->again > *last && e->again > life->born)
        *last = e->again;
}
