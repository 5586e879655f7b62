/* tool/cxx: files that sources include, found, read and copied. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile.h"
#include "io/grow.h"
#include "io/pick.h"
#include "other_library.h"
#include "scratch.h"

#define MAX_HEADERS 4096 /* what comes after so many is compiled as it is */

/* ---- finding */

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The directory that an option names, -I dir or -Idir; NULL: it names none. */
static const char *directory_in(const struct cxx_argument *argument, const char *option)
{
    size_t length = strlen(option);
    if (strncmp(argument->word, option, length) != 0)
        return NULL;
    if (argument->word[length])
        return argument->word + length;
    return argument->value;
}

/* The first file of a name along the directories of an option; NULL: there is none. */
static const char *found_along(const struct cxx_options *options, const char *option, const char *name,
                               struct cxx_words *strings)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *directory = directory_in(&options->at[i], option);
        const char *path = directory ? cxx_format(strings, "%s/%s", directory, name) : NULL;
        if (path && is_file(path))
            return path;
    }
    return NULL;
}

/* In one of the directories of an environment variable, which are separated by colons. */
static const char *found_in_paths(const char *paths, const char *name, struct cxx_words *strings)
{
    while (paths && *paths) {
        size_t length = strcspn(paths, ":");
        const char *path = cxx_format(strings, "%.*s/%s", (int)length, paths, name);
        if (path && is_file(path))
            return path;
        paths += length + (paths[length] == ':');
    }
    return NULL;
}

/* Where the compiler finds <name>, in the order in which it looks. */
static const char *found_in_brackets(const struct cxx_options *options, const char *name, struct cxx_words *strings)
{
    const char *path = found_along(options, "-I", name, strings);
    if (!path)
        path = found_in_paths(getenv("CPATH"), name, strings);
    if (!path)
        path = found_along(options, "-isystem", name, strings);
    if (!path)
        path = found_in_paths(getenv("CPLUS_INCLUDE_PATH"), name, strings);
    return path ? path : found_along(options, "-idirafter", name, strings);
}

/* A search for headers that would be found before ours. */
struct header_search {
    const struct cxx_options *options;
    const char *own; /* the directory of our headers */
    struct cxx_words *strings;
    bool failed; /* a header of another library is found before ours */
};

/* Next to a source there is a header of the name of one of ours: the compiler would take it, whatever its options. */
static void refuse_other(struct header_search *search, const struct cxx_source *source, const char *name,
                         const char *path)
{
    char *there = realpath(path, NULL), *own = realpath(cxx_format(search->strings, "%s/%s", search->own, name), NULL);
    if (there && own && strcmp(there, own) != 0) {
        cxx_fail("%s: \"%s\" is found next to it, before that of ptogather: include <%s>", source->path, name, name);
        search->failed = true;
    }
    free(there);
    free(own);
}

/* Where the compiler finds it; NULL: in a directory of its own, or nowhere. */
static const char *find_header(const struct cxx_source *source, const struct cxx_include *include,
                               struct header_search *search)
{
    struct cxx_words *strings = search->strings;
    int length = (int)(include->end - include->start) - 2;
    const char *quoted = (const char *)source->text + include->start;
    const char *name = length > 0 ? cxx_format(strings, "%.*s", length, quoted + 1) : NULL;
    const char *path = NULL;
    if (!name || strchr(name, '\n') || strchr(name, '\\'))
        return NULL;
    if (name[0] == '/')
        return is_file(name) ? name : NULL;
    if (quoted[0] == '"') {
        path = cxx_format(strings, "%s%s", cxx_directory_of(strings, source->path), name);
        path = path && is_file(path) ? path : NULL;
        bool own = cxx_is_own_header(search->own, name, strings);
        if (path && own)
            refuse_other(search, source, name, path);
        path = path || own ? path : found_along(search->options, "-iquote", name, strings);
    }
    if (path || cxx_is_own_header(search->own, name, strings))
        return path;
    return found_in_brackets(search->options, name, strings);
}

/* ---- reading */

/* The header of that path among those that were read; NULL: none. */
static struct cxx_source *known_header(const struct cxx_headers *headers, const char *path)
{
    for (size_t i = 0; i < headers->count; i++)
        if (strcmp(headers->at[i]->path, path) == 0)
            return headers->at[i];
    return NULL;
}

/* Reads a file that is not in the list yet, and appends it; one that cannot be read is appended, too, with a
 * warning. NULL when out of memory. */
static struct cxx_source *add_header(struct cxx_headers *headers, const char *path)
{
    if (!tool_reserve(&headers->at, headers->count + 1, &headers->room))
        return NULL;
    struct cxx_source *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    headers->at[headers->count++] = made;
    cxx_header_read(made, path);
    return made;
}

/* Finds the headers that a source includes, and adds those that are new; false when out of memory. */
static bool read_included(struct cxx_headers *headers, struct cxx_source *source, struct header_search *search)
{
    for (size_t i = 0; i < source->rewritten.include_count; i++) {
        struct cxx_include *include = &source->rewritten.includes[i];
        const char *path = find_header(source, include, search);
        struct cxx_source *target = path ? known_header(headers, path) : NULL;
        if (path && !target && headers->count < MAX_HEADERS && !(target = add_header(headers, path)))
            return false;
        include->target = target;
    }
    return !search->strings->failed;
}

/* Whether a source includes one that was changed, so that it has to include the copy. */
static bool leads_to_change(const struct cxx_source *source)
{
    for (size_t i = 0; i < source->rewritten.include_count; i++) {
        const struct cxx_source *target = source->rewritten.includes[i].target;
        if (target && target->changed)
            return true;
    }
    return false;
}

