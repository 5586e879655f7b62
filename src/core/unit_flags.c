/* core: phases of products and of stores. The machine has a pair of flags in their place, set when the instruction that
 * waits is issued: it waits for everything that the other pipe has been given by then, and not for the one accumulator
 * alone. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "core/unit_flags.h"

#include <stdlib.h>

#include "base/array.h"
#include "core/device.h"

#define UNIT_FLAG_ID 7 /* of the pair: compilers leave it free between M and FIX */

/* The accumulator that begins there, entered when it is new; NULL when out of memory. */
static struct ptog_unit_flag *flag_of(struct ptog_core *core, uint64_t addr)
{
    struct ptog_unit_flags *flags = &core->unit_flags;
    for (size_t i = 0; i < flags->count; i++)
        if (flags->of[i].addr == addr)
            return &flags->of[i];
    if (!ptog_array_reserve(&flags->of, flags->count + 1, &flags->room)) {
        core->device->failed = true;
        return NULL;
    }
    flags->of[flags->count] = (struct ptog_unit_flag){.addr = addr};
    return &flags->of[flags->count++];
}

/* Reports that an instruction with a phase waits for ever, at its place. */
static void say_mismatch(struct ptog_core *core, uint32_t site, uint64_t insn, const char *message, const char *fix)
{
    bool fresh;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&core->device->shared.diags, PTOG_MACHINE_UNIT_FLAG,
                                                       ptog_key(site, PTOG_AT_COUNT), insn, 0, &fresh);
    if (!f || !fresh)
        return;
    f->diag.message = ptog_diag_text(&core->device->shared.diags, message,
                                     ptog_names_insn(&core->device->shared.names, site));
    ptog_diag_advise(f, ptog_fix_of_words(fix));
}

/* The instruction on `dst` starts when `src` has done what it has been given. */
static void wait_for_unit(struct ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst)
{
    struct ptog_event event = {
        .kind = PTOG_EVENT_SET, .pipe = src, .src = src, .dst = dst, .id = UNIT_FLAG_ID, .own = true};
    ptog_core_enter(core, &event, NULL);
    event.kind = PTOG_EVENT_WAIT;
    event.pipe = dst;
    ptog_core_enter(core, &event, NULL);
}

/* A product with a phase: it comes after the store that has emptied its accumulator. */
static void multiply(struct ptog_core *core, struct ptog_unit_flag *flag, int32_t phase)
{
    if (flag->full && core->sanitizer)
        say_mismatch(core, core->site, core->insn,
                     "%s waits for a store with stPhase final, but the last product of this accumulator was not stored so",
                     "give the tstore before it stPhase = #pto<st_phase final>, or this chain of products no second end");
    if (flag->emptied)
        wait_for_unit(core, PTOG_FIX, PTOG_M);
    flag->emptied = false;
    flag->full = phase == PTOG_PHASE_FINAL;
    flag->site = core->site;
    flag->insn = core->insn;
}

/* A store with a phase: it comes after the product that has ended the chain. */
static void store(struct ptog_core *core, struct ptog_unit_flag *flag, int32_t phase)
{
    if (!flag->full && core->sanitizer)
        say_mismatch(core, core->site, core->insn, "%s waits for a product with accPhase final, and there is none",
                     "give the last product accPhase = #pto<acc_phase final>, or remove stPhase");
    if (flag->full)
        wait_for_unit(core, PTOG_M, PTOG_FIX);
    if (phase == PTOG_PHASE_FINAL) {
        flag->emptied = flag->full;
        flag->full = false;
    }
}

void ptog_core_unit_flag(struct ptog_core *core, const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    bool stores = known->form == PTOG_FORM_STORE_ACC;
    if (!stores && known->form != PTOG_FORM_PRODUCT)
        return;
    int32_t phase = insn->attr[PTOG_PRODUCT_PHASE];
    const struct ptog_tile *acc = &insn->of[0].tile; /* dst of a product, the tile of a store */
    if (stores)
        phase = insn->attr[PTOG_TSTORE_PHASE];
    if (phase == PTOG_PHASE_NONE)
        return;
    struct ptog_unit_flag *flag = flag_of(core, acc->addr);
    if (flag && stores)
        store(core, flag, phase);
    else if (flag)
        multiply(core, flag, phase);
}

void ptog_core_unit_flags_left(struct ptog_core *core)
{
    for (size_t i = 0; i < core->unit_flags.count; i++) {
        const struct ptog_unit_flag *flag = &core->unit_flags.of[i];
        if (flag->full)
            say_mismatch(core, flag->site, flag->insn, "no store with stPhase final empties the accumulator of %s",
                         "give the tstore of the accumulator stPhase = #pto<st_phase final>, or remove accPhase");
    }
}
