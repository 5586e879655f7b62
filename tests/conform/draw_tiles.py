"""Cases of elementwise instructions: random ones, all values of 16-bit types, and those that the documents state."""
import itertools
from dataclasses import dataclass, field

import numpy as np

import oracle_cvt
from elements import bits_type, decode, encode, is_float
from facts import A5, ORDER, Tile
from oracle_tiles import FLOATS, INTEGERS, OPS, needs_tmp, uses_tmp


@dataclass
class Case:
    name: str
    target: str
    dtype: str
    tiles: list               # dst first, then the tiles among the sources
    image: bytearray          # all tiles at their addresses
    kinds: str                # of the operands after dst: t a tile, s a scalar, x a tmp, - no tmp
    scalar: int = 0           # the bits of the scalar among the sources
    scalar_dtype: str = ""
    places: list = field(default_factory=list)  # per tile: where a run gives its extents; -1: nowhere
    attrs: tuple = ()         # of ptog_insn.attr, from the first on
    scalars: list = None      # where there are several: the bits of each

    @property
    def op(self):
        return OPS[self.name]

    @property
    def sources(self):
        return self.tiles[1:1 + self.kinds.count("t")]

    @property
    def in_place(self):
        return self.kinds[0] == "t" and self.tiles[1].addr == self.tiles[0].addr

    @property
    def data(self):
        """The type of the sources."""
        return self.sources[0].dtype if self.sources else self.dtype

    def describe(self):
        lines = [f"{self.name} {self.dtype} on {self.target}, scalar {self.scalar:#x} of {self.scalar_dtype}"]
        for tile, place in zip(self.tiles, self.places):
            lines.append(f"  {tile.rows}x{tile.cols} {tile.order}, valid {tile.vrow}x{tile.vcol}, at {tile.addr}"
                         + (", extents of the run" if place >= 0 else ""))
        return "\n".join(lines)


