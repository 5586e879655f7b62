/* asm: the tree of a program. Every operation, known or not, is a struct ptog_op. All of it lives in the tree's arena
 * and none of it points into the source. Spans do, by number. Lists are arrays with a count; zero is "none". */
#ifndef PTOG_ASM_TREE_H
#define PTOG_ASM_TREE_H

#include <stdbool.h>

#include <ptog/dtype.h>
#include <ptog/status.h>

#include "asm/symbols.h"
#include "base/source.h"

/* ---- types ---- */

enum ptog_type_kind {
    PTOG_TYPE_NONE = 0,
    PTOG_TYPE_SCALAR,         /* index, i32, f16, !pto.hif8: `element` */
    PTOG_TYPE_PTR,            /* `element`; `space` when written */
    PTOG_TYPE_TENSOR_VIEW,    /* `dims`, `element` */
    PTOG_TYPE_PARTITION_VIEW, /* the same */
    PTOG_TYPE_TILE,           /* level 1: `field`, `element` */
    PTOG_TYPE_TILE_BUF,       /* levels 2 and 3: `field`, `element` */
    PTOG_TYPE_MULTI_TILE_BUF, /* the same, and `slots` of them */
    PTOG_TYPE_PTO_MEMREF,     /* `dims`, `element`, and what follows them in `rest` */
    PTOG_TYPE_MEMREF,         /* the same, without "!pto." */
    PTOG_TYPE_FUNCTION,       /* (ins) -> outs */
    PTOG_TYPE_STRUCT,         /* of these fields: `ins` */
    PTOG_TYPE_LOCAL_ARRAY,    /* `dims`, `element` */
    PTOG_TYPE_EVENTID_ARRAY,  /* `slots` of them */
    PTOG_TYPE_STRING,         /* "row" in a list of types: `text` */
    PTOG_TYPE_RAW,            /* any other: `text`, verbatim */
};

/* How the same type was spelled; only printing "as written" asks. */
enum ptog_type_style {
    PTOG_STYLE_NONE = 0,
    PTOG_STYLE_OLD,        /* !pto.tile_view */
    PTOG_STYLE_DIMS,       /* <16x32xf16> */
    PTOG_STYLE_POSITIONAL, /* <vec, f16, 16, 32, ...>: `positions` of the eight */
    PTOG_STYLE_SHORT,      /* <vec, 16x32xf16, ...> */
    PTOG_STYLE_LONG,       /* <loc=vec, dtype=f16, ...> */
};

/* Where inside a type, from the first byte of the type on: types of equal spelling are one object. */
struct ptog_extent {
    int64_t value;    /* PTOG_DYN (-1) for '?' */
    ptog_symbol name; /* a placeholder, "M": the value is not known */
    struct ptog_span inside;
};

struct ptog_element {
    ptog_symbol name;      /* as written: "f16", or the placeholder's name */
    enum ptog_dtype dtype; /* PTOG_DTYPE_NONE for i1, f64, index, placeholders */
    bool placeholder;
    bool foreign; /* made of something itself, vector<2xf16>: `name` is its text */
    struct ptog_span inside;
};

enum ptog_tile_field {
#define TILE_FIELD(FIELD, key, value) PTOG_FIELD_##FIELD,
#include "spec/types.def"
};
#define PTOG_FIELD_COUNT (PTOG_FIELD_COMPACT + 1)

struct ptog_type_use {
    const struct ptog_type *type;
    struct ptog_span span;
};

struct ptog_type {
    enum ptog_type_kind kind;
    enum ptog_type_style style;
    uint8_t positions;
    bool no_bang; /* `pto.tile<...>` */
    uint8_t loc;  /* PTOG_STYLE_POSITIONAL: 0 vec, 1 loc=vec, 2 left out */
    bool elided;  /* <...>: nothing is known */
    struct ptog_element element;
    struct ptog_extent *dims;
    uint32_t rank;
    int64_t slots;                              /* of a multi_tile_buf, of an eventid_array */
    struct ptog_extent field[PTOG_FIELD_COUNT]; /* of a tile; DTYPE is in `element` */
    ptog_symbol space;                          /* of a ptr */
    struct ptog_item *rest;                     /* of a memref: strided<...>, #pto.address_space<gm>, ... */
    uint32_t rest_count;
    bool is_on_chip;                  /* of a memref: it is a tile, and `field` says which */
    struct ptog_type_use *ins, *outs; /* of a function; `ins`: the fields of a struct */
    uint32_t in_count, out_count;
    ptog_symbol text;
};

