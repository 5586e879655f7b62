/* kernel: the casts, as every CPU can do them; which kernels a cast consists of, and the loop that runs them. */
#define TABLE ptog_cast_kernels_plain
#define VECTOR 16
#include "kernel/casts_stamp.h"

#define CHUNK 256 /* elements that go through the middle at a time: they stay in the nearest cache */

/* Looks up the kernel between `dtype` and the middle: *run gets it, *size the bytes of an element of `dtype`. Where the
 * type is the middle itself, none is needed: *run is NULL, and the result is true. False: the list has none. */
static bool find_cast_kernel(const struct ptog_cast_kernel *list, enum ptog_dtype middle, enum ptog_dtype dtype,
                             bool in, ptog_cast_fn **run, size_t *size)
{
    *run = NULL;
    *size = sizeof(float);
    for (; list->dtype != PTOG_DTYPE_NONE; list++) {
        ptog_cast_fn *kernel = in ? list->in : list->out;
        if (list->middle != middle || list->dtype != dtype || !kernel)
            continue;
        *run = kernel;
        *size = list->size;
        return true;
    }
    return dtype == middle || (in && middle == PTOG_I32 && dtype == PTOG_U32);
}

/* Through int32: what has no sign and 32 bits is read as if it had one, which keeps its low 32 bits and no more.
 * Through f32: an integer of 32 bits or more is rounded there, which bf16, having fewer bits, would round again. (For
 * f16 such numbers are too large anyway.) */
static bool is_lost(enum ptog_dtype from, enum ptog_dtype to)
{
    bool is_long = from == PTOG_I32 || from == PTOG_I64;
    return (from == PTOG_U32 && (to == PTOG_I64 || to == PTOG_U32)) || (is_long && to == PTOG_BF16);
}

static bool is_float(enum ptog_dtype dtype)
{
    return dtype == PTOG_F32 || dtype == PTOG_F16 || dtype == PTOG_BF16;
}

bool ptog_cast_find(enum ptog_isa isa, enum ptog_dtype from, enum ptog_dtype to, struct ptog_cast *cast)
{
    const struct ptog_cast_kernel *list = ptog_cast_kernels_plain;
    if (ptog_isa_has_avx2(isa) && ptog_cast_kernels_avx2[0].in)
        list = ptog_cast_kernels_avx2;
    enum ptog_dtype middle = is_float(from) || is_float(to) ? PTOG_F32 : PTOG_I32;
    bool found = find_cast_kernel(list, middle, from, true, &cast->in, &cast->sizes[0]) &&
                 find_cast_kernel(list, middle, to, false, &cast->out, &cast->sizes[1]) && !is_lost(from, to);
    if (!found)
        *cast = (struct ptog_cast){0};
    if (from != PTOG_F32 && to == PTOG_F32)
        cast->out = NULL; /* rounding to whole numbers is for f32 to f32 */
    cast->is_unsigned = from == PTOG_U32;
    return cast->in || cast->out;
}

size_t ptog_cast_run(const struct ptog_cast *cast, const struct ptog_cast_job *all)
{
    struct ptog_cast_job own = *all, *job = &own;
    own.is_unsigned = cast->is_unsigned;
    unsigned char middle[CHUNK * sizeof(float)];
    if (!cast->in)
        return cast->out(job);
    if (!cast->out)
        return cast->in(job);
    for (size_t at = 0, done; at < job->count; at += done) {
        struct ptog_cast_job part = *job;
        size_t count = job->count - at < CHUNK ? job->count - at : CHUNK;
        part.from = job->from + at * cast->sizes[0];
        part.to = middle;
        part.count = count;
        part.count = cast->in(&part);
        part.from = middle;
        part.to = job->to + at * cast->sizes[1];
        done = cast->out(&part);
        if (done < count)
            return at + done;
    }
    return job->count;
}
