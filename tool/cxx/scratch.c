/* tool/cxx: a directory for temporary files, and the compiler as a child. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw, posix_spawnp, sigaction */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/pick.h"
#include "io/sys.h"

extern char **environ;

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
#define ENDING (sizeof ending / sizeof *ending)

/* What the handler touches. */
static volatile sig_atomic_t caught; /* the signal */
static volatile pid_t child;         /* 0: none; changed only while the signals are blocked */

static void on_signal(int number)
{
    caught = number;
    if (child > 0)
        kill(child, number);
}

/* Blocks the signals that end the program; *before is the mask to restore. */
static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING; i++)
        sigaddset(&set, ending[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* A signal that was ignored, as by nohup, stays ignored. */
static void catch_signals(void)
{
    for (size_t i = 0; i < ENDING; i++) {
        struct sigaction now = {.sa_handler = on_signal}, old;
        sigemptyset(&now.sa_mask);
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending[i], &now, NULL);
    }
}

static void die_of_signal(void)
{
    if (caught) {
        signal(caught, SIG_DFL);
        raise(caught);
    }
}

/* ---- the directory */

/* The path stands in makefile rules: nothing in it may need escaping there. */
static bool is_plain(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    return path[0] == '/' && path[strspn(path, plain)] == '\0';
}

const char *cxx_scratch_make(struct cxx_words *strings, uint64_t of, struct tool_why *why)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !is_plain(parent))
        parent = "/tmp";
    char *path = cxx_format(strings, "%s/ptog-cxx-%016" PRIx64, parent, of);
    catch_signals();
    if (path && mkdir(path, 0700) == 0)
        return path;
    path = cxx_format(strings, "%s/ptog-cxx-XXXXXX", parent);
    if (path && mkdtemp(path))
        return path;
    tool_why_set(why, "cannot make a temporary directory %s: %s", tool_or(path, ""), strerror(errno));
    return NULL;
}

const char *cxx_scratch_inside(struct cxx_words *strings, const char *scratch, size_t number, struct tool_why *why)
{
    char *path = cxx_format(strings, "%s/%zu", scratch, number);
    if (path && mkdir(path, 0700) == 0)
        return path;
    tool_why_set(why, "cannot make a temporary directory: %s", strerror(errno));
    return NULL;
}

bool cxx_scratch_write(const char *path, const char *head, size_t head_size, const char *text, size_t size,
                       struct tool_why *why)
{
    int fd = tool_sys_open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    bool done = fd >= 0 && tool_sys_write(fd, head, head_size) && tool_sys_write(fd, text, size);
    int saved = errno;
    if (fd >= 0 && !tool_sys_close(fd) && done) {
        done = false;
        saved = errno;
    }
    return done || tool_why(why, "cannot write %s: %s", path, strerror(saved));
}

/* Removes a file or an empty directory; goes on whatever happens. */
static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    remove(path);
    return 0;
}

void cxx_scratch_remove(const char *scratch)
{
    if (scratch)
        nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    die_of_signal();
}

/* ---- the child */

/* Starts a command with a signal mask, and notes it as the child; the error, or 0. */
static int start_child(const char *const *words, const sigset_t *mask)
{
    posix_spawnattr_t attributes;
    pid_t started = 0;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, mask);
    error = posix_spawnp(&started, words[0], NULL, &attributes, cxx_unconst(words), environ);
    posix_spawnattr_destroy(&attributes);
    child = error ? 0 : started;
    return error;
}

/* Waits for the child to end; its exit status, as a shell gives it. */
static int wait_for_child(void)
{
    int status = 0;
    sigset_t before;
    siginfo_t info;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    block_signals(&before); /* its number may be another process's as soon as it was waited for */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    child = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

bool cxx_run(const char *const *words, int *status, bool *missing, struct tool_why *why)
{
    sigset_t before;
    *missing = false;
    block_signals(&before);
    int error = caught ? EINTR : start_child(words, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        *status = wait_for_child();
        return true;
    }
    *missing = error == ENOENT;
    return tool_why(why, "cannot run %s: %s", words[0], strerror(error));
}
