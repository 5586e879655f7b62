/* Random programs: text in any form, made from the grammar of the text forms. The same seed makes the same program. */
#ifndef PTOG_TESTS_ASM_RANDOM_PROGRAM_H
#define PTOG_TESTS_ASM_RANDOM_PROGRAM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"

struct writer {
    uint64_t state;
    char text[1 << 15];
    size_t used;
    int depth;
};

static inline uint64_t draw(struct writer *w)
{
    w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return w->state >> 33;
}

static inline unsigned below(struct writer *w, unsigned n)
{
    return (unsigned)(draw(w) % n);
}

__attribute__((format(printf, 2, 3))) static inline void put(struct writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof w->text - w->used)
        w->used += (size_t)n;
    else
        w->text[w->used] = '\0';
}

#define PICK(w, ...)                                                                                                   \
    ((const char *const[]){__VA_ARGS__}[below(w, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))])

/* ---- pieces */

static inline const char *draw_element(struct writer *w)
{
    return PICK(w, "f16", "f32", "bf16", "i8", "i16", "i32", "i64", "ui8", "u16", "si32", "f8E4M3FN", "f8E5M2",
                "!pto.hif8", "T", "dtype");
}

static inline const char *draw_extent(struct writer *w)
{
    return PICK(w, "1", "16", "32", "64", "128", "?", "M", "N", "9223372036854775807");
}

static inline void put_tile_keys(struct writer *w)
{
    if (below(w, 3) == 0)
        put(w, ", valid=%sx%s", draw_extent(w), draw_extent(w));
    if (below(w, 4) == 0)
        put(w, ", blayout=%s", PICK(w, "row_major", "col_major"));
    if (below(w, 4) == 0)
        put(w, ", slayout=%s", PICK(w, "none_box", "row_major", "col_major"));
    if (below(w, 4) == 0)
        put(w, ", pad=%u", below(w, 4));
    if (below(w, 4) == 0)
        put(w, ", fractal=%s", PICK(w, "32", "512", "1024"));
    if (below(w, 8) == 0)
        put(w, ", compact=%u", below(w, 3));
}

static inline void put_tile(struct writer *w)
{
    const char *loc = PICK(w, "vec", "vec", "vec", "mat", "left", "right", "acc", "bias", "scaling");
    switch (below(w, 8)) {
    case 0: put(w, "%s<...>", PICK(w, "!pto.tile", "!pto.tile_buf", "pto.tile")); break;
    case 1: put(w, "!pto.tile<%sx%sx%s>", draw_extent(w), draw_extent(w), draw_element(w)); break;
    case 2: put(w, "!pto.tile<%s, %s, %s>", draw_element(w), draw_extent(w), draw_extent(w)); break;
    case 3:
        put(w, "!pto.tile<%s%s, %s, %s, %s, %s, %s, %s, %s>", ptog_when(below(w, 2), "loc="), loc, draw_element(w),
            draw_extent(w), draw_extent(w), PICK(w, "RowMajor", "row_major", "col_major", "blayout"),
            PICK(w, "NoneBox", "none_box", "slayout"), PICK(w, "None", "512", "32", "fractal"),
            PICK(w, "Zero", "null", "2", "pad"));
        break;
    case 4:
        put(w,
            "!pto.tile_buf<loc=%s, dtype=%s, rows=%s, cols=%s, v_row=%s, v_col=%s, blayout=row_major, slayout=none_box, "
            "fractal=512, pad=%u>",
            loc, draw_element(w), draw_extent(w), draw_extent(w), draw_extent(w), draw_extent(w), below(w, 4));
        break;
    default:
        put(w, "!pto.tile_buf<%s, %sx%sx%s", loc, draw_extent(w), draw_extent(w), draw_element(w));
        put_tile_keys(w);
        put(w, ">");
    }
}

