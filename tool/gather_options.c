/* tool: values of options that `ptog gather` and `ptog scatter` share. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "io/pick.h"

int gather_find_word(const char *command, const char *option, const char *word, const char *const *words)
{
    char list[80] = "";
    for (int i = 0; words[i]; i++) {
        if (!word || strcmp(words[i], word) == 0)
            return i;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", tool_when(i > 0, ", "), words[i]);
    }
    tool_usage(command, "%s %s: expected one of %s", option, word, list);
    return -1;
}

bool gather_read_threads(const char *command, const char *text, int *threads)
{
    char *end;
    errno = 0;
    long number = text ? strtol(text, &end, 10) : 1;
    if (text && (*end || end == text || errno || number < 1 || number > 1024)) {
        tool_usage(command, "--threads %s: expected a number from 1 to 1024", text);
        return false;
    }
    *threads = (int)number;
    return true;
}
