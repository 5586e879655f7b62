/* model: numbers as elements of other types: tcvt, and casts.
 *
 *   float to integer    round to a whole number by the mode, then clamp (saturation ON) or keep the low bits (OFF)
 *   float to float      round to the type's mantissa by the mode; too large: the largest number (ON) or infinity (OFF)
 *   integer to float    the same
 *   integer to integer  clamp (ON) or keep the low bits (OFF)
 *
 *   pairs               both numbers of a byte become elements of their own, or two elements become a byte
 *
 * The CPU simulator does it with casts of C++; spec/conversions.def says what else differs between targets. */
#ifndef PTOG_MODEL_CONVERT_H
#define PTOG_MODEL_CONVERT_H

#include "model/dtype.h"
#include "model/insn.h"

struct ptog_conversion {
    enum ptog_dtype from, to;
    enum ptog_round round; /* the mode that is in effect */
    bool saturates;
    bool by_cast;       /* as C++ does it on x86 */
    bool through_int32; /* clamped to that first */
};

/* Of a resolved tcvt on a target. */
void ptog_conversion_start(struct ptog_conversion *c, const struct ptog_target *target, const struct ptog_insn *insn);

/* The bits of a number in its new type. */
uint64_t ptog_convert(const struct ptog_conversion *c, uint64_t bits);

/* Elements of dst or of the source hold two numbers, and those of the other tile one. */
static inline bool ptog_conversion_packs(const struct ptog_conversion *c)
{
    return ptog_dtype_numbers(c->to) > ptog_dtype_numbers(c->from);
}
static inline bool ptog_conversion_unpacks(const struct ptog_conversion *c)
{
    return ptog_dtype_numbers(c->to) < ptog_dtype_numbers(c->from);
}

/* The bits of the element of dst in column `c`: of one element of the source, or, for a pair, of two that lie one
 * after the other in `bits`. */
uint64_t ptog_convert_element(const struct ptog_conversion *conversion, uint64_t bits, int64_t c);

/* The target converts between these types. */
bool ptog_converts(const struct ptog_target *target, enum ptog_dtype from, enum ptog_dtype to);

/* Types between which C++ kernels do not saturate unless they say so, and a2a3 can do without saturation and tmp. */
bool ptog_conversion_narrows(enum ptog_dtype from, enum ptog_dtype to);

/* dst may lie where src does: elements move towards the first one, and are read before they are overwritten. */
bool ptog_conversion_narrows_in_place(const struct ptog_tile *dst, const struct ptog_tile *src);

/* A C cast to an integer type, with what x86 gives where C leaves it open: the lowest int32_t or int64_t for what does
 * not fit, cut to the type. Bits above the type are undefined. */
uint64_t ptog_cast_as_x86(enum ptog_dtype to, double value);

#endif
