/* tool: what the files of the ptog command share. Each subcommand is one file with one struct tool_command in it. */
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ptog/ptog.h>

#include "io/why.h"

enum tool_exit {
    TOOL_OK = 0,
    TOOL_WRONG = 1, /* what was looked at is wrong */
    TOOL_USAGE = 2, /* the command line is wrong, or reading or writing failed */
};

/* The worse of two. */
static inline int tool_max_exit(int a, int b)
{
    return a > b ? a : b;
}

/* What a shell offers for a value or an argument, besides words written out. */
#define TOOL_FILES "<files>"
#define TOOL_TARGETS "<targets>"   /* names and aliases of targets */
#define TOOL_IDS "<ids>"           /* of rules and faults */
#define TOOL_COMMANDS "<commands>" /* of ptog */
#define TOOL_EXAMPLES "<examples>" /* of drawings */

/* One option of a subcommand. The same row reads the command line, is printed by 'ptog help CMD', and is what a shell
 * completes. Rows may share a name ("--mode row", "--mode elem"): the first one reads, help prints them all. */
struct tool_option {
    const char *name;  /* "--target" */
    const char *value; /* what help calls its value, "T"; NULL: a switch */
    const char *help;  /* what it is for; help breaks the lines */
    const char
        *offers; /* what a shell offers as its value: words with spaces between, or one of the above; NULL: none */
    size_t at;   /* where in the command's request its bool (a switch) or its const char * (a value) is */
    bool (*take)(void *at, const char *text, int kind); /* given any number of times; false ends the parsing */
    int kind;
};

struct tool_command {
    const char *name;
    const char *arguments;             /* "ID"; with the rest of the usage line at most 80 columns */
    const char *summary;               /* one line for `ptog help` */
    const char *about;                 /* what `ptog help NAME` says first; '\n' ends a paragraph */
    const struct tool_option *options; /* {.name = NULL} at the end */
    const char *after;                 /* what it says below the options; NULL: nothing */
    const char *offers;                /* what a shell offers as an argument, as above */
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns an enum tool_exit */
};

extern const struct tool_command tool_check, tool_compare, tool_completion, tool_draw, tool_explain, tool_fmt,
    tool_gather, tool_help, tool_lsp, tool_mpi_info, tool_prove, tool_reduce, tool_run, tool_scatter, tool_targets;

/* All subcommands; NULL at the end. */
extern const struct tool_command *const tool_commands[];
const struct tool_command *tool_command_find(const char *name);

/* What every subcommand takes besides its own options: --color, --help. */
extern const struct tool_option tool_common_options[];

/* Says that there is no such command, or option of ptog itself, and which one may have been meant. Returns TOOL_USAGE.
 */
int tool_unknown_command(const char *name);

/* `ptog help`, and `ptog help NAME`. */
void tool_print_help(FILE *to);
void tool_print_command_help(const struct tool_command *command);

/* `ptog --version`. */
void tool_print_version(void);

/* Says on stderr what is wrong with the command line of `command` (NULL: of ptog itself). Returns TOOL_USAGE. */
__attribute__((format(printf, 2, 3))) int tool_usage(const char *command, const char *format, ...);

/* Takes the command line apart, strictly: false, with a message on stderr, for an unknown option or more than `most`
 * plain arguments. Values go into `request`, where the options' offsets say; `arguments` receives the plain ones, with
 * NULL in the places not used. After "--" everything is an argument. */
bool tool_parse(int argc, char **argv, const struct tool_command *command, void *request, const char **arguments,
                int most);

/* What one thread has said, until it is printed. */
struct tool_held {
    char *text;
    size_t size;
};

/* Where messages go: stderr, or what this thread holds. */
FILE *tool_err(void);

/* From now on this thread holds its messages, until the end; without memory for that they go to stderr at once. Any
 * thread may print them then. */
void tool_hold_messages(struct tool_held *held);
void tool_held_end(void);
void tool_held_print(struct tool_held *held);

/* The number of --jobs, in *jobs; 0 when `text` is NULL. False after a message. */
bool tool_take_jobs(const char *command, const char *text, size_t *jobs);

/* A message on stderr: "ptog run: t.npy: is a directory". Returns TOOL_USAGE. */
__attribute__((format(printf, 2, 3))) int tool_fail(const char *command, const char *format, ...);

/* The target called `name`; NULL, after a message, when there is none. */
const struct ptog_target *tool_target(const char *command, const char *name);

/* Makes *target the one that is built with __CCE_AICORE__: false, with a message on stderr, when it is the same. */
bool tool_take_aicore(const char *command, const struct ptog_target **target);

/* The nearest of the words offered, by edit distance: what the user may have meant. Start with only `word` set. `best`
 * is NULL when nothing came close enough to be worth saying. */
struct tool_nearest {
    const char *word;
    const char *best;
    size_t distance; /* of best */
};
void tool_nearest_offer(struct tool_nearest *nearest, const char *candidate);

