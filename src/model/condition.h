/* model: the conditions that rows of tables have besides form and target: spec/effects.def and spec/target_quirks.def.
 */
#ifndef PTOG_MODEL_CONDITION_H
#define PTOG_MODEL_CONDITION_H

#include "model/insn.h"

enum ptog_condition {
    PTOG_WHEN_ALWAYS,
    PTOG_WHEN_NZ_ZERO,     /* MGATHER from an NZ table under Zero */
    PTOG_WHEN_1X1,         /* MGATHER of one element, where S does that */
    PTOG_WHEN_STATIC_1X1,  /* MSCATTER of one element, known before the run */
    PTOG_WHEN_SENT,        /* tmov, textract, tinsert that write memory of another core */
    PTOG_WHEN_IN_L1,       /* dst lies in L1 */
    PTOG_WHEN_L1_ELEM,     /* MGATHER into L1, element by element */
    PTOG_WHEN_ADDS,        /* MSCATTER with an atomic operation */
    PTOG_WHEN_FLOAT,       /* dst is of a floating-point type ... */
    PTOG_WHEN_HALF,        /* ... f16 */
    PTOG_WHEN_F32,         /* ... f32 */
    PTOG_WHEN_WHOLE,       /* dst is of an integer type ... */
    PTOG_WHEN_SHORT_INT,   /* ... of 2 or 4 bytes */
    PTOG_WHEN_LONG_INT,    /* ... of 8 bytes */
    PTOG_WHEN_U64,         /* ... u64 */
    PTOG_WHEN_INVERSE,     /* dst is of a floating-point type, and a scalar is divided by a tile */
    PTOG_WHEN_PRECISE,     /* dst is of f32, and the exact remainder is wanted */
    PTOG_WHEN_IN_PLACE,    /* dst is of a floating-point type, and the first source is dst */
    PTOG_WHEN_FIRST,       /* the source in question is the first one ... */
    PTOG_WHEN_FIRST_WHOLE, /* ... and dst is of an integer type */
    PTOG_WHEN_HALF_TO_I16, /* tcvt without saturation between these types */
    PTOG_WHEN_HALF_TO_I8,
    PTOG_WHEN_FLOAT_TO_I16,
    PTOG_WHEN_HAS_TMP,      /* a tmp is given */
    PTOG_WHEN_SPREAD,       /* the source in question is the small one of a broadcast */
    PTOG_WHEN_UPRIGHT,      /* the small source of a broadcast is a column-major column */
    PTOG_WHEN_FILLS_BLOCKS, /* trowexpand of a whole column to a block per row, known before the run */
    PTOG_WHEN_SMALLER,      /* the source in question has a smaller valid region than dst */
    PTOG_WHEN_ONE_ELEMENT,  /* textract, tinsert: one element moves, and that is known before the run */
    PTOG_WHEN_BYTE_PADS,    /* tfillpad of 1-byte elements, and dst has another pad than its source */
    PTOG_WHEN_BLOCKS,       /* ttrans: the rows of dst are whole steps of the vector unit */
    PTOG_WHEN_SPLIT_BLOCK,  /* tconcat: the second source starts in the middle of a 32-byte block */
    PTOG_WHEN_BINARY,       /* tcolsum with isBinary */
    PTOG_WHEN_LONG_ROW,     /* a row of the source has more than 256 bytes */
    PTOG_WHEN_IN_ROWS,      /* trowargmax, trowargmin with val: dst or val has more than one column */
    PTOG_WHEN_EXHAUSTED,    /* tmrgsort of lists that ends when one is used up */
    PTOG_WHEN_KEEPS_ALL,    /* tscatter by the pattern P1111: a copy */
    PTOG_WHEN_MOVES_ROWS,   /* tscatter by mask along columns: rows stay whole */
    PTOG_WHEN_FOUR_SHAPES,  /* f32 rows of 64x128, 32x256, 16x512 or 8x1024 into a column, all known before the run */
};

/* An instruction on a target, as the conditions see it. */
struct ptog_rule_context {
    const struct ptog_target *target;
    const struct ptog_insn *insn;    /* resolved */
    const struct ptog_insn *written; /* before a run resolved it */
    bool in_place;                   /* the first source lies where dst does */
    int source;                      /* the source in question; 0: the instruction as a whole is */
    bool open;                       /* an extent was left to the run */
};

bool ptog_condition_holds(enum ptog_condition condition, const struct ptog_rule_context *c);

#endif
