/* asm: ptog/language.h, the lexer and the tables of operations and attributes for callers of the library. */
#include <ptog/language.h>

#include <stdio.h>
#include <string.h>

#include "asm/parser/lexer.h"
#include "asm/insn_words.h"

/* ---- tokens */

static enum ptog_lexeme_kind lexeme_kind(enum ptog_token_kind kind)
{
    switch (kind) {
    case PTOG_TOKEN_WORD: return PTOG_LEXEME_WORD;
    case PTOG_TOKEN_VALUE: return PTOG_LEXEME_VALUE;
    case PTOG_TOKEN_SYMBOL: return PTOG_LEXEME_SYMBOL;
    case PTOG_TOKEN_INT:
    case PTOG_TOKEN_FLOAT: return PTOG_LEXEME_NUMBER;
    case PTOG_TOKEN_STRING: return PTOG_LEXEME_STRING;
    case PTOG_TOKEN_HASH: return PTOG_LEXEME_ATTRIBUTE;
    case PTOG_TOKEN_BANG: return PTOG_LEXEME_TYPE;
    case PTOG_TOKEN_ARROW:
    case PTOG_TOKEN_ELLIPSIS:
    case PTOG_TOKEN_PUNCTUATION: return PTOG_LEXEME_PUNCTUATION;
    default: return PTOG_LEXEME_BAD;
    }
}

struct lexeme_visitor {
    bool (*visit)(void *user, const struct ptog_lexeme *lexeme);
    void *user;
};

/* Gives the comments that the lexer kept on its way to the last token, and forgets them. */
static bool visit_comments(struct ptog_lexer *lexer, const struct lexeme_visitor *visitor)
{
    struct ptog_remark remark;
    for (size_t at = 0; at < lexer->remarks.used; at += sizeof remark) {
        memcpy(&remark, lexer->remarks.data + at, sizeof remark);
        struct ptog_lexeme lexeme = {
            .kind = PTOG_LEXEME_COMMENT, .starts_line = remark.own_line, .at = remark.at, .end = remark.end};
        if (!visitor->visit(visitor->user, &lexeme))
            return false;
    }
    lexer->remarks.used = 0;
    return true;
}

/* Gives a token to the visitor as a lexeme; false: the visitor wants no more. */
static bool visit_token(const struct ptog_token *token, const struct lexeme_visitor *visitor)
{
    struct ptog_lexeme lexeme = {.kind = lexeme_kind((enum ptog_token_kind)token->kind),
                                 .punctuation = token->punctuation,
                                 .starts_line = token->new_line,
                                 .at = token->at,
                                 .end = token->end};
    return visitor->visit(visitor->user, &lexeme);
}

enum ptog_status ptog_language_lex(const char *text, size_t bytes,
                                   bool (*visit)(void *user, const struct ptog_lexeme *lexeme), void *user)
{
    if (!text || !visit || bytes >= UINT32_MAX)
        return PTOG_BAD_ARGUMENT;
    struct ptog_source source = {.bytes = text, .size = (uint32_t)bytes};
    struct lexeme_visitor visitor = {visit, user};
    struct ptog_lexer lexer;
    struct ptog_token token;
    ptog_lexer_start(&lexer, &source);
    do
        token = ptog_lexer_next(&lexer);
    while (visit_comments(&lexer, &visitor) && token.kind != PTOG_TOKEN_END && visit_token(&token, &visitor));
    ptog_stack_free(&lexer.remarks);
    return lexer.no_memory ? PTOG_NO_MEMORY : PTOG_OK;
}

/* ---- operations */

bool ptog_operation_at(size_t i, struct ptog_operation *operation)
{
    ptog_symbol symbol = ptog_known_op_at(i);
    if (!operation || symbol == 0)
        return false;
    const struct ptog_op_info *info = ptog_op_info(symbol);
    *operation =
        (struct ptog_operation){.name = info->name, .opcode = ptog_opcode_find(info->name), .modelled = info->modelled};
    return true;
}

bool ptog_operation_find(const char *name, struct ptog_operation *operation)
{
    if (!name || !operation)
        return false;
    for (size_t i = 0; ptog_known_op_at(i) != 0; i++)
        if (strcmp(ptog_op_info(ptog_known_op_at(i))->name, name) == 0)
            return ptog_operation_at(i, operation);
    return false;
}

/* ---- attributes */

const char *ptog_operation_attribute_at(const char *operation, size_t i)
{
    static const struct {
        ptog_symbol op;
        const char *key;
    } keys[] = {
#define KEY_OF_ATTR(NAME, word) {PTOG_OP_NAME_##NAME, word},
#define KEY_OF_CLAUSE(NAME, word)
#define KEY_OF_INDEXED(NAME, word)
#define ACCEPTS_CLAUSE(NAME, place, word) KEY_OF_##place(NAME, word)
#include "spec/ops.def"
#define ACCEPTS_CLAUSE(NAME, place, word) KEY_OF_##place(NAME, word)
#include "spec/names.def"
    };
    for (size_t k = 0; operation && k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(ptog_op_info(keys[k].op)->name, operation) == 0 && i-- == 0)
            return keys[k].key;
    return NULL;
}

/* The class that lists the values of an attribute; NULL when none does. */
static const struct ptog_class *class_of_attribute(const char *attribute)
{
    static const char *const classes[][2] = {
#define KEY(key, class) {#key, class},
#include "spec/ops.def"
    };
    for (size_t k = 0; attribute && k < sizeof classes / sizeof classes[0]; k++)
        if (strcmp(classes[k][0], attribute) == 0)
            return ptog_class_find(classes[k][1]);
    return NULL;
}

size_t ptog_attribute_value_at(const char *attribute, size_t i, char *text, size_t size)
{
    const struct ptog_class *class = class_of_attribute(attribute);
    const char *value = class && i <= UINT8_MAX ? ptog_class_value(class, (unsigned)i) : NULL;
    if (!value)
        return 0;
    const char *format = class->style == PTOG_ITEM_HASH_DOT ? "#pto.%s<%s>" : "#pto<%s %s>";
    int length = snprintf(text, text ? size : 0, format, class->name, value);
    return length > 0 ? (size_t)length : 0;
}
