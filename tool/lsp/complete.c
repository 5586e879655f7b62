/* tool/lsp: completion. What is offered follows from the tokens before the cursor:
 *
 *     %i|                                      values that are visible here
 *     pto.mg|   %x = pto.al|                   operations
 *     ... {coal|                               attributes of the operation
 *     ... {coalesce = |                        values of the attribute
 *     pto.set_flag[<PI|                        pipes and event ids */
#include <string.h>

#include "server.h"
#include "tool.h"

enum { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_PROPERTY = 10, ITEM_KEYWORD = 14, ITEM_ENUM = 20 };

/* Where the cursor is. */
struct completion_place {
    const struct lsp_text *text;
    const struct lsp_names *names;
    struct lsp_span word; /* what is being typed: a completion replaces it */
    uint32_t before;      /* the token before that word; LSP_NONE: none */
    bool starts_line;     /* nothing stands before the word on its line */
    size_t offset;
};

/* Writes one completion, which replaces the word at hand. */
static void put_item(struct lsp_writer *writer, const struct completion_place *place, unsigned kind, const char *label,
                     const char *detail)
{
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "label", label);
    lsp_put_number(writer, "kind", kind);
    if (detail)
        lsp_put_member(writer, "detail", detail);
    lsp_put_key(writer, "textEdit");
    lsp_put_open(writer, '{');
    lsp_put_range(writer, place->text, place->word);
    lsp_put_member(writer, "newText", label);
    lsp_put_close(writer, '}');
    lsp_put_close(writer, '}');
}

/* ---- where the cursor is ---- */

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$' || c == '%' || c == '#' || c == '@';
}

/* Finds out where in the text the cursor is: the word it is in, whether that starts its line, and the token before it.
 */
static struct completion_place find_place(const struct lsp_names *names, const struct lsp_text *text, size_t offset)
{
    struct completion_place place = {.text = text, .names = names, .word = {offset, offset}, .before = LSP_NONE};
    struct lsp_span line = lsp_text_line_span(text, offset);
    while (place.word.at > line.at && is_word_byte(text->bytes[place.word.at - 1]))
        place.word.at--;
    size_t blanks = line.at;
    while (blanks < place.word.at && (text->bytes[blanks] == ' ' || text->bytes[blanks] == '\t'))
        blanks++;
    place.starts_line = blanks == place.word.at;
    place.offset = offset;
    size_t low = 0, high = names->count;
    while (low < high) { /* the first token that starts at the word or later */
        size_t middle = low + (high - low) / 2;
        if (names->tokens[middle].at < place.word.at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        place.before = (uint32_t)low - 1;
    return place;
}

static char punctuation_of(const struct completion_place *place, uint32_t token)
{
    return token == LSP_NONE ? '\0' : place->names->tokens[token].punctuation;
}

/* The operation of the statement before the cursor, as text; empty: there is none. */
static void operation_before(const struct completion_place *place, char *name, size_t size)
{
    name[0] = '\0';
    if (place->before == LSP_NONE || place->starts_line)
        return;
    uint32_t first = lsp_names_statement(place->names, place->before);
    uint32_t token = lsp_names_operation(place->names, place->text, first);
    if (token == LSP_NONE || token > place->before)
        return;
    size_t length = place->names->tokens[token].end - place->names->tokens[token].at;
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1),
             place->text->bytes + place->names->tokens[token].at);
}

/* The bracket that is open before the cursor on this statement: its token; LSP_NONE: none is. *commas: those in it. */
static uint32_t open_bracket(const struct completion_place *place, unsigned *commas)
{
    int closed = 0;
    *commas = 0;
    for (uint32_t i = place->before; i != LSP_NONE; i = i > 0 ? i - 1 : LSP_NONE) {
        char c = place->names->tokens[i].punctuation;
        if (c == ')' || c == ']' || c == '}')
            closed++;
        if ((c == '(' || c == '[' || c == '{') && closed-- == 0)
            return i;
        *commas += c == ',' && closed == 0;
        if (place->names->tokens[i].starts_line)
            return LSP_NONE;
    }
    return LSP_NONE;
}

/* ---- what is offered ---- */

