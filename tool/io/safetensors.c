/* tool/io: safetensors files, read. No number in the header is believed before it was compared with the bytes that are
 * there. */
#include "safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "pick.h"
#include "tensor.h"

#define LENGTH 8                         /* bytes before the header */
#define MAX_HEADER ((uint64_t)100000000) /* what the format allows */

/* Keys of the header, or of its metadata. */
struct keys {
    struct tool_tensor *list;
    size_t count, room;
};

struct safetensors_reader {
    struct tool_json json;
    struct tool_safetensors *file;
    struct keys tensors, metadata;
    size_t names_used;
    bool has_metadata;
};

/* ---- keys */

/* Room for one more tensor; NULL, with *why, when out of memory. */
static struct tool_tensor *add_key(struct keys *keys, struct tool_why *why)
{
    if (!tool_reserve(&keys->list, keys->count + 1, &keys->room)) {
        tool_why_set(why, "has more tensors than fit in memory");
        return NULL;
    }
    keys->list[keys->count] = (struct tool_tensor){0};
    return &keys->list[keys->count++];
}

/* key ::= string ':'. A name is never longer than its text with the quotes: all of them fit in the header's length. */
static bool read_key(struct safetensors_reader *in, struct tool_tensor *key)
{
    struct tool_safetensors *file = in->file;
    char *name = file->names + in->names_used;
    if (!tool_json_string(&in->json, name, file->header_bytes - in->names_used, &key->length) ||
        !tool_json_expect(&in->json, ':'))
        return false;
    key->name = name;
    in->names_used += key->length + 1;
    return true;
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, tool_min(a_length, b_length));
    if (order != 0)
        return order;
    return (a_length > b_length) - (a_length < b_length);
}

static int by_tensor_name(const void *a, const void *b)
{
    const struct tool_tensor *p = a, *q = b;
    return compare_names(p->name, p->length, q->name, q->length);
}

/* Sorts them; no name comes twice. */
static bool are_different(struct keys *keys, const char *what, struct tool_why *why)
{
    if (keys->count > 1)
        qsort(keys->list, keys->count, sizeof *keys->list, by_tensor_name);
    for (size_t i = 1; i < keys->count; i++)
        if (by_tensor_name(&keys->list[i - 1], &keys->list[i]) == 0)
            return tool_why(why, "has a %s '%.100s' twice", what, keys->list[i].name);
    return true;
}

/* ---- the whole header */

/* metadata ::= '{' [string ':' string {',' string ':' string}] '}' */
static bool read_metadata(struct safetensors_reader *in)
{
    size_t length;
    if (in->has_metadata)
        return tool_why(in->json.why, "has '__metadata__' twice");
    in->has_metadata = true;
    if (!tool_json_expect(&in->json, '{'))
        return false;
    if (tool_json_is(&in->json, '}'))
        return true;
    do {
        struct tool_tensor *key = add_key(&in->metadata, in->json.why);
        if (!key || !read_key(in, key) || !tool_json_string(&in->json, NULL, 0, &length))
            return false;
    } while (tool_json_is(&in->json, ','));
    return tool_json_expect(&in->json, '}');
}

/* Reads a tensor's name and description, or the metadata. */
static bool read_entry(struct safetensors_reader *in)
{
    struct tool_description of;
    struct tool_tensor *key = add_key(&in->tensors, in->json.why);
    if (!key || !read_key(in, key))
        return false;
    if (strcmp(key->name, "__metadata__") == 0 && key->length == strlen(key->name)) {
        in->tensors.count--;
        return read_metadata(in);
    }
    key->at = (size_t)(in->json.at - in->json.start);
    if (!tool_description_read(&in->json, key->name, in->file->bytes, &of))
        return false;
    key->begin = (uint64_t)of.offsets[0];
    key->end = (uint64_t)of.offsets[1];
    return true;
}

