/* program: verify, with what it says lifted to the text; run, with faults collected by operation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/rule.h>
#include <ptog/verify.h>

#include "base/diag.h"
#include "model/fault.h"
#include "program/eval.h"

/* ---- what was found to be right: most instructions of a program are a few, written often. An entry holds the bytes of
 * a description with nothing to report; a struct that differs only in padding is verified again, no more. */

#define CACHE_SIZE 64u

union description {
    struct ptog_mgather mgather;
    struct ptog_tgather tgather;
    struct ptog_transfer transfer;
};

struct ptog_verify_cache {
    struct {
        char kind; /* 0: empty */
        union description op;
    } of[CACHE_SIZE];
};

struct ptog_verify_cache *ptog_verify_cache_new(void)
{
    return calloc(1, sizeof(struct ptog_verify_cache));
}

static unsigned hash(const void *op, size_t size)
{
    uint64_t h = size, word;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, (const char *)op + i, sizeof word);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (unsigned)(h >> 58) % CACHE_SIZE;
}

static bool is_known_good(const struct ptog_eval *e, char kind, const void *op, size_t size, unsigned at)
{
    return e->cache->of[at].kind == kind && memcmp(&e->cache->of[at].op, op, size) == 0;
}

/* ---- what verify says */

/* A run reports this one itself, with lanes and counts. */
static bool comes_later(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    return e->bound && strcmp(diag->id, ptog_fault_info_at(PTOG_FAULT_PITCH_MISMATCH)->id) == 0;
}

static void lift(struct ptog_eval *e, const struct ptog_text_insn *insn, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (comes_later(e, diag))
            continue;
        e->said[insn->op->number] = true;
        struct ptog_finding *found = ptog_say_diag(e->finds, diag, ptog_insn_span(insn, diag->operand));
        const struct ptog_value *value = diag->operand ? ptog_insn_value(insn, diag->operand) : NULL;
        if (value && value->span.length > 0 && found && value->span.at != found->span.at)
            ptog_say_related(found, value->span, "defined here");
    }
}

static void judge(struct ptog_eval *e, const struct ptog_text_insn *insn, char kind, const void *op, size_t size)
{
    unsigned at = hash(op, size);
    if (is_known_good(e, kind, op, size, at) || (e->running && e->said[insn->op->number]))
        return;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = PTOG_NO_MEMORY;
    if (diags && kind == 'm')
        status = ptog_verify_mgather(e->target, op, diags);
    else if (diags && kind == 't')
        status = ptog_verify_tgather(e->target, op, diags);
    else if (diags)
        status = ptog_verify_transfer(e->target, op, diags);
    if (status == PTOG_NO_MEMORY)
        e->no_memory = true;
    else if (ptog_diags_count(diags) > 0)
        lift(e, insn, diags);
    else {
        e->cache->of[at].kind = kind;
        memcpy(&e->cache->of[at].op, op, size);
    }
    ptog_diags_free(diags);
}

/* ---- addresses: where tiles lie matters only when they overlap, so descriptions are compared without */

static bool overlap(const struct ptog_tile *a, const struct ptog_tile *b)
{
    if (!a->placed || !b->placed || a->dtype == PTOG_DTYPE_NONE || b->dtype == PTOG_DTYPE_NONE)
        return false;
    int64_t bytes_a = ptog_tile_bytes(a), bytes_b = ptog_tile_bytes(b);
    if (bytes_a <= 0 || bytes_b <= 0)
        return true; /* for the verifier to judge */
    return a->addr < b->addr ? b->addr - a->addr < (uint64_t)bytes_a : a->addr - b->addr < (uint64_t)bytes_b;
}

/* The first `outs` of the tiles are written. Takes the addresses away unless one of those overlaps another tile. */
static void forget_addresses(struct ptog_tile *const *tiles, int count, int outs)
{
    for (int i = 0; i < outs; i++)
        for (int k = i + 1; k < count; k++)
            if (overlap(tiles[i], tiles[k]))
                return;
    for (int i = 0; i < count; i++) {
        tiles[i]->placed = false;
        tiles[i]->addr = 0;
    }
}

void ptog_judge_mgather(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_mgather *op)
{
    struct ptog_mgather copy = *op;
    forget_addresses((struct ptog_tile *[]){&copy.dst, &copy.idx}, 2, 1);
    judge(e, insn, 'm', &copy, sizeof copy);
}