/* ---- items: operands, attributes, arguments ---- */

enum ptog_item_kind {
    PTOG_ITEM_NONE = 0,
    PTOG_ITEM_VALUE,  /* %name, %name[items] */
    PTOG_ITEM_SYMBOL, /* @name, @name(items) */
    PTOG_ITEM_BLOCK,  /* ^name, ^name(items : types): the types are items too, after the values */
    PTOG_ITEM_INT,    /* number, with its type when written */
    PTOG_ITEM_FLOAT,  /* name: the digits as written; with its type when written */
    PTOG_ITEM_STRING, /* name: between the quotes, escapes as written */
    PTOG_ITEM_WORD,   /* name: eq, true, nd; inside brackets also name(items) */
    PTOG_ITEM_ATTR,   /* #pto<class value>: name is the class, value the value */
    PTOG_ITEM_ARRAY,  /* [items] */
    PTOG_ITEM_DICT,   /* {entries} */
    PTOG_ITEM_TYPE,   /* type */
    PTOG_ITEM_RECORD, /* #pto.class<key = value, ...>: name is the class; entries */
    PTOG_ITEM_MAP,    /* affine_map<...>: map. NULL: it cannot be read, and name is its text */
    PTOG_ITEM_LAYOUT, /* strided<[...], offset: n>: strided. NULL: it cannot be read, and name is its text */
    PTOG_ITEM_RAW,    /* any other attribute: name is its text, verbatim */
    PTOG_ITEM_UNIT,   /* the value of a key without one */
};

/* An expression of an affine map. Sums and products list their terms from left to right, so that expressions nest only
 * as deep as the brackets of the text. */
enum ptog_affine_kind {
    PTOG_AFFINE_NUMBER,  /* value */
    PTOG_AFFINE_NAME,    /* value: the number of a dimension, or, after those, of a symbol */
    PTOG_AFFINE_NEGATED, /* -first */
    PTOG_AFFINE_SUM,     /* first, then terms with `+` and `-` */
    PTOG_AFFINE_PRODUCT, /* first, then terms with `*`, floordiv, ceildiv and mod */
};

enum ptog_affine_sign {
    PTOG_AFFINE_PLUS,
    PTOG_AFFINE_MINUS,
    PTOG_AFFINE_TIMES,
    PTOG_AFFINE_FLOORDIV,
    PTOG_AFFINE_CEILDIV,
    PTOG_AFFINE_MOD,
};

struct ptog_affine {
    uint8_t kind; /* enum ptog_affine_kind */
    uint8_t sign; /* enum ptog_affine_sign: how it follows the term before it */
    int64_t value;
    struct ptog_affine *first, *next; /* its terms; the next term, or result, beside it */
};

/* affine_map<(dimensions)[symbols] -> (results)> */
struct ptog_affine_map {
    ptog_symbol *names; /* of the dimensions, then of the symbols */
    uint32_t dim_count, symbol_count, result_count;
    bool brackets;              /* [...] was written, also when it is empty */
    struct ptog_affine *result; /* the first one */
};

/* strided<[strides], offset: n>: PTOG_DYN for '?' */
struct ptog_strided {
    int64_t *strides;
    uint32_t count;
    bool has_offset;
    int64_t offset; /* 0 when none is written */
};

enum ptog_item_style {
    PTOG_ITEM_PLAIN = 0,
    PTOG_ITEM_HASH_SPACE, /* #pto<class value> */
    PTOG_ITEM_HASH_DOT,   /* #pto.class<value> */
    PTOG_ITEM_ANGLE,      /* <value> */
    PTOG_ITEM_QUOTED,     /* "value", where the operation names the class */
    PTOG_ITEM_HEX,        /* 0x1f */
    PTOG_ITEM_SUFFIX,     /* .row */
};

