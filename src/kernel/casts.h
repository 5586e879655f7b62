/* kernel: casts, elements of one type from those of another, from one list: casts.def.
 *
 *     from --kernel in--> f32 or int32 --kernel out--> to
 *
 * A cast goes through f32 where one of its types is a float, else through int32. One kernel is enough where a type is
 * the middle itself. A cast trusts its job, touches no byte outside of `count` elements, and gives the bits that
 * model/convert.h gives, or stops: NaN and numbers that the middle does not hold are for the caller. */
#ifndef PTOG_KERNEL_CASTS_H
#define PTOG_KERNEL_CASTS_H

#include "kernel/kernel.h"

/* What one call works on. `to` may be `from` where elements do not become wider. */
struct ptog_cast_job {
    const unsigned char *from;
    unsigned char *to;
    size_t count;
    enum ptog_round round; /* one of RINT, AWAY, FLOOR, CEIL, TRUNC and, from f32 to f16 only, ODD */
    bool saturates;
    bool is_unsigned; /* ptog_cast_run sets it: elements of int32 are u32 */
};

/* Returns how many elements it has done. Where these are not all, something that is not for it follows soon. */
typedef size_t ptog_cast_fn(const struct ptog_cast_job *job);

/* A row of the list. */
struct ptog_cast_kernel {
    enum ptog_dtype middle, dtype; /* the middle is PTOG_F32 or PTOG_I32 */
    size_t size;                   /* of an element of `dtype` */
    ptog_cast_fn *in, *out;        /* NULL: there is none */
};

struct ptog_cast {
    ptog_cast_fn *in, *out; /* NULL: the type is the middle */
    size_t sizes[2];        /* of an element: from, to */
    bool is_unsigned;       /* from u32 */
};

/* False: there is no cast between these types. */
bool ptog_cast_find(enum ptog_isa isa, enum ptog_dtype from, enum ptog_dtype to, struct ptog_cast *cast);

/* Runs the kernels of the cast, one after the other. Returns how many elements are done, as they do. */
size_t ptog_cast_run(const struct ptog_cast *cast, const struct ptog_cast_job *job);

/* Two tables, as of maps: each ends with a row without a type. */
extern const struct ptog_cast_kernel ptog_cast_kernels_plain[], ptog_cast_kernels_avx2[];

#endif
