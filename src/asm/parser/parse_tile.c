/* asm: the types of tiles, all spellings with one production. */
#include "asm/parser/parse_tile.h"

#include <stdio.h>
#include <string.h>

#include <ptog/tile.h>

#include "base/pick.h"

static const struct {
    const char *key;
    int64_t value;
} fields[PTOG_FIELD_COUNT] = {
#define TILE_FIELD(FIELD, key, value) [PTOG_FIELD_##FIELD] = {key, value},
#include "spec/types.def"
};

static const struct {
    enum ptog_tile_field field;
    int64_t value;
    const char *word;
} words[] = {
#define TILE_WORD(FIELD, value, word) {PTOG_FIELD_##FIELD, value, word},
#include "spec/types.def"
};

/* Where values without a key go, one after another. */
static const enum ptog_tile_field positions[] = {PTOG_FIELD_LOC,     PTOG_FIELD_DTYPE,   PTOG_FIELD_ROWS,
                                                 PTOG_FIELD_COLS,    PTOG_FIELD_BLAYOUT, PTOG_FIELD_SLAYOUT,
                                                 PTOG_FIELD_FRACTAL, PTOG_FIELD_PAD};
#define POSITION_COUNT (sizeof positions / sizeof positions[0])

/* Whether the bytes of a span are this text. */
bool ptog_tile_text_is(struct ptog_parser *p, struct ptog_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(p->source->bytes + span.at, text, span.length) == 0;
}

const char *ptog_tile_key(int field)
{
    return fields[field].key;
}

/* Notes that a field of the tile's type is written; false, with a report, if it was before. */
static bool note_field(struct ptog_tile_reader *r, enum ptog_tile_field field, struct ptog_span span)
{
    if (r->given & 1u << field)
        return ptog_fail(r->p, PTOG_ID_DUPLICATE, span, "'%s' is given twice", fields[field].key);
    r->given |= 1u << field;
    return true;
}

/* ---- one value */

/* The value that a word stands for in a field of a tile's type; NULL: it is no word of that field. */
static const int64_t *find_word(struct ptog_tile_reader *r, enum ptog_tile_field field, struct ptog_span span)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].field == field && ptog_tile_text_is(r->p, span, words[i].word))
            return &words[i].value;
    return NULL;
}

/* A manual writes the names of the fields for what it does not say: <loc, dtype, rows, ...>, v_row=rows. */
static bool is_field_name(struct ptog_tile_reader *r, struct ptog_span span)
{
    for (int f = 0; f < PTOG_FIELD_COUNT; f++)
        if (f != PTOG_FIELD_DTYPE && ptog_tile_text_is(r->p, span, fields[f].key))
            return true;
    return false;
}

/* The first word of a value is its usual spelling. */
static bool is_usual(size_t word)
{
    for (size_t i = 0; i < word; i++)
        if (words[i].field == words[word].field && words[i].value == words[word].value)
            return false;
    return true;
}

/* Nothing near: all that are spelled the usual way. Of the other fields the words are not the usual spelling. */
static bool fail_word(struct ptog_tile_reader *r, enum ptog_tile_field field, struct ptog_span span)
{
    if (field != PTOG_FIELD_LOC && field != PTOG_FIELD_BLAYOUT && field != PTOG_FIELD_SLAYOUT)
        return ptog_fail_unknown(r->p, span, fields[field].key, NULL);
    char quote[PTOG_QUOTE_SIZE], list[160] = "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].field == field && is_usual(i))
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", ptog_when(list[0], ", "), words[i].word);
    return ptog_fail(r->p, PTOG_ID_UNKNOWN_WORD, span, "unknown %s %s, expected one of %s", fields[field].key,
                     ptog_quote(quote, r->p->source, span), list);
}

