/* model: reductions: spec/reductions.def, and the orders that it names. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/reduce.h"

#include <math.h>
#include <string.h>

#include "base/pick.h"
#include "model/condition.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

#define REPEAT_BYTES 256
#define MAX_LANES 256 /* of a repeat: elements of one byte */
#define GROUP 8       /* lanes that the vector unit folds into one: 32 bytes of f32 */

/* Only of instructions that have this operand: others are kept without room for it. */
static bool has_values(const struct ptog_insn *insn)
{
    return insn->of[PTOG_REDUCE_VAL].tile.dtype != PTOG_DTYPE_NONE;
}

/* The form of a reduction: of rows or columns, to a number, its index, or both. */
enum ptog_form ptog_reduce_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target;
    switch (insn->opcode) {
    case PTOG_TROWARGMAX:
    case PTOG_TROWARGMIN: return has_values(insn) ? PTOG_FORM_ROW_ARG_VALUE : PTOG_FORM_ROW_ARG;
    case PTOG_TCOLARGMAX:
    case PTOG_TCOLARGMIN: return has_values(insn) ? PTOG_FORM_COL_ARG_VALUE : PTOG_FORM_COL_ARG;
    default: break;
    }
    /* A row's source is apart from dst, a column's may have dst in its first row. */
    if (ptog_insn_row(insn->opcode)->of[PTOG_REDUCE_SRC].role == PTOG_ROLE_IN)
        return PTOG_FORM_ROW_REDUCE;
    return PTOG_FORM_COL_REDUCE;
}

/* ---- spec/reductions.def */

enum {
    NONE = 0,
    FROM_START = 1,
    IN_F32 = 2,
    LANES_IN_F32 = 4,
    SATURATES = 8,
    ODD_FIRST = 16,
    AS_FLOAT = 32,
    ROUNDED = 64,
};

static const struct fold_row {
    ptog_form_set forms;
    uint32_t targets;
    enum ptog_condition condition;
    enum ptog_fold_order order;
    unsigned how;
} folds[] = {
#define FOLD(forms, targets, condition, order, how) {forms, targets, PTOG_WHEN_##condition, PTOG_FOLD_##order, how},
#include "spec/reductions.def"
};

static bool is_for(const struct fold_row *row, const struct ptog_known_insn *known)
{
    ptog_form_set only = row->forms >> PTOG_FORMS;
    if (only)
        return only == (ptog_form_set)known->insn.opcode;
    return (row->forms & PTOG_FORM_BIT(known->form)) != 0;
}

/* The first row of the table of folds that is for the instruction, its target and its condition; there is one. */
static const struct fold_row *find_fold(const struct ptog_known_insn *known)
{
    const struct ptog_rule_context c = {
        .target = known->target, .insn = &known->insn, .written = &known->insn, .open = known->open};
    size_t i = 0;
    while (!is_for(&folds[i], known) || !(folds[i].targets & known->target->as) ||
           !ptog_condition_holds(folds[i].condition, &c))
        i++; /* each form has a row for every target */
    return &folds[i];
}

/* Fills *r with how the target folds the lines of a reduction. */
void ptog_reduce_start(struct ptog_reduce *r, const struct ptog_known_insn *known)
{
    const struct ptog_tile *src = &known->insn.of[PTOG_REDUCE_SRC].tile;
    const struct fold_row *row = find_fold(known);
    *r = (struct ptog_reduce){.target = known->target,
                              .lane = (enum ptog_lane_id)ptog_insn_row(known->insn.opcode)->lane,
                              .dtype = src->dtype,
                              .order = row->order,
                              .from_start = (row->how & FROM_START) != 0,
                              .in_f32 = (row->how & IN_F32) != 0,
                              .lanes_in_f32 = (row->how & LANES_IN_F32) != 0,
                              .saturates = (row->how & SATURATES) != 0 && src->dtype == PTOG_F16,
                              .odd_first = (row->how & ODD_FIRST) != 0,
                              .as_float = (row->how & AS_FLOAT) != 0,
                              .rounded = (row->how & ROUNDED) != 0 && ptog_dtype_size(src->dtype) == 2,
                              .by_row = ptog_reduces_rows(known->form),
                              .repeat = REPEAT_BYTES / (int64_t)ptog_dtype_size(src->dtype)};
    r->results = src->valid_col;
    r->count = src->valid_row;
    if (r->by_row) {
        r->results = src->valid_row;
        r->count = src->valid_col;
    }
}

