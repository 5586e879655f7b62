/* tool: how the command line of ptog gather names an array in a file. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "safetensors:", suffix[] = ".safetensors";

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t wanted = strlen(end);
    return length >= wanted && memcmp(text + length - wanted, end, wanted) == 0;
}

/* Where the tensor's name begins: behind .safetensors, else at the last # that no backslash stands before; the end of
 * the text when there is none. */
static const char *find_hash(const char *text)
{
    const char *found = strstr(text, ".safetensors#");
    if (found)
        return found + strlen(suffix);
    for (; *text; text++) {
        if (*text == '#')
            found = text;
        if (*text == '\\' && (text[1] == '#' || text[1] == '\\'))
            text++;
    }
    if (found)
        return found;
    return text;
}

/* A copy without the backslashes. */
static char *plain(const char *from, size_t length)
{
    char *copy = malloc(length + 1);
    size_t used = 0;
    for (size_t i = 0; copy && i < length; i++) {
        if (from[i] == '\\' && i + 1 < length && (from[i + 1] == '#' || from[i + 1] == '\\'))
            i++;
        copy[used++] = from[i];
    }
    if (copy)
        copy[used] = '\0';
    return copy;
}

bool gather_name_read(struct gather_name *name, const char *spec)
{
    bool has_prefix = strncmp(spec, prefix, strlen(prefix)) == 0;
    const char *path = has_prefix ? spec + strlen(prefix) : spec, *hash = find_hash(path);
    size_t length = (size_t)(hash - path);
    *name = (struct gather_name){.is_safetensors = has_prefix || ends_in(path, length, suffix)};
    if (!name->is_safetensors) {
        name->path = malloc(strlen(spec) + 1); /* a name of its own, whatever is in it */
        return name->path && strcpy(name->path, spec);
    }
    name->path = plain(path, length);
    if (*hash)
        name->tensor = plain(hash + 1, strlen(hash + 1));
    return name->path && (name->tensor || !*hash);
}

void gather_name_free(struct gather_name *name)
{
    free(name->path);
    free(name->tensor);
    *name = (struct gather_name){0};
}
