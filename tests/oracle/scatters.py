"""TSCATTER by mask for the random programs: each second element of a row of dst comes from src, the others are zero.

On a2a3 V writes the zeros and S the elements, with V->S between them and S->V after them; other machines have no such form."""
import numpy as np
from elements import bits_type
from vectors import DRAWN, Chain, Effect, Family, Mode, Need, Piece, Row, Shape, Step, block, drawn_region, region

PATTERNS = (("P0101", 1), ("P1010", 2))
MODES = tuple(Mode(f", {{maskPattern = #pto.mask_pattern<{word}>}}", "", (1, number, 0)) for word, number in PATTERNS)


class ScatterMask(Family):
    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        wide = -(-2 * vcol // block(dtype)) * block(dtype)
        return [Shape(dtype, rows, wide, rows, 2 * vcol), Shape(dtype, rows, cols, rows, vcol)]

    def effect(self, case):
        dst, src = case.tiles[:2]
        first = case.attrs[1] - 1
        stored = np.frombuffer(bytes(case.image), np.uint8)
        source = region(src, src.vrow, src.vcol)
        bits = np.ascontiguousarray(stored[source[..., None] + np.arange(src.size)]).view(bits_type(src.dtype))[..., 0]
        all_of_dst = region(dst, dst.rows, dst.cols)
        places = region(dst, src.vrow, 2 * src.vcol)[:, first::2]
        effect = Effect(reads=[Piece(1, source, src.size, step=1)])
        effect.writes = [Piece(0, all_of_dst, dst.size, np.zeros(all_of_dst.shape, bits_type(dst.dtype)), step=0),
                         Piece(0, places, dst.size, bits, (Need(source, src.size),), step=1)]
        return effect

    def refusals(self, case):
        dst, src = case.tiles[:2]
        yield from self.overlaps(case)
        if (dst.vrow, dst.vcol) != (src.vrow, 2 * src.vcol):
            yield "tscatter-mask-shape"

    def chain(self, case):
        return Chain((Step("V", reads=False), Step("S")), between=(("V", "S"),), after=(("S", "V"),))


SCATTERS = [Row("tscatter", ScatterMask(), lambda target: list(DRAWN) if target == "a2a3" else [], ("t",), MODES, weight=4)]
