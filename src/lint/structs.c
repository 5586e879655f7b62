/* lint: types of structs and local arrays, read from their text in one pass without recursion. */
#include "lint/structs.h"

#include <string.h>

#define MOST_READ 1000u /* bytes of a type: a name for it (!t = ...) lets many operations share a long one */

#define STRUCT "!pto.struct"
#define ARRAY "!pto.local_array"

/* ---- characters */

struct cursor {
    const char *at;
    size_t left;
};

/* '\0' where nothing more is known: at the end, and at a comment. */
static char peek(const struct cursor *c)
{
    if (c->left == 0 || *c->at == '/')
        return '\0';
    return *c->at;
}

static void step(struct cursor *c)
{
    c->at++;
    c->left--;
}

static char after_spaces(struct cursor *c)
{
    while (peek(c) == ' ' || peek(c) == '\t')
        step(c);
    return peek(c);
}

/* What stands between brackets and commas. */
static struct ptog_leaf take_word(struct cursor *c)
{
    after_spaces(c);
    struct ptog_leaf word = {.name = c->at};
    for (char next = peek(c); next != '\0' && !strchr("<>, \t", next); next = peek(c))
        step(c);
    word.length = (size_t)(c->at - word.name);
    return word;
}

static bool is_word(const struct ptog_leaf *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->name, text, word->length) == 0;
}

/* !t: a name that the text gives a type. */
static bool is_alias(const struct ptog_leaf *word)
{
    return word->length > 0 && word->name[0] == '!' && !memchr(word->name, '.', word->length);
}

static bool is_storable_number(const struct ptog_leaf *word)
{
    static const char *const names[] = {"f16", "bf16", "f32",  "f64",  "i8",  "i16",  "i32",  "i64",
                                        "si8", "si16", "si32", "si64", "ui8", "ui16", "ui32", "ui64"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_word(word, names[i]))
            return true;
    return false;
}

static struct cursor open_type(const struct ptog_tree *tree, const struct ptog_type *type)
{
    if (type && type->kind == PTOG_TYPE_RAW)
        return (struct cursor){ptog_tree_text(tree, type->text), MOST_READ};
    return (struct cursor){"", 0};
}

/* Goes behind `name<`. */
static bool enter(struct cursor *c, const char *name)
{
    struct cursor inner = *c;
    struct ptog_leaf word = take_word(&inner);
    if (!is_word(&word, name) || after_spaces(&inner) != '<')
        return false;
    step(&inner);
    *c = inner;
    return true;
}

/* ---- structs */

bool ptog_type_is_struct(const struct ptog_tree *tree, const struct ptog_type *type)
{
    struct cursor c = open_type(tree, type);
    return enter(&c, STRUCT);
}

bool ptog_struct_is_storable(const struct ptog_tree *tree, const struct ptog_type *type)
{
    struct cursor c = open_type(tree, type);
    uint32_t depth = 0;
    bool closed = false; /* a struct inside has just ended, and is the field */
    if (!ptog_type_is_struct(tree, type))
        return true;
    do {
        struct ptog_leaf word = take_word(&c);
        char next = after_spaces(&c);
        if (next == '\0')
            return true;
        step(&c);
        if (next == '<') {
            if (!is_word(&word, STRUCT))
                return false;
            depth++;
            closed = false;
        } else {
            if (!closed && !is_storable_number(&word) && !is_alias(&word))
                return false;
            closed = next == '>';
            depth -= closed;
        }
    } while (depth > 0);
    return true;
}

/* How much deeper a character leads into brackets; the '>' of an arrow is none. */
static int depth_of(char next, char before)
{
    switch (next) {
    case '<':
    case '(':
    case '[':
    case '{': return 1;
    case ')':
    case ']':
    case '}': return -1;
    case '>': return -(before != '-');
    default: return 0;
    }
}

/* Goes behind the comma after a field; false at the end of the struct, or of what is known. */
static bool skip_field(struct cursor *c)
{
    int depth = 0;
    char before = ' ';
    for (char next = peek(c); next != '\0'; next = peek(c)) {
        int deeper = depth_of(next, before);
        if (depth + deeper < 0)
            return false;
        step(c);
        if (depth == 0 && next == ',')
            return true;
        depth += deeper;
        before = next;
    }
    return false;
}

static struct ptog_leaf leaf_at(struct cursor *c)
{
    struct ptog_leaf word = take_word(c);
    if (is_alias(&word) || after_spaces(c) == '\0')
        return (struct ptog_leaf){PTOG_LEAF_UNKNOWN, NULL, 0};
    word.kind = PTOG_LEAF_NUMBER;
    if (word.length == 0)
        word.kind = PTOG_LEAF_NONE;
    else if (word.name[0] == '!' || peek(c) == '<')
        word.kind = PTOG_LEAF_OTHER;
    return word;
}

/* Goes to a field; false when there is none, or nothing is known of it. */
static bool go_to(struct cursor *c, const struct ptog_item *number)
{
    if (number->negative || !enter(c, STRUCT))
        return false;
    for (uint64_t i = 0; i < number->number; i++)
        if (!skip_field(c))
            return false;
    return after_spaces(c) != '>';
}

struct ptog_leaf ptog_struct_follow(const struct ptog_tree *tree, const struct ptog_type *type,
                                    const struct ptog_item *item)
{
    struct cursor c = open_type(tree, type);
    struct ptog_leaf unknown = {PTOG_LEAF_UNKNOWN, NULL, 0}, none = {PTOG_LEAF_NONE, NULL, 0};
    if (!ptog_type_is_struct(tree, type) || !item->called)
        return unknown;
    for (uint32_t i = 0; i < item->count; i++) {
        struct cursor from = c;
        if (item->items[i].kind != PTOG_ITEM_INT)
            return unknown;
        if (go_to(&c, &item->items[i]))
            continue;
        if (leaf_at(&from).kind == PTOG_LEAF_UNKNOWN || after_spaces(&c) == '\0')
            return unknown;
        return none;
    }
    if (item->count == 0)
        return none;
    return leaf_at(&c);
}

/* ---- local arrays */

struct ptog_leaf ptog_array_elements(const struct ptog_tree *tree, const struct ptog_type *type, uint32_t *rank)
{
    struct cursor c = open_type(tree, type);
    *rank = 0;
    if (!enter(&c, ARRAY))
        return (struct ptog_leaf){PTOG_LEAF_UNKNOWN, NULL, 0};
    while (after_spaces(&c) >= '0' && peek(&c) <= '9') {
        while (peek(&c) >= '0' && peek(&c) <= '9')
            step(&c);
        if (after_spaces(&c) != 'x')
            return (struct ptog_leaf){PTOG_LEAF_UNKNOWN, NULL, 0};
        step(&c);
        (*rank)++;
    }
    return leaf_at(&c);
}

bool ptog_leaf_differs(const struct ptog_tree *tree, const struct ptog_leaf *leaf, const struct ptog_type *type)
{
    if (leaf->kind != PTOG_LEAF_NUMBER || !type || type->kind == PTOG_TYPE_NONE)
        return false;
    return type->kind != PTOG_TYPE_SCALAR || !is_word(leaf, ptog_tree_text(tree, type->element.name));
}
