/* asm: the words of the language have the same symbols in every tree, and the tables of spec/ops.def as functions. */
#ifndef PTOG_ASM_WORDS_H
#define PTOG_ASM_WORDS_H

#include "asm/tree.h"

/* Known operations first: symbol PTOG_OP_NAME_CALL is "func.call" in every tree. Then other words, and after them the
 * tile instructions, whose names are in asm/insn_words.h: few files name one, and only those are compiled again when an
 * instruction is added. */
enum ptog_word {
    PTOG_WORD_NONE = 0,
#define OP(NAME, name, kind, outs, modelled) PTOG_OP_NAME_##NAME,
#include "spec/ops.def"
#define OP(NAME, name, kind, outs, modelled) PTOG_OP_NAME_##NAME,
#include "spec/names.def"
    PTOG_WORD_OPS_END,
/* clang-format off */
#define WORDS(W) \
    W(ins) W(outs) W(iter_args) W(to) W(step) W(sizes) W(valid) W(attributes) W(loc) W(offsets) W(strides) W(shape) \
    W(addr) W(valid_row) W(valid_col) W(coalesce) W(gatherOob) W(scatterOob) W(scatterAtomicOp) W(scatterConflict) W(maskPattern) W(cmpMode) W(offset) W(layout) W(else) \
    W(do) W(case) W(default) W(fp) W(pre_quant) W(no_tmp) W(sat_mode) W(satmode) W(rmode) W(atomicType) W(reluPreMode) W(accToVecMode) W(accPhase) W(stPhase) W(operandSegmentSizes) \
    W(predicate) W(value) W(eq) W(ne) W(slt) W(sle) W(sgt) W(sge) W(ult) W(ule) W(ugt) W(uge) W(false) W(oeq) W(ogt) \
    W(oge) W(olt) W(ole) W(one) W(ord) W(ueq) W(une) W(uno) W(true) W(index) W(gm) \
    W(f64) W(address_space) W(quant) W(relu)
    /* clang-format on */
    PTOG_WORD_BEFORE_WORDS = PTOG_WORD_OPS_END - 1, /* so that the next one is PTOG_WORD_OPS_END */
#define W(word) PTOG_WORD_##word,
    WORDS(W)
#undef W
    PTOG_WORD_END /* the first tile instruction */
};

/* Whether a symbol is the name of a known operation. */
bool ptog_symbol_is_op(ptog_symbol symbol);

/* The known operations, by number from 0; 0 past the last one. */
ptog_symbol ptog_known_op_at(size_t i);

enum ptog_op_kind {
    PTOG_KIND_UNKNOWN = 0,
    PTOG_KIND_TILE,
    PTOG_KIND_STORE,
    PTOG_KIND_PLAIN,
    PTOG_KIND_BLOCK,
    PTOG_KIND_MODULE,
    PTOG_KIND_FUNC,
    PTOG_KIND_FOR,
    PTOG_KIND_IF,
    PTOG_KIND_WHILE,
    PTOG_KIND_LABEL,
};

struct ptog_op_info {
    const char *name;
    enum ptog_op_kind kind;
    unsigned outs;
    bool modelled;
};

/* Never NULL; unknown operations have kind PTOG_KIND_UNKNOWN. */
const struct ptog_op_info *ptog_op_info(ptog_symbol name);

static inline bool ptog_op_is_tile(ptog_symbol name)
{
    enum ptog_op_kind kind = ptog_op_info(name)->kind;
    return kind == PTOG_KIND_TILE || kind == PTOG_KIND_STORE;
}

/* Whether a name that is in no table is one of the micro level all the same: "pto.vadd", "pto.vmi.load". */
bool ptog_op_is_micro(const char *name);

/* Where compilers print the attributes of an operation that has so many operands: inside ins, without a comma. */
bool ptog_dict_in_ins(ptog_symbol op, uint32_t operands);

/* Whether compilers print the type of each operand right after it. */
bool ptog_op_has_segments(ptog_symbol op);

/* The usual spelling of an attribute's key. */
ptog_symbol ptog_key_spelling(ptog_symbol key);

/* How many destinations the operation has, its attributes considered. */
unsigned ptog_op_outs(const struct ptog_op *op);

enum ptog_key_place { PTOG_PLACE_DICT = 0, PTOG_PLACE_SUFFIX_1, PTOG_PLACE_SUFFIX_2, PTOG_PLACE_IN_INS };
enum ptog_key_place ptog_key_place(ptog_symbol op, ptog_symbol key);

/* Whether the operation gives the key a class. */
bool ptog_key_of(ptog_symbol op, ptog_symbol key);

/* The key that a suffix stands for, 0 when the operation has no such suffix. */
ptog_symbol ptog_suffix_key(ptog_symbol op, enum ptog_key_place place);

/* The class that an operation gives a key, or its n-th argument (from 0); NULL when it gives none. */
const char *ptog_key_class(ptog_symbol key);
const char *ptog_arg_class(ptog_symbol op, unsigned n);

struct ptog_class {
    const char *name;
    enum ptog_item_style style;
    const char *values; /* the enum that lists them; "" when any word is a value */
};

/* By name or alias; NULL when unknown. */
const struct ptog_class *ptog_class_find(const char *name);

/* The i-th value of a class; NULL past the end. */
const char *ptog_class_value(const struct ptog_class *of, unsigned i);

/* An operation of the FIFO between the cores: those of one section of spec/names.def. */
static inline bool ptog_op_is_fifo(ptog_symbol name)
{
    return name >= PTOG_OP_NAME_AIC_INITIALIZE_PIPE && name <= PTOG_OP_NAME_SET_QUANT_VECTOR;
}

#endif
