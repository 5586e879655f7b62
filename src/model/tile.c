/* model: tiles and where their elements lie. */
#include "model/tile.h"

#include <string.h>

#include <ptog/tile.h>

#include "base/arith.h"
#include "base/pick.h"

#define NZ_FRACTAL 512 /* bytes of a 16 x 32-byte block */

struct ptog_tile ptog_tile_vec(enum ptog_dtype dtype, int64_t rows, int64_t cols)
{
    return (struct ptog_tile){.dtype = dtype, .rows = rows, .cols = cols};
}

struct ptog_tile ptog_tile_valid(struct ptog_tile tile, int64_t valid_row, int64_t valid_col)
{
    tile.valid_row = valid_row;
    tile.valid_col = valid_col;
    return tile;
}

struct ptog_tile ptog_tile_col_major(struct ptog_tile tile)
{
    tile.blayout = PTOG_COL_MAJOR;
    tile.slayout = PTOG_NONE_BOX;
    return tile;
}

struct ptog_tile ptog_tile_nz(struct ptog_tile tile)
{
    tile.blayout = PTOG_COL_MAJOR;
    tile.slayout = PTOG_BOX_ROW_MAJOR;
    tile.fractal = NZ_FRACTAL;
    return tile;
}

struct ptog_tile ptog_tile_at(struct ptog_tile tile, uint64_t addr)
{
    tile.placed = true;
    tile.is_static = false;
    tile.addr = addr;
    return tile;
}

struct ptog_tile ptog_tile_static_at(struct ptog_tile tile, uint64_t addr)
{
    tile = ptog_tile_at(tile, addr);
    tile.is_static = true;
    return tile;
}

struct ptog_tile ptog_tile_cube(enum ptog_loc loc, enum ptog_dtype dtype, int64_t rows, int64_t cols)
{
    struct ptog_tile tile = ptog_tile_vec(dtype, rows, cols);
    tile.loc = loc;
    if (loc == PTOG_MAT || loc == PTOG_ACC)
        tile = ptog_tile_nz(tile);
    if (loc == PTOG_ACC)
        tile.fractal = 1024;
    if (loc == PTOG_LEFT)
        tile.slayout = PTOG_BOX_ROW_MAJOR;
    if (loc == PTOG_RIGHT)
        tile.slayout = PTOG_BOX_COL_MAJOR;
    return tile;
}

struct ptog_tile ptog_tile_zn(struct ptog_tile tile)
{
    tile.blayout = PTOG_ROW_MAJOR;
    tile.slayout = PTOG_BOX_COL_MAJOR;
    tile.fractal = NZ_FRACTAL;
    return tile;
}

/* The order of whole boxes and that of the elements in one. */
static enum ptog_tile_order boxed_order(const struct ptog_tile *tile)
{
    bool fractal_512 = tile->fractal == 0 || tile->fractal == NZ_FRACTAL;
    bool by_row = tile->slayout == PTOG_BOX_ROW_MAJOR;
    if (tile->blayout == PTOG_COL_MAJOR && by_row && tile->fractal == 1024)
        return PTOG_ORDER_ACC;
    if (!fractal_512 || (!by_row && tile->slayout != PTOG_BOX_COL_MAJOR))
        return PTOG_ORDER_OTHER;
    if (tile->blayout == PTOG_COL_MAJOR)
        return by_row ? PTOG_ORDER_NZ : PTOG_ORDER_NN;
    return by_row ? PTOG_ORDER_ZZ : PTOG_ORDER_ZN;
}

enum ptog_tile_order ptog_tile_order(const struct ptog_tile *tile)
{
    if (!tile)
        return PTOG_ORDER_OTHER;
    if (tile->slayout == PTOG_NONE_BOX && tile->blayout == PTOG_ROW_MAJOR)
        return PTOG_ORDER_ROW;
    if (tile->slayout == PTOG_NONE_BOX && tile->blayout == PTOG_COL_MAJOR)
        return PTOG_ORDER_COL;
    if (tile->blayout != PTOG_ROW_MAJOR && tile->blayout != PTOG_COL_MAJOR)
        return PTOG_ORDER_OTHER;
    return boxed_order(tile);
}

int64_t ptog_tile_offset(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    if (!tile)
        return -1;
    switch (ptog_tile_order(tile)) {
    case PTOG_ORDER_COL: return c * tile->rows + r;
    case PTOG_ORDER_NZ: {
        int64_t c0 = ptog_c0(tile->dtype);
        return c / c0 * (tile->rows * c0) + r * c0 + c % c0;
    }
    case PTOG_ORDER_ACC:
    case PTOG_ORDER_ZZ:
    case PTOG_ORDER_ZN:
    case PTOG_ORDER_NN: {
        struct ptog_boxes boxes;
        ptog_tile_boxes(tile, &boxes);
        return ptog_boxes_offset(&boxes, r, c);
    }
    default: return r * tile->cols + c;
    }
}

