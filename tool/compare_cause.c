/* tool: the reason of a difference. The properties of the two targets are exchanged one at a time: the one whose
 * exchange makes the difference vanish is its cause. Nothing is guessed from names. */
#include "compare_why.h"

#include <string.h>

/* Notes that the targets choose the mode of mgather in different ways. */
static void cause_mode(const struct compare_case *c)
{
    bool cpu = c->of[0]->mode_from == PTOG_MODE_ALWAYS_ELEM || c->of[1]->mode_from == PTOG_MODE_ALWAYS_ELEM;
    compare_add_erratum(c->why, cpu ? "E7" : "E8");
    if (cpu && c->no_index)
        compare_add_erratum(c->why, "E10");
}

/* Notes that the targets have different policies for such indices. */
static void cause_policies(const struct compare_case *c)
{
    if (c->negative) {
        compare_add_erratum(c->why, "E1");
        compare_add_erratum(c->why, "E2");
    } else {
        compare_add_erratum(c->why, c->no_index ? "E10" : "E7");
    }
}

static void cause_sign(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E1");
    compare_add_erratum(c->why, "E72");
}

static void cause_rows(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E12");
}

static void cause_elems(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E17");
}

static void cause_pitch(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E13");
}

static void cause_clamp(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E1");
}

static void cause_padded(const struct compare_case *c)
{
    compare_add_erratum(c->why, c->lane->padding ? "E26" : "E58");
}

static void cause_tile_oob(const struct compare_case *c)
{
    bool narrow = ptog_dtype_size(c->seen->tgather->idx.dtype) == 2;
    compare_add_erratum(c->why, narrow && c->negative ? "E4" : "E5");
}

/* The column that a stored position stands for, on a target. */
static int64_t column_of(const struct compare_case *c, int side)
{
    const struct ptog_tgather *t = c->seen->tgather;
    int64_t pitch = c->of[side]->compare_a5 ? (t->src.valid_col + 63) / 64 * 64 : t->src.cols;
    uint32_t stored;
    memcpy(&stored, c->lanes[side].dst + c->lane->at, sizeof stored);
    return (int64_t)(uint32_t)(stored - (uint32_t)t->offset) - c->lane->row * pitch;
}

/* Other positions of the same columns, or other columns. */
static void cause_compare(const struct compare_case *c)
{
    bool same = !c->lane->cdst && c->lane->size == 4 && column_of(c, 0) == column_of(c, 1);
    compare_add_erratum(c->why, same ? "E38" : "E39");
}

static void cause_mask(const struct compare_case *c)
{
    compare_add_erratum(c->why, "E35");
}

/* What the targets differ in, and what a difference in it means. */
#define PROPERTY(field) offsetof(struct ptog_target, field), sizeof(((struct ptog_target *)0)->field)
static const struct {
    size_t offset, size;
    const char *what;
    void (*cause)(const struct compare_case *c);
    bool lifts; /* may be exchanged although a rule then refuses: it moves no bound */
} properties[] = {
    {PROPERTY(row_pitch), "where the next row is", cause_pitch, false},
    {PROPERTY(row_count), "the capacity of Row", cause_rows, false},
    {PROPERTY(elem_count), "the capacity of Elem", cause_elems, false},
    {PROPERTY(clamps_signed), "how Clamp treats a negative index", cause_clamp, false},
    {PROPERTY(signed_index), "the sign of an index", cause_sign, true},
    {PROPERTY(policies), "whether an index is checked", cause_policies, true},
    {PROPERTY(mode_from), "how the mode is chosen", cause_mode, true},
    {PROPERTY(writes_padded), "whether padding is processed", cause_padded, true},
    {PROPERTY(tile_oob), "what an index outside the source tile reads", cause_tile_oob, true},
    {PROPERTY(compare_a5), "how a comparison compares and counts", cause_compare, true},
    {PROPERTY(mask_8_by_row), "where a mask puts 8-byte rows", cause_mask, true},
};
#define PROPERTIES (sizeof properties / sizeof properties[0])

/* Runs the case on target `side` (0 or 1) with one property taken from the other target; without rules where the mix is
 * illegal and the property lifts rules. 2: all bytes are then the other's, 1: the lane is, 0: neither, -1: no memory. */
static int explains(const struct compare_case *c, size_t property, int side)
{
    struct ptog_target mixed = *c->of[side];
    size_t offset = properties[property].offset, size = properties[property].size;
    const struct compare_lanes *wanted = &c->lanes[1 - side];
    struct compare_lanes got;
    memcpy((char *)&mixed + offset, (const char *)c->of[1 - side] + offset, size);
    if (!compare_run_on(&mixed, c->seen, &got))
        return -1;
    if (got.status == PTOG_ILLEGAL && properties[property].lifts) {
        compare_free_lanes(&got);
        mixed.bit = mixed.as = 0; /* no rule holds on it */
        if (!compare_run_on(&mixed, c->seen, &got))
            return -1;
    }
    int result = 0;
    if (compare_ran(&got) && compare_is_same(&got, wanted, c->seen->run))
        result = 2;
    else if (compare_ran(&got))
        result = !compare_differs(&got, wanted, c->lane);
    compare_free_lanes(&got);
    return result;
}

bool compare_find_cause(const struct compare_case *c)
{
    int best = 0;
    size_t found = 0;
    for (size_t i = 0; i < PROPERTIES; i++) {
        const char *a = (const char *)c->of[0] + properties[i].offset,
                   *b = (const char *)c->of[1] + properties[i].offset;
        for (int side = 0; side < 2 && memcmp(a, b, properties[i].size) != 0; side++) {
            int result = explains(c, i, side);
            if (result < 0)
                return false;
            if (result > best) {
                best = result;
                found = i;
            }
        }
    }
    if (best > 0) {
        c->why->because = properties[found].what;
        c->why->exchanged = true;
        c->why->proved = best == 2;
        properties[found].cause(c);
    }
    return true;
}
