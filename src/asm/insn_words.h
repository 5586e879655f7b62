/* asm: the symbols of the tile instructions: PTOG_OP_NAME_MGATHER is "pto.mgather" in every tree. */
#ifndef PTOG_ASM_INSN_WORDS_H
#define PTOG_ASM_INSN_WORDS_H

#include "asm/words.h"

enum ptog_insn_word {
    PTOG_INSN_WORD_BEFORE = PTOG_WORD_END - 1, /* so that the next one is PTOG_WORD_END */
#define INSN(OPCODE, ...) PTOG_OP_NAME_##OPCODE,
#include <ptog/spec/insns.def>
    PTOG_INSN_WORDS_END
};

#endif
