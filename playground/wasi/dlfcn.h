/* playground: WebAssembly has no shared libraries here. None can be loaded. */
#ifndef DLFCN_H
#define DLFCN_H

#include <stddef.h>

#define RTLD_NOW 0
#define RTLD_GLOBAL 0

static inline void *dlopen(const char *path, int flags)
{
    (void)path, (void)flags;
    return NULL;
}

static inline void *dlsym(void *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}

static inline const char *dlerror(void)
{
    return "there are no shared libraries";
}

#endif
