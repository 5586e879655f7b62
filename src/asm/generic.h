/* asm: the generic form of the operations that other forms write with ins and outs: which operand is which. */
#ifndef PTOG_ASM_GENERIC_H
#define PTOG_ASM_GENERIC_H

#include "asm/words.h"

#define PTOG_MAX_GENERIC 8 /* operands that a row of spec/names.def lists */

/* Where an operand of the generic form stands at level 2. */
struct ptog_generic_place {
    bool out;         /* in outs, else in ins */
    uint32_t at;      /* its number there */
    ptog_symbol lead; /* the word before it; 0: none */
};

enum ptog_generic_order {
    PTOG_GENERIC_LAST,   /* the destinations are the last operands */
    PTOG_GENERIC_LISTED, /* as the places say */
    PTOG_GENERIC_UNREAD, /* nothing says which operand is which, or one has no place in ins and outs */
    PTOG_GENERIC_WRONG,  /* operandSegmentSizes is no list of sizes of so many operands */
};

/* `sizes` is the value of operandSegmentSizes, or NULL. */
enum ptog_generic_order ptog_generic_order(const struct ptog_tree *tree, ptog_symbol op, const struct ptog_item *sizes,
                                           uint32_t operands, struct ptog_generic_place places[PTOG_MAX_GENERIC]);

#endif
