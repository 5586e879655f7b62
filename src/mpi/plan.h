/* mpi: what the files of libptog_mpi share. A plan has one block of memory, which is cut up once (carve.c), so that its
 * size can be said before; the calls allocate nothing. */
#ifndef PTOG_MPI_PLAN_H
#define PTOG_MPI_PLAN_H

#include <ptog/mpi.h>
#include <ptog/plan.h>

#include "mpi/shape.h"

/* ---- shards: what this rank can read without a message ---- */

/* A part of a file, mapped. */
struct ptog_mpi_segment {
    uint64_t first, count; /* pieces of the table */
    unsigned char *at;     /* of the first */
    void *map;
    size_t map_bytes;
};

struct ptog_mpi_shard {
    unsigned char *base; /* of the rank's pieces, when they lie one after another */
    bool visible;        /* to this rank: it is itself, or a neighbour whose rows can be read */
    bool packed;         /* `base` is known; otherwise a piece is looked up in the segments */
};

/* ---- local kernels ---- */

/* Copies lanes through an index list with plans of libptog, in blocks. */
struct ptog_mpi_fetch {
    uint64_t lane;       /* bytes */
    int blocks;          /* plans, large ones first */
    int64_t lanes_of[2]; /* of each plan */
    bool rows;           /* lanes are rows of units, and not single ones */
    ptog_plan *plans[2];
    size_t index_bytes;
    uint64_t table_bytes; /* that the plans may reach */
};

/* ---- windows: pieces that are prepared together ---- */

#define PTOG_MPI_NOBODY UINT32_MAX

/* Of the pieces `from`, `from` + 1, ... of a call, those of neighbours are read directly. The others are collected:
 * equal ones once, sorted by their owner. `ids` are their places at the owner. */
struct ptog_mpi_window {
    uint64_t from;
    int64_t count;  /* pieces that were looked at */
    uint64_t *ids;  /* by owner: those of rank r begin at out_start[r] */
    uint32_t *head; /* for each id the first piece that wants it, counted from `from` */
    uint32_t *next; /* for each piece the next one that wants the same */
    int64_t direct; /* pieces that are read directly: which, and where from */
    uint32_t *direct_to;
    unsigned char **direct_from;
    int *out_count, *out_start; /* ids for each rank */
    int *in_count, *in_start;   /* ids from each rank, */
    uint64_t *in_ids;           /* and those */
    int64_t rounds;             /* of the exchange of rows, on all ranks */
    bool any;                   /* some rank has looked at a piece */
    MPI_Request ids_request;
};

/* Scratch for filling a window. */
struct ptog_mpi_dedupe {
    uint32_t *hash; /* number of a different piece + 1 */
    uint64_t mask;
    uint64_t *key; /* of the different pieces: which, */
    uint64_t *id;  /* its place at its owner, */
    uint32_t *owner, *place;
    uint32_t *number; /* and for each piece of the window its number among the different ones */
};

/* ---- rounds: rows in flight ---- */

struct ptog_mpi_flight {
    unsigned char *send, *receive;
    int *send_count, *send_start, *receive_count, *receive_start; /* bytes */
    MPI_Request request;
};

struct ptog_mpi {
    MPI_Comm comm; /* a duplicate, once there is one */
    bool has_comm;
    int rank, ranks;
    struct ptog_mpi_table table;
    struct ptog_mpi_shape shape;
    uint64_t *first;               /* shape.first */
    struct ptog_mpi_shard *shards; /* of every rank */
    struct ptog_mpi_segment *segments;
    size_t segment_count;
    bool all_visible;                  /* nothing is ever sent by a gather */
    unsigned char *whole;              /* the whole table, packed, when it is; else NULL */
    struct ptog_mpi_fetch whole_fetch; /* indices of the caller, with the policy, from `whole` */
    struct ptog_mpi_fetch shard_fetch; /* places of this rank's packed shard */
    ptog_plan *combine;                /* of one piece; NULL: it replaces what is there */
    uint32_t *stamps;                  /* for each piece of this rank who wrote it: epoch*ranks + rank */
    uint32_t epoch;
    struct ptog_mpi_window windows[2];
    struct ptog_mpi_dedupe dedupe;
    struct ptog_mpi_flight flights[2];
    uint64_t *block_ids; /* of one round, or one block of a fetch */
    unsigned char *bounce;
    void *memory;
    struct ptog_mpi_fault fault;
    struct ptog_mpi_stats stats;
};

/* carve.c: cuts the block of memory up; with memory NULL only its size is found. */
uint64_t ptog_mpi_carve(struct ptog_mpi *plan, unsigned char *memory);

