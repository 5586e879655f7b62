/* tool: why two targets differ, if no gather explains it: each other instruction is run on both with the same operands,
 * and the first element that differs is looked at. Transfers are judged by what their targets say of padding. Sums that
 * differ as much as their order allows are remembered: they are the reason if there is no other. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "compare_why.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compare_close.h"
#include "compare_sums.h"

/* Instructions that targets do in ways of their own, and the erratum that says how. */
static const struct {
    enum ptog_opcode opcode;
    const char *erratum, *because;
} ways[] = {
    {PTOG_TCVT, "E189", "how it rounds and saturates"},
    {PTOG_TCMP, "E190", "where the bits of a mask are stored, and which are written"},
    {PTOG_TCMPS, "E190", "where the bits of a mask are stored, and which are written"},
    {PTOG_TSEL, "E190", "where the bits of a mask are stored, and which are written"},
    {PTOG_TDIVS, "E191", "how it divides"},
    {PTOG_TREM, "E191", "how it divides"},
    {PTOG_TREMS, "E191", "how it divides"},
    {PTOG_TFMOD, "E191", "how it divides"},
    {PTOG_TFMODS, "E191", "how it divides"},
    {PTOG_TPOW, "E192", "how it treats special numbers"},
    {PTOG_TPOWS, "E192", "how it treats special numbers"},
    {PTOG_TMAX, "E139", "which of a NaN and a number is larger"},
    {PTOG_TMIN, "E139", "which of a NaN and a number is larger"},
    {PTOG_TMAXS, "E139", "which of a NaN and a number is larger"},
    {PTOG_TMINS, "E139", "which of a NaN and a number is larger"},
    {PTOG_TSUBS, "E193", "how it converts the scalar"},
    {PTOG_TEXPANDS, "E193", "how far it fills"},
    {PTOG_TCI, "E193", "how it counts"},
    {PTOG_TTRI, "E193", "how far it writes"},
    {PTOG_TROWSUM, "E136", "the order of its additions"},
    {PTOG_TCOLSUM, "E136", "the order of its additions"},
    {PTOG_TROWPROD, "E136", "the order of its products"},
    {PTOG_TCOLPROD, "E136", "the order of its products"},
    {PTOG_TROWMAX, "E139", "which of a NaN and a number is larger"},
    {PTOG_TROWMIN, "E139", "which of a NaN and a number is larger"},
    {PTOG_TCOLMAX, "E139", "which of a NaN and a number is larger"},
    {PTOG_TCOLMIN, "E139", "which of a NaN and a number is larger"},
    {PTOG_TROWARGMAX, "E139", "which of a NaN and a number is larger"},
    {PTOG_TROWARGMIN, "E139", "which of a NaN and a number is larger"},
    {PTOG_TSORT32, "E234",
     "which of equal numbers comes first, where f16 pairs go, and whether the last group is filled up"},
    {PTOG_TSCATTER, "E250", "what becomes of the rest of dst, how indices are read, and how a source with padding is"},
    {PTOG_TGATHERB, "E251", "what the last block of a row becomes, and a block outside the source"},
    {PTOG_TMRGSORT, "E252", "how far dst is written"},
    {PTOG_THISTOGRAM, "E253", "what it counts"},
    {PTOG_TPARTARGMAX, "E254", "which of equal values it takes"},
    {PTOG_TPARTARGMIN, "E254", "which of equal values it takes"},
    {PTOG_TPAIRREDUCESUM, "E255", "where the sums go"},
    {PTOG_TCOLARGMAX, "E144", "how it compares, and how it rounds positions"},
    {PTOG_TCOLARGMIN, "E144", "how it compares, and how it rounds positions"},
    {PTOG_MGATHER, "E260", "which policy it applies, and what becomes of the rest of the tile"}, /* into L1 */
};

struct search {
    const struct ptog_target *of[2];
    struct compare_why *why;
    struct compare_why sum; /* the first fold that differs, but no more than its order allows */
    double slack;           /* the most that such a fold may differ by */
    bool failed;            /* out of memory */
};

/* Notes the instruction at which two targets differ, and why. */
static void note_access(struct compare_why *why, const struct ptog_access_seen *seen, const char *because,
                        const char *erratum)
{
    why->instruction = seen->name;
    why->line = seen->line;
    why->column = seen->column;
    compare_keep_author(why, seen->origin);
    why->because = because;
    if (erratum)
        compare_add_erratum(why, erratum);
}

/* ---- transfers: they are not run again */

static bool has_padding(const struct ptog_tile *tile)
{
    return tile->valid_row < tile->rows || tile->valid_col < tile->cols;
}

