/* tool: the file that ptog gather writes: which one, and what stands before its data. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "gather.h"

#include <string.h>
#include <sys/stat.h>

#include "io/pick.h"

static bool refuse(const char *spec, const char *why)
{
    tool_fail("gather", "%s: %s", spec, why);
    return false;
}

static bool is_npz(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npz") == 0;
}

/* Both names lead to one file. */
static bool is_input(const char *path, const struct gather_source *source)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(source->name.path, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

bool gather_is_input(const char *path, const struct gather_job *job)
{
    for (size_t i = 0; i < job->table.count; i++)
        if (is_input(path, &job->table.parts[i].source))
            return true;
    return is_input(path, &job->index);
}

/* A tensor keeps its type and its name; what comes from an npy file is called "data". */
static bool fill_tensor_header(struct gather_output *out, const struct gather_job *job, const int64_t *shape)
{
    const struct gather_table *table = &job->table;
    const struct tool_tensor_type *type = table->type ? table->type : tool_tensor_type_of(&table->array);
    const char *name = out->name.tensor ? out->name.tensor : table->tensor;
    char element[24], why[100];
    if (!type) {
        tool_npy_type_name(element, &table->array);
        snprintf(why, sizeof why, "a safetensors file cannot hold %s; write an npy file", element);
        return refuse(out->path, why);
    }
    out->header_bytes = tool_safetensors_header(out->header, tool_or(name, "data"), type, job->rank, shape);
    return out->header_bytes > 0 ||
           refuse(out->path, "this cannot be the name of a tensor: it is too long, or not UTF-8");
}

bool gather_output_header(struct gather_output *out, const struct gather_job *job, int64_t rows)
{
    int64_t shape[2 * TOOL_NPY_MOST_RANK];
    memcpy(shape, job->shape, sizeof shape);
    if (job->rank > 0)
        shape[0] = rows;
    if (out->name.is_safetensors)
        return fill_tensor_header(out, job, shape);
    out->header_bytes = tool_npy_header_like(out->header, &job->table.array, job->rank, shape);
    return true;
}

bool gather_output_read(struct gather_output *out, const struct gather_job *job, const char *spec)
{
    *out = (struct gather_output){.path = spec};
    if (!gather_name_read(&out->name, spec))
        return refuse(spec, "out of memory");
    const char *path = out->name.path;
    if (is_npz(path))
        return refuse(spec, "npz archives are not written; name it .npy or .safetensors");
    if (strcmp(path, "-") != 0 && gather_is_input(path, job))
        return refuse(spec, "is read, and would be written over");
    return gather_output_header(out, job, job->rank > 0 ? job->shape[0] : 1);
}
