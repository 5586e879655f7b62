/* The tables behind diagnostics, as rows to read and to explain: `ptog explain ID` is made of them. An id leads to one
 * row:
 *
 *   ptog_rule_find            a constraint on the operands of an instruction, which the verifier knows
 *   ptog_text_rule_find       what the text forms require beyond that, and what a run of a program can say
 *   ptog_fault_info_find      what a run reports of single lanes: struct ptog_fault
 *   ptog_machine_fault_find   races, flags, memory: what a run on a machine reports (ptog/core.h)
 *
 * An id stands in two of them only where one thing is foreseen before the run and seen in it. Rows are constants of the
 * library: they are never freed, and any thread may read them. The ..._at calls list a table in its own order, NULL
 * past the end; the ..._find calls return NULL for an id that is not in the table, and for NULL. */
#ifndef PTOG_RULE_H
#define PTOG_RULE_H

#include <stddef.h>
#include <stdint.h>

#include <ptog/diag.h>
#include <ptog/insn.h>

/* A rule of the verifier. Its example is a test of the library: from the statements of `base`, `wrong` breaks exactly
 * this rule on the target, and `right` none. */
struct ptog_rule {
    const char *id; /* "mgather-row-index-shape" */
    enum ptog_severity severity;
    bool refuses;               /* an instruction that breaks it is not run; else it is run as the target would */
    bool exact;                 /* for these targets only, not for others that are like them */
    uint32_t targets;           /* ptog_target.bit bits */
    const char *what;           /* the constraint, one sentence */
    const char *why;            /* what goes wrong without it */
    const char *documented;     /* where it is documented */
    const char *example_target; /* where the example is judged */
    const char *base;           /* C statements that both examples start from */
    const char *wrong;          /* what breaks exactly this rule */
    const char *right;          /* the smallest change that breaks none */
    bool strict;                /* compilers and libraries differ: in a strict program an error that refuses */
    uint32_t warns; /* of `targets`, those whose libraries accept it: a warning there, unless the program is strict */
};

/* In the order in which the verifier reports them. */
PTOG_API const struct ptog_rule *ptog_rule_at(size_t i);
PTOG_API const struct ptog_rule *ptog_rule_find(const char *id);

/* Whether the rule is about instructions of that opcode and form, on the targets that it names. */
PTOG_API bool ptog_rule_applies(const struct ptog_rule *rule, enum ptog_opcode opcode, enum ptog_form form);

/* What the text forms require beyond the operands of an instruction: grammar, names, types, places, what has to be
 * bound.
 */
struct ptog_text_rule {
    const char *id; /* "text-syntax", "run-unbound" */
    enum ptog_severity severity;
    const char *what;  /* the constraint, one sentence */
    const char *why;   /* what goes wrong without it */
    const char *wrong; /* a program that breaks exactly this rule */
    const char *right; /* the smallest change that breaks none */
    bool strict;       /* as in struct ptog_rule */
    bool unjudged;     /* as in struct ptog_diag */
};
PTOG_API const struct ptog_text_rule *ptog_text_rule_at(size_t i);
PTOG_API const struct ptog_text_rule *ptog_text_rule_find(const char *id);

/* What a run can report about single lanes: see struct ptog_fault, whose kinds are the numbers of these rows. */
struct ptog_fault_info {
    const char *id; /* "gm-out-of-bounds" */
    enum ptog_severity severity;
    const char *what;       /* what happened, and what the element is then */
    const char *why;        /* what it would do on a device */
    const char *documented; /* where */
    const char *number;     /* what the number of an entry is, if it is no index */
};
PTOG_API const struct ptog_fault_info *ptog_fault_info_at(size_t kind);
PTOG_API const struct ptog_fault_info *ptog_fault_info_find(const char *id);

/* An erratum that shows between targets: where the documents disagree and the targets differ.
 * docs/explanation/errata.md has all.
 */
struct ptog_erratum {
    /* An id of docs/explanation/errata.md, a sentence, and what enforces it. */
    const char *id;    /* "E13" */
    const char *what;  /* one sentence */
    const char *rules; /* ids of the rules that refuse operands because of it, with spaces between them */
};
/* The last one: the erratum because of which a rule refuses operands; NULL when there is none. */
PTOG_API const struct ptog_erratum *ptog_erratum_at(size_t i);
PTOG_API const struct ptog_erratum *ptog_erratum_find(const char *id);
PTOG_API const struct ptog_erratum *ptog_erratum_of_rule(const char *rule);

/* A document that `documented` fields cite, "002 Mode Resolution": its number, and what readers know it by. NULL past
 * the end. ptog_report_documented (ptog/report.h) writes such a field with names instead of numbers. */
struct ptog_document {
    const char *number; /* "002" */
    const char *name;   /* "MGATHER manual" */
};
/* All of them, in the order of their numbers. */
PTOG_API const struct ptog_document *ptog_document_at(size_t i);

/* A race or a flag that went wrong, drawn with characters: pipes from left to right, time downwards, and the arrow that
 * is missing. The lines beside the drawing are a program of text that shows it. */
struct ptog_picture {
    /* Drawings are text of several lines, at most 80 columns wide. */
    const char *id;     /* of a fault of the machine */
    const char *target; /* where the example is judged */
    const char *before; /* the lines of a function that both examples begin with, and end with */
    const char *after;  /* NULL where the drawing stands alone */
    const char *wrong,
        *right; /* lines that break exactly this rule, and that break none; NULL: there is the drawing only */
    const char *drawn_wrong, *drawn_right; /* the drawings */
};
/* All of them; and the one of a fault, NULL when none is drawn. */
PTOG_API const struct ptog_picture *ptog_picture_at(size_t i);
PTOG_API const struct ptog_picture *ptog_picture_find(const char *id);

#endif
