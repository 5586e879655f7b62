/* tool: ptog gather, what its files share: the two sources, and the job made of them. */
#ifndef TOOL_GATHER_H
#define TOOL_GATHER_H

#include "tool.h"

#include "io/map.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "progress.h"

/* How the command line names an array: FILE.npy or "-"; FILE.safetensors, safetensors:FILE, and
 * FILE.safetensors#TENSOR, safetensors:FILE#TENSOR. The # behind .safetensors counts, else the last one; \# is a # of a
 * name, and \\ a backslash. */
struct gather_name {
    char *path;
    char *tensor; /* NULL: none was named */
    bool is_safetensors;
};

/* False when out of memory. Free it either way. */
bool gather_name_read(struct gather_name *name, const char *spec);
void gather_name_free(struct gather_name *name);

/* An array in a file. */
struct gather_source {
    const char *path; /* as it was given */
    struct gather_name name;
    struct tool_map map;
    struct tool_npy array;               /* its data is in the map */
    const struct tool_tensor_type *type; /* NULL: it does not come from a safetensors file */
};

/* False after a message. */
bool gather_open(struct gather_source *source, const char *spec);
void gather_close(struct gather_source *source);

struct gather_job {
    struct gather_source table, index;
    enum ptog_coalesce mode;
    enum ptog_oob oob;
    int threads;
    uint64_t capacity; /* rows, or elements */
    uint64_t lane;     /* bytes that one index moves */
    uint64_t lanes;
    int rank; /* of the output */
    int64_t shape[2 * TOOL_NPY_MOST_RANK];
};

/* From now on a mapped file that becomes shorter ends the process with a message, and nothing is left behind. */
void gather_guard(void);

/* Where the output goes, and what stands before its data. */
struct gather_output {
    const char *path; /* as it was given */
    struct gather_name name;
    char header[TOOL_TENSOR_HEADER];
    size_t header_bytes;
};

/* False after a message. Free the name either way. */
bool gather_output_read(struct gather_output *out, const struct gather_job *job, const char *spec);

/* All lanes, to the output. Returns an enum tool_exit, after a message when it is not TOOL_OK. */
int gather_run(struct gather_job *job, const struct gather_output *out);

#endif
