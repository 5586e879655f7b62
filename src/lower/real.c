/* lower: floating-point numbers: decimal text to a double whatever the locale, and the bits of an element to its
 * value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower/real.h"
#include "model/dtype.h"

bool ptog_real_value(enum ptog_dtype dtype, uint64_t bits, double *value)
{
    if (!ptog_dtype_is_float(dtype))
        return false;
    *value = (double)ptog_dtype_to_float(dtype, bits);
    return true;
}

double ptog_real_read(const char *digits)
{
    char probe[8], local[128];
    const char *point = strchr(digits, '.');
    snprintf(probe, sizeof probe, "%.1f", 0.5);
    if (!point || probe[1] == '.' || strlen(digits) >= sizeof local)
        return strtod(digits, NULL);
    memcpy(local, digits, strlen(digits) + 1);
    local[point - digits] = probe[1];
    return strtod(local, NULL);
}
