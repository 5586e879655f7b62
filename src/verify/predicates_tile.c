/* verify: predicates on any tile of any instruction. */
#include "base/arith.h"
#include "model/cube/memories.h"
#include "model/effects.h"
#include "model/insn.h"
#include "model/overlap.h"
#include "model/target.h"
#include "model/tile.h"
#include "verify/predicates.h"

#define TILE const struct ptog_tile *tile = ptog_check_tile(c, o)

static bool dtype_valid(enum ptog_dtype dtype)
{
    return ptog_dtype_size(dtype) > 0;
}

static bool extent_valid(int64_t valid, int64_t padded)
{
    return valid == PTOG_DYN || (valid >= 1 && valid <= padded);
}

bool ptog_tile_is_sound(const struct ptog_tile *tile)
{
    return tile && dtype_valid(tile->dtype) && ptog_tile_bytes(tile) > 0 && tile->valid_row >= 1 &&
           tile->valid_row <= tile->rows && tile->valid_col >= 1 && tile->valid_col <= tile->cols;
}

bool ptog_has_dtype(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o);
    return dtype_valid(tile ? tile->dtype : ptog_check_tensor(c)->dtype);
}

bool ptog_has_shape(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    return tile->rows >= 1 && tile->cols >= 1;
}

bool ptog_has_size(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    return !ptog_has_shape(c, o) || ptog_tile_bytes(tile) >= 0;
}

/* All that tfillpad has to fill is dst: of its source nothing needs to be valid. */
static bool may_be_empty(const struct ptog_check *c, enum ptog_operand_name o)
{
    return o == PTOG_AT_SRC && c->form == PTOG_FORM_PAD;
}

bool ptog_has_valid(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    if (may_be_empty(c, o) && (tile->valid_row == 0 || tile->valid_col == 0))
        return true;
    return !ptog_has_shape(c, o) ||
           (extent_valid(tile->valid_row, tile->rows) && extent_valid(tile->valid_col, tile->cols));
}

/* A5 has no way from L1 to global memory; a copy from L1 to a vector tile is the CPU simulator's alone. */
static bool may_be_in_l1(const struct ptog_check *c, enum ptog_operand_name o)
{
    bool copies = c->form == PTOG_FORM_COPY && o == PTOG_AT_SRC && (c->target->as & PTOG_ON_CPU);
    if (c->form == PTOG_FORM_PAD)
        return true; /* tfillpad-l1 */
    bool sent = o == PTOG_AT_DST && ptog_insn_sent(c->insn) >= 0;
    return copies || sent || (c->form == PTOG_FORM_STORE && !c->target->loads_any_location);
}

bool ptog_is_vec(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_loc loc = ptog_check_tile(c, o)->loc;
    return loc == PTOG_VEC || (loc == PTOG_MAT && may_be_in_l1(c, o));
}

bool ptog_is_known_order(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_tile_order(ptog_check_tile(c, o)) <= PTOG_ORDER_NZ;
}

bool ptog_is_row_major(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order order = ptog_tile_order(ptog_check_tile(c, o));
    return order == PTOG_ORDER_ROW || order > PTOG_ORDER_NZ;
}

bool ptog_nz_cols_are_blocks(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    return ptog_tile_order(tile) != PTOG_ORDER_NZ || !dtype_valid(tile->dtype) ||
           tile->cols % ptog_c0(tile->dtype) == 0;
}

bool ptog_nz_rows_are_blocks(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    return ptog_tile_order(tile) != PTOG_ORDER_NZ || tile->rows % 16 == 0;
}

bool ptog_dtype_accepted(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    return !dtype_valid(tile->dtype) || (ptog_check_dtypes(c, o) >> tile->dtype & 1);
}

bool ptog_dtype_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o);
    enum ptog_dtype dtype = tile ? tile->dtype : ptog_check_tensor(c)->dtype;
    enum ptog_dtype dst = ptog_check_tile(c, PTOG_AT_DST)->dtype;
    return !dtype_valid(dtype) || !dtype_valid(dst) || dtype == dst;
}

