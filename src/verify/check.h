/* verify: one instruction on one target, as the predicates see it. */
#ifndef PTOG_VERIFY_CHECK_H
#define PTOG_VERIFY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/plan.h>
#include <ptog/rule.h>

/* Operands, as bits: a rule names those it looks at, and is asked once for each that is present. */
enum ptog_operand {
    PTOG_OP_DST = 1,
    PTOG_OP_SRC = 2,
    PTOG_OP_IDX = 4,
    PTOG_OP_TMP = 8,
    PTOG_OP_K = 16,
    PTOG_OP_CDST = 32,
    PTOG_OP_TABLE = 64,
    PTOG_OP_TILE = 128, /* of TLOAD and TSTORE */
    PTOG_OP_VIEW = 256,
    PTOG_OP_SELF = 512, /* the instruction as a whole */
};
#define PTOG_OP_TILES (PTOG_OP_DST | PTOG_OP_SRC | PTOG_OP_IDX | PTOG_OP_TMP | PTOG_OP_K | PTOG_OP_CDST | PTOG_OP_TILE)

struct ptog_check {
    const struct ptog_target *target;
    enum ptog_form form;
    uint32_t present;             /* the operands that were given */
    const struct ptog_mgather *m; /* filled; one of the three */
    const struct ptog_tgather *t;
    const struct ptog_transfer *x;
    const struct ptog_run *run;           /* the run-time extents, when the plan is run */
    const struct ptog_mgather *planned_m; /* with `run`: before the run-time extents were put in */
    const struct ptog_tgather *planned_t;
};

/* NULL when the form has no such tile or it was left out. */
const struct ptog_tile *ptog_check_tile(const struct ptog_check *c, enum ptog_operand operand);

/* The table or view. */
const struct ptog_tensor *ptog_check_tensor(const struct ptog_check *c);

/* The operands that the form has; those of `optional` may be left out. */
uint32_t ptog_form_operands(enum ptog_form form, uint32_t *optional);

/* "dst", "idx", ... */
const char *ptog_operand_name(enum ptog_operand operand);

/* The set of element types the target takes for this operand of this form. */
uint32_t ptog_check_dtypes(const struct ptog_check *c, enum ptog_operand operand);

#endif
