/* core: what the verifier and the lanes of an instruction have to say, as findings. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ptog/rule.h>

#include "base/text.h"
#include "core/device.h"
#include "model/fault.h"
#include "model/mgather.h"

#define MAX_MESSAGE 512

/* Whether the verifier has reported this kind for the instruction at hand. */
static bool said_by_verifier(const struct ptog_core *core, unsigned kind)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(core->diags, i)) != NULL; i++)
        if (diag->kind == kind)
            return true;
    return false;
}

/* Copies what the verifier said in core->diags to the findings of the device, at this instruction; what was said here
 * before is only counted. */
void ptog_core_judge_operands(struct ptog_core *core)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(core->diags, i)) != NULL; i++) {
        struct ptog_diag_key key = ptog_key(core->site, PTOG_AT_COUNT);
        bool fresh;
        key.kind = diag->kind;
        for (int o = 0; diag->operand && o < PTOG_AT_COUNT; o++)
            if (strcmp(diag->operand, ptog_operand_name((enum ptog_operand_name)o)) == 0)
                key.operand = (uint8_t)o;
        struct ptog_diag_entry *f = ptog_diag_note(diags, &key, diag->id, diag->severity, core->insn, 0, &fresh);
        if (!f || !fresh)
            continue;
        f->diag.message = ptog_diag_text(diags, "%s", diag->message);
        f->diag.operand = diag->operand;
        f->diag.documented = diag->documented;
        f->diag.refuses = diag->refuses;
        f->diag.accepted_by = diag->accepted_by;
        if (diag->fix_count > 0)
            ptog_diag_advise(f, ptog_fix_of_words(ptog_diag_text(diags, "%s", diag->fix[0].text)));
    }
}

const char *ptog_core_refusal(const ptog_core *core)
{
    const struct ptog_diag *diag = ptog_diags_at(core->diags, 0);
    if (!diag && core->fifos && ptog_core_is_direct(core)) /* else it is in the report of the device */
        return core->fifos->refusal;
    return diag ? diag->message : NULL;
}

enum ptog_status ptog_core_bad_argument(struct ptog_core *core, const char *call, const char *argument,
                                        const char *problem)
{
    bool fresh;
    if (!core)
        return PTOG_BAD_ARGUMENT;
    struct ptog_sanitizer_shared *shared = &core->device->shared;
    uint32_t site = ptog_names_site(&shared->names, &core->where, call);
    struct ptog_diag_entry *f = ptog_diag_note_machine(&shared->diags, PTOG_MACHINE_BAD_ARGUMENT,
                                                       ptog_key(site, PTOG_AT_COUNT), core->device->insns, 1, &fresh);
    if (f && fresh)
        f->diag.message = ptog_diag_text(&shared->diags, "%s: %s %s", call, argument, problem);
    return PTOG_BAD_ARGUMENT;
}

/* On A5 every count of a shift has a result, and so has x / 0 of 64-bit integers, which library code computes: warnings. */
static enum ptog_severity severity_of(const struct ptog_core *core, size_t kind, const struct ptog_insn *insn)
{
    bool divides_wide = kind == PTOG_FAULT_DIV_BY_ZERO && insn && ptog_dtype_size(insn->of[0].tile.dtype) == 8;
    if (core->device->target->shifts_64_modulo && (divides_wide || kind == PTOG_FAULT_SHIFT_RANGE))
        return PTOG_WARNING;
    return ptog_fault_severity(&core->log.fault, kind);
}

/* The finding of a fault; NULL when there is nothing more to say about it. */
static struct ptog_diag_entry *note_fault(struct ptog_core *core, size_t kind, enum ptog_severity severity,
                                          uint64_t count)
{
    const struct ptog_fault_info *info = ptog_fault_info_at(kind);
    struct ptog_diag_key key = ptog_key(core->site, PTOG_AT_COUNT);
    bool fresh;
    key.kind = (uint16_t)(PTOG_DIAG_LANE + kind);
    struct ptog_diag_entry *f =
        ptog_diag_note(&core->device->shared.diags, &key, info->id, severity, core->insn, count, &fresh);
    if (f)
        ptog_diag_raise(f, severity);
    if (!f || !fresh)
        return NULL;
    f->diag.documented = info->documented;
    return f;
}

