/* exec: what a plan holds, and the job that is made from it for the kernel. */
#ifndef PTOG_EXEC_PLAN_H
#define PTOG_EXEC_PLAN_H

#include <ptog/plan.h>

#include "exec/choice.h"
#include "kernel/casts.h"
#include "kernel/kernel.h"
#include "kernel/maps.h"
#include "kernel/tune.h"
#include "model/insn.h"

/* A kernel, and how it uses the memory: see the fields of struct ptog_job. */
struct ptog_candidate {
    const struct ptog_kernel *kernel;
    int64_t ahead;
    int hint;
    bool stream;
};
#define PTOG_MAX_CANDIDATES 8

/* What may do a gather: the first is what tune.def says, or a measurement. One: there is nothing to choose. */
struct ptog_candidates {
    struct ptog_candidate of[PTOG_MAX_CANDIDATES];
    int count;
};

/* An instruction made ready for its kernel, but for the buffers. */
struct ptog_ready {
    bool fast; /* the kernel may run, given buffers of at least these sizes */
    uint64_t dst_bytes, src_bytes, idx_bytes;
    uint64_t src_span; /* bytes of the source that dst must not overlap */
    uint64_t capacity;

    /* MGATHER, TGATHER by index: rows is 0: one call for `lanes`; otherwise one for `piece` lanes at a time. */
    struct ptog_job job;
    int64_t lanes, rows, cols, piece;
    uint64_t touched; /* bytes of memory: few are not worth several threads, or a choice */

    /* Elementwise: what does rows at once; NULL: lane by lane. */
    const struct ptog_map *map;
    struct ptog_cast cast; /* of tcvt; without ways: element by element */

    /* TGATHER by mask: `kept` elements from each of mask_rows rows. */
    int64_t mask_rows, kept, first, src_row, dst_row;

    struct ptog_candidates candidates;
};

struct ptog_exec_family;

/* What a run is given: of a plan, or of an instruction that is done once. */
struct ptog_exec {
    const struct ptog_exec_family *family;
    const struct ptog_known_insn *known;
    const struct ptog_kernel *kernel; /* NULL: only the reference loop can do it */
    const struct ptog_ready *ready;
    ptog_choice_hint *hint; /* which of its candidates earlier runs found best */
    const struct ptog_stopwatch *clock;
};

struct ptog_plan {
    struct ptog_exec exec;        /* of what follows */
    bool dynamic;                 /* some extent is known only to the run */
    struct ptog_ready ready;      /* unless `dynamic` */
    struct ptog_tune tune;        /* by which a dynamic one gets ready */
    struct ptog_known_insn known; /* complete unless `dynamic` */
    struct ptog_insn written;
    ptog_choice_hint hint; /* all that a run changes */
};

/* How a family is done; one file of this room each. */
struct ptog_exec_family {
    /* Which kernel fits the operands, whatever their extents; NULL: none. */
    const struct ptog_kernel *(*choose)(const struct ptog_known_insn *known);
    /* What it needs to know; every extent is known. */
    struct ptog_ready (*ready)(const struct ptog_known_insn *known);
    /* True when it is done. Whatever stands in the way is for the careful way to name. */
    bool (*run_fast)(const struct ptog_exec *x, const struct ptog_run *run);
    /* With buffers that are there and do not overlap. */
    enum ptog_status (*run_checked)(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault);
};

/* Of families that have no kernel of the list. */
const struct ptog_kernel *ptog_exec_no_kernel(const struct ptog_known_insn *known);
struct ptog_ready ptog_exec_nothing_ready(const struct ptog_known_insn *known);

#define FAMILY(NAME, name) extern const struct ptog_exec_family ptog_exec_##name;
#include <ptog/spec/forms.def>

const struct ptog_exec_family *ptog_exec_family_of(const struct ptog_insn *insn);

/* A buffer as bytes that an operand really occupies. */
struct ptog_bytes {
    const char *data;
    uint64_t bytes;
};

static inline bool ptog_bytes_overlap(struct ptog_bytes a, struct ptog_bytes b)
{
    uintptr_t p = (uintptr_t)a.data, q = (uintptr_t)b.data;
    if (a.bytes == 0 || b.bytes == 0)
        return false;
    return p <= q ? q - p < a.bytes : p - q < b.bytes;
}

/* The buffers hold their operands and lie apart, and the kernel may run: a few comparisons with what planning found. */
static inline bool ptog_exec_covers(const struct ptog_ready *ready, const struct ptog_run *run)
{
    if (!ready->fast || run->dst.bytes < ready->dst_bytes || run->src.bytes < ready->src_bytes ||
        run->idx.bytes < ready->idx_bytes || !run->dst.data || !run->src.data || (ready->idx_bytes && !run->idx.data))
        return false;
    struct ptog_bytes dst = {run->dst.data, ready->dst_bytes}, idx = {run->idx.data, ready->idx_bytes};
    struct ptog_bytes src = {run->src.data, run->src.bytes < ready->src_span ? run->src.bytes : ready->src_span};
    return !ptog_bytes_overlap(dst, idx) && !ptog_bytes_overlap(dst, src);
}

/* A plan of an instruction that was found legal on the target; NULL when out of memory. */
ptog_plan *ptog_plan_legal(const struct ptog_target *target, const struct ptog_insn *insn, uint64_t flags);

/* One run of an instruction that is legal and whose extents are all known, without making a plan. */
enum ptog_status ptog_exec_once(const struct ptog_known_insn *known, const struct ptog_run *run,
                                struct ptog_fault *fault);

#endif
