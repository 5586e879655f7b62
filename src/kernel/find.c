/* kernel: which instruction set, and which kernel of it. */
#include "kernel/kernel.h"

#include <string.h>

static const struct {
    const char *name;
    const struct ptog_kernel *kernels;
    enum ptog_isa otherwise; /* where kernels are looked for that it has not */
} sets[PTOG_ISA_COUNT] = {
    [PTOG_ISA_SCALAR] = {"scalar", ptog_kernels_scalar, PTOG_ISA_SCALAR},
    [PTOG_ISA_AVX2] = {"avx2", ptog_kernels_avx2, PTOG_ISA_SCALAR},
    [PTOG_ISA_AVX512] = {"avx512", ptog_kernels_avx512, PTOG_ISA_AVX2},
    [PTOG_ISA_AVX512_GATHER] = {"avx512-gather", ptog_kernels_avx512_gather, PTOG_ISA_AVX512},
    [PTOG_ISA_AVX512_VBMI] = {"avx512-vbmi", ptog_kernels_avx512_vbmi, PTOG_ISA_AVX512},
    [PTOG_ISA_LIBC] = {"libc", ptog_kernels_libc, PTOG_ISA_SCALAR},
    [PTOG_ISA_NEON] = {"neon", ptog_kernels_neon, PTOG_ISA_SCALAR},
};

const char *ptog_isa_name(enum ptog_isa isa)
{
    return sets[isa].name;
}

/* Whether this build has a set of instructions, and this CPU runs it. */
bool ptog_isa_runs(enum ptog_isa isa)
{
    bool compiled = sets[isa].kernels[0].name != NULL;
#if defined(__x86_64__)
    if (isa == PTOG_ISA_AVX2)
        return compiled && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("fma");
    if (isa == PTOG_ISA_AVX512_VBMI && !__builtin_cpu_supports("avx512vbmi"))
        return false;
    if (isa == PTOG_ISA_AVX512 || isa == PTOG_ISA_AVX512_GATHER || isa == PTOG_ISA_AVX512_VBMI)
        return compiled && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq");
#endif
    return compiled;
}

bool ptog_isa_find(const char *name, enum ptog_isa *isa)
{
    for (int i = 0; i < PTOG_ISA_COUNT; i++)
        if (strcmp(sets[i].name, name) == 0 && ptog_isa_runs((enum ptog_isa)i)) {
            *isa = (enum ptog_isa)i;
            return true;
        }
    return false;
}

const struct ptog_kernel *ptog_kernel_at(enum ptog_isa isa, size_t i)
{
    for (size_t n = 0; n <= i; n++)
        if (!sets[isa].kernels[n].name)
            return NULL;
    return &sets[isa].kernels[i];
}

/* The kernel of a set for exactly this; NULL: it has none. */
static const struct ptog_kernel *find_exactly(enum ptog_isa isa, enum ptog_kernel_kind kind, int part, int index_size,
                                              int how)
{
    for (const struct ptog_kernel *k = sets[isa].kernels; k->name; k++)
        if (k->kind == kind && k->part == part && k->index_size == index_size && k->how == how)
            return k;
    return NULL;
}

/* The kernel of a set for this, or the one for any width of row; NULL: it has none. */
static const struct ptog_kernel *find_in(enum ptog_isa isa, enum ptog_kernel_kind kind, int part, int index_size,
                                         int how)
{
    const struct ptog_kernel *found = find_exactly(isa, kind, part, index_size, how);
    if (!found && kind == PTOG_KERNEL_WHOLE_ROW)
        return find_exactly(isa, kind, 0, index_size, how);
    return found;
}

const struct ptog_kernel *ptog_kernel_find(enum ptog_isa isa, enum ptog_kernel_kind kind, int part, int index_size,
                                           int how)
{
    const struct ptog_kernel *found = find_in(isa, kind, part, index_size, how);
    while (!found && isa != sets[isa].otherwise) {
        isa = sets[isa].otherwise;
        found = find_in(isa, kind, part, index_size, how);
    }
    return found;
}

/* What kernels need of the capacity for indices up to `largest`. */
static struct ptog_bounds bounds(uint64_t capacity, uint64_t largest)
{
    uint64_t wrap = capacity <= largest ? capacity : 0;
    return (struct ptog_bounds){capacity - 1 < largest ? capacity - 1 : largest, wrap, wrap ? largest / wrap : 0};
}

void ptog_job_set_capacity(struct ptog_job *job, uint64_t capacity, int index_size)
{
    job->wide = bounds(capacity, index_size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * index_size) - 1);
    job->narrow = bounds(capacity, UINT32_MAX);
}
