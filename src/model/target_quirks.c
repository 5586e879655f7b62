/* model: the rows of spec/target_quirks.def, each kind of row in a table of its own. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/target_quirks.h"

#include "base/pick.h"
#include "model/condition.h"
#include "model/dtype.h"
#include "model/moves.h"
#include "model/target.h"
#include "model/tile.h"

/* ---- rows with a condition: the first that fits counts */

struct quirk {
    enum ptog_opcode opcode;
    uint32_t targets;
    enum ptog_condition condition;
    int value; /* a lane, or a position */
};

/* The first row whose opcode, targets and condition fit the context; NULL: none does. Every run of a plan comes here:
 * other opcodes are passed over without a look at the context. */
static const struct quirk *find_quirk(const struct quirk *quirks, size_t count, const struct ptog_rule_context *c)
{
    const enum ptog_opcode opcode = c->insn->opcode;
    const uint32_t on = c->target ? c->target->as : PTOG_ON_ALL;
    for (size_t i = 0; i < count; i++) {
        if (quirks[i].opcode != opcode || !(quirks[i].targets & on))
            continue;
        if (ptog_condition_holds(quirks[i].condition, c))
            return &quirks[i];
    }
    return NULL;
}
#define FIND(quirks, c) find_quirk(quirks, sizeof(quirks) / sizeof(quirks)[0], c)

enum ptog_lane_id ptog_quirk_lane(const struct ptog_known_insn *known, bool in_place)
{
    static const struct quirk insteads[] = {
#define INSTEAD(OPCODE, targets, condition, lane) {PTOG_##OPCODE, targets, PTOG_WHEN_##condition, PTOG_LANE_##lane},
#include "spec/target_quirks.def"
    };
    const struct ptog_rule_context c = {known->target, &known->insn, &known->insn, in_place, 0, known->open};
    const struct quirk *quirk = FIND(insteads, &c);
    return (enum ptog_lane_id)(quirk ? quirk->value : ptog_insn_row(known->insn.opcode)->lane);
}

bool ptog_quirk_is_apart(const struct ptog_target *target, const struct ptog_insn *insn, int in)
{
    static const struct quirk aparts[] = {
#define APART(OPCODE, targets, condition) {PTOG_##OPCODE, targets, PTOG_WHEN_##condition, 0},
#include "spec/target_quirks.def"
    };
    const struct ptog_rule_context c = {target, insn, insn, false, in, false};
    return FIND(aparts, &c) != NULL;
}

enum ptog_lane_id ptog_quirk_spoils(const struct ptog_target *target, const struct ptog_insn *insn, int in)
{
    static const struct quirk spoils[] = {
#define SPOILS(OPCODE, targets, condition, lane) {PTOG_##OPCODE, targets, PTOG_WHEN_##condition, PTOG_LANE_##lane},
#include "spec/target_quirks.def"
    };
    const struct ptog_rule_context c = {target, insn, insn, false, in, false};
    const struct quirk *quirk = FIND(spoils, &c);
    if (quirk)
        return (enum ptog_lane_id)quirk->value;
    return PTOG_LANE_none;
}

/* ---- rows without one */

static const struct {
    uint32_t idle, even, packed, blocks, source, negates, overshoots, pitch, first, ends, scratch, layouts, column,
        cols; /* targets */
    bool repeats_64;
    enum ptog_dtype from, to; /* of sources that are widened */
} quirks[PTOG_OPCODES] = {
#define IDLE(OPCODE, targets) [PTOG_##OPCODE].idle = (targets),
#define EVEN(OPCODE, targets) [PTOG_##OPCODE].even = (targets),
#define PACKED(OPCODE, targets) [PTOG_##OPCODE].packed = (targets),
#define BLOCKS(OPCODE, targets) [PTOG_##OPCODE].blocks = (targets),
#define WALKS_SOURCE(OPCODE, targets) [PTOG_##OPCODE].source = (targets),
#define NEGATES(OPCODE, targets) [PTOG_##OPCODE].negates = (targets),
#define OVERSHOOTS(OPCODE, targets) [PTOG_##OPCODE].overshoots = (targets),
#define BY_PITCH(OPCODE, targets) [PTOG_##OPCODE].pitch = (targets),
#define FIRST_IS_WHOLE(OPCODE, targets) [PTOG_##OPCODE].first = (targets),
#define SCRATCH(OPCODE, targets) [PTOG_##OPCODE].scratch = (targets),
#define ANY_LAYOUT(OPCODE, targets) [PTOG_##OPCODE].layouts = (targets),
#define ONE_COLUMN(OPCODE, targets) [PTOG_##OPCODE].column = (targets),
#define SAME_COLS(OPCODE, targets) [PTOG_##OPCODE].cols = (targets),
#define ENDS_BLOCKS(OPCODE, targets) [PTOG_##OPCODE].ends = (targets),
#define REPEATS_64(OPCODE) [PTOG_##OPCODE].repeats_64 = true,
#define WIDENS(OPCODE, from_, to_) [PTOG_##OPCODE].from = PTOG_##from_, [PTOG_##OPCODE].to = PTOG_##to_,
#include "spec/target_quirks.def"
};

