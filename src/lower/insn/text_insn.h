/* lower: a tile instruction of the text, from its operands to struct ptog_insn. The row of the instruction says which
 * operands there are; its family reads the attributes and fills in types that are left out; then it is judged and run.
 */
#ifndef PTOG_LOWER_TEXT_INSN_H
#define PTOG_LOWER_TEXT_INSN_H

#include "lower/eval.h"
#include "model/insn.h"

struct ptog_text_operand {
    const char *role; /* as verify names it: "dst" */
    int position;     /* in struct ptog_insn.of */
    const struct ptog_item *item;
    const struct ptog_type_use *type;
    struct ptog_value *value;
    uint32_t slot; /* of that value in the frame; 0: a result */
    uint8_t kind;  /* enum ptog_value_kind: its */
    bool is_out;
    bool left_out; /* of a run: see ptog_insn_leaves_out */
    bool fresh;    /* a result: `value` is made here and defined when the instruction is done */
};

struct ptog_text_insn {
    const struct ptog_op *op;
    struct ptog_text_operand of[PTOG_MAX_OPERANDS];
    int count;
    bool skip; /* something is wrong or unknown: not to be verified or run */
    struct ptog_value results[2];
    int result_count;
    enum ptog_form form; /* as far as the text alone decides it */
    bool mode_open;      /* of mgather: the text gives no mode */
    bool layout_given;   /* of a transfer */
    int layout;          /* enum ptog_layout */
    bool inferred;       /* a type that is left out came from the other operands */
    bool has_tmp;        /* that the text leaves out; it is placed with each execution */
    struct ptog_value tmp;
    int32_t attr[PTOG_MAX_ATTRS]; /* as the text has them: operands may decide others */
    struct ptog_insn insn;        /* its attributes first, then its operands */
};

/* What the text forms need to know of a family beyond its row; one file of this room each. */
struct ptog_text_family {
    /* Reads the attributes and decides the form; false after an error. */
    bool (*attrs)(struct ptog_eval *e, struct ptog_text_insn *insn);
    /* Types that are left out, from what the operands say of each other. */
    void (*infer)(struct ptog_eval *e, struct ptog_text_insn *insn);
    /* Once the operands are described: what their shapes decide. NULL: nothing. */
    void (*settle)(struct ptog_eval *e, struct ptog_text_insn *insn);
};
#define FAMILY(NAME, name) extern const struct ptog_text_family ptog_text_##name;
#include <ptog/spec/forms.def>

/* Reads sources and destinations as the row of the instruction says; what is missing or wrong sets `skip`. False when
 * they are too few or too many. */
bool ptog_insn_operands(struct ptog_eval *e, struct ptog_text_insn *insn);

/* The value of an operand; NULL when the text does not give it. */
struct ptog_value *ptog_insn_value(const struct ptog_text_insn *insn, enum ptog_operand_name name);

/* The operand that a diagnostic of the verifier names; NULL when it names none. */
const struct ptog_text_operand *ptog_insn_operand(const struct ptog_text_insn *insn, const char *role);

/* Marks places as used, and checks what the model cannot say. True: it is to be verified. */
bool ptog_insn_ready(struct ptog_eval *e, struct ptog_text_insn *insn);

/* The tiles of the instruction are made, used and placed, as each execution does; its results are defined. */
void ptog_insn_use_places(struct ptog_eval *e, struct ptog_text_insn *insn);
void ptog_insn_finish(struct ptog_eval *e, struct ptog_text_insn *insn);

/* ---- insn.c: from values to struct ptog_insn */

/* Forgets what was described: the opcode and the attributes of the text are left. */
void ptog_insn_restart(struct ptog_text_insn *insn);

/* Types that are left out, where a value lacks one. False after an error. */
bool ptog_insn_infer(struct ptog_eval *e, struct ptog_text_insn *insn);

/* Puts the values of all operands into the instruction, or of one, and what their shapes decide. */
void ptog_insn_describe(struct ptog_eval *e, struct ptog_text_insn *insn);
void ptog_insn_describe_operand(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_text_operand *use);
void ptog_insn_settle(struct ptog_eval *e, struct ptog_text_insn *insn);

/* The first operand of which something must be valid, and nothing is; NULL: there is none. Whether the instruction may
 * be passed over then; said if not. */
const struct ptog_text_operand *ptog_insn_empty_operand(const struct ptog_text_insn *insn);
bool ptog_insn_pass_over(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *empty);

/* ---- verify.c */

/* Verifies an instruction, and says what is wrong at the operand that it is about. */
void ptog_judge_insn(struct ptog_eval *e, const struct ptog_text_insn *insn);

/* Says what the verifier said, at the places of the text. */
void ptog_insn_say_diags(struct ptog_eval *e, const struct ptog_text_insn *insn, const ptog_diags *diags);

/* ---- insn_parts.c: attributes and tmp, for the struct of a family */

bool ptog_insn_attrs(struct ptog_eval *e, struct ptog_text_insn *insn);

/* Operand `at` is a tmp tile that the text leaves out: it gets a place. */
void ptog_insn_set_tmp(struct ptog_eval *e, struct ptog_text_insn *insn, int at, struct ptog_tile tile);
void ptog_insn_add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn);

/* A tmp without an address that the library of the target never looks at: compilers leave it out, and it takes no
 * place. */
bool ptog_insn_leaves_out(const struct ptog_eval *e, const struct ptog_text_insn *insn,
                          const struct ptog_text_operand *use);

/* An instruction of which the run alone knows extents: they are open in `insn`, and their numbers are beside it. */
struct ptog_late_insn {
    struct ptog_insn insn;
    struct ptog_run extents;
    bool known; /* all of them; a check may come before the numbers */
};

/* False: all of its extents count as known beforehand, and *late is not touched. */
bool ptog_insn_is_late(const struct ptog_eval *e, const struct ptog_text_insn *insn, struct ptog_late_insn *late);

/* A tile of it has an extent that is a number of the run, a '?' in its type. */
bool ptog_insn_has_open_extent(const struct ptog_text_insn *insn);

/* ---- eval_mgather.c: for gathers and scatters of a table */

void ptog_infer_table_insn(struct ptog_eval *e, struct ptog_text_insn *insn);
void ptog_settle_mode(struct ptog_eval *e, struct ptog_text_insn *insn);

/* ---- tgather.c: for gathers and scatters by mask. False after an error. */

bool ptog_read_axis(struct ptog_eval *e, const struct ptog_text_insn *insn, bool by_mask, int32_t *axis);

/* ---- eval_reduce.c: the same for reductions, whose tmp has a shape */

void ptog_reduction_add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn);

/* ---- infer.c: placeholders */

/* What the operands tell each other by the names in their types. Call before and after the instruction's own rules. */
void ptog_infer_names(struct ptog_eval *e, struct ptog_text_insn *insn);

/* One extent or element type known from another operand: fills `to` when it is open. */
void ptog_infer_extent(int64_t *to, int64_t from);
void ptog_infer_dtype(struct ptog_value *to, enum ptog_dtype from);

/* Whether all is known; else reports what is not. */
bool ptog_infer_done(struct ptog_eval *e, struct ptog_text_insn *insn);

enum ptog_dtype ptog_value_dtype(const struct ptog_value *value);

/* The phase of a product, or of a store of an accumulator; `item` may be NULL. False after an error. */
bool ptog_attr_phase(struct ptog_eval *e, const struct ptog_item *item, int32_t *phase);

#endif
