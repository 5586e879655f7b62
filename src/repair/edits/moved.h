/* repair: which statement of the text an added flag or barrier was moved from. */
#ifndef PTOG_REPAIR_EDITS_MOVED_H
#define PTOG_REPAIR_EDITS_MOVED_H

#include "asm/tree.h"
#include "interp/added.h"
#include "lower/program.h"

/* The statement that number i of what is added before or after `to` was moved from; NULL: it is new. */
const struct ptog_op *ptog_moved_from(const struct ptog_tree *tree, const struct ptog_added *added,
                                      const struct ptog_op *to, bool after, uint32_t i);

/* What a statement has behind it on its line, and takes along when it is moved: its loc(...), and the comment at the end
 * of the line, with the blanks before each. Returns the length; 0: there is nothing, or more than anybody writes. */
#define PTOG_LONGEST_TAIL 1024
size_t ptog_statement_tail(const struct ptog_program *program, const struct ptog_op *op, char tail[PTOG_LONGEST_TAIL]);

#endif
