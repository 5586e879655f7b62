/* lower: messages between devices, as far as they are between the bound buffers: signals (tnotify, twait, ttest),
 * copies through a tile (tput, tget), and those of a group, which become one copy for each of its members or a sum. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"

/* ---- operands */

/* The items of `word(...)` among the operands, of any of the words; NULL after an error, when there are none. */
static const struct ptog_item *items_of(struct ptog_eval *e, const struct ptog_op *op,
                                        const struct ptog_operands *operands, const char *words, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < operands->count; i++) {
        const struct ptog_item *item = &operands->items[i];
        if (item->kind != PTOG_ITEM_WORD || !item->called || !ptog_tree_is_listed(e->tree, item->name, words))
            continue;
        *count = item->count;
        return item->items;
    }
    ptog_diag_emit(e->diags, "text-operands", op->name_span, "'%s' needs %.*s(...) among its operands",
                   ptog_op_info(op->name)->name, (int)strcspn(words, " "), words);
    return NULL;
}

/* A view of global memory, read or written; false after an error. */
static bool use_view(struct ptog_eval *e, const struct ptog_item *item, bool writes)
{
    struct ptog_value *view = ptog_use_as(e, item, NULL, PTOG_VALUE_VIEW);
    if (!view)
        return false;
    if (writes)
        ptog_mark_written(e, view);
    else
        ptog_mark_read(e, view);
    return true;
}

/* Uses a tile of UB that a copy goes through: notes that it is written and that vector cores are needed. False after
 * an error. */
static bool use_tile(struct ptog_eval *e, const struct ptog_item *item)
{
    struct ptog_value *tile = item ? ptog_use_as(e, item, NULL, PTOG_VALUE_TILE) : NULL;
    if (!tile)
        return false;
    ptog_place_use(e, tile);
    ptog_mark_written(e, tile);
    e->machine.uses_vector = true;
    return true;
}

/* Which of the words an attribute is, by number; 0 when it is not written, -1 after a report. */
static int attr_word(struct ptog_eval *e, const struct ptog_op *op, const char *key, const char *const *words,
                     int count)
{
    const struct ptog_item *item = ptog_attr_of(e, op, key);
    for (int i = 0; item && i < count; i++)
        if (ptog_item_is_word(e->tree, item, words[i]))
            return i;
    if (item)
        ptog_diag_emit(e->diags, "text-attribute", item->span, "'%.40s' is no %s", ptog_item_word(e->tree, item), key);
    return item ? -1 : 0;
}

/* ---- records */

/* Appends a record with these operands. */
static void emit_comm(struct ptog_eval *e, const struct ptog_op *op, enum ptog_code_kind kind,
                      const struct ptog_comm_code *comm, const struct ptog_item *const *items, uint32_t count)
{
    struct ptog_code *code = ptog_emit(e, kind, op);
    struct ptog_comm_code *copy = ptog_arena_alloc(&e->emits->arena, sizeof *copy);
    struct ptog_code_arg *args = ptog_code_args(e->emits, code, count);
    if (!copy || !args) {
        e->no_memory = true;
        return;
    }
    *copy = *comm;
    for (uint32_t i = 0; i < count; i++) {
        args[i] = ptog_code_arg_of(e, items[i]);
        if (i < 3)
            copy->names[i] = items[i];
    }
    code->comm = copy;
}

/* ---- signals */

