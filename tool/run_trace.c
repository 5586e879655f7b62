/* tool: the timeline of ptog run --trace: streamed to a file that appears when it is complete. */
#include "run.h"

#include <string.h>

#include "io/pick.h"

/* Bytes of the library, through the buffer to the file. After a failure nothing more is written. */
static void flush(struct run_trace *trace)
{
    if (!trace->failed && !tool_file_write(&trace->file, trace->buffer, trace->used, &trace->why))
        trace->failed = true;
    trace->used = 0;
}

/* A sink that writes to the trace's file through a buffer. */
static void take_text(void *user, const char *text, size_t length)
{
    struct run_trace *trace = user;
    while (length > 0) {
        size_t room = sizeof trace->buffer - trace->used, part = tool_min(length, room);
        memcpy(trace->buffer + trace->used, text, part);
        trace->used += part;
        text += part;
        length -= part;
        if (trace->used == sizeof trace->buffer)
            flush(trace);
    }
}

bool run_trace_agrees(const struct run_trace *trace, const struct run_items *items, enum tool_format format)
{
    if (!trace->path)
        return true;
    if (format != TOOL_TEXT && strcmp(trace->path, "-") == 0)
        return tool_usage("run", "a report and a trace cannot both go to standard output"), false;
    for (size_t i = 0; i < items->count; i++)
        if (items->list[i].to && strcmp(items->list[i].to, trace->path) == 0)
            return tool_usage("run", "%s would be written twice", trace->path), false;
    return true;
}

bool run_trace_start(struct run_trace *trace, const struct ptog_target *target)
{
    if (!trace->path)
        return true;
    if (target->ub_bytes == 0)
        return tool_fail("run", "--trace: %s has no pipes, so there is no timeline; use --target a2a3, a5 or a5-custom",
                         target->name),
               false;
    trace->sink = (struct ptog_sink){.write = take_text, .user = trace};
    if (tool_file_start(&trace->file, trace->path, &trace->why))
        return true;
    return tool_fail("run", "%s: %s", trace->path, trace->why.text), false;
}

bool run_trace_end(struct run_trace *trace, bool keep)
{
    if (!trace->path)
        return true;
    if (keep)
        flush(trace);
    if (!keep || trace->failed)
        tool_file_drop(&trace->file);
    else
        trace->failed = !tool_file_keep(&trace->file, &trace->why);
    return !trace->failed || (tool_fail("run", "%s: %s", trace->path, trace->why.text), false);
}
