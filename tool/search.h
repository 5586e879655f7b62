/* tool: what ptog prove and ptog reduce share: how long they search, and the command that shows what they found. */
#ifndef TOOL_SEARCH_H
#define TOOL_SEARCH_H

#include "tool.h"

/* When a search has to end, in processor time, so that a busy machine does not shorten it. */
struct search_deadline {
    double at;
};

/* The deadline that is so many seconds away. */
struct search_deadline search_deadline_in(double seconds);

/* Whether the struct search_deadline of `user` lies ahead: go_on of struct ptog_prove_options. */
bool search_is_in_time(void *user, uint64_t runs);

/* Reads --seconds; `text` is NULL without that option, and leaves *seconds as it is. False after a message. */
bool search_take_seconds(const char *command, const char *text, double *seconds);

/* A run, as "ptog run k.pto --target a5 --set n=3" has it. */
struct search_command {
    const char *path, *function; /* function: NULL for the only one */
    const struct ptog_target *target;
    int64_t blocks;
    const struct ptog_binding *numbers;
    size_t number_count;
};

/* Writes the command. Words with characters that a shell reads, such as the blank of 'a b.pto', are quoted. */
void search_put_command(FILE *to, const struct search_command *command);

/* Writes an option that names a value: " --in idx=zeros". */
void search_put_option(FILE *to, const char *option, const char *name, const char *value);

#endif
