/* asm: attributes with a grammar of their own, read byte by byte: affine maps, strided layouts and records of keys.
 * What cannot be read is no error here: the caller keeps its text, and whoever needs the attribute reports it. */
#include "asm/parser/parse_nodes.h"

#include <string.h>

#include <ptog/tile.h>

#define MAX_AFFINE_DEPTH 64

struct node_reader {
    struct ptog_parser *p;
    uint32_t at, end;
    const struct ptog_affine_map *map; /* whose names count */
    int depth;
};

/* ---- bytes */

/* Advances over spaces; the character there, NUL at the end of the attribute. */
static char node_peek(struct node_reader *r)
{
    const char *bytes = r->p->source->bytes;
    while (r->at < r->end && ptog_is(bytes[r->at], PTOG_CH_SPACE))
        r->at++;
    if (r->at < r->end)
        return bytes[r->at];
    return '\0';
}

/* Nothing but space is left; a NUL byte is something. */
static bool is_node_end(struct node_reader *r)
{
    node_peek(r);
    return r->at == r->end;
}

/* Passes this character, after spaces; false where another one stands there. */
static bool node_accept(struct node_reader *r, char c)
{
    if (node_peek(r) != c || c == '\0')
        return false;
    r->at++;
    return true;
}

/* Reads a name, after spaces; its span is empty where there is none. */
static struct ptog_span node_name(struct node_reader *r)
{
    node_peek(r);
    uint32_t at = r->at;
    while (r->at < r->end && ptog_is(r->p->source->bytes[r->at], PTOG_CH_NAME))
        r->at++;
    return (struct ptog_span){at, r->at - at};
}

/* Reads this word; false, without advancing, where it does not stand there. */
static bool node_word(struct node_reader *r, const char *word)
{
    uint32_t before = r->at;
    struct ptog_span name = node_name(r);
    if (name.length == strlen(word) && memcmp(r->p->source->bytes + name.at, word, name.length) == 0)
        return true;
    r->at = before;
    return false;
}

/* Passes "->"; false where it does not stand there. */
static bool node_arrow(struct node_reader *r)
{
    bool arrow = node_peek(r) == '-' && r->end - r->at > 1 && r->p->source->bytes[r->at + 1] == '>';
    r->at += arrow ? 2 : 0;
    return arrow;
}

/* digits that fit in an int64_t */
static bool node_digits(struct node_reader *r, int64_t *value)
{
    uint64_t number;
    struct ptog_span digits = node_name(r);
    for (uint32_t i = 0; i < digits.length; i++)
        if (!ptog_is(r->p->source->bytes[digits.at + i], PTOG_CH_DIGIT))
            return false;
    if (digits.length == 0 || !ptog_read_u64(r->p->source->bytes + digits.at, digits.length, &number) ||
        number > INT64_MAX)
        return false;
    *value = (int64_t)number;
    return true;
}

/* ---- affine maps */

static struct ptog_affine *read_sum(struct node_reader *r);

/* A new node of an affine map; NULL, with a report, when out of memory. */
static struct ptog_affine *new_affine(struct node_reader *r, enum ptog_affine_kind kind)
{
    struct ptog_affine *node = ptog_arena_alloc(&r->p->tree->arena, sizeof *node);
    if (node)
        node->kind = (uint8_t)kind;
    else
        ptog_fail_memory(r->p);
    return node;
}

/* number | name of the map; NULL when it is neither */
static struct ptog_affine *read_leaf(struct node_reader *r)
{
    const char *bytes = r->p->source->bytes;
    int64_t value = 0;
    bool number = ptog_is(node_peek(r), PTOG_CH_DIGIT);
    if (number) {
        if (!node_digits(r, &value))
            return NULL;
    } else {
        struct ptog_span name = node_name(r);
        ptog_symbol symbol = ptog_symbol_find(&r->p->tree->symbols, bytes + name.at, name.length);
        uint32_t count = r->map->dim_count + r->map->symbol_count;
        while (value < count && r->map->names[value] != symbol)
            value++;
        if (name.length == 0 || value == count)
            return NULL;
    }
    struct ptog_affine *leaf = new_affine(r, number ? PTOG_AFFINE_NUMBER : PTOG_AFFINE_NAME);
    if (leaf)
        leaf->value = value;
    return leaf;
}