static inline void put_view(struct writer *w)
{
    static const char *const names[] = {"!pto.partition_tensor_view", "!pto.tensor_view", "!pto.tile_view",
                                        "!pto.memref", "memref"};
    unsigned name = below(w, 5);
    put(w, "%s<", names[name]);
    for (unsigned rank = below(w, 5); rank > 0; rank--)
        put(w, "%sx", draw_extent(w));
    put(w, "%s", draw_element(w));
    if (name >= 3 && below(w, 2))
        put(w, ", strided<[%u, 1], offset: ?>, #pto.address_space<gm>", below(w, 100));
    put(w, ">");
}

static inline void put_type(struct writer *w)
{
    switch (below(w, 6)) {
    case 0: put(w, "%s", PICK(w, "index", "i32", "f16", "i1", "!pto.hif8")); break;
    case 1: put_view(w); break;
    case 2: put(w, "!pto.ptr<%s%s>", draw_element(w), ptog_when(below(w, 2), ", gm")); break;
    case 3: put(w, "%s", PICK(w, "!other.thing<a, \"<\", 3>", "!llvm.ptr", "vector<4xf32>")); break;
    default: put_tile(w);
    }
}

static inline void put_value(struct writer *w)
{
    put(w, "%%%s%u", PICK(w, "t", "arg", "x_", ""), below(w, 20));
}

static inline void put_attribute(struct writer *w)
{
    put(w, "%s",
        PICK(w, "7 : i32", "-1", "0x1f", "1.5e-3 : f32", "\"text \\\" more\"", "true", "[1, 2, [3]]", "@f",
             "#pto<mode fast>", "#pto.mode<fast>", "#other<x <y> z>", "{a = 1, b}", "dense<0> : i32", "(i32) -> f16",
             "!pto.tile<...>", "affine_map<(d0) -> (d0)>"));
}

static inline void put_signature(struct writer *w, unsigned ins, unsigned outs)
{
    bool parens = ins != 1 || below(w, 2);
    if (below(w, 8) == 0)
        return;
    put(w, " : %s", ptog_when(parens, "("));
    for (unsigned i = 0; i < ins; i++) {
        put(w, "%s", ptog_when(i > 0, ", "));
        put_tile(w);
    }
    put(w, "%s", ptog_when(parens, ")"));
    if (outs == 0 || below(w, 8) == 0)
        return;
    put(w, "%s-> %s", PICK(w, " ", "\n"), ptog_when(outs > 1, "("));
    for (unsigned i = 0; i < outs; i++) {
        put(w, "%s", ptog_when(i > 0, ", "));
        put_tile(w);
    }
    put(w, "%s", ptog_when(outs > 1, ")"));
}

/* ---- statements */

static inline void put_clause(struct writer *w, const char *word, unsigned count, const char *dict, const char *string)
{
    put(w, " %s(", word);
    for (unsigned i = 0; i < count; i++) {
        put(w, "%s", ptog_when(i > 0, ", "));
        put_value(w);
    }
    put(w, "%s", dict);
    if (below(w, 10) > 0) {
        put(w, " : ");
        for (unsigned i = 0; i < count; i++) {
            put(w, "%s", ptog_when(i > 0, ", "));
            put_tile(w);
        }
        put(w, "%s", string);
    }
    put(w, ")");
}

static inline const char *draw_dict(struct writer *w)
{
    return PICK(w, "", " {coalesce = #pto<coalesce row>}",
                " {coalesce = #pto.coalesce<elem>, gatherOob = #pto<gather_oob zero>}", " {gatherOob = \"wrap\"}",
                " {extra = 3, coalesce = <row>}");
}

