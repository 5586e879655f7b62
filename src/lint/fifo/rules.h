/* lint: the words of spec/lint_fifo.def beyond those of lint/rule_table.h: what an operation of the FIFO between
 * the cores is asked about its place, its pipe, the other end of that, and its entry, which is the tile or view that is
 * pushed, popped, ... Each is true where nothing is known. */
#ifndef PTOG_LINT_FIFO_RULES_H
#define PTOG_LINT_FIFO_RULES_H

#include "lint/rules.h"
#include "lint/fifo/fifo.h"

static inline const struct ptog_fifo_use *ptog_asked_use(const struct ptog_asked *a)
{
    return ptog_fifo_use_of(a->e->fifo, a->op);
}

static inline const struct ptog_fifo_pipe *ptog_asked_pipe(const struct ptog_asked *a)
{
    return ptog_fifo_pipe_of(a->e->fifo, a->op);
}

/* ---- asks_fifo_place.c: where it stands, and what else the function has */

bool ptog_ask_on_core(const struct ptog_asked *a, enum ptog_core_kind core); /* PTOG_CORE_ANY: on one of them */
bool ptog_ask_is_first(const struct ptog_asked *a);      /* nothing before it in the function has its id or name */
bool ptog_ask_has_pipe(const struct ptog_asked *a);      /* its id, or operand, names one */
bool ptog_ask_follows_setup(const struct ptog_asked *a); /* of its pipe */
bool ptog_ask_pipe_goes(const struct ptog_asked *a);     /* the way that it pushes or pops */
bool ptog_ask_no_hidden(const struct ptog_asked *a);     /* keys that only C++ has */
bool ptog_ask_peer_exists(const struct ptog_asked *a);   /* the function that an import names */
bool ptog_ask_peer_reserves(const struct ptog_asked *a);
bool ptog_ask_peer_is_leaf(const struct ptog_asked *a); /* from another module it calls nothing */
bool ptog_ask_buffer_fits(const struct ptog_asked *a);  /* a reserved one with a base lies in its memory */
bool ptog_ask_base_fits(const struct ptog_asked *a);    /* there is a base, or `auto` makes one */

/* ---- asks_fifo_entry.c: its entry */

bool ptog_ask_is_view(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_is_odd(const struct ptog_asked *a);                                      /* its split is 3 or 4 */
bool ptog_ask_halves_odd(const struct ptog_asked *a, struct ptog_asked_operand entry); /* its pipe can do that */
bool ptog_ask_halves(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_slot_is_view(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_like_slot(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_fills_slot(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_subblock_fits(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_valid_is_open(const struct ptog_asked *a);
int64_t ptog_bytes_of(const struct ptog_type *type); /* PTOG_DYN: not known */

/* The view of global memory that a pipe was set up with; NULL: none that is known. */
const struct ptog_type *ptog_asked_slot(const struct ptog_asked *a, const struct ptog_fifo_pipe *pipe);

/* ---- asks_fifo_setup.c: the operands of a setup, and both ends together */

bool ptog_ask_has_buffers(const struct ptog_asked *a);
bool ptog_ask_one_memory(const struct ptog_asked *a); /* a pointer or a view of global memory, not both */
bool ptog_ask_some_memory(const struct ptog_asked *a);
bool ptog_ask_view_and_buffers(const struct ptog_asked *a);
bool ptog_ask_slot_fits(const struct ptog_asked *a);
bool ptog_ask_local_slots(const struct ptog_asked *a);
bool ptog_ask_flags_fit(const struct ptog_asked *a);
bool ptog_ask_peer_buffer(const struct ptog_asked *a);
bool ptog_ask_one_core(const struct ptog_asked *a); /* the function has no pipes that are set up for the other */

/* The rest is said once of both ends, at the first of them in the text. */
bool ptog_ask_buffer_known(const struct ptog_asked *a); /* a reserved or imported one, unless its flags are given */
bool ptog_ask_is_paired(const struct ptog_asked *a);
bool ptog_ask_same_shape(const struct ptog_asked *a);
bool ptog_ask_same_flags(const struct ptog_asked *a);
bool ptog_ask_flags_free(const struct ptog_asked *a);
bool ptog_ask_flags_left(const struct ptog_asked *a);
bool ptog_ask_same_split(const struct ptog_asked *a);
bool ptog_ask_nosplit_true(const struct ptog_asked *a);
bool ptog_ask_same_epilogue(const struct ptog_asked *a);

/* ---- asks_fifo_epilogue.c: what acc_push_epilogue asks; true where there is none */

bool ptog_ask_epilogue_known(const struct ptog_asked *a);
bool ptog_ask_epilogue_not_a5(const struct ptog_asked *a);
bool ptog_ask_epilogue_up(const struct ptog_asked *a);      /* its pipe goes from cube to vector */
bool ptog_ask_epilogue_nosplit(const struct ptog_asked *a); /* and says that it does not split */
bool ptog_ask_epilogue_buffer(const struct ptog_asked *a);
bool ptog_ask_epilogue_whole(const struct ptog_asked *a); /* and no push or pop does */
bool ptog_ask_epilogue_tile(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_epilogue_takes(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_epilogue_gives(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_epilogue_layout(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_epilogue_loc(const struct ptog_asked *a, struct ptog_asked_operand entry);
bool ptog_ask_epilogue_keeps(const struct ptog_asked *a, struct ptog_asked_operand entry); /* pops: what is pushed */
bool ptog_ask_epilogue_scaled(const struct ptog_asked *a);
bool ptog_ask_epilogue_popped(const struct ptog_asked *a);
bool ptog_ask_epilogue_same_pops(const struct ptog_asked *a);
bool ptog_ask_epilogue_slot(const struct ptog_asked *a);
bool ptog_ask_takes_scale(const struct ptog_asked *a, enum ptog_scale scale);

#endif
