/* tool/cxx: makefile rules written by the compiler (-MD) name the user's file, not the temporary one. Only the
 * directory differs, and that of the temporary file needs no escapes: it is replaced wherever it stands. */
#include "depend.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/pick.h"

/* "build/a.o" -> "build/a": a dot in a directory is none. */
static const char *without_suffix(struct cxx_words *strings, const char *path)
{
    const char *base = cxx_base_of(path), *dot = strrchr(base, '.');
    int length = (int)(dot && dot != base ? (size_t)(dot - path) : strlen(path));
    return cxx_format(strings, "%.*s", length, path);
}

const char *cxx_depend_file(const struct cxx_options *options, const struct cxx_source *source,
                            struct cxx_words *strings)
{
    if (options->dependencies)
        return options->dependencies;
    const char *base = without_suffix(strings, cxx_base_of(source->temporary));
    if (!options->output || !base)
        return cxx_format(strings, "%s.d", tool_or(base, ""));
    const char *output = without_suffix(strings, options->output);
    if (!output)
        return NULL;
    if (options->stops)
        return cxx_format(strings, "%s.d", output);
    return cxx_format(strings, "%s-%s.d", output, base);
}

/* A directory as it is written in a rule: as GCC does it, with a leading ./ left out. */
static const char *escaped(struct cxx_words *strings, const char *directory)
{
    char *result = cxx_format(strings, "%*s", (int)(3 * strlen(directory) + 1), ""), *to = result;
    if (!result)
        return NULL;
    while (directory[0] == '.' && directory[1] == '/')
        for (directory += 2; *directory == '/';)
            directory++;
    for (const char *c = directory; *c; c++) {
        if (*c == ' ' || *c == '\t') {
            for (const char *back = c; back > directory && back[-1] == '\\'; back--)
                *to++ = '\\'; /* backslashes in front of a blank count double */
            *to++ = '\\';
        } else if (*c == '#') {
            *to++ = '\\';
        } else if (*c == '$') {
            *to++ = '$';
        }
        *to++ = *c;
    }
    *to = '\0';
    return result;
}

/* Writes a text with one word replaced by another; false, with *why, when that fails. */
static bool write_replaced(struct tool_file *to, const char *text, size_t size, const char *old, const char *new,
                           struct tool_why *why)
{
    size_t length = strlen(old), from = 0;
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(text + i, old, length) != 0)
            continue;
        if (!tool_file_write(to, text + from, i - from, why) || !tool_file_write(to, new, strlen(new), why))
            return false;
        from = i + length;
        i = from - 1;
    }
    return tool_file_write(to, text + from, size - from, why);
}

bool cxx_depend_fix(const char *file, const struct cxx_source *source, struct cxx_words *strings, struct tool_why *why)
{
    struct tool_file to;
    void *text = NULL;
    size_t size;
    const char *old = cxx_format(strings, "%s/", source->directory);
    const char *directory = cxx_directory_of(strings, source->path),
               *new = directory ? escaped(strings, directory) : NULL;
    if (!old || !new)
        return tool_why(why, "out of memory");
    if (!tool_file_read(file, UINT64_MAX, &text, &size, why))
        return false;
    bool done = tool_file_start(&to, file, why);
    if (done && !write_replaced(&to, text, size, old, new, why)) {
        tool_file_drop(&to);
        done = false;
    }
    free(text);
    return done && tool_file_keep(&to, why);
}
