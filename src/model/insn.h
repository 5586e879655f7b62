/* model: the one description of an instruction (struct ptog_insn), and its row in the instruction table.
 *
 *   as written         ptog_insn                defaults and PTOG_DYN may stand in it
 *   as a run knows it  ptog_insn_resolve()      the run's extents put in, defaults replaced by what they stand for
 *   as it is done      struct ptog_known_insn   the same with its target and form: what ref, exec and sim are given */
#ifndef PTOG_MODEL_INSN_H
#define PTOG_MODEL_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/plan.h>

/* The names that operands have: PTOG_AT_DST, ... Two stand for what is no operand of a tile instruction. */
enum ptog_operand_name {
#define OPERAND(NAME, ...) PTOG_AT_##NAME,
#include <ptog/spec/forms.def>
    PTOG_AT_SCALAR, /* what load_scalar and store_scalar access */
    PTOG_AT_COUNT,
    PTOG_AT_SELF = PTOG_AT_COUNT, /* the instruction as a whole */
};

/* "dst", "idx", "the scalar", "instruction", ... */
const char *ptog_operand_name(enum ptog_operand_name name);

/* "the index tile": what messages call an operand that has no name of the user's. */
const char *ptog_operand_role(enum ptog_operand_name name);

/* The name that the user gave an operand, "%idx"; NULL: none. */
const char *ptog_operand_given_name(const struct ptog_operand *operand);

/* What messages call an operand: its name, or its role. `insn` may be NULL. */
const char *ptog_insn_operand_words(const struct ptog_insn *insn, enum ptog_operand_name name);

enum ptog_family {
#define FAMILY(NAME, ...) PTOG_FAMILY_##NAME,
#include <ptog/spec/forms.def>
    PTOG_FAMILIES
};

/* Sets of forms are masks: bit (1 << form). */
typedef uint64_t ptog_form_set;
#define PTOG_FORM_BIT(form) (UINT64_C(1) << (form))
#define PTOG_ALL_FORMS (PTOG_FORM_BIT(PTOG_FORMS) - 1)

enum ptog_role {
    PTOG_ROLE_IN,
    PTOG_ROLE_SAME,    /* read, and may be the destination itself */
    PTOG_ROLE_OUT,     /* written */
    PTOG_ROLE_SCRATCH, /* may be left out, and its contents mean nothing */
};

/* What a source of a broadcast may be instead of a whole tile. */
enum ptog_spread {
    PTOG_SPREAD_NONE,
    PTOG_SPREAD_COLUMN, /* a column, for each column of the destination */
    PTOG_SPREAD_ROW,    /* a row, for each row of it */
};

struct ptog_operand_row {
    enum ptog_operand_name name;
    enum ptog_role role;
    enum ptog_operand_kind kind;
    bool scalar;               /* may be a scalar instead */
    ptog_form_set used, taken; /* forms that access it; forms that it may be given to */
    bool is_read;              /* a destination whose old elements are read, too */
    bool is_part;              /* a source that may have fewer valid elements than the destination */
    enum ptog_spread spread;
    bool is_place; /* a scalar that the verifier looks at, and that a run cannot change */
    bool is_optional; /* a source that may be left out */
};

struct ptog_insn_row {
    char name[24]; /* in place: a table without addresses needs nothing from the loader */
    enum ptog_family family;
    int lane; /* enum ptog_lane_id, PTOG_LANE_none */
    int count;
    struct ptog_operand_row of[PTOG_MAX_OPERANDS];
};

extern const struct ptog_insn_row ptog_insn_rows[];
extern const unsigned ptog_insn_row_count; /* PTOG_OPCODES */

/* The row of an opcode; that of PTOG_NO_INSN has no operands. */
static inline const struct ptog_insn_row *ptog_insn_row(enum ptog_opcode opcode)
{
    return &ptog_insn_rows[(unsigned)opcode < ptog_insn_row_count ? opcode : PTOG_NO_INSN];
}

static inline enum ptog_family ptog_insn_family(const struct ptog_insn *insn)
{
    return ptog_insn_row(insn->opcode)->family;
}

/* The family of a form, and all the forms of a family. */
enum ptog_family ptog_form_family(enum ptog_form form);
ptog_form_set ptog_family_forms(enum ptog_family family);

/* Where the operand of a name stands in ptog_insn.of; -1 when the instruction has none of that name. */
int ptog_insn_find(const struct ptog_insn *insn, enum ptog_operand_name name);

