/* pto: MGATHER with template arguments that it does not have. They are a mode and a policy, a policy alone, or the types of the operands.
 * Included by pto/common/pto_instr.hpp inside namespace pto. */
#ifndef PTO_PTOG_MGATHER_REFUSED_HPP
#define PTO_PTOG_MGATHER_REFUSED_HPP

template <auto First, auto... More, class... Args,
          std::enable_if_t<!std::is_same_v<decltype(First), Coalesce> && !std::is_same_v<decltype(First), GatherOOB>, int> = 0>
RecordEvent MGATHER(Args &&...)
    PTOG_REFUSED("the first template argument of MGATHER must be a mode (Coalesce::Row) or a policy (GatherOOB::Clamp)")
template <Coalesce, auto Second, auto... More, class... Args, std::enable_if_t<!std::is_same_v<decltype(Second), GatherOOB>, int> = 0>
RecordEvent MGATHER(Args &&...) PTOG_REFUSED("the second template argument of MGATHER must be a policy, such as GatherOOB::Clamp")
template <GatherOOB, auto Second, auto... More, class... Args>
RecordEvent MGATHER(Args &&...) PTOG_REFUSED("the mode of MGATHER comes before its policy: MGATHER<Coalesce::Row, GatherOOB::Clamp>")
template <Coalesce, GatherOOB, GatherExec, class... Args>
RecordEvent MGATHER(Args &&...) PTOG_REFUSED("not supported yet: MGATHER with GatherExec, in which the vector core fills the scratch memory")
template <class First, class... More, class... Args, std::enable_if_t<!ptog::is_tile<First>::value, int> = 0>
RecordEvent MGATHER(Args &&...) PTOG_REFUSED("the first template argument of MGATHER must be a mode, a policy or the type of dst")

#endif
