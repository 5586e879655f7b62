/* Embedding bags in C: the sums of three bags of rows, from a table in f32 and from the same table in one byte an
 * element, with a scale for each row. */
#include <stdio.h>

#include <ptog/ptog.h>

#define ROWS 10
#define COLS 4
#define BAGS 3

static const int64_t indices[] = {3, 1, 4, 1, 5, 9}, starts[BAGS] = {0, 2, 3};

/* Plans, runs and prints the sums of a table. */
static int print_sums(enum ptog_dtype dtype, struct ptog_cbuf table, struct ptog_cbuf scales)
{
    struct ptog_bag bag = {.table = dtype, .idx = PTOG_I64, .mode = PTOG_BAG_SUM, .rows = ROWS, .cols = COLS};
    float sums[BAGS][COLS];
    ptog_bag_plan *plan = NULL;
    if (ptog_plan_bag(&plan, &bag, NULL) != PTOG_OK)
        return 1;
    struct ptog_bag_run run = {.dst = {sums, sizeof sums},
                               .table = table,
                               .idx = {indices, sizeof indices},
                               .offsets = {starts, sizeof starts},
                               .scales = scales};
    enum ptog_status status = ptog_bag_run(plan, &run, NULL);
    ptog_bag_plan_free(plan);
    printf("%s: %s\n", ptog_dtype_name(dtype), ptog_status_text(status));
    for (int b = 0; b < BAGS && status == PTOG_OK; b++)
        printf("  %g %g %g %g\n", (double)sums[b][0], (double)sums[b][1], (double)sums[b][2], (double)sums[b][3]);
    return status != PTOG_OK;
}

int main(void)
{
    float table[ROWS][COLS], scales[ROWS];
    int8_t small[ROWS][COLS];
    for (int r = 0; r < ROWS; r++) {
        scales[r] = 0.5f;
        for (int c = 0; c < COLS; c++) {
            table[r][c] = (float)(r * COLS + c);
            small[r][c] = (int8_t)(2 * (r * COLS + c));
        }
    }
    struct ptog_cbuf none = {NULL, 0};
    return print_sums(PTOG_F32, (struct ptog_cbuf){table, sizeof table}, none) ||
           print_sums(PTOG_I8, (struct ptog_cbuf){small, sizeof small}, (struct ptog_cbuf){scales, sizeof scales});
}
