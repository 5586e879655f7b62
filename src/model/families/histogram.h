/* model: THISTOGRAM.
 *
 *   dst[r,b] = the number of elements of row r of src whose byte k is at most b, among those that pass, b = 0..255
 *
 * Of u16, all pass for k = 1; for k = 0, those whose high byte is idx[r]. Of u32, all pass for k = 3; below it, those
 * whose byte 3 is idx[0,0], byte 2 is idx[1,0] and byte 1 is idx[2,0], as far as these lie above k, for all rows. */
#ifndef PTOG_MODEL_HISTOGRAM_H
#define PTOG_MODEL_HISTOGRAM_H

#include "model/families/tile_bytes.h"

enum { PTOG_HISTOGRAM_DST = 0, PTOG_HISTOGRAM_SRC = 1, PTOG_HISTOGRAM_IDX = 2 };

#define PTOG_HISTOGRAM_BINS 256

enum ptog_form ptog_thistogram_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* Rows of idx, from the first on, that are read; their first column. */
int64_t ptog_histogram_filters(const struct ptog_insn *insn);

/* Counts one row and writes its bins. */
void ptog_histogram_row(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, int64_t r);

#endif
