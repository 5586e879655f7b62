/* model: numbers as elements of other types. */
#ifndef PTOG_MODEL_CONVERT_H
#define PTOG_MODEL_CONVERT_H

#include <stdint.h>

#include <ptog/dtype.h>

/* A C cast to an integer type, with what x86 gives where C leaves it open: the lowest int32_t or int64_t for what does
 * not fit, cut to the type. Bits above the type are undefined. */
uint64_t ptog_cast_as_x86(enum ptog_dtype to, double value);

#endif