/* word ::= a word of the field | the name of a field, as a placeholder */
static bool read_word(struct ptog_tile_reader *r, enum ptog_tile_field field, struct ptog_span span)
{
    struct ptog_extent *extent = &r->type->field[field];
    const int64_t *value = find_word(r, field, span);
    extent->inside = (struct ptog_span){span.at - r->start, span.length};
    if (value) {
        extent->value = *value;
        return true;
    }
    if (is_field_name(r, span)) {
        extent->value = PTOG_DYN;
        return ptog_symbol_of(r->p, span.at, span.at + span.length, &extent->name);
    }
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, r->p->source->bytes + span.at, span.length);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].field == field && words[i].word[0] >= 'a')
            ptog_nearest_offer(&nearest, words[i].word);
    if (nearest.best)
        return ptog_fail_unknown(r->p, span, fields[field].key, nearest.best);
    return fail_word(r, field, span);
}

/* value ::= extent | word | element for dtype */
bool ptog_tile_value(struct ptog_tile_reader *r, enum ptog_tile_field field)
{
    char c = ptog_type_peek(r->p);
    uint32_t at = r->p->lexer.at;
    if (field == PTOG_FIELD_DTYPE)
        return ptog_type_element(r->p, r->type, r->start) &&
               note_field(r, field, (struct ptog_span){at, r->p->lexer.at - at});
    if (c == '?' || c == '-' || ptog_is(c, PTOG_CH_DIGIT))
        return ptog_type_extent(r->p, r->start, &r->type->field[field]) &&
               note_field(r, field, (struct ptog_span){at, r->p->lexer.at - at});
    struct ptog_span span = ptog_type_word(r->p);
    if (span.length == 0)
        return ptog_type_fail(r->p, "a value");
    bool extent = field >= PTOG_FIELD_ROWS && field <= PTOG_FIELD_V_COL;
    if (extent && r->p->source->bytes[at] >= 'A' && r->p->source->bytes[at] <= 'Z') {
        r->p->lexer.at = at;
        return ptog_type_extent(r->p, r->start, &r->type->field[field]) && note_field(r, field, span);
    }
    return note_field(r, field, span) && read_word(r, field, span);
}

/* ---- one argument */

/* shape ::= extent 'x' extent 'x' element */
static bool read_shape(struct ptog_tile_reader *r)
{
    uint32_t at = r->p->lexer.at;
    if (!ptog_type_shape(r->p, r->type, r->start))
        return false;
    struct ptog_span span = {at, r->p->lexer.at - at};
    if (r->type->rank != 2)
        return ptog_fail(r->p, PTOG_ID_TYPE, span, "a tile has 2 dimensions, not %u", r->type->rank);
    r->type->field[PTOG_FIELD_ROWS] = r->type->dims[0];
    r->type->field[PTOG_FIELD_COLS] = r->type->dims[1];
    r->type->dims = NULL;
    r->type->rank = 0;
    r->shape = true;
    r->position = POSITION_COUNT;
    return note_field(r, PTOG_FIELD_ROWS, span) && note_field(r, PTOG_FIELD_COLS, span) &&
           note_field(r, PTOG_FIELD_DTYPE, span);
}

/* valid ::= 'valid' '=' extent 'x' extent */
static bool read_valid(struct ptog_tile_reader *r, struct ptog_span key)
{
    struct ptog_extent *row = &r->type->field[PTOG_FIELD_V_ROW], *col = &r->type->field[PTOG_FIELD_V_COL];
    if (!note_field(r, PTOG_FIELD_V_ROW, key) || !note_field(r, PTOG_FIELD_V_COL, key) ||
        !ptog_type_extent(r->p, r->start, row))
        return false;
    if (!ptog_type_accept(r->p, 'x'))
        return ptog_type_fail(r->p, "'x'");
    return ptog_type_extent(r->p, r->start, col);
}

/* count ::= 'count' '=' digits, of a multi_tile_buf */
static bool read_count(struct ptog_tile_reader *r, struct ptog_span key)
{
    struct ptog_extent extent;
    if (r->type->slots != 0)
        return ptog_fail(r->p, PTOG_ID_DUPLICATE, key, "'count' is given twice");
    if (!ptog_type_extent(r->p, r->start, &extent))
        return false;
    if (extent.name != 0 || extent.value < 2 || extent.value > 16)
        return ptog_fail(r->p, PTOG_ID_TYPE, key, "the count of a multi_tile_buf must be between 2 and 16");
    r->type->slots = extent.value;
    return true;
}

