/* tool: ptog gather, what its files share: the two sources, and the job made of them. */
#ifndef TOOL_GATHER_H
#define TOOL_GATHER_H

#include "tool.h"

#include "io/map.h"
#include "io/npy.h"
#include "progress.h"

/* An array in a file. */
struct gather_source {
    const char *path;
    struct tool_map map;
    struct tool_npy array; /* its data is in the map */
};

/* FILE.npy, "-", or safetensors:FILE#TENSOR. False after a message. */
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

/* All lanes, to the output called `path`. Returns an enum tool_exit, after a message when it is not TOOL_OK. */
int gather_run(struct gather_job *job, const char *path);

#endif
