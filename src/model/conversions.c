/* model: which conversion a tcvt is on its target, spec/conversions.def. */
#include "model/convert.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

/* The types that the target converts a type into. */
static uint32_t types_from(const struct ptog_target *target, enum ptog_dtype from)
{
    static const struct {
        enum ptog_dtype from;
        uint32_t targets, types;
    } rows[] = {
#define CONVERTS(from, targets, types) {PTOG_##from, targets, types},
#include <ptog/spec/conversions.def>
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].from == from && (rows[i].targets & target->as))
            return rows[i].types;
    return 0;
}

bool ptog_converts(const struct ptog_target *target, enum ptog_dtype from, enum ptog_dtype to)
{
    return target->machine == PTOG_NO_MACHINE || types_from(target, from) >> to & 1;
}

bool ptog_conversion_narrows(enum ptog_dtype from_, enum ptog_dtype to_)
{
#define NARROWS(from, to)                                                                                              \
    if (from_ == PTOG_##from && to_ == PTOG_##to)                                                                      \
        return true;
#include <ptog/spec/conversions.def>
    return false;
}

/* Whether the target converts via 32-bit integers. */
static bool goes_through_int32(const struct ptog_target *target, enum ptog_dtype from_, enum ptog_dtype to_)
{
#define THROUGH_INT32(from, to, targets)                                                                               \
    if (from_ == PTOG_##from && to_ == PTOG_##to && (target->as & (targets)))                                          \
        return true;
#include <ptog/spec/conversions.def>
    return false;
}

bool ptog_conversion_narrows_in_place(const struct ptog_tile *dst, const struct ptog_tile *src)
{
    size_t to = ptog_dtype_size(dst->dtype), from = ptog_dtype_size(src->dtype);
    return ptog_tile_order(src) == PTOG_ORDER_ROW && ptog_tile_order(dst) == PTOG_ORDER_ROW && to <= from &&
           dst->cols * (int64_t)to <= src->cols * (int64_t)from;
}

static bool is_small(enum ptog_dtype dtype)
{
    return dtype == PTOG_F8E4M3 || dtype == PTOG_F8E5M2;
}

static bool is_integer_type(enum ptog_dtype dtype)
{
    return !ptog_dtype_is_float(dtype) && dtype != PTOG_HIF8 && dtype != PTOG_F4E2M1X2 && dtype != PTOG_F4E1M2X2;
}

/* NONE cuts where a float becomes an integer and is the nearest number otherwise, and so is ODD, but for f32 to f16. */
static enum ptog_round mode_of(enum ptog_dtype from, enum ptog_dtype to, enum ptog_round mode)
{
    bool whole = !is_integer_type(from) && is_integer_type(to), odd = from == PTOG_F32 && to == PTOG_F16;
    if (to == PTOG_HIF8)
        return PTOG_ROUND_AWAY;
    if (is_small(to) || mode == PTOG_ROUND_CAST_RINT)
        return PTOG_ROUND_RINT;
    if (mode == PTOG_ROUND_NONE || (mode == PTOG_ROUND_ODD && !odd))
        return whole ? PTOG_ROUND_TRUNC : PTOG_ROUND_RINT;
    return mode;
}

void ptog_conversion_start(struct ptog_conversion *c, const struct ptog_target *target, const struct ptog_insn *insn)
{
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    bool tmp = insn->of[at].tile.dtype != PTOG_DTYPE_NONE;
    enum ptog_round mode = (enum ptog_round)insn->attr[PTOG_TCVT_ROUND];
    *c = (struct ptog_conversion){.from = insn->of[1].tile.dtype, .to = insn->of[0].tile.dtype};
    c->by_cast = target->casts;
    c->saturates = insn->attr[PTOG_TCVT_SATURATION] == PTOG_SATURATION_ON;
    c->round = c->by_cast ? mode : mode_of(c->from, c->to, mode);
    if (target->off_wants_tmp && !tmp && !ptog_conversion_narrows(c->from, c->to))
        c->saturates = true;
    c->through_int32 = tmp && goes_through_int32(target, c->from, c->to);
}
