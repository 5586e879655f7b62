/* unit: ptog/inputs.h: generated arguments have the sizes, ranges and values that the program needs on its target. */
#include "unit/refusing.h"
#include "unit/test_program_tools.h"

#define F32 "!pto.tile_buf<vec, 1x8xf32>"
#define I32 "!pto.tile_buf<vec, 1x8xi32>"
#define VIEW_F32(name, pointer)                                                                                        \
    "  %" name " = pto.make_tensor_view %" pointer ", shape = [1, 8], strides = [8, 1] : !pto.tensor_view<1x8xf32>\n"
#define VIEW_I32(name, pointer)                                                                                        \
    "  %" name " = pto.make_tensor_view %" pointer ", shape = [1, 8], strides = [8, 1] : !pto.tensor_view<1x8xi32>\n"

/* Host refuses tsub of a 1x1 source and a 1x8 destination; a2a3 executes it. */
#define NOT_ON_HOST                                                                                                    \
    "func.func @f(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) {\n  %c1 = arith.constant 1 : index\n" VIEW_F32("va", "a")     \
        VIEW_F32("vo", "o") "  %s = pto.alloc_tile valid_col = %c1 : !pto.tile_buf<vec, 1x8xf32, "                     \
                            "valid=1x?>\n  %t = pto.alloc_tile : " F32 "\n"                                            \
                            "  pto.tload ins(%va : !pto.tensor_view<1x8xf32>) outs(%t : " F32 ")\n"                    \
                            "  pto.tsub ins(%s, %t : !pto.tile_buf<vec, 1x8xf32, valid=1x?>, " F32 ") outs(%t : " F32  \
                            ")\n"                                                                                      \
                            "  pto.tstore ins(%t : " F32 ") outs(%vo : !pto.tensor_view<1x8xf32>)\n  return\n}\n"

#define GATHER                                                                                                         \
    "func.func @f(%table: !pto.partition_tensor_view<64x8xf32>, %words: !pto.partition_tensor_view<1x16xi32>, "        \
    "%out: !pto.partition_tensor_view<16x8xf32>) {\n"                                                                  \
    "  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>\n  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32>\n"     \
    "  pto.tload ins(%words) outs(%i)\n"                                                                               \
    "  pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}\n"                                         \
    "  pto.tstore ins(%d) outs(%out)\n  return\n}\n"

#define SHIFTS                                                                                                         \
    "func.func @f(%a: !pto.ptr<i32>, %b: !pto.ptr<i32>, %by: i32) {\n" VIEW_I32("va", "a")                             \
        VIEW_I32("vb", "b") "  %s = pto.alloc_tile : " I32 "\n  %t = pto.alloc_tile : " I32 "\n"                       \
                            "  pto.tload ins(%va : !pto.tensor_view<1x8xi32>) outs(%s : " I32 ")\n"                    \
                            "  pto.tload ins(%vb : !pto.tensor_view<1x8xi32>) outs(%t : " I32 ")\n"                    \
                            "  pto.tshl ins(%s, %t : " I32 ", " I32 ") outs(%s : " I32 ")\n  return\n}\n"

#define SHORT_SHIFT                                                                                                    \
    "func.func @f(%by: i16) {\n  %s = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi16>\n"                                 \
    "  pto.texpands ins(%by : i16) outs(%s : !pto.tile_buf<vec, 1x16xi16>)\n"                                          \
    "  pto.tshls ins(%s, %by : !pto.tile_buf<vec, 1x16xi16>, i16) outs(%s : !pto.tile_buf<vec, 1x16xi16>)\n"           \
    "  return\n}\n"

/* Row numbers, and a divisor, that are read one by one. */
#define ELEMENTS                                                                                                       \
    "func.func @f(%rows: !pto.ptr<i32>, %o: !pto.ptr<f32>) {\n"                                                        \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index\n"           \
    "  %c100 = arith.constant 100 : i32\n  %x = arith.constant 1.0 : f32\n"                                            \
    "  scf.for %k = %c0 to %c4 step %c1 {\n"                                                                           \
    "    %r = pto.load_scalar %rows[%k] : !pto.ptr<i32> -> i32\n    %q = arith.divsi %c100, %r : i32\n"                \
    "    %i = arith.index_cast %r : i32 to index\n"                                                                    \
    "    pto.store_scalar %x, %o[%i] : !pto.ptr<f32>, f32\n  }\n  return\n}\n"

