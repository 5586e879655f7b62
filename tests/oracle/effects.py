"""The ops of a block, one after another: transfers, scalars, flags, the gathers of mgather.py and tgather.py,
and the instructions of vectors.py."""
from dataclasses import replace

import numpy as np

from core import Entry, span
from elements import bits_type, decode, encode, is_float
from kernel import PIPES, SIZE
from mgather import MGather
from tgather import TGather
from vector import Vector


class Run(MGather, TGather, Vector):
    """Issues the ops of one block."""

    # -- transfers

    def moving(self, tile, view):
        """The tile with what moves as its valid region: of a larger view all rows (column-major: columns)."""
        if tile.order == "row":
            return replace(tile, vrow=view.size[-2])
        return replace(tile, vcol=view.size[-1]) if tile.order == "col" else tile

    def places(self, tile, view):
        """(address in the tile, byte offset in the buffer) of every element that a transfer moves."""
        size = SIZE[tile.dtype]
        base, (s0, s1) = view.base(self.turn, self.block), view.stride[-2:]
        for r in range(tile.vrow):
            for c in range(tile.vcol):
                yield tile.at(r, c), (base + r * s0 + c * s1) * size

    def bursts_of(self, tile, view):
        """The bursts of a load: its lines, or all of them in one where neither side has gaps."""
        lines = self.lines_of(tile)
        count, padded, pitch = ((tile.vcol, tile.cols, view.stride[-2]) if tile.order == "row" else
                                (tile.vrow, tile.rows, view.stride[-1]))
        if count == padded == pitch:
            return [(tile.addr, sum(length for _, length in lines))]
        return lines

    def load(self, op):
        view = self.kernel.views[op.src]
        tile = self.moving(self.kernel.tiles[op.dst], view)
        entry, size = self.work("MTE2"), SIZE[tile.dtype]
        bursts = self.bursts_of(tile, view)
        moved = [burst for burst in bursts if self.arrives(burst[0])]
        for at, offset in self.places(tile, view):
            arrives = any(start <= at < start + count for start, count in moved)
            data = self.element(entry if arrives else Entry("work", "MTE2"), view.buffer, offset, size)
            if arrives:
                self.store_ub(at, data)
        mask = padding = 0
        for start, count in moved:
            burst, rest = span(start, count), span(start + count, -count % 32)
            mask, padding = mask & ~rest | burst, padding & ~burst | rest
        self.spoil(padding)
        if tile.pad:
            rest = 0  # padding ends with the block of each line, and with the line
            left = (tile.cols - tile.vcol if tile.order == "row" else tile.rows - tile.vrow) * size
            for start, count in self.lines_of(tile):
                rest |= span(start + count, min(-count % 32, left))
            for byte in range(tile.addr, tile.addr + tile.bytes):
                if rest >> byte & 1:
                    self.memory.ub[byte] = 0
            mask, padding = mask | rest, padding & ~rest
        self.write_ub(entry, tile, mask, padding)

    def store(self, op):
        view = self.kernel.views[op.dst]
        tile = self.moving(self.kernel.tiles[op.src], view)
        entry, size, written = self.work("MTE3"), SIZE[tile.dtype], 0
        self.read_ub(entry, tile, self.valid_mask(tile))
        data = self.memory.gm[view.buffer]
        for at, offset in self.places(tile, view):
            if offset < 0 or offset + size > len(data):
                self.fault("gm-out-of-bounds")
                continue
            here = self.memory.ub[at:at + size]
            data[offset:offset + size] = self.sum_of(tile.dtype, data[offset:offset + size], here) if op.mode == "add" else here
            written |= span(offset, size)
        (entry.adds if op.mode == "add" else entry.writes).append((view.buffer, written))

    def sum_of(self, dtype, *elements):
        """The bytes of the sum of two elements. Where floats are rounded the order tells, and bytes are not compared."""
        a, b = (decode(dtype, np.frombuffer(bytes(some), bits_type(dtype))) for some in elements)
        with np.errstate(over="ignore"):
            both = a + b
        if is_float(dtype):
            self.unsure |= not (abs(both[0]) < 128 and both[0] == int(both[0]))
        return encode(dtype, both).tobytes()

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

    # -- single elements of a tile

    def place_of(self, tile, k):
        return tile.addr + k * SIZE[tile.dtype], SIZE[tile.dtype]

    def getval(self, op):
        tile = self.kernel.tiles[op.src]
        self.read_ub(self.work("S"), tile, span(*self.place_of(tile, op.k)))

    def setval(self, op):
        tile, entry = self.kernel.tiles[op.dst], self.work("S")
        at, size = self.place_of(tile, op.k)
        self.store_ub(at, encode(tile.dtype, np.array([op.id])).tobytes())
        self.write_ub(entry, tile, span(at, size))

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
        elif op.kind == "dcci":
            self.work("S").cache = "dcci"
        elif op.kind == "fence":
            self.entries.append(Entry("barrier", "ALL", op, self.instance, cache="dsb"))
        elif op.kind == "barrier":
            self.entries.append(Entry("barrier", op.pipe, op, self.instance))
        else:
            getattr(self, op.kind)(op)
