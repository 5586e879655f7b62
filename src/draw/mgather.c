/* draw: MGATHER.   Row: dst[r,j] = table[map(idx[r]), j]      Elem: dst[r,c] = flat(table)[map(idx[r,c])] */
#include "model/mgather.h"

#include <inttypes.h>

#include "draw/draw.h"
#include "ref/lane.h"

struct drawn_gather {
    struct ptog_draw *draw;
    const struct ptog_target *target;
    const struct ptog_insn *op;
    enum ptog_oob oob;
    uint64_t capacity;
    bool per_row;
    int idx; /* the operand with the indices: a tile, or into L1 a view */
};

/* What an index leads to. */
struct drawn_lead {
    bool known;
    uint64_t index, mapped;
    enum ptog_cell_state state;
    int64_t r, c; /* of the indices */
};

/* What the policy did with an index that is inside of the table, or not. */
static enum ptog_cell_state state_of(enum ptog_oob oob, bool inside)
{
    if (inside)
        return PTOG_CELL_WRITTEN;
    switch (oob) {
    case PTOG_OOB_CLAMP: return PTOG_CELL_CLAMPED;
    case PTOG_OOB_WRAP: return PTOG_CELL_WRAPPED;
    case PTOG_OOB_ZERO: return PTOG_CELL_ZEROED;
    default: return PTOG_CELL_OUTSIDE;
    }
}

/* Which index decides about lane (r, c), where it stands, and what the policy makes of it. */
static struct drawn_lead lead_of(const struct drawn_gather *g, int64_t r, int64_t c)
{
    struct drawn_lead lead = {.state = PTOG_CELL_OUTSIDE, .r = -1};
    bool zero, l1 = ptog_mgather_is_l1(g->op);
    uint64_t at = l1 ? ptog_mgather_l1_index_place(g->op, r, c)
                     : (uint64_t)ptog_mgather_index_offset(g->target, g->op, r, c);
    if (!ptog_plane_find(&g->draw->planes[g->idx], at, &lead.r, &lead.c))
        lead.r = -1;
    else
        lead.known = ptog_lane_index(g->draw->run.idx, at, ptog_mgather_index_dtype(g->op), !g->target->policies, &lead.index);
    if (lead.known) {
        lead.mapped = ptog_mgather_map(g->target, g->op, lead.index, g->capacity, &zero);
        lead.state = state_of(g->oob, lead.index < g->capacity);
    }
    return lead;
}

/* Tells the drawing one lane of the gather. */
static void tell_lane(const struct drawn_gather *g, const struct drawn_lead *lead, int64_t r, int64_t c)
{
    struct ptog_origin lane = {.to = PTOG_MGATHER_DST,
                               .r = r,
                               .c = c,
                               .from = -1,
                               .by = lead->r >= 0 ? g->idx : -1,
                               .by_r = lead->r,
                               .by_c = lead->c,
                               .state = lead->state};
    uint64_t place;
    bool reads = lead->known && lead->state != PTOG_CELL_ZEROED &&
                 (g->per_row ? ptog_mgather_row_place(g->target, g->op, lead->mapped, c, &place)
                             : ptog_mgather_elem_place(g->op, lead->mapped, &place));
    if (reads && ptog_plane_find(&g->draw->planes[PTOG_MGATHER_TABLE], place, &lane.from_r, &lane.from_c))
        lane.from = PTOG_MGATHER_TABLE;
    ptog_draw_lane(g->draw, &lane);
}

/* "idx -1 -> row 5, clamped", beside the row of dst. */
static void note_row(const struct drawn_gather *g, const struct drawn_lead *lead, int64_t r)
{
    char index[48] = "?";
    uint64_t bits;
    if (!ptog_draw_row_wanted(g->draw, PTOG_MGATHER_DST, r))
        return;
    if (!lead->known || !ptog_plane_bits(&g->draw->planes[g->idx], lead->r, lead->c, &bits)) {
        ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "no index");
        return;
    }
    ptog_dtype_format(index, sizeof index, ptog_mgather_index_dtype(g->op), &bits);
    switch (lead->state) {
    case PTOG_CELL_CLAMPED:
        ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "idx %s, clamped to %" PRIu64, index, lead->mapped);
        break;
    case PTOG_CELL_WRAPPED:
        ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "idx %s, wrapped to %" PRIu64, index, lead->mapped);
        break;
    case PTOG_CELL_ZEROED: ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "idx %s, zero", index); break;
    case PTOG_CELL_OUTSIDE: ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "idx %s, out of range", index); break;
    default: ptog_draw_row_note(g->draw, PTOG_MGATHER_DST, r, "idx %s", index);
    }
}

/* Tells the drawing, for each lane of mgather, which index leads to which element of the table, and what its policy
 * did. */
void ptog_draw_mgather(struct ptog_draw *draw)
{
    const struct ptog_target *target = draw->known->target;
    const struct ptog_insn *op = &draw->known->insn;
    struct drawn_gather g = {draw,
                             target,
                             op,
                             ptog_mgather_policy(target, op),
                             ptog_mgather_capacity(target, op),
                             ptog_mgather_is_row(target, op),
                             ptog_mgather_is_l1(op) ? PTOG_MGATHER_INDICES : PTOG_MGATHER_IDX};
    int64_t rows = ptog_mgather_rows(target, op), cols = ptog_mgather_cols(target, op);
    struct drawn_lead lead = {0};
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            if (c == 0 || !g.per_row)
                lead = lead_of(&g, r, c);
            if (c == 0 && g.per_row)
                note_row(&g, &lead, r);
            tell_lane(&g, &lead, r, c);
        }
}
