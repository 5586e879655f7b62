/* Diagnostics are data: an id that people can search for, a severity, a message with the actual values, places, a fix.
 * A list of them is filled by whoever looks at something, the verifier, a program's check or run, a device's report,
 * and is read entry by entry or rendered (ptog/report.h) by the caller:
 *
 *     ptog_diags *diags = ptog_diags_new();
 *     ptog_program_check(program, target, diags);
 *     for (size_t i = 0; i < ptog_diags_count(diags); i++)
 *         puts(ptog_diags_at(diags, i)->message);
 *     ptog_diags_free(diags);
 *
 * Calls add to a list and never empty it: one list can take what several calls say. Wherever a call takes a list, NULL
 * is fine for callers who want the status alone. A list belongs to one thread at a time. */
#ifndef PTOG_DIAG_H
#define PTOG_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/export.h>
#include <ptog/pipe.h>
#include <ptog/status.h>

/* How bad it is. An error is wrong, a warning is probably not what was meant, a note is worth knowing. What refuses
 * operands is always an error; not every error refuses: see ptog_diag.refuses. */
enum ptog_severity { PTOG_NOTE = 0, PTOG_WARNING = 1, PTOG_ERROR = 2 };

/* A place in a text: a program, or the source of a kernel. Lines and columns start at 1, a column is a character, the
 * end is exclusive. Line 0: no place is known. The strings belong to whoever filled the struct. */
struct ptog_where {
    const char *file; /* its name, as the caller gave it; NULL: none is known */
    uint32_t line, column, end_column;
    const char *text; /* the line itself, for showing it; NULL when there is none */
    /* Where it comes from. Of a line of a generated program: the author's own line, as the program tells it with
     * loc("model.py":12:3); its text is NULL until ptog_diags_quote. Of an author's line: the line that calls it. NULL:
     * not known. */
    const struct ptog_where *origin;
};

/* The place that reports name first: the author's own line where that is known, else the place itself. */
PTOG_API const struct ptog_where *ptog_headline(const struct ptog_where *where);

/* Another place that has to do with a diagnostic: "written here". */
struct ptog_related_place {
    const char *message; /* "written here", "first defined here" */
    struct ptog_where where;
    uint64_t reserved[2];
};

/* How flags and barriers are written: in the language of whoever reads the report. */
enum ptog_spelling {
    PTOG_SPELL_PLAIN = 0, /* set_flag(MTE2, V, 1), barrier(V): the calls of ptog/core.h in short */
    PTOG_SPELL_TEXT = 1,  /* pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>], pto.barrier <PIPE_V>: a text program */
    PTOG_SPELL_CXX = 2,   /* set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1), pipe_barrier(PIPE_V): a kernel in C++ */
};

/* What the statement of one step of a fix is. */
enum ptog_fix_kind {
    PTOG_FIX_WORDS = 0,   /* nothing: `text` says what to do */
    PTOG_FIX_SET = 1,     /* set_flag(src, dst, id) */
    PTOG_FIX_WAIT = 2,    /* wait_flag(src, dst, id) */
    PTOG_FIX_BARRIER = 3, /* barrier(src) */
    PTOG_FIX_FLUSH = 4,   /* dcci of the whole data cache of S: its lines are written back and forgotten */
    PTOG_FIX_FENCE = 5,   /* dsb: S waits until such lines are in global memory; in text also a barrier of all pipes */
};

/* Where the statement goes. Together with `from_line` these are all edits there are: insert, move, replace, remove. */
enum ptog_fix_side {
    PTOG_FIX_ANYWHERE = 0, /* the place is said in words, if at all */
    PTOG_FIX_BEFORE = 1,   /* on a line of its own before it */
    PTOG_FIX_AFTER = 2,    /* behind it */
    PTOG_FIX_INSTEAD = 3,  /* in the place of what stands there, from `column` to `end_column` */
    PTOG_FIX_REMOVE = 4,   /* away: it stands there, alone on its line, which is removed */
};

/* One step of a fix: words, or a statement and its place. A diagnostic has one fix, of one or more steps that belong
 * together. Renderers write a step as "before line 14  wait_flag(MTE2, V, 1)", or as `text`, the statement and `more`,
 * one after the other, where there is no side. */
struct ptog_fix {
    enum ptog_fix_kind kind;
    enum ptog_fix_side side;
    /* The place that the statement is put before or after. A column is where exactly; 0: only the line is known, and
     * line 0: not even that, then `name` says it: "mgather". */
    struct ptog_where where;
    const char *name;
    enum ptog_pipe src, dst; /* of a flag; of a barrier both are its pipe */
    int id;                  /* the event id of a flag */
    enum ptog_spelling spelling;
    /* Words before and after the statement; NULL: none. A statement that is moved takes `more` along: its loc(...), and
     * the comment at the end of its line, which ptog_fix_statement writes and ptog_fix_words does not. */
    const char *text, *more;
    bool names_file;    /* "line 14 of k.pto": a list sets it where its diagnostic has an origin, in another file */
    uint32_t from_line; /* of a statement that is moved: its line now, which is removed. 0: the statement is new */
    uint64_t reserved[1];
};

/* One diagnostic. Strings that are not there are NULL, all but id and message may be; numbers are 0 then. Everything it
 * points to lives as long as the list does. */