/* Lanes of the small blocks of a fetch. */
#define PTOG_MPI_MAX_BLOCK 8192
int64_t ptog_mpi_block_lanes(uint64_t lane);

/* agree.c: every rank says what went wrong on it; then all know the same. A lane outside the table (PTOG_FAULT) does
 * not hide anything worse. Returns fault->status. */
enum ptog_status ptog_mpi_agree(MPI_Comm comm, struct ptog_mpi_fault *fault);

/* Something is wrong on this rank; the first reason stays. */
void ptog_mpi_refuse(struct ptog_mpi_fault *fault, enum ptog_status status, const char *text);

/* Refuses a table about which the ranks differ. Collective. */
void ptog_mpi_compare(MPI_Comm comm, const struct ptog_mpi_table *table, int ranks, struct ptog_mpi_fault *fault);

/* memory.c: the neighbours of this rank, as a communicator. */
MPI_Comm ptog_mpi_neighbours(MPI_Comm comm, int most);
unsigned char *ptog_mpi_memory_of(const ptog_mpi_memory *memory, int neighbour, size_t *bytes);
MPI_Comm ptog_mpi_memory_comm(const ptog_mpi_memory *memory);
void ptog_mpi_memory_sync(const ptog_mpi_memory *memory);

/* shards.c: finds out what this rank can read; collective up to the end. */
void ptog_mpi_shards_open(struct ptog_mpi *plan, struct ptog_mpi_fault *fault);
void ptog_mpi_shards_close(struct ptog_mpi *plan);

/* Where a visible piece lies. */
unsigned char *ptog_mpi_locate(const struct ptog_mpi *plan, int owner, uint64_t place);

/* fetch.c */
struct ptog_mpi_source {
    enum ptog_dtype index;
    enum ptog_oob oob;
    uint64_t lane; /* bytes */
    uint64_t capacity;
    bool large; /* a plan for large blocks, too */
};
enum ptog_status ptog_mpi_fetch_open(struct ptog_mpi_fetch *fetch, const struct ptog_mpi_source *source);
void ptog_mpi_fetch_close(struct ptog_mpi_fetch *fetch);

/* Lanes ids[0], ids[1], ... of `from`. Only whole blocks are written directly: what is left goes through `bounce`, a
 * small block. NULL: there is room for a whole block behind what is written. */
void ptog_mpi_fetch_run(const struct ptog_mpi_fetch *fetch, const void *from, const void *ids, int64_t count,
                        unsigned char *to, unsigned char *bounce);

/* indices.c: the indices of a call. */
struct ptog_mpi_call {
    struct ptog_mpi *plan;
    const unsigned char *idx;
    int64_t n;
    bool is_gather;
    unsigned char *out;        /* of a gather */
    const unsigned char *rows; /* of a scatter */
};

/* Checks the arguments of a call and its indices, and agrees on what was found. */
enum ptog_status ptog_mpi_call_start(struct ptog_mpi_call *call);

/* What the bytes of a lane outside the table are. */
int ptog_mpi_outside(const struct ptog_mpi *plan);

/* The lane that index number i means; false: it is outside. */
bool ptog_mpi_call_lane(const struct ptog_mpi_call *call, int64_t i, uint64_t *lane);

/* window.c: takes pieces from `from` on until the window is full or the call has no more. */
void ptog_mpi_window_fill(struct ptog_mpi_window *window, const struct ptog_mpi_call *call, uint64_t from);

/* exchange.c */
/* Messages that are on their way may need a hand of ours to move on. */
void ptog_mpi_progress(struct ptog_mpi *plan);

/* How the rows of a window travel, in rounds of which two are in flight. A round is, of the pieces for or from each
 * rank, the next few from number `first` on: the counts of the flight say how many. */
struct ptog_mpi_rounds {
    const struct ptog_mpi_call *call;
    bool to_owner; /* rows go with the ids; otherwise they come back for them */
    void (*fill)(const struct ptog_mpi_rounds *rounds, int64_t first, struct ptog_mpi_flight *flight);
    void (*take)(const struct ptog_mpi_rounds *rounds, int64_t first, const struct ptog_mpi_flight *flight);
    void (*meanwhile)(const struct ptog_mpi_rounds *rounds,
                      int64_t round); /* round number `round` is in flight; or NULL */
    struct ptog_mpi_window *window, *next;
};

/* All windows of a call, by all ranks. `window` and `next` are set here. */
void ptog_mpi_windows_run(struct ptog_mpi_rounds *rounds);

#endif
