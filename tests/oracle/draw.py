"""Draws correct kernels: gathers with their loads and stores, interleaved, in loops, by blocks. mend.py orders them."""
import struct

from kernel import SIZE, Buffer, Kernel, Loop, Op, Tile, View
from mend import repair
from vectors import TABLE, small_numbers

TARGETS = ("a2a3", "a5", "a5-custom")
PATTERNS = {"P0101": 2, "P1010": 2, "P0001": 4, "P0010": 4, "P0100": 4, "P1000": 4, "P1111": 1}


SMALL = -1  # instead of a limit: numbers with which any instruction can compute


def shape_of(tile):
    return tile.dtype, tile.rows, tile.cols, tile.vrow, tile.vcol, tile.order, tile.pad


class Maker:
    """A kernel under construction."""

    def __init__(self, rng):
        self.rng = rng
        self.kernel = Kernel(rng.choice(TARGETS), blocks=rng.choice((1, 1, 1, 2)))
        self.turns = rng.choice((1, 1, 2, 2, 3))
        self.top = 32 * rng.choice((0, 0, 0, 1, 5))
        self.count = 0
        self.old = []     # tiles that may be used again

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def tile(self, dtype, rows, cols, vrow=None, vcol=None, order="row", pad=0):
        """A tile: a new one, or now and then one of this shape that is there already."""
        vrow, vcol = vrow or rows, vcol or cols
        same = [t for t in self.old if (t.dtype, t.rows, t.cols, t.vrow, t.vcol, t.order, t.pad)
                == (dtype, rows, cols, vrow, vcol, order, pad)]
        if same and self.rng.random() < 0.3:
            return self.rng.choice(same)
        tile = Tile(self.name("t"), dtype, self.top, rows, cols, vrow, vcol, order, pad)
        self.top += tile.bytes + 32 * self.rng.choice((0, 0, 0, 1, 3))
        self.kernel.tiles[tile.name] = tile
        return tile

    def values(self, dtype, count, below=None):
        if below is None:
            return self.rng.randbytes(count * SIZE[dtype])
        if below == SMALL:
            return small_numbers(self.rng, dtype, count)
        numbers = [self.rng.randrange(below) for _ in range(count)]
        return struct.pack(f"<{count}{'I' if SIZE[dtype] == 4 else 'H'}", *numbers)

    def array(self, tile, prefix, below=None, still=False):
        """An array of global memory with a part for every block and turn, and its view: the shape of the tile."""
        rows, cols = tile.vrow, tile.vcol
        parts = self.turns * self.kernel.blocks
        still = still or parts == 1 or prefix == "in" and self.rng.random() < 0.3
        total = rows * (1 if still else parts)
        pitch = cols + (self.rng.choice((0, 0, 0, 3)) if tile.cols > 1 else 0)
        if tile.order == "col":
            stride = (1, total)
            count = total * cols
        else:
            stride, count = (pitch, 1), total * pitch
        name = self.name(prefix)
        self.kernel.buffers[name] = Buffer(name, tile.dtype, self.values(tile.dtype, count, below))
        step = () if still or self.turns == 1 else (rows, 0)
        block = () if still or self.kernel.blocks == 1 else (rows * self.turns, 0)
        layout = "dn" if tile.order == "col" else "nd"
        view = View("v" + name, name, tile.dtype, (total, cols), stride, (rows, cols), (), step, block, layout)
        self.kernel.views[view.name] = view
        return view

    def load(self, tile, below=None):
        return Op("load", dst=tile.name, src=self.array(tile, "in", below).name)

    def store(self, tile):
        return Op("store", dst=self.array(tile, "out").name, src=tile.name)

    # -- gathers: lists of ops, in an order that is right

    def table(self, dtype, rows, cols, padded):
        pitch = cols + (self.rng.choice((0, 0, 4)) if padded else 0)
        name = self.name("table")
        more = self.rng.choice((0, 0, pitch * 2, pitch * 8))
        self.kernel.buffers[name] = Buffer(name, dtype, self.values(dtype, rows * pitch + more))
        view = View("v" + name, name, dtype, (rows, cols), (pitch, 1), (rows, cols))
        self.kernel.views[view.name] = view
        return view

    def policy(self, capacity):
        oob = self.rng.choice(("undefined", "clamp", "wrap", "zero"))
        return oob, capacity if oob == "undefined" else capacity + self.rng.choice((0, 3))

    def index_dtype(self):
        return self.rng.choice(("i32", "u32"))

    def gather_row(self):
        rng, custom = self.rng, self.kernel.target == "a5-custom"
        dtype = rng.choice(("f32", "f16", "i8", "i32"))
        c0, rows = 32 // SIZE[dtype], rng.choice((2, 3, 8) if not custom else (8,))
        cols = c0 * rng.choice((1, 1, 2))
        vcol = cols if custom or rng.random() < 0.7 else rng.randint(1, cols)
        capacity = rng.randint(2, 6)
        view = self.table(dtype, capacity, vcol, self.kernel.target == "a2a3")
        oob, below = self.policy(capacity)
        if custom:
            idx = self.tile(self.index_dtype(), rows, 1)
        elif self.kernel.target == "a5" and rng.random() < 0.3:
            idx = self.tile(self.index_dtype(), 8, 1, rows, 1, "col")
        else:
            idx = self.tile(self.index_dtype(), 1, 8, 1, rows)
        dst = self.tile(dtype, rows, cols, rows, vcol)
        return [self.load(idx, below), Op("mgather", dst=dst.name, src=view.name, idx=idx.name, mode="row", oob=oob),
                self.store(dst)]

    def gather_elem(self):
        rng, custom = self.rng, self.kernel.target == "a5-custom"
        dtype = rng.choice(("f32", "i32", "f16"))
        c0, rows = 32 // SIZE[dtype], rng.choice((1, 2))
        cols = c0
        vcol = cols if custom or rng.random() < 0.6 else rng.randint(1, cols)
        if self.kernel.target == "a5" and rng.random() < 0.3:
            rows = vcol = 1
        capacity = rng.randint(4, 20)
        view = self.table(dtype, 1, capacity, False)
        oob, below = self.policy(capacity)
        idx = self.tile(self.index_dtype(), rows, cols, rows, vcol)
        dst = self.tile(dtype, rows, cols, rows, vcol)
        return [self.load(idx, below), Op("mgather", dst=dst.name, src=view.name, idx=idx.name, mode="elem", oob=oob),
                self.store(dst)]

    def gather_nz(self):
        rng = self.rng
        dtype = rng.choice(("f16", "f32"))
        c0, blocks, bands = 32 // SIZE[dtype], rng.choice((1, 2)), rng.choice((1, 2))
        outer = rng.choice((1, 1, 2))
        name = self.name("table")
        count = outer * blocks * bands * 16 * c0
        self.kernel.buffers[name] = Buffer(name, dtype, self.values(dtype, count))
        shape = (outer, blocks, bands, 16, c0)
        stride = (blocks * bands * 16 * c0, bands * 16 * c0, 16 * c0, c0, 1)
        view = View("v" + name, name, dtype, shape, stride, shape, layout="nz")
        self.kernel.views[view.name] = view
        rows, row = rng.choice((2, 5)), rng.random() < 0.7
        dst = self.tile(dtype, 16, outer * blocks * c0, rows, outer * blocks * c0, "nz")
        capacity = bands * 16 * (1 if row else outer * blocks * c0)
        oob, below = self.policy(capacity) if rng.random() < 0.6 else ("zero", capacity + 1)
        idx = self.tile("i32", 1, 8, 1, rows) if row else self.tile("i32", rows, dst.cols)
        return [self.load(idx, below),
                Op("mgather", dst=dst.name, src=view.name, idx=idx.name, mode="row" if row else "elem", oob=oob)]

    def tgather_index(self):
        rng = self.rng
        dtype = rng.choice(("f32", "i32", "f16"))
        c0 = 32 // SIZE[dtype]
        rows, cols = rng.choice((1, 2)), c0
        src = self.tile(dtype, rng.choice((1, 2)), c0 * rng.choice((1, 2)))
        idx = self.tile("u32" if self.kernel.target == "a2a3" or SIZE[dtype] == 4 else "u16", rows, cols)
        dst = self.tile(dtype, rows, cols)
        op = Op("tgather", dst=dst.name, src=src.name, idx=idx.name)
        if self.kernel.target == "a2a3" and SIZE[dtype] == 2:
            op.tmp = self.tile("u32", rows, cols).name
        return [self.load(src), self.load(idx, src.rows * src.cols), op, self.store(dst)]

    def tgather_mask(self):
        rng = self.rng
        dtype, pattern = rng.choice(("f32", "f16")), rng.choice(sorted(PATTERNS))
        c0, factor = 32 // SIZE[dtype], PATTERNS[pattern]
        src = self.tile(dtype, rng.choice((1, 2)), c0 * factor)
        dst = self.tile(dtype, src.rows, c0)
        axis = "col" if pattern == "P1111" and rng.random() < 0.3 else "row"
        return [self.load(src), Op("mask", dst=dst.name, src=src.name, pattern=pattern, mode=axis), self.store(dst)]

    def tgather_compare(self):
        rng = self.rng
        dtype = rng.choice(("i32", "i16"))
        modes = ("gt", "eq")
        if self.kernel.target == "a2a3":  # of integers it takes i32, for equality
            dtype, modes = "i32", ("eq", "eq")
        src = self.tile(dtype, rng.choice((1, 2)), 32 // SIZE[dtype])
        dst, counts = self.tile("i32", src.rows, src.cols), self.tile("i32", 1, 8, 1, src.rows)
        op = Op("compare", dst=dst.name, src=src.name, idx=counts.name, mode=rng.choice(modes),
                k=rng.randint(-9, 9))
        return [self.load(src), self.load(dst), self.load(counts), op, self.store(dst), self.store(counts)]

    def copy(self):
        rng = self.rng
        dtype = rng.choice(("f32", "f16", "i8"))
        c0 = 32 // SIZE[dtype]
        order = rng.choice(("row", "row", "col")) if self.turns * self.kernel.blocks == 1 else "row"
        rows, cols = (rng.choice((1, 2, 4)), c0) if order == "row" else (c0, rng.choice((1, 2)))
        vrow, vcol = (rows, rng.randint(1, cols)) if order == "row" else (rng.randint(1, rows), cols)
        tile = self.tile(dtype, rows, cols, vrow, vcol, order, rng.choice((0, 0, 1)))
        return [self.load(tile), self.store(tile)]

    def through_memory(self):
        """Out of one tile into global memory, and from there into another."""
        tile, other = self.tile("f32", 2, 8), self.tile("f32", 2, 8)
        ops = [self.load(tile), self.store(tile)]
        return [*ops, Op("load", dst=other.name, src=ops[1].dst), self.store(other)]

    def scalars(self):
        tile = self.tile("i32", 1, 8)
        load = Op("load", dst=tile.name, src=self.array(tile, "in", 99, still=True).name)
        buffer = self.kernel.views[load.src].buffer
        store = self.store(tile)
        ops = [Op("putscalar", dst=buffer, k=self.rng.randrange(8), id=7), Op("dcci"), Op("fence"), load, store]
        if self.kernel.blocks > 1:
            ops[:3] = [Op("getscalar", src=buffer, k=self.rng.randrange(8))]
        if self.rng.random() < 0.5:
            ops += [Op("dcci"), Op("getscalar", src=self.kernel.views[store.dst].buffer, k=self.rng.randrange(8))]
        return ops

    def chain(self):
        """Indices that a mask picks."""
        src, idx = self.tile("u32", 1, 16), self.tile("u32", 1, 8)
        dst = self.tile("f32", 8, 8)
        view = self.table("f32", 4, 8, False)
        return [self.load(src, 4), Op("mask", dst=idx.name, src=src.name, pattern="P0101", mode="row"),
                Op("mgather", dst=dst.name, src=view.name, idx=idx.name, mode="row", oob="clamp"), self.store(dst)]

    # -- vector instructions

    def vector(self):
        """Some instructions of vectors.py, where it fits on what the one before gave, and in place."""
        ops, last = [], None
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            more, last = self.vector_step(last)
            ops += more
        return ops + [self.store(last)]

    def vector_row(self):
        rng, target = self.rng, self.kernel.target
        rows = [row for row in TABLE if row.types(target)]
        row = rng.choices(rows, [row.weight for row in rows])[0]
        dtype = rng.choice(row.types(target))
        kinds = row.family.operands(rng, row, target, dtype)
        return row, kinds, row.family.shapes(rng, row, target, dtype, kinds)

    def vector_step(self, last):
        rng = self.rng
        for _ in range(30 if last else 1):  # preferably one that takes what the last one gave
            row, kinds, shapes = self.vector_row()
            if last and shape_of(last) in shapes[1:]:
                break
        mode, place = row.family.mode(rng, row, kinds), row.family.numbers(rng, row, self.kernel.target, shapes)
        tiles = [self.tile(*shape) for shape in shapes]
        ops, count = [], kinds.count("t") + kinds.count("m")
        for n in range(1, 1 + count):
            if last and shape_of(last) == shapes[n]:
                tiles[n] = last
            else:
                ops.append(self.load(tiles[n], SMALL))
        if count and rng.random() < 0.3 and shapes[0] == shapes[count]:
            tiles[0] = tiles[rng.randint(1, count) if shapes[1] == shapes[0] else count]
        if row.reads_dst:
            ops.append(self.load(tiles[0], SMALL))
        op = Op("vector", dst=tiles[0].name, insn=row.name, ins=tuple(tile.name for tile in tiles[1:1 + count]), pattern=kinds,
                tmp=tiles[-1].name if "x" in kinds else "", k=rng.randint(1, 5), id=mode, at=place)
        return [*ops, op], tiles[0]

    def singles(self):
        """S looks at elements of a tile, and puts others there."""
        rng, dtype = self.rng, self.rng.choice(("f32", "i32", "f16", "i16"))
        tile = self.tile(dtype, rng.choice((1, 2)), 32 // SIZE[dtype])
        count = tile.rows * tile.cols
        ops = [self.load(tile, SMALL)]
        for _ in range(rng.choice((1, 2, 3))):
            if rng.random() < 0.5:
                ops.append(Op("getval", src=tile.name, k=rng.randrange(count)))
            else:
                ops.append(Op("setval", dst=tile.name, k=rng.randrange(count), id=rng.randint(1, 9)))
        return [*ops, self.store(tile)]

    def adding(self):
        """Stores that add to memory, in any order; one block may look at the sum."""
        rng, dtype = self.rng, self.rng.choice(("f32", "i32", "f16", "i16", "bf16", "i8"))
        tiles = [self.tile(dtype, 2, 32 // SIZE[dtype]) for _ in range(rng.choice((1, 2)))]
        sums = self.array(tiles[0], "sum", SMALL, still=rng.random() < 0.6)
        ops = [self.load(tile, SMALL) for tile in tiles]
        ops += [Op("store", dst=sums.name, src=rng.choice(tiles).name, mode="add") for _ in range(rng.choice((1, 2, 3)))]
        if self.kernel.blocks == 1 and rng.random() < 0.3:
            ops += [Op("load", dst=tiles[0].name, src=sums.name), self.store(tiles[0])]
        return ops

    def around(self):
        """A tile that is alive while a column is spread: of that a2a3 keeps blocks from 184 KiB on."""
        kept, whole, dst = (self.tile("f32", 2, 8) for _ in range(3))
        column = self.tile("f32", 8, 1, 2, 1, "col")
        if len({kept.name, whole.name, dst.name}) < 3:
            return self.copy()
        op = Op("vector", dst=dst.name, insn="trowexpandadd", ins=(whole.name, column.name), pattern="tt-", k=1)
        return [self.load(kept), self.load(whole, SMALL), self.load(column, SMALL), op, self.store(dst), self.store(kept)]

    # -- all of it

    def piece(self):
        kinds = [self.gather_row, self.gather_row, self.gather_elem, self.gather_elem, self.tgather_index, self.tgather_mask, self.copy,
                 self.tgather_compare, self.through_memory, self.scalars, self.singles, self.adding, *[self.vector] * 6]
        if self.kernel.target == "a2a3":
            kinds += [self.gather_nz] * 3 + [self.around]
        if self.kernel.target != "a5-custom":
            kinds += [self.chain]
        ops = self.rng.choice(kinds)()
        self.old = list(self.kernel.tiles.values())
        return ops

    def interleave(self, lists):
        """One list; each keeps its order."""
        ops, lists = [], [list(ops) for ops in lists]
        while any(lists):
            left = [some for some in lists if some]
            turn = self.rng.choice(left) if self.rng.random() < 0.5 else left[0]
            ops.append(turn.pop(0))
        return ops

    def make(self):
        pieces = [self.piece() for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
        body = self.interleave(pieces)
        self.kernel.body = [Loop(self.turns, body)] if self.turns > 1 else body
        if self.rng.random() < 0.2:
            turns, self.turns = self.turns, 1
            self.kernel.body[self.rng.choice((0, len(self.kernel.body))):0] = self.piece()
            self.turns = turns
        return self.kernel


def count_events(kernel):
    return sum(1 for _ in kernel.turns())


def draw(rng):
    """A correct kernel."""
    while True:
        kernel = Maker(rng).make()
        if repair(kernel, rng) and count_events(kernel) <= 70:
            for op in kernel.ops():
                op.event = op.kind in ("set", "wait") and rng.random() < 0.1
            return kernel
