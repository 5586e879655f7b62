/* unit: numbers, loops, conditions, blocks, and single elements of memory, seen through what a run stores. */
#include "unit/test_program_tools.h"

#include "model/dtype.h"
#include "lower/eval.h"

/* Runs a function body that stores to %out, an array of i64, with %n bound. */
static void computes(const char *body, int64_t n, const int64_t *expected, size_t count)
{
    char text[4000];
    int64_t out[16] = {0};
    struct ptog_binding bindings[] = {{.name = "out", .data = {out, sizeof out}, .dtype = PTOG_I64},
                                      BIND_NUMBER("n", n)};
    snprintf(text, sizeof text,
             "func.func @f(%%out: !pto.ptr<i64>, %%n: index) {\n"
             "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%c2 = arith.constant 2 : index\n"
             "  %%c7 = arith.constant 7 : index\n%s\n  return\n}\n",
             body);
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = bindings, .binding_count = 2});
    assert_true(run.ids[0] == '\0' || strcmp(run.ids, "run-empty") == 0); /* a loop without a turn stores nothing */
    assert_int_equal(run.status, PTOG_OK);
    for (size_t i = 0; i < count; i++)
        if (out[i] != expected[i])
            fail_msg("out[%zu] is %lld, not %lld in\n%s", i, (long long)out[i], (long long)expected[i], text);
    run_done(&run);
}

