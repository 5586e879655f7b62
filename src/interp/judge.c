/* interp: verify, with what it says lifted to the text; run, with faults collected by operation. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ptog/rule.h>
#include <ptog/verify.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/text.h"
#include "core/inside.h"
#include "diag/kind.h"
#include "interp/judge.h"
#include "model/fault.h"
#include "verify/verify.h"

/* ---- what a run says */

/* The faults of an operation, made when there are none yet; NULL when out of memory. */
static struct ptog_op_faults *faults_of(struct ptog_eval *e, const struct ptog_op *op)
{
    uint32_t *number = &e->faults_of[op->number];
    if (*number == 0) {
        if (!ptog_array_reserve(&e->faults, e->fault_count + 1, &e->fault_room)) {
            e->no_memory = true;
            return NULL;
        }
        e->faults[e->fault_count] = (struct ptog_op_faults){.op = op};
        *number = ++e->fault_count;
    }
    return &e->faults[*number - 1];
}

void ptog_judge_fault(struct ptog_eval *e, const struct ptog_op *op, enum ptog_fault_kind kind, int64_t row,
                      uint64_t index, uint64_t capacity)
{
    struct ptog_op_faults *faults = faults_of(e, op);
    if (!faults)
        return;
    struct ptog_fault *sum = &faults->fault;
    if (sum->capacity == 0)
        sum->capacity = capacity;
    sum->index_signed = true;
    ptog_fault_note(sum, kind, 1, row, 0, index);
}

/* Adds the lanes of one execution to those of the operation; the first ever seen stays the first. */
static void add_faults(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_fault *fault)
{
    struct ptog_op_faults *faults = faults_of(e, insn->op);
    if (!faults)
        return;
    struct ptog_fault *sum = &faults->fault;
    if (faults->insn.opcode == PTOG_NO_INSN)
        ptog_insn_copy(&faults->insn, &insn->insn);
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

/* Whether a run noted a fault of any kind. */
static bool has_faults(const struct ptog_fault *fault)
{
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
        if (fault->of[kind].count > 0)
            return true;
    return false;
}

/* What the verifier has against it is said once more, at its place in the text. */
static void lift_refusal(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    static const struct ptog_run as_written; /* an extent that is still open breaks a rule now */
    ptog_diags *diags = ptog_diags_new();
    if (diags && ptog_verify_run(e->target, &insn->insn, &as_written, diags) == PTOG_ILLEGAL)
        ptog_insn_say_diags(e, insn, diags);
    ptog_diags_free(diags);
}

void ptog_judge_run(struct ptog_eval *e, const struct ptog_text_insn *insn, enum ptog_status status)
{
    const struct ptog_fault *fault = e->machine.pipes ? NULL : ptog_core_fault(e->machine.core);
    if (fault && has_faults(fault))
        add_faults(e, insn, fault);
    ptog_judge_step(e, insn->op, status);
    if (status == PTOG_ILLEGAL)
        lift_refusal(e, insn);
}

/* Judges the status that a step of the machine returned: stops the run, or only this core after a fault, and reports
 * what the machine has not. Returns whether the core goes on. */
bool ptog_judge_step(struct ptog_eval *e, const struct ptog_op *op, enum ptog_status status)
{
    if (status == PTOG_OK)
        return true;
    if (status == PTOG_FAULT) {
        e->hung = e->machine.pipes;
        return !e->hung;
    }
    bool is_looked_on = status == PTOG_NO_ROOM && e->watch; /* whoever watches wants to see the rest, too */
    e->stopped = !is_looked_on;
    if (status == PTOG_NO_MEMORY)
        e->no_memory = true;
    else if (status == PTOG_NO_ROOM)
        ptog_diag_emit(e->diags, "run-no-room", op->name_span,
                       "a row has more matches than the destination tile has columns");
    else if (status != PTOG_ILLEGAL)
        ptog_diag_emit(e->diags, "run-stopped", op->name_span, "the instruction cannot run: %s",
                       ptog_status_text(status));
    return is_looked_on;
}

/* Whether the verifier reported this fault of the operation before the run. */
static bool is_foreseen(const struct ptog_eval *e, const struct ptog_op *op, unsigned kind)
{
    for (uint32_t i = 0; e->said[op->number] && i < e->diags->count; i++)
        if (e->diags->list[i].span.at == op->name_span.at && e->diags->list[i].diag.kind == kind)
            return true;
    return false;
}

/* Reports the faults of one kind of an operation, unless the check has foreseen them. */
static void report_kind(struct ptog_eval *e, const struct ptog_op_faults *faults, int kind)
{
    const struct ptog_fault_entry *entry = &faults->fault.of[kind];
    const struct ptog_fault_info *info = ptog_fault_info_at((size_t)kind);
    const struct ptog_insn *insn = faults->insn.opcode == PTOG_NO_INSN ? NULL : &faults->insn;
    char message[400];
    struct ptog_text text;
    if (is_foreseen(e, faults->op, (unsigned)(PTOG_DIAG_LANE + kind)))
        return;
    ptog_text_init(&text, message, sizeof message);
    ptog_fault_words(&text, &faults->fault, (size_t)kind, e->target, insn);
    struct ptog_diag diag = {.id = info->id,
                             .kind = (uint16_t)(PTOG_DIAG_LANE + kind),
                             .severity = info->severity,
                             .message = message,
                             .documented = info->documented,
                             .count = entry->count};
    ptog_diag_emit_copy(e->diags, &diag, faults->op->name_span);
}

void ptog_judge_report(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->fault_count; i++)
        for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
            if (e->faults[i].fault.of[kind].count > 0)
                report_kind(e, &e->faults[i], kind);
}
