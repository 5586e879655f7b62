/* program: affine.apply. Its map is text, kept as it was written: affine_map<(d0, d1)[s0] -> (d0 * 16 + s0)>.
 *
 *   map  ::= 'affine_map' '<' '(' names ')' ['[' names ']'] '->' '(' sum ')' '>'
 *   sum  ::= term {('+' | '-') term}
 *   term ::= atom {('*' | 'floordiv' | 'ceildiv' | 'mod') atom}
 *   atom ::= number | name | '-' atom | '(' sum ')' */
#include <stdlib.h>
#include <string.h>

#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"

#define MOST_NAMES 16u
#define MOST_DEPTH 64

struct map {
    const char *at;
    struct {
        const char *text;
        size_t length;
        struct ptog_number value;
    } names[MOST_NAMES];
    uint32_t count, dims;
    int depth;
    bool wrong; /* not a map that can be read, or divided by zero */
};

static void skip_space(struct map *map)
{
    while (*map->at == ' ' || *map->at == '\t')
        map->at++;
}

static bool accept(struct map *map, const char *word)
{
    skip_space(map);
    size_t length = strlen(word);
    if (strncmp(map->at, word, length) != 0)
        return false;
    map->at += length;
    return true;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---- values */

static struct ptog_number sum(struct map *map);

static struct ptog_number find_name(struct map *map, const char *text, size_t length)
{
    for (uint32_t i = 0; i < map->count; i++)
        if (map->names[i].length == length && memcmp(map->names[i].text, text, length) == 0)
            return map->names[i].value;
    map->wrong = true;
    return (struct ptog_number){0, false};
}

static struct ptog_number atom(struct map *map)
{
    struct ptog_number value = {0, false};
    map->wrong = map->wrong || ++map->depth > MOST_DEPTH;
    if (map->wrong)
        return value;
    if (accept(map, "(")) {
        value = sum(map);
        map->wrong = map->wrong || !accept(map, ")");
    } else if (accept(map, "-")) {
        value = atom(map);
        value.value = (int64_t)(0 - (uint64_t)value.value);
    } else {
        const char *from = map->at;
        while (is_name(*map->at))
            map->at++;
        if (*from >= '0' && *from <= '9')
            value = (struct ptog_number){strtoll(from, NULL, 10), true};
        else
            value = find_name(map, from, (size_t)(map->at - from));
    }
    map->depth--;
    return value;
}

/* The divisor is positive, as affine maps ask. */
static int64_t divide(int64_t a, int64_t b, char how)
{
    int64_t quotient = a / b, rest = a % b;
    if (how == 'f')
        return quotient - (rest < 0);
    if (how == 'c')
        return quotient + (rest > 0);
    if (rest < 0)
        return rest + b;
    return rest;
}

static struct ptog_number term(struct map *map)
{
    struct ptog_number value = atom(map);
    while (!map->wrong) {
        char how;
        if (accept(map, "*"))
            how = '*';
        else if (accept(map, "floordiv"))
            how = 'f';
        else if (accept(map, "ceildiv"))
            how = 'c';
        else if (accept(map, "mod"))
            how = 'm';
        else
            break;
        struct ptog_number other = atom(map);
        bool known = value.known && other.known;
        map->wrong = map->wrong || (how != '*' && other.known && other.value <= 0);
        if (known && !map->wrong && how == '*')
            value.value = (int64_t)((uint64_t)value.value * (uint64_t)other.value);
        else if (known && !map->wrong)
            value.value = divide(value.value, other.value, how);
        value.known = known;
    }
    return value;
}

static struct ptog_number sum(struct map *map)
{
    struct ptog_number value = term(map);
    while (!map->wrong) {
        skip_space(map);
        bool minus = map->at[0] == '-' && map->at[1] != '>';
        if (!minus && map->at[0] != '+')
            break;
        map->at++;
        struct ptog_number other = term(map);
        uint64_t right = minus ? 0 - (uint64_t)other.value : (uint64_t)other.value;
        value.value = (int64_t)((uint64_t)value.value + right);
        value.known = value.known && other.known;
    }
    return value;
}

/* ---- the map */

static bool read_names(struct map *map, const char *close)
{
    if (accept(map, close))
        return true;
    do {
        skip_space(map);
        const char *from = map->at;
        while (is_name(*map->at))
            map->at++;
        if (map->at == from || map->count == MOST_NAMES)
            return false;
        map->names[map->count].text = from;
        map->names[map->count++].length = (size_t)(map->at - from);
    } while (accept(map, ","));
    return accept(map, close);
}

static bool read_head(struct map *map)
{
    if (!accept(map, "affine_map") || !accept(map, "<") || !accept(map, "(") || !read_names(map, ")"))
        return false;
    map->dims = map->count;
    return !accept(map, "[") || read_names(map, "]");
}

/* ---- the operation */

static uint32_t count_of(const struct ptog_part *part)
{
    if (part)
        return part->count;
    return 0;
}

/* The operands are the values of the names from number `from` on. */
static bool use_operands(struct ptog_eval *e, struct map *map, const struct ptog_part *part, uint32_t from)
{
    bool good = true;
    for (uint32_t i = 0; i < count_of(part); i++)
        good = ptog_use_number(e, &part->items[i], NULL, &map->names[from + i].value) && good;
    return good;
}

void ptog_eval_affine(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *text = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    const struct ptog_part *dims = ptog_op_part(op, PTOG_PART_PARENS, 0),
                           *symbols = ptog_op_part(op, PTOG_PART_LIST, 0);
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = 64};
    struct map map = {0};
    if (!ptog_want_results(e, op, 1))
        return;
    if (!text || text->count != 1 || text->items[0].kind != PTOG_ITEM_RAW) {
        ptog_refuse(e, "text-operands", op->name_span,
                    "'affine.apply' needs a map such as affine_map<(d0) -> (d0 * 2)>");
        ptog_define_any(e, op);
        return;
    }
    map.at = ptog_tree_text(e->tree, text->items[0].name);
    map.wrong = !read_head(&map) || !accept(&map, "->") || !accept(&map, "(");
    if (!map.wrong && (count_of(dims) != map.dims || count_of(symbols) != map.count - map.dims)) {
        ptog_refuse(e, "text-operands", op->name_span,
                    "the map has a different number of dimensions or symbols than there are operands");
    } else if (!map.wrong && use_operands(e, &map, dims, 0) && use_operands(e, &map, symbols, map.dims)) {
        value.number = sum(&map);
        map.wrong = map.wrong || !accept(&map, ")") || !accept(&map, ">");
    }
    if (map.wrong) {
        ptog_refuse(e, "text-operand", text->items[0].span,
                    "the map must be a single expression of + - * floordiv ceildiv mod");
        value.number.known = false;
    }
    e->stopped = e->stopped || (e->running && !value.number.known);
    ptog_define_result(e, op, 0, &value);
}
