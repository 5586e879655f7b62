/* A part of pto/common/pto_instr.hpp, in its namespace and with its macros: instructions whose precision is a template
 * argument, as TEXP<ExpAlgorithm::HIGH_PRECISION>(dst, src). Not included by itself. Results are rounded once
 * anyway; what it changes are remainders. */
/* clang-format off */
#undef PTOG_EACH_PRECISION
#define PTOG_EACH_PRECISION , Precision
#define PTOG_PRECISE(OPCODE, letters)                                                                                  \
    PTOG_EACH_##letters(OPCODE, 0, auto Precision, ) PTOG_EACH_##letters(OPCODE, some, auto Precision, )
PTOG_PRECISE(TEXP, t)
PTOG_PRECISE(TLOG, t)
PTOG_PRECISE(TSQRT, t)
PTOG_PRECISE(TRECIP, t)
PTOG_PRECISE(TRSQRT, tx)
PTOG_PRECISE(TDIV, tt)
PTOG_PRECISE(TDIVS, pp)
PTOG_PRECISE(TFMOD, tt)
PTOG_PRECISE(TFMODS, ts)
PTOG_PRECISE(TREM, ttx)
PTOG_PRECISE(TREMS, tsx)
PTOG_PRECISE(TPOW, ttx)
PTOG_PRECISE(TPOWS, tsx)
PTOG_PRECISE(TROWEXPANDDIV, ttx)
PTOG_PRECISE(TCOLEXPANDDIV, tt)
#undef PTOG_PRECISE
#undef PTOG_EACH_PRECISION
#define PTOG_EACH_PRECISION
/* clang-format on */
