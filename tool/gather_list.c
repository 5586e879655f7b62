/* tool: the indices of ptog gather, written on the command line: --index 1,2,3. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "gather.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/pick.h"

bool gather_is_list(const char *spec)
{
    struct stat info;
    const char *first = spec + (spec[0] == '-');
    return strchr("0123456789", first[0]) && first[0] && spec[strspn(spec, "0123456789,- ")] == '\0' &&
           stat(spec, &info) != 0;
}

/* Reads the number at *at, and the comma behind it. */
static bool read_number(const char **at, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    if (end == *at || errno)
        return false;
    *number = value;
    *at = end + strspn(end, " ");
    if (**at == '\0')
        return true;
    return *(*at)++ == ',' && **at != '\0';
}

bool gather_open_list(struct gather_source *source, const char *spec, const char *option, const char *command)
{
    size_t count = 1;
    for (const char *c = spec; *c; c++)
        count += *c == ',';
    int64_t *numbers = malloc(count * sizeof *numbers);
    *source = (struct gather_source){.path = option, .owned = numbers};
    if (!numbers) {
        tool_fail(command, "%s %s: out of memory", option, spec);
        return false;
    }
    const char *at = spec;
    for (size_t i = 0; i < count; i++)
        if (!read_number(&at, &numbers[i])) {
            tool_usage(command, "%s %s: expected 64-bit integers separated by commas, or a file", option, spec);
            return false;
        }
    source->array = (struct tool_npy){.kind = 'i',
                                      .item = sizeof *numbers,
                                      .rank = 1,
                                      .shape = {(int64_t)count},
                                      .data = (const unsigned char *)numbers,
                                      .bytes = count * sizeof *numbers};
    return true;
}
