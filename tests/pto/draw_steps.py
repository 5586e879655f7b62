"""Draws single gathers for programs.py: legal cases from the makers of tests/conform, fitted to what text can say.

A case comes with exact tile buffers. Padding of a tile is what TLOAD makes of it, so where an instruction reads padding the
tile is padded with zeros; on devices, which pad no further than a block, it reads none.
"""
import random
import struct
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import cells
import draw as drawing
import make_mgather
import make_tgather
from draw import extents, padded, round_up
from facts import A5, NO_ROOM, SIZE, UB_OUTSIDE_TILE, Case, Tile, keeps
from legal import aligned, violations
from make_mgather import view_elements
from oracle import expect

MACHINES = {"a2a3", "a5", "a5-custom"}
TARGETS = ("host", "cpu", "a2a3", "a5", "a5-custom")
SCALARS = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32")  # types of which text has constants for the compare form
LARGEST_TABLE = 1 << 14                                      # elements


def cells_by_kind():
    """{(target, form): cells}"""
    table = {}
    for cell in cells.cells():
        if cell.target in TARGETS and not (cell.form == "compare" and cell.dtype not in SCALARS):
            table.setdefault((cell.target, cell.form), []).append(cell)
    return table


CELLS = cells_by_kind()


# ---- whole tiles: what every form can write ----

def block_extents(rng, small=False):
    return 8 * rng.randint(1, 2), 32 * rng.randint(1, 2)


@contextmanager
def whole_tiles():
    """While it lasts, the makers draw tiles in whole blocks without padding."""
    with ExitStack() as patches:
        for module in (make_mgather, make_tgather):
            patches.enter_context(patch.object(module, "extents", block_extents))
        for module in (drawing, make_tgather):
            patches.enter_context(patch.object(module, "grown", lambda rng, n: n))
        yield


def settle(case):
    """The fields that only level 2 can write, at their defaults."""
    for tile in tiles_of(case).values():
        tile.dyn, tile.pad, tile.addr = (False, False), 0, None


# ---- TGATHER in functions: tiles that TLOAD takes ----

