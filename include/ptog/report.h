/* Renderers: diagnostics, faults and figures as people and other programs read them. They write through a callback; the
 * library prints nothing.
 *
 *   one list      ptog_report_text, _json, _sarif, _page     what ptog run and ptog check print for one program
 *   many lists    ptog_report_text_all, _json_all, _sarif_all, _gcc, _github, _junit
 *
 * A renderer only reads what it is given, and calls the sink as often as it likes, with pieces of any length. Without a
 * sink that can be written to, a renderer does nothing; an empty or NULL list gives an empty report. */
#ifndef PTOG_REPORT_H
#define PTOG_REPORT_H

#include <ptog/diag.h>
#include <ptog/plan.h>

/* Where text goes. `write` gets `length` bytes without a terminator, and is the caller's: it may not call the library
 * with the same handles. */
struct ptog_sink {
    void (*write)(void *user, const char *text, size_t length);
    void *user;
    bool colour; /* ANSI colours */
    uint64_t reserved[2];
};

/* Text in memory: a renderer's output for callers who want it whole, without a callback of their own. Begin with a
 * struct that is all zero, give its sink to a renderer, look at `bytes` and `used`, free it with ptog_output_free. */
struct ptog_output {
    char *bytes; /* no terminator; NULL while there is nothing */
    size_t used, room;
    size_t most;    /* what comes after so many bytes is left out; 0: nothing is */
    bool cut;       /* something was left out because of `most` */
    bool no_memory; /* something was left out because memory ran out */
    uint64_t reserved[4];
};
/* The sink appends to `output`, which has to stay where it is while the sink is in use. */
PTOG_API struct ptog_sink ptog_output_sink(struct ptog_output *output);
/* Frees the bytes, and leaves an empty output with the same limit. NULL is fine. */
PTOG_API void ptog_output_free(struct ptog_output *output);

/* One block per diagnostic: "file:line:col: error: message [id]", the line with a caret and the related places when
 * there are any, then the fix, who accepts the operands, and where it is documented. */
PTOG_API void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink);

/* One object: {"version":2,"target":...,"diagnostics":[...],"programs":[...]}. `target` may be NULL. A program has its
 * "verdict" and, in "suppressed", how many diagnostics comments allow. */
PTOG_API void ptog_report_json(const ptog_diags *diags, const char *target, const struct ptog_sink *sink);

/* The same object with "stats":{...}: every field of ptog/core.h by its name, cycles in whole ones, and under "sources"
 * where the figures behind the cycles come from. `stats` may be NULL: then it is the object above. */
struct ptog_stats;
struct ptog_ub_entry;
PTOG_API void ptog_report_json_stats(const ptog_diags *diags, const struct ptog_target *target,
                                     const struct ptog_stats *stats, const struct ptog_sink *sink);

/* A SARIF 2.1.0 log with one run: for code scanning. Fixes are edits where the exact place is known. */
PTOG_API void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink);

/* The figures of a run as people read them, a name and a text each: "time", "1234 cycles, 0.69 us at 1800 MHz". Returns
 * how many there are. */
#define PTOG_MAX_FIGURES 12
/* One of them; the struct is the caller's. */
struct ptog_figure {
    const char *name; /* a constant of the library */
    char text[160];
    uint64_t reserved[2];
};
PTOG_API size_t ptog_report_figures(const struct ptog_stats *stats, struct ptog_figure figures[PTOG_MAX_FIGURES]);

/* What a page is about: what `ptog run --report` shows in a browser. Zero is the default of every field but name and
 * target. Everything is looked at during the call alone. */
struct ptog_page {
    const char *name; /* of the program: the title */
    const char *text; /* the program itself */
    size_t text_bytes;
    const struct ptog_target *target;
    const ptog_diags *diags;
    bool ran;                            /* it was not refused */
    bool unchecked;                      /* with no_sanitize: that nothing was found proves nothing */
    const struct ptog_stats *stats;      /* of the machine; NULL: there was none */
    const struct ptog_ub_entry *entries; /* its map of UB, see ptog_device_ub_at */
    size_t entry_count;
    const char *trace; /* its timeline, see ptog_device_end_trace; NULL: none */
    size_t trace_bytes;
    const char *const *entry_names; /* what the program calls the tile of each entry, without '%'; NULL: not known */
    uint64_t reserved[3];
};
#define PTOG_PAGE_TRACE ((size_t)4 << 20) /* bytes of events that a page shows: the first ones of a longer timeline */

/* One HTML page that needs nothing else: what was found, the timeline, figures, the on-chip buffer, and the program.
 * It has no scripts from elsewhere and can be mailed. PTOG_OK, PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT: a name, a target, the
 * text or the sink is missing, or a reserved word is not zero. */
PTOG_API enum ptog_status ptog_report_page(const struct ptog_page *page, const struct ptog_sink *sink);

/* ---- a C++ source with its fixes in it ---- */

/* The source of a kernel. Zero is the default of every field but file and text, which are the caller's. */
struct ptog_fixed_source {
    const char *file; /* as the fixes name it: struct ptog_where */
    const char *text; /* what is in it */
    size_t bytes;
    size_t added; /* set by ptog_report_fixed: how many lines it added */
    uint64_t reserved[4];
};

/* The C++ source that the first fix adds a line to; NULL: no fix does. It lives as long as the list. */
PTOG_API const char *ptog_fixed_file(const ptog_diags *diags);

