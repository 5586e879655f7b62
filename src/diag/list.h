/* diag: one diagnostic as every module makes it, and the list that collects them. Parser, lint and evaluator emit
 * entries at spans of a text; the verifier's and those of lanes come with them. A simulated run notes them at sites
 * (diag/note.h). What is shown (words of a race, lines and columns, the line itself, the author's own file) is worked
 * out when the list is handed out. */
#ifndef PTOG_DIAG_LIST_H
#define PTOG_DIAG_LIST_H

#include <ptog/diag.h>

#include "base/arena.h"
#include "base/index.h"
#include "base/source.h"

#define PTOG_MAX_DIAGS 10000u /* of one list; more help nobody */
#define PTOG_MAX_RELATED 4

#define PTOG_ID_TOO_MANY "text-too-many" /* the note after the last one that is shown */

/* Another place of the text that belongs to a diagnostic. */
struct ptog_related {
    const char *message;
    struct ptog_span span;
};

/* What makes two occurrences of a run one entry: the kind, the sites and pipes of both accesses, and the operand of the
 * later one. Sites are numbers of whoever notes (sanitize/names.h): a place of the caller and the instruction there. */
struct ptog_diag_key {
    uint16_t kind; /* enum ptog_diag_kind */
    uint32_t site, other;
    uint8_t pipe, other_pipe; /* PTOG_ALL: none */
    uint8_t operand;          /* enum ptog_operand_name; PTOG_AT_COUNT: none */
};

/* How the fix of an entry of a run is made: from what is said of its kind, a flag between the two accesses, a flag
 * back, a barrier, or the one step that the entry has. */
enum ptog_advice {
    PTOG_ADVICE_OF_ID,
    PTOG_ADVICE_FLAG,
    PTOG_ADVICE_FLAG_BACK,
    PTOG_ADVICE_BARRIER,
    PTOG_ADVICE_STEP,
    PTOG_ADVICE_FLUSH,           /* dcci before it */
    PTOG_ADVICE_FLUSH_AND_FENCE, /* dcci and dsb before it */
    PTOG_ADVICE_FLUSH_BEHIND,    /* both behind it */
};

/* The arguments of a race: two accesses that are not ordered, of which the later one is where it is reported. */
struct ptog_diag_race {
    uint8_t space;
    bool writes, other_writes;
    bool other_block;          /* the other access is of another block: no flag can order them */
    bool other_subblock;       /* ... of the other sub-block of the same block */
    uint32_t core, other_core; /* cores that wait for each other: the two, by serial number; 0: it is one core */
    int32_t buffer;
    bool held;                 /* a wait holds the other access until this one has started, at least */
    uint32_t block, late_step; /* of the first occurrence: the instruction to end late, in its block; 0: none */
    uint64_t from, to;         /* bytes of the first occurrence, the last one included */
    /* of an order that a flag reverses: its statements; 0: none */
    uint32_t set_site, wait_site;
    uint8_t flag_src, flag_dst, flag_id;
};

/* One diagnostic. `diag` has what is the same for all; then come those of a text, then those of a run. */
struct ptog_diag_entry {
    struct ptog_diag diag; /* strings live in the arena; `where` and `related` are made when it is handed out */

    /* at a span of a text */
    struct ptog_span span;
    bool nowhere;       /* about the program as a whole */
    bool first;         /* a cause of others, which come after it wherever they are */
    uint32_t stands_at; /* where it stands among others: its own span, or the first one that the same change fixes */
    bool follows;       /* from another one that the same change fixes */
    uint32_t number;    /* in the order in which they were emitted */
    struct ptog_related related[PTOG_MAX_RELATED];

    /* at sites of a run; a race has no message, which is made of its key and arguments */
    struct ptog_diag_key key;
    uint64_t insn;             /* the first instruction it happened at: gives the order of the report */
    uint64_t last;             /* the last one, so that an instruction counts once */
    const char *other_message; /* at the other site: "written here" */
    enum ptog_advice advice;
    struct ptog_fix step; /* of PTOG_ADVICE_STEP */
    struct ptog_diag_race race;
};

/* Start with zeros, or a source; free it with ptog_diag_list_free. */
struct ptog_diag_list {
    const struct ptog_source *source; /* the text that spans are of */
    struct ptog_arena arena;
    struct ptog_diag_entry *list;
    uint32_t count;
    size_t room;
    size_t errors;      /* of any kind, also of those that were not kept */
    size_t refusals;    /* errors with which nothing is run */
    bool off;           /* nothing is kept */
    uint32_t unreached; /* branches around that are never taken: what would refuse the program there is a warning */
    bool strict;        /* what only the newest compiler refuses is refused */
    bool no_memory;     /* something was lost */

    /* of a run */
    struct ptog_index index;                                                                     /* entries by key */
    void (*noted)(void *user, const struct ptog_diag_entry *entry, enum ptog_severity severity); /* NULL: nobody */
    void *user;
};

/* Adds a diagnostic of src/spec/text_rules.def, whose severity it has, with a message made as by printf. NULL when it
 * was not kept; that is no error unless the list has no_memory. The pointer holds until the next one is added. */
__attribute__((format(printf, 4, 5))) struct ptog_diag_entry *ptog_diag_emit(struct ptog_diag_list *list,
                                                                             const char *id, struct ptog_span span,
                                                                             const char *format, ...);

/* Whether the list has one with the id of a text rule that starts at the same byte. */
bool ptog_diag_is_listed(const struct ptog_diag_list *list, const char *id, struct ptog_span span);

/* Adds a copy of a diagnostic of another table. */
struct ptog_diag_entry *ptog_diag_emit_copy(struct ptog_diag_list *list, const struct ptog_diag *diag,
                                            struct ptog_span span);

/* Add to an entry, or change it; NULL is fine. Messages are constants, except the words of a fix, which are copied. */
void ptog_diag_relate(struct ptog_diag_entry *entry, struct ptog_span span, const char *message);
void ptog_diag_add_fix(struct ptog_diag_list *list, struct ptog_diag_entry *entry, const char *fix);
void ptog_diag_set_severity(struct ptog_diag_list *list, struct ptog_diag_entry *entry, enum ptog_severity severity);

/* Who knows the author's own line behind a byte of a generated text (asm/loc.h): `find` puts it into *origin, with
 * strings in the arena, or NULL. False when out of memory. */
struct ptog_origin_lookup {
    const void *user;
    bool (*find)(const void *user, uint32_t at, struct ptog_arena *arena, const struct ptog_where **origin);
};

/* Hands everything out by position, then id, but for what the text allows (diag/allow.h): that is no error any more.
 * `origins` and `diags` may be NULL. False when out of memory. */
bool ptog_diag_list_give(struct ptog_diag_list *list, const struct ptog_origin_lookup *origins, ptog_diags *diags);
void ptog_diag_list_free(struct ptog_diag_list *list);

#endif
