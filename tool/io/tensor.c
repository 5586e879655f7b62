/* tool/io: one tensor as the header of a safetensors file describes it:
 * {"dtype": "F32", "shape": [6, 8], "data_offsets": [0, 192]}, in any order. */
#include "tensor.h"

#include <inttypes.h>
#include <string.h>

/* list ::= '[' [number {',' number}] ']' */
static bool read_list(struct tool_json *in, int64_t *numbers, int most, int *count)
{
    *count = 0;
    if (!tool_json_expect(in, '['))
        return false;
    if (tool_json_is(in, ']'))
        return true;
    do {
        if (*count == most)
            return tool_why(in->why, "has a list of more than %d numbers in its header", most);
        if (!tool_json_number(in, &numbers[(*count)++]))
            return false;
    } while (tool_json_is(in, ','));
    return tool_json_expect(in, ']');
}

/* Reads the element type of a tensor; one that is unknown is kept by its name. */
static bool read_type(struct tool_json *in, struct tool_description *of)
{
    size_t length;
    if (!tool_json_string(in, of->type_name, sizeof of->type_name, &length))
        return false;
    of->type = tool_tensor_type_named(of->type_name);
    if (of->type) {
        of->array.kind = of->type->kind;
        of->array.item = of->type->item;
    }
    return true;
}

static bool read_offsets(struct tool_json *in, struct tool_description *of)
{
    int count;
    if (!read_list(in, of->offsets, 2, &count))
        return false;
    return count == 2 || tool_why(in->why, "has data_offsets of %d numbers in its header; expected two", count);
}

static bool read_shape(struct tool_json *in, struct tool_description *of)
{
    return read_list(in, of->array.shape, TOOL_NPY_MAX_RANK, &of->array.rank);
}

/* field ::= key ':' value; those that the format does not know are passed over. */
static bool read_field(struct tool_json *in, struct tool_description *of)
{
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    bool (*const read[])(struct tool_json *, struct tool_description *) = {read_type, read_shape, read_offsets};
    bool *const had[] = {&of->has_type, &of->has_shape, &of->has_offsets};
    char key[24];
    size_t length;
    if (!tool_json_string(in, key, sizeof key, &length) || !tool_json_expect(in, ':'))
        return false;
    for (int i = 0; i < 3; i++) {
        if (strcmp(keys[i], key) != 0)
            continue;
        if (*had[i])
            return tool_why(in->why, "has a tensor with '%s' twice in its header", key);
        *had[i] = true;
        return read[i](in, of);
    }
    return tool_json_skip(in);
}

/* The data lies where the header says, and is as long as the shape says. */
static bool is_placed(const struct tool_description *of, const char *name, uint64_t data_bytes, struct tool_why *why)
{
    uint64_t wanted, found = (uint64_t)(of->offsets[1] - of->offsets[0]);
    char shape[TOOL_SHAPE_NAME];
    tool_shape_name(shape, of->array.rank, of->array.shape);
    if (of->offsets[0] > of->offsets[1] || (uint64_t)of->offsets[1] > data_bytes)
        return tool_why(why, "says that '%.100s' is at bytes %" PRId64 " to %" PRId64 "; its data has %" PRIu64, name,
                        of->offsets[0], of->offsets[1], data_bytes);
    if (!of->type)
        return true;
    if (!tool_shape_bytes(of->array.item, of->array.rank, of->array.shape, &wanted))
        return tool_why(why, "has a tensor '%.100s' of shape %s: its bytes do not fit in 63 bits", name, shape);
    return wanted == found || tool_why(why, "has %" PRIu64 " bytes for '%.100s'; expected %" PRIu64 " for %s %s", found,
                                       name, wanted, shape, of->type->name);
}

/* Reads the description of one tensor, tensor ::= '{' field {',' field} '}', and checks it against the bytes of the
 * file. False, with a reason, after an error. */
bool tool_description_read(struct tool_json *in, const char *name, uint64_t data_bytes, struct tool_description *of)
{
    *of = (struct tool_description){0};
    if (!tool_json_expect(in, '{'))
        return false;
    do {
        if (!read_field(in, of))
            return false;
    } while (tool_json_is(in, ','));
    if (!tool_json_expect(in, '}'))
        return false;
    const char *missing = NULL;
    if (!of->has_offsets)
        missing = "data_offsets";
    if (!of->has_shape)
        missing = "shape";
    if (!of->has_type)
        missing = "dtype";
    if (missing)
        return tool_why(in->why, "describes '%.100s' without %s", name, missing);
    return is_placed(of, name, data_bytes, in->why);
}
