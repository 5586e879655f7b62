/* asm: what MLIR's loc(...) names: a recursive descent over its text, which follows aliases. */
#include "asm/loc.h"

#include <string.h>

#include "base/origin.h"

#define MAX_DEPTH 64         /* of locations inside locations, aliases included */
#define MAX_ALIAS_TEXT 65536 /* bytes of aliases that are read for one operation, before the last of them */
#define MAX_FILE 4096        /* bytes of a file's name */

/* A line, and those that call it: a file's name as written, without its quotes. */
struct loc_line {
    const char *file;
    size_t length;
    uint32_t line, column, end_column;
};

struct call_chain {
    struct loc_line of[PTOG_MAX_CALLERS + 1];
    uint32_t count;
};

struct loc_reader {
    const struct ptog_tree *tree;
    const char *at, *end;
    unsigned depth;
    size_t alias_text; /* bytes of aliases read so far */
};

static bool read_location(struct loc_reader *r, struct call_chain *chain);

/* ---- tokens */

/* Passes spaces and tabs. */
static void skip_loc_space(struct loc_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

/* Reads these characters after spaces, and advances; false, and only spaces are passed, where others stand there. */
static bool take_token(struct loc_reader *r, const char *word)
{
    size_t length = strlen(word);
    skip_loc_space(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* A string, without its quotes. The lexer has seen that it ends. */
static bool take_string(struct loc_reader *r, const char **text, size_t *length)
{
    if (!take_token(r, "\""))
        return false;
    *text = r->at;
    while (r->at < r->end && *r->at != '"')
        r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
    *length = (size_t)(r->at - *text);
    return take_token(r, "\"");
}

static bool is_digit(const struct loc_reader *r)
{
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

/* Reads a decimal number of up to 31 bits. */
static bool take_number(struct loc_reader *r, uint32_t *number)
{
    uint64_t value = 0;
    skip_loc_space(r);
    if (!is_digit(r))
        return false;
    for (; is_digit(r); r->at++) {
        value = value * 10 + (uint64_t)(*r->at - '0');
        if (value > INT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}

/* The metadata of a fused location, any attribute: up to the bracket that closes it. */
static bool skip_metadata(struct loc_reader *r)
{
    const char *text;
    size_t length;
    for (int depth = 1; depth > 0;) {
        skip_loc_space(r);
        if (r->at == r->end)
            return false;
        if (*r->at == '"') {
            if (!take_string(r, &text, &length))
                return false;
            continue;
        }
        bool arrow = *r->at == '-' && r->end - r->at > 1 && r->at[1] == '>';
        depth += *r->at == '<';
        depth -= *r->at == '>';
        r->at += arrow ? 2 : 1;
    }
    return true;
}

/* ---- locations. A chain that is NULL, or has a line already, is left as it is: the text is only passed. */

static bool is_wanted(const struct call_chain *chain)
{
    return chain && chain->count == 0;
}

/* After the name: [':' line [':' column ['to' [line] ':' column]]] */
static bool read_file(struct loc_reader *r, struct loc_line place, struct call_chain *chain)
{
    uint32_t last_line, last_column = 0;
    if (take_token(r, ":") && !take_number(r, &place.line))
        return false;
    if (place.line > 0 && take_token(r, ":") && !take_number(r, &place.column))
        return false;
    last_line = place.line;
    if (take_token(r, "to")) {
        take_number(r, &last_line);
        if (!take_token(r, ":") || !take_number(r, &last_column))
            return false;
    }
    bool within = last_line == place.line && last_column > place.column;
    place.end_column = within ? last_column : place.column;
    if (is_wanted(chain) && place.line > 0 && place.length > 0 && place.length <= MAX_FILE)
        chain->of[chain->count++] = place;
    return true;
}

/* fused ::= ['<' metadata '>'] '[' location {',' location} ']' */
static bool read_fused(struct loc_reader *r, struct call_chain *chain)
{
    if ((take_token(r, "<") && !skip_metadata(r)) || !take_token(r, "["))
        return false;
    if (take_token(r, "]"))
        return true;
    do {
        if (!read_location(r, is_wanted(chain) ? chain : NULL))
            return false;
    } while (take_token(r, ","));
    return take_token(r, "]");
}

/* callsite ::= '(' location 'at' location ')' */
static bool read_callsite(struct loc_reader *r, struct call_chain *chain)
{
    struct call_chain callers = {.count = 0};
    bool wanted = is_wanted(chain);
    if (!take_token(r, "(") || !read_location(r, chain) || !take_token(r, "at") ||
        !read_location(r, wanted ? &callers : NULL) || !take_token(r, ")"))
        return false;
    for (uint32_t i = 0; wanted && i < callers.count && chain->count <= PTOG_MAX_CALLERS; i++)
        chain->of[chain->count++] = callers.of[i];
    return true;
}

/* What `name = loc(...)` gives; 0: there is no such name. */
static ptog_symbol find_alias(const struct ptog_tree *tree, const char *name, size_t length)
{
    const struct ptog_index *index = &tree->loc_names;
    uint32_t hash = ptog_hash_bytes(name, length);
    for (const struct ptog_index_slot *s = ptog_index_first(index, hash); s; s = ptog_index_next(index, s)) {
        const char *text = ptog_tree_text(tree, s->number);
        if (strncmp(text, name, length) == 0 && text[length] && strchr(" \t=", text[length]))
            return s->number;
    }
    return 0;
}

/* Reads a location that is all of the text. */
static bool read_whole(struct loc_reader *r, struct call_chain *chain)
{
    return take_token(r, "loc") && take_token(r, "(") && read_location(r, chain) && take_token(r, ")");
}

/* An alias that leads in a circle, or to more text than anybody writes, names no line. */
static bool read_alias(struct loc_reader *r, struct call_chain *chain)
{
    const char *name = r->at;
    while (r->at < r->end && !strchr(" \t,)]", *r->at))
        r->at++;
    bool followed = is_wanted(chain) && r->depth < MAX_DEPTH && r->alias_text < MAX_ALIAS_TEXT;
    ptog_symbol alias = followed ? find_alias(r->tree, name, (size_t)(r->at - name)) : 0;
    if (!alias)
        return true;
    struct loc_reader there = *r;
    const char *text = ptog_tree_text(r->tree, alias);
    size_t length = ptog_symbol_length(&r->tree->symbols, alias);
    there.alias_text += length;
    there.end = text + length;
    there.at = text + strcspn(text, "=") + 1;
    if (!read_whole(&there, chain))
        chain->count = 0;
    r->alias_text = there.alias_text;
    return true;
}

/* Reads a location of any kind, and appends the lines of its call chain. */
static bool read_any(struct loc_reader *r, struct call_chain *chain)
{
    struct loc_line place = {0};
    if (take_string(r, &place.file, &place.length)) {
        if (take_token(r, "("))
            return read_location(r, chain) && take_token(r, ")");
        return read_file(r, place, chain);
    }
    if (take_token(r, "fused"))
        return read_fused(r, chain);
    if (take_token(r, "callsite"))
        return read_callsite(r, chain);
    if (take_token(r, "#"))
        return read_alias(r, chain);
    return take_token(r, "unknown");
}

/* Reads a location; false where it is none, or nested too deeply. */
static bool read_location(struct loc_reader *r, struct call_chain *chain)
{
    if (r->depth >= MAX_DEPTH)
        return false;
    r->depth++;
    bool good = read_any(r, chain);
    r->depth--;
    return good;
}

/* ---- the origin */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

/* A name without MLIR's escapes: \\, \" and \22. Returns its length; 0: control characters are no part of a name that
 * is shown on a terminal. */
static size_t unescape(const struct loc_line *line, char *name)
{
    size_t length = 0;
    for (size_t i = 0; i < line->length; i++) {
        char c = line->file[i];
        if (c == '\\' && i + 2 < line->length && hex_digit(line->file[i + 1]) >= 0 &&
            hex_digit(line->file[i + 2]) >= 0) {
            c = (char)(hex_digit(line->file[i + 1]) * 16 + hex_digit(line->file[i + 2]));
            i += 2;
        } else if (c == '\\' && i + 1 < line->length) {
            c = line->file[++i];
            if (c == 'n' || c == 't')
                return 0;
        }
        if ((unsigned char)c < ' ' || c == 0x7f)
            return 0;
        name[length++] = c;
    }
    name[length] = '\0';
    return length;
}

bool ptog_loc_origin(const struct ptog_tree *tree, ptog_symbol loc, struct ptog_arena *arena,
                     const struct ptog_where **origin)
{
    char name[MAX_FILE + 1];
    struct call_chain chain = {.count = 0};
    *origin = NULL;
    if (loc == 0)
        return true;
    const char *text = ptog_tree_text(tree, loc);
    struct loc_reader r = {.tree = tree, .at = text, .end = text + ptog_symbol_length(&tree->symbols, loc)};
    if (!read_whole(&r, &chain))
        return true;
    for (uint32_t i = 0; i < chain.count; i++) {
        const struct loc_line *line = &chain.of[i];
        size_t length = unescape(line, name);
        if (length == 0)
            return true;
        struct ptog_where *where = ptog_arena_alloc(arena, sizeof *where);
        char *file = ptog_arena_copy(arena, name, length);
        if (!where || !file)
            return false;
        *where = (struct ptog_where){
            .file = file, .line = line->line, .column = line->column, .end_column = line->end_column};
        *origin = where;
        origin = &where->origin;
    }
    return true;
}

bool ptog_loc_note_alias(struct ptog_tree *tree, ptog_symbol comment)
{
    const char *text = ptog_tree_text(tree, comment);
    size_t length = strcspn(text, " \t=");
    const char *value = text + length + strspn(text + length, " \t");
    if (length == 0 || *value != '=')
        return true;
    value++;
    value += strspn(value, " \t");
    if (strncmp(value, "loc(", 4) != 0)
        return true;
    return find_alias(tree, text, length) || ptog_index_add(&tree->loc_names, ptog_hash_bytes(text, length), comment);
}
