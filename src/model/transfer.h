/* model: TLOAD and TSTORE: the operands of both, what is moved between a view and a tile, and how a load pads. */
#ifndef PTOG_MODEL_TRANSFER_H
#define PTOG_MODEL_TRANSFER_H

#include <stdbool.h>

#include "model/insn.h"

/* The operands of both, by their place in the rows of spec/insns.def. */
enum { PTOG_TRANSFER_TILE = 0, PTOG_TRANSFER_VIEW = 1, PTOG_TRANSFER_QUANT = 2 };

static inline const struct ptog_tile *ptog_transfer_tile(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TRANSFER_TILE].tile;
}

static inline const struct ptog_tensor *ptog_transfer_view(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TRANSFER_VIEW].view;
}

/* The elements are added to what lies in memory. */
bool ptog_transfer_adds(const struct ptog_insn *insn);

/* What memory holds after an element was stored, from the bits of both. */
uint64_t ptog_transfer_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t element);

enum ptog_form ptog_transfer_form(const struct ptog_target *target, const struct ptog_insn *op);

/* The rows and columns of a view, its outer dimensions stacked: of ND S0*S1*S2*S3 rows of S4, of DN S0*S1*S2*S4 columns
 * of S3, of NZ the logical ones. PTOG_DYN when not known. */
void ptog_view_extents(const struct ptog_tensor *view, int64_t *rows, int64_t *cols);

/* Where element (r, c) of a view lies, in elements from its base. Every extent is known and the view legal. */
uint64_t ptog_view_place(const struct ptog_tensor *view, int64_t r, int64_t c);

/* A load of one row of memory into a tile of one column: as many elements, contiguous on both sides. Extents that are
 * not known yet fit. */
bool ptog_transfer_turns_row(const struct ptog_insn *insn);

/* What a target makes of an instruction whose extents are known: devices do not read stride 3 of a DN view. A row that
 * is loaded into a column becomes a view of one column. */
void ptog_transfer_settle(const struct ptog_target *target, struct ptog_insn *insn);

/* A region of the tile from (0, 0) on. */
struct ptog_transfer_region {
    int64_t rows, cols;
};

/* What a transfer moves: the valid region; where the view is larger (host, a5), the valid columns of every row of an ND
 * view, and the valid rows of every column of a DN view. Nothing when nothing is valid. */
struct ptog_transfer_region ptog_transfer_moves(const struct ptog_insn *insn);

/* Whether TLOAD fills what it does not move, and with which bits. */
bool ptog_transfer_pads(const struct ptog_target *target, const struct ptog_tile *tile, uint64_t *bits);

/* How far it fills: the whole tile, or (devices) what it moves up to the end of each last 32-byte block. */
struct ptog_transfer_region ptog_transfer_padded(const struct ptog_target *target, const struct ptog_insn *insn);

/* The bits of an element that TLOAD fills padding with; pad is not PTOG_PAD_NULL. */
uint64_t ptog_pad_bits(const struct ptog_tile *tile);

#endif
