/* sanitize: definedness that travels. An instruction that computes from undefined bytes is not reported: its results
 * are undefined in turn, each by the elements that were read for it, until some of them decide something or leave UB.
 *
 *     load (5 of 8 valid)     tadds               tstore of all 8
 *     d d d d d p p p    ->   d d d d d c c c     pad-read: 3 elements, which tadds computed from src0, ...
 *
 * Such instructions are rare. Where the valid region of a source is not all defined, a tracer follows every element
 * that the instruction reads and writes. Where only the run shows that undefined bytes were read, the tracer follows it
 * once more, without a byte being written. All others run as if there were nothing of the kind. */
#include "base/array.h"
#include "base/pick.h"
#include "model/dtype.h"
#include "model/tile.h"
#include "sanitize/sanitize.h"

/* ---- which instructions compute from undefined bytes */

/* Whether all of these bytes of UB are defined. */
static bool is_defined(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    uint64_t end = at < s->ub_bytes ? at + ptog_min(bytes, s->ub_bytes - at) : at;
    return ptog_origins_undefined(&s->origins, at, end) == end;
}

/* Whether all bytes of some rows of a tile are defined. */
static bool rows_are_defined(const struct ptog_sanitizer *s, const struct ptog_tile *tile, uint64_t rows,
                             uint64_t row_bytes)
{
    uint64_t size = ptog_dtype_size(tile->dtype), pitch = (uint64_t)tile->cols * size;
    if (row_bytes == pitch)
        return is_defined(s, tile->addr, rows * pitch);
    for (uint64_t r = 0; r < rows; r++)
        if (!is_defined(s, tile->addr + r * pitch, row_bytes))
            return false;
    return true;
}

/* The valid elements of a tile, or of a mask a bit for each element of dst. */
static bool is_defined_where_valid(const struct ptog_sanitizer *s, const struct ptog_insn *insn, int position)
{
    const struct ptog_tile *tile = &insn->of[position].tile, *dst = &insn->of[0].tile;
    uint64_t size = ptog_dtype_size(tile->dtype);
    if (ptog_insn_row(insn->opcode)->of[position].name == PTOG_AT_BITS)
        return rows_are_defined(s, tile, (uint64_t)dst->valid_row, ((uint64_t)dst->valid_col + 7) / 8);
    if (ptog_tile_order(tile) != PTOG_ORDER_ROW)
        return true; /* the run shows it */
    return rows_are_defined(s, tile, (uint64_t)tile->valid_row, (uint64_t)tile->valid_col * size);
}

/* ---- following an instruction */

/* The operand that a byte belongs to: a source, or the destination; PTOG_AT_COUNT: none, it was read by a walk past
 * them. */
static enum ptog_operand_name operand_at(const struct ptog_insn *insn, uint64_t at)
{
    enum ptog_operand_name found = PTOG_AT_COUNT;
    for (int i = insn->count; i-- > 0;) {
        const struct ptog_tile *tile = &insn->of[i].tile;
        if (insn->of[i].kind == PTOG_IS_TILE && at >= tile->addr && at - tile->addr < (uint64_t)ptog_tile_bytes(tile) &&
            (i > 0 || found == PTOG_AT_COUNT))
            found = ptog_insn_row(insn->opcode)->of[i].name;
    }
    return found;
}

/* Whether the bytes of an operand decide what the instruction does, and not only what it computes. */
static bool decides(const struct ptog_undef_propagation *undef, enum ptog_operand_name operand)
{
    for (int p = 0; p < undef->effects->phase_count; p++)
        if (ptog_effects_decide(undef->effects, p, operand))
            return true;
    return false;
}

/* The number of a trail that starts here; an earlier one of the same kind is taken again. */
static uint32_t trail_from(struct ptog_sanitizer *s, enum ptog_operand_name operand, enum ptog_definition definition,
                           uint64_t at)
{
    struct ptog_undef_propagation *undef = &s->undef;
    for (size_t i = undef->count; i-- > 0;) {
        const struct ptog_trail *known = &undef->trails[i];
        if (known->site == undef->site && known->operand == operand && known->definition == definition)
            return (uint32_t)i;
    }
    if (!ptog_array_reserve(&undef->trails, undef->count + 1, &undef->room)) {
        s->origins.failed = true;
        return 0;
    }
    undef->trails[undef->count] = (struct ptog_trail){undef->site, (uint8_t)operand, (uint8_t)definition, at};
    return (uint32_t)undef->count++;
}

