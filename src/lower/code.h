/* lower: code, which a function is run from. The walk that checks a function writes one list of records for it, in the
 * order of the text; src/interp goes through them with a counter. Regions are spelled out with jumps:
 *
 *   scf.for        FOR  body  FOR_NEXT -> body  FOR_END
 *   scf.if         IF -> else  then  ELSE -> end  else  IF_END
 *   scf.while      WHILE  test  WHILE_TEST -> end  body  WHILE_NEXT -> test  WHILE_END
 *
 * A value has a slot: its number in the frame of its function, from 1, which the lowering has chosen. */
#ifndef PTOG_LOWER_CODE_H
#define PTOG_LOWER_CODE_H

#include <ptog/fifo.h>

#include "asm/tree.h"
#include "base/arena.h"
#include "lower/values.h"

enum ptog_code_kind {
    PTOG_CODE_NOTHING = 0, /* what a run passes over */
    PTOG_CODE_ANY,         /* defines results of which nothing is known */
    PTOG_CODE_FREE,        /* a free name of bare statements gets the value that it has from outside */
    PTOG_CODE_ENTER,  /* a section begins; another core goes on at `target` */
    PTOG_CODE_LEAVE,  /* ... and ends: its values go out of scope */
    PTOG_CODE_FOR,    /* args: from, to, step, initial values; to `target` when there is no turn */
    PTOG_CODE_FOR_NEXT,
    PTOG_CODE_FOR_END,
    PTOG_CODE_IF, /* args: the condition; to `target` when it is false */
    PTOG_CODE_ELSE,
    PTOG_CODE_IF_END,
    PTOG_CODE_WHILE, /* args: initial values */
    PTOG_CODE_WHILE_TEST,
    PTOG_CODE_WHILE_NEXT,
    PTOG_CODE_WHILE_END,
    PTOG_CODE_YIELD,     /* args: what a region hands out */
    PTOG_CODE_RETURN,    /* args: what the function returns */
    PTOG_CODE_CONDITION, /* args: the condition, then what the test hands out */
    PTOG_CODE_CALL,      /* args: what is passed */
    PTOG_CODE_SYNC, /* a flag, a barrier, or of the data cache; args: the event id, where it is computed; a pointer */
    PTOG_CODE_INSN, /* a tile instruction */
    PTOG_CODE_CONSTANT, /* scalars, from here to BITCAST: a number of the text */
    PTOG_CODE_BLOCK_NUMBER,
    PTOG_CODE_INTEGERS, /* args: two integers */
    PTOG_CODE_COMPARE,
    PTOG_CODE_REALS, /* args: two floating-point numbers */
    PTOG_CODE_COMPARE_REALS,
    PTOG_CODE_SELECT, /* args: the condition, two values */
    PTOG_CODE_RESIZE, /* args: one integer, which gets another width */
    PTOG_CODE_TO_INTEGER,
    PTOG_CODE_TO_REAL,
    PTOG_CODE_BITCAST,
    PTOG_CODE_LOAD,      /* args: a pointer or view, an offset if there is one */
    PTOG_CODE_STORE,     /* args: the number, then as LOAD */
    PTOG_CODE_GET_VALUE, /* args: a tile, the element */
    PTOG_CODE_LABEL,     /* the arguments of a block */
    PTOG_CODE_AFFINE,    /* from here to PRINT, what the text fixes is in ptog_made_code; args: the names of the map */
    PTOG_CODE_VIEW,      /* args: a pointer, the shape, the strides */
    PTOG_CODE_PARTITION, /* args: a view, the offsets, the sizes */
    PTOG_CODE_POINTER,   /* args: a pointer, the offset */
    PTOG_CODE_VIEW_EXTENT,  /* args: a view, the dimension */
    PTOG_CODE_VALID_SHAPE,  /* args: a tile */
    PTOG_CODE_TILE,         /* args: the numbers of its clauses */
    PTOG_CODE_TILES,        /* the same, of several tiles */
    PTOG_CODE_TILE_OF,      /* args: several tiles, the number of one */
    PTOG_CODE_SET_VALID,    /* args: a tile, its valid rows, its valid columns */
    PTOG_CODE_ASSIGN,       /* args: a tile, its address */
    PTOG_CODE_ADDRESS,      /* args: the address of a tile that is yet to come */
    PTOG_CODE_SUBVIEW,      /* args: a tile, two offsets, two sizes, two valid extents where they are written */
    PTOG_CODE_RESHAPE,      /* args: a tile */
    PTOG_CODE_ARRAY,        /* declares an array */
    PTOG_CODE_GET_ELEMENT,  /* args: an array, its indices */
    PTOG_CODE_SET_ELEMENT,  /* args: the number, an array, its indices */
    PTOG_CODE_PRINT,        /* args: a tile */
    PTOG_CODE_TO_ADDRESS,   /* args: a pointer */
    PTOG_CODE_FROM_ADDRESS, /* args: an address */
    PTOG_CODE_SIGNAL,       /* args: a view, a number */
    PTOG_CODE_COPY,         /* args: a view, the view that it gets, a tile */
    PTOG_CODE_SUM,          /* args: a view, a tile, a tile, the views that it gets the sum of, the first one first */
    PTOG_CODE_FIFO,         /* of a FIFO between the cores; args: as struct ptog_fifo_code says */
    PTOG_CODE_STOP,         /* what cannot be run */
};