/* Reads all entries of the header; false, with a reason, after an error. */
static bool read_header(struct safetensors_reader *in)
{
    if (in->json.at == in->json.end || *in->json.at != '{')
        return tool_why(in->json.why, "has a header that does not start with '{'");
    in->json.at++;
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

static int by_offset(const void *a, const void *b)
{
    const struct tool_tensor *p = a, *q = b;
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    return (p->end > q->end) - (p->end < q->end);
}

/* Every byte of the data belongs to one tensor. */
static bool is_whole(struct keys *keys, uint64_t bytes, struct tool_why *why)
{
    uint64_t end = 0;
    const char *before = "";
    if (keys->count > 1)
        qsort(keys->list, keys->count, sizeof *keys->list, by_offset);
    for (size_t i = 0; i < keys->count; i++) {
        const struct tool_tensor *tensor = &keys->list[i];
        if (tensor->begin < end)
            return tool_why(why, "has a tensor '%.100s' at byte %" PRIu64 " of its data, which belongs to '%.100s'",
                            tensor->name, tensor->begin, before);
        if (tensor->begin > end)
            break;
        end = tensor->end;
        before = tensor->name;
    }
    return end == bytes ||
           tool_why(why, "has a hole: byte %" PRIu64 " of the %" PRIu64 " of its data belongs to no tensor", end,
                    bytes);
}

static bool read_file(struct safetensors_reader *in, struct tool_why *why)
{
    return read_header(in) && is_whole(&in->tensors, in->file->bytes, why) &&
           are_different(&in->tensors, "tensor", why) && are_different(&in->metadata, "key of its metadata", why);
}

bool tool_safetensors_open(struct tool_safetensors *file, const void *bytes, size_t size, struct tool_why *why)
{
    const unsigned char *at = bytes;
    uint64_t length = 0;
    *file = (struct tool_safetensors){0};
    if (size < LENGTH)
        return tool_why(why, "is truncated: %zu bytes, and a safetensors file starts with %d at least", size, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        length |= (uint64_t)at[i] << (8 * i);
    if (length > MAX_HEADER || length > size - LENGTH)
        return tool_why(why,
                        "is not a safetensors file, or is truncated: its header would have %" PRIu64
                        " bytes, but the file has %zu",
                        length, size);
    const char *text = (const char *)at + LENGTH;
    *file = (struct tool_safetensors){
        text, (size_t)length, at + LENGTH + length, size - LENGTH - length, NULL, 0, malloc((size_t)length + 1)};
    struct safetensors_reader in = {.json = {text, text, text + length, why}, .file = file};
    bool done = file->names ? read_file(&in, why) : tool_why(why, "does not fit in memory");
    free(in.metadata.list);
    file->tensors = in.tensors.list;
    file->count = in.tensors.count;
    if (!done)
        tool_safetensors_close(file);
    return done;
}

void tool_safetensors_close(struct tool_safetensors *file)
{
    free(file->tensors);
    free(file->names);
    *file = (struct tool_safetensors){0};
}

const struct tool_tensor *tool_safetensors_find(const struct tool_safetensors *file, const char *name)
{
    const struct tool_tensor wanted = {.name = name, .length = strlen(name)};
    if (file->count == 0)
        return NULL;
    return bsearch(&wanted, file->tensors, file->count, sizeof *file->tensors, by_tensor_name);
}

bool tool_safetensors_array(const struct tool_safetensors *file, const struct tool_tensor *tensor,
                            struct tool_npy *array, const struct tool_tensor_type **type, struct tool_why *why)
{
    struct tool_description of;
    struct tool_json json = {file->header, file->header + tensor->at, file->header + file->header_bytes, why};
    if (!tool_description_read(&json, tensor->name, file->bytes, &of))
        return false;
    if (!of.type)
        return tool_why(why,
                        "has a tensor '%.100s' with elements of type '%s'; expected one of BOOL, U8 to U64, I8 to I64, "
                        "F16, BF16, F32, F64, C64, F8_E4M3, F8_E5M2, F8_E8M0",
                        tensor->name, of.type_name);
    *array = of.array;
    array->data = file->data + tensor->begin;
    array->bytes = (size_t)(tensor->end - tensor->begin);
    *type = of.type;
    return true;
}
