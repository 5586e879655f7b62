/* tool/lsp: JSON is written from left to right. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/utf8.h"
#include "json.h"

static void put_bytes(struct lsp_writer *writer, const char *bytes, size_t length)
{
    struct ptog_sink sink = ptog_output_sink(&writer->out);
    sink.write(sink.user, bytes, length);
}

static void put_comma(struct lsp_writer *writer)
{
    if (writer->comma)
        put_bytes(writer, ",", 1);
    writer->comma = true;
}

void lsp_put_raw(struct lsp_writer *writer, const char *json, size_t length)
{
    put_comma(writer);
    put_bytes(writer, json, length);
}

void lsp_put_open(struct lsp_writer *writer, char bracket)
{
    lsp_put_raw(writer, &bracket, 1);
    writer->comma = false;
}

void lsp_put_close(struct lsp_writer *writer, char bracket)
{
    put_bytes(writer, &bracket, 1);
    writer->comma = true;
}

void lsp_put_key(struct lsp_writer *writer, const char *key)
{
    lsp_put_text(writer, key);
    put_bytes(writer, ":", 1);
    writer->comma = false;
}

/* A byte that a string may not have as it is: a quote, a backslash, a control character, or no UTF-8. */
static void put_escaped(struct lsp_writer *writer, unsigned char byte)
{
    char escaped[8];
    int length = 2;
    if (byte == '"' || byte == '\\')
        snprintf(escaped, sizeof escaped, "\\%c", byte);
    else if (byte == '\n')
        memcpy(escaped, "\\n", 3);
    else
        length = snprintf(escaped, sizeof escaped, "\\u%04x", byte < ' ' || byte == 0x7f ? byte : 0xfffdu);
    put_bytes(writer, escaped, (size_t)length);
}

/* Writes a string with its escapes; what is not UTF-8 is replaced. */
void lsp_put_string(struct lsp_writer *writer, const char *text, size_t length)
{
    const char *end = text + length, *from = text;
    put_comma(writer);
    put_bytes(writer, "\"", 1);
    while (text < end) {
        size_t count = tool_utf8_length(text, end);
        unsigned char byte = (unsigned char)*text;
        if (count > 0 && byte >= ' ' && byte != '"' && byte != '\\' && byte != 0x7f) {
            text += count;
            continue;
        }
        put_bytes(writer, from, (size_t)(text - from));
        put_escaped(writer, byte);
        from = ++text;
    }
    put_bytes(writer, from, (size_t)(text - from));
    put_bytes(writer, "\"", 1);
}

void lsp_put_text(struct lsp_writer *writer, const char *text)
{
    if (text)
        lsp_put_string(writer, text, strlen(text));
    else
        lsp_put_raw(writer, "null", 4);
}

void lsp_put_count(struct lsp_writer *writer, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    lsp_put_raw(writer, digits, (size_t)length);
}

/* Writes a value that was read, as it was. */
void lsp_put_value(struct lsp_writer *writer, const struct lsp_json *value)
{
    static const char *const words[] = {"null", "false", "true"};
    if (value->kind == LSP_STRING) {
        lsp_put_string(writer, value->text, value->length);
    } else if (value->kind == LSP_NUMBER) {
        lsp_put_raw(writer, value->text, value->length);
    } else if (value->kind < LSP_NUMBER) {
        lsp_put_raw(writer, words[value->kind], strlen(words[value->kind]));
    } else {
        bool keyed = value->kind == LSP_OBJECT;
        lsp_put_open(writer, keyed ? '{' : '[');
        for (const struct lsp_json *member = value->first; member; member = member->next) {
            if (keyed)
                lsp_put_key(writer, member->key);
            lsp_put_value(writer, member);
        }
        lsp_put_close(writer, keyed ? '}' : ']');
    }
}

void lsp_put_member(struct lsp_writer *writer, const char *key, const char *text)
{
    lsp_put_key(writer, key);
    lsp_put_text(writer, text);
}

void lsp_put_number(struct lsp_writer *writer, const char *key, uint64_t number)
{
    lsp_put_key(writer, key);
    lsp_put_count(writer, number);
}

void lsp_put_bool(struct lsp_writer *writer, const char *key, bool value)
{
    lsp_put_key(writer, key);
    lsp_put_raw(writer, value ? "true" : "false", value ? 4 : 5);
}
