/* tool: a mapped file that another process cuts short while a command reads it, or whose device fails. The system
 * then sends SIGBUS to every thread that reads a page it does not have, perhaps to several at once: the first one says
 * why and ends the process, after deleting the output that is not complete, and the others wait for that. */
#define _POSIX_C_SOURCE 200809L /* sigaction, unlink */
#include "gather.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "io/draft.h"
#include "io/sys.h"

static volatile sig_atomic_t visible; /* where the message goes */
static const char *volatile who;      /* the command that says it */
static const char *volatile shared;   /* a file that ranks write together; NULL: none */

/* The handler of SIGBUS. The first thread deletes the output that is not complete, and `shared`, writes the message
 * and ends the process; others wait. It calls only what is allowed in handlers of signals. */
static void on_cut_short(int number)
{
    static const char ptog[] = "ptog ", cut[] = ": a file was truncated while it was read, or its device failed\n";
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    (void)number;
    while (atomic_flag_test_and_set(&is_ending))
        pause();
    bool speaks = !shared || unlink(shared) == 0; /* it can be deleted once, by the rank that speaks for all */
    tool_drafts_delete();
    if (!speaks)
        _exit(TOOL_USAGE);
    tool_sys_write(visible, ptog, sizeof ptog - 1);
    tool_sys_write(visible, who, strlen(who));
    tool_sys_write(visible, cut, sizeof cut - 1);
    _exit(TOOL_USAGE);
}

void gather_guard(const char *command, int to)
{
    who = command;
    visible = to;
    struct sigaction action = {.sa_handler = on_cut_short};
    sigfillset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

void gather_guard_shared(const char *draft)
{
    shared = draft;
}
