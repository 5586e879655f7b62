/* core: issuing an instruction: run in issue order, judge, and put its phases and its own flags into the
 * queues. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <stdlib.h>

#include "core/device.h"
#include "core/picture.h"
#include "exec/plan.h"
#include "model/cube/memories.h"

/* Enters the flags that an instruction sets and waits for inside itself. */
static void own_flags(struct ptog_core *core, const struct ptog_flag_pair *pairs, int count)
{
    for (int i = 0; i < count; i++) {
        struct ptog_event event = {
            .kind = PTOG_EVENT_SET, .pipe = pairs[i].src, .src = pairs[i].src, .dst = pairs[i].dst, .own = true};
        ptog_core_enter(core, &event, NULL);
        event.kind = PTOG_EVENT_WAIT;
        event.pipe = pairs[i].dst;
        ptog_core_enter(core, &event, NULL);
    }
}

/* Whether reads of global memory matter: a buffer that the instruction names may be stored to. */
static bool may_be_stored_to(const struct ptog_core *core, const struct ptog_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].kind == PTOG_IS_VIEW && !core->device->gm.of[insn->of[i].buffer].read_only)
            return true;
    return false;
}

/* Logs in `core->possible` what the instruction could access with other indices, where a sanitizer wants to know. */
static void look_at_other_data(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    struct ptog_sim sim = {.known = insn, .memory = &core->issued, .log = &core->possible};
    core->possible.gm_reads = may_be_stored_to(core, &insn->insn);
    if (core->sanitizer)
        ptog_sim_possible(&sim, &core->log);
}

/* The accesses that one phase has in the log; *count says how many. NULL: the log is empty. */
static const struct ptog_access *of_phase(const struct ptog_log *log, int phase, size_t *count)
{
    size_t first = 0, end;
    while (first < log->count && log->accesses[first].phase < phase)
        first++;
    for (end = first; end < log->count && log->accesses[end].phase == phase;)
        end++;
    *count = end - first;
    return log->count > 0 ? log->accesses + first : NULL;
}

/* Only now it is seen that the instruction read undefined bytes: it is followed while it runs once more. */
static void follow(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    struct ptog_sim sim = {.known = insn, .memory = &core->issued};
    struct ptog_tracer *tracer = ptog_sanitizer_retrace(core->sanitizer, insn, core->site);
    ptog_memory_trace(&core->issued, tracer);
    for (int i = 0; tracer && i < insn->effects->phase_count; i++)
        ptog_sim_phase(&sim, i);
    ptog_memory_trace(&core->issued, NULL);
}

/* Judges whether what a phase read was defined, which may report it and follow the instruction once more, and marks as
 * defined what it wrote. */
static void define_phase(struct ptog_core *core, const struct ptog_known_insn *insn, int phase)
{
    size_t count;
    const struct ptog_access *accesses = of_phase(&core->log, phase, &count);
    bool undefined = false;
    bool has_scratch = core->device->target->ub_scratch > 0;
    for (size_t i = 0; has_scratch && i < count; i++) /* a source may lie in the library's; so may dst, below */
        ptog_scratch_used(core->sanitizer, &accesses[i], core->site);
    for (size_t i = 0; i < count; i++) {
        bool decides = ptog_effects_decide(insn->effects, phase, (enum ptog_operand_name)accesses[i].operand);
        undefined |= ptog_sanitizer_reads(core->sanitizer, &accesses[i], decides, core->site, core->insn);
    }
    if (undefined)
        follow(core, insn);
    for (size_t i = 0; i < count; i++)
        ptog_sanitizer_writes(core->sanitizer, &accesses[i], core->site);
    ptog_core_define_peers(core, accesses, count);
}

/* S writes the lines that an access stored to back to global memory, and waits for that. */
static void flush_lines(struct ptog_core *core, const struct ptog_access *access)
{
    if (access->space != PTOG_IN_GM || !ptog_access_writes(access))
        return;
    for (uint64_t at = access->at / PTOG_LINE_BYTES * PTOG_LINE_BYTES; at < access->at + access->bytes; at += PTOG_LINE_BYTES)
        ptog_scalar_cache_flush(core->sanitizer, access->buffer, at);
    ptog_scalar_cache_fence(core->sanitizer);
}

/* Tells the model of S's data cache what the instruction did to global memory: it reports stale reads, and an
 * instruction that flushes writes its lines back. */
static void judge_cache(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    bool uses_gm = core->sanitizer && insn->view >= 0;
    for (size_t i = 0; uses_gm && i < core->log.count; i++) {
        const struct ptog_access *access = &core->log.accesses[i];
        ptog_scalar_cache_access(core->sanitizer, insn->effects->phases[access->phase].pipe, access, core->site,
                                 core->insn);
        if (insn->effects->flushes && access->phase == 0)
            flush_lines(core, access);
    }
}

