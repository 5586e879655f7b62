/* tool: text in memory, into a file. */
#include "tool.h"

#include "io/file.h"
#include "io/pick.h"

bool tool_output_write(const char *command, const struct ptog_output *output, const char *path)
{
    struct tool_file file;
    struct tool_why why;
    path = tool_or(path, "-");
    bool done = tool_file_start(&file, path, &why);
    if (done) {
        done = tool_file_write(&file, output->bytes, output->used, &why);
        if (done)
            done = tool_file_keep(&file, &why);
        else
            tool_file_drop(&file);
    }
    if (!done)
        tool_fail(command, "%s: %s", path, why.text);
    return done;
}