#define COMPUTES(body, n, ...)                                                                                         \
    computes(body, n, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#define STORE(value, at) "  pto.store_scalar " value ", %out[" at "] : index, !pto.ptr<i64>\n"

static void binary(const char *op, int64_t a, int64_t b, const char *type, int64_t expected)
{
    char body[1000];
    snprintf(body, sizeof body,
             "  %%a = arith.constant %lld : %s\n  %%b = arith.constant %lld : %s\n  %%r = arith.%s %%a, %%b : %s\n"
             "  %%w = arith.index_cast %%r : %s to index\n  pto.store_scalar %%w, %%out[%%c0] : index, !pto.ptr<i64>\n",
             (long long)a, type, (long long)b, type, op, type, type);
    computes(body, 0, &expected, 1);
}

static void test_arithmetic(void **state)
{
    (void)state;
    binary("addi", 3, 4, "index", 7);
    binary("addi", 2147483647, 1, "i32", -2147483647 - 1);
    binary("addi", 127, 1, "i8", -128);
    binary("subi", 3, 4, "i64", -1);
    binary("muli", INT64_MAX, 2, "index", -2);
    binary("muli", 65536, 65536, "i32", 0);
    binary("divsi", -7, 2, "index", -3);
    binary("remsi", -7, 2, "index", -1);
    binary("ceildivsi", 7, 2, "index", 4);
    binary("ceildivsi", -7, 2, "index", -3);
    binary("ceildivsi", -7, -2, "index", 4);
    binary("ceildivsi", 8, 2, "index", 4);
    binary("minui", -1, 5, "i32", 5);
    binary("minsi", -1, 5, "i32", -1);
    binary("maxsi", -1, 5, "i32", 5);
}

static void test_more_arithmetic(void **state)
{
    (void)state;
    binary("andi", -4, 7, "i32", 4);
    binary("ori", -8, 3, "i32", -5);
    binary("xori", -1, 5, "i8", -6);
    binary("shli", 3, 30, "i32", -1073741824);
    binary("shrsi", -8, 1, "i32", -4);
    binary("shrui", -8, 1, "i32", 2147483644);
    binary("maxui", -1, 5, "i32", -1);
    binary("divui", -7, 2, "i32", 2147483644);
    binary("divui", -1, 10, "index", INT64_C(1844674407370955161));
    binary("remui", -7, 4, "i8", 1);
    binary("ceildivui", 7, 2, "index", 4);
    binary("ceildivui", 8, 2, "index", 4);
    check_gives("%a = arith.constant 1 : i32\n%b = arith.constant 0 : i32\n%c = arith.remui %a, %b : i32", "host",
                "text-division");
    check_gives("%a = arith.constant 1 : i32\n%b = arith.constant 32 : i32\n%c = arith.shli %a, %b : i32", "host",
                "text-division");
}

/* `op` between two numbers of a type, and the bits that come out. */
static void real(const char *op, const char *a, const char *b, const char *type, const char *bits, int64_t expected)
{
    char body[1000];
    snprintf(body, sizeof body,
             "  %%a = arith.constant %s : %s\n  %%b = arith.constant %s : %s\n  %%r = arith.%s %%a, %%b : %s\n"
             "  %%x = arith.bitcast %%r : %s to %s\n  %%y = arith.extui %%x : %s to i64\n"
             "  pto.store_scalar %%y, %%out[%%c0] : !pto.ptr<i64>, i64\n",
             a, type, b, type, op, type, type, bits, bits);
    computes(body, 0, &expected, 1);
}

static void test_real_arithmetic(void **state)
{
    (void)state;
    real("addf", "1.0", "1.0e-8", "f32", "i32", 0x3f800000);
    real("addf", "16777216.0", "1.0", "f32", "i32", 0x4b800000); /* a tie, to even */
    real("addf", "16777216.0", "3.0", "f32", "i32", 0x4b800002);
    real("subf", "1.0", "0x7F800000", "f32", "i32", 0xff800000);
    real("mulf", "1.5", "-2.0", "f16", "i16", 0xc200);
    real("mulf", "3.0e38", "10.0", "f32", "i32", 0x7f800000);
    real("divf", "1.0", "3.0", "f32", "i32", 0x3eaaaaab);
    real("divf", "1.0", "3.0", "bf16", "i16", 0x3eab);
    real("divf", "-1.0", "0.0", "f32", "i32", 0xff800000);
    real("maximumf", "-0.0", "0.0", "f32", "i32", 0);
    real("minimumf", "0.0", "-0.0", "f32", "i32", 0x80000000);
    real("maximumf", "0x7fc00000", "1.0", "f32", "i32", 0x7fc00000);
}

static void test_real_comparison(void **state)
{
    static const struct {
        const char *predicate;
        bool less, equal, more, unordered;
    } rows[] = {{"false", 0, 0, 0, 0}, {"oeq", 0, 1, 0, 0}, {"ogt", 0, 0, 1, 0}, {"oge", 0, 1, 1, 0},
                {"olt", 1, 0, 0, 0},   {"ole", 1, 1, 0, 0}, {"one", 1, 0, 1, 0}, {"ord", 1, 1, 1, 0},
                {"ueq", 0, 1, 0, 1},   {"ugt", 0, 0, 1, 1}, {"uge", 0, 1, 1, 1}, {"ult", 1, 0, 0, 1},
                {"ule", 1, 1, 0, 1},   {"une", 1, 0, 1, 1}, {"uno", 0, 0, 0, 1}, {"true", 1, 1, 1, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char body[2000];
        const char *p = rows[i].predicate;
        snprintf(body, sizeof body,
                 "  %%a = arith.constant -1.0 : f32\n  %%b = arith.constant 5.0 : f32\n"
                 "  %%nan = arith.constant 0x7fc00000 : f32\n  %%c3 = arith.constant 3 : index\n"
                 "  %%w = arith.cmpf %s, %%a, %%b : f32\n  %%x = arith.cmpf %s, %%b, %%b : f32\n"
                 "  %%y = arith.cmpf %s, %%b, %%a : f32\n  %%z = arith.cmpf %s, %%b, %%nan : f32\n"
                 "  %%o = arith.extui %%w : i1 to i64\n  %%p = arith.extui %%x : i1 to i64\n"
                 "  %%q = arith.extui %%y : i1 to i64\n  %%r = arith.extui %%z : i1 to i64\n"
                 "  pto.store_scalar %%o, %%out[%%c0] : !pto.ptr<i64>, i64\n"
                 "  pto.store_scalar %%p, %%out[%%c1] : !pto.ptr<i64>, i64\n"
                 "  pto.store_scalar %%q, %%out[%%c2] : !pto.ptr<i64>, i64\n"
                 "  pto.store_scalar %%r, %%out[%%c3] : !pto.ptr<i64>, i64\n",
                 p, p, p, p);
        COMPUTES(body, 0, rows[i].less, rows[i].equal, rows[i].more, rows[i].unordered);
    }
    check_gives("%a = arith.constant 1.0 : f32\n%b = arith.cmpf slt, %a, %a : f32", "host", "text-attribute");
}

/* A constant of one type, converted to another and then to i64. */
static void convert(const char *value, const char *from, const char *op, const char *to, const char *then,
                    int64_t expected)
{
    char body[1000];
    snprintf(body, sizeof body,
             "  %%a = arith.constant %s : %s\n  %%r = arith.%s %%a : %s to %s\n  %%w = arith.%s %%r : %s to i64\n"
             "  pto.store_scalar %%w, %%out[%%c0] : !pto.ptr<i64>, i64\n",
             value, from, op, from, to, then, to);
    computes(body, 0, &expected, 1);
}

static void test_conversions(void **state)
{
    (void)state;
    convert("-1", "i64", "trunci", "i8", "extsi", -1);
    convert("-1", "i64", "trunci", "i8", "extui", 255);
    convert("300", "i64", "trunci", "i8", "extsi", 44);
    convert("-7", "i32", "index_castui", "index", "index_cast", 4294967289);
    convert("-2.9", "f32", "fptosi", "i32", "extsi", -2);
    convert("3000000000.0", "f32", "fptoui", "i32", "extui", 3000000000);
    convert("-7", "i32", "sitofp", "f32", "fptosi", -7);
    convert("-1", "i8", "uitofp", "f16", "fptosi", 255);
    convert("16777217", "i64", "sitofp", "f32", "fptosi", 16777216);
    convert("9007199791611905", "i64", "sitofp", "f32", "fptosi",
            INT64_C(9007200328482816)); /* rounded once, not twice */
    convert("1.0009765625", "f16", "extf", "f32", "fptosi", 1);
    convert("2049.0", "f32", "truncf", "f16", "fptosi", 2048);
    convert("1.0", "f32", "bitcast", "i32", "extsi", 0x3f800000);
    check_gives("%a = arith.constant 3.0e9 : f32\n%b = arith.fptosi %a : f32 to i32", "host", "text-division");
    check_gives("%a = arith.constant 1 : i64\n%b = arith.bitcast %a : i64 to f32", "host", "text-operand");
}

static void test_affine(void **state)
{
    (void)state;
    COMPUTES("  %r = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%n]\n" STORE("%r", "%c0"), 5, 160);
    COMPUTES(
        "  %r = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 16 + d1 floordiv 4 - s0 mod 3)>(%n, %c7)[%c2]\n" STORE(
            "%r", "%c0"),
        5, 79);
    COMPUTES("  %r = affine.apply affine_map<(d0) -> (-(d0 + 1) floordiv 4)>(%n)\n"
             "  %s = affine.apply affine_map<(d0) -> ((d0 ceildiv 4) * -2)>(%n)\n" STORE("%r", "%c0")
                 STORE("%s", "%c1"),
             5, -2, -4);
    check_gives("%a = arith.constant 1 : index\n%b = affine.apply affine_map<(d0) -> (d0)>()", "host", "text-operands");
    check_gives("%a = arith.constant 1 : index\n%b = affine.apply affine_map<(d0) -> (d1)>(%a)", "host",
                "text-operand");
    check_gives("%a = arith.constant 1 : index\n%b = affine.apply affine_map<(d0) -> (d0 mod 0)>(%a)", "host",
                "text-operand");
    check_gives("%a = arith.constant 1 : index\n%b = affine.apply affine_map<(d0) -> (d0, d0)>(%a)", "host",
                "text-operand");
}

static void test_while(void **state)
{
    (void)state;
    COMPUTES("  %r:2 = scf.while (%a = %n, %k = %c0) : (index, index) -> (index, index) {\n"
             "    %go = arith.cmpi sgt, %a, %c1 : index\n    scf.condition(%go) %a, %k : index, index\n  } do {\n"
             "  ^bb0(%b: index, %m: index):\n    %h = arith.divsi %b, %c2 : index\n"
             "    %j = arith.addi %m, %c1 : index\n    scf.yield %h, %j : index, index\n  }\n" STORE("%r#0", "%c0")
                 STORE("%r#1", "%c1"),
             1000, 1, 9);
    COMPUTES("  %r = scf.while (%a = %n) : (index) -> index {\n    %go = arith.cmpi slt, %a, %c0 : index\n"
             "    scf.condition(%go) %c7 : index\n  } do {\n  ^bb0(%b: index):\n    scf.yield %b : index\n  }\n" STORE(
                 "%r", "%c0"),
             3, 7);
    run_gives("%t = arith.constant true\nscf.while : () -> () {\n  scf.condition(%t)\n} do {\n  scf.yield\n}", "host",
              "limit-steps");
    check_gives(
        "%t = arith.constant true\n%a = arith.constant 1 : index\n%r = scf.while (%x = %a) : (index) -> index {\n"
        "  scf.condition(%t)\n} do {\n^bb0(%y: index):\n  scf.yield %y : index\n}",
        "host", "text-operands");
    check_gives("%t = arith.constant true\nscf.while : () -> () {\n  scf.condition(%t)\n} do {\n^bb0(%y: index):\n"
                "  scf.yield\n}",
                "host", "text-operands");
    check_gives("%t = arith.constant true\n%a = arith.constant 1 : index\nscf.while (%x = %a) : (index) -> () {\n"
                "  scf.condition(%t)\n} do {\n  scf.yield\n}",
                "host", "text-operands");
    check_gives("%t = arith.constant true\nscf.condition(%t)", "host", "text-place");
}

static void test_comparison(void **state)
{
    static const struct {
        const char *predicate;
        int64_t less, equal, more; /* for -1 < 5, 5 = 5, 5 > -1 */
    } rows[] = {{"eq", 0, 1, 0},  {"ne", 1, 0, 1},  {"slt", 1, 0, 0}, {"sle", 1, 1, 0}, {"sgt", 0, 0, 1},
                {"sge", 0, 1, 1}, {"ult", 0, 0, 1}, {"ule", 0, 1, 1}, {"ugt", 1, 0, 0}, {"uge", 1, 1, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char body[2000];
        const char *p = rows[i].predicate;
        snprintf(body, sizeof body,
                 "  %%a = arith.constant -1 : i32\n  %%b = arith.constant 5 : i32\n"
                 "  %%x = arith.cmpi %s, %%a, %%b : i32\n  %%y = arith.cmpi %s, %%b, %%b : i32\n"
                 "  %%z = arith.cmpi %s, %%b, %%a : i32\n"
                 "  %%p = arith.select %%x, %%c7, %%c2 : index\n  %%q = arith.select %%y, %%c7, %%c2 : index\n"
                 "  %%r = arith.select %%z, %%c7, %%c2 : index\n"
                 "  pto.store_scalar %%p, %%out[%%c0] : index, !pto.ptr<i64>\n"
                 "  pto.store_scalar %%q, %%out[%%c1] : index, !pto.ptr<i64>\n"
                 "  pto.store_scalar %%r, %%out[%%c2] : index, !pto.ptr<i64>\n",
                 p, p, p);
        COMPUTES(body, 0, rows[i].less ? 7 : 2, rows[i].equal ? 7 : 2, rows[i].more ? 7 : 2);
    }
}

static void test_loops(void **state)
{
    (void)state;
    COMPUTES("  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {\n"
             "    %b = arith.addi %a, %i : index\n    scf.yield %b : index\n  }\n" STORE("%s", "%c0"),
             5, 10);
    COMPUTES("  %s:2 = scf.for %i = %c0 to %n step %c2 iter_args(%a = %c0, %b = %c1) -> (index, index) {\n"
             "    %x = arith.addi %a, %b : index\n    scf.yield %b, %x : index, index\n  }\n" STORE("%s#0", "%c0")
                 STORE("%s#1", "%c1"),
             10, 5, 8);
    COMPUTES(
        "  scf.for %i = %c0 to %n step %c1 {\n    scf.for %j = %c0 to %i step %c1 {\n"
        "      %x = pto.load_scalar %out[%c1] : !pto.ptr<i64> -> i64\n      %y = arith.constant 1 : i64\n"
        "      %z = arith.addi %x, %y : i64\n      pto.store_scalar %z, %out[%c1] : i64, !pto.ptr<i64>\n    }\n  }\n",
        5, 0, 10);
    COMPUTES("  scf.for %i = %n to %c0 step %c1 {\n" STORE("%c7", "%c0") "  }\n", 5, 0);
}

static void test_conditions(void **state)
{
    static const char text[] =
        "  %c = arith.cmpi slt, %n, %c7 : index\n"
        "  %r = scf.if %c -> (index) {\n    scf.yield %c1 : index\n  } else {\n"
        "    scf.yield %c2 : index\n  }\n  scf.if %c {\n" STORE("%c7", "%c1") "  }\n" STORE("%r", "%c0");
    (void)state;
    COMPUTES(text, 3, 1, 7);
    COMPUTES(text, 8, 2, 0);
}

static void test_pointers(void **state)
{
    (void)state;
    COMPUTES("  %p = pto.addptr %out, %c2 : !pto.ptr<i64> -> !pto.ptr<i64>\n"
             "  %x = arith.index_cast %n : index to i64\n  pto.store_scalar %x, %p[%c1] : i64, !pto.ptr<i64>\n",
             -5, 0, 0, 0, -5);
}

static void test_blocks(void **state)
{
    static const char text[] =
        "func.func @f(%out: !pto.ptr<i64>) {\n  %b = pto.get_block_idx -> i64\n"
        "  %n = pto.get_block_num -> i64\n  %s = pto.get_subblock_idx\n  %t = pto.get_subblock_num\n"
        "  %x = arith.muli %b, %n : i64\n  %i = arith.index_cast %b : i64 to index\n"
        "  pto.store_scalar %x, %out[%i] : i64, !pto.ptr<i64>\n  return\n}";
    int64_t out[4] = {-1, -1, -1, -1};
    struct ptog_binding binding = {.name = "out", .data = {out, sizeof out}, .dtype = PTOG_I64};
    (void)state;
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = &binding, .binding_count = 1, .blocks = 3});
    assert_int_equal(run.status, PTOG_OK);
    assert_memory_equal(out, ((int64_t[4]){0, 3, 6, -1}), sizeof out);
    run_done(&run);
}

static void test_reals(void **state)
{
    static const char text[] =
        "func.func @f(%out: !pto.ptr<f16>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        "  %c2 = arith.constant 2 : index\n  %a = arith.constant 1.5 : f16\n  %b = arith.constant -65536.0 : f16\n"
        "  %c = arith.constant 0x3c01 : f16\n  pto.store_scalar %a, %out[%c0] : f16, !pto.ptr<f16>\n"
        "  pto.store_scalar %b, %out[%c1] : f16, !pto.ptr<f16>\n  pto.store_scalar %c, %out[%c2] : f16, !pto.ptr<f16>\n"
        "  return\n}";
    uint16_t out[3] = {0};
    struct ptog_binding binding = {.name = "out", .data = {out, sizeof out}, .dtype = PTOG_F16};
    (void)state;
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = &binding, .binding_count = 1});
    assert_int_equal(run.status, PTOG_OK);
    assert_int_equal(out[0], 0x3e00);
    assert_int_equal(out[1], 0xfc00);
    assert_int_equal(out[2], 0x3c01);
    run_done(&run);
}

