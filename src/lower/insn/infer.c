/* lower: placeholders and elided types. What one operand's type leaves open, the others, the bound data or the
 * instruction itself may say; the rest is asked for by name. A placeholder has one value within one operation. */
#include <inttypes.h>

#include "lower/bind.h"
#include "lower/insn/text_insn.h"
#include "lower/types.h"

#define MAX_NAMES 16

struct names {
    struct {
        ptog_symbol name;
        int64_t extent;
        enum ptog_dtype dtype;
        const struct ptog_text_operand *from;
    } of[MAX_NAMES];
    int count;
};

/* The element type of a value; PTOG_DTYPE_NONE when it has none or it is open. */
enum ptog_dtype ptog_value_dtype(const struct ptog_value *value)
{
    switch (value->kind) {
    case PTOG_VALUE_TILE: return value->tile.tile.dtype;
    case PTOG_VALUE_VIEW: return value->view.tensor.dtype;
    case PTOG_VALUE_POINTER: return value->pointer.dtype;
    case PTOG_VALUE_REAL: return value->real.dtype;
    default: return PTOG_DTYPE_NONE;
    }
}

/* Where a value has its element type; NULL: it has none. */
static enum ptog_dtype *dtype_of(struct ptog_value *value)
{
    if (value->kind == PTOG_VALUE_TILE)
        return &value->tile.tile.dtype;
    return &value->view.tensor.dtype;
}

void ptog_infer_extent(int64_t *to, int64_t from)
{
    if (*to < 0 && from > 0)
        *to = from;
}

void ptog_infer_dtype(struct ptog_value *to, enum ptog_dtype from)
{
    if (!to->odd && *dtype_of(to) == PTOG_DTYPE_NONE)
        *dtype_of(to) = from;
}

static bool has_type(const struct ptog_text_operand *use)
{
    return use->value && use->type && !use->type->type->elided && !use->value->odd &&
           (use->value->kind == PTOG_VALUE_TILE || use->value->kind == PTOG_VALUE_VIEW);
}

/* The extents of a type and where their values are; at most five. */
static int extents_of(const struct ptog_text_operand *use, const struct ptog_extent *extents[5], int64_t *values[5])
{
    const struct ptog_type *type = use->type->type;
    if (use->value->kind == PTOG_VALUE_TILE && ptog_type_is_tile(type)) {
        extents[0] = &type->field[PTOG_FIELD_ROWS];
        extents[1] = &type->field[PTOG_FIELD_COLS];
        values[0] = &use->value->tile.tile.rows;
        values[1] = &use->value->tile.tile.cols;
        return 2;
    }
    if (use->value->kind != PTOG_VALUE_VIEW || !ptog_type_is_view(type) || type->rank > 5 ||
        use->value->view.rank != type->rank)
        return 0;
    for (uint32_t i = 0; i < type->rank; i++) {
        extents[i] = &type->dims[i];
        values[i] = &use->value->view.tensor.shape[5 - type->rank + i];
    }
    return (int)type->rank;
}

/* ---- names */

/* The number of a placeholder among `names`, where it is added if it is new; -1: there are too many. */
static int find_placeholder(struct names *names, ptog_symbol name, const struct ptog_text_operand *use)
{
    for (int i = 0; i < names->count; i++)
        if (names->of[i].name == name)
            return i;
    if (names->count == MAX_NAMES)
        return -1;
    names->of[names->count].name = name;
    names->of[names->count].extent = PTOG_DYN;
    names->of[names->count].dtype = PTOG_DTYPE_NONE;
    names->of[names->count].from = use;
    return names->count++;
}

/* Reports that a placeholder stands for two values in one operation; the instruction is skipped. */
static void say_conflict(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_text_operand *use,
                         const struct ptog_text_operand *other, ptog_symbol name)
{
    struct ptog_diag_entry *found =
        ptog_diag_emit(e->diags, "text-unify", use->type->span, "%s has different values in this operation",
                       ptog_tree_text(e->tree, name));
    ptog_diag_relate(found, other->type->span, "different here");
    insn->skip = true;
}

/* Notes what the placeholders of an operand's type stand for, where its value says it, and reports one that stands for
 * two things. */
