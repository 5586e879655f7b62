/* tool: ptog run --show NAME: the elements of an argument or a tile as a table on standard output. Columns are aligned
 * at the decimal point; of many rows or columns the middle ones are left out, as numpy does. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/npy.h"

#define MAX_WIDTH 100 /* characters of a row */
#define MAX_COLUMNS 16
#define MAX_ROWS 20
#define EDGE_ROWS 3 /* at the beginning and the end of many rows, and of many planes */
#define MAX_TEXT 32 /* of one element */

/* Elements to be shown: planes of rows of columns. */
struct shown_array {
    const char *name;
    enum ptog_dtype dtype;
    int rank;
    int64_t shape[5];
    const unsigned char *data;
    int64_t planes, rows, columns;
};

/* The numbers of the rows, columns or planes that are shown; the middle ones are left out. */
struct shown_range {
    int64_t count, head, tail; /* all, and those at both ends; head = count: all of them */
};

static struct shown_range range_of(int64_t count, int64_t most, int64_t edge)
{
    if (count <= most)
        return (struct shown_range){count, count, 0};
    return (struct shown_range){count, edge, edge};
}

/* The next number after i; `count` at the end. */
static int64_t next_shown(const struct shown_range *range, int64_t i)
{
    if (i + 1 == range->head && range->head < range->count)
        return range->count - range->tail;
    return i + 1;
}

/* ---- columns ---- */

struct shown_column {
    int before, after; /* characters before the decimal point, and from it on */
};

struct shown_table {
    struct shown_range rows, columns;
    struct shown_column of[MAX_COLUMNS];
};

/* Writes an element of an array as text. */
static void element_text(const struct shown_array *array, int64_t plane, int64_t row, int64_t column,
                         char text[MAX_TEXT])
{
    size_t at = (size_t)((plane * array->rows + row) * array->columns + column);
    ptog_dtype_format(text, MAX_TEXT, array->dtype, array->data + at * ptog_dtype_size(array->dtype));
    if (strstr(text, "e+")) { /* 1.3e+02 is 130 among numbers */
        double number = strtod(text, NULL);
        if (number > -1e15 && number < 1e15)
            snprintf(text, MAX_TEXT, "%.15g", number);
    }
}

/* Makes a column wide enough for a text, before and behind its point. */
static void widen_column(struct shown_column *column, const char *text)
{
    int length = (int)strlen(text), before = (int)strcspn(text, ".");
    if (before > column->before)
        column->before = before;
    if (length - before > column->after)
        column->after = length - before;
}

/* Measures the columns that are shown; returns the width of a row. */
static int measure_columns(const struct shown_array *array, int64_t plane, struct shown_table *table)
{
    int width = 0, number = 0;
    memset(table->of, 0, sizeof table->of);
    for (int64_t c = 0; c < table->columns.count; c = next_shown(&table->columns, c), number++) {
        struct shown_column *column = &table->of[number];
        for (int64_t r = 0; r < table->rows.count; r = next_shown(&table->rows, r)) {
            char text[MAX_TEXT];
            element_text(array, plane, r, c, text);
            widen_column(column, text);
        }
        width += 2 + column->before + column->after;
    }
    return width;
}

/* As many columns as fit. */
static void choose_columns(const struct shown_array *array, int64_t plane, struct shown_table *table)
{
    table->rows = range_of(array->rows, MAX_ROWS, EDGE_ROWS);
    table->columns = range_of(array->columns, MAX_COLUMNS, MAX_COLUMNS / 2);
    for (int edge = MAX_COLUMNS / 2 - 1; measure_columns(array, plane, table) > MAX_WIDTH && edge > 0; edge--)
        table->columns = range_of(array->columns, 2 * edge, edge);
}

/* ---- printing ---- */

/* Prints a row of an array, its columns aligned at the point, and "..." where columns are left out. */
static void print_row(const struct shown_array *array, int64_t plane, int64_t row, const struct shown_table *table)
{
    int number = 0, owed = 0; /* blanks, printed when something follows */
    for (int64_t c = 0; c < table->columns.count; c = next_shown(&table->columns, c), number++) {
        const struct shown_column *column = &table->of[number];
        char text[MAX_TEXT];
        element_text(array, plane, row, c, text);
        int before = (int)strcspn(text, ".");
        printf("%*s%s", owed + 2 + column->before - before, "", text);
        owed = column->after - ((int)strlen(text) - before);
        if (c + 1 == table->columns.head && table->columns.tail > 0) {
            printf("%*s  ...", owed, "");
            owed = 0;
        }
    }
    putchar('\n');
}