/* All phases at once, on the memory of issue order; the log says what they did. */
static enum ptog_status run_in_issue_order(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    struct ptog_sim sim = {.known = insn,
                           .memory = &core->issued,
                           .log = &core->log,
                           .dmas = &core->dmas,
                           .value = &core->value,
                           .peers = core->peers};
    enum ptog_status status = PTOG_OK;
    struct ptog_insn_picture picture;
    ptog_picture_start(&picture, core, insn);
    core->dmas.count = 0;
    ptog_log_clear(&core->log);
    core->log.each = core->device->trace.json.sink != NULL;
    core->log.unread = !core->sanitizer && !core->log.each; /* automatic flags have a sanitizer */
    if (insn->view >= 0)
        core->log.gm_reads = core->log.each || (core->sanitizer && may_be_stored_to(core, &insn->insn));
    if (core->sanitizer)
        ptog_memory_trace(&core->issued, ptog_sanitizer_trace(core->sanitizer, insn, core->site));
    for (int i = 0; i < insn->effects->phase_count && status == PTOG_OK; i++)
        status = ptog_sim_phase(&sim, i);
    ptog_memory_trace(&core->issued, NULL);
    look_at_other_data(core, insn);
    if (core->log.failed || core->possible.failed)
        core->device->failed = true;
    /* an index that nobody has written comes before what it leads to */
    for (int i = 0; core->sanitizer && i < insn->effects->phase_count; i++)
        define_phase(core, insn, i);
    judge_cache(core, insn);
    ptog_core_judge_log(core, &insn->insn, insn);
    ptog_core_add_stats(core, &core->log.stats);
    ptog_picture_end(&picture, core, insn, status == PTOG_OK);
    return status;
}

/* S does its part of an instruction now. */
static enum ptog_status scalar_phase(struct ptog_core *core, const struct ptog_known_insn *insn, int phase,
                                     double cycles, const struct ptog_event *event)
{
    struct ptog_sim sim = {.known = insn, .memory = &core->timed, .dmas = &core->timed_dmas, .value = &core->value};
    const struct ptog_cause cause = {.site = core->site, .accesses = event->accesses, .count = event->count};
    ptog_timeline_scalar(&core->timeline, PTOG_PERIOD_WORK, cycles, &cause);
    return ptog_timeline_phase(&core->timeline, &sim, phase, (uint32_t)core->instructions);
}

/* Fills in *work: what a phase does in simulated time, with its cycles and its transfers, or a share of the
 * instruction. S does its part at once. PTOG_NO_MEMORY when that cannot be kept. */
static enum ptog_status work_of(struct ptog_core *core, const struct ptog_known_insn *insn, int phase,
                                const struct ptog_event *event, struct ptog_work *work)
{
    double cycles = ptog_cost_phase(&core->device->costs, insn, phase, &core->log);
    work->box = core->log.box;
    work->box.transactions = core->log.stats.transactions;
    work->box.transaction_bytes = core->log.stats.transaction_bytes;
    if (event->pipe == PTOG_S)
        return scalar_phase(core, insn, phase, cycles, event);
    if (insn->effects->dmas) {
        size_t bytes = core->timed_dmas.count * sizeof *work->dmas;
        work->dmas = bytes > 0 ? malloc(bytes) : NULL;
        if (bytes > 0 && !work->dmas)
            return PTOG_NO_MEMORY;
        if (bytes > 0)
            memcpy(work->dmas, core->timed_dmas.of, bytes);
        work->dma_count = core->timed_dmas.count;
        work->issuing = ptog_sim_issuing(&core->device->costs, insn);
        work->issuing.began = core->timeline.began;
        return PTOG_OK;
    }
    work->insn = ptog_known_share(insn);
    if (!work->insn)
        return PTOG_NO_MEMORY;
    work->phase = phase;
    work->cycles = cycles;
    return PTOG_OK;
}

/* Enters a phase into the queue of its pipe with its accesses and its work, and gives it to the sanitizer. */
static enum ptog_status enter_phase(struct ptog_core *core, const struct ptog_known_insn *insn, int phase)
{
    struct ptog_work work = {0};
    struct ptog_event event = {.kind = PTOG_EVENT_WORK, .pipe = insn->effects->phases[phase].pipe};
    event.accesses = of_phase(&core->log, phase, &event.count);
    event.possible = of_phase(&core->possible, phase, &event.possible_count);
    if (!core->sanitizer && !core->device->trace.json.sink)
        event.count = 0;
    enum ptog_status status = work_of(core, insn, phase, &event, &work);
    if (status != PTOG_OK)
        return status;
    ptog_core_enter(core, &event, &work);
    return PTOG_OK;
}

