/* pto: scalar code that reads or writes a single element of a tile: GetValue, SetValue. S does, and the kernel owes the
 * flags from and to it. */
#ifndef PTO_PTOG_SCALAR_HPP
#define PTO_PTOG_SCALAR_HPP

#include <pto/ptog/runtime.hpp>

namespace ptog
{

/* So many elements of a size; what their bits mean does not matter here. */
inline ptog_tile elements_at(std::uint64_t addr, std::int64_t count, std::size_t size)
{
    constexpr ptog_dtype by_size[] = {PTOG_U8, PTOG_U16, PTOG_U32, PTOG_U64};
    int log = 0;
    while (log < 3 && size > std::size_t{1} << log)
        log++;
    return ptog_tile_at(ptog_tile_vec(by_size[log], 1, count), addr);
}

template <class Element>
Element get_value(thread_state &t, std::uint64_t addr, std::int64_t count, std::uint32_t element, place at)
{
    ptog_tile tile = elements_at(addr, count, sizeof(Element));
    Element value;
    tile.name = t.calls.find(at, "GetValue")[0];
    worked(t, PTOG_S, ptog_core_get_value(t.core, &tile, element, &value), at, "GetValue");
    return value;
}

template <class Element>
void set_value(thread_state &t, std::uint64_t addr, std::int64_t count, std::uint32_t element, const Element &value,
               place at)
{
    ptog_tile tile = elements_at(addr, count, sizeof(Element));
    tile.name = t.calls.find(at, "SetValue")[0];
    worked(t, PTOG_S, ptog_core_set_value(t.core, &tile, element, &value), at, "SetValue");
}

} // namespace ptog

#endif
