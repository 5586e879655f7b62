/* tool: model.safetensors.index.json, the list of a model in several files:
 *
 *   {"metadata": {...}, "weight_map": {"embed.weight": "model-00001-of-00002.safetensors", ...}} */
#define _XOPEN_SOURCE 700 /* realpath, strdup */
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "io/json.h"

#define MAX_LIST ((uint64_t)256 << 20) /* bytes */
#define MAX_NAME 4096

/* A file next to the list or below its directory. */
static bool stays_inside(const char *file)
{
    if (file[0] == '\0' || file[0] == '/')
        return false;
    for (const char *part = file; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0)
            return false;
    }
    return true;
}

struct gather_search {
    const char *tensor;
    char file[MAX_NAME]; /* "": not found yet */
    struct gather_nearest nearest;
};

/* Reads an entry of an index file, and keeps the name of the wanted tensor's file. False, with a reason, after an
 * error. */
static bool read_entry(struct tool_json *in, struct gather_search *search)
{
    char name[MAX_NAME], file[MAX_NAME];
    size_t name_length, file_length;
    if (!tool_json_string(in, name, sizeof name, &name_length) || !tool_json_expect(in, ':') ||
        !tool_json_string(in, file, sizeof file, &file_length))
        return false;
    gather_nearest_offer(&search->nearest, name);
    if (name_length >= sizeof name || name_length != strlen(search->tensor) || strcmp(name, search->tensor) != 0)
        return true;
    if (file_length >= sizeof file || strlen(file) != file_length || !stays_inside(file))
        return tool_why(in->why, "says that '%.60s' is in '%.100s', which is not in the list's directory", name, file);
    memcpy(search->file, file, sizeof file);
    return true;
}

/* Reads all entries. */
static bool read_map(struct tool_json *in, struct gather_search *search)
{
    if (!tool_json_expect(in, '{'))
        return false;
    if (tool_json_is(in, '}'))
        return true;
    do
        if (!read_entry(in, search))
            return false;
    while (tool_json_is(in, ','));
    return tool_json_expect(in, '}');
}

/* Reads the file: its weight_map into `search`; other members are skipped. */
static bool read_index_file(struct tool_json *in, struct gather_search *search, bool *has_map)
{
    char key[32];
    size_t length;
    if (!tool_json_expect(in, '{'))
        return false;
    if (tool_json_is(in, '}'))
        return tool_json_end(in);
    do {
        if (!tool_json_string(in, key, sizeof key, &length) || !tool_json_expect(in, ':'))
            return false;
        bool is_map = length == strlen("weight_map") && strcmp(key, "weight_map") == 0;
        if (is_map ? !read_map(in, search) : !tool_json_skip(in))
            return false;
        *has_map = *has_map || is_map;
    } while (tool_json_is(in, ','));
    return tool_json_expect(in, '}') && tool_json_end(in);
}

/* Whether `path` is below the directory `above`, both without links. */
static bool is_below(const char *path, const char *above)
{
    size_t length = strlen(above);
    return strncmp(path, above, length) == 0 && (path[length] == '/' || (length == 1 && above[0] == '/'));
}

/* The directory of the list: as it is named, or, with `follows`, where the list itself is when its name is a link.
 * NULL after setting errno. */
static char *directory_of(const char *list, bool follows)
{
    char *real = follows ? realpath(list, NULL) : strdup(list);
    if (!real)
        return NULL;
    char *slash = strrchr(real, '/');
    if (slash)
        slash[slash == real] = '\0';
    char *directory = realpath(slash ? real : ".", NULL);
    free(real);
    return directory;
}

/* Whether the file called `real` is near the list. Links are followed as far as they stay in a directory of the list.
 * Caches of models have the list and its files as links into one other directory: that counts, too. */
static bool lies_inside(const char *real, const char *list, struct tool_why *why)
{
    char *named = directory_of(list, false), *linked = named ? directory_of(list, true) : NULL;
    bool inside = named && linked && (is_below(real, named) || is_below(real, linked));
    if (!named || !linked)
        tool_why_set(why, "cannot be read: %s", strerror(errno));
    else if (!inside)
        tool_why_set(why, "leads to '%.200s', which is outside the list's directory", real);
    free(named);
    free(linked);
    return inside;
}

/* Replaces the path of a file by the one without links, once it is known to be a regular file near the list. */
static bool resolve(char **file, const char *list, struct tool_why *why)
{
    struct stat info;
    char *real = *file ? realpath(*file, NULL) : NULL;
    bool is_there = real && stat(real, &info) == 0, done = false;
    if (!*file)
        tool_why_set(why, "out of memory");
    else if (!is_there)
        tool_why_set(why, "names '%.200s', which cannot be read: %s", *file, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        tool_why_set(why, "names '%.200s', which is not a regular file", *file);
    else
        done = lies_inside(real, list, why);
    free(*file);
    if (!done) {
        free(real);
        real = NULL;
    }
    *file = real;
    return done;
}

/* The file, in the directory of the list. */
static char *next_to(const char *list, const char *file)
{
    const char *slash = strrchr(list, '/');
    size_t directory = slash ? (size_t)(slash + 1 - list) : 0;
    char *path = malloc(directory + strlen(file) + 1);
    if (path) {
        memcpy(path, list, directory);
        strcpy(path + directory, file);
    }
    return path;
}

bool gather_index_json(const char *path, const char *tensor, char **file, struct tool_why *why)
{
    void *bytes;
    size_t size;
    struct gather_search search = {.tensor = tensor, .nearest.word = tensor};
    bool has_map = false;
    if (!tool_file_read(path, MAX_LIST, &bytes, &size, why))
        return false;
    struct tool_json in = {.start = bytes, .at = bytes, .end = (const char *)bytes + size, .why = why};
    bool done = read_index_file(&in, &search, &has_map);
    free(bytes);
    if (!done)
        return false;
    if (!has_map)
        return tool_why(why, "has no 'weight_map'");
    if (!search.file[0]) {
        tool_why_set(why, "has no tensor '%.60s'", tensor);
        gather_nearest_list(&search.nearest, why);
        return false;
    }
    *file = next_to(path, search.file);
    return resolve(file, path, why);
}
