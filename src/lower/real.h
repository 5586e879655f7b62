/* lower: floating-point numbers of the text, and as bits of an element type. */
#ifndef PTOG_LOWER_REAL_H
#define PTOG_LOWER_REAL_H

#include "lower/values.h"

/* The number that the bits are; false for a type whose values are not modelled. */
bool ptog_real_value(enum ptog_dtype dtype, uint64_t bits, double *value);

/* A decimal number as the text forms write it, whatever the locale of the process is. */
double ptog_real_read(const char *digits);

#endif
