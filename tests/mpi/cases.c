/* Random gathers and scatters of libptog_mpi on small tables, held against loops over the whole table. Every rank makes
 * the same draws, so each of them knows the table, and what all others ask for, without a message.
 *
 * usage: cases SEED COUNT PLACE; rank 0 prints the number of cases that were right and wrong */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ptog/mpi.h>

/* ---- draws ---- */

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(next(state) % (uint64_t)n);
}

enum { FREE, ONE_OWNER, ALL_EQUAL, NONE, PATTERNS };
enum { OWN, SHARED, FILES, PLACES };

struct work {
    struct ptog_mpi_table table;
    int pattern, place, files;
    bool scatter;
    uint64_t seed; /* of the contents */
    int64_t bounds[65];
};

static const enum ptog_dtype types[] = {PTOG_I8,  PTOG_U8,  PTOG_I16,  PTOG_U16, PTOG_I32,    PTOG_U32,    PTOG_I64,
                                        PTOG_U64, PTOG_F16, PTOG_BF16, PTOG_F32, PTOG_F8E4M3, PTOG_F8E5M2, PTOG_HIF8};
static const enum ptog_dtype index_types[] = {PTOG_I32, PTOG_U32, PTOG_I64, PTOG_U64};

/* Every type, policy, mode and layout comes round; the rest is drawn. */
static void draw(struct work *work, uint64_t *state, int number, int ranks)
{
    static const uint64_t chunks[] = {0, 300, 1000, 30000, 1 << 20};
    static const int64_t windows[] = {0, 20, 100, 1000};
    struct ptog_mpi_table *t = &work->table;
    memset(work, 0, sizeof *work);
    t->dtype = types[number % 14];
    t->oob = (enum ptog_oob)(number / 14 % 4);
    t->coalesce = (enum ptog_coalesce)(number % 2 ^ number / 56 % 2);
    t->layout = (enum ptog_mpi_layout)(number % 3);
    t->index = index_types[below(state, 4)];
    t->rows = 1 + below(state, below(state, 2) ? 5 : 200);
    t->cols = 1 + below(state, below(state, 2) ? 4 : 70);
    t->chunk_bytes = chunks[below(state, 5)];
    t->window = windows[below(state, 4)];
    if (number % 25 == 7) { /* as small as can be */
        t->chunk_bytes = 1;
        t->window = 1;
        t->rows = 1 + t->rows % 5;
    }
    t->neighbours = (int32_t)below(state, 4);
    work->pattern = below(state, 3) ? FREE : (int)below(state, PATTERNS);
    work->place = (int)below(state, PLACES);
    work->scatter = below(state, 3) == 0;
    work->seed = next(state);
    work->files = 1 + (int)below(state, 4);
    if (work->scatter) {
        t->scatters = true;
        t->combine = number % 14 >= 11 ? PTOG_MPI_REPLACE : (enum ptog_mpi_combine)below(state, 4);
    }
    for (int r = 1; r < ranks; r++)
        work->bounds[r] = below(state, t->rows + 1);
    work->bounds[ranks] = t->rows;
    for (int r = 1; r <= ranks; r++) /* in order: insertion */
        for (int i = r; i > 1 && work->bounds[i - 1] > work->bounds[i]; i--) {
            int64_t moved = work->bounds[i];
            work->bounds[i] = work->bounds[i - 1];
            work->bounds[i - 1] = moved;
        }
    t->bounds = t->layout == PTOG_MPI_BOUNDS ? work->bounds : NULL;
}

/* ---- contents ---- */

/* A small whole number as an element: sums of a few of them are exact in every type but the 1-byte floats. */
static void put(unsigned char *at, enum ptog_dtype type, unsigned value)
{
    float f = (float)value;
    uint32_t bits;
    uint64_t whole = value;
    memcpy(&bits, &f, 4);
    if (type == PTOG_F32)
        whole = bits;
    if (type == PTOG_BF16)
        whole = bits >> 16;
    if (type == PTOG_F16)
        whole = value ? ((bits >> 23) - 112) << 10 | (bits >> 13 & 0x3FF) : 0;
    memcpy(at, &whole, ptog_dtype_size(type));
}

static bool is_float(enum ptog_dtype type)
{
    return type == PTOG_F16 || type == PTOG_BF16 || type == PTOG_F32;
}