bool ptog_size_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, dst = ptog_check_tile(c, PTOG_AT_DST)->dtype;
    return !dtype_valid(dtype) || !dtype_valid(dst) || ptog_dtype_size(dtype) == ptog_dtype_size(dst);
}

int64_t ptog_run_bytes(const struct ptog_tile *tile)
{
    int64_t run = ptog_tile_order(tile) == PTOG_ORDER_COL ? tile->rows : tile->cols;
    return run * (int64_t)ptog_dtype_size(tile->dtype);
}

bool ptog_run_is_32_bytes(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    enum ptog_tile_order order = ptog_tile_order(tile);
    if (order >= PTOG_ORDER_NZ || ptog_tile_bytes(tile) < 0)
        return true;
    return ptog_run_bytes(tile) % 32 == 0;
}

/* A single row that A2/A3 fills by a mask is one run of memory whatever follows it. */
bool ptog_no_padding_columns(const struct ptog_check *c, enum ptog_operand_name o)
{
    TILE;
    bool one_run = c->form == PTOG_FORM_MASK && c->target->as & PTOG_ON_A2A3 && tile->valid_row == 1;
    return !ptog_tile_is_sound(tile) || tile->valid_col == tile->cols || one_run;
}

/* Whether two placed tiles share bytes. */
static bool tiles_overlap(const struct ptog_tile *a, const struct ptog_tile *b)
{
    return a && b && a->placed && b->placed && ptog_tiles_overlap(a, b);
}

/* Whether the instruction reaches bytes of both. */
static bool tiles_meet(const struct ptog_check *c, const struct ptog_tile *a, const struct ptog_tile *b)
{
    return tiles_overlap(a, b) && ptog_insn_tiles_overlap(c->insn, a, b);
}

/* A tmp that the target's library neither reads nor writes, as in txor on A5; the CPU simulator sorts without one. */
static bool is_unused(const struct ptog_check *c, enum ptog_operand_name o)
{
    if (o != PTOG_AT_TMP)
        return false;
    struct ptog_known_insn known = {.target = c->target, .form = c->form};
    ptog_insn_copy(&known.insn, c->insn);
    const struct ptog_effects *effects = ptog_effects_of(&known, c->written);
    if (!effects)
        return c->form == PTOG_FORM_SORT_32 && c->target->cpu_threads;
    for (int p = 0; p < effects->phase_count; p++)
        for (int i = 0; i < effects->phases[p].count; i++)
            if (effects->phases[p].effects[i].operand == PTOG_AT_TMP)
                return false;
    return true;
}

/* The first placed tile that overlaps operand o; PTOG_AT_SELF: none. Destinations are reported from the side of the
 * one that comes first, so each pair is reported once. */
enum ptog_operand_name ptog_overlapped_by(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_tile(c, o);
    uint32_t first = UINT32_C(2) << PTOG_AT_DST, end = UINT32_C(1) << PTOG_AT_SCALAR;
    uint32_t others = c->present & (end - first) & ~(UINT32_C(1) << o);
    if (!dst || !dst->placed)
        return PTOG_AT_SELF;
    for (; others; others &= others - 1) {
        enum ptog_operand_name other = (enum ptog_operand_name)__builtin_ctz(others);
        if (!tiles_meet(c, dst, ptog_check_tile(c, other)) || is_unused(c, other) ||
            ptog_insn_is_in_place(c->target, c->insn, ptog_insn_find(c->insn, o), ptog_insn_find(c->insn, other)))
            continue;
        return other;
    }
    return PTOG_AT_SELF;
}

bool ptog_apart(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_overlapped_by(c, o) == PTOG_AT_SELF;
}

/* Also when it is refused: ptog_apart reports that. */
bool ptog_index_is_apart(const struct ptog_check *c, enum ptog_operand_name o)
{
    return !tiles_overlap(ptog_check_tile(c, o), ptog_check_tile(c, PTOG_AT_IDX)) || !ptog_apart(c, o);
}
