/* pto: global memory as kernels see it, which is plain pointers. Allocations that were registered are the buffers in
 * which accesses are judged. For a pointer into nothing registered the view's own extent is the bound, in a program
 * with AddressSanitizer only up to the first byte that nobody owns; without it the report says that nothing is known.
 *
 * The registry is the process's: one thread allocates, another may launch. */
#ifndef PTO_PTOG_GM_HPP
#define PTO_PTOG_GM_HPP

#include <cstdint>
#include <cstdio>

#include <ptog/core.h>

#include <pto/ptog/found.hpp>
#include <pto/ptog/list.hpp>

/* Of AddressSanitizer, where a program is built with it: the first byte of a range that is no object's, or NULL. */
extern "C" void *__asan_region_is_poisoned(void *start, std::size_t bytes) __attribute__((weak));

namespace ptog
{

struct gm_range {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    std::size_t reach = 0; /* addresses from start on that are nobody else's, or that an unregistered view extends
                            * over: a pointer there points past the end */

    bool owns(std::uintptr_t at) const
    {
        return at >= start && at - start < (reach > bytes ? reach : bytes);
    }

    /* Of a range that views made: whether another view starts in it, and extends no further. */
    bool covers(std::uintptr_t at, std::size_t count) const
    {
        bool starts = at == start || (at > start && at - start < bytes);
        return starts && at - start <= reach && reach - (at - start) >= count;
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
    atomic<bool> busy{false};
    atomic<std::uint64_t> generation{1}; /* another number after each change */
    list<gm_range> ranges;

    void add(gm_range range)
    {
        spin_lock held(busy);
        ranges.push_back(range);
        ++generation;
    }

    void remove(std::uintptr_t start)
    {
        spin_lock held(busy);
        for (std::size_t i = ranges.size(); i-- > 0;)
            if (ranges[i].start == start) {
                ranges.erase(i);
                break;
            }
        ++generation;
    }

    /* The range that `at` points into; empty when there is none. */
    gm_range find(std::uintptr_t at)
    {
        spin_lock held(busy);
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

/* The pointers that kernels used and whose sizes nobody knows. Ranges that touch, or follow each other, are one. */
class gm_unknown
{
  public:
    void add(gm_range range)
    {
        spin_lock held(busy_);
        for (std::size_t i = ranges_.size(); i-- > 0;) {
            gm_range &other = ranges_[i];
            std::uintptr_t end = range.start + range.bytes, other_end = other.start + other.bytes;
            if (range.start > other_end || other.start > end)
                continue;
            range.start = other.start < range.start ? other.start : range.start;
            range.bytes = (other_end > end ? other_end : end) - range.start;
            ranges_.erase(i);
        }
        ranges_.push_back(range);
    }

    /* How many there are; they are forgotten. */
    std::size_t take()
    {
        spin_lock held(busy_);
        std::size_t count = ranges_.size();
        ranges_.clear();
        return count;
    }

  private:
    atomic<bool> busy_{false};
    list<gm_range> ranges_;
};

inline gm_unknown &gm_unknown_all()
{
    static gm_unknown *all = new gm_unknown;
    return *all;
}

/* The buffers of one device: handles for the ranges that its kernels used. */
class gm_buffers
{
  public:
    struct place {
        int gm;
        std::uint64_t offset;
        bool is_unknown = false; /* seen for the first time since the launch began, and nobody knows its size */
    };

    /* Where `data` lies, for a view that reaches over `bytes` bytes; a buffer that is new is called as the view. gm is
     * -1 when out of memory. */
    place find(ptog_device *device, const void *data, std::size_t bytes, const char *name)
    {
        std::uintptr_t at = reinterpret_cast<std::uintptr_t>(data);
        std::uint64_t now = gm_all().generation.load();
        if (now != generation_)
            refresh(now);
        for (const buffer &b : of_)
            if (b.live && (b.registered ? b.range.owns(at) : b.range.covers(at, bytes)))
                return {b.gm, at - b.range.start};
        return add(device, at, bytes, name);
    }

    /* The same for a pointer into a buffer that a kernel has used; false: there is none. */
    bool look(const void *data, place &found)
    {
        std::uintptr_t at = reinterpret_cast<std::uintptr_t>(data);
        for (const buffer &b : of_)
            if (b.live && b.range.owns(at)) {
                found = {b.gm, at - b.range.start};
                return true;
            }
        return false;
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

    place add(ptog_device *device, std::uintptr_t at, std::size_t bytes, const char *view)
    {
        gm_range range = gm_all().find(at);
        bool registered = range.bytes > 0;
        bool unknown = !registered && !__asan_region_is_poisoned;
        if (!registered)
            range = grown({at, accessible(at, bytes), bytes});
        for (buffer &b : of_)
            if (!b.live && b.registered == registered && b.range == range) {
                b.live = true;
                b.range.reach = range.reach;
                return {b.gm, at - range.start, unknown};
            }
        char name[24];
        std::snprintf(name, sizeof name, "gm%zu", of_.size() + 1);
        int gm = ptog_device_buffer(device, view ? view : name, reinterpret_cast<void *>(range.start), range.bytes);
        if (gm >= 0)
            of_.push_back({range, gm, registered, true});
        return {gm, at - range.start, unknown};
    }

    /* How many bytes from `at` on belong to somebody, as far as that is known. */
    static std::size_t accessible(std::uintptr_t at, std::size_t bytes)
    {
        void *poisoned =
            __asan_region_is_poisoned ? __asan_region_is_poisoned(reinterpret_cast<void *>(at), bytes) : nullptr;
        return poisoned ? reinterpret_cast<std::uintptr_t>(poisoned) - at : bytes;
    }

    /* Views of unregistered memory that touch are one buffer, so that what one stores the other reads. */
    gm_range grown(gm_range range)
    {
        for (buffer &b : of_) {
            if (!b.live || b.registered || !b.range.touches(range))
                continue;
            std::uintptr_t end = range.start + range.bytes, other = b.range.start + b.range.bytes;
            std::uintptr_t reach = range.start + range.reach, others = b.range.start + b.range.reach;
            range.start = b.range.start < range.start ? b.range.start : range.start;
            range.bytes = (other > end ? other : end) - range.start;
            range.reach = (others > reach ? others : reach) - range.start;
            b.live = false;
        }
        return range;
    }
};

} // namespace ptog

#endif
