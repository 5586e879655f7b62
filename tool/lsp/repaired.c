/* tool/lsp: which functions of a document a run takes, and the text in which they are repaired. */
#include <string.h>

#include "io/grow.h"
#include "runner.h"

/* ---- which functions are run ---- */

/* Whether the text has "call @name". */
static bool is_called(const struct lsp_text *text, const char *name)
{
    static const char call[] = "call @";
    size_t head = sizeof call - 1, length = strlen(name);
    for (size_t at = 0; at + head + length < text->size; at++) {
        const char *here = text->bytes + at;
        if (memcmp(here, call, head) != 0 || memcmp(here + head, name, length) != 0)
            continue;
        char next = here[head + length];
        if (next == '(' || next == ' ' || next == '\t' || next == '\n')
            return true;
    }
    return false;
}

struct lsp_functions lsp_functions_of(const ptog_program *program, const struct lsp_text *text)
{
    struct lsp_functions functions = {0};
    const char *name = ptog_program_entry(program);
    if (name)
        functions.names[functions.count++] = name;
    for (size_t i = 0; functions.count < LSP_MAX_FUNCTIONS && !ptog_program_entry(program); i++) {
        name = ptog_program_function_at(program, i);
        if (!name)
            break;
        if (!is_called(text, name))
            functions.names[functions.count++] = name;
    }
    return functions;
}

/* ---- how ---- */

struct ptog_execution lsp_execution_of(const struct lsp_settings *settings, const char *function,
                                       const struct judged *judged)
{
    return (struct ptog_execution){.target = judged->own ? NULL : judged->target,
                                   .function = function,
                                   .max_steps = settings->max_steps,
                                   .max_work = settings->max_work,
                                   .max_memory = settings->max_memory};
}

/* ---- the repaired text ---- */

#define MAX_ROUNDS 4 /* over the targets, as ptog run --apply-fix */

/* The text of a program with a function repaired for one target, into `text`. */
static bool repair_target(const struct lsp_settings *settings, const struct judged *judged, const ptog_program *program,
                          const char *function, struct ptog_output *text)
{
    struct ptog_execution execution = lsp_execution_of(settings, function, judged);
    struct ptog_inputs_options options = {.targets = &judged->target, .target_count = 1};
    struct ptog_sink sink = ptog_output_sink(text);
    ptog_inputs *inputs = NULL;
    bool good = ptog_inputs_generate(&inputs, program, &execution, &options, NULL) == PTOG_OK;
    execution.bindings = ptog_inputs_bindings(inputs, &execution.binding_count);
    good = good && ptog_program_repair(program, &execution, &sink, NULL) == PTOG_OK && !text->no_memory;
    ptog_inputs_free(inputs);
    return good;
}

/* Repairs a function of the text for one target. False: that can not be. */
static bool repair_once(const struct lsp_settings *settings, const struct judged *judged, const char *function,
                        struct ptog_output *text, bool *changed)
{
    ptog_program *program = NULL;
    struct ptog_output next = {0};
    bool good = ptog_program_parse(&program, "document", text->bytes, text->used, NULL) == PTOG_OK;
    ptog_program_be_strict(program, settings->strict);
    good = good && repair_target(settings, judged, program, function, &next);
    *changed |= good && (next.used != text->used || memcmp(next.bytes, text->bytes, next.used) != 0);
    ptog_program_free(program);
    ptog_output_free(text);
    *text = next;
    return good;
}

/* Repairs the text for every target that accepts it, until none changes it. False: there is no such text. */
static bool repair_text(const struct lsp_settings *settings, const struct judgement *judgement,
                        const struct lsp_functions *functions, struct ptog_output *text)
{
    bool changed = true, good = true;
    size_t accepting = 0;
    for (size_t i = 0; i < judgement->count; i++)
        accepting += judgement->of[i].accepts && !judgement->of[i].not_for;
    for (int round = 0; good && changed && round < MAX_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < judgement->count; i++)
            for (size_t f = 0; good && f < functions->count; f++)
                if (!judgement->of[i].not_for && judgement->of[i].accepts)
                    good = repair_once(settings, &judgement->of[i], functions->names[f], text, &changed);
        if (accepting == 1) /* there is no other target whose repair could spoil it */
            return good;
    }
    return good && !changed;
}

/* Whether any diagnostic advises a change of the text. */
static bool has_edits(const struct judgement *judgement)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; i < judgement->count; i++)
        for (size_t k = 0; (diag = ptog_diags_at(judgement->of[i].diags, k)) != NULL; k++)
            for (size_t step = 0; step < diag->fix_count; step++)
                if (diag->fix[step].kind != PTOG_FIX_WORDS)
                    return true;
    return false;
}

void lsp_put_repaired(struct lsp_writer *writer, const struct lsp_settings *settings, const struct lsp_text *text,
                      const struct judgement *judgement, const struct lsp_functions *functions)
{
    struct ptog_output repaired = {0};
    struct ptog_sink sink = ptog_output_sink(&repaired);
    sink.write(sink.user, text->bytes, text->size);
    if (has_edits(judgement) && repair_text(settings, judgement, functions, &repaired)) {
        lsp_put_key(writer, "fixed");
        lsp_put_string(writer, repaired.bytes, repaired.used);
    }
    ptog_output_free(&repaired);
}
