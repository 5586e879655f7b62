/* tool: which options of ptog run go together: two things cannot be written to one place, and what is about one program
 * or one target needs one. */
#include "run.h"

#include <string.h>

const char *run_option_for(const struct run_request *request, unsigned scope)
{
    const struct {
        const char *name;
        bool given;
        unsigned scope;
    } options[] = {
        {"--in, --out, --inout, --set, --dump and --show", request->items.count > 0, RUN_ONE_PROGRAM},
        {"--apply-fix", request->repairs, RUN_ONE_PROGRAM | RUN_PIPES},
        {"--print-placement", request->prints, RUN_ONE_PROGRAM | RUN_ONE_TARGET | RUN_PIPES},
        {"--trace", request->trace.path != NULL, RUN_ONE_PROGRAM | RUN_ONE_TARGET},
        {"--report", request->report.path != NULL, RUN_ONE_PROGRAM | RUN_ONE_TARGET},
        {"--witness", request->machine.witness != NULL, RUN_ONE_PROGRAM | RUN_ONE_TARGET | RUN_PIPES},
        {"--schedule", request->machine.schedule_text != NULL, RUN_PIPES},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && (options[i].scope & scope))
            return options[i].name;
    return NULL;
}

/* A program goes to standard output. */
static bool streams_text(const struct run_request *request)
{
    return (request->prints || request->repairs) && (!request->to || strcmp(request->to, "-") == 0);
}

/* The page goes where nothing else does. */
static int report_agrees(const struct run_request *request)
{
    const char *page = request->report.path;
    const char *others[] = {request->trace.path, request->to, request->machine.witness};
    bool twice = false;
    if (!page)
        return TOOL_OK;
    if (strcmp(page, "-") == 0 && (request->telling.format != TOOL_TEXT || streams_text(request)))
        return tool_usage("run", "--report -: standard output is already used by %s",
                          request->telling.format != TOOL_TEXT ? "--format" : "the program");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        twice |= others[i] && strcmp(others[i], page) == 0;
    for (size_t i = 0; i < request->items.count; i++)
        twice |= request->items.list[i].to && strcmp(request->items.list[i].to, page) == 0;
    if (twice)
        return tool_usage("run", "%s would be written twice", page);
    return TOOL_OK;
}

/* One program goes out at most, and not where something else does. */
static int text_agrees(const struct run_request *request)
{
    bool streams = streams_text(request);
    if (request->prints && request->repairs)
        return tool_usage("run", "--print-placement and --apply-fix both write a program: give one of them");
    if (request->to && !request->prints && !request->repairs)
        return tool_usage("run", "-o names the file of --print-placement or --apply-fix: give one of them");
    if (streams && request->telling.format != TOOL_TEXT)
        return tool_usage("run", "a program and --format %s cannot both go to standard output: give -o",
                          request->telling.format_text);
    const char *trace = request->trace.path;
    if (trace && ((streams && strcmp(trace, "-") == 0) || (request->to && strcmp(trace, request->to) == 0)))
        return tool_usage("run", "a program and a trace cannot both go to %s", streams ? "standard output" : trace);
    for (size_t i = 0; i < request->items.count; i++) {
        const char *to = request->items.list[i].to;
        if (to && ((streams && strcmp(to, "-") == 0) || (request->to && strcmp(to, request->to) == 0)))
            return tool_usage("run", "a program and data cannot both go to %s",
                              streams ? "standard output" : request->to);
    }
    return TOOL_OK;
}

/* Data and files are those of one program. */
static int many_agree(const struct run_request *request)
{
    const char *option = run_option_for(request, RUN_ONE_PROGRAM);
    if (option && (request->paths.count > 1 || request->paths.searched))
        return tool_usage("run", "%s: for one program, not for several", option);
    return TOOL_OK;
}

int run_options_agree(const struct run_request *request)
{
    bool streams = request->machine.witness && strcmp(request->machine.witness, "-") == 0;
    if (request->data_text && strcmp(request->data_text, "none") != 0)
        return tool_usage("run", "--data %s: expected none", request->data_text);
    if (streams && request->telling.format != TOOL_TEXT)
        return tool_usage("run", "--witness -: standard output is already used by --format");
    if (!run_items_agree(&request->items, request->paths.list[0], request->telling.format) ||
        !run_trace_agrees(&request->trace, &request->items, request->telling.format))
        return TOOL_USAGE;
    int status = text_agrees(request);
    if (status == TOOL_OK)
        status = report_agrees(request);
    if (status == TOOL_OK)
        status = many_agree(request);
    return status;
}
