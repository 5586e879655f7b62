/* verify: messages with the actual values in them. */
#include "verify/message.h"

#include <inttypes.h>
#include <string.h>

#include "model/moves.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "verify/advice.h"
#include "verify/predicates.h"

static void add_extent(struct ptog_text *text, int64_t extent)
{
    if (extent == PTOG_DYN)
        ptog_text_add(text, "?");
    else
        ptog_text_addf(text, "%" PRId64, extent);
}

/* Appends extents as 4x?x8. */
static void add_extents(struct ptog_text *text, const int64_t *extents, int count)
{
    for (int i = 0; i < count; i++) {
        if (i > 0)
            ptog_text_add(text, "x");
        add_extent(text, extents[i]);
    }
}

/* Appends the names of a set of types. */
static void add_dtypes(struct ptog_text *text, uint32_t set)
{
    const char *separator = "";
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++)
        if (set >> d & 1) {
            ptog_text_addf(text, "%s%s", separator, ptog_dtype_name((enum ptog_dtype)d));
            separator = ", ";
        }
}

/* A gather moves bits: any type of the size does, if there is one. */
static void add_dtype_fix(struct ptog_text *text, const struct ptog_check *c, enum ptog_operand_name o)
{
    size_t size = ptog_dtype_size(ptog_check_tile(c, o)->dtype);
    uint32_t same = 0, taken = ptog_check_dtypes(c, o);
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++)
        same |= ptog_dtype_size((enum ptog_dtype)d) == size ? taken & 1u << d : 0;
    if (same) {
        ptog_text_add(text, "use a type of the same size (a gather moves bits): ");
        add_dtypes(text, same);
    } else {
        ptog_text_addf(text, "%s, or run on host",
                       size == 1 ? "widen the elements to 2 bytes" : "gather the two halves of each element");
    }
}

/* Appends a field of a tile, as messages name it; false when tiles have no such field. */
static bool add_of_tile(struct ptog_text *text, const char *field, const struct ptog_tile *tile)
{
    size_t size = ptog_dtype_size(tile->dtype);
#define FIELD(name) (strcmp(field, name) == 0)
    if (FIELD("dtype"))
        ptog_text_add(text, ptog_dtype_name(tile->dtype));
    else if (FIELD("size"))
        ptog_text_addf(text, "%zu", size);
    else if (FIELD("shape"))
        add_extents(text, (const int64_t[]){tile->rows, tile->cols}, 2);
    else if (FIELD("valid"))
        add_extents(text, (const int64_t[]){tile->valid_row, tile->valid_col}, 2);
    else if (FIELD("rows"))
        add_extent(text, tile->rows);
    else if (FIELD("cols"))
        add_extent(text, tile->cols);
    else if (FIELD("valid_row"))
        add_extent(text, tile->valid_row);
    else if (FIELD("valid_col"))
        add_extent(text, tile->valid_col);
    else if (FIELD("order"))
        ptog_text_add(text, ptog_tile_order_name(ptog_tile_order(tile)));
    else if (FIELD("loc"))
        ptog_text_add(text, ptog_loc_name(tile->loc));
    else if (FIELD("run"))
        ptog_text_addf(text, "%" PRId64, ptog_run_bytes(tile));
    else if (FIELD("c0"))
        ptog_text_addf(text, "%" PRId64, size ? ptog_c0(tile->dtype) : 0);
    else if (FIELD("range"))
        ptog_text_addf(text, "0x%" PRIx64 "..0x%" PRIx64, tile->addr, tile->addr + (uint64_t)ptog_tile_bytes(tile) - 1);
    else
        return false;
    return true;
}

/* Appends a field of a table or view, as messages name it; false when they have no such field. */
static bool add_of_table(struct ptog_text *text, const char *field, const struct ptog_tensor *table)
{
    if (FIELD("dtype"))
        ptog_text_add(text, ptog_dtype_name(table->dtype));
    else if (FIELD("shape"))
        add_extents(text, table->shape, 5);
    else if (FIELD("stride"))
        add_extents(text, table->stride, 5);
    else if (FIELD("stride4"))
        add_extent(text, table->stride[4]);
    else if (FIELD("rows"))
        add_extent(text, table->shape[3]);
    else if (FIELD("cols"))
        add_extent(text, table->shape[4]);
    else if (FIELD("layout"))
        ptog_text_add(text, ptog_layout_name(table->layout));
    else if (FIELD("nz_cols"))
        ptog_text_addf(text, "%" PRId64, ptog_tensor_nz_cols(table));
    else if (FIELD("c0"))
        ptog_text_addf(text, "%" PRId64, ptog_dtype_size(table->dtype) ? ptog_c0(table->dtype) : 0);
    else
        return false;
    return true;
}

