/* core: what the modules above ask of a device and its cores beyond ptog/core.h. */
#ifndef PTOG_CORE_INSIDE_H
#define PTOG_CORE_INSIDE_H

#include <ptog/core.h>

struct ptog_legality;
struct ptog_legality_cache;

#define PTOG_MAX_UB ((uint64_t)1 << 30) /* where the on-chip buffer has no size of its own */

/* Told of an instruction before it runs where there is no machine: resolved, and its bytes. */
struct ptog_watch {
    void (*insn)(void *user, const struct ptog_insn *insn, const struct ptog_run *run);
    void *user;
};

/* Before its first core: instructions only do what they mean, whatever the target, and `watch`, which may be NULL, is
 * told of them. The watch outlives the device. */
void ptog_device_make_direct(ptog_device *device, const struct ptog_watch *watch);

/* A location in the source that the caller keeps as long as the device, with the number that the device has for an
 * instruction there: whoever comes back to it compares no texts. */
struct ptog_kept_where {
    struct ptog_where where;
    const char *name; /* of the instruction that `site` is for; NULL: none yet */
    uint32_t site;
};

/* The calls that follow come from there. */
void ptog_core_go_to(ptog_core *core, struct ptog_kept_where *kept);

/* What a core without a machine did for an instruction: its plan and its bytes. */
struct ptog_repeat {
    const ptog_core *core; /* NULL: nothing is kept */
    const struct ptog_legality *entry;
    uint64_t generation; /* of the entry, which may become that of another instruction */
    uint64_t moves;      /* of the memories: they were where they are now */
    struct ptog_run run;
};

/* Like ptog_core_insn, for a caller that issues the very same instruction and extents, at the same addresses, with the
 * same `repeat` again, which starts as zeros. */
enum ptog_status ptog_core_insn_again(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents,
                                      struct ptog_repeat *repeat);

/* Verdicts that the caller has already, and keeps; NULL: from now on the device has its own. */
void ptog_device_share_legality(ptog_device *device, struct ptog_legality_cache *cache);

/* How many findings another flag or barrier could change. */
size_t ptog_device_unordered(const ptog_device *device);

/* Did memory run out, so that not everything was found? Of closed cores. */
bool ptog_device_failed(const ptog_device *device);

/* Bytes allocated for the run so far, beyond what every core needs: copies and shadows of the pages of global memory,
 * and entries that wait. */
uint64_t ptog_core_memory(const ptog_core *core);

/* The run ends before the program does: entries that are left in FIFOs are no faults. */
void ptog_device_stop(ptog_device *device);

/* What the verifier said first of the last instruction that was refused; NULL: nothing. */
const char *ptog_core_refusal(const ptog_core *core);

/* What happened to the lanes of the last instruction, where there is no machine. */
const struct ptog_fault *ptog_core_fault(const ptog_core *core);

/* The bits that the last TGETVAL gave. */
uint64_t ptog_core_value(const ptog_core *core);

/* An element of a placed tile as it is once everything issued so far has completed in the order of issue, without any
 * effect on the run. False: it is undefined, as far as that is watched. */
bool ptog_core_look(const ptog_core *core, const struct ptog_tile *tile, int64_t row, int64_t col, uint64_t *bits);

/* From now on these bytes of a memory of the core are as if nothing had ever written them. */
void ptog_core_forget(ptog_core *core, enum ptog_loc loc, uint64_t addr, uint64_t bytes);

/* The on-chip buffer as it is once everything issued so far has completed: *bytes, the caller's to free; NULL when out
 * of memory. The core can only be closed afterwards. */
unsigned char *ptog_core_take_ub(ptog_core *core, uint64_t *bytes);

#endif