struct ptog_text_insn;
struct ptog_affine_map;

/* What a record reads: a slot, or a number that the text fixes. */
struct ptog_code_arg {
    uint32_t slot; /* from 1, in the frame; 0: the number */
    int64_t number;
};

/* A flag or a barrier. */
enum ptog_sync_kind {
    PTOG_SYNC_NOTHING = 0,
    PTOG_SYNC_SET_FLAG,
    PTOG_SYNC_WAIT_FLAG,
    PTOG_SYNC_BARRIER,
    PTOG_SYNC_BARRIER_AND_DSB, /* a barrier on all pipes, and dsb */
    PTOG_SYNC_DCCI,            /* of all lines, or of the line that args[0] points to */
    PTOG_SYNC_CROSS_SET,       /* of a counter of other cores */
    PTOG_SYNC_CROSS_WAIT,
    PTOG_SYNC_INTRA_SET,       /* of a flag of one core of the block */
    PTOG_SYNC_INTRA_WAIT,
    PTOG_SYNC_ALL,             /* until all cores have come here */
};
struct ptog_sync_code {
    uint8_t kind;     /* enum ptog_sync_kind */
    uint8_t from, to; /* enum ptog_pipe; of a barrier `from` */
    int8_t id;           /* of a barrier of all cores: enum ptog_all */
    uint8_t mode;        /* of a set for other cores */
    bool computed;       /* the run alone knows the id */
    struct ptog_span at; /* where the text has it */
};

/* A scalar operation: what is known of its operands and of its result. */
struct ptog_scalar_code {
    const struct ptog_type *type; /* of the result */
    uint64_t bits;                /* of a constant */
    uint8_t from_width, width;    /* bits of the operands and of the result, where they are integers */
    uint8_t dtype;                /* enum ptog_dtype: of a result that is a floating-point number */
    uint8_t predicate;            /* of a comparison; of GET_VALUE enum ptog_dtype: the type that is asked for */
    bool is_real;                 /* the result is a floating-point number */
};

/* The clauses of an operation that makes tiles. */
enum ptog_tile_clause { PTOG_CLAUSE_VALID_ROW, PTOG_CLAUSE_VALID_COL, PTOG_CLAUSE_ADDR, PTOG_TILE_CLAUSES };

/* An operation that makes or changes a view, a pointer, a tile or an array: what the text fixes of it. Numbers that a
 * run may change are arguments of the record. */
struct ptog_made_code {
    const struct ptog_type_use *use;   /* the type of the result; NULL: none is written */
    const struct ptog_affine_map *map; /* of affine.apply */
    struct ptog_value value;           /* the result, as far as its type says what it is */
    ptog_symbol name;                  /* of the tile or array that messages name */
    uint32_t rank;                     /* dimensions of a view; elements of an array that is declared */
    int layout;                        /* of make_tensor_view: enum ptog_layout; -1: the strides say it */
    bool has[PTOG_TILE_CLAUSES];       /* the clauses that are written; of a subview, the first: its valid extents */
    bool is_stride;                    /* of VIEW_EXTENT: a stride, else an extent */
    struct ptog_span spans[PTOG_TILE_CLAUSES]; /* what messages point at, by clause or argument */
};

