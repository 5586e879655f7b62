/* Each form of each kind of statement: what it is read as, and what it becomes in the other forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../asm/round_trip.h"
#include "base/pick.h"

#define M "!pto.partition_tensor_view<64x32xf16>"
#define I "!pto.tile_buf<vec, 1x16xi32>"
#define D "!pto.tile_buf<vec, 16x32xf16>"
#define M_AS "!pto.memref<64x32xf16>"
#define I_AS "!pto.tile<1x16xi32>"
#define D_AS "!pto.tile<16x32xf16>"
#define I_SSA "!pto.tile<vec, i32, 1, 16, row_major, none_box, 512, null>"
#define D_SSA "!pto.tile<vec, f16, 16, 32, row_major, none_box, 512, null>"

/* NULL where the form cannot say it. */
static void check(const char *text, enum ptog_text_form form, const char *expected)
{
    struct parsed parsed;
    parse_text(&parsed, text);
    if (parsed.status != PTOG_OK)
        print_error("%s\n%s\n", text, parsed.diags.list[0].diag.message);
    assert_int_equal(parsed.status, PTOG_OK);
    struct printed printed = print_form(&parsed, form);
    assert_int_equal(printed.status, expected ? PTOG_OK : PTOG_ILLEGAL);
    assert_string_equal(printed.text, ptog_or(expected, ""));
    free(printed.text);
    parsed_free(&parsed);
    const char *problem = round_trip(text, strlen(text));
    if (problem)
        print_error("%s\n%s\n", text, problem);
    assert_null(problem);
}

static void mgather(void **state)
{
    (void)state;
    static const char *const same[] = {
        "%d = mgather.row.clamp %m, %i : (" M_AS ", " I_AS ") -> " D_AS "\n",
        "%d = pto.mgather %m, %i {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>} : (" M ", " I_SSA
        ") -> " D_SSA "\n",
        "pto.mgather ins(%m, %i : " M ", " I ") outs(%d : " D
        ") {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}\n",
    };
    for (int i = 0; i < 3; i++) {
        check(same[i], PTOG_TEXT_DPS, same[2]);
        check(same[i], PTOG_TEXT_SSA, same[1]);
        if (i < 2)
            check(same[i], PTOG_TEXT_AS, same[0]);
    }
    check(same[2], PTOG_TEXT_AS, "mgather.row.clamp %d, %m, %i : (" D_AS ", " M_AS ", " I_AS ")\n");
    check("mgather.row %d, %m, %i : (" D_AS ", " M_AS ", " I_AS ")", PTOG_TEXT_DPS,
          "pto.mgather ins(%m, %i : " M ", " I ") outs(%d : " D ") {coalesce = #pto<coalesce row>}\n");
    check("\"pto.mgather\"(%m, %i, %d) <{coalesce = #pto.coalesce<elem>}> {x} : (" M ", " I ", " D ") -> ()",
          PTOG_TEXT_DPS,
          "pto.mgather ins(%m, %i : " M ", " I ") outs(%d : " D ") {coalesce = #pto<coalesce elem>, x}\n");
    check("%d = \"pto.mgather\"(%m, %i) : (" M ", " I ") -> " D, PTOG_TEXT_SSA,
          "%d = pto.mgather %m, %i : (" M ", " I_SSA ") -> " D_SSA "\n");
}

static void mgather_suffixes(void **state)
{
    (void)state;
    check("pto.mgather ins(%m) outs(%d) {gatherOob = \"zero\"}", PTOG_TEXT_AS,
          "mgather %d, %m {gatherOob = #pto<gather_oob zero>}\n");
    check("pto.mgather ins(%m) outs(%d) {other = 1, coalesce = <elem>}", PTOG_TEXT_AS,
          "mgather.elem %d, %m {other = 1}\n");
    check(
        "mgather.elem.wrap %d, %m, %i {k = 2}", PTOG_TEXT_DPS,
        "pto.mgather ins(%m, %i) outs(%d) {coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob wrap>, k = 2}\n");
    check("mgather.elem.undefined %d, %m, %i", PTOG_TEXT_WRITTEN, "mgather.elem.undefined %d, %m, %i\n");
}