/* Every value of the small types comes back as its own bits. */
static void test_real_bits(void **state)
{
    static const enum ptog_dtype dtypes[] = {PTOG_F16, PTOG_BF16, PTOG_F8E4M3, PTOG_F8E5M2};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(dtypes); i++)
        for (uint64_t bits = 0; bits >> 8 * ptog_dtype_size(dtypes[i]) == 0; bits++) {
            float value = ptog_dtype_to_float(dtypes[i], bits);
            if (value == value)
                assert_int_equal(ptog_dtype_from_real(dtypes[i], (double)value), bits);
        }
    assert_int_equal(ptog_dtype_from_real(PTOG_F32, 0.1), 0x3dcccccd);
    assert_int_equal(ptog_dtype_from_real(PTOG_F32, 1e300), 0x7f800000);
    assert_int_equal(ptog_dtype_from_real(PTOG_F32, -1e-60), 0x80000000);
    assert_int_equal(ptog_dtype_from_real(PTOG_F16, 65519.0),
                     0x7bff); /* below the middle of the largest and infinity */
    assert_int_equal(ptog_dtype_from_real(PTOG_F16, 65520.0), 0x7c00);
    assert_int_equal(ptog_dtype_from_real(PTOG_F16, 2.98023223876953125e-8), 0); /* half of the smallest: to even */
    assert_int_equal(ptog_dtype_from_real(PTOG_F8E4M3, 1000.0), 0x7f);
}