/* How an item of a bracket stands to what is before it there. */
enum ptog_lead {
    PTOG_LEAD_KEY = 1,   /* `lead_word =` stands before it */
    PTOG_LEAD_WORD = 2,  /* `lead_word` does: fp %f */
    PTOG_LEAD_SPACE = 4, /* no comma separates them: %a {k = 1} */
    PTOG_LEAD_RUN = 8,   /* the types of the items before it stand between them: %a : T, %b : U */
};

struct ptog_item {
    uint8_t kind;   /* enum ptog_item_kind */
    uint8_t style;  /* enum ptog_item_style */
    uint8_t lead;   /* of enum ptog_lead */
    bool negative;  /* PTOG_ITEM_INT: -number */
    bool called;    /* symbol, word, block: has (items), PTOG_ITEM_VALUE: has [items], also when there are none */
    uint32_t count; /* of items or entries */
    struct ptog_span span;
    ptog_symbol name, value, lead_word;
    const struct ptog_type *type;
    union {
        uint64_t number; /* a result: how many values, when written as %x:2 */
        struct ptog_item *items;
        struct ptog_entry *entries;
        const struct ptog_affine_map *map;
        const struct ptog_strided *strided;
    };
};

struct ptog_entry {
    ptog_symbol key;
    struct ptog_span key_span;
    struct ptog_item value;
};

/* ---- operations ---- */

enum ptog_part_kind {
    PTOG_PART_NONE = 0,
    PTOG_PART_ITEMS,  /* a, b                      items */
    PTOG_PART_LIST,   /* [a, b]                    items */
    PTOG_PART_PARENS, /* (a, b : T, T)             items, types */
    PTOG_PART_LAUNCH, /* <<<a, b>>>                items */
    PTOG_PART_CLAUSE, /* word(a, b : T, T)         word, items, types; ins and outs are these */
    PTOG_PART_KEY,    /* word = a, word: [a, b]    word, items[0]; `listed` with the colon */
    PTOG_PART_WORD,   /* word, word [a, b]         word, items when listed */
    PTOG_PART_DICT,   /* {k = a}, word {k = a}     word, entries */
    PTOG_PART_TYPES,  /* : T, T                    types */
    PTOG_PART_ARROW,  /* -> T                      types */
    PTOG_PART_TO,     /* to T                      types */
    PTOG_PART_REGION, /* {...}, word {...}         word, region */
};

struct ptog_part {
    uint8_t kind; /* enum ptog_part_kind */
    bool comma;   /* a comma stood before it */
    bool parens;  /* types: they stood in parentheses */
    bool listed;  /* PTOG_PART_WORD: has [items]; KEY: written with a colon; DICT: written as <{...}> */
    ptog_symbol word;
    uint32_t word_at;      /* where the word stands, when there is one */
    struct ptog_span span; /* with the comma before it */
    uint32_t count, type_count;
    union {
        struct ptog_item *items;
        struct ptog_entry *entries;
        struct ptog_region *region;
    };
    struct ptog_type_use *types;
};

struct ptog_comment {
    struct ptog_comment *next;
    ptog_symbol text; /* without its mark */
    char mark;        /* '/', '#', ';' */
    bool blank;       /* an empty line stood before it */
    struct ptog_span span;
};

enum ptog_op_form {
    PTOG_OP_PLAIN = 0, /* written the same way in every form */
    PTOG_OP_DPS,       /* pto.x ins(...) outs(...) */
    PTOG_OP_SSA,       /* %d = pto.x %a : T -> T */
    PTOG_OP_AS,        /* %d = x.suffix %a : T -> T */
    PTOG_OP_GENERIC,   /* "pto.x"(%a) : (T) -> T */
};

/* A TILE or STORE operation (spec/ops.def) always has its operands in `ins` and `outs` and its attributes, suffixes
 * included, in `attrs`, whatever form it was written in; `defines` tells whether outs were written as results. Other
 * operations keep results and parts as written, in order. ins, outs and attrs point into parts. */
