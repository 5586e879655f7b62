/* verify: predicates on the cube core: loads into L1, copies to L0, matrix products, stores of accumulators. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <ptog/target.h>

#include "model/dtype.h"
#include "model/cube/fixpipe.h"
#include "model/cube/memories.h"
#include "model/moves.h"
#include "model/cube/product.h"
#include "model/target.h"
#include "model/tile.h"
#include "model/transfer.h"
#include "verify/predicates.h"

static bool has_machine(const struct ptog_check *c)
{
    return c->target->machine != PTOG_NO_MACHINE;
}

/* The operand as the target sees it. */
static struct ptog_tile settled(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tile tile = *ptog_check_at(c, o);
    ptog_tile_settle(c->target, &tile);
    return tile;
}

/* ---- where tiles lie, and how */

/* The memory in which the operand of this form has to lie. */
static enum ptog_loc memory_of(const struct ptog_check *c, enum ptog_operand_name o)
{
    switch (o) {
    case PTOG_AT_TILE: return c->form == PTOG_FORM_STORE_ACC ? PTOG_ACC : PTOG_MAT;
    case PTOG_AT_SRC: return c->form == PTOG_FORM_FROM_ACC ? PTOG_ACC : PTOG_MAT;
    case PTOG_AT_DST: return c->form == PTOG_FORM_FROM_ACC || c->form == PTOG_FORM_GATHER_L1 ? PTOG_MAT : PTOG_ACC;
    case PTOG_AT_QUANT: return PTOG_SCALING;
    case PTOG_AT_SRC0: return PTOG_LEFT;
    case PTOG_AT_SRC1: return PTOG_RIGHT;
    case PTOG_AT_BIAS: return PTOG_BIAS;
    default: return PTOG_ACC;
    }
}

/* Whether an accumulator goes to vector cores. */
static bool is_to_vec(const struct ptog_check *c, enum ptog_operand_name o)
{
    return c->form == PTOG_FORM_FROM_ACC && o == PTOG_AT_DST && ptog_check_at(c, o)->loc == PTOG_VEC;
}

bool ptog_is_in_its_memory(const struct ptog_check *c, enum ptog_operand_name o)
{
    if (is_to_vec(c, o))
        return true;
    bool any = ((c->form == PTOG_FORM_TO_L0 || c->form == PTOG_FORM_TO_SCALES) && o == PTOG_AT_DST) ||
               (c->form == PTOG_FORM_LOAD_L1 && (c->target->as & PTOG_ON_CPU));
    return any || c->at[o]->kind == PTOG_IS_SCALAR || ptog_check_at(c, o)->loc == memory_of(c, o);
}

/* The layout of a tile is one that its memory has on this target. */
bool ptog_is_in_its_order(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tile tile = settled(c, o);
    enum ptog_tile_order order = ptog_tile_order(&tile);
    if (c->at[o]->kind == PTOG_IS_SCALAR)
        return true;
    if (!has_machine(c))
        return order != PTOG_ORDER_OTHER;
    if (is_to_vec(c, o))
        return order == PTOG_ORDER_NZ || order == PTOG_ORDER_ROW || order == PTOG_ORDER_COL;
    if (c->form == PTOG_FORM_FROM_ACC && o == PTOG_AT_DST)
        return order == PTOG_ORDER_NZ;
    switch (tile.loc) {
    case PTOG_MAT:
        return order == PTOG_ORDER_NZ || order == PTOG_ORDER_ZN || order == PTOG_ORDER_ROW || order == PTOG_ORDER_COL;
    case PTOG_LEFT: return order == PTOG_ORDER_ZZ || order == PTOG_ORDER_NZ || tile.rows == 1;
    case PTOG_RIGHT: return order == PTOG_ORDER_ZN;
    case PTOG_ACC: return order == PTOG_ORDER_ACC;
    default: return order == PTOG_ORDER_ROW && tile.rows == 1;
    }
}

/* Whole boxes in both directions. */
bool ptog_has_whole_boxes(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tile tile = settled(c, o);
    int64_t rows, cols;
    if (!has_machine(c) || tile.slayout == PTOG_NONE_BOX || !ptog_tile_is_sound(&tile))
        return true;
    ptog_tile_box(&tile, &rows, &cols);
    return tile.rows % rows == 0 && tile.cols % cols == 0;
}

/* ---- loads and stores */

bool ptog_view_has_tile_size(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    size_t tile = ptog_dtype_size(ptog_check_at(c, PTOG_AT_TILE)->dtype);
    size_t view = ptog_dtype_size(ptog_check_tensor(c)->dtype);
    return tile == view || tile == 0 || view == 0;
}

