/* model: the quirks of the targets' libraries, spec/target_quirks.def: where an elementwise instruction is not done as
 * it is meant. The rows that say how a region is walked are read by model/elementwise.c. */
#ifndef PTOG_MODEL_TARGET_QUIRKS_H
#define PTOG_MODEL_TARGET_QUIRKS_H

#include "model/insn.h"
#include "model/lane.h"

/* The lane that the instruction computes with on its target. `in_place`: the first source lies where dst does. */
enum ptog_lane_id ptog_quirk_lane(const struct ptog_known_insn *known, bool in_place);

/* Source `in` may not be the destination. `target` may be NULL: on any of them. */
bool ptog_quirk_is_apart(const struct ptog_target *target, const struct ptog_insn *insn, int in);

/* Nothing is done when a source has another valid region than dst. */
bool ptog_quirk_is_idle(const struct ptog_target *target, const struct ptog_insn *insn);

/* An odd row of 1-byte elements is one element longer. */
bool ptog_quirk_is_even(const struct ptog_target *target, const struct ptog_insn *insn);

/* As many elements as are valid are filled one after the other, where not all columns are. */
bool ptog_quirk_is_packed(const struct ptog_target *target, const struct ptog_insn *insn);

/* What one source has alone is copied in whole rows or 32-byte blocks. */
bool ptog_quirk_copies_blocks(const struct ptog_target *target, const struct ptog_insn *insn);

/* The valid region of the source is done, not that of dst. */
bool ptog_quirk_walks_source(const struct ptog_target *target, const struct ptog_insn *insn);

/* A broadcast whose sources could both be the whole one takes the one with the wider rows, unless a tmp is given. */
bool ptog_quirk_goes_by_pitch(const struct ptog_target *target, const struct ptog_insn *insn);

/* The first source of a broadcast is the whole one, whatever the regions are. */
bool ptog_quirk_first_is_whole(const struct ptog_target *target, const struct ptog_insn *insn);

/* Without a tmp, what would be kept there is kept in the target's scratch memory. */
bool ptog_quirk_uses_scratch(const struct ptog_target *target, const struct ptog_insn *insn);

/* Tiles of any layout are taken, where a broadcast elsewhere wants certain ones. */
bool ptog_quirk_accepts_layouts(const struct ptog_target *target, const struct ptog_insn *insn);

/* A column has one valid column alone, where that is known before the run. */
bool ptog_quirk_wants_one_column(const struct ptog_target *target, const struct ptog_insn *insn);

/* A row has the valid columns of dst. */
bool ptog_quirk_wants_same_cols(const struct ptog_target *target, const struct ptog_insn *insn);

/* Rows are written up to the end of a 32-byte block. */
bool ptog_quirk_ends_blocks(const struct ptog_target *target, const struct ptog_insn *insn);

/* tci with a tmp counts down as -(start + k). */
bool ptog_quirk_negates(const struct ptog_target *target, const struct ptog_insn *insn);

/* ttri writes past the valid columns, up to the diagonal. */
bool ptog_quirk_overshoots(const struct ptog_target *target, const struct ptog_insn *insn);

/* The instruction goes past column 64 with 64-bit elements on A5. */
bool ptog_quirk_repeats_64(const struct ptog_insn *insn);

/* Sources of this type are taken where dst has that one. */
bool ptog_quirk_widens(const struct ptog_insn *insn, enum ptog_dtype from, enum ptog_dtype to);

/* What a library does with tmp: it asks for `need` bytes of it and writes over `lost`, from the first on. */
struct ptog_tmp_use {
    bool is_wanted;        /* there is no way without it */
    enum ptog_dtype dtype; /* that it has to have; PTOG_DTYPE_NONE: any */
    int64_t need, lost;
};

/* False when the library does not use a tmp here: then it may be left out, and its contents stay. The instruction is
 * resolved; without a tmp, `need` is what the smallest one would have. */
bool ptog_quirk_tmp(const struct ptog_target *target, const struct ptog_insn *insn, struct ptog_tmp_use *use);

/* Whatever the operands are: false when the library never looks at a tmp of this instruction. */
bool ptog_quirk_may_use_tmp(const struct ptog_target *target, enum ptog_opcode opcode);

/* The lane that overwrites the elements of source `in` when the instruction is done; PTOG_LANE_none: they stay. */
enum ptog_lane_id ptog_quirk_spoils(const struct ptog_target *target, const struct ptog_insn *insn, int in);

#endif
