/* playground: WebAssembly has no threads here. None can be started, so that whoever wants several does the work in one.
 */
#ifndef PTHREAD_H
#define PTHREAD_H

#include <errno.h>

typedef int pthread_t;

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread, (void)result;
    return EINVAL;
}

#endif
