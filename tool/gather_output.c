/* tool: the file that ptog gather and ptog scatter write: which one, and what stands before its data. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/pick.h"

/* Prints why an output cannot be written; always false. */
static bool refuse_output(const struct gather_job *job, const char *spec, const char *why)
{
    tool_fail(job->command, "%s: %s", spec, why);
    return false;
}

/* ".npy" of a path, "" where its last part has no dot; a dot that starts a name is not one. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name ? dot : "";
}

/* What a name without a suffix holds is npy: pipes and devices have such names. */
static bool has_known_suffix(const struct gather_name *name)
{
    const char *suffix = suffix_of(name->path);
    return name->is_safetensors || suffix[0] == '\0' || strcmp(suffix, ".npy") == 0;
}

static bool is_same_file(const struct stat *a, const struct gather_source *source)
{
    struct stat b;
    return source->name.path && stat(source->name.path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

static bool is_input_of_bag(const struct stat *info, const struct gather_bag *bag)
{
    return is_same_file(info, &bag->offsets) || is_same_file(info, &bag->weights) || is_same_file(info, &bag->scales);
}

static bool is_input(const struct stat *info, const struct gather_job *job)
{
    for (size_t i = 0; i < job->table.count; i++)
        if (is_same_file(info, &job->table.parts[i].source))
            return true;
    return is_same_file(info, &job->index) || (job->rows && is_same_file(info, job->rows)) ||
           (job->bag && is_input_of_bag(info, job->bag));
}

/* Whether the output would not replace what is read. False after a message. */
static bool may_write(const char *spec, const char *path, const struct gather_job *job)
{
    struct stat info;
    char why[120];
    if (strcmp(path, "-") == 0)
        return true;
    bool is_there = stat(path, &info) == 0;
    if (!is_there && errno == ENOENT)
        return true;
    if (!is_there) {
        snprintf(why, sizeof why, "cannot be written: %s", strerror(errno));
        return refuse_output(job, spec, why);
    }
    return !S_ISREG(info.st_mode) || !is_input(&info, job) ||
           refuse_output(job, spec, "is an input and would be overwritten");
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
        return refuse_output(job, out->path, why);
    }
    out->header_bytes = tool_safetensors_header(out->header, tool_or(name, "data"), type, job->rank, shape);
    return out->header_bytes > 0 ||
           refuse_output(job, out->path, "this cannot be the name of a tensor: it is too long, or not UTF-8");
}

bool gather_output_header(struct gather_output *out, const struct gather_job *job, int64_t rows)
{
    int64_t shape[2 * TOOL_NPY_MAX_RANK];
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
        return refuse_output(job, spec, "out of memory");
    const char *path = out->name.path;
    if (!has_known_suffix(&out->name)) {
        char why[120];
        snprintf(why, sizeof why, "unknown suffix '%.40s': name the output .npy or .safetensors", suffix_of(path));
        return refuse_output(job, spec, why);
    }
    return may_write(spec, path, job) && gather_output_header(out, job, job->rank > 0 ? job->shape[0] : 1);
}

bool gather_output_shard(struct gather_output *out, const struct gather_job *job, int rank, int ranks)
{
    const char *path = out->name.path, *suffix = suffix_of(path);
    size_t size = strlen(path) + 2 * 12 + sizeof "--of-";
    char *shard = malloc(size);
    if (!shard)
        return refuse_output(job, out->path, "out of memory");
    snprintf(shard, size, "%.*s-%05d-of-%05d%s", (int)(strlen(path) - strlen(suffix)), path, rank + 1, ranks, suffix);
    free(out->name.path);
    out->name.path = shard;
    return may_write(shard, shard, job);
}
