/* model: what a run can report about single lanes, from spec/faults.def. */
#include "model/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ptog/rule.h>

#include "base/pick.h"

static const struct ptog_fault_info faults[PTOG_FAULT_KINDS] = {
#define FAULT(kind, ...) FAULT_ROW(kind, __VA_ARGS__, NULL, )
#define FAULT_ROW(kind, id, severity, what, why, documented, number, ...)                                              \
    [kind] = {id, severity, what, why, documented, number},
#include "spec/faults.def"
#undef FAULT
#undef FAULT_ROW
};

const struct ptog_fault_info *ptog_fault_info_at(size_t kind)
{
    if (kind < PTOG_FAULT_KINDS)
        return &faults[kind];
    return NULL;
}

const struct ptog_fault_info *ptog_fault_info_find(const char *id)
{
    for (size_t i = 0; id && i < PTOG_FAULT_KINDS; i++)
        if (strcmp(faults[i].id, id) == 0)
            return &faults[i];
    return NULL;
}

/* Whether a lane comes before another one, in row-major order. */
static bool is_before(int64_t r, int64_t c, int64_t than_r, int64_t than_c)
{
    return r < than_r || (r == than_r && c < than_c);
}

void ptog_fault_note(struct ptog_fault *fault, enum ptog_fault_kind kind, uint64_t count, int64_t r, int64_t c,
                     uint64_t index)
{
    struct ptog_fault_entry *entry = &fault->of[kind];
    if (entry->count == 0 || is_before(r, c, entry->row, entry->col)) {
        entry->row = r;
        entry->col = c;
        entry->index = index;
    }
    entry->count += count;
}

void ptog_fault_index_text(const struct ptog_fault *fault, uint64_t index, char text[PTOG_FAULT_INDEX_TEXT])
{
    bool negative = fault->index_signed && index > INT64_MAX;
    snprintf(text, PTOG_FAULT_INDEX_TEXT, "%s%" PRIu64, ptog_when(negative, "-"),
             negative ? UINT64_MAX - index + 1 : index);
}

enum ptog_severity ptog_fault_severity(const struct ptog_fault *fault, size_t kind)
{
    if (kind == PTOG_FAULT_SCATTER_CONFLICT && fault->values_agree)
        return PTOG_NOTE;
    return faults[kind].severity;
}

enum ptog_status ptog_fault_sum(struct ptog_fault *fault)
{
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        if (entry->count == 0 || ptog_fault_severity(fault, (size_t)kind) != PTOG_ERROR)
            continue;
        if (fault->count == 0 || is_before(entry->row, entry->col, fault->row, fault->col)) {
            fault->row = entry->row;
            fault->col = entry->col;
            fault->index = entry->index;
            fault->kind = (enum ptog_fault_kind)kind;
        }
        fault->count += entry->count;
    }
    if (fault->count > 0)
        return PTOG_FAULT;
    return PTOG_OK;
}
