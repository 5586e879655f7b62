/* tool: what ptog compare found, as a table with explanations, or as JSON. */
#include "compare.h"

#include <inttypes.h>
#include <string.h>

#include "io/pick.h"

static const char *const outcomes[] = {"baseline", "equal", "differs", "refused"};

/* ---- text ---- */

/* "out(1,0)" */
static void put_element_place(char text[96], const struct compare_result *result)
{
    int used = snprintf(text, 96, "%.40s(", result->output);
    for (int d = 0; d < result->rank; d++)
        used += snprintf(text + used, 96 - (size_t)used, "%s%" PRId64, tool_when(d > 0, ","), result->at[d]);
    snprintf(text + used, 96 - (size_t)used, ")");
}

static const struct ptog_diag *first_error(const struct compare_result *result)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(result->diags, i)) != NULL; i++)
        if (diag->severity == PTOG_ERROR)
            return diag;
    return NULL;
}

static void put_errata(const struct compare_why *why)
{
    for (int i = 0; i < why->errata_count; i++)
        printf("%s%s", tool_when(i > 0, ", "), why->errata[i]);
}

static bool is_close(const struct compare_result *result)
{
    return result->outcome == COMPARE_EQUAL && (result->near || result->within || result->ordered);
}

/* How close two results are that are not equal. */
static const char *closeness(const struct compare_result *result)
{
    if (result->ordered)
        return "but for sums in another order";
    if (result->within)
        return "within the tolerance of the device's tests";
    return "but for the last place of some elements";
}

/* Prints the line of one target: outcome, and its first difference or error. */
static void print_row(const struct compare_report *report, const struct compare_result *result)
{
    char place[96];
    const struct ptog_diag *error = first_error(result);
    bool more = result->outcome == COMPARE_DIFFERS || error || result->why.errata_count > 0 || is_close(result);
    printf("  %s%-10s%s %s", tool_bold(), result->target->name, tool_plain(), outcomes[result->outcome]);
    if (more)
        printf("%*s", (int)(9 - strlen(outcomes[result->outcome])), "");
    if (result->outcome == COMPARE_DIFFERS) {
        put_element_place(place, result);
        printf(" %s is %s, on %s %s", place, result->value[1], report->baseline->name, result->value[0]);
    } else if (is_close(result)) {
        printf(" %s", closeness(result));
    } else if (error) {
        printf(" %s%s", tool_when(result->outcome != COMPARE_REFUSED, "with "), error->id);
    }
    if (result->why.errata_count > 0) {
        fputs("  ", stdout);
        put_errata(&result->why);
    }
    putchar('\n');
}

static void print_field(const char *name, const char *text)
{
    printf("  %-10s", name);
    tool_print_wrapped(12, text);
}

static void print_errata(const struct compare_why *why)
{
    for (int i = 0; i < why->errata_count; i++) {
        const struct ptog_erratum *erratum = ptog_erratum_find(why->errata[i]);
        print_field(why->errata[i], erratum ? erratum->what : "");
    }
}

/* Errors and warnings of the run, one line each. */
static void print_reported(const struct compare_result *result)
{
    const struct ptog_diag *diag;
    char text[1200];
    for (size_t i = 0; (diag = ptog_diags_at(result->diags, i)) != NULL; i++) {
        if (diag->severity == PTOG_NOTE)
            continue;
        snprintf(text, sizeof text, "%.1000s [%s]", diag->message, diag->id);
        print_field(ptog_severity_name(diag->severity), text);
    }
}

/* Prints the lane in which two targets differ: values, indices and capacities of both. */
static void print_lane(const struct compare_report *report, const struct compare_result *result)
{
    const struct compare_why *why = &result->why;
    const char *names[2] = {report->baseline->name, result->target->name};
    bool same = why->has_index && strcmp(why->index[0], why->index[1]) == 0;
    printf("  %-10s%s (%" PRId64 ",%" PRId64 ")%s", "lane", why->operand, why->row, why->col,
           tool_when(why->padding, ", in its padding"));
    if (same)
        printf(", index %s", why->index[0]);
    putchar('\n');
    for (int side = 0; side < 2; side++) {
        printf("  %-10s%s", names[side], why->value[side]);
        if (why->has_index && !same)
            printf(", index %s", why->index[side]);
        if (why->has_index && why->capacity[side] > 0)
            printf(", capacity %" PRIu64, why->capacity[side]);
        putchar('\n');
    }
}

/* Prints why two targets differ, and whether exchanging that property made them equal. */
static void print_because(const struct compare_result *result)
{
    const struct compare_why *why = &result->why;
    char text[320];
    if (!why->because)
        snprintf(text, sizeof text, "%s",
                 why->instruction
                     ? "several properties of the targets together"
                     : "no instruction returns other bytes from the same operands: see the report of the run");
    else if (!why->has_values || !why->exchanged)
        snprintf(text, sizeof text, "%s", why->because);
    else
        snprintf(text, sizeof text, "%s. With that of the other target, %s", why->because,
                 why->proved ? "every byte of this gather is equal" : "this lane is equal, others are not");
    print_field("because", text);
}

/* Prints all that is known of one target's difference: where, which lane, why, errata, diagnostics. */
static void print_difference(const struct compare_report *report, const struct compare_result *result)
{
    const struct compare_why *why = &result->why;
    printf("\n%s%s%s differs from %s", tool_bold(), result->target->name, tool_plain(), report->baseline->name);
    if (why->instruction && why->author.line > 0)
        printf(" at %s:%u:%u, generated", why->author.file, (unsigned)why->author.line, (unsigned)why->author.column);
    if (why->instruction)
        printf("%s %s:%u:%u, %s", why->author.line > 0 ? "" : " at", report->path, (unsigned)why->line,
               (unsigned)why->column, why->instruction);
    putchar('\n');
    if (why->has_values)
        print_lane(report, result);
    print_because(result);
    print_errata(why);
    print_reported(result);
}

