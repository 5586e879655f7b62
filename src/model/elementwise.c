/* model: elementwise instructions: their forms, and the habits of spec/habits.def. */
#include "model/elementwise.h"

#include "model/condition.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

static int sources_of(const struct ptog_insn_row *row)
{
    int sources = 0;
    for (int i = 0; i < row->count; i++)
        sources += row->of[i].role == PTOG_ROLE_SAME || row->of[i].role == PTOG_ROLE_IN;
    return sources;
}

/* The operands that a row has decide; one that is a tile or a scalar counts as a tile, so tdivs is told apart first. */
enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_insn_row *row = ptog_insn_row(op->opcode);
    (void)target;
    if (sources_of(row) == 1)
        return row->of[1].kind == PTOG_IS_SCALAR ? PTOG_FORM_FILL : PTOG_FORM_UNARY;
    if (row->of[1].scalar || row->of[2].kind == PTOG_IS_SCALAR)
        return PTOG_FORM_BY_SCALAR;
    return PTOG_FORM_PAIRWISE;
}

/* ---- habits */

static const struct instead {
    enum ptog_opcode opcode;
    uint32_t targets;
    enum ptog_condition condition;
    enum ptog_lane_id lane;
} insteads[] = {
#define INSTEAD(OPCODE, targets, condition, lane) {PTOG_##OPCODE, targets, PTOG_WHEN_##condition, PTOG_LANE_##lane},
#include "spec/habits.def"
};

static enum ptog_lane_id lane_of(const struct ptog_known_insn *known, bool in_place)
{
    const struct ptog_circumstances c = {known->target, &known->insn, &known->insn, in_place};
    for (size_t i = 0; i < sizeof insteads / sizeof insteads[0]; i++)
        if (insteads[i].opcode == known->insn.opcode && (insteads[i].targets & known->target->as) &&
            ptog_condition_holds(insteads[i].condition, &c))
            return insteads[i].lane;
    return (enum ptog_lane_id)ptog_insn_row(known->insn.opcode)->lane;
}

static const struct {
    uint32_t idle, even, packed;  /* targets */
    uint32_t clobbers, clobbered; /* targets, bytes */
    bool repeats_64;
} habits[PTOG_OPCODES] = {
#define IDLE(OPCODE, targets) [PTOG_##OPCODE].idle = (targets),
#define EVEN(OPCODE, targets) [PTOG_##OPCODE].even = (targets),
#define PACKED(OPCODE, targets) [PTOG_##OPCODE].packed = (targets),
#define CLOBBERS(OPCODE, targets, bytes) [PTOG_##OPCODE].clobbers = (targets), [PTOG_##OPCODE].clobbered = (bytes),
#define REPEATS_64(OPCODE) [PTOG_##OPCODE].repeats_64 = true,
#include "spec/habits.def"
};

bool ptog_elementwise_is_apart(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_circumstances c = {target, insn, insn, false};
    const uint32_t on = target ? target->as : PTOG_ON_ALL;
    switch (insn->opcode) {
#define APART(OPCODE, targets, condition)                                                                              \
    case PTOG_##OPCODE:                                                                                                \
        return ((targets)&on) != 0 && ptog_condition_holds(PTOG_WHEN_##condition, &c);
#include "spec/habits.def"
    default: return false;
    }
}

bool ptog_elementwise_is_idle(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (habits[insn->opcode].idle & target->as) != 0;
}

int64_t ptog_elementwise_clobbers(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return habits[insn->opcode].clobbers & target->as ? habits[insn->opcode].clobbered : 0;
}

bool ptog_elementwise_repeats_64(const struct ptog_insn *insn)
{
    return habits[insn->opcode].repeats_64;
}

/* ---- one instruction */

static bool any_other_region(const struct ptog_insn *insn, int sources)
{
    const struct ptog_tile *dst = ptog_elementwise_dst(insn);
    for (int i = 1; i <= sources; i++)
        if (insn->of[i].kind == PTOG_IS_TILE &&
            (insn->of[i].tile.valid_row != dst->valid_row || insn->of[i].tile.valid_col != dst->valid_col))
            return true;
    return false;
}

void ptog_elementwise_start(struct ptog_elementwise *e, const struct ptog_known_insn *known, bool in_place)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_tile *dst = ptog_elementwise_dst(insn);
    *e = (struct ptog_elementwise){.target = known->target,
                                   .lane = lane_of(known, in_place),
                                   .dst = dst,
                                   .rows = dst->valid_row,
                                   .cols = dst->valid_col,
                                   .inputs = sources_of(ptog_insn_row(insn->opcode))};
    e->packed = (habits[insn->opcode].packed & known->target->as) && !known->open && dst->valid_col < dst->cols &&
                dst->valid_row > 1;
    bool even = (habits[insn->opcode].even & known->target->as) && ptog_dtype_size(dst->dtype) == 1;
    if (even && !e->packed && dst->valid_col < dst->cols)
        e->cols += e->cols % 2;
    if (ptog_elementwise_is_idle(known->target, insn) && any_other_region(insn, e->inputs))
        e->rows = 0;
}

int64_t ptog_elementwise_place(const struct ptog_elementwise *e, int64_t r, int64_t c)
{
    return e->packed ? r * e->cols + c : ptog_tile_offset(e->dst, r, c);
}

/* ---- scalars */

static uint64_t integer_as(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(from), kept = 8u * (unsigned)ptog_dtype_size(to);
    bits = ptog_dtype_is_signed(from) ? (uint64_t)((int64_t)(bits << drop) >> drop) : bits << drop >> drop;
    if (kept == 64 || from == to)
        return bits;
    unsigned holds = kept - (ptog_dtype_is_signed(to) ? 1 : 0);
    return bits >> holds ? UINT64_MAX : bits; /* all ones: -1, or the largest */
}

uint64_t ptog_elementwise_scalar(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits)
{
    if (to == from)
        return bits;
    if (ptog_dtype_is_float(to))
        return ptog_dtype_from_real(to, ptog_dtype_to_float(from, bits));
    return integer_as(to, from, bits);
}
