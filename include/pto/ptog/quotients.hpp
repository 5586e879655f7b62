/* A part of pto/common/pto_instr.hpp, in its namespace and with its macros: quotients whose precision is a template
 * argument. Not included by itself. */
/* clang-format off */
/* TROWEXPANDDIV<DivAlgorithm::HIGH_PRECISION>(dst, src0, src1[, tmp]) and the like: a quotient is rounded once anyway. */
#define PTOG_QUOTIENT(OPCODE, n)                                                                                       \
    template <DivAlgorithm Precision, class Dst, class Src0, class Src1 PTOG_TYPES_##n,                                \
              ptog::if_tiles<Src0, Src1> = 0>                                                                          \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        ptog::check_elementwise<PTOG_##OPCODE, Dst, Src0, Src1>();                                                     \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src0, src1);                                              \
        return {PIPE_V};                                                                                               \
    }
#define PTOG_DEFINE(n)                                                                                                 \
    PTOG_QUOTIENT(TDIV, n)                                                                                             \
    PTOG_QUOTIENT(TROWEXPANDDIV, n)                                                                                    \
    PTOG_QUOTIENT(TCOLEXPANDDIV, n)                                                                                    \
    template <DivAlgorithm Precision, class Dst, class Src0, class Src1, class Tmp PTOG_TYPES_##n,                     \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TROWEXPANDDIV(Dst &dst, Src0 &src0, Src1 &src1, Tmp &tmp, PTOG_EVENTS_##n)                    \
    {                                                                                                                  \
        ptog::check_elementwise<PTOG_TROWEXPANDDIV, Dst, Src0, Src1>();                                                \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TROWEXPANDDIV>(PTOG_HERE, dst, src0, src1, tmp);                                    \
        return {PIPE_V};                                                                                               \
    }
PTOG_DEFINE(0)
PTOG_DEFINE(some)
#undef PTOG_DEFINE
#undef PTOG_QUOTIENT
/* clang-format on */
