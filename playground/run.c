/* playground: the run of the language server where there are no processes. The program runs at once; who wants to end
 * it early ends the whole server, which is a worker of the browser. */
#include "lsp/server.h"

void lsp_run_stop(struct lsp_server *server)
{
    (void)server; /* no run is ever under way */
}

void lsp_run_read(struct lsp_server *server)
{
    (void)server;
}

void lsp_run_start(struct lsp_server *server, struct lsp_document *document)
{
    struct lsp_writer told = {0};
    document->unrun = false;
    lsp_runner(&server->settings, &document->text, document->uri, &told);
    lsp_run_tell(server, document, told.out.bytes, told.out.no_memory ? 0 : told.out.used);
    ptog_output_free(&told.out);
}