/* Prints the rows of one plane of an array, and "..." where rows are left out. */
static void print_plane(const struct shown_array *array, int64_t plane)
{
    struct shown_table table;
    choose_columns(array, plane, &table);
    for (int64_t r = 0; r < table.rows.count; r = next_shown(&table.rows, r)) {
        print_row(array, plane, r, &table);
        if (r + 1 == table.rows.head && table.rows.tail > 0)
            puts("  ...");
    }
}

/* "[1, 2, :, :]": which plane of an array with more than two dimensions. */
static void print_plane_name(const struct shown_array *array, int64_t plane)
{
    int64_t at[5] = {0};
    for (int d = array->rank - 3; d >= 0; d--) {
        at[d] = plane % array->shape[d];
        plane /= array->shape[d];
    }
    fputs(" [", stdout);
    for (int d = 0; d < array->rank - 2; d++)
        printf("%lld, ", (long long)at[d]);
    puts(":, :]");
}

/* Prints an array, of a large one the ends of each dimension. */
static void print_array(struct shown_array *array)
{
    char shape[TOOL_SHAPE_NAME];
    array->columns = array->rank > 0 ? array->shape[array->rank - 1] : 1;
    array->rows = array->rank > 1 ? array->shape[array->rank - 2] : 1;
    array->planes = 1;
    for (int d = 0; d < array->rank - 2; d++)
        array->planes *= array->shape[d];
    tool_shape_name(shape, array->rank, array->shape);
    printf("%%%s: %s %s\n", array->name, shape, ptog_dtype_name(array->dtype));
    if (array->rows <= 0 || array->columns <= 0)
        return;
    struct shown_range planes = range_of(array->planes, 2 * EDGE_ROWS, EDGE_ROWS);
    for (int64_t p = 0; p < planes.count; p = next_shown(&planes, p)) {
        if (array->rank > 2)
            print_plane_name(array, p);
        print_plane(array, p);
        if (p + 1 == planes.head && planes.tail > 0)
            puts(" ...");
    }
}

/* ---- what a name stands for ---- */

/* Prints an argument or output after a run: a number, or an array in its shape. */
static void show_item(const struct run_item *item)
{
    struct shown_array array = {.name = item->name, .dtype = item->dtype, .rank = item->rank, .data = item->data};
    if (item->kind == RUN_SET) {
        char text[MAX_TEXT];
        snprintf(text, sizeof text, item->real != 0 ? "%g" : "%.0f",
                 item->real != 0 ? item->real : (double)item->number);
        printf("%%%s: %s\n", item->name, text);
        return;
    }
    if (array.dtype == PTOG_DTYPE_NONE)
        array.dtype = PTOG_U8;
    memcpy(array.shape, item->shape, sizeof array.shape);
    int64_t count = (int64_t)(item->bytes / ptog_dtype_size(array.dtype)), shaped = array.rank > 0;
    for (int d = 0; d < array.rank; d++)
        shaped *= array.shape[d];
    if (shaped != count) { /* raw bytes have no shape */
        array.rank = 1;
        array.shape[0] = count;
    }
    print_array(&array);
}

/* The tile of that name, copied into the item; false after a message. */
static bool show_tile(struct run_item *item, const ptog_result *result)
{
    if (!run_copy_tile(item, result, "show"))
        return false;
    struct shown_array array = {.name = item->name, .dtype = item->dtype, .rank = 2, .data = item->data};
    memcpy(array.shape, item->shape, sizeof array.shape);
    print_array(&array);
    return true;
}

bool run_show(struct run_items *items, const ptog_result *result)
{
    for (size_t i = 0; i < items->count; i++) {
        struct run_item *item = &items->list[i];
        const struct run_item *bound = item->kind == RUN_SHOW ? run_bound_item(items, item->name) : NULL;
        if (bound)
            show_item(bound);
        else if (item->kind == RUN_SHOW && !show_tile(item, result))
            return false;
    }
    return true;
}