/* Checks tnotify, ttest or twait, and writes its record; ttest defines its result. */
static void eval_signal(struct ptog_eval *e, const struct ptog_op *op)
{
    static const char *const ops[] = {"set", "atomic_add"}, *const cmps[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    struct ptog_operands operands = ptog_operands_of(op);
    bool notifies = op->name == PTOG_OP_NAME_COMM_TNOTIFY, tests = op->name == PTOG_OP_NAME_COMM_TTEST;
    struct ptog_comm_code comm = {.kind = PTOG_COMM_WAIT};
    struct ptog_number number;
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, tests))
        return;
    int how = notifies ? attr_word(e, op, "notifyOp", ops, 2) : attr_word(e, op, "cmp", cmps, 6);
    bool good = use_view(e, &operands.items[0], notifies);
    good = ptog_use_number(e, &operands.items[1], ptog_operand_type(&operands, 1), &number) && good;
    if (notifies)
        comm.kind = PTOG_COMM_NOTIFY;
    else if (tests)
        comm.kind = PTOG_COMM_TEST;
    if (notifies && good) /* it may add */
        use_view(e, &operands.items[0], false);
    if (good && how >= 0) {
        comm.how = (uint8_t)how;
        e->machine.has_signals = true;
        emit_comm(e, op, PTOG_CODE_SIGNAL, &comm, (const struct ptog_item *[]){&operands.items[0], &operands.items[1]},
                  2);
    }
    if (tests)
        ptog_define_integer(e, op, ptog_used_type(ptog_result_type(&operands)), 1, (struct ptog_number){0, false});
}

/* ---- copies */

/* Checks tput or tget, and writes the record of a copy: both devices are this one, so `dst` gets what `src` has. */
static void eval_exchange(struct ptog_eval *e, const struct ptog_op *op)
{
    static const char *const atomics[] = {"atomic_none", "atomic_add"};
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_comm_code comm = {.kind = PTOG_COMM_COPY};
    uint32_t count;
    if (!ptog_want_operands(e, op, operands.count, 3, 3) || !ptog_want_results(e, op, 0))
        return;
    const struct ptog_item *buffers = items_of(e, op, &operands, "buf", &count);
    int atomic = attr_word(e, op, "atomicType", atomics, 2);
    bool good = use_view(e, &operands.items[0], true);
    good = use_view(e, &operands.items[1], false) && good;
    for (uint32_t i = 0; i < count; i++)
        good = use_tile(e, &buffers[i]) && good;
    if (!good || atomic < 0 || count == 0)
        return;
    comm.how = (uint8_t)atomic;
    emit_comm(e, op, PTOG_CODE_COPY, &comm,
              (const struct ptog_item *[]){&operands.items[0], &operands.items[1], &buffers[0]}, 3);
}

/* ---- groups */

struct comm_group {
    const struct ptog_item *own, *acc, *tiles, *members;
    uint32_t tile_count, member_count, root;
};

/* Reads the operands of an operation of a group; false after an error. `writes`: to its members, else to `own`. */
static bool read_group(struct ptog_eval *e, const struct ptog_op *op, bool writes, bool sums, struct comm_group *group)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_item *root = ptog_attr_of(e, op, "root");
    uint32_t count = 3u + sums;
    if (!ptog_want_operands(e, op, operands.count, count, count) || !ptog_want_results(e, op, 0))
        return false;
    group->tiles = items_of(e, op, &operands, "recv buf", &group->tile_count);
    group->members = items_of(e, op, &operands, "group", &group->member_count);
    group->own = &operands.items[0];
    group->acc = sums ? &operands.items[1] : NULL;
    group->root = root && root->kind == PTOG_ITEM_INT ? (uint32_t)root->number : 0;
    bool good = use_view(e, group->own, !writes) && group->tile_count > 0;
    if (sums)
        good = use_tile(e, group->acc) && good;
    for (uint32_t i = 0; i < group->tile_count; i++)
        good = use_tile(e, &group->tiles[i]) && good;
    for (uint32_t i = 0; i < group->member_count; i++)
        good = use_view(e, &group->members[i], writes) && good;
    return good && group->root < group->member_count;
}

