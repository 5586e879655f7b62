/* tool/io: how much memory there is for this process. A limit is in a file of its control group, or of a group above
 * it:
 *
 *   /proc/self/cgroup      5:memory:/jobs/7                 0::/jobs/7
 *   the files              memory/jobs/7/memory.limit_in_bytes, memory/jobs/..., memory/...
 *                                                           jobs/7/memory.max, jobs/...
 *
 * the first column for version 1, the second for version 2. A container may see its own group as the root, whatever its
 * name says, so the root is looked at as well. */
#define _POSIX_C_SOURCE 200809L /* sysconf, strtok_r */
#include "memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pick.h"
#include "sys.h"

#define LIST 8192          /* bytes of /proc/self/cgroup that are looked at */
#define MAX_PATH_BYTES 512 /* bytes of a path; a group that lies deeper is not looked at */

/* The number in a file; UINT64_MAX when there is none, as in "max". */
static uint64_t limit_in(const char *path)
{
    uint64_t limit;
    char text[64];
    if (!tool_sys_read_text(path, text, sizeof text) || sscanf(text, "%" SCNu64, &limit) != 1)
        return UINT64_MAX;
    return limit;
}

/* The least limit of a group and of those above it. */
static uint64_t least_above(const char *root, const char *controller, const char *group, const char *name)
{
    uint64_t least = UINT64_MAX;
    char at[MAX_PATH_BYTES], path[3 * MAX_PATH_BYTES];
    size_t length = strlen(group);
    if (length >= sizeof at)
        length = 0;
    memcpy(at, group, length);
    for (;;) {
        at[length] = '\0';
        int used = snprintf(path, sizeof path, "%s%s%s/%s", root, controller, at, name);
        if (used > 0 && (size_t)used < sizeof path) {
            uint64_t here = limit_in(path);
            least = tool_min(least, here);
        }
        if (length == 0)
            return least;
        while (length > 0 && at[--length] != '/')
            ;
    }
}

uint64_t tool_memory_of_groups(const char *groups, const char *root)
{
    uint64_t least = UINT64_MAX;
    char text[LIST], *rest = text, *line;
    if (!tool_sys_read_text(groups, text, sizeof text))
        return UINT64_MAX;
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        uint64_t here = UINT64_MAX;
        if (controllers[1] == '\0')
            here = least_above(root, "", group, "memory.max");
        else if (strcmp(controllers + 1, "memory") == 0)
            here = least_above(root, "/memory", group, "memory.limit_in_bytes");
        least = tool_min(least, here);
    }
    return least;
}

uint64_t tool_memory(void)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        return (uint64_t)pages * (uint64_t)page;
#endif
    return (uint64_t)1 << 33;
}

uint64_t tool_memory_left(void)
{
    uint64_t groups = tool_memory_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    return tool_min(tool_memory(), groups);
}

uint64_t tool_resident(void)
{
    unsigned long all = 0, resident = 0;
    char text[128];
    if (!tool_sys_read_text("/proc/self/statm", text, sizeof text) || sscanf(text, "%lu %lu", &all, &resident) != 2)
        return 0;
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
