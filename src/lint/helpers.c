/* lint: tileop helpers. Which operations they may not have is in spec/helper_ops.def. */
#include "lint/helpers.h"

#include "asm/op_parts.h"
#include "asm/types.h"

enum helper_kind {
    NOTHING = 0,
#define HELPER_KIND(KIND, message) KIND,
#include "spec/helper_ops.def"
};

static const char *const messages[] = {
    NULL,
#define HELPER_KIND(KIND, message) message,
#include "spec/helper_ops.def"
};

static const struct {
    enum helper_kind kind;
    const char *name;
} refused[] = {
#define HELPER_OP(KIND, name) {KIND, name},
#include "spec/helper_ops.def"
};

/* What kind of operation it is that a helper may not contain; NOTHING: it may. */
static enum helper_kind kind_of(const struct ptog_tree *tree, const struct ptog_op *op)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (ptog_tree_matches(tree, op->name, refused[i].name))
            return refused[i].kind;
    if (ptog_op_is_tile(op->name))
        return TILE;
    return NOTHING;
}

/* The first operation that a helper may not have. Regions nest no deeper than the parser lets them. */
static const struct ptog_op *find(const struct ptog_tree *tree, const struct ptog_region *region,
                                  enum helper_kind *kind)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        const struct ptog_op *found = NULL;
        *kind = kind_of(tree, op);
        if (*kind != NOTHING)
            return op;
        for (uint32_t i = 0; i < op->part_count && !found; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = find(tree, op->parts[i].region, kind);
        if (found)
            return found;
    }
    return NULL;
}

/* Reports arguments of a helper that it may not have. */
static void check_args(const struct ptog_region *body, struct ptog_diag_list *diags)
{
    for (uint32_t i = 0; i < body->arg_count; i++) {
        const struct ptog_type_use *use = &body->args[i].type;
        if (use->type && use->type->kind != PTOG_TYPE_SCALAR && !ptog_type_is_tile(use->type))
            ptog_diag_emit(diags, "text-frame", use->span, "the arguments of a tileop helper must be tiles or numbers");
    }
}

void ptog_helper_check(const struct ptog_tree *tree, const struct ptog_op *function, struct ptog_diag_list *diags)
{
    const struct ptog_part *results = ptog_op_part(function, PTOG_PART_ARROW, 0);
    const struct ptog_part *body = ptog_op_part(function, PTOG_PART_REGION, 0);
    enum helper_kind kind;
    if (ptog_type_count(results) > 0)
        ptog_diag_emit(diags, "text-frame", results->types[0].span,
                       "a tileop helper cannot return a value: it writes to its tile arguments");
    if (!body)
        return;
    check_args(body->region, diags);
    const struct ptog_op *op = find(tree, body->region, &kind);
    if (op)
        ptog_diag_emit(diags, "text-frame", op->name_span, "%s", messages[kind]);
}
