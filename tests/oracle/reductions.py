"""Reductions among the vector instructions that random programs draw; vectors.py imports this once its classes are there."""
import numpy as np

import arg_tiles
import reduce_tiles
from draw_tiles import Case
from facts import SIZE, Tile
from vectors import DRAWN, ON_V, Chain, Effect, Family, Mode, Need, Piece, Row, Shape, Step, block, drawn_region, is_float, region, tile_of

BINARY = (Mode("", "", (0,)), Mode(" {isBinary = true}", "", (1,)))
V_THEN_S = Chain((Step("V"), Step("S")), between=(("V", "S"),), after=(("S", "V"),))


def upright(dtype, rows):
    """A column that stands alone."""
    return Shape(dtype, -(-rows // block(dtype)) * block(dtype), 1, rows, 1, "col")


class Reduce(Family):
    """Each row, or column, of the source becomes one element of dst."""
    oracle = reduce_tiles

    def by_row(self, name):
        return name.startswith("trow")

    def needs_tmp(self, row, target, dtype):
        """Always, whatever the extents are."""
        return target == "a2a3" and self.by_row(row.name) and (row.name == "trowprod" or not is_float(dtype))

    def operands(self, rng, row, target, dtype):
        return "tx" if self.needs_tmp(row, target, dtype) else rng.choice(row.kinds)

    def mode(self, rng, row, kinds):
        return len(row.modes) - 1 if "x" in kinds else 0

    def result_type(self, rng, dtype):
        return dtype

    def shapes(self, rng, row, target, dtype, kinds):
        rows, cols, vcol = drawn_region(rng, dtype)
        rows = rng.randint(1, 5) if not self.by_row(row.name) else rows
        if self.by_row(row.name) and "x" in kinds and rng.random() < 0.4:  # longer than 256 bytes
            cols = 256 // SIZE[dtype] + block(dtype) * rng.choice((1, 2))
            vcol = rng.randint(cols - block(dtype), cols)
        src, kind = Shape(dtype, rows, cols, rows, vcol), self.result_type(rng, dtype)
        dst = Shape(kind, 1, -(-vcol // block(kind)) * block(kind), 1, vcol)
        if self.by_row(row.name):
            dst = upright(kind, rows) if rng.random() < 0.5 else Shape(kind, rows, block(kind), rows, 1)
        case = Case(row.name, target, dtype, [tile_of(dst), tile_of(src)], None, kinds, 0, dtype, [-1, -1],
                    row.modes[self.mode(rng, row, kinds)].numbers)
        return [dst, src] + [self.tmp(dtype, self.oracle.needed_tmp(case))] * kinds.count("x")

    def tmp(self, dtype, need):
        rows, cols = need or (1, 1)
        cols = -(-cols // block(dtype)) * block(dtype)
        return Shape(dtype, rows, cols, rows, cols)

    # -- what is touched, and given

    def results(self, case):
        """Places in dst, bits, and whether bytes are compared."""
        at, bits, free = reduce_tiles.results(case)
        return at, bits, bool(free.any())

    def effect(self, case):
        dst, src = case.tiles[:2]
        at, bits, free = self.results(case)
        first, last = (0, 1) if self.chain(case) is V_THEN_S else (-1, -1)
        lines = region(src, src.vrow, src.vcol)
        lines = lines if self.by_row(case.name) else lines.T
        effect = Effect(ids=set(self.oracle.expected_faults(case, "core")), free=free)
        effect.reads = [Piece(1, lines, src.size, step=first)]
        needs = tuple(Need(lines[:, k], src.size) for k in range(lines.shape[1]))
        effect.writes = self.behind(case, last) + [Piece(0, dst.addr + np.asarray(at) * dst.size, dst.size, bits, needs, last)]
        need = self.oracle.needed_tmp(case)
        if need and "x" in case.kinds:
            tmp = case.tiles[-1]
            rows, cols = np.indices(need)
            places = tmp.addr + (rows * tmp.cols + cols) * tmp.size
            lost = np.full(places.shape, int.from_bytes([0xAA] * tmp.size, "little"))
            effect.writes.insert(0, Piece(-1, places, tmp.size, lost, step=max(first, -1)))
            effect.reads += [Piece(-1, places, tmp.size, step=1)] * (last == 1)
        return effect

    def behind(self, case, step):
        """a2a3: columns fill the last block of dst with what is left in a row of the source, or of tmp."""
        dst = case.tiles[0]
        places = np.array(reduce_tiles.filled(case), int)
        if not len(places):
            return []
        return [Piece(0, dst.addr + places, 1, np.full(places.shape, 0xAA), step=step, is_padding=True)]

    def chain(self, case):
        """a2a3: V folds integers and products into a block of tmp, and S folds that."""
        if case.target == "a2a3" and self.by_row(case.name) and (case.name == "trowprod" or not is_float(case.dtype)):
            return V_THEN_S
        return ON_V

    # -- what is refused

    def overlaps(self, case):
        dst, src = case.tiles[:2]
        in_first_row = not self.by_row(case.name) and not self.diags and dst.addr == src.addr and dst.dtype == src.dtype
        kept = [dst] + case.tiles[2:] if in_first_row else case.tiles
        yield from super().overlaps(Case(**{**case.__dict__, "tiles": kept}))

    def refusals(self, case):
        dst, src = case.tiles[:2]
        yield from self.overlaps(case)
        if self.by_row(case.name):
            fits = (dst.vrow, dst.vcol) == (src.vrow, 1)
        else:
            fits = dst.vcol == src.vcol and (dst.vrow == 1 or not self.diags)
        if not fits:
            yield "reduce-valid"
        need = self.oracle.needed_tmp(case)
        if need and not self.has_room(case, need):
            yield "reduce-tmp"

    diags = False

    def has_room(self, case, need):
        tmp = case.tiles[-1]
        if "x" not in case.kinds:
            return False
        return tmp.rows * tmp.cols >= need[1] if need[0] == 1 else tmp.rows >= need[0] and tmp.cols >= need[1]


class Find(Reduce):
    """The positions of the largest or smallest elements."""
    oracle, by_source, diags = arg_tiles, True, True

    def needs_tmp(self, row, target, dtype):
        return target == "a2a3" and not self.by_row(row.name)

    def result_type(self, rng, dtype):
        return rng.choice(("i32", "u32"))

    def results(self, case):
        found, dst = arg_tiles.results(case), case.tiles[0]
        at = dst.offsets(len(found), 1)[:, 0] if self.by_row(case.name) else dst.offsets(1, len(found))[0]
        return at, np.array([position for position, _ in found]), False

    def behind(self, case, step):
        return []

    def chain(self, case):
        """a2a3: of rows that are longer than 256 bytes, S takes the position from tmp."""
        src = case.tiles[1]
        return V_THEN_S if case.target == "a2a3" and self.by_row(case.name) and src.vcol * src.size > 256 else ON_V


def types_of(oracle, name):
    return lambda target: [dtype for dtype in DRAWN if dtype in oracle.types_of(name, target)]


def reduction(name):
    kinds = ("t-", "tx") if name.startswith("trow") or name == "tcolsum" else ("t",)
    return Row(name, REDUCE, types_of(reduce_tiles, name), kinds, BINARY if name == "tcolsum" else (Mode(),), weight=2)


REDUCE, FIND = Reduce(), Find()
REDUCTIONS = [reduction(name) for name in reduce_tiles.NAMES]
REDUCTIONS += [Row(name, FIND, types_of(arg_tiles, name), ("t-", "tx"), weight=2) for name in arg_tiles.NAMES]
