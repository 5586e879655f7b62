/* ref: what the instructions mean, as obvious loops. Operands are legal, resolved, and every extent is known; buffers
 * may be of any size. Nothing here is fast, and nothing here is clever: this is the page to read next to the formula.
 */
#ifndef PTOG_REF_REF_H
#define PTOG_REF_REF_H

#include "model/insn.h"

/* Any instruction. The buffers of `run` are those of its operands: see ptog_run_buffer in model/buffers.h. */
enum ptog_status ptog_ref_insn(const struct ptog_known_insn *known, const struct ptog_run *run,
                               struct ptog_fault *fault);

/* One function per family. */
typedef enum ptog_status ptog_ref_fn(const struct ptog_known_insn *known, const struct ptog_run *run,
                                     struct ptog_fault *fault);
#define FAMILY(NAME, name) ptog_ref_fn ptog_ref_##name;
#include <ptog/spec/forms.def>

/* MGATHER into L1. */
void ptog_ref_gather_l1(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault);

/* The forms of TGATHER. */
void ptog_ref_by_index(const struct ptog_target *target, const struct ptog_insn *op, const struct ptog_run *run,
                       struct ptog_fault *fault);
void ptog_ref_by_mask(const struct ptog_target *target, const struct ptog_insn *op, const struct ptog_run *run,
                      struct ptog_fault *fault);
enum ptog_status ptog_ref_by_compare(const struct ptog_target *target, const struct ptog_insn *op,
                                     const struct ptog_run *run, struct ptog_fault *fault);

/* TMRGSORT, of the sorts. */
ptog_ref_fn ptog_ref_merges;

struct ptog_bag_work;

/* Embedding bags: all bags of a run. */
void ptog_ref_bag(const struct ptog_bag_work *work);

#endif
