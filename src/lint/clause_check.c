/* lint: what stands in a simulated operation besides its operands. What the operation does not accept would be ignored,
 * and its author would not know: a misspelled clause, a second list of types, a type too many. */
#include "asm/insn_words.h"
#include "asm/op_parts.h"
#include "base/nearest.h"
#include "base/pick.h"
#include "lint/lint.h"

enum clause_place { CLAUSE, ATTR, INDEXED };

static const struct accepted_clause {
    ptog_symbol op;
    enum clause_place place;
    const char *word;
} accepted[] = {
#define ACCEPTS_CLAUSE(NAME, place, word) {PTOG_OP_NAME_##NAME, place, word},
#include "spec/ops.def"
#define ACCEPTS_CLAUSE(NAME, place, word) {PTOG_OP_NAME_##NAME, place, word},
#include "spec/names.def"
};
#define COUNT (sizeof accepted / sizeof accepted[0])

/* Whether the operation accepts the word there; else the one that was probably meant is `nearest`. */
static bool is_accepted(const struct ptog_lint_ctx *ctx, enum clause_place place, ptog_symbol word,
                        struct ptog_nearest *nearest)
{
    ptog_symbol op = ctx->op->name;
    for (size_t i = 0; i < COUNT; i++)
        if (accepted[i].op == op && accepted[i].place == place && ptog_tree_is(ctx->tree, word, accepted[i].word))
            return true;
    ptog_nearest_start(nearest, ptog_tree_text(ctx->tree, word), ptog_symbol_length(&ctx->tree->symbols, word));
    for (size_t i = 0; i < COUNT; i++)
        if (accepted[i].op == op && accepted[i].place == place)
            ptog_nearest_offer(nearest, accepted[i].word);
    return false;
}

/* Whether operand n of the operation may be %x[...]. */
static bool is_indexed(const struct ptog_op *op, uint32_t n)
{
    for (size_t i = 0; i < COUNT; i++)
        if (accepted[i].op == op->name && accepted[i].place == INDEXED &&
            accepted[i].word[0] == '0' + (char)ptog_min(n, 9))
            return true;
    return false;
}

/* ---- clauses */

static void say_not_accepted(const struct ptog_lint_ctx *ctx, const struct ptog_op *op, struct ptog_span span,
                             const char *what)
{
    ptog_diag_emit(ctx->diags, "text-unknown-word", span, "'%s' does not accept %s here", ptog_op_info(op->name)->name,
                   what);
}

/* `word = value`, `word [values]` and bare words */
static void check_clause(const struct ptog_lint_ctx *ctx, const struct ptog_op *op, uint32_t n)
{
    const struct ptog_part *part = &op->parts[n];
    const char *word = ptog_tree_text(ctx->tree, part->word), *name = ptog_op_info(op->name)->name;
    struct ptog_nearest nearest;
    if (op->name == PTOG_OP_NAME_CONSTANT && part->kind == PTOG_PART_WORD && n == 0)
        return; /* true and false */
    bool known = is_accepted(ctx, CLAUSE, part->word, &nearest);
    if (!known && nearest.best)
        ptog_diag_emit(ctx->diags, "text-unknown-word", part->span, "'%s' has no attribute '%.80s', did you mean '%s'?",
                       name, word, nearest.best);
    else if (!known)
        ptog_diag_emit(ctx->diags, "text-unknown-word", part->span, "'%s' does not accept '%.80s' here", name, word);
    for (uint32_t i = 0; known && i < n; i++)
        if (op->parts[i].word == part->word)
            ptog_diag_emit(ctx->diags, "text-duplicate", part->span, "'%s' is given twice", word);
}

/* ---- attributes */

/* A generic form may also say how many operands each group has. */
static void check_attrs(const struct ptog_lint_ctx *ctx, const struct ptog_part *dict)
{
    for (uint32_t i = 0; i < dict->count; i++) {
        const struct ptog_entry *entry = &dict->entries[i];
        const char *key = ptog_tree_text(ctx->tree, entry->key);
        struct ptog_nearest nearest;
        if (is_accepted(ctx, ATTR, entry->key, &nearest) || entry->key == PTOG_WORD_operandSegmentSizes)
            continue;
        if (nearest.best)
            ptog_diag_emit(ctx->diags, "text-unknown-key", entry->key_span,
                           "unknown attribute '%.80s' is ignored, did you mean '%s'?", key, nearest.best);
        else
            ptog_diag_emit(ctx->diags, "text-unknown-key", entry->key_span, "unknown attribute '%.80s' is ignored",
                           key);
    }
}

/* ---- operands */

/* overflow<nsw> and its like tell the compiler something and change nothing */
static bool is_flags(const struct ptog_part *part)
{
    return part->kind == PTOG_PART_ITEMS && part->count == 1 && part->items[0].kind == PTOG_ITEM_RAW;
}

/* A map has its arguments in brackets after it, and a condition the values that go with it. */
static bool has_two_lists(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_AFFINE_APPLY || op->name == PTOG_OP_NAME_SCF_CONDITION;
}

/* Reports values with [...] where the operation does not take an index. */
static void check_indexed(const struct ptog_lint_ctx *ctx, const struct ptog_op *op, const struct ptog_item *items,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].kind == PTOG_ITEM_ARRAY)
            check_indexed(ctx, op, items[i].items, items[i].count);
        if (items[i].kind == PTOG_ITEM_VALUE && items[i].called && !is_indexed(op, i))
            ptog_diag_emit(ctx->diags, "text-operand", items[i].span, "'%s' expects %%%.80s without [...]",
                           ptog_op_info(op->name)->name, ptog_tree_text(ctx->tree, items[i].name));
    }
}