/* atom ::= number | name | '-' atom | '(' sum ')' */
static struct ptog_affine *read_atom(struct node_reader *r)
{
    struct ptog_affine *atom = NULL;
    if (++r->depth > MAX_AFFINE_DEPTH)
        return NULL;
    if (node_accept(r, '(')) {
        atom = read_sum(r);
        if (!node_accept(r, ')'))
            atom = NULL;
    } else if (node_accept(r, '-')) {
        struct ptog_affine *inner = read_atom(r);
        atom = inner ? new_affine(r, PTOG_AFFINE_NEGATED) : NULL;
        if (atom)
            atom->first = inner;
    } else {
        atom = read_leaf(r);
    }
    r->depth--;
    return atom;
}

/* Reads the sign before the next term of a sum or a product into *sign; false where none follows. */
static bool read_sign(struct node_reader *r, bool product, uint8_t *sign)
{
    static const char *const words[] = {
        [PTOG_AFFINE_FLOORDIV] = "floordiv", [PTOG_AFFINE_CEILDIV] = "ceildiv", [PTOG_AFFINE_MOD] = "mod"};
    char c = node_peek(r);
    if (!product) {
        bool arrow = c == '-' && r->end - r->at > 1 && r->p->source->bytes[r->at + 1] == '>';
        *sign = c == '-' ? PTOG_AFFINE_MINUS : PTOG_AFFINE_PLUS;
        return !arrow && (node_accept(r, '+') || node_accept(r, '-'));
    }
    *sign = PTOG_AFFINE_TIMES;
    if (node_accept(r, '*'))
        return true;
    for (*sign = PTOG_AFFINE_FLOORDIV; *sign <= PTOG_AFFINE_MOD; ++*sign)
        if (node_word(r, words[*sign]))
            return true;
    return false;
}

/* sum ::= product {('+' | '-') product};  product ::= atom {('*' | 'floordiv' | 'ceildiv' | 'mod') atom} */
static struct ptog_affine *read_terms(struct node_reader *r, bool product)
{
    struct ptog_affine *first = product ? read_atom(r) : read_terms(r, true), *whole, **last;
    uint8_t sign;
    if (!first || !read_sign(r, product, &sign))
        return first;
    whole = new_affine(r, product ? PTOG_AFFINE_PRODUCT : PTOG_AFFINE_SUM);
    if (!whole)
        return NULL;
    whole->first = first;
    last = &first->next;
    do {
        struct ptog_affine *term = product ? read_atom(r) : read_terms(r, true);
        if (!term)
            return NULL;
        term->sign = sign;
        *last = term;
        last = &term->next;
    } while (read_sign(r, product, &sign));
    return whole;
}

static struct ptog_affine *read_sum(struct node_reader *r)
{
    return read_terms(r, false);
}

/* names ::= [name {',' name}] before `close`, added to the parser's list */
static bool read_names(struct node_reader *r, char close, uint32_t *count)
{
    *count = 0;
    if (node_accept(r, close))
        return true;
    do {
        struct ptog_span name = node_name(r);
        ptog_symbol symbol;
        if (name.length == 0 || !ptog_symbol_of(r->p, name.at, name.at + name.length, &symbol) ||
            !ptog_push(r->p, &symbol, sizeof symbol))
            return false;
        ++*count;
    } while (node_accept(r, ','));
    return node_accept(r, close);
}

/* Reads the results of a map, and appends them to it; false where they cannot be read. */
static bool read_results(struct node_reader *r, struct ptog_affine_map *map)
{
    struct ptog_affine **last = &map->result;
    if (!node_arrow(r) || !node_accept(r, '('))
        return false;
    do {
        *last = read_sum(r);
        if (!*last)
            return false;
        last = &(*last)->next;
        map->result_count++;
    } while (node_accept(r, ','));
    return node_accept(r, ')');
}

/* map ::= '(' names ')' ['[' names ']'] '->' '(' sum {',' sum} ')' */
static bool read_map(struct node_reader *r, struct ptog_item *item)
{
    struct ptog_affine_map *map = ptog_arena_alloc(&r->p->tree->arena, sizeof *map);
    size_t from = r->p->lists.used;
    uint32_t names;
    if (!map)
        return ptog_fail_memory(r->p);
    bool good = node_accept(r, '(') && read_names(r, ')', &map->dim_count);
    map->brackets = good && node_accept(r, '[');
    good = good && (!map->brackets || read_names(r, ']', &map->symbol_count));
    if (!good) {
        r->p->lists.used = from;
        return false;
    }
    if (!ptog_take_list(r->p, from, sizeof *map->names, &map->names, &names))
        return false;
    r->map = map;
    if (!read_results(r, map))
        return false;
    item->map = map;
    return true;
}

