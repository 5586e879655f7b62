/* unit: drawings of single instructions through the API: what they hold, what is refused, short buffers, every
 * elementwise instruction, and memory that runs out at every allocation in turn. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "unit/check.h"

#include "base/pick.h"
#include "unit/refusing.h"

static int32_t table[6 * 4], indices[4] = {2, 0, 9, -1}, result[4 * 4];

static struct ptog_insn row_gather(void)
{
    struct ptog_insn insn;
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_I32, 4, 4),
                              .table = ptog_tensor_2d(PTOG_I32, 6, 4),
                              .idx = ptog_tile_vec(PTOG_I32, 1, 4),
                              .oob = PTOG_OOB_CLAMP};
    for (int i = 0; i < 24; i++)
        table[i] = i;
    ptog_insn_mgather(&insn, &op);
    return insn;
}

static struct ptog_run buffers(void)
{
    return (struct ptog_run){
        .dst = {result, sizeof result}, .src = {table, sizeof table}, .idx = {indices, sizeof indices}};
}

/* Both renderers have something to say, and leave nothing behind. */
static void render(const ptog_drawing *drawing)
{
    for (int i = 0; i < 2; i++) {
        struct ptog_output text = {0};
        struct ptog_sink sink = ptog_output_sink(&text);
        assert_int_equal(i ? ptog_drawing_svg(drawing, &sink) : ptog_drawing_text(drawing, &sink), PTOG_OK);
        assert_true(text.used > 100);
        ptog_output_free(&text);
    }
}

static void rows(void **state)
{
    struct ptog_insn insn = row_gather();
    struct ptog_run run = buffers();
    ptog_drawing *drawing;
    (void)state;
    memset(result, 0x55, sizeof result);
    assert_int_equal(ptog_drawing_of_insn(&drawing, ptog_target_find("host"), &insn, &run), PTOG_OK);
    assert_int_equal(result[0], 0x55555555); /* the caller's bytes are only read */
    assert_string_equal(drawing->title, "mgather row");
    assert_int_equal(drawing->grid_count, 3);
    assert_string_equal(drawing->grids[2].name, "dst");
    assert_true(drawing->grids[2].written && !drawing->grids[0].written && !drawing->grids[2].operand);
    assert_string_equal(drawing->grids[2].cells[3 * 4].text, "20");
    assert_int_equal(drawing->grids[2].cells[3 * 4].state, PTOG_CELL_CLAMPED);
    assert_string_equal(drawing->grids[2].row_notes[3], "idx -1, clamped to 5");
    assert_int_equal(drawing->arrow_count, 4);
    assert_int_equal(drawing->arrows[0].from_row, 2);
    assert_int_equal(drawing->arrows[0].to_col, PTOG_DRAWN_ALL);
    render(drawing);
    ptog_drawing_free(drawing);
}

static void short_buffers(void **state)
{
    struct ptog_insn insn = row_gather();
    (void)state;
    for (size_t bytes = 0; bytes <= sizeof table; bytes += 7) {
        struct ptog_run run = buffers();
        ptog_drawing *drawing;
        run.src.bytes = bytes;
        run.dst.bytes = ptog_min(bytes, sizeof result);
        run.idx.bytes = ptog_min(bytes, sizeof indices);
        assert_int_equal(ptog_drawing_of_insn(&drawing, ptog_target_find("host"), &insn, &run), PTOG_OK);
        render(drawing);
        ptog_drawing_free(drawing);
    }
}

