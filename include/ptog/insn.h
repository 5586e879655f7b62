/* The instructions, as every front door describes them and everything downstream reads them: verify, plan, core.
 *
 * There is one description for all of them, struct ptog_insn: an opcode, operands, attributes. The three instructions
 * that came first also have a struct of their own each, with a name for every operand, which is the pleasant way to
 * write them in C: struct ptog_mgather, struct ptog_tgather and struct ptog_transfer. Every call that takes one of them
 * does what the call for struct ptog_insn does.
 *
 * Zero is the default of every field; an operand whose dtype is PTOG_DTYPE_NONE is absent. Descriptions are copied
 * where they are kept: they may be changed or forgotten after the call. */
#ifndef PTOG_INSN_H
#define PTOG_INSN_H

#include <stddef.h>

#include <ptog/opcode.h>
#include <ptog/tensor.h>
#include <ptog/tile.h>

/* Attributes. The numbers of these enums are those of the PTO headers.
 *   coalesce   MGATHER: what an index stands for, a row of the table or a single element
 *   oob        MGATHER: what becomes of an index that is not below the capacity; see struct ptog_mgather
 *   axis       TGATHER by mask: along rows or columns
 *   cmp        TGATHER by comparison: which elements are found
 * MSCATTER has the same modes, and policies of its own: see below. */
enum ptog_coalesce { PTOG_ROW = 0, PTOG_ELEM = 1 };
enum ptog_oob { PTOG_OOB_UNDEFINED = 0, PTOG_OOB_CLAMP = 1, PTOG_OOB_WRAP = 2, PTOG_OOB_ZERO = 3 };
enum ptog_axis { PTOG_AXIS_ROW = 0, PTOG_AXIS_COL = 1 };
enum ptog_cmp { PTOG_CMP_EQ = 0, PTOG_CMP_NE = 1, PTOG_CMP_LT = 2, PTOG_CMP_LE = 3, PTOG_CMP_GT = 4, PTOG_CMP_GE = 5 };
/* Mask patterns, read right to left: P0001 keeps positions 0, 4, 8, ... */
enum ptog_pattern {
    PTOG_P0101 = 1, /* 0, 2, 4, ... */
    PTOG_P1010 = 2, /* 1, 3, 5, ... */
    PTOG_P0001 = 3, /* 0, 4, 8, ... */
    PTOG_P0010 = 4, /* 1, 5, 9, ... */
    PTOG_P0100 = 5, /* 2, 6, 10, ... */
    PTOG_P1000 = 6, /* 3, 7, 11, ... */
    PTOG_P1111 = 7, /* all */
};

/* How tcvt rounds: to even, ties away from zero, down, up, towards zero, to the odd neighbour. NONE is TRUNC where a
 * float becomes an integer and RINT elsewhere; CAST_RINT is RINT. */
enum ptog_round {
    PTOG_ROUND_NONE = 0,      /* depends on the types: see above */
    PTOG_ROUND_RINT = 1,      /* to the nearest, ties to even */
    PTOG_ROUND_AWAY = 2,      /* to the nearest, ties away from zero */
    PTOG_ROUND_FLOOR = 3,     /* down */
    PTOG_ROUND_CEIL = 4,      /* up */
    PTOG_ROUND_TRUNC = 5,     /* towards zero */
    PTOG_ROUND_ODD = 6,       /* to the neighbour whose last bit is 1, where it is not exact */
    PTOG_ROUND_CAST_RINT = 7, /* RINT */
};
/* What tcvt does with numbers that are too large: clamp, or keep the low bits of an integer. */
enum ptog_saturation { PTOG_SATURATION_ON = 0, PTOG_SATURATION_OFF = 1 };
/* What tstore does with what lies in memory: it is replaced, or the elements are added to it. Two adds never race, in
 * any order, on any core. */
enum ptog_atomic { PTOG_ATOMIC_NONE = 0, PTOG_ATOMIC_ADD = 1 };

/* MSCATTER: a tile to global memory, through an index tile: the inverse of MGATHER.
 *   Row:  table[map(idx[r]), j] op= src[r,j]       Elem:  flat(table)[map(idx[r,c])] op= src[r,c]
 * `op` is a plain store, or an atomic operation.
 *
 * It has no struct of its own: start a struct ptog_insn with PTOG_MSCATTER, whose operands are the source tile, the
 * view of the table and the index tile, and set the attributes below. What a target accepts and computes, capacity and
 * addresses, is as for MGATHER with the source in the place of dst; cpu scatters as cpusim does, a5-custom as a5.
 *
 * What becomes of an index that is not below the capacity: */
