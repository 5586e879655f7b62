/* tool: programs in files, and what is said about them. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "io/file.h"

#define MAX_TEXT TOOL_MAX_STREAM /* bytes of a program: a tree of it still fits in memory */

static void write_file(void *user, const char *text, size_t length)
{
    fwrite(text, 1, length, user);
}

struct ptog_sink tool_sink(FILE *to)
{
    return (struct ptog_sink){.write = write_file, .user = to, .colour = tool_shows_colour(to)};
}

void tool_report(const ptog_diags *diags, enum tool_format format)
{
    struct ptog_sink sink = tool_sink(format == TOOL_JSON ? stdout : stderr);
    if (format == TOOL_JSON)
        ptog_report_json(diags, NULL, &sink);
    else
        ptog_report_text(diags, &sink);
}

void tool_report_stats(const ptog_diags *diags, const struct ptog_target *target, const struct ptog_stats *stats)
{
    struct ptog_sink sink = tool_sink(stdout);
    ptog_report_json_stats(diags, target, stats, &sink);
}

bool tool_has_errors(const ptog_diags *diags, size_t from)
{
    for (size_t i = from; i < ptog_diags_count(diags); i++)
        if (ptog_diags_at(diags, i)->severity == PTOG_ERROR)
            return true;
    return false;
}

/* Kernels in C++ are compiled, not parsed. */
static bool is_cpp(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".hpp", ".cce"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(path + length - suffix, suffixes[i]) == 0)
            return true;
    }
    return false;
}

int tool_open_quietly(const char *path, ptog_program **program, ptog_diags *diags, struct tool_text *text,
                      struct tool_why *why)
{
    struct tool_text read = {NULL, 0};
    *program = NULL;
    if (is_cpp(path)) {
        tool_why_set(
            why, "is a C++ file; build and run it with ptog-cxx: ptog-cxx --target=a2a3 %.200s -o kernel && ./kernel",
            path);
        return TOOL_USAGE;
    }
    if (!tool_file_read(path, MAX_TEXT, &read.bytes, &read.size, why))
        return TOOL_USAGE;
    enum ptog_status status = ptog_program_parse(program, path, read.bytes, read.size, diags);
    if (text)
        *text = read;
    else
        free(read.bytes);
    if (status == PTOG_OK)
        return TOOL_OK;
    if (status == PTOG_ILLEGAL)
        return TOOL_WRONG;
    tool_why_set(why, "%s", ptog_status_text(status));
    return TOOL_USAGE;
}

/* Reads and parses a program; the exit status. The caller frees *program. */
int tool_open(const char *command, const char *path, ptog_program **program, ptog_diags *diags, struct tool_text *text)
{
    struct tool_why why;
    int result = tool_open_quietly(path, program, diags, text, &why);
    if (result == TOOL_USAGE)
        return tool_fail(command, "%s: %s", path, why.text);
    return result;
}
