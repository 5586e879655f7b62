/* asm: what the files of the parser share. A function that reads something returns false when it could not, with the
 * error reported; the caller passes that on, up to the statement, where reading starts again. */
#ifndef PTOG_ASM_PARSER_PARSER_H
#define PTOG_ASM_PARSER_PARSER_H

#include <string.h>

#include "asm/parser/lexer.h"
#include "asm/text_ids.h"
#include "asm/words.h"
#include "base/nearest.h"
#include "base/pick.h"

#define PTOG_MAX_NESTING 200    /* levels: a bracket is 1; each takes less than 500 bytes of stack, in all 100 KiB */
#define PTOG_REGION_LEVELS 2    /* a region with its statement is so many */
#define PTOG_MAX_SUGGESTING 100 /* unknown types that are compared with the known ones */

/* A type, and the bytes of the text that spell it. */
struct ptog_spelled_type {
    struct ptog_span span;
    const struct ptog_type *type;
};

struct ptog_parser {
    const struct ptog_source *source;
    struct ptog_tree *tree;
    struct ptog_diag_list *diags;
    struct ptog_lexer lexer;
    struct ptog_token token;     /* the next one, not yet taken */
    uint32_t last_end;           /* where the last one taken ends */
    struct ptog_stack lists;     /* lists that are not complete yet */
    struct ptog_stack run_types; /* struct ptog_type_use: those of the bracket at hand */
    size_t remarks_given;        /* bytes of lexer.remarks that belong to something */
    uint32_t *marks;             /* by symbol: the last dictionary that had it as a key */
    size_t mark_count;
    uint32_t mark;
    struct ptog_spelled_type *types;
    uint32_t type_count;
    size_t type_room;
    struct ptog_index type_index;   /* of `types`, by their spelling */
    const struct ptog_item **attrs; /* by symbol: what `#name` stands for */
    size_t attr_count;
    enum ptog_type_kind bare_type; /* what <f32> is where the parser stands */
    bool loose_types;              /* a micro instruction: words among its types are kept as they are */
    int depth;
    int suggested;
    size_t errors_before; /* that `diags` had already */
    bool stop;            /* enough errors, nested too deep, or out of memory */
    bool no_memory;
};

/* ---- parser.c: tokens, errors, memory */

void ptog_take(struct ptog_parser *p);                   /* on to the next token */
void ptog_take_from(struct ptog_parser *p, uint32_t at); /* the next token is the one at `at` */
bool ptog_take_if(struct ptog_parser *p, char punctuation);
bool ptog_expect(struct ptog_parser *p, char punctuation);
struct ptog_token ptog_look_ahead(const struct ptog_parser *p, unsigned tokens); /* 1: the token after the next */
char ptog_after_token(const struct ptog_parser *p); /* that token's punctuation, 0 when it is something else */

static inline bool ptog_at(const struct ptog_parser *p, char punctuation)
{
    return p->token.punctuation == punctuation;
}

static inline bool ptog_is_word(const struct ptog_parser *p, const char *word)
{
    return p->token.kind == PTOG_TOKEN_WORD && strlen(word) == p->token.end - p->token.at &&
           memcmp(p->source->bytes + p->token.at, word, strlen(word)) == 0;
}

static inline struct ptog_span ptog_token_span(const struct ptog_parser *p)
{
    return (struct ptog_span){p->token.at, p->token.end - p->token.at};
}

static inline struct ptog_span ptog_span_from(const struct ptog_parser *p, uint32_t at)
{
    return (struct ptog_span){at, (uint32_t)ptog_left(p->last_end, at)};
}

/* Each reports an error and returns false. */
__attribute__((format(printf, 4, 5))) bool ptog_fail(struct ptog_parser *p, const char *id, struct ptog_span span,
                                                     const char *format, ...);
bool ptog_fail_expected(struct ptog_parser *p, const char *what);
bool ptog_fail_unknown(struct ptog_parser *p, struct ptog_span span, const char *what, const char *nearest);
bool ptog_fail_memory(struct ptog_parser *p);

/* A piece of the text in quotes, cut and escaped, for messages. */
#define PTOG_QUOTE_SIZE 96
const char *ptog_quote(char buf[PTOG_QUOTE_SIZE], const struct ptog_source *source, struct ptog_span span);

/* So many levels deeper; false, and the end of parsing, when that is too deep. Every successful enter has its leave. */
bool ptog_enter(struct ptog_parser *p, int levels);
/* Leaves so many nested brackets. */
static inline void ptog_leave(struct ptog_parser *p, int levels)
{
    p->depth -= levels;
}

bool ptog_push(struct ptog_parser *p, const void *piece, size_t bytes);
bool ptog_take_list(struct ptog_parser *p, size_t from, size_t size, void *list, uint32_t *count);
bool ptog_symbol_of(struct ptog_parser *p, uint32_t at, uint32_t end, ptog_symbol *symbol);

/* Reads decimal or 0x digits; false when the number does not fit in 64 bits. */
bool ptog_read_u64(const char *text, size_t length, uint64_t *value);

/* Comments before offset `end` that nothing has yet. */
bool ptog_take_comments(struct ptog_parser *p, uint32_t end, struct ptog_comment **list);
bool ptog_take_trailing(struct ptog_parser *p, struct ptog_comment **after);

