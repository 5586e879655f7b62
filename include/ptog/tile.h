/* A tile: a 2-D block in the on-chip buffer (UB). `rows` x `cols` is what is stored, the valid extents are what counts.
 */
#ifndef PTOG_TILE_H
#define PTOG_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/dtype.h>

/* An extent that is known only when the instruction runs: give its value in struct ptog_run. */
#define PTOG_DYN ((int64_t)-1)

/* The numbers of these enums are those of the PTO headers. */
enum ptog_loc { PTOG_VEC = 0, PTOG_MAT = 1, PTOG_LEFT = 2, PTOG_RIGHT = 3, PTOG_ACC = 4 };
enum ptog_blayout { PTOG_ROW_MAJOR = 0, PTOG_COL_MAJOR = 1 };
enum ptog_slayout { PTOG_NONE_BOX = 0, PTOG_BOX_ROW_MAJOR = 1, PTOG_BOX_COL_MAJOR = 2 };
enum ptog_pad { PTOG_PAD_NULL = 0, PTOG_PAD_ZERO = 1, PTOG_PAD_MAX = 2, PTOG_PAD_MIN = 3 };

struct ptog_tile {
    enum ptog_dtype dtype;
    enum ptog_loc loc;
    int64_t rows, cols;           /* padded extents, at least 1 */
    int64_t valid_row, valid_col; /* 0: all of rows / cols; PTOG_DYN: known at run time */
    enum ptog_blayout blayout;
    enum ptog_slayout slayout;
    int32_t fractal; /* bytes of a fractal block; 0: 512 */
    enum ptog_pad pad;
    bool placed;    /* `addr` is meant; else the tile has no address and overlaps nothing */
    bool is_static; /* `addr` was chosen by the compiler: static memory, see ptog_device_ub_layout */
    bool part;      /* cut from a larger tile: it has the rows of the whole, and ends with its last valid element */
    uint64_t addr;  /* UB byte address */
    uint64_t reserved[4];
};

/* How a tile's elements lie in memory; every combination of blayout, slayout and fractal is one of these. */
enum ptog_tile_order {
    PTOG_ORDER_ROW = 0,   /* r*cols + c */
    PTOG_ORDER_COL = 1,   /* c*rows + r */
    PTOG_ORDER_NZ = 2,    /* (c/C0)*(rows*C0) + r*C0 + c%C0, C0 = 32 bytes of elements */
    PTOG_ORDER_OTHER = 3, /* a boxed layout that no gather uses */
};

/* A row-major tile in UB, all of it valid. */
PTOG_API struct ptog_tile ptog_tile_vec(enum ptog_dtype dtype, int64_t rows, int64_t cols);

/* The same with other valid extents (PTOG_DYN is fine). */
PTOG_API struct ptog_tile ptog_tile_valid(struct ptog_tile tile, int64_t valid_row, int64_t valid_col);

/* The same, column-major / in NZ fractal order / at a UB byte address. */
PTOG_API struct ptog_tile ptog_tile_col_major(struct ptog_tile tile);
PTOG_API struct ptog_tile ptog_tile_nz(struct ptog_tile tile);
PTOG_API struct ptog_tile ptog_tile_at(struct ptog_tile tile, uint64_t addr);

PTOG_API enum ptog_tile_order ptog_tile_order(const struct ptog_tile *tile);

/* Position of element (r, c) in storage, in elements. The caller keeps 0 <= r < rows, 0 <= c < cols, and the order is
 * not PTOG_ORDER_OTHER. */
PTOG_API int64_t ptog_tile_offset(const struct ptog_tile *tile, int64_t r, int64_t c);

/* Bytes of the whole padded tile; -1 when that does not fit in 63 bits or an extent is not positive. */
PTOG_API int64_t ptog_tile_bytes(const struct ptog_tile *tile);

#endif
