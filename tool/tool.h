/* tool: what the files of the ptog command share. Each subcommand is one file with one struct tool_command in it. */
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum tool_exit {
    TOOL_OK = 0,
    TOOL_WRONG = 1, /* what was looked at is wrong */
    TOOL_USAGE = 2, /* the command line is wrong, or reading or writing failed */
};

struct tool_command {
    const char *name;
    const char *arguments;             /* "ID" */
    const char *summary;               /* one line for `ptog help` */
    const char *help;                  /* what `ptog help NAME` says below the usage line; ends in a newline */
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns an enum tool_exit */
};

extern const struct tool_command tool_explain, tool_help, tool_targets;

/* All subcommands; NULL at the end. */
extern const struct tool_command *const tool_commands[];
const struct tool_command *tool_command_find(const char *name);

/* Says that there is no such command, or option of ptog itself, and which one may have been meant. Returns TOOL_USAGE.
 */
int tool_unknown_command(const char *name);

/* `ptog help`, and `ptog help NAME`. */
void tool_print_help(FILE *to);
void tool_print_command_help(const struct tool_command *command);

/* Says on stderr what is wrong with the command line of `command` (NULL: of ptog itself). Returns TOOL_USAGE. */
__attribute__((format(printf, 2, 3))) int tool_usage(const char *command, const char *format, ...);

/* The options a subcommand takes; {NULL} at the end. All are switches so far. */
struct tool_option {
    const char *name; /* "--markdown" */
    bool *given;
};

/* Takes the command line apart, strictly: false, with a message on stderr, for an unknown option or more than `most`
 * plain arguments. `arguments` receives those, with NULL in the places not used. After "--" everything is an argument.
 */
bool tool_parse(int argc, char **argv, const struct tool_option *options, const char **arguments, int most);

/* The nearest of the words offered, by edit distance: what the user may have meant. Start with only `word` set. `best`
 * is NULL when nothing came close enough to be worth saying. */
struct tool_nearest {
    const char *word;
    const char *best;
    size_t distance; /* of best */
};
void tool_nearest_offer(struct tool_nearest *nearest, const char *candidate);

/* Text broken into lines of at most 80 columns, each after `indent` spaces; the first line continues at column
 * `indent`. */
void tool_print_wrapped(int indent, const char *text);

/* C statements, one to a line; the last semicolon may be missing. */
void tool_print_statements(const char *indent, const char *statements);

/* Bold text, when stdout is a terminal that shows it and NO_COLOR is not set. */
const char *tool_bold(void);
const char *tool_plain(void);

/* The page docs/rules.md. */
void tool_print_rules_page(void);

/* Words that explain.c and its page share: "error: the instruction is refused"; "host, a5" or "all" for a mask. */
struct ptog_rule;
const char *tool_rule_level(const struct ptog_rule *rule);
void tool_target_names(char *text, size_t size, uint32_t mask);

#endif
