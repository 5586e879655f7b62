/* model: targets as bits of a mask, one per row of spec/targets.def. */
#ifndef PTOG_MODEL_TARGET_H
#define PTOG_MODEL_TARGET_H

#include <ptog/target.h>

#include "model/insn.h"

enum ptog_on {
#define TARGET(NAME, ...) PTOG_ON_##NAME = 1 << PTOG_TARGET_##NAME,
#include <ptog/spec/targets.def>
    PTOG_ON_ALL = (1 << PTOG_TARGETS) - 1
};

/* The target that a program has when nothing names one: what instructions mean, without the limits of a device. */
static inline const struct ptog_target *ptog_target_default(void)
{
    return ptog_target_at(PTOG_TARGET_HOST);
}

/* The target of a device that pto.device-spec names, and the one that is assumed where the name of a target is unknown.
 */
const struct ptog_target *ptog_target_of_device(const char *device);
static inline const struct ptog_target *ptog_target_assumed(void)
{
    return ptog_target_at(PTOG_TARGET_A2A3);
}

/* The same as ptog_target_types, for an operand by its number. */
uint32_t ptog_accepted_types(const struct ptog_target *target, enum ptog_opcode opcode, enum ptog_form form,
                             enum ptog_operand_name operand);

#endif
