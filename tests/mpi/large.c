/* A table in a sparse file of more than 4 GiB, and more than 2^31 bytes in one call: libptog_mpi against what the file
 * has at a few places.
 *
 * usage: large FILE ROWS LANES; rows have 4096 bytes, and the first rank but 0 asks for LANES of them */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ptog/mpi.h>

#define ROW 4096
#define EVERY 64 /* row number r*EVERY says r*EVERY + 1 at its end; the others are zeros */

static void write_table(const char *path, int64_t rows)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, rows * ROW) != 0)
        perror(path);
    for (int64_t r = 0; r < rows; r += EVERY) {
        int64_t said = r + 1;
        if (pwrite(fd, &said, 8, r * ROW + ROW - 8) != 8)
            perror(path);
    }
    close(fd);
}

static int64_t row_of(int64_t lane, int64_t rows)
{
    return lane * 7919 * EVERY / 2 % rows;
}

static int64_t count_wrong(const unsigned char *out, int64_t lanes, int64_t rows)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < lanes; i++) {
        int64_t said, row = row_of(i, rows), wanted = row % EVERY == 0 ? row + 1 : 0;
        memcpy(&said, out + i * ROW + ROW - 8, 8);
        wrong += said != wanted || out[i * ROW] != 0;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t rows = atoll(argv[2]), lanes = rank == (ranks > 1) ? atoll(argv[3]) : 0, wrong = 0;
    if (rank == 0)
        write_table(argv[1], rows);
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t *idx = malloc((size_t)lanes * 8 + 8);
    for (int64_t i = 0; i < lanes; i++)
        idx[i] = row_of(i, rows);
    unsigned char *out =
        mmap(NULL, (size_t)lanes * ROW + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ptog_mpi_file file = {argv[1], 0, rows};
    for (int alone = 0; alone < 2; alone++) {
        struct ptog_mpi_table table = {.dtype = PTOG_U8,
                                       .index = PTOG_I64,
                                       .rows = rows,
                                       .cols = ROW,
                                       .neighbours = alone,
                                       .files = &file,
                                       .file_count = 1};
        ptog_mpi *plan = NULL;
        if (ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL) != PTOG_OK ||
            ptog_mpi_gather(plan, idx, lanes, out) != PTOG_OK)
            wrong++;
        wrong += count_wrong(out, lanes, rows);
        if (lanes > 0)
            memset(out, 0x5C, (size_t)lanes * ROW);
        ptog_mpi_plan_free(plan);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d right, %d wrong\n", wrong == 0, wrong != 0);
    MPI_Finalize();
    return 0;
}
