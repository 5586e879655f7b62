/* pto: copies that kernels call by the name that the device's compiler has for them, because the library has no instruction for them. */
#ifndef PTO_PTOG_L1_COPIES_HPP
#define PTO_PTOG_L1_COPIES_HPP

#include <cstdint>

#include <pto/ptog/builtins.hpp>
#include <pto/ptog/tile_pointer.hpp>

namespace ptog
{

inline constexpr std::int64_t l1_block = 32; /* bytes that lengths and gaps count */

/* `bursts` pieces of `length` blocks from L1 to global memory, with gaps between the end of one and the next: a store of a tile of bytes. */
inline void store_from_l1(void *to, std::uint64_t addr, std::int64_t bursts, std::int64_t length, std::int64_t gap, std::int64_t gm_gap, place at)
{
    thread_state &t = with_core(at, core_kind::cube);
    if (bursts == 0 || length == 0)
        return;
    ptog_transfer op{};
    op.store = true;
    op.tile = ptog_tile_at(ptog_tile_vec(PTOG_U8, bursts, (length + gap) * l1_block), addr);
    op.tile.loc = PTOG_MAT;
    op.tile.valid_row = bursts;
    op.tile.valid_col = length * l1_block;
    op.view = ptog_tensor_2d_pitch(PTOG_U8, bursts, length * l1_block, (length + gm_gap) * l1_block);
    store(t, op, to, at);
}

} // namespace ptog

/* L1 to global memory on MTE3, which A2/A3 has; lengths and gaps in blocks of 32 bytes. */
PTO_INST void copy_cbuf_to_gm(void *dst, const void *src, std::uint8_t, std::uint16_t bursts, std::uint16_t length, std::uint16_t gap,
                              std::uint16_t gm_gap, PTOG_PLACE)
{
    const auto value = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(src));
    ptog::store_from_l1(dst, ptog::chip_address(value), bursts, length, gap, gm_gap, PTOG_HERE);
}

#endif