enum ptog_scatter_oob {
    PTOG_SCATTER_OOB_UNDEFINED = 0, /* it is used as it is */
    PTOG_SCATTER_OOB_SKIP = 1,      /* its lane writes nothing */
    PTOG_SCATTER_OOB_CLAMP = 2,     /* capacity - 1 */
    PTOG_SCATTER_OOB_WRAP = 3,      /* modulo the capacity */
};
/* MSCATTER: how an element meets what memory holds. */
enum ptog_scatter_atomic {
    PTOG_SCATTER_NONE = 0, /* it replaces it */
    PTOG_SCATTER_ADD = 1,  /* it is added to it */
    PTOG_SCATTER_MAX = 2,  /* the larger one stays */
    PTOG_SCATTER_MIN = 3,  /* the smaller one stays */
};
/* MSCATTER without an atomic operation: which of several lanes with one index wins. */
enum ptog_scatter_conflict {
    PTOG_CONFLICT_LAST = 0,    /* the last one in row-major order */
    PTOG_CONFLICT_DEFAULT = 1, /* on A5 any of them, which a run reports: scatter-conflict; elsewhere the last one */
};

/* MGATHER: global memory to a tile, through an index tile.
 *   Row:  dst[r,j] = table[map(idx[r]), j]         Elem:  dst[r,c] = flat(table)[map(idx[r,c])]
 * map(i) is i (Undefined), min(i, capacity-1) (Clamp), i mod capacity (Wrap), or i with zeros for i >= capacity (Zero).
 *
 * A gather into L1, on a cube core, has its indices in global memory. It has no struct: start a struct ptog_insn with
 * PTOG_MGATHER, whose operands are dst (an NZ tile, loc PTOG_MAT), the table, no index tile, the view of the indices, and
 * for Elem a view of scratch memory with room for all of dst; set the attributes below. In struct ptog_run, the indices
 * are idx and the scratch memory is tmp. */
struct ptog_mgather {
    /* Where the rows or elements go. Of a row, as many columns as dst has are read. */
    struct ptog_tile dst;
    /* What the indices point into. Its capacity is its number of rows (Row) or of elements (Elem), as the target counts
     * them: ptog/target.h. */
    struct ptog_tensor table;
    /* Row: one index for each row of dst. Elem: one for each element. */
    struct ptog_tile idx;
    enum ptog_coalesce coalesce; /* where the target leaves the choice: see ptog_mgather_mode */
    enum ptog_oob oob;           /* where the target has policies: a2a3, a5, host */
    uint64_t reserved[4];
};

/* Which of the three things TGATHER is; the operands of the others are absent. */
enum ptog_tgather_form {
    PTOG_BY_INDEX = 0,   /* dst[i,j] = flat(src)[idx[i,j]]:  dst, src, idx, optional tmp */
    PTOG_BY_MASK = 1,    /* the elements of src that `pattern` keeps, one after another:  dst, src */
    PTOG_BY_COMPARE = 2, /* per row, the positions j with src[i,j] cmp k[i], and their count:  dst, cdst, src, k */
};

/* TGATHER: tile to tile, inside the on-chip buffer. No policy guards its indices: one that points outside its source
 * reads what lies there, and is a fault (ub-outside-tile). */
struct ptog_tgather {
    enum ptog_tgather_form form;
    struct ptog_tile dst;      /* the elements, or the positions that were found */
    struct ptog_tile src;      /* what is looked at */
    struct ptog_tile idx;      /* by index: one for each element of dst, counted in elements from the start of src */
    struct ptog_tile tmp;      /* scratch that by index needs on a2a3 */
    struct ptog_tile k;        /* one value per row, or a single one for all rows */
    struct ptog_tile cdst;     /* one count per row */
    enum ptog_pattern pattern; /* by mask */
    enum ptog_axis axis;       /* by mask */
    enum ptog_cmp cmp;         /* by comparison */
    int32_t offset;            /* added to each position that BY_COMPARE stores */
    uint64_t reserved[4];
};

/* TLOAD and TSTORE: a view's elements to the valid region of a tile, or back. TLOAD fills the rest of the padded tile
 * as tile.pad says. Only a device has transfers: for a plan there is nothing to compute. */
struct ptog_transfer {
    struct ptog_tile tile;
    struct ptog_tensor view; /* in global memory; which buffer, and where in it, is said with the call */
    bool store;              /* TSTORE; else TLOAD. ptog_core_load and ptog_core_store do not look at it */
    enum ptog_atomic atomic; /* of TSTORE */
    uint64_t reserved[4];
};

/* ---- the one description ---- */

/* The ways in which instructions are done: PTOG_FORM_ROW, PTOG_FORM_ELEM, ... Which one an instruction has may depend
 * on the target: see ptog_insn_form in ptog/target.h. */
enum ptog_form {
#include <ptog/spec/hide_macros.def>
#define FORM(NAME, ...) PTOG_FORM_##NAME,
#include <ptog/spec/forms.def>
#include <ptog/spec/show_macros.def>
    PTOG_FORMS /* how many there are; as a form, none */
};