static void print_refusal(const struct compare_result *result)
{
    bool unjudged = ptog_diags_verdict(result->diags) == PTOG_NOT_JUDGED;
    printf("\n%s%s%s %s\n", tool_bold(), result->target->name, tool_plain(),
           unjudged ? "did not judge it" : "refuses it");
    print_reported(result);
    print_errata(&result->why);
}

/* Prints the report of a comparison as text: a line for each target, then the differences. */
void compare_print_text(const struct compare_report *report)
{
    printf("%s on %zu targets, with the same data\n\n", report->path, report->count);
    for (size_t i = 0; i < report->count; i++)
        print_row(report, &report->results[i]);
    for (size_t i = 0; i < report->count; i++) {
        if (report->results[i].outcome == COMPARE_DIFFERS)
            print_difference(report, &report->results[i]);
        if (report->results[i].outcome == COMPARE_REFUSED)
            print_refusal(&report->results[i]);
    }
}

/* ---- JSON ---- */

/* Prints a string as JSON; bytes beyond ASCII become U+FFFD. */
static void put_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            printf("\\u%04x", c >= 0x80 ? 0xfffd : c); /* names of programs are ASCII */
        else
            putchar(c);
    }
    putchar('"');
}

static void put_pair(const char *key, const char *text)
{
    printf(",\"%s\":", key);
    put_string(text);
}

/* Prints the members that say where an output differs first, and both values. */
static void json_output(const struct compare_result *result)
{
    put_pair("output", result->output);
    fputs(",\"at\":[", stdout);
    for (int d = 0; d < result->rank; d++)
        printf("%s%" PRId64, tool_when(d > 0, ","), result->at[d]);
    putchar(']');
    put_pair("baseline_value", result->value[0]);
    put_pair("value", result->value[1]);
}

/* The place in the program, where the author's own line was named. */
static void json_generated(uint32_t line, uint32_t column)
{
    printf(",\"generated\":{\"line\":%" PRIu32 ",\"column\":%" PRIu32 "}", line, column);
}

/* Prints the members that say which instruction differs, in which lane, and why. */
static void json_why(const struct compare_why *why)
{
    bool authored = why->author.line > 0;
    printf(",\"instruction\":{\"name\":\"%s\",\"line\":%u,\"column\":%u", why->instruction,
           (unsigned)(authored ? why->author.line : why->line),
           (unsigned)(authored ? why->author.column : why->column));
    if (authored) {
        put_pair("file", why->author.file);
        json_generated(why->line, why->column);
    }
    putchar('}');
    if (why->has_values) {
        printf(",\"operand\":\"%s\",\"lane\":[%" PRId64 ",%" PRId64 "],\"in_padding\":%s", why->operand, why->row,
               why->col, why->padding ? "true" : "false");
        put_pair("baseline_lane_value", why->value[0]);
        put_pair("lane_value", why->value[1]);
    }
    if (why->has_index) {
        put_pair("baseline_index", why->index[0]);
        put_pair("index", why->index[1]);
        printf(",\"baseline_capacity\":%" PRIu64 ",\"capacity\":%" PRIu64, why->capacity[0], why->capacity[1]);
    }
    if (why->because)
        put_pair("because", why->because);
}

static const char *tolerance_of(const struct compare_result *result)
{
    if (result->ordered)
        return "order";
    if (result->within)
        return "device";
    return "ulp";
}

/* Prints the object of one target. */
static void json_result(const struct compare_result *result)
{
    const struct ptog_diag *diag;
    printf("\n{\"target\":\"%s\",\"outcome\":\"%s\"", result->target->name, outcomes[result->outcome]);
    if (is_close(result))
        put_pair("tolerance", tolerance_of(result));
    if (result->outcome == COMPARE_DIFFERS)
        json_output(result);
    if (result->outcome == COMPARE_DIFFERS && result->why.instruction)
        json_why(&result->why);
    fputs(",\"errata\":[", stdout);
    for (int i = 0; i < result->why.errata_count; i++)
        printf("%s\"%s\"", tool_when(i > 0, ","), result->why.errata[i]);
    fputs("],\"diagnostics\":[", stdout);
    for (size_t i = 0; (diag = ptog_diags_at(result->diags, i)) != NULL; i++) {
        const struct ptog_where *where = ptog_headline(&diag->where);
        printf("%s{\"id\":\"%s\",\"severity\":\"%s\",\"line\":%u,\"column\":%u", tool_when(i > 0, ","), diag->id,
               ptog_severity_name(diag->severity), (unsigned)where->line, (unsigned)where->column);
        if (diag->where.origin) {
            put_pair("file", where->file);
            json_generated(diag->where.line, diag->where.column);
        }
        put_pair("message", diag->message);
        putchar('}');
    }
    fputs("]}", stdout);
}

/* Prints the report of a comparison as one JSON object. */
void compare_print_json(const struct compare_report *report)
{
    fputs("{\"version\":1", stdout);
    put_pair("file", report->path);
    if (report->baseline)
        put_pair("baseline", report->baseline->name);
    fputs(",\"targets\":[", stdout);
    for (size_t i = 0; i < report->count; i++) {
        if (i > 0)
            putchar(',');
        json_result(&report->results[i]);
    }
    puts("]}");
}