/* Elements of a list: any bits, but small numbers where floats are computed with. */
static void contents(unsigned char *to, const struct work *work, uint64_t seed, int64_t elements)
{
    size_t size = ptog_dtype_size(work->table.dtype);
    bool small = work->scatter && work->table.combine != PTOG_MPI_REPLACE && is_float(work->table.dtype);
    for (int64_t i = 0; i < elements; i++) {
        uint64_t bits = next(&seed);
        if (small)
            put(to + (size_t)i * size, work->table.dtype,
                (unsigned)(size == 4 ? bits % 4 : bits % 64 == 0)); /* below 256 */
        else
            memcpy(to + (size_t)i * size, &bits, size);
    }
}

static int64_t capacity(const struct work *work)
{
    return work->table.coalesce == PTOG_ROW ? work->table.rows : work->table.rows * work->table.cols;
}

static size_t lane_bytes(const struct work *work)
{
    return ptog_dtype_size(work->table.dtype) * (work->table.coalesce == PTOG_ROW ? (size_t)work->table.cols : 1);
}

static int owner_of_row(const struct work *work, int64_t row, int ranks, int64_t *place)
{
    const struct ptog_mpi_table *t = &work->table;
    if (t->layout == PTOG_MPI_ROUND_ROBIN)
        return *place = row / ranks, (int)(row % ranks);
    int64_t from = 0;
    for (int r = 0;; r++) {
        int64_t many =
            t->layout == PTOG_MPI_BOUNDS ? t->bounds[r + 1] - t->bounds[r] : t->rows / ranks + (r < t->rows % ranks);
        if (row < from + many)
            return *place = row - from, r;
        from += many;
    }
}

/* The indices of one rank. */
static int64_t indices(const struct work *work, int rank, uint64_t **list)
{
    uint64_t state = work->seed + (uint64_t)rank * 77;
    int64_t all = capacity(work), n = below(&state, below(&state, 3) ? 40 : 300);
    if (work->table.window == 1)
        n %= 10;
    if (work->pattern == NONE)
        n = 0;
    bool is_outside = work->table.oob != PTOG_OOB_UNDEFINED || below(&state, 4) == 0;
    if (rank % 3 == 1 && below(&state, 2))
        n = 0;
    uint64_t same = work->seed % (uint64_t)all;
    *list = calloc((size_t)n + 1, sizeof **list);
    for (int64_t i = 0; i < n; i++) {
        uint64_t index = (uint64_t)below(&state, all);
        if (work->pattern == ALL_EQUAL)
            index = same;
        if (work->pattern == ONE_OWNER)
            index = index % (uint64_t)(all / 3 + 1);
        if (is_outside && work->pattern == FREE && below(&state, 5) == 0)
            index = next(&state) >> below(&state, 64);
        (*list)[i] = ptog_dtype_size(work->table.index) == 4 ? (uint32_t)index : index;
    }
    return n;
}

/* The lane of an index; -1: outside. */
static int64_t lane_of(const struct work *work, uint64_t index)
{
    uint64_t all = (uint64_t)capacity(work);
    if (index < all)
        return (int64_t)index;
    if (work->table.oob == PTOG_OOB_CLAMP)
        return (int64_t)all - 1;
    return work->table.oob == PTOG_OOB_WRAP ? (int64_t)(index % all) : -1;
}

/* What the faults of all ranks come to. */
static struct ptog_mpi_fault expected_fault(const struct work *work, int ranks)
{
    struct ptog_mpi_fault fault = {.rank = -1};
    enum ptog_dtype type = work->table.index;
    for (int r = 0; r < ranks; r++) {
        uint64_t *list;
        int64_t n = indices(work, r, &list);
        for (int64_t i = 0; i < n; i++) {
            bool negative = type == PTOG_I32 ? list[i] >> 31 & 1 : type == PTOG_I64 && list[i] >> 63;
            if (work->table.oob == PTOG_OOB_CLAMP || work->table.oob == PTOG_OOB_WRAP)
                fault.negative += negative;
            if (work->table.oob != PTOG_OOB_UNDEFINED || lane_of(work, list[i]) >= 0)
                continue;
            if (fault.count++ == 0) {
                fault.rank = r;
                fault.position = i;
                fault.index = list[i];
                fault.status = PTOG_FAULT;
            }
        }
        free(list);
    }
    return fault;
}

