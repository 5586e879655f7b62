"""Makes functions with their data and what they must leave behind: loads, gathers and stores, in loops, by blocks.

Views, tiles and loops are predicted here; the gather itself by the oracle of tests/conform."""
from dataclasses import dataclass, field, replace

import numpy as np

from draw_steps import CELLS, MACHINES, draw, tiles_of
from facts import KINDS
from legal import aligned, notices
from oracle import FILL, capacity, expect
from program_text import Function, compare_attributes, gather_attributes, tile_buf, valid_dims


@dataclass
class Program:
    target: str
    text: str = ""
    bindings: list = field(default_factory=list)
    dumps: dict = field(default_factory=dict)     # tile name: bytes of its valid region
    ids: set = field(default_factory=set)         # errors and warnings that must be reported, and no others
    bare: bool = False
    blocks: int = 1
    sync: str = "nothing"                         # of its own: "flags", "barriers", or "nothing"
    seed: int = 0                                 # of its random schedules


# ---- tiles as memory ----

def blank(tile):
    return np.full(tile.rows * tile.cols, FILL & ((1 << 8 * tile.size) - 1), f"u{tile.size}")


def stored(tile, buffer):
    """The valid region of a buffer of the whole tile."""
    return np.frombuffer(buffer, f"u{tile.size}")[tile.offsets()]


def load(target, tile, storage, values):
    """Padding is filled everywhere but on devices (what they fill, no program here reads); cpu knows no null."""
    if target == "cpu" or tile.pad == 1 and target not in MACHINES:
        storage[:] = 0
    storage[tile.offsets()] = values


def as_bursts(case, table):
    """The case as the machine moves it: a burst of a2a3 knows no inner stride (E67), and of an element that the buffer cuts
    off it brings the bytes that are there (E68)."""
    if case.target != "a2a3" or case.form != "row":
        return case
    straight = replace(case.table, stride=[*case.table.stride[:4], 1]) if case.table.layout == "nz" else case.table
    whole = table + bytes([FILL & 0xFF]) * (-len(table) % case.table.size)
    return replace(case, table=straight, buffers={**case.buffers, "src": whole})


def races_itself(case):
    """a2a3 clears an NZ tile on S, then copies the rows in range on MTE2: its own flags do not order the two."""
    if case.target != "a2a3" or case.form != "row" or case.table.layout != "nz" or case.oob != "zero":
        return False
    index = np.frombuffer(case.buffers["idx"], "u4")[case.idx.offsets()]
    return bool((index < capacity(case)).any())


def gather(program, case, storage, table=b""):
    """Runs the instruction on the tiles' storage."""
    buffers = {name: storage[name].tobytes() for name in storage}
    buffers["k"] = case.buffers.get("k", b"")
    if case.is_mgather:
        buffers["src"] = table
    case = replace(case, buffers=buffers)
    outcome, moved = expect(case), expect(as_bursts(case, table))
    for name, after in (("dst", moved.dst), ("cdst", moved.cdst)):
        if name in storage:
            storage[name][:] = np.frombuffer(after, storage[name].dtype)
    program.ids |= {KINDS[kind] for kind, entry in enumerate(outcome.faults) if entry[0]} | notices(case)
    if races_itself(case):
        program.ids.add("race-self")


def scalar_constant(case):
    bits, dtype = case.buffers["k"], case.src.dtype
    if dtype[0] == "i":
        value = int.from_bytes(bits, "little", signed=True)
    elif dtype == "bf16":
        value = float(np.frombuffer(b"\0\0" + bits, "<f4")[0])
    else:
        value = float(np.frombuffer(bits, {"f16": "<f2", "f32": "<f4"}[dtype])[0])
    return f"arith.constant {value} : {dtype}"


# ---- one gather in a function ----

