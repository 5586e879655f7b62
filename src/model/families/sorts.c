/* model: sorts: which groups of a row are sorted on a target, and the order of pairs. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/families/sorts.h"

#include "model/families/merges.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target.h"

#define MAX_REPEATS 255 /* groups that one vector instruction sorts */

/* The form of a sort or merge: of groups of 32, of the runs of one tile, or of two to four lists. */
enum ptog_form ptog_sorts_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target;
    if (insn->opcode == PTOG_TSORT32)
        return PTOG_FORM_SORT_32;
    if (ptog_merge_is_runs(insn))
        return PTOG_FORM_MERGE_RUNS;
    if (insn->of[PTOG_MERGE_LIST + 2].kind != PTOG_IS_TILE)
        return PTOG_FORM_MERGE_2;
    return insn->of[PTOG_MERGE_LIST + 3].kind == PTOG_IS_TILE ? PTOG_FORM_MERGE_4 : PTOG_FORM_MERGE_3;
}

static int64_t count_groups(int64_t cols)
{
    return (cols + PTOG_SORT_GROUP - 1) / PTOG_SORT_GROUP;
}

/* The CPU simulator sorts nothing unless idx has the valid shape of src, and writes f16 as close as f32. */
void ptog_sort32_start(struct ptog_sort32 *s, const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_SORT_DST].tile, *src = &insn->of[PTOG_SORT_SRC].tile,
                           *idx = &insn->of[PTOG_SORT_IDX].tile;
    bool cpu = known->target->cpu_threads;
    *s = (struct ptog_sort32){.dtype = src->dtype, .rows = dst->valid_row, .cols = src->valid_col, .by_index = cpu};
    s->groups = count_groups(s->cols);
    s->pair = PTOG_PAIR_BYTES / (int64_t)ptog_dtype_size(src->dtype);
    s->step = PTOG_SORT_GROUP * s->pair;
    s->pads = !cpu;
    if (!cpu)
        return;
    s->step = 2 * PTOG_SORT_GROUP;
    s->rows = src->valid_row;
    if (idx->valid_row != src->valid_row || idx->valid_col != src->valid_col)
        s->rows = 0;
}

int64_t ptog_sort32_index_row(const struct ptog_insn *insn, int64_t r)
{
    return insn->of[PTOG_SORT_IDX].tile.valid_row == 1 ? 0 : r;
}

/* ---- numbers in order */

static uint64_t infinity_of(enum ptog_dtype dtype)
{
    return dtype == PTOG_F16 ? 0x7c00 : 0x7f800000;
}

uint64_t ptog_pair_pad(enum ptog_dtype dtype)
{
    return dtype == PTOG_F16 ? 0xfe00 : 0xffc00000;
}

/* A float without its sign, read as an integer, keeps the order of floats. All NaN of a sign are equal. */
int64_t ptog_pair_rank(enum ptog_dtype dtype, uint64_t bits)
{
    uint64_t sign = ptog_dtype_sign_bit(dtype), size = bits & (sign - 1);
    int64_t rank = (int64_t)ptog_min(size, infinity_of(dtype) + 1);
    return bits & sign ? -rank : rank;
}

bool ptog_pair_is_nan(enum ptog_dtype dtype, const struct ptog_pair *pair)
{
    return (pair->bits & (ptog_dtype_sign_bit(dtype) - 1)) > infinity_of(dtype);
}

uint64_t ptog_pair_element(enum ptog_dtype dtype, const struct ptog_pair *pair, int64_t e)
{
    if (e == 0)
        return pair->bits;
    if (dtype == PTOG_F32)
        return pair->index;
    if (e == 1)
        return 0;
    return e == 2 ? pair->index & 0xffff : pair->index >> 16;
}

/* ---- groups */

static bool comes_after(const struct ptog_sort32 *s, const struct ptog_pair *a, const struct ptog_pair *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return s->by_index && a->index > b->index;
}

/* By insertion, which keeps the order of equal ones: there are at most 32. */
static void insert_pair(const struct ptog_sort32 *s, struct ptog_pair *pairs, int count, struct ptog_pair pair)
{
    int at = count;
    for (; at > 0 && comes_after(s, &pairs[at - 1], &pair); at--)
        pairs[at] = pairs[at - 1];
    pairs[at] = pair;
}

int ptog_sort32_group(const struct ptog_sort32 *s, const struct ptog_pair_source *from, int64_t r, int64_t g,
                      struct ptog_pair pairs[PTOG_SORT_GROUP], bool *readable)
{
    int64_t first = g * PTOG_SORT_GROUP, valid = ptog_min(s->cols - first, (int64_t)PTOG_SORT_GROUP);
    int count = (int)(s->pads ? PTOG_SORT_GROUP : valid);
    for (int k = 0; k < count; k++) {
        struct ptog_pair pair = {.bits = ptog_pair_pad(s->dtype), .column = first + k};
        uint64_t index = 0;
        if (k < valid && !from->number(from->where, r, pair.column, &pair.bits))
            *readable = false;
        if (!from->index(from->where, r, pair.column, &index))
            *readable = false;
        pair.index = (uint32_t)index;
        pair.rank = ptog_pair_rank(s->dtype, pair.bits);
        insert_pair(s, pairs, k, pair);
    }
    return count;
}

/* ---- what the libraries of machines need */

/* Rows of up to 255 groups are copied to tmp whole: A5 counts bytes there, and A2/A3 elements. */
static bool is_copied_whole(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols)
{
    int64_t most = MAX_REPEATS * PTOG_SORT_GROUP;
    if (target->machine == PTOG_MACHINE_SIMT)
        return cols * (int64_t)ptog_dtype_size(dtype) <= most;
    return cols <= most;
}

int64_t ptog_sort32_tmp(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols)
{
    if (cols % PTOG_SORT_GROUP == 0 || target->machine == PTOG_NO_MACHINE)
        return 0;
    return is_copied_whole(target, dtype, cols) ? count_groups(cols) * PTOG_SORT_GROUP : PTOG_SORT_GROUP;
}

bool ptog_sort32_loses_groups(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols)
{
    int64_t groups = count_groups(cols);
    bool tail = cols % PTOG_SORT_GROUP != 0;
    if (target->machine == PTOG_NO_MACHINE || groups % MAX_REPEATS != 0)
        return false;
    return tail ? !is_copied_whole(target, dtype, cols) : groups > MAX_REPEATS;
}
