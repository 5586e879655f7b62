/* core: instructions that write memory of another core of the block: an accumulator goes from the cube core to UB of
 * its vector cores, a tile of a vector core to L1. The instruction is of the core that issues it; only what it writes
 * belongs to the other one, whose sanitizer learns of it. */
#ifndef PTOG_CORE_PEERS_H
#define PTOG_CORE_PEERS_H

#include "model/events.h"

struct ptog_core;
struct ptog_fault;
struct ptog_run;

/* The core of the block that `peer` stands for; NULL: it is not open. Where cores are not linked, the core itself. */
struct ptog_core *ptog_core_peer(struct ptog_core *core, int peer);

/* Makes the memories of the others known to the core; forgets that of a core that ends. */
void ptog_core_meet_peers(struct ptog_core *core);
void ptog_core_leave_peers(struct ptog_core *core);

/* What the phase of an instruction has written there is defined, or padding. */
void ptog_core_define_peers(struct ptog_core *core, const struct ptog_access *accesses, size_t count);

/* After an instruction that was refused: what it would have sent counts as written. */
void ptog_core_preset_peers(struct ptog_core *core, const struct ptog_insn *insn);

/* Where there is no machine: makes the others' memories reach to the end of the tile that is sent, and performs the
 * instruction, once for each of them. */
enum ptog_status ptog_core_reach_peers(struct ptog_core *core, const struct ptog_insn *insn);
enum ptog_status ptog_core_perform_peers(struct ptog_core *core, const struct ptog_known_insn *known,
                                         const struct ptog_run *run);

#endif