/* A message between devices: a signal that is given, waited for or looked at, or a copy. */
enum ptog_comm_kind { PTOG_COMM_NOTIFY, PTOG_COMM_WAIT, PTOG_COMM_TEST, PTOG_COMM_COPY, PTOG_COMM_SUM };
enum ptog_comm_part { PTOG_PART_OF_NONE, PTOG_PART_OF_DST, PTOG_PART_OF_SRC };
struct ptog_comm_code {
    uint8_t kind;   /* enum ptog_comm_kind */
    uint8_t how;    /* NOTIFY: 1 adds; WAIT and TEST: enum ptog_cmp; COPY: enum ptog_atomic; SUM: enum ptog_opcode */
    uint8_t within; /* enum ptog_comm_part: of COPY, what has the rows of several */
    uint32_t rank;  /* of them, whose rows these are */
    const struct ptog_item *names[3]; /* of the arguments, for messages */
};

/* An operation of a FIFO between the cores: what the text fixes of it. */
enum ptog_fifo_step {
    PTOG_FIFO_OPEN,    /* args: global memory and the two buffers, those that are there */
    PTOG_FIFO_PUSH,    /* args: a tile, or the entry that was allocated */
    PTOG_FIFO_ALLOC,   /* gives a view of a slot */
    PTOG_FIFO_POP,     /* gives a tile, or a view of a slot; args: valid extents, where they are written */
    PTOG_FIFO_FREE,
    PTOG_FIFO_SCALE,   /* args: the number or the tile that what is pushed from now on is multiplied with */
    PTOG_FIFO_RESERVE, /* gives the address of a buffer */
    PTOG_FIFO_IMPORT,  /* gives the address of a buffer of the other core */
};
struct ptog_fifo_code {
    uint8_t step;              /* enum ptog_fifo_step */
    uint8_t split;             /* enum ptog_split */
    bool has_memory, has_from_cube, has_from_vector; /* of OPEN: arguments */
    bool is_whole;             /* no tile of it is split */
    struct ptog_fifo_options fifo; /* its name lives as long as the program */
    struct ptog_value value;   /* what it gives, as far as its type says; of RESERVE a tile of the whole buffer */
    struct ptog_number base;   /* of IMPORT: known if the text has it */
    struct ptog_span at;
};

/* Which cores of a block carry a record out, where a kernel is for both. */
enum ptog_side { PTOG_SIDE_ANY = 0, PTOG_SIDE_CUBE = 1, PTOG_SIDE_VECTOR = 2 };

struct ptog_code {
    uint8_t kind;      /* enum ptog_code_kind */
    uint8_t on;        /* of enum ptog_side: the cores that carry it out; 0: all */
    bool begins, ends; /* the first and the last record of its operation */
    uint32_t scope;    /* slots of the frame up to here outlive the region */
    uint32_t target;   /* the record that a jump goes to */
    uint32_t arg_count;
    const struct ptog_code_arg *args;
    const struct ptog_op *op;
    union {
        struct {
            const struct ptog_region *region; /* whose arguments are defined */
            const struct ptog_type *type;     /* of a counter */
            uint32_t results;
        } flow;
        struct ptog_sync_code sync;
        struct ptog_scalar_code scalar;
        const struct ptog_made_code *made;
        const struct ptog_comm_code *comm;
        const struct ptog_fifo_code *fifo;
        const struct ptog_text_insn *insn; /* up to its member `insn`: lower/insn/text_insn.h */
        uint32_t callee;                   /* number of the function */
        uint32_t free_value;               /* PTOG_CODE_FREE: number of what comes from outside, from 1 */
    };
};

/* The code of one function. */
struct ptog_code_list {
    struct ptog_code *of;
    uint32_t count;
    size_t room;
    struct ptog_arena arena; /* of the arguments */
};

/* Appends a record, all zero but for its kind and operation; NULL when out of memory. It moves when another is
 * appended. */
struct ptog_code *ptog_code_add(struct ptog_code_list *list, enum ptog_code_kind kind, const struct ptog_op *op);

/* Gives a record room for that many arguments; NULL when out of memory. */
struct ptog_code_arg *ptog_code_args(struct ptog_code_list *list, struct ptog_code *code, uint32_t count);

/* Forgets all records, or frees them. */
void ptog_code_clear(struct ptog_code_list *list);
void ptog_code_free(struct ptog_code_list *list);

#endif
