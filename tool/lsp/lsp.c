/* tool/lsp: the command `ptog lsp`. Bytes from standard input become messages; while none is waiting, documents that
 * changed are checked, and after a pause, run. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/sys.h"
#include "server.h"
#include "tool.h"

/* What has arrived and is not taken yet. */
struct lsp_input {
    char *bytes;
    size_t used, room;
    size_t skip; /* bytes of a message that is too large, to be thrown away as they arrive */
    bool ended;
};

static int64_t now_in_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- messages ---- */

#define MAX_HEADER 4096

/* Forgets the first bytes. */
static void drop_input(struct lsp_input *input, size_t count)
{
    if (count == 0)
        return;
    memmove(input->bytes, input->bytes + count, input->used - count);
    input->used -= count;
}

/* Where the header ends: after an empty line; 0: not yet. */
static size_t find_header_end(const struct lsp_input *input)
{
    for (size_t i = 3; i < input->used && i < MAX_HEADER; i++)
        if (memcmp(input->bytes + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return 0;
}

static bool has_prefix(const char *text, size_t size, const char *prefix)
{
    for (size_t i = 0; prefix[i]; i++)
        if (i == size || (text[i] | 0x20) != (prefix[i] | 0x20))
            return false;
    return true;
}

/* The number of Content-Length, a line of the header; SIZE_MAX: there is none, or it is no number. */
static size_t content_length(const char *header, size_t size)
{
    static const char name[] = "Content-Length:";
    for (size_t at = 0; at < size; at++) {
        if (!(at == 0 || header[at - 1] == '\n') || !has_prefix(header + at, size - at, name))
            continue;
        const char *digits = header + at + strlen(name);
        digits += strspn(digits, " ");
        size_t length = strspn(digits, "0123456789");
        if (length == 0 || length > 12 || digits[length] != '\r')
            return SIZE_MAX;
        return strtoull(digits, NULL, 10);
    }
    return SIZE_MAX;
}

/* Takes one whole message, if one is there. *broken: what arrived is no message, and where the next one begins cannot
 * be known. */
static bool take_message(struct lsp_server *server, struct lsp_input *input, bool *broken)
{
    size_t skipped = input->skip < input->used ? input->skip : input->used;
    input->skip -= skipped;
    drop_input(input, skipped);
    size_t header = find_header_end(input);
    if (header == 0) {
        *broken = input->used >= MAX_HEADER;
        return false;
    }
    size_t length = content_length(input->bytes, header);
    *broken = length == SIZE_MAX;
    if (*broken)
        return false;
    if (length > LSP_MAX_MESSAGE) {
        lsp_server_refuse(server, "this message is larger than 32 MiB");
        drop_input(input, header);
        input->skip = length;
        return true;
    }
    if (input->used - header < length)
        return false;
    lsp_server_take(server, input->bytes + header, length, now_in_milliseconds());
    drop_input(input, header + length);
    return true;
}

/* ---- input and output ---- */

/* Reads what the editor has sent into the buffer; `ended` when it has gone, or when out of memory. */
static void read_input(struct lsp_input *input)
{
    if (input->room - input->used < 65536) {
        size_t room = 2 * input->room + 131072;
        char *grown = realloc(input->bytes, room);
        if (!grown) {
            input->ended = true;
            return;
        }
        input->bytes = grown;
        input->room = room;
    }
    ssize_t count = tool_sys_read(STDIN_FILENO, input->bytes + input->used, input->room - input->used - 1);
    if (count <= 0)
        input->ended = true;
    else
        input->used += (size_t)count;
    input->bytes[input->used] = '\0';
}

/* False: the editor is gone. */
static bool write_output(struct lsp_server *server)
{
    bool good = server->out.used == 0 || tool_sys_write(STDOUT_FILENO, server->out.bytes, server->out.used);
    ptog_output_free(&server->out);
    return good;
}

/* ---- when to do what ---- */

static struct lsp_document *find_unchecked(const struct lsp_server *server)
{
    for (size_t i = 0; i < server->document_count; i++)
        if (server->documents[i]->unchecked)
            return server->documents[i];
    return NULL;
}

/* The document that changed last among those that are to be run. */
static struct lsp_document *find_unrun(const struct lsp_server *server)
{
    struct lsp_document *latest = NULL;
    for (size_t i = 0; i < server->document_count; i++)
        if (server->documents[i]->unrun && (!latest || server->documents[i]->changed > latest->changed))
            latest = server->documents[i];
    return latest;
}

/* Milliseconds until the next run is due; -1: none is, or one is under way. */
static int time_to_run(const struct lsp_server *server)
{
    const struct lsp_document *document = server->child.pid ? NULL : find_unrun(server);
    if (!document)
        return -1;
    int64_t left = document->changed + server->settings.delay - now_in_milliseconds();
    if (left > 60000)
        return 60000;
    return left > 0 ? (int)left : 0;
}

/* Waits until something is to be done; true: bytes have arrived. */
static bool wait_for_input(const struct lsp_server *server, int milliseconds, bool *run_told)
{
    struct pollfd from[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = server->child.from, .events = POLLIN}};
    int ready = poll(from, server->child.pid ? 2 : 1, milliseconds);
    *run_told = ready > 0 && server->child.pid && from[1].revents != 0;
    return ready > 0 && from[0].revents != 0;
}

/* Nothing is waiting: checks a document that changed, or waits. */
static void serve_idle(struct lsp_server *server, struct lsp_input *input)
{
    bool run_told;
    struct lsp_document *unchecked = find_unchecked(server);
    int due = unchecked ? 0 : time_to_run(server);
    if (wait_for_input(server, due, &run_told))
        read_input(input);
    else if (run_told)
        lsp_run_read(server);
    else if (unchecked)
        lsp_check(server, unchecked);
    else if (due >= 0 && time_to_run(server) == 0)
        lsp_run_start(server, find_unrun(server));
}

/* Until the editor says exit, or goes away. */
static int serve(struct lsp_server *server)
{
    struct lsp_input input = {0};
    bool broken = false;
    while (!server->exits && !broken) {
        if (!take_message(server, &input, &broken) && !broken) {
            if (input.ended)
                break;
            serve_idle(server, &input);
        }
        if (broken)
            lsp_server_refuse(server, "expected a header with Content-Length");
        if (!write_output(server))
            break;
    }
    free(input.bytes);
    if (broken)
        return tool_fail("lsp", "expected a header with Content-Length");
    return server->exits && server->shut_down ? TOOL_OK : TOOL_WRONG;
}

/* ---- the command line ---- */

struct lsp_request {
    const char *target;
    bool strict, no_run, stdio;
};

/* ptog lsp: the exit status. */
static int run_lsp(int argc, char **argv)
{
    struct lsp_request request = {0};
    const char *none;
    struct lsp_server server = {
        .settings = {
            .delay = 300, .max_steps = 1000000, .max_work = UINT64_C(1) << 28, .max_memory = UINT64_C(1) << 29}};
    if (!tool_parse(argc, argv, &tool_lsp, &request, &none, 0))
        return TOOL_USAGE;
    if (request.target && !(server.settings.target = tool_target("lsp", request.target)))
        return TOOL_USAGE;
    server.settings.strict = request.strict;
    server.settings.no_run = request.no_run;
    signal(SIGPIPE, SIG_IGN); /* an editor that goes away is an error of write */
    int result = serve(&server);
    lsp_server_close(&server);
    return result;
}

#define AT(field) .at = offsetof(struct lsp_request, field)

static const struct tool_option options[] = {
    {"--target", "T", "the target to check for. Default: the program's own, or a2a3 and a5", TOOL_TARGETS, AT(target)},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--no-run", NULL, "check only: do not run programs on generated inputs in the background", NULL, AT(no_run)},
    {"--stdio", NULL, "use standard input and output; this is the default, and editors may give it", NULL, AT(stdio)},
    {.name = NULL},
};

const struct tool_command tool_lsp = {
    .name = "lsp",
    .arguments = "[--target T] [--strict] [--no-run]",
    .summary = "start a language server for editors",
    .about =
        "Speaks the Language Server Protocol over standard input and output; an editor starts it. It checks programs while they are typed, runs them on generated inputs when nothing was typed for 0.3 seconds, and shows races, with fixes that can be applied. It explains instructions and findings, shows types, addresses and cycles, finds definitions and references, completes, formats and colors. docs/how-to/editors.md says how editors are set up. The exit status is 0 if the editor ended it as the protocol says.",
    .options = options,
    .offers = NULL,
    .run = run_lsp,
};