/* How many indices at the end of the list are -1, which often means that there is none; *count: of how many. */
static int64_t trailing_nones(const struct ptog_core *core, const struct ptog_known_insn *known, int64_t *count)
{
    int at = known && known->form != PTOG_FORM_GATHER_L1 ? ptog_insn_find(&known->insn, PTOG_AT_IDX) : -1;
    const struct ptog_tile *idx = at < 0 ? NULL : &known->insn.of[at].tile;
    *count = idx ? idx->valid_row * idx->valid_col : 0;
    size_t size = idx ? ptog_dtype_size(idx->dtype) : 0;
    for (int64_t i = size > 0 ? *count : 0; i > 0; i--) {
        uint64_t bits = 0, none = UINT64_MAX >> (64 - 8 * size);
        int64_t place = ptog_tile_offset(idx, (i - 1) / idx->valid_col, (i - 1) % idx->valid_col);
        if (!ptog_ub_get(&core->issued, idx->addr + (uint64_t)place * size, size, &bits) || bits != none)
            return *count - i;
    }
    return size > 0 ? *count : 0;
}

/* What to do about a list that ends in -1. */
static void advise_nones(struct ptog_core *core, const struct ptog_known_insn *known, struct ptog_diag_entry *f)
{
    int64_t count, nones = trailing_nones(core, known, &count);
    if (nones == 0 || nones == count)
        return;
    const char *policy = "";
    if (known->insn.opcode == PTOG_MGATHER)
        policy = "use the policy zero, or ";
    else if (known->insn.opcode == PTOG_MSCATTER)
        policy = "use the policy skip, or ";
    char which[80] = "the last index is";
    if (nones > 1)
        snprintf(which, sizeof which, "the last %" PRId64 " of %" PRId64 " indices are", nones, count);
    ptog_diag_advise(
        f, ptog_fix_of_words(ptog_diag_text(&core->device->shared.diags,
                                            "%s -1: %smake only the first %" PRId64 " of %" PRId64 " indices valid",
                                            which, policy, count - nones, count)));
}

/* Whether an instruction has a policy for indices outside of its table. */
static bool has_policy(const struct ptog_insn *insn)
{
    return insn->opcode == PTOG_MGATHER || insn->opcode == PTOG_MSCATTER;
}

/* The fix of a fault inside UB that is another one than for gathers of memory; NULL: it is not. */
static const char *tile_fix(size_t kind, const struct ptog_insn *insn)
{
    bool scatters = insn && insn->opcode == PTOG_TSCATTER;
    if (scatters && kind == PTOG_FAULT_SCATTER_CONFLICT)
        return "make the indices of each row distinct";
    if (scatters && kind == PTOG_FAULT_UB_OUTSIDE_TILE)
        return "keep every index below the number of elements of the destination tile";
    if (scatters && kind == PTOG_FAULT_PRODUCT_OVERFLOW)
        return "scatter fewer rows at a time, so that every row of the destination starts below element 65,536";
    if (insn && insn->opcode == PTOG_TGATHERB && kind == PTOG_FAULT_UB_OUTSIDE_TILE)
        return "keep every block inside the source tile";
    if (insn && insn->opcode == PTOG_TGATHERB && kind == PTOG_FAULT_TILE_OVERRUN)
        return "make the valid part of a row a multiple of 256 bytes, or leave so much room behind the tile";
    if (scatters && kind == PTOG_FAULT_TILE_OVERRUN)
        return "make the destination tile as large as the pattern says";
    return NULL;
}

