/* pto: the intrinsics of scatters and of TGATHERB. Included by pto/common/pto_instr.hpp inside namespace pto, between its own: it uses the
 * macros for events that are defined there. */
#ifndef PTO_PTOG_SCATTER_INSTR_HPP
#define PTO_PTOG_SCATTER_INSTR_HPP

/* MSCATTER without words, with a mode, and what else the forms of the targets have. */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Global, class Src, class Idx PTOG_TYPES_##n>                                                       \
    PTO_INST RecordEvent MSCATTER(Global &table, Src &src, Idx &idx, PTOG_EVENTS_##n)                                  \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_mscatter(table, src, idx,                                                                            \
                           {false, Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Undefined, -1}, PTOG_HERE);       \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <Coalesce Mode, ScatterAtomicOp Atomic = ScatterAtomicOp::None, ScatterOOB Oob = ScatterOOB::Undefined,   \
              class Global, class Src, class Idx PTOG_TYPES_##n>                                                       \
    PTO_INST RecordEvent MSCATTER(Global &table, Src &src, Idx &idx, PTOG_EVENTS_##n)                                  \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_mscatter(table, src, idx, {true, Mode, Atomic, Oob, -1}, PTOG_HERE);                                 \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <Coalesce Mode, ScatterAtomicOp Atomic, ScatterOOB Oob, ScatterConflict Conflict, class Global,           \
              class Src, class Idx PTOG_TYPES_##n>                                                                     \
    PTO_INST RecordEvent MSCATTER(Global &table, Src &src, Idx &idx, PTOG_EVENTS_##n)                                  \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_mscatter(table, src, idx, {true, Mode, Atomic, Oob, static_cast<int>(Conflict)}, PTOG_HERE);         \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* TSCATTER(dst, src, idx), TSCATTER<MaskPattern::P0101, ScatterAxis::SCATTER_ROW>(dst, src), TGATHERB(dst, src, offset). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Src, class Idx PTOG_TYPES_##n, ptog::if_tiles<Dst, Src, Idx> = 0>                       \
    PTO_INST RecordEvent TSCATTER(Dst &dst, Src &src, Idx &idx, PTOG_EVENTS_##n)                                       \
    {                                                                                                                  \
        ptog::check_tscatter_index<Dst, Src, Idx>();                                                                   \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TSCATTER>(PTOG_HERE, dst, src, idx);                                                \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <MaskPattern Pattern = MaskPattern::P1111, auto Axis = ScatterAxis::SCATTER_ROW, class Dst,            \
              class Src PTOG_TYPES_##n, ptog::if_tiles<Dst, Src> = 0>                                                  \
    PTO_INST RecordEvent TSCATTER(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                 \
    {                                                                                                                  \
        ptog::check_tscatter_mask<Dst, Src>();                                                                         \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_scatter_mask(PTOG_HERE, Pattern, static_cast<int>(Axis), dst, src);                                  \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Offset PTOG_TYPES_##n, ptog::if_tiles<Dst, Src, Offset> = 0>                 \
    PTO_INST RecordEvent TGATHERB(Dst &dst, Src &src, Offset &offset, PTOG_EVENTS_##n)                                 \
    {                                                                                                                  \
        ptog::check_tgatherb<Dst, Src, Offset>();                                                                      \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TGATHERB>(PTOG_HERE, dst, src, offset);                                             \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

#endif
