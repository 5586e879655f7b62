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

/* Whether such a line is wanted: people read the report, and the command could be typed. */
static bool wants_suggestion(const struct run_request *request, const char *path)
{
    return !request->telling.quiet && request->telling.format == TOOL_TEXT && !request->prints && !request->repairs &&
           strcmp(path, "-") != 0;
}

void run_find_repair(struct run_job *job, const struct ptog_execution *execution)
{
    struct ptog_checked checked[JUDGE_MOST];
    size_t errors, count = 0;
    for (size_t i = 0; i < job->judgement.count; i++)
        if (job->judgement.of[i].accepts)
            checked[count++] = (struct ptog_checked){.file = job->path, .diags = job->judgement.of[i].diags};
    if (!job->beside_others && wants_suggestion(job->request, job->path) &&
        ptog_report_changes(checked, count, &errors) > 0)
        job->repairable = run_has_repair(job, execution, &job->repairable_for);
}

/* "2 changes fix all 3 errors: "; where targets need different changes, their number says little. */
static void print_gain(const struct ptog_checked *checked, size_t count, size_t changes, size_t errors)
{
    size_t most = 0, of_one;
    for (size_t i = 0; i < count; i++)
        most = tool_max(most, ptog_report_changes(&checked[i], 1, &of_one));
    if (most == changes)
        fprintf(stderr, "%zu change%s ", changes, changes == 1 ? " fixes" : "s fix");
    else
        fputs("this fixes ", stderr);
    if (errors > 2)
        fprintf(stderr, "all %zu errors: ptog", errors);
    else
        fputs(errors == 2 ? "both errors: ptog" : "the error: ptog", stderr);
}

void run_suggest_repair(const struct run_job *job, const struct ptog_checked *checked, size_t count)
{
    const struct run_request *request = job->request;
    const struct ptog_target *target = job->repairable_for;
    size_t errors, changes = ptog_report_changes(checked, count, &errors);
    if (job->status != TOOL_WRONG || !job->repairable || changes == 0)
        return;
    fflush(stdout);
    fputs("ptog run: ", stderr);
    if (target)
        fprintf(stderr, "no repair is clean on every target; for %s alone: ptog", target->name);
    else
        print_gain(checked, count, changes, errors);
    for (char **at = request->argv; *at; at++)
        print_argument(*at);
    if (target)
        fprintf(stderr, " --target %s", target->name);
    fputs(" --apply-fix -o FIXED\n", stderr);
}
