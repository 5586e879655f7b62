/* asm: the words of the language and the tables of spec/ops.def. */
#include "asm/insn_words.h"

#include <string.h>

static const struct ptog_op_info ops[] = {
    {"", PTOG_KIND_UNKNOWN, 0, false},
#define OP(NAME, name, kind, outs, modelled) {name, PTOG_KIND_##kind, outs, modelled},
#include "spec/ops.def"
#define OP(NAME, name, kind, outs, modelled) {name, PTOG_KIND_##kind, outs, modelled},
#include "spec/names.def"
};

/* The tile instructions, in the order of their symbols. */
static const struct ptog_op_info insns[] = {
#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    {"pto." text, PTOG_KIND_##kind, destinations, true},
#include <ptog/spec/insns.def>
};

/* All words of the language, in the order of enum ptog_word, then of enum ptog_insn_word. */
static const struct ptog_symbol_entry words[] = {
#define OP(NAME, name, ...) {name, sizeof name - 1},
#include "spec/ops.def"
#define OP(NAME, name, ...) {name, sizeof name - 1},
#include "spec/names.def"
#define W(word) {#word, sizeof #word - 1},
    WORDS(W)
#undef W
#define INSN(OPCODE, text, ...) {"pto." text, sizeof "pto." text - 1},
#include <ptog/spec/insns.def>
};

static bool is_insn_word(ptog_symbol symbol)
{
    return symbol >= PTOG_WORD_END && symbol < PTOG_INSN_WORDS_END;
}

bool ptog_symbol_is_op(ptog_symbol symbol)
{
    return (symbol != 0 && symbol < PTOG_WORD_OPS_END) || is_insn_word(symbol);
}

ptog_symbol ptog_known_op_at(size_t i)
{
    size_t before = PTOG_WORD_OPS_END - 1;
    if (i < before)
        return (ptog_symbol)(i + 1);
    if (i - before < sizeof insns / sizeof insns[0])
        return (ptog_symbol)(PTOG_WORD_END + (i - before));
    return 0;
}

const struct ptog_op_info *ptog_op_info(ptog_symbol name)
{
    if (is_insn_word(name))
        return &insns[name - PTOG_WORD_END];
    return &ops[name < PTOG_WORD_OPS_END ? name : 0];
}

enum ptog_status ptog_tree_init(struct ptog_tree *tree)
{
    *tree = (struct ptog_tree){.symbols.arena = &tree->arena, .root.body = true};
    if (!ptog_symbols_start(&tree->symbols, words, sizeof words / sizeof words[0]))
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}

unsigned ptog_op_outs(const struct ptog_op *op)
{
#define OUTS_WITH(NAME, key, outs)                                                                                     \
    if (op->name == PTOG_OP_NAME_##NAME && ptog_op_attr(op, PTOG_WORD_##key))                                          \
        return outs;
#include "spec/ops.def"
    return ptog_op_info(op->name)->outs;
}

bool ptog_op_is_micro(const char *name)
{
    if (strncmp(name, "pto.", 4) != 0)
        return false;
    if (name[4] == 'v')
        return true;
#define MICRO(micro)                                                                                                   \
    if (strcmp(name + 4, micro) == 0)                                                                                  \
        return true;
#include "spec/micro.def"
    return false;
}

bool ptog_op_has_segments(ptog_symbol op)
{
#define SEGMENTS(NAME)                                                                                                 \
    if (op == PTOG_OP_NAME_##NAME)                                                                                     \
        return true;
#include "spec/names.def"
    return false;
}

/* ---- attributes */

bool ptog_dict_in_ins(ptog_symbol op, uint32_t operands)
{
#define DICT_IN_INS(NAME, least)                                                                                       \
    if (op == PTOG_OP_NAME_##NAME)                                                                                     \
        return operands >= least;
#include "spec/names.def"
    (void)operands;
    return false;
}

ptog_symbol ptog_key_spelling(ptog_symbol key)
{
#define KEY_SPELLING(other, main)                                                                                      \
    if (key == PTOG_WORD_##other)                                                                                      \
        return PTOG_WORD_##main;
#include "spec/names.def"
    return key;
}

static const struct {
    ptog_symbol op, key;
    enum ptog_key_place place;
} places[] = {
#define KEY_OF(NAME, key, place) {PTOG_OP_NAME_##NAME, PTOG_WORD_##key, PTOG_PLACE_##place},
#include "spec/ops.def"
};
#define PLACE_COUNT (sizeof places / sizeof places[0])

enum ptog_key_place ptog_key_place(ptog_symbol op, ptog_symbol key)
{
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (places[i].op == op && places[i].key == key)
            return places[i].place;
    return PTOG_PLACE_DICT;
}

bool ptog_key_of(ptog_symbol op, ptog_symbol key)
{
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (places[i].op == op && places[i].key == key)
            return true;
    return false;
}

ptog_symbol ptog_suffix_key(ptog_symbol op, enum ptog_key_place place)
{
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (places[i].op == op && places[i].place == place)
            return places[i].key;
    return 0;
}

const char *ptog_key_class(ptog_symbol key)
{
    static const struct {
        ptog_symbol key;
        const char *class;
    } keys[] = {
#define KEY(key, class) {PTOG_WORD_##key, class},
#include "spec/ops.def"
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].key == key)
            return keys[i].class;
    return NULL;
}

const char *ptog_arg_class(ptog_symbol op, unsigned n)
{
    static const struct {
        ptog_symbol op;
        const char *class[3];
    } args[] = {
#define ARGS(NAME, first, second, third) {PTOG_OP_NAME_##NAME, {first, second, third}},
#include "spec/ops.def"
    };
    for (size_t i = 0; i < sizeof args / sizeof args[0]; i++)
        if (args[i].op == op)
            return n < 3 && args[i].class[n][0] ? args[i].class[n] : NULL;
    return NULL;
}

const struct ptog_class *ptog_class_find(const char *name)
{
    static const struct ptog_class classes[] = {
#define CLASS(name, style, values) {name, PTOG_ITEM_##style, values},
#include "spec/ops.def"
#define CLASS(name, style, values) {name, PTOG_ITEM_##style, values},
#include "spec/names.def"
    };
#define CLASS_ALIAS(alias, main)                                                                                       \
    if (strcmp(name, alias) == 0)                                                                                      \
        name = main;
#include "spec/ops.def"
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (name[0] == classes[i].name[0] && strcmp(name, classes[i].name) == 0)
            return &classes[i];
    return NULL;
}

const char *ptog_class_value(const struct ptog_class *of, unsigned i)
{
    static const char *const values[][2] = {
#define ENUM(type, value, name) {#type, name},
#include "spec/enums.def"
#undef ENUM
    };
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        if (strcmp(values[k][0], of->values) == 0 && i-- == 0)
            return values[k][1];
    return NULL;
}
