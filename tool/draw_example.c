/* tool: the examples of drawings: small programs with their data, from the library's table. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* "table=arange idx=2,0,9" as if each had been given with --in. */
static bool take_inputs(struct run_items *items, const char *inputs)
{
    char one[200];
    while (*inputs) {
        size_t length = strcspn(inputs, " ");
        snprintf(one, sizeof one, "%.*s", (int)length, inputs);
        if (!run_take(items, one, RUN_IN))
            return false;
        inputs += length + strspn(inputs + length, " ");
    }
    return true;
}

static bool make_data(struct run_items *items, const ptog_program *program, struct ptog_execution *execution,
                      const char *inputs)
{
    items->made_up = items->silent = true;
    return take_inputs(items, inputs) && run_load(items, program, NULL) &&
           run_make_up(items, program, execution, NULL) == TOOL_OK;
}

/* Draws the instruction of an example to a sink, as text or SVG. */
static enum ptog_status draw_to(const ptog_program *program, struct ptog_execution *execution, bool text,
                                const struct ptog_sink *sink)
{
    ptog_drawing *drawing;
    enum ptog_status status = ptog_program_draw(&drawing, program, execution, NULL, NULL);
    if (status == PTOG_OK)
        status = (text ? ptog_drawing_text : ptog_drawing_svg)(drawing, sink);
    ptog_drawing_free(drawing);
    return status;
}

enum ptog_status tool_draw_quietly(const struct ptog_draw_example *example, bool text, const struct ptog_sink *sink)
{
    ptog_program *program = NULL;
    struct run_items items = {.command = "draw"};
    struct ptog_execution execution = {.target = ptog_target_at(PTOG_TARGET_HOST)};
    enum ptog_status status = ptog_program_parse(&program, example->id, example->text, strlen(example->text), NULL);
    if (status == PTOG_OK && !make_data(&items, program, &execution, example->inputs))
        status = PTOG_NO_MEMORY;
    struct ptog_binding *bindings = status == PTOG_OK ? run_bindings(&items, &execution.binding_count) : NULL;
    execution.bindings = bindings;
    if (bindings)
        status = draw_to(program, &execution, text, sink);
    else if (status == PTOG_OK)
        status = PTOG_NO_MEMORY;
    free(bindings);
    run_items_free(&items);
    ptog_program_free(program);
    return status;
}

bool tool_draw_example(const char *command, const struct ptog_draw_example *example, bool text,
                       const struct ptog_sink *sink)
{
    enum ptog_status status = tool_draw_quietly(example, text, sink);
    if (status != PTOG_OK)
        tool_fail(command, "%s: %s", example->id, ptog_status_text(status));
    return status == PTOG_OK;
}
