/* lint: the pieces that the examples of spec/lint_fifo.def are made of, and rows that several operations share. A
 * pipe has two ends in two functions, so that an example for one line is a whole program around it. */
#ifndef PTOG_LINT_FIFO_EXAMPLES_H
#define PTOG_LINT_FIFO_EXAMPLES_H

/* ---- types and statements */

#define VIEW "!pto.tensor_view<16x16xf32>"
#define SMALL_VIEW "!pto.tensor_view<16x8xf32>"
#define VEC "!pto.tile_buf<vec, 16x16xf32>"
#define VEC_OF(element) "!pto.tile_buf<vec, 16x16x" element ">"
#define ACC ACC_OF("16x16", "f32")
#define ACC_OF(extents, element)                                                                                       \
    "!pto.tile_buf<acc, 16x16x" element ", valid=" extents ", blayout=col_major, slayout=row_major, fractal=1024>"
#define OPEN_VEC "!pto.tile_buf<vec, 16x16xf32, valid=?x?>"
#define SCALES(loc, element) "!pto.tile_buf<" loc ", 1x32x" element ">"

#define RESERVE(value, name, loc)                                                                                      \
    value " = pto.reserve_buffer {name = \"" name "\", size = 8192, location = #pto.address_space<" loc                \
          ">, auto = true} -> i32\n"
#define ONLY_RESERVE(keys) "func.func @f() {\n%b = pto.reserve_buffer {name = \"b\", " keys "} -> i32\nreturn\n}"
#define IMPORT(value, name, peer)                                                                                      \
    value " = pto.import_reserved_buffer {name = \"" name "\", peer_func = @" peer "} -> i32\n"
#define PUSH(tile, keys) "%t = pto.alloc_tile : " tile "\npto.tpush_to_aiv(%t : " tile ") {" keys "}\n"
#define POP(tile, keys) "%t = pto.tpop_from_aic {" keys "} -> " tile "\n"
#define SCALAR_SCALE(keys) "%s = arith.constant 1.0 : f32\npto.set_quant_scalar(%s : f32) {" keys "}\n"
#define VECTOR_SCALE(tile, keys) "%s = pto.alloc_tile : " tile "\npto.set_quant_vector(%s : " tile ") {" keys "}\n"

/* ---- functions */

#define MODULE(arch, functions) "module attributes {pto.target_arch = \"" arch "\"} {\n" functions "}"
#define FUNCTION(name, args, core, statements)                                                                         \
    "func.func @" name "(" args ") attributes {pto.kernel_kind = #pto.kernel_kind<" core ">} {\n" statements           \
    "return\n}\n"
#define OPEN_FUNCTION(args, statements) "func.func @f(" args ") {\n" statements "return\n}\n"
#define IN_SECTION(section, statements) "pto.section." section " {\n" statements "}\n"

/* A pipe from the cube core to the vector core: more keys for its setups, and what follows them. */
#define UP(aic, cube, aiv, vector) UP_ON("a5", "%n: index, %g: " VIEW, "", "", aic, cube, aiv, vector)
#define UP_ON(arch, args, aic_memory, aiv_memory, aic, cube, aiv, vector)                                              \
    MODULE(arch, FUNCTION("make", args, "cube", MAKE_UP(aic_memory, aic) cube)                                         \
                     FUNCTION("take", args, "vector", TAKE_UP(aiv_memory, aiv) vector))
#define MAKE_UP(memory, keys)                                                                                          \
    IMPORT("%q", "q", "take")                                                                                          \
    "pto.aic_initialize_pipe {dir_mask = 1, " keys "} (" memory "c2v_consumer_buf = %q : i32)\n"
#define TAKE_UP(memory, keys)                                                                                          \
    RESERVE("%q", "q", "vec")                                                                                          \
    "pto.aiv_initialize_pipe {dir_mask = 1, " keys "} (" memory "c2v_consumer_buf = %q : i32)\n"

/* The same with the vector core first. */
#define UP_TURNED(arch, args, memory, aic, cube, aiv, vector)                                                          \
    MODULE(arch, FUNCTION("take", args, "vector", TAKE_UP(memory, aiv) vector)                                         \
                     FUNCTION("make", args, "cube", MAKE_UP(memory, aic) cube))