/* Reports a fault of the log's lanes, with its words and what may be done about it, unless the verifier has said it. */
static void report_lane_fault(struct ptog_core *core, size_t kind, const struct ptog_insn *insn,
                              const struct ptog_known_insn *known)
{
    const struct ptog_fault *fault = &core->log.fault;
    char message[MAX_MESSAGE];
    struct ptog_text text;
    struct ptog_diag_entry *f = NULL;
    if (!said_by_verifier(core, (unsigned)(PTOG_DIAG_LANE + kind)))
        f = note_fault(core, kind, severity_of(core, kind, insn), fault->of[kind].count);
    if (!f)
        return;
    ptog_text_init(&text, message, sizeof message);
    ptog_fault_words(&text, fault, kind, core->device->target, insn);
    f->diag.message = ptog_diag_text(&core->device->shared.diags, "%s", message);
    if (kind == PTOG_FAULT_GM_OUT_OF_BOUNDS && known && !has_policy(&known->insn))
        ptog_diag_advise(f, ptog_fix_of_words("bind a larger buffer, or let the view end inside it"));
    if (ptog_fault_is_past_row(fault, kind, core->device->target, insn))
        ptog_diag_advise(f, ptog_fix_of_words(ptog_diag_text(&core->device->shared.diags, "make %.80s as wide as %.80s",
                                                             ptog_insn_operand_words(insn, PTOG_AT_DST),
                                                             ptog_insn_operand_words(insn, PTOG_AT_TABLE))));
    if (tile_fix(kind, insn))
        ptog_diag_advise(f, ptog_fix_of_words(tile_fix(kind, insn)));
    advise_nones(core, known, f);
    int idx = insn && !ptog_mgather_is_l1(insn) ? ptog_insn_find(insn, PTOG_AT_IDX) : -1;
    if (idx >= 0 && ptog_fault_is_unwritten(fault->of[kind].index, insn->of[idx].tile.dtype))
        ptog_diag_advise(f, ptog_fix_of_words("write the indices before they are read, for example with tload"));
}

void ptog_core_judge_scalar(struct ptog_core *core, int gm, uint64_t offset, size_t bytes)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    uint64_t room = ptog_gm_room(&core->timed, gm, 0);
    int64_t at = (int64_t)offset, size = (int64_t)bytes;
    struct ptog_diag_entry *f = note_fault(core, PTOG_FAULT_GM_OUT_OF_BOUNDS, PTOG_ERROR, 1);
    if (!f)
        return;
    const char *name = ptog_names_insn(&core->device->shared.names, core->site);
    const char *buffer = core->device->gm.of[gm].name;
    char size_text[PTOG_GROUPED];
    if (at % size == 0)
        f->diag.message = ptog_diag_text(diags, "%s: element %" PRId64 " is outside %.80s, which has %s elements", name,
                                         at / size, buffer, ptog_grouped(room / bytes, size_text));
    else
        f->diag.message = ptog_diag_text(diags, "%s: byte %" PRId64 " is outside %.80s, which has %s bytes", name, at,
                                         buffer, ptog_grouped(room, size_text));
    ptog_diag_advise(
        f, (struct ptog_fix){.kind = PTOG_FIX_WORDS, .text = "bind a larger buffer, or keep the index inside it"});
}

/* Counts a fault of the transfer at this call. Returns its diagnostic when that is new, for a message; else NULL. */
static struct ptog_diag_entry *note_transfer(struct ptog_core *core, enum ptog_machine_fault_kind kind, uint64_t count)
{
    bool fresh;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&core->device->shared.diags, kind,
                                                       ptog_key(core->site, PTOG_AT_COUNT), core->insn, count, &fresh);
    return f && fresh ? f : NULL;
}

void ptog_core_judge_log(struct ptog_core *core, const struct ptog_insn *insn, const struct ptog_known_insn *known)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    const struct ptog_log *log = &core->log;
    struct ptog_diag_entry *f;
    uint64_t lanes = 0;
    for (size_t kind = 0; kind < PTOG_FAULT_KINDS; kind++) /* of every instruction: without a branch for each kind */
        lanes |= log->fault.of[kind].count;
    for (size_t kind = 0; lanes > 0 && kind < PTOG_FAULT_KINDS; kind++)
        if (log->fault.of[kind].count > 0)
            report_lane_fault(core, kind, insn, known);
    if (!known)
        return;
    if (log->misaligned > 0 && (f = note_transfer(core, PTOG_MACHINE_DMA_MISALIGNED, log->misaligned)) != NULL)
        f->diag.message =
            ptog_diag_text(diags, "%s moves a burst to UB address 0x%" PRIx64 ", which is not a multiple of 32 bytes%s",
                           ptog_opcode_name(insn->opcode), log->misaligned_at,
                           log->stats.dropped_bursts ? "; the burst is dropped" : "");
    if (log->wanted_bursts > 0 && (f = note_transfer(core, PTOG_MACHINE_DMA_FIELD_OVERFLOW, 0)) != NULL)
        f->diag.message = ptog_diag_text(
            diags, "%s needs %" PRIu64 " bursts, more than the field can hold; only %" PRIu64 " are moved",
            ptog_opcode_name(insn->opcode), log->wanted_bursts, log->cut_bursts);
}
