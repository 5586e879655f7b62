/* lint: what compilers require of messages between devices, of prefetches and maintenance of the cache, and of barriers
 * of all cores. Views of earlier compilers were memrefs, too: of those little is required here. */
#include "lint/clauses.h"

#include "asm/types.h"
#include "base/text.h"

/* The type of argument `n`; NULL: none is written. */
static const struct ptog_type *argument(const struct ptog_lint_ctx *ctx, uint32_t n)
{
    return ptog_lint_type(ctx, (struct ptog_lint_operand){PTOG_LINT_ARGS, n});
}

static bool is_kind(const struct ptog_type *type, enum ptog_type_kind kind)
{
    return type && type->kind == kind;
}

static bool is_memref(const struct ptog_type *type)
{
    return is_kind(type, PTOG_TYPE_MEMREF) || is_kind(type, PTOG_TYPE_PTO_MEMREF);
}

/* ---- views of global memory */

/* A view whose extents its type tells. */
static bool is_view(const struct ptog_type *type)
{
    return (is_kind(type, PTOG_TYPE_TENSOR_VIEW) || is_kind(type, PTOG_TYPE_PARTITION_VIEW)) && !type->elided;
}

/* Surely no view: a number, a pointer, a tile. */
static bool is_other(const struct ptog_type *type)
{
    return is_kind(type, PTOG_TYPE_SCALAR) || is_kind(type, PTOG_TYPE_PTR) || (type && ptog_type_is_tile(type));
}

/* No extent of the view is 0, and none is '?' unless it may be. Extents with names are those of manuals. */
static bool extents_fit(const struct ptog_type *type, bool open)
{
    bool fit = true;
    for (uint32_t i = 0; is_view(type) && i < type->rank; i++) {
        const struct ptog_extent *extent = &type->dims[i];
        if (extent->name == 0)
            fit = fit && (extent->value > 0 || (extent->value == PTOG_DYN && open));
    }
    return fit;
}

static bool is_static_view(const struct ptog_type *type)
{
    return !is_other(type) && extents_fit(type, false);
}

/* Of an exchange of two devices: only a part of a view may have extents that a run decides. */
static bool is_exchanged(const struct ptog_type *type)
{
    return !is_other(type) && extents_fit(type, is_kind(type, PTOG_TYPE_PARTITION_VIEW));
}

/* All extents but the last are 1, and the last one is written; of memrefs, too. */
static bool is_flat(const struct ptog_type *type)
{
    bool flat = !is_other(type), has_extents = is_view(type) || (is_memref(type) && !type->elided);
    for (uint32_t i = 0; has_extents && i < type->rank; i++) {
        const struct ptog_extent *extent = &type->dims[i];
        bool last = i + 1 == type->rank;
        if (extent->name == 0)
            flat = flat && (extent->value == 1 || (last && extent->value != PTOG_DYN));
    }
    return flat;
}

/* Both views have the same extents; '?' is the same as '?' alone. */
static bool have_same_extents(const struct ptog_type *x, const struct ptog_type *y)
{
    if (!is_view(x) || !is_view(y))
        return true;
    bool same = x->rank == y->rank;
    for (uint32_t i = 0; same && i < x->rank; i++)
        same = x->dims[i].name != 0 || y->dims[i].name != 0 || x->dims[i].value == y->dims[i].value;
    return same;
}

/* ---- buffers and groups */

/* What buf(...) or recv(...) holds are tiles in UB. */
static bool buffers_lie(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "buf recv");
    for (uint32_t i = 0; i < clause.count; i++) {
        const struct ptog_type *type = ptog_clause_type_at(ctx, &clause, i);
        bool known = type && ptog_type_is_tile(type) && !type->elided && type->field[PTOG_FIELD_LOC].name == 0;
        if (known && type->field[PTOG_FIELD_LOC].value != (int64_t)PTOG_VEC)
            return false;
        if (is_view(type) || is_kind(type, PTOG_TYPE_SCALAR) || is_kind(type, PTOG_TYPE_PTR))
            return false;
    }
    return true;
}

