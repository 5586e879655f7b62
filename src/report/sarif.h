/* report: what the files of the SARIF log share. */
#ifndef PTOG_REPORT_SARIF_H
#define PTOG_REPORT_SARIF_H

#include "base/index.h"
#include "report/checked.h"
#include "report/json_writer.h"

struct ptog_sarif {
    struct ptog_json json;
    const struct ptog_checked *checked;
    size_t count;
    const char *rules_page;         /* where the rules' pages are; NULL: nowhere */
    struct ptog_index fingerprints; /* of the results so far */
};

/* Key and {"text": ...}. */
void ptog_sarif_message(struct ptog_json *json, const char *key, const char *text);

/* The key and object "partialFingerprints" of a result. */
void ptog_sarif_fingerprint(struct ptog_sarif *log, const struct ptog_diag *diag);

/* The rules that the results name, one object each. */
void ptog_sarif_rules(struct ptog_sarif *log);

#endif