/* Something happens for one value of %n only, and how much of %s is valid is open. */
#define COMPARED                                                                                                       \
    "func.func @f(%s: !pto.tile_buf<vec, 32x32xf32, valid=?x?>, %n: index, %m: index) {\n"                             \
    "  %c37 = arith.constant 37 : index\n  %eq = arith.cmpi eq, %n, %c37 : index\n"                                    \
    "  scf.if %eq {\n    pto.tadd ins(%s, %s : !pto.tile_buf<vec, 32x32xf32, valid=?x?>, !pto.tile_buf<vec, "          \
    "32x32xf32, valid=?x?>) outs(%s : !pto.tile_buf<vec, 32x32xf32, valid=?x?>)\n  }\n  return\n}\n"

static ptog_inputs *generated(const char *text, const char *target, const struct ptog_inputs_options *options)
{
    ptog_program *program = parsed(text);
    struct ptog_execution execution = {.target = target ? ptog_target_find(target) : NULL};
    ptog_diags *diags = ptog_diags_new();
    ptog_inputs *inputs = NULL;
    assert_int_equal(ptog_inputs_generate(&inputs, program, &execution, options, diags), PTOG_OK);
    assert_int_equal(ptog_diags_count(diags), 0);
    ptog_diags_free(diags);
    ptog_program_free(program);
    return inputs;
}

static struct ptog_input input_of(const ptog_inputs *inputs, const char *name)
{
    struct ptog_input input;
    for (size_t i = 0; ptog_inputs_at(inputs, i, &input); i++)
        if (strcmp(input.binding.name, name) == 0)
            return input;
    fail_msg("there is no input %s", name);
    return input;
}

static void assert_words(const ptog_inputs *inputs, const char *wanted)
{
    char words[400];
    assert_int_equal(ptog_inputs_words(inputs, words, sizeof words), strlen(wanted));
    assert_string_equal(words, wanted);
    assert_int_equal(ptog_inputs_words(inputs, NULL, 0), strlen(wanted));
}

/* ---- sizes */

static void test_sizes_of_target(void **state)
{
    (void)state;
    static const char *const targets[] = {"a2a3", NULL}; /* NULL: the program names none, so every target counts */
    for (size_t i = 0; i < 2; i++) {
        ptog_inputs *inputs = generated(NOT_ON_HOST, targets[i], NULL);
        assert_int_equal(input_of(inputs, "a").binding.data.bytes, 32);
        assert_int_equal(input_of(inputs, "a").kind, PTOG_INPUT_RANDOM);
        assert_true(input_of(inputs, "a").read);
        assert_int_equal(input_of(inputs, "o").binding.data.bytes, 32);
        assert_int_equal(input_of(inputs, "o").kind, PTOG_INPUT_ZEROS);
        assert_false(input_of(inputs, "o").read);
        assert_words(inputs, "random data for %a");
        ptog_inputs_free(inputs);
    }
}

/* ---- values */

static void test_indices(void **state)
{
    ptog_inputs *inputs = generated(GATHER, NULL, NULL);
    struct ptog_input words = input_of(inputs, "words");
    uint64_t seen = 0;
    (void)state;
    assert_int_equal(words.kind, PTOG_INPUT_INDICES);
    assert_int_equal(words.limit, 64);
    for (size_t i = 0; i < 16; i++) {
        int32_t row = ((const int32_t *)words.binding.data.data)[i];
        assert_in_range(row, 0, 63);
        assert_false(seen >> row & 1);
        seen |= UINT64_C(1) << row;
    }
    assert_words(inputs, "random data for %table and %words (indices 0..63)");
    ptog_inputs_free(inputs);
}

#define SCATTER                                                                                                        \
    "func.func @f(%src: !pto.partition_tensor_view<8x8xf32>, %at: !pto.partition_tensor_view<1x8xi32>, "               \
    "%table: !pto.partition_tensor_view<32x8xf32>) {\n"                                                                \
    "  %s = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"                                                            \
    "  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>\n"                                                            \
    "  pto.tload ins(%src) outs(%s)\n"                                                                                 \
    "  pto.tload ins(%at) outs(%i)\n"                                                                                  \
    "  pto.mscatter ins(%s, %i : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 1x8xi32>) "                           \
    "outs(%table : !pto.partition_tensor_view<32x8xf32>) {coalesce = #pto<coalesce row>}\n"                            \
    "  return\n}"

