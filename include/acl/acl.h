/* acl: the part of the Ascend Computing Language that the host side of a kernel needs, on the simulated device. Names,
 * numbers and error codes are those of CANN. For C++ only: the device lives in this process.
 *
 * Device memory starts as zeros. The runtime knows the size of every allocation: kernel accesses past its end are
 * reported. Host memory is not device memory: copies are checked for size and direction, and so is what is freed.
 * Everything is synchronous: a call returns when its work is done. There is one kind of device, with the numbers 0
 * to 7. */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "acl/acl.h of ptogather needs C++17: give the compiler -std=c++17 or a later one"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include <pto/common/type.hpp>

#include <pto/ptog/other_library.hpp> /* which type.hpp was it? */

#include <pto/ptog/atomic.hpp>
#include <pto/ptog/launch.hpp>
#include <pto/ptog/list.hpp>

/* ---- errors ---- */

typedef int aclError;

inline constexpr aclError ACL_SUCCESS = 0;
inline constexpr aclError ACL_ERROR_NONE = 0;
inline constexpr aclError ACL_ERROR_INVALID_PARAM = 100000;
inline constexpr aclError ACL_ERROR_UNINITIALIZE = 100001;
inline constexpr aclError ACL_ERROR_REPEAT_INITIALIZE = 100002;
inline constexpr aclError ACL_ERROR_REPEAT_FINALIZE = 100037;
inline constexpr aclError ACL_ERROR_RT_PARAM_INVALID = 107000; /* not an allocation, too small, wrong direction */
inline constexpr aclError ACL_ERROR_RT_INVALID_DEVICEID = 107001;
inline constexpr aclError ACL_ERROR_RT_CONTEXT_NULL = 107002;   /* no aclrtSetDevice on this thread */
inline constexpr aclError ACL_ERROR_RT_STREAM_CONTEXT = 107003; /* not a stream, or destroyed */
inline constexpr aclError ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;

/* ---- types ---- */

typedef void *aclrtStream;
typedef void *aclrtContext;

typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
} aclrtMemMallocPolicy;

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    ACL_MEMCPY_DEFAULT = 4, /* from the pointers */
} aclrtMemcpyKind;

/* A half as bits; a source of the simulator, compiled with -D__CPU_SIM, has numbers (pto/common/type.hpp). */
#ifndef __CPU_SIM
typedef std::uint16_t aclFloat16;
inline float aclFloat16ToFloat(aclFloat16 value)
{
    return ptog::from_half(value);
}
inline aclFloat16 aclFloatToFloat16(float value)
{
    return ptog::to_half(value);
}
#endif

/* ---- what there is ---- */

namespace ptog_acl
{

inline constexpr std::int32_t devices = 8;
inline constexpr std::size_t smallest_room = 1 << 20;

struct allocation {
    std::uintptr_t start;
    std::size_t bytes, room; /* room: with what lies behind it and cannot be touched */
    std::int32_t device;     /* -1: host memory */
};

/* The process's. Guarded by `busy`. */
struct state {
    ptog::atomic<bool> busy{false};
    bool initialized = false, finalized = false;
    ptog::list<allocation> memory; /* by first byte */
    ptog::list<aclrtStream> streams;

