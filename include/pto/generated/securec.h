/* pto: the bounds-checked copies of the device's toolkit that host programs call. The numbers are those of the toolkit; a
 * call that does not fit changes the destination as it does there. Used where there is no other header of this name. */
#ifndef PTO_GENERATED_SECUREC_H
#define PTO_GENERATED_SECUREC_H

#include <cstddef>
#include <cstring>

#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162

typedef int errno_t;

/* Sets `count` bytes; when there is only room for `room` of them, that many, and ERANGE_AND_RESET. */
inline errno_t memset_s(void *to, std::size_t room, int value, std::size_t count)
{
    if (!to || room == 0)
        return EINVAL_AND_RESET;
    std::memset(to, value, count < room ? count : room);
    return count <= room ? EOK : ERANGE_AND_RESET;
}

/* Copies `count` bytes; when they do not fit, the destination is cleared instead, and the result is not EOK. */
inline errno_t memmove_s(void *to, std::size_t room, const void *from, std::size_t count)
{
    if (!to || room == 0)
        return EINVAL_AND_RESET;
    if (from && count <= room) {
        std::memmove(to, from, count);
        return EOK;
    }
    std::memset(to, 0, room);
    return from ? ERANGE_AND_RESET : EINVAL_AND_RESET;
}
inline errno_t memcpy_s(void *to, std::size_t room, const void *from, std::size_t count)
{
    return memmove_s(to, room, from, count);
}

#endif
