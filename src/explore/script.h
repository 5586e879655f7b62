/* explore: numbers that depend on scalar arguments, as a script in SMT-LIB 2 (QF_BV) for a solver. A value is a number,
 * or a name that the script defines: 64 bits, extended with the sign of its width, as in lower/compute.h. */
#ifndef PTOG_EXPLORE_SCRIPT_H
#define PTOG_EXPLORE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/tree.h"

/* All zero: nothing is known. */
struct ptog_script_value {
    bool is_number;
    int64_t number;
    uint32_t name; /* "v12"; 0: none */
};

struct ptog_script {
    char *text;
    size_t length, room;
    uint32_t names;
    bool guesses; /* some name may be any number, and the program's is one of few */
    bool no_memory;
};

struct ptog_script_value ptog_script_number(int64_t number);

__attribute__((format(printf, 2, 3))) void ptog_script_add(struct ptog_script *script, const char *format, ...);

/* Any number of so many bits. */
struct ptog_script_value ptog_script_any(struct ptog_script *script, unsigned width);

/* What an operation of arith on two integers gives; any number if the script has no words for it. */
struct ptog_script_value ptog_script_apply(struct ptog_script *script, ptog_symbol name, struct ptog_script_value a,
                                           struct ptog_script_value b, unsigned width);

/* arith.cmpi: a value of one bit. */
struct ptog_script_value ptog_script_compare(struct ptog_script *script, int predicate, struct ptog_script_value a,
                                             struct ptog_script_value b, unsigned width);

/* The low bits, with or without their sign, as a value of another width. */
struct ptog_script_value ptog_script_resize(struct ptog_script *script, struct ptog_script_value a, unsigned from,
                                            unsigned to, bool is_unsigned);

/* `a` where the condition is not zero, else `b`. */
struct ptog_script_value ptog_script_select(struct ptog_script *script, struct ptog_script_value condition,
                                            struct ptog_script_value a, struct ptog_script_value b);

/* Requires that a value is zero, or that it is not. */
void ptog_script_require(struct ptog_script *script, struct ptog_script_value value, bool is_zero);

#endif