    /* The number of the first allocation that starts at `at` or above. */
    std::size_t first_from(std::uintptr_t at) const
    {
        std::size_t low = 0, high = memory.size();
        while (low < high) {
            std::size_t middle = low + (high - low) / 2;
            if (memory[middle].start < at)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /* The device allocation in which [data, data + bytes) lies as a whole; `overlaps`: whether any byte is in one. */
    bool holds(const void *data, std::size_t bytes, bool *overlaps) const
    {
        std::uintptr_t at = reinterpret_cast<std::uintptr_t>(data);
        *overlaps = false;
        std::size_t next = first_from(at + 1);
        if (next > 0) {
            const allocation &before = memory[next - 1];
            std::uintptr_t offset = at - before.start;
            if (before.device >= 0 && offset < before.bytes) {
                *overlaps = true;
                return before.bytes - offset >= bytes;
            }
        }
        for (; next < memory.size() && memory[next].start - at < bytes; ++next)
            *overlaps = *overlaps || memory[next].device >= 0;
        return false;
    }

    /* The number of a stream; as many as there are when it is none. */
    std::size_t stream_number(aclrtStream stream) const
    {
        std::size_t i = 0;
        while (i < streams.size() && streams[i] != stream)
            i++;
        return i;
    }
};

/* Never destroyed: memory may be freed by destructors that run late. */
inline state &all()
{
    static state *made = new state;
    return *made;
}

/* The device of this thread; -1: none was set. The simulator's mains need not set one. */
inline std::int32_t &current()
{
#ifdef __CPU_SIM
    static thread_local std::int32_t device = 0;
#else
    static thread_local std::int32_t device = -1;
#endif
    return device;
}

/* The caller is told, and so is everyone who looks at pointers. */
inline aclError keep(void **data, void *made, allocation what)
{
    if (!made)
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    what.start = reinterpret_cast<std::uintptr_t>(made);
    ptog::gm_register(made, what.bytes, what.room);
    ptog::spin_lock held(all().busy);
    all().memory.insert(all().first_from(what.start), what);
    *data = made;
    return ACL_SUCCESS;
}

/* Behind the bytes lies as much again that cannot be touched: what a kernel computes with too large a block number. */
inline aclError allocate_device(void **data, std::size_t bytes)
{
    if (!data || bytes == 0)
        return ACL_ERROR_INVALID_PARAM;
    if (bytes > SIZE_MAX / 4)
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    std::size_t room = 2 * bytes + smallest_room;
    void *made = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    if (mprotect(made, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(made, room);
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    }
    return keep(data, made, {0, bytes, room, current()});
}

inline aclError allocate_host(void **data, std::size_t bytes)
{
    if (!data || bytes == 0)
        return ACL_ERROR_INVALID_PARAM;
    return keep(data, std::calloc(1, bytes), {0, bytes, bytes, -1});
}

/* Forgets the allocation of this kind that starts at `data`, and gives its room; 0 when there is none. */
inline std::size_t forget(const void *data, bool on_device)
{
    ptog::spin_lock held(all().busy);
    std::uintptr_t start = reinterpret_cast<std::uintptr_t>(data);
    std::size_t found = all().first_from(start);
    if (found == all().memory.size() || all().memory[found].start != start || (all().memory[found].device >= 0) != on_device)
        return 0;
    std::size_t room = all().memory[found].room;
    all().memory.erase(found);
    return room;
}

inline aclError release(void *data, bool on_device)
{
    if (!data)
        return ACL_ERROR_INVALID_PARAM;
    std::size_t room = forget(data, on_device);
    if (room == 0)
        return ACL_ERROR_RT_PARAM_INVALID;
    ptog::gm_unregister(data);
    if (on_device)
        munmap(data, room);
    else
        std::free(data);
    return ACL_SUCCESS;
}

/* Whether [data, data + bytes) is all in one device allocation; or, for the host, no byte of it. */
inline bool is_on(bool device, const void *data, std::size_t bytes)
{
    bool overlaps;
    ptog::spin_lock held(all().busy);
    bool holds = all().holds(data, bytes, &overlaps);
    return device ? holds : !overlaps;
}

/* Not past the end of a device allocation, not into one. */
inline bool is_one_side(const void *data, std::size_t bytes)
{
    return is_on(true, data, bytes) || is_on(false, data, bytes);
}

inline bool direction_fits(void *to, const void *from, std::size_t bytes, aclrtMemcpyKind kind)
{
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST: return is_on(false, to, bytes) && is_on(false, from, bytes);
    case ACL_MEMCPY_HOST_TO_DEVICE: return is_on(true, to, bytes) && is_on(false, from, bytes);
    case ACL_MEMCPY_DEVICE_TO_HOST: return is_on(false, to, bytes) && is_on(true, from, bytes);
    case ACL_MEMCPY_DEVICE_TO_DEVICE: return is_on(true, to, bytes) && is_on(true, from, bytes);
    case ACL_MEMCPY_DEFAULT: return is_one_side(to, bytes) && is_one_side(from, bytes);
    }
    return false;
}

inline bool is_stream(aclrtStream stream)
{
    ptog::spin_lock held(all().busy);
    return !stream || all().stream_number(stream) < all().streams.size(); /* a null stream is the default one */
}

} // namespace ptog_acl

/* ---- the process and its device ---- */

inline aclError aclInit(const char *)
{
    ptog::spin_lock held(ptog_acl::all().busy);
    if (ptog_acl::all().initialized)
        return ACL_ERROR_REPEAT_INITIALIZE;
    ptog_acl::all().initialized = true;
    return ACL_SUCCESS;
}

inline aclError aclFinalize()
{
    ptog::sync();
    ptog::spin_lock held(ptog_acl::all().busy);
    if (!ptog_acl::all().initialized)
        return ptog_acl::all().finalized ? ACL_ERROR_REPEAT_FINALIZE : ACL_ERROR_UNINITIALIZE;
    ptog_acl::all().initialized = false;
    ptog_acl::all().finalized = true;
    return ACL_SUCCESS;
}

inline aclError aclrtGetDeviceCount(std::uint32_t *count)
{
    if (!count)
        return ACL_ERROR_INVALID_PARAM;
    *count = ptog_acl::devices;
    return ACL_SUCCESS;
}

inline aclError aclrtSetDevice(std::int32_t device)
{
    if (device < 0 || device >= ptog_acl::devices)
        return ACL_ERROR_RT_INVALID_DEVICEID;
    ptog_acl::current() = device;
    return ACL_SUCCESS;
}

inline aclError aclrtGetDevice(std::int32_t *device)
{
    if (!device)
        return ACL_ERROR_INVALID_PARAM;
    if (ptog_acl::current() < 0)
        return ACL_ERROR_RT_CONTEXT_NULL;
    *device = ptog_acl::current();
    return ACL_SUCCESS;
}

/* Memory of the device that was not freed stays valid until the process ends. */
inline aclError aclrtResetDevice(std::int32_t device)
{
    if (device < 0 || device >= ptog_acl::devices)
        return ACL_ERROR_RT_INVALID_DEVICEID;
    ptog::sync();
    if (ptog_acl::current() == device)
        ptog_acl::current() = -1;
    return ACL_SUCCESS;
}

/* ---- streams: work is done when it is given, so there is nothing to wait for but a kernel called as a function ----
 */

inline aclError aclrtCreateStream(aclrtStream *stream)
{
    if (!stream)
        return ACL_ERROR_INVALID_PARAM;
    if (ptog_acl::current() < 0)
        return ACL_ERROR_RT_CONTEXT_NULL;
    aclrtStream made = std::malloc(1);
    if (!made)
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    ptog::spin_lock held(ptog_acl::all().busy);
    ptog_acl::all().streams.push_back(made);
    *stream = made;
    return ACL_SUCCESS;
}

inline aclError aclrtDestroyStream(aclrtStream stream)
{
    if (!stream)
        return ACL_ERROR_INVALID_PARAM;
    ptog::sync();
    ptog::spin_lock held(ptog_acl::all().busy);
    std::size_t number = ptog_acl::all().stream_number(stream);
    if (number == ptog_acl::all().streams.size())
        return ACL_ERROR_RT_STREAM_CONTEXT;
    ptog_acl::all().streams.erase(number);
    std::free(stream);
    return ACL_SUCCESS;
}

/* What failed is reported where it happens. */
inline const char *aclGetRecentErrMsg()
{
    return "";
}

inline aclError aclrtSynchronizeStream(aclrtStream stream)
{
    ptog::sync();
    return ptog_acl::is_stream(stream) ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_CONTEXT;
}

inline aclError aclrtSynchronizeDevice()
{
    ptog::sync();
    return ptog_acl::current() >= 0 ? ACL_SUCCESS : ACL_ERROR_RT_CONTEXT_NULL;
}

/* ---- memory ---- */

inline aclError aclrtMalloc(void **data, std::size_t bytes, aclrtMemMallocPolicy)
{
    if (ptog_acl::current() < 0)
        return ACL_ERROR_RT_CONTEXT_NULL;
    return ptog_acl::allocate_device(data, bytes);
}

inline aclError aclrtFree(void *data)
{
    return ptog_acl::release(data, true);
}

inline aclError aclrtMallocHost(void **data, std::size_t bytes)
{
    return ptog_acl::allocate_host(data, bytes);
}

inline aclError aclrtFreeHost(void *data)
{
    return ptog_acl::release(data, false);
}

/* `most` is the room at `to`. */
inline aclError aclrtMemcpy(void *to, std::size_t most, const void *from, std::size_t bytes, aclrtMemcpyKind kind)
{
    if (!to || !from)
        return ACL_ERROR_INVALID_PARAM;
    ptog::sync();
    if (bytes > most || !ptog_acl::direction_fits(to, from, bytes, kind))
        return ACL_ERROR_RT_PARAM_INVALID;
    std::memmove(to, from, bytes);
    return ACL_SUCCESS;
}

inline aclError aclrtMemcpyAsync(void *to, std::size_t most, const void *from, std::size_t bytes, aclrtMemcpyKind kind,
                                 aclrtStream stream)
{
    if (!ptog_acl::is_stream(stream))
        return ACL_ERROR_RT_STREAM_CONTEXT;
    return aclrtMemcpy(to, most, from, bytes, kind);
}

inline aclError aclrtMemset(void *data, std::size_t most, std::int32_t value, std::size_t bytes)
{
    if (!data)
        return ACL_ERROR_INVALID_PARAM;
    ptog::sync();
    if (bytes > most || !ptog_acl::is_one_side(data, bytes))
        return ACL_ERROR_RT_PARAM_INVALID;
    std::memset(data, value, bytes);
    return ACL_SUCCESS;
}

inline aclError aclrtMemsetAsync(void *data, std::size_t most, std::int32_t value, std::size_t bytes,
                                 aclrtStream stream)
{
    if (!ptog_acl::is_stream(stream))
        return ACL_ERROR_RT_STREAM_CONTEXT;
    return aclrtMemset(data, most, value, bytes);
}

#endif