/* ---- layouts */

/* stride ::= ['-'] digits | '?'; -1 means nothing here */
static bool read_stride(struct node_reader *r, int64_t *stride)
{
    *stride = PTOG_DYN;
    if (node_accept(r, '?'))
        return true;
    bool negative = node_accept(r, '-');
    if (!node_digits(r, stride))
        return false;
    if (negative)
        *stride = -*stride;
    return *stride != PTOG_DYN;
}

/* strides ::= '[' [stride {',' stride}] ']', added to the parser's list */
static bool read_strides(struct node_reader *r)
{
    if (!node_accept(r, '['))
        return false;
    if (node_accept(r, ']'))
        return true;
    do {
        int64_t stride;
        if (!read_stride(r, &stride) || !ptog_push(r->p, &stride, sizeof stride))
            return false;
    } while (node_accept(r, ','));
    return node_accept(r, ']');
}

/* layout ::= strides [',' 'offset' ':' stride] */
static bool read_layout(struct node_reader *r, struct ptog_item *item)
{
    struct ptog_strided *strided = ptog_arena_alloc(&r->p->tree->arena, sizeof *strided);
    size_t from = r->p->lists.used;
    if (!strided)
        return ptog_fail_memory(r->p);
    bool good = read_strides(r);
    strided->has_offset = good && node_accept(r, ',');
    if (good && strided->has_offset)
        good = node_word(r, "offset") && node_accept(r, ':') && read_stride(r, &strided->offset);
    if (!good) {
        r->p->lists.used = from;
        return false;
    }
    item->strided = strided;
    return ptog_take_list(r->p, from, sizeof *strided->strides, &strided->strides, &strided->count);
}

/* ---- records */

/* value ::= digits | name */
static bool read_value(struct node_reader *r, struct ptog_item *value)
{
    bool number = ptog_is(node_peek(r), PTOG_CH_DIGIT);
    int64_t digits;
    value->kind = number ? PTOG_ITEM_INT : PTOG_ITEM_WORD;
    value->span.at = r->at;
    if (number) {
        if (!node_digits(r, &digits))
            return false;
        value->number = (uint64_t)digits;
    } else {
        struct ptog_span name = node_name(r);
        if (name.length == 0 || !ptog_symbol_of(r->p, name.at, name.at + name.length, &value->name))
            return false;
    }
    value->span.length = r->at - value->span.at;
    return true;
}

/* record ::= name '=' value {',' name '=' value} */
static bool read_record(struct node_reader *r, struct ptog_item *item)
{
    size_t from = r->p->lists.used;
    bool good;
    do {
        struct ptog_entry entry = {.key_span = node_name(r)};
        uint32_t key = entry.key_span.at;
        good = entry.key_span.length > 0 && !ptog_is(r->p->source->bytes[key], PTOG_CH_DIGIT) && node_accept(r, '=') &&
               read_value(r, &entry.value) && ptog_symbol_of(r->p, key, key + entry.key_span.length, &entry.key) &&
               ptog_push(r->p, &entry, sizeof entry);
    } while (good && node_accept(r, ','));
    if (good && is_node_end(r))
        return ptog_take_list(r->p, from, sizeof *item->entries, &item->entries, &item->count);
    r->p->lists.used = from;
    return false;
}

/* ---- all of them */

bool ptog_read_node(struct ptog_parser *p, struct ptog_item *item, struct ptog_span inside)
{
    struct node_reader r = {.p = p, .at = inside.at, .end = inside.at + inside.length};
    switch ((enum ptog_item_kind)item->kind) {
    case PTOG_ITEM_MAP: return read_map(&r, item) && is_node_end(&r);
    case PTOG_ITEM_LAYOUT: return read_layout(&r, item) && is_node_end(&r);
    case PTOG_ITEM_RECORD: return read_record(&r, item);
    default: return false;
    }
}