/* ---- types */

/* Reports the first type of a part that is one too many for its values. */
static void check_type_count(const struct ptog_lint_ctx *ctx, const struct ptog_op *op, const struct ptog_part *part,
                             uint64_t values)
{
    uint64_t types = 0;
    for (uint32_t i = 0; i < part->type_count; i++) {
        types += part->types[i].type->kind != PTOG_TYPE_STRING;
        if (types <= values)
            continue;
        ptog_diag_emit(ctx->diags, "text-operands", part->types[i].span, "'%s' has %u type%s for %u value%s here",
                       ptog_op_info(op->name)->name, (unsigned)part->type_count, ptog_plural(part->type_count),
                       (unsigned)values, ptog_plural(values));
        return;
    }
}

static uint64_t result_count(const struct ptog_op *op)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < op->result_count; i++)
        count += ptog_max(op->results[i].number, 1);
    return count;
}

/* Types after ':' are the operands', with what stands in their brackets, or the results' when there are more. */
static uint64_t typed_values(const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    uint64_t count = operands.count, results = result_count(op);
    for (uint32_t i = 0; i < operands.count; i++)
        count += operands.items[i].called ? operands.items[i].count : 0;
    return ptog_max(count, results);
}

/* ---- all of it */

/* Reports part `n` of an operation when the operation does not accept it, or has it twice (`again`). */
static void check_part(const struct ptog_lint_ctx *ctx, const struct ptog_op *op, uint32_t n, bool again)
{
    const struct ptog_part *part = &op->parts[n];
    struct ptog_nearest nearest;
    switch (part->kind) {
    case PTOG_PART_KEY:
    case PTOG_PART_WORD: check_clause(ctx, op, n); break;
    case PTOG_PART_DICT:
        if (part->word != 0)
            say_not_accepted(ctx, op, part->span, "'attributes'");
        else
            check_attrs(ctx, part);
        break;
    case PTOG_PART_CLAUSE:
        if (!is_accepted(ctx, CLAUSE, part->word, &nearest))
            say_not_accepted(ctx, op, part->span, "ins and outs");
        break;
    case PTOG_PART_REGION:
        if (again || ptog_op_info(op->name)->kind != PTOG_KIND_BLOCK)
            say_not_accepted(ctx, op, part->span, "region");
        break;
    case PTOG_PART_TYPES:
    case PTOG_PART_ARROW:
    case PTOG_PART_TO:
        if (again)
            say_not_accepted(ctx, op, part->span, "second list of types");
        else if (!has_two_lists(op) && (part->kind == PTOG_PART_TYPES || op->result_count > 0))
            check_type_count(ctx, op, part, part->kind == PTOG_PART_TYPES ? typed_values(op) : result_count(op));
        break;
    default:
        if (again && !is_flags(part) && !has_two_lists(op))
            ptog_diag_emit(ctx->diags, "text-operands", part->span, "a ',' may be missing between the operands of '%s'",
                           ptog_op_info(op->name)->name);
        break;
    }
}

/* The kind of a part as far as one of it is enough: operands in any brackets are one, results after '->' or 'to'
 * another. */
static uint32_t clause_kind(const struct ptog_part *part)
{
    switch (part->kind) {
    case PTOG_PART_LIST:
    case PTOG_PART_PARENS: return PTOG_PART_ITEMS;
    case PTOG_PART_TO: return PTOG_PART_ARROW;
    default: return part->kind;
    }
}

/* Reports the parts that an operation without a table of its own does not accept, or has twice. */
static void check_parts(const struct ptog_lint_ctx *ctx, const struct ptog_op *op)
{
    uint32_t seen = 0; /* a bit for each kind */
    for (uint32_t i = 0; i < op->part_count; i++) {
        uint32_t kind = 1u << clause_kind(&op->parts[i]);
        check_part(ctx, op, i, seen & kind);
        seen |= kind;
    }
}

bool ptog_lint_type_counts(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_op *op = ctx->op;
    size_t errors = ctx->diags->errors;
    check_type_count(ctx, op, op->ins, op->ins->count);
    check_type_count(ctx, op, op->outs, op->outs->count);
    return ctx->diags->errors == errors;
}

/* Tails of types, which name tensors where there are some, are all that the parser leaves besides clauses. */
static void check_tile(const struct ptog_lint_ctx *ctx, const struct ptog_op *op)
{
    if (op->attrs)
        check_attrs(ctx, op->attrs);
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_KEY || op->parts[i].kind == PTOG_PART_WORD)
            check_clause(ctx, op, i);
}

bool ptog_lint_clauses(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_op *op = ctx->op;
    enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
    size_t errors = ctx->diags->errors;
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind <= PTOG_PART_WORD)
            check_indexed(ctx, op, op->parts[i].items, op->parts[i].count);
    if (kind == PTOG_KIND_TILE || kind == PTOG_KIND_STORE)
        check_tile(ctx, op);
    else if (kind == PTOG_KIND_PLAIN || kind == PTOG_KIND_BLOCK)
        check_parts(ctx, op);
    return ctx->diags->errors == errors;
}