int64_t ptog_reduce_from(const struct ptog_reduce *r, const struct ptog_insn *insn, int64_t n, int64_t k)
{
    const struct ptog_tile *src = &insn->of[PTOG_REDUCE_SRC].tile;
    if (r->by_row)
        return ptog_tile_offset(src, n, k);
    return ptog_tile_offset(src, k, n);
}

int64_t ptog_reduce_to(const struct ptog_reduce *r, const struct ptog_tile *tile, int64_t n)
{
    if (r->by_row)
        return ptog_tile_offset(tile, n, 0);
    return ptog_tile_offset(tile, 0, n);
}

/* ---- two elements */

/* What the lane computes of two f32, in f32; false where it is not a matter of course: NaN, and equal numbers whose
 * signs count. It is what most of a reduction does, and the lane is found and called through five functions. */
static inline bool fold_f32(enum ptog_lane_id lane, uint32_t a, uint32_t b, uint32_t *bits)
{
    float x, y, folded;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    if (lane == PTOG_LANE_add)
        folded = x + y;
    else if (lane == PTOG_LANE_max && x < y)
        folded = y;
    else if (lane == PTOG_LANE_max && x > y)
        folded = x;
    else
        return false;
    memcpy(bits, &folded, sizeof folded);
    return folded == folded;
}

static uint64_t fold_as(const struct ptog_reduce *r, enum ptog_dtype dtype, uint64_t a, uint64_t b)
{
    uint32_t bits;
    if (dtype == PTOG_F32 && fold_f32(r->lane, (uint32_t)a, (uint32_t)b, &bits))
        return bits;
    return ptog_lane_compute(r->target, r->lane, dtype, a, b, 0);
}

/* Two numbers folded into one. */
static uint64_t fold_two(const struct ptog_reduce *r, uint64_t a, uint64_t b)
{
    return fold_as(r, r->dtype, a, b);
}

/* In the tree of lanes: two finite numbers whose sum is beyond f16 give the largest that it has. */
static uint64_t fold_lanes(const struct ptog_reduce *r, uint64_t a, uint64_t b)
{
    enum { INFINITE = 0x7C00, SIGN = 0x8000, LARGEST = 0x7BFF };
    uint64_t bits = fold_two(r, a, b);
    bool finite = (a & INFINITE) != INFINITE && (b & INFINITE) != INFINITE;
    if (r->saturates && finite && (bits & ~(uint64_t)SIGN) == INFINITE)
        return (bits & SIGN) | LARGEST;
    return bits;
}

/* What a fold begins with, as an element of a type; false: with its first element. */
static bool start_of(const struct ptog_reduce *r, enum ptog_dtype dtype, uint64_t *bits)
{
    bool product = r->lane == PTOG_LANE_mul;
    if (!r->from_start || !(product || r->lane == PTOG_LANE_add))
        return false;
    *bits = product;
    if (ptog_dtype_is_float(dtype))
        *bits = ptog_dtype_from_real(dtype, product);
    return true;
}

/* The bits of a number of type `from` as those of type `to`. */
static uint64_t converted(enum ptog_dtype from, enum ptog_dtype to, uint64_t bits)
{
    if (from == to)
        return bits;
    return ptog_dtype_from_real(to, ptog_dtype_to_float(from, bits));
}

/* ---- one after the other */

/* Folds a line one element after another, in the type `held`, and returns the result as bits of the reduction's type.
 */
static uint64_t in_turn(const struct ptog_reduce *r, enum ptog_dtype held, const struct ptog_line *line)
{
    uint64_t all = 0;
    bool started = start_of(r, held, &all);
    for (int64_t k = 0; k < r->count; k++) {
        uint64_t next = converted(r->dtype, held, line->at(line->where, k));
        all = started ? fold_as(r, held, all, next) : next;
        started = true;
    }
    return converted(held, r->dtype, all);
}

