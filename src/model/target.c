/* model: targets, from spec/targets.def, their other names, from spec/target_aliases.def, and the types that they take,
 * from spec/accepts.def. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/target.h"

#include <string.h>

/* A target that is like another starts with its fields; its own come after them and win. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
enum { NO_MACHINE = PTOG_NO_MACHINE, DMA = PTOG_MACHINE_DMA, SIMT = PTOG_MACHINE_SIMT };
#define FIELDS(NAME, name_, LIKE, machine_, ...)                                                                       \
    .name = (name_), .bit = PTOG_ON_##NAME, .as = PTOG_ON_##NAME | PTOG_ON_##LIKE,                                     \
    .machine = (enum ptog_machine_kind)machine_, __VA_ARGS__
static const struct ptog_target targets[PTOG_TARGETS] = {
#define TARGET(NAME, ...) [PTOG_TARGET_##NAME] = {FIELDS(NAME, __VA_ARGS__)},
#include <ptog/spec/targets.def>
};
static const struct ptog_target aicore_targets[PTOG_TARGETS] = {
#define TARGET(NAME, ...) [PTOG_TARGET_##NAME] = {FIELDS(NAME, __VA_ARGS__), .aicore = true},
#include <ptog/spec/targets.def>
};
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static const struct ptog_target_alias aliases[] = {
#define TARGET_ALIAS(name, on, what) {(name), &targets[PTOG_TARGET_##on], (what)},
#include "spec/target_aliases.def"
};

static const struct device_name {
    const char *start;
    const struct ptog_target *target;
} devices[] = {
#define TARGET_DEVICE(start, on) {(start), &targets[PTOG_TARGET_##on]},
#include "spec/target_aliases.def"
};

const struct ptog_target *ptog_target_at(size_t i)
{
    if (i < PTOG_TARGETS)
        return &targets[i];
    return NULL;
}

const struct ptog_target *ptog_target_find(const char *name)
{
    for (size_t i = 0; name && i < PTOG_TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    for (size_t i = 0; name && ptog_target_alias_at(i); i++)
        if (strcmp(aliases[i].name, name) == 0)
            return aliases[i].target;
    return NULL;
}

const struct ptog_target_alias *ptog_target_alias_at(size_t i)
{
    if (i < sizeof aliases / sizeof aliases[0])
        return &aliases[i];
    return NULL;
}

const struct ptog_target *ptog_target_of_device(const char *device)
{
    size_t i = 0;
    while (strncmp(device, devices[i].start, strlen(devices[i].start)) != 0)
        i++; /* the last one fits all */
    return devices[i].target;
}

/* ---- types */

#define PTOG_AT_DATA PTOG_AT_COUNT /* every operand that no row before names */

static const struct accepts {
    enum ptog_opcode opcode;
    ptog_form_set forms;
    enum ptog_operand_name operand;
    uint32_t targets, types;
} accepts[] = {
#define ACCEPTS(OPCODE, forms, operand, targets, types) {PTOG_##OPCODE, forms, PTOG_AT_##operand, targets, types},
#include <ptog/spec/accepts.def>
};

/* The opcodes of those rows, side by side: the first row of one is found at once. */
static const uint8_t accepts_opcodes[] = {
#define ACCEPTS(OPCODE, ...) PTOG_##OPCODE,
#include <ptog/spec/accepts.def>
};
_Static_assert(PTOG_OPCODES <= UINT8_MAX, "an opcode does not fit in a byte of accepts_opcodes");

static const struct accepts accepts_aicore[] = {
#define ACCEPTS_AICORE(OPCODE, forms, operand, targets, types)                                                         \
    {PTOG_##OPCODE, forms, PTOG_AT_##operand, targets, types},
#include <ptog/spec/accepts.def>
};
#define COUNT_OF(rows) (sizeof(rows) / sizeof(rows)[0])

const struct ptog_target *ptog_target_aicore(const struct ptog_target *target)
{
    for (size_t i = 0; target && i < COUNT_OF(accepts_aicore); i++)
        if (accepts_aicore[i].targets & target->as)
            return &aicore_targets[__builtin_ctz(target->bit)];
    return target;
}

/* A target that is not like another one has rows of its own. */
#define TARGET(NAME, name, LIKE, ...) | (PTOG_TARGET_##NAME == PTOG_TARGET_##LIKE ? PTOG_ON_##NAME : 0)
#define ACCEPTS(OPCODE, forms, operand, targets, types) | ((targets) == ~0u ? 0 : (targets))
_Static_assert(((0
#include <ptog/spec/targets.def>
                 ) &
                ~(0
#include <ptog/spec/accepts.def>
                  )) == 0,
               "spec/accepts.def has no row for a target that is not like another one");

static bool row_fits(const struct accepts *row, enum ptog_opcode opcode, enum ptog_form form,
                     enum ptog_operand_name operand, uint32_t on)
{
    bool named = row->operand == operand || row->operand == PTOG_AT_DATA;
    return row->opcode == opcode && (row->forms & PTOG_FORM_BIT(form)) && named && (row->targets & on);
}

/* The first row with the types of an operand on these targets; NULL: there is none. */
static const struct accepts *row_for(enum ptog_opcode opcode, enum ptog_form form, enum ptog_operand_name operand,
                                     uint32_t on)
{
    const uint8_t *first = memchr(accepts_opcodes, (int)opcode, sizeof accepts_opcodes);
    for (size_t i = first ? (size_t)(first - accepts_opcodes) : COUNT_OF(accepts); i < COUNT_OF(accepts); i++)
        if (row_fits(&accepts[i], opcode, form, operand, on))
            return &accepts[i];
    return NULL;
}

/* The types that a build with __CCE_AICORE__ adds. */
static uint32_t more_types(const struct ptog_target *target, enum ptog_opcode opcode, enum ptog_form form,
                           enum ptog_operand_name operand)
{
    uint32_t types = 0;
    for (size_t i = 0; target->aicore && i < COUNT_OF(accepts_aicore); i++)
        if (row_fits(&accepts_aicore[i], opcode, form, operand, target->as))
            types |= accepts_aicore[i].types;
    return types;
}

uint32_t ptog_accepted_types(const struct ptog_target *target, enum ptog_opcode opcode, enum ptog_form form,
                             enum ptog_operand_name operand)
{
    const struct accepts *own = row_for(opcode, form, operand, target->bit);
    const struct accepts *row = own;
    if ((!own || own->targets == ~0u) && target->as != target->bit)
        row = row_for(opcode, form, operand, target->as);
    if (row)
        return row->types | more_types(target, opcode, form, operand);
    return ~0u;
}

uint32_t ptog_target_types(const struct ptog_target *target, enum ptog_opcode opcode, enum ptog_form form,
                           const char *operand)
{
    for (int name = 0; target && operand && name < PTOG_AT_COUNT; name++)
        if (strcmp(ptog_operand_name((enum ptog_operand_name)name), operand) == 0)
            return ptog_accepted_types(target, opcode, form, (enum ptog_operand_name)name);
    return 0;
}