/* ---- programs and what is said about them */

enum tool_format { TOOL_TEXT, TOOL_JSON, TOOL_SARIF, TOOL_JUNIT, TOOL_GITHUB, TOOL_GCC };
#define TOOL_FORMATS "text json sarif junit github gcc" /* in that order */

/* One of TOOL_FORMATS; NULL is text. False after a message. */
bool tool_format(const char *command, const char *name, enum tool_format *format);

/* A sink that writes to a FILE, in colour where that can be seen. */
struct ptog_sink tool_sink(FILE *to);

/* The diagnostics as text on stderr, or as JSON on stdout. */
void tool_report(const ptog_diags *diags, enum tool_format format);

/* The help of --strict. */
#define TOOL_STRICT                                                                                                    \
    "check for the portable subset: what only some compilers or libraries accept is an error, not a note or a warning"

/* The help of --aicore. */
#define TOOL_AICORE "cpu and cpusim: as built with __CCE_AICORE__, which adds the float8 types to mgather"

/* How a command tells what it found: --format, --werror, --quiet. */
struct tool_telling {
    const char *format_text; /* as given; NULL: not */
    enum tool_format format;
    bool werror, quiet;
    bool allow_unjudged, allow_empty; /* what was not judged does not make the exit status 1 */
};

/* The rows of these options, for a command whose request is a `type` with a member `telling`. */
#define TOOL_TELLING_OPTIONS(type)                                                                                     \
    {"--format", "F",                                                                                                  \
     "output format: text (on standard error), or on standard output json, sarif (2.1.0), junit (XML), github "        \
     "(workflow annotations) or gcc (one line per finding)",                                                           \
     TOOL_FORMATS, .at = offsetof(type, telling.format_text)},                                                         \
        {"--werror", NULL, "exit with 1 for warnings, too", .at = offsetof(type, telling.werror)},                     \
        {"--allow-unjudged", NULL,                                                                                     \
         "exit with 0 even if something could not be checked, because it is not simulated or reached a limit",         \
         .at = offsetof(type, telling.allow_unjudged)},                                                                \
    {                                                                                                                  \
        "--quiet", NULL, "print warnings and errors only", .at = offsetof(type, telling.quiet)                         \
    }

/* The rows of the limits of a run, for a command whose request is a `type` with members steps_text, work_text and
 * memory_text. */
#define TOOL_LIMIT_OPTIONS(type)                                                                                       \
    {"--max-steps", "N", "stop after N operations (default 10,000,000)", .at = offsetof(type, steps_text)},            \
        {"--max-work", "BYTES", "stop after instructions have accessed BYTES bytes (default 4,294,967,296)",           \
         .at = offsetof(type, work_text)},                                                                             \
    {                                                                                                                  \
        "--max-memory", "BYTES", "stop if the simulation needs more memory (default 2,147,483,648 bytes)",             \
            .at = offsetof(type, memory_text)                                                                          \
    }

/* Tells it all: as text on stderr, or in another format on stdout. With text, the programs that could not be read are
 * not named: whoever read them does. */
void tool_tell(const struct tool_telling *telling, const struct ptog_checked *checked, size_t count);

/* What a program comes to when its checks or its run came to `result`, TOOL_WRONG when it was refused: errors count,
 * what was not judged does unless that is allowed, and under --werror warnings do. With --quiet, its notes are
 * forgotten. The lines of authors that the others come from are read, for the report to show. */
int tool_judge(const struct tool_telling *telling, ptog_diags *diags, int result);

/* Reads the authors' own files that the diagnostics come from, as far as they lie below the working directory. */
void tool_quote(ptog_diags *diags);

/* Whether a diagnostic has this id, which is all that tells callers of the library what it is about. */
bool tool_has_id(const struct ptog_diag *diag, const char *id);

/* How many of the diagnostics are of one severity. */
size_t tool_count(const ptog_diags *diags, enum ptog_severity severity);

/* What the line that ends a report about several programs counts: programs, and what was found in them. */
struct tool_totals {
    size_t passed, failed, unjudged, unread;
    size_t errors, warnings, notes, suppressed;
};

/* Counts a program that came to `result`, an enum tool_exit, with a verdict that may be "not judged". And its
 * findings, with an entry for each target. */
void tool_totals_add(struct tool_totals *totals, int result, enum ptog_verdict verdict);
void tool_totals_count(struct tool_totals *totals, const struct ptog_checked *checked, size_t count);

/* "ptog check: 36 files: 19 passed, 13 failed, 4 not judged; 12 errors" and `more`, on stderr; nothing without files.
 */
void tool_totals_print(const struct tool_totals *totals, const char *command, const char *more);

/* The JSON object with the figures of the machine, on stdout. */
void tool_report_stats(const ptog_diags *diags, const struct ptog_target *target, const struct ptog_stats *stats);

/* Whether one of the diagnostics from number `from` on is an error. */
bool tool_has_errors(const ptog_diags *diags, size_t from);

