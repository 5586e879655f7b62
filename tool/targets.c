/* tool: ptog targets, every target and where they differ, as a table. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "tool.h"

#include <inttypes.h>
#include <string.h>

#include <ptog/ptog.h>

#include "io/pick.h"

#define CELL 40
#define MAX_WIDE 80

typedef void cell_text(char cell[CELL], const struct ptog_target *target);

/* What a table says of something that a target has or does, or not. */
#define YES_OR_NO(name, has, yes, no)                                                                                  \
    static void name(char cell[CELL], const struct ptog_target *target)                                                \
    {                                                                                                                  \
        static const char *const words[] = {no, yes};                                                                  \
        put_cell(cell, words[(has) != 0]);                                                                             \
    }

static void put_cell(char cell[CELL], const char *text)
{
    snprintf(cell, CELL, "%s", text);
}

/* What concerns rows, where a target gathers rows at all. */
static void put_of_rows(char cell[CELL], const struct ptog_target *target, const char *text)
{
    put_cell(cell, text);
    if (target->mode_from == PTOG_MODE_ALWAYS_ELEM)
        put_cell(cell, "-");
}

/* Writes into a cell where the target has the mode of mgather from. */
static void mode_cell(char cell[CELL], const struct ptog_target *target)
{
    static const char *const texts[] = {"as written", "always elem", "from index columns"};
    put_cell(cell, texts[target->mode_from]);
    if (target->elem_default)
        put_cell(cell, "as written, or elem");
}

YES_OR_NO(policies, target->policies, "all four", "none: unchecked")
YES_OR_NO(index_sign, target->signed_index, "signed", "unsigned")

static void row_index(char cell[CELL], const struct ptog_target *target)
{
    static const char *const texts[] = {"[1,R]", "[1,R]; [R,1] col", "[1,R]; [R,1]", "[R,1]", "[1,R]; [R,1]"};
    put_of_rows(cell, target, texts[target->row_index]);
}

static void row_capacity(char cell[CELL], const struct ptog_target *target)
{
    put_of_rows(cell, target, target->row_count == PTOG_ROWS_SHAPE_3 ? "shape3" : "shape0*..*shape3");
}

static void row_pitch(char cell[CELL], const struct ptog_target *target)
{
    static const char *const texts[] = {"stride3", "dst.ValidCol", "shape4"};
    put_of_rows(cell, target, texts[target->row_pitch]);
}

YES_OR_NO(elem_capacity, target->elem_count == PTOG_ELEMS_ALL, "shape0*..*shape4", "shape3*shape4")
YES_OR_NO(offsets, target->product_32, "64 bits; libraries: 32", "64 bits")
YES_OR_NO(elem_place, target->elem_in_order, "may be dst", "apart from dst")
YES_OR_NO(written, target->writes_padded, "the padded tile", "the valid region")

static void table_layouts(char cell[CELL], const struct ptog_target *target)
{
    cell[0] = '\0';
    for (int l = PTOG_ND; l <= PTOG_NZ; l++)
        if (target->table_layouts >> l & 1)
            snprintf(cell + strlen(cell), CELL - strlen(cell), "%s%s", tool_when(cell[0], " "),
                     ptog_layout_name((enum ptog_layout)l));
}

/* "row col nz": the names without their "_major". */
static void put_orders(char cell[CELL], uint32_t orders)
{
    cell[0] = '\0';
    for (int o = PTOG_ORDER_ROW; o <= PTOG_ORDER_OTHER; o++)
        if (orders >> o & 1) {
            const char *name = ptog_tile_order_name((enum ptog_tile_order)o);
            snprintf(cell + strlen(cell), CELL - strlen(cell), "%s%.*s", tool_when(cell[0], " "),
                     (int)strcspn(name, "_"), name);
        }
}

static void dst_orders(char cell[CELL], const struct ptog_target *target)
{
    put_orders(cell, target->dst_orders);
}

static void index_orders(char cell[CELL], const struct ptog_target *target)
{
    put_orders(cell, target->index_orders);
}