static void tgather(void **state)
{
    (void)state;
    check("%d = tgather %s {maskPattern = #pto.mask_pattern<P0101>} : " D_AS " -> " D_AS, PTOG_TEXT_DPS,
          "pto.tgather ins(%s, {maskPattern = #pto.mask_pattern<P0101>} : " D ") outs(%d : " D ")\n");
    check("pto.tgather ins(%s, {maskPattern = #pto<mask_pattern P1010>} : " D ", \"col\") outs(%d : " D ")",
          PTOG_TEXT_SSA,
          "%d = pto.tgather %s {maskPattern = #pto.mask_pattern<P1010>} : (" D_SSA ", \"col\") -> " D_SSA "\n");
    check("pto.tgather ins(%s, %k : " D ", f16) outs(%d, %c : " I ", " I ") {cmpMode = #pto<cmp gt>, offset = 7 : i32}",
          PTOG_TEXT_SSA,
          "%d, %c = pto.tgather %s, %k {cmpMode = #pto<cmp gt>, offset = 7 : i32} : (" D_SSA ", f16) -> (" I_SSA
          ", " I_SSA ")\n");
    check("pto.tgather ins(%s, %k) outs(%d, %c) {cmpMode = #pto.cmp<gt>}", PTOG_TEXT_AS,
          "tgather %d, %c, %s, %k {cmpMode = #pto<cmp gt>}\n");
    check("pto.tgather ins(%s, %i, %t : " D ", " I ", " I ") outs(%d : " D ")", PTOG_TEXT_AS,
          "tgather %d, %s, %i, %t : (" D_AS ", " D_AS ", " I_AS ", " I_AS ")\n");
    check("%d = tgather %s, %i : " D_AS " -> " D_AS, PTOG_TEXT_DPS,
          "pto.tgather ins(%s, %i : " D ") outs(%d : " D ")\n");
}

static void loads_and_stores(void **state)
{
    (void)state;
    check("pto.tload ins(%p : " M ") outs(%t : " D ")", PTOG_TEXT_SSA, "%t = pto.tload %p : " M " -> " D_SSA "\n");
    check("%t = tload %p[%a, 4] : (" M_AS ", index) -> " D_AS, PTOG_TEXT_DPS,
          "pto.tload ins(%p[%a, 4] : " M ", index) outs(%t : " D ")\n");
    check("pto.tstore ins(%t : " D ") outs(%p : " M ")", PTOG_TEXT_SSA,
          "pto.tstore %t, %p : (" D_SSA ", " M ") -> ()\n");
    check("pto.tstore ins(%t : " D ") outs(%p : " M ")", PTOG_TEXT_AS, "tstore %t, %p : (" D_AS ", " M_AS ")\n");
    check("tstore %t, %p", PTOG_TEXT_DPS, "pto.tstore ins(%t) outs(%p)\n");
    check("pto.tstore ins(%t, %u : " D ", " D ") outs(%p, %q)", PTOG_TEXT_SSA, NULL);
}

/* In a function, SSA takes a plain allocation away, and DPS puts it back before the statement. */
static void allocations(void **state)
{
    (void)state;
    const char *dps = "func.func @f(%p: !pto.ptr<f16>) {\n"
                      "  // the tile\n"
                      "  %t = pto.alloc_tile : " D "\n"
                      "  pto.tload ins(%p : " M ") outs(%t : " D ")\n"
                      "  return\n"
                      "}\n";
    const char *ssa = "func.func @f(%p: !pto.ptr<f16>) {\n"
                      "  // the tile\n"
                      "  %t = pto.tload %p : " M " -> " D_SSA "\n"
                      "  return\n"
                      "}\n";
    check(dps, PTOG_TEXT_SSA, ssa);
    check(ssa, PTOG_TEXT_DPS, dps);
    check(dps, PTOG_TEXT_DPS, dps);
}

