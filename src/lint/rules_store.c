/* lint: what compilers require of the stores from L0C, pto.mte_l0c_gm, _l1 and _ub: which clauses there are, what
 * stands in them, and which of them go together. */
#include "lint/clauses.h"

#include <string.h>

#include "base/text.h"
#include "lint/store_quant.h"

/* ---- the order of the clauses */

enum { DST_MODE, UNIT_FLAG, PRE_QUANT, PRE_RELU, LAYOUT, LOOP3, SAT, ATOMIC, UNKNOWN };

/* Which kind of clause of a store it is, by its word, in the order in which they may stand; UNKNOWN: none. */
static int store_kind(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause)
{
    static const char *const words[UNKNOWN] = {"dst_mode",          "unit_flag", "pre_quant", "pre_relu",
                                               "nz2nd nz2dn nz2nz", "loop3",     "sat nosat", "atomic"};
    int kind = ctx->op->name == PTOG_OP_NAME_MTE_L0C_UB ? DST_MODE : UNIT_FLAG;
    while (kind < UNKNOWN && !ptog_tree_is_listed(ctx->tree, clause->word, words[kind]))
        kind++;
    return kind;
}

/* What a walk over the clauses looks for. */
enum odd { ODD_WORD, ODD_ORDER, ODD_TWICE };

/* The first clause that no store has, or that stands behind one that belongs after it, or that is there for the second
 * time. */
static bool find_odd(const struct ptog_lint_ctx *ctx, enum odd odd, struct ptog_clause *clause)
{
    struct ptog_clause_walk walk = {0};
    int last = DST_MODE;
    unsigned seen = 0;
    while (ptog_clause_next(ctx, &walk, clause)) {
        int kind = store_kind(ctx, clause);
        bool twice = seen >> kind & 1;
        if (kind == UNKNOWN) {
            if (odd == ODD_WORD)
                return true;
            continue;
        }
        if ((odd == ODD_ORDER && kind < last && !twice) || (odd == ODD_TWICE && twice))
            return true;
        seen |= 1u << kind;
        last = kind;
    }
    return false;
}

static bool has_odd(const struct ptog_lint_ctx *ctx, enum odd odd)
{
    struct ptog_clause clause;
    return find_odd(ctx, odd, &clause);
}

static struct ptog_span odd_span(const struct ptog_lint_ctx *ctx, enum odd odd)
{
    struct ptog_clause clause;
    if (find_odd(ctx, odd, &clause))
        return clause.span;
    return ctx->op->name_span;
}

/* ---- what stands in them */

/* A clause that is there holds one word of a list; `alone`: or nothing. */
static bool holds_word(const struct ptog_lint_ctx *ctx, const char *clause_word, const char *words, bool alone)
{
    struct ptog_clause clause = ptog_clause_of(ctx, clause_word);
    if (!clause.word || (alone && clause.count == 0))
        return true;
    return clause.count == 1 && ptog_clause_is(ctx, &clause.items[0], words);
}

/* A clause that is there holds so many values and nothing else. */
static bool holds_values(const struct ptog_lint_ctx *ctx, const char *clause_word, uint32_t least, uint32_t most)
{
    struct ptog_clause clause = ptog_clause_of(ctx, clause_word);
    bool good = !clause.word || (clause.count >= least && clause.count <= most);
    for (uint32_t i = 0; good && i < clause.count; i++)
        good = ptog_item_is_value(&clause.items[i]);
    return good;
}

static bool layout_fits(const struct ptog_lint_ctx *ctx)
{
    return holds_values(ctx, "nz2nd", 0, 0) && holds_values(ctx, "nz2dn", 1, 1) && holds_values(ctx, "nz2nz", 0, 1);
}

static bool atomic_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "atomic");
    return !clause.word || (ptog_clause_is(ctx, ptog_clause_key(ctx, &clause, "type"), "f32 f16 bf16 s8 s16 s32") &&
                            ptog_clause_is(ctx, ptog_clause_key(ctx, &clause, "op"), "add max min"));
}

/* ---- clauses that go together */

static bool is_known_store(const struct ptog_lint_ctx *ctx, const char *clause_word, int64_t *number)
{
    struct ptog_clause clause = ptog_clause_of(ctx, clause_word);
    return ptog_lint_known_number(ctx, ptog_clause_plain(&clause), number);
}

/* A unit flag goes with nz2dn only when that reads without gaps. */
static bool flag_fits(const struct ptog_lint_ctx *ctx)
{
    int64_t stride;
    return !ptog_clause_has(ctx, "unit_flag") || !is_known_store(ctx, "nz2dn", &stride) || stride == 1;
}

/* ---- two halves in UB */

/* Whether the clause dst_mode is this word. */
static bool splits(const struct ptog_lint_ctx *ctx, const char *word)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "dst_mode");
    return clause.count == 1 && ptog_clause_is(ctx, &clause.items[0], word);
}

/* dst_mode is the first clause, in the form that has clauses. */
static bool dst_mode_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause_walk walk = {0};
    struct ptog_clause clause;
    if (ctx->op->form == PTOG_OP_GENERIC)
        return true;
    if (!ptog_clause_next(ctx, &walk, &clause) || !ptog_tree_is(ctx->tree, clause.word, "dst_mode") ||
        clause.count != 1)
        return false;
    return ptog_item_is_value(&clause.items[0]) || splits(ctx, "split_m split_n");
}

static bool half_fits(const struct ptog_lint_ctx *ctx)
{
    int64_t half;
    return !is_known_store(ctx, "dst_mode", &half) || half == 0 || half == 1;
}

/* Whether extent `n` is a multiple of a number, as far as it is known. */
static bool divides(const struct ptog_lint_ctx *ctx, uint32_t n, int64_t by)
{
    int64_t extent;
    return !ptog_lint_known(ctx, n, &extent) || extent % by == 0;
}

#define CLAUSE(words) ptog_clause_span(ctx, words)
#define GIVES(words) ptog_clause_has(ctx, words)
#define LIES(operand, places) ptog_type_lies(ctx, ptog_lint_type(ctx, operand), places)

#define LINT_TABLE "spec/lint_store.def"
#define LINT_NAME store
#include "lint/rule_table.h"