/* The other direction. */
#define DOWN(cube, vector)                                                                                             \
    MODULE("a5", FUNCTION("take", "%n: index, %g: " VIEW, "cube",                                                      \
                          RESERVE("%q", "q", "mat") "pto.aic_initialize_pipe {dir_mask = 2, slot_size = 1024} "        \
                                                    "(v2c_consumer_buf = %q : i32)\n" cube)                            \
                     FUNCTION("make", "%n: index, %g: " VIEW, "vector",                                                \
                              IMPORT("%q", "q", "take") "pto.aiv_initialize_pipe {dir_mask = 2, slot_size = 1024} "    \
                                                        "(v2c_consumer_buf = %q : i32)\n" vector))

/* Through global memory: by a pointer, as on a2a3, and by a view, where tiles of odd extents can be split. */
#define UP_A2A3(aic, cube, aiv, vector) UP_ON("a2a3", "%p: !pto.ptr<f32>", POINTER, POINTER, aic, cube, aiv, vector)
#define POINTER "gm_slot_buffer = %p : !pto.ptr<f32>, "
#define UP_ODD(cube, vector)                                                                                           \
    UP_ON("a5", "%g: " ODD_VIEW ", %n: index", ODD_SLOT, ODD_SLOT, "slot_size = 960", cube, "slot_size = 960", vector)
#define ODD_VIEW "!pto.tensor_view<15x16xf32>"
#define ODD_SLOT "gm_slot_tensor = %g : " ODD_VIEW ", "

/* One that converts tiles on their way. */
#define EPILOGUE_KEYS(layout, quant, relu)                                                                             \
    "slot_size = 1024, nosplit = true, acc_push_epilogue = #pto.acc_push_epilogue<layout = " layout ", quant = " quant \
    ", relu = " relu ">"
#define NO_CONVERT EPILOGUE_KEYS("nz2nd", "no_convert", "no_relu")
#define CONVERT(quant, cube, vector)                                                                                   \
    UP(EPILOGUE_KEYS("nz2nd", quant, "no_relu"), cube, EPILOGUE_KEYS("nz2nd", quant, "no_relu"), vector)

#define CONVERTS CONVERT("no_convert", "", POP(VEC, "split = 0"))

