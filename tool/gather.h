/* tool: ptog gather and ptog scatter, what their files share: the sources, and the job made of them. */
#ifndef TOOL_GATHER_H
#define TOOL_GATHER_H

#include "tool.h"

#include "io/file.h"
#include "io/map.h"
#include "io/npy.h"
#include "io/ring.h"
#include "io/safetensors.h"
#include "progress.h"
#include "ranks.h"

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

/* Specs of one option, in the order in which they were given. */
#define GATHER_MAX_SPECS 256
struct gather_specs {
    const char *list[GATHER_MAX_SPECS];
    size_t count;
    const char *command; /* that has the option */
    bool converts;       /* files in another order than memory, to copies */
};

/* An array in a file. */
struct gather_source {
    const char *path;    /* as it was given */
    const char *command; /* in whose name is said what is wrong */
    struct gather_name name;
    struct tool_map map;
    struct tool_npy array;               /* its data is in the map */
    const struct tool_tensor_type *type; /* NULL: it does not come from a safetensors file */
    void *owned;                         /* its data, where that is not in the map: converted, or a list; to be freed */
    bool was_big_endian, was_fortran;    /* before it was converted */
};

/* False after a message, in the name of a command. gather_open_name takes the name over, and calls the source `path`.
 */
bool gather_open(struct gather_source *source, const char *spec, const char *command);
bool gather_open_name(struct gather_source *source, struct gather_name name, const char *path, const char *command);
void gather_close(struct gather_source *source);

/* Makes big-endian elements little-endian and Fortran order C order, in a copy. False after a message. */
bool gather_convert(struct gather_source *source);

/* Whether the value of an option is a list of numbers, 1,2,3, and no file is called so. */
bool gather_is_list(const char *spec);

/* Reads such a list into an array that the source owns. False after a message. */
bool gather_open_list(struct gather_source *source, const char *spec, const char *option, const char *command);

/* The indices: a list, or a file. False after a message, also where they are no whole numbers. */
bool gather_open_index(struct gather_source *index, const char *spec, const char *command);

/* Names of tensors that may have been meant, best first: those that contain the word, then by the number of wrong
 * characters. Start with only `word` set. */
#define GATHER_NEAREST 3
struct gather_nearest {
    const char *word;
    char names[GATHER_NEAREST][64];
    size_t scores[GATHER_NEAREST];
    int count;
    size_t offered;
};
void gather_nearest_offer(struct gather_nearest *nearest, const char *name);

/* "; it has 'a', 'b', 'c'", or "..., 'c' and 288 others", behind what `why` says. */
void gather_nearest_list(const struct gather_nearest *nearest, struct tool_why *why);

/* ---- tables: one file or several, whose rows follow one another ---- */

struct gather_part {
    struct gather_source source;
    char *path;     /* its name for people */
    uint64_t first; /* rows, or elements, of the parts before it */
    uint64_t count; /* and its own */
};

struct gather_table {
    const char *path;    /* as the first of them was given */
    const char *command; /* in whose name is said what is wrong */
    bool converts;       /* its parts, where they are in another order than memory */
    struct gather_part *parts;
    size_t count, room;
    struct tool_npy array;               /* the whole: its data only where there is one part */
    const struct tool_tensor_type *type; /* NULL: it does not come from safetensors files */
    const char *tensor;                  /* its name in the first file; NULL: none */
    bool is_mapped;                      /* all parts are */
};

/* What --table was given, one or several times: a name as above, a pattern of file names (*, ?, [), or
 * FILE.index.json#TENSOR, which says in which safetensors file the tensor is. False after a message. Close it either
 * way. */
bool gather_table_open(struct gather_table *table, const struct gather_specs *specs);
void gather_table_close(struct gather_table *table);

/* Says where the parts begin, counted in what an index counts. */
void gather_table_place(struct gather_table *table, enum ptog_coalesce mode);

/* The type of its elements: that of a tensor, or what numpy calls it. PTOG_DTYPE_NONE: no tile has such elements. */
enum ptog_dtype gather_table_type(const struct gather_table *table);

/* False after a message when a part would have to be converted. */
bool gather_table_is_plain(const struct gather_table *table);

/* tool_parse for a command without arguments: one that is there is refused, and says how a pattern is quoted. `tables`
 * is in `request`. */
bool gather_parse(int argc, char **argv, const struct tool_command *command, void *request,
                  const struct gather_specs *tables);

/* An option --table: one spec more. */
bool gather_take_table(void *at, const char *text, int kind);

/* FILE.index.json: the file that has the tensor, next to it, and not a link to somewhere else. False with a reason. */
bool gather_index_json(const char *path, const char *tensor, char **file, struct tool_why *why);

