/* lint: quantization, ReLU and clips of stores from L0C, by the clauses pre_quant and pre_relu. */
#include "lint/store_quant.h"

#include "base/text.h"
#include "lint/clauses.h"

/* The word after `mode =`; 0 when there is none. */
static ptog_symbol mode_of(const struct ptog_lint_ctx *ctx, const char *words)
{
    struct ptog_clause clause = ptog_clause_of(ctx, words);
    const struct ptog_item *mode = ptog_clause_key(ctx, &clause, "mode");
    if (mode && mode->kind == PTOG_ITEM_WORD)
        return mode->name;
    return 0;
}

/* ---- quantization and ReLU */

#define EIGHT_BIT_REALS "f8e4m3 f8e5m2 hif8 !pto.hif8x2 f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2FNUZ"

/* The modes of pre_quant: the elements of the source and those of the destination. A name that is not whole ends in
 * _vec or _scalar. */
static const struct quant_mode {
    const char *name, *from, *to;
    bool whole;
} quant_modes[] = {
    {"f32_f16", "f32", "f16", true},
    {"f32_bf16", "f32", "bf16", true},
    {"qf322hif8_pre", "f32", EIGHT_BIT_REALS, false},
    {"qf322hif8_pre_hybrid", "f32", EIGHT_BIT_REALS, false},
    {"qf322fp8_pre", "f32", EIGHT_BIT_REALS, false},
    {"qf322f32_pre", "f32", "f32", false},
    {"qf322f16_pre", "f32", "f16", false},
    {"qf322bf16_pre", "f32", "bf16", false},
    {"qf322b8_pre", "f32", "i8 u8", false},
    {"qf322s4_pre", "f32", "i4 si4", false},
    {"qf162b8_pre", "f32", "i8 u8", false},
    {"qf162s4_pre", "f32", "i4 si4", false},
    {"qf162s16_pre", "i32", "i16", false},
    {"qs322bf16_pre", "i32", "bf16", false},
    {"deqs32_int", "i32", "i32 u32", false},
    {"deqs16", "i32", "i16", false},
    {"deqf16", "i32", "f16", false},
    {"req8", "i32", "i8 u8", false},
    {"req4", "i32", "i4 si4", false},
};

/* NULL when the mode is none of the table. *vector tells whether its factor is a vector. */
static const struct quant_mode *quant_mode_of(const struct ptog_lint_ctx *ctx, bool *vector)
{
    ptog_symbol mode = mode_of(ctx, "pre_quant");
    for (size_t i = 0; i < sizeof quant_modes / sizeof quant_modes[0]; i++) {
        const struct quant_mode *known = &quant_modes[i];
        *vector = !known->whole && ptog_tree_is_joined(ctx->tree, mode, known->name, "_vec");
        bool scalar = !known->whole && ptog_tree_is_joined(ctx->tree, mode, known->name, "_scalar");
        if (*vector || scalar || (known->whole && ptog_tree_is(ctx->tree, mode, known->name)))
            return known;
    }
    *vector = false;
    return NULL;
}

bool ptog_store_quant_is_known(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "pre_quant");
    bool vector, mode = ptog_tree_is(ctx->tree, mode_of(ctx, "pre_quant"), "no_convert") || quant_mode_of(ctx, &vector);
    return !clause.word || (mode && ptog_item_is_value(ptog_clause_plain(&clause)));
}

bool ptog_store_quant_fits(const struct ptog_lint_ctx *ctx, uint32_t n)
{
    bool vector;
    const struct quant_mode *mode = quant_mode_of(ctx, &vector);
    const struct ptog_type *type = ptog_lint_type(ctx, (struct ptog_lint_operand){PTOG_LINT_ARGS, n});
    return !mode || ptog_type_holds(ctx, type, n == 0 ? mode->from : mode->to);
}

/* The factor of a clause: a vector of them lies in the scaling buffer, a single one is a scalar. */
static bool factor_fits(const struct ptog_lint_ctx *ctx, const char *clause_word, bool vector)
{
    struct ptog_clause clause = ptog_clause_of(ctx, clause_word);
    const struct ptog_type *type = ptog_clause_type(ctx, &clause, ptog_clause_plain(&clause));
    if (!type || type->kind == PTOG_TYPE_RAW)
        return true;
    bool kind = type->kind == (vector ? PTOG_TYPE_PTR : PTOG_TYPE_SCALAR);
    return kind && ptog_type_holds(ctx, type, "f16 bf16 f32") && (!vector || ptog_type_lies(ctx, type, "scaling"));
}

bool ptog_store_quant_factor_fits(const struct ptog_lint_ctx *ctx)
{
    bool vector;
    return !quant_mode_of(ctx, &vector) || factor_fits(ctx, "pre_quant", vector);
}

bool ptog_store_relu_is_known(const struct ptog_lint_ctx *ctx)
{
    return !ptog_clause_has(ctx, "pre_relu") ||
           ptog_tree_is_listed(ctx->tree, mode_of(ctx, "pre_relu"), "no_relu normal_relu scalar_relu vector_relu");
}

bool ptog_store_relu_factor_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "pre_relu");
    ptog_symbol mode = mode_of(ctx, "pre_relu");
    const struct ptog_item *factor = ptog_clause_plain(&clause);
    if (ptog_tree_is_listed(ctx->tree, mode, "no_relu normal_relu"))
        return !factor;
    if (ptog_tree_is_listed(ctx->tree, mode, "scalar_relu vector_relu"))
        return ptog_item_is_value(factor) && factor_fits(ctx, "pre_relu", ptog_tree_is(ctx->tree, mode, "vector_relu"));
    return true;
}

/* ---- clips */

static const struct ptog_type *destination_of(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_type(ctx, (struct ptog_lint_operand){PTOG_LINT_ARGS, 1});
}

bool ptog_store_clips(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "pre_relu");
    return ptog_clause_key(ctx, &clause, "clip") != NULL;
}

/* Whether the limit of a clip has a type that the destination takes; holds where that takes no clip at all. */
bool ptog_store_limit_fits(const struct ptog_lint_ctx *ctx)
{
    struct ptog_clause clause = ptog_clause_of(ctx, "pre_relu");
    const struct ptog_type *limit = ptog_clause_type(ctx, &clause, ptog_clause_key(ctx, &clause, "clip"));
    const struct ptog_type *destination = destination_of(ctx);
    const char *element = ptog_type_element_name(ctx, destination);
    if (!element || !ptog_word_listed(element, PTOG_STORE_CLIPPED))
        return true;
    if (destination->element.dtype == PTOG_F16)
        return ptog_type_holds(ctx, limit, "f16");
    if (destination->element.dtype == PTOG_U8)
        return ptog_type_holds(ctx, limit, "i16 u16");
    return ptog_type_holds(ctx, limit, "i4 si4 i8 i16");
}
