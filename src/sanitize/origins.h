/* sanitize: where each byte of UB comes from: the tile that it was last written through, and whether that gave it a
 * value. Blocks of 32 bytes have one origin until one is written in part from another. */
#ifndef PTOG_SANITIZE_ORIGINS_H
#define PTOG_SANITIZE_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>

enum ptog_definition {
    PTOG_NEVER_WRITTEN = 0,
    PTOG_DEFINED = 1,
    PTOG_PADDING = 2, /* the rest of a short burst's last block: bytes nobody specifies */
    PTOG_CARRIED = 3, /* computed from bytes of the two other kinds: struct ptog_carried */
};

/* Of a byte that an instruction computed from undefined ones. */
struct ptog_carried {
    uint32_t trail; /* where they come from: a number of the sanitizer's */
    uint8_t bits;   /* those of the byte that are undefined: of a mask not all may be */
};

/* The number of a tile, 0 for none, and a definition, in one word. */
typedef uint32_t ptog_origin;

static inline ptog_origin ptog_origin_of(uint32_t tile, enum ptog_definition definition)
{
    return tile << 2 | (uint32_t)definition;
}

static inline uint32_t ptog_origin_tile(ptog_origin origin)
{
    return origin >> 2;
}

static inline enum ptog_definition ptog_origin_definition(ptog_origin origin)
{
    return (enum ptog_definition)(origin & 3);
}

struct ptog_origins {
    ptog_origin *block;           /* per 32 bytes; or that its bytes differ */
    ptog_origin *byte;            /* of such blocks; NULL: there are none yet */
    struct ptog_carried *carried; /* by byte; NULL: there are none yet */
    uint64_t bytes;
    bool failed; /* out of memory: a block keeps the origin that it had */
};

/* Origins of `bytes` bytes, all of them undefined. False when out of memory; close it in any case. */
bool ptog_origins_open(struct ptog_origins *origins, uint64_t bytes);
void ptog_origins_close(struct ptog_origins *origins);

/* [at, at + bytes) lies in UB. */
void ptog_origins_set(struct ptog_origins *origins, uint64_t at, uint64_t bytes, ptog_origin origin);

/* The end of the bytes from `at` on, up to `end`, that have one origin, which is put into *origin. */
uint64_t ptog_origins_run(const struct ptog_origins *origins, uint64_t at, uint64_t end, ptog_origin *origin);

/* The first byte from `at` on, up to `end`, that is not defined; `end`: all are. */
uint64_t ptog_origins_undefined(const struct ptog_origins *origins, uint64_t at, uint64_t end);

/* The bytes get this definition and keep their tiles; or this tile, and keep their definitions. */
void ptog_origins_redefine(struct ptog_origins *origins, uint64_t at, uint64_t bytes, enum ptog_definition definition);
void ptog_origins_retile(struct ptog_origins *origins, uint64_t at, uint64_t bytes, uint32_t tile);

/* The bytes were computed from undefined ones, and keep their tiles. */
void ptog_origins_propagate(struct ptog_origins *origins, uint64_t at, uint64_t bytes, struct ptog_carried carried);

#endif