/* The target converts the accumulator's type to that of dst or view on the way, with a scale if one is given. */
bool ptog_acc_converts(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    bool store = c->form == PTOG_FORM_STORE_ACC, scaled = (c->present >> PTOG_AT_QUANT & 1) != 0;
    if (ptog_insn_sent(c->insn) >= 0 && has_machine(c) && !c->target->left_nz)
        return true; /* sent-target */
    enum ptog_dtype to = store ? ptog_check_tensor(c)->dtype : ptog_check_at(c, PTOG_AT_DST)->dtype;
    return ptog_fixpipe_converts(c->target, ptog_check_at(c, store ? PTOG_AT_TILE : PTOG_AT_SRC)->dtype, to, store, scaled);
}

/* The columns that leave an accumulator. */
static int64_t leaving_cols(const struct ptog_check *c)
{
    if (c->insn->opcode == PTOG_TEXTRACT)
        return ptog_check_at(c, PTOG_AT_DST)->valid_col;
    return ptog_check_at(c, c->form == PTOG_FORM_STORE_ACC ? PTOG_AT_TILE : PTOG_AT_SRC)->valid_col;
}

/* 64 bits for each column, which the unit reads whatever the elements of the tile are. */
bool ptog_scale_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *scale = ptog_check_at(c, o);
    bool is_row = c->at[o]->kind == PTOG_IS_TILE && leaving_cols(c) <= scale->cols;
    return !is_row || leaving_cols(c) * 8 <= scale->cols * (int64_t)ptog_dtype_size(scale->dtype);
}

/* A number, or a row of numbers with one for each column that leaves. Devices do not know the elements of a tile. */
bool ptog_is_scale(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *scale = ptog_check_at(c, o);
    bool number = scale->dtype == PTOG_I64 || scale->dtype == PTOG_U64, one = c->at[o]->kind == PTOG_IS_SCALAR;
    int64_t cols = leaving_cols(c);
    if (one)
        return number;
    return (number || c->target->machine != PTOG_NO_MACHINE) && scale->rows == 1 && cols <= scale->cols;
}

bool ptog_scales_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    bool numbers = (dst->dtype == PTOG_I64 || dst->dtype == PTOG_U64) && (src->dtype == PTOG_I64 || src->dtype == PTOG_U64);
    (void)o;
    return numbers && dst->rows == 1 && src->rows == 1 && dst->cols % 16 == 0 && dst->cols <= src->cols;
}

/* ---- to other cores */

bool ptog_stays_on_its_core(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return ptog_insn_sent(c->insn) < 0;
}

/* UB to L1: boxes, or rows to rows. */
bool ptog_sent_order_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order from = ptog_tile_order(ptog_check_at(c, PTOG_AT_SRC)), to = ptog_tile_order(ptog_check_at(c, o));
    if (ptog_insn_sent(c->insn) < 0 || c->form == PTOG_FORM_FROM_ACC)
        return true;
    return (to == PTOG_ORDER_NZ && (from == PTOG_ORDER_NZ || from == PTOG_ORDER_ROW)) ||
           (to == PTOG_ORDER_ROW && from == PTOG_ORDER_ROW);
}

static bool is_split(const struct ptog_check *c)
{
    return c->insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_ROWS || c->insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_COLS;
}

bool ptog_acc_goes_there(const struct ptog_check *c, enum ptog_operand_name o)
{
    int32_t to = c->insn->attr[PTOG_MOVE_TO];
    return to == PTOG_TO_VEC0 || (to >= PTOG_TO_VEC0 && to <= PTOG_SPLIT_COLS && ptog_check_at(c, o)->loc == PTOG_VEC);
}

/* Two halves: of elements of 4 bytes, without a scale, to rows or boxes. */
bool ptog_acc_splits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o), *src = ptog_check_at(c, PTOG_AT_SRC);
    bool by_rows = c->insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_ROWS;
    int64_t rows = src->valid_row, cols = src->valid_col;
    if (!is_split(c))
        return true;
    return ptog_dtype_size(dst->dtype) == 4 && !(c->present >> PTOG_AT_QUANT & 1) &&
           ptog_tile_order(dst) != PTOG_ORDER_COL && (by_rows ? rows <= 0 || rows % 2 == 0 : cols <= 0 || cols % 32 == 0);
}

static int64_t insert_place(const struct ptog_check *c, enum ptog_opcode opcode, int position)
{
    return c->insn->opcode == opcode ? ptog_move_number(c->insn, position) : 0;
}

static bool fits_in(const struct ptog_tile *part, const struct ptog_tile *whole, int64_t row, int64_t col)
{
    return row >= 0 && col >= 0 && row <= whole->rows - part->valid_row && col <= whole->cols - part->valid_col;
}

