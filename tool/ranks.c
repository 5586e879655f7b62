/* tool: a command that mpirun started several times. */
#define _XOPEN_SOURCE 700 /* dup2, lseek, readlink */
#include "ranks.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"

/* What the starters of MPI programs put into the environment: ranks, and this one's number. */
static const char *const starters[][2] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}, {"SLURM_NTASKS", "PMIX_RANK"}};

static int number_in(const char *name)
{
    const char *text = getenv(name);
    if (text)
        return atoi(text);
    return -1;
}

static int find_starter(void)
{
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (number_in(starters[i][0]) > 1 && number_in(starters[i][1]) >= 0)
            return (int)i;
    return -1;
}

int tool_ranks_count(void)
{
    int starter = find_starter();
    if (starter < 0)
        return 0;
    return number_in(starters[starter][0]);
}

/* Before MPI runs the environment alone says who speaks for all. */
static bool speaks_for_all(void)
{
    int starter = find_starter();
    return starter < 0 || number_in(starters[starter][1]) == 0;
}

/* The library next to this program, in the folder of libraries, or wherever the system finds it. */
static void *load_mpi_library(void)
{
    static const char *const places[] = {"/" PTOG_MPI_SONAME, "/" PTOG_LIB_FROM_BIN "/" PTOG_MPI_SONAME};
    char path[4200];
    const char *given = getenv("PTOG_MPI_LIBRARY");
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_GLOBAL);
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    if (length > 0 && length < 4096) {
        path[length] = '\0';
        char *slash = strrchr(path, '/');
        for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
            strcpy(slash, places[i]);
            if (access(path, R_OK) == 0)
                return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        }
    }
    return dlopen(PTOG_MPI_SONAME, RTLD_NOW | RTLD_GLOBAL);
}

bool tool_ranks_load(struct tool_ranks *ranks, struct tool_why *why)
{
    ptog_mpi_world_fn *fill = NULL;
    *ranks = (struct tool_ranks){.library = load_mpi_library(), .visible = STDERR_FILENO};
    if (!ranks->library)
        return tool_why(why, "libptog_mpi cannot be loaded (%s); 'make setup-mpi' and 'make' build it", dlerror());
    *(void **)&fill = dlsym(ranks->library, "ptog_mpi_world");
    if (fill)
        fill(&ranks->world);
    if (!fill || ranks->world.version != PTOG_MPI_WORLD_VERSION)
        return tool_why(why, "libptog_mpi is not of this version");
    return true;
}

static bool give_up(const char *command, const char *why)
{
    if (speaks_for_all())
        tool_fail(command, "%s", why);
    return false;
}

/* What is written to stderr goes to a file that nobody sees. */
static void hold_back(struct tool_ranks *ranks)
{
    fflush(stderr);
    ranks->said = tmpfile();
    if (!ranks->said)
        return;
    ranks->visible = dup(STDERR_FILENO);
    dup2(fileno(ranks->said), STDERR_FILENO);
}

bool tool_ranks_start(struct tool_ranks *ranks, const char *command)
{
    struct tool_why why;
    char text[600];
    int wanted = tool_ranks_count();
    if (!tool_ranks_load(ranks, &why)) {
        snprintf(text, sizeof text, "mpirun started %d of this, but %s", wanted, why.text);
        return give_up(command, text);
    }
    if (!ranks->world.start(&ranks->world))
        return give_up(command, "MPI cannot be started");
    if (ranks->world.ranks != wanted) {
        snprintf(
            text, sizeof text,
            "mpirun started %d of this, but they do not find each other: libptog_mpi is for %s, and mpirun for another",
            wanted, ranks->world.library);
        give_up(command, text);
        ranks->world.end();
        return false;
    }
    if (ranks->world.rank > 0)
        hold_back(ranks);
    return true;
}

/* What is said is seen at once again. */
static void speak(struct tool_ranks *ranks)
{
    if (!ranks->said)
        return;
    fflush(stderr);
    dup2(ranks->visible, STDERR_FILENO);
    close(ranks->visible);
    fclose(ranks->said);
    ranks->said = NULL;
    ranks->visible = STDERR_FILENO;
}

/* Everything that was held back, on the real stderr. */
static void say(struct tool_ranks *ranks)
{
    char bytes[4096];
    ssize_t count;
    fflush(stderr);
    if (!ranks->said || lseek(fileno(ranks->said), 0, SEEK_SET) != 0)
        return;
    while ((count = tool_sys_read(fileno(ranks->said), bytes, sizeof bytes)) > 0)
        if (!tool_sys_write(ranks->visible, bytes, (size_t)count))
            return;
}

int tool_ranks_agree(struct tool_ranks *ranks, int result)
{
    int first, worst = (int)ranks->world.largest(result, &first);
    if (worst != TOOL_OK && ranks->world.rank == first)
        say(ranks);
    return worst;
}

void tool_ranks_end(struct tool_ranks *ranks)
{
    speak(ranks);
    ranks->world.end();
}