/* Level 1 writes a destination that is no result first, as PTO-AS does; no statement changes its place. */
static void in_place(void **state)
{
    (void)state;
    const char *dps = "func.func @f() {\n"
                      "  %a = pto.alloc_tile addr = %x : " D "\n"
                      "  %t = pto.alloc_tile : " D "\n"
                      "  %u = pto.alloc_tile : " D "\n"
                      "  pto.tload ins(%p : " M ") outs(%t : " D ")\n"
                      "  pto.tload ins(%p : " M ") outs(%a : " D ")\n"
                      "  pto.tload ins(%p : " M ") outs(%t : " D ")\n"
                      "  %v = pto.alloc_tile : " D "\n"
                      "  pto.tload ins(%p : " M ") outs(%v : " D ")\n"
                      "}\n";
    const char *ssa = "func.func @f() {\n"
                      "  %a = pto.alloc_tile addr = %x : " D_SSA "\n"
                      "  %t = pto.alloc_tile : " D_SSA "\n"
                      "  %u = pto.alloc_tile : " D_SSA "\n"
                      "  pto.tload %t, %p : (" D_SSA ", " M ")\n"
                      "  pto.tload %a, %p : (" D_SSA ", " M ")\n"
                      "  pto.tload %t, %p : (" D_SSA ", " M ")\n"
                      "  %v = pto.tload %p : " M " -> " D_SSA "\n"
                      "}\n";
    check(dps, PTOG_TEXT_SSA, ssa);
    check(ssa, PTOG_TEXT_DPS, dps);
    check("func.func @f() {\n  %t = pto.alloc_tile : " D "\n  scf.if %c {\n    pto.tload ins(%p) outs(%t : " D
          ")\n  }\n}\n",
          PTOG_TEXT_SSA,
          "func.func @f() {\n  %t = pto.alloc_tile : " D_SSA "\n  scf.if %c {\n    pto.tload %t, %p : " D_SSA
          "\n  }\n}\n");
    check("pto.tload ins(%p) outs(%t)\npto.tload ins(%p) outs(%t)", PTOG_TEXT_SSA,
          "%t = pto.tload %p\npto.tload %t, %p\n");
}

static void frame(void **state)
{
    (void)state;
    const char *text = "module @m attributes {pto.target_arch = \"a5\"} {\n"
                       "  func.func private @g(i32, !pto.ptr<f16, gm>) -> i32\n"
                       "  func.func @f(%a: index {x = 1}, %b: i1) -> (index, i32) attributes {y} {\n"
                       "    %r:2 = scf.for %i = %a to 8 step %s iter_args(%x = %a, %y = 0) -> (index, i32) {\n"
                       "      scf.yield %x, %y : index, i32\n"
                       "    }\n"
                       "    %c = scf.if %b -> (index) {\n"
                       "      scf.yield %a : index\n"
                       "    } else {\n"
                       "      // nothing else\n"
                       "    }\n"
                       "    pto.section.vector {\n"
                       "    }\n"
                       "    return %r#0, %r#1 : index, i32\n"
                       "  }\n"
                       "}\n";
    for (int form = PTOG_TEXT_WRITTEN; form <= PTOG_TEXT_AS; form++)
        check(text, (enum ptog_text_form)form, text);
}

