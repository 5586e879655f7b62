/* core: instructions that a core has issued before. */
#include "core/resolved_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/zeroed.h"

struct ptog_known_insn *ptog_resolved_cache_find(const struct ptog_resolved_cache *resolved, uint32_t place,
                                                 const struct ptog_insn *written)
{
    const struct ptog_resolved_entry *last = resolved->of[place % PTOG_MAX_RESOLVED];
    if (last && last->known && memcmp(&last->written, written, ptog_insn_bytes(written)) == 0)
        return last->known;
    return NULL;
}

struct ptog_known_insn *ptog_resolved_cache_keep(struct ptog_resolved_cache *resolved, uint32_t place,
                                                 const struct ptog_insn *written, const struct ptog_known_insn *known)
{
    struct ptog_resolved_entry **last = &resolved->of[place % PTOG_MAX_RESOLVED];
    if (!*last && !(*last = ptog_zeroed(sizeof **last)))
        return NULL;
    ptog_known_let_go((*last)->known);
    ptog_insn_copy(&(*last)->written, written);
    return (*last)->known = ptog_known_share(known);
}

/* Gives up all instructions that were kept. */
void ptog_resolved_cache_close(struct ptog_resolved_cache *resolved)
{
    for (int i = 0; i < PTOG_MAX_RESOLVED; i++) {
        if (resolved->of[i])
            ptog_known_let_go(resolved->of[i]->known);
        free(resolved->of[i]);
        resolved->of[i] = NULL;
    }
}