/* A line folded one element after another; sums and products in f64, rounded to the type in the end. */
static uint64_t fold_exactly(const struct ptog_reduce *r, const struct ptog_line *line)
{
    bool product = r->lane == PTOG_LANE_mul;
    double all = product;
    if (!ptog_dtype_is_float(r->dtype) || !(product || r->lane == PTOG_LANE_add))
        return in_turn(r, r->dtype, line);
    for (int64_t k = 0; k < r->count; k++) {
        double next = ptog_dtype_to_float(r->dtype, line->at(line->where, k));
        all = product ? all * next : all + next;
    }
    return ptog_dtype_from_real(r->dtype, all);
}

/* A line folded two elements at a time into the first. */
static uint64_t fold_twos(const struct ptog_reduce *r, const struct ptog_line *line)
{
    uint64_t all = line->at(line->where, 0);
    int64_t k = 1;
    for (; k + 1 < r->count; k += 2) { /* in this order: whoever traces is told of each element */
        uint64_t first = line->at(line->where, k), second = line->at(line->where, k + 1);
        all = fold_two(r, all, fold_two(r, first, second));
    }
    return k < r->count ? fold_two(r, all, line->at(line->where, k)) : all;
}

/* ---- in pairs: what is folded are elements first, first + step, first + 2 * step, ... */

struct pairing {
    const struct ptog_reduce *r;
    const struct ptog_line *line;
    int64_t first, step, count;
    bool odd_first;   /* where the last of an odd number goes: on the lowest level */
    bool later_first; /* ... above it */
    int64_t rest;     /* an element that joins the first pair of the lowest level; -1: none */
};

static uint64_t element_of(const struct pairing *p, int64_t i)
{
    return p->line->at(p->line->where, p->first + i * p->step);
}

/* Node `i` of level `level`: level 0 are the elements, and each level above has half as many nodes. */
static uint64_t node_of(const struct pairing *p, int level, int64_t i)
{
    if (level == 0)
        return element_of(p, i);
    int64_t below = p->count >> (level - 1), joins = below / 2 - 1;
    if (level == 1 ? p->odd_first : p->later_first)
        joins = 0;
    uint64_t first = node_of(p, level - 1, 2 * i), second = node_of(p, level - 1, 2 * i + 1);
    uint64_t bits = fold_two(p->r, first, second);
    if (below % 2 == 1 && i == joins)
        bits = fold_two(p->r, bits, node_of(p, level - 1, below - 1));
    if (level == 1 && i == 0 && p->rest >= 0)
        bits = fold_two(p->r, bits, p->line->at(p->line->where, p->rest));
    return bits;
}

static uint64_t in_pairs(const struct pairing *p)
{
    int top = 0;
    while (p->count >> top > 1)
        top++;
    uint64_t bits = node_of(p, top, 0);
    return top == 0 && p->rest >= 0 ? fold_two(p->r, bits, p->line->at(p->line->where, p->rest)) : bits;
}

/* A line folded in pairs from its start. */
static uint64_t fold_pairs(const struct ptog_reduce *r, const struct ptog_line *line)
{
    const struct pairing p = {r, line, 0, 1, r->count, r->odd_first, r->odd_first, -1};
    uint64_t start, bits = in_pairs(&p);
    return r->count == 1 && start_of(r, r->dtype, &start) ? fold_two(r, start, bits) : bits;
}

/* ---- lanes */

/* Neighbours, then neighbours of these, until one is left. */
static uint64_t tree(const struct ptog_reduce *r, uint64_t *lanes, int64_t count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (int64_t i = 0; i < count; i += 2)
            lanes[i / 2] = i + 1 < count ? fold_lanes(r, lanes[i], lanes[i + 1]) : lanes[i];
    return lanes[0];
}

/* A line folded per lane of a repeat, then the lanes as a tree. */
static uint64_t fold_slots(const struct ptog_reduce *r, const struct ptog_line *line)
{
    uint64_t lanes[MAX_LANES];
    int64_t repeats = ptog_max(r->count / r->repeat, 1), used = ptog_min(r->count, r->repeat);
    for (int64_t lane = 0; lane < used; lane++) {
        struct pairing p = {r, line, lane, r->repeat, repeats, true, false, repeats * r->repeat + lane};
        if (p.rest >= r->count)
            p.rest = -1;
        lanes[lane] = in_pairs(&p);
    }
    return tree(r, lanes, used);
}

