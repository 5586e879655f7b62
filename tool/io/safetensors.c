/* tool/io: one tensor of a safetensors file. No number in the header is believed before it was compared with the bytes
 * that are there. */
#include "safetensors.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"

#define LENGTH 8                          /* bytes before the header */
#define MOST_HEADER ((uint64_t)100000000) /* what the format allows */
#define MOST_NAME 256

/* The format's element types, and how an npy file carries them. */
static const struct {
    const char *name;
    char kind;
    size_t item;
} types[] = {
    {"BOOL", 'b', 1}, {"U8", 'u', 1},  {"I8", 'i', 1},   {"F8_E4M3", 'u', 1}, {"F8_E5M2", 'u', 1}, {"U16", 'u', 2},
    {"I16", 'i', 2},  {"F16", 'f', 2}, {"BF16", 'u', 2}, {"U32", 'u', 4},     {"I32", 'i', 4},     {"F32", 'f', 4},
    {"U64", 'u', 8},  {"I64", 'i', 8}, {"F64", 'f', 8},  {"C64", 'c', 8},     {"F8_E8M0", 'u', 1},
};

struct reader {
    struct tool_json json;
    const unsigned char *data;
    uint64_t bytes;   /* of all tensors */
    const char *name; /* NULL: any */
    struct tool_npy *tensor;
    bool found, several;
    char first[MOST_NAME];
};

static bool read_type(struct tool_json *in, struct tool_npy *tensor)
{
    char text[24];
    size_t length;
    if (!tool_json_string(in, text, sizeof text, &length))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, text) == 0) {
            tensor->kind = types[i].kind;
            tensor->item = types[i].item;
            return true;
        }
    return tool_why(
        in->why,
        "has a tensor with elements of type '%s'; expected one of BOOL, U8 to U64, I8 to I64, F16, BF16, F32, F64, C64, F8_E4M3, F8_E5M2, F8_E8M0",
        text);
}

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

/* The data lies where the header says, and is as long as the shape says. */
static bool place(struct reader *in, struct tool_npy *tensor, const char *name, const int64_t offsets[2])
{
    uint64_t wanted;
    char shape[TOOL_SHAPE_NAME], type[24];
    tool_shape_name(shape, tensor->rank, tensor->shape);
    tool_npy_type_name(type, tensor);
    if (offsets[0] > offsets[1] || (uint64_t)offsets[1] > in->bytes)
        return tool_why(in->json.why,
                        "says that '%.100s' is at bytes %" PRId64 " to %" PRId64 "; its data has %" PRIu64, name,
                        offsets[0], offsets[1], in->bytes);
    if (!tool_shape_bytes(tensor->item, tensor->rank, tensor->shape, &wanted))
        return tool_why(in->json.why, "has a tensor '%.100s' of shape %s: its bytes do not fit in 63 bits", name,
                        shape);
    if (wanted != (uint64_t)(offsets[1] - offsets[0]))
        return tool_why(in->json.why, "has %" PRId64 " bytes for '%.100s'; expected %" PRIu64 " for %s %s",
                        offsets[1] - offsets[0], name, wanted, shape, type);
    tensor->data = in->data + offsets[0];
    tensor->bytes = (size_t)wanted;
    return true;
}

/* tensor ::= '{' "dtype" ':' string ',' "shape" ':' list ',' "data_offsets" ':' list '}', in any order */
static bool read_tensor(struct reader *in, const char *name)
{
    struct tool_json *json = &in->json;
    struct tool_npy tensor = {0};
    int64_t offsets[2] = {0, 0};
    int count = -1;
    bool shaped = false;
    char key[24];
    size_t length;
    if (!tool_json_expect(json, '{'))
        return false;
    do {
        if (!tool_json_string(json, key, sizeof key, &length) || !tool_json_expect(json, ':'))
            return false;
        bool is_shape = strcmp(key, "shape") == 0;
        shaped = shaped || is_shape;
        bool done = strcmp(key, "dtype") == 0          ? read_type(json, &tensor)
                    : is_shape                         ? read_list(json, tensor.shape, TOOL_NPY_MOST_RANK, &tensor.rank)
                    : strcmp(key, "data_offsets") == 0 ? read_list(json, offsets, 2, &count)
                                                       : tool_json_skip(json);
        if (!done)
            return false;
    } while (tool_json_is(json, ','));
    if (!tool_json_expect(json, '}'))
        return false;
    if (tensor.item == 0 || !shaped || count != 2)
        return tool_why(json->why, "describes '%.100s' without %s", name,
                        tensor.item == 0 ? "dtype"
                        : !shaped        ? "shape"
                                         : "two data_offsets");
    *in->tensor = tensor;
    return place(in, in->tensor, name, offsets);
}

static bool read_entry(struct reader *in)
{
    char name[MOST_NAME];
    size_t length;
    if (!tool_json_string(&in->json, name, sizeof name, &length) || !tool_json_expect(&in->json, ':'))
        return false;
    if (strcmp(name, "__metadata__") == 0)
        return tool_json_skip(&in->json);
    if (!in->first[0])
        memcpy(in->first, name, sizeof name);
    if (in->name && (length != strlen(name) || strcmp(name, in->name) != 0))
        return tool_json_skip(&in->json);
    if (in->found && in->name)
        return tool_why(in->json.why, "has a tensor '%.100s' twice", name);
    in->several = in->several || in->found;
    in->found = true;
    return read_tensor(in, name);
}

static bool read_header(struct reader *in)
{
    if (!tool_json_expect(&in->json, '{'))
        return false;
    if (!tool_json_is(&in->json, '}')) {
        do {
            if (!read_entry(in))
                return false;
        } while (tool_json_is(&in->json, ','));
        if (!tool_json_expect(&in->json, '}'))
            return false;
    }
    return tool_json_end(&in->json);
}

bool tool_safetensors_parse(struct tool_npy *tensor, const void *bytes, size_t size, const char *name,
                            struct tool_why *why)
{
    const unsigned char *at = bytes;
    uint64_t length = 0;
    *tensor = (struct tool_npy){0};
    if (size < LENGTH)
        return tool_why(why, "is cut short: %zu bytes, and a safetensors file starts with %d at least", size, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        length |= (uint64_t)at[i] << (8 * i);
    if (length > MOST_HEADER || length > size - LENGTH)
        return tool_why(
            why, "is no safetensors file, or cut short: its header would have %" PRIu64 " bytes, the file has %zu",
            length, size);
    const char *text = (const char *)at + LENGTH;
    struct reader in = {.json = {text, text, text + length, why},
                        .data = at + LENGTH + length,
                        .bytes = size - LENGTH - length,
                        .name = name,
                        .tensor = tensor};
    if (!read_header(&in))
        return false;
    if (in.several)
        return tool_why(why, "has several tensors: say which one, safetensors:FILE#%.100s", in.first);
    if (!in.found && name && in.first[0])
        return tool_why(why, "has no tensor '%.100s'; the first one it has is '%.100s'", name, in.first);
    return in.found || tool_why(why, "has no tensors");
}
