/* repair: other data for a program than its caller gave, drawn from a fixed seed. Whether a repair stores what it
 * should is seen with such data, too: with zeros everywhere many orders give the same bytes. */
#ifndef PTOG_REPAIR_INPUTS_H
#define PTOG_REPAIR_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/dtype.h>

struct ptog_eval;
struct ptog_binding;

/* Integers may be indices, counts or bounds of loops, and then only the caller's own values are known to be good. */
enum ptog_integers { PTOG_INTEGERS_RANDOM, PTOG_INTEGERS_SHUFFLED };

/* The type of what is bound, as the program reads it; PTOG_DTYPE_NONE: not known. */
enum ptog_dtype ptog_binding_dtype(const struct ptog_eval *e, const struct ptog_binding *binding);

/* Replaces elements: floating-point ones by quarters from -8 to 8, which add up exactly; integers by numbers below 100,
 * or by each other. Bytes of an unknown type stay as they are. */
void ptog_randomise(unsigned char *data, uint64_t bytes, enum ptog_dtype dtype, enum ptog_integers integers,
                    uint64_t seed);

#endif