def draw_bits(random, dtype, count):
    """Random patterns, small numbers and the ends of the range, in about equal parts."""
    kind = bits_type(dtype)
    bits = random.integers(0, 2 ** (8 * np.dtype(kind).itemsize), count, dtype=np.uint64).astype(kind)
    small = random.integers(-9, 10, count)
    if dtype == "hif8":
        return bits
    if is_float(dtype):
        edges = encode(dtype, np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 1e-3, 300.0]))
        few = encode(dtype, small * random.choice([1.0, 0.25, 3.0], count))
    else:
        limits = np.iinfo(decode(dtype, bits[:1]).dtype)
        edges = np.array([limits.min, limits.max, 0, 1, limits.max // 2], limits.dtype).view(kind)
        few = small.astype(np.int64).astype(limits.dtype).view(kind)
    choice = random.integers(0, 3, count)
    return np.select([choice == 0, choice == 1], [bits, few], random.choice(edges, count)).astype(kind)


def draw_tile(random, target, dtype, valid, order):
    """A tile with at least this valid region, its rows a multiple of 32 bytes."""
    block = 32 // np.dtype(bits_type(dtype)).itemsize
    rows = valid[0] + int(random.integers(0, 3))
    cols = -(-valid[1] // block) * block + block * int(random.integers(0, 2))
    if order == "nz":
        rows = -(-rows // 16) * 16
    return Tile(dtype, rows, cols, *valid, order=order)


def place_tiles(random, tiles, in_place):
    """One after the other, with a gap now and then; a source of `in_place` is dst."""
    at = 0
    for i, tile in enumerate(tiles):
        if i in in_place:
            valid = (tile.vrow, tile.vcol) if tile.vrow <= tiles[0].vrow else (tiles[0].vrow, tiles[0].vcol)
            tiles[i] = Tile(**{**tiles[0].__dict__, "vrow": valid[0], "vcol": min(valid[1], tiles[0].vcol)})
            continue
        tile.addr = at
        at += -(-tile.bytes // 32) * 32 + 32 * int(random.integers(0, 2))
    return at


def draw_shapes(random, name, kinds, target, dtype, open_):
    """Tiles for dst and the tile sources. On host a source may have more than dst asks for, and any order; elsewhere another
    region than dst's, if the run alone knows it."""
    valid = int(random.integers(1, 9)), int(random.integers(1, 41))
    tiles = []
    op = OPS[name]
    source = op.widens[0] if dtype in op.widens[1:] and random.integers(0, 2) else dtype
    for i in range(1 + kinds.count("t")):
        order = str(random.choice(list(ORDER))) if target in ("host", "cpu", "cpusim") else "row"
        if order == "row" and name == "texpands":
            order = str(random.choice(["row", "col"]))
        more = (int(random.integers(0, 2)), int(random.integers(0, 2))) if target == "host" and i else (0, 0)
        more = (0, 0) if op.part else more
        tile = draw_tile(random, target, source if i else dtype, (valid[0] + more[0], valid[1] + more[1]), order)
        if i and open_ and target != "host" and not op.part and random.integers(0, 4) == 0:
            tile.vrow, tile.vcol = int(random.integers(1, tile.rows + 1)), int(random.integers(1, tile.cols + 1))
        tiles.append(tile)
    if op.part:
        draw_parts(random, target, tiles)
    return tiles + [draw_tmp(random, name, target, tiles[0])] * kinds.count("x")


def draw_parts(random, target, tiles):
    """One of the sources is smaller than dst; on cpu both may be anything."""
    for tile in (tiles[1:] if target in ("cpu", "cpusim") else [tiles[int(random.integers(1, 3))]]):
        if random.integers(0, 4):
            tile.vrow, tile.vcol = int(random.integers(1, tile.vrow + 1)), int(random.integers(1, tile.vcol + 1))


def draw_tmp(random, name, target, dst):
    """As small as a2a3 takes it, or larger; elsewhere of any type."""
    if not uses_tmp(name, target, dst.dtype):
        return draw_tile(random, target, dst.dtype, (1, 32), "row")
    dtype, rows, cols = OPS[name].tmp(dst)
    tile = Tile(dtype, rows, cols, rows, cols)
    tile.rows, tile.cols = rows + int(random.integers(0, 2)), cols + int(random.integers(0, 65)) * int(random.integers(0, 3))
    powers = name in ("tpow", "tpows")  # their library asserts that tmp has the valid shape of dst
    tile.vrow, tile.vcol = (dst.vrow, dst.vcol) if powers else (tile.rows, tile.cols)
    return tile


def draw_scalar(random, name, dtype):
    """Bits and type. A float may be of another float type, and the count of a shift of any integer type."""
    other = FLOATS if dtype in FLOATS else INTEGERS if OPS[name].fault == "shift-range" else (dtype,)
    kind = str(random.choice(other)) if random.integers(0, 3) == 0 else dtype
    return int(draw_bits(random, kind, 1)[0]), kind


def may_alias(case, source):
    """Source number `source` may be dst."""
    if case.tiles[source].dtype != case.dtype:
        return False
    if case.name == "trems" and case.target in A5 and case.dtype == "u64":
        return False
    return not (case.target == "a2a3" and case.op.apart and case.op.apart(case, source))


def draw_case(random, name, target, dtype, in_place=None):
    kinds = str(random.choice(OPS[name].kinds))
    if needs_tmp(name, target, dtype):
        kinds = kinds.replace("-", "x")
    open_ = bool(random.integers(0, 3) == 0)
    tiles = draw_shapes(random, name, kinds, target, dtype, open_)
    case = Case(name, target, dtype, tiles, None, kinds, places=draw_places(kinds, open_))
    if in_place is None:
        in_place = [i for i in range(1, 1 + kinds.count("t")) if may_alias(case, i) and random.integers(0, 4) == 0]
    case.image = bytearray(random.bytes(place_tiles(random, tiles, in_place)))
    for tile in tiles[::-1]:
        case.image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, tile.dtype, tile.rows * tile.cols).tobytes()
    case.scalar, case.scalar_dtype = draw_scalar(random, name, case.data)
    return case


def draw_places(kinds, open_):
    """Where struct ptog_run has the extents of dst and of the tiles among the sources."""
    places = [place if open_ else -1 for place in [0] + [i + 1 for i, kind in enumerate(kinds) if kind == "t"]]
    return places + [-1] * kinds.count("x")


def draw_conversion(random, target, source, dtype):
    """tcvt between two types, by any mode; narrowing in place now and then."""
    open_ = bool(random.integers(0, 3) == 0)
    valid = int(random.integers(1, 9)), int(random.integers(1, 90))
    orders = [str(random.choice(list(ORDER))) if target in ("host", "cpu", "cpusim") else "row" for _ in range(2)]
    tiles = [draw_tile(random, target, kind, valid, order) for kind, order in zip((dtype, source), orders)]
    kinds = str(random.choice(OPS["tcvt"].kinds))
    case = Case("tcvt", target, dtype, tiles, None, kinds, 0, dtype, draw_places(kinds, open_),
                (int(random.integers(0, 8)), int(random.integers(0, 2))))
    if "x" in kinds:
        bytes_ = max(oracle_cvt.tmp_bytes(case), 32) + 32 * int(random.integers(0, 2))
        tiles.append(Tile("u8", 1, bytes_, 1, bytes_))
    end = place_tiles(random, tiles, [])
    dst, src = tiles[:2]
    if dst.size <= src.size and dst.cols * dst.size <= src.cols * src.size and orders == ["row"] * 2 and random.integers(0, 2):
        dst.addr = src.addr
        if dst.bytes > src.bytes:
            dst.rows, src.rows = valid[0], valid[0]
    case.image = bytearray(random.bytes(end))
    case.image[src.addr:src.addr + src.bytes] = draw_bits(random, source, src.rows * src.cols).tobytes()
    return case


def sweep_conversions(random, target, source, dtype, bits):
    """All these bits of the source, by every mode."""
    size = 128 * 128
    for part, mode, saturation in itertools.product(range(-(-len(bits) // size)), range(8), range(2)):
        tiles = [Tile(dtype, 128, 128, 128, 128), Tile(source, 128, 128, 128, 128)]
        image = bytearray(place_tiles(random, tiles, []))
        data = np.resize(bits[part * size:(part + 1) * size], size).tobytes()
        image[tiles[1].addr:tiles[1].addr + len(data)] = data
        yield Case("tcvt", target, dtype, tiles, image, "t-", 0, dtype, [-1] * 2, (mode, saturation))


def between(dtype):
    """f32 numbers on both sides of every number of a 16-bit type, halfway to the next one, and next to that."""
    value = decode(dtype, np.arange(1 << 16, dtype=np.uint16))
    finite = np.unique(value[np.isfinite(value)])
    middle = np.float32((finite[1:] + finite[:-1]) / 2)
    around = [middle, np.nextafter(middle, np.float32(np.inf)), np.nextafter(middle, np.float32(-np.inf)), np.float32(finite)]
    return np.concatenate(around).astype(np.float32).view(np.uint32)


def sweep_cases(random, name, target, dtype):
    """Every value of a 16-bit type as the first source, four tiles of 128x128."""
    kinds = OPS[name].kinds[0].replace("x", "-")
    for part in range(4):
        tiles = [Tile(dtype, 128, 128, 128, 128) for _ in range(1 + kinds.count("t"))]
        place_tiles(random, tiles, [1])
        image = bytearray(tiles[-1].addr + tiles[-1].bytes)
        for tile in tiles[2:]:
            image[tile.addr:tile.addr + tile.bytes] = draw_bits(random, dtype, 128 * 128).tobytes()
        image[:tiles[0].bytes] = np.arange(part << 14, part + 1 << 14, dtype=np.uint16).tobytes()
        yield Case(name, target, dtype, tiles, image, kinds, int(draw_bits(random, dtype, 1)[0]), dtype, [-1] * len(tiles))


def stated_conversion(target, source, dtype, mode, saturation, tmp, value):
    """A tcvt of one element."""
    tiles = [Tile(dtype, 1, 32, 1, 1, addr=0), Tile(source, 1, 32, 1, 1, addr=512)] + [Tile("u8", 1, 1024, 1, 1024, addr=1024)] * tmp
    case = Case("tcvt", target, dtype, tiles, bytearray(2048), "tx" if tmp else "t-", 0, dtype, [-1] * len(tiles), (mode, saturation))
    case.image[512:520] = encode(source, np.array([value])).tobytes().ljust(8, b"\0")
    return case


def stated_case(name, target, dtype, operands):
    """A case of one element."""
    kinds, size = OPS[name].kinds[0], np.dtype(bits_type(dtype)).itemsize
    tiles = [Tile(dtype, 1, 32 // size, 1, 1, addr=32 * i) for i in range(1 + kinds.count("t"))]
    valid = (1, 1) if name in ("tpow", "tpows") else (2, 256)
    tiles += [Tile("u8" if name == "tprelu" else dtype, 2, 256, *valid, addr=32 * len(tiles))] * kinds.count("x")
    case = Case(name, target, dtype, tiles, bytearray(tiles[-1].addr + tiles[-1].bytes), kinds, 0, dtype, [-1] * len(tiles))
    sources = list(case.sources)
    if len(operands) > len(kinds.rstrip("x-")):  # what dst holds
        case.image[:size] = encode(dtype, np.array([operands[-1]])).tobytes()
    for kind, value in zip(kinds, operands):
        bits = encode(dtype, np.array([value]))
        if kind == "t":
            tile = sources.pop(0)
            case.image[tile.addr:tile.addr + size] = bits.tobytes()
        else:
            case.scalar = int(bits[0])
    return case
