/* tool: messages of a thread that works beside others: they are held, and printed when it is their turn. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "tool.h"

#include <stdlib.h>

static _Thread_local FILE *stream; /* NULL: nothing is held */

FILE *tool_err(void)
{
    if (stream)
        return stream;
    return stderr;
}

void tool_hold_messages(struct tool_held *held)
{
    *held = (struct tool_held){0};
    stream = open_memstream(&held->text, &held->size);
}

void tool_held_end(void)
{
    if (stream)
        fclose(stream);
    stream = NULL;
}

void tool_held_print(struct tool_held *held)
{
    fwrite(held->text, 1, held->size, stderr);
    free(held->text);
    *held = (struct tool_held){0};
}