/* textract: the valid part of dst lies in the accumulator; tinsert: that of the accumulator in dst. */
bool ptog_acc_window_is_inside(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    if (!ptog_has_shape(c, PTOG_AT_DST) || !ptog_has_shape(c, PTOG_AT_SRC))
        return true; /* other rules report that */
    struct ptog_tile half = *src;
    if (is_split(c)) { /* the valid region of the accumulator counts, and each core gets a half */
        half.valid_row /= 1 + (c->insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_ROWS);
        half.valid_col /= 1 + (c->insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_COLS);
        return fits_in(&half, dst, insert_place(c, PTOG_TINSERT, PTOG_MOVE_ROW), insert_place(c, PTOG_TINSERT, PTOG_MOVE_COL));
    }
    if (c->insn->opcode == PTOG_TEXTRACT)
        return fits_in(dst, src, insert_place(c, PTOG_TEXTRACT, PTOG_MOVE_ROW), insert_place(c, PTOG_TEXTRACT, PTOG_MOVE_COL));
    return fits_in(src, dst, insert_place(c, PTOG_TINSERT, PTOG_MOVE_ROW), insert_place(c, PTOG_TINSERT, PTOG_MOVE_COL));
}

/* textract starts at a column of 16; tinsert at a row of 16 and at a 32-byte block, in rows and columns of UB just at
 * the latter. */
bool ptog_acc_window_is_aligned(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t c0 = ptog_c0(ptog_check_at(c, PTOG_AT_DST)->dtype);
    (void)o;
    enum ptog_tile_order order = ptog_tile_order(ptog_check_at(c, PTOG_AT_DST));
    int64_t row = insert_place(c, PTOG_TINSERT, PTOG_MOVE_ROW), col = insert_place(c, PTOG_TINSERT, PTOG_MOVE_COL);
    bool boxes = order != PTOG_ORDER_ROW && order != PTOG_ORDER_COL;
    return insert_place(c, PTOG_TEXTRACT, PTOG_MOVE_ROW) % 16 == 0 && insert_place(c, PTOG_TEXTRACT, PTOG_MOVE_COL) % 16 == 0 &&
           (!boxes || row % 16 == 0) && (c0 == 0 || (order == PTOG_ORDER_COL ? row : col) % c0 == 0);
}

static bool is_extent(int64_t view, int64_t valid, int64_t most)
{
    int64_t wanted = valid == 0 ? most : valid;
    return view == PTOG_DYN || wanted == PTOG_DYN || view == wanted;
}

/* The view has the extents of the tile, or of its valid region. */
bool ptog_view_is_cube_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    int64_t rows, cols;
    if (!ptog_shape_not_negative(c, o) || !ptog_has_shape(c, PTOG_AT_TILE))
        return true; /* other rules report that */
    ptog_view_extents(ptog_check_tensor(c), &rows, &cols);
    return is_extent(rows, tile->valid_row, tile->rows) && is_extent(cols, tile->valid_col, tile->cols);
}

/* ND to NZ, DN to ZN, and what is laid out alike; A5 also DN to NZ. */
bool ptog_view_pairs_with_l1(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order order = ptog_tile_order(ptog_check_at(c, PTOG_AT_TILE));
    (void)o;
    switch (ptog_check_tensor(c)->layout) {
    case PTOG_ND: return order == PTOG_ORDER_NZ || order == PTOG_ORDER_ROW;
    case PTOG_DN:
        return order == PTOG_ORDER_ZN || order == PTOG_ORDER_COL ||
               (order == PTOG_ORDER_NZ && c->target->loads_any_location);
    default: return order == PTOG_ORDER_NZ;
    }
}

/* ---- copies to L0 */

bool ptog_l0_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    bool widens = dst->loc == PTOG_BIAS && dst->dtype == PTOG_F32 &&
                  (src->dtype == PTOG_F16 || (src->dtype == PTOG_BF16 && c->target->left_nz) || !has_machine(c));
    return dst->dtype == src->dtype || (widens && ptog_dtype_is_float(src->dtype));
}

static int64_t window_place(const struct ptog_check *c, int position)
{
    return c->insn->opcode == PTOG_TEXTRACT ? ptog_move_number(c->insn, position) : 0;
}

/* The window that is copied to L0 lies inside its source. */
bool ptog_l0_window_is_inside(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    int64_t row = window_place(c, PTOG_MOVE_ROW), col = window_place(c, PTOG_MOVE_COL);
    (void)o;
    if (!ptog_has_shape(c, PTOG_AT_DST) || !ptog_has_shape(c, PTOG_AT_SRC) || dst->compact)
        return row >= 0 && col >= 0;
    return row >= 0 && col >= 0 && row <= src->rows - dst->rows && col <= src->cols - dst->cols;
}

