/* interp: records that make or change views, pointers, tiles and arrays. The arguments are read from their slots; what
 * is made of them is as in a check: lower/ops/made.h. */
#include "interp/run_made.h"

#include "interp/slots.h"
#include "lower/forward_address.h"
#include "lower/ops/made.h"

/* ---- arguments */

/* The value of an argument; NULL when it is of another kind, of which nothing can be made. */
static struct ptog_value *arg_as(const struct ptog_eval *e, const struct ptog_code *code, uint32_t i,
                                 enum ptog_value_kind kind)
{
    if (code->args[i].slot == 0)
        return NULL;
    struct ptog_value *value = ptog_slot_value(e, &code->args[i]);
    return value->kind == kind ? value : NULL;
}

/* The numbers of the arguments from number `from` on; false, and the run stops, when one holds none. */
static bool read_numbers(struct ptog_eval *e, const struct ptog_code *code, uint32_t from,
                         struct ptog_number n[PTOG_MAX_MADE_ARGS])
{
    bool good = true;
    for (uint32_t i = from; i < code->arg_count; i++)
        good = ptog_read_number(e, &code->args[i], &n[i - from]) && good;
    return good;
}

/* Fills n with the numbers of the clauses that are written, by clause. False after an error. */
static bool read_clauses(struct ptog_eval *e, const struct ptog_code *code, struct ptog_number n[PTOG_TILE_CLAUSES])
{
    uint32_t next = 0;
    bool good = true;
    for (int i = 0; i < PTOG_TILE_CLAUSES; i++)
        if (code->made->has[i])
            good = ptog_read_number(e, &code->args[next++], &n[i]) && good;
    return good;
}

/* ---- views, pointers, numbers */

/* Makes the result of a record that makes one value; false: there is none. */
static bool make_memory(struct ptog_eval *e, const struct ptog_code *code, struct ptog_value *value)
{
    struct ptog_number n[PTOG_MAX_MADE_ARGS];
    const struct ptog_value *from =
        arg_as(e, code, 0, code->kind == PTOG_CODE_PARTITION ? PTOG_VALUE_VIEW : PTOG_VALUE_POINTER);
    if (!read_numbers(e, code, 1, n) || !from)
        return false;
    switch (code->kind) {
    case PTOG_CODE_VIEW: return ptog_make_view(e, code->op, code->made, from, n, value);
    case PTOG_CODE_PARTITION: return ptog_make_part(e, code->op, code->made, from, n, value);
    default: return ptog_make_pointer(e, code->op, code->made, from, n[0], value);
    }
}