/* ---- what should come out ---- */

static uint64_t number_at(const unsigned char *at, enum ptog_dtype type)
{
    uint64_t bits = 0;
    size_t size = ptog_dtype_size(type);
    memcpy(&bits, at, size);
    bool is_signed = type == PTOG_I8 || type == PTOG_I16 || type == PTOG_I32 || type == PTOG_I64;
    if (is_signed && size < 8 && bits >> (8 * size - 1))
        bits |= ~UINT64_C(0) << 8 * size;
    return bits;
}

static unsigned small_at(const unsigned char *at, enum ptog_dtype type)
{
    for (unsigned value = 0; value < 4096; value++) {
        unsigned char bits[8];
        put(bits, type, value);
        if (memcmp(bits, at, ptog_dtype_size(type)) == 0)
            return value;
    }
    return 4096;
}

static void combine(unsigned char *to, const unsigned char *row, const struct work *work)
{
    enum ptog_dtype type = work->table.dtype;
    size_t size = ptog_dtype_size(type);
    bool is_unsigned = type == PTOG_U8 || type == PTOG_U16 || type == PTOG_U32 || type == PTOG_U64 || is_float(type);
    for (size_t i = 0; i < lane_bytes(work); i += size) {
        uint64_t a = is_float(type) ? small_at(to + i, type) : number_at(to + i, type);
        uint64_t b = is_float(type) ? small_at(row + i, type) : number_at(row + i, type), result = a + b;
        bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
        if (work->table.combine == PTOG_MPI_MAX)
            result = less ? b : a;
        if (work->table.combine == PTOG_MPI_MIN)
            result = less ? a : b;
        if (work->table.combine == PTOG_MPI_REPLACE)
            memcpy(to + i, row + i, size);
        else if (is_float(type))
            put(to + i, type, (unsigned)result);
        else
            memcpy(to + i, &result, size);
    }
}

static void scatter_all(unsigned char *whole, const struct work *work, int ranks)
{
    size_t bytes = lane_bytes(work), size = ptog_dtype_size(work->table.dtype);
    for (int r = 0; r < ranks; r++) {
        uint64_t *list;
        int64_t n = indices(work, r, &list);
        unsigned char *rows = malloc((size_t)n * bytes + 1);
        contents(rows, work, work->seed + 1000 + (uint64_t)r, n * (int64_t)(bytes / size));
        for (int64_t i = 0; i < n; i++)
            if (lane_of(work, list[i]) >= 0)
                combine(whole + (size_t)lane_of(work, list[i]) * bytes, rows + (size_t)i * bytes, work);
        free(rows);
        free(list);
    }
}

/* ---- one case ---- */

struct shard {
    unsigned char *own;
    ptog_mpi_memory *memory;
    struct ptog_mpi_file files[4];
    char paths[4][300];
    size_t bytes;
};

static const char *place_of_files;