/* The window that is copied to L0 starts at a whole box. */
bool ptog_l0_window_is_aligned(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC);
    struct ptog_tile dst = settled(c, PTOG_AT_DST);
    int64_t rows = 1, cols = 1;
    (void)o;
    if (dst.loc == PTOG_BIAS || src->slayout == PTOG_NONE_BOX || ptog_dtype_size(dst.dtype) == 0)
        return true;
    ptog_tile_box(&dst, &rows, &cols);
    if (src->slayout != dst.slayout)
        rows = cols = ptog_dtype_size(dst.dtype) == 1 ? 32 : 16;
    return window_place(c, PTOG_MOVE_ROW) % rows == 0 && window_place(c, PTOG_MOVE_COL) % cols == 0;
}

/* ---- products */

/* The element types of matrices, bias, sum and result belong together. */
bool ptog_product_types_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype left = ptog_check_at(c, PTOG_AT_SRC0)->dtype, right = ptog_check_at(c, PTOG_AT_SRC1)->dtype;
    enum ptog_dtype sum = ptog_check_at(c, PTOG_AT_DST)->dtype;
    const struct ptog_tile *bias = ptog_check_tile(c, PTOG_AT_BIAS), *added = ptog_check_tile(c, PTOG_AT_SUM);
    (void)o;
    if (left != right || (bias && bias->dtype != sum) || (added && added->dtype != sum))
        return false;
    if (sum == PTOG_I32)
        return left == PTOG_I8;
    bool real = left == PTOG_F16 || left == PTOG_BF16 || left == PTOG_F32;
    return real && (sum == PTOG_F32 || (sum == PTOG_F16 && !has_machine(c)));
}

/* The extents of matrices, bias and result belong together. */
bool ptog_product_shapes_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *left = ptog_check_at(c, PTOG_AT_SRC0), *right = ptog_check_at(c, PTOG_AT_SRC1);
    const struct ptog_tile *sum = ptog_check_at(c, PTOG_AT_DST), *bias = ptog_check_tile(c, PTOG_AT_BIAS);
    (void)o;
    bool vector = left->rows == 1; /* padded to 512 bytes */
    bool depth = left->cols == right->rows || (vector && left->cols > right->rows);
    return (left->rows == sum->rows || vector) && depth && right->cols == sum->cols &&
           (!bias || bias->cols >= sum->cols);
}

static int64_t valid_of(int64_t valid, int64_t all)
{
    return valid == 0 ? all : valid;
}

bool ptog_product_depths_agree(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *left = ptog_check_at(c, PTOG_AT_SRC0), *right = ptog_check_at(c, PTOG_AT_SRC1);
    int64_t k = valid_of(left->valid_col, left->cols), other = valid_of(right->valid_row, right->rows);
    (void)o;
    return k == PTOG_DYN || other == PTOG_DYN || k == other;
}

/* Whether the unit finds a tile where the tile says it is: it packs the boxes of `rows` by `cols`. */
static bool is_packed(const struct ptog_tile *tile, int64_t rows, int64_t cols)
{
    struct ptog_tile packed = ptog_product_packed(tile, rows, cols);
    struct ptog_boxes as_tile, as_unit;
    if (tile->compact || tile->slayout == PTOG_NONE_BOX)
        return true;
    ptog_tile_boxes(tile, &as_tile);
    ptog_tile_boxes(&packed, &as_unit);
    int64_t across = as_tile.by_column ? cols : rows, box = as_tile.by_column ? as_tile.cols : as_tile.rows;
    return across <= box || as_tile.pitch == as_unit.pitch;
}

/* Every matrix of the product has whole boxes for its valid region, and no more. */
bool ptog_product_is_packed(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tile left = settled(c, PTOG_AT_SRC0), right = settled(c, PTOG_AT_SRC1), sum = settled(c, PTOG_AT_DST);
    (void)o;
    if (!ptog_tile_is_sound(&left) || !ptog_tile_is_sound(&right) || !ptog_tile_is_sound(&sum))
        return true;
    int64_t m = left.valid_row, k = left.valid_col, n = right.valid_col;
    return is_packed(&left, m, k) && is_packed(&right, k, n) && is_packed(&sum, m, n);
}

bool ptog_sum_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *sum = ptog_check_tile(c, PTOG_AT_SUM);
    (void)o;
    return !sum || !dst->placed || !sum->placed || dst->addr == sum->addr;
}
