/* tool/io: how much memory there is for this process. */
#ifndef TOOL_IO_MEMORY_H
#define TOOL_IO_MEMORY_H

#include <stdint.h>

/* Bytes of memory that this machine has: no file and no buffer is larger. */
uint64_t tool_memory(void);

/* ... and what control groups leave of it to this process, as those of a container do. Asking takes some 50 us. */
uint64_t tool_memory_left(void);

/* The least that the control groups of a process allow; UINT64_MAX: as much as there is. `groups` is what the system
 * says about them (/proc/self/cgroup), `root` is where they are mounted (/sys/fs/cgroup). */
uint64_t tool_memory_of_groups(const char *groups, const char *root);

/* Bytes of memory that this process has now; 0: not known. */
uint64_t tool_resident(void);

#endif
