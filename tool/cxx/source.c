/* tool/cxx: one C++ source of ptog-cxx's command line, or a header it includes: reads and rewrites it, prints what is
 * wrong in it, and writes the new text to the scratch directory under the name that debuggers and messages expect. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "io/file.h"
#include "io/pick.h"
#include "scratch.h"

/* Prints the problems of a source to stderr, and how many more there were. */
static void print_problems(const struct cxx_source *source, const char *severity)
{
    const struct cxx_rewritten *rewritten = &source->rewritten;
    size_t kept = tool_min(rewritten->problem_count, CXX_MAX_PROBLEMS);
    for (size_t i = 0; i < kept; i++) {
        const struct cxx_problem *problem = &rewritten->problems[i];
        fprintf(stderr, "%s:%zu:%zu: %s: %s\n", source->name, problem->line, problem->column, severity, problem->text);
    }
    if (kept < rewritten->problem_count)
        fprintf(stderr, "%s: %zu more errors\n", source->name, rewritten->problem_count - kept);
}

bool cxx_source_read(struct cxx_source *source, const char *path)
{
    struct tool_why why;
    *source = (struct cxx_source){.path = path, .name = strcmp(path, "-") == 0 ? "<stdin>" : path};
    if (!tool_file_read(path, CXX_MAX_BYTES, &source->text, &source->size, &why)) {
        cxx_fail("%s: %s", source->name, why.text);
        return false;
    }
    if (cxx_rewrite(source->text, source->size, &source->rewritten)) {
        source->changed = source->rewritten.edits > 0;
        return true;
    }
    if (source->rewritten.problem_count > 0)
        print_problems(source, "error");
    else
        cxx_fail("%s: does not fit in memory", source->name);
    return false;
}

void cxx_header_read(struct cxx_source *source, const char *path)
{
    struct tool_why why;
    *source = (struct cxx_source){.path = path, .name = path, .is_header = true};
    if (!tool_file_read(path, CXX_MAX_BYTES, &source->text, &source->size, &why))
        return;
    source->changed = cxx_rewrite(source->text, source->size, &source->rewritten) && source->rewritten.edits > 0;
    if (source->rewritten.problem_count > 0)
        print_problems(source, "warning");
}

void cxx_source_free(struct cxx_source *source)
{
    free(source->text);
    cxx_rewritten_free(&source->rewritten);
    source->text = NULL;
}

const char *cxx_base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        return slash + 1;
    return path;
}

const char *cxx_directory_of(struct cxx_words *strings, const char *path)
{
    return cxx_format(strings, "%.*s", (int)(cxx_base_of(path) - path), path);
}

/* #line 1 "name": quotes, backslashes and control characters are escaped. */
static char *line_directive(struct cxx_words *strings, const char *name)
{
    char *escaped = cxx_format(strings, "%*s", (int)(4 * strlen(name)), ""); /* room */
    if (!escaped)
        return NULL;
    char *to = escaped;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c < ' ' || *c == '"' || *c == '\\' || *c == 0x7f)
            to += sprintf(to, "\\%03o", *c);
        else
            *to++ = (char)*c;
    }
    *to = '\0';
    return cxx_format(strings, "#line 1 \"%s\"\n", escaped);
}

bool cxx_source_write(struct cxx_source *source, struct cxx_words *strings, struct tool_why *why)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark must stay the first thing in the file */
    const char *base = source->name == source->path ? cxx_base_of(source->path) : "stdin.cpp";
    const char *text = source->rewritten.text, *line = line_directive(strings, source->name);
    size_t size = source->rewritten.size;
    source->temporary = cxx_format(strings, "%s/%s", source->directory, base);
    if (!line || !source->temporary)
        return tool_why(why, "out of memory");
    bool marked = size >= 3 && memcmp(text, mark, 3) == 0;
    const char *head = marked ? cxx_format(strings, "%s%s", mark, line) : line;
    if (!head)
        return tool_why(why, "out of memory");
    return cxx_scratch_write(source->temporary, head, strlen(head), text + 3 * marked, size - 3 * marked, why);
}
