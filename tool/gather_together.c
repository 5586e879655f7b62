/* tool: one file that the ranks of an MPI job write together: rank 0 starts it under the name of a draft, the others
 * open that, each writes its bytes, and when all have written rank 0 gives the file its name. */
#include "gather.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "io/sys.h"

static bool is_first(const struct gather_together *file)
{
    return file->ranks->world.rank == 0;
}

static int say_why(const struct gather_together *file, const char *path, const char *why)
{
    return tool_fail(file->job->command, "%s: %s", path, why);
}

static int refuse_write(const struct gather_together *file)
{
    return tool_fail(file->job->command, "%s: cannot be written: %s", file->out->path, strerror(errno));
}

int gather_together_own(struct gather_together *file, const char *path)
{
    struct tool_why why;
    if (!tool_file_start(&file->file, path, &why))
        return say_why(file, path, why.text);
    file->fd = file->file.fd;
    if (tool_file_write(&file->file, file->out->header, file->out->header_bytes, &why))
        return TOOL_OK;
    return say_why(file, path, why.text);
}

int gather_together_start(struct gather_together *file)
{
    int result = is_first(file) ? gather_together_own(file, file->out->name.path) : TOOL_OK;
    if (is_first(file) && file->file.draft)
        snprintf(file->path, GATHER_MAX_PATH, "%s", file->file.draft);
    file->ranks->world.share(file->path, GATHER_MAX_PATH, 0);
    gather_guard_shared(file->path[0] ? file->path : NULL);
    if (result == TOOL_OK && !file->path[0])
        return is_first(file) ? say_why(file, file->out->path, "is not a file: ranks cannot share it") : TOOL_OK;
    if (is_first(file))
        return result;
    file->fd = tool_sys_open(file->path, O_WRONLY, 0);
    if (file->fd >= 0 || !file->path[0])
        return TOOL_OK;
    return tool_fail(
        file->job->command, "%s: this rank cannot write it: %s (ranks on machines without a common file system %s)",
        file->out->path, strerror(errno), file->job->rows ? "cannot scatter into one file" : "need --output-shards");
}

int gather_together_write(struct gather_together *file, const void *bytes, uint64_t size, uint64_t at)
{
    return tool_sys_pwrite(file->fd, bytes, (size_t)size, at) ? TOOL_OK : refuse_write(file);
}

int gather_together_end(struct gather_together *file, int result)
{
    struct tool_why why;
    bool owns = file->file.path != NULL;
    if (result == TOOL_OK && !owns && file->fd >= 0 && !tool_sys_fsync(file->fd))
        result = refuse_write(file);
    if (!owns && file->fd >= 0 && !tool_sys_close(file->fd) && result == TOOL_OK)
        result = refuse_write(file);
    result = tool_ranks_agree(file->ranks, result);
    gather_guard_shared(NULL);
    if (owns && result != TOOL_OK)
        tool_file_drop(&file->file);
    else if (owns && !tool_file_keep(&file->file, &why))
        result = say_why(file, file->out->path, why.text);
    return tool_ranks_agree(file->ranks, result);
}