/* Each name once, the latest definition first. */
static void put_values(struct lsp_writer *writer, const struct completion_place *place)
{
    const struct lsp_names *names = place->names;
    for (uint32_t i = (uint32_t)names->count; i-- > 0;) {
        const struct lsp_token *token = &names->tokens[i];
        char label[200], detail[80] = "";
        if (token->kind != PTOG_LEXEME_VALUE || token->definition != i || token->at == place->word.at ||
            !lsp_names_visible(names, i, place->offset))
            continue;
        struct lsp_span word = lsp_names_word(names, place->text, i);
        uint32_t operation = lsp_names_operation(names, place->text, lsp_names_statement(names, i));
        if (word.end - word.at >= sizeof label)
            continue;
        snprintf(label, sizeof label, "%.*s", (int)(word.end - word.at), place->text->bytes + word.at);
        if (operation != LSP_NONE && names->tokens[operation].end - names->tokens[operation].at < sizeof detail)
            snprintf(detail, sizeof detail, "%.*s", (int)(names->tokens[operation].end - names->tokens[operation].at),
                     place->text->bytes + names->tokens[operation].at);
        put_item(writer, place, ITEM_VARIABLE, label, detail);
    }
}

/* Writes all operations as completions. */
static void put_operations(struct lsp_writer *writer, const struct completion_place *place)
{
    struct ptog_operation operation;
    for (size_t i = 0; ptog_operation_at(i, &operation); i++) {
        const char *detail = operation.modelled ? NULL : "not simulated";
        if (operation.opcode != PTOG_NO_INSN)
            detail = tool_insn_meaning(operation.opcode);
        put_item(writer, place, ITEM_FUNCTION, operation.name, detail);
    }
}

/* The key of the attribute whose value is being typed is two tokens before: "coalesce" "=". */
static void put_attributes(struct lsp_writer *writer, const struct completion_place *place, const char *operation)
{
    const char *attribute;
    char value[80], key[80];
    if (punctuation_of(place, place->before) != '=') {
        for (size_t i = 0; (attribute = ptog_operation_attribute_at(operation, i)) != NULL; i++)
            put_item(writer, place, ITEM_PROPERTY, attribute, NULL);
        return;
    }
    const struct lsp_token *token = &place->names->tokens[place->before > 0 ? place->before - 1 : 0];
    size_t length = token->end - token->at;
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), place->text->bytes + token->at);
    for (size_t i = 0; ptog_attribute_value_at(key, i, value, sizeof value) > 0; i++)
        put_item(writer, place, ITEM_ENUM, value, NULL);
}

#define EVENT_IDS 8

/* The arguments of flags and barriers: two pipes, then an event id. */
static void put_pipes(struct lsp_writer *writer, const struct completion_place *place, unsigned argument)
{
    bool angle = punctuation_of(place, place->before) == '<';
    char label[40];
    for (int i = 0; argument < 2 && i <= PTOG_ALL; i++) {
        snprintf(label, sizeof label, angle ? "PIPE_%s" : "<PIPE_%s>", ptog_pipe_name((enum ptog_pipe)i));
        put_item(writer, place, ITEM_ENUM, label, NULL);
    }
    for (int i = 0; argument >= 2 && i < EVENT_IDS; i++) {
        snprintf(label, sizeof label, angle ? "EVENT_ID%d" : "<EVENT_ID%d>", i);
        put_item(writer, place, ITEM_ENUM, label, NULL);
    }
}

static bool accepts_pipes(const char *operation)
{
    return strstr(operation, "_flag") || strcmp(operation, "pto.barrier") == 0;
}

/* Writes the completions for the place: values, pipes, attributes or operations. */
static void put_items(struct lsp_writer *writer, const struct completion_place *place)
{
    char operation[80];
    unsigned commas;
    uint32_t bracket = open_bracket(place, &commas);
    bool typing_value = place->word.at < place->word.end && place->text->bytes[place->word.at] == '%';
    operation_before(place, operation, sizeof operation);
    if (typing_value)
        put_values(writer, place);
    else if (accepts_pipes(operation))
        put_pipes(writer, place, commas);
    else if (punctuation_of(place, bracket) == '{' && operation[0])
        put_attributes(writer, place, operation);
    else if (punctuation_of(place, bracket) == '(' && operation[0])
        put_values(writer, place);
    else if (place->starts_line || punctuation_of(place, place->before) == '=')
        put_operations(writer, place);
}

/* Answers textDocument/completion. */
void lsp_completion(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                    struct lsp_writer *writer)
{
    const struct lsp_names *names = lsp_server_names(server, document);
    size_t offset = lsp_text_offset(&document->text, lsp_json_get(params, "position"));
    lsp_put_open(writer, '{');
    lsp_put_bool(writer, "isIncomplete", false);
    lsp_put_key(writer, "items");
    lsp_put_open(writer, '[');
    if (names) {
        struct completion_place place = find_place(names, &document->text, offset);
        put_items(writer, &place);
    }
    lsp_put_close(writer, ']');
    lsp_put_close(writer, '}');
}
