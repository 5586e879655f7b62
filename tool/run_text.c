/* tool: programs that ptog run writes: --print-placement and --apply-fix. */
#include "run.h"

#include <stdlib.h>

#include "io/pick.h"

int run_print_placement(struct run_job *job, struct judged *judged)
{
    struct ptog_output text = {0};
    struct ptog_sink sink = ptog_output_sink(&text);
    enum ptog_status status = ptog_result_program(job->result, &sink, judged->diags);
    int code = TOOL_OK;
    if (text.no_memory)
        status = PTOG_NO_MEMORY;
    if (status == PTOG_ILLEGAL)
        code = TOOL_WRONG;
    else if (status != PTOG_OK)
        code = tool_fail("run", "%s: %s", job->path, ptog_status_text(status));
    if (status == PTOG_OK && !tool_output_write("run", &text, job->request->to))
        code = TOOL_USAGE;
    if (status == PTOG_OK && !job->request->telling.quiet)
        run_machine_print_layout(job->result, judged->target);
    ptog_output_free(&text);
    return code;
}

/* The repaired text takes the place of the program's. */
static void replace_program(struct run_job *job, ptog_program *repaired, const struct ptog_output *text)
{
    ptog_program_free(job->program);
    job->program = repaired;
    free(job->text.bytes);
    job->text = (struct tool_text){text->bytes, text->used};
}

int run_repair(struct run_job *job, ptog_diags *diags)
{
    struct ptog_output text = {0};
    struct ptog_sink sink = ptog_output_sink(&text);
    ptog_program *repaired = NULL;
    const char *to = job->request->to;
    size_t count;
    struct ptog_binding *bindings = run_bindings(job->items, &count);
    enum ptog_status status = PTOG_NO_MEMORY;
    if (bindings) {
        struct ptog_execution execution = run_execution(job, bindings, count);
        status = ptog_program_repair(job->program, &execution, &sink, diags);
        tool_progress_end(&job->progress);
    }
    if (text.no_memory)
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_program_parse(&repaired, tool_or(to, "-"), text.bytes, text.used, diags);
    int code = status == PTOG_OK ? TOOL_OK : TOOL_WRONG;
    if (status != PTOG_OK && status != PTOG_ILLEGAL)
        code = tool_fail("run", "%s: %s", job->path, ptog_status_text(status));
    if (status == PTOG_OK && !tool_output_write("run", &text, to))
        code = TOOL_USAGE;
    if (repaired)
        replace_program(job, repaired, &text);
    else
        ptog_output_free(&text);
    free(bindings);
    return code;
}
