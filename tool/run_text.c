/* tool: ptog run --print-placement: the program as it ran, with the address of every tile. */
#include "run.h"

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