YES_OR_NO(outside_tile, target->tile_oob == PTOG_TILE_OOB_ZERO, "is 0", "reads UB")
YES_OR_NO(mask_8_bytes, target->mask_8_by_row, "row by row", "one stream")
YES_OR_NO(compare_position, target->compare_a5, "ValidCol, by 64s", "src.Cols")
YES_OR_NO(compare_f32, target->compare_a5, "as uint32, rounded", "as f32")
YES_OR_NO(dn_columns, target->dn_contiguous, "contiguous", "stride3")

static void ub_bytes(char cell[CELL], const struct ptog_target *target)
{
    if (target->ub_bytes > 0)
        snprintf(cell, CELL, "%" PRIu64, target->ub_bytes);
    else
        put_cell(cell, "none");
}

static const struct property {
    const char *label;
    cell_text *text; /* NULL: the label is a heading */
} properties[] = {
    {"mgather", NULL},
    {"mode", mode_cell},
    {"policies", policies},
    {"index", index_sign},
    {"Row: index tile", row_index},
    {"Row: capacity", row_capacity},
    {"Row: row pitch", row_pitch},
    {"Elem: capacity", elem_capacity},
    {"Elem: index tile", elem_place},
    {"offsets", offsets},
    {"writes", written},
    {"table layouts", table_layouts},
    {"dst orders", dst_orders},
    {"index orders", index_orders},
    {"tgather", NULL},
    {"index outside src", outside_tile},
    {"mask, 8 bytes", mask_8_bytes},
    {"compare: row step", compare_position},
    {"compare: f32", compare_f32},
    {"tload, tstore", NULL},
    {"DN: in a column", dn_columns},
    {"on-chip buffer", NULL},
    {"UB bytes", ub_bytes},
};
#define PROPERTIES (sizeof properties / sizeof properties[0])
#define LABEL 19

/* Which instructions take an element type, one letter each, as the legend below says. */
static void dtype_cell(char cell[CELL], const struct ptog_target *target, int dtype)
{
    const uint32_t sets[] = {ptog_target_types(target, PTOG_MGATHER, PTOG_FORM_ROW, "dst"),
                             ptog_target_types(target, PTOG_MGATHER, PTOG_FORM_ROW, "idx"),
                             ptog_target_types(target, PTOG_TGATHER, PTOG_FORM_INDEX, "dst"),
                             ptog_target_types(target, PTOG_TGATHER, PTOG_FORM_INDEX, "idx"),
                             ptog_target_types(target, PTOG_TGATHER, PTOG_FORM_MASK, "dst"),
                             ptog_target_types(target, PTOG_TGATHER, PTOG_FORM_COMPARE, "src")};
    put_cell(cell, "GgTtMC");
    for (int i = 0; i < 6; i++)
        if (!(sets[i] >> dtype & 1))
            cell[i] = '-';
}

static void print_row(const char *label, char cells[][CELL], const int *widths, size_t count)
{
    printf("  %-*s", LABEL, label);
    for (size_t t = 0; t < count; t++)
        printf("%-*s%s", t + 1 < count ? widths[t] : 0, cells[t], t + 1 < count ? "  " : "\n");
}

/* Fills in how wide the column of a target is. */
static void measure_cells(int *widths, const struct ptog_target *target)
{
    char cell[CELL];
    *widths = (int)strlen(target->name);
    for (size_t p = 0; p < PROPERTIES; p++) {
        if (!properties[p].text)
            continue;
        properties[p].text(cell, target);
        if ((int)strlen(cell) > *widths)
            *widths = (int)strlen(cell);
    }
}

/* The targets from number `first` on, side by side. */
static void print_part(size_t first, size_t count, const int *widths)
{
    char cells[PTOG_TARGETS][CELL];
    for (size_t t = 0; t < count; t++)
        put_cell(cells[t], ptog_target_at(first + t)->name);
    fputs(tool_bold(), stdout);
    print_row("", cells, widths, count);
    fputs(tool_plain(), stdout);
    for (size_t p = 0; p < PROPERTIES; p++) {
        if (!properties[p].text) {
            printf("%s\n", properties[p].label);
            continue;
        }
        for (size_t t = 0; t < count; t++)
            properties[p].text(cells[t], ptog_target_at(first + t));
        print_row(properties[p].label, cells, widths, count);
    }
    tool_print_wrapped(
        0, "element types: G mgather, g as its index, T tgather by index, t as its index, M by mask, C by comparison");
    for (int dtype = 1; dtype < PTOG_DTYPE_COUNT; dtype++) {
        for (size_t t = 0; t < count; t++)
            dtype_cell(cells[t], ptog_target_at(first + t), dtype);
        print_row(ptog_dtype_name((enum ptog_dtype)dtype), cells, widths, count);
    }
}

