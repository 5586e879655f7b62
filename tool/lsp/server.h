/* tool/lsp: the state of the language server, and what its files share.
 *
 *     lsp.c          the command: bytes in, bytes out, and when to do what
 *     server.c       messages to functions; opening, changing and closing documents
 *     findings.c     diagnostics and their fixes as JSON
 *     run.c          the run in the background, in a process of its own: a new edit ends it
 *     the others     one file per question that an editor asks
 */
#ifndef TOOL_LSP_SERVER_H
#define TOOL_LSP_SERVER_H

#include <ptog/ptog.h>

#include "json.h"
#include "names.h"
#include "text.h"

#define LSP_MAX_MESSAGE ((size_t)32 << 20)
#define LSP_MAX_DOCUMENT ((size_t)4 << 20)
#define LSP_MAX_DOCUMENTS 64

/* How programs are checked; from the command line, and from the editor's initializationOptions. */
struct lsp_settings {
    const struct ptog_target *target; /* NULL: the program's own, or a2a3 and a5 */
    bool strict;
    bool no_run;    /* check only */
    uint32_t delay; /* milliseconds without an edit before a run starts */
    uint64_t max_steps, max_work, max_memory;
};

struct lsp_document {
    char *uri;
    struct lsp_text text;
    struct lsp_json version; /* as the editor counts; kind LSP_NUMBER when it does */
    char version_text[24];
    bool refused;    /* it is too large: nothing is said about it */
    bool unchecked;  /* it changed since it was last checked */
    bool unrun;      /* and since it was last run */
    int64_t changed; /* when, in milliseconds */
    char *found;     /* its diagnostics, a list of JSON */
    size_t found_bytes;
    struct lsp_parsed run; /* what its run told, while it is about this text: run.h; root NULL: nothing */
};

/* The run in the background. */
struct lsp_child {
    long pid; /* 0: none */
    int from; /* where it writes what it finds */
    struct ptog_output told;
    struct lsp_document *of;
};

struct lsp_server {
    struct lsp_settings settings;
    struct lsp_document *documents[LSP_MAX_DOCUMENTS];
    size_t document_count;
    struct lsp_names names; /* of one document, until it changes */
    const struct lsp_document *named;
    struct lsp_child child;
    bool initialized, shut_down, exits;
    struct ptog_output out; /* messages to the editor */
};

/* ---- server.c ---- */

/* Takes a message, of any bytes, and appends the answer to `out`. `now` is the time in milliseconds. */
void lsp_server_take(struct lsp_server *server, const char *bytes, size_t size, int64_t now);
void lsp_server_close(struct lsp_server *server);

/* Appends a message with its header. */
void lsp_server_send(struct lsp_server *server, struct lsp_writer *message);

/* Appends an error without a request: the bytes were no message. */
void lsp_server_refuse(struct lsp_server *server, const char *why);

/* The names of a document; NULL when out of memory. */
const struct lsp_names *lsp_server_names(struct lsp_server *server, const struct lsp_document *document);

/* ---- documents.c ---- */

struct lsp_document *lsp_document_find(struct lsp_server *server, const char *uri);
void lsp_document_open(struct lsp_server *server, const struct lsp_json *params, int64_t now);
void lsp_document_change(struct lsp_server *server, const struct lsp_json *params, int64_t now);
void lsp_document_close(struct lsp_server *server, const struct lsp_json *params, int64_t now);
void lsp_document_free(struct lsp_document *document);
void lsp_settings_take(struct lsp_settings *settings, const struct lsp_json *given);

/* ---- findings.c ---- */

/* Checks the document and says what was found. */
void lsp_check(struct lsp_server *server, struct lsp_document *document);

/* The diagnostics of a list as members of a list that is open, but for those that stand there already: see below. */
struct lsp_seen {
    uint64_t *list; /* fingerprints */
    size_t count, room;
};
void lsp_put_findings(struct lsp_writer *writer, const struct lsp_text *text, const char *uri, const ptog_diags *diags,
                      struct lsp_seen *seen);

/* Tells the editor the diagnostics of a document, a list of JSON. */
void lsp_publish(struct lsp_server *server, const struct lsp_document *document, const char *list, size_t bytes);

/* The diagnostics of a document, as they were told last; parsed->root is NULL when there are none. */
void lsp_findings_read(const struct lsp_document *document, struct lsp_parsed *parsed);

/* Keeps what a run told, the JSON of lsp_runner, and tells the editor its diagnostics. No bytes: it told nothing. */
void lsp_run_tell(struct lsp_server *server, struct lsp_document *document, const char *told, size_t bytes);

/* ---- run.c (playground/run.c in WebAssembly), runner.c ---- */

/* Starts a run of a document, and ends the one before. */
void lsp_run_start(struct lsp_server *server, struct lsp_document *document);

/* What the run has written so far is read; at its end it is told to the editor. */
void lsp_run_read(struct lsp_server *server);
void lsp_run_stop(struct lsp_server *server);

/* Runs a text and writes what was found as one object of JSON:
 *   {"diagnostics": [...], "fixed": "...",           the whole text with every fix of flags and barriers; may be
 * missing "tiles": [{"target", "name", "type", "at"}],    where tiles are "lines": [{"target", "line", "cycles",
 * "count"}], "totals": [{"target", "cycles"}]} */
void lsp_runner(const struct lsp_settings *settings, const struct lsp_text *text, const char *uri,
                struct lsp_writer *writer);

/* ---- one function for each question: it writes the result ---- */

typedef void lsp_answer(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                        struct lsp_writer *writer);
lsp_answer lsp_hover, lsp_definition, lsp_references, lsp_symbols, lsp_completion, lsp_formatting, lsp_actions,
    lsp_semantic_tokens;

/* The names of the kinds of semantic tokens, in the order of their numbers; NULL past the end. */
const char *lsp_token_kind(size_t i);

/* ---- instructions.c ---- */

/* What `ptog explain` says about an id, as Markdown; nothing for an id that is unknown. */
void lsp_put_explanation(struct ptog_output *markdown, const char *id);

/* Appends formatted text. */
__attribute__((format(printf, 2, 3))) void lsp_print(struct ptog_output *output, const char *format, ...);

#endif