/* A line folded as one tree for each repeat, whose results are folded in turn. */
static uint64_t fold_trees(const struct ptog_reduce *r, const struct ptog_line *line)
{
    uint64_t lanes[MAX_LANES], all = 0;
    bool started = start_of(r, r->dtype, &all);
    for (int64_t from = 0; from < r->count; from += r->repeat) {
        int64_t used = ptog_min(r->count - from, r->repeat);
        for (int64_t lane = 0; lane < used; lane++)
            lanes[lane] = line->at(line->where, from + lane);
        uint64_t next = tree(r, lanes, used);
        all = started ? fold_two(r, all, next) : next;
        started = true;
    }
    return all;
}

/* Element k goes into lane k % width; how many lanes there are. */
static int64_t into_lanes(const struct ptog_reduce *r, const struct ptog_line *line, int64_t width, uint64_t *lanes)
{
    for (int64_t k = 0; k < r->count; k++) {
        uint64_t next = line->at(line->where, k);
        lanes[k % width] = k < width ? next : fold_two(r, lanes[k % width], next);
    }
    return ptog_min(r->count, width);
}

/* A line folded per lane of a 32-byte block, then the lanes in turn. */
static uint64_t fold_blocks(const struct ptog_reduce *r, const struct ptog_line *line)
{
    uint64_t lanes[MAX_LANES];
    bool wide = r->lanes_in_f32 && ptog_dtype_is_float(r->dtype);
    enum ptog_dtype held = wide ? PTOG_F32 : r->dtype;
    lanes[0] = 0; /* a line has an element, but no compiler knows that */
    int64_t used = into_lanes(r, line, ptog_c0(r->dtype), lanes);
    uint64_t all = converted(r->dtype, held, lanes[0]);
    for (int64_t lane = 1; lane < used; lane++)
        all = fold_as(r, held, all, converted(r->dtype, held, lanes[lane]));
    return converted(held, r->dtype, all);
}

/* A line folded per lane of a repeat, then the upper half of the lanes onto the lower one until one is left. */
static uint64_t fold_halves(const struct ptog_reduce *r, const struct ptog_line *line)
{
    uint64_t lanes[MAX_LANES];
    int64_t used = into_lanes(r, line, r->repeat, lanes);
    for (int64_t half = r->repeat / 2; half > 0; half /= 2) {
        for (int64_t lane = 0; lane + half < used; lane++)
            lanes[lane] = fold_two(r, lanes[lane], lanes[lane + half]);
        used = ptog_min(used, half);
    }
    return lanes[0];
}

/* 1024 elements at most: the shapes of PTOG_WHEN_FOUR_SHAPES. */
static uint64_t groups(const struct ptog_reduce *r, const struct ptog_line *line)
{
    enum { MAX_PARTS = 128 };
    uint64_t all[MAX_PARTS], eight[GROUP];
    int64_t count = r->count / GROUP;
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < GROUP; k++)
            eight[k] = line->at(line->where, i * GROUP + k);
        all[i] = tree(r, eight, GROUP);
    }
    while (count > GROUP) {
        bool by_tree = count >= 64;
        count /= by_tree ? GROUP : 2;
        for (int64_t i = 0; i < count; i++) {
            int64_t block = i / GROUP * 2 * GROUP + i % GROUP;
            all[i] = by_tree ? tree(r, &all[i * GROUP], GROUP) : fold_two(r, all[block], all[block + GROUP]);
        }
    }
    return tree(r, all, GROUP);
}

uint64_t ptog_reduce_fold(const struct ptog_reduce *r, const struct ptog_line *line)
{
    bool wide = r->in_f32 && ptog_dtype_is_float(r->dtype);
    switch (r->order) {
    case PTOG_FOLD_EXACT: return fold_exactly(r, line);
    case PTOG_FOLD_PAIRS: return fold_pairs(r, line);
    case PTOG_FOLD_TWOS: return fold_twos(r, line);
    case PTOG_FOLD_SLOTS: return fold_slots(r, line);
    case PTOG_FOLD_BLOCKS: return fold_blocks(r, line);
    case PTOG_FOLD_GROUPS: return groups(r, line);
    case PTOG_FOLD_TREES: return fold_trees(r, line);
    case PTOG_FOLD_HALVES: return fold_halves(r, line);
    case PTOG_FOLD_FIRST: return (uint64_t)ptog_reduce_written(r, ptog_reduce_find(r, line));
    default: return in_turn(r, wide ? PTOG_F32 : r->dtype, line);
    }
}
