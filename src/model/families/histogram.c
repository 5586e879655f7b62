/* model: THISTOGRAM: which elements pass, and one row. */
#include "model/families/histogram.h"

#include "model/dtype.h"
#include "model/tile.h"

enum ptog_form ptog_thistogram_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target, (void)insn;
    return PTOG_FORM_HISTOGRAM;
}

static int counted_byte(const struct ptog_insn *insn)
{
    return insn->attr[PTOG_THISTOGRAM_BYTE];
}

static int highest_byte(const struct ptog_insn *insn)
{
    return (int)ptog_dtype_size(insn->of[PTOG_HISTOGRAM_SRC].tile.dtype) - 1;
}

int64_t ptog_histogram_filters(const struct ptog_insn *insn)
{
    int above = highest_byte(insn) - counted_byte(insn);
    if (above == 0)
        return 0;
    return highest_byte(insn) == 1 ? insn->of[PTOG_HISTOGRAM_SRC].tile.valid_row : above;
}

/* Reads the filter of row r; false, with a fault noted, when it is not in its buffer. */
static bool read_filter(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, int64_t r,
                        uint64_t *filter)
{
    const struct ptog_tile *idx = &known->insn.of[PTOG_HISTOGRAM_IDX].tile;
    if (bytes->get(bytes->where, PTOG_HISTOGRAM_IDX, ptog_tile_offset(idx, r, 0), 1, filter))
        return true;
    ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, r, 0, 0);
    return false;
}

/* The bytes above the counted one, as an element of row `r` must have them. */
static uint64_t wanted_above(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, int64_t r)
{
    const struct ptog_insn *insn = &known->insn;
    int above = highest_byte(insn) - counted_byte(insn);
    uint64_t wanted = 0, filter;
    for (int i = 0; i < above; i++) {
        if (read_filter(known, bytes, highest_byte(insn) == 1 ? r : i, &filter))
            wanted = wanted << 8 | (filter & 0xff);
    }
    return wanted;
}

void ptog_histogram_row(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, int64_t r)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_HISTOGRAM_DST].tile,
                           *src = &known->insn.of[PTOG_HISTOGRAM_SRC].tile;
    size_t size = ptog_dtype_size(src->dtype);
    int shift = 8 * counted_byte(&known->insn);
    uint32_t counts[PTOG_HISTOGRAM_BINS] = {0}, sum = 0;
    uint64_t wanted = wanted_above(known, bytes, r), bits;
    for (int64_t c = 0; c < src->valid_col; c++) {
        bool had =
            bytes->get(bytes->where, PTOG_HISTOGRAM_SRC, ptog_tile_offset(src, r, c) * (int64_t)size, size, &bits);
        if (!had)
            ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, r, c, 0);
        bits &= (UINT64_C(1) << (8 * size)) - 1;
        counts[bits >> shift & 0xff] += had && bits >> shift >> 8 == wanted;
    }
    ptog_bytes_forget(bytes);
    for (int b = 0; b < PTOG_HISTOGRAM_BINS; b++)
        if (!bytes->put(bytes->where, PTOG_HISTOGRAM_DST, ptog_tile_offset(dst, r, b) * 4, 4, sum += counts[b]))
            ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, r, b, 0);
}