struct ptog_op {
    struct ptog_op *next;
    struct ptog_comment *comments; /* on their own lines before it */
    struct ptog_comment *after;    /* at the end of its line */
    ptog_symbol name;              /* "pto.mgather": complete, without suffixes */
    uint32_t number;               /* from 0, in the order of the text */
    uint8_t form;                  /* enum ptog_op_form */
    bool defines;
    bool blank;      /* an empty line stood before it, after its comments */
    ptog_symbol loc; /* "loc(...)" after it, as written; 0: none */
    struct ptog_span span, name_span;
    uint32_t result_count, part_count;
    struct ptog_item *results;
    struct ptog_part *parts;
    struct ptog_part *ins, *outs, *attrs;
};

struct ptog_arg {
    ptog_symbol name; /* 0: a declaration gives only types */
    struct ptog_span span;
    struct ptog_type_use type; /* type NULL: none written, as for a loop's counter */
    struct ptog_entry *entries;
    uint32_t entry_count;
    bool has_dict;
    ptog_symbol loc; /* as in struct ptog_op */
};

struct ptog_region {
    struct ptog_arg *args; /* a function's arguments; a loop's counter and iter_args */
    uint32_t arg_count;
    bool body; /* false: a function without one */
    struct ptog_op *first;
    struct ptog_comment *opening;  /* at the end of the line of its '{' */
    struct ptog_comment *comments; /* after the last operation */
    struct ptog_span span;
};

struct ptog_tree {
    struct ptog_arena arena;
    struct ptog_symbols symbols;
    struct ptog_region root;
    uint32_t op_count;
    struct ptog_index loc_names; /* comments `#loc1 = loc(...)` by their symbols: asm/loc.h */
    bool has_calls;              /* of functions */
    bool has_fifo;               /* operations of the FIFO between the cores */
    bool has_locs;               /* loc(...) somewhere */
    bool has_escapes; /* structs, pointers made of numbers, SIMT sections, yields: what lint/escape_check.c follows */
};

/* An empty tree that knows the words of the language (asm/words.h); PTOG_NO_MEMORY. Free it in any case. */
enum ptog_status ptog_tree_init(struct ptog_tree *tree);
void ptog_tree_free(struct ptog_tree *tree);

static inline const char *ptog_tree_text(const struct ptog_tree *tree, ptog_symbol symbol)
{
    return ptog_symbol_text(&tree->symbols, symbol);
}

/* Whether a name of the tree is this text. Words of the language are compared by their number: asm/words.h. */
bool ptog_tree_is(const struct ptog_tree *tree, ptog_symbol symbol, const char *text);

/* Whether it is `start` and then `end`; is one of a list of words like "nz2nd nz2dn"; is `pattern`, or begins with it
 * when that ends in '*'. No name is none of these. */
bool ptog_tree_is_joined(const struct ptog_tree *tree, ptog_symbol symbol, const char *start, const char *end);
bool ptog_tree_is_listed(const struct ptog_tree *tree, ptog_symbol symbol, const char *words);
bool ptog_tree_matches(const struct ptog_tree *tree, ptog_symbol symbol, const char *pattern);

/* The bits of an integer type such as i32, at most 64; 0 when the word is no such type. */
unsigned ptog_tree_int_width(const struct ptog_tree *tree, ptog_symbol symbol);

/* A record or dictionary: it has entries, not items. */
bool ptog_item_is_keyed(const struct ptog_item *item);

/* The value of a key in a record or dictionary; NULL when there is none. */
const struct ptog_item *ptog_item_entry(const struct ptog_item *item, ptog_symbol key);

/* The first part of a kind, with `word` when that is not 0; NULL when there is none. */
const struct ptog_part *ptog_op_part(const struct ptog_op *op, enum ptog_part_kind kind, ptog_symbol word);

/* The value of a key in the operation's attributes; NULL when there is none. */
const struct ptog_item *ptog_op_attr(const struct ptog_op *op, ptog_symbol key);

/* How many of the items have a type each, in a bracket that lists types: values and numbers, those of `word(items)` and
 * `%x[items]` too. */
uint32_t ptog_run_values(const struct ptog_item *items, uint32_t count);

/* Where a part of a type stands in the text, given where the type stands. */
struct ptog_span ptog_type_inside(const struct ptog_type_use *use, struct ptog_span inside);

#endif
