/* lint: what the cube core does to a tile on its way to the vector core: `#pto.acc_push_epilogue<layout = nz2nd,
 * quant = deqf16_vec, relu = no_relu>`, which both ends of a pipe say alike. */
#ifndef PTOG_LINT_FIFO_QUANT_H
#define PTOG_LINT_FIFO_QUANT_H

#include <stdbool.h>

#include "asm/tree.h"

enum ptog_scale { PTOG_SCALE_NONE, PTOG_SCALE_SCALAR, PTOG_SCALE_VECTOR };

/* A row of spec/epilogues.def. */
struct ptog_quant {
    const char *word, *sources, *results;
    enum ptog_scale scale;
    bool a5;
};

enum ptog_epilogue_layout { PTOG_NZ2ND, PTOG_NZ2DN, PTOG_NZ2NZ, PTOG_NO_LAYOUT };
enum ptog_epilogue_relu { PTOG_RELU_NONE, PTOG_RELU_NORMAL, PTOG_NO_RELU };

struct ptog_epilogue {
    const struct ptog_item *item; /* NULL: there is none */
    enum ptog_epilogue_layout layout;
    enum ptog_epilogue_relu relu;
    const struct ptog_quant *quant; /* NULL: its word is none of the table */
};

/* Reads the value of the attribute, which may be NULL. */
struct ptog_epilogue ptog_epilogue_of(const struct ptog_tree *tree, const struct ptog_item *item);

/* It has a layout, a quant and a relu, each one that exists. */
bool ptog_epilogue_is_whole(const struct ptog_epilogue *epilogue);
bool ptog_epilogues_agree(const struct ptog_epilogue *a, const struct ptog_epilogue *b);

#endif