/* What is wrong with an instruction of a caller before anything looks at `tile` or `view`: its opcode is none, an
 * operand is neither of the kind that its row has nor absent, a reserved word is not zero. In words that follow its
 * name; NULL: nothing. */
const char *ptog_insn_malformed(const struct ptog_insn *insn);

/* An operand of that form is there: it is taken, and, if it may be left out, it was not. */
bool ptog_insn_has(const struct ptog_insn *insn, enum ptog_form form, int position);

/* A source that may share bytes with the destination on this target does so without harm: it lies on the same bytes, in
 * the same steps, or every byte of it is read before it is overwritten. `target` may be NULL: on all of them. */
bool ptog_insn_is_in_place(const struct ptog_target *target, const struct ptog_insn *insn, int out, int in);

/* The bytes that say what the instruction is: two instructions are the same when these are. */
static inline size_t ptog_insn_bytes(const struct ptog_insn *insn)
{
    return offsetof(struct ptog_insn, of) + (size_t)insn->count * sizeof insn->of[0];
}

/* Copies what ptog_insn_bytes counts. */
void ptog_insn_copy(struct ptog_insn *to, const struct ptog_insn *from);

/* A view as operand `position` of an instruction that was started; tiles and scalars are in ptog/insn.h. */
void ptog_insn_set_view(struct ptog_insn *insn, int position, const struct ptog_tensor *view);

/* ---- extents that may be left open until an instruction runs */

enum ptog_extent_field { PTOG_VALID_ROW, PTOG_VALID_COL, PTOG_SHAPE, PTOG_STRIDE };

struct ptog_open_extent {
    enum ptog_operand_name operand;
    enum ptog_extent_field field;
    int dimension;    /* of PTOG_SHAPE and PTOG_STRIDE */
    int64_t *planned; /* in the instruction */
    int64_t given;    /* by the run; 0: as planned */
};

#define PTOG_MAX_EXTENTS 24
struct ptog_extents {
    struct ptog_open_extent of[PTOG_MAX_EXTENTS];
    int count;
};

/* Lists the extents of an instruction, which they point into. */
void ptog_insn_extents(struct ptog_insn *insn, const struct ptog_run *run, struct ptog_extents *extents);

/* The valid rows and columns that a run gives to the tile of a row; NULL when it can give none. */
const int64_t *ptog_run_valid(const struct ptog_run *run, const struct ptog_operand_row *row);

/* Where a run has the valid extents of an operand, to be filled in. */
int64_t *ptog_run_valid_of(struct ptog_run *run, const struct ptog_operand_row *row);

/* Any extent is left open. */
bool ptog_insn_is_open(const struct ptog_insn *insn);

/* *known is `insn` with the extents of `run`, which may be NULL, and with its defaults filled in. */
void ptog_insn_resolve(struct ptog_insn *known, const struct ptog_insn *insn, const struct ptog_run *run);

/* ---- as it is done */

struct ptog_effects;

/* A resolved instruction on a target: legal, and nothing is left open. */
struct ptog_known_insn {
    const struct ptog_target *target;
    const struct ptog_effects *effects; /* NULL where there is no machine */
    enum ptog_form form;
    bool open;                     /* an extent was left to the run */
    uint8_t late_cols;             /* bit (1 << position): the run alone knows the valid columns of that operand */
    int view;                      /* the first operand that is global memory; -1: none is */
    uint32_t holders;              /* of one that is shared; 0: it is not */
    uint32_t tiles[PTOG_AT_COUNT]; /* by name: their numbers, for the log of the machine */
    struct ptog_insn insn;         /* the last field: copies stop at its last operand */
};

/* Resolves an instruction for a target; `run` may be NULL. Its effects and tiles are the machine's to fill in. */
void ptog_known_start(struct ptog_known_insn *known, const struct ptog_target *target, const struct ptog_insn *insn,
                      const struct ptog_run *run);

/* Share: the instruction for one more holder, itself when it is shared, else a copy that is; NULL when out of memory.
 * Let go: one holder less, and the last one frees it. Holders are those of one core, and so of one thread. NULL may be
 * let go. */
struct ptog_known_insn *ptog_known_share(const struct ptog_known_insn *known);
void ptog_known_let_go(struct ptog_known_insn *known);

static inline size_t ptog_known_bytes(const struct ptog_known_insn *known)
{
    return offsetof(struct ptog_known_insn, insn) + ptog_insn_bytes(&known->insn);
}

#endif
