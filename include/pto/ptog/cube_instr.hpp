/* pto: the intrinsics of the cube core. Included by pto/common/pto_instr.hpp inside namespace pto, between its own: it uses the macros for
 * events that are defined there. TLOAD, TSTORE, TMOV, TEXTRACT and TINSERT without more words are those of the vector core. */
#ifndef PTO_PTOG_CUBE_INSTR_HPP
#define PTO_PTOG_CUBE_INSTR_HPP

/* TMATMUL(c, a, b), TMATMUL_ACC(c[, cIn], a, b), TMATMUL_BIAS(c, a, b, bias), and TGEMV alike; with a phase as the first template argument. */
#define PTOG_PRODUCTS(OPCODE, n, template_words, Phase)                                                                \
    template <template_words class Acc, class Left, class Right PTOG_TYPES_##n, ptog::if_tiles<Acc, Left, Right> = 0>  \
    PTO_INST RecordEvent OPCODE(Acc &c, Left &a, Right &b, PTOG_EVENTS_##n)                                            \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_M)                                                                                         \
        ptog::run_on_cube<PTOG_##OPCODE>(PTOG_HERE, #OPCODE, PIPE_M, ptog::phase_attrs(Phase), 0, c, a, b);            \
        return {PIPE_M};                                                                                               \
    }                                                                                                                  \
    template <template_words class Acc, class Left, class Right PTOG_TYPES_##n, ptog::if_tiles<Acc, Left, Right> = 0>  \
    PTO_INST RecordEvent OPCODE##_ACC(Acc &c, Left &a, Right &b, PTOG_EVENTS_##n)                                      \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_M)                                                                                         \
        ptog::run_on_cube<PTOG_##OPCODE##_ACC>(PTOG_HERE, #OPCODE "_ACC", PIPE_M, ptog::phase_attrs(Phase), 1, c, c, a, b); \
        return {PIPE_M};                                                                                               \
    }                                                                                                                  \
    template <template_words class Acc, class In, class Left, class Right PTOG_TYPES_##n,                              \
              ptog::if_tiles<Acc, In, Left, Right> = 0>                                                                \
    PTO_INST RecordEvent OPCODE##_ACC(Acc &c, In &in, Left &a, Right &b, PTOG_EVENTS_##n)                              \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_M)                                                                                         \
        ptog::run_on_cube<PTOG_##OPCODE##_ACC>(PTOG_HERE, #OPCODE "_ACC", PIPE_M, ptog::phase_attrs(Phase), 0, c, in, a, b); \
        return {PIPE_M};                                                                                               \
    }                                                                                                                  \
    template <template_words class Acc, class Left, class Right, class Bias PTOG_TYPES_##n,                            \
              ptog::if_tiles<Acc, Left, Right, Bias> = 0>                                                              \
    PTO_INST RecordEvent OPCODE##_BIAS(Acc &c, Left &a, Right &b, Bias &bias, PTOG_EVENTS_##n)                         \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_M)                                                                                         \
        ptog::run_on_cube<PTOG_##OPCODE##_BIAS>(PTOG_HERE, #OPCODE "_BIAS", PIPE_M, ptog::phase_attrs(Phase), 0, c, a, b, bias); \
        return {PIPE_M};                                                                                               \
    }
#define PTOG_DEFINE(n)                                                                                                 \
    PTOG_PRODUCTS(TMATMUL, n, , AccPhase::Unspecified) PTOG_PRODUCTS(TMATMUL, n, AccPhase Phase PTOG_COMMA, Phase)      \
    PTOG_PRODUCTS(TGEMV, n, , AccPhase::Unspecified) PTOG_PRODUCTS(TGEMV, n, AccPhase Phase PTOG_COMMA, Phase)
#define PTOG_COMMA ,
PTOG_DEFINE(0) PTOG_DEFINE(some)
#undef PTOG_DEFINE
#undef PTOG_PRODUCTS

/* TSTORE of an accumulator: TSTORE<Tile, Global, AtomicType, ReluPreMode>(dst, src[, scale]), TSTORE_FP(dst, src, scales); with a phase as
 * the first template argument. */
