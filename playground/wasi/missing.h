/* playground: functions of POSIX that wasi-libc does not declare; missing.c has them. Every file is compiled with this
 * in front of it, so no header is included here: a file chooses what headers give it. */
#ifndef MISSING_H
#define MISSING_H

char *realpath(const char *path, char *resolved);
int dup(int fd);
int dup2(int fd, int to);
int fchmod(int fd, unsigned mode);
int pause(void);
int madvise(void *at, unsigned long bytes, int advice);

#endif