/* ---- parse_types.c, parse_type.c, parse_element.c, parse_tile.c */

struct ptog_type *ptog_new_type(struct ptog_parser *p);
bool ptog_parse_new_type(struct ptog_parser *p, struct ptog_type_use *use); /* whether or not it is known */
bool ptog_parse_type(struct ptog_parser *p, struct ptog_type_use *use);
bool ptog_parse_alias(struct ptog_parser *p);
bool ptog_parse_listed(struct ptog_parser *p, struct ptog_type_use *use); /* a type, or a string among types */
enum ptog_type_kind ptog_bare_type(ptog_symbol op, ptog_symbol clause);
bool ptog_parse_type_list(struct ptog_parser *p, char end, struct ptog_type_use **types, uint32_t *count);
bool ptog_parse_types(struct ptog_parser *p, struct ptog_part *part);
bool ptog_is_scalar(const char *text, size_t length);

/* Inside <...>, byte by byte at lexer.at: types are not made of tokens (16x32xf16). */
char ptog_type_peek(struct ptog_parser *p);
bool ptog_type_accept(struct ptog_parser *p, char c);
bool ptog_type_fail(struct ptog_parser *p, const char *expected);
struct ptog_span ptog_type_word(struct ptog_parser *p);
enum ptog_dtype ptog_find_dtype(const char *text, size_t length);
bool ptog_fail_element(struct ptog_parser *p, struct ptog_span span);
bool ptog_type_element(struct ptog_parser *p, struct ptog_type *type, uint32_t start);
bool ptog_type_extent(struct ptog_parser *p, uint32_t start, struct ptog_extent *extent);
bool ptog_type_shape(struct ptog_parser *p, struct ptog_type *type, uint32_t start);
bool ptog_type_at_shape(const struct ptog_parser *p);
bool ptog_parse_tile(struct ptog_parser *p, struct ptog_type *type, uint32_t start);
bool ptog_parse_memref(struct ptog_parser *p, struct ptog_type *type, uint32_t start); /* parse_memref.c */

/* ---- parse_item.c, parse_attr.c */

bool ptog_parse_hash(struct ptog_parser *p, struct ptog_item *item);
bool ptog_parse_angle(struct ptog_parser *p, struct ptog_item *item);
bool ptog_parse_angle_word(struct ptog_parser *p, struct ptog_item *item);       /* name<...> */
bool ptog_parse_raw(struct ptog_parser *p, struct ptog_item *item, uint32_t at); /* up to lexer.at */
bool ptog_parse_item(struct ptog_parser *p, struct ptog_item *item, bool typed);
bool ptog_parse_items(struct ptog_parser *p, char end, bool typed, struct ptog_item **items, uint32_t *count);
bool ptog_parse_dict(struct ptog_parser *p, struct ptog_entry **entries, uint32_t *count);

bool ptog_parse_attr_alias(struct ptog_parser *p);

/* ---- parse_group.c */

bool ptog_parse_operand(struct ptog_parser *p, struct ptog_item *item);
bool ptog_parse_group(struct ptog_parser *p, struct ptog_part *part); /* items and types, up to and past the ')' */

/* No key may be given twice. */
bool ptog_check_keys(struct ptog_parser *p, const struct ptog_entry *entries, uint32_t count);

/* Verbatim text from the '<' at lexer.at to the '>' that closes it. */
bool ptog_skip_angle(struct ptog_parser *p);
bool ptog_verbatim(struct ptog_parser *p, uint32_t at, uint32_t end, ptog_symbol *text);

/* ---- parse_start.c: where statements start, and the labels of blocks */

bool ptog_at_start(const struct ptog_parser *p);
bool ptog_parse_label(struct ptog_parser *p, struct ptog_op *op);
bool ptog_parse_args(struct ptog_parser *p, struct ptog_arg **args, uint32_t *count);             /* parse_frame.c */
ptog_symbol ptog_find_bare(const struct ptog_parser *p, struct ptog_span span, uint32_t *length); /* parse_name.c */

/* ---- parse_name.c, parse_op.c, parse_region.c, parse_frame.c, name_attrs.c, normalize.c */

struct ptog_op *ptog_parse_op(struct ptog_parser *p);
bool ptog_parse_parts(struct ptog_parser *p, struct ptog_op *op);
bool ptog_parse_generic(struct ptog_parser *p, struct ptog_op *op);
bool ptog_parse_loc(struct ptog_parser *p, ptog_symbol *loc);
bool ptog_parse_frame(struct ptog_parser *p, struct ptog_op *op);
bool ptog_parse_region(struct ptog_parser *p, struct ptog_part *part, ptog_symbol word);
bool ptog_parse_ops(struct ptog_parser *p, struct ptog_region *region, bool braces);
bool ptog_name_attrs(struct ptog_parser *p, struct ptog_op *op);
bool ptog_normalize(struct ptog_parser *p, struct ptog_op *op, const struct ptog_entry *suffixes, uint32_t count);
bool ptog_check_value(struct ptog_parser *p, const char *class, struct ptog_span span, const char *what);

#endif
