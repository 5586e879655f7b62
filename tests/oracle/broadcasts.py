"""Broadcasts among the vector instructions that random programs draw; vectors.py imports this once its classes are there."""
import numpy as np

import expand_tiles
from elements import decode, is_float
from vectors import DRAWN, ON_V, Chain, Effect, Family, Need, Piece, Row, Shape, Step, block, drawn_region, region


class Broadcast(Family):
    """One source is a column or a row that stands for all of dst's."""
    case = expand_tiles.Expand
    steps = "rows"
    leaves_rest = True

    def writes_tmp(self, case):
        return case.target == "a2a3"

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        whole, c0 = Shape(dtype, rows, cols, rows, vcol), block(dtype)
        small = Shape(dtype, -(-rows // c0) * c0, 1, rows, 1, "col")
        if row.name.startswith("tcol"):
            small = Shape(dtype, 1, cols, 1, vcol)
        elif kinds == "tt-" and rng.random() < 0.4:
            small = Shape(dtype, rows, c0, rows, c0)
        sources = [small] if kinds == "t" else rng.choice(([whole, small], [small, whole]))
        return [whole, *sources] + [Shape("u8", 1, 256, 1, 256)] * kinds.count("x")

    def small(self, case):
        return 1 if case.what == "" or expand_tiles.whole_of(case) == 2 else 2

    def in_place(self, case, source):
        return source != self.small(case)

    def column_fits(self, case, tile, dst):
        upright = tile.order == "col" and tile.cols == 1
        if tile.vrow < dst.vrow:
            return False
        if case.what == "":
            return (upright or tile.order == "row") and (tile.vcol == 1 or case.target == "a2a3")
        return upright and tile.vcol == 1 or tile.order == "row" and tile.cols == tile.vcol == block(dst.dtype)

    def row_fits(self, case, tile, dst):
        if case.what == "" and case.target == "a2a3":
            return tile.order == "row" and tile.cols >= dst.vcol
        return tile.order == "row" and (tile.vcol >= dst.vcol if case.what else tile.vcol == dst.vcol)

    def refusals(self, case):
        dst, small = case.tiles[0], case.tiles[self.small(case)]
        yield from self.overlaps(case)
        if case.what and expand_tiles.whole_of(case) == 0:
            yield "expand-operand"
            return
        whole = [tile for n, tile in enumerate(case.sources, 1) if n != self.small(case)]
        fits = self.column_fits if case.column else self.row_fits
        if not fits(case, small, dst) or any(tile.order != "row" for tile in [dst, *whole]):
            yield "expand-layout"
        if case.tmp and case.target == "a2a3" and (small.order != "col" or case.tmp.bytes < expand_tiles.tmp_bytes(dst.vrow)):
            yield "expand-tmp"
        if case.target != "a2a3" and case.column and whole and dst.vcol == dst.cols < 256 // dst.size and dst.vrow > 1 \
                and whole[0].cols != dst.cols:
            yield "expand-pitch"

    def warnings(self, case):
        if case.column and case.tiles[self.small(case)].vrow > case.tiles[0].vrow:
            yield "expand-rows"

    def effect(self, case):
        dst, small = case.tiles[0], self.small(case)
        bits, faults = expand_tiles.expect(case)
        nan = bool(case.what) and is_float(case.dtype) and bool(np.isnan(decode(case.dtype, bits)).any())
        ids = {"div-by-zero"} if faults else set()
        if expand_tiles.uneven_rows(case):
            ids.add("expand-block-differs")
        effect = Effect(ids=ids, free=nan or case.op.loose)
        for n, tile in enumerate(case.sources, 1):
            rows, cols = dst.vrow, dst.vcol
            if n == small and case.column:
                cols = 1 if case.what == "" else tile.vcol
            elif n == small:
                rows = 1
            effect.reads.append(Piece(n, region(tile, rows, cols), tile.size))
        effect.writes = [Piece(0, region(dst, *bits.shape), dst.size, bits, tuple(self.needs(case, bits.shape)))]
        if case.target == "a2a3" and case.what and case.column and case.tiles[small].order == "col":
            need = expand_tiles.tmp_bytes(dst.vrow)
            effect.lost, effect.scratch = (need, 0) if case.tmp else (0, need)
        return effect

    def needs(self, case, shape):
        dst = case.tiles[0]
        r, c = np.indices((dst.vrow, dst.vcol))
        for n, tile in enumerate(case.sources, 1):
            rows, cols = r, c
            if n == self.small(case):
                period = 1 if case.what == "" else tile.vcol
                rows, cols = (r, c % period) if case.column else (0 * r, c)
            places = np.full(shape, -1)
            places[:dst.vrow, :dst.vcol] = region(tile, tile.rows, tile.cols)[rows, cols]
            yield Need(places, tile.size)

    def chain(self, case):
        """trowexpand on a2a3: S reads and V writes, but for all of a column into a block per row."""
        dst, src = case.tiles[:2]
        if case.name != "trowexpand" or case.target != "a2a3":
            return ON_V
        fills = (src.order, src.cols, src.rows, src.vrow) == ("col", 1, dst.rows, dst.rows) and dst.vrow == dst.rows
        if fills and dst.size in (2, 4) and dst.vcol == dst.cols == block(dst.dtype):
            return ON_V
        return Chain((Step("S", writes=False), Step("V", reads=False)), before=(("V", "S"),), between=(("S", "V"),))


def of_expand(what):
    return lambda target: [dtype for dtype in DRAWN if dtype in expand_tiles.WITH[what].types[target]]


def broadcast(name):
    what = name.split("expand")[1]
    return Row(name, BROADCAST, of_expand(what), ("t",) if not what else ("tt-", "ttx") if name.startswith("trow") else ("tt",))


BROADCAST = Broadcast()
BROADCASTS = [broadcast(name) for name in expand_tiles.NAMES]
