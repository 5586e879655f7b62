/* model: targets, from spec/targets.def. */
#include "model/target.h"

#include <string.h>

static const struct ptog_target targets[PTOG_ON_COUNT] = {
#define TARGET(on, name_, ...) [PTOG_ON_INDEX_##on] = {.name = (name_), .bit = PTOG_ON_##on, __VA_ARGS__},
#include "spec/targets.def"
#undef TARGET
};

size_t ptog_target_count(void)
{
    return PTOG_ON_COUNT;
}

const struct ptog_target *ptog_target_at(size_t i)
{
    return i < PTOG_ON_COUNT ? &targets[i] : NULL;
}

const struct ptog_target *ptog_target_find(const char *name)
{
    for (size_t i = 0; name && i < PTOG_ON_COUNT; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

enum ptog_coalesce ptog_mgather_mode(const struct ptog_target *target, const struct ptog_mgather *op)
{
    switch (target->mode_from) {
    case PTOG_MODE_ALWAYS_ELEM: return PTOG_ELEM;
    case PTOG_MODE_FROM_INDEX_SHAPE: return op->idx.cols == 1 ? PTOG_ROW : PTOG_ELEM;
    default: return op->coalesce;
    }
}
