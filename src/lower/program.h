/* lower: a parsed text and its functions, as the files of this room see them. */
#ifndef PTOG_LOWER_ROOM_H
#define PTOG_LOWER_ROOM_H

#include <stdatomic.h>

#include <ptog/program.h>

#include "asm/asm.h"
#include "diag/list.h"

/* Which core a function is written for, when it says so. */
enum ptog_core_kind { PTOG_CORE_ANY = 0, PTOG_CORE_CUBE, PTOG_CORE_VECTOR };

/* A function, or the bare statements of a text or module: those have no operation and the name "". */
struct ptog_function {
    const char *name;
    const struct ptog_op *op;
    const struct ptog_region *region;
    uint32_t scope;                   /* functions of one number call each other */
    uint32_t outer;                   /* from 1: the scope that its module lies in; 0: none */
    const struct ptog_op *module;     /* NULL: none */
    uint32_t next_named;              /* from 1: the next function of that name, in another scope */
    const struct ptog_target *target; /* its module's; NULL: none is named */
    enum ptog_core_kind core;
    bool entry, helper; /* marked as a kernel; private */
};

/* What has to be bound before a function can run. */
struct ptog_slot_table {
    size_t count;
    uint32_t *number_of; /* by symbol, from 1 */
    struct ptog_slot of[];
};

struct ptog_lowered;

void ptog_slot_table_free(struct ptog_slot_table *table);

struct ptog_program {
    char *name, *bytes; /* copies */
    struct ptog_source source;
    struct ptog_tree tree;
    struct ptog_function *functions;
    size_t function_count;
    _Atomic(struct ptog_slot_table *) *slots; /* by function, found when they are first asked for */
    _Atomic(struct ptog_lowered *) *lowered;  /* by function: lowered.h */
    uint32_t *named;                          /* by symbol, from 1: the first function of that name */
    bool *declared;                           /* by symbol: a function without a body has that name */
    const struct ptog_target *target;         /* of the first module that names one */
    const struct ptog_item *no_target;        /* what pto.target_arch says when that is no target */
    bool strict;                              /* where versions of the compiler differ the newest is right */
};

/* By name, the first one; NULL finds the one that a run takes. NULL when there is none, or more than one to choose
 * from. */
const struct ptog_function *ptog_function_find(const struct ptog_program *program, const char *name);

/* The target that a function is for: its module's, else host. */
const struct ptog_target *ptog_function_target(const struct ptog_function *function);

/* The function of that name in a scope, or, where it is declared without a body, the one of another module; NULL when
 * there is none with a body. */
const struct ptog_function *ptog_function_called(const struct ptog_program *program, uint32_t scope, ptog_symbol name);

/* functions.c: lists the functions and reads the module's target; false when out of memory. */
bool ptog_functions_list(struct ptog_program *program);

/* functions.c: what is wrong with the frame: comments that allow what does not exist, functions of one name, and the
 * module's target when that is the one that counts, `chosen` being false. */
void ptog_functions_check(const struct ptog_program *program, bool chosen, struct ptog_diag_list *diags);

#endif
