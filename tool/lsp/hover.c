/* tool/lsp: what is known about the word under the cursor: what an instruction does and costs, what a value is and
 * where it lies, and why a finding matters. */
#include <string.h>

#include "server.h"
#include "tool.h"

/* The word of a token, in memory of the caller; cut when it is long. */
static void copy_word(char *word, size_t size, const struct lsp_text *text, struct lsp_span span)
{
    size_t length = span.end - span.at < size - 1 ? span.end - span.at : size - 1;
    memcpy(word, text->bytes + span.at, length);
    word[length] = '\0';
}

/* The line around an offset as a block of code. */
static void print_line(struct ptog_output *markdown, const struct lsp_text *text, size_t offset)
{
    struct lsp_span line = lsp_text_line_span(text, offset);
    while (line.at < line.end && (text->bytes[line.at] == ' ' || text->bytes[line.at] == '\t'))
        line.at++;
    if (line.end - line.at > 500)
        line.end = line.at + 500;
    lsp_print(markdown, "```pto\n%.*s\n```\n", (int)(line.end - line.at), text->bytes + line.at);
}

/* ---- operations ---- */

/* Prints the attributes of an operation and their values. */
static void print_attributes(struct ptog_output *markdown, const char *operation)
{
    const char *attribute;
    char value[80];
    for (size_t i = 0; (attribute = ptog_operation_attribute_at(operation, i)) != NULL; i++) {
        lsp_print(markdown, "- attribute `%s`", attribute);
        for (size_t k = 0; ptog_attribute_value_at(attribute, k, value, sizeof value) > 0; k++)
            lsp_print(markdown, "%s`%s`", k > 0 ? ", " : ": ", value);
        lsp_print(markdown, "\n");
    }
}

/* Cycles of the line in the last run. */
static void print_cycles(struct ptog_output *markdown, const struct lsp_document *document, uint32_t line)
{
    const struct lsp_json *lines = lsp_json_get(document->run.root, "lines");
    for (const struct lsp_json *row = lines ? lines->first : NULL; row; row = row->next) {
        if (lsp_json_count(lsp_json_get(row, "line"), 0) != line)
            continue;
        uint32_t count = lsp_json_count(lsp_json_get(row, "count"), 1);
        lsp_print(markdown, "- on %s: about %u cycles", lsp_json_string(lsp_json_get(row, "target")),
                  lsp_json_count(lsp_json_get(row, "cycles"), 0));
        if (count > 1)
            lsp_print(markdown, " in %u pieces of work", count);
        lsp_print(markdown, " (estimated)\n");
    }
}

/* Prints what an operation does, its operands, attributes and cycles. */
static void print_operation(struct ptog_output *markdown, const struct lsp_document *document, const char *word,
                            size_t offset)
{
    struct ptog_operation operation;
    char line[200];
    if (!ptog_operation_find(word, &operation))
        return;
    lsp_print(markdown, "**%s**", word);
    if (operation.opcode != PTOG_NO_INSN) {
        lsp_print(markdown, ": %s\n\n", tool_insn_meaning(operation.opcode));
        for (size_t i = 0; tool_insn_operand(operation.opcode, i, line, sizeof line); i++)
            lsp_print(markdown, "- %s\n", line);
    } else {
        lsp_print(markdown, "%s\n\n", operation.modelled ? "" : ": parsed and checked, not simulated");
    }
    print_attributes(markdown, word);
    print_cycles(markdown, document, lsp_text_row(&document->text, offset));
    lsp_print(markdown, "\n");
}

/* ---- values ---- */

/* Where the tile of that name was in the last run. */
static void print_tile(struct ptog_output *markdown, const struct lsp_document *document, const char *name)
{
    const struct lsp_json *tiles = lsp_json_get(document->run.root, "tiles");
    for (const struct lsp_json *row = tiles ? tiles->first : NULL; row; row = row->next) {
        const char *named = lsp_json_string(lsp_json_get(row, "name")), *at = lsp_json_string(lsp_json_get(row, "at"));
        if (!named || strcmp(named, name) != 0)
            continue;
        lsp_print(markdown, "- on %s: %s", lsp_json_string(lsp_json_get(row, "target")),
                  lsp_json_string(lsp_json_get(row, "type")));
        lsp_print(markdown, at ? ", %s\n" : "\n", at);
    }
}

/* Prints the definition of a value, its tile, and how often it is used. */
static void print_value(struct ptog_output *markdown, const struct lsp_document *document,
                        const struct lsp_names *names, uint32_t token)
{
    uint32_t definition = names->tokens[token].definition;
    char name[200];
    size_t uses = 0;
    if (definition == LSP_NONE)
        return;
    copy_word(name, sizeof name, &document->text, lsp_names_word(names, &document->text, definition));
    print_line(markdown, &document->text, names->tokens[definition].at);
    if (name[0] == '%')
        print_tile(markdown, document, name + 1);
    for (size_t i = 0; i < names->count; i++)
        uses += names->tokens[i].definition == definition && i != definition;
    lsp_print(markdown, "- used %zu time%s\n\n", uses, uses == 1 ? "" : "s");
}

/* ---- findings ---- */

/* Prints the explanations of the findings at a place. */
static void print_findings(struct ptog_output *markdown, const struct lsp_document *document, size_t offset)
{
    struct lsp_parsed parsed;
    lsp_findings_read(document, &parsed);
    for (const struct lsp_json *row = parsed.root ? parsed.root->first : NULL; row; row = row->next) {
        struct lsp_span span = lsp_text_span(&document->text, lsp_json_get(row, "range"));
        const char *id = lsp_json_string(lsp_json_get(row, "code"));
        if (id && span.at <= offset && offset <= span.end)
            lsp_put_explanation(markdown, id);
    }
    lsp_json_free(&parsed);
}

/* ---- the answer ---- */

/* Writes a text as the answer to a hover over a span. */
static void put_hover(struct lsp_writer *writer, const struct lsp_text *text, const struct ptog_output *markdown,
                      struct lsp_span span)
{
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "contents");
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "kind", "markdown");
    lsp_put_key(writer, "value");
    lsp_put_string(writer, markdown->bytes, markdown->used);
    lsp_put_close(writer, '}');
    lsp_put_range(writer, text, span);
    lsp_put_close(writer, '}');
}

/* Answers textDocument/hover. */
void lsp_hover(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
               struct lsp_writer *writer)
{
    const struct lsp_names *names = lsp_server_names(server, document);
    size_t offset = lsp_text_offset(&document->text, lsp_json_get(params, "position"));
    uint32_t token = names ? lsp_names_token(names, offset) : LSP_NONE;
    struct ptog_output markdown = {0};
    struct lsp_span span = {offset, offset};
    char word[100];
    if (token != LSP_NONE) {
        span = (struct lsp_span){names->tokens[token].at, names->tokens[token].end};
        copy_word(word, sizeof word, &document->text, span);
        if (names->tokens[token].kind == PTOG_LEXEME_WORD)
            print_operation(&markdown, document, word, offset);
        print_value(&markdown, document, names, token);
    }
    print_findings(&markdown, document, offset);
    if (markdown.used > 0)
        put_hover(writer, &document->text, &markdown, span);
    else
        lsp_put_raw(writer, "null", 4);
    ptog_output_free(&markdown);
}
