/* pto: where tiles without TASSIGN lie: the lowest free room, 32-byte aligned, in the address space of their type. A
 * tile gives its room back when it goes out of scope, so that a loop's tile has one address in every iteration. Tiles
 * with TASSIGN are stayed clear of by lying above the highest of them. */
#ifndef PTO_PTOG_PLACE_HPP
#define PTO_PTOG_PLACE_HPP

#include <cstdint>

#include <pto/ptog/list.hpp>

namespace ptog
{

class space
{
  public:
    void assigned(std::uint64_t addr, std::uint64_t bytes)
    {
        if (addr + bytes > floor_)
            floor_ = aligned(addr + bytes);
    }

    std::uint64_t take(std::uint64_t bytes)
    {
        std::uint64_t at = floor_, wanted = aligned(bytes);
        std::size_t i = 0;
        for (; i < used_.size(); i++) { /* by address */
            if (used_[i].start >= at && used_[i].start - at >= wanted)
                break;
            std::uint64_t end = used_[i].start + used_[i].bytes;
            at = end > at ? end : at;
        }
        used_.insert(i, {at, wanted});
        return at;
    }

    void give_back(std::uint64_t start)
    {
        for (std::size_t i = 0; i < used_.size(); i++)
            if (used_[i].start == start) {
                used_.erase(i);
                return;
            }
    }

    void clear()
    {
        floor_ = 0;
        used_.clear();
    }

  private:
    struct range {
        std::uint64_t start, bytes;
    };
    list<range> used_;
    std::uint64_t floor_ = 0;

    static std::uint64_t aligned(std::uint64_t bytes)
    {
        return (bytes + 31) / 32 * 32;
    }
};

} // namespace ptog

#endif
