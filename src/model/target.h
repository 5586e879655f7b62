/* model: targets as bits of a mask, one per row of spec/targets.def. */
#ifndef PTOG_MODEL_TARGET_H
#define PTOG_MODEL_TARGET_H

#include <ptog/target.h>

enum ptog_on_index {
#define TARGET(on, ...) PTOG_ON_INDEX_##on,
#include "spec/targets.def"
#undef TARGET
    PTOG_ON_COUNT
};

enum ptog_on {
#define TARGET(on, ...) PTOG_ON_##on = 1 << PTOG_ON_INDEX_##on,
#include "spec/targets.def"
#undef TARGET
    PTOG_ON_ALL = (1 << PTOG_ON_COUNT) - 1
};

#endif
