/* The grammar of real programs: every production of it, as it is read and as it is printed again, in each form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/round_trip.h"

#define V "!pto.partition_tensor_view<4x8xf32>"
#define T "!pto.tile_buf<vec, 4x8xf32>"
#define U "!pto.tile_buf<vec, 4x8xf16>"

/* Text, and what level 2 makes of it; NULL: the same. A function stands around neither. */
static const struct {
    const char *text, *dps;
} productions[] = {
    /* a dictionary after the operands inside ins */
    {"pto.tcvt ins(%a {rmode = #pto<round_mode RINT>} : " T ") outs(%b : " U ")", NULL},
    {"pto.tcvt ins(%a : " T ") outs(%b : " U ") {rmode = #pto.round_mode<RINT>, sat_mode = #pto<saturation_mode ON>}",
     "pto.tcvt ins(%a {rmode = #pto<round_mode RINT>, satmode = #pto<saturation_mode ON>} : " T ") outs(%b : " U ")"},
    {"pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : " T ", " T ") outs(%c : " T ")", NULL},
    {"pto.tcmps ins(%a, %k {cmpMode = #pto<cmp lt>} : " T ", f32) outs(%c : " T ")", NULL},
    {"pto.tcolsum ins(%a, %t {isBinary = true} : " T ", " T ") outs(%c : " T ")", NULL},
    {"pto.tcolsum ins(%a : " T ") outs(%c : " T ") {isBinary = false}", NULL},
    {"pto.trandom ins(%a, %b, %c, %d, %e, %f {rounds = 7 : i32} : i32, i32, i32, i32, i32, i32) outs(%o : " T ")",
     NULL},
    {"pto.ttri ins(%d {upperOrLower = 1 : i32} : i32) outs(%o : " T ")", NULL},
    {"pto.tmrgsort ins(%a, %b no_tmp {exhausted = false} : " T ", " T ") outs(%c, %e : " T ", vector<4xi16>)", NULL},
    {"pto.tmrgsort ins(%a, %b, %t {exhausted = false} : " T ", " T ", " T ") outs(%c, %e : " T ", vector<4xi16>)",
     NULL},
    {"pto.tmrgsort ins(%a, %n : " T ", i32) outs(%c : " T ") {exhausted = false}", NULL},
    {"pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0101>} : " T ", \"row\") outs(%b : " T ")", NULL},
    /* brackets right after the name */
    {"pto.tpush_to_aiv(%t : " T ") {split = 0}", NULL},
    {"pto.aic_initialize_pipe {dir_mask = 1, slot_size = 64} (c2v_consumer_buf = %a : i32, gm_slot_buffer = %p : "
     "!pto.ptr<f32>)",
     NULL},
    {"pto.aic_initialize_pipe {dir_mask = 1, slot_size = 64}\n  (c2v_consumer_buf = %a : i32)",
     "pto.aic_initialize_pipe {dir_mask = 1, slot_size = 64} (c2v_consumer_buf = %a : i32)"},
    {"pto.comm.tput(%d, %s, buf(%x, %y) : " V ", " V ", " T ", " T ") {a = #pto<atomic_type add>}", NULL},
    {"%r = pto.tpop_from_aic(%m, %n) {split = 0} -> " T, NULL},
    {"pto.tpop_from_aic {id = 1, split = 0} aiv_subblockid(%s) -> " T, NULL},
    {"%p = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 64, slot_num = 8} (%a : i32, %b : i32) -> !pto.pipe",
     NULL},
    {"%e = pto.comm.tput_async(%d, %s, %h : " V ", " V ", !pto.async_session) -> !pto.async_event", NULL},
    {"pto.syncall() mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<aiv_only>", NULL},
    {"pto.print ins(\"%d\\0A\", %x : i32)", NULL},
    {"%v = pto.tgetval ins(%t, %o : " T ", index) outs : f32", NULL},
    {"pto.tsync ins(%e : !pto.event)", NULL},
    {"pto.section.simt <<<32, 1, %n>>> {\n  x.y\n}", NULL},
    {"pto.cmo.cacheinvalid all #pto.address_space<gm>", NULL},
    {"pto.cmo.cacheinvalid %p single_cache_line : !pto.ptr<i32>", NULL},
    {"pto.fence.barrier_all #pto.fence_scope<gm>", NULL},
    /* what the first generation wrote */
    {"%q = pto.addptr %p, %i : <f32> -> <f32>", "%q = pto.addptr %p, %i : !pto.ptr<f32> -> !pto.ptr<f32>"},
    {"%q = pto.addptr %p, %i : <f32, gm> -> <f32, gm>",
     "%q = pto.addptr %p, %i : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>"},
    {"pto.tload ins(%v : <4x8xf32>) outs(%t : <loc=ub, dtype=f32, rows=4, cols=8, v_row=4, v_col=8, blayout=row_major, "
     "slayout=none_box, fractal=512, pad=0>)",
     "pto.tload ins(%v : " V ") outs(%t : " T ")"},
    {"pto.tstore ins(%t : <vec, 4x8xf32>) outs(%v : <4x8xf32>)", "pto.tstore ins(%t : " T ") outs(%v : " V ")"},
    {"pto.tadd_dps ins(%a, %b : " T ", " T ") outs(%c : " T ")",
     "pto.tadd ins(%a, %b : " T ", " T ") outs(%c : " T ")"},
    {"%t = pto.alloc_tile : !pto.tile_buf<8x8xf32, #pto.address_space<mat>>",
     "%t = pto.alloc_tile : !pto.tile_buf<mat, 8x8xf32>"},
    {"%t = pto.alloc_tile : !pto.tile_buf<8x8xf32, strided<[8, 1]>, memory_space = #pto.address_space<vec>, config = "
     "#pto.tile_buf_config<blayout=1 : i32, slayout=1 : i32, s_fractal_size=512 : i32, pad=0 : i32>>",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, blayout=col_major, slayout=row_major>"},
    {"%t = pto.alloc_tile : !pto.tile_buf<8x8xf32, #pto.address_space<vec>, "
     "#pto.tile_buf_config<blayout=#pto.blayout<col_major>>>",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, blayout=col_major>"},
    {"%t = pto.alloc_tile : !pto.tile_buf<vec, 8 x 16 x f32>", "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>"},
    {"%t = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=-1, v_col=8, blayout=row_major, "
     "slayout=none_box, fractal=512, pad=0>",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=?x8>"},
    {"%w = pto.subview %v, offsets = [%a, %b], sizes = [%c, %d] : !pto.tensor_view<?x?xf32> -> " V,
     "%w = pto.partition_view %v, offsets = [%a, %b], sizes = [%c, %d] : !pto.tensor_view<?x?xf32> -> " V},
    /* typed segments */
    {"pto.store_scalar %v, %p[%i] : !pto.ptr<f32>, f32", NULL},
    {"pto.tstore ins(%a : " T " fp %f : " T ") outs(%v : " V ")", NULL},
    {"pto.tstore ins(%a : " T ", %q : i64) outs(%v : " V ")", NULL},
    {"pto.tstore ins(%a, %q : " T ", i64) outs(%v : " V ")", "pto.tstore ins(%a : " T ", %q : i64) outs(%v : " V ")"},
    {"pto.tstore ins(%a : " T " fp %f : " T ", %q : i64) outs(%v : " V ")", NULL},
    {"pto.tmov ins(%a : " T ", %f : " T ") outs(%b : " T ")", NULL},
    {"pto.tinsert ins(%a, %r, %c : " T ", index, index pre_quant %q : i64) outs(%b : " T ")", NULL},
    {"pto.tinsert ins(%a, %r, %c : " T ", index, index fp %f : " T " pre_quant %q : i64) outs(%b : " T ")", NULL},
    {"pto.textract ins(%a, %r, %c, %q : " T ", index, index, i64) outs(%b : " T ")", NULL},
    {"x.y(%a, %b : i32, %c : i64)", NULL},
    /* types of values that nothing gives one */
    {"x.y(%a fp %b : i32)", NULL},
    /* the frame */
    {"%r = scf.while (%a = %x, %b = %y) : (i32, i32) -> i32 {\n  scf.condition(%c) %a : i32\n} do {\n^bb0(%p: i32):\n"
     "  scf.yield %p, %p : i32, i32\n}",
     NULL},
    {"scf.while : () -> () {\n  scf.condition(%c)\n} do {\n  scf.yield\n}", NULL},
    {"scf.if %c {\n^bb0:\n  cf.cond_br %c, ^bb1(%x, %y : i32, i32), ^bb2\n^bb1(%a: i32, %b: i32):\n  cf.br ^bb2\n^bb2:\n"
     "  x.y\n}",
     NULL},
    {"%m = memref.reinterpret_cast %p to offset: [0], sizes: [8], strides: [1] {x} : memref<8xf32> to memref<8xf32>",
     NULL},
    {"%i = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]", NULL},
    {"#map = affine_map<(d0) -> (d0 * 16)>\n%i = affine.apply #map(%x)",
     "%i = affine.apply affine_map<(d0) -> (d0 * 16)>(%x)"},
    {"call @f(%a, %b) : (i32, " T ") -> ()", NULL},
    {"%r = func.call @f(%a) : (i32) -> i32", NULL},
    {"pto.fusion_region {\n  x.y\n} {pto.fusion.group_id = 1 : i64} : " T, NULL},
    {"\"pto.tadd\"(%a, %b, %c) <{operandSegmentSizes = array<i32: 2, 1>}> : (" T ", " T ", " T ") -> ()",
     "pto.tadd ins(%a, %b : " T ", " T ") outs(%c : " T ")"},
    /* types */
    {"%t = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 8x16xf16, count=2>",
     "%t = pto.alloc_multi_tile : !pto.multi_tile_buf<!pto.tile_buf<vec, 8x16xf16>, count=2>"},
    {"%t = pto.alloc_multi_tile : !pto.multi_tile_buf<!pto.tile_buf<vec, 8x16xf16>, count=2>", NULL},
    {"%t = pto.multi_tile_get %m[%i] : !pto.multi_tile_buf<!pto.tile_buf<vec, 8x16xf16, pad=1>, count=16> -> " T, NULL},
    {"%a = pto.declare_local_array -> !pto.local_array<4xi32>", NULL},
    {"%a = pto.declare_eventid_array -> !pto.eventid_array<4>", NULL},
    {"%a = pto.declare_struct -> !pto.struct<f16, !pto.tile_buf<vec, 1x8xf32>>", NULL},
    {"pto.struct_set %s[0], %v : !pto.struct<f16>, f16", NULL},
    {"%t = pto.alloc_tile : !pto.tile_buf<vec, 16x32x!pto.f4E2M1x2>", NULL},
    {"%t = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf8E4M3B11FNUZ>", NULL},
    {"x.y {a, b.c = @f, \"d e\" = array<i32: 1>, g = dense<0> : i32}", NULL},
    /* statements over many lines */
    {"pto.tadd\n  ins(%a,\n  %b\n  : " T ",\n  " T ")\n  outs(\n%c : " T "\n)\n{x = 1}\nx.y",
     "pto.tadd ins(%a, %b : " T ", " T ") outs(%c : " T ") {x = 1}\nx.y"},
    {"%q = pto.addptr\n  %p,\n  %i\n  : !pto.ptr<f32>\n  -> !pto.ptr<f32>\nreturn",
     "%q = pto.addptr %p, %i : !pto.ptr<f32> -> !pto.ptr<f32>\nreturn"},
    {"pto.tpush_to_aiv\n(%t : " T ")\n{split = 0}\n%a, %b = x.y",
     "pto.tpush_to_aiv(%t : " T ") {split = 0}\n%a, %b = x.y"},
    {"x.y %a\nloc(\"f\":1:2)\nx.z loc(\"g\") x.w", "x.y %a loc(\"f\":1:2)\nx.z loc(\"g\")\nx.w"},
};
#define COUNT (sizeof productions / sizeof productions[0])

static void each_is_read_and_printed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        const char *wanted = productions[i].dps ? productions[i].dps : productions[i].text;
        struct parsed parsed;
        parse_text(&parsed, productions[i].text);
        struct printed printed = print_form(&parsed, PTOG_TEXT_DPS);
        if (printed.size > 0)
            printed.text[printed.size - 1] = '\0'; /* the end of the last line */
        if (parsed.diags.count > 0)
            print_error("%s: %s\n", productions[i].text, parsed.diags.list[0].diag.message);
        assert_int_equal(parsed.status, PTOG_OK);
        assert_string_equal(printed.text, wanted);
        free(printed.text);
        parsed_free(&parsed);
    }
}

static void each_survives_every_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        const char *texts[] = {productions[i].text, productions[i].dps};
        for (int k = 0; k < 2 && texts[k]; k++) {
            const char *problem = round_trip(texts[k], strlen(texts[k]));
            if (problem)
                print_error("%s: %s\n", texts[k], problem);
            assert_null(problem);
        }
    }
}

/* Cut anywhere, a text is refused or read; it never harms. */
static void each_may_end_early(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t length = 0; length < strlen(productions[i].text); length++) {
            const char *problem = round_trip(productions[i].text, length);
            if (problem)
                print_error("%.*s: %s\n", (int)length, productions[i].text, problem);
            assert_null(problem);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_read_and_printed),
        cmocka_unit_test(each_survives_every_form),
        cmocka_unit_test(each_may_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