/* keyed ::= key '=' value;  key ::= the name of a field | 'valid' | 'count' | 'memory_space' | 'config' */
static bool read_keyed(struct ptog_tile_reader *r, struct ptog_span key)
{
    if (ptog_tile_text_is(r->p, key, "valid"))
        return read_valid(r, key);
    if (ptog_tile_text_is(r->p, key, "count") && r->type->kind == PTOG_TYPE_MULTI_TILE_BUF)
        return read_count(r, key);
    if (ptog_tile_text_is(r->p, key, "memory_space") || ptog_tile_text_is(r->p, key, "config"))
        return ptog_tile_old(r);
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, r->p->source->bytes + key.at, key.length);
    for (int f = 0; f < PTOG_FIELD_COUNT; f++) {
        if (ptog_tile_text_is(r->p, key, fields[f].key)) {
            if (r->given & 1u << f)
                return note_field(r, (enum ptog_tile_field)f, key);
            r->by_key |= 1u << f;
            return ptog_tile_value(r, (enum ptog_tile_field)f);
        }
        ptog_nearest_offer(&nearest, fields[f].key);
    }
    ptog_nearest_offer(&nearest, "valid");
    return ptog_fail_unknown(r->p, key, "key", nearest.best);
}

/* VEC is no placeholder for an element. */
static bool is_loud_word(enum ptog_tile_field field, const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t same = 0;
        while (words[i].field == field && same < length && (text[same] | 0x20) == (words[i].word[same] | 0x20))
            same++;
        if (same == length && words[i].word[same] == '\0')
            return true;
    }
    return false;
}

/* A tile may leave its location out: <f32, 16, 16>. */
static bool starts_with_element(struct ptog_tile_reader *r, struct ptog_span word)
{
    const char *text = r->p->source->bytes + word.at;
    if (word.length == 0)
        return ptog_type_peek(r->p) == '!';
    if (find_word(r, PTOG_FIELD_LOC, word) || is_loud_word(PTOG_FIELD_LOC, text, word.length))
        return false;
    return (text[0] >= 'A' && text[0] <= 'Z') || ptog_is_scalar(text, word.length) ||
           ptog_tile_text_is(r->p, word, fields[PTOG_FIELD_DTYPE].key);
}

/* Reads a field by its position in the type; LOC may be left out. */
static bool read_positional(struct ptog_tile_reader *r, struct ptog_span word)
{
    while (r->position < POSITION_COUNT && r->by_key & 1u << positions[r->position])
        r->position++;
    if (r->position >= POSITION_COUNT)
        return ptog_type_fail(r->p, "key=value");
    if (positions[r->position] == PTOG_FIELD_LOC && starts_with_element(r, word)) {
        r->type->loc = 2;
        r->position++;
    }
    return ptog_tile_value(r, positions[r->position++]);
}

/* argument ::= shape | keyed | value */
static bool read_argument(struct ptog_tile_reader *r)
{
    bool old = ptog_type_peek(r->p) == '#';
    if (old)
        return ptog_tile_old(r);
    if (ptog_type_at_shape(r->p))
        return read_shape(r);
    struct ptog_span word = ptog_type_word(r->p);
    if (ptog_tile_text_is(r->p, word, "strided")) {
        r->p->lexer.at = word.at;
        return ptog_tile_old(r);
    }
    if (word.length > 0 && ptog_is(r->p->source->bytes[word.at], PTOG_CH_LETTER) && ptog_type_accept(r->p, '='))
        return read_keyed(r, word);
    r->p->lexer.at = word.at;
    return read_positional(r, word);
}

/* ---- all of them */

