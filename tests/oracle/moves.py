"""Copies between tiles among the vector instructions that random programs draw; vectors.py imports this once its classes are there."""
from typing import NamedTuple

import numpy as np

import moves_tiles
from elements import bits_type
from facts import SIZE
from vectors import BOTH, ON_V, Chain, Effect, Family, Need, Piece, Row, Shape, Step, block, drawn_region, region

NARROW = ("i8", "u16", "i32", "f16", "f32")  # what moves: by size
WINDOWS = ("i8", "i32", "f16", "f32")        # what A5 takes of that for windows
ON_S = Chain((Step("S"),), before=(("V", "S"),), after=(("S", "V"),))


def blocks_of(cols, dtype):
    return -(-cols // block(dtype)) * block(dtype)


class Part(NamedTuple):
    """A rectangle of dst: from one of a source, a constant (source -1), or nobody's (source -2)."""
    source: int
    rows: int
    cols: int
    to: tuple = (0, 0)
    of: tuple = (0, 0)
    turned: bool = False
    step: int = -1


class Move(Family):
    """Rectangles of dst from rectangles of the sources; `parts` says which."""

    def parts(self, case):
        raise NotImplementedError

    def effect(self, case):
        after, _ = moves_tiles.expect(case)
        dst, effect = case.tiles[0], Effect()
        bits = np.frombuffer(bytes(after), bits_type(dst.dtype), dst.rows * dst.cols, dst.addr)
        for part in self.parts(case):
            if part.rows <= 0 or part.cols <= 0:
                continue
            (r, c), needs = part.to, ()
            at = dst.offsets(r + part.rows, c + part.cols)[r:, c:]
            if part.source > 0:
                source = self.origin(case.tiles[part.source], part)
                effect.reads.append(Piece(part.source, source, dst.size, step=part.step))
                needs = (Need(source, dst.size),)
            effect.writes.append(Piece(0, dst.addr + at * dst.size, dst.size, bits[at], needs, part.step, part.source == -2))
        return effect

    def origin(self, tile, part):
        rows, cols = (part.cols, part.rows) if part.turned else (part.rows, part.cols)
        places = region(tile, part.of[0] + rows, part.of[1] + cols)[part.of[0]:, part.of[1]:]
        return places.T if part.turned else places


class Copy(Move):
    """tmov."""

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        return [Shape(dtype, rows, cols, rows, vcol), Shape(dtype, rows, cols, rows, rng.randint(1, cols))]

    def in_place(self, case, source):
        return True

    def parts(self, case):
        dst, src = case.tiles
        cols = min(dst.vcol, src.vcol)
        if case.target == "a2a3":
            cols = dst.cols if dst.vcol == dst.cols else min(blocks_of(cols, case.dtype), dst.cols)
        yield Part(1, min(dst.vrow, src.vrow), cols)

    def refusals(self, case):
        dst, src = case.tiles
        yield from self.overlaps(case)
        if case.target == "a2a3" and (dst.rows, dst.cols) != (src.rows, src.cols):
            yield "tmov-shape"


class Window(Move):
    """textract, tinsert."""
    names_place = True

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols = rng.randint(2, 4), block(dtype) * rng.choice((1, 2, 3))
        vrow, vcol = rng.randint(1, rows - 1), rng.randint(1, cols)
        if rng.random() < 0.3:
            vrow = vcol = 1
        elif target == "a2a3" and SIZE[dtype] == 1:
            vcol += vcol % 2
        whole, part = Shape(dtype, rows, cols, rows, cols), Shape(dtype, vrow, blocks_of(vcol, dtype), vrow, vcol)
        return [part, whole] if row.name == "textract" else [whole, part]

    def numbers(self, rng, row, target, shapes):
        whole, part = shapes[::-1] if row.name == "textract" else shapes
        step = block(whole.dtype) if target == "a2a3" and (part.vrow, part.vcol) != (1, 1) else 1
        return rng.randint(0, whole.rows - part.vrow), rng.randint(0, (whole.cols - part.vcol) // step) * step

    def pair(self, case):
        """The tile around the window, and the one that is as large as it."""
        return case.tiles[::-1] if case.name == "textract" else case.tiles

    def parts(self, case):
        _, part = self.pair(case)
        place = tuple(case.scalars)
        yield Part(1, part.vrow, part.vcol, **({"of": place} if case.name == "textract" else {"to": place}))

    def chain(self, case):
        _, part = self.pair(case)
        return ON_S if (part.vrow, part.vcol) == (1, 1) else ON_V

    def overlaps(self, case):
        (dst, src), (row, col) = case.tiles, case.scalars
        read_first = case.name == "textract" and dst.cols <= src.cols and dst.addr <= src.addr + (row * src.cols + col) * src.size
        if not read_first:
            yield from super().overlaps(case)

    def refusals(self, case):
        (whole, part), (row, col) = self.pair(case), case.scalars
        yield from self.overlaps(case)
        if row + part.vrow > whole.rows or col + part.vcol > whole.cols:
            yield "window-outside"
        if case.target == "a2a3" and (part.vrow, part.vcol) != (1, 1) and (col % block(part.dtype) or part.vcol * part.size % 2):
            yield "window-align"


class Fill(Move):
    """tfillpad: zeros around what is valid of the source."""

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        dst = Shape(dtype, rows, cols, rows, rng.randint(1, cols), pad=1)
        return [dst, Shape(dtype, rows, cols, rng.randint(1, rows), vcol, pad=rng.randrange(2))]

    def in_place(self, case, source):
        return True

    def by_element(self, case):
        """a2a3: S ends the last valid block of 1-byte elements."""
        dst, src = case.tiles
        return case.target == "a2a3" and dst.size == 1 and dst.pad != src.pad

    def parts(self, case):
        dst, src = case.tiles
        end, split = blocks_of(src.vcol, case.dtype), self.by_element(case)
        alike = case.target == "a2a3" and dst.pad == src.pad
        first = 0 if split else -1
        behind = end if alike or split else src.vcol
        yield Part(1, src.vrow, end if alike else src.vcol, step=first)
        yield Part(-1, src.vrow, dst.cols - behind, (0, behind), step=first)
        yield Part(-1, dst.vrow - src.vrow, dst.cols, (src.vrow, 0), step=first)
        if split:
            yield Part(-1, src.vrow, end - src.vcol, (0, src.vcol), step=1)

    def chain(self, case):
        return Chain((Step("V"), Step("S")), between=(("V", "S"),)) if self.by_element(case) else ON_V

    def refusals(self, case):
        dst, src = case.tiles
        yield from self.overlaps(case)
        if dst.pad == 0:
            yield "tfillpad-pad"
        if dst.rows < src.rows or dst.cols < src.cols:
            yield "tfillpad-shape"
        if src.vrow > dst.vrow:
            yield "tfillpad-rows"


class Transpose(Move):
    """ttrans: a2a3 goes by tmp where rows of dst are whole boxes, and by element on S elsewhere."""

    def operands(self, rng, row, target, dtype):
        return "tx" if target == "a2a3" and SIZE[dtype] < 4 else rng.choice(row.kinds)

    def box(self, dtype):
        return 32 if SIZE[dtype] == 1 else 16

    def need(self, dtype, tile):
        return blocks_of(tile.vcol, dtype) * -(-tile.vrow // self.box(dtype)) * self.box(dtype)

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        vcol, c0 = min(vcol, 12), block(dtype)
        src = Shape(dtype, rows, cols, rows, vcol)
        wide = max(c0, self.box(dtype)) if kinds == "tx" else c0
        tmp = [Shape(dtype, 1, self.need(dtype, src), 1, self.need(dtype, src))] * kinds.count("x")
        return [Shape(dtype, vcol, wide, vcol, rows), src, *tmp]

    def boxed(self, case):
        return case.target == "a2a3" and case.tiles[0].cols % self.box(case.dtype) == 0

    def parts(self, case):
        dst, src = case.tiles[:2]
        yield Part(1, src.vcol, src.vrow, turned=True)
        if self.boxed(case):
            yield Part(-2, src.vcol, min(blocks_of(src.vrow, case.dtype), dst.cols) - src.vrow, (0, src.vrow))

    def effect(self, case):
        effect = super().effect(case)
        effect.lost = self.need(case.dtype, case.tiles[1]) * case.tiles[1].size if self.boxed(case) else 0
        return effect

    def writes_tmp(self, case):
        return case.target == "a2a3" and self.boxed(case)

    def chain(self, case):
        return ON_S if case.target == "a2a3" and not self.boxed(case) else ON_V

    def refusals(self, case):
        dst, src, *tmp = case.tiles
        yield from self.overlaps(case)
        if dst.rows < src.vcol or dst.cols < src.vrow:
            yield "ttrans-shape"
        if self.boxed(case) and tmp[0].bytes < self.need(case.dtype, src) * src.size:
            yield "ttrans-tmp"


class Join(Move):
    """tconcat."""

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, _ = drawn_region(rng, dtype)
        sources = [Shape(dtype, rows, cols, rows, rng.choice((cols, rng.randint(1, cols)))) for _ in kinds]
        both = sum(tile.vcol for tile in sources)
        return [Shape(dtype, rows, blocks_of(both, dtype), rows, both), *sources]

    def split(self, case):
        return case.target == "a2a3" and case.tiles[1].vcol % block(case.dtype) != 0

    def parts(self, case):
        dst, first, second = case.tiles
        end, cols, split = first.vcol, second.vcol, self.split(case)
        if case.target == "a2a3":
            end = min(blocks_of(end, case.dtype), first.cols, dst.cols)
            cols = cols if split else min(blocks_of(cols, case.dtype), second.cols, dst.cols - first.vcol)
        yield Part(1, dst.vrow, end, step=0 if split else -1)
        yield Part(2, dst.vrow, cols, (0, first.vcol), step=1 if split else -1)

    def chain(self, case):
        return Chain((Step("V"), Step("S")), between=(("V", "S"), ("MTE2", "S"))) if self.split(case) else ON_V

    def refusals(self, case):
        dst, *sources = case.tiles
        yield from self.overlaps(case)
        if any(tile.vrow != dst.vrow for tile in sources):
            yield "tconcat-rows"
        both = sum(tile.vcol for tile in sources)
        if both > dst.cols if case.target in ("a2a3", "a5") else both != dst.vcol:
            yield "tconcat-cols"


def narrow(target):
    return NARROW


def of_windows(target):
    return NARROW if target == "a2a3" else WINDOWS


MOVES = [
    Row("tmov", Copy(), narrow, ("t",), weight=3, calm=BOTH),
    Row("textract", Window(), of_windows, ("tss",), weight=3),
    Row("tinsert", Window(), of_windows, ("tss",), weight=3),
    Row("tfillpad", Fill(), narrow, ("t",), weight=3),
    Row("ttrans", Transpose(), narrow, ("t-", "tx"), weight=3),
    Row("tconcat", Join(), narrow, ("tt",), weight=4),
]
