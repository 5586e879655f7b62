/* tool: the data that ptog run gives a program: reads the files of --in and --inout, makes room for --out, checks that
 * types and shapes fit what the program declares, and hands it all over as bindings. Every option names its slot. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/array.h"
#include "io/memory.h"
#include "io/pick.h"

static bool find_slot(const ptog_program *program, const char *function, const char *name, struct ptog_slot *slot)
{
    *slot = (struct ptog_slot){0};
    return ptog_program_slot_find(program, function, name, slot);
}

static void slot_names(char text[256], const ptog_program *program, const char *function)
{
    struct ptog_slot slot;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; ptog_program_slot_at(program, function, i, &slot) && used < 200; i++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%.40s", tool_when(i > 0, ", "), slot.name);
}

/* Prints that the program has no argument of an item's name, with those it has; always false. */
static bool no_slot(const struct run_item *item, const ptog_program *program, const char *function)
{
    char names[256];
    slot_names(names, program, function);
    if (names[0])
        tool_fail(item->command, "the program has no argument %%%s; its arguments are %s", item->name, names);
    else
        tool_fail(item->command, "the program has no argument %%%s: it has no arguments", item->name);
    return false;
}

/* The option suits what the name stands for. */
static bool suits(const struct run_item *item, const struct ptog_slot *slot)
{
    const char *name = item->name;
    if (slot->kind == PTOG_SLOT_NUMBER && item->kind != RUN_SET)
        return tool_fail(item->command, "%%%s is a number: give it with --set %s=N", name, name), false;
    if (slot->kind != PTOG_SLOT_NUMBER && item->kind == RUN_SET)
        return tool_fail(item->command, "%%%s is not a number: give it with --in, --out or --inout", name), false;
    if (slot->kind == PTOG_SLOT_TILE && item->kind != RUN_IN)
        return tool_fail(item->command, "%%%s is a tile: give it with --in, and write it with --dump", name), false;
    return true;
}

/* ---- reading ---- */

/* Whether a file's element type is that of the argument, which gets it where it has none; false with a message. */
static bool type_fits(struct run_item *item, const struct tool_npy *npy)
{
    char found[24], wanted[24];
    tool_npy_type_name(found, npy);
    if (item->dtype == PTOG_DTYPE_NONE)
        item->dtype = tool_npy_dtype(npy);
    if (item->dtype == PTOG_DTYPE_NONE)
        return tool_fail(item->command, "%s: element type %s is not supported", item->from, found), false;
    tool_npy_wanted_name(wanted, item->dtype);
    if (!tool_npy_holds(npy, item->dtype))
        return tool_fail(item->command, "%s: holds %s, but %%%s has elements of %s; expected %s", item->from, found,
                         item->name, ptog_dtype_name(item->dtype), wanted),
               false;
    return true;
}

static void say_order(const struct run_item *item, const struct tool_npy *npy)
{
    if (npy->big_endian)
        fprintf(stderr, "ptog %s: note: %s: has big-endian elements, which were converted\n", item->command,
                item->from);
    if (npy->fortran)
        fprintf(stderr, "ptog %s: note: %s: is in Fortran order, which was converted\n", item->command, item->from);
}

/* Reads the file of an item; false with a message. */
static bool load_file(struct run_item *item)
{
    struct tool_array array;
    struct tool_why why;
    if (!tool_array_read(&array, item->from, &why))
        return tool_fail(item->command, "%s: %s", item->from, why.text), false;
    item->file = array.file;
    item->data = array.data;
    item->bytes = array.bytes;
    item->dtype = item->slot.dtype;
    if (array.npy.item == 0)
        return true;
    item->rank = array.npy.rank;
    memcpy(item->shape, array.npy.shape, sizeof item->shape);
    say_order(item, &array.npy);
    return type_fits(item, &array.npy) && run_shape_fits(item);
}

/* ---- making room ---- */

static bool is_static(const struct ptog_slot *slot)
{
    for (int d = 0; d < slot->rank; d++)
        if (slot->shape[d] == PTOG_DYN)
            return false;
    return slot->rank > 0;
}