#define PTOG_NORMAL_RELU (Relu == ReluPreMode::NormalRelu)
#define PTOG_STORES(n, template_words, Phase)                                                                          \
    template <template_words class Tile_, class Global, AtomicType Atomic = AtomicType::AtomicNone,                    \
              ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n>                                                   \
    PTO_INST RecordEvent TSTORE(Global &dst, Tile_ &src, std::uint64_t scale, PTOG_EVENTS_##n)                         \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_store_acc(dst, src, PTOG_HERE, "TSTORE", Atomic, PTOG_NORMAL_RELU, Phase, scale);                    \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <template_words class Tile_, class Global, class Scales, AtomicType Atomic = AtomicType::AtomicNone,      \
              ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n, ptog::if_tiles<Scales> = 0>                       \
    PTO_INST RecordEvent TSTORE_FP(Global &dst, Tile_ &src, Scales &scales, PTOG_EVENTS_##n)                           \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_store_acc(dst, src, PTOG_HERE, "TSTORE_FP", Atomic, PTOG_NORMAL_RELU, Phase, scales);                \
        return {PIPE_FIX};                                                                                             \
    }
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Tile_, class Global, AtomicType Atomic, ReluPreMode Relu PTOG_TYPES_##n>                           \
    PTO_INST RecordEvent TSTORE(Global &dst, Tile_ &src, PTOG_EVENTS_##n)                                              \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_store_acc(dst, src, PTOG_HERE, "TSTORE", Atomic, PTOG_NORMAL_RELU, STPhase::Unspecified);            \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <STPhase Phase, class Tile_, class Global, AtomicType Atomic = AtomicType::AtomicNone,                    \
              ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n>                                                   \
    PTO_INST RecordEvent TSTORE(Global &dst, Tile_ &src, PTOG_EVENTS_##n)                                              \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_store_acc(dst, src, PTOG_HERE, "TSTORE", Atomic, PTOG_NORMAL_RELU, Phase);                           \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    PTOG_STORES(n, , STPhase::Unspecified) PTOG_STORES(n, STPhase Phase PTOG_COMMA, Phase)
PTOG_DEFINE(0) PTOG_DEFINE(some)
#undef PTOG_DEFINE
#undef PTOG_STORES
#undef PTOG_NORMAL_RELU
#undef PTOG_COMMA

/* Copies of accumulators to L1 and to UB: TMOV<Dst, Src, ReluPreMode>(dst, src[, scale]), TMOV_FP(dst, src, scales), and TEXTRACT and TINSERT
 * alike with a row and a column behind; to UB also with AccToVecMode before the relu, and scales as an operand of the plain name. */
#define PTOG_NORMAL_RELU (Relu == ReluPreMode::NormalRelu)
#define PTOG_COPIES(n, default_relu, template_words, ...)                                                              \
    template <class Dst, class Src, template_words ReluPreMode Relu default_relu PTOG_TYPES_##n>                       \
    PTO_INST RecordEvent TMOV(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                     \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_TMOV>(PTOG_HERE, "TMOV", PIPE_FIX, ptog::relu_attrs(__VA_ARGS__), 0, dst, src);         \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <class Dst, class Src, template_words ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n>              \
    PTO_INST RecordEvent TMOV(Dst &dst, Src &src, std::uint64_t scale, PTOG_EVENTS_##n)                                \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_TMOV>(PTOG_HERE, "TMOV", PIPE_FIX, ptog::relu_attrs(__VA_ARGS__), 0, dst, src, scale);  \
        return {PIPE_FIX};                                                                                             \
    }
#define PTOG_DEFINE(n)                                                                                                 \
    PTOG_COPIES(n, , , PTOG_NORMAL_RELU)                                                                               \
    PTOG_COPIES(n, = ReluPreMode::NoRelu, AccToVecMode Mode PTOG_COMMA, PTOG_NORMAL_RELU, Mode)                        \
    template <class Dst, class Src, class Scales, ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n,               \
              ptog::if_tiles<Scales> = 0>                                                                              \
    PTO_INST RecordEvent TMOV_FP(Dst &dst, Src &src, Scales &scales, PTOG_EVENTS_##n)                                  \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_TMOV>(PTOG_HERE, "TMOV_FP", PIPE_FIX, ptog::relu_attrs(PTOG_NORMAL_RELU), 0, dst, src,  \
                                     scales);                                                                          \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <class Dst, class Src, class Scales, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu            \
              PTOG_TYPES_##n, ptog::if_tiles<Scales> = 0>                                                              \
    PTO_INST RecordEvent TMOV(Dst &dst, Src &src, Scales &scales, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_TMOV>(PTOG_HERE, "TMOV", PIPE_FIX, ptog::relu_attrs(PTOG_NORMAL_RELU, Mode), 0, dst,    \
                                     src, scales);                                                                     \
        return {PIPE_FIX};                                                                                             \
    }
#define PTOG_COMMA ,
PTOG_DEFINE(0) PTOG_DEFINE(some)
#undef PTOG_DEFINE
#undef PTOG_COPIES

#define PTOG_WINDOW(OPCODE, n, default_relu, template_words, ...)                                                      \
    template <class Dst, class Src, template_words ReluPreMode Relu default_relu PTOG_TYPES_##n>                       \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, std::uint32_t row, std::uint32_t col, PTOG_EVENTS_##n)             \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_##OPCODE>(PTOG_HERE, #OPCODE, PIPE_FIX, ptog::relu_attrs(__VA_ARGS__), 0, dst, src, row,\
                                         col);                                                                         \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <class Dst, class Src, template_words ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n>              \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, std::uint64_t scale, std::uint32_t row, std::uint32_t col,         \
                                PTOG_EVENTS_##n)                                                                       \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_##OPCODE>(PTOG_HERE, #OPCODE, PIPE_FIX, ptog::relu_attrs(__VA_ARGS__), 0, dst, src, row,\
                                         col, scale);                                                                  \
        return {PIPE_FIX};                                                                                             \
    }
#define PTOG_WINDOWS(OPCODE, n)                                                                                        \
    PTOG_WINDOW(OPCODE, n, , , PTOG_NORMAL_RELU)                                                                       \
    PTOG_WINDOW(OPCODE, n, = ReluPreMode::NoRelu, AccToVecMode Mode PTOG_COMMA, PTOG_NORMAL_RELU, Mode)                \
    template <class Dst, class Src, class Scales, ReluPreMode Relu = ReluPreMode::NoRelu PTOG_TYPES_##n,               \
              ptog::if_tiles<Scales> = 0>                                                                              \
    PTO_INST RecordEvent OPCODE##_FP(Dst &dst, Src &src, Scales &scales, std::uint32_t row, std::uint32_t col,         \
                                     PTOG_EVENTS_##n)                                                                  \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_##OPCODE>(PTOG_HERE, #OPCODE "_FP", PIPE_FIX, ptog::relu_attrs(PTOG_NORMAL_RELU), 0,    \
                                         dst, src, row, col, scales);                                                  \
        return {PIPE_FIX};                                                                                             \
    }                                                                                                                  \
    template <class Dst, class Src, class Scales, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu            \
              PTOG_TYPES_##n, ptog::if_tiles<Scales> = 0>                                                              \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, Scales &scales, std::uint32_t row, std::uint32_t col,              \
                                PTOG_EVENTS_##n)                                                                       \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_FIX)                                                                                       \
        ptog::run_on_cube<PTOG_##OPCODE>(PTOG_HERE, #OPCODE, PIPE_FIX, ptog::relu_attrs(PTOG_NORMAL_RELU, Mode), 0,    \
                                         dst, src, row, col, scales);                                                  \
        return {PIPE_FIX};                                                                                             \
    }
PTOG_WINDOWS(TEXTRACT, 0) PTOG_WINDOWS(TEXTRACT, some) PTOG_WINDOWS(TINSERT, 0) PTOG_WINDOWS(TINSERT, some)
#undef PTOG_WINDOWS
#undef PTOG_WINDOW
#undef PTOG_NORMAL_RELU
#undef PTOG_COMMA

#endif
