/* report: fingerprints of SARIF results, by which code scanning knows a finding again when lines above it have changed.
 * One is a hash of the id, the operand and the text of the line, without the line's number and indentation; equal ones
 * of a log are counted. */
#include "report/sarif.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash * UINT64_C(0x100000001b3); /* a zero behind it: "ab" "c" is not "a" "bc" */
}

/* Without the blanks around it. */
static uint64_t add_trimmed_n(uint64_t hash, const char *text, size_t length)
{
    size_t blanks = strspn(text, " \t\r");
    for (; length > blanks && strchr(" \t\r\n", text[length - 1]); length--)
        ;
    return add_bytes(hash, text + blanks, length > blanks ? length - blanks : 0);
}

static uint64_t add_trimmed(uint64_t hash, const char *text)
{
    return add_trimmed_n(hash, text, strlen(text));
}

/* How long a line is without the loc(...) at its end, which changes with every line that the author adds above. */
static size_t length_without_loc(const char *text)
{
    size_t length = strlen(text);
    for (const char *at = text; (at = strstr(at, " loc(")) != NULL; at++)
        length = (size_t)(at - text);
    return length;
}

/* A hash of a diagnostic that stays when lines are added above it: of id, operand and the text of its line. */
static uint64_t hash_diag(const struct ptog_diag *diag)
{
    uint64_t hash = add_trimmed(UINT64_C(0xcbf29ce484222325), diag->id);
    if (diag->operand)
        hash = add_trimmed(hash, diag->operand);
    if (diag->where.text && diag->where.origin)
        return add_trimmed_n(hash, diag->where.text, length_without_loc(diag->where.text));
    if (diag->where.text)
        return add_trimmed(hash, diag->where.text);
    return add_trimmed(hash, diag->message);
}

/* How many results of the log had this hash before. When memory runs out, some are not counted. */
static size_t count_earlier(struct ptog_index *seen, uint64_t hash)
{
    uint32_t low = (uint32_t)hash, high = (uint32_t)(hash >> 32) | 1;
    size_t count = 0;
    for (const struct ptog_index_slot *s = ptog_index_first(seen, low); s; s = ptog_index_next(seen, s))
        count += s->number == high;
    ptog_index_add(seen, low, high);
    return count;
}

void ptog_sarif_fingerprint(struct ptog_sarif *log, const struct ptog_diag *diag)
{
    char text[48];
    uint64_t hash = hash_diag(diag);
    snprintf(text, sizeof text, "%016" PRIx64 ":%zu", hash, count_earlier(&log->fingerprints, hash) + 1);
    ptog_json_key(&log->json, "partialFingerprints");
    ptog_json_open(&log->json, '{');
    ptog_json_string_of(&log->json, "ptogFinding/v1", text);
    ptog_json_close(&log->json, '}');
}