bool ptog_quirk_is_idle(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].idle & target->as) != 0;
}

bool ptog_quirk_is_even(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].even & target->as) != 0;
}

bool ptog_quirk_is_packed(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].packed & target->as) != 0;
}

bool ptog_quirk_copies_blocks(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].blocks & target->as) != 0;
}

bool ptog_quirk_walks_source(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].source & target->as) != 0;
}

bool ptog_quirk_goes_by_pitch(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].pitch & target->as) != 0;
}

bool ptog_quirk_first_is_whole(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].first & target->as) != 0;
}

bool ptog_quirk_uses_scratch(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].scratch & target->as) != 0;
}

bool ptog_quirk_accepts_layouts(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].layouts & target->as) != 0;
}

bool ptog_quirk_wants_one_column(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].column & target->as) != 0;
}

bool ptog_quirk_wants_same_cols(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].cols & target->as) != 0;
}

bool ptog_quirk_ends_blocks(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].ends & target->as) != 0;
}

bool ptog_quirk_negates(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].negates & target->as) != 0;
}

bool ptog_quirk_overshoots(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return (quirks[insn->opcode].overshoots & target->as) != 0;
}

bool ptog_quirk_repeats_64(const struct ptog_insn *insn)
{
    return quirks[insn->opcode].repeats_64;
}

bool ptog_quirk_widens(const struct ptog_insn *insn, enum ptog_dtype from, enum ptog_dtype to)
{
    return from != PTOG_DTYPE_NONE && quirks[insn->opcode].from == from && quirks[insn->opcode].to == to;
}

/* ---- tmp */

static int64_t blocks_of(int64_t count, int64_t block)
{
    return (count + block - 1) / block;
}

/* An extent as the sizes of tmp read it: not negative, and capped far above any buffer on chip, so that no product
 * overflows. */
static int64_t extent_of(int64_t extent)
{
    return ptog_max(0, ptog_min(extent, (int64_t)1 << 24));
}

bool ptog_quirk_may_use_tmp(const struct ptog_target *target, enum ptog_opcode opcode)
{
    static const struct {
        enum ptog_opcode opcode;
        uint32_t targets;
    } users[] = {
#define TMP(OPCODE, targets, ...) {PTOG_##OPCODE, targets},
#include "spec/target_quirks.def"
    };
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++)
        if (users[i].opcode == opcode && (users[i].targets & target->as))
            return true;
    return false;
}

bool ptog_quirk_tmp(const struct ptog_target *target, const struct ptog_insn *insn, struct ptog_tmp_use *use)
{
    const struct ptog_rule_context c = {target, insn, insn, false, 0, false};
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    const struct ptog_tile *dst = &insn->of[0].tile, *tmp = at < 0 ? dst : &insn->of[at].tile;
    const struct ptog_tile *from = &insn->of[1].tile;
    const enum ptog_dtype ANY = PTOG_DTYPE_NONE, DST = dst->dtype, U8 = PTOG_U8;
    const int64_t SIZE = (int64_t)ptog_dtype_size(dst->dtype);
    const int64_t ROWS = extent_of(dst->valid_row), COLS = extent_of(dst->valid_col);
    const int64_t PADDED_COLS = extent_of(dst->cols);
    const int64_t TMP_COLS = tmp->dtype == PTOG_DTYPE_NONE ? PADDED_COLS : extent_of(tmp->cols);
    const int64_t SOURCE_COLS = insn->count > 1 ? extent_of(from->cols) : PADDED_COLS;
    const int64_t FROM_ROWS = extent_of(from->valid_row), FROM_COLS = extent_of(from->valid_col);
    (void)SOURCE_COLS, (void)FROM_ROWS, (void)FROM_COLS, (void)ANY, (void)DST, (void)U8, (void)SIZE;
#define TMP(OPCODE, targets, condition, wanted, dtype, need, lost)                                                     \
    if (find_quirk(&(struct quirk){PTOG_##OPCODE, targets, PTOG_WHEN_##condition, 0}, 1, &c)) {                        \
        *use = (struct ptog_tmp_use){wanted, dtype, need, lost};                                                       \
        return true;                                                                                                   \
    }
#include "spec/target_quirks.def"
    return false;
}
