"""MGATHER on the machine: A2/A3 by scalar loads and DMA, row by row or element by element; A5 by SIMT lanes."""
from dataclasses import replace

from core import FILL, M32, Core, span
from kernel import SIZE


class MGather(Core):
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

    # -- with other data

    def could_read(self, entry, view, places, count):
        """`count` elements from each of some places of the table, as far as the buffer reaches."""
        size, room, mask = SIZE[self.kernel.buffers[view.buffer].dtype], len(self.memory.gm[view.buffer]), 0
        base = view.base(self.turn, self.block)
        for place in places if self.wide else ():
            mask |= span((base + place) * size, count * size)
        entry.reads.append((view.buffer, mask & span(0, room)))

    def extent(self, view):
        """Elements from the first one of the view to the last, both included."""
        shape, stride = view.five()
        return 1 + sum((n - 1) * step for n, step in zip(shape, stride))

    def could_gather_rows(self, op, dst, view, rows, places, count):
        """a2a3: S clears any row where the policy is zero, and MTE2 moves any row to any row of dst."""
        if not self.wide:
            return
        if op.oob == "zero" and view.layout != "nz":
            entry = self.work("S")
            entry.writes += [("UB", span(dst.at(r, 0), dst.vcol * SIZE[dst.dtype])) for r in range(dst.vrow)]
        entry = self.work("MTE2")
        self.could_read(entry, view, places, count)
        entry.writes += [("UB", span(at, length)) for at, length in rows if at % 32 == 0]

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
            data = b"".join(self.lane(entry, view, base + c * size, size, i >= capacity) for c in range(dst.vcol))
            if not self.arrives(at):
                entry.reads.clear()
                continue
            self.store_ub(at, data)
            self.spoil(span(at + count, -count % 32))
            self.write_ub(entry, dst, span(at, count), span(at + count, -count % 32))
        width = -(-dst.vcol * size // 32) * 32
        self.could_gather_rows(op, dst, view, [(dst.at(r, 0), width) for r in range(dst.vrow)],
                               [i * stride[3] for i in range(capacity)], dst.vcol)
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
                    places = [(base + block * stride[1] + c) * size for c in range(32 // size)]
                    data = b"".join(self.lane(entry, view, place, size, i >= capacity) for place in places)
                    if self.arrives(at):
                        self.store_ub(at, data)
                        mask |= span(at, 32)
                    else:
                        entry.reads.clear()
                self.write_ub(entry, dst, mask)
        blocks = [(dst.addr + b * dst.rows * 32, dst.vrow * 32) for b in range(shape[0] * shape[1])]
        self.could_gather_rows(op, dst, view, blocks, [0], self.extent(view))
        self.after_row()

    def walked(self, tile):
        """What a gather walks: the valid region; on a5-custom the whole tile."""
        return replace(tile, vrow=tile.rows, vcol=tile.cols) if self.target == "a5-custom" else tile

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
        self.could_read(entry, view, [0], capacity)
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
        entry = self.work("S")
        self.could_read(entry, view, [0], self.extent(view))
        self.gather_elements(entry, op, dst, view, idx, shape[2] * 16 * columns, place)
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
        self.could_read(entry, view, [i * columns for i in range(shape[3])], columns)
        self.read_ub(entry, idx, self.valid_mask(idx))
        for r in range(dst.vrow):
            at = idx.at(0, r) if idx.vrow == 1 and not custom else idx.at(r, 0)
            i = self.mapped(self.value(at, 4), shape[3], op, idx)
            product = 0 if i is None else i * columns
            if product > M32:
                self.fault("product-overflow")
            base = (view.base(self.turn, self.block) + product) * size
            for c in range(columns):
                data = bytes(size) if i is None else self.lane(entry, view, base + c * size, size, i >= shape[3])
                lanes.append((dst.at(r, c), data))
        for at, data in lanes:
            self.store_ub(at, data)
        self.write_ub(entry, dst, self.valid_mask(dst))