static void test_hostile(void **state)
{
    (void)state;
    run_gives("func.func @f() {\n  %a = pto.get_block_idx\n  %b = arith.remsi %a, %a : index\n  return\n}", "host",
              "text-division");
    check_gives("%a = arith.constant -9223372036854775808 : i64\n%b = arith.constant -1 : i64\n"
                "%c = arith.divsi %a, %b : i64",
                "host", "text-division");
    run_gives("func.func @f() {\n  %a = pto.get_block_idx\n  %b = arith.constant 3 : index\n"
              "  scf.for %i = %a to %b step %a {\n  }\n  return\n}",
              "host", "text-loop-step");
    run_gives("%a = arith.constant 0 : index\n%b = arith.constant 9223372036854775807 : index\n"
              "%c = arith.constant 9223372036854775806 : index\nscf.for %i = %a to %b step %c {\n}",
              "host", "run-empty");
    run_gives(
        "%a = arith.constant 0 : index\n%b = arith.constant 999999999999999999 : index\n"
        "%c = arith.constant 1 : index\nscf.for %i = %a to %b step %c {\n  scf.for %j = %a to %b step %c {\n  }\n}",
        "host", "limit-steps");
}

static void test_wrong(void **state)
{
    (void)state;
    check_gives("%a = arith.constant 1 : index\n%b:2 = arith.addi %a, %a : index", "host", "text-operands");
    check_gives("%a = arith.constant 1.5 : index", "host", "text-operand");
    check_gives("%a = arith.constant 1 : index\n%b = arith.cmpi less, %a, %a : index", "host", "text-attribute");
    check_gives("%a = arith.constant 1 : index\n%b = scf.for %i = %a to %a step %a iter_args(%x = %a) -> (index) {\n}",
                "host", "text-operands");
    check_gives("%a = arith.constant 1 : index\nscf.for %i = %a to %a step %a {\n  %b = arith.addi %a, %i : index\n}\n"
                "scf.for %i = %a to %a step %a {\n  %b = arith.addi %a, %i : index\n}",
                "host", "");
    check_gives("func.func @f() {\n  %a = arith.constant 1 : index\n  scf.for %i = %a to %a step %a {\n"
                "    %b = arith.addi %a, %i : index\n  }\n  %c = arith.addi %b, %b : index\n  return\n}",
                "host", "text-undefined text-undefined");
    check_says("%c = arith.constant 1 : i32\n%d = arith.addi %c, %c : i64", "host", 2, 26,
               "%c is used with a type that differs from its definition");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),      cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_more_arithmetic), cmocka_unit_test(test_real_arithmetic),
        cmocka_unit_test(test_real_comparison), cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_affine),          cmocka_unit_test(test_while),
        cmocka_unit_test(test_loops),           cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_pointers),        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_reals),           cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_real_bits),       cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
