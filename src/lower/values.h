/* lower: what a name stands for. The same values are walked when checking, where numbers may be unknown, and when
 * running, where none is. */
#ifndef PTOG_LOWER_VALUES_H
#define PTOG_LOWER_VALUES_H

#include <ptog/tensor.h>
#include <ptog/tile.h>

#include "asm/tree.h"

enum ptog_value_kind {
    PTOG_VALUE_ANY = 0, /* the result of what is not modelled, or was wrong: fits everywhere, is never run */
    PTOG_VALUE_NUMBER,  /* index, i1 .. i64 */
    PTOG_VALUE_REAL,    /* f16, f32, ... */
    PTOG_VALUE_POINTER,
    PTOG_VALUE_VIEW, /* tensor view, partition view, memref */
    PTOG_VALUE_TILE,
    PTOG_VALUE_MULTI_TILE, /* several tiles in a row; `tile` has the bytes of all */
    PTOG_VALUE_ARRAY,      /* a local array: ops/local_array.c */
    PTOG_VALUE_PLACE,      /* the address of a tile that is yet to come: forward_address.h */
};

/* An integer that may be unknown while checking. */
struct ptog_number {
    int64_t value;
    bool known;
};

/* A place in global memory. */
struct ptog_base {
    uint32_t memory;       /* from 1, of ptog_eval.memories; 0: not known which */
    struct ptog_number at; /* bytes from its start */
};

struct ptog_view_value {
    struct ptog_base base;
    struct ptog_tensor tensor; /* PTOG_DYN: unknown */
    uint32_t rank;             /* 0: elided */
    bool outside_gm;           /* not in global memory */
    bool has_layout;           /* the text gives one; else the strides do */
};

struct ptog_tile_value {
    struct ptog_tile tile; /* rows, cols -1 and dtype NONE: elided, to be inferred */
    uint32_t place;        /* from 1, of ptog_eval.places: has no address of its own */
    uint32_t root;         /* the same, also of a part whose address is known: whose bytes these are */
    uint32_t misaligned;   /* from 1, of ptog_eval.misaligned; 0: it starts at a multiple of 32, as far as is known */
};

/* The counter of a loop, in a slot of its own. */
struct ptog_counter {
    int64_t at, to, step; /* of scf.for */
    int64_t turns;        /* that were begun */
};

struct ptog_local_array; /* ops/local_array.c */

struct ptog_value {
    uint8_t kind;   /* enum ptog_value_kind */
    uint8_t width;  /* of a number, in bits */
    bool odd;       /* an element type that no gather moves: i1, f64 */
    bool open;      /* something of its type is elided */
    uint32_t depth; /* conditional regions around its definition */
    uint32_t slot;  /* from 1, of ptog_eval.slots; 0: defined by the program */
    ptog_symbol name;
    uint64_t version;             /* of a run: values of one version have the same content; 0: not known to be so */
    const struct ptog_type *type; /* as written; NULL: none was */
    struct ptog_span span;        /* the definition */
    union {
        struct ptog_number number;
        struct {
            uint64_t bits;
            enum ptog_dtype dtype;
            bool known;
        } real;
        struct {
            struct ptog_base base;
            enum ptog_dtype dtype;
            bool outside_gm;
        } pointer;
        struct ptog_view_value view;
        struct ptog_tile_value tile;
        struct ptog_local_array *array; /* its elements, in a run; NULL in a check */
        struct ptog_counter counter;    /* of kind PTOG_VALUE_ANY: nothing names it */
    };
};

#endif