/* Writes the source with the flags and barriers that fix the warnings and errors of `diags`, each before or behind
 * a whole statement. A fix that has no place in the source is left out, with all its steps: it is in a macro or in
 * another file, or the statement stands alone after an if. `left_out`, which may be NULL, gets a note for each, at the
 * place of the diagnostic. PTOG_OK; PTOG_NO_MEMORY: nothing is written; PTOG_BAD_ARGUMENT: the file, the text or the
 * sink is missing, or a reserved word is not zero. */
PTOG_API enum ptog_status ptog_report_fixed(struct ptog_fixed_source *source, const ptog_diags *diags,
                                            const struct ptog_sink *sink, ptog_diags *left_out);

/* ---- what a C++ source calls its operands ---- */

/* The arguments of a call, each with a terminator: "ids", "tiles[i % 2]", "in.ids". One that is no name is empty. */
#define PTOG_LONGEST_NAME 40
struct ptog_source_call {
    char name[PTOG_MAX_OPERANDS][PTOG_LONGEST_NAME];
    size_t count; /* 0: the line has no such call, or several with different arguments */
    uint64_t reserved[2];
};

/* Finds the call of an instruction, `MGATHER(rows, table, ids)` for "mgather", in a C++ source, on a line that it
 * covers; `call` begins as zeros. What a macro hides is not found. PTOG_OK, PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT: a
 * pointer is NULL, or a reserved word is not zero. */
PTOG_API enum ptog_status ptog_source_call_find(const char *text, size_t bytes, const char *instruction, uint32_t line,
                                                struct ptog_source_call *call);

/* ---- several programs in one report ---- */

/* One program that was looked at. A program that was judged for several targets stands there once for each. The strings
 * and the list are the caller's; a reserved word that is not zero makes the whole report empty. */
struct ptog_checked {
    const char *file;        /* its name; "-" is standard input */
    const char *target;      /* what it was judged for; NULL: nothing in particular */
    const ptog_diags *diags; /* what was found; NULL: nothing */
    const char *unread;      /* why it could not be read; NULL: it was */
    uint64_t verdict;        /* an enum ptog_verdict: it is no better than that, whatever the list says; of -Werror */
    uint64_t reserved[1];
};

/* The text of all. What several targets say alike of a program stands there once, with "on: a2a3 and a5". Findings that
 * one change fixes are a group: the first in full, a line for each of the others; so are notes with one id. */
PTOG_API void ptog_report_text_all(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* How many findings of a severity the text shows: those of a group that stand at one line with one message are one. */
PTOG_API size_t ptog_report_count(const struct ptog_checked *checked, size_t count, enum ptog_severity severity);

/* How many different changes, flags and barriers to add, fix all errors of these programs; *errors says how many errors
 * there are, as ptog_report_count does. 0: an error has no such fix, or there is none. */
PTOG_API size_t ptog_report_changes(const struct ptog_checked *checked, size_t count, size_t *errors);

/* The JSON object above with all diagnostics. "target" is the one they have in common, or null: then each diagnostic
 * has its own. When there are programs
 * that could not be read, they stand in "unread":[{"file":...,"message":...}]. */
PTOG_API void ptog_report_json_all(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* Where the page of a rule is, seen from the installed documents: the same on every machine. */
#define PTOG_RULES_PAGE "docs/reference/rules/{id}.md"

/* The SARIF log of all; what several targets say alike stands there once. `rules_page` is the address of a
 * rule's page, for its helpUri, with {id} for the rule; without {id} it is a folder that has ID.html: PTOG_RULES_PAGE,
 * or where the pages are published; NULL: rules have no helpUri. Each result has a fingerprint that does not depend on
 * line numbers. A program that could not be read makes the invocation one that did not succeed. */
PTOG_API void ptog_report_sarif_all(const struct ptog_checked *checked, size_t count, const char *rules_page,
                                    const struct ptog_sink *sink);

/* A line for each diagnostic, each of its places and its fix, as compilers write them and editors read them:
 * "file:line:column: error: message [id]". What several targets say alike stands there once, as in the next one. */
PTOG_API void ptog_report_gcc(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* Annotations of a GitHub workflow: "::error file=...,line=...::message". They show up beside the lines of a change. */
PTOG_API void ptog_report_github(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* JUnit's XML, which every CI reads: a test case for each program and target, which fails with diagnostics of severity
 * `fails` or worse, and is skipped when it was not judged. */
PTOG_API void ptog_report_junit(const struct ptog_checked *checked, size_t count, enum ptog_severity fails,
                                const struct ptog_sink *sink);

/* Where something is documented, as people know the documents: of "002 Mode Resolution; 002 Layout Support", "MGATHER
 * manual, Mode Resolution; Layout Support". ptog_document_at (ptog/rule.h) lists the documents. NULL writes nothing. */
PTOG_API void ptog_report_documented(const char *where, const struct ptog_sink *sink);

/* How far one word is from another, for "did you mean": the least number of letters to insert, leave out, replace, or
 * exchange with the next one. Large and small letters are the same. SIZE_MAX for NULL and for words of more than 256
 * bytes. */
PTOG_API size_t ptog_word_distance(const char *a, const char *b);

/* One line per kind of fault of a run: "error: 3 elements ..., first at (0,2), index 7, capacity 4 [gm-out-of-bounds]".
 * Nothing when there is none. */
PTOG_API void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink);

#endif
