/* model: what the other rooms ask of tiles beyond ptog/tile.h. */
#ifndef PTOG_MODEL_TILE_H
#define PTOG_MODEL_TILE_H

#include <stdbool.h>

#include <ptog/tile.h>

/* Elements in one 32-byte block: C0. The type must be valid. */
/* The rows and columns of a box: 16 x 16 in 1024 bytes, 16 x 32 bytes in 512, 16 x 2 in 32. */
void ptog_tile_box(const struct ptog_tile *tile, int64_t *rows, int64_t *cols);

static inline int64_t ptog_c0(enum ptog_dtype dtype)
{
    return 32 / (int64_t)ptog_dtype_size(dtype);
}

/* The same at an address that the compiler, not the author, has chosen. */
struct ptog_tile ptog_tile_static_at(struct ptog_tile tile, uint64_t addr);

/* Replaces "0: all of rows / cols" by the number it stands for. */
void ptog_tile_fill_defaults(struct ptog_tile *tile);

/* Copies the valid region of a tile in a buffer, packed row by row; what lies outside the buffer is 0xAA. */
void ptog_tile_pack(const struct ptog_tile *tile, const unsigned char *ub, uint64_t ub_bytes, void *packed);

/* The valid region is a list of `count` elements: [1, count] or [count, 1]. */
bool ptog_tile_is_list(const struct ptog_tile *tile, int64_t count);

/* Storage position of list element i. */
int64_t ptog_tile_list_offset(const struct ptog_tile *tile, int64_t i);

#endif
