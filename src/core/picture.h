/* core: pictures of instructions in a trace, for the page of a report. Each place of a program is drawn as it runs for
 * the first time, with what its tiles hold then, and the bytes of global memory that it accesses. */
#ifndef PTOG_CORE_PICTURE_H
#define PTOG_CORE_PICTURE_H

#include "base/arena.h"
#include "core/device.h"

/* An instruction in the making: what its tiles held before it ran. */
struct ptog_insn_picture {
    bool wanted, no_memory;
    struct ptog_run run;
    struct ptog_arena bytes;
};

/* Before the instruction runs in issue order: keeps its tiles, where a picture of it is wanted. */
void ptog_picture_start(struct ptog_insn_picture *picture, struct ptog_core *core, const struct ptog_known_insn *insn);

/* After it ran, with the core's log of what it accessed: draws it, if it ran well. */
void ptog_picture_end(struct ptog_insn_picture *picture, struct ptog_core *core, const struct ptog_known_insn *insn,
                      bool good);

#endif
