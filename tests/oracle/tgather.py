"""TGATHER on the machine: by index, by mask, by comparison."""
from core import FILL, M32, UB, Core, span
from kernel import SIZE


class TGather(Core):
    def tgather(self, op):
        dst, src, idx = (self.kernel.tiles[name] for name in (op.dst, op.src, op.idx))
        entry, size, lanes, reads, outside, carried = self.work("V"), SIZE[dst.dtype], [], 0, 0, []
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
                carried += self.carry(at, dst.at(r, c), size)
            data = bytes(self.memory.ub[at:at + size])
            lanes.append((dst.at(r, c), data + bytes([FILL]) * (size - len(data))))
        self.read_ub(entry, src, reads, decides=False)
        if self.wide:
            entry.reads.append(("UB", span(src.addr, src.bytes)))
        entry.reads.append(("UB", outside))  # whatever lies there: it can race, and nobody asks who wrote it
        if op.tmp and not self.is_a5:
            self.scratch(entry, self.kernel.tiles[op.tmp], dst, idx)
        for at, data in lanes:
            self.store_ub(at, data)
        self.write_ub(entry, dst, self.valid_mask(dst), carried=carried)

    def carry(self, source, to, size):
        """An element that is moved is as undefined as it was."""
        name = self.undefined_at(source, size)
        return [(to, size, name, 0xff)] if name else []

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
        if len(kept) > dst.rows * dst.cols:  # what does not fit is not written
            self.fault("tile-overrun")
            kept = kept[:dst.rows * dst.cols]
        reads, writes, carried = 0, 0, []
        data = [bytes(self.memory.ub[src.at(r, c):src.at(r, c) + size]) for r, c in kept]
        for n, (r, c) in enumerate(kept):
            reads |= span(src.at(r, c), size)
            writes |= span(dst.addr + n * size, size)
            carried += self.carry(src.at(r, c), dst.addr + n * size, size)
        self.read_ub(entry, src, reads, decides=False)
        self.store_ub(dst.addr, b"".join(data))
        self.write_ub(entry, dst, writes, carried=carried)

    def compare(self, op):
        """a2a3: V compares and S stores the counts; a5: all on V. The caller owes V->MTE3 and S->MTE3, so none
        of the instruction's own flags can come after its work."""
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
        if self.wide:
            entry.writes += [("UB", span(dst.at(i, 0), 4 * min(src.vcol, dst.cols))) for i in range(src.vrow)]
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