static void plain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "%c = arith.constant -5 : i64\n",
        "%c = arith.constant dense<0> : vector<4xi8>\n",
        "%b = arith.cmpi slt, %x, %y : index\n",
        "%e = arith.index_cast %a : index to i32\n",
        "%v = pto.make_tensor_view %p, shape = [%a, %b], strides = [%c, 1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>\n",
        "%w = pto.partition_view %v, offsets = [%a, 0], sizes = [16, 16] : !pto.tensor_view<?x?xf16>\n",
        "%t = pto.alloc_tile addr = %a valid_row = %r valid_col = %c : " D "\n",
        "%s = pto.subview %t[%r, %c] sizes [1, 256] valid [%x, %y] : " D " -> " D "\n",
        "pto.set_validshape %t, %r, %c : " D "\n",
        "%q = pto.addptr %p, %o : !pto.ptr<f16> -> !pto.ptr<f16>\n",
        "%n = pto.get_block_idx\n",
        "pto.store_scalar %v, %p[%o] : !pto.ptr<f32>, f32\n",
        "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n",
        "pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %i]\n",
        "pto.barrier <PIPE_ALL>\n",
        "pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, <EVENT_ID0>]\n",
        "pto.tassign %arg0, @tile(0x1000)\n",
        "pto.unknown[3] async %a {x = [1, {y}]} : (i32) -> () {\n  foo.bar\n}\n",
        "\"x.y\"(%a) {n = 1 : i8} : (i32) -> (f16, f16)\n",
        "func.call @f(%a, 3) : (i32) -> i32\n",
        "memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check(texts[i], PTOG_TEXT_WRITTEN, texts[i]);
        if (!strstr(texts[i], "tile_buf"))
            check(texts[i], PTOG_TEXT_SSA, texts[i]);
        check(texts[i], PTOG_TEXT_DPS, texts[i]);
    }
}

static void attributes(void **state)
{
    (void)state;
    check("pto.set_flag[\"PIPE_S\", #pto.pipe<PIPE_V>, #pto<event EVENT_ID1>]", PTOG_TEXT_DPS,
          "pto.set_flag[<PIPE_S>, <PIPE_V>, <EVENT_ID1>]\n");
    check("pto.record_event[\"TLOAD\", #pto.sync_op_type<TVEC>, <EVENT_ID0>]", PTOG_TEXT_DPS,
          "pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, <EVENT_ID0>]\n");
    check("x.y {a = #pto.pipe<PIPE_V>, b = #z<q>, c = -0x10, d = 1.50, \"e f\" = unit, g = i32, h = [<X>]}",
          PTOG_TEXT_DPS,
          "x.y {a = #pto.pipe<PIPE_V>, b = #z<q>, c = -0x10, d = 1.50, \"e f\" = unit, g = i32, h = [<X>]}\n");
}

static void comments(void **state)
{
    (void)state;
    check("# one\n// two\n; three\nx.a // after\nx.b %c, // middle\n %d\n// last", PTOG_TEXT_WRITTEN,
          "# one\n// two\n; three\nx.a // after\n// middle\nx.b %c, %d\n// last\n");
    check("; a\nx.a ; b\n", PTOG_TEXT_DPS, "// a\nx.a // b\n");
    check("; a\nx.a ; b\n", PTOG_TEXT_AS, "; a\nx.a ; b\n");
    check("pto.section.vector { // in\n// tail\n} // out", PTOG_TEXT_WRITTEN,
          "pto.section.vector { // in\n  // tail\n} // out\n");
    check("x.a\n\n\n\n// of b\n\nx.b\n\npto.section.vector {\n\n  x.c\n\n  x.d\n\n  // end\n\n}\n\n// last\n\n",
          PTOG_TEXT_WRITTEN,
          "x.a\n\n// of b\n\nx.b\n\npto.section.vector {\n  x.c\n\n  x.d\n\n  // end\n}\n\n// last\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mgather),     cmocka_unit_test(mgather_suffixes),
        cmocka_unit_test(tgather),     cmocka_unit_test(loads_and_stores),
        cmocka_unit_test(allocations), cmocka_unit_test(in_place),
        cmocka_unit_test(frame),       cmocka_unit_test(plain),
        cmocka_unit_test(attributes),  cmocka_unit_test(comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
