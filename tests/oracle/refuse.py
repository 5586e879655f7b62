"""What the verifier must refuse before a kernel runs: the rules that a mutant can break, as a set of (id, line)."""
from core import UB
from kernel import SIZE
from places import overlap, reached_overlap
from vector import case_in, tile_for_conform
from vectors import ROWS


def refusals(kernel):
    found = set()
    for tile in kernel.tiles.values():
        if tile.addr + tile.bytes > UB[kernel.target]:
            found.add(("ub-overflow", tile.line))
        if not (1 <= tile.vrow <= tile.rows and 1 <= tile.vcol <= tile.cols):
            found.add(("text-valid", tile.line))
    bad = {tile.name for tile in kernel.tiles.values() if tile.line in {line for _, line in found}}
    for op in kernel.ops():
        if op.kind in ("set", "wait") and (op.pipe == op.to or op.id > 7 and not op.dyn):
            found.add(("text-pipe", op.line))
        elif not bad & {op.dst, op.src, op.idx, op.tmp, *op.ins}:  # of an operand that is wrong itself, nothing more is said
            found |= {(name, op.line) for name in CHECKS.get(op.kind, lambda *_: ())(kernel, op)}
    return found


def clashes(kernel, outputs, inputs, meet=overlap):
    if any(meet(kernel.tiles[o], kernel.tiles[i]) for o in outputs for i in inputs if i):
        yield "ub-overlap"


def transfer(kernel, op):
    tile = kernel.tiles[op.dst if op.kind == "load" else op.src]
    view = kernel.views[op.src if op.kind == "load" else op.dst]
    rows, cols = view.size[-2:]
    larger = (kernel.target != "a2a3" or rows == 1) and tile.vrow <= rows <= tile.rows and cols >= tile.vcol  # all rows of the view move
    line = op.kind == "load" and tile.cols == 1 and (rows, cols) == (1, tile.vrow)  # a row goes into a column
    if (rows, cols) != (tile.vrow, tile.vcol) and not larger and not line:
        yield "transfer-shape"
    if op.mode == "add" and tile.dtype not in ("i8", "i16", "i32", "f16", "bf16", "f32"):
        yield "transfer-atomic"


def mgather(kernel, op):
    dst, view, idx = kernel.tiles[op.dst], kernel.views[op.src], kernel.tiles[op.idx]
    in_order = (kernel.target == "a2a3" and op.mode == "elem" and dst.addr == idx.addr and dst.cols == idx.cols and
                SIZE[dst.dtype] == SIZE[idx.dtype] and dst.order == idx.order == "row")
    if not in_order:
        yield from clashes(kernel, [op.dst], [op.idx])
    row = idx.cols == 1 if kernel.target == "a5-custom" else op.mode == "row"
    if kernel.target == "a5-custom":
        return
    if not row and (idx.vrow, idx.vcol) != (dst.vrow, dst.vcol):
        yield "mgather-elem-index-shape"
    if row and (idx.vrow, idx.vcol) not in ((1, dst.vrow), (dst.vrow, 1)):
        yield "mgather-row-index-shape"
    if row and view.layout != "nz":
        if kernel.target == "a5" and view.size[-1] != dst.vcol:
            yield "mgather-row-width-exact"
        if kernel.target == "a2a3" and view.size[-1] < dst.vcol:
            yield "mgather-row-width"


def tgather(kernel, op):
    dst, idx = kernel.tiles[op.dst], kernel.tiles[op.idx]
    yield from clashes(kernel, [op.dst], [op.src, op.idx, op.tmp])
    if kernel.target == "a2a3" and (dst.vcol != dst.cols or idx.vcol != idx.cols):
        yield "tgather-contiguous"
    if idx.vrow < dst.vrow or idx.vcol < dst.vcol:
        yield "tgather-index-shape"


def mask(kernel, op):
    dst, src = kernel.tiles[op.dst], kernel.tiles[op.src]
    yield from clashes(kernel, [op.dst], [op.src], lambda *pair: reached_overlap(*map(tile_for_conform, pair)))
    if kernel.target == "a2a3" and dst.vcol != dst.cols and dst.vrow != 1:
        yield "tgather-contiguous"


def compare(kernel, op):
    dst, src, counts = kernel.tiles[op.dst], kernel.tiles[op.src], kernel.tiles[op.idx]
    yield from clashes(kernel, [op.dst, op.idx], [op.src])
    yield from clashes(kernel, [op.dst], [op.idx])
    if min(counts.vrow, counts.vcol) != 1 or max(counts.vrow, counts.vcol) < src.vrow:
        yield "tgather-compare-cdst-shape"
    if dst.vrow < src.vrow:
        yield "tgather-compare-rows"


def vector(kernel, op):
    yield from ROWS[op.insn].family.refusals(case_in(kernel, op, b""))


CHECKS = {"load": transfer, "store": transfer, "mgather": mgather, "tgather": tgather, "mask": mask, "compare": compare, "vector": vector}


def is_open(kernel):
    """Does the kernel do what no document speaks of? A scratch tile that lies over an input of its instruction."""
    return any(overlap(kernel.tiles[op.tmp], kernel.tiles[name])
               for op in kernel.ops() if op.tmp for name in (op.src, op.idx, *op.ins) if name)