static void test_scattered_indices(void **state)
{
    (void)state;
    ptog_inputs *inputs = generated(SCATTER, "a5", NULL);
    assert_int_equal(input_of(inputs, "at").kind, PTOG_INPUT_INDICES);
    assert_int_equal(input_of(inputs, "at").limit, 32);
    assert_int_equal(input_of(inputs, "table").binding.data.bytes, 32 * 8 * 4);
    ptog_inputs_free(inputs);
}

/* A valid region smaller than what is stored leaves bytes that nobody has written: only the machine sees that. */
static void test_valid_region(void **state)
{
    (void)state;
    ptog_inputs *inputs = generated(
        "func.func @f(%rows: index, %cols: index, %a: !pto.partition_tensor_view<32x48xf32>, "
        "%b: !pto.partition_tensor_view<32x48xf32>) {\n"
        "  %t = pto.alloc_tile valid_row = %rows valid_col = %cols : !pto.tile_buf<vec, 32x48xf32, valid=?x?>\n"
        "  %u = pto.alloc_tile : !pto.tile_buf<vec, 32x48xf32>\n"
        "  pto.tload ins(%a) outs(%t)\n"
        "  pto.tmov ins(%t) outs(%u)\n"
        "  pto.tstore ins(%u) outs(%b)\n"
        "  return\n}",
        "a5", NULL);
    assert_int_equal(input_of(inputs, "rows").binding.number, 32);
    assert_int_equal(input_of(inputs, "cols").binding.number, 48);
    ptog_inputs_free(inputs);
}

/* Of memory that is read element by element, more than was reached before is filled, whatever its values lead to. */
static void test_divisors(void **state)
{
    (void)state;
    ptog_inputs *inputs = generated("func.func @f(%w: !pto.ptr<i32>, %o: !pto.ptr<i32>) {\n"
                                    "  %c0 = arith.constant 0 : index\n"
                                    "  %c1 = arith.constant 1 : index\n"
                                    "  %c9 = arith.constant 9 : index\n"
                                    "  %x = arith.constant 100 : i32\n"
                                    "  scf.for %i = %c0 to %c9 step %c1 {\n"
                                    "    %v = pto.load_scalar %w[%i] : !pto.ptr<i32> -> i32\n"
                                    "    %q = arith.divsi %x, %v : i32\n"
                                    "    pto.store_scalar %q, %o[%i] : !pto.ptr<i32>, i32\n"
                                    "  }\n"
                                    "  return\n}",
                                    "a5", NULL);
    assert_int_equal(input_of(inputs, "w").kind, PTOG_INPUT_COUNTING);
    assert_int_equal(input_of(inputs, "w").binding.data.bytes, 9 * 4);
    ptog_inputs_free(inputs);
}

static void test_seed(void **state)
{
    struct ptog_inputs_options other = {.seed = 1};
    ptog_inputs *a = generated(GATHER, "a5", NULL), *b = generated(GATHER, "a5", NULL);
    ptog_inputs *c = generated(GATHER, "a5", &other);
    const void *data = input_of(a, "table").binding.data.data;
    (void)state;
    assert_memory_equal(data, input_of(b, "table").binding.data.data, 64 * 32);
    assert_memory_not_equal(data, input_of(c, "table").binding.data.data, 64 * 32);
    ptog_inputs_free(a);
    ptog_inputs_free(b);
    ptog_inputs_free(c);
}

static void test_shifts(void **state)
{
    ptog_inputs *inputs = generated(SHIFTS, "a5", NULL);
    const int32_t *counts = input_of(inputs, "b").binding.data.data;
    (void)state;
    for (int i = 0; i < 8; i++)
        assert_in_range(counts[i], 1, 31);
    assert_int_equal(input_of(inputs, "by").binding.number, 16);
    assert_words(inputs, "random data for %a and %b, %by = 16");
    ptog_inputs_free(inputs);
    inputs = generated(SHORT_SHIFT, "a5", NULL);
    assert_in_range(input_of(inputs, "by").binding.number, 0, 15);
    ptog_inputs_free(inputs);
}

