"""Kernels on both cores with a mistake that only some inputs show, each beside the same kernel without it: the cube core hands a product
to the vector cores in global memory, with counters between the cores."""

MAT = "!pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>"
LEFT = "!pto.tile_buf<left, 16x16xf16, slayout=row_major>"
RIGHT = "!pto.tile_buf<right, 16x16xf16, slayout=col_major>"
ACC = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"
VEC = "!pto.tile_buf<vec, 8x16xf32>"
INPUT = "!pto.partition_tensor_view<16x16xf16>"
WHOLE = "!pto.partition_tensor_view<16x16xf32>"
HALF = "!pto.partition_tensor_view<8x16xf32>"


def flags(*pairs):
    return "\n".join(f"pto.{word}_flag[<PIPE_{source}>, <PIPE_{sink}>, <EVENT_ID0>]" for source, sink in pairs for word in ("set", "wait"))


PRODUCT = f"""pto.tload ins(%a : {INPUT}) outs(%m : {MAT})
{flags(("MTE2", "MTE1"))}
pto.tmov ins(%m : {MAT}) outs(%l : {LEFT})
pto.tmov ins(%m : {MAT}) outs(%r : {RIGHT})
{flags(("MTE1", "M"))}
pto.tmatmul ins(%l, %r : {LEFT}, {RIGHT}) outs(%c : {ACC})
{flags(("M", "FIX"))}
pto.tstore ins(%c : {ACC}) outs(%ws : {WHOLE})
"""
LOAD = f"pto.tload ins(%p : {HALF}) outs(%t : {VEC})\n"
COPY = f"{LOAD}{flags(('MTE2', 'MTE3'))}\npto.tstore ins(%t : {VEC}) outs(%q : {HALF})\n"
SET = "pto.sync.set #pto.pipe<PIPE_FIX>, 0\n"
WAIT = "pto.sync.wait #pto.pipe<PIPE_MTE2>, 0\n"
SET_BACK = "pto.sync.set #pto.pipe<PIPE_MTE2>, 1\n"
WAIT_BACK = "pto.sync.wait #pto.pipe<PIPE_FIX>, 1\n"
ALL = "pto.barrier <PIPE_ALL>\n"


def unless_five(body):
    return f"%is = arith.cmpi ne, %n, %c5 : index\nscf.if %is {{\n{body}}}\n"


def turns(body):
    return f"scf.for %i = %c0 to %n step %c1 {{\n{body}}}\n"


def kernel(cube, vector):
    return f"""func.func @k(%n: index, %ffts: !pto.ptr<i64>, %a: {INPUT}, %ws: {WHOLE}, %o: {WHOLE}) {{
pto.set_ffts %ffts : !pto.ptr<i64>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
pto.section.cube {{
%m = pto.alloc_tile : {MAT}
%l = pto.alloc_tile : {LEFT}
%r = pto.alloc_tile : {RIGHT}
%c = pto.alloc_tile : {ACC}
{cube}}}
pto.section.vector {{
%s64 = pto.get_subblock_idx
%s = arith.index_cast %s64 : i64 to index
%c8 = arith.constant 8 : index
%row = arith.muli %s, %c8 : index
%p = pto.partition_view %ws, offsets = [%row, %c0], sizes = [8, 16] : {WHOLE} -> {HALF}
%q = pto.partition_view %o, offsets = [%row, %c0], sizes = [8, 16] : {WHOLE} -> {HALF}
%t = pto.alloc_tile : {VEC}
{vector}}}
return
}}
"""


# name: the wrong kernel, the correct one, ids of findings
CORES = {
    "wait-in-branch": (kernel(PRODUCT + SET, unless_five(WAIT) + COPY), kernel(PRODUCT + SET, WAIT + COPY), ["race-raw"]),
    "set-in-branch": (kernel(turns(PRODUCT + ALL) + unless_five(SET), WAIT + COPY), kernel(turns(PRODUCT + ALL) + SET, WAIT + COPY),
                      ["deadlock"]),
    "handed-over-again": (kernel(turns(PRODUCT + SET + ALL), turns(WAIT + COPY + ALL)),
                          kernel(turns(PRODUCT + SET + ALL + WAIT_BACK), turns(WAIT + COPY + ALL + SET_BACK)),
                          ["race-raw", "xflag-overflow"]),
}
