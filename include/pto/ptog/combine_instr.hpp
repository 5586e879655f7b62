/* pto: the intrinsics that combine elements of several tiles. Included by pto/common/pto_instr.hpp inside namespace
 * pto, between its own: it uses the macros for events that are defined there. */
#ifndef PTO_PTOG_COMBINE_INSTR_HPP
#define PTO_PTOG_COMBINE_INSTR_HPP

} // namespace pto

namespace ptog
{

/* TQUANT to 8-bit integers: with an offset they have no sign. */
template <auto Quant, class Dst, class Src, class... Operands>
void run_quant(place at, Dst &dst, Src &src, Operands &...operands)
{
    constexpr bool whole = Quant == pto::QuantType::INT8_SYM || Quant == pto::QuantType::INT8_ASYM;
    static_assert(whole, "not supported yet: TQUANT to microscaling formats (MXFP8, MXFP4)");
    using Element = typename Dst::DType;
    static_assert(std::is_same_v<Element, std::conditional_t<Quant == pto::QuantType::INT8_SYM, std::int8_t, std::uint8_t>>,
                  "TQUANT: INT8_SYM produces int8_t, and INT8_ASYM uint8_t");
    check_combine<PTOG_TQUANT, Dst, Src>();
    run_elementwise<PTOG_TQUANT>(at, dst, src, operands...);
}
template <auto Quant, class Dst, class Src, class Scale, class Tmp>
void run_quant_at(place at, Dst &dst, Src &src, Scale &scale, Tmp &tmp, Scale *offset)
{
    if (offset)
        run_quant<Quant>(at, dst, src, scale, tmp, *offset);
    else
        run_quant<Quant>(at, dst, src, scale, tmp);
}

} // namespace ptog

namespace pto
{

/* TADDC(dst, src0, src1, src2), TADDSC(dst, src0, scalar, src1). */
#define PTOG_THREE_SUMMANDS(OPCODE, n)                                                                                 \
    template <class Dst, class Src0, class Src1, class Src2 PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1, Src2> = 0>      \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, Src2 &src2, PTOG_EVENTS_##n)                         \
    {                                                                                                                  \
        ptog::check_combine<PTOG_##OPCODE, Dst, Src0, Src1>();                                                         \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src0, src1, src2);                 \
        return {PIPE_V};                                                                                               \
    }
#define PTOG_SCALAR_SUMMAND(OPCODE, n)                                                                                 \
    template <class Dst, class Src0, class Src1 PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1> = 0>                        \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, typename Src0::DType value, Src1 &src1, PTOG_EVENTS_##n)         \
    {                                                                                                                  \
        ptog::check_combine<PTOG_##OPCODE, Dst, Src0, Src1>();                                                         \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src0, value, src1);                \
        return {PIPE_V};                                                                                               \
    }

/* TADDRELUCONV(dst, src0, src1). */
#define PTOG_NARROWED_SUM(OPCODE, n)                                                                                   \
    template <class Dst, class Src0, class Src1 PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1> = 0>                        \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        ptog::check_combine<PTOG_##OPCODE, Dst, Src0, Src1>();                                                         \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src0, src1);                       \
        return {PIPE_V};                                                                                               \
    }

/* TPARTARGMAX(dst, src0, src1, dstIdx, src0Idx, src1Idx). Where nothing of a source is valid, the other one is copied.
 */
#define PTOG_PART_WITH_INDEX(OPCODE, n)                                                                                \
    template <class Dst, class Src0, class Src1, class DstIdx, class Idx0, class Idx1 PTOG_TYPES_##n,                  \
              ptog::if_tiles<Src0, Src1, DstIdx, Idx0, Idx1> = 0>                                                      \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, DstIdx &dstIdx, Idx0 &src0Idx, Idx1 &src1Idx,        \
                                PTOG_EVENTS_##n)                                                                       \
    {                                                                                                                  \
        ptog::check_combine<PTOG_##OPCODE, Dst, Src0, Src1>();                                                         \
        PTOG_WAITS_##n(PIPE_V) if (ptog::is_empty(src0))                                                               \
            ptog::run_renamed<PTOG_##OPCODE, 0, 3, 2, 2, 5, 5>(PTOG_HERE, dst, dstIdx, src1, src1, src1Idx, src1Idx);  \
        else if (ptog::is_empty(src1))                                                                                 \
            ptog::run_renamed<PTOG_##OPCODE, 0, 3, 1, 1, 4, 4>(PTOG_HERE, dst, dstIdx, src0, src0, src0Idx, src0Idx);  \
        else ptog::run_renamed<PTOG_##OPCODE, 0, 3, 1, 2, 4, 5>(PTOG_HERE, dst, dstIdx, src0, src1, src0Idx, src1Idx); \
        return {PIPE_V};                                                                                               \
    }

