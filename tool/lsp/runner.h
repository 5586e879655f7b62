/* tool/lsp: what a run in the background and a repair after it share. */
#ifndef TOOL_LSP_RUNNER_H
#define TOOL_LSP_RUNNER_H

#include "judge.h"
#include "server.h"

#define LSP_MAX_FUNCTIONS 16 /* of a document that are run */
struct lsp_functions {
    const char *names[LSP_MAX_FUNCTIONS];
    size_t count;
};

/* The function that a run takes when none is named, or else those that no other one calls. The names are the program's.
 */
struct lsp_functions lsp_functions_of(const ptog_program *program, const struct lsp_text *text);

struct ptog_execution lsp_execution_of(const struct lsp_settings *settings, const char *function,
                                       const struct judged *judged);

/* The member "fixed": the text with every function repaired, where that can be and something is to be repaired. */
void lsp_put_repaired(struct lsp_writer *writer, const struct lsp_settings *settings, const struct lsp_text *text,
                      const struct judgement *judgement, const struct lsp_functions *functions);

#endif
