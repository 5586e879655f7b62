/* report: what a box of a timeline says when it is selected. */
#include "report/trace_args.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "base/text.h"

/* What is touched through one operand: its bytes, and from where to where they lie. */
struct reach {
    uint64_t bytes, from, to;
    int32_t buffer;
    uint8_t space;
};

/* How far each operand is read, or written, in a period. */
static void reach_for(struct reach reaches[PTOG_AT_COUNT], const struct ptog_period *period, bool writes)
{
    for (size_t i = 0; i < period->cause.count; i++) {
        const struct ptog_access *a = &period->cause.accesses[i];
        if (ptog_access_writes(a) != writes || a->kind == PTOG_WRITES_PADDING || a->operand >= PTOG_AT_COUNT)
            continue;
        struct reach *r = &reaches[a->operand];
        uint64_t end = a->at + (a->count - 1) * a->pitch + a->bytes;
        if (r->bytes == 0)
            *r = (struct reach){.from = a->at, .to = end, .buffer = a->buffer, .space = a->space};
        r->bytes += a->count * a->bytes;
        if (a->at < r->from)
            r->from = a->at;
        if (end > r->to)
            r->to = end;
    }
}

/* Writes which bytes the operands of a period reach, "idx (UB 0x0..0x3f), table (GM words + 0x100..0x1ff)"; returns
 * how many. */
static uint64_t put_operands(struct ptog_json *json, const char *key, const struct ptog_period *period, bool writes,
                             const struct ptog_trace_names *names)
{
    struct reach reaches[PTOG_AT_COUNT] = {{0}};
    char list[512];
    struct ptog_text text;
    uint64_t bytes = 0;
    reach_for(reaches, period, writes);
    ptog_text_init(&text, list, sizeof list);
    for (int o = 0; o < PTOG_AT_COUNT; o++) {
        const struct reach *r = &reaches[o];
        if (r->bytes == 0)
            continue;
        ptog_text_addf(&text, "%s%s (", ptog_when(bytes > 0, ", "), ptog_operand_name((enum ptog_operand_name)o));
        uint64_t from = r->from;
        if (r->space != PTOG_IN_GM)
            ptog_text_addf(&text, "%s ", names->memory(names->user, r->from, &from));
        else
            ptog_text_addf(&text, "GM %.60s + ", names->buffer(names->user, r->buffer));
        ptog_text_addf(&text, "0x%" PRIx64 "..0x%" PRIx64 ")", from, from + (r->to - r->from) - 1);
        bytes += r->bytes;
    }
    if (bytes > 0)
        ptog_json_string_of(json, key, list);
    return bytes;
}

/* Writes a place as file:line, if there is one. */
static void put_trace_place(struct ptog_json *json, const char *key, const struct ptog_where *where)
{
    char place[320];
    if (where->line == 0)
        return;
    snprintf(place, sizeof place, "%.300s:%u", ptog_or(where->file, ""), (unsigned)where->line);
    ptog_json_string_of(json, key, place);
}

/* Rows that lie over each other have no gap between them. */
static void put_gap(struct ptog_json *json, const char *key, int64_t gap)
{
    if (gap >= 0)
        ptog_json_number_of(json, key, (uint64_t)gap);
}

/* Writes the fields of a DMA, and the shape of a launch. */
static void put_box(struct ptog_json *json, const struct ptog_box *box)
{
    char dim3[32];
    if (box->bursts > 0) {
        ptog_json_number_of(json, "nBurst", box->bursts);
        ptog_json_number_of(json, "lenBurst", box->burst_bytes);
        put_gap(json, "gmGap", box->gm_gap);
        put_gap(json, "ubGap", box->ub_gap);
    }
    if (box->warps == 0)
        return;
    snprintf(dim3, sizeof dim3, "{32, %" PRIu64 "}", box->warps);
    ptog_json_string_of(json, "dim3", dim3);
    if (box->row_warps > 0) {
        ptog_json_number_of(json, "rowWarps", box->row_warps);
        ptog_json_number_of(json, "warpsPerRow", box->warps_per_row);
    }
    ptog_json_number_of(json, "idle lanes", box->idle_lanes);
    if (box->transactions > 0) {
        ptog_json_number_of(json, "transactions", box->transactions);
        ptog_json_number_of(json, "transaction bytes", box->transaction_bytes);
    }
}

/* Writes the arguments of a box: its instruction, its place, and what it did. */
void ptog_trace_args(struct ptog_json *json, const struct ptog_period *period, const char *instruction,
                     const struct ptog_where *where, const struct ptog_trace_names *names)
{
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "instruction", instruction);
    put_trace_place(json, "place", ptog_headline(where));
    if (where->origin)
        put_trace_place(json, "generated", where);
    if (period->cause.own)
        ptog_json_string_of(json, "flag of", "the instruction itself");
    if (period->to > period->from)
        ptog_json_number_of(json, "cycles", (uint64_t)(period->to - period->from + 0.5));
    if (period->cause.count > 0) {
        uint64_t read = put_operands(json, "reads", period, false, names);
        uint64_t written = put_operands(json, "writes", period, true, names);
        ptog_json_number_of(json, "bytes", written ? written : read);
    }
    if (period->cause.box)
        put_box(json, period->cause.box);
    ptog_json_close(json, '}');
}
