/* asm: text in, text out. What other modules include.
 *
 *   struct ptog_source source;  struct ptog_tree tree;  struct ptog_diag_list diags = {0};
 *   ptog_source_open(&source, "k.pto", bytes, size);
 *   ptog_parse(&tree, &source, &diags);                       walk tree.root, see asm/tree.h and asm/words.h
 *   ptog_print(&tree, PTOG_TEXT_DPS, &sink, &diags);
 *   ptog_tree_free(&tree);  ptog_diag_list_free(&diags);  ptog_source_close(&source); */
#ifndef PTOG_ASM_ASM_H
#define PTOG_ASM_ASM_H

#include <ptog/report.h>

#include "asm/text_ids.h"
#include "asm/tree.h"
#include "asm/words.h"
#include "base/source.h"

/* Reads a program in any form, or in several. Diagnostics are added to `diags`. PTOG_OK (there may be warnings);
 * PTOG_ILLEGAL: there are errors, the tree holds the statements without; PTOG_NO_MEMORY. Free the tree in any case. */
enum ptog_status ptog_parse(struct ptog_tree *tree, const struct ptog_source *source, struct ptog_diag_list *diags);

enum ptog_text_form {
    PTOG_TEXT_WRITTEN = 0, /* each operation and type in the form it was written in */
    PTOG_TEXT_DPS,         /* levels 2 and 3: ins and outs, short tile_buf types, defaults omitted */
    PTOG_TEXT_SSA,         /* level 1 */
    PTOG_TEXT_AS,          /* PTO-AS */
};

/* Writes the program: one statement per line, two spaces per region; comments where they stood, those inside a
 * statement on lines of their own before it; of several empty lines one. The sink is called only when all of it can be
 * written. PTOG_OK; PTOG_ILLEGAL: the form cannot say it, and `diags` has the statements and reasons; PTOG_NO_MEMORY.
 * Unknown operations are written as they were read.
 *
 * Destinations: PTO-AS writes them first among the operands. So does SSA, but where one can be a result: at the top
 * level that is a free name; in a function, a tile whose `pto.alloc_tile` (without operands) stands right before the
 * statement. That allocation goes away then, and DPS puts it back. No statement changes its place. */
enum ptog_status ptog_print(const struct ptog_tree *tree, enum ptog_text_form form, const struct ptog_sink *sink,
                            struct ptog_diag_list *diags);

/* The same with what is not in the tree. */
struct ptog_additions {
    void *user;
    /* Line i, from 0, before an operation; NULL: there is none. It may be overwritten by the next call. */
    const char *(*line)(void *user, const struct ptog_op *op, uint32_t i);
    /* The address of tile number `which`, from 0, that an operation makes; false: it has none to be written. */
    bool (*address)(void *user, const struct ptog_op *op, uint32_t which, uint64_t *addr);
    /* The dictionary of an operation that has none of its own; NULL: there is none to be written. */
    const char *(*attrs)(void *user, const struct ptog_op *op);
};
enum ptog_status ptog_print_with(const struct ptog_tree *tree, enum ptog_text_form form,
                                 const struct ptog_additions *additions, const struct ptog_sink *sink,
                                 struct ptog_diag_list *diags);

/* Spans never count. PTOG_EQUAL_WRITTEN: the same text but for space. PTOG_EQUAL_MEANING: the form an operation was
 * written in, the spelling of types and attributes, the order of keys, and the mark of a comment do not count. */
enum ptog_equality { PTOG_EQUAL_WRITTEN = 0, PTOG_EQUAL_MEANING };
bool ptog_tree_equal(const struct ptog_tree *a, const struct ptog_tree *b, enum ptog_equality equality);
bool ptog_type_equal(const struct ptog_tree *a, const struct ptog_type *x, const struct ptog_tree *b,
                     const struct ptog_type *y, enum ptog_equality equality);

#endif