/* Slots that are views of global memory, and nothing else: one end is enough. */
#define GLOBAL(core, unit, direction, statements)                                                                      \
    MODULE("a5", FUNCTION("f", "%g: " VIEW ", %u: " SMALL_VIEW, core,                                                  \
                          SET_GLOBAL(#unit, "dir_mask = " #direction) statements))
#define SET_GLOBAL(unit, keys)                                                                                         \
    "pto." unit "_initialize_pipe {" keys ", slot_size = 1024} (gm_slot_tensor = %g : " VIEW ")\n"

/* ---- pipes that a value names; with their flags given nobody asks for another end */

#define L2L(keys, more)                                                                                                \
    MODULE("a5", FUNCTION("f", "%b: i32", "cube",                                                                      \
                          "%p = pto.initialize_l2l_pipe {" keys ", flag_base = 0} (%b : i32" more ") -> !pto.pipe\n"))
#define L2G2L(keys, more)                                                                                              \
    MODULE("a5",                                                                                                       \
           FUNCTION("f", "%g: " VIEW ", %b: i32", "cube",                                                              \
                    "%p = pto.initialize_l2g2l_pipe {" keys ", flag_base = 0} (%g : " VIEW more ") -> !pto.pipe\n"))
#define L2L_PAIR(one, other) L2L_PAIRS(MAKE_L2L("0", one), TAKE_L2L("0", other))
#define L2L_PAIRS(make, take) MODULE("a5", FUNCTION("make", "", "cube", make) FUNCTION("take", "", "vector", take))
#define MAKE_L2L(n, keys) IMPORT("%q" n, "q" n, "take") SET_L2L(n, keys)
#define TAKE_L2L(n, keys) RESERVE("%q" n, "q" n, "vec") SET_L2L(n, keys)
#define SET_L2L(n, keys)                                                                                               \
    "%p" n " = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 64, " keys "} (%q" n " : i32) -> !pto.pipe\n"
#define L2G2L_PAIR(one, other)                                                                                         \
    MODULE("a5", FUNCTION("make", "%g: " VIEW, "cube", IMPORT("%q", "q", "take") SET_L2G2L(one))                       \
                     FUNCTION("take", "%g: " VIEW, "vector", RESERVE("%q", "q", "vec") SET_L2G2L(other)))
#define SET_L2G2L(keys)                                                                                                \
    "%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 64, " keys "} (%g : " VIEW ", %q : i32) -> !pto.pipe\n"

/* Nine pipes of one kind. */
#define NINE(SET) SET("0") SET("1") SET("2") SET("3") SET("4") SET("5") SET("6") SET("7") SET("8")
#define NTH_AIC(n) SET_GLOBAL("aic", "id = " n ", dir_mask = 1")
#define NTH_AIV(n) SET_GLOBAL("aiv", "id = " n ", dir_mask = 1")
#define NTH_MADE(n) MAKE_L2L(n, "slot_num = 8")
#define NTH_TAKEN(n) TAKE_L2L(n, "slot_num = 8")
#define NTH_L2G2L(n)                                                                                                   \
    "%p" n " = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 64, slot_num = 8} (%g : " VIEW ") -> !pto.pipe\n"

/* One with slots of global memory, and one without; the first in a function that may be for no core. */
#define HANDLE_ARGS "%g: " VIEW ", %u: " SMALL_VIEW ", %m: !pto.tile_buf<mat, 16x16xf32>, %b: i32"
#define SET_HANDLE                                                                                                     \
    "%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (%g : " VIEW         \
    ") -> !pto.pipe\n"
#define HANDLE(core, statements) MODULE("a5", OPEN_FUNCTION(HANDLE_ARGS, IN_SECTION(core, SET_HANDLE statements)))
#define OPEN_HANDLE(statements) MODULE("a5", OPEN_FUNCTION(HANDLE_ARGS, SET_HANDLE statements))
#define LOCAL_HANDLE(core, keys, statements)                                                                           \
    MODULE("a5",                                                                                                       \
           FUNCTION("f", HANDLE_ARGS ", %t: " ACC ", %o: " ACC_OF("15x16", "f32") ", %v: " VEC ", %i: i64", core,      \
                    "%p = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0" keys   \
                    "} (%b : i32) -> !pto.pipe\n" statements))

/* ---- each operation that pushes, pops, ...: the statement, and the function that it stands in */

#define STATE_TALLOC_TO_AIV(value, type, keys) "%e = pto.talloc_to_aiv {" keys "} -> " type "\n"
#define STATE_TALLOC_TO_AIC(value, type, keys) "%e = pto.talloc_to_aic {" keys "} -> " type "\n"
#define STATE_TPUSH_TO_AIV(value, type, keys) "pto.tpush_to_aiv(" value " : " type ") {" keys "}\n"
#define STATE_TPUSH_TO_AIC(value, type, keys) "pto.tpush_to_aic(" value " : " type ") {" keys "}\n"
#define STATE_TPOP_FROM_AIC(value, type, keys) "%e = pto.tpop_from_aic {" keys "} -> " type "\n"
#define STATE_TPOP_FROM_AIV(value, type, keys) "%e = pto.tpop_from_aiv {" keys "} -> " type "\n"
#define STATE_TFREE_FROM_AIC(value, type, keys) "pto.tfree_from_aic(" value " : " type ") {" keys "}\n"
#define STATE_TFREE_FROM_AIV(value, type, keys) "pto.tfree_from_aiv(" value " : " type ") {" keys "}\n"
#define STATE_TALLOC(value, type, keys) "pto.talloc(" value ", %p : " type ", !pto.pipe) {" keys "}\n"
#define STATE_TPUSH(value, type, keys) "pto.tpush(" value ", %p : " type ", !pto.pipe) {" keys "}\n"
#define STATE_TPOP(value, type, keys) "pto.tpop(" value ", %p : " type ", !pto.pipe) {" keys "}\n"
#define STATE_TFREE(value, type, keys) "pto.tfree(" value ", %p : " type ", !pto.pipe) {" keys "}\n"

#define AROUND_TALLOC_TO_AIV(GIVE, statements) GIVE("cube", aic, 1, statements)
#define AROUND_TPUSH_TO_AIV(GIVE, statements) GIVE("cube", aic, 1, statements)
#define AROUND_TPOP_FROM_AIV(GIVE, statements) GIVE("cube", aic, 2, statements)
#define AROUND_TFREE_FROM_AIV(GIVE, statements) GIVE("cube", aic, 2, statements)
#define AROUND_TALLOC_TO_AIC(GIVE, statements) GIVE("vector", aiv, 2, statements)
#define AROUND_TPUSH_TO_AIC(GIVE, statements) GIVE("vector", aiv, 2, statements)
#define AROUND_TPOP_FROM_AIC(GIVE, statements) GIVE("vector", aiv, 1, statements)
#define AROUND_TFREE_FROM_AIC(GIVE, statements) GIVE("vector", aiv, 1, statements)
#define AROUND_TALLOC(GIVE, statements) HANDLE("cube", statements)
#define AROUND_TPUSH(GIVE, statements) HANDLE("cube", statements)
#define AROUND_TPOP(GIVE, statements) HANDLE("vector", statements)
#define AROUND_TFREE(GIVE, statements) HANDLE("vector", statements)

/* With slots of global memory: as it should be, with a view of another size, of a pipe for the other direction, in the
 * section of a core, and after the braces that its setup stands in. Without them: a view where only tiles go. */
#define GOOD(OP, keys) AROUND_##OP(GLOBAL, STATE_##OP("%g", VIEW, keys))
#define WITH_SMALL(OP) AROUND_##OP(GLOBAL, STATE_##OP("%u", SMALL_VIEW, "split = 0"))
#define WITH_OTHER(OP) AROUND_##OP(GLOBAL_BACK, STATE_##OP("%g", VIEW, "split = 0"))
#define WITH_SECTION(OP, section) AROUND_##OP(GLOBAL, IN_SECTION(section, STATE_##OP("%g", VIEW, "split = 0")))
#define WITH_LATER(OP) AROUND_##OP(GLOBAL_INSIDE, STATE_##OP("%g", VIEW, "split = 0"))
#define WITH_LOCAL(OP) AROUND_##OP(LOCAL, STATE_##OP("%g", VIEW, "split = 0"))
#define GLOBAL_BACK(core, unit, direction, statements)                                                                 \
    MODULE("a5", FUNCTION("f", "%g: " VIEW, core, SET_GLOBAL(#unit, "dir_mask = " BACK_##direction) statements))
#define BACK_1 "2"
#define BACK_2 "1"
#define GLOBAL_INSIDE(core, unit, direction, statements)                                                               \
    MODULE("a5", FUNCTION("f", "%g: " VIEW ", %c: i1", core,                                                           \
                          "scf.if %c {\n" SET_GLOBAL(#unit, "dir_mask = " #direction) "}\n" statements))

#define LOCAL(core, unit, direction, statements) LOCAL_##unit##_##direction(statements)
#define LOCAL_aic_1(statements) UP("slot_size = 1024", statements, "slot_size = 1024", "")
#define LOCAL_aiv_1(statements) UP("slot_size = 1024", "", "slot_size = 1024", statements)
#define LOCAL_aic_2(statements) DOWN(statements, "")
#define LOCAL_aiv_2(statements) DOWN("", statements)

/* Of those that name their pipe by a value: one that is an argument, one without slots of global memory, and one whose
 * slots are larger than its view. */
#define WITH_ARGUMENT(OP)                                                                                              \
    MODULE("a5", FUNCTION("f", "%g: " VIEW ", %p: !pto.pipe", "cube", STATE_##OP("%g", VIEW, "split = 0")))
#define WITH_LOCAL_HANDLE(OP) LOCAL_HANDLE("cube", "", STATE_##OP("%g", VIEW, "split = 0"))
#define WITH_LARGE_SLOT(OP)                                                                                            \
    MODULE("a5", FUNCTION("f", "%g: " VIEW, "cube",                                                                    \
                          "%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 2048, slot_num = 8} (%g : " VIEW  \
                          ") -> !pto.pipe\n" STATE_##OP("%g", VIEW, "split = 0")))

/* ---- rows for several operations: ONE is for one of them, with keys that are wrong and keys that are right */

#define ONE(row, OP, id, at, holds, message, wrong, right)                                                             \
    LINT(row##_##OP, OP, MACHINES, id, at, holds, message, GOOD(OP, wrong), GOOD(OP, right))
#define ONE_OTHER(row, OP, id, holds, message, wrong)                                                                  \
    LINT(row##_##OP, OP, MACHINES, id, HERE, holds, message, wrong, GOOD(OP, "split = 0"))
#define ONE_PLACED(OP, CORE, other, message)                                                                           \
    ONE_OTHER(place, OP, "text-place", ON(CORE), message, WITH_SECTION(OP, other))

#define EVERY_ID(row, ...)                                                                                             \
    ONE(row, TALLOC_TO_AIV, __VA_ARGS__)                                                                               \
    ONE(row, TALLOC_TO_AIC, __VA_ARGS__)                                                                               \
    ONE(row, TPUSH_TO_AIV, __VA_ARGS__)                                                                                \
    ONE(row, TPUSH_TO_AIC, __VA_ARGS__)                                                                                \
    ONE(row, TPOP_FROM_AIC, __VA_ARGS__)                                                                               \
    ONE(row, TPOP_FROM_AIV, __VA_ARGS__)                                                                               \
    ONE(row, TFREE_FROM_AIC, __VA_ARGS__)                                                                              \
    ONE(row, TFREE_FROM_AIV, __VA_ARGS__)
#define EVERY_HANDLE(row, ...)                                                                                         \
    ONE(row, TALLOC, __VA_ARGS__)                                                                                      \
    ONE(row, TPUSH, __VA_ARGS__) ONE(row, TPOP, __VA_ARGS__) ONE(row, TFREE, __VA_ARGS__)
#define EVERY_ID_WITH(row, WRONG, id, holds, message)                                                                  \
    ONE_OTHER(row, TALLOC_TO_AIV, id, holds, message, WRONG(TALLOC_TO_AIV))                                            \
    ONE_OTHER(row, TALLOC_TO_AIC, id, holds, message, WRONG(TALLOC_TO_AIC))                                            \
    ONE_OTHER(row, TPUSH_TO_AIV, id, holds, message, WRONG(TPUSH_TO_AIV))                                              \
    ONE_OTHER(row, TPUSH_TO_AIC, id, holds, message, WRONG(TPUSH_TO_AIC))                                              \
    ONE_OTHER(row, TPOP_FROM_AIC, id, holds, message, WRONG(TPOP_FROM_AIC))                                            \
    ONE_OTHER(row, TPOP_FROM_AIV, id, holds, message, WRONG(TPOP_FROM_AIV))                                            \
    ONE_OTHER(row, TFREE_FROM_AIC, id, holds, message, WRONG(TFREE_FROM_AIC))                                          \
    ONE_OTHER(row, TFREE_FROM_AIV, id, holds, message, WRONG(TFREE_FROM_AIV))

#define EVERY_HANDLE_WITH(row, WRONG, id, holds, message)                                                              \
    ONE_OTHER(row, TALLOC, id, holds, message, WRONG(TALLOC))                                                          \
    ONE_OTHER(row, TPUSH, id, holds, message, WRONG(TPUSH))                                                            \
    ONE_OTHER(row, TPOP, id, holds, message, WRONG(TPOP))                                                              \
    ONE_OTHER(row, TFREE, id, holds, message, WRONG(TFREE))

/* The two setups with an id: with these keys; and all four: what is wrong with each, and what is right. */
#define TWO_SETUPS(row, targets, id, at, holds, message, wrong, right)                                                 \
    ONE_SETUP(row, AIC_INITIALIZE_PIPE, "cube", "aic", targets, id, at, holds, message, wrong, right)                  \
    ONE_SETUP(row, AIV_INITIALIZE_PIPE, "vector", "aiv", targets, id, at, holds, message, wrong, right)
#define ONE_SETUP(row, OP, core, unit, targets, id, at, holds, message, wrong, right)                                  \
    LINT(row##_##OP, OP, targets, id, at, holds, message, ONLY_SETUP(core, unit, wrong), ONLY_SETUP(core, unit, right))
#define ONLY_SETUP(core, unit, keys)                                                                                   \
    MODULE("a5", FUNCTION("f", "%g: " VIEW, core,                                                                      \
                          "pto." unit "_initialize_pipe {" keys "} (gm_slot_tensor = %g : " VIEW ")\n"))
#define FOUR_SETUPS(row, holds, message, aic, aiv, l2l, l2g2l, right)                                                  \
    LINT(row##_aic, AIC_INITIALIZE_PIPE, MACHINES, "text-fifo", HERE, holds, message, aic, right)                      \
    LINT(row##_aiv, AIV_INITIALIZE_PIPE, MACHINES, "text-fifo", HERE, holds, message, aiv, right)                      \
    LINT(row##_l2l, INITIALIZE_L2L_PIPE, MACHINES, "text-fifo", HERE, holds, message, l2l, right)                      \
    LINT(row##_l2g2l, INITIALIZE_L2G2L_PIPE, MACHINES, "text-fifo", HERE, holds, message, l2g2l, right)

#endif
