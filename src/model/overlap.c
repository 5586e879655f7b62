/* model: whether two tiles share bytes, and whether that matters. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */
#include "model/overlap.h"

#include "base/pick.h"
#include "model/insn.h"
#include "model/tgather.h"
#include "model/tile.h"

/* Runs of bytes at one distance: the rows of a part of a tile (of a column-major one its columns), or a whole tile as
 * a single run. */
struct runs {
    uint64_t at;
    int64_t step, length, count, bytes;
};

/* The bytes that a tile touches: all of them, or, of a part of a wider tile, equal runs at a distance, each rounded up
 * to blocks of 32 bytes. */
static struct runs runs_of(const struct ptog_tile *tile)
{
    int64_t bytes = ptog_tile_bytes(tile), size = (int64_t)ptog_dtype_size(tile->dtype);
    struct runs whole = {tile->addr, bytes, bytes, 1, bytes};
    enum ptog_tile_order order = ptog_tile_order(tile);
    bool by_row = order == PTOG_ORDER_ROW;
    int64_t valid = tile->valid_row, across = tile->rows, count = tile->cols;
    if (by_row) {
        valid = tile->valid_col;
        across = tile->cols;
        count = tile->rows;
    }
    if (!tile->part || (!by_row && order != PTOG_ORDER_COL) || valid <= 0 || valid > across || bytes <= 0)
        return whole;
    int64_t blocks = (valid * size + 31) / 32;
    return (struct runs){tile->addr, across * size, ptog_min(blocks * 32, across * size), count, bytes};
}

/* The bytes from `from` up to `to`, counted from the first of `runs`, lie in one of them, or some of them do. */
static bool touches(const struct runs *runs, int64_t from, int64_t to)
{
    int64_t first = 0;
    if (from >= runs->length)
        first = (from - runs->length) / runs->step + 1;
    return first < runs->count && first * runs->step < to;
}

#define MAX_RUNS 65536 /* more than any buffer has room for: such tiles are compared as ranges */
#define MAX_BYTES (1LL << 40)

bool ptog_tiles_overlap(const struct ptog_tile *a, const struct ptog_tile *b)
{
    struct runs few = runs_of(a), many = runs_of(b);
    if (few.bytes <= 0 || many.bytes <= 0 || a->loc != b->loc)
        return false;
    if (few.count > many.count) {
        struct runs other = few;
        few = many;
        many = other;
    }
    bool apart = few.at <= many.at ? many.at - few.at >= (uint64_t)few.bytes : few.at - many.at >= (uint64_t)many.bytes;
    if (apart || few.count > MAX_RUNS || few.bytes > MAX_BYTES || many.bytes > MAX_BYTES)
        return !apart;
    int64_t start = (int64_t)(few.at - many.at); /* less than the bytes of either */
    for (int64_t i = 0; i < few.count; i++)
        if (touches(&many, start + i * few.step, start + i * few.step + few.length))
            return true;
    return false;
}

/* The tile without what lies behind its valid region: rows (column-major: columns), and of a single one its last blocks. */
static struct ptog_tile reached_part(const struct ptog_tile *tile)
{
    struct ptog_tile part = *tile;
    int64_t *runs = &part.rows, *length = &part.cols, valid_runs = tile->valid_row, valid = tile->valid_col;
    if (tile->part || tile->slayout != PTOG_NONE_BOX || ptog_dtype_size(tile->dtype) == 0)
        return part;
    if (tile->blayout == PTOG_COL_MAJOR) {
        runs = &part.cols, length = &part.rows;
        valid_runs = tile->valid_col, valid = tile->valid_row;
    }
    if (valid_runs > 0 && valid_runs < *runs)
        *runs = valid_runs;
    int64_t block = ptog_c0(tile->dtype);
    if (*runs == 1 && valid > 0 && valid < *length)
        *length = ptog_min(*length, (valid + block - 1) / block * block);
    return part;
}

bool ptog_insn_tiles_overlap(const struct ptog_insn *insn, const struct ptog_tile *a, const struct ptog_tile *b)
{
    bool by_mask = insn->opcode == PTOG_TGATHER && ptog_tgather_by(insn) == PTOG_BY_MASK;
    if (!by_mask && ptog_insn_row(insn->opcode)->family != PTOG_FAMILY_ELEMENTWISE)
        return ptog_tiles_overlap(a, b);
    struct ptog_tile first = reached_part(a), second = reached_part(b);
    return ptog_tiles_overlap(&first, &second);
}

bool ptog_tile_never_overtakes(const struct ptog_tile *dst, const struct ptog_tile *src, uint64_t first)
{
    return ptog_tile_order(dst) == PTOG_ORDER_ROW && ptog_tile_order(src) == PTOG_ORDER_ROW && dst->cols <= src->cols &&
           ptog_dtype_size(dst->dtype) == ptog_dtype_size(src->dtype) && dst->addr <= src->addr + first;
}