class Step:
    """Loads, a gather, stores; `times` over, each time with other rows of the arrays in global memory."""

    def __init__(self, function, program, case, name, whole):
        self.f, self.program, self.case, self.name, self.whole = function, program, case, name, whole
        self.times = function.rng.choice((1, 1, 2, 3))
        self.rng = function.rng
        self.tiles = tiles_of(case)
        self.variant = {tile: self.rng.randrange(6) for tile in self.tiles}
        self.storage = {tile: blank(self.tiles[tile]) for tile in self.tiles}
        self.extents, self.moves = {}, []

    def value(self, tile):
        return f"%{tile}{self.name}"

    def type(self, tile):
        return tile_buf(self.tiles[tile], self.variant[tile])

    def extent(self, tile, axis):
        """The operand for a valid extent: a number of the run where it is dynamic."""
        key, of = (tile, axis), self.tiles[tile]
        if key not in self.extents:
            value = (of.vrow, of.vcol)[axis]
            name = f"{tile}{self.name}_{'rc'[axis]}"
            self.extents[key] = self.operand(name, value, of.dyn[axis])
        return self.extents[key]

    def alloc(self, tile, placed):
        of, words = self.tiles[tile], ""
        if placed and of.addr is not None:
            words += f" addr = {self.f.constant(of.addr, 'i64')}"
        for axis, key in enumerate(("valid_row", "valid_col")):
            words += f" {key} = {self.extent(tile, axis)}" if of.dyn[axis] else ""
        self.f.add(f"{self.value(tile)} = pto.alloc_tile{words} : {self.type(tile)}")

    # -- arrays in global memory: `times` valid regions, one below the other

    def array(self, tile, data):
        """(pointer, positions of the elements, strides, layout): row by row, or column by column."""
        of, rows = self.tiles[tile], self.times * self.tiles[tile].vrow
        columns = of.order == "col" and self.case.target != "host" or self.case.target == "host" and self.rng.random() < 0.3
        pitch = (rows if columns else of.vcol) + self.rng.choice((0, 0, 3))
        stride = (1, pitch) if columns else (pitch, 1)
        at = np.add.outer(np.arange(rows) * stride[0], np.arange(of.vcol) * stride[1])
        memory = np.frombuffer(self.rng.randbytes((int(at.max()) + 1) * of.size), f"u{of.size}").copy()
        if data is not None:
            memory[at] = data
        pointer = self.f.pointer(f"{'out' if data is None else 'in'}_{tile}{self.name}", of.dtype, memory.tobytes())
        return pointer, self.f.bindings[-1], at, stride, "dn" if columns else "nd"

    def part(self, tile, name, array):
        pointer, _, at, stride, layout = array
        of, dims = self.tiles[tile], valid_dims(self.tiles[tile])
        offset = self.f.constant(0)
        if self.times > 1:
            self.f.add(f"%{name}o = arith.muli %k{self.name}, {self.f.constant(of.vrow)} : index")
            offset = f"%{name}o"
        view = [self.f.constant(at.shape[0]), self.f.constant(at.shape[1])], [self.f.constant(s) for s in stride], layout
        sizes = [(self.extent(tile, axis), dims[axis]) for axis in (0, 1)]
        return self.f.partition(name, pointer, of.dtype, view, [offset, self.f.constant(0)], sizes)

    def emit_load(self, tile, data):
        array = self.array(tile, data)
        value, kind = self.part(tile, f"l_{tile}{self.name}", array)
        self.f.add(f"pto.tload ins({value} : {kind}) outs({self.value(tile)} : {self.type(tile)})")
        self.moves.append(("load", tile, data))
        of = self.tiles[tile]
        if self.case.target in MACHINES and not aligned(of) and of.vrow > 1 and array[3][0] != of.vcol:
            self.program.ids.add("dma-misaligned")  # the index column of a5-custom, row by row

    def emit_store(self, tile):
        array = self.array(tile, None)
        value, kind = self.part(tile, f"s_{tile}{self.name}", array)
        self.f.add(f"pto.tstore ins({self.value(tile)} : {self.type(tile)}) outs({value} : {kind})")
        self.moves.append(("store", tile, array))
        if self.program.blocks > 1 and self.times == 1 and self.case.target in MACHINES:
            self.program.ids.add("gm-block-overlap")  # every block stores the same

    def inputs(self, tile):
        """`times` valid regions: the first as drawn, the others the same elements in another order."""
        first = stored(self.tiles[tile], self.case.buffers[tile])
        shuffler = np.random.default_rng(self.rng.randrange(1 << 30))
        others = [shuffler.permutation(first.ravel()).reshape(first.shape) for _ in range(1, self.times)]
        return np.concatenate([first, *others])

    # -- the table

    def operand(self, name, value, dynamic):
        return self.f.number(name, value) if dynamic else self.f.constant(value)

    def emit_table(self):
        """A view of the table, dimensions of 1 in front left out now and then; sometimes it starts below the first row."""
        table, rng = self.case.table, self.rng
        skip = 0 if table.layout == "nz" else next((d for d in range(3) if table.shape[d] != 1), 3)
        first = rng.randint(0, skip)
        below = rng.randint(1, 3) if table.layout == "nd" and first == 3 and rng.random() < 0.3 else 0
        self.table = self.case.buffers["src"]
        start = below * table.stride[3] * table.size
        pointer = self.f.pointer(f"table{self.name}", table.dtype, rng.randbytes(start) + self.table)
        sizes, strides = [], []
        for d in range(first, 5):
            size = self.operand(f"n{d}_{self.name}", table.shape[d], table.dyn_shape[d])
            sizes.append((size, None if table.dyn_shape[d] else table.shape[d]))
            strides.append(self.operand(f"s{d}_{self.name}", table.stride[d], table.dyn_stride[d]))
        whole, offsets = [size for size, _ in sizes], [self.f.constant(0)] * len(sizes)
        if below:
            whole[0], offsets[0] = self.f.constant(table.shape[3] + below), self.f.constant(below)
        return self.f.partition(f"t{self.name}", pointer, table.dtype, (whole, strides, table.layout), offsets, sizes)

    # -- what orders the instructions; the others of an a2a3 gather it brings itself

    def order(self, *pairs):
        if self.program.sync == "barriers":
            self.f.add("pto.barrier <PIPE_ALL>")
        for src, dst, number in pairs if self.program.sync == "flags" else ():
            for op in ("set", "wait"):
                self.f.add(f"pto.{op}_flag[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{number}>]")

    # -- the gather

    def operands(self, *names):
        return ", ".join(map(self.value, names)) + " : " + ", ".join(map(self.type, names))

    def emit_gather(self, view):
        case, f = self.case, self.f
        if case.is_mgather:
            f.add(f"pto.mgather ins({view[0]}, {self.value('idx')} : {view[1]}, {self.type('idx')}) "
                  f"outs({self.operands('dst')}) {gather_attributes(case, self.variant['dst'])}")
        elif case.form == "index":
            sources = ("src", "idx", "tmp") if case.tmp else ("src", "idx")
            f.add(f"pto.tgather ins({self.operands(*sources)}) outs({self.operands('dst')})")
        elif case.form == "mask":
            axis = f', "{case.axis}"' if case.axis == "col" or self.variant["src"] % 2 else ""
            f.add(f"pto.tgather ins({self.value('src')}, {{maskPattern = #pto.mask_pattern<{case.pattern}>}} : "
                  f"{self.type('src')}{axis}) outs({self.operands('dst')})")
        else:
            f.add(f"%k_{self.name} = {scalar_constant(case)}")
            f.add(f"pto.tgather ins({self.value('src')}, %k_{self.name} : {self.type('src')}, {case.src.dtype}) "
                  f"outs({self.operands('dst', 'cdst')}) {compare_attributes(case)}")
        self.moves.append(("gather", None, None))

    def must_load_dst(self):
        """What the gather leaves of dst is loaded first; a whole mask leaves nothing."""
        if self.whole and self.case.form != "compare" or self.tiles["dst"].order == "nz":
            return False
        return self.case.form in ("mask", "compare") or self.rng.random() < 0.2

    def emit(self, placed):
        on_a2a3 = self.case.target == "a2a3"
        view = self.emit_table() if self.case.is_mgather else None
        first, step = ("%block", "%blocks") if self.program.blocks > 1 else (self.f.constant(0), self.f.constant(1))
        loop = f"scf.for %k{self.name} = {first} to {self.f.constant(self.times)} step {step}"
        if self.times > 1 and self.whole:  # level 1 has no tile that is allocated outside and written inside
            self.f.open(loop)
        for tile in self.tiles:
            self.alloc(tile, placed)
        if self.times > 1 and not self.whole:
            self.f.open(loop)
        for tile in [t for t in ("idx", "src") if t in self.tiles] + ["dst"] * self.must_load_dst():
            self.emit_load(tile, self.inputs(tile))
        self.order(("MTE2", "V", 1))
        self.emit_gather(view)
        self.order(("V", "MTE3", 2), *[("S", "MTE3", 3)] * (self.case.form == "compare" and on_a2a3))
        for tile in [t for t in ("dst", "cdst") if t in self.tiles]:
            if self.tiles[tile].order != "nz" or self.case.target == "host":
                self.emit_store(tile)
        self.order(("MTE3", "MTE2", 4))
        if self.times > 1:
            self.f.close()

    # -- what happens

    def run(self):
        for time in range(self.times):
            for kind, tile, what in self.moves:
                if kind == "gather":
                    gather(self.program, self.case, self.storage, self.table if self.case.is_mgather else b"")
                    continue
                of = self.tiles[tile]
                rows = slice(time * of.vrow, (time + 1) * of.vrow)
                if kind == "load":
                    load(self.case.target, of, self.storage[tile], what[rows])
                else:
                    _, binding, at, _, _ = what
                    memory = np.frombuffer(binding.after, f"u{of.size}").copy()
                    memory[at[rows]] = self.storage[tile][of.offsets()]
                    binding.after = memory.tobytes()
        for tile in [t for t in ("dst", "cdst") if t in self.tiles]:
            self.program.dumps[f"{tile}{self.name}"] = self.storage[tile][self.tiles[tile].offsets()].tobytes()


def emit_blocks(f):
    """Every loop is shared out among the blocks, one time each in turn."""
    for name, op in (("block", "get_block_idx"), ("blocks", "get_block_num")):
        f.add(f"%{name}_i64 = pto.{op}")
        f.add(f"%{name} = arith.index_cast %{name}_i64 : i64 to index")


def draw_step(rng, target, whole):
    return draw(rng, target, rng.choice([form for t, form in CELLS if t == target]), True, whole)


def make_function(rng, target):
    program, f = Program(target, blocks=rng.choice((1, 1, 1, 2, 3))), Function(rng)
    count = rng.choice((1, 1, 1, 2, 3))
    if program.blocks > 1:
        emit_blocks(f)
    if target in MACHINES:
        program.sync = rng.choice(("flags", "flags", "barriers", "nothing"))
    whole, steps = rng.random() < 0.4, []
    for n in range(count):
        case = draw_step(rng, target, whole)
        steps.append(Step(f, program, case, str(n), whole))
        steps[-1].emit(count == 1)
    for step in steps:
        step.run()
    program.text, program.bindings = f.text(target), f.bindings
    if program.blocks > 1:  # tiles are those of the last block, which may have had no turn
        program.dumps = {}
    return program