static inline void put_gather(struct writer *w)
{
    switch (below(w, 7)) {
    case 0:
        put(w, "pto.mgather");
        put_clause(w, "ins", 2, "", "");
        put_clause(w, "outs", 1, "", "");
        put(w, "%s", draw_dict(w));
        break;
    case 1:
        put(w, "%%d%u = mgather%s %%m, %%i", below(w, 9), PICK(w, "", ".row", ".elem.clamp", ".row.undefined"));
        put_signature(w, 2, 1);
        break;
    case 2:
        put(w, "mgather%s %%d%u, %%m, %%i", PICK(w, "", ".row", ".elem.wrap"), below(w, 9));
        put_signature(w, 3, 0);
        break;
    case 3:
        put(w, "%%d%u = pto.mgather %%m, %%i%s", below(w, 9), draw_dict(w));
        put_signature(w, 2, 1);
        break;
    case 4:
        put(w, "pto.tgather");
        put_clause(w, "ins", 1, ", {maskPattern = #pto.mask_pattern<P0101>}", PICK(w, "", ", \"row\"", ", \"col\""));
        put_clause(w, "outs", 1, "", "");
        break;
    case 5:
        put(w, "pto.tgather");
        put_clause(w, "ins", 2 + below(w, 2), "", "");
        put_clause(w, "outs", 2, "", "");
        put(w, " {cmpMode = #pto<cmp gt>, offset = %u : i32}", below(w, 100));
        break;
    default:
        put(w, "\"pto.mgather\"(%%m, %%i, %%d) {coalesce = #pto<coalesce row>} : (");
        put_tile(w);
        put(w, ", ");
        put_tile(w);
        put(w, ", ");
        put_tile(w);
        put(w, ") -> ()");
    }
}

static inline void put_transfer(struct writer *w)
{
    switch (below(w, 4)) {
    case 0:
        put(w, "pto.tload");
        put_clause(w, "ins", 1, "", "");
        put_clause(w, "outs", 1, "", "");
        break;
    case 1:
        put(w, "pto.tstore");
        put_clause(w, "ins", 1, "", "");
        put_clause(w, "outs", 1, "", "");
        break;
    case 2:
        put(w, "%%l%u = pto.tload %%p[%%c0, 4]", below(w, 9));
        put_signature(w, 1, 1);
        break;
    default:
        put(w, "%s %%t, %%p", PICK(w, "tstore", "pto.tstore"));
        put_signature(w, 2, 0);
        break;
    }
}

static inline void put_plain(struct writer *w)
{
    switch (below(w, 13)) {
    case 0:
        put(w, "%%c%u = arith.constant %s", below(w, 9), PICK(w, "0 : index", "-5 : i32", "1.5 : f32", "true"));
        break;
    case 1: put(w, "%%b = arith.cmpi %s, %%x, %%y : index", PICK(w, "slt", "eq", "uge")); break;
    case 2: put(w, "%%e = arith.index_cast %%a : index to i32"); break;
    case 3:
        put(w, "%%v = pto.make_tensor_view %%p, shape = [%%a, 4]%s strides = [4, 1] : ", PICK(w, "", ","));
        put_view(w);
        break;
    case 4:
        put(w, "%%w = pto.partition_view %%v, offsets = [%%a], sizes = [16] : ");
        put_view(w);
        put(w, " -> ");
        put_view(w);
        break;
    case 5:
        put(w, "%%t%u = pto.alloc_tile%s : ", below(w, 20),
            PICK(w, "", " addr = %a", " valid_row = %a valid_col = %b"));
        put_tile(w);
        break;
    case 6:
        put(w, "%%s = pto.subview %%t[%%r, 0] sizes [1, 256]%s : ", PICK(w, "", " valid [%r, %c]"));
        put_type(w);
        break;
    case 7:
        put(w, "pto.set_flag[%s, <PIPE_V>, <EVENT_ID0>]", PICK(w, "<PIPE_MTE2>", "\"PIPE_S\"", "#pto.pipe<PIPE_MTE3>"));
        break;
    case 8: put(w, "pto.barrier <PIPE_ALL>"); break;
    case 9: put(w, "pto.tassign %%arg0, @tile(0x%x)", below(w, 65536)); break;
    case 10: put(w, "pto.record_event[#pto.sync_op_type<TLOAD>, #pto.pipe_event_type<TVEC>, <EVENT_ID3>]"); break;
    case 11:
        put(w, "pto.unknown_op %%a, word, %s k = ", PICK(w, "%b[1, %i]", "3", "\"s\""));
        put_attribute(w);
        put(w, " : ");
        put_type(w);
        break;
    default:
        put(w, "%%q:2 = \"x.y\"(%%a, %%b) {n = ");
        put_attribute(w);
        put(w, "} : (i32, ");
        put_type(w);
        put(w, ") -> (f16, f16)");
    }
}