static void write_files(struct shard *shard, const struct work *work, const unsigned char *whole, int rank)
{
    size_t row = ptog_dtype_size(work->table.dtype) * (size_t)work->table.cols;
    int64_t from = 0;
    for (int f = 0; f < work->files; f++) {
        int64_t to = work->table.rows * (f + 1) / work->files;
        snprintf(shard->paths[f], sizeof shard->paths[f], "%s/f%d", place_of_files, f);
        shard->files[f] = (struct ptog_mpi_file){shard->paths[f], (uint64_t)(f * 37), to - from};
        int fd = rank == 0 ? open(shard->paths[f], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
        if (fd >= 0 && (ftruncate(fd, f * 37) != 0 ||
                        pwrite(fd, whole + (size_t)from * row, (size_t)(to - from) * row, f * 37) < 0))
            perror("cases");
        if (fd >= 0)
            close(fd);
        from = to;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void place_rows(struct shard *shard, struct work *work, const unsigned char *whole, int rank, int ranks)
{
    struct ptog_mpi_table *t = &work->table;
    size_t row = ptog_dtype_size(t->dtype) * (size_t)t->cols;
    shard->bytes = (size_t)ptog_mpi_share(t, ranks, rank) * row;
    if (work->place == FILES) {
        write_files(shard, work, whole, rank);
        t->files = shard->files;
        t->file_count = (size_t)work->files;
        return;
    }
    if (work->place == SHARED && ptog_mpi_memory_new(&shard->memory, MPI_COMM_WORLD, shard->bytes, 0) == PTOG_OK)
        t->memory = shard->memory;
    shard->own = shard->memory ? ptog_mpi_memory_at(shard->memory) : malloc(shard->bytes + 1);
    if (!shard->memory) {
        t->at = shard->own;
        t->bytes = shard->bytes;
    }
    for (int64_t i = 0, place; i < t->rows; i++)
        if (owner_of_row(work, i, ranks, &place) == rank)
            memcpy(shard->own + (size_t)place * row, whole + (size_t)i * row, row);
}

static bool rows_are(const struct shard *shard, const struct work *work, const unsigned char *whole, int rank,
                     int ranks)
{
    const struct ptog_mpi_table *t = &work->table;
    size_t row = ptog_dtype_size(t->dtype) * (size_t)t->cols;
    unsigned char *found = malloc(row);
    bool right = true;
    for (int64_t i = 0, place, from = 0, f = 0; i < t->rows; i++) {
        bool mine = owner_of_row(work, i, ranks, &place) == rank;
        if (work->place == FILES) {
            while (i >= from + shard->files[f].rows)
                from += shard->files[f++].rows;
            int fd = mine ? open(shard->files[f].path, O_RDONLY) : -1;
            if (mine)
                right =
                    right && pread(fd, found, row, (off_t)shard->files[f].offset + (off_t)((size_t)(i - from) * row)) ==
                                 (ssize_t)row;
            if (fd >= 0)
                close(fd);
        } else if (mine) {
            memcpy(found, shard->own + (size_t)place * row, row);
        }
        right = right && (!mine || memcmp(found, whole + (size_t)i * row, row) == 0);
    }
    free(found);
    return right;
}

/* What is wrong on any rank is wrong on all: they go on together. */
static const char *all_say(const char *wrong)
{
    int bad = wrong != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (bad && !wrong)
        return "nothing here, something on another rank";
    return wrong;
}

static const char *run_scatter(ptog_mpi *plan, const struct work *work, const struct shard *shard, unsigned char *whole,
                               int rank, int ranks, const void *idx, int64_t n)
{
    size_t bytes = lane_bytes(work), size = ptog_dtype_size(work->table.dtype);
    struct ptog_mpi_fault wanted = expected_fault(work, ranks);
    unsigned char *rows = malloc((size_t)n * bytes + 1);
    const char *wrong = NULL;
    contents(rows, work, work->seed + 1000 + (uint64_t)rank, n * (int64_t)(bytes / size));
    for (int again = 0; again < 2 && !wrong; again++) {
        scatter_all(whole, work, ranks);
        if (ptog_mpi_scatter(plan, idx, n, rows) != wanted.status)
            wrong = "status of the scatter";
        else if (!rows_are(shard, work, whole, rank, ranks))
            wrong = "rows after the scatter";
        wrong = all_say(wrong);
    }
    free(rows);
    return wrong;
}

static const char *run_gather(ptog_mpi *plan, const struct work *work, const unsigned char *whole, int ranks,
                              const uint64_t *list, const void *idx, int64_t n)
{
    size_t bytes = lane_bytes(work), all = (size_t)n * bytes;
    struct ptog_mpi_fault wanted = expected_fault(work, ranks);
    unsigned char *out = malloc(all + 64), *right = malloc(all + 64);
    memset(out, 0x5C, all + 64);
    memset(right, 0x5C, all + 64);
    for (int64_t i = 0; i < n; i++) {
        int64_t lane = lane_of(work, list[i]);
        unsigned char *to = right + (size_t)i * bytes;
        if (lane >= 0)
            memcpy(to, whole + (size_t)lane * bytes, bytes);
        else
            memset(to, work->table.oob == PTOG_OOB_ZERO ? 0 : 0xAA, bytes);
    }
    enum ptog_status status = ptog_mpi_gather(plan, idx, n, out);
    const struct ptog_mpi_fault *fault = ptog_mpi_plan_fault(plan);
    const char *wrong = NULL;
    if (status != wanted.status || fault->status != status)
        wrong = "status of the gather";
    else if (fault->count != wanted.count || fault->negative != wanted.negative || fault->rank != wanted.rank)
        wrong = "numbers of the fault";
    else if (fault->rank >= 0 && (fault->position != wanted.position || fault->index != wanted.index))
        wrong = "first lane of the fault";
    else if (memcmp(out, right, all + 64) != 0)
        wrong = "bytes of the gather";
    free(out);
    free(right);
    return all_say(wrong);
}

/* Gathers send nothing where all rows can be read, and a row that all lanes want once for each window. */
static const char *check_sent(ptog_mpi *plan, const struct work *work)
{
    struct ptog_mpi_stats stats = ptog_mpi_plan_stats(plan);
    if (work->place != OWN && work->table.neighbours == 0 && stats.ids_sent + stats.bytes_sent > 0)
        return all_say("something was sent");
    if (work->pattern == ALL_EQUAL && work->table.chunk_bytes == 0 && stats.ids_sent > stats.windows)
        return all_say("a row was sent twice");
    return all_say(NULL);
}

static const char *run_case(struct work *work, int rank, int ranks)
{
    struct ptog_mpi_table *t = &work->table;
    size_t row = ptog_dtype_size(t->dtype) * (size_t)t->cols;
    unsigned char *whole = malloc((size_t)t->rows * row);
    struct shard shard = {0};
    contents(whole, work, work->seed, t->rows * t->cols);
    place_rows(&shard, work, whole, rank, ranks);
    uint64_t *list;
    int64_t n = indices(work, rank, &list);
    uint32_t *narrow = malloc((size_t)n * 4 + 1);
    for (int64_t i = 0; i < n; i++)
        narrow[i] = (uint32_t)list[i];
    const void *idx = ptog_dtype_size(t->index) == 4 ? (void *)narrow : (void *)list;
    ptog_mpi *plan = NULL;
    struct ptog_mpi_fault fault;
    const char *wrong = ptog_mpi_plan(&plan, MPI_COMM_WORLD, t, &fault) == PTOG_OK ? NULL : "status of the plan";
    if (wrong && rank == 0)
        fprintf(stderr, "%s\n", fault.text);
    if (!wrong && ptog_mpi_plan_bytes(t, ranks, rank) == 0)
        wrong = "bytes of the plan";
    for (int again = 0; again < 2 && !wrong; again++)
        wrong = run_gather(plan, work, whole, ranks, list, idx, n);
    if (!wrong)
        wrong = check_sent(plan, work);
    if (!wrong && work->scatter)
        wrong = run_scatter(plan, work, &shard, whole, rank, ranks, idx, n);
    if (!wrong && work->scatter)
        wrong = run_gather(plan, work, whole, ranks, list, idx, n);
    ptog_mpi_plan_free(plan);
    if (shard.memory)
        ptog_mpi_memory_free(shard.memory);
    else
        free(shard.own);
    free(narrow);
    free(list);
    free(whole);
    return wrong;
}

static void tell(const struct work *work, int number, int rank, const char *wrong)
{
    const struct ptog_mpi_table *t = &work->table;
    fprintf(stderr,
            "case %d, rank %d: %s: %s %s %s layout %d, %" PRId64 "x%" PRId64 ", pattern %d, place %d, files %d, chunk "
            "%" PRIu64 ", window %" PRId64 ", neighbours %d, scatter %d combine %d\n",
            number, rank, wrong, ptog_dtype_name(t->dtype), ptog_oob_name(t->oob), ptog_coalesce_name(t->coalesce),
            t->layout, t->rows, t->cols, work->pattern, work->place, work->files, t->chunk_bytes, t->window,
            t->neighbours, work->scatter, t->combine);
}

int main(int argc, char **argv)
{
    int rank, ranks, right = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int count = argc > 2 ? atoi(argv[2]) : 100;
    place_of_files = argc > 3 ? argv[3] : ".";
    for (int i = 0; i < count; i++) {
        struct work work;
        draw(&work, &state, i, ranks);
        const char *said = run_case(&work, rank, ranks);
        int bad = said != NULL;
        if (said)
            tell(&work, i, rank, said);
        MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        right += !bad;
        wrong += bad;
    }
    if (rank == 0)
        printf("%d right, %d wrong\n", right, wrong);
    MPI_Finalize();
    return 0;
}
