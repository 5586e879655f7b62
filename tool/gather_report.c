/* tool: what ptog gather and ptog scatter say about their work: which files the table is made of, what was converted,
 * and at the end how much was written in which time; as text on stderr, or as JSON on stdout. */
#include "gather.h"

#include <inttypes.h>

#include "io/json_print.h"
#include "io/pick.h"

#define SHOWN_FILES 8 /* of a table; of more the first ones and the last one are named */

static const char *unit_of(const struct gather_job *job)
{
    if (job->bag)
        return "bag";
    return job->mode == PTOG_ROW ? "row" : "element";
}

static void note_order(const char *command, const struct gather_source *source, const char *path)
{
    if (source->was_big_endian)
        fprintf(stderr, "ptog %s: note: %s: has big-endian elements, which were converted\n", command, path);
    if (source->was_fortran)
        fprintf(stderr, "ptog %s: note: %s: is in Fortran order, which was converted\n", command, path);
}

/* The files in the order of their rows. */
static void note_files(const struct gather_table *table)
{
    char count[TOOL_GROUPED];
    if (table->count < 2)
        return;
    fprintf(stderr, "ptog gather: note: the table is %s files, in this order: ", tool_grouped(count, table->count));
    bool is_long = table->count > SHOWN_FILES;
    for (size_t i = 0; i < table->count; i++) {
        if (is_long && i == SHOWN_FILES - 2)
            fputs(", ...", stderr);
        if (!is_long || i < SHOWN_FILES - 2 || i + 1 == table->count)
            fprintf(stderr, "%s%s", tool_when(i > 0, ", "), table->parts[i].path);
    }
    fputc('\n', stderr);
}

void gather_note_inputs(const struct gather_job *job)
{
    if (job->quiet || job->json)
        return;
    note_files(&job->table);
    for (size_t i = 0; i < job->table.count; i++)
        note_order(job->command, &job->table.parts[i].source, job->table.parts[i].path);
    note_order(job->command, &job->index, job->index.path);
    if (job->rows)
        note_order(job->command, job->rows, job->rows->path);
}

/* Prints the figures of a gather or scatter as one JSON object. */
static void print_json(const struct gather_job *job, const struct gather_output *out, uint64_t negative, double seconds)
{
    printf("{\"version\":1,\"output\":");
    tool_json_print(stdout, out->name.path);
    printf(",\"table\":[");
    for (size_t i = 0; i < job->table.count; i++) {
        const struct gather_source *source = &job->table.parts[i].source;
        printf("%s{\"file\":", tool_when(i > 0, ","));
        tool_json_print(stdout, job->table.parts[i].path);
        printf(",\"converted\":%s}", source->was_big_endian || source->was_fortran ? "true" : "false");
    }
    printf("],\"%ss\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"seconds\":%.6f,\"negative_indices\":%" PRIu64 "}\n",
           unit_of(job), job->lanes, job->lanes * job->lane, seconds, negative);
}

void gather_report(const struct gather_job *job, const struct gather_output *out, uint64_t negative)
{
    char lanes[TOOL_GROUPED], bytes[TOOL_GROUPED];
    double seconds = tool_seconds() - job->start;
    gather_warn_negative(job, negative);
    if (job->json)
        print_json(job, out, negative, seconds);
    else if (!job->quiet)
        fprintf(stderr, "ptog gather: wrote %s %s%s, %s bytes, in %.3f s\n", tool_grouped(lanes, job->lanes),
                unit_of(job), tool_plural(job->lanes), tool_grouped(bytes, job->lanes * job->lane), seconds);
}

void gather_report_scatter(const struct gather_job *job, uint64_t negative)
{
    char lanes[TOOL_GROUPED], rows[TOOL_GROUPED];
    double seconds = tool_seconds() - job->start;
    gather_warn_negative(job, negative);
    if (!job->quiet)
        fprintf(stderr, "ptog scatter: wrote %s %s%s into a table of %s, in %.3f s\n", tool_grouped(lanes, job->lanes),
                unit_of(job), tool_plural(job->lanes), tool_grouped(rows, job->capacity), seconds);
}
