/* model: what an instruction does to the machine: its phases, each on a pipe, with what it reads and writes and the
 * flags it sets and waits for itself. The rows are in spec/effects.def; this file finds the row of an instruction by
 * its form, the kind of machine and the row's condition. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/effects.h"

#include "model/condition.h"

/* The words of the table. */
__extension__ enum {
#define FORM(NAME, ...) NAME = PTOG_FORM_BIT(PTOG_FORM_##NAME),
#include <ptog/spec/forms.def>
};
enum {
    DMA = 1 << PTOG_MACHINE_DMA,
    SIMT = 1 << PTOG_MACHINE_SIMT,
};

#define ONLY(OPCODE) ((ptog_form_set)PTOG_##OPCODE << PTOG_FORMS)
#define R(operand, extent)                                                                                             \
    {                                                                                                                  \
        PTOG_AT_##operand, false, PTOG_BYTES_##extent, false                                                           \
    }
#define D(operand, extent)                                                                                             \
    {                                                                                                                  \
        PTOG_AT_##operand, false, PTOG_BYTES_##extent, true                                                            \
    }
#define W(operand, extent)                                                                                             \
    {                                                                                                                  \
        PTOG_AT_##operand, true, PTOG_BYTES_##extent, false                                                            \
    }
#define PHASE(pipe, ...)                                                                                               \
    {                                                                                                                  \
        PTOG_##pipe, {__VA_ARGS__}, sizeof((struct ptog_effect[]){__VA_ARGS__}) / sizeof(struct ptog_effect)           \
    }
#define PHASES(...)                                                                                                    \
    .phases = {__VA_ARGS__}, .phase_count = sizeof((struct ptog_phase[]){__VA_ARGS__}) / sizeof(struct ptog_phase)
#define PAIR(src, dst)                                                                                                 \
    {                                                                                                                  \
        PTOG_##src, PTOG_##dst                                                                                         \
    }
#define BEFORE(...)                                                                                                    \
    .before = {__VA_ARGS__},                                                                                           \
    .before_count = sizeof((struct ptog_flag_pair[]){__VA_ARGS__}) / sizeof(struct ptog_flag_pair)
#define BETWEEN(...)                                                                                                   \
    .between = {__VA_ARGS__},                                                                                          \
    .between_count = sizeof((struct ptog_flag_pair[]){__VA_ARGS__}) / sizeof(struct ptog_flag_pair)
#define AFTER(...)                                                                                                     \
    .after = {__VA_ARGS__},                                                                                            \
    .after_count = sizeof((struct ptog_flag_pair[]){__VA_ARGS__}) / sizeof(struct ptog_flag_pair)

static const struct effect_row {
    ptog_form_set forms;
    unsigned machines;
    enum ptog_condition condition;
    struct ptog_effects effects;
} rows[] = {
#define EFFECT(forms, machines, condition, ...) {forms, machines, PTOG_WHEN_##condition, {__VA_ARGS__}},
#include "spec/effects.def"
#undef EFFECT
};

#define EFFECT(forms, machines, condition, ...)                                                                        \
    | (PTOG_WHEN_##condition == PTOG_WHEN_ALWAYS && ((machines)&MACHINE) && (forms) <= PTOG_ALL_FORMS                  \
           ? (ptog_form_set)(forms)                                                                                    \
           : 0)
#define MACHINE DMA
_Static_assert((0
#include "spec/effects.def"
                ) == PTOG_ALL_FORMS,
               "spec/effects.def: a form has no row for DMA machines");
#undef MACHINE
#define MACHINE SIMT
_Static_assert((0
#include "spec/effects.def"
                ) == PTOG_ALL_FORMS,
               "spec/effects.def: a form has no row for SIMT machines");
#undef MACHINE
#undef EFFECT

/* Whether a row of effects.def is about the instruction's form, or about its opcode alone. */
static bool is_for(const struct effect_row *row, const struct ptog_known_insn *known)
{
    ptog_form_set only = row->forms >> PTOG_FORMS;
    if (only)
        return only == (ptog_form_set)known->insn.opcode;
    return (row->forms & PTOG_FORM_BIT(known->form)) != 0;
}

const struct ptog_effects *ptog_effects_of(const struct ptog_known_insn *known, const struct ptog_insn *written)
{
    const struct ptog_rule_context c = {known->target, &known->insn, written, false, 0, known->open};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct effect_row *row = &rows[i];
        if (is_for(row, known) && (row->machines & 1u << known->target->machine) &&
            ptog_condition_holds(row->condition, &c))
            return &row->effects;
    }
    return NULL; /* a target without a machine */
}

bool ptog_core_has_pipe(const struct ptog_target *target, bool cube, enum ptog_pipe pipe)
{
    switch (pipe) {
    case PTOG_S:
    case PTOG_MTE2: return true;
    case PTOG_MTE3: return !cube || !target->loads_any_location; /* a5 does not store from L1 */
    case PTOG_V: return !cube;
    case PTOG_M:
    case PTOG_MTE1:
    case PTOG_FIX: return cube;
    default: return false;
    }
}

bool ptog_pipe_needs_barrier(const struct ptog_target *target, enum ptog_pipe pipe)
{
    return pipe == PTOG_MTE2 || pipe == PTOG_MTE3 || pipe == PTOG_MTE1 || pipe == PTOG_FIX ||
           (pipe == PTOG_V && target->v_overtakes);
}

bool ptog_effects_decide(const struct ptog_effects *effects, int phase, enum ptog_operand_name operand)
{
    const struct ptog_phase *p = &effects->phases[phase];
    for (int i = 0; i < p->count; i++)
        if (p->effects[i].operand == operand && p->effects[i].decides)
            return true;
    return false;
}