/* "mgather row", "tgather by mask", ...; "?" for another number. */
PTOG_API const char *ptog_form_name(enum ptog_form form);

/* "mgather", as the text forms call it after `pto.`; "?" for a number that is no opcode. */
PTOG_API const char *ptog_opcode_name(enum ptog_opcode opcode);

/* By that name, with or without `pto.`; PTOG_NO_INSN when there is none. */
PTOG_API enum ptog_opcode ptog_opcode_find(const char *name);

/* What an operand is. */
enum ptog_operand_kind {
    PTOG_IS_ABSENT = 0, /* left out: legal where the row says so */
    PTOG_IS_TILE = 1,   /* `tile` */
    PTOG_IS_VIEW = 2,   /* global memory: a device's buffer, and where in it the view starts */
    PTOG_IS_SCALAR = 3, /* `bits`; `tile` is a single element of its type, without an address */
};

/* One operand: a tile in UB, a view of global memory, or a number. */
struct ptog_operand {
    enum ptog_operand_kind kind;
    int32_t buffer;  /* of a view: the handle of ptog_device_buffer; plans do not look at it */
    uint64_t offset; /* of a view, in bytes */
    uint64_t bits;   /* of a scalar */
    uint64_t reserved;
    union {
        struct ptog_tile tile;
        struct ptog_tensor view;
    };
};

/* How many operands and attributes an instruction can have. */
#define PTOG_MAX_OPERANDS 8
#define PTOG_MAX_ATTRS 8

/* Any instruction. Every front door makes one of these, and everything downstream takes it: operands in the order of
 * their row in ptog/spec/insns.def, attributes as the enum of the instruction says. What lies behind `count` operands
 * is not looked at. */
struct ptog_insn {
    enum ptog_opcode opcode;       /* set by ptog_insn_start, with `count` */
    int32_t count;                 /* operands of the row, those that are absent included */
    int32_t attr[PTOG_MAX_ATTRS]; /* zero where an instruction has none */
    uint64_t reserved[4];
    struct ptog_operand of[PTOG_MAX_OPERANDS];
};

/* The attributes, by their place in ptog_insn.attr. Instructions that are not named here have none. */
enum { PTOG_MGATHER_COALESCE = 0, PTOG_MGATHER_OOB = 1 }; /* enum ptog_coalesce, enum ptog_oob */
enum {
    PTOG_MSCATTER_COALESCE = 0, /* enum ptog_coalesce */
    PTOG_MSCATTER_OOB = 1,      /* enum ptog_scatter_oob */
    PTOG_MSCATTER_ATOMIC = 2,   /* enum ptog_scatter_atomic */
    PTOG_MSCATTER_CONFLICT = 3, /* enum ptog_scatter_conflict */
};
enum {
    PTOG_TSCATTER_BY = 0,      /* enum ptog_tgather_form: PTOG_BY_INDEX or PTOG_BY_MASK */
    PTOG_TSCATTER_PATTERN = 1, /* enum ptog_pattern */
    PTOG_TSCATTER_AXIS = 2,    /* enum ptog_axis */
};
enum { PTOG_TMRGSORT_EXHAUSTED = 0 };                   /* 1: of lists, the merge ends when one is used up */
enum { PTOG_THISTOGRAM_BYTE = 0 };                      /* the byte that is counted, from the lowest on */
/* TFMOD, TFMODS, TREM, TREMS: 0 or 1. With 1, a5 gives the exact remainder of f32, and not what a quotient that was
 * rounded leaves. */
enum { PTOG_REMAINDER_PRECISE = 0 };
enum { PTOG_TCI_DESCENDING = 0 };                       /* 0 or 1 */
enum { PTOG_TTRI_UPPER = 0 };                           /* 0: ones on and below the diagonal, 1: on and above */
enum { PTOG_TCMP_MODE = 0 };                            /* enum ptog_cmp, of tcmp and tcmps */
enum { PTOG_TCOLSUM_BINARY = 0 };                       /* 1: in pairs, which takes a tmp; 0: not */
/* What a store does on the way: of any tile it may add to what memory holds; of an accumulator it may drop negative
 * elements before they are converted to the type of the view. */
enum {
    PTOG_TSTORE_ATOMIC = 0, /* enum ptog_atomic */
    PTOG_TSTORE_RELU = 1,   /* of an accumulator: 1: negative elements are stored as 0 */
    PTOG_TSTORE_PHASE = 2,  /* of an accumulator: enum ptog_unit_phase */
};
/* Products with a phase and stores with a phase of one accumulator wait for each other without flags: a chain of
 * products ends with PTOG_PHASE_FINAL, and the store of it has that, too. */
