"""What an instruction does on the machine: the entries it puts into the pipes' queues, with the bytes each reads and
writes, and the faults of its lanes. Written from the machine's description; values, addresses and definedness are those
of a run in which every access completes at issue.

A set of bytes is a Python integer: bit n stands for byte n of the on-chip buffer, or of one buffer of global memory."""
from dataclasses import dataclass, field, replace

from kernel import PIPES, SIZE

UB = {"a2a3": 192 << 10, "a5": 256 << 10, "a5-custom": 256 << 10}
FILL = 0xAA
M32 = (1 << 32) - 1


def span(start, count):
    return ((1 << count) - 1) << start if count > 0 else 0


@dataclass
class Entry:
    """One entry of a queue: work, a flag or a barrier."""
    kind: str                 # work, set, wait, barrier
    pipe: str                 # where it is queued; ALL
    op: object = None
    instance: int = 0         # which execution of which op
    own: bool = False         # a flag of an instruction's own
    flag: tuple = ()          # (from, to, id)
    reads: list = field(default_factory=list)    # (space, mask)
    writes: list = field(default_factory=list)


class Memory:
    """Bytes and what is known of them."""

    def __init__(self, kernel, gm):
        self.ub = bytearray([FILL]) * UB[kernel.target]
        self.gm = gm
        self.defined = self.padding = 0
        self.writer = {}      # tile name: the bytes last written through it


