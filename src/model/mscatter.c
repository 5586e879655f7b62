/* model: MSCATTER: its form, the types of its atomic operations, how an element meets what memory holds, and lanes that
 * name one place. */
#include "model/mscatter.h"

#include <stdlib.h>

#include "base/pick.h"
#include "model/fault.h"
#include "model/lane.h"
#include "model/target.h"
#include "model/tensor.h"
#include "model/tile.h"

enum ptog_form ptog_mscatter_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return ptog_mgather_is_row(target, insn) ? PTOG_FORM_SCATTER_ROW : PTOG_FORM_SCATTER_ELEM;
}

#define TYPE(name) (1u << PTOG_##name)
#define SHORT_FLOATS (TYPE(F16) | TYPE(BF16))

/* The element types that an atomic operation supports on a target, as bits (1 << dtype): A2/A3 adds on MTE3, A5 in its
 * lanes; hif8 has no arithmetic here. */
uint32_t ptog_mscatter_atomic_types(const struct ptog_target *target, enum ptog_scatter_atomic atomic)
{
    uint32_t words = TYPE(I32) | TYPE(U32) | TYPE(F32);
    if (target->machine == PTOG_NO_MACHINE)
        return (TYPE(HIF8) - 1) & ~TYPE(DTYPE_NONE);
    if (target->machine == PTOG_MACHINE_SIMT)
        return atomic == PTOG_SCATTER_ADD ? words | SHORT_FLOATS : words;
    if (atomic == PTOG_SCATTER_ADD)
        return TYPE(I8) | TYPE(I16) | TYPE(I32) | TYPE(F32) | SHORT_FLOATS;
    return 0;
}

uint64_t ptog_mscatter_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t element)
{
    static const enum ptog_lane_id lanes[] = {
        [PTOG_SCATTER_ADD] = PTOG_LANE_add, [PTOG_SCATTER_MAX] = PTOG_LANE_max, [PTOG_SCATTER_MIN] = PTOG_LANE_min};
    enum ptog_scatter_atomic atomic = ptog_mscatter_atomic(&known->insn);
    if (atomic == PTOG_SCATTER_NONE)
        return element;
    return ptog_lane_compute(known->target, lanes[atomic], ptog_mscatter_src(&known->insn)->dtype, memory, element, 0);
}

bool ptog_mscatter_compares_flat(const struct ptog_known_insn *known)
{
    enum ptog_scatter_atomic atomic = ptog_mscatter_atomic(&known->insn);
    return known->target->max_compares && known->form == PTOG_FORM_SCATTER_ROW &&
           (atomic == PTOG_SCATTER_MAX || atomic == PTOG_SCATTER_MIN);
}

static bool is_simt_store(const struct ptog_known_insn *known)
{
    return known->target->machine == PTOG_MACHINE_SIMT && ptog_mscatter_atomic(&known->insn) == PTOG_SCATTER_NONE;
}

bool ptog_mscatter_drops_outside(const struct ptog_known_insn *known)
{
    return is_simt_store(known) && ptog_mscatter_conflict(&known->insn) == PTOG_CONFLICT_LAST;
}

bool ptog_mscatter_conflicts(const struct ptog_known_insn *known)
{
    return is_simt_store(known) && ptog_mscatter_conflict(&known->insn) == PTOG_CONFLICT_DEFAULT;
}

int64_t ptog_mscatter_cols(const struct ptog_known_insn *known)
{
    const struct ptog_tensor *table = ptog_mgather_table(&known->insn);
    if (known->form == PTOG_FORM_SCATTER_ROW && known->target->machine == PTOG_MACHINE_DMA && table->layout == PTOG_NZ)
        return ptog_tensor_nz_cols(table);
    return ptog_mgather_cols(known->target, &known->insn);
}

void ptog_mscatter_lane(const struct ptog_known_insn *known, int64_t rows, int64_t cols, int64_t i, int64_t *r,
                        int64_t *c)
{
    const struct ptog_tile *src = ptog_mscatter_src(&known->insn);
    int64_t c0 = ptog_c0(src->dtype), block, width;
    *r = i / cols;
    *c = i % cols;
    if (ptog_tile_order(src) != PTOG_ORDER_NZ || known->form == PTOG_FORM_SCATTER_ROW)
        return;
    block = i / (rows * c0);
    width = ptog_min(c0, cols - block * c0);
    *r = (i - block * rows * c0) / width;
    *c = block * c0 + (i - block * rows * c0) % width;
}

/* ---- lanes that go to one place */

bool ptog_scatter_lanes_open(struct ptog_scatter_lanes *lanes, int64_t count)
{
    lanes->count = 0;
    lanes->of = malloc((size_t)count * sizeof *lanes->of);
    return lanes->of != NULL;
}

void ptog_scatter_lanes_add(struct ptog_scatter_lanes *lanes, struct ptog_scatter_lane lane)
{
    if (lanes->of)
        lanes->of[lanes->count++] = lane;
}

static bool is_before(const struct ptog_scatter_lane *a, const struct ptog_scatter_lane *b)
{
    return a->row < b->row || (a->row == b->row && a->col < b->col);
}

/* By place, then in row-major order of the lanes. */
static int compare_lanes(const void *a, const void *b)
{
    const struct ptog_scatter_lane *first = a, *second = b;
    if (first->place != second->place)
        return first->place < second->place ? -1 : 1;
    return is_before(first, second) ? -1 : 1;
}

/* Tells this pair when it is the first one, or the first whose values differ. */
static void note_pair(struct ptog_fault *fault, const struct ptog_scatter_lane *first,
                      const struct ptog_scatter_lane *second)
{
    struct ptog_fault_entry *entry = &fault->of[PTOG_FAULT_SCATTER_CONFLICT];
    const struct ptog_scatter_lane told = {.row = entry->row, .col = entry->col};
    bool agree = first->bits == second->bits, fresh = entry->count == 0;
    entry->count++;
    if (!fresh && (agree > fault->values_agree || (agree == fault->values_agree && !is_before(first, &told))))
        return;
    entry->row = first->row;
    entry->col = first->col;
    entry->index = first->index;
    fault->other_row = second->row;
    fault->other_col = second->col;
    fault->values[0] = first->bits;
    fault->values[1] = second->bits;
    fault->values_agree = agree;
}

void ptog_scatter_lanes_judge(struct ptog_scatter_lanes *lanes, struct ptog_fault *fault)
{
    if (lanes->of)
        qsort(lanes->of, lanes->count, sizeof *lanes->of, compare_lanes);
    for (size_t i = 1; lanes->of && i < lanes->count; i++)
        if (lanes->of[i].place == lanes->of[i - 1].place)
            note_pair(fault, &lanes->of[i - 1], &lanes->of[i]);
    free(lanes->of);
    lanes->of = NULL;
}
