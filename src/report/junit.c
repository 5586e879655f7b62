/* report: JUnit's XML, which every CI server shows: a test case per program, and a failure with all that was found; one
 * that was not judged is skipped.
 *
 *   <testsuites> <testsuite name="ptog" tests="2" failures="1" errors="0">
 *     <testcase name="a.pto" classname="ptog.a5"/>
 *     <testcase name="b.pto" classname="ptog.a5"> <failure type="race-raw" message="race: ...">the report</failure>
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "report/checked.h"
#include "report/put.h"

static void write_escaped(void *user, const char *text, size_t length)
{
    ptog_put_markup(user, text, length);
}

/* Writes one attribute of an XML element, escaped. */
static void put_attribute(const struct ptog_sink *sink, const char *name, const char *text)
{
    struct ptog_sink to = *sink;
    const struct ptog_sink escaped = {.write = write_escaped, .user = &to, .colour = false};
    ptog_put(sink, " ");
    ptog_put(sink, name);
    ptog_put(sink, "=\"");
    ptog_put_clean(&escaped, text);
    ptog_put(sink, "\"");
}

static void put_count(const struct ptog_sink *sink, const char *name, size_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    put_attribute(sink, name, text);
}

/* The first diagnostic that makes its program fail; NULL: none does. */
static const struct ptog_diag *failure_of(const struct ptog_checked *checked, enum ptog_severity fails)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(checked->diags, i)) != NULL; i++)
        if (diag->severity >= fails && !diag->unjudged)
            return diag;
    return NULL;
}

/* The first one that says what was not judged; NULL: none does. */
static const struct ptog_diag *unjudged_of(const struct ptog_checked *checked)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(checked->diags, i)) != NULL; i++)
        if (diag->unjudged)
            return diag;
    return NULL;
}

/* Writes how many files were tested, failed, could not be read, or were not judged, and closes the tag. */
static void put_counts(const struct ptog_sink *sink, const struct ptog_checked *checked, size_t count,
                       enum ptog_severity fails)
{
    size_t failures = 0, errors = 0, skipped = 0;
    for (size_t i = 0; i < count; i++) {
        bool fails_here = !checked[i].unread && failure_of(&checked[i], fails);
        errors += checked[i].unread != NULL;
        failures += fails_here;
        skipped += !checked[i].unread && !fails_here && unjudged_of(&checked[i]);
    }
    put_count(sink, "tests", count);
    put_count(sink, "failures", failures);
    put_count(sink, "errors", errors);
    if (skipped > 0)
        put_count(sink, "skipped", skipped);
    ptog_put(sink, ">\n");
}

/* The report as people read it, as the text of an element. */
static void put_report(const struct ptog_sink *sink, const ptog_diags *diags)
{
    struct ptog_sink to = *sink;
    const struct ptog_sink escaped = {.write = write_escaped, .user = &to, .colour = false};
    ptog_report_text(diags, &escaped);
}

/* Writes the diagnostics of a file as its failure or, where nothing fails, its output. */
static void put_found(const struct ptog_sink *sink, const struct ptog_checked *checked, enum ptog_severity fails)
{
    const struct ptog_diag *failure = failure_of(checked, fails), *unjudged = unjudged_of(checked);
    const char *element = failure ? "failure" : "system-out";
    if (!failure && unjudged) {
        ptog_put(sink, "      <skipped");
        put_attribute(sink, "message", unjudged->message);
        ptog_put(sink, "/>\n");
    }
    ptog_put(sink, "      <");
    ptog_put(sink, element);
    if (failure) {
        put_attribute(sink, "type", failure->id);
        put_attribute(sink, "message", failure->message);
    }
    ptog_put(sink, ">");
    put_report(sink, checked->diags);
    ptog_put(sink, "</");
    ptog_put(sink, element);
    ptog_put(sink, ">\n");
}

/* Writes the test case of one file. */
static void put_case(const struct ptog_sink *sink, const struct ptog_checked *checked, enum ptog_severity fails)
{
    char class[64];
    snprintf(class, sizeof class, "ptog%s%s", ptog_when(checked->target, "."), ptog_or(checked->target, ""));
    ptog_put(sink, "    <testcase");
    put_attribute(sink, "name", ptog_or(checked->file, "-"));
    put_attribute(sink, "classname", class);
    if (!checked->unread && ptog_diags_count(checked->diags) == 0) {
        ptog_put(sink, "/>\n");
        return;
    }
    ptog_put(sink, ">\n");
    if (checked->unread) {
        ptog_put(sink, "      <error type=\"unread\"");
        put_attribute(sink, "message", checked->unread);
        ptog_put(sink, "/>\n");
    } else {
        put_found(sink, checked, fails);
    }
    ptog_put(sink, "    </testcase>\n");
}

void ptog_report_junit(const struct ptog_checked *checked, size_t count, enum ptog_severity fails,
                       const struct ptog_sink *sink)
{
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    ptog_put(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_counts(sink, checked, count, fails);
    ptog_put(sink, "  <testsuite name=\"ptog\"");
    put_counts(sink, checked, count, fails);
    for (size_t i = 0; i < count; i++)
        put_case(sink, &checked[i], fails);
    ptog_put(sink, "  </testsuite>\n</testsuites>\n");
}