/* What compilers print for the rest of their operations: dictionaries inside ins, typed segments, brackets and keys. */
static inline void put_real(struct writer *w)
{
    switch (below(w, 14)) {
    case 0:
        put(w, "pto.%s", PICK(w, "tcvt", "tcmp", "tcolsum", "ttri", "trandom", "tmrgsort"));
        put_clause(
            w, "ins", 1 + below(w, 3),
            PICK(w, "", " {rmode = #pto<round_mode RINT>}", ", {isBinary = true}", " no_tmp {exhausted = false}"), "");
        put_clause(w, "outs", 1 + below(w, 2), "", "");
        put(w, "%s", PICK(w, "", " {sat_mode = #pto<saturation_mode OFF>}"));
        break;
    case 1:
        put(w, "pto.%s ins(%%a : ", PICK(w, "tstore", "tmov", "tinsert", "x_unknown"));
        put_tile(w);
        put(w, "%s",
            PICK(w, ", %q : i64", " fp %f : !pto.tile_buf<scaling, 1x16xf32>", " pre_quant %q : i64", " fp %f",
                 " fp %f : f32, %q : i64"));
        put(w, ")");
        put_clause(w, "outs", 1, "", "");
        break;
    case 2:
        put(w, "%%d = pto.textract %%a, %%r%s", PICK(w, "", ", fp %f", ", pre_quant %q"));
        put_signature(w, 2, 1);
        break;
    case 3:
        put(w, "%spto.%s(%%t, %s : ", PICK(w, "", "%r = ", "%r, %s = "), PICK(w, "tpush", "comm.tput", "syncall"),
            PICK(w, "%x", "buf(%x, %y)", "key = %x", "buf()"));
        put_type(w);
        put(w, "%s) {split = 0}%s", PICK(w, "", ", %z : i32", ", last = %z : i32"),
            PICK(w, "", " mode = #pto.sync_all_mode<soft>"));
        break;
    case 4:
        put(w, "pto.aic_initialize_pipe {dir_mask = 1}%s(gm = %%p : !pto.ptr<f32>, v2c = %%b)%s", PICK(w, " ", "\n"),
            PICK(w, "", " -> !pto.pipe"));
        break;
    case 5: put(w, "%%q = pto.addptr %%p, %%i : <%s> -> <f32, gm>", draw_element(w)); break;
    case 6:
        put(w, "pto.tload ins(%%v : <4x8xf32>) outs(%%t : <8x8x%s, %s#pto.address_space<mat>%s>)", draw_element(w),
            PICK(w, "", "memory_space = ", "strided<[8, 1]>, "),
            PICK(w, "", ", config = #pto.tile_buf_config<blayout=1 : i32, slayout=1 : i32>"));
        break;
    case 7:
        put(w,
            "%%m = memref.reinterpret_cast %%p to offset: [%s], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>",
            PICK(w, "0", "%o"));
        break;
    case 8:
        put(w, "%%i = affine.apply affine_map<(d0)[s0] -> (%s)>(%%a)%s",
            PICK(w, "d0 * 32 + s0", "-(d0 - s0) mod 3", "(d0 * 2) floordiv s0 - -7", "d0 + d2"),
            PICK(w, "[%b]", "[]", "\n[%b]"));
        break;
    case 9: put(w, "%s @f(%%a) : (i32) -> ()", PICK(w, "call", "func.call")); break;
    case 10: put(w, "cf.cond_br %%c, ^bb1%s, ^bb2", PICK(w, "", "(%a : i32)", "(%a, %b : i32, f16)", "(%a)")); break;
    case 11:
        put(w, "%%t = pto.alloc_multi_tile : !pto.multi_tile_buf<%s, count=%u>",
            PICK(w, "vec, 8x16xf16", "vec, 8 x 16 x f16, pad=1", "!pto.tile_buf<vec, 8x16xf16, valid=-1x2>"),
            2 + below(w, 15));
        break;
    case 12: put(w, "^bb%u%s:", below(w, 3), PICK(w, "", "(%x: i32)", "(%x: i32, %y: !pto.pipe)")); break;
    default:
        put(w, "x.y%s{a, \"b c\" = array<i32: 1>, d.e = @f}%s%%z%s", PICK(w, " ", "\n"), PICK(w, " ", "\n"),
            PICK(w, " <{a = 1}>", " <<<1, %n>>>", "\n: i32\n-> f16", "\n\n"));
    }
}

