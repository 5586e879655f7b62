/* pto: the place of one tile on the chip: where TASSIGN put it, or where there was room when it was first used. */
#ifndef PTO_PTOG_ROOM_HPP
#define PTO_PTOG_ROOM_HPP

#include <pto/ptog/runtime.hpp>

namespace ptog
{

class room
{
  public:
    room() = default;
    /* A copy names the same bytes, and does not own them. */
    room(const room &other) : addr_(other.addr_), assigned_(other.assigned_ || other.core_ != 0)
    {
    }
    room &operator=(const room &other)
    {
        if (this != &other) {
            leave();
            addr_ = other.addr_;
            assigned_ = other.assigned_ || other.core_ != 0;
        }
        return *this;
    }
    ~room()
    {
        leave();
        go();
    }

    void assign(std::uint64_t addr)
    {
        leave();
        addr_ = addr;
        assigned_ = true;
    }

    /* The address, on the open core. A tile that the kernel `uses` keeps others away. */
    std::uint64_t addr(thread_state &t, int space, std::uint64_t bytes, bool uses)
    {
        if (assigned_) {
            if (uses)
                t.rooms[space].assigned(addr_, bytes);
        } else if (core_ != t.core_number) {
            addr_ = t.rooms[space].take(bytes);
            core_ = t.core_number;
            space_ = space;
        }
        if (uses && used_ != t.core_number)
            come(t);
        return addr_;
    }

    /* TASSIGN gave the address; else it is static memory. */
    bool is_assigned() const
    {
        return assigned_;
    }

    std::uint64_t known_addr() const
    {
        return addr_;
    }

  private:
    std::uint64_t addr_ = 0;
    std::uint64_t core_ = 0; /* the core in which room was taken; 0: none */
    std::uint64_t used_ = 0; /* the core that used the tile last; 0: none */
    int space_ = 0;
    bool assigned_ = false;

    void leave()
    {
        if (core_ == 0)
            return;
        thread_state &t = here();
        if (t.core && t.core_number == core_)
            t.rooms[space_].give_back(addr_);
        core_ = 0;
    }

    [[gnu::cold]] void come(thread_state &t)
    {
        used_ = t.core_number;
        t.tiles++;
    }

    /* With the last tile a kernel has come to its end. */
    void go()
    {
        if (used_ == 0)
            return;
        thread_state &t = here();
        if (t.core && t.core_number == used_ && t.tiles > 0 && --t.tiles == 0)
            arrive(t);
    }
};

} // namespace ptog

#endif
