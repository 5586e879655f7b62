/* lint: the functions and buffers that the FIFO names. A buffer belongs to the function that reserves it; another
 * imports it by its name and that of the function, which is one of the same module, or the only one of that name that
 * the module around and its other parts offer. */
#include "asm/op_parts.h"
#include "lint/fifo/fifo.h"
#include "lint/fifo/keys.h"

/* Kinds of names in one list. */
enum name_kind { NAME_OWN, NAME_OFFERED, NAME_RESERVED, NAME_IMPORTED };

static struct ptog_fifo_key name_key(enum name_kind kind, uint32_t where, ptog_symbol name, uint64_t more, uint32_t of)
{
    return (struct ptog_fifo_key){((uint64_t)kind << 32) | where, name, more, of};
}

static size_t find_name(const struct ptog_fifo_keys *names, enum name_kind kind, uint32_t where, ptog_symbol name,
                        uint64_t more, size_t *count)
{
    return ptog_fifo_keys_find(names, ((uint64_t)kind << 32) | where, name, more, count);
}

static ptog_symbol name_in(const struct ptog_fifo *fifo, const struct ptog_op *op, const char *key)
{
    const struct ptog_item *item = ptog_op_attribute(&fifo->program->tree, op, key);
    bool named = item && (item->kind == PTOG_ITEM_STRING || item->kind == PTOG_ITEM_SYMBOL);
    if (named)
        return item->name;
    return 0;
}

/* ---- functions */

/* Other parts of a program reach a function by its name, or by the one that it was written with. */
static bool offer(struct ptog_fifo_keys *names, uint32_t where, ptog_symbol name, ptog_symbol logical, uint32_t number)
{
    if (!ptog_fifo_keys_add(names, name_key(NAME_OFFERED, where, name, 0, number)))
        return false;
    return logical == 0 || logical == name ||
           ptog_fifo_keys_add(names, name_key(NAME_OFFERED, where, logical, 0, number));
}

/* Adds the names by which a function is reached; false when out of memory. */
static bool add_function(const struct ptog_fifo *fifo, struct ptog_fifo_keys *names, uint32_t number)
{
    const struct ptog_function *function = &fifo->program->functions[number];
    if (!function->op)
        return true;
    ptog_symbol name = ptog_op_part(function->op, PTOG_PART_ITEMS, 0)->items[0].name, logical = 0;
    const struct ptog_item *item = ptog_module_attribute(&fifo->program->tree, function->op, "pto.ptodsl.logical_name");
    if (item && item->kind == PTOG_ITEM_STRING)
        logical = item->name;
    if (!ptog_fifo_keys_add(names, name_key(NAME_OWN, function->scope, name, 0, number)))
        return false;
    if (function->helper)
        return true;
    return offer(names, function->scope + 1, name, logical, number) &&
           (function->outer == 0 || offer(names, function->outer, name, logical, number));
}

/* The function that peer_func of an operation names, in its own scope or offered to the one around; PTOG_FIFO_NONE:
 * none, or several. */
static uint32_t find_peer(const struct ptog_fifo *fifo, const struct ptog_fifo_keys *names,
                          const struct ptog_fifo_use *use)
{
    const struct ptog_function *function = &fifo->program->functions[use->function];
    ptog_symbol peer = name_in(fifo, use->op, "peer_func");
    size_t count, first = find_name(names, NAME_OWN, function->scope, peer, 0, &count);
    if (count > 0)
        return names->of[first].of;
    if (function->outer == 0)
        return PTOG_FIFO_NONE;
    first = find_name(names, NAME_OFFERED, function->outer, peer, 0, &count);
    return count == 1 ? names->of[first].of : PTOG_FIFO_NONE;
}

/* ---- buffers */

/* Adds the name of a buffer that is reserved or imported; false when out of memory. */
static bool add_buffer(const struct ptog_fifo *fifo, struct ptog_fifo_keys *names, uint32_t number)
{
    const struct ptog_fifo_use *use = &fifo->uses[number];
    ptog_symbol name = name_in(fifo, use->op, "name");
    if (use->op->name == PTOG_OP_NAME_RESERVE_BUFFER)
        return ptog_fifo_keys_add(names, name_key(NAME_RESERVED, use->function, name, 0, number));
    if (use->op->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER)
        return ptog_fifo_keys_add(
            names, name_key(NAME_IMPORTED, use->function, name, name_in(fifo, use->op, "peer_func"), number));
    return true;
}

/* Notes of a reserved or imported buffer whether its name is taken, and which function reserves what is imported. */
static void read_buffer(const struct ptog_fifo *fifo, const struct ptog_fifo_keys *names, uint32_t number)
{
    struct ptog_fifo_use *use = &fifo->uses[number];
    ptog_symbol name = name_in(fifo, use->op, "name");
    size_t count, first;
    if (use->op->name == PTOG_OP_NAME_RESERVE_BUFFER) {
        first = find_name(names, NAME_RESERVED, use->function, name, 0, &count);
        use->twice = count > 0 && names->of[first].of != number;
    } else if (use->op->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER) {
        first = find_name(names, NAME_IMPORTED, use->function, name, name_in(fifo, use->op, "peer_func"), &count);
        use->twice = count > 0 && names->of[first].of != number;
        use->peer = find_peer(fifo, names, use);
        if (use->peer == PTOG_FIFO_NONE)
            return;
        find_name(names, NAME_RESERVED, use->peer, name, 0, &count);
        use->peer_reserves = count > 0;
    }
}

/* ---- the buffers of a pipe */

/* The function and the name of the buffer that an operation reserves or imports; PTOG_FIFO_NONE: neither. */
static struct ptog_fifo_end end_of_name(const struct ptog_fifo *fifo, const struct ptog_op *from)
{
    const struct ptog_fifo_use *use = from ? ptog_fifo_use_of(fifo, from) : NULL;
    struct ptog_fifo_end end = {PTOG_FIFO_NONE, 0, false};
    if (!use)
        return end;
    end.name = name_in(fifo, from, "name");
    end.imported = from->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER;
    if (end.imported)
        end.function = use->peer;
    else if (from->name == PTOG_OP_NAME_RESERVE_BUFFER)
        end.function = use->function;
    return end;
}

/* One that a value names has the buffer of its only direction first. */
static void read_ends(const struct ptog_fifo *fifo, struct ptog_fifo_pipe *pipe)
{
    const struct ptog_fifo_use *use = &fifo->uses[pipe->use];
    bool down = !pipe->by_id && pipe->direction == 2;
    pipe->ends[0] = end_of_name(fifo, down ? NULL : use->from[0]);
    pipe->ends[1] = end_of_name(fifo, down ? use->from[0] : use->from[1]);
}

/* Finds for each imported buffer the function and the buffer that it names; false when out of memory. */
bool ptog_fifo_read_names(struct ptog_fifo *fifo)
{
    struct ptog_fifo_keys names = {0};
    bool good = true;
    for (uint32_t i = 0; good && fifo->use_count > 0 && i < fifo->program->function_count; i++)
        good = add_function(fifo, &names, i);
    for (uint32_t i = 0; good && i < fifo->use_count; i++)
        good = add_buffer(fifo, &names, i);
    ptog_fifo_keys_sort(&names);
    for (uint32_t i = 0; good && i < fifo->use_count; i++)
        read_buffer(fifo, &names, i);
    for (size_t i = 0; good && i < fifo->pipe_count; i++)
        read_ends(fifo, &fifo->pipes[i]);
    ptog_fifo_keys_free(&names);
    return good;
}