/* Defines the number that an affine map gives; one that is not known stops the run. */
static void run_affine(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = 64};
    struct ptog_number n[PTOG_MAX_MADE_ARGS];
    if (read_numbers(e, code, 0, n))
        ptog_make_affine(e, code->made, n, &value.number);
    e->stopped = e->stopped || !value.number.known;
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines the address of a pointer. */
static void run_to_address(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_value *pointer = arg_as(e, code, 0, PTOG_VALUE_POINTER);
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = code->scalar.width, .type = code->scalar.type};
    if (pointer)
        value.number = ptog_address_of(&pointer->pointer.base);
    e->stopped = e->stopped || !value.number.known;
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines the pointer that has an address; one in no buffer stops the run. */
static void run_from_address(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = code->made->value;
    struct ptog_number address;
    if (ptog_read_number(e, &code->args[0], &address))
        ptog_base_of_address(e, code->op, address, &value.pointer.base);
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines an extent or stride of a view. */
static void run_view_extent(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number dimension;
    const struct ptog_value *view = arg_as(e, code, 0, PTOG_VALUE_VIEW);
    if (ptog_read_number(e, &code->args[1], &dimension))
        ptog_define_view_extent(e, code->op, code->made, view, dimension);
}

/* ---- tiles */

/* Makes the tile of a record with the values of its arguments; false after an error, at which the run stops. */
static bool make_tile(struct ptog_eval *e, const struct ptog_code *code, struct ptog_value *value)
{
    struct ptog_number n[PTOG_MAX_MADE_ARGS] = {{0}};
    bool is_new = code->kind == PTOG_CODE_TILE || code->kind == PTOG_CODE_TILES;
    if (is_new ? !read_clauses(e, code, n) : !read_numbers(e, code, 1, n))
        return false;
    enum ptog_value_kind kind = code->kind == PTOG_CODE_TILE_OF ? PTOG_VALUE_MULTI_TILE : PTOG_VALUE_TILE;
    struct ptog_value *from = is_new ? NULL : arg_as(e, code, 0, kind);
    if (!is_new && !from)
        return false;
    switch (code->kind) {
    case PTOG_CODE_TILE: return ptog_make_tile(e, code->op, code->made, n, value);
    case PTOG_CODE_TILES: return ptog_make_tiles(e, code->op, code->made, n, value);
    case PTOG_CODE_TILE_OF: return ptog_make_tile_of(e, code->made, from, n[0], value);
    case PTOG_CODE_SUBVIEW: return ptog_make_subview(e, code->op, code->made, from, n, value);
    default: return ptog_make_reshaped(e, code->op, code->made, from, value);
    }
}

/* A part of a tile has the type that the text gives it, and so have several tiles. Without the tiles that it would
 * make, or the one that it would give, a run is over. */
static void run_tile(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = {0};
    bool is_of_several = code->kind == PTOG_CODE_TILES || code->kind == PTOG_CODE_TILE_OF;
    if (!make_tile(e, code, &value)) {
        value = (struct ptog_value){0};
        e->stopped = e->stopped || is_of_several;
    }
    if (code->kind == PTOG_CODE_SUBVIEW || code->kind == PTOG_CODE_TILES)
        value.type = code->made->use ? code->made->use->type : NULL;
    ptog_define_result(e, code->op, 0, &value);
}

/* Changes the valid extents of a tile in its slot. */
static void run_set_valid(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number n[PTOG_MAX_MADE_ARGS];
    struct ptog_value *tile = arg_as(e, code, 0, PTOG_VALUE_TILE);
    if (read_numbers(e, code, 1, n) && tile)
        ptog_change_valid(e, code->made, n[0], n[1], tile);
}

/* Executes tassign: the result gets the tile with the address, or, without a result, the tile itself is changed. */
static void run_assign(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number addr;
    struct ptog_value *from = arg_as(e, code, 0, PTOG_VALUE_TILE), value = {0};
    if (!ptog_read_number(e, &code->args[1], &addr))
        return;
    if (from && !ptog_change_address(e, code->made, from, addr, &value))
        value = (struct ptog_value){0};
    if (code->op->result_count > 0) {
        if (code->made->use)
            value.type = code->made->use->type;
        ptog_define_result(e, code->op, 0, &value);
    } else if (value.kind == PTOG_VALUE_TILE) {
        from->tile = value.tile;
        ptog_value_changed(e, from);
    }
}

/* Keeps the address for a tile that a later operation makes. */
static void run_address(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number addr;
    if (ptog_read_number(e, &code->args[0], &addr))
        ptog_set_forward_address(e, code->made->name, addr, code->made->spans[0]);
}

/* Notes what a tile holds. */
static void run_print(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value *tile = arg_as(e, code, 0, PTOG_VALUE_TILE);
    if (tile)
        ptog_print_tile(e, code->made, tile);
}

/* ---- arrays */

/* Defines an array with no element set. */
static void run_array(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = code->made->value;
    value.array = ptog_declare_array(e, code->op, code->made->rank);
    ptog_define_result(e, code->op, 0, &value);
}

/* Sets an element of an array, or defines one as the result. */
static void run_element(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number n[PTOG_MAX_MADE_ARGS];
    bool sets = code->kind == PTOG_CODE_SET_ELEMENT;
    const struct ptog_value *array = arg_as(e, code, sets, PTOG_VALUE_ARRAY);
    struct ptog_value value = code->made->value;
    bool good = read_numbers(e, code, 1u + sets, n) && array;
    if (sets && good)
        ptog_set_element(e, code->made, array, n, ptog_slot_value(e, &code->args[0]));
    else if (good)
        ptog_get_element(e, code->made, array, n, &value);
    if (!sets)
        ptog_define_result(e, code->op, 0, &value);
}

/* ---- any of them */

void ptog_run_made(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = {0};
    switch ((enum ptog_code_kind)code->kind) {
    case PTOG_CODE_AFFINE: run_affine(e, code); break;
    case PTOG_CODE_VIEW_EXTENT: run_view_extent(e, code); break;
    case PTOG_CODE_VALID_SHAPE: ptog_define_valid_shape(e, code->op, arg_as(e, code, 0, PTOG_VALUE_TILE)); break;
    case PTOG_CODE_SET_VALID: run_set_valid(e, code); break;
    case PTOG_CODE_ASSIGN: run_assign(e, code); break;
    case PTOG_CODE_ADDRESS: run_address(e, code); break;
    case PTOG_CODE_TILE:
    case PTOG_CODE_TILES:
    case PTOG_CODE_TILE_OF:
    case PTOG_CODE_SUBVIEW:
    case PTOG_CODE_RESHAPE: run_tile(e, code); break;
    case PTOG_CODE_ARRAY: run_array(e, code); break;
    case PTOG_CODE_GET_ELEMENT:
    case PTOG_CODE_SET_ELEMENT: run_element(e, code); break;
    case PTOG_CODE_PRINT: run_print(e, code); break;
    case PTOG_CODE_TO_ADDRESS: run_to_address(e, code); break;
    case PTOG_CODE_FROM_ADDRESS: run_from_address(e, code); break;
    default:
        if (!make_memory(e, code, &value))
            value = (struct ptog_value){0};
        ptog_define_result(e, code->op, 0, &value);
        break;
    }
}