def block_extent(rng, *dtypes):
    """Rows, and columns that are whole 32-byte blocks of every type."""
    unit = max(32 // SIZE[dtype] for dtype in dtypes)
    return rng.randint(1, 6), unit * rng.randint(1, 2)


def full(dtype, rows, cols):
    return Tile(dtype, rows, cols, rows, cols)


def loaded_index(cell, rng):
    rows, cols = block_extent(rng, cell.dtype, cell.index)
    src = padded(rng, cell.dtype, *extents(rng, small=True), blocks=True)
    case = Case(cell.target, "index", "", full(cell.dtype, rows, cols), full(cell.index, rows, cols), src=src)
    if cell.target == "a2a3" or rng.random() < 0.3:
        case.tmp = full(cell.index, rows, cols)
    return case


def whole_mask(cell, rng):
    """The destination is exactly what is kept."""
    step, _ = keeps(cell.pattern)
    rows, cols = 4 * rng.randint(1, 3), 128 * rng.randint(1, 2) // SIZE[cell.dtype]
    dst = (rows // step, cols) if cell.axis == "col" else (rows, cols // step)
    return Case(cell.target, "mask", "", full(cell.dtype, *dst), src=full(cell.dtype, rows, cols), pattern=cell.pattern,
                axis=cell.axis)


def loaded_mask(cell, rng):
    step, first = keeps(cell.pattern)
    src = padded(rng, cell.dtype, *extents(rng, small=True), blocks=True)
    unit = 32 // src.size
    if cell.axis == "col":
        dst = full(cell.dtype, max(1, len(range(first, src.vrow, step))), src.cols)
    else:
        kept = max(1, src.vrow * max(len(range(first, src.vcol, step)), unit // step))
        dst = full(cell.dtype, -(-kept // unit), unit)
    return Case(cell.target, "mask", "", dst, src=src, pattern=cell.pattern, axis=cell.axis)


def loaded_compare(cell, rng):
    rows, cols = extents(rng, small=True)
    src = padded(rng, cell.dtype, rows, cols, blocks=True)
    dst = full(cell.index, rows, round_up(cols, 8))
    cdst = padded(rng, "i32", 1, rows, blocks=True)
    return Case(cell.target, "compare", "", dst, src=src, cdst=cdst, cmp=cell.cmp, offset=rng.choice((0, 0, 7, -3)))


LOADED = {"index": loaded_index, "mask": loaded_mask, "compare": loaded_compare}


# ---- data ----

def tiles_of(case):
    return {name: tile for name in ("dst", "idx", "src", "tmp", "cdst") if (tile := getattr(case, name)) is not None}


def exact(buffer, size, rng):
    """As many bytes as the tile has: the buffer repeated, so that indices stay indices."""
    return (buffer * (size // max(1, len(buffer)) + 1))[:size] if buffer else rng.randbytes(size)


def small_values(rng, dtype, count):
    """Values that meet each other in comparisons."""
    pool = [value for value in make_tgather.bit_patterns(rng, dtype)][:9]
    return b"".join(rng.choices(pool, k=count))


def scalar_bits(rng, dtype):
    if dtype[0] == "i":
        return struct.pack("<q", rng.choice((0, 1, -1, 5, -128)))[:SIZE[dtype]]
    value = rng.choice((0.0, 1.0, -1.0, 0.5, 1.5, 2.0, 96.0))
    return struct.pack("<f", value)[2:] if dtype == "bf16" else struct.pack("<e" if dtype == "f16" else "<f", value)


def fill(rng, case):
    """Buffers of the tiles; of a compare, also the scalar."""
    for name, tile in tiles_of(case).items():
        whole = len(case.buffers.get(name, b"")) // tile.size * tile.size
        case.buffers[name] = exact(case.buffers.get(name, b"")[:whole], tile.bytes, rng)
    if case.form == "index":
        top = min(case.src.rows * case.src.cols, (1 << 8 * case.idx.size - 1) - 1)
        pool = [rng.randrange(top) for _ in range(16)]
        if case.target in ("host", "cpu") and rng.random() < 0.3:
            pool.append(case.src.rows * case.src.cols % (1 << 8 * case.idx.size - 1))
        count = case.idx.rows * case.idx.cols
        case.buffers["idx"] = b"".join(struct.pack("<q", rng.choice(pool))[:case.idx.size] for _ in range(count))
    if case.form == "compare":
        case.k = Tile(case.src.dtype, 1, 1, 1, 1)
        case.buffers["k"] = scalar_bits(rng, case.src.dtype)
        case.buffers["src"] = small_values(rng, case.src.dtype, case.src.rows * case.src.cols)


def tame_cpu(case, rng):
    """cpu reads signed, unchecked indices: kept from leaving the table to the left."""
    if case.target == "cpu" and case.is_mgather:
        count = case.idx.rows * case.idx.cols
        top = max(1, min(view_elements(case.table), 1 << 30))
        case.buffers["idx"] = b"".join(struct.pack("<i", rng.randrange(top)) for _ in range(count))


# ---- a case ----

def reads_padding(case):
    """Does the instruction read elements of a tile outside its valid region?"""
    if case.form == "index":
        return (case.src.vrow, case.src.vcol) != (case.src.rows, case.src.cols)
    if case.target == "a5-custom" and case.is_mgather:
        return (case.idx.vrow, case.idx.vcol) != (case.idx.rows, case.idx.cols)
    return case.target == "cpu" and case.is_mgather and case.idx.cols == 1 and case.idx.rows != case.idx.vrow


def zero_padding(case):
    if reads_padding(case):
        (case.src if case.form == "index" else case.idx).pad = 1


def loadable(case):
    """TLOAD and TSTORE want whole blocks on devices; the index column of a5-custom has none."""
    free = ("tmp", "idx") if case.target == "a5-custom" and case.is_mgather else ("tmp",)
    loaded = [tile for name, tile in tiles_of(case).items() if name not in free]
    return case.target in ("host", "cpu") or all(aligned(tile) for tile in loaded)


def fits(case, in_function):
    if case.is_mgather and view_elements(case.table) > LARGEST_TABLE:
        return False
    if in_function and reads_padding(case) and case.target in MACHINES:
        return False  # TLOAD pads no further than the block there
    if not in_function and (reads_padding(case) or case.is_mgather and not table_in_type(case)):
        return False
    return not violations(case) and (not in_function or loadable(case))


def table_in_type(case):
    """A memref type says shape and strides of an ND table; the buffer holds all of it."""
    if case.table.layout != "nd" or any(case.table.dyn_shape) or any(case.table.dyn_stride):
        return False
    return len(case.buffers["src"]) >= view_elements(case.table) * case.table.size


def make_case(cell, rng, in_function, whole):
    if cell.form == "mask" and whole:
        return whole_mask(cell, rng)
    if in_function and cell.form in LOADED:
        return LOADED[cell.form](cell, rng)
    case = (make_mgather if cell.form in ("row", "elem") else make_tgather).make(cell, rng)
    case.tmp = None
    return case


def draw(rng, target, form, in_function, whole=False):
    """A legal case of a form that the target has; `whole`: of whole tiles, as far as the form has them."""
    while True:
        cell = rng.choice(CELLS[target, form])
        if whole and form == "mask" and target in A5 and SIZE[cell.dtype] == 8 and cell.pattern != "P1111":
            continue  # its rows lie over each other (E35): no destination is exactly what is kept
        with whole_tiles() if whole else ExitStack():
            case = make_case(cell, rng, in_function, whole)
        if whole:
            settle(case)
        if case.is_mgather and target == "cpu":
            case.coalesce = "elem"
        table = case.buffers.get("src") if case.is_mgather else None
        fill(rng, case)
        if table is not None:
            case.buffers["src"] = table
        tame_cpu(case, rng)
        zero_padding(case)
        if not fits(case, in_function):
            continue
        outcome = expect(case)
        if outcome.status != NO_ROOM and not outcome.faults[UB_OUTSIDE_TILE][0]:
            return case


def rng_of(seed, number):
    return random.Random(seed * 1000003 + number)
