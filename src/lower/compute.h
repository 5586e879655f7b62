/* lower: what scalar operations compute, for the walk that folds constants and for the run. Integers have a width and
 * wrap, and are kept sign-extended from it; index has 64 bits. Floating-point numbers are computed in double and
 * rounded once to their type: for + - * / of f32 and smaller types that is the IEEE result. */
#ifndef PTOG_LOWER_COMPUTE_H
#define PTOG_LOWER_COMPUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "asm/tree.h"

uint64_t ptog_low_bits(int64_t value, unsigned width);
int64_t ptog_sign_extend(uint64_t bits, unsigned width);

/* An operation of arith on two integers, by its name: *out. Returns NULL, or why there is no result. */
const char *ptog_compute_integers(ptog_symbol name, int64_t a, int64_t b, unsigned width, int64_t *out);

/* An operation on two floating-point numbers. */
double ptog_compute_reals(ptog_symbol name, double a, double b);

/* arith.cmpi and arith.cmpf, whose predicates have MLIR's numbers. */
bool ptog_compare_integers(int predicate, int64_t a, int64_t b, unsigned width);
bool ptog_compare_reals(int predicate, double a, double b);
#define PTOG_REAL_PREDICATES 16

/* A number without its fraction as an integer of that width: false when it does not fit, which LLVM leaves open. */
bool ptog_integer_of_real(double value, unsigned width, bool is_signed, int64_t *out);

/* An integer as a double that rounds to any smaller type as the integer itself would. */
double ptog_real_of_integer(int64_t value, unsigned width, bool is_signed);

#endif