enum { PTOG_PRODUCT_PHASE = 0 }; /* of tmatmul, tgemv and their forms with .acc and .bias: enum ptog_unit_phase */
enum ptog_unit_phase { PTOG_PHASE_NONE = 0, PTOG_PHASE_PARTIAL = 2, PTOG_PHASE_FINAL = 3 };
enum {
    PTOG_MOVE_RELU = 0, /* of tmov, textract and tinsert from an accumulator: as of a store */
    PTOG_MOVE_TO = 1,   /* of those into UB: enum ptog_acc_to_vec */
};
/* Which vector cores of the block get an accumulator: one of them, or each of them one half of its rows or columns. */
enum ptog_acc_to_vec { PTOG_TO_VEC0 = 0, PTOG_TO_VEC1 = 1, PTOG_SPLIT_ROWS = 2, PTOG_SPLIT_COLS = 3 };
enum { PTOG_TCVT_ROUND = 0, PTOG_TCVT_SATURATION = 1 }; /* enum ptog_round, enum ptog_saturation */
enum {
    PTOG_TGATHER_BY = 0,      /* enum ptog_tgather_form */
    PTOG_TGATHER_PATTERN = 1, /* enum ptog_pattern */
    PTOG_TGATHER_AXIS = 2,    /* enum ptog_axis */
    PTOG_TGATHER_CMP = 3,     /* enum ptog_cmp */
    PTOG_TGATHER_OFFSET = 4,  /* ptog_tgather.offset */
};

/* ---- making one ----
 *
 * Start with an opcode, then set the operands by their position in the row:
 *
 *     struct ptog_insn add;
 *     ptog_insn_start(&add, PTOG_TADDS);
 *     ptog_insn_set_tile(&add, 0, &dst);
 *     ptog_insn_set_tile(&add, 1, &src);
 *     ptog_insn_set_scalar(&add, 2, PTOG_I32, 7);
 *
 * NULL for the instruction or the tile does nothing. What is wrong with an instruction is said where it is used: by the
 * verifier, when it is planned, when it is issued. */

/* An instruction with all its operands absent, to be filled in. An opcode that is none gives PTOG_NO_INSN. */
PTOG_API void ptog_insn_start(struct ptog_insn *insn, enum ptog_opcode opcode);

/* A tile or a scalar as operand `position` of an instruction that was started, in the order of its row. `bits` are
 * those of an element of the type; nothing happens when there is no such position. */
PTOG_API void ptog_insn_set_tile(struct ptog_insn *insn, int position, const struct ptog_tile *tile);
PTOG_API void ptog_insn_set_scalar(struct ptog_insn *insn, int position, enum ptog_dtype dtype, uint64_t bits);

/* The three descriptions with names as the one. Views get buffer 0 and offset 0: a kernel sets those of ptog_insn.of.
 * NULL for `op` gives PTOG_NO_INSN. */
PTOG_API void ptog_insn_mgather(struct ptog_insn *insn, const struct ptog_mgather *op);
PTOG_API void ptog_insn_tgather(struct ptog_insn *insn, const struct ptog_tgather *op);
PTOG_API void ptog_insn_transfer(struct ptog_insn *insn, const struct ptog_transfer *op);

/* An instruction whose operands are tiles, in the order of the row: start and set in one. Tiles beyond the row are not
 * looked at; operands beyond `count` stay absent. */
PTOG_API void ptog_insn_tiles(struct ptog_insn *insn, enum ptog_opcode opcode, const struct ptog_tile *tiles,
                              size_t count);

/* ---- names ----
 *
 * As the text forms spell them ("row", "clamp", "P0101", ...); "?" for a number outside the enum. Never NULL. */
/* Of attributes: */
PTOG_API const char *ptog_coalesce_name(enum ptog_coalesce value);
PTOG_API const char *ptog_oob_name(enum ptog_oob value);
PTOG_API const char *ptog_axis_name(enum ptog_axis value);
PTOG_API const char *ptog_cmp_name(enum ptog_cmp value);
PTOG_API const char *ptog_pattern_name(enum ptog_pattern value);
PTOG_API const char *ptog_round_name(enum ptog_round value);
PTOG_API const char *ptog_saturation_name(enum ptog_saturation value);
PTOG_API const char *ptog_atomic_name(enum ptog_atomic value);
PTOG_API const char *ptog_scatter_oob_name(enum ptog_scatter_oob value);
PTOG_API const char *ptog_scatter_atomic_name(enum ptog_scatter_atomic value);
PTOG_API const char *ptog_scatter_conflict_name(enum ptog_scatter_conflict value);
/* Of tiles and tensors: */
PTOG_API const char *ptog_loc_name(enum ptog_loc value);
PTOG_API const char *ptog_layout_name(enum ptog_layout value);
PTOG_API const char *ptog_tile_order_name(enum ptog_tile_order value);

#endif