/* The number of a word in a list that ends in NULL; the first when `word` is NULL; -1 after a message. */
int gather_find_word(const char *command, const char *option, const char *word, const char *const *words);

/* --threads; NULL: 1. False after a message. */
bool gather_read_threads(const char *command, const char *text, int *threads);

/* How the rows of files are read: as --io says. */
enum gather_io { GATHER_IO_AUTO, GATHER_IO_MMAP, GATHER_IO_URING };

struct gather_bag;
struct gather_job {
    const char *command;              /* in whose name is said what is wrong */
    const struct gather_bag *bag;     /* lanes are bags; NULL: rows or elements */
    const struct gather_source *rows; /* what a scatter writes; NULL: a gather */
    struct gather_table table;
    struct gather_source index;
    enum ptog_coalesce mode;
    enum ptog_oob oob; /* of a scatter, Zero writes nothing */
    int threads;
    bool adds;          /* of a scatter: to what is there */
    enum gather_io io;
    bool output_shards; /* a file of each rank */
    bool quiet, json;   /* no notes and no closing line; what was done as JSON on stdout */
    double start;       /* tool_seconds() of the command */
    uint64_t capacity;  /* rows, or elements */
    uint64_t lane;      /* bytes that one index moves */
    uint64_t lanes;
    int rank; /* of the output */
    int64_t shape[2 * TOOL_NPY_MAX_RANK];
};

/* Elements of one, two, four or eight bytes are gathered as such; longer ones are rows of the largest of those that
 * divides them. And the type of indices as the library reads them: 1- and 2-byte ones are widened to 32 bits first. */
enum ptog_dtype gather_unit(uint64_t lane);
enum ptog_dtype gather_index_type(const struct tool_npy *index);
uint64_t gather_index_at(const struct tool_npy *index, uint64_t lane);

/* The indices from lane `first` on, as the library reads them: in the file, or widened to `wide`. */
const unsigned char *gather_indices(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *wide);

/* Says that the index of a lane is outside the table. Returns TOOL_WRONG. */
int gather_bad_index(const struct gather_job *job, uint64_t lane);

/* The row, or element, that a lane reads; false when it reads none. */
bool gather_find_lane(const struct gather_job *job, uint64_t lane, uint64_t *row);

/* A table without rows, and rows without elements: TOOL_WRONG, after a message, where an index asks for what is not
 * there. */
int gather_check_empty(const struct gather_job *job);

/* A warning, when there were negative indices that were brought into the table. */
void gather_warn_negative(const struct gather_job *job, uint64_t count);

/* The part that has a row, and where it is. */
const struct gather_part *gather_part_of(const struct gather_table *table, uint64_t row);
const unsigned char *gather_row(const struct gather_job *job, const struct gather_part *part, uint64_t row);

/* Lanes of a table of several parts, by several threads. Returns an enum tool_exit; counts negative indices that are
 * read as large ones. */
int gather_from_parts(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *to,
                      uint64_t *negative);

bool gather_is_negative(const struct tool_npy *index, uint64_t lane);

/* A row that a lane reads. */
struct gather_visit {
    uint64_t row, lane;
};

/* Rows that io_uring reads: a queue of reads for each thread, and a descriptor for each part of the table. */
struct gather_rings {
    struct tool_ring **list;
    size_t count;
    int *files;
    size_t parts;
};

/* False with a reason: there is no io_uring, or a file cannot be opened again. Close them either way. */
bool gather_rings_open(struct gather_rings *rings, const struct gather_job *job, struct tool_why *why);
void gather_rings_close(struct gather_rings *rings);

/* The rows of some visits, which are in the order of their rows, to their lanes of `to`. False with a reason. */
bool gather_rings_read(const struct gather_rings *rings, size_t ring, const struct gather_job *job,
                       const struct gather_visit *visits, uint64_t count, unsigned char *to, struct tool_why *why);

/* The same from a table that is larger than what should be in memory, of one part or several: page by page, by several
 * threads. `most`: the lanes of a piece. False after a message; close it either way. */
struct gather_order {
    struct gather_visit *visits;
    uint64_t count;
    uint64_t negative;
    size_t own;                /* bytes of the piece and of the visits */
    struct gather_rings rings; /* none: the files are read as they are mapped */
};
bool gather_order_open(struct gather_order *order, struct gather_job *job, uint64_t most);
void gather_order_close(struct gather_order *order);
int gather_in_order(struct gather_order *order, struct gather_job *job, uint64_t first, uint64_t lanes,
                    unsigned char *to);

