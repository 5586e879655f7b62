/* pto: scalar code that reads or writes a single element of a tile: GetValue, SetValue. What was issued before has
 * completed then; the checks do not see it. */
#ifndef PTO_PTOG_SCALAR_HPP
#define PTO_PTOG_SCALAR_HPP

#include <pto/ptog/runtime.hpp>

namespace ptog
{

inline ptog_tile bytes_at(std::uint64_t addr, std::size_t bytes)
{
    return ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, static_cast<std::int64_t>(bytes)), addr);
}

inline void read_tile(std::uint64_t addr, void *to, std::size_t bytes)
{
    ptog_tile tile = bytes_at(addr, bytes);
    ptog_core_peek(with_core().core, &tile, to);
}

inline void write_tile(std::uint64_t addr, const void *from, std::size_t bytes)
{
    unsigned char before[8];
    ptog_tile tile = bytes_at(addr, bytes);
    ptog_core_peek(with_core().core, &tile, before);
    ptog_core_preset(with_core().core, &tile, from);
}

} // namespace ptog

#endif
