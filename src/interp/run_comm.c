/* interp: copies between devices, all of which are this one: loads and stores with flags of their own, as libraries
 * make them. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "interp/run_comm.h"

#include <string.h>

#include "base/pick.h"
#include "interp/judge.h"
#include "interp/machine.h"
#include "interp/run_insn.h"
#include "interp/slots.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "model/dtype.h"
#include "model/tensor.h"
#include "model/tile.h"

/* ---- loads and stores */

/* Describes an instruction with these operands, in the order of its row; `items` say what messages call them. */
static void describe(struct ptog_eval *e, const struct ptog_code *code, enum ptog_opcode opcode,
                     struct ptog_value *const *values, const struct ptog_item *const *items, int count,
                     struct ptog_text_insn *insn)
{
    memset(insn, 0, sizeof *insn);
    insn->op = code->op;
    ptog_insn_start(&insn->insn, opcode);
    const struct ptog_insn_row *row = ptog_insn_row(opcode);
    insn->count = count;
    for (int i = 0; i < count; i++)
        insn->of[i] = (struct ptog_text_operand){.role = ptog_operand_name(row->of[i].name),
                                                 .position = i,
                                                 .item = items[i],
                                                 .value = values[i],
                                                 .kind = values[i]->kind,
                                                 .is_out = row->of[i].role == PTOG_ROLE_OUT};
    insn->form = ptog_insn_form(e->target, &insn->insn);
    ptog_insn_describe(e, insn);
}

/* One piece of a copy or a sum: rows and columns of a tile, from the tile's first element. */
struct comm_piece {
    int64_t rows, cols; /* of the tile; rows of all outer dimensions together */
    int64_t at[5];      /* the first element, in the view */
    int64_t shape[5];   /* extents in the view */
};

/* The tile with this piece of it valid. */
static struct ptog_value piece_tile(const struct ptog_value *tile, const struct comm_piece *piece)
{
    struct ptog_value value = *tile;
    value.type = NULL; /* its extents are known here */
    value.tile.tile.valid_row = piece->rows;
    value.tile.tile.valid_col = piece->cols;
    return value;
}

/* The piece of a view. */
static struct ptog_value piece_view(const struct ptog_value *view, const struct comm_piece *piece)
{
    struct ptog_value value = *view;
    struct ptog_tensor *tensor = &value.view.tensor;
    ptog_tensor_fill_defaults(tensor);
    value.type = NULL;
    for (int d = 0; d < 5; d++) {
        value.view.base.at.value += piece->at[d] * tensor->stride[d] * (int64_t)ptog_dtype_size(tensor->dtype);
        tensor->shape[d] = piece->shape[d];
    }
    return value;
}

/* A load of a piece into a tile, or a store from it; false: the run is over. */
static bool move(struct ptog_eval *e, const struct ptog_code *code, enum ptog_opcode opcode,
                 const struct ptog_value *tile, const struct ptog_item *tile_item, const struct ptog_value *view,
                 const struct ptog_item *view_item, const struct comm_piece *piece)
{
    struct ptog_text_insn insn;
    struct ptog_value of_tile = piece_tile(tile, piece), of_view = piece_view(view, piece);
    describe(e, code, opcode, (struct ptog_value *[]){&of_tile, &of_view},
             (const struct ptog_item *[]){tile_item, view_item}, 2, &insn);
    if (opcode == PTOG_TSTORE && code->comm->kind == PTOG_COMM_COPY)
        insn.insn.attr[PTOG_TSTORE_ATOMIC] = code->comm->how;
    return ptog_run_issue(e, &insn);
}

/* Calls `piece` for each piece of a view that fits into a tile, as libraries cut it. */
static void cut(struct ptog_eval *e, const struct ptog_code *code, const struct ptog_value *view,
                const struct ptog_value *tile,
                void (*carry)(struct ptog_eval *, const struct ptog_code *, const struct comm_piece *))
{
    const int64_t *shape = view->view.tensor.shape;
    int64_t rows = tile->tile.tile.valid_row, cols = tile->tile.tile.valid_col, outer = shape[0] * shape[1] * shape[2];
    rows = rows > 0 ? rows : tile->tile.tile.rows;
    cols = cols > 0 ? cols : tile->tile.tile.cols;
    struct comm_piece piece = {.rows = outer * shape[3], .cols = shape[4]};
    memcpy(piece.shape, shape, sizeof piece.shape);
    if (piece.rows <= rows && piece.cols <= cols) {
        carry(e, code, &piece);
        return;
    }
    for (int64_t n = 0; n < outer && !ptog_eval_over(e); n++)
        for (int64_t r = 0; r < shape[3] && !ptog_eval_over(e); r += rows)
            for (int64_t c = 0; c < shape[4] && !ptog_eval_over(e); c += cols) {
                piece = (struct comm_piece){.rows = ptog_min(rows, shape[3] - r), .cols = ptog_min(cols, shape[4] - c)};
                const int64_t at[5] = {n / (shape[1] * shape[2]), n / shape[2] % shape[1], n % shape[2], r, c};
                const int64_t size[5] = {1, 1, 1, piece.rows, piece.cols};
                memcpy(piece.at, at, sizeof at);
                memcpy(piece.shape, size, sizeof size);
                carry(e, code, &piece);
            }
}

/* The value of an argument, if it is of that kind; else NULL, and the run stops. */
static struct ptog_value *arg_of(struct ptog_eval *e, const struct ptog_code *code, uint32_t i,
                                 enum ptog_value_kind kind)
{
    struct ptog_value *value = ptog_slot_value(e, &code->args[i]);
    bool is_right = value->kind == kind && !value->open && !value->odd;
    if (is_right && kind == PTOG_VALUE_TILE)
        ptog_place_use(e, value);
    if (is_right && (kind != PTOG_VALUE_TILE || value->tile.tile.placed))
        return value;
    ptog_diag_emit(e->diags, "run-stopped", code->op->name_span, "the type or address of an operand is unknown here");
    e->stopped = true;
    return NULL;
}

