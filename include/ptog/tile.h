/* A tile: a block of rows and columns in the on-chip buffer (UB) of a vector core, or in one of the memories of a cube
 * core. Tiles are the operands of every instruction but the scalar ones.
 *
 *               cols
 *        +---------------+
 *        | valid   |     |     `rows` x `cols` elements are stored: the padded tile. `valid_row` x `valid_col` of them,
 *   rows |_________|     |     from the upper left corner on, count: the valid region. What lies outside it is padding,
 *        |   padding     |     which some instructions write and none should read.
 *        +---------------+
 *
 * A tile is a description. It owns no memory: a plan gets the bytes with each run, a core has them at `addr` of its UB.
 * Describe one with ptog_tile_vec and change it with the functions below, each of which returns a changed copy:
 *
 *     struct ptog_tile idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 64), 0x100);
 */
#ifndef PTOG_TILE_H
#define PTOG_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/dtype.h>

/* An extent that is known only when the instruction runs. The verifier looks at such an instruction twice: without the
 * extent when it is planned, with it when it runs. Its value is given in struct ptog_run: ptog/plan.h. */
#define PTOG_DYN ((int64_t)-1)

/* Where a tile lives, and how it is laid out there, as the template parameters of pto::Tile say it. The numbers are
 * those of the PTO headers.
 *   loc       the memory: UB of a vector core; or, of a cube core, L1 (mat), L0A (left), L0B (right), L0C (acc), the bias
 *             table or the buffer of scales. Each has addresses of its own, from 0 on
 *   blayout   which of the two indices of an element, or of a fractal block, comes first; of a left tile the target
 *             decides that
 *   slayout   whether elements lie in fractal blocks, and which index comes first inside one
 *   pad       what TLOAD fills the padding with: nothing, zeros, the largest or smallest number of the type, or an element
 *             of which `pad_bits` has the bits
 *   compact   left, right, acc: the blocks of the valid region lie side by side, as if there were no others */
enum ptog_loc {
    PTOG_VEC = 0,
    PTOG_MAT = 1,
    PTOG_LEFT = 2,
    PTOG_RIGHT = 3,
    PTOG_ACC = 4,
    PTOG_BIAS = 5,
    PTOG_SCALING = 6,
};
#define PTOG_LOCS 7 /* for arrays by location */
enum ptog_blayout { PTOG_ROW_MAJOR = 0, PTOG_COL_MAJOR = 1 };
enum ptog_slayout { PTOG_NONE_BOX = 0, PTOG_BOX_ROW_MAJOR = 1, PTOG_BOX_COL_MAJOR = 2 };
enum ptog_pad { PTOG_PAD_NULL = 0, PTOG_PAD_ZERO = 1, PTOG_PAD_MAX = 2, PTOG_PAD_MIN = 3, PTOG_PAD_CUSTOM = 4 };

/* The description itself. Zero is the default of every field but dtype, rows and cols. */
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
    /* It was cut from a larger tile by a subview. Rows of the part are as far apart in memory as rows of the whole, so
     * `rows` and `cols` are those of the whole; but the part's bytes end with its last valid element, and what lies
     * behind belongs to others. */
    bool part;
    bool compact;  /* see above */
    uint64_t addr; /* byte address in the memory of `loc` */
    /* What messages call the tile, such as the name of its variable; NULL: its role, "the index tile". It is read
     * during the calls that the tile is given to, and by what they open; it is no part of what the tile is. */
    const char *name;
    uint64_t pad_bits; /* of PTOG_PAD_CUSTOM: the lowest bits are those of one element; else 0 */
    uint64_t reserved[2];
};

/* How a tile's elements lie in memory: which place, counted in elements from the start of the tile, element (r, c) has.
 * Every combination of blayout, slayout and fractal is one of these. */
enum ptog_tile_order {
    PTOG_ORDER_ROW = 0,   /* r*cols + c */
    PTOG_ORDER_COL = 1,   /* c*rows + r */
    PTOG_ORDER_NZ = 2,    /* (c/C0)*(rows*C0) + r*C0 + c%C0, C0 = 32 bytes of elements */
    PTOG_ORDER_OTHER = 3, /* a boxed layout that no instruction uses */
    /* Of the cube core. A box has 16 rows and C0 columns, or C0 rows and 16 columns where its columns come first; one of
     * 1024 bytes is 16x16. */
    PTOG_ORDER_ACC = 4, /* as NZ, with boxes of 1024 bytes */
    PTOG_ORDER_ZZ = 5,  /* boxes row by row, elements row by row */
    PTOG_ORDER_ZN = 6,  /* boxes row by row, elements column by column: an NZ tile with rows and columns exchanged */
    PTOG_ORDER_NN = 7,  /* boxes column by column, elements column by column */
};

/* A row-major tile in UB, all of it valid, without an address: what most tiles begin as. */
PTOG_API struct ptog_tile ptog_tile_vec(enum ptog_dtype dtype, int64_t rows, int64_t cols);

/* The same tile with other valid extents. PTOG_DYN is fine; 0 means all of it. */
PTOG_API struct ptog_tile ptog_tile_valid(struct ptog_tile tile, int64_t valid_row, int64_t valid_col);

/* The same tile, column-major; in NZ fractal order; at a byte address of UB, where a kernel for a core puts it. */
PTOG_API struct ptog_tile ptog_tile_col_major(struct ptog_tile tile);
PTOG_API struct ptog_tile ptog_tile_nz(struct ptog_tile tile);
PTOG_API struct ptog_tile ptog_tile_at(struct ptog_tile tile, uint64_t addr);

/* A tile of the cube core, all of it valid, without an address, in the order that its memory has by default: NZ in mat
 * (ptog_tile_zn: ZN), left, right and acc as the instructions there need it, one row in bias and scaling. */
PTOG_API struct ptog_tile ptog_tile_cube(enum ptog_loc loc, enum ptog_dtype dtype, int64_t rows, int64_t cols);
PTOG_API struct ptog_tile ptog_tile_zn(struct ptog_tile tile);

/* The order of a tile; PTOG_ORDER_OTHER also for NULL. */
PTOG_API enum ptog_tile_order ptog_tile_order(const struct ptog_tile *tile);

/* The place of element (r, c) in the tile's storage, in elements. The caller keeps 0 <= r < rows and 0 <= c < cols, and
 * the order is not PTOG_ORDER_OTHER; nothing is checked. -1 for NULL. */
PTOG_API int64_t ptog_tile_offset(const struct ptog_tile *tile, int64_t r, int64_t c);

/* Bytes of the whole padded tile, valid or not; -1 for NULL, and when there are more than 2^56 of them or an extent is
 * not positive. */
PTOG_API int64_t ptog_tile_bytes(const struct ptog_tile *tile);

#endif