/* Looks whether a load or store is where the targets differ: they pad or lay out differently. */
static void look_at_transfer(struct search *search, const struct ptog_access_seen *seen)
{
    const struct ptog_target *a = search->of[0], *b = search->of[1];
    const struct ptog_tile *tile = &seen->insn->of[0].tile;
    bool loads = seen->insn->opcode == PTOG_TLOAD;
    bool pads = tile->pad != PTOG_PAD_NULL ? a->pads_blocks != b->pads_blocks : a->pads_null != b->pads_null;
    if (search->why->instruction)
        return;
    if (loads && pads && has_padding(tile))
        note_access(search->why, seen, "what a load leaves around the valid elements", "E56");
    else if (seen->insn->of[1].view.layout == PTOG_DN && a->dn_contiguous != b->dn_contiguous)
        note_access(search->why, seen, "how far apart the elements of a column are", "E70");
}

/* ---- instructions on tiles */

/* The instruction with a tmp where it was left out: one of the two targets may have to have it. */
static struct ptog_insn with_tmp(const struct ptog_insn *seen)
{
    struct ptog_insn insn = {0};
    memcpy(&insn, seen, offsetof(struct ptog_insn, of) + (size_t)seen->count * sizeof seen->of[0]);
    const struct ptog_tile *dst = &insn.of[0].tile;
    struct ptog_tile tmp = ptog_tile_vec(dst->dtype, dst->rows + 1, 2 * dst->cols);
    for (int i = 1; i < insn.count; i++)
        if (insn.of[i].kind != PTOG_IS_SCALAR && insn.of[i].tile.dtype == PTOG_DTYPE_NONE)
            ptog_insn_set_tile(&insn, i, &tmp);
    return insn;
}

/* Runs an instruction on a target, on a copy of its dst, and with this scratch memory; false when out of memory. *lanes
 * has the bytes and faults. */
static bool run_with(const struct ptog_target *target, const struct ptog_access_seen *seen, struct ptog_buf scratch,
                     struct compare_lanes *lanes)
{
    ptog_plan *plan = NULL;
    struct ptog_run run = *seen->run;
    *lanes = (struct compare_lanes){.dst = malloc(run.dst.bytes + 1), .status = PTOG_OK};
    if (!lanes->dst)
        return false;
    memcpy(lanes->dst, run.dst.data, run.dst.bytes);
    run.dst.data = lanes->dst;
    run.tmp = scratch;
    run.reference = true;
    lanes->status = ptog_plan_insn(&plan, target, seen->insn, NULL);
    if (lanes->status == PTOG_ILLEGAL) {
        struct ptog_insn insn = with_tmp(seen->insn);
        lanes->status = ptog_plan_insn(&plan, target, &insn, NULL);
    }
    if (lanes->status == PTOG_OK)
        lanes->status = ptog_plan_run(plan, &run, &lanes->fault);
    ptog_plan_free(plan);
    return true;
}

/* Runs an instruction on tiles, without scratch memory. */
static bool run_on(const struct ptog_target *target, const struct ptog_access_seen *seen, struct compare_lanes *lanes)
{
    return run_with(target, seen, (struct ptog_buf){0}, lanes);
}

/* Names why an instruction differs, where the tables know. */
static void name_cause(struct compare_why *why, enum ptog_opcode opcode)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (ways[i].opcode == opcode) {
            why->because = ways[i].because;
            compare_add_erratum(why, ways[i].erratum);
            return;
        }
}

/* One element of an instruction's dst, as the two targets give it. */
struct two_results {
    const struct ptog_access_seen *seen;
    int64_t row, col;
    const unsigned char *of[2];
};

/* Fills *why with the first element that differs, its two values, and the reason. */
static void describe_difference(struct compare_why *why, const struct two_results *e)
{
    const struct ptog_tile *dst = &e->seen->insn->of[0].tile;
    *why = (struct compare_why){.found = true, .operand = "dst", .row = e->row, .col = e->col, .has_values = true};
    why->padding = e->row >= dst->valid_row || e->col >= dst->valid_col;
    note_access(why, e->seen, NULL, NULL);
    for (int side = 0; side < 2; side++)
        compare_put_value(why->value[side], dst->dtype, e->of[side]);
    name_cause(why, e->seen->insn->opcode);
    bool infinite = isinf(compare_value(dst->dtype, e->of[0])) || isinf(compare_value(dst->dtype, e->of[1]));
    if (e->seen->insn->opcode == PTOG_TROWSUM && dst->dtype == PTOG_F16 && infinite)
        compare_add_erratum(why, "E138");
}

