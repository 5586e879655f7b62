/* tool: the arrays that ptog gather and ptog scatter read. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "io/safetensors.h"

/* Reads the header of an npy file; false, with *why, when it is none. */
static bool open_npy(struct gather_source *source, struct tool_why *why)
{
    const struct tool_map *map = &source->map;
    if (tool_npy_parse(&source->array, map->bytes, map->size, why))
        return true;
    if (map->size > 0 && !tool_npy_starts(map->bytes, map->size))
        tool_why_add(why, " (a safetensors file is named FILE.safetensors#TENSOR, or safetensors:FILE#TENSOR)");
    return false;
}

/* ---- tensors ---- */

static void list_nearest(const struct tool_safetensors *file, const char *word, struct tool_why *why)
{
    struct gather_nearest nearest = {.word = word};
    for (size_t i = 0; i < file->count; i++)
        gather_nearest_offer(&nearest, file->tensors[i].name);
    gather_nearest_list(&nearest, why);
}

/* The tensor of that name, or the only one; NULL, with *why, when there is none. */
static const struct tool_tensor *choose_tensor(const struct tool_safetensors *file, const char *name,
                                               struct tool_why *why)
{
    if (file->count == 0) {
        tool_why_set(why, "has no tensors");
        return NULL;
    }
    if (!name && file->count == 1)
        return &file->tensors[0];
    const struct tool_tensor *found = name ? tool_safetensors_find(file, name) : NULL;
    if (found)
        return found;
    if (name)
        tool_why_set(why, "has no tensor '%.60s'", name);
    else
        tool_why_set(why, "has several tensors: choose one with FILE#TENSOR");
    list_nearest(file, tool_or(name, ""), why);
    return NULL;
}

/* Opens a tensor of a safetensors file; false, with *why, when that fails. */
static bool open_safetensors(struct gather_source *source, struct tool_why *why)
{
    struct tool_safetensors file;
    if (!tool_safetensors_open(&file, source->map.bytes, source->map.size, why))
        return false;
    const struct tool_tensor *tensor = choose_tensor(&file, source->name.tensor, why);
    bool done = tensor && tool_safetensors_array(&file, tensor, &source->array, &source->type, why);
    if (done && !source->name.tensor) { /* the only one */
        source->name.tensor = malloc(tensor->length + 1);
        if (source->name.tensor)
            memcpy(source->name.tensor, tensor->name, tensor->length + 1);
    }
    tool_safetensors_close(&file);
    return done;
}

bool gather_open_name(struct gather_source *source, struct gather_name name, const char *path, const char *command)
{
    struct tool_why why;
    *source = (struct gather_source){.path = path, .command = command, .name = name};
    bool done = (name.path && (name.is_safetensors || !name.tensor)) || tool_why(&why, "out of memory");
    done = done && tool_map_open(&source->map, source->name.path, &why) &&
           (source->name.is_safetensors ? open_safetensors(source, &why) : open_npy(source, &why));
    if (!done)
        tool_fail(command, "%s: %s", path, why.text);
    return done;
}

bool gather_open(struct gather_source *source, const char *spec, const char *command)
{
    struct gather_name name;
    if (gather_name_read(&name, spec))
        return gather_open_name(source, name, spec, command);
    *source = (struct gather_source){.path = spec, .name = name};
    tool_fail(command, "%s: out of memory", spec);
    return false;
}

void gather_close(struct gather_source *source)
{
    tool_map_close(&source->map);
    free(source->owned);
    gather_name_free(&source->name);
}
