/* tool/io: drafts, the files that do not have their name yet. */
#define _POSIX_C_SOURCE 200809L /* sigaction, unlink */
#include "draft.h"

#include <signal.h>
#include <unistd.h>

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
#define ENDING (sizeof ending / sizeof *ending)

static struct tool_file *volatile drafts; /* changed only while the signals are held */
static sigset_t before;                   /* the mask of the time before they were */

void tool_drafts_delete(void)
{
    for (const struct tool_file *file = drafts; file; file = file->next)
        unlink(file->draft);
}

static void on_signal(int number)
{
    tool_drafts_delete();
    raise(number); /* the default action was restored */
}

/* A signal that was ignored, as by nohup, stays ignored. */
static void catch_signals(void)
{
    struct sigaction now = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;
    sigfillset(&now.sa_mask);
    for (size_t i = 0; i < ENDING; i++)
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending[i], &now, NULL);
}

void tool_draft_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING; i++)
        sigaddset(&set, ending[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
}

void tool_draft_release(void)
{
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void tool_draft_add(struct tool_file *file)
{
    catch_signals();
    file->next = drafts;
    drafts = file;
}

void tool_draft_remove(struct tool_file *file)
{
    if (drafts == file) {
        drafts = file->next;
        return;
    }
    for (struct tool_file *other = drafts; other; other = other->next)
        if (other->next == file) {
            other->next = file->next;
            return;
        }
}