/* Reads and parses a file ("-" is stdin); what is wrong with its text goes to `diags`. TOOL_OK: *program is the
 * caller's to free. TOOL_WRONG: there are errors. TOOL_USAGE: it could not be read, and why is said on stderr. `text`
 * may be NULL; otherwise it receives the file's bytes, to be freed. */
struct tool_text {
    void *bytes;
    size_t size;
};
int tool_open(const char *command, const char *path, ptog_program **program, ptog_diags *diags, struct tool_text *text);

/* The same without a word on stderr: why it could not be read is in `why`. */
int tool_open_quietly(const char *path, ptog_program **program, ptog_diags *diags, struct tool_text *text,
                      struct tool_why *why);

/* ---- many files at once */

/* Paths that grow; free them with tool_paths_free. */
struct tool_paths {
    char **list;
    size_t count, room;
    bool failed;   /* something could not be listed: why was said on stderr */
    bool searched; /* a directory was among them */
};

/* Adds a file; or, of a directory, every regular file below it whose name ends in ".pto", in order of their names.
 * Names that begin with a dot are left out, and links to directories are not followed. */
void tool_paths_add(struct tool_paths *paths, const char *command, const char *path);
void tool_paths_free(struct tool_paths *paths);

#define TOOL_MAX_JOBS 64

/* Calls work(user, i) for every i below `count`, in several threads at once: `jobs` of them, at
 * most TOOL_MAX_JOBS, 0 for one per processor. Where a thread cannot be started, the others do its work. */
void tool_parallel(size_t count, size_t jobs, void (*work)(void *user, size_t i), void *user);

/* Writes text to a file that appears when it is complete; NULL and "-" are standard output. False after a message. */
bool tool_output_write(const char *command, const struct ptog_output *output, const char *path);

/* ---- text for people */

/* Text broken into lines of at most 80 columns, each after `indent` spaces; the first line continues at column
 * `indent`. The second one writes to standard output. */
void tool_put_wrapped(FILE *to, int indent, const char *text);
void tool_print_wrapped(int indent, const char *text);

/* C statements, one to a line; the last semicolon may be missing. */
void tool_print_statements(const char *indent, const char *statements);

/* The lines of a text; its last newline may be missing. Control characters are shown as \x01. */
void tool_print_lines(const char *indent, const char *text);

/* A page of `ptog explain`: its first line, and a line that begins with the name of a field. */
void tool_print_title(const char *id, const char *level);
void tool_print_field(const char *name, const char *text);

/* The pages about an instruction, a target and a pipe, by name; false, and nothing is printed, when there is none. */
bool tool_explain_insn(const char *name);
bool tool_explain_target(const char *name);
bool tool_explain_pipe(const char *name);
const char *tool_pipe_at(size_t i); /* NULL past the end */

/* What an instruction does, in one sentence; and operand i of it as a line, "idx: ..., read", false past the end. The
 * opcode is one of an instruction. */
const char *tool_insn_meaning(enum ptog_opcode opcode);
bool tool_insn_operand(enum ptog_opcode opcode, size_t i, char *line, size_t size);

/* A number with commas between its thousands: "196,608". */
#define TOOL_GROUPED 28
const char *tool_grouped(char text[TOOL_GROUPED], uint64_t number);

/* --color: "always", "never", or "auto": where a terminal that shows colours is there, and NO_COLOR is not set. False
 * after a message. */
bool tool_set_colour(const char *when);
bool tool_shows_colour(FILE *to);

/* Bold text, where colours are shown on stdout. */
const char *tool_bold(void);
const char *tool_plain(void);

/* As Markdown, on stdout: a list of all rules and faults with links to ID.md; and the page of one, false when no rule
 * or fault is called so. */
void tool_print_rule_list(void);
bool tool_print_rule_page(const char *id);

/* Words that explain.c and its page share: "error: the instruction is refused"; "host, a5" or "all" for a mask. */
const char *tool_rule_level(const struct ptog_rule *rule);
const char *tool_text_rule_level(const struct ptog_text_rule *rule);

/* Where something is documented, with the names of the documents, in memory of the command's own; cut when too long. */
struct tool_where {
    char text[512];
};
const char *tool_documented(struct tool_where *where, const char *documented);

/* Every id of every table, table after table; NULL past the end. Some stand in two tables. */
const char *tool_id_at(size_t i);
void tool_target_names(char *text, size_t size, uint32_t mask, bool exact);

/* Draws an example, as SVG or with characters; false after a message. */
enum ptog_status tool_draw_quietly(const struct ptog_draw_example *example, bool text, const struct ptog_sink *sink);
bool tool_draw_example(const char *command, const struct ptog_draw_example *example, bool text,
                       const struct ptog_sink *sink);

/* The forms that a rule is for: bit (1 << enum ptog_form). */
#define TOOL_FORM(NAME) (UINT64_C(1) << PTOG_FORM_##NAME)
uint64_t tool_rule_forms(const struct ptog_rule *rule);

#endif
