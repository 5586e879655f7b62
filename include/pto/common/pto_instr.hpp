/* pto: the instructions. Each is a thin translation: static checks, a description, one call of the library. Trailing
 * events, any number, are waited for first. Without any, and for gathers and transfers with up to four, the last two
 * arguments are the place in the kernel, never given; nothing can stand behind a list that is open, so there the first
 * event brings the place along. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_PTO_INSTR_HPP
#define PTO_COMMON_PTO_INSTR_HPP

#include <cstdint>
#include <type_traits>

#include <pto/common/debug.h>
#include <pto/common/event.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/utils.hpp>
#include <pto/ptog/builtins.hpp>
#include <pto/ptog/call.hpp>
#include <pto/ptog/check.hpp>
#include <pto/ptog/fifo.hpp>
#include <pto/ptog/gather_l1.hpp>
#include <pto/ptog/impl_names.hpp>
#include <pto/ptog/issue.hpp>
#include <pto/ptog/l1_copies.hpp>
#include <pto/ptog/unmodelled.hpp>

/* ---- the instructions: each for 0 to 4 events, and for more ---- */

namespace pto
{

#define PTOG_FOR_EVENTS(F) F(0) F(1) F(2) F(3) F(4) F(more)

#define PTOG_TYPES_0
#define PTOG_TYPES_1 , class Event1, ptog::if_events<Event1> = 0
#define PTOG_TYPES_2 , class Event1, class Event2, ptog::if_events<Event1, Event2> = 0
#define PTOG_TYPES_3 , class Event1, class Event2, class Event3, ptog::if_events<Event1, Event2, Event3> = 0
#define PTOG_TYPES_4                                                                                                   \
    , class Event1, class Event2, class Event3, class Event4, ptog::if_events<Event1, Event2, Event3, Event4> = 0

#define PTOG_TYPES_more                                                                                                \
    , class Event2, class Event3, class Event4, class Event5, class... Events,                                         \
        ptog::if_events<Event2, Event3, Event4, Event5, Events...> = 0

#define PTOG_TYPES_some , class... Events, ptog::if_events<Events...> = 0

#define PTOG_EVENTS_0 PTOG_PLACE
#define PTOG_EVENTS_1 Event1 &e1, PTOG_PLACE
#define PTOG_EVENTS_2 Event1 &e1, Event2 &e2, PTOG_PLACE
#define PTOG_EVENTS_3 Event1 &e1, Event2 &e2, Event3 &e3, PTOG_PLACE
#define PTOG_EVENTS_4 Event1 &e1, Event2 &e2, Event3 &e3, Event4 &e4, PTOG_PLACE
#define PTOG_EVENTS_more ptog::first_event e1, Event2 &e2, Event3 &e3, Event4 &e4, Event5 &e5, Events &...more

#define PTOG_EVENTS_some ptog::first_event e1, Events &...more

#define PTOG_WAITS_0(pipe)
#define PTOG_WAITS_1(pipe) ptog::wait_for(e1, pipe, PTOG_HERE);
#define PTOG_WAITS_2(pipe) PTOG_WAITS_1(pipe) ptog::wait_for(e2, pipe, PTOG_HERE);
#define PTOG_WAITS_3(pipe) PTOG_WAITS_2(pipe) ptog::wait_for(e3, pipe, PTOG_HERE);
#define PTOG_WAITS_4(pipe) PTOG_WAITS_3(pipe) ptog::wait_for(e4, pipe, PTOG_HERE);
#define PTOG_WAITS_FIRST(pipe)                                                                                         \
    const char *const ptog_file = e1.at.file;                                                                          \
    const unsigned ptog_line = e1.at.line;                                                                             \
    e1.wait(e1.event, pipe, e1.at);
#define PTOG_WAITS_REST(pipe) (ptog::wait_for(more, pipe, PTOG_HERE), ...);
#define PTOG_WAITS_some(pipe) PTOG_WAITS_FIRST(pipe) PTOG_WAITS_REST(pipe)
#define PTOG_WAITS_more(pipe)                                                                                          \
    PTOG_WAITS_FIRST(pipe)                                                                                             \
    ptog::wait_for(e2, pipe, PTOG_HERE);                                                                               \
    ptog::wait_for(e3, pipe, PTOG_HERE);                                                                               \
    ptog::wait_for(e4, pipe, PTOG_HERE);                                                                               \
    ptog::wait_for(e5, pipe, PTOG_HERE);                                                                               \
    PTOG_WAITS_REST(pipe)

/* clang-format off */

#define PTOG_DEFINE(n)                                                                                                 \
    template <class Tile_, class Global PTOG_TYPES_##n>                                                                \
    PTO_INST RecordEvent TLOAD(Tile_ &dst, Global &src, PTOG_EVENTS_##n)                                               \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_MTE2)                                                                                      \
        ptog::run_load(dst, src, PTOG_HERE);                                                                           \
        return {PIPE_MTE2};                                                                                            \
    }                                                                                                                  \
    template <class Tile_, class Global PTOG_TYPES_##n>                                                                \
    PTO_INST RecordEvent TPREFETCH(Tile_ &dst, Global &src, PTOG_EVENTS_##n)                                           \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_MTE2)                                                                                      \
        ptog::run_prefetch(dst, src, PTOG_HERE);                                                                       \
        return {PIPE_MTE2};                                                                                            \
    }                                                                                                                  \
    template <class Tile_, class Global PTOG_TYPES_##n>                                                                \
    PTO_INST RecordEvent TSTORE(Global &dst, Tile_ &src, PTOG_EVENTS_##n)                                              \
    {                                                                                                                  \
        PTOG_WAITS_##n(ptog::store_pipe<Tile_>())                                                                      \
        ptog::run_store(dst, src, PTOG_HERE);                                                                          \
        return {ptog::store_pipe<Tile_>()};                                                                            \
    }                                                                                                                  \
    template <class Tile_, class Global, AtomicType Atomic PTOG_TYPES_##n>                                             \
    PTO_INST RecordEvent TSTORE(Global &dst, Tile_ &src, PTOG_EVENTS_##n)                                              \
    {                                                                                                                  \
        PTOG_WAITS_##n(ptog::store_pipe<Tile_>())                                                                      \
        ptog::run_store(dst, src, PTOG_HERE, Atomic);                                                                  \
        return {ptog::store_pipe<Tile_>()};                                                                            \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

#include <pto/ptog/gather_instr.hpp>

/* How many elements of each list TMRGSORT took. Sources that bring the struct along ask for the guard of its public
 * header first. */
#ifndef TMRGSORT_HPP
#define TMRGSORT_HPP
#endif
struct MrgSortExecutedNumList {
    std::uint16_t mrgSortList0, mrgSortList1, mrgSortList2, mrgSortList3;
};

#include <pto/ptog/mgather_refused.hpp>
#include <pto/ptog/combine_instr.hpp>
#include <pto/ptog/scatter_instr.hpp>
#include <pto/ptog/sort_instr.hpp>
#include <pto/ptog/cube_instr.hpp>

/* TGATHER by index, with and without tmp; by mask; by comparison, as the public headers have it,
 * TGATHER<Dst, Src, K, Cdst, Tmp, CmpMode::GT>(dst, src, k, cdst, tmp, offset), or without what is known anyway,
 * TGATHER<CmpMode::GT, offset>(dst, cdst, src, k). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Src, class Idx PTOG_TYPES_##n, std::enable_if_t<ptog::is_tile<Idx>::value, int> = 0>    \
    PTO_INST RecordEvent TGATHER(Dst &dst, Src &src, Idx &idx, PTOG_EVENTS_##n)                                        \
    {                                                                                                                  \
        ptog::check_tgather_index<Dst, Src, Idx>();                                                                    \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_by_index(dst, src, idx, PTOG_HERE);                                                                  \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Idx, class Tmp PTOG_TYPES_##n,                                               \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TGATHER(Dst &dst, Src &src, Idx &idx, Tmp &tmp, PTOG_EVENTS_##n)                              \
    {                                                                                                                  \
        ptog::check_tgather_index<Dst, Src, Idx>();                                                                    \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_by_index(dst, src, idx, tmp, PTOG_HERE);                                                             \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, MaskPattern Pattern, GatherAxis Axis = GatherAxis::ROW PTOG_TYPES_##n>             \
    PTO_INST RecordEvent TGATHER(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                  \
    {                                                                                                                  \
        ptog::check_tgather_mask<Dst, Src>();                                                                          \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_by_mask(dst, src, Pattern, Axis, PTOG_HERE);                                                         \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <CmpMode Cmp, std::int32_t Offset = 0, class Dst, class Cdst, class Src, class Keys PTOG_TYPES_##n>          \
    PTO_INST RecordEvent TGATHER(Dst &dst, Cdst &cdst, Src &src, Keys &k, PTOG_EVENTS_##n)                                \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_by_compare(dst, cdst, src, k, Cmp, Offset, PTOG_HERE);                                               \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Keys, class Cdst, class Tmp, CmpMode Cmp PTOG_TYPES_##n>                        \
    PTO_INST RecordEvent TGATHER(Dst &dst, Src &src, Keys &k, Cdst &cdst, Tmp &tmp, std::uint32_t offset,                 \
                                 PTOG_EVENTS_##n)                                                                      \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_by_compare(dst, cdst, src, k, tmp, Cmp, static_cast<std::int32_t>(offset), PTOG_HERE);               \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* The rows of ptog/spec/insns.def whose family has a macro here, without events and with some. */
#define PTOG_CXX_TRANSFER(OPCODE, n)
#define PTOG_CXX_MGATHER(OPCODE, n)
#define PTOG_CXX_MSCATTER(OPCODE, n)
#define PTOG_CXX_TGATHER(OPCODE, n)
#define PTOG_CXX_MASKS(OPCODE, n)
#define PTOG_CXX_SORTS(OPCODE, n)
#define PTOG_CXX_TSCATTER(OPCODE, n)
#define PTOG_CXX_TGATHERB(OPCODE, n)
#define PTOG_CXX_THISTOGRAM(OPCODE, n)
#define PTOG_CXX_MOVES(OPCODE, n)
#define PTOG_CXX_SINGLES(OPCODE, n)
#define PTOG_CXX_PRODUCT(OPCODE, n)
#define PTOG_CXX_COMBINE(OPCODE, n)
#define PTOG_CXX_ELEMENTWISE(OPCODE, n)
/* The reductions of the table: TROWSUM(dst, src, tmp), TCOLMAX(dst, src), TCOLSUM(dst, src[, tmp, isBinary]),
 * TROWARGMAX([val, ]dst, src, tmp), TCOLARGMAX([val, ]dst, src, tmp). */
#define PTOG_CXX_REDUCE(OPCODE, n)                                                                                     \
    template <class Dst, class Src, class Tmp PTOG_TYPES_##n,                                                          \
              ptog::if_sources<PTOG_##OPCODE, ptog::sources::rows, Src, Tmp> = 0>                                      \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, Tmp &tmp, PTOG_EVENTS_##n)                                         \
    {                                                                                                                  \
        ptog::check_reduce<PTOG_##OPCODE, Dst, Src>();                                                                 \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src, tmp);                                                \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src PTOG_TYPES_##n, ptog::if_columns<PTOG_##OPCODE, Src> = 0>                           \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                   \
    {                                                                                                                  \
        ptog::check_reduce<PTOG_##OPCODE, Dst, Src>();                                                                 \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_##OPCODE>(PTOG_HERE, dst, src);                                                     \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Tmp PTOG_TYPES_##n,                                                          \
              ptog::if_sources<PTOG_##OPCODE, ptog::sources::tile_and_tmp, Src, Tmp> = 0>                              \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, Tmp &tmp, bool binary, PTOG_EVENTS_##n)                            \
    {                                                                                                                  \
        ptog::check_reduce<PTOG_##OPCODE, Dst, Src>();                                                                 \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_generate<PTOG_##OPCODE>(PTOG_HERE, binary, dst, src, tmp);                                           \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Val, class Dst, class Src, class Tmp PTOG_TYPES_##n,                                               \
              ptog::if_finds_values<PTOG_##OPCODE, Val, Dst, Src, Tmp> = 0>                                            \
    PTO_INST RecordEvent OPCODE(Val &val, Dst &dst, Src &src, Tmp &tmp, PTOG_EVENTS_##n)                               \
    {                                                                                                                  \
        ptog::check_reduce<PTOG_##OPCODE, Dst, Src, Val>();                                                            \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_with_value<PTOG_##OPCODE>(PTOG_HERE, dst, src, tmp, val);                                            \
        return {PIPE_V};                                                                                               \
    }
#include <ptog/spec/hide_macros.def>
#define INSN(OPCODE, text, family, ...) PTOG_CXX_##family(OPCODE, 0) PTOG_CXX_##family(OPCODE, some)
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
#undef PTOG_CXX_TRANSFER
#undef PTOG_CXX_MGATHER
#undef PTOG_CXX_MSCATTER
#undef PTOG_CXX_TGATHER
#undef PTOG_CXX_MASKS
#undef PTOG_CXX_SORTS
#undef PTOG_CXX_TSCATTER
#undef PTOG_CXX_TGATHERB
#undef PTOG_CXX_THISTOGRAM
#undef PTOG_CXX_MOVES
#undef PTOG_CXX_SINGLES
#undef PTOG_CXX_PRODUCT
#undef PTOG_CXX_COMBINE
#undef PTOG_CXX_ELEMENTWISE
#undef PTOG_CXX_REDUCE

/* The elementwise rows: TADD(dst, src0, src1), TADDS(dst, src0, scalar), TEXP(dst, src), TRSQRT(dst, src[, tmp]),
 * TXOR(dst, src0, src1[, tmp]), TXORS(dst, src0, scalar[, tmp]), TROWEXPAND(dst, src), TROWEXPANDADD(dst, src0, src1[, tmp]),
 * TCOLEXPANDADD(dst, src0, src1), TEXPANDS(dst, scalar), and TDIVS(dst, src0, scalar) or TDIVS(dst, scalar, src1). A scalar is of
 * the tile's type.
 *
 * The operands of a row after dst are letters here: t a tile, s a scalar, p either, x a tmp that may be left out. An
 * instruction is written for its own letters only, because the compiler reads every way of writing every row. What stands
 * behind n in these macros are template parameters before those of the operands. */
#define PTOG_EACH_PRECISION
#define PTOG_EACH_DO(OPCODE, n, sources, ...)                                                                          \
    {                                                                                                                  \
        ptog::check_elementwise<PTOG_##OPCODE, Dst sources>();                                                         \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_##OPCODE PTOG_EACH_PRECISION>(PTOG_HERE, dst, __VA_ARGS__);                         \
        return {PIPE_V};                                                                                               \
    }
#define PTOG_LIST(...) __VA_ARGS__
#define PTOG_EACH_t(OPCODE, n, ...)                                                                                    \
    template <__VA_ARGS__ class Dst, class Src PTOG_TYPES_##n, ptog::if_tiles<Src> = 0>                                \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                   \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src), src)
#define PTOG_EACH_tx(OPCODE, n, ...)                                                                                   \
    PTOG_EACH_t(OPCODE, n, __VA_ARGS__)                                                                                \
    template <__VA_ARGS__ class Dst, class Src, class Tmp PTOG_TYPES_##n, ptog::if_tiles<Src, Tmp> = 0>                \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, Tmp &tmp, PTOG_EVENTS_##n)                                         \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src), src, tmp)
#define PTOG_EACH_tt(OPCODE, n, ...)                                                                                   \
    template <__VA_ARGS__ class Dst, class Src0, class Src1 PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1> = 0>            \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, PTOG_EVENTS_##n)                                     \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src0, Src1), src0, src1)
#define PTOG_EACH_ttx(OPCODE, n, ...)                                                                                  \
    PTOG_EACH_tt(OPCODE, n, __VA_ARGS__)                                                                               \
    template <__VA_ARGS__ class Dst, class Src0, class Src1, class Tmp PTOG_TYPES_##n, ptog::if_tiles<Src0, Src1, Tmp> = 0> \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, Src1 &src1, Tmp &tmp, PTOG_EVENTS_##n)                           \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src0, Src1), src0, src1, tmp)
#define PTOG_EACH_ts(OPCODE, n, ...)                                                                                   \
    template <__VA_ARGS__ class Dst, class Src0 PTOG_TYPES_##n, ptog::if_tiles<Src0> = 0>                              \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, typename Src0::DType value, PTOG_EVENTS_##n)                     \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src0), src0, value)
#define PTOG_EACH_tsx(OPCODE, n, ...)                                                                                  \
    PTOG_EACH_ts(OPCODE, n, __VA_ARGS__)                                                                               \
    template <__VA_ARGS__ class Dst, class Src0, class Tmp PTOG_TYPES_##n, ptog::if_tiles<Src0, Tmp> = 0>              \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src0 &src0, typename Src0::DType value, Tmp &tmp, PTOG_EVENTS_##n)           \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src0), src0, value, tmp)
#define PTOG_EACH_pp(OPCODE, n, ...)                                                                                   \
    PTOG_EACH_ts(OPCODE, n, __VA_ARGS__)                                                                               \
    template <__VA_ARGS__ class Dst, class Src1 PTOG_TYPES_##n, ptog::if_tiles<Src1> = 0>                              \
    PTO_INST RecordEvent OPCODE(Dst &dst, typename Src1::DType value, Src1 &src1, PTOG_EVENTS_##n)                     \
    PTOG_EACH_DO(OPCODE, n, PTOG_LIST(, Src1), value, src1)
#define PTOG_EACH_s(OPCODE, n, ...)                                                                                    \
    template <__VA_ARGS__ class Dst PTOG_TYPES_##n, ptog::if_tiles<Dst> = 0>                                           \
    PTO_INST RecordEvent OPCODE(Dst &dst, typename Dst::DType value, PTOG_EVENTS_##n)                                  \
    PTOG_EACH_DO(OPCODE, n, , value)

#include <ptog/spec/hide_macros.def>
#define OUT(NAME)
#define BOTH(NAME)
#define SAME(NAME) , t
#define PART(NAME) , t
#define COLUMN(NAME) , t
#define LINE(NAME) , t
#define SAME_PICK(NAME) , p
#define NUMBER(NAME) , s
#define SCRATCH_OF(NAME, used, taken) , x
#define PTOG_EACH_LETTERS(OPCODE, dst, a, b, c, ...) PTOG_EACH_##a##b##c(OPCODE, 0, ) PTOG_EACH_##a##b##c(OPCODE, some, )
#define PTOG_EACH_SPLIT(...) PTOG_EACH_LETTERS(__VA_ARGS__)
#define PTOG_EACH_WRITE(OPCODE, ...) PTOG_EACH_SPLIT(OPCODE, dst __VA_ARGS__, , , )
#define PTOG_EACH_SKIP(...)

/* Rows of other families are skipped, and those that have intrinsics of their own below. */
#define PTOG_EACH_IF_ELEMENTWISE ~, PTOG_EACH_WRITE
#define PTOG_EACH_UNLESS_TCVT ~, PTOG_EACH_SKIP
#define PTOG_EACH_UNLESS_TCI ~, PTOG_EACH_SKIP
#define PTOG_EACH_UNLESS_TTRI ~, PTOG_EACH_SKIP
#define PTOG_SECOND(a, b, ...) b
#define PTOG_SECOND_OF(...) PTOG_SECOND(__VA_ARGS__)
#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    PTOG_SECOND_OF(PTOG_EACH_UNLESS_##OPCODE, PTOG_SECOND_OF(PTOG_EACH_IF_##family, PTOG_EACH_SKIP, ~), ~)               \
    (OPCODE, operands)
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
#undef PTOG_EACH_IF_ELEMENTWISE
#undef PTOG_EACH_UNLESS_TCVT
#undef PTOG_EACH_UNLESS_TCI
#undef PTOG_EACH_UNLESS_TTRI

#include <pto/ptog/precision.hpp>

/* TCVT(dst, src[, tmp], RoundMode[, SaturationMode]). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <bool NeedSetCtrl = true, class Dst, class Src PTOG_TYPES_##n>                                            \
    PTO_INST RecordEvent TCVT(Dst &dst, Src &src, RoundMode mode, SaturationMode saturation,                           \
                              PTOG_EVENTS_##n)                                                                         \
    {                                                                                                                  \
        ptog::check_convert<Dst, Src>();                                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_convert(PTOG_HERE, mode, saturation, dst, src);                                                      \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <bool NeedSetCtrl = true, class Dst, class Src PTOG_TYPES_##n>                                            \
    PTO_INST RecordEvent TCVT(Dst &dst, Src &src, RoundMode mode, PTOG_EVENTS_##n)                                     \
    {                                                                                                                  \
        ptog::check_convert<Dst, Src>();                                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_convert(PTOG_HERE, mode, ptog::usual_saturation<Dst, Src>(), dst, src);                              \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <bool NeedSetCtrl = true, class Dst, class Src, class Tmp PTOG_TYPES_##n,                                 \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TCVT(Dst &dst, Src &src, Tmp &tmp, RoundMode mode, SaturationMode saturation,                 \
                              PTOG_EVENTS_##n)                                                                         \
    {                                                                                                                  \
        ptog::check_convert<Dst, Src>();                                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_convert(PTOG_HERE, mode, saturation, dst, src, tmp);                                                 \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <bool NeedSetCtrl = true, class Dst, class Src, class Tmp PTOG_TYPES_##n,                                 \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TCVT(Dst &dst, Src &src, Tmp &tmp, RoundMode mode, PTOG_EVENTS_##n)                           \
    {                                                                                                                  \
        ptog::check_convert<Dst, Src>();                                                                               \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_convert(PTOG_HERE, mode, ptog::usual_saturation<Dst, Src>(), dst, src, tmp);                         \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* TCI<Tile[, Tmp], T, descending>(dst, start[, tmp]), TTRI<Tile, upper>(dst, diagonal). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Number, int descending PTOG_TYPES_##n>                                                       \
    PTO_INST RecordEvent TCI(Dst &dst, Number start, PTOG_EVENTS_##n)                                                       \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_S)                                                                                         \
        ptog::run_generate<PTOG_TCI>(PTOG_HERE, descending, dst, start);                                               \
        return {PIPE_S};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Tmp, class Number, int descending PTOG_TYPES_##n>                                            \
    PTO_INST RecordEvent TCI(Dst &dst, Number start, Tmp &tmp, PTOG_EVENTS_##n)                                             \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_generate<PTOG_TCI>(PTOG_HERE, descending, dst, start, tmp);                                          \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, int upper PTOG_TYPES_##n>                                                                     \
    PTO_INST RecordEvent TTRI(Dst &dst, int diagonal, PTOG_EVENTS_##n)                                                 \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_generate<PTOG_TTRI>(PTOG_HERE, upper, dst, diagonal);                                                \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* TCMP(mask, src0, src1, CmpMode), TCMPS(mask, src0, scalar, CmpMode), TSEL(dst, mask, src0, src1, tmp),
 * TSELS(dst, mask, src, tmp, scalar). */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Src0, class Src1 PTOG_TYPES_##n, std::enable_if_t<ptog::is_tile<Src1>::value, int> = 0> \
    PTO_INST RecordEvent TCMP(Dst &dst, Src0 &src0, Src1 &src1, CmpMode mode, PTOG_EVENTS_##n)                         \
    {                                                                                                                  \
        ptog::check_compare<PTOG_TCMP, PTOG_FORM_TO_MASK, Dst, Src0, Src1>();                                          \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_compare<PTOG_TCMP>(PTOG_HERE, mode, dst, src0, src1);                                                \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src0 PTOG_TYPES_##n>                                                                    \
    PTO_INST RecordEvent TCMPS(Dst &dst, Src0 &src0, typename Src0::DType value, CmpMode mode, PTOG_EVENTS_##n)        \
    {                                                                                                                  \
        ptog::check_compare<PTOG_TCMPS, PTOG_FORM_TO_MASK_BY_SCALAR, Dst, Src0>();                                     \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_compare<PTOG_TCMPS>(PTOG_HERE, mode, dst, src0, value);                                              \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src0, class Src1 PTOG_TYPES_##n, std::enable_if_t<ptog::is_tile<Src1>::value, int> = 0> \
    PTO_INST RecordEvent TCMPS(Dst &dst, Src0 &src0, Src1 &src1, CmpMode mode, PTOG_EVENTS_##n)                        \
    {                                                                                                                  \
        ptog::check_compare<PTOG_TCMPS, PTOG_FORM_TO_MASK_BY_SCALAR, Dst, Src0>();                                     \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_compare<PTOG_TCMPS>(PTOG_HERE, mode, dst, src0, src1);                                               \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Mask, class Src0, class Src1, class Tmp PTOG_TYPES_##n,                                 \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TSEL(Dst &dst, Mask &mask, Src0 &src0, Src1 &src1, Tmp &tmp, PTOG_EVENTS_##n)                 \
    {                                                                                                                  \
        ptog::check_select<PTOG_TSEL, PTOG_FORM_SELECT, Dst, Mask, Src0, Src1>();                                      \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TSEL>(PTOG_HERE, dst, mask, src0, src1, tmp);                                       \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Mask, class Src, class Tmp PTOG_TYPES_##n,                                              \
              std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>                                                    \
    PTO_INST RecordEvent TSELS(Dst &dst, Mask &mask, Src &src, Tmp &tmp, typename Src::DType value, PTOG_EVENTS_##n)   \
    {                                                                                                                  \
        ptog::check_select<PTOG_TSELS, PTOG_FORM_SELECT_SCALAR, Dst, Mask, Src>();                                     \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_elementwise<PTOG_TSELS>(PTOG_HERE, dst, mask, src, tmp, value);                                      \
        return {PIPE_V};                                                                                               \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

/* TMOV(dst, src), TEXTRACT(dst, src, row, col), TINSERT(dst, src, row, col), TTRANS(dst, src[, tmp]),
 * TFILLPAD(dst, src) and TFILLPAD<TFillPadMode::InPlace>(dst, src), TFILLPAD_INPLACE, TFILLPAD_EXPAND,
 * TCONCAT(dst, src0, src1[, idx0, idx1]). */
#define PTOG_DEFINE_COPY(OPCODE, FORM, n)                                                                              \
    template <class Dst, class Src PTOG_TYPES_##n>                                                                     \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                   \
    {                                                                                                                  \
        constexpr pipe_t pipe = ptog::copy_pipe<Dst, Src>();                                                           \
        ptog::check_move<PTOG_##OPCODE, PTOG_FORM_##FORM, Dst, Src>();                                                 \
        PTOG_WAITS_##n(pipe)                                                                                           \
        ptog::run_move<PTOG_##OPCODE>(PTOG_HERE, dst, src);                                                            \
        return {pipe};                                                                                                 \
    }
#define PTOG_DEFINE_WINDOW(OPCODE, n)                                                                                  \
    template <class Dst, class Src PTOG_TYPES_##n>                                                                     \
    PTO_INST RecordEvent OPCODE(Dst &dst, Src &src, std::uint32_t row, std::uint32_t col, PTOG_EVENTS_##n)             \
    {                                                                                                                  \
        constexpr pipe_t pipe = ptog::copy_pipe<Dst, Src>();                                                           \
        ptog::check_move<PTOG_##OPCODE, PTOG_FORM_WINDOW, Dst, Src>();                                                 \
        PTOG_WAITS_##n(pipe)                                                                                           \
        ptog::run_move<PTOG_##OPCODE>(PTOG_HERE, dst, src, row, col);                                                  \
        return {pipe};                                                                                                 \
    }
#define PTOG_DEFINE(n)                                                                                                 \
    PTOG_DEFINE_COPY(TMOV, COPY, n)                                                                                    \
    PTOG_DEFINE_COPY(TFILLPAD, PAD, n)                                                                                 \
    PTOG_DEFINE_COPY(TFILLPAD_INPLACE, PAD, n)                                                                         \
    PTOG_DEFINE_COPY(TFILLPAD_EXPAND, PAD, n)                                                                          \
    PTOG_DEFINE_WINDOW(TEXTRACT, n)                                                                                    \
    PTOG_DEFINE_WINDOW(TINSERT, n)                                                                                     \
    template <TFillPadMode Mode, class Dst, class Src PTOG_TYPES_##n>                                                  \
    PTO_INST RecordEvent TFILLPAD(Dst &dst, Src &src, PTOG_EVENTS_##n)                                                 \
    {                                                                                                                  \
        ptog::check_move<ptog::fill_of(Mode), PTOG_FORM_PAD, Dst, Src>();                                              \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_move<ptog::fill_of(Mode)>(PTOG_HERE, dst, src);                                                      \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src, class Tmp PTOG_TYPES_##n, std::enable_if_t<ptog::is_tile<Tmp>::value, int> = 0>    \
    PTO_INST RecordEvent TTRANS(Dst &dst, Src &src, Tmp &tmp, PTOG_EVENTS_##n)                                         \
    {                                                                                                                  \
        ptog::check_move<PTOG_TTRANS, PTOG_FORM_TRANSPOSE, Dst, Src>();                                                \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_move<PTOG_TTRANS>(PTOG_HERE, dst, src, tmp);                                                         \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src0, class Src1 PTOG_TYPES_##n, std::enable_if_t<ptog::is_tile<Src1>::value, int> = 0> \
    PTO_INST RecordEvent TCONCAT(Dst &dst, Src0 &src0, Src1 &src1, PTOG_EVENTS_##n)                                    \
    {                                                                                                                  \
        ptog::check_move<PTOG_TCONCAT, PTOG_FORM_JOIN, Dst, Src0, Src1>();                                             \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_move<PTOG_TCONCAT>(PTOG_HERE, dst, src0, src1);                                                      \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src0, class Src1, class Idx0, class Idx1 PTOG_TYPES_##n,                                \
              std::enable_if_t<ptog::is_tile<Idx0>::value && ptog::is_tile<Idx1>::value, int> = 0>                     \
    PTO_INST RecordEvent TCONCAT(Dst &dst, Src0 &src0, Src1 &src1, Idx0 &idx0, Idx1 &idx1, PTOG_EVENTS_##n)            \
    {                                                                                                                  \
        ptog::check_move<PTOG_TCONCATIDX, PTOG_FORM_JOIN_COUNTED, Dst, Src0, Src1>();                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_move<PTOG_TCONCATIDX>(PTOG_HERE, dst, src0, src1, idx0, idx1);                                       \
        return {PIPE_V};                                                                                               \
    }                                                                                                                  \
    template <class Dst, class Src0, class Src1, class DstIdx, class Idx0, class Idx1 PTOG_TYPES_##n,                  \
              ptog::if_tiles<DstIdx, Idx0, Idx1> = 0>                                                                  \
    PTO_INST RecordEvent TCONCAT(Dst &dst, Src0 &src0, Src1 &src1, DstIdx &dstIdx, Idx0 &idx0, Idx1 &idx1,             \
                                 PTOG_EVENTS_##n)                                                                      \
    {                                                                                                                  \
        ptog::check_combine<PTOG_TCONCATCOUNTS, Dst, Src0, Src1>();                                                    \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::run_renamed<PTOG_TCONCATCOUNTS, 0, 3, 1, 2, 4, 5>(PTOG_HERE, dst, dstIdx, src0, src1, idx0, idx1);       \
        return {PIPE_V};                                                                                               \
    }
/* Without events, and with some. */
PTOG_DEFINE(0) PTOG_DEFINE(some)
#undef PTOG_DEFINE
#undef PTOG_DEFINE_COPY
#undef PTOG_DEFINE_WINDOW

/* Waits for events alone, on the pipe that each was made for; the first one last, since the place comes with the others. */
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Event0 PTOG_TYPES_##n, ptog::if_events<Event0> = 0>                                                        \
    PTO_INST void TSYNC(Event0 &e0, PTOG_EVENTS_##n)                                                                       \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_V)                                                                                         \
        ptog::wait_for(e0, PIPE_V, PTOG_HERE);                                                                         \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE

    /* clang-format on */

    /* ... or for what an instruction of this kind would wait for: a barrier on its pipe. */
    template <Op op>
    PTO_INST void TSYNC(PTOG_PLACE)
{
    ptog::barrier_of(ptog::pipe_of(op), PTOG_HERE);
}

/* ---- places ---- */

template <class Tile_, class Addr, std::enable_if_t<ptog::is_tile<Tile_>::value, int> = 0>
PTO_INST void TASSIGN(Tile_ &tile, Addr addr)
{
    if constexpr (std::is_pointer_v<Addr>)
        tile.room.assign(ptog::chip_address(reinterpret_cast<std::uintptr_t>(addr)));
    else
        tile.room.assign(ptog::chip_address(static_cast<std::uint64_t>(addr)));
}

/* Any address: MGATHER Elem writes a tile wherever it starts, and what cannot reports ub-misaligned-tile. */
template <std::uint64_t Addr, class Tile_> PTO_INST void TASSIGN(Tile_ &tile)
{
    tile.room.assign(Addr);
}

template <class Type, class Extents, class Strides, Layout Order>
PTO_INST void TASSIGN(GlobalTensor<Type, Extents, Strides, Order> &global, Type *data)
{
    ptog::here().issued++;
    global.SetAddr(data);
}

/* Another tile over the same bytes, and over a window of them that starts at an element. As in the device library, only
 * the address follows from src: rows of dst are as far apart as its own type says, and boxes are not looked at. */
template <class Dst, class Src> PTO_INST RecordEvent TRESHAPE(Dst &dst, Src &src)
{
    static_assert(Dst::Loc == Src::Loc, PTOG_RULE_WORDS_treshape_bytes);
    static_assert(Dst::Numel * sizeof(typename Dst::DType) == Src::Numel * sizeof(typename Src::DType),
                  PTOG_RULE_WORDS_treshape_bytes);
    static_assert(Dst::isBoxedLayout == Src::isBoxedLayout,
                  PTOG_RULE_WORDS_treshape_boxed);
    dst.room.assign(ptog::addr_of(src));
    return {PIPE_S};
}

template <class Dst, class Src> PTO_INST RecordEvent TSUBVIEW(Dst &dst, Src &src, std::uint32_t row, std::uint32_t col)
{
    static_assert(Dst::Loc == Src::Loc, "TSUBVIEW: dst and src must be in the same memory");
    std::uint64_t first = row * static_cast<std::uint64_t>(Src::RowStride) + col * std::uint64_t{Src::ColStride};
    dst.room.assign(ptog::addr_of(src) + first * sizeof(typename Src::DType));
    return {PIPE_S};
}

} // namespace pto

#endif
