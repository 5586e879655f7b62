"""What both case makers draw: extents, tiles, buffers, index values. All from one random.Random per case."""
import numpy as np

from facts import SIZE, Tile


def chance(rng, p):
    return rng.random() < p


def round_up(n, unit):
    return -(-n // unit) * unit


def extents(rng, small=False):
    """Valid rows and columns: mostly a few, sometimes one element, sometimes wide or tall enough for kernels' tails."""
    kind = rng.random()
    if kind < 0.06:
        return 1, 1
    if kind < 0.70 or small:
        return rng.randint(1, 7), rng.randint(1, 13)
    if kind < 0.92:
        return rng.randint(1, 18), rng.randint(1, 36)
    if kind < 0.96:
        return rng.randint(1, 4), rng.randint(60, 140)
    return rng.randint(40, 130), rng.randint(1, 5)


def grown(rng, n):
    return n + rng.choice((0, 0, 0, 1, 3, 8))


def padded(rng, dtype, vrow, vcol, order="row", blocks=False, fractal_rows=False):
    """A tile that holds the valid region. `blocks`: the contiguous extent is whole 32-byte blocks."""
    unit = 32 // SIZE[dtype]
    rows, cols = grown(rng, vrow), grown(rng, vcol)
    if order == "nz":
        rows, cols = round_up(rows, 16) if fractal_rows else rows, round_up(cols, unit)
    elif blocks and order == "row":
        cols = round_up(cols, unit)
    elif blocks:
        rows = round_up(rows, unit)
    return finish(rng, Tile(dtype, rows, cols, vrow, vcol, order))


def finish(rng, tile):
    """The fields that must not matter, and extents given at run time."""
    tile.pad = rng.randrange(4)
    tile.implicit = chance(rng, 0.3)
    if chance(rng, 0.25):
        tile.dyn = (chance(rng, 0.7), chance(rng, 0.7))
    return tile


def place(rng, *tiles):
    """Addresses one after another, in 32-byte blocks."""
    address = 32 * rng.randrange(4)
    for tile in tiles:
        if tile is not None:
            tile.addr = address
            address = round_up(address + tile.bytes, 32) + 32 * rng.randrange(3)


def cut(rng, size):
    """A length below `size` bytes, often in the middle of an element."""
    return rng.randint(max(1, size // 3), max(1, size - 1))


def lengthen(rng, size):
    """A buffer is usually exact; a longer one must make no difference."""
    return size + rng.choice((1, 7, 32)) if chance(rng, 0.08) else size


def special_indices(bits, capacity):
    """The values at which readings of the documents part."""
    values = [0, capacity - 1, capacity, capacity + 1, capacity + 2, 2 * capacity, (1 << 31) - 1, 1 << 31,
              (1 << 32) - 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
    if bits == 64:
        values += [1 << 32, (1 << 32) + capacity, (1 << 63) + 1]
    return values


def index_pool(rng, bits, capacity, wild, extra=()):
    """Values to draw indices from: valid ones, and with `wild` those at the edges and beyond."""
    mask = (1 << bits) - 1
    top = min(capacity, 1 << bits)
    valid = [rng.randrange(top) for _ in range(24)] + [0, top - 1]
    if not wild:
        return valid
    specials = [value & mask for value in special_indices(bits, capacity)] + list(extra)
    return valid + rng.sample(specials, rng.randint(1, len(specials))) + list(extra)


def index_bytes(rng, tile, pool, size):
    """`size` bytes of index storage; the padding holds indices too, so that reading it shows."""
    count = size // tile.size + 1
    return np.array(rng.choices(pool, k=count), f"u{tile.size}").tobytes()[:size]


def run_options(rng, case):
    case.threads = rng.choice((0, 1, 1, 3))
    case.shift = rng.choice((0, 0, 8))
    return case
