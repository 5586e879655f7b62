/* tool: the last line of a failed run: the same command, with what makes it write a repaired program. */
#include "run.h"

#include <ctype.h>
#include <string.h>

#include "io/pick.h"

/* An argument as a shell reads it. */
static void print_argument(const char *text)
{
    bool bare = text[0] != '\0';
    for (const char *at = text; *at; at++)
        bare = bare && (isalnum((unsigned char)*at) || strchr("_-+=./,:@%", *at));
    if (bare) {
        fprintf(stderr, " %s", text);
        return;
    }
    fputs(" '", stderr);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stderr);
        else
            fputc(iscntrl((unsigned char)*text) ? '?' : *text, stderr);
    fputc('\'', stderr);
}

/* A repair is for one target: the one that was named, or one that found something. */
static const char *missing_target(const struct run_job *job)
{
    const char *name = NULL;
    for (size_t i = 0; !job->request->target && i < job->judgement.count; i++)
        if (tool_count(job->judgement.of[i].diags, PTOG_ERROR) > 0)
            name = job->judgement.of[i].target->name;
    return name;
}

void run_suggest_repair(const struct run_job *job, const struct ptog_checked *checked, size_t count)
{
    const struct run_request *request = job->request;
    if (job->status != TOOL_WRONG || request->telling.quiet || request->telling.format != TOOL_TEXT ||
        request->prints || request->repairs || strcmp(job->path, "-") == 0)
        return;
    size_t errors, changes = ptog_report_changes(checked, count, &errors);
    if (changes == 0)
        return;
    fflush(stdout);
    fprintf(stderr, "ptog run: %zu change%s ", changes, changes == 1 ? " fixes" : "s fix");
    if (errors > 2)
        fprintf(stderr, "all %zu errors: ptog", errors);
    else
        fputs(errors == 2 ? "both errors: ptog" : "the error: ptog", stderr);
    for (char **at = request->argv; *at; at++)
        print_argument(*at);
    const char *target = missing_target(job);
    if (target)
        fprintf(stderr, " --target %s", target);
    fputs(" --apply-fix -o FIXED\n", stderr);
}
