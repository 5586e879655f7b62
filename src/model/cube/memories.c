/* model: the memories of a cube core. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/cube/memories.h"

#include <ptog/target.h>

#include "model/moves.h"

const char *ptog_memory_name(enum ptog_loc loc)
{
    static const char *const names[PTOG_LOCS] = {"UB", "L1", "L0A", "L0B", "L0C", "the bias table", "the scale buffer"};
    if ((unsigned)loc < PTOG_LOCS)
        return names[loc];
    return "?";
}

uint64_t ptog_memory_bytes(const struct ptog_target *target, enum ptog_loc loc)
{
    if ((unsigned)loc >= PTOG_LOCS)
        return 0;
    return loc == PTOG_VEC ? target->ub_bytes : target->cube_bytes[loc];
}

uint64_t ptog_cube_start(const struct ptog_target *target, enum ptog_loc loc)
{
    uint64_t start = loc == PTOG_VEC ? 0 : target->ub_bytes;
    for (int i = 0; i < (int)loc && i < PTOG_LOCS; i++)
        start += target->cube_bytes[i];
    return start;
}

uint64_t ptog_cube_bytes(const struct ptog_target *target)
{
    return ptog_cube_start(target, (enum ptog_loc)PTOG_LOCS);
}

enum ptog_loc ptog_cube_find(const struct ptog_target *target, uint64_t at, uint64_t *address)
{
    int loc = PTOG_MAT;
    *address = at;
    if (at < target->ub_bytes)
        return PTOG_VEC;
    at -= target->ub_bytes;
    while (loc < PTOG_SCALING && at >= target->cube_bytes[loc])
        at -= target->cube_bytes[loc++];
    *address = at;
    return (enum ptog_loc)loc;
}

void ptog_cube_place(struct ptog_known_insn *known)
{
    for (int i = 0; i < known->insn.count; i++)
        if (known->insn.of[i].kind == PTOG_IS_TILE)
            known->insn.of[i].tile.addr += ptog_cube_start(known->target, known->insn.of[i].tile.loc);
}

void ptog_tile_settle(const struct ptog_target *target, struct ptog_tile *tile)
{
    if (tile->loc == PTOG_ACC && tile->slayout == PTOG_NONE_BOX)
        *tile = ptog_tile_nz(*tile); /* a type without a layout */
    if (tile->loc == PTOG_ACC)
        tile->fractal = 1024; /* an accumulator has no other boxes, whatever its type says */
    if (tile->loc == PTOG_RIGHT && tile->slayout == PTOG_NONE_BOX)
        *tile = ptog_tile_zn(*tile);
    if (tile->loc != PTOG_LEFT)
        return;
    if (tile->rows == 1) { /* of a vector: its elements side by side */
        tile->blayout = PTOG_ROW_MAJOR;
        tile->slayout = PTOG_NONE_BOX;
        return;
    }
    tile->blayout = target->left_nz ? PTOG_COL_MAJOR : PTOG_ROW_MAJOR;
    tile->slayout = PTOG_BOX_ROW_MAJOR;
}

int ptog_insn_sent(const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile, *src = &insn->of[PTOG_MOVE_SRC].tile;
    bool copies = insn->opcode == PTOG_TMOV || insn->opcode == PTOG_TEXTRACT || insn->opcode == PTOG_TINSERT;
    if (copies && ((src->loc == PTOG_ACC && dst->loc == PTOG_VEC) || (src->loc == PTOG_VEC && dst->loc == PTOG_MAT)))
        return PTOG_MOVE_DST;
    return -1;
}

/* Whether an instruction has a tile in a memory of the cube core, or else in UB. */
static bool uses_memory(const struct ptog_insn *insn, bool cube)
{
    int sent = ptog_insn_sent(insn);
    for (int i = 0; i < insn->count; i++)
        if (i != sent && insn->of[i].kind == PTOG_IS_TILE && insn->of[i].tile.dtype != PTOG_DTYPE_NONE &&
            (insn->of[i].tile.loc != PTOG_VEC) == cube)
            return true;
    return false;
}

bool ptog_insn_uses_cube(const struct ptog_insn *insn)
{
    return uses_memory(insn, true);
}

bool ptog_insn_uses_ub(const struct ptog_insn *insn)
{
    return uses_memory(insn, false);
}
