/* core: where there is no machine, an instruction does what it means, at once, on a UB that is as large as its tiles
 * ask. */
#ifndef PTOG_CORE_DIRECT_H
#define PTOG_CORE_DIRECT_H

#include "core/inside.h"
#include "model/insn.h"
#include "sim/memory.h"

/* Memory that is 0xAA until written: a page is filled when a tile first lies in it. Most tiles are loaded before they are
 * read, and filling all of them and the gaps between them took longer than a short kernel. */
struct ptog_direct_memory {
    unsigned char *data;
    uint64_t bytes;        /* up to the end of the last tile */
    uint64_t room;         /* whole pages */
    unsigned char *filled; /* for each page of the room, whether its bytes may be read */
};
struct ptog_direct {
    struct ptog_direct_memory memories[PTOG_LOCS]; /* UB, and those of a cube core */
    uint64_t moves;                                /* how often one became larger, and so has other addresses */
};

/* UB of `ub_bytes` to begin with. PTOG_OK or PTOG_NO_MEMORY; close it in any case. */
enum ptog_status ptog_direct_open(struct ptog_direct *core, uint64_t ub_bytes);
void ptog_direct_close(struct ptog_direct *core);

/* UB itself, *bytes of it, the caller's to free. The core can only be closed afterwards. */
unsigned char *ptog_direct_take_ub(struct ptog_direct *core, uint64_t *bytes);

/* Makes UB reach to the end of a tile; what is new is 0xAA. `is_overwritten`: every byte of the tile is written next, so
 * that it may be anything until then. */
enum ptog_status ptog_direct_reach(struct ptog_direct *core, const struct ptog_tile *tile, bool is_overwritten);

/* Fills all of UB, for whoever reads beyond tiles. */
void ptog_direct_fill(struct ptog_direct *core);

/* An element at a byte of the memory that `tile` is in; false: past its end. */
bool ptog_direct_look(const struct ptog_direct *core, const struct ptog_tile *tile, uint64_t at, size_t size,
                      uint64_t *bits);

/* The storage of a tile, cut at the end of its memory. */
struct ptog_buf ptog_direct_storage(const struct ptog_direct *core, const struct ptog_tile *tile);

/* The buffers of an instruction whose tiles are in reach. `reads_ub`: the source of a TGATHER reaches to the end of UB,
 * for a target that reads whatever lies there. */
struct ptog_run ptog_direct_buffers(const struct ptog_direct *core, const struct ptog_global *gm,
                                    const struct ptog_insn *insn, bool reads_ub);

/* The valid region of a placed tile, in logical row-major order, from or to packed bytes. */
void ptog_direct_peek(const struct ptog_direct *core, const struct ptog_tile *tile, void *data);
void ptog_direct_poke(struct ptog_direct *core, const struct ptog_tile *tile, const void *data);

#endif
