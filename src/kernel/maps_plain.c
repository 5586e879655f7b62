/* kernel: the maps, as every CPU can do them; and which map of which set. */
#define TABLE ptog_maps_plain
#define VECTOR 16
#include "kernel/maps_stamp.h"

static const struct ptog_map *find_in(const struct ptog_map *maps, const char *name, enum ptog_dtype dtype)
{
    for (; maps->name; maps++)
        if (maps->dtype == dtype && strcmp(maps->name, name) == 0)
            return maps;
    return NULL;
}

const struct ptog_map *ptog_map_find(enum ptog_isa isa, const char *name, enum ptog_dtype dtype)
{
    const struct ptog_map *found = NULL;
    if (ptog_isa_has_avx512(isa))
        found = find_in(ptog_maps_avx512, name, dtype);
    if (!found && ptog_isa_has_avx2(isa))
        found = find_in(ptog_maps_avx2, name, dtype);
    return found ? found : find_in(ptog_maps_plain, name, dtype);
}
