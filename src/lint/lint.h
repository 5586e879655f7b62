/* lint: what compilers require of a text beyond what is simulated here: of operations that are parsed but not simulated
 * (the matrix unit, the FIFO between the two cores, structs, messages between devices), of clauses, of modules and
 * functions. A run stops at an operation that is not simulated; a check still says what is wrong with it, where the
 * text alone tells. This header is all that other modules include. */
#ifndef PTOG_LINT_LINT_H
#define PTOG_LINT_LINT_H

#include "diag/list.h"
#include "lint/fifo/quant.h"
#include "lower/program.h"
#include "lower/values.h"

struct ptog_fifo; /* lint/fifo/fifo.h */
struct ptog_type_use;

/* One operation, and what is known around it. */
struct ptog_lint_ctx {
    const struct ptog_program *program;
    const struct ptog_tree *tree;
    const struct ptog_target *target;
    const struct ptog_fifo *fifo;   /* NULL: nothing is known of it */
    const struct ptog_op *function; /* NULL for bare statements */
    const struct ptog_op *op;
    struct ptog_diag_list *diags; /* where findings go */
    /* The value of a name at this operation; NULL when it is not defined. */
    const struct ptog_value *(*value_named)(const void *scope, ptog_symbol name);
    const void *scope; /* the first argument of value_named */
};

/* Checks the whole text: calls, modules, values that escape, ends of functions. */
void ptog_lint_program(const struct ptog_program *program, struct ptog_diag_list *diags);

/* Checks an operation that is not simulated against the rows of src/spec/lint_*.def. True when all of them hold. */
bool ptog_lint_op(const struct ptog_lint_ctx *ctx);

/* Checks what stands in a simulated operation besides its operands: clauses, attributes and types that it does not
 * accept would be ignored. False after an error. */
bool ptog_lint_clauses(const struct ptog_lint_ctx *ctx);

/* Checks the number of types of a TILE or STORE operation, whose operands have been counted. False after an error. */
bool ptog_lint_type_counts(const struct ptog_lint_ctx *ctx);

/* Reads every operation of the FIFO between the cores, of a text that has some, for ptog_lint_ctx; NULL when out of
 * memory. */
struct ptog_fifo *ptog_fifo_read(const struct ptog_program *program);
void ptog_fifo_free(struct ptog_fifo *fifo);

/* The FIFO of an operation that sets up one, pushes, pops, ..., as the setup in its function has it. */
#define PTOG_NO_OPERAND UINT32_MAX
struct ptog_fifo_setup {
    const struct ptog_op *op; /* the setup */
    uint32_t number;          /* both ends have the same, and each FIFO of a text another */
    ptog_symbol name;         /* of its buffer; 0: none is known */
    int64_t id;       /* PTOG_DYN: a value names it */
    int64_t direction, slot_size, slots, local_slots; /* PTOG_DYN: not written */
    uint32_t memory, from_cube, from_vector; /* operands: global memory, buffers of the core that pops; or PTOG_NO_OPERAND */
    bool is_local;  /* it has no global memory */
    bool splits;    /* some of its tiles are split between the vector cores */
    /* What becomes of an accumulator on its way, where the setup says it; NULL: nothing, and that it is not known. */
    const struct ptog_epilogue *epilogue;
    const struct ptog_type_use *popped; /* of such a FIFO: the type of what is popped; NULL: nothing is */
};
bool ptog_fifo_setup_of(const struct ptog_fifo *fifo, const struct ptog_op *op, struct ptog_fifo_setup *setup);

/* The function at the other end of its FIFOs; NULL: none is known. `fifo` may be NULL. */
const struct ptog_function *ptog_fifo_partner(const struct ptog_fifo *fifo, const struct ptog_function *function);

/* Reports an operation of unknown origin, with the nearest known name. */
void ptog_lint_unknown_op(const struct ptog_tree *tree, const struct ptog_op *op, struct ptog_diag_list *diags);

#endif
