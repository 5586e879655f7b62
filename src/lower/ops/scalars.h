/* lower: what the files of scalar arithmetic share. Integers are kept sign-extended from their width. */
#ifndef PTOG_LOWER_SCALARS_H
#define PTOG_LOWER_SCALARS_H

#include "base/pick.h"
#include "lower/compute.h"
#include "lower/emit.h"
#include "lower/parts.h"
#include "lower/types.h"

/* ---- arith.c */

/* The scalar type where a value is used; without a type, index. */
struct ptog_scalar ptog_scalar_use(const struct ptog_eval *e, const struct ptog_type_use *use);

/* The bits of an integer type; of one that is no integer 64. The second knows floating-point types, too. */
static inline uint8_t ptog_integer_bits(struct ptog_scalar scalar)
{
    return (uint8_t)ptog_given(scalar.width, 64);
}

unsigned ptog_scalar_bits(struct ptog_scalar scalar);

/* The result of an operation: an integer of which the low `width` bits count, or the bits of a floating-point number.
 */
void ptog_define_integer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type, unsigned width,
                         struct ptog_number number);
void ptog_define_real(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type,
                      enum ptog_dtype dtype, bool known, uint64_t bits);

/* A floating-point operand; false after an error. */
bool ptog_use_real(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use, double *to,
                   bool *known);

/* Writes the record of a scalar operation with these operands. Never NULL. */
struct ptog_scalar_code *ptog_emit_scalar(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op,
                                          const struct ptog_item *items, uint32_t count);

/* What a record has to know of a result that is a number. */
static inline struct ptog_scalar_code ptog_scalar_result(const struct ptog_value *value)
{
    bool is_real = value->kind == PTOG_VALUE_REAL;
    return (struct ptog_scalar_code){.type = value->type,
                                     .width = value->width,
                                     .dtype = (uint8_t)(is_real ? value->real.dtype : PTOG_DTYPE_NONE),
                                     .is_real = is_real};
}

/* ---- cast.c */

bool ptog_op_is_cast(ptog_symbol name);
void ptog_eval_cast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands);

#endif
