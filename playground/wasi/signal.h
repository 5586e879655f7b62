/* playground: WebAssembly has no signals here. Handlers can be set, and nothing ever calls them. */
#ifndef SIGNAL_H
#define SIGNAL_H

#include_next <signal.h>

#define __NEED_sigset_t
#include <bits/alltypes.h>

#define SA_RESETHAND 0
#define SIG_BLOCK 0
#define SIG_SETMASK 2

struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};

static inline int sigaction(int number, const struct sigaction *now, struct sigaction *old)
{
    (void)number, (void)now;
    if (old)
        *old = (struct sigaction){0};
    return 0;
}

static inline int sigemptyset(sigset_t *set)
{
    *set = (sigset_t){0};
    return 0;
}

static inline int sigfillset(sigset_t *set)
{
    return sigemptyset(set);
}

static inline int sigaddset(sigset_t *set, int number)
{
    (void)set, (void)number;
    return 0;
}

static inline int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    (void)how, (void)set;
    return old ? sigemptyset(old) : 0;
}

#endif
