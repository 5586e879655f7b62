/* lint: what compilers require of quantization, ReLU and clips of stores from L0C: pre_quant(%factor, mode = ...) and
 * pre_relu(%factor, mode = ..., clip = %limit). Each holds when the operation has no such clause. */
#ifndef PTOG_LINT_STORE_QUANT_H
#define PTOG_LINT_STORE_QUANT_H

#include "lint/rules.h"

/* pre_quant has a factor and a mode that there is; the factor is of the kind that the mode needs. */
bool ptog_store_quant_is_known(const struct ptog_lint_ctx *ctx);
bool ptog_store_quant_factor_fits(const struct ptog_lint_ctx *ctx);

/* The elements of operand n, 0 the source and 1 the destination, are those of the mode. */
bool ptog_store_quant_fits(const struct ptog_lint_ctx *ctx, uint32_t n);

/* Whether the mode of pre_relu is known, and whether it has the factor that it needs; some of its modes have none. */
bool ptog_store_relu_is_known(const struct ptog_lint_ctx *ctx);
bool ptog_store_relu_factor_fits(const struct ptog_lint_ctx *ctx);

/* The elements that can be clipped; whether there is a clip; whether its limit is of a type for the destination. */
#define PTOG_STORE_CLIPPED "f16 u8 i4 si4 i8 i16"
bool ptog_store_clips(const struct ptog_lint_ctx *ctx);
bool ptog_store_limit_fits(const struct ptog_lint_ctx *ctx);

#endif