/* Pipe `dst` goes on after `src`: a flag that libraries use there. */
static bool order(struct ptog_eval *e, const struct ptog_code *code, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    return !ptog_eval_over(e) && ptog_judge_step(e, code->op, ptog_machine_own_flag(e, code->op, src, dst, id));
}

/* ---- copies */

/* The view's rows that belong to one rank of a group: they follow those of the ranks before it. */
static struct ptog_value part_of(const struct ptog_value *whole, const struct ptog_value *one, uint32_t rank)
{
    struct ptog_value part = *whole;
    struct ptog_tensor *tensor = &part.view.tensor;
    ptog_tensor_fill_defaults(tensor);
    part.view.base.at.value +=
        (int64_t)rank * one->view.tensor.shape[3] * tensor->stride[3] * (int64_t)ptog_dtype_size(tensor->dtype);
    memcpy(tensor->shape, one->view.tensor.shape, sizeof tensor->shape);
    return part;
}

/* Copies one piece of a view to another through a tile: load, flag, store, flag. A step that fails ends it. */
static void copy_piece(struct ptog_eval *e, const struct ptog_code *code, const struct comm_piece *piece)
{
    const struct ptog_item *const *names = code->comm->names;
    struct ptog_value dst = *ptog_slot_value(e, &code->args[0]), src = *ptog_slot_value(e, &code->args[1]);
    const struct ptog_value *tile = ptog_slot_value(e, &code->args[2]);
    if (code->comm->within == PTOG_PART_OF_DST)
        dst = part_of(&dst, &src, code->comm->rank);
    else if (code->comm->within == PTOG_PART_OF_SRC)
        src = part_of(&src, &dst, code->comm->rank);
    if (move(e, code, PTOG_TLOAD, tile, names[2], &src, names[1], piece) && order(e, code, PTOG_MTE2, PTOG_MTE3, 0) &&
        move(e, code, PTOG_TSTORE, tile, names[2], &dst, names[0], piece))
        order(e, code, PTOG_MTE3, PTOG_MTE2, 0);
}

void ptog_run_copy(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_value *dst = arg_of(e, code, 0, PTOG_VALUE_VIEW), *src = arg_of(e, code, 1, PTOG_VALUE_VIEW);
    const struct ptog_value *tile = arg_of(e, code, 2, PTOG_VALUE_TILE);
    if (dst && src && tile)
        cut(e, code, code->comm->within == PTOG_PART_OF_SRC ? dst : src, tile, copy_piece);
}

/* ---- sums */

/* Issues acc = acc + recv, or their maximum or minimum, on one piece. False when the run stops. */
static bool combine_tiles(struct ptog_eval *e, const struct ptog_code *code, const struct comm_piece *piece)
{
    struct ptog_text_insn insn;
    struct ptog_value acc = piece_tile(ptog_slot_value(e, &code->args[1]), piece);
    struct ptog_value recv = piece_tile(ptog_slot_value(e, &code->args[2]), piece);
    describe(e, code, (enum ptog_opcode)code->comm->how, (struct ptog_value *[]){&acc, &acc, &recv},
             (const struct ptog_item *[]){code->comm->names[1], code->comm->names[1], code->comm->names[2]}, 3, &insn);
    return ptog_run_issue(e, &insn);
}

/* Loads one piece of every member, adds them up in the first tile and stores it, with flags between. A step that fails
 * ends it. */
static void sum_piece(struct ptog_eval *e, const struct ptog_code *code, const struct comm_piece *piece)
{
    const struct ptog_item *const *names = code->comm->names;
    const struct ptog_value *acc = ptog_slot_value(e, &code->args[1]), *recv = ptog_slot_value(e, &code->args[2]);
    enum ptog_pipe last = code->arg_count > 4 ? PTOG_V : PTOG_MTE2;
    bool good = move(e, code, PTOG_TLOAD, acc, names[1], ptog_slot_value(e, &code->args[3]), names[0], piece);
    if (last == PTOG_V)
        good = good && order(e, code, PTOG_MTE2, PTOG_V, 0);
    for (uint32_t i = 4; good && i < code->arg_count; i++)
        good = move(e, code, PTOG_TLOAD, recv, names[2], ptog_slot_value(e, &code->args[i]), names[0], piece) &&
               order(e, code, PTOG_MTE2, PTOG_V, 1) && combine_tiles(e, code, piece) &&
               order(e, code, PTOG_V, PTOG_MTE2, 0);
    if (good && order(e, code, last, PTOG_MTE3, 0) &&
        move(e, code, PTOG_TSTORE, acc, names[1], ptog_slot_value(e, &code->args[0]), names[0], piece))
        order(e, code, PTOG_MTE3, PTOG_MTE2, 0);
}

/* Stores the sum, or the largest or smallest elements, of several views in one, piece by piece. */
void ptog_run_sum(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_value *acc = arg_of(e, code, 1, PTOG_VALUE_TILE), *recv = arg_of(e, code, 2, PTOG_VALUE_TILE);
    bool good = acc && recv;
    for (uint32_t i = 0; i < code->arg_count; i++)
        if (i == 0 || i > 2)
            good = arg_of(e, code, i, PTOG_VALUE_VIEW) && good;
    if (good)
        cut(e, code, ptog_slot_value(e, &code->args[3]), acc, sum_piece);
}