struct ptog_diag {
    const char *id;              /* "mgather-row-index-shape": see ptog_rule_find */
    enum ptog_severity severity; /* as the id's row has it; --werror and the like are the caller's */
    bool refuses;                /* the operands are refused; an error without it is run as the target would, wrongly */
    bool unjudged;               /* something was not examined: see ptog_diags_verdict. An error: so nothing was run */
    uint16_t kind;               /* its id as a number of the library's own, which may change; 0 in the caller's own */
    const char *operand;         /* "dst", "idx", "table", ... */
    const char *message;         /* one sentence with the actual values, without a full stop */
    const struct ptog_fix *fix;  /* what to change, step by step; NULL when there is no single answer */
    size_t fix_count;
    const char *documented;                   /* the document and section that require it: see ptog_report_documented */
    uint32_t accepted_by;                     /* targets (ptog_target.bit) that would accept the same operands */
    struct ptog_where where;                  /* the statement or call that it is about; line 0: none is known */
    const struct ptog_related_place *related; /* other places that belong to it */
    size_t related_count;
    uint64_t count; /* how often it happened; 0 and 1 are once */
    /* Of a race: a timing that shows it, in words, and as the instruction that has to be late (PTOG_SCHEDULE_WITNESS of
     * ptog/core.h). NULL: none. A program's run also says which bytes are different then. */
    const char *witness;
    uint32_t late_block, late_instruction; /* struct ptog_latency takes them */
};

/* A list of diagnostics, in the order in which they were added. */
typedef struct ptog_diags ptog_diags;

/* An empty list; NULL when out of memory. Free it with ptog_diags_free (NULL is fine). */
PTOG_API ptog_diags *ptog_diags_new(void);
PTOG_API void ptog_diags_free(ptog_diags *diags);

/* Adds a copy of a diagnostic of the caller's own, for whoever reports more than the library finds; all its strings are
 * copied. PTOG_OK, PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT: `diag`, its id or its message is NULL. */
PTOG_API enum ptog_status ptog_diags_append(ptog_diags *diags, const struct ptog_diag *diag);

/* Forgets all entries; the list can be used again. */
PTOG_API void ptog_diags_clear(ptog_diags *diags);

/* Forgets the entries that are less severe than `least`: PTOG_ERROR keeps the errors alone. Entries that say what was
 * not judged stay, so the verdict is the same. */
PTOG_API void ptog_diags_keep(ptog_diags *diags, enum ptog_severity least);

/* Forgets one entry; nothing past the end. */
PTOG_API void ptog_diags_remove(ptog_diags *diags, size_t i);

/* Entries live until the list is cleared or freed. NULL past the end; a NULL list is empty. */
PTOG_API size_t ptog_diags_count(const ptog_diags *diags);
PTOG_API const struct ptog_diag *ptog_diags_at(const ptog_diags *diags, size_t i);

/* How many findings the program itself suppressed with `ptog: allow` comments; they are not in the list. Reports show
 * the number, so that nobody takes a program with suppressed findings for a clean one. */
PTOG_API size_t ptog_diags_suppressed(const ptog_diags *diags);

/* The authors' own files that the entries come from (ptog_where.origin), each once; at most 64 of them. NULL past the
 * end. The library opens none of them: a caller who trusts the names reads the files and gives their text to the list,
 * and reports show the lines. A program can name any file: ptog opens those below the working directory alone. False
 * when out of memory. */
PTOG_API const char *ptog_diags_file_at(const ptog_diags *diags, size_t i);
PTOG_API bool ptog_diags_quote(ptog_diags *diags, const char *file, const char *text, size_t bytes);

/* Replaces the entries by one note, "not for a2a3: ..." with the first error: the target refuses the program, and that
 * is no fault of a program that is for another one. Nothing changes when there is no error. False when out of memory.
 */
PTOG_API bool ptog_diags_not_for(ptog_diags *diags, const char *target);

/* What the entries amount to. A program passed only if everything in it was examined and no error was found. */
enum ptog_verdict {
    PTOG_PASSED = 0,     /* examined, and no error */
    PTOG_NOT_JUDGED = 1, /* no error in what was examined, but an entry is `unjudged`: something was left out */
    PTOG_FAILED = 2,     /* there is an error that is not `unjudged` */
};
PTOG_API enum ptog_verdict ptog_diags_verdict(const ptog_diags *diags);

/* "passed", "not judged", "failed", as reports write it; "?" for another number. Never NULL. */
PTOG_API const char *ptog_verdict_name(enum ptog_verdict verdict);

/* Writes a step of a fix as one line of words, at most `size` bytes with the terminator, and returns how long it is
 * without it, as snprintf does; NULL for `words` returns the length only. The second writes its statement only,
 * without place and words; the text is empty when it has none. Without a step, NULL, the length is 0. */
PTOG_API size_t ptog_fix_words(const struct ptog_fix *fix, char *words, size_t size);
PTOG_API size_t ptog_fix_statement(const struct ptog_fix *fix, char *words, size_t size);

/* "error", "warning", "note", as reports write it; "note" for another number. Never NULL. */
PTOG_API const char *ptog_severity_name(enum ptog_severity severity);

#endif
