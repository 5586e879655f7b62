/* program: what the files of scalar arithmetic share. Integers are kept sign-extended from their width. */
#ifndef PTOG_PROGRAM_SCALARS_H
#define PTOG_PROGRAM_SCALARS_H

#include "base/pick.h"
#include "program/parts.h"
#include "program/types.h"

/* ---- eval_arith.c */

uint64_t ptog_low_bits(int64_t value, unsigned width);
int64_t ptog_sign_extend(uint64_t bits, unsigned width);

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

/* ---- eval_cast.c */

bool ptog_op_is_cast(ptog_symbol name);
void ptog_eval_cast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands);

#endif