/* A byte of this origin was read, and is undefined, or the bit of it that is wanted. */
static void meet(struct ptog_sanitizer *s, struct ptog_tracer *tracer, uint64_t at, enum ptog_definition definition)
{
    enum ptog_operand_name operand = operand_at(s->undef.insn, at);
    struct ptog_carried byte = {0, 0xff};
    if (operand == PTOG_AT_COUNT || decides(&s->undef, operand))
        return; /* reported, and that is enough */
    if (definition == PTOG_CARRIED)
        byte = s->origins.carried[at];
    if (tracer->reads != PTOG_WHOLE_ELEMENT && !(byte.bits >> tracer->reads & 1))
        return;
    if (!tracer->undefined)
        s->undef.lane.trail = definition == PTOG_CARRIED ? byte.trail : trail_from(s, operand, definition, at);
    tracer->undefined = true;
    if (tracer->makes == PTOG_WHOLE_ELEMENT)
        s->undef.lane.bits = 0xff;
    else if (tracer->makes == PTOG_EACH_BIT)
        s->undef.lane.bits |= byte.bits;
    else
        s->undef.lane.bits |= (uint8_t)(1u << tracer->makes);
}

/* A lane reads these bytes: the first read of a lane forgets the one before; undefined bytes make the lane undefined.
 */
static void get(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes)
{
    struct ptog_sanitizer *s = tracer->user;
    ptog_origin origin;
    if (tracer->is_written)
        s->undef.lane.bits = tracer->undefined = tracer->is_written = false;
    for (uint64_t end = at + bytes, to; tracer->makes != PTOG_NO_RESULT && at < end; at = to) {
        to = ptog_origins_run(&s->origins, at, end, &origin);
        if (ptog_origin_definition(origin) != PTOG_DEFINED)
            meet(s, tracer, at, ptog_origin_definition(origin));
    }
}

/* A lane writes these bytes: they are defined, or carry what is undefined of the lane. */
static void trace_write(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes)
{
    struct ptog_sanitizer *s = tracer->user;
    if (tracer->undefined)
        ptog_origins_propagate(&s->origins, at, bytes, s->undef.lane);
    else
        ptog_origins_redefine(&s->origins, at, bytes, PTOG_DEFINED);
    tracer->is_written = true;
}

/* ---- for the core */

bool ptog_sanitizer_is_defined(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    return is_defined(s, at, bytes);
}

/* Starts following the lanes of an instruction, and returns the tracer that its memory calls. */
static struct ptog_tracer *start_tracer(struct ptog_sanitizer *s, const struct ptog_known_insn *known, uint32_t site,
                                        bool is_late)
{
    s->undef.on = true;
    s->undef.insn = &known->insn;
    s->undef.effects = known->effects;
    s->undef.site = site;
    s->undef.lane = (struct ptog_carried){0};
    s->undef.tracer = (struct ptog_tracer){.user = s,
                                           .get = get,
                                           .put = trace_write,
                                           .reads = PTOG_WHOLE_ELEMENT,
                                           .makes = PTOG_WHOLE_ELEMENT,
                                           .is_late = is_late};
    return &s->undef.tracer;
}

struct ptog_tracer *ptog_sanitizer_trace(struct ptog_sanitizer *s, const struct ptog_known_insn *known, uint32_t site)
{
    const struct ptog_insn *insn = &known->insn;
    s->undef.on = false;
    for (int p = 0; p < known->effects->phase_count; p++)
        for (int i = 0; i < known->effects->phases[p].count; i++) {
            const struct ptog_effect *effect = &known->effects->phases[p].effects[i];
            int position = ptog_insn_find(insn, (enum ptog_operand_name)effect->operand);
            if (effect->writes || effect->decides || position < 0 || insn->of[position].kind != PTOG_IS_TILE ||
                insn->of[position].tile.dtype == PTOG_DTYPE_NONE)
                continue;
            if (!is_defined_where_valid(s, insn, position))
                return start_tracer(s, known, site, false);
        }
    return NULL;
}

struct ptog_tracer *ptog_sanitizer_retrace(struct ptog_sanitizer *s, const struct ptog_known_insn *known, uint32_t site)
{
    return s->undef.on ? NULL : start_tracer(s, known, site, true);
}
