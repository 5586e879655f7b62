/* explore: writes scripts (script.h). What is known as a number is computed at once. */
#include "explore/script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "asm/words.h"
#include "base/array.h"
#include "lower/compute.h"

#define MAX_LINE 512 /* of a script */

struct ptog_script_value ptog_script_number(int64_t number)
{
    return (struct ptog_script_value){.is_number = true, .number = number};
}

/* Appends a line to the script. Sets `no_memory` when it cannot. */
void ptog_script_add(struct ptog_script *script, const char *format, ...)
{
    va_list list;
    if (script->no_memory || !ptog_array_reserve(&script->text, script->length + MAX_LINE, &script->room)) {
        script->no_memory = true;
        return;
    }
    va_start(list, format);
    int length = vsnprintf(script->text + script->length, MAX_LINE, format, list);
    va_end(list);
    script->length += length > 0 ? (size_t)length : 0;
}

/* ---- words of the script ---- */

/* Appends the low bits of a value to the script. */
static void add_bits(struct ptog_script *script, struct ptog_script_value value, unsigned width)
{
    if (value.is_number)
        ptog_script_add(script, "(_ bv%" PRIu64 " %u)", ptog_low_bits(value.number, width), width);
    else if (width < 64)
        ptog_script_add(script, "((_ extract %u 0) v%" PRIu32 ")", width - 1, value.name);
    else
        ptog_script_add(script, "v%" PRIu32, value.name);
}

/* Begins the definition of a value that is given as so many bits. */
static struct ptog_script_value begin_value(struct ptog_script *script, unsigned width)
{
    ptog_script_add(script, "(define-fun v%" PRIu32 " () (_ BitVec 64) ((_ sign_extend %u) ", ++script->names,
                    64 - width);
    return (struct ptog_script_value){.name = script->names};
}

/* Ends the definition of a value. */
static void end_value(struct ptog_script *script)
{
    ptog_script_add(script, "))\n");
}

/* A new value of the script that may be any number of so many bits. */
struct ptog_script_value ptog_script_any(struct ptog_script *script, unsigned width)
{
    uint32_t bits = ++script->names;
    ptog_script_add(script, "(declare-const b%" PRIu32 " (_ BitVec %u))\n", bits, width);
    struct ptog_script_value value = begin_value(script, width);
    ptog_script_add(script, "b%" PRIu32, bits);
    end_value(script);
    return value;
}

/* Any number, since it is not known which. */
static struct ptog_script_value guess(struct ptog_script *script, unsigned width)
{
    script->guesses = true;
    return ptog_script_any(script, width);
}

static bool is_unknown(struct ptog_script_value value)
{
    return !value.is_number && value.name == 0;
}

/* ---- arithmetic ---- */

/* The solver's word for an operation of arith; NULL: it has none. */
static const char *word_of(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_ADDI: return "bvadd";
    case PTOG_OP_NAME_SUBI: return "bvsub";
    case PTOG_OP_NAME_MULI: return "bvmul";
    case PTOG_OP_NAME_DIVSI: return "bvsdiv";
    case PTOG_OP_NAME_REMSI: return "bvsrem";
    case PTOG_OP_NAME_DIVUI: return "bvudiv";
    case PTOG_OP_NAME_REMUI: return "bvurem";
    case PTOG_OP_NAME_ANDI: return "bvand";
    case PTOG_OP_NAME_ORI: return "bvor";
    case PTOG_OP_NAME_XORI: return "bvxor";
    case PTOG_OP_NAME_SHLI: return "bvshl";
    case PTOG_OP_NAME_SHRUI: return "bvlshr";
    case PTOG_OP_NAME_SHRSI: return "bvashr";
    default: return NULL;
    }
}

/* Of the smaller or the larger of two; NULL: it is neither. */
static const char *order_of(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_MINSI: return "bvsle";
    case PTOG_OP_NAME_MAXSI: return "bvsge";
    case PTOG_OP_NAME_MINUI: return "bvule";
    case PTOG_OP_NAME_MAXUI: return "bvuge";
    default: return NULL;
    }
}

