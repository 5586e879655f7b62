/* explore: reading a program for repeats.c: what its values depend on. */
#ifndef PTOG_EXPLORE_NATURES_H
#define PTOG_EXPLORE_NATURES_H

#include "asm/words.h"
#include "explore/repeats.h"

/* What a value depends on, the more the later. */
enum ptog_nature {
    PTOG_FIXED,    /* neither on inputs nor on the turn */
    PTOG_PERIODIC, /* on the turn, and comes again after some */
    PTOG_COUNTER,  /* it is the number of the turn, or that and something not negative */
    PTOG_MOVING,   /* it grows evenly from turn to turn */
    PTOG_ON_INPUT, /* on inputs, or in another way */
};

struct ptog_value_facts {
    uint8_t nature;
    bool is_constant;
    bool one_place_each; /* of a view: no two of its elements are the same */
    int64_t number;      /* of a constant */
    ptog_symbol memory;  /* of a pointer or view: the argument */
};

/* How the program accesses an argument. */
struct ptog_memory_use {
    ptog_symbol memory;
    unsigned accesses;
    bool is_written, is_moving; /* by an instruction; at places that move with the turns */
    bool is_simple;             /* all of them: one tstore in the body itself, of a view without doubles */
};

#define MAX_MEMORIES 64

struct ptog_repeat_reader {
    const struct ptog_tree *tree;
    struct ptog_value_facts *values; /* by symbol */
    struct ptog_repeats *repeats;
    struct ptog_memory_use memories[MAX_MEMORIES];
    size_t memory_count;
    int loops, branches; /* around the operation at hand */
    bool in_loop;        /* the one whose turns inputs decide */
    bool failed;
};

struct ptog_value_facts *ptog_facts_of(struct ptog_repeat_reader *reader, ptog_symbol name);

/* The most that these items depend on. */
enum ptog_nature ptog_nature_of_items(struct ptog_repeat_reader *reader, const struct ptog_item *items, uint32_t count);

/* Of all operands, but for those of the clause `except`; 0: none. */
enum ptog_nature ptog_nature_of_operands(struct ptog_repeat_reader *reader, const struct ptog_op *op,
                                         ptog_symbol except);

bool ptog_has_part_items(const struct ptog_part *part);

/* What an operation's results are. */
void ptog_define_facts(struct ptog_repeat_reader *reader, const struct ptog_op *op, struct ptog_value_facts facts);

void ptog_read_constant(struct ptog_repeat_reader *reader, const struct ptog_op *op);
void ptog_read_arithmetic(struct ptog_repeat_reader *reader, const struct ptog_op *op);

/* pto.make_tensor_view, pto.partition_view */
void ptog_read_view(struct ptog_repeat_reader *reader, const struct ptog_op *op);

#endif
