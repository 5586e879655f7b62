"""Vector instructions on the machine, as the rows of vectors.py have them."""
from dataclasses import replace

import numpy as np

from core import FILL, UB, Core, span
from facts import Tile
from vectors import ROWS, case_of


def tile_for_conform(tile):
    return Tile(tile.dtype, tile.rows, tile.cols, tile.vrow, tile.vcol, tile.order, pad=tile.pad, addr=tile.addr)


def tiles_in(kernel, op):
    """dst, the sources and tmp."""
    return [kernel.tiles[name] for name in (op.dst, *op.ins, op.tmp) if name]


def case_in(kernel, op, image):
    row = ROWS[op.insn]
    return case_of(row, kernel.target, [tile_for_conform(tile) for tile in tiles_in(kernel, op)], image, op.pattern, op.k,
                   row.modes[op.id], op.at)


def warnings(kernel, op):
    return ROWS[op.insn].family.warnings(case_in(kernel, op, b""))


def mask_of(piece, limit):
    """The bytes of a piece, as far as there is a buffer."""
    mask = 0
    for at in np.sort(piece.places, axis=None):
        mask |= span(int(at), piece.size)
    return mask & (1 << limit) - 1


OF_LANES = {"div-by-zero", "shift-range", "expand-block-differs"}


class Vector(Core):
    def vector(self, op):
        tiles, case = tiles_in(self.kernel, op), case_in(self.kernel, op, self.memory.ub)
        family = ROWS[op.insn].family
        chain, effect = family.chain(case), family.effect(case)
        if effect.scratch:  # a source may lie there, and so may dst
            self.use_scratch(effect.scratch)
            case = case_in(self.kernel, op, self.memory.ub)
            effect = family.effect(case)
        if effect.ids & OF_LANES:
            effect.ids = family.effect(self.calmed(case, effect)).ids
        self.unsure |= effect.free or any(piece.bits is None for piece in effect.writes)
        for source, to in chain.before:
            self.pair(source, to)
        for n, step in enumerate(chain.steps):
            self.step(op, tiles, effect, chain, n)
            for source, to in chain.between if n == 0 else ():
                self.pair(source, to)
        for name in effect.ids:
            self.fault(name)
        if effect.lost > (tiles[-1].bytes if op.tmp else 0):
            self.fault("tile-overrun")
        self.use_scratch(effect.scratch)
        for source, to in chain.after:
            self.pair(source, to)

    def calmed(self, case, effect):
        """The case with 1 in the place of undefined elements: they have no faults."""
        image = bytearray(case.image)
        for piece in effect.reads:
            for at in piece.places.ravel():
                if self.undefined_at(int(at), piece.size):
                    image[at:at + piece.size] = (1).to_bytes(piece.size, "little")
        return replace(case, image=image)

    def step(self, op, tiles, effect, chain, number):
        step, entry, limit = chain.steps[number], self.work(chain.steps[number].pipe), UB[self.target]
        last = number == len(chain.steps) - 1
        carried = [list(self.carried(piece, effect, limit)) for piece in effect.writes]

        def is_done(piece, all_are):
            return piece.step == number or piece.step < 0 and step.works and all_are

        for piece in effect.reads:
            if is_done(piece, step.reads):
                self.read_ub(entry, tiles[piece.operand], mask_of(piece, limit), decides=False)
        if step.tmp and op.tmp and effect.lost:
            mask = span(tiles[-1].addr, min(effect.lost, limit - tiles[-1].addr))
            self.memory.ub[tiles[-1].addr:tiles[-1].addr + min(effect.lost, limit - tiles[-1].addr)] = bytes(
                [FILL]) * min(effect.lost, limit - tiles[-1].addr)
            self.write_ub(entry, tiles[-1], mask)
        entry.scratch = span(184 << 10, effect.scratch)
        for piece, undefined in zip(effect.writes, carried):
            if not is_done(piece, step.writes):
                continue
            if (last or piece.step == number) and piece.bits is not None:
                self.put(piece)
            mask = mask_of(piece, limit)
            self.write_ub(entry, tiles[piece.operand], 0 if piece.is_padding else mask, mask if piece.is_padding else 0, undefined)

    def carried(self, piece, effect, limit):
        """Elements that are computed from undefined ones, for write_ub."""
        touched = 0
        for read in effect.reads:
            touched |= mask_of(read, limit)
        if not any(touched & mask for _, mask in self.undefined()):
            return
        for n, at in enumerate(piece.places.ravel()):
            first, bits = None, 0
            for need in piece.needs:
                place = int(need.places.ravel()[n])
                bit = None if need.bit is None else int(need.bit.ravel()[n])
                name = self.undefined_at(place, need.size, bit) if place >= 0 else None
                first, bits = first or name, bits | (name is not None) * (0xff if need.makes is None else 1 << need.makes)
            if first:
                yield int(at), piece.size, first, bits

    def put(self, piece):
        for at, bits in zip(piece.places.ravel(), piece.bits.ravel()):
            self.store_ub(int(at), int(bits).to_bytes(piece.size, "little"))

