/* pto: how the cores of a launch wait for each other: counters (A2/A3, A5), flags between a cube core and its vector cores
 * (A5), and a barrier of all cores. Each call is one of the library's (ptog/core.h); a core that has to wait lets the
 * others go on. In a launch whose cores run one after the other, and outside launches, nobody would answer: that is
 * reported. */
#ifndef PTO_PTOG_CROSS_HPP
#define PTO_PTOG_CROSS_HPP

#include <cstdint>

#include <pto/common/type.hpp>
#include <pto/ptog/call.hpp>

/* Where a call stands: the last two parameters of everything that is checked, never given. */
#define PTOG_PLACE const char *ptog_file = __builtin_FILE(), unsigned ptog_line = __builtin_LINE()
#define PTOG_HERE                                                                                                      \
    ptog::place                                                                                                        \
    {                                                                                                                  \
        ptog_file, ptog_line                                                                                           \
    }

namespace ptog
{

/* Whether the core that runs can wait for others; said if not. */
inline bool can_wait(thread_state &t, place at, const char *call)
{
    if (t.devices[t.current]->linked)
        return true;
    say(at, call, "the cores of this kernel do not run side by side: compile the source with ptog-cxx, and launch the kernel with "
                  "<<<blocks>>>");
    return false;
}

template <class Call> void call_cross(thread_state &t, place at, const char *name, Call call)
{
    if (can_wait(t, at, name) && !is_dropped(process_settings(), at.line))
        done(t, waiting(t, call), at, name);
}

/* What stands in the word of ffts_cross_core_sync. */
inline void set_counter(pipe_t pipe, int id, int mode, place at, const char *name)
{
    thread_state &t = with_core(at);
    call_cross(t, at, name, [&] { return ptog_core_cross_set(t.core, static_cast<ptog_pipe>(pipe), id, mode); });
}
inline void wait_counter(int id, place at, const char *name)
{
    thread_state &t = with_core(at);
    call_cross(t, at, name, [&] { return ptog_core_cross_wait(t.core, id); });
}
inline void set_intra(pipe_t pipe, int id, place at)
{
    thread_state &t = with_core(at);
    call_cross(t, at, "set_intra_block",
               [&] { return ptog_core_intra_set(t.core, static_cast<ptog_pipe>(pipe), id); });
}
inline void wait_intra(pipe_t pipe, int id, place at)
{
    thread_state &t = with_core(at);
    call_cross(t, at, "wait_intra_block",
               [&] { return ptog_core_intra_wait(t.core, static_cast<ptog_pipe>(pipe), id); });
}
inline void sync_all(ptog_all cores, place at)
{
    thread_state &t = with_core(at);
    if ((cores == PTOG_ALL_VECTOR && t.cube) || (cores == PTOG_ALL_CUBE && !t.cube))
        return; /* it is not for this core */
    call_cross(t, at, "SYNCALL", [&] { return ptog_core_sync_all(t.core, cores); });
}

} // namespace ptog

/* A set: bits 4 and 5 of the word are the mode, bits 8 to 11 the id. */
PTO_INST void ffts_cross_core_sync(pipe_t pipe, std::uint64_t word, PTOG_PLACE)
{
    ptog::set_counter(pipe, static_cast<int>(word >> 8 & 15), static_cast<int>(word >> 4 & 3), PTOG_HERE,
                      "ffts_cross_core_sync");
}
PTO_INST void wait_flag_dev(std::int64_t id, PTOG_PLACE)
{
    ptog::wait_counter(static_cast<int>(id), PTOG_HERE, "wait_flag_dev");
}
PTO_INST void wait_flag_dev(pipe_t, std::int64_t id, PTOG_PLACE)
{
    ptog::wait_counter(static_cast<int>(id), PTOG_HERE, "wait_flag_dev");
}
PTO_INST void set_intra_block(pipe_t pipe, std::int64_t id, PTOG_PLACE)
{
    ptog::set_intra(pipe, static_cast<int>(id), PTOG_HERE);
}
PTO_INST void wait_intra_block(pipe_t pipe, std::int64_t id, PTOG_PLACE)
{
    ptog::wait_intra(pipe, static_cast<int>(id), PTOG_HERE);
}

/* The counters have no address here. */
template <class... Args> PTO_INST void set_ffts_base_addr(Args...)
{
}

namespace pto
{

enum class SyncAllMode : std::uint8_t { Hard = 0, Soft = 1 };
enum class SyncCoreType : std::uint8_t { AIVOnly = 0, AICOnly = 1, Mix = 2 };

/* A barrier on all pipes, then on all cores. */
template <SyncCoreType cores = SyncCoreType::AIVOnly> PTO_INST void SYNCALL(PTOG_PLACE)
{
    ptog::sync_all(static_cast<ptog_all>(cores), PTOG_HERE);
}
/* The same through memory that is not needed here. */
template <SyncAllMode mode, SyncCoreType cores = SyncCoreType::AIVOnly, class Global>
PTO_INST void SYNCALL(Global &, std::int32_t = 0, PTOG_PLACE)
{
    ptog::sync_all(static_cast<ptog_all>(cores), PTOG_HERE);
}

} // namespace pto

#endif