static void add_extent_name(struct ptog_text *text, const struct ptog_open_extent *extent)
{
    static const char *const fields[] = {"valid_row", "valid_col", "shape", "stride"};
    ptog_text_addf(text, "%s.%s", ptog_operand_name(extent->operand), fields[extent->field]);
    if (extent->field == PTOG_SHAPE || extent->field == PTOG_STRIDE)
        ptog_text_addf(text, "[%d]", extent->dimension);
}

/* The operand that a placeholder names, `o` itself for {o}; PTOG_AT_SELF: none. */
static enum ptog_operand_name operand_named(const char *name, size_t length, enum ptog_operand_name o)
{
    if (length == 1 && name[0] == 'o')
        return o;
    for (int i = 0; i < PTOG_AT_SCALAR; i++) {
        const char *known = ptog_operand_name((enum ptog_operand_name)i);
        if (known[0] == name[0] && strlen(known) == length && memcmp(known, name, length) == 0)
            return (enum ptog_operand_name)i;
    }
    return PTOG_AT_SELF;
}

/* An operand as the user calls it: "%idx", or "the index tile". */
static void add_operand(struct ptog_text *text, const struct ptog_check *c, enum ptog_operand_name o)
{
    ptog_text_addf(text, "%.80s", ptog_insn_operand_words(c->insn, o));
}

/* Appends a field of the operand or instruction that is checked, or of its advice; false when there is none of that
 * name. */
static bool add_of_self(struct ptog_text *text, const char *field, const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_open_extent extent;
    if ((FIELD("missing") && ptog_missing_extent(c, &extent)) || (FIELD("changed") && ptog_changed_extent(c, &extent)))
        add_extent_name(text, &extent);
    else if (FIELD("o"))
        add_operand(text, c, o);
    else if (operand_named(field, strlen(field), o) != PTOG_AT_SELF)
        add_operand(text, c, operand_named(field, strlen(field), o));
    else if (FIELD("target"))
        ptog_text_add(text, c->target->name);
    else if (FIELD("overlapped"))
        add_operand(text, c, ptog_overlapped_by(c, o));
    else if (FIELD("insn"))
        ptog_text_add(text, c->row->name);
    else
        return ptog_advice(text, field, c);
    return true;
}

/* `name` is what stands between the braces. */
static bool add_value(struct ptog_text *text, const char *name, const struct ptog_check *c, enum ptog_operand_name o)
{
    const char *dot = strchr(name, '.');
    if (!dot)
        return add_of_self(text, name, c, o);
    enum ptog_operand_name operand = operand_named(name, (size_t)(dot - name), o);
    const char *field = dot + 1;
    if (FIELD("dtypes")) {
        add_dtypes(text, ptog_check_dtypes(c, operand));
        return true;
    }
    if (FIELD("dtype_fix") && ptog_check_tile(c, operand)) {
        add_dtype_fix(text, c, operand);
        return true;
    }
    if (FIELD("number") && operand != PTOG_AT_SELF && c->at[operand]) {
        ptog_text_addf(text, "%" PRId64, ptog_move_number(c->insn, ptog_insn_find(c->insn, operand)));
        return true;
    }
    if (operand == PTOG_AT_TABLE || operand == PTOG_AT_VIEW)
        return ptog_check_tensor(c) && add_of_table(text, field, ptog_check_tensor(c));
    if (operand != PTOG_AT_SELF && c->at[operand] && c->at[operand]->kind == PTOG_IS_VIEW)
        return add_of_table(text, field, &c->at[operand]->view);
    const struct ptog_tile *tile = operand != PTOG_AT_SELF ? ptog_check_tile(c, operand) : NULL;
    return tile && add_of_tile(text, field, tile);
}

void ptog_message(struct ptog_text *text, const char *template, const struct ptog_check *c, enum ptog_operand_name o)
{
    const char *at = template;
    for (const char *open; (open = strchr(at, '{')) != NULL;) {
        char name[24];
        const char *close = strchr(open, '}');
        size_t length = close ? (size_t)(close - open - 1) : sizeof name;
        ptog_text_add_n(text, at, (size_t)(open - at));
        at = open;
        if (length < sizeof name) {
            memcpy(name, open + 1, length);
            name[length] = '\0';
            if (add_value(text, name, c, o)) {
                at = close + 1;
                continue;
            }
        }
        ptog_text_add_n(text, at++, 1);
    }
    ptog_text_add(text, at);
}
