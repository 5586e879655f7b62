/* lint: the words of spec/lint_fifo.def beyond those of lint/rule_table.h: what an operation of the FIFO between
 * the cores is checked for: its place, its pipe, the other end of that, and its entry, which is the tile or view that
 * is pushed, popped, ... Each is true where nothing is known. */
#ifndef PTOG_LINT_FIFO_RULES_H
#define PTOG_LINT_FIFO_RULES_H

#include "lint/fifo/fifo.h"
#include "lint/rules.h"

static inline const struct ptog_fifo_use *ptog_lint_use(const struct ptog_lint_ctx *ctx)
{
    return ptog_fifo_use_of(ctx->fifo, ctx->op);
}

static inline const struct ptog_fifo_pipe *ptog_lint_pipe(const struct ptog_lint_ctx *ctx)
{
    return ptog_fifo_pipe_of(ctx->fifo, ctx->op);
}

/* ---- rules_place.c: where it stands, and what else the function has */

bool ptog_lint_on_core(const struct ptog_lint_ctx *ctx, enum ptog_core_kind core); /* PTOG_CORE_ANY: on one of them */
bool ptog_lint_is_first(const struct ptog_lint_ctx *ctx); /* nothing before it in the function has its id or name */
bool ptog_lint_has_pipe(const struct ptog_lint_ctx *ctx); /* its id, or operand, names one */
bool ptog_lint_follows_setup(const struct ptog_lint_ctx *ctx); /* of its pipe */
bool ptog_lint_pipe_goes(const struct ptog_lint_ctx *ctx);     /* the way that it pushes or pops */
bool ptog_lint_no_hidden(const struct ptog_lint_ctx *ctx);     /* keys that only C++ has */
bool ptog_lint_peer_exists(const struct ptog_lint_ctx *ctx);   /* the function that an import names */
bool ptog_lint_peer_reserves(const struct ptog_lint_ctx *ctx); /* that function reserves a buffer of this name */
bool ptog_lint_peer_is_leaf(const struct ptog_lint_ctx *ctx);  /* from another module it calls nothing */
bool ptog_lint_buffer_fits(const struct ptog_lint_ctx *ctx);   /* a reserved one with a base lies in its memory */
bool ptog_lint_base_fits(const struct ptog_lint_ctx *ctx);     /* there is a base, or `auto` makes one */

/* ---- rules_entry.c: its entry */

bool ptog_lint_is_view(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_is_odd(const struct ptog_lint_ctx *ctx);                                     /* its split is 3 or 4 */
bool ptog_lint_halves_odd(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry); /* its pipe can do that */
bool ptog_lint_halves(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_slot_is_view(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_like_slot(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_fills_slot(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_subblock_fits(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_valid_is_open(const struct ptog_lint_ctx *ctx);
int64_t ptog_bytes_of(const struct ptog_type *type); /* PTOG_DYN: not known */

/* The view of global memory that a pipe was set up with; NULL: none that is known. */
const struct ptog_type *ptog_lint_slot(const struct ptog_lint_ctx *ctx, const struct ptog_fifo_pipe *pipe);

/* ---- rules_setup.c: the operands of a setup, and both ends together */

bool ptog_lint_has_buffers(const struct ptog_lint_ctx *ctx);
bool ptog_lint_one_memory(const struct ptog_lint_ctx *ctx); /* a pointer or a view of global memory, not both */
bool ptog_lint_some_memory(const struct ptog_lint_ctx *ctx);
bool ptog_lint_view_and_buffers(const struct ptog_lint_ctx *ctx);
bool ptog_lint_slot_fits(const struct ptog_lint_ctx *ctx);
bool ptog_lint_local_slots(const struct ptog_lint_ctx *ctx);
bool ptog_lint_flags_fit(const struct ptog_lint_ctx *ctx);
bool ptog_lint_peer_buffer(const struct ptog_lint_ctx *ctx);
bool ptog_lint_one_core(const struct ptog_lint_ctx *ctx); /* the function has no pipes that are set up for the other */

/* The rest is said once of both ends, at the first of them in the text. */
bool ptog_lint_buffer_known(
    const struct ptog_lint_ctx *ctx); /* a reserved or imported one, unless its flags are given */
bool ptog_lint_is_paired(const struct ptog_lint_ctx *ctx);
bool ptog_lint_same_shape(const struct ptog_lint_ctx *ctx);
bool ptog_lint_same_flags(const struct ptog_lint_ctx *ctx);
bool ptog_lint_flags_free(const struct ptog_lint_ctx *ctx);
bool ptog_lint_flags_left(const struct ptog_lint_ctx *ctx);
bool ptog_lint_same_split(const struct ptog_lint_ctx *ctx);
bool ptog_lint_nosplit_true(const struct ptog_lint_ctx *ctx);
bool ptog_lint_same_epilogue(const struct ptog_lint_ctx *ctx);

/* ---- rules_epilogue.c: what acc_push_epilogue requires; true where there is none */

bool ptog_lint_epilogue_known(const struct ptog_lint_ctx *ctx);
bool ptog_lint_epilogue_not_a5(const struct ptog_lint_ctx *ctx);
bool ptog_lint_epilogue_up(const struct ptog_lint_ctx *ctx);      /* its pipe goes from cube to vector */
bool ptog_lint_epilogue_nosplit(const struct ptog_lint_ctx *ctx); /* and says that it does not split */
bool ptog_lint_epilogue_buffer(const struct ptog_lint_ctx *ctx);
bool ptog_lint_epilogue_whole(const struct ptog_lint_ctx *ctx); /* and no push or pop does */
bool ptog_lint_epilogue_tile(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_epilogue_accepts(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_epilogue_gives(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_epilogue_layout(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_epilogue_loc(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry);
bool ptog_lint_epilogue_keeps(const struct ptog_lint_ctx *ctx,
                              struct ptog_lint_operand entry); /* pops: what is pushed */
bool ptog_lint_epilogue_scaled(const struct ptog_lint_ctx *ctx);
/* Whether a pipe with an epilogue has something popped; true also where there is no epilogue, or the cube core pops. */
bool ptog_lint_epilogue_popped(const struct ptog_lint_ctx *ctx);
bool ptog_lint_epilogue_same_pops(const struct ptog_lint_ctx *ctx);
bool ptog_lint_epilogue_slot(const struct ptog_lint_ctx *ctx);
bool ptog_lint_accepts_scale(const struct ptog_lint_ctx *ctx, enum ptog_scale scale);

#endif
