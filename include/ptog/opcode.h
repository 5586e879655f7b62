/* The instructions by name: PTOG_TLOAD, PTOG_MGATHER, PTOG_TADD, ... ptog/insn.h includes this header; there is no need
 * to include it as well.
 *
 * The files of this project are compiled with PTOG_WITHOUT_OPCODES: those that name no instruction have the type without
 * its names, and need not be compiled again when an instruction is added. One that does name some defines
 * PTOG_NAMES_OPCODES before its first include. */
#ifndef PTOG_OPCODE_H
#define PTOG_OPCODE_H

/* Rows of ptog/spec/insns.def. A row names the operands in their order, and says which are written. ptog/version.h says
 * how long a number stays the same. */
enum ptog_opcode {
    PTOG_NO_INSN = 0, /* none: every call refuses it */
#if !defined(PTOG_WITHOUT_OPCODES) || defined(PTOG_NAMES_OPCODES)
#include <ptog/spec/hide_macros.def>
#define INSN(OPCODE, ...) PTOG_##OPCODE,
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
    PTOG_OPCODES /* how many numbers there are, PTOG_NO_INSN included */
#endif
};

#endif
