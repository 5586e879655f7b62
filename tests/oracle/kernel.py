"""Small level-3 kernels: tiles at addresses, views of global memory, instructions, flags, barriers, counted loops; and
their text. A kernel is plain data, so that a mutant is a copy with one thing changed."""
import copy
from dataclasses import dataclass, field

from vectors import ROWS, is_float

SIZE = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "bf16": 2, "i32": 4, "u32": 4, "f32": 4}
SPELLING = {"u8": "ui8", "u16": "ui16", "u32": "ui32"}
PIPES = ("S", "V", "MTE2", "MTE3")
EVENTS = {"MTE2": "TLOAD", "V": "TVEC", "MTE3": "TSTORE_VEC"}
STANDARD, DIRECT = 0, 1  # how a kernel is launched: directly, there is no SIMT context


@dataclass
class Tile:
    name: str
    dtype: str
    addr: int
    rows: int
    cols: int
    vrow: int
    vcol: int
    order: str = "row"   # row, col, nz
    pad: int = 0         # what a load leaves around the valid region: 0 nothing, 1 zeros
    line: int = 0

    @property
    def bytes(self):
        return self.rows * self.cols * SIZE[self.dtype]

    def at(self, r, c):
        """The address of an element."""
        if self.order == "row":
            offset = r * self.cols + c
        elif self.order == "col":
            offset = c * self.rows + r
        else:
            c0 = 32 // SIZE[self.dtype]
            offset = (c // c0) * (self.rows * c0) + r * c0 + c % c0
        return self.addr + offset * SIZE[self.dtype]

    def type(self):
        layout = {"row": "", "col": ", blayout=col_major", "nz": ", blayout=col_major, slayout=row_major"}[self.order]
        valid = "" if (self.vrow, self.vcol) == (self.rows, self.cols) else f", valid={self.vrow}x{self.vcol}"
        pad = f", pad={self.pad}" if self.pad else ""
        return f"!pto.tile_buf<vec, {self.rows}x{self.cols}x{SPELLING.get(self.dtype, self.dtype)}{valid}{layout}{pad}>"


@dataclass
class Buffer:
    name: str
    dtype: str
    data: bytes


@dataclass
class View:
    """A part of an array in global memory. It moves by `step` elements a dimension with each turn of the loop, and by
    `block` with each block."""
    name: str
    buffer: str
    dtype: str
    shape: tuple     # of the array
    stride: tuple
    size: tuple      # of the part
    start: tuple = ()
    step: tuple = ()
    block: tuple = ()
    layout: str = "nd"
    line: int = 0    # of the part, where it was last printed

    def offsets(self, turn, block):
        zero = (0,) * len(self.shape)
        terms = zip(self.start or zero, self.step or zero, self.block or zero)
        return tuple(a + turn * b + block * c for a, b, c in terms)

    def base(self, turn, block):
        return sum(o * s for o, s in zip(self.offsets(turn, block), self.stride))

    def five(self):
        """Shape and stride with five dimensions."""
        lead = 5 - len(self.size)
        return (1,) * lead + tuple(self.size), (self.stride[0] * self.size[0],) * lead + tuple(self.stride)

    def moves(self):
        return any(self.step)

    def type(self):
        return f"!pto.partition_tensor_view<{'x'.join(map(str, self.size))}x{SPELLING.get(self.dtype, self.dtype)}>"


@dataclass
class Op:
    """One line: load, store, mgather, tgather, mask, compare, vector, set, wait, barrier, getscalar, putscalar, getval,
    setval, dcci, fence."""
    kind: str
    dst: str = ""      # tiles and views by name
    src: str = ""
    idx: str = ""
    tmp: str = ""
    mode: str = ""     # mgather: row, elem; mask: row, col; compare: gt, eq; store: add, or nothing
    oob: str = ""
    pattern: str = ""  # vector: the kinds of its operands
    k: int = 0         # compare, vector: the value; scalars, getval, setval: the element's number
    pipe: str = ""     # flags: from; barrier
    to: str = ""
    id: int = 0        # flags; putscalar, setval: the value; vector: the mode
    dyn: bool = False  # flags: the id is an operand, which only the run knows
    event: bool = False  # flags: written as record_event or wait_event
    insn: str = ""     # vector: the row of vectors.py
    ins: tuple = ()    # vector: tiles among the sources
    at: tuple = ()     # vector: the place of a window
    line: int = 0


@dataclass
class Loop:
    count: int
    body: list
    line: int = 0


@dataclass
class Kernel:
    target: str
    tiles: dict = field(default_factory=dict)
    buffers: dict = field(default_factory=dict)
    views: dict = field(default_factory=dict)
    body: list = field(default_factory=list)
    blocks: int = 1
    launch: int = STANDARD
    dyn_ub: int = 0

    def copy(self):
        return copy.deepcopy(self)

    def lists(self):
        """Every list of statements, with its loop (or None)."""
        yield self.body, None
        for item in self.body:
            if isinstance(item, Loop):
                yield item.body, item

    def ops(self):
        for item in self.body:
            yield from item.body if isinstance(item, Loop) else (item,)

    def numbers(self):
        """Flag ids that are arguments of the kernel."""
        return sorted({op.id for op in self.ops() if op.dyn})

    def turns(self):
        """Every op as often as it is issued: (op, turn)."""
        for item in self.body:
            if isinstance(item, Loop):
                for turn in range(item.count):
                    for op in item.body:
                        yield op, turn
            else:
                yield item, 0


# ---- the text ----

class Printer:
    def __init__(self, kernel):
        self.kernel, self.lines, self.depth, self.fresh = kernel, [], 0, 0

    def add(self, text):
        self.lines.append("  " * self.depth + text)
        return len(self.lines)

    def name(self):
        self.fresh += 1
        return f"%n{self.fresh}"

    def scaled(self, value, factor):
        name = self.name()
        self.add(f"{name} = arith.muli {value}, %c{factor} : index")
        return name

    def offset(self, start, step, block):
        """start + k*step + b*block as an operand."""
        terms = [self.scaled(name, factor) for name, factor in (("%k", step), ("%b", block)) if factor]
        text = str(start)
        for term in terms:
            if text == "0":
                text = term
                continue
            name = self.name()
            self.add(f"{name} = arith.addi {term}, {text if text[0] == '%' else '%c' + text} : index")
            text = name
        return text

    def part(self, view):
        zero = (0,) * len(view.shape)
        steps = zip(view.start or zero, view.step or zero, view.block or zero)
        offsets = ", ".join([self.offset(*terms) for terms in steps])
        whole = f"!pto.tensor_view<{'x'.join('?' * len(view.shape))}x{SPELLING.get(view.dtype, view.dtype)}>"
        view.line = self.add(f"%{view.name} = pto.partition_view %{view.name}_all, offsets = [{offsets}], "
                             f"sizes = [{', '.join(map(str, view.size))}] : {whole} -> {view.type()}")

    def constants(self):
        """Every number that an operand may need."""
        needed = {0, 1, *(op.k for op in self.kernel.ops() if op.kind in ("getscalar", "putscalar", "getval", "setval"))}
        for view in self.kernel.views.values():
            needed |= {*view.start, *view.step, *view.block}
        needed |= {item.count for item in self.kernel.body if isinstance(item, Loop)}
        for value in sorted(needed):
            self.add(f"%c{value} = arith.constant {value} : index")

    def head(self):
        kernel = self.kernel
        arguments = [f"%{b.name}: !pto.ptr<{SPELLING.get(b.dtype, b.dtype)}>" for b in kernel.buffers.values()]
        arguments += [f"%id{number}: index" for number in kernel.numbers()]
        self.add(f"func.func @kernel({', '.join(arguments)}) {{")
        self.depth = 1
        self.constants()
        if kernel.blocks > 1:
            self.add("%b64 = pto.get_block_idx")
            self.add("%b = arith.index_cast %b64 : i64 to index")
        for tile in kernel.tiles.values():
            self.add(f"%{tile.name}_at = arith.constant {tile.addr} : i64")
            tile.line = self.add(f"%{tile.name} = pto.alloc_tile addr = %{tile.name}_at : {tile.type()}")
        for view in kernel.views.values():
            shape, strides = (", ".join(map(str, words)) for words in (view.shape, view.stride))
            layout = f" {{layout = #pto.layout<{view.layout}>}}" if view.layout != "nd" else ""
            whole = f"!pto.tensor_view<{'x'.join('?' * len(view.shape))}x{SPELLING.get(view.dtype, view.dtype)}>"
            self.add(f"%{view.name}_all = pto.make_tensor_view %{view.buffer}, shape = [{shape}], strides = [{strides}]"
                     f"{layout} : {whole}")
            if not view.moves():
                self.part(view)

    def block_of(self, items):
        for item in items:
            if isinstance(item, Loop):
                item.line = self.add(f"scf.for %k = %c0 to %c{item.count} step %c1 {{")
                self.depth += 1
                moving = {name for op in item.body for name in (op.dst, op.src) if name in self.kernel.views}
                for name in sorted(moving):
                    if self.kernel.views[name].moves():
                        self.part(self.kernel.views[name])
                self.block_of(item.body)
                self.depth -= 1
                self.add("}")
            else:
                item.line = self.add(self.op(item))

    def operands(self, *names):
        things = [self.kernel.tiles.get(name) or self.kernel.views[name] for name in names if name]
        return f"{', '.join('%' + t.name for t in things)} : {', '.join(t.type() for t in things)}"

    def op(self, op):
        if op.kind in ("set", "wait") and op.dyn:
            return f"pto.{op.kind}_flag_dyn[<PIPE_{op.pipe}>, <PIPE_{op.to}>, %id{op.id}]"
        if op.kind in ("set", "wait") and op.event and {op.pipe, op.to} <= set(EVENTS):
            ends = ", ".join(f"#pto.pipe_event_type<{EVENTS[pipe]}>" for pipe in (op.pipe, op.to))
            return f"pto.{'record' if op.kind == 'set' else 'wait'}_event[{ends}, <EVENT_ID{op.id}>]"
        if op.kind in ("set", "wait"):
            return f"pto.{op.kind}_flag[<PIPE_{op.pipe}>, <PIPE_{op.to}>, <EVENT_ID{op.id}>]"
        if op.kind == "dcci":
            return "pto.cmo.cacheinvalid all #pto.address_space<gm>"
        if op.kind == "fence":
            return "pto.fence.barrier_all #pto.fence_scope<gm>"
        if op.kind == "barrier":
            return f"pto.barrier <PIPE_{op.pipe}>"
        if op.kind in ("load", "store"):
            adds = " {atomicType = #pto<atomic_type atomic_add>}" if op.mode == "add" else ""
            return f"pto.t{op.kind} ins({self.operands(op.src)}) outs({self.operands(op.dst)}){adds}"
        if op.kind == "mgather":
            oob = f", gatherOob = #pto<gather_oob {op.oob}>" if op.oob != "undefined" else ""
            return (f"pto.mgather ins({self.operands(op.src, op.idx)}) outs({self.operands(op.dst)}) "
                    f"{{coalesce = #pto<coalesce {op.mode}>{oob}}}")
        if op.kind == "tgather":
            return f"pto.tgather ins({self.operands(op.src, op.idx, op.tmp)}) outs({self.operands(op.dst)})"
        if op.kind == "mask":
            src = self.kernel.tiles[op.src]
            return (f"pto.tgather ins(%{src.name}, {{maskPattern = #pto.mask_pattern<{op.pattern}>}} : {src.type()}, "
                    f"\"{op.mode}\") outs({self.operands(op.dst)})")
        if op.kind == "compare":
            src, name = self.kernel.tiles[op.src], self.name()
            self.add(f"{name} = arith.constant {op.k} : {src.dtype}")
            return (f"pto.tgather ins(%{src.name}, {name} : {src.type()}, {src.dtype}) "
                    f"outs({self.operands(op.dst, op.idx)}) {{cmpMode = #pto<cmp {op.mode}>}}")
        if op.kind == "vector":
            return self.vector(op)
        if op.kind in ("getval", "setval"):
            return self.single(op)
        buffer = self.kernel.buffers[op.src or op.dst]
        element = SPELLING.get(buffer.dtype, buffer.dtype)
        if op.kind == "getscalar":
            return f"{self.name()} = pto.load_scalar %{buffer.name}[%c{op.k}] : !pto.ptr<{element}> -> {element}"
        name = self.name()
        self.add(f"{name} = arith.constant {op.id} : {element}")
        return f"pto.store_scalar {name}, %{buffer.name}[%c{op.k}] : {element}, !pto.ptr<{element}>"

    def single(self, op):
        tile, name = self.kernel.tiles[op.src or op.dst], self.name()
        element = SPELLING.get(tile.dtype, tile.dtype)
        if op.kind == "getval":
            return f"{name} = pto.tgetval ins(%{tile.name}, %c{op.k} : {tile.type()}, index) outs : {element}"
        self.add(f"{name} = arith.constant {op.id}{'.0' * is_float(tile.dtype)} : {element}")
        return f"pto.tsetval ins(%c{op.k}, {name} : index, {element}) outs(%{tile.name} : {tile.type()})"

    def vector(self, op):
        """By its row: the sources in their order, a number as a constant above it."""
        row, tiles, operands = ROWS[op.insn], [self.kernel.tiles[name] for name in op.ins], []
        numbers = list(op.at or (op.k,))
        data = (tiles or [self.kernel.tiles[op.dst]])[-1].dtype
        for kind in op.pattern.replace("-", ""):
            if kind == "s":
                dtype = row.scalar_type(data)
                operands.append((self.name(), SPELLING.get(dtype, dtype)))
                self.add(f"{operands[-1][0]} = arith.constant {numbers.pop(0)}{'.0' * is_float(dtype)} : {operands[-1][1]}")
            else:
                tile = self.kernel.tiles[op.tmp] if kind == "x" else tiles.pop(0)
                operands.append(("%" + tile.name, tile.type()))
        return row.line(row.modes[op.id], operands, self.operands(op.dst))


def text_of(kernel):
    """The text; lines are noted in the kernel."""
    printer = Printer(kernel)
    printer.head()
    printer.block_of(kernel.body)
    printer.add("return")
    printer.depth = 0
    printer.add("}")
    return "\n".join(printer.lines) + "\n"