/* The values of a clause have one type. */
static bool have_one_type(const struct ptog_lint_ctx *ctx, const char *words)
{
    struct ptog_clause clause = ptog_clause_of(ctx, words);
    for (uint32_t i = 1; i < clause.count; i++) {
        const struct ptog_type *first = ptog_clause_type_at(ctx, &clause, 0);
        const struct ptog_type *type = ptog_clause_type_at(ctx, &clause, i);
        if (first && type && (!ptog_types_agree(first, type) || !have_same_extents(first, type)))
            return false;
    }
    return true;
}

/* The type of the first value of a clause; NULL when it is not known. */
static const struct ptog_type *first_type(const struct ptog_lint_ctx *ctx, const char *words)
{
    struct ptog_clause clause = ptog_clause_of(ctx, words);
    return ptog_clause_type(ctx, &clause, ptog_clause_plain(&clause));
}

/* The sum of a reduction is a tile like those that receive. */
static bool sum_fits(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *sum = argument(ctx, 1), *tile = first_type(ctx, "recv");
    return !sum || !tile || ptog_types_agree(sum, tile);
}

/* Its elements are those of another type, or one of the two is not known. */
static bool has_elements_of(const struct ptog_lint_ctx *ctx, const struct ptog_type *type,
                            const struct ptog_type *other)
{
    const char *element = ptog_type_element_name(ctx, other);
    return !element || ptog_type_holds(ctx, type, element);
}

/* Whether the clause group lists at least one view, each of static extents; holds without the clause. */
static bool group_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "group");
    if (!clause.word)
        return true;
    bool fits = clause.count > 0;
    for (uint32_t i = 0; fits && i < clause.count; i++)
        fits = is_static_view(ptog_clause_type_at(ctx, &clause, i));
    return fits;
}

static bool root_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "group");
    if (clause.count == 0)
        return true;
    return ptog_lint_number(ctx, "root", 0, (int64_t)clause.count - 1);
}

/* ---- workspaces */

/* In global memory, as far as the type tells. */
static bool lies_in_gm(const struct ptog_lint_ctx *ctx, const struct ptog_type *type)
{
    bool tile = type && ptog_type_is_tile(type);
    return !tile && !is_kind(type, PTOG_TYPE_SCALAR) && ptog_type_lies(ctx, type, "gm");
}

/* A soft syncall of earlier compilers had workspaces in UB and L1 besides the one in global memory. */
static bool has_old_workspaces(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *second = argument(ctx, 1);
    uint32_t count = ptog_lint_count(ctx, PTOG_LINT_ARGS);
    return count > 2 || (second && (ptog_type_is_tile(second) || is_memref(second)));
}

/* A view of at least so many elements, none of its extents below 1; holds for what tells no size. */
static bool has_room(const struct ptog_type *type, int64_t least)
{
    int64_t room = 1;
    for (uint32_t i = 0; is_view(type) && i < type->rank; i++) {
        const struct ptog_extent *extent = &type->dims[i];
        if (extent->name != 0 || extent->value == PTOG_DYN || room >= least)
            room = least;
        else
            room *= extent->value < least ? extent->value : least;
    }
    return !is_view(type) || (room >= least && extents_fit(type, true));
}

/* The place that `all #pto.address_space<...>` names, after a bare word. */
static bool cleans_gm(const struct ptog_lint_ctx *ctx)
{
    for (uint32_t i = 0; i < ctx->op->part_count; i++) {
        const struct ptog_part *part = &ctx->op->parts[i];
        const struct ptog_item *item = part->kind == PTOG_PART_ITEMS && part->count == 1 ? part->items : NULL;
        if (item && item->kind == PTOG_ITEM_ATTR)
            return ptog_word_listed(ptog_tree_text(ctx->tree, item->value), "gm zero");
    }
    return true;
}

#define CLAUSE(words) ptog_clause_span(ctx, words)
#define SOFT WORD("mode", "soft")

#define LINT_TABLE "spec/lint_comm.def"
#define LINT_NAME comm
#include "lint/rule_table.h"
