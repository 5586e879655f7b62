/* model: MSCATTER, the inverse of MGATHER: rows or elements of a tile go to places of a table that an index tile names.
 * Extents, capacity and addresses are those of MGATHER (model/mgather.h), with the source tile in the place of dst;
 * this file has what a scatter adds: how an element meets memory, and what happens when two lanes name one place. */
#ifndef PTOG_MODEL_MSCATTER_H
#define PTOG_MODEL_MSCATTER_H

#include "model/mgather.h"

/* Its operands, by their place in the row of spec/insns.def. */
enum { PTOG_MSCATTER_SRC = 0, PTOG_MSCATTER_TABLE = 1, PTOG_MSCATTER_IDX = 2 };

static inline const struct ptog_tile *ptog_mscatter_src(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_MSCATTER_SRC].tile;
}

static inline enum ptog_scatter_atomic ptog_mscatter_atomic(const struct ptog_insn *insn)
{
    return (enum ptog_scatter_atomic)insn->attr[PTOG_MSCATTER_ATOMIC];
}

static inline enum ptog_scatter_conflict ptog_mscatter_conflict(const struct ptog_insn *insn)
{
    return (enum ptog_scatter_conflict)insn->attr[PTOG_MSCATTER_CONFLICT];
}

enum ptog_form ptog_mscatter_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* The element types that an atomic operation supports on a target, as a set of bits (1 << dtype). */
uint32_t ptog_mscatter_atomic_types(const struct ptog_target *target, enum ptog_scatter_atomic atomic);

/* What memory holds after `element` came to `memory`, as bits. */
uint64_t ptog_mscatter_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t element);

/* The CPU simulator compares rows under Max and Min with flat(table)[row], not with the element that it replaces. */
bool ptog_mscatter_compares_flat(const struct ptog_known_insn *known);

/* A5 with the rule Last goes through the places of the table and looks for the last lane of each, so an index outside
 * the table writes nothing. */
bool ptog_mscatter_drops_outside(const struct ptog_known_insn *known);

/* Which of two lanes with one place wins is undefined: A5 without the rule Last, and without an atomic. */
bool ptog_mscatter_conflicts(const struct ptog_known_insn *known);

/* Elements of each source row that are stored: the valid ones; of NZ rows A2/A3 stores every block of a row of the
 * table, padding too. */
int64_t ptog_mscatter_cols(const struct ptog_known_insn *known);

/* Where a walk visits lane number `i` of `rows` x `cols`: row by row; elements of NZ tiles by block column, row,
 * column.
 */
void ptog_mscatter_lane(const struct ptog_known_insn *known, int64_t rows, int64_t cols, int64_t i, int64_t *r,
                        int64_t *c);

/* ---- lanes that go to one place */

struct ptog_scatter_lane {
    uint64_t place; /* in elements of the table */
    uint64_t index; /* under the policy: of a row, or of an element */
    uint64_t bits;  /* of the element */
    int64_t row, col;
};

struct ptog_scatter_lanes {
    struct ptog_scatter_lane *of; /* NULL: nobody asks */
    size_t count;
};

/* Room for so many lanes; false when out of memory. */
bool ptog_scatter_lanes_open(struct ptog_scatter_lanes *lanes, int64_t count);
void ptog_scatter_lanes_add(struct ptog_scatter_lanes *lanes, struct ptog_scatter_lane lane);

/* Notes every lane that goes where an earlier one went, and frees the list. A pair whose values differ is told rather
 * than one whose values agree. */
void ptog_scatter_lanes_judge(struct ptog_scatter_lanes *lanes, struct ptog_fault *fault);

#endif
