/* model: whether two tiles share bytes, and whether that matters. A part of a tile (ptog_tile.part) keeps the distance
 * from row to row of the whole, and has nothing of what lies between its rows:
 *
 *      whole  +----+----+----+          the left and the right third of a tile overlap as ranges of bytes,
 *             | a  |    | b  |          and have no byte in common
 *             | a  |    | b  |
 *             +----+----+----+ */
#ifndef PTOG_MODEL_OVERLAP_H
#define PTOG_MODEL_OVERLAP_H

#include <stdbool.h>

#include <ptog/insn.h>
#include <ptog/tile.h>

/* By their addresses, placed or not. The rows of a part count as whole blocks of 32 bytes, as libraries write them.
 * False for a tile without bytes. */
bool ptog_tiles_overlap(const struct ptog_tile *a, const struct ptog_tile *b);

/* The same of two operands of an instruction. Elementwise ones, and TGATHER by mask, leave rows (column-major: columns)
 * behind the valid region alone, and of a single row the blocks behind it: these may be another tile's. */
bool ptog_insn_tiles_overlap(const struct ptog_insn *insn, const struct ptog_tile *a, const struct ptog_tile *b);

/* Row after row, dst never reaches rows of src that are still to be read: it starts at or before `first`, a number of
 * bytes from the start of src, and its rows follow each other at least as closely. Both are row-major, with elements of
 * one size. */
bool ptog_tile_never_overtakes(const struct ptog_tile *dst, const struct ptog_tile *src, uint64_t first);

#endif
