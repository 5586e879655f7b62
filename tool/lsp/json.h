/* tool/lsp: JSON as the language server reads and writes it. A message becomes a tree in memory of its own; answers are
 * written from left to right. */
#ifndef TOOL_LSP_JSON_H
#define TOOL_LSP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/report.h>

/* ---- reading ---- */

enum lsp_json_kind { LSP_NULL, LSP_FALSE, LSP_TRUE, LSP_NUMBER, LSP_STRING, LSP_LIST, LSP_OBJECT };

/* A value. Strings are decoded and end with a zero byte, which `length` does not count. */
struct lsp_json {
    enum lsp_json_kind kind;
    const char *text; /* of a string: its bytes, valid UTF-8; of a number: as it was written */
    size_t length;
    const char *key;        /* of a member of an object */
    struct lsp_json *first; /* of a list or an object: its first member */
    struct lsp_json *next;  /* the member after this one */
};

/* A text that was read. Free it in any case. */
struct lsp_parsed {
    struct lsp_json *root;
    void *blocks; /* the memory of the tree */
    size_t nodes; /* values so far: at most LSP_MAX_NODES */
    char *at;     /* free memory in the last block */
    size_t left;
    bool no_memory;
};

#define LSP_MAX_DEPTH 64
#define LSP_MAX_NODES ((size_t)1 << 20)

/* Reads one value and nothing after it but space. False: this is no JSON, is nested too deep, or has too many values.
 */
bool lsp_json_parse(struct lsp_parsed *parsed, const char *text, size_t size);
void lsp_json_free(struct lsp_parsed *parsed);

/* Member `key` of an object; NULL when there is none, and for NULL. */
const struct lsp_json *lsp_json_get(const struct lsp_json *object, const char *key);

/* Member after member: "params.textDocument.uri". */
const struct lsp_json *lsp_json_path(const struct lsp_json *object, const char *path);

/* The text of a string; NULL for other values and for NULL. */
const char *lsp_json_string(const struct lsp_json *value);

/* A number as an integer, cut to the range from 0 to UINT32_MAX; `otherwise` for other values and for NULL. */
uint32_t lsp_json_count(const struct lsp_json *value, uint32_t otherwise);

/* ---- writing ---- */

/* Text that grows; commas are put where they are needed. */
struct lsp_writer {
    struct ptog_output out;
    bool comma; /* a value stands before */
};

void lsp_put_open(struct lsp_writer *writer, char bracket);
void lsp_put_close(struct lsp_writer *writer, char bracket);
void lsp_put_key(struct lsp_writer *writer, const char *key);
void lsp_put_string(struct lsp_writer *writer, const char *text, size_t length);
void lsp_put_text(struct lsp_writer *writer, const char *text); /* a string with a terminator; NULL is null */
void lsp_put_count(struct lsp_writer *writer, uint64_t number);
void lsp_put_raw(struct lsp_writer *writer, const char *json, size_t length); /* a value that is JSON already */
void lsp_put_value(struct lsp_writer *writer, const struct lsp_json *value);  /* a value that was read */

/* A member of an object: key and value in one. */
void lsp_put_member(struct lsp_writer *writer, const char *key, const char *text);
void lsp_put_number(struct lsp_writer *writer, const char *key, uint64_t number);
void lsp_put_bool(struct lsp_writer *writer, const char *key, bool value);

#endif