/* The style in which a tile's type was written, by which fields were given and how; it is printed so. */
static enum ptog_type_style style_of(const struct ptog_tile_reader *r)
{
    uint32_t shape = 1u << PTOG_FIELD_ROWS | 1u << PTOG_FIELD_COLS | 1u << PTOG_FIELD_DTYPE;
    uint32_t not_positional = 1u << PTOG_FIELD_V_ROW | 1u << PTOG_FIELD_V_COL | 1u << PTOG_FIELD_COMPACT;
    if (r->shape)
        return r->given == shape && r->type->kind == PTOG_TYPE_TILE ? PTOG_STYLE_DIMS : PTOG_STYLE_SHORT;
    if (r->by_key & shape || r->given & not_positional)
        return PTOG_STYLE_LONG;
    return PTOG_STYLE_POSITIONAL;
}

/* Sets the fields that are not written, and notes in which style the type is. */
static void fill_defaults(struct ptog_tile_reader *r)
{
    struct ptog_extent *field = r->type->field;
    for (int f = 0; f < PTOG_FIELD_COUNT; f++)
        if (!(r->given & 1u << f))
            field[f].value = fields[f].value;
    if (!(r->given & 1u << PTOG_FIELD_V_ROW))
        field[PTOG_FIELD_V_ROW] = field[PTOG_FIELD_ROWS];
    if (!(r->given & 1u << PTOG_FIELD_V_COL))
        field[PTOG_FIELD_V_COL] = field[PTOG_FIELD_COLS];
    for (size_t i = 0; i < POSITION_COUNT; i++)
        if (r->given & 1u << positions[i])
            r->type->positions = (uint8_t)(i + 1);
    if (r->by_key & 1u << PTOG_FIELD_LOC)
        r->type->loc = 1;
    r->type->style = style_of(r);
    if (r->type->style != PTOG_STYLE_POSITIONAL)
        r->type->loc = r->type->positions = 0;
}

/* arguments ::= argument {',' argument} '>' */
static bool read_arguments(struct ptog_tile_reader *r)
{
    do {
        if (!read_argument(r))
            return false;
    } while (ptog_type_accept(r->p, ','));
    return ptog_type_accept(r->p, '>') || ptog_type_fail(r->p, "',' or '>'");
}

/* multi ::= '<' '!pto.tile_buf<' arguments ',' 'count' '=' digits '>' | '<' arguments */
static bool read_multi(struct ptog_tile_reader *r)
{
    if (ptog_type_peek(r->p) == '!') {
        r->p->lexer.at++;
        if (!ptog_tile_text_is(r->p, ptog_type_word(r->p), "pto.tile_buf") || !ptog_type_accept(r->p, '<'))
            return ptog_type_fail(r->p, "'!pto.tile_buf<'");
        if (!read_arguments(r))
            return false;
        if (!ptog_type_accept(r->p, ','))
            return ptog_type_fail(r->p, "','");
        r->position = POSITION_COUNT;
    }
    if (!read_arguments(r))
        return false;
    return r->type->slots != 0 || ptog_fail(r->p, PTOG_ID_TYPE, (struct ptog_span){r->start, r->p->lexer.at - r->start},
                                            "the multi_tile_buf type has no count");
}

/* tile ::= '<' arguments */
bool ptog_parse_tile(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    struct ptog_tile_reader r = {.p = p, .type = type, .start = start};
    if (!(type->kind == PTOG_TYPE_MULTI_TILE_BUF ? read_multi(&r) : read_arguments(&r)))
        return false;
    static const enum ptog_tile_field needed[] = {PTOG_FIELD_DTYPE, PTOG_FIELD_ROWS, PTOG_FIELD_COLS};
    for (size_t i = 0; i < 3; i++)
        if (!(r.given & 1u << needed[i]))
            return ptog_fail(p, PTOG_ID_TYPE, (struct ptog_span){start, p->lexer.at - start}, "the tile type has no %s",
                             fields[needed[i]].key);
    fill_defaults(&r);
    return true;
}
