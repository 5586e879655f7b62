/* fuzz: what every report must be like, and a sink that reads what it is given. */
#ifndef PTOG_FUZZ_REPORT_H
#define PTOG_FUZZ_REPORT_H

#include <stdio.h>
#include <stdlib.h>

#include <ptog/ptog.h>

static inline void drop(void *user, const char *text, size_t length)
{
    size_t *sum = user;
    for (size_t i = 0; i < length; i++)
        *sum += (unsigned char)text[i];
}

static inline void read_diags(const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        bool whole = diag->id && diag->message && diag->where.column <= diag->where.end_column;
        if (whole && (ptog_text_rule_find(diag->id) || ptog_rule_find(diag->id) || ptog_fault_info_find(diag->id) ||
                      ptog_machine_fault_find(diag->id)))
            continue;
        fprintf(stderr, "a diagnostic that is not whole, or an id that no table explains: %s\n", diag->id);
        abort();
    }
}

/* Every renderer of one list. */
static inline void render(const ptog_diags *diags, const struct ptog_target *target, const struct ptog_stats *stats)
{
    size_t sum = 0;
    struct ptog_sink sink = {.write = drop, .user = &sum};
    ptog_report_text(diags, &sink);
    ptog_report_json_stats(diags, target, stats, &sink);
    ptog_report_sarif(diags, &sink);
}

#endif
