/* report: where something is documented. Rows cite "002 Mode Resolution; 002 Layout Support"; people read the names of
 * documents, each once for the sections that follow it. */
#include <ptog/rule.h>

#include "base/reserved.h"
#include "report/put.h"

/* The document that a citation begins with; NULL: it names something else, "this project". */
#define UNSTATED "this project: " /* what no document of PTO says */

/* The document whose number a citation starts with; NULL: it is not cited by number. */
static const struct ptog_document *document_of(const char *citation)
{
    const struct ptog_document *document;
    for (size_t i = 0; (document = ptog_document_at(i)) != NULL; i++) {
        size_t length = strlen(document->number);
        if (strncmp(citation, document->number, length) == 0 && citation[length] == ' ')
            return document;
    }
    return NULL;
}

void ptog_report_documented(const char *where, const struct ptog_sink *sink)
{
    const struct ptog_document *last = NULL;
    if (!where || !ptog_sink_is_usable(sink))
        return;
    while (*where) {
        const struct ptog_document *document = document_of(where);
        if (document && document != last) {
            ptog_put(sink, document->name);
            ptog_put(sink, ", ");
        }
        if (document)
            where += strlen(document->number) + 1;
        last = document;
        bool unstated = strncmp(where, UNSTATED, strlen(UNSTATED)) == 0;
        if (unstated)
            where += strlen(UNSTATED);
        size_t length = strcspn(where, ";");
        sink->write(sink->user, where, length);
        if (unstated)
            ptog_put(sink, ", not stated in the manual");
        where += length;
        if (*where == ';') {
            ptog_put(sink, "; ");
            where++;
            where += strspn(where, " ");
        }
    }
}