/* Bytes of the item's shape; UINT64_MAX when they do not fit. */
static uint64_t bytes_of(const struct run_item *item)
{
    uint64_t bytes = ptog_dtype_size(item->dtype);
    for (int d = 0; d < item->rank; d++) {
        uint64_t extent = (uint64_t)item->shape[d];
        if (extent > 0 && bytes > UINT64_MAX / extent)
            return UINT64_MAX;
        bytes *= extent;
    }
    return bytes;
}

/* Allocates an output, with the shape of the option or of the program; false with a message. */
static bool make_room(struct run_item *item)
{
    const struct ptog_slot *slot = &item->slot;
    item->dtype = slot->dtype;
    if (item->dtype == PTOG_DTYPE_NONE)
        return tool_fail(item->command, "the element type of %%%s is unknown: write it in the program", item->name),
               false;
    if (item->rank == 0 && !is_static(slot))
        return tool_fail(item->command, "the shape of %%%s is unknown: give it with --out %s=16x32%s%s", item->name,
                         item->name, tool_when(item->to, ":"), tool_or(item->to, "")),
               false;
    if (item->rank == 0) {
        item->rank = slot->rank;
        memcpy(item->shape, slot->shape, sizeof item->shape);
    }
    uint64_t bytes = bytes_of(item);
    item->bytes = (size_t)bytes;
    if (bytes <= tool_memory())
        item->file = item->data = calloc(bytes ? item->bytes : 1, 1);
    if (!item->data)
        return tool_fail(item->command, "%%%s does not fit in memory", item->name), false;
    return true;
}

/* Finds what an item is bound to, and loads it or makes room for it; false with a message. */
static bool load_item(struct run_item *item, const ptog_program *program, const char *function)
{
    bool known = find_slot(program, function, item->name, &item->slot);
    if (known && !suits(item, &item->slot))
        return false;
    if (item->recipe && !known)
        return no_slot(item, program, function);
    if (item->kind == RUN_SET || item->recipe)
        return true;
    if (item->kind == RUN_OUT)
        return known ? make_room(item) : no_slot(item, program, function);
    if (!load_file(item))
        return false;
    if (item->kind == RUN_INOUT && item->dtype == PTOG_DTYPE_NONE && !tool_is_raw(item->to))
        return tool_fail(item->command, "the element type of %%%s is unknown: write to a file that ends in .bin",
                         item->name),
               false;
    return true;
}

bool run_load(struct run_items *items, const ptog_program *program, const char *function)
{
    if (ptog_program_slots(program, function) == PTOG_NO_MEMORY)
        return tool_fail(items->command, "out of memory"), false;
    for (size_t i = 0; i < items->count; i++)
        if (!run_is_taken(&items->list[i]) && !load_item(&items->list[i], program, function))
            return false;
    return true;
}

/* What the command allocates for it; files are not counted. */
static uint64_t allocated_for(const struct run_item *item)
{
    bool own = item->generated || item->kind == RUN_OUT;
    return item->bytes * (item->copies + own);
}

struct ptog_binding *run_bindings(const struct run_items *items, size_t *count)
{
    struct ptog_binding *bindings = calloc(items->count + 1, sizeof *bindings);
    *count = 0;
    for (size_t i = 0; bindings && i < items->count; i++) {
        const struct run_item *item = &items->list[i];
        if (run_is_taken(item) || (item->recipe && !item->data))
            continue;
        struct ptog_binding *binding = &bindings[(*count)++];
        *binding = (struct ptog_binding){.name = item->name,
                                         .data = {item->data, item->bytes},
                                         .dtype = item->dtype,
                                         .rank = item->for_show ? 0 : item->rank,
                                         .is_number = item->kind == RUN_SET,
                                         .number = item->number,
                                         .real = item->real,
                                         .allocated = allocated_for(item)};
        memcpy(binding->shape, item->shape, sizeof binding->shape);
    }
    return bindings;
}