/* More than any memory, and few enough that rules can add to the bytes of a tile and take several of them. */
#define MAX_TILE_BYTES ((int64_t)1 << 56)

int64_t ptog_tile_bytes(const struct ptog_tile *tile)
{
    int64_t elements, bytes;
    if (!tile || tile->rows < 1 || tile->cols < 1 || !ptog_mul_i64(tile->rows, tile->cols, &elements) ||
        !ptog_mul_i64(elements, (int64_t)ptog_dtype_size(tile->dtype), &bytes) || elements > MAX_TILE_BYTES ||
        bytes > MAX_TILE_BYTES)
        return -1;
    return bytes;
}

static int64_t default_extent(int64_t valid, int64_t padded)
{
    if (valid == PTOG_NOTHING_VALID)
        return 0;
    return ptog_given(valid, padded);
}

void ptog_tile_fill_defaults(struct ptog_tile *tile)
{
    tile->valid_row = default_extent(tile->valid_row, tile->rows);
    tile->valid_col = default_extent(tile->valid_col, tile->cols);
}

void ptog_tile_close(struct ptog_tile *tile)
{
    if (tile->valid_row == PTOG_DYN)
        tile->valid_row = tile->rows;
    if (tile->valid_col == PTOG_DYN)
        tile->valid_col = tile->cols;
}

void ptog_tile_pack(const struct ptog_tile *tile, const unsigned char *ub, uint64_t ub_bytes, void *packed)
{
    struct ptog_tile whole = *tile;
    size_t size = ptog_dtype_size(tile->dtype);
    unsigned char *to = packed;
    ptog_tile_fill_defaults(&whole);
    for (int64_t r = 0; r < whole.valid_row; r++)
        for (int64_t c = 0; c < whole.valid_col; c++, to += size) {
            uint64_t at = whole.addr + (uint64_t)ptog_tile_offset(&whole, r, c) * size;
            if (at <= ub_bytes && ub_bytes - at >= size)
                memcpy(to, ub + at, size);
            else
                memset(to, 0xAA, size);
        }
}

bool ptog_tile_is_list(const struct ptog_tile *tile, int64_t count)
{
    return (tile->valid_row == 1 && tile->valid_col == count) || (tile->valid_row == count && tile->valid_col == 1);
}

int64_t ptog_tile_list_offset(const struct ptog_tile *tile, int64_t i)
{
    if (tile->valid_row == 1)
        return ptog_tile_offset(tile, 0, i);
    return ptog_tile_offset(tile, i, 0);
}

void ptog_tile_box(const struct ptog_tile *tile, int64_t *rows, int64_t *cols)
{
    *rows = 16;
    *cols = tile->fractal == 1024 ? 16 : 2;
    if (tile->fractal == 512 || tile->fractal == 0)
        *cols = ptog_c0(tile->dtype);
    if (tile->slayout == PTOG_BOX_COL_MAJOR) {
        int64_t turned = *rows;
        *rows = *cols;
        *cols = turned;
    }
}

static int64_t round_up(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

/* Fills *boxes with the size, number and order of a tile's boxes. */
void ptog_tile_boxes(const struct ptog_tile *tile, struct ptog_boxes *boxes)
{
    ptog_tile_box(tile, &boxes->rows, &boxes->cols);
    boxes->by_column = tile->blayout == PTOG_COL_MAJOR;
    boxes->turned = tile->slayout == PTOG_BOX_COL_MAJOR;
    int64_t across = boxes->by_column ? tile->rows : tile->cols;
    if (tile->compact)
        across = round_up(boxes->by_column ? tile->valid_row : tile->valid_col,
                          boxes->by_column ? boxes->rows : boxes->cols);
    boxes->pitch = across * (boxes->by_column ? boxes->cols : boxes->rows);
}

bool ptog_tile_is_of_blocks(const struct ptog_tile *tile)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype), rows, cols;
    if (size == 0 || tile->rows <= 0 || tile->cols <= 0)
        return true;
    if (tile->slayout == PTOG_NONE_BOX)
        return (tile->blayout == PTOG_COL_MAJOR ? tile->rows : tile->cols) % (32 / size) == 0;
    ptog_tile_box(tile, &rows, &cols);
    return (tile->loc == PTOG_VEC || tile->rows % rows == 0) && tile->cols % cols == 0;
}