static void test_elements(void **state)
{
    ptog_inputs *inputs = generated(ELEMENTS, NULL, NULL);
    struct ptog_input rows = input_of(inputs, "rows");
    (void)state;
    assert_int_equal(rows.kind, PTOG_INPUT_COUNTING);
    assert_int_equal(rows.binding.data.bytes, 16);
    for (int i = 0; i < 4; i++)
        assert_int_equal(((const int32_t *)rows.binding.data.data)[i], i + 1);
    assert_int_equal(input_of(inputs, "o").binding.data.bytes, 20);
    assert_words(inputs, "ascending numbers for %rows");
    ptog_inputs_free(inputs);
}

static void test_constants(void **state)
{
    ptog_inputs *inputs = generated(COMPARED, "a5", NULL);
    struct ptog_input tile = input_of(inputs, "s");
    (void)state;
    assert_int_equal(input_of(inputs, "n").binding.number, 37);
    assert_int_equal(tile.binding.rank, 2);
    assert_int_equal(tile.binding.shape[0], 16);
    assert_int_equal(tile.binding.data.bytes, 16 * 16 * 4);
    ptog_inputs_free(inputs);
}

/* A loop that one value never leaves, and that moves more bytes than trials may, is given the other value. */
static void test_endless(void **state)
{
    static const char text[] =
        "func.func @f(%p: !pto.partition_tensor_view<16x16xf32>, %go: i1) {\n"
        "  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n"
        "  pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)\n"
        "  scf.while : () -> () {\n    scf.condition(%go)\n  } do {\n"
        "    pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)\n"
        "    scf.yield\n  }\n  return\n}\n";
    ptog_inputs *inputs = generated(text, "a5", NULL);
    (void)state;
    assert_int_equal(input_of(inputs, "go").binding.number, 0);
    ptog_inputs_free(inputs);
}

/* ---- recipes */

static void test_recipe_texts(void **state)
{
    static const char *const valid[] = {"zeros", "arange", "random", "random:7", "full:2.5", "1,2,-3", "7", "repeat:1"};
    static const char *const invalid[] = {"",   "zero",    "random:",  "random:x", "full:", "full:1,2", "1,,2", "1,",
                                          ",1", "repeat:", "repeat:x", "f.npy",    "1x4",   "nan",      "1;2"};
    (void)state;
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
        assert_true(ptog_recipe_is_valid(valid[i]));
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        assert_false(ptog_recipe_is_valid(invalid[i]));
    assert_false(ptog_recipe_is_valid(NULL));
}

static void gives(const char *recipe, int32_t second, int32_t fourth)
{
    struct ptog_recipe recipes[] = {{.name = "words", .text = recipe}};
    struct ptog_inputs_options options = {.recipes = recipes, .recipe_count = 1, .only_recipes = true};
    ptog_inputs *inputs = generated(GATHER, NULL, &options);
    struct ptog_input words = input_of(inputs, "words"), other;
    const int32_t *numbers = words.binding.data.data;
    assert_int_equal(words.kind, PTOG_INPUT_RECIPE);
    assert_int_equal(numbers[1], second);
    assert_int_equal(numbers[3], fourth);
    assert_false(ptog_inputs_at(inputs, 1, &other));
    assert_words(inputs, "");
    ptog_inputs_free(inputs);
}

static void test_recipes(void **state)
{
    (void)state;
    gives("zeros", 0, 0);
    gives("arange", 1, 3);
    gives("full:3", 3, 3);
    gives("repeat:1,2,5", 2, 1);
    gives("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", 1, 3);
}

static void misfits(const char *text, const char *name, const char *recipe, const char *message, const char *fix)
{
    struct ptog_recipe recipes[] = {{.name = name, .text = recipe}};
    struct ptog_inputs_options options = {.recipes = recipes, .recipe_count = 1};
    ptog_program *program = parsed(text);
    ptog_diags *diags = ptog_diags_new();
    ptog_inputs *inputs;
    assert_int_equal(ptog_inputs_generate(&inputs, program, NULL, &options, diags), PTOG_ILLEGAL);
    assert_null(inputs);
    assert_string_equal(ptog_diags_at(diags, 0)->message, message);
    if (fix)
        assert_string_equal(ptog_diags_at(diags, 0)->fix->text, fix);
    else
        assert_null(ptog_diags_at(diags, 0)->fix);
    ptog_diags_free(diags);
    ptog_program_free(program);
}

