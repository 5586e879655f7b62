/* model: tiles, as the other modules ask about them beyond ptog/tile.h: blocks, defaults, the valid region as a list or
 * as packed bytes. */
#ifndef PTOG_MODEL_TILE_H
#define PTOG_MODEL_TILE_H

#include <stdbool.h>

#include <ptog/tile.h>

/* The rows and columns of a box: 16 x 16 in 1024 bytes, 16 x 32 bytes in 512, 16 x 2 in 32; the other way round where
 * its columns come first. */
void ptog_tile_box(const struct ptog_tile *tile, int64_t *rows, int64_t *cols);

/* How the boxes of a boxed tile lie: those of a row of boxes (by_column: of a column) follow each other. */
struct ptog_boxes {
    int64_t rows, cols; /* of one box */
    int64_t pitch;      /* elements from the start of a row, or column, of boxes to the next one */
    bool by_column;
    bool turned; /* inside a box, columns come first */
};
void ptog_tile_boxes(const struct ptog_tile *tile, struct ptog_boxes *boxes);

/* Where element (r, c) lies, in elements. */
static inline int64_t ptog_boxes_offset(const struct ptog_boxes *boxes, int64_t r, int64_t c)
{
    int64_t i = r / boxes->rows, j = c / boxes->cols, a = r % boxes->rows, b = c % boxes->cols;
    int64_t outer = boxes->by_column ? j : i, inner = boxes->by_column ? i : j;
    return outer * boxes->pitch + inner * boxes->rows * boxes->cols +
           (boxes->turned ? b * boxes->rows + a : a * boxes->cols + b);
}

/* Its rows (column-major: columns) are whole 32-byte blocks, and it has whole boxes, as current compilers require of
 * every tile. The rows of a boxed vector tile are free. */
bool ptog_tile_is_of_blocks(const struct ptog_tile *tile);

/* Elements in one 32-byte block: C0. The type must be valid. */
static inline int64_t ptog_c0(enum ptog_dtype dtype)
{
    return 32 / (int64_t)ptog_dtype_size(dtype);
}

/* Whether two tiles are padded with the same value, or neither is. */
static inline bool ptog_same_pad(const struct ptog_tile *a, const struct ptog_tile *b)
{
    return a->pad == b->pad && (a->pad != PTOG_PAD_CUSTOM || a->pad_bits == b->pad_bits);
}

/* A copy of the tile at an address that the compiler chose, not the author: such tiles count as static memory of UB. */
struct ptog_tile ptog_tile_static_at(struct ptog_tile tile, uint64_t addr);

/* A valid extent besides numbers and PTOG_DYN: none. In struct ptog_tile 0 means all of them; only where defaults are
 * filled in it is the number 0. */
#define PTOG_NOTHING_VALID INT64_MIN

/* Replaces valid extents that are 0, which means "all of them", by `rows` and `cols`, and PTOG_NOTHING_VALID by 0. */
void ptog_tile_fill_defaults(struct ptog_tile *tile);

/* Replaces valid extents that are left to the run by the padded ones, which are the most that it may give. */
void ptog_tile_close(struct ptog_tile *tile);

/* Copies the valid region of a tile out of `ub`, which has `ub_bytes` bytes, to `packed`: row after row without gaps.
 * An element that lies past the end of `ub` is 0xAA in every byte. */
void ptog_tile_pack(const struct ptog_tile *tile, const unsigned char *ub, uint64_t ub_bytes, void *packed);

/* Whether the valid region is one row or one column of `count` elements, as index tiles of MGATHER Row are. */
bool ptog_tile_is_list(const struct ptog_tile *tile, int64_t count);

/* Where element i of such a row or column lies, in elements from the start of the tile. */
int64_t ptog_tile_list_offset(const struct ptog_tile *tile, int64_t i);

#endif
