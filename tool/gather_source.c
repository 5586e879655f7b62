/* tool: the arrays that ptog gather reads. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"

static const char prefix[] = "safetensors:";

static bool open_npy(struct gather_source *source, const char *path, struct tool_why *why)
{
    const struct tool_map *map = &source->map;
    if (!tool_map_open(&source->map, path, why))
        return false;
    if (tool_npy_parse(&source->array, map->bytes, map->size, why))
        return true;
    if (map->size > 0 && !tool_npy_starts(map->bytes, map->size))
        tool_why_add(why, " (a safetensors file is named safetensors:FILE#TENSOR)");
    return false;
}

/* FILE#TENSOR; a file with one tensor needs no #TENSOR. */
static bool open_safetensors(struct gather_source *source, const char *spec, struct tool_why *why)
{
    const char *hash = strrchr(spec, '#');
    size_t length = hash ? (size_t)(hash - spec) : strlen(spec);
    char *path = malloc(length + 1);
    if (!path)
        return tool_why(why, "out of memory");
    memcpy(path, spec, length);
    path[length] = '\0';
    bool done =
        tool_map_open(&source->map, path, why) &&
        tool_safetensors_parse(&source->array, source->map.bytes, source->map.size, hash ? hash + 1 : NULL, why);
    free(path);
    return done;
}

bool gather_open(struct gather_source *source, const char *spec)
{
    struct tool_why why;
    size_t length = strlen(prefix);
    *source = (struct gather_source){.path = spec};
    bool done = strncmp(spec, prefix, length) == 0 ? open_safetensors(source, spec + length, &why)
                                                   : open_npy(source, spec, &why);
    if (!done)
        tool_fail("gather", "%s: %s", spec, why.text);
    return done;
}

void gather_close(struct gather_source *source)
{
    tool_map_close(&source->map);
}