#define PTOG_DEFINE(n)                                                                                                 \
    PTOG_THREE_SUMMANDS(TADDC, n)                                                                                      \
    PTOG_THREE_SUMMANDS(TSUBC, n)                                                                                      \
    PTOG_SCALAR_SUMMAND(TADDSC, n)                                                                                     \
    PTOG_SCALAR_SUMMAND(TSUBSC, n)                                                                                     \
    PTOG_NARROWED_SUM(TADDRELUCONV, n)                                                                                 \
    PTOG_NARROWED_SUM(TSUBRELUCONV, n)                                                                                 \
    PTOG_PART_WITH_INDEX(TPARTARGMAX, n)                                                                               \
    PTOG_PART_WITH_INDEX(TPARTARGMIN, n)                                                                               \
    template <class Dst, class Src0, class Src1, class Tmp PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1, Tmp> = 0>        \
    PTO_INST RecordEvent TADDDEQRELU(Dst &dst, Src0 &src0, Src1 &src1, float deqScale, Tmp &tmp, PTOG_EVENTS_##n)      \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TADDDEQRELU, Dst, Src0, Src1>();                                                      \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_TADDDEQRELU>(PTOG_HERE, dst, src0, src1, deqScale, tmp);     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Scale, class Offset PTOG_TYPES_##n, ptog::if_tiles<Src, Scale, Offset> = 0>  \
    PTO_INST RecordEvent TDEQUANT(Dst &dst, Src &src, Scale &scale, Offset &offset, PTOG_EVENTS_##n)                   \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TDEQUANT, Dst, Src>();                                                                \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_TDEQUANT>(PTOG_HERE, dst, src, scale, offset);               \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <auto Quant, class Dst, class Src, class Scale PTOG_TYPES_##n, ptog::if_tiles<Src, Scale> = 0>            \
    PTO_INST RecordEvent TQUANT(Dst &dst, Src &src, Scale &scale, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V) ptog::run_quant<Quant>(PTOG_HERE, dst, src, scale);                                     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <auto Quant, class Dst, class Src, class Scale PTOG_TYPES_##n, ptog::if_tiles<Src, Scale> = 0>            \
    PTO_INST RecordEvent TQUANT(Dst &dst, Src &src, Scale &scale, Scale *offset, PTOG_EVENTS_##n)                      \
    {                                                                                                                  \
        ptog::no_operand tmp;                                                                                          \
        PTOG_WAITS_##n(PIPE_V) ptog::run_quant_at<Quant>(PTOG_HERE, dst, src, scale, tmp, offset);                     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <auto Quant, class Dst, class Src, class Scale, class Tmp PTOG_TYPES_##n,                                 \
              ptog::if_tiles<Src, Scale, Tmp> = 0>                                                                     \
    PTO_INST RecordEvent TQUANT(Dst &dst, Src &src, Scale &scale, Tmp &tmp, PTOG_EVENTS_##n)                           \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V) ptog::run_quant<Quant>(PTOG_HERE, dst, src, scale, tmp);                                \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <auto Quant, class Dst, class Src, class Scale, class Tmp PTOG_TYPES_##n,                                 \
              ptog::if_tiles<Src, Scale, Tmp> = 0>                                                                     \
    PTO_INST RecordEvent TQUANT(Dst &dst, Src &src, Scale &scale, Tmp &tmp, Scale *offset, PTOG_EVENTS_##n)            \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V) ptog::run_quant_at<Quant>(PTOG_HERE, dst, src, scale, tmp, offset);                     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src PTOG_TYPES_##n, ptog::if_tiles<Src> = 0>                                            \
    PTO_INST RecordEvent TPAIRREDUCESUM(Dst &dst, Src &src, PTOG_EVENTS_##n)                                           \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TPAIRREDUCESUM, Dst, Src>();                                                          \
        PTOG_WAITS_##n(PIPE_V) ptog::run_elementwise<PTOG_TPAIRREDUCESUM>(PTOG_HERE, dst, src);                        \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE
#undef PTOG_THREE_SUMMANDS
#undef PTOG_SCALAR_SUMMAND
#undef PTOG_NARROWED_SUM
#undef PTOG_PART_WITH_INDEX

/* TINTERLEAVE(dst1, dst0, src1, src0), TDEINTERLEAVE(dst1, dst0, src1, src0), TDEINTERLEAVE(dst1, dst0, src). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst1, class Dst0, class Src1, class Src0 PTOG_TYPES_##n, ptog::if_tiles<Dst0, Src1, Src0> = 0>     \
    PTO_INST RecordEvent TINTERLEAVE(Dst1 &dst1, Dst0 &dst0, Src1 &src1, Src0 &src0, PTOG_EVENTS_##n)                  \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TINTERLEAVE, Dst0, Src0, Src1>();                                                     \
        PTOG_WAITS_##n(PIPE_V) ptog::run_renamed<PTOG_TINTERLEAVE, 1, 0, 3, 2>(PTOG_HERE, dst0, dst1, src0, src1);     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst1, class Dst0, class Src1, class Src0 PTOG_TYPES_##n, ptog::if_tiles<Dst0, Src1, Src0> = 0>     \
    PTO_INST RecordEvent TDEINTERLEAVE(Dst1 &dst1, Dst0 &dst0, Src1 &src1, Src0 &src0, PTOG_EVENTS_##n)                \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TDEINTERLEAVE, Dst0, Src0, Src1>();                                                   \
        PTOG_WAITS_##n(PIPE_V) ptog::run_renamed<PTOG_TDEINTERLEAVE, 1, 0, 3, 2>(PTOG_HERE, dst0, dst1, src0, src1);   \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst1, class Dst0, class Src PTOG_TYPES_##n, ptog::if_tiles<Dst0, Src> = 0>                         \
    PTO_INST RecordEvent TDEINTERLEAVE(Dst1 &dst1, Dst0 &dst0, Src &src, PTOG_EVENTS_##n)                              \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TDEINTERLEAVE, Dst0, Src>();                                                          \
        PTOG_WAITS_##n(PIPE_V) ptog::run_renamed<PTOG_TDEINTERLEAVE, 1, 0, 2>(PTOG_HERE, dst0, dst1, src);             \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

#endif
