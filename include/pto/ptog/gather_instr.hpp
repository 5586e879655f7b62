/* pto: the intrinsics of MGATHER. Included by pto/common/pto_instr.hpp inside namespace pto, between its own: it uses the macros for events
 * that are defined there. */
#ifndef PTO_PTOG_GATHER_INSTR_HPP
#define PTO_PTOG_GATHER_INSTR_HPP

/* MGATHER without a mode (the CPU form), with mode and policy (a2a3, a5), with a policy alone (the custom a5 form). Into L1 the indices
 * are a GlobalTensor, and so is the scratch memory of Elem, the fourth operand. */
#define PTOG_GATHER(n, row, coalesce, Oob, given)                                                                      \
    PTOG_WAITS_##n(ptog::gather_pipe<Dst>())                                                                           \
    if constexpr (ptog::is_l1_gather<Dst>()) {                                                                         \
        ptog::run_gather_l1(dst, table, idx, static_cast<Coalesce>(coalesce), Oob, PTOG_HERE);                         \
    } else {                                                                                                           \
        ptog::check_mgather<row, Dst, Global, Idx>();                                                                  \
        ptog::run_mgather<coalesce, Oob, given>(dst, table, idx, PTOG_HERE);                                           \
    }                                                                                                                  \
    return {ptog::gather_pipe<Dst>()};
#define PTOG_DEFINE(n)                                                                                                 \
    template <class Dst, class Global, class Idx PTOG_TYPES_##n>                                                       \
    PTO_INST RecordEvent MGATHER(Dst &dst, Global &table, Idx &idx, PTOG_EVENTS_##n)                                   \
    {                                                                                                                  \
        PTOG_GATHER(n, true, PTOG_ROW, GatherOOB::Undefined, false)                                                    \
    }                                                                                                                  \
    template <Coalesce Mode, GatherOOB Oob = GatherOOB::Undefined, class Dst, class Global, class Idx PTOG_TYPES_##n>  \
    PTO_INST RecordEvent MGATHER(Dst &dst, Global &table, Idx &idx, PTOG_EVENTS_##n)                                   \
    {                                                                                                                  \
        PTOG_GATHER(n, Mode == Coalesce::Row, static_cast<ptog_coalesce>(Mode), Oob, true)                             \
    }                                                                                                                  \
    template <GatherOOB Oob, class Dst, class Global, class Idx PTOG_TYPES_##n>                                        \
    PTO_INST RecordEvent MGATHER(Dst &dst, Global &table, Idx &idx, PTOG_EVENTS_##n)                                   \
    {                                                                                                                  \
        PTOG_GATHER(n, ptog::is_one_column<Idx>(), ptog::is_one_column<Idx>() ? PTOG_ROW : PTOG_ELEM, Oob, true)       \
    }                                                                                                                  \
    template <Coalesce Mode = Coalesce::Elem, GatherOOB Oob = GatherOOB::Undefined, class Dst, class Global, class Idx,\
              class Scratch PTOG_TYPES_##n, ptog::if_global<Scratch> = 0>                                              \
    PTO_INST RecordEvent MGATHER(Dst &dst, Global &table, Idx &idx, Scratch &scratch, PTOG_EVENTS_##n)                 \
    {                                                                                                                  \
        PTOG_WAITS_##n(PIPE_MTE2)                                                                                      \
        ptog::run_gather_l1(dst, table, idx, Mode, Oob, PTOG_HERE, scratch);                                           \
        return {PIPE_MTE2};                                                                                            \
    }
PTOG_FOR_EVENTS(PTOG_DEFINE)
#undef PTOG_DEFINE
#undef PTOG_GATHER

#endif