static void test_misfits(void **state)
{
    struct ptog_recipe longer[] = {{.name = "a", .text = "1,2,3,4,5,6,7,8,9"}};
    struct ptog_inputs_options options = {.recipes = longer, .recipe_count = 1};
    (void)state;
    misfits(GATHER, "words", "1,2,3", "%words has 16 elements, but 3 are given", "words=repeat:1,2,3");
    misfits(GATHER, "words", "1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7", "%words has 16 elements, but 17 are given", NULL);
    misfits(NOT_ON_HOST, "a", "7", "%a has 8 elements, but 1 is given", "a=repeat:7");
    ptog_inputs *inputs = generated(NOT_ON_HOST, "a2a3", &options); /* a buffer may be larger than its view */
    assert_int_equal(input_of(inputs, "a").binding.data.bytes, 36);
    ptog_inputs_free(inputs);
}

/* ---- arguments of the call */

static void test_given_data(void **state)
{
    float out[16 * 8] = {0};
    struct ptog_binding given[] = {{.name = "out", .data = {out, sizeof out}, .dtype = PTOG_F32}};
    struct ptog_execution execution = {.bindings = given, .binding_count = 1};
    ptog_program *program = parsed(GATHER);
    ptog_inputs *inputs;
    size_t count;
    (void)state;
    assert_int_equal(ptog_inputs_generate(&inputs, program, &execution, NULL, NULL), PTOG_OK);
    for (size_t i = 0; i < 16 * 8; i++)
        assert_true(out[i] == 0);
    execution.bindings = ptog_inputs_bindings(inputs, &count);
    execution.binding_count = count;
    assert_int_equal(count, 3);
    assert_ptr_equal(execution.bindings[0].data.data, out);
    assert_int_equal(ptog_program_run(program, &execution, NULL, NULL), PTOG_OK);
    assert_true(out[0] != 0 || out[1] != 0 || out[2] != 0);
    ptog_inputs_free(inputs);
    ptog_program_free(program);
}

static void test_bad_arguments(void **state)
{
    ptog_program *program = parsed(GATHER);
    struct ptog_recipe unknown[] = {{.name = "words", .text = "ones"}}, nameless[] = {{.text = "zeros"}};
    struct ptog_inputs_options options = {.recipes = unknown, .recipe_count = 1};
    struct ptog_input input;
    ptog_inputs *inputs;
    (void)state;
    assert_int_equal(ptog_inputs_generate(NULL, program, NULL, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_inputs_generate(&inputs, NULL, NULL, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_inputs_generate(&inputs, program, NULL, &options, NULL), PTOG_BAD_ARGUMENT);
    options.recipes = nameless;
    assert_int_equal(ptog_inputs_generate(&inputs, program, NULL, &options, NULL), PTOG_BAD_ARGUMENT);
    options = (struct ptog_inputs_options){.reserved = {1}};
    assert_int_equal(ptog_inputs_generate(&inputs, program, NULL, &options, NULL), PTOG_BAD_ARGUMENT);
    assert_null(inputs);
    assert_false(ptog_inputs_at(NULL, 0, &input));
    assert_int_equal(ptog_inputs_words(NULL, NULL, 0), 0);
    ptog_inputs_free(NULL);
    ptog_program_free(program);
}

static void test_no_memory(void **state)
{
    ptog_program *program = parsed(GATHER);
    enum ptog_status status = PTOG_NO_MEMORY;
    long allocations = 0;
    (void)state;
    for (; status == PTOG_NO_MEMORY; allocations++) {
        ptog_inputs *inputs;
        ran_out = false;
        allocations_left = allocations;
        status = ptog_inputs_generate(&inputs, program, NULL, NULL, NULL);
        allocations_left = -1;
        assert_true(status == (ran_out ? PTOG_NO_MEMORY : PTOG_OK));
        ptog_inputs_free(inputs);
    }
    assert_true(allocations > 100);
    ptog_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_of_target),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_scattered_indices),
        cmocka_unit_test(test_valid_region),
        cmocka_unit_test(test_divisors),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_recipe_texts),
        cmocka_unit_test(test_recipes),
        cmocka_unit_test(test_misfits),
        cmocka_unit_test(test_given_data),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