/* Whether this element explains a difference of two results; then the search keeps where it is. */
static bool look_at_element(struct search *search, const struct two_results *e)
{
    enum ptog_dtype dtype = e->seen->insn->of[0].tile.dtype;
    struct compare_tolerance allowed = {0};
    if (memcmp(e->of[0], e->of[1], ptog_dtype_size(dtype)) == 0)
        return false;
    bool has_indices = e->seen->insn->opcode == PTOG_TSORT32 || e->seen->insn->opcode == PTOG_TMRGSORT;
    if (has_indices) { /* half of the elements are bits, for which nothing is close */
        describe_difference(search->why, e);
        return true;
    }
    allowed.absolute =
        compare_sums_bound(search->of, e->seen->insn, e->seen->run, e->row, e->col, compare_value(dtype, e->of[0]));
    if (compare_closeness(dtype, e->of[0], e->of[1], &allowed) == COMPARE_FAR) {
        describe_difference(search->why, e);
        return true;
    }
    if (allowed.absolute > 0 && search->slack == 0)
        describe_difference(&search->sum, e);
    search->slack = fmax(search->slack, allowed.absolute);
    return false;
}

/* Finds the first element that two results of an instruction differ in. */
static void explain_results(struct search *search, const struct ptog_access_seen *seen,
                            const struct compare_lanes lanes[2])
{
    const struct ptog_tile *dst = &seen->insn->of[0].tile;
    size_t size = ptog_dtype_size(dst->dtype), end = seen->run->dst.bytes;
    for (int64_t r = 0; r < dst->rows; r++)
        for (int64_t c = 0; c < dst->cols; c++) {
            size_t at = (size_t)ptog_tile_offset(dst, r, c) * size;
            struct two_results e = {seen, r, c, {lanes[0].dst + at, lanes[1].dst + at}};
            if (at + size <= end && look_at_element(search, &e))
                return;
        }
}

/* Runs an instruction on both targets, and looks where their results differ. */
static void look_at_tiles(struct search *search, const struct ptog_access_seen *seen)
{
    struct compare_lanes lanes[2] = {{0}};
    for (int side = 0; side < 2 && !search->failed; side++)
        search->failed = !run_on(search->of[side], seen, &lanes[side]);
    if (!search->failed && compare_ran(&lanes[0]) && compare_ran(&lanes[1]))
        explain_results(search, seen, lanes);
    compare_free_lanes(&lanes[0]);
    compare_free_lanes(&lanes[1]);
}

/* Runs a gather into L1 on both targets, with scratch memory that nobody has written. Of targets that give the same tile, one may
 * still leave it in the scratch memory, and the other not. */
static void look_at_l1_gather(struct search *search, const struct ptog_access_seen *seen)
{
    const struct ptog_buf scratch = seen->run->tmp;
    unsigned char *left[2] = {malloc(scratch.bytes + 1), malloc(scratch.bytes + 1)};
    struct compare_lanes lanes[2] = {{0}};
    search->failed = !left[0] || !left[1];
    for (int side = 0; side < 2 && !search->failed; side++) {
        memset(left[side], 0xAA, scratch.bytes);
        search->failed = !run_with(search->of[side], seen, (struct ptog_buf){left[side], scratch.bytes}, &lanes[side]);
    }
    if (!search->failed && compare_ran(&lanes[0]) && compare_ran(&lanes[1])) {
        explain_results(search, seen, lanes);
        if (!search->why->found && !search->why->instruction && memcmp(left[0], left[1], scratch.bytes) != 0)
            note_access(search->why, seen, "that only one of them leaves the tile in the scratch memory", "E260");
    }
    compare_free_lanes(&lanes[0]);
    compare_free_lanes(&lanes[1]);
    free(left[0]);
    free(left[1]);
}

/* One instruction of the run: whether the targets differ there. Nothing happens after the first. */
static void look_at_access(void *user, const struct ptog_access_seen *seen)
{
    struct search *search = user;
    if (search->why->found || search->failed || !seen->insn || !seen->run)
        return;
    switch (seen->insn->opcode) {
    case PTOG_MGATHER:
        if (seen->insn->of[0].tile.loc == PTOG_MAT)
            look_at_l1_gather(search, seen);
        return;
    case PTOG_MSCATTER:
    case PTOG_TGATHER: return;
    case PTOG_TLOAD:
    case PTOG_TSTORE: look_at_transfer(search, seen); return;
    default: look_at_tiles(search, seen);
    }
}

bool compare_find_why_other_target(const ptog_program *program, const struct ptog_execution *execution,
                                   const struct ptog_target *baseline, const struct ptog_target *other,
                                   struct compare_why *why)
{
    struct search search = {.of = {baseline, other}, .why = why};
    struct ptog_gather_watch watch = {.accesses = look_at_access, .user = &search};
    struct ptog_execution meaning = *execution;
    ptog_diags *diags = ptog_diags_new();
    meaning.target = baseline;
    meaning.watch = &watch;
    enum ptog_status status = diags ? ptog_program_run(program, &meaning, diags, NULL) : PTOG_NO_MEMORY;
    ptog_diags_free(diags);
    if (!why->found && search.slack > 0) {
        *why = search.sum;
        why->slack = search.slack;
    }
    return status != PTOG_NO_MEMORY && !search.failed;
}