class Run:
    """Issues the ops of one block, one after another."""

    def __init__(self, kernel, block, gm):
        self.kernel, self.block, self.target = kernel, block, kernel.target
        self.is_a5 = kernel.target != "a2a3"
        self.memory, self.entries, self.faults = Memory(kernel, gm), [], []
        self.instance, self.op, self.turn = 0, None, 0
        self.stopped = False

    # -- what every instruction uses

    def fault(self, name):
        self.faults.append((name, self.op.line, max(0, len(self.entries) - 1)))

    def work(self, pipe):
        entry = Entry("work", pipe, self.op, self.instance)
        self.entries.append(entry)
        return entry

    def pair(self, source, to):
        """A set and a wait of an instruction's own: id 0."""
        for kind, pipe in (("set", source), ("wait", to)):
            self.entries.append(Entry(kind, pipe, self.op, self.instance, True, (source, to, 0)))

    def partly(self, a, b):
        """Do two tiles overlap, neither inside the other?"""
        a0, a1, b0, b1 = a.addr, a.addr + a.bytes, b.addr, b.addr + b.bytes
        if a1 <= b0 or b1 <= a0:
            return False
        return not (a0 <= b0 and b1 <= a1 or b0 <= a0 and a1 <= b1)

    def read_ub(self, entry, tile, mask):
        """Reads bytes through a tile."""
        memory = self.memory
        entry.reads.append(("UB", mask))
        if mask & ~memory.defined & ~memory.padding:
            self.fault("uninit-read")
        if mask & memory.padding:
            self.fault("pad-read")
        for name, written in memory.writer.items():
            if written & mask and self.partly(self.kernel.tiles[name], tile):
                self.fault("ub-overlap")

    def write_ub(self, entry, tile, mask, padding=0):
        """Writes bytes through a tile; `padding`: bytes that mean nothing afterwards."""
        memory, every = self.memory, mask | padding
        entry.writes.append(("UB", every))
        memory.defined = memory.defined & ~every | mask
        memory.padding = memory.padding & ~every | padding
        for name in memory.writer:
            memory.writer[name] &= ~every
        memory.writer[tile.name] = memory.writer.get(tile.name, 0) | every

    def value(self, at, size):
        return int.from_bytes(self.memory.ub[at:at + size], "little")

    def read_gm(self, entry, name, at, count):
        """Bytes of a buffer; what lies outside is 0xAA. True: all of them were inside."""
        data = self.memory.gm[name]
        inside = [i for i in (at, at + count - 1) if 0 <= i < len(data)]
        low, high = max(at, 0), min(at + count, len(data))
        if low < high:
            entry.reads.append((name, span(low, high - low)))
        return bytes(data[i] if 0 <= i < len(data) else FILL for i in range(at, at + count)), len(inside) == 2

    def element(self, entry, name, at, size):
        """One element; an element that is not all there is 0xAA."""
        data, whole = self.read_gm(entry, name, at, size)
        if not whole:
            self.fault("gm-out-of-bounds")
            data = bytes([FILL]) * size
        return data

    def store_ub(self, at, data):
        self.memory.ub[at:at + len(data)] = data

    # -- transfers

    def places(self, tile, view):
        """(address in the tile, byte offset in the buffer) of every element that a transfer moves."""
        size = SIZE[tile.dtype]
        base, (s0, s1) = view.base(self.turn, self.block), view.stride[-2:]
        for r in range(tile.vrow):
            for c in range(tile.vcol):
                yield tile.at(r, c), (base + r * s0 + c * s1) * size

    def lines_of(self, tile):
        """(start, bytes) of what lies together in the tile."""
        size = SIZE[tile.dtype]
        if tile.order == "row":
            return [(tile.at(r, 0), tile.vcol * size) for r in range(tile.vrow)]
        return [(tile.at(0, c), tile.vrow * size) for c in range(tile.vcol)]

    def bursts_of(self, tile, view):
        """The bursts of a load: its lines, or all of them in one where neither side has gaps."""
        lines = self.lines_of(tile)
        count, padded, pitch = ((tile.vcol, tile.cols, view.stride[-2]) if tile.order == "row" else
                                (tile.vrow, tile.rows, view.stride[-1]))
        if count == padded == pitch:
            return [(tile.addr, sum(length for _, length in lines))]
        return lines

    def spoil(self, padding):
        """Undefined padding holds 0xAA."""
        at = 0
        while padding >> at:
            at += ((padding >> at) & -(padding >> at)).bit_length() - 1
            self.memory.ub[at] = FILL
            at += 1

    def load(self, op):
        tile, view = self.kernel.tiles[op.dst], self.kernel.views[op.src]
        entry, size = self.work("MTE2"), SIZE[tile.dtype]
        for at, offset in self.places(tile, view):
            self.store_ub(at, self.element(entry, view.buffer, offset, size))
        mask = padding = 0
        bursts = self.bursts_of(tile, view)
        if any(start % 32 for start, _ in bursts):
            self.fault("dma-misaligned")
        for start, count in bursts:
            burst, rest = span(start, count), span(start + count, -count % 32)
            mask, padding = mask & ~rest | burst, padding & ~burst | rest
        self.spoil(padding)
        if tile.pad:
            rest = span(tile.addr, tile.bytes) & ~mask
            for byte in range(tile.addr, tile.addr + tile.bytes):
                if rest >> byte & 1:
                    self.memory.ub[byte] = 0
            mask, padding = span(tile.addr, tile.bytes), 0
        self.write_ub(entry, tile, mask, padding)

    def valid_mask(self, tile):
        size, mask = SIZE[tile.dtype], 0
        if tile.order == "nz":
            for r in range(tile.vrow):
                for c in range(tile.vcol):
                    mask |= span(tile.at(r, c), size)
            return mask
        for start, count in self.lines_of(tile):
            mask |= span(start, count)
        return mask

    def store(self, op):
        tile, view = self.kernel.tiles[op.src], self.kernel.views[op.dst]
        entry, size, written = self.work("MTE3"), SIZE[tile.dtype], 0
        self.read_ub(entry, tile, self.valid_mask(tile))
        data = self.memory.gm[view.buffer]
        for at, offset in self.places(tile, view):
            if offset < 0 or offset + size > len(data):
                self.fault("gm-out-of-bounds")
                continue
            data[offset:offset + size] = self.memory.ub[at:at + size]
            written |= span(offset, size)
        entry.writes.append((view.buffer, written))

    # -- MGATHER

    def mapped(self, index, capacity, op, tile):
        """The index after the policy; None: the lane is zero."""
        if op.oob in ("clamp", "wrap") and tile.dtype == "i32" and index >> 31:
            self.fault("index-negative")
        if op.oob == "clamp":
            return min(index, capacity - 1)
        if op.oob == "wrap":
            return index % capacity
        if op.oob == "zero":
            return index if index < capacity else None
        return index

    def lane(self, entry, view, at, size, past):
        """One element of the table; `past`: the index is past its capacity."""
        data, whole = self.read_gm(entry, view.buffer, at, size)
        if not whole:
            self.fault("gm-out-of-bounds")
            return bytes([FILL]) * size
        if past:
            self.fault("gm-outside-view")
        return data

    def is_packed(self, view):
        shape, stride = view.five()
        packed = 1
        for d in (4, 3, 2, 1, 0):
            if shape[d] > 1 and stride[d] != packed:
                return False
            packed *= shape[d]
        return True

    def mgather(self, op):
        dst, view, idx = self.kernel.tiles[op.dst], self.kernel.views[op.src], self.kernel.tiles[op.idx]
        row = op.mode == "row"
        if self.target == "a5-custom":
            row, dst, idx = idx.cols == 1, self.walked(dst), self.walked(idx)
        if self.is_a5:
            self.gather_a5(op, dst, view, idx, row)
        elif view.layout == "nz":
            (self.row_nz if row else self.elem_nz)(op, dst, view, idx)
        else:
            (self.row_a2a3 if row else self.elem_a2a3)(op, dst, view, idx)

    def before_row(self):
        self.pair("V", "S")
        self.pair("MTE3", "S")

    def after_row(self):
        for source, to in (("S", "MTE2"), ("MTE2", "V"), ("MTE2", "MTE3"), ("S", "V"), ("S", "MTE3")):
            self.pair(source, to)

    def row_index(self, idx, r):
        at = idx.at(0, r)
        entry = self.work("S")
        self.read_ub(entry, idx, span(at, 4))
        return self.value(at, 4)

    def row_a2a3(self, op, dst, view, idx):
        shape, stride = view.five()
        capacity, size = shape[0] * shape[1] * shape[2] * shape[3], SIZE[dst.dtype]
        self.before_row()
        for r in range(dst.vrow):
            raw = self.row_index(idx, r)
            i = self.mapped(raw, capacity, op, idx)
            at, count = dst.at(r, 0), dst.vcol * size
            if i is None:
                entry = self.work("S")
                self.store_ub(at, bytes(count))
                self.write_ub(entry, dst, span(at, count))
                continue
            entry = self.work("MTE2")
            base = (view.base(self.turn, self.block) + i * stride[3]) * size
            for c in range(dst.vcol):
                self.store_ub(at + c * size, self.lane(entry, view, base + c * size, size, i >= capacity))
            self.spoil(span(at + count, -count % 32))
            self.write_ub(entry, dst, span(at, count), span(at + count, -count % 32))
        self.after_row()

    def row_nz(self, op, dst, view, idx):
        shape, stride = view.five()
        capacity, size = shape[2] * 16, SIZE[dst.dtype]
        self.before_row()
        if op.oob == "zero":
            self.store_ub(dst.addr, bytes(dst.bytes))
            self.write_ub(self.work("S"), dst, span(dst.addr, dst.bytes))
        for r in range(dst.vrow):
            raw = self.row_index(idx, r)
            i = self.mapped(raw, capacity, op, idx)
            if i is None:
                continue
            for outer in range(shape[0]):
                entry, mask = self.work("MTE2"), 0
                base = view.base(self.turn, self.block) + outer * stride[0] + i // 16 * stride[2] + i % 16 * stride[3]
                for block in range(shape[1]):
                    at = dst.addr + ((outer * shape[1] + block) * dst.rows + r) * 32
                    for c in range(32 // size):
                        place = (base + block * stride[1] + c) * size
                        self.store_ub(at + c * size, self.lane(entry, view, place, size, i >= capacity))
                    mask |= span(at, 32)
                self.write_ub(entry, dst, mask)
        self.after_row()

    def walked(self, tile):
        """What a gather walks: the valid region; on a5-custom the whole tile."""
        return replace(tile, vrow=tile.rows, vcol=tile.cols) if self.target == "a5-custom" else tile

    def elements(self, tile):
        return [(r, c) for r in range(tile.vrow) for c in range(tile.vcol)]

    def before_elem(self):
        for source in ("V", "MTE3", "MTE2"):
            self.pair(source, "S")

    def after_elem(self):
        for to in ("V", "MTE2", "MTE3"):
            self.pair("S", to)

    def gather_elements(self, entry, op, dst, view, idx, capacity, place):
        """Lane by lane: index, map, element, store. Reads and writes of all lanes are one entry's."""
        size, lanes = SIZE[dst.dtype], []
        self.read_ub(entry, idx, self.valid_mask(idx))
        for r, c in self.elements(dst):
            i = self.mapped(self.value(idx.at(r, c), 4), capacity, op, idx)
            data = bytes(size) if i is None else self.lane(entry, view, place(i) * size, size, i >= capacity)
            lanes.append((dst.at(r, c), data))
        for at, data in lanes:
            self.store_ub(at, data)
        self.write_ub(entry, dst, self.valid_mask(dst))

    def linear(self, op, dst, view, idx, entry):
        shape, _ = view.five()
        capacity = shape[0] * shape[1] * shape[2] * shape[3] * shape[4]
        if not self.is_packed(view):
            self.fault("pitch-mismatch")
        base = view.base(self.turn, self.block)
        self.gather_elements(entry, op, dst, view, idx, capacity, lambda i: base + i)

    def elem_a2a3(self, op, dst, view, idx):
        self.before_elem()
        self.linear(op, dst, view, idx, self.work("S"))
        self.after_elem()

    def elem_nz(self, op, dst, view, idx):
        shape, stride = view.five()
        c0 = 32 // SIZE[dst.dtype]
        columns = shape[0] * shape[1] * c0
        base = view.base(self.turn, self.block)

        def place(i):
            row, col = divmod(i, columns)
            b = col // c0
            return (base + b // shape[1] * stride[0] + b % shape[1] * stride[1] + row // 16 * stride[2]
                    + row % 16 * stride[3] + col % c0 * stride[4])

        self.before_elem()
        self.gather_elements(self.work("S"), op, dst, view, idx, shape[2] * 16 * columns, place)
        self.after_elem()

    def gather_a5(self, op, dst, view, idx, row):
        if not row and self.target == "a5" and (dst.vrow, dst.vcol) == (1, 1):
            self.pair("V", "S")
            self.linear(op, dst, view, idx, self.work("S"))
            self.pair("S", "V")
            return
        entry = self.work("V")
        if self.kernel.launch:
            self.fault("no-simt-context")
            self.stopped = True
            return
        if not row:
            self.linear(op, dst, view, idx, entry)
            return
        shape, stride = view.five()
        custom, size, lanes = self.target == "a5-custom", SIZE[dst.dtype], []
        columns = dst.vcol
        if shape[3] > 1 and stride[3] != columns:
            self.fault("pitch-mismatch")
        self.read_ub(entry, idx, self.valid_mask(idx))
        for r in range(dst.vrow):
            at = idx.at(0, r) if idx.vrow == 1 and not custom else idx.at(r, 0)
            i = self.mapped(self.value(at, 4), shape[3], op, idx)
            product = 0 if i is None else i * columns
            if product > M32:
                self.fault("product-overflow")
            base = (view.base(self.turn, self.block) + (product & M32)) * size
            for c in range(columns):
                data = bytes(size) if i is None else self.lane(entry, view, base + c * size, size, i >= shape[3])
                lanes.append((dst.at(r, c), data))
        for at, data in lanes:
            self.store_ub(at, data)
        self.write_ub(entry, dst, self.valid_mask(dst))

    # -- TGATHER

    def tgather(self, op):
        dst, src, idx = (self.kernel.tiles[name] for name in (op.dst, op.src, op.idx))
        entry, size, lanes, reads, outside = self.work("V"), SIZE[dst.dtype], [], 0, 0
        width, room = SIZE[idx.dtype], src.rows * src.cols
        needed = 0
        for r, c in self.elements(dst):
            needed |= span(idx.at(r, c), width)
        self.read_ub(entry, idx, needed)
        for r, c in self.elements(dst):
            i = self.value(idx.at(r, c), width)
            at = src.addr + (i * size & M32)
            if i >= room:
                self.fault("ub-outside-tile")
                outside |= span(at, size) if at + size <= UB[self.target] else 0
            else:
                reads |= span(at, size)
            data = bytes(self.memory.ub[at:at + size])
            lanes.append((dst.at(r, c), data + bytes([FILL]) * (size - len(data))))
        self.read_ub(entry, src, reads)
        entry.reads.append(("UB", outside))  # whatever lies there: it can race, and nobody asks who wrote it
        if op.tmp and not self.is_a5:
            self.scratch(entry, self.kernel.tiles[op.tmp], dst, idx)
        for at, data in lanes:
            self.store_ub(at, data)
        self.write_ub(entry, dst, self.valid_mask(dst))

    def scratch(self, entry, tmp, dst, idx):
        """a2a3 keeps the byte offsets of 2-byte elements in tmp, and walks it as dst is walked."""
        if SIZE[dst.dtype] == 2:
            mask = 0
            for r, c in self.elements(dst):
                at = tmp.addr + (r * dst.cols + c) * 4
                mask |= span(at, 4)
                self.store_ub(at, (self.value(idx.at(r, c), 4) * 2 & M32).to_bytes(4, "little"))
            if mask & ~span(tmp.addr, tmp.bytes):
                self.fault("tile-overrun")
            self.write_ub(entry, tmp, mask)

    def mask(self, op):
        dst, src = self.kernel.tiles[op.dst], self.kernel.tiles[op.src]
        entry, size = self.work("V"), SIZE[dst.dtype]
        bits = op.pattern[:0:-1]  # read from right to left
        kept = [(r, c) for r, c in self.elements(src) if bits[c % 4] == "1"]
        reads = writes = 0
        data = [bytes(self.memory.ub[src.at(r, c):src.at(r, c) + size]) for r, c in kept]
        for n, (r, c) in enumerate(kept):
            reads |= span(src.at(r, c), size)
            writes |= span(dst.addr + n * size, size)
        self.read_ub(entry, src, reads)
        self.store_ub(dst.addr, b"".join(data))
        self.write_ub(entry, dst, writes)

    def compare(self, op):
        """a2a3: V compares and S stores the counts; a5: all on V. The caller owes V->MTE3 and S->MTE3, so neither of the
        instruction's own flags can come after its work."""
        dst, src, counts = (self.kernel.tiles[name] for name in (op.dst, op.src, op.idx))
        if not self.is_a5:
            self.pair("S", "V")
            self.pair("V", "S")
        entry, size, mask = self.work("V"), SIZE[src.dtype], 0
        self.read_ub(entry, src, self.valid_mask(src))
        pitch = 64 * -(-src.vcol // 64) if self.is_a5 else src.cols
        found = [[i * pitch + j for j in range(src.vcol) if self.matches(op, src, i, j, size)] for i in range(src.vrow)]
        for i, row in enumerate(found):
            for n, position in enumerate(row):
                self.store_ub(dst.at(i, n), position.to_bytes(4, "little"))
                mask |= span(dst.at(i, n), 4)
        self.write_ub(entry, dst, mask)
        if not self.is_a5:
            entry = self.work("S")
        mask = 0
        for i, row in enumerate(found):
            at = counts.addr + 4 * i
            self.store_ub(at, len(row).to_bytes(4, "little"))
            mask |= span(at, 4)
        self.write_ub(entry, counts, mask)

    def matches(self, op, src, i, j, size):
        value = int.from_bytes(self.memory.ub[src.at(i, j):src.at(i, j) + size], "little", signed=src.dtype[0] == "i")
        return value > op.k if op.mode == "gt" else value == op.k

    # -- scalars

    def getscalar(self, op):
        size = SIZE[self.kernel.buffers[op.src].dtype]
        self.element(self.work("S"), op.src, op.k * size, size)

    def putscalar(self, op):
        data, size = self.memory.gm[op.dst], SIZE[self.kernel.buffers[op.dst].dtype]
        at, entry = op.k * size, self.work("S")
        if at + size > len(data):
            self.fault("gm-out-of-bounds")
            return
        data[at:at + size] = op.id.to_bytes(size, "little")
        entry.writes.append((op.dst, span(at, size)))

    # -- flags

    def flag(self, op):
        """A flag that cannot be is not issued."""
        usable = {op.pipe, op.to} <= set(PIPES) and op.id <= 7
        pipe = op.pipe if op.kind == "set" else op.to
        if usable:
            self.entries.append(Entry(op.kind, pipe, op, self.instance, False, (op.pipe, op.to, op.id)))
        else:
            self.work("S")
        if not {op.pipe, op.to} <= set(PIPES):
            self.fault("flag-bad-pair")
        if op.id > 7:
            self.fault("flag-bad-id")
        elif op.id > 5:
            self.fault("flag-reserved-id")

    # -- all of them

    def issue(self, op, turn):
        self.op, self.turn = op, turn
        self.instance += 1
        if op.kind in ("set", "wait"):
            self.flag(op)
        elif op.kind == "barrier" and op.pipe == "S":  # there is none: the entry does nothing
            self.work("S")
            self.fault("barrier-on-scalar")
        elif op.kind == "barrier":
            self.entries.append(Entry("barrier", op.pipe, op, self.instance))
        else:
            getattr(self, op.kind)(op)