/* A SIMT instruction needs its context, and counts for the budget. */
static bool may_launch(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    bool fresh;
    if (!insn->effects->simt)
        return true;
    if (core->sanitizer)
        ptog_sanitizer_simt(core->sanitizer, core->site, core->insn);
    if (core->device->options.launch != PTOG_LAUNCH_DIRECT)
        return true;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&core->device->shared.diags, PTOG_MACHINE_NO_SIMT_CONTEXT,
                                                       ptog_key(core->site, PTOG_AT_COUNT), core->insn, 0, &fresh);
    if (f && fresh) {
        f->diag.message = "mgather launches SIMT lanes, but the kernel has no SIMT context: the core hangs";
        ptog_diag_advise(f, ptog_fix_of_words("use the standard launch, not a call through a function pointer"));
    }
    core->hangs = true;
    return false;
}

/* Where the operands of an instruction lie on a core without a machine, for its plan. */
struct ptog_run ptog_core_buffers(struct ptog_core *core, const struct ptog_insn *insn)
{
    struct ptog_device *device = core->device;
    bool reads_ub = device->target->tile_oob == PTOG_TILE_OOB_READS_UB || device->watch;
    if (reads_ub && ptog_core_is_direct(core))
        ptog_direct_fill(&core->direct);
    struct ptog_run run = ptog_direct_buffers(&core->direct, &device->gm, insn, reads_ub);
    run.threads = (int)device->options.threads;
    if (insn->opcode == PTOG_TGETVAL)
        run.dst = (struct ptog_buf){&core->value, sizeof core->value};
    if (insn->opcode == PTOG_TMRGSORT)
        run.cdst = (struct ptog_buf){&core->value, sizeof core->value};
    return run;
}

/* Faults of lanes are in the report. */
static enum ptog_status judge_performed(struct ptog_core *core, const struct ptog_insn *insn, enum ptog_status status)
{
    ptog_core_judge_log(core, insn, NULL);
    return status == PTOG_FAULT ? PTOG_OK : status;
}

enum ptog_status ptog_core_perform_plan(struct ptog_core *core, const struct ptog_insn *insn, const ptog_plan *plan,
                                        const struct ptog_run *run)
{
    return judge_performed(core, insn, ptog_plan_run(plan, run, &core->log.fault));
}

/* Performs an instruction where there is no machine: at once, by its plan or, without one, as `known` says, after
 * telling whoever watches. Faults of lanes are reported, and PTOG_OK is returned for them. */
enum ptog_status ptog_core_perform(struct ptog_core *core, const struct ptog_insn *insn, const ptog_plan *plan,
                                   const struct ptog_known_insn *known)
{
    const struct ptog_watch *watch = core->device->watch;
    struct ptog_run run = ptog_core_buffers(core, insn);
    if (watch)
        watch->insn(watch->user, insn, &run);
    if (known && ptog_insn_sent(insn) >= 0)
        return judge_performed(core, insn, ptog_core_perform_peers(core, known, &run));
    if (plan)
        return ptog_core_perform_plan(core, insn, plan, &run);
    return judge_performed(core, insn, ptog_exec_once(known, &run, &core->log.fault));
}

const struct ptog_fault *ptog_core_fault(const ptog_core *core)
{
    return &core->log.fault;
}

/* Issues a verified instruction whose extents are known: it does its work in issue order, its phases enter their pipes
 * with its own flags around them, and the sanitizer judges it. PTOG_FAULT: the core has ended. */
enum ptog_status ptog_core_issue(struct ptog_core *core, const struct ptog_known_insn *insn)
{
    const struct ptog_effects *effects = insn->effects;
    const struct ptog_sim_family *family = ptog_sim_family_of(insn);
    enum ptog_status status = family->may_run ? family->may_run(insn, &core->issued) : PTOG_OK;
    if (status != PTOG_OK)
        return status;
    if (!may_launch(core, insn))
        return PTOG_FAULT;
    if (ptog_insn_sent(&insn->insn) >= 0)
        ptog_core_meet_peers(core);
    ptog_core_unit_flag(core, insn);
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    if (core->automatic.on) { /* what it touches is known first */
        status = run_in_issue_order(core, insn);
        ptog_core_order(core, effects);
    }
    own_flags(core, effects->before, effects->before_count);
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    if (!core->automatic.on)
        status = run_in_issue_order(core, insn);
    core->timed_dmas.count = 0;
    for (int i = 0; i < effects->phase_count && status == PTOG_OK; i++) {
        status = enter_phase(core, insn, i);
        if (i == 0)
            own_flags(core, effects->between, effects->between_count);
    }
    if (status != PTOG_OK) {
        core->device->failed = true;
        return status;
    }
    own_flags(core, effects->after, effects->after_count);
    return ptog_core_status(core);
}
