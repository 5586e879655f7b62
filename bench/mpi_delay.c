/* A slower network, by MPI's profiling interface. Preloaded, it lets the exchanges of libptog_mpi and of bench/mpi.c
 * end no earlier than a network would let them: each rank has one line to the others, which carries DELAY_GB gigabytes
 * per second in each direction, and every exchange takes DELAY_US microseconds more. While an exchange is on its way
 * the rank may work: what it does then is overlap. Whoever waits sleeps, so that ranks may share processors. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

#define MOST 16 /* exchanges that are on their way */

static struct {
    MPI_Request request;
    double done; /* when it has arrived */
} flights[MOST];
static double line_free; /* when the line can take the next one */

static double number_of(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? atof(text) : otherwise;
}

static int64_t others(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
    int rank, ranks, size;
    int64_t sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Type_size(type, &size);
    for (int r = 0; r < ranks; r++)
        sum += r == rank ? 0 : (int64_t)counts[r] * size;
    return sum;
}

/* When an exchange that starts now has arrived. */
static double arrival(int64_t sent, int64_t received)
{
    double now = MPI_Wtime(), from = line_free > now ? line_free : now;
    int64_t bytes = sent > received ? sent : received;
    line_free = from + (double)bytes / (number_of("DELAY_GB", 1) * 1e9);
    return line_free + number_of("DELAY_US", 2) * 1e-6;
}

static void sleep_until(double when)
{
    for (double left = when - MPI_Wtime(); left > 0; left = when - MPI_Wtime()) {
        struct timespec nap = {.tv_nsec = left > 2e-4 ? 100000 : 0};
        if (left > 2e-4)
            nanosleep(&nap, NULL);
    }
}

int MPI_Ialltoallv(const void *from, const int *send, const int *send_at, MPI_Datatype send_type, void *to,
                   const int *receive, const int *receive_at, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request *request)
{
    double done = arrival(others(send, send_type, comm), others(receive, receive_type, comm));
    int result = PMPI_Ialltoallv(from, send, send_at, send_type, to, receive, receive_at, receive_type, comm, request);
    for (int i = 0; i < MOST; i++)
        if (flights[i].done == 0) {
            flights[i].request = *request;
            flights[i].done = done;
            break;
        }
    return result;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Request waited = *request;
    int result = PMPI_Wait(request, status);
    for (int i = 0; i < MOST; i++)
        if (flights[i].done > 0 && flights[i].request == waited && waited != MPI_REQUEST_NULL) {
            sleep_until(flights[i].done);
            flights[i].done = 0;
            break;
        }
    return result;
}

int MPI_Alltoallv(const void *from, const int *send, const int *send_at, MPI_Datatype send_type, void *to,
                  const int *receive, const int *receive_at, MPI_Datatype receive_type, MPI_Comm comm)
{
    double done = arrival(others(send, send_type, comm), others(receive, receive_type, comm));
    int result = PMPI_Alltoallv(from, send, send_at, send_type, to, receive, receive_at, receive_type, comm);
    sleep_until(done);
    return result;
}
