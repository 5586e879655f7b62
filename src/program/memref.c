/* program: what stands in a memref after its shape: strides, a start, the memory it lies in. */
#include <stdlib.h>
#include <string.h>

#include "program/types.h"

static const char *skip(const char *at)
{
    return at + strspn(at, " \t");
}

/* number ::= ['-'] digits | '?'; NULL when it is neither, or -1, which means nothing here */
static const char *read_number(const char *at, int64_t *number)
{
    char *end;
    at = skip(at);
    *number = PTOG_DYN;
    if (*at == '?')
        return skip(at + 1);
    *number = strtoll(at, &end, 10);
    if (end == at || *number == PTOG_DYN)
        return NULL;
    return skip(end);
}

/* strided ::= 'strided' '<' '[' number {',' number} ']' [',' 'offset' ':' number] '>', verbatim in the tree */
static bool read_strided(const char *at, struct ptog_view_value *view)
{
    int64_t start = 0;
    at = skip(at + strlen("strided<"));
    if (*at++ != '[')
        return false;
    for (uint32_t i = 0; i < view->rank; i++) {
        at = read_number(at, &view->tensor.stride[5 - view->rank + i]);
        if (!at || *at++ != (i + 1 < view->rank ? ',' : ']'))
            return false;
    }
    at = skip(at);
    if (*at == ',') {
        at = skip(at + 1);
        if (strncmp(at, "offset", 6) != 0 || *(at = skip(at + 6)) != ':' || !(at = read_number(at + 1, &start)))
            return false;
    }
    view->base.at = (struct ptog_number){start, start != PTOG_DYN}; /* in elements, until there is a buffer */
    return *at == '>';
}

static bool is_space(const struct ptog_tree *tree, const struct ptog_item *item)
{
    return item->kind == PTOG_ITEM_ATTR && strcmp(ptog_tree_text(tree, item->name), "address_space") == 0;
}

bool ptog_memref_layout(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_view_value *view)
{
    view->base.at = (struct ptog_number){0, true};
    for (uint32_t i = 0; i < use->type->rest_count; i++) {
        const struct ptog_item *rest = &use->type->rest[i];
        const char *text = rest->kind == PTOG_ITEM_RAW ? ptog_tree_text(e->tree, rest->name) : "";
        bool strided = strncmp(text, "strided<", 8) == 0;
        if (is_space(e->tree, rest))
            view->elsewhere = view->elsewhere || strcmp(ptog_tree_text(e->tree, rest->value), "gm") != 0;
        else if (!strided)
            return ptog_refuse(e, "text-view", use->span,
                               "after its shape a memref has strided<[...]> and #pto.address_space<gm>");
        else if (!read_strided(text, view))
            return ptog_refuse(
                e, "text-view", use->span,
                "expected strided<[...]> with a number or '?' for each dimension, then offset: a number");
    }
    return true;
}
