/* model: TMRGSORT, which merges lists of pairs (model/families/sorts.h) that are in descending order.
 *
 *   runs    each 4*blockLen elements of src: four runs of blockLen elements become one
 *   lists   two to four tiles become one, in tmp, from which dst is copied in blocks of 32 bytes. `exhausted` ends that
 *           when a list is used up, and tells how many pairs of each were taken
 *
 * Of equal numbers the one of the lower list comes first. The CPU simulator merges straight into dst. */
#ifndef PTOG_MODEL_MERGES_H
#define PTOG_MODEL_MERGES_H

#include "model/families/sorts.h"
#include "model/families/tile_bytes.h"

enum { PTOG_MERGE_DST = 0, PTOG_MERGE_SRC = 1, PTOG_MERGE_BLOCK = 2, PTOG_MERGE_LIST = 3, PTOG_MERGE_TMP = 7 };

#define PTOG_MERGE_WAYS 4
#define PTOG_MAX_LIST_PAIRS 4095 /* the vector unit has 12 bits for the length of a list */
#define PTOG_MAX_MERGES 255      /* groups of four runs that one vector instruction merges */

struct ptog_merge_list {
    int operand;
    int64_t first, pairs; /* its first element in the operand, and how many pairs it has */
    int64_t taken;
    int64_t rank; /* of the next pair */
};

struct ptog_merge {
    enum ptog_dtype dtype;
    int64_t pair; /* elements of one */
    int count;
    struct ptog_merge_list of[PTOG_MERGE_WAYS];
    bool exhausted;
};

bool ptog_merge_is_runs(const struct ptog_insn *insn);

/* Of runs: how many groups of four there are, and elements of one; lists are one group. */
int64_t ptog_merge_groups(const struct ptog_insn *insn);
int64_t ptog_merge_block(const struct ptog_insn *insn);

/* Elements that all lists have together. */
int64_t ptog_merge_elements(const struct ptog_insn *insn);

/* Starts group `g`: reads the first pair of each list. */
void ptog_merge_start(struct ptog_merge *m, const struct ptog_known_insn *known, int64_t g,
                      const struct ptog_tile_bytes *bytes);

/* Takes the next pair: *operand and *element say where it starts. False when nothing is left, or a list is used up
 * that ends the merge. Notes lists that are not in order, and NaN other than those that sorts fill up with. */
bool ptog_merge_take(struct ptog_merge *m, const struct ptog_tile_bytes *bytes, int *operand, int64_t *element);

/* Pairs taken of each list, 16 bits each, the first one lowest; whether the target tells them. */
uint64_t ptog_merge_counts(const struct ptog_merge *m);
bool ptog_merge_tells(const struct ptog_known_insn *known);

/* Elements of dst that are written: the valid ones, up to whole blocks of 32 bytes except on cpu. */
int64_t ptog_merge_copied(const struct ptog_known_insn *known);

#endif
