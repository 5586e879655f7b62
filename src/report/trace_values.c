/* report: the tiles of a trace, and the bytes of UB over time, as its page needs them to show values. They have no line
 * ends: those are between events. */
#include "report/trace.h"

#include <stdlib.h>
#include <string.h>

#include <ptog/insn.h>

#include "base/array.h"

#define MAX_VALUE_BYTES ((size_t)512 << 10)
#define MAX_RECORDS ((size_t)1 << 14)
#define MAX_VALUE_TILES 1000
#define MAX_DRAWING_BYTES ((size_t)1 << 20)
#define HEX_AT_ONCE 256 /* bytes */

/* Keeps a copy of the bytes of a record. What does not fit is left out, and so is what comes after it. False when out
 * of memory. */
bool ptog_trace_values_add(struct ptog_trace_values *values, const struct ptog_value_record *record, const void *bytes)
{
    size_t used = values->used, count = values->record_count;
    values->full = values->full || count == MAX_RECORDS || record->count > MAX_VALUE_BYTES - used;
    if (values->full)
        return true;
    if (!ptog_array_reserve(&values->bytes, used + record->count, &values->byte_room) ||
        !ptog_array_reserve(&values->records, count + 1, &values->record_room))
        return false;
    memcpy(values->bytes + used, bytes, record->count);
    values->records[count] = *record;
    values->records[count].first = used;
    values->used += record->count;
    values->record_count++;
    return true;
}

/* Keeps the description of a tile, unless there are too many. False when out of memory. */
bool ptog_trace_values_tile(struct ptog_trace_values *values, const struct ptog_value_tile *tile)
{
    if (values->tile_count == MAX_VALUE_TILES)
        return true;
    if (!ptog_array_reserve(&values->tiles, values->tile_count + 1, &values->tile_room))
        return false;
    values->tiles[values->tile_count++] = *tile;
    return true;
}

bool ptog_trace_values_draw(const struct ptog_trace_values *values)
{
    return values->drawn < MAX_DRAWING_BYTES;
}

/* Keeps a drawing for a line, or frees it when it does not fit; `svg` was allocated with malloc, with a terminator
 * behind its bytes. False when out of memory. */
bool ptog_trace_values_drawing(struct ptog_trace_values *values, uint32_t line, char *svg, size_t bytes)
{
    bool fits = bytes <= MAX_DRAWING_BYTES - values->drawn;
    values->drawn = fits ? values->drawn + bytes : MAX_DRAWING_BYTES; /* those that come now are left out */
    bool kept = fits && ptog_array_reserve(&values->drawings, values->drawing_count + 1, &values->drawing_room);
    if (kept)
        values->drawings[values->drawing_count++] = (struct ptog_value_drawing){line, svg, bytes};
    else
        free(svg);
    return kept || !fits;
}

/* Writes the drawings of instructions, by line. */
static void put_drawings(const struct ptog_trace_values *values, struct ptog_json *json)
{
    if (values->drawing_count == 0)
        return;
    ptog_json_key(json, "drawings");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < values->drawing_count; i++) {
        ptog_json_open(json, '[');
        ptog_json_number(json, values->drawings[i].line);
        ptog_json_string_n(json, values->drawings[i].svg, values->drawings[i].bytes);
        ptog_json_close(json, ']');
    }
    ptog_json_close(json, ']');
}

/* Writes a tile whose bytes the trace has. */
static void put_value_tile(struct ptog_json *json, const struct ptog_value_tile *tile)
{
    ptog_json_open(json, '{');
    if (tile->name)
        ptog_json_string_of(json, "name", tile->name);
    ptog_json_string_of(json, "memory", tile->memory);
    ptog_json_number_of(json, "address", tile->address);
    ptog_json_number_of(json, "at", tile->at);
    ptog_json_number_of(json, "rows", (uint64_t)tile->rows);
    ptog_json_number_of(json, "cols", (uint64_t)tile->cols);
    if (tile->valid_row > 0)
        ptog_json_number_of(json, "valid_row", (uint64_t)tile->valid_row);
    if (tile->valid_col > 0)
        ptog_json_number_of(json, "valid_col", (uint64_t)tile->valid_col);
    ptog_json_string_of(json, "type", ptog_dtype_name(tile->dtype));
    ptog_json_string_of(json, "order", ptog_tile_order_name(tile->order));
    ptog_json_close(json, '}');
}

/* Writes the bytes of a record as hexadecimal digits; long ones in pieces, as two digits a byte need room. */
static void put_record(struct ptog_json *json, const struct ptog_trace_values *values,
                       const struct ptog_value_record *record)
{
    char text[2 * HEX_AT_ONCE + 1];
    for (size_t done = 0; done < record->count; done += HEX_AT_ONCE) {
        size_t count = record->count - done < HEX_AT_ONCE ? record->count - done : HEX_AT_ONCE;
        const unsigned char *from = values->bytes + record->first + done;
        for (size_t i = 0; i < count; i++) {
            text[2 * i] = "0123456789abcdef"[from[i] >> 4];
            text[2 * i + 1] = "0123456789abcdef"[from[i] & 15];
        }
        text[2 * count] = '\0'; /* characters are looked at up to a terminator */
        ptog_json_open(json, '[');
        ptog_json_number(json, record->process);
        ptog_json_number(json, record->time);
        ptog_json_number(json, record->at + done);
        ptog_json_string_n(json, text, 2 * count);
        ptog_json_close(json, ']');
    }
}

void ptog_trace_values_put(const struct ptog_trace_values *values, struct ptog_json *json)
{
    put_drawings(values, json);
    if (values->tile_count == 0)
        return;
    ptog_json_key(json, "tiles");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < values->tile_count; i++)
        put_value_tile(json, &values->tiles[i]);
    ptog_json_close(json, ']');
    ptog_json_key(json, "values");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < values->record_count; i++)
        put_record(json, values, &values->records[i]);
    ptog_json_close(json, ']');
    ptog_json_bool_of(json, "values cut", values->full);
}

void ptog_trace_values_free(struct ptog_trace_values *values)
{
    free(values->records);
    free(values->bytes);
    free(values->tiles);
    for (size_t i = 0; i < values->drawing_count; i++)
        free(values->drawings[i].svg);
    free(values->drawings);
    *values = (struct ptog_trace_values){0};
}
