/* pto: what tile.data() is. Without a machine (host, cpu, cpusim) it points to the elements of the tile, which scalar
 * code may read and write. On a machine it is an address on the chip, which kernels pass on; who follows it there is
 * told so, instead of dying of a segmentation fault. */
#ifndef PTO_PTOG_TILE_POINTER_HPP
#define PTO_PTOG_TILE_POINTER_HPP

#include <csignal>
#include <cstdint>
#include <unistd.h>

#include <pto/ptog/runtime.hpp>

namespace ptog
{

inline constexpr std::uintptr_t past_any_tile = std::uintptr_t{1} << 30; /* addresses on a chip are smaller */

/* For SIGSEGV: an address that a chip could have is a pointer of data(), or null. */
inline void explain_segv(int, siginfo_t *info, void *)
{
    static const char message[] =
        "ptog: error: scalar code followed a pointer that is an address on the chip: tile.data() of a machine target "
        "cannot be read or written; use GetValue and SetValue, or the targets host, cpu and cpusim\n";
    std::signal(SIGSEGV, SIG_DFL);
    if (reinterpret_cast<std::uintptr_t>(info->si_addr) >= past_any_tile)
        return; /* it happens again, and ends the process */
    ssize_t written = ::write(2, message, sizeof message - 1);
    ::_exit(written < 0 ? 2 : 1);
}

/* Once, and only where the program has no handler of its own. */
inline void watch_segv()
{
    static const bool is_watched = [] {
        struct sigaction now {
        };
        if (sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
            now.sa_sigaction = explain_segv;
            now.sa_flags = SA_SIGINFO;
            sigaction(SIGSEGV, &now, nullptr);
        }
        return true;
    }();
    static_cast<void>(is_watched);
}

/* The pointer for a tile of so many bytes at an address. */
inline void *tile_pointer(std::uint64_t addr, std::uint64_t bytes)
{
    if (process_settings().target->machine == PTOG_NO_MACHINE)
        if (void *at = ptog_core_ub(with_core().core, addr, bytes))
            return at;
    watch_segv();
    return reinterpret_cast<void *>(static_cast<std::uintptr_t>(addr));
}

/* The address on the chip of what tile_pointer gave, perhaps moved within the buffer. */
inline std::uint64_t chip_address(std::uint64_t value)
{
    if (value < past_any_tile || process_settings().target->machine != PTOG_NO_MACHINE)
        return value;
    return value - reinterpret_cast<std::uintptr_t>(ptog_core_ub(with_core().core, 0, 0));
}

} // namespace ptog

#endif
