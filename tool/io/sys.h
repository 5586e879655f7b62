/* tool/io: system calls on files that finish what they were given: a call that a signal interrupts (EINTR) is repeated,
 * and a write that took only a part goes on with the rest. Other errors are returned, with errno. */
#ifndef TOOL_IO_SYS_H
#define TOOL_IO_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* -1 on an error. `mode` is that of a file that is created. */
int tool_sys_open(const char *path, int flags, mode_t mode);

/* At least one byte, unless the end is there: bytes read, 0 at the end, -1 on an error. */
ssize_t tool_sys_read(int fd, void *bytes, size_t size);

/* All bytes, or false. The second writes them from byte `at` of the file on. */
bool tool_sys_write(int fd, const void *bytes, size_t size);
bool tool_sys_pwrite(int fd, const void *bytes, size_t size, uint64_t at);

/* False on an error. Files that cannot be synchronised, pipes and devices, are fine. */
bool tool_sys_fsync(int fd);

/* False on an error: what was written may not be on the disk. The descriptor is closed either way. */
bool tool_sys_close(int fd);

/* The start of a small text file, as those of /proc: at most `size` - 1 bytes, and a zero byte. False when it cannot be
 * read. */
bool tool_sys_read_text(const char *path, char *text, size_t size);

#endif