/* Checks tbroadcast, tgather or tscatter, and writes a copy to or from each member. */
static void eval_each(struct ptog_eval *e, const struct ptog_op *op)
{
    bool writes = op->name != PTOG_OP_NAME_COMM_TGATHER;
    struct ptog_comm_code comm = {.kind = PTOG_COMM_COPY};
    struct comm_group group;
    if (!read_group(e, op, writes, false, &group))
        return;
    if (op->name != PTOG_OP_NAME_COMM_TBROADCAST)
        comm.within = writes ? PTOG_PART_OF_SRC : PTOG_PART_OF_DST;
    for (uint32_t i = 0; i < group.member_count; i++) {
        const struct ptog_item *member = &group.members[i];
        comm.rank = i;
        emit_comm(e, op, PTOG_CODE_COPY, &comm,
                  (const struct ptog_item *[]){writes ? member : group.own, writes ? group.own : member, group.tiles},
                  3);
    }
}

#define MAX_MEMBERS 256u /* of a group that is summed */

/* Checks treduce, and writes its record: the root's own data first, as libraries do, then that of the others in the
 * order of their ranks. */
static void eval_sum(struct ptog_eval *e, const struct ptog_op *op)
{
    static const char *const ops[] = {"sum", "max", "min"};
    static const uint8_t opcodes[] = {PTOG_TADD, PTOG_TMAX, PTOG_TMIN};
    const struct ptog_item *items[3 + MAX_MEMBERS];
    struct ptog_comm_code comm = {.kind = PTOG_COMM_SUM};
    struct comm_group group;
    uint32_t count = 0;
    int how = attr_word(e, op, "reduceOp", ops, 3);
    if (!read_group(e, op, false, true, &group) || how < 0 || group.member_count > MAX_MEMBERS)
        return;
    comm.how = opcodes[how];
    items[count++] = group.own;
    items[count++] = group.acc;
    items[count++] = group.tiles;
    items[count++] = &group.members[group.root];
    for (uint32_t i = 0; i < group.member_count; i++)
        if (i != group.root)
            items[count++] = &group.members[i];
    emit_comm(e, op, PTOG_CODE_SUM, &comm, items, count);
}

/* ---- what is of no effect on one device */

/* A prefetch changes no data, and neither does waiting for it. Transfers that go on beside the program do not run, so
 * no run comes to a wait for one. */
static void eval_nothing(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    ptog_use_all(e, ptog_op_part(op, PTOG_PART_PARENS, 0), NULL, 0);
    if (op->name == PTOG_OP_NAME_TEST_ASYNC_EVENT || op->name == PTOG_OP_NAME_COMM_TEST_ASYNC_EVENT) {
        struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_CONSTANT, op, NULL, 0);
        const struct ptog_type *type = ptog_used_type(ptog_result_type(&operands));
        *code = (struct ptog_scalar_code){.type = type, .bits = 1, .width = 1};
        ptog_define_integer(e, op, type, 1, (struct ptog_number){1, true});
        return;
    }
    ptog_emit(e, PTOG_CODE_ANY, op);
    ptog_define_any(e, op);
}

void ptog_eval_comm(struct ptog_eval *e, const struct ptog_op *op)
{
    if (!ptog_eval_lint(e, op)) {
        ptog_define_any(e, op);
        return;
    }
    e->machine.has_messages = true;
    switch (op->name) {
    case PTOG_OP_NAME_COMM_TNOTIFY:
    case PTOG_OP_NAME_COMM_TWAIT:
    case PTOG_OP_NAME_COMM_TTEST: eval_signal(e, op); break;
    case PTOG_OP_NAME_COMM_TPUT:
    case PTOG_OP_NAME_COMM_TGET: eval_exchange(e, op); break;
    case PTOG_OP_NAME_COMM_TBROADCAST:
    case PTOG_OP_NAME_COMM_TSCATTER:
    case PTOG_OP_NAME_COMM_TGATHER: eval_each(e, op); break;
    case PTOG_OP_NAME_COMM_TREDUCE: eval_sum(e, op); break;
    default: eval_nothing(e, op); break;
    }
}
