/* ref: the tiles of an instruction in the buffers of a run, for the walks of model/families. */
#ifndef PTOG_REF_TILE_BYTES_H
#define PTOG_REF_TILE_BYTES_H

#include "model/families/tile_bytes.h"

struct ptog_ref_tiles {
    const struct ptog_known_insn *known;
    const struct ptog_run *run;
};

/* `tiles` has to live as long as the result. What lies past a tile but in its buffer is read and written, as on a target
 * whose tiles lie in one memory. */
struct ptog_tile_bytes ptog_ref_bytes(struct ptog_ref_tiles *tiles, struct ptog_fault *fault);

#endif
