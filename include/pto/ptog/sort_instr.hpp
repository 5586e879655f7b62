/* pto: the intrinsics of sorts and histograms. Included by pto/common/pto_instr.hpp inside namespace pto, between its own: it uses the
 * macros for events that are defined there. */
#ifndef PTO_PTOG_SORT_INSTR_HPP
#define PTO_PTOG_SORT_INSTR_HPP

/* TSORT32(dst, src, idx[, tmp]). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Src, class Idx PTOG_TYPES_##n, ptog::if_tiles<Dst, Src, Idx> = 0>                       \
    PTO_INST RecordEvent TSORT32(Dst &dst, Src &src, Idx &idx, PTOG_EVENTS_##n)                                        \
    {                                                                                                                  \
        ptog::check_sort32<Dst, Src, Idx>();                                                                           \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TSORT32>(PTOG_HERE, dst, src, idx);                                                 \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Idx, class Tmp PTOG_TYPES_##n, ptog::if_tiles<Dst, Src, Idx, Tmp> = 0>       \
    PTO_INST RecordEvent TSORT32(Dst &dst, Src &src, Idx &idx, Tmp &tmp, PTOG_EVENTS_##n)                              \
    {                                                                                                                  \
        ptog::check_sort32<Dst, Src, Idx>();                                                                           \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TSORT32>(PTOG_HERE, dst, src, idx, tmp);                                            \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* TMRGSORT(dst, src, blockLen) merges each four runs of a list; TMRGSORT<Dst, Tmp, Src0, Src1[, Src2[, Src3]],
 * exhausted>(dst, executed, tmp, src0, src1[, src2[, src3]]) merges lists, and counts what it takes of each. */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Src PTOG_TYPES_##n, ptog::if_tiles<Dst, Src> = 0>                                       \
    PTO_INST RecordEvent TMRGSORT(Dst &dst, Src &src, std::uint32_t blockLen, PTOG_EVENTS_##n)                         \
    {                                                                                                                  \
        ptog::check_merge_runs<Dst, Src>();                                                                            \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_merge_runs(PTOG_HERE, dst, src, blockLen);                                                           \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Tmp, class Src0, class Src1, bool exhausted PTOG_TYPES_##n>                             \
    PTO_INST RecordEvent TMRGSORT(Dst &dst, MrgSortExecutedNumList &executed, Tmp &tmp, Src0 &src0, Src1 &src1,        \
                                  PTOG_EVENTS_##n)                                                                     \
    {                                                                                                                  \
        ptog::check_merge_lists<Dst, Tmp, Src0, Src1>();                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_merge_lists(PTOG_HERE, exhausted, executed, dst, tmp, src0, src1);                                   \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Tmp, class Src0, class Src1, class Src2, bool exhausted PTOG_TYPES_##n>                 \
    PTO_INST RecordEvent TMRGSORT(Dst &dst, MrgSortExecutedNumList &executed, Tmp &tmp, Src0 &src0, Src1 &src1,        \
                                  Src2 &src2, PTOG_EVENTS_##n)                                                         \
    {                                                                                                                  \
        ptog::check_merge_lists<Dst, Tmp, Src0, Src1>();                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_merge_lists(PTOG_HERE, exhausted, executed, dst, tmp, src0, src1, src2);                             \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Tmp, class Src0, class Src1, class Src2, class Src3, bool exhausted PTOG_TYPES_##n>     \
    PTO_INST RecordEvent TMRGSORT(Dst &dst, MrgSortExecutedNumList &executed, Tmp &tmp, Src0 &src0, Src1 &src1,        \
                                  Src2 &src2, Src3 &src3, PTOG_EVENTS_##n)                                             \
    {                                                                                                                  \
        ptog::check_merge_lists<Dst, Tmp, Src0, Src1>();                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_merge_lists(PTOG_HERE, exhausted, executed, dst, tmp, src0, src1, src2, src3);                       \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* THISTOGRAM<HistByte::BYTE_1>(dst, src, idx). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <HistByte byte, class Dst, class Src, class Idx PTOG_TYPES_##n>                                           \
    PTO_INST RecordEvent THISTOGRAM(Dst &dst, Src &src, Idx &idx, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_generate<PTOG_THISTOGRAM>(PTOG_HERE, static_cast<int>(byte), dst, src, idx);                         \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

#endif