/* As many targets side by side as a terminal of 80 columns shows, then the others. */
static void print_table(size_t count)
{
    int widths[PTOG_TARGETS];
    for (size_t t = 0; t < count; t++)
        measure_cells(&widths[t], ptog_target_at(t));
    for (size_t first = 0, next; first < count; first = next) {
        int width = 2 + LABEL + widths[first];
        for (next = first + 1; next < count && width + 2 + widths[next] <= MAX_WIDE; next++)
            width += 2 + widths[next];
        putchar('\n');
        print_part(first, next - first, widths + first);
    }
}

/* Prints a figure of the costs with its source and, of a curve, its points. */
static void print_cost(const struct ptog_cost *cost)
{
    char targets[256];
    tool_target_names(targets, sizeof targets, cost->targets, false);
    printf("%-18s %-20s ", cost->name, targets);
    if (cost->points)
        printf("%8s  %s\n", "", cost->source);
    else
        printf("%8g  %s\n", cost->cycles, cost->source);
    for (size_t i = 0; i < cost->point_count; i++)
        printf("  %15.0f bytes%*s%8g\n", cost->points[i][0], 17, "", cost->points[i][1]);
}

/* Prints the costs of all targets with their sources. */
static int print_costs(void)
{
    puts(
        "Costs of the simulated devices in cycles; clocks in MHz. Every figure is an estimate: nothing was measured here.\n");
    printf("%-18s %-20s %8s  %s\n", "name", "targets", "cycles", "source");
    for (size_t i = 0; ptog_cost_at(i); i++)
        print_cost(ptog_cost_at(i));
    return TOOL_OK;
}

/* "a2a3        A2/A3 vector core: scalar pipe and row DMA (also a2, a3, 910b)" */
static void print_target(const struct ptog_target *target)
{
    const char *separator = " (also ";
    char text[512];
    int used = snprintf(text, sizeof text, "%.300s", target->summary);
    for (size_t i = 0; ptog_target_alias_at(i); i++)
        if (ptog_target_alias_at(i)->target == target) {
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "%s%.20s", separator, ptog_target_alias_at(i)->name);
            separator = ", ";
        }
    snprintf(text + used, sizeof text - (size_t)used, "%s", tool_when(strcmp(separator, ", ") == 0, ")"));
    printf("%-11s ", target->name);
    tool_print_wrapped(12, text);
}

struct targets_request {
    bool costs;
};

/* ptog targets: the exit status. */
static int targets_run(int argc, char **argv)
{
    struct targets_request request = {0};
    if (!tool_parse(argc, argv, &tool_targets, &request, NULL, 0))
        return TOOL_USAGE;
    if (request.costs)
        return print_costs();
    size_t count = PTOG_TARGETS;
    for (size_t t = 0; t < count; t++)
        print_target(ptog_target_at(t));
    print_table(count);
    return TOOL_OK;
}

static const struct tool_option options[] = {
    {"--costs", NULL, "print the cost table of the simulated devices, each figure with its source",
     .at = offsetof(struct targets_request, costs)},
    {.name = NULL},
};

const struct tool_command tool_targets = {
    .name = "targets",
    .arguments = "[--costs]",
    .summary = "list the targets and where they differ",
    .about =
        "Prints the targets, one line each, and a table of what they accept and where their meaning differs: the mode "
        "of mgather, out-of-bounds policies, row pitch and capacity, the width of offsets, layouts, element types, "
        "and the size of the on-chip buffer (UB).",
    .options = options,
    .run = targets_run,
};