/* From now on a mapped file that becomes shorter ends the process with a message to this file descriptor, and nothing
 * is left behind. */
void gather_guard(const char *command, int to);

/* Ranks write this file together, so that one of them speaks for all. It stays where it is; NULL: they do not any more.
 */
void gather_guard_shared(const char *draft);

/* Where the output goes, and what stands before its data. */
struct gather_output {
    const char *path; /* as it was given */
    struct gather_name name;
    char header[TOOL_TENSOR_HEADER];
    size_t header_bytes;
};

/* The header for a part of the output: `rows` of its first dimension. False after a message. */
bool gather_output_header(struct gather_output *out, const struct gather_job *job, int64_t rows);

/* False after a message. Free the name either way. */
bool gather_output_read(struct gather_output *out, const struct gather_job *job, const char *spec);

/* Names the file of one rank: OUT becomes OUT-00001-of-00004. False after a message. */
bool gather_output_shard(struct gather_output *out, const struct gather_job *job, int rank, int ranks);

/* What was read: the files of a table in their order, and what was converted. */
void gather_note_inputs(const struct gather_job *job);

/* What was done: rows, bytes and seconds; before that a warning, when there were negative indices that were brought
 * into the table. */
void gather_report(const struct gather_job *job, const struct gather_output *out, uint64_t negative);

/* Prints the figures of a scatter. */
void gather_report_scatter(const struct gather_job *job, uint64_t negative);

/* Whether all ranks have the same indices, table, output and settings: the work of all ranks, called before anything is
 * written. TOOL_OK, or TOOL_USAGE on all of them after a message of the first rank that differs from rank 0. */
int gather_agree(const struct gather_job *job, const struct gather_output *out, struct tool_ranks *ranks);

/* ---- one file of several ranks: rank 0 starts and names it, and all of them write parts of it */

#define GATHER_MAX_PATH 4096
struct gather_together {
    const struct gather_job *job;
    const struct gather_output *out;
    struct tool_ranks *ranks;
    struct tool_file file; /* of the rank that started it */
    int fd;                /* where this rank writes; -1: not yet */
    char path[GATHER_MAX_PATH];
};

/* Starts a file of this rank's own, with the header of the output. Returns an enum tool_exit, after a message. */
int gather_together_own(struct gather_together *file, const char *path);

/* The one file: the work of all ranks. The result is that of this rank. */
int gather_together_start(struct gather_together *file);

/* Bytes of this rank, from byte `at` on. */
int gather_together_write(struct gather_together *file, const void *bytes, uint64_t size, uint64_t at);

/* Every rank has written, as `result` says of this one; then the file gets its name, or is deleted. */
int gather_together_end(struct gather_together *file, int result);

/* The same by all ranks of an MPI job, each a part of the lanes: one file, or one of each rank. `result` is what came
 * of this rank's command line and files. */
int gather_run_ranks(struct gather_job *job, struct gather_output *out, struct tool_ranks *ranks, int result);

/* ---- bags: --bag, and the options that go with it ---- */

struct gather_bag_request {
    const char *mode, *offsets, *weights, *scales; /* NULL: not given */
};

struct gather_bag {
    bool is_wanted;
    struct ptog_bag what;
    struct ptog_cbuf rows;
    struct gather_source offsets, weights, scales; /* without a path: not given */
    uint64_t bags, indices;
    int64_t *numbers; /* the indices, then the offsets */
};

/* The mode. False after a message. */
bool gather_bag_read(struct gather_bag *bag, const struct gather_bag_request *request);

/* Opens the other arrays, and makes the job that of the bags: its lanes, and the type of the output, which becomes that
 * of the table's array. False after a message. Close it either way. */
bool gather_bag_plan(struct gather_bag *bag, struct gather_job *job, const struct gather_bag_request *request);
void gather_bag_close(struct gather_bag *bag);

/* All bags, to the output. Returns an enum tool_exit, after a message when it is not TOOL_OK. */
int gather_bag_run(const struct gather_bag *bag, const struct gather_job *job, const struct gather_output *out);

/* All lanes of a scatter: the output is the table, with the rows in it. One process writes all of the output, and every
 * rank of an MPI job a block of its rows: each goes through all indices, so that the result is that of one process. */
int gather_scatter_run(const struct gather_job *job, const struct gather_output *out);
int gather_scatter_ranks(const struct gather_job *job, const struct gather_output *out, struct tool_ranks *ranks,
                         int result);

/* All lanes, to the output. Returns an enum tool_exit, after a message when it is not TOOL_OK. */
int gather_run(struct gather_job *job, const struct gather_output *out);

#endif
