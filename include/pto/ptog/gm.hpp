/* pto: global memory as kernels see it, which is plain pointers. Allocations that were registered are the buffers in
 * which accesses are judged; for a pointer into nothing registered, the view's own extent is the bound.
 *
 * The registry is the process's: one thread allocates, another may launch. */
#ifndef PTO_PTOG_GM_HPP
#define PTO_PTOG_GM_HPP

#include <atomic>
#include <cstdint>
#include <cstdio>

#include <ptog/core.h>

#include <pto/ptog/list.hpp>

namespace ptog
{

struct gm_range {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    std::size_t reach = 0; /* addresses from start on that are nobody else's: a pointer there points past the end */

    bool owns(std::uintptr_t at) const
    {
        return at >= start && at - start < (reach > bytes ? reach : bytes);
    }

    bool holds(std::uintptr_t at, std::size_t count) const
    {
        return at >= start && at - start <= bytes && bytes - (at - start) >= count;
    }
    bool touches(const gm_range &other) const
    {
        return start < other.start + other.bytes && other.start < start + bytes;
    }
    bool operator==(const gm_range &other) const
    {
        return start == other.start && bytes == other.bytes;
    }
};

struct gm_registry {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::atomic<std::uint64_t> generation{1}; /* another number after each change */
    list<gm_range> ranges;

    struct lock {
        gm_registry &of;
        explicit lock(gm_registry &r) : of(r)
        {
            while (of.busy.test_and_set(std::memory_order_acquire)) {
            }
        }
        ~lock()
        {
            of.busy.clear(std::memory_order_release);
        }
    };

    void add(gm_range range)
    {
        lock held(*this);
        ranges.push_back(range);
        generation++;
    }

    void remove(std::uintptr_t start)
    {
        lock held(*this);
        for (std::size_t i = ranges.size(); i-- > 0;)
            if (ranges[i].start == start) {
                ranges.erase(i);
                break;
            }
        generation++;
    }

    /* The range that `at` points into; empty when there is none. */
    gm_range find(std::uintptr_t at)
    {
        lock held(*this);
        for (const gm_range &range : ranges)
            if (range.owns(at))
                return range;
        return {};
    }
};

/* Never destroyed: memory may be freed by destructors that run late. */
inline gm_registry &gm_all()
{
    static gm_registry *all = new gm_registry;
    return *all;
}

/* The buffers of one device: handles for the ranges that its kernels used. */
class gm_buffers
{
  public:
    struct place {
        int gm;
        std::uint64_t offset;
    };

    /* Where `data` lies, for a view that reaches over `bytes` bytes. gm is -1 when out of memory. */
    place find(ptog_device *device, const void *data, std::size_t bytes)
    {
        std::uintptr_t at = reinterpret_cast<std::uintptr_t>(data);
        std::uint64_t now = gm_all().generation.load(std::memory_order_acquire);
        if (now != generation_)
            refresh(now);
        for (const buffer &b : of_)
            if (b.live && (b.registered ? b.range.owns(at) : b.range.holds(at, bytes)))
                return {b.gm, at - b.range.start};
        return add(device, at, bytes);
    }

    /* A launch begins: memory that nobody registered may have been freed, and be somebody else's. */
    void forget()
    {
        for (buffer &b : of_)
            b.live = b.live && b.registered;
    }

  private:
    struct buffer {
        gm_range range;
        int gm;
        bool registered, live;
    };
    list<buffer> of_;
    std::uint64_t generation_ = 0;

    /* Buffers whose memory was freed are not used again, unless the same range comes back. */
    void refresh(std::uint64_t now)
    {
        for (buffer &b : of_) {
            gm_range known = gm_all().find(b.range.start);
            b.live = b.registered ? known == b.range : b.live && known.bytes == 0;
        }
        generation_ = now;
    }

    place add(ptog_device *device, std::uintptr_t at, std::size_t bytes)
    {
        gm_range range = gm_all().find(at);
        bool registered = range.bytes > 0;
        if (!registered)
            range = grown({at, bytes, 0});
        for (buffer &b : of_)
            if (!b.live && b.registered == registered && b.range == range) {
                b.live = true;
                return {b.gm, at - range.start};
            }
        char name[24];
        std::snprintf(name, sizeof name, "gm%zu", of_.size() + 1);
        int gm = ptog_device_buffer(device, name, reinterpret_cast<void *>(range.start), range.bytes);
        if (gm >= 0)
            of_.push_back({range, gm, registered, true});
        return {gm, at - range.start};
    }

    /* Views of unregistered memory that touch are one buffer, so that what one stores the other reads. */
    gm_range grown(gm_range range)
    {
        for (buffer &b : of_) {
            if (!b.live || b.registered || !b.range.touches(range))
                continue;
            std::uintptr_t end = range.start + range.bytes, other = b.range.start + b.range.bytes;
            range.start = b.range.start < range.start ? b.range.start : range.start;
            range.bytes = (other > end ? other : end) - range.start;
            b.live = false;
        }
        return range;
    }
};

} // namespace ptog

#endif
