/* pto: what the device compiler offers beside the instructions: flags and barriers, the data cache of S, and calls that
 * set up masks and the cube core. The latter do nothing here. */
#ifndef PTO_PTOG_BUILTINS_HPP
#define PTO_PTOG_BUILTINS_HPP

#include <pto/common/type.hpp>
#include <pto/ptog/call.hpp>
#include <pto/ptog/cross.hpp>

/* An id is an event_t, or a number. */
PTO_INST void set_flag(pipe_t src, pipe_t dst, int id, PTOG_PLACE)
{
    ptog::set(src, dst, id, PTOG_HERE);
}
PTO_INST void wait_flag(pipe_t src, pipe_t dst, int id, PTOG_PLACE)
{
    ptog::wait(src, dst, id, PTOG_HERE);
}
PTO_INST void pipe_barrier(pipe_t pipe, PTOG_PLACE)
{
    ptog::barrier(pipe, PTOG_HERE);
}

namespace pto
{

/* A set and its wait, one after the other. In automatic mode the core knows better. */
template <pipe_t src, pipe_t dst>
PTO_INST void PtoSetWaitFlag(event_t set_id = EVENT_ID0, event_t wait_id = EVENT_ID0, PTOG_PLACE)
{
    if constexpr (!ptog::automatic) {
        ptog::set(src, dst, static_cast<int>(set_id), PTOG_HERE);
        ptog::wait(src, dst, static_cast<int>(wait_id), PTOG_HERE);
    }
}

} // namespace pto

using pto::PtoSetWaitFlag;

namespace ptog
{

/* The device's counter of time, which only has to grow: ptog-cxx makes calls of asm that reads SYS_CNT. */
inline std::int64_t sys_cnt()
{
    static thread_local std::int64_t count;
    here().issued++; /* S reads a register: the body of a kernel that measures time is there */
    return ++count;
}
template <class Number> void read_sys_cnt(Number &count)
{
    count = static_cast<Number>(sys_cnt());
}

/* Where S is in the program, which kernels hand to preload: nowhere, there is no instruction cache. */
template <class Number> void read_pc(Number &at)
{
    at = 0;
}

} // namespace ptog

PTO_INST std::int64_t get_sys_cnt()
{
    return ptog::sys_cnt();
}

/* The data cache of S: the line that a pointer is in, or all of it. With operands of other types nothing happens. */
template <class Byte> PTO_INST void dcci(Byte *line, cache_line_t lines, PTOG_PLACE)
{
    ptog::flush(lines == SINGLE_CACHE_LINE ? (const void *)line : nullptr, PTOG_HERE);
}
template <class Byte> PTO_INST void dcci(Byte *line, cache_line_t lines, dcci_dst_t, PTOG_PLACE)
{
    ptog::flush(lines == SINGLE_CACHE_LINE ? (const void *)line : nullptr, PTOG_HERE);
}
template <class... Args> PTO_INST void dcci(Args...)
{
}
PTO_INST void dsb(mem_dsb_t, PTOG_PLACE)
{
    ptog::fence(PTOG_HERE);
}
template <class... Args> PTO_INST void dsb(Args...)
{
}

/* There is no register of masks, and no instruction cache. */
template <class... Args> PTO_INST void preload(Args...)
{
}
PTO_INST std::int64_t get_icache_prl_st()
{
    return 0;
}
PTO_INST void set_mask_norm()
{
}
PTO_INST void set_mask_count()
{
}
template <class... Args> PTO_INST void set_vector_mask(Args...)
{
}

/* Copies from L1, in blocks of 32 bytes. */
template <class... Args> PTO_INST void copy_cbuf_to_ubuf(Args...)
{
    static_assert(sizeof...(Args) > 99, "not supported: copy_cbuf_to_ubuf, L1 is not simulated by ptogather");
}

#endif