struct ptog_script_value ptog_script_apply(struct ptog_script *script, ptog_symbol name, struct ptog_script_value a,
                                           struct ptog_script_value b, unsigned width)
{
    const char *word = word_of(name), *order = order_of(name);
    int64_t number;
    if (is_unknown(a) || is_unknown(b) || width == 0)
        return guess(script, 64);
    if (a.is_number && b.is_number && !ptog_compute_integers(name, a.number, b.number, width, &number))
        return ptog_script_number(ptog_sign_extend((uint64_t)number, width));
    if (!word && !order)
        return guess(script, width);
    struct ptog_script_value value = begin_value(script, width);
    ptog_script_add(script, order ? "(ite (%s " : "(%s ", order ? order : word);
    for (int i = 0; i < (order ? 2 : 1); i++) {
        add_bits(script, a, width);
        ptog_script_add(script, " ");
        add_bits(script, b, width);
        ptog_script_add(script, ") ");
    }
    end_value(script);
    return value;
}

/* The value of arith.cmpi, one bit; computed at once where both are numbers, a guess where one is unknown. */
struct ptog_script_value ptog_script_compare(struct ptog_script *script, int predicate, struct ptog_script_value a,
                                             struct ptog_script_value b, unsigned width)
{
    static const char *const words[] = {"=",     "distinct", "bvslt", "bvsle", "bvsgt",
                                        "bvsge", "bvult",    "bvule", "bvugt", "bvuge"};
    if (is_unknown(a) || is_unknown(b) || width == 0 || predicate < 0 || predicate > 9)
        return guess(script, 1);
    if (a.is_number && b.is_number)
        return ptog_script_number(-(int64_t)ptog_compare_integers(predicate, a.number, b.number, width));
    struct ptog_script_value value = begin_value(script, 1);
    ptog_script_add(script, "(ite (%s ", words[predicate]);
    add_bits(script, a, width);
    ptog_script_add(script, " ");
    add_bits(script, b, width);
    ptog_script_add(script, ") #b1 #b0)");
    end_value(script);
    return value;
}

/* The value with the low bits of another, extended with or without sign; a guess where that one is unknown. */
struct ptog_script_value ptog_script_resize(struct ptog_script *script, struct ptog_script_value a, unsigned from,
                                            unsigned to, bool is_unsigned)
{
    if (is_unknown(a) || to == 0 || (is_unsigned && from == 0)) /* a value keeps its sign, whatever its width was */
        return guess(script, 64);
    if (a.is_number) {
        int64_t number = is_unsigned ? (int64_t)ptog_low_bits(a.number, from) : a.number;
        return ptog_script_number(ptog_sign_extend((uint64_t)number, to));
    }
    struct ptog_script_value whole = a;
    if (is_unsigned && from < 64) {
        whole = begin_value(script, 64);
        ptog_script_add(script, "((_ zero_extend %u) ", 64 - from);
        add_bits(script, a, from);
        ptog_script_add(script, ")");
        end_value(script);
    }
    struct ptog_script_value value = begin_value(script, to);
    add_bits(script, whole, to);
    end_value(script);
    return value;
}

struct ptog_script_value ptog_script_select(struct ptog_script *script, struct ptog_script_value condition,
                                            struct ptog_script_value a, struct ptog_script_value b)
{
    if (condition.is_number)
        return condition.number != 0 ? a : b;
    if (is_unknown(condition) || is_unknown(a) || is_unknown(b))
        return guess(script, 64);
    struct ptog_script_value value = begin_value(script, 64);
    ptog_script_add(script, "(ite (= v%" PRIu32 " (_ bv0 64)) ", condition.name);
    add_bits(script, b, 64);
    ptog_script_add(script, " ");
    add_bits(script, a, 64);
    ptog_script_add(script, ")");
    end_value(script);
    return value;
}

void ptog_script_require(struct ptog_script *script, struct ptog_script_value value, bool is_zero)
{
    ptog_script_add(script, is_zero ? "(assert (= " : "(assert (distinct ");
    add_bits(script, value, 64);
    ptog_script_add(script, " (_ bv0 64)))\n");
}
