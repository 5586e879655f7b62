/* core: instructions that a core has issued before. */
#include "core/recall.h"

#include <stdlib.h>
#include <string.h>

struct ptog_known_insn *ptog_recall_find(const struct ptog_recall *recall, uint32_t place,
                                         const struct ptog_insn *written)
{
    const struct ptog_recalled *last = recall->of[place % PTOG_MOST_RECALLED];
    if (last && last->known && memcmp(&last->written, written, ptog_insn_bytes(written)) == 0)
        return last->known;
    return NULL;
}

struct ptog_known_insn *ptog_recall_keep(struct ptog_recall *recall, uint32_t place, const struct ptog_insn *written,
                                         const struct ptog_known_insn *known)
{
    struct ptog_recalled **last = &recall->of[place % PTOG_MOST_RECALLED];
    if (!*last && !(*last = calloc(1, sizeof **last)))
        return NULL;
    ptog_known_let_go((*last)->known);
    ptog_insn_copy(&(*last)->written, written);
    return (*last)->known = ptog_known_share(known);
}

void ptog_recall_close(struct ptog_recall *recall)
{
    for (int i = 0; i < PTOG_MOST_RECALLED; i++) {
        if (recall->of[i])
            ptog_known_let_go(recall->of[i]->known);
        free(recall->of[i]);
        recall->of[i] = NULL;
    }
}
