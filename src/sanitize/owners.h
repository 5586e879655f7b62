/* sanitize: through which tile each byte of UB was last written. Blocks of 32 bytes have one owner until one is written
 * in part through another tile. */
#ifndef PTOG_SANITIZE_OWNERS_H
#define PTOG_SANITIZE_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

struct ptog_owners {
    uint32_t *block; /* per 32 bytes: the number of a tile, 0 for none; or that its bytes differ */
    uint32_t *byte;  /* of such blocks; NULL: there are none yet */
    uint64_t bytes;
    bool failed; /* out of memory: a block keeps the owner that it had */
};

bool ptog_owners_open(struct ptog_owners *owners, uint64_t bytes);
void ptog_owners_close(struct ptog_owners *owners);

/* [at, at + bytes) lies in UB. */
void ptog_owners_set(struct ptog_owners *owners, uint64_t at, uint64_t bytes, uint32_t tile);
bool ptog_owners_are(const struct ptog_owners *owners, uint64_t at, uint64_t bytes, uint32_t tile);
uint32_t ptog_owner_at(const struct ptog_owners *owners, uint64_t at);

#endif
