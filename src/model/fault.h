/* model: collecting what a run has to report about single lanes. */
#ifndef PTOG_MODEL_FAULT_H
#define PTOG_MODEL_FAULT_H

#include <ptog/plan.h>
#include <ptog/rule.h>
#include <ptog/target.h>

#include "base/pick.h"

/* Adds `count` lanes of a kind, the first of them at (r, c). */
void ptog_fault_note(struct ptog_fault *fault, enum ptog_fault_kind kind, uint64_t count, int64_t r, int64_t c,
                     uint64_t index);

/* What the number of its entries is: "index", ... */
static inline const char *ptog_fault_number(const struct ptog_fault_info *info)
{
    return ptog_or(info->number, "index");
}

/* Says what happened to the lanes of a kind, with the user's names: "index 99 is outside %table, which has 64 rows;
 * first at (0, 3) of %dst". `target` and `insn`, as resolved, may be NULL where nothing but the numbers is known. */
struct ptog_text;
void ptog_fault_words(struct ptog_text *text, const struct ptog_fault *fault, size_t kind,
                      const struct ptog_target *target, const struct ptog_insn *insn);

/* The first lane of a kind is past the end of its row of the table, not past its rows: the tile is wider than the table
 * (a5-custom). A policy does not help there. */
bool ptog_fault_is_past_row(const struct ptog_fault *fault, size_t kind, const struct ptog_target *target,
                            const struct ptog_insn *insn);

/* The number is what memory holds that nothing has written: 0xAA in every byte of an index of `dtype`. */
bool ptog_fault_is_unwritten(uint64_t index, enum ptog_dtype dtype);

/* Writes the index of an entry as the number that the target reads, which may be negative on cpu. */
#define PTOG_FAULT_INDEX_TEXT 24 /* enough of it */
void ptog_fault_index_text(const struct ptog_fault *fault, uint64_t index, char text[PTOG_FAULT_INDEX_TEXT]);

/* How bad the lanes of a kind are in this run: as spec/faults.def says, except for conflicts whose values agree. */
enum ptog_severity ptog_fault_severity(const struct ptog_fault *fault, size_t kind);

/* Sums up the errors: PTOG_FAULT when there is one, PTOG_OK otherwise. */
enum ptog_status ptog_fault_sum(struct ptog_fault *fault);

#endif