/* What includes something that is changed is changed, too, as often as that finds more. */
static void spread(const struct cxx_headers *headers, struct cxx_source *sources, size_t count)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < headers->count + count; i++) {
            struct cxx_source *source = i < headers->count ? headers->at[i] : &sources[i - headers->count];
            if (!source->changed && leads_to_change(source))
                source->changed = more = true;
        }
    }
}

/* The file that an option includes before the first line of every source, as the compiler finds it; NULL: none. */
static const char *forced_file(const struct cxx_argument *argument, const struct cxx_options *options, const char *own,
                               struct cxx_words *strings)
{
    static const char joined[] = "--include=";
    const char *name = NULL;
    if (strcmp(argument->word, "-include") == 0 || strcmp(argument->word, "--include") == 0)
        name = argument->value;
    else if (strncmp(argument->word, joined, sizeof joined - 1) == 0)
        name = argument->word + sizeof joined - 1;
    if (!name || cxx_is_own_header(own, name, strings))
        return NULL;
    if (is_file(name))
        return name;
    return tool_or(found_along(options, "-iquote", name, strings), found_in_brackets(options, name, strings));
}

/* Adds what options include; false when out of memory. */
static bool read_forced(struct cxx_headers *headers, const struct header_search *search)
{
    const struct cxx_options *options = search->options;
    for (size_t i = 0; i < options->count; i++) {
        const char *path = forced_file(&options->at[i], options, search->own, search->strings);
        if (path && !known_header(headers, path) && !add_header(headers, path))
            return false;
    }
    return true;
}

const char *cxx_headers_copy_of(const struct cxx_headers *headers, const struct cxx_argument *argument,
                                const struct cxx_options *options, const char *own, struct cxx_words *strings)
{
    const char *path = forced_file(argument, options, own, strings);
    if (!path)
        return NULL;
    const struct cxx_source *header = known_header(headers, path);
    if (header && header->changed)
        return header->temporary;
    return NULL;
}

/* What a changed file is included into from the command line is changed, too: every source. */
static void spread_forced(const struct cxx_headers *headers, struct cxx_source *sources, size_t count,
                          const struct header_search *search)
{
    const struct cxx_options *options = search->options;
    bool any = false;
    for (size_t i = 0; i < options->count; i++) {
        const char *path = forced_file(&options->at[i], options, search->own, search->strings);
        any |= path && known_header(headers, path) && known_header(headers, path)->changed;
    }
    for (size_t i = 0; any && i < count; i++)
        sources[i].changed = true;
}

bool cxx_headers_read(struct cxx_headers *headers, struct cxx_source *sources, size_t count,
                      const struct cxx_options *options, const char *own, struct cxx_words *strings)
{
    struct header_search search = {.options = options, .own = own, .strings = strings};
    if (!read_forced(headers, &search))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!read_included(headers, &sources[i], &search))
            return false;
    for (size_t i = 0; i < headers->count; i++) /* more are added meanwhile */
        if (!read_included(headers, headers->at[i], &search))
            return false;
    spread(headers, sources, count);
    spread_forced(headers, sources, count, &search);
    return !search.failed && !strings->failed;
}

/* ---- copies */

/* The name that an #include of a copy has to have; NULL: the one it has will do. A copy lies elsewhere: what a header
 * includes from its own directory is named by its whole path. For a source, -iquote does that. */
static const char *new_name(const struct cxx_source *source, const struct cxx_source *target, struct cxx_words *strings)
{
    if (target->changed)
        return cxx_format(strings, "\"%s\"", target->temporary);
    char *whole = source->is_header ? realpath(target->path, NULL) : NULL;
    const char *name = whole ? cxx_format(strings, "\"%s\"", whole) : NULL;
    free(whole);
    return name;
}

bool cxx_headers_rewrite(struct cxx_source *source, struct cxx_words *strings)
{
    struct cxx_rewritten again;
    struct cxx_renamed *names = calloc(source->rewritten.include_count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < source->rewritten.include_count; i++) {
        const struct cxx_include *include = &source->rewritten.includes[i];
        const char *name = include->target ? new_name(source, include->target, strings) : NULL;
        if (name)
            names[count++] = (struct cxx_renamed){include->start, include->end, name};
    }
    bool done = names && !strings->failed && cxx_rewrite_named(source->text, source->size, names, count, &again);
    free(names);
    if (!done)
        return false;
    free(source->rewritten.text);
    source->rewritten.text = again.text;
    source->rewritten.size = again.size;
    again.text = NULL;
    cxx_rewritten_free(&again);
    return true;
}

bool cxx_headers_write(struct cxx_headers *headers, const char *scratch, struct cxx_words *strings,
                       struct tool_why *why)
{
    for (size_t i = 0; i < headers->count; i++) { /* where each will be, before any names another */
        struct cxx_source *header = headers->at[i];
        if (!header->changed)
            continue;
        header->directory = cxx_scratch_inside(strings, scratch, MAX_HEADERS + i, why);
        if (!header->directory)
            return false;
        header->temporary = cxx_format(strings, "%s/%s", header->directory, cxx_base_of(header->path));
    }
    for (size_t i = 0; i < headers->count; i++) {
        struct cxx_source *header = headers->at[i];
        if (!header->changed)
            continue;
        if (!cxx_headers_rewrite(header, strings))
            return tool_why(why, "out of memory");
        if (!cxx_source_write(header, strings, why))
            return false;
    }
    return true;
}

/* Frees all headers with their texts. */
void cxx_headers_free(struct cxx_headers *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        cxx_source_free(headers->at[i]);
        free(headers->at[i]);
    }
    free(headers->at);
    *headers = (struct cxx_headers){0};
}