void ptog_judge_tgather(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_tgather *op)
{
    struct ptog_tgather copy = *op;
    forget_addresses((struct ptog_tile *[]){&copy.dst, &copy.cdst, &copy.src, &copy.idx, &copy.tmp, &copy.k}, 6, 2);
    judge(e, insn, 't', &copy, sizeof copy);
}

void ptog_judge_transfer(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_transfer *op)
{
    struct ptog_transfer copy = *op;
    forget_addresses((struct ptog_tile *[]){&copy.tile}, 1, 1);
    judge(e, insn, 'x', &copy, sizeof copy);
}

/* ---- what a run says */

static struct ptog_fault *faults_of(struct ptog_eval *e, const struct ptog_op *op)
{
    uint32_t *number = &e->faults_of[op->number];
    if (*number == 0) {
        struct ptog_op_faults *faults = ptog_grow(e, e->faults, e->fault_count, &e->fault_room, sizeof *e->faults);
        if (!faults)
            return NULL;
        e->faults = faults;
        faults[e->fault_count] = (struct ptog_op_faults){.op = op};
        *number = ++e->fault_count;
    }
    return &e->faults[*number - 1].fault;
}

void ptog_judge_fault(struct ptog_eval *e, const struct ptog_op *op, enum ptog_fault_kind kind, int64_t row,
                      uint64_t index, uint64_t capacity)
{
    struct ptog_fault *sum = faults_of(e, op);
    if (!sum)
        return;
    if (sum->capacity == 0)
        sum->capacity = capacity;
    sum->index_signed = true;
    ptog_fault_note(sum, kind, 1, row, 0, index);
}

/* Adds the lanes of one execution to those of the operation; the first ever seen stays the first. */
static void add_faults(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_fault *fault)
{
    struct ptog_fault *sum = faults_of(e, op);
    if (!sum)
        return;
    if (sum->capacity == 0)
        sum->capacity = fault->capacity;
    sum->index_signed = fault->index_signed;
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        uint64_t count = sum->of[kind].count;
        if (entry->count == 0)
            continue;
        if (count == 0)
            sum->of[kind] = *entry;
        else
            sum->of[kind].count = entry->count > UINT64_MAX - count ? UINT64_MAX : count + entry->count;
    }
}

static bool has_faults(const struct ptog_fault *fault)
{
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
        if (fault->of[kind].count > 0)
            return true;
    return false;
}

void ptog_judge_run(struct ptog_eval *e, const struct ptog_text_insn *insn, enum ptog_status status, ptog_diags *diags,
                    const struct ptog_fault *fault)
{
    if (has_faults(fault))
        add_faults(e, insn->op, fault);
    ptog_judge_step(e, insn->op, status);
    if (status == PTOG_ILLEGAL)
        lift(e, insn, diags);
}

bool ptog_judge_step(struct ptog_eval *e, const struct ptog_op *op, enum ptog_status status)
{
    if (status == PTOG_OK)
        return true;
    if (status == PTOG_FAULT) {
        e->hung = e->machine.device != NULL;
        return !e->hung;
    }
    e->stopped = true;
    if (status == PTOG_NO_MEMORY)
        e->no_memory = true;
    else if (status == PTOG_NO_ROOM)
        ptog_say(e->finds, "run-no-room", op->name_span, "a row has more matches than the destination has columns");
    else if (status != PTOG_ILLEGAL)
        ptog_say(e->finds, "run-stopped", op->name_span, "the instruction cannot run: %s", ptog_status_text(status));
    return false;
}

static void report_kind(struct ptog_eval *e, const struct ptog_op_faults *faults, int kind)
{
    const struct ptog_fault_entry *entry = &faults->fault.of[kind];
    const struct ptog_fault_info *info = ptog_fault_info_at((size_t)kind);
    char message[400], index[PTOG_FAULT_INDEX_TEXT], capacity[48] = "";
    ptog_fault_index_text(&faults->fault, entry->index, index);
    if (faults->fault.capacity > 0)
        snprintf(capacity, sizeof capacity, ", capacity %" PRIu64, faults->fault.capacity);
    snprintf(message, sizeof message, "%s: first at (%" PRId64 ",%" PRId64 "), index %s%s", info->what, entry->row,
             entry->col, index, capacity);
    struct ptog_diag diag = {
        .id = info->id, .severity = info->severity, .message = message, .seed = info->seed, .count = entry->count};
    ptog_say_diag(e->finds, &diag, faults->op->name_span);
}

void ptog_judge_report(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->fault_count; i++)
        for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
            if (e->faults[i].fault.of[kind].count > 0)
                report_kind(e, &e->faults[i], kind);
}