static inline void put_statements(struct writer *w, unsigned most);

static inline void put_while(struct writer *w)
{
    put(w, "%s",
        PICK(w, "scf.while : () -> () {", "%r = scf.while (%a = %x) : (i32) -> i32 {",
             "%r:2 = scf.while (%a = %x, %b = 0) : (i32, i32) -> (i32, i32) {"));
    put_statements(w, 2);
    put(w, "scf.condition(%%c) %%a : i32\n} do {");
    put(w, "%s", PICK(w, "", "\n^bb0(%p: i32):"));
    put_statements(w, 2);
    put(w, "scf.yield %%p : i32\n}");
}

static inline void put_block(struct writer *w)
{
    switch (below(w, 4)) {
    case 0: put(w, "pto.section.vector {"); break;
    case 1: put(w, "scf.if %%c%s {", PICK(w, "", " -> (index)")); break;
    case 2: put(w, "scf.for %%i = %%lo to 8 step %%s {"); break;
    default: put(w, "%%f = scf.for %%i = 0 to %%n step 1 iter_args(%%a = %%x, %%b = 2) -> (index, i32) {"); break;
    }
    put_statements(w, 4);
    put(w, "%s", below(w, 4) ? "}" : "}  // end");
}

static inline void put_statements(struct writer *w, unsigned most)
{
    w->depth++;
    put(w, "\n");
    for (unsigned n = below(w, most + 1); n > 0; n--) {
        if (below(w, 4) == 0)
            put(w, "%s\n", PICK(w, "// a comment", "# another", "; a third", "#pto.tassign %x, @tile(0x10)"));
        switch (below(w, w->depth < 4 ? 8 : 6)) {
        case 0: put_transfer(w); break;
        case 1: put_plain(w); break;
        case 2:
        case 3: put_real(w); break;
        case 6: put_block(w); break;
        case 7: put_while(w); break;
        default: put_gather(w); break;
        }
        put(w, "%s\n", PICK(w, "", "", "", " // trailing", " loc(\"a.mlir\":1:2)", "\n", "\n\n// after an empty line"));
    }
    w->depth--;
}

/* Fills w->text from a seed. */
static inline void random_program(struct writer *w, uint64_t seed)
{
    *w = (struct writer){.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    bool module = below(w, 3) == 0, function = module || below(w, 3) == 0;
    put(w, "%s", ptog_when(module, "module attributes {pto.target_arch = \"a5\"} {\n"));
    put(w, "%s", ptog_when(function, "func.func @kernel(%p: !pto.ptr<f16, gm>, %n: index) {\n"));
    put_statements(w, 8);
    put(w, "%s%s", ptog_when(function, "return\n}\n"), ptog_when(module, "}\n"));
}

#endif