static void refused(void **state)
{
    const struct ptog_target *host = ptog_target_find("host");
    struct ptog_insn insn = row_gather();
    struct ptog_run run = buffers();
    ptog_drawing *drawing = (ptog_drawing *)&run;
    (void)state;
    assert_int_equal(ptog_drawing_of_insn(NULL, host, &insn, &run), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_drawing_of_insn(&drawing, NULL, &insn, &run), PTOG_BAD_ARGUMENT);
    assert_null(drawing);
    insn.of[0].tile.valid_row = PTOG_DYN; /* and the run does not give it */
    assert_int_equal(ptog_drawing_of_insn(&drawing, host, &insn, &run), PTOG_BAD_ARGUMENT);
    run.dst_valid[0] = 3;
    assert_int_equal(ptog_drawing_of_insn(&drawing, host, &insn, &run), PTOG_ILLEGAL); /* four indices, three rows */
    insn = row_gather();
    insn.of[2].tile.dtype = PTOG_F32;
    assert_int_equal(ptog_drawing_of_insn(&drawing, host, &insn, &run), PTOG_ILLEGAL);
    assert_null(drawing);
    ptog_drawing_free(NULL);
}

/* Whatever the table of instructions has: drawn, or refused for its types. */
static void every_instruction(void **state)
{
    static int32_t data[3][32];
    int drawn = 0;
    (void)state;
    for (int opcode = PTOG_TADD; opcode < PTOG_OPCODES; opcode++)
        for (int type = 0; type < 2; type++) {
            enum ptog_dtype dtype = type ? PTOG_F32 : PTOG_I32;
            struct ptog_tile tiles[3] = {ptog_tile_vec(dtype, 4, 8), ptog_tile_vec(dtype, 4, 8),
                                         ptog_tile_vec(dtype, 4, 8)};
            struct ptog_run run = {
                .dst = {data[0], sizeof data[0]}, .src = {data[1], sizeof data[1]}, .src1 = {data[2], sizeof data[2]}, .idx = {data[2], sizeof data[2]}};
            struct ptog_insn insn;
            ptog_drawing *drawing;
            ptog_insn_tiles(&insn, (enum ptog_opcode)opcode, tiles, 3);
            if (ptog_drawing_of_insn(&drawing, ptog_target_find("host"), &insn, &run) == PTOG_OK) {
                assert_true(drawing->grid_count >= 2 && drawing->arrow_count > 0);
                render(drawing);
                drawn++;
            }
            ptog_drawing_free(drawing);
        }
    assert_true(drawn > 20);
}

/* ---- memory that runs out */

static enum ptog_status draw_program(const ptog_program *program, ptog_drawing **drawing)
{
    struct ptog_binding bindings[] = {
        {.name = "table", .data = {table, sizeof table}, .dtype = PTOG_I32, .rank = 2, .shape = {6, 4}},
        {.name = "idx", .data = {indices, sizeof indices}, .dtype = PTOG_I32, .rank = 2, .shape = {1, 4}},
        {.name = "dst", .data = {result, sizeof result}, .dtype = PTOG_I32, .rank = 2, .shape = {4, 4}}};
    struct ptog_execution execution = {.bindings = bindings, .binding_count = 3};
    return ptog_program_draw(drawing, program, &execution, NULL, NULL);
}

static void no_memory(void **state)
{
    static const char text[] = "pto.mgather ins(%table, %idx : !pto.partition_tensor_view<6x4xi32>, !pto.tile_buf<vec, "
                               "1x4xi32>) outs(%dst : !pto.tile_buf<vec, 4x4xi32>) {coalesce = #pto<coalesce row>, "
                               "gatherOob = #pto<gather_oob wrap>}\n";
    ptog_program *program;
    enum ptog_status status = PTOG_NO_MEMORY;
    (void)state;
    assert_int_equal(ptog_program_parse(&program, "t", text, sizeof text - 1, NULL), PTOG_OK);
    for (long allowed = 0; status != PTOG_OK; allowed++) {
        ptog_drawing *drawing;
        assert_true(allowed < 5000);
        allocations_left = allowed;
        status = draw_program(program, &drawing);
        allocations_left = -1;
        assert_true((drawing != NULL) == (status == PTOG_OK));
        assert_true(status == PTOG_OK || status == PTOG_NO_MEMORY);
        if (drawing)
            render(drawing);
        ptog_drawing_free(drawing);
    }
    ptog_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),      cmocka_unit_test(short_buffers),
        cmocka_unit_test(refused),   cmocka_unit_test(every_instruction),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