static void learn_placeholders(struct ptog_eval *e, struct ptog_text_insn *insn, struct names *names,
                               struct ptog_text_operand *use)
{
    const struct ptog_extent *extents[5];
    int64_t *values[5];
    int count = extents_of(use, extents, values);
    for (int i = 0; i < count; i++) {
        int n = extents[i]->name != 0 && *values[i] >= 0 ? find_placeholder(names, extents[i]->name, use) : -1;
        if (n < 0)
            continue;
        if (names->of[n].extent >= 0 && names->of[n].extent != *values[i])
            say_conflict(e, insn, use, names->of[n].from, extents[i]->name);
        names->of[n].extent = *values[i];
    }
    const struct ptog_element *element = &use->type->type->element;
    enum ptog_dtype dtype = ptog_value_dtype(use->value);
    int n = element->placeholder && dtype != PTOG_DTYPE_NONE ? find_placeholder(names, element->name, use) : -1;
    if (n < 0)
        return;
    if (names->of[n].dtype != PTOG_DTYPE_NONE && names->of[n].dtype != dtype)
        say_conflict(e, insn, use, names->of[n].from, element->name);
    names->of[n].dtype = dtype;
}

/* Completes an operand's type where its placeholders are known from other operands. */
static void fill_placeholders(struct names *names, struct ptog_text_operand *use)
{
    const struct ptog_extent *extents[5];
    int64_t *values[5];
    int count = extents_of(use, extents, values);
    for (int i = 0; i < count; i++) {
        int n = extents[i]->name != 0 ? find_placeholder(names, extents[i]->name, use) : -1;
        if (n >= 0)
            ptog_infer_extent(values[i], names->of[n].extent);
    }
    const struct ptog_element *element = &use->type->type->element;
    int n = element->placeholder ? find_placeholder(names, element->name, use) : -1;
    if (n >= 0)
        ptog_infer_dtype(use->value, names->of[n].dtype);
}

void ptog_infer_names(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct names names = {.count = 0};
    for (int i = 0; i < insn->count && !insn->skip; i++)
        if (has_type(&insn->of[i]))
            learn_placeholders(e, insn, &names, &insn->of[i]);
    for (int i = 0; i < insn->count && !insn->skip; i++)
        if (has_type(&insn->of[i]))
            fill_placeholders(&names, &insn->of[i]);
}

/* ---- what is left */

/* The name of what is missing, as the text calls it; NULL when nothing is. */
static const char *missing(struct ptog_eval *e, const struct ptog_text_operand *use)
{
    const struct ptog_value *value = use->value;
    const struct ptog_type *type = use->type ? use->type->type : NULL;
    bool tile = value->kind == PTOG_VALUE_TILE;
    bool shape = tile ? value->tile.tile.rows < 0 || value->tile.tile.cols < 0 : value->view.rank == 0;
    bool dtype = ptog_value_dtype(value) == PTOG_DTYPE_NONE && !value->odd;
    if (type && !type->elided) {
        const struct ptog_extent *extents[5];
        int64_t *values[5];
        int count = extents_of(use, extents, values);
        for (int i = 0; i < count; i++)
            if (*values[i] < 0 && extents[i]->name != 0)
                return ptog_tree_text(e->tree, extents[i]->name);
        if (dtype && type->element.placeholder)
            return ptog_tree_text(e->tree, type->element.name);
    }
    if (shape)
        return "its shape";
    if (dtype)
        return "its element type";
    return NULL;
}

/* Reports what cannot be inferred of an operand's type, as an error before a run; false when nothing is missing. */
static bool ask(struct ptog_eval *e, const struct ptog_text_operand *use)
{
    const char *what = missing(e, use), *name = ptog_tree_text(e->tree, use->item->name);
    struct ptog_span span = use->type ? use->type->span : use->item->span;
    if (!what)
        return false;
    struct ptog_diag_entry *found =
        use->fresh
            ? ptog_diag_emit(e->diags, "text-elided", span, "cannot infer %s: write the type of %%%.80s", what, name)
            : ptog_diag_emit(e->diags, "text-elided", span, "cannot infer %s: bind %%%.80s or write its type", what,
                             name);
    if (ptog_is_bound(e))
        ptog_diag_set_severity(e->diags, found, PTOG_ERROR);
    return true;
}

/* Reports operands whose types are still open, and sets `skip`; settles the slots of the others. Destinations come
 * into it only when the sources are known: those may say it all. False: something is open. */
bool ptog_infer_done(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int outs = 0; outs < 2 && !insn->skip; outs++)
        for (int i = 0; i < insn->count; i++) {
            struct ptog_text_operand *use = &insn->of[i];
            if (!use->value || !use->value->open || use->is_out != (outs == 1))
                continue;
            use->value->open = ask(e, use);
            insn->skip = insn->skip || use->value->open;
            if (!use->value->open)
                ptog_slot_settle(e, use->value);
        }
    return !insn->skip;
}
