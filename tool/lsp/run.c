/* tool/lsp: the run in the background. A process of its own runs the program and writes what it found into a pipe; an
 * edit ends that process, whatever it is doing, and nothing that happens in it can end the server. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/sys.h"
#include "server.h"

#define MAX_SECONDS 60              /* of processor time; the limits of the run end nearly all earlier */
#define MAX_TOLD ((size_t)32 << 20) /* bytes that a run may tell */

/* In the new process. It frees what it took, so that sanitizers can look for leaks, and leaves without the server's
 * own end. */
static void run_in_child(const struct lsp_server *server, const struct lsp_document *document, int to)
{
    struct lsp_writer writer = {0};
    struct rlimit limit = {MAX_SECONDS, MAX_SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    lsp_runner(&server->settings, &document->text, document->uri, &writer);
    bool good = !writer.out.no_memory && tool_sys_write(to, writer.out.bytes, writer.out.used);
    ptog_output_free(&writer.out);
    _exit(good ? 0 : 1);
}

void lsp_run_stop(struct lsp_server *server)
{
    struct lsp_child *child = &server->child;
    if (child->pid == 0)
        return;
    kill((pid_t)child->pid, SIGKILL);
    while (waitpid((pid_t)child->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(child->from);
    ptog_output_free(&child->told);
    *child = (struct lsp_child){0};
}

void lsp_run_start(struct lsp_server *server, struct lsp_document *document)
{
    int ends[2];
    lsp_run_stop(server);
    document->unrun = false;
    if (pipe(ends) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_in_child(server, document, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    server->child = (struct lsp_child){.pid = pid, .from = ends[0], .told.most = MAX_TOLD, .of = document};
}

/* The run has ended. */
static void take_run(struct lsp_server *server)
{
    const struct ptog_output *told = &server->child.told;
    lsp_run_tell(server, server->child.of, told->bytes, told->cut ? 0 : told->used);
    lsp_run_stop(server);
}

void lsp_run_read(struct lsp_server *server)
{
    char bytes[65536];
    struct ptog_sink sink = ptog_output_sink(&server->child.told);
    for (;;) {
        ssize_t count = read(server->child.from, bytes, sizeof bytes);
        if (count > 0)
            sink.write(sink.user, bytes, (size_t)count);
        else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            take_run(server);
            return;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}
