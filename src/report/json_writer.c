/* report: JSON, one value after another. */
#include "report/json_writer.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "report/put.h"

/* Writes the comma that is due. */
static void put_comma(struct ptog_json *json)
{
    if (json->comma)
        ptog_put(json->sink, ",");
    json->comma = false;
}

void ptog_json_open(struct ptog_json *json, char bracket)
{
    put_comma(json);
    json->sink->write(json->sink->user, &bracket, 1);
}

void ptog_json_close(struct ptog_json *json, char bracket)
{
    json->sink->write(json->sink->user, &bracket, 1);
    json->comma = true;
}

void ptog_json_newline(struct ptog_json *json)
{
    put_comma(json);
    ptog_put(json->sink, "\n");
}

/* What stands for a character that may not stand for itself; NULL when it may. */
static const char *escaped(struct ptog_char c, char buffer[8])
{
    if (!c.whole)
        return "\\ufffd";
    if (c.code == '"')
        return "\\\"";
    if (c.code == '\\')
        return "\\\\";
    if (c.code == '\n')
        return "\\n";
    if (c.code == '\t')
        return "\\t";
    if (c.code >= 0x20 && c.code != 0x7f)
        return NULL;
    snprintf(buffer, 8, "\\u%04x", (unsigned)c.code);
    return buffer;
}

/* Writes text up to `end` with JSON's escapes; bytes that are no UTF-8 become U+FFFD. */
static void put_text(const struct ptog_sink *sink, const char *text, const char *end)
{
    char buffer[8];
    const char *from = text;
    while (text < end) {
        struct ptog_char c = ptog_char_at(text);
        const char *instead = escaped(c, buffer);
        if (instead) {
            sink->write(sink->user, from, (size_t)(text - from));
            ptog_put(sink, instead);
            from = text + c.bytes;
        }
        text += c.bytes;
    }
    sink->write(sink->user, from, (size_t)(end - from));
}

void ptog_json_string_n(struct ptog_json *json, const char *text, size_t length)
{
    put_comma(json);
    ptog_put(json->sink, "\"");
    put_text(json->sink, text, text + length);
    ptog_put(json->sink, "\"");
    json->comma = true;
}

void ptog_json_string(struct ptog_json *json, const char *text)
{
    if (text) {
        ptog_json_string_n(json, text, strlen(text));
        return;
    }
    put_comma(json);
    ptog_put(json->sink, "null");
    json->comma = true;
}

void ptog_json_number(struct ptog_json *json, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put_comma(json);
    ptog_put(json->sink, text);
    json->comma = true;
}

void ptog_json_key(struct ptog_json *json, const char *key)
{
    ptog_json_string(json, key);
    ptog_put(json->sink, ":");
    json->comma = false;
}

void ptog_json_string_of(struct ptog_json *json, const char *key, const char *text)
{
    ptog_json_key(json, key);
    ptog_json_string(json, text);
}

void ptog_json_number_of(struct ptog_json *json, const char *key, uint64_t number)
{
    ptog_json_key(json, key);
    ptog_json_number(json, number);
}

void ptog_json_bool_of(struct ptog_json *json, const char *key, bool value)
{
    ptog_json_key(json, key);
    ptog_put(json->sink, ptog_bool_name(value));
    json->comma = true;
}

void ptog_json_thousandths_of(struct ptog_json *json, const char *key, uint64_t thousandths)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64 ".%03u", thousandths / 1000, (unsigned)(thousandths % 1000));
    ptog_json_key(json, key);
    ptog_put(json->sink, text);
    json->comma = true;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~/", c);
}

/* Writes a key and a file name as a URI, in which whatever is not plain is %XX. */
void ptog_json_uri_of(struct ptog_json *json, const char *key, const char *file)
{
    char piece[4];
    ptog_json_key(json, key);
    ptog_put(json->sink, "\"");
    for (; *file; file++) {
        snprintf(piece, sizeof piece, is_plain(*file) ? "%c" : "%%%02X", (unsigned char)*file);
        ptog_put(json->sink, piece);
    }
    ptog_put(json->sink, "\"");
    json->comma = true;
}
