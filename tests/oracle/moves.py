"""Copies between tiles among the vector instructions that random programs draw; vectors.py imports this once its classes are there."""
import numpy as np

import moves_tiles
from elements import bits_type
from vectors import Effect, Family, Need, Piece, Shape, block, drawn_region, region

NARROW = ("i8", "u16", "i32", "f16", "f32")  # what moves: by size


def blocks_of(cols, dtype):
    return -(-cols // block(dtype)) * block(dtype)


class Move(Family):
    """tmov, and tconcat: rectangles of dst from rectangles of the sources, each (column of dst, its source, columns)."""

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        sources = [Shape(dtype, rows, cols, rows, rng.randint(1, cols)) for _ in kinds]
        wide = cols if row.name == "tmov" else blocks_of(sum(tile.vcol for tile in sources), dtype)
        return [Shape(dtype, rows, wide, rows, vcol if row.name == "tmov" else sum(tile.vcol for tile in sources)), *sources]

    def in_place(self, case, source):
        return case.name == "tmov"

    def parts(self, case):
        dst, first = case.tiles[:2]
        if case.name == "tconcat":
            return dst.vrow, [(0, 1, first.vcol), (first.vcol, 2, case.tiles[2].vcol)]
        cols = min(dst.vcol, first.vcol)
        if case.target == "a2a3":
            cols = dst.cols if dst.vcol == dst.cols else min(blocks_of(cols, case.dtype), dst.cols)
        return min(dst.vrow, first.vrow), [(0, 1, cols)]

    def effect(self, case):
        after, _ = moves_tiles.expect(case)
        (rows, parts), dst, effect = self.parts(case), case.tiles[0], Effect()
        bits = np.frombuffer(bytes(after), bits_type(dst.dtype), dst.rows * dst.cols, dst.addr)
        for col, n, cols in parts:
            source = region(case.tiles[n], rows, cols)
            at = dst.offsets(rows, col + cols)[:, col:]
            effect.reads.append(Piece(n, source, dst.size))
            effect.writes.append(Piece(0, dst.addr + at * dst.size, dst.size, bits[at], (Need(source, dst.size),)))
        return effect

    def refusals(self, case):
        dst, *sources = case.tiles
        yield from self.overlaps(case)
        if case.name == "tmov" and case.target == "a2a3" and (dst.rows, dst.cols) != (sources[0].rows, sources[0].cols):
            yield "tmov-shape"
        if case.name == "tconcat" and any(tile.vrow != dst.vrow for tile in sources):
            yield "tconcat-rows"
        if case.name == "tconcat" and sum(tile.vcol for tile in sources) != dst.vcol:
            yield "tconcat-cols"
