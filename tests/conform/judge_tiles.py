"""What a case of an elementwise instruction must give, by the oracle, and whether it did."""
from dataclasses import dataclass

import numpy as np

from elements import bits_type, decode, encode, is_float, round_to
from facts import FAULT, ILLEGAL, OK
from oracle_cvt import tmp_bytes
from oracle_tiles import INTEGERS, Where, uses_tmp

WAYS = ("the plan's way", "the obvious loop", "the core")


@dataclass
class Expected:
    places: np.ndarray  # in dst's storage, by row and column
    bits: np.ndarray
    free: np.ndarray    # NaN: any of them
    faults: dict        # how many elements, by id
    ids: set            # what a core reports


def region(case):
    """How many rows and columns are computed, and where in dst's storage they go."""
    dst, op = case.tiles[0], case.op
    a2a3 = case.target == "a2a3"
    if a2a3 and op.idle and has_other_region(case):
        return 0, 0, np.zeros((0, 0), int)
    upright = op.packed and dst.order == "col"  # texpands of columns is that of rows, turned
    if a2a3 and upright and case.places[0] < 0 and dst.vrow < dst.rows and dst.vcol > 1:
        return dst.vrow, dst.vcol, np.arange(dst.vrow * dst.vcol).reshape(dst.vcol, dst.vrow).T
    if a2a3 and op.packed and not upright and case.places[0] < 0 and dst.vcol < dst.cols and dst.vrow > 1:
        return dst.vrow, dst.vcol, np.arange(dst.vrow * dst.vcol).reshape(dst.vrow, dst.vcol)
    if a2a3 and upright and dst.size == 1 and dst.vrow < dst.rows:
        return dst.vrow + dst.vrow % 2, dst.vcol, dst.offsets(dst.vrow + dst.vrow % 2, dst.vcol)
    cols = dst.vcol
    if op.convert and case.target in ("cpu", "cpusim"):
        source = case.tiles[1]
        return source.vrow, source.vcol, dst.offsets(source.vrow, source.vcol)
    if a2a3 and op.part and has_other_region(case):
        cols = copied_cols(case)
    if a2a3 and op.even and not upright and dst.size == 1 and cols < dst.cols:
        cols += cols % 2
    return dst.vrow, cols, dst.offsets(dst.vrow, cols)


def whole_source(case):
    """Of two parts: the one that has all of dst."""
    dst, first = case.tiles[0], case.tiles[1]
    return 1 if (first.vrow, first.vcol) == (dst.vrow, dst.vcol) else 2


def copied_cols(case):
    """How far a2a3 copies the rows that one part has alone: all columns where both tiles have as many, else whole blocks."""
    dst, whole = case.tiles[0], case.tiles[whole_source(case)]
    block = 32 // dst.size
    return dst.cols if dst.cols == whole.cols else -(-dst.vcol // block) * block


def written(case, rows, cols):
    """What of a region is written: all of it, but rows of parts that are not copied end with dst's valid columns."""
    r, c = np.indices((rows, cols))
    if not (case.op.part and cols > case.tiles[0].vcol):
        return np.ones((rows, cols), bool)
    dst, smaller = case.tiles[0], case.tiles[3 - whole_source(case)]
    copied_from = 0 if smaller.vcol < dst.vcol else smaller.vrow
    return (c < dst.vcol) | (r >= copied_from)


def has_other_region(case):
    return any((tile.vrow, tile.vcol) != (case.tiles[0].vrow, case.tiles[0].vcol) for tile in case.sources)


def bits_of(case, tile, rows, cols):
    """Elements of a tile in the image; what a part does not have is its first element."""
    storage = np.frombuffer(case.image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
    r, c = np.indices((rows, cols))
    inside = (r < tile.rows) & (c < tile.cols)
    places = np.zeros((rows, cols), int)
    if inside.all():
        places = tile.offsets(rows, cols)
    else:
        have = tile.offsets(min(rows, tile.rows), min(cols, tile.cols))
        places[:have.shape[0], :have.shape[1]] = have
    return storage[places]


def values_of(case, tile, rows, cols):
    return decode(tile.dtype, bits_of(case, tile, rows, cols))


def inputs_of(case, rows, cols):
    """The sources as values: float64, or Python integers."""
    tiles, inputs = list(case.sources), []
    for kind in case.kinds.rstrip("x-"):
        if kind == "t":
            tile = tiles.pop(0)
            value = values_of(case, tile, rows, cols)
        else:
            value = decode(case.scalar_dtype, np.full((rows, cols), case.scalar).astype(bits_type(case.scalar_dtype)))
            value = round_to(case.data, value) if is_float(case.dtype) else value
        inputs.append(value if is_float(case.dtype) else value.astype(object))
    inputs += [np.zeros((rows, cols), inputs[0].dtype)] * (2 - len(inputs))
    return inputs + [values_of(case, case.tiles[0], rows, cols)] * case.op.reads_dst


def compute_parts(case, bits, rows, cols):
    """Where only one of two parts has an element, that one; 0 where none has."""
    r, c = np.indices((rows, cols))
    inside = [(r < tile.vrow) & (c < tile.vcol) for tile in case.sources]
    own = [bits_of(case, tile, rows, cols) for tile in case.sources]
    if cols > case.tiles[0].vcol:
        inside[whole_source(case) - 1] |= c >= case.tiles[0].vcol
    bits = np.where(inside[0] & inside[1], bits, np.where(inside[0], own[0], own[1]))
    return np.where(inside[0] | inside[1], bits, 0).astype(bits_type(case.dtype))


def compute(case, where, a, b, c=None):
    """The bits, and how many elements have no result."""
    if is_float(case.dtype):
        with np.errstate(all="ignore"):
            return encode(case.dtype, case.op.real(where, a, b, c) if case.op.reads_dst else case.op.real(where, a, b)), 0
    mask = (1 << where.width) - 1
    pairs = list(zip(a.ravel(), b.ravel()))
    bits = np.array([case.op.whole(where, x, y) & mask for x, y in pairs], np.uint64).astype(bits_type(case.dtype))
    faults = sum(case.op.faults(where, x, y) for x, y in pairs) if case.op.faults else 0
    return bits.reshape(a.shape), faults


def is_bits(case):
    """Floats whose bits are looked at."""
    return case.op.bits is not None and case.dtype not in INTEGERS


def expect(case):
    where = Where(case.target, case.dtype, case.in_place, "s" in case.kinds)
    rows, cols, places = region(case)
    if case.op.convert:
        bits, faults = case.op.convert(case, bits_of(case, case.tiles[1], rows, cols)), 0
    elif is_bits(case):
        bits, faults = case.op.bits(*(bits_of(case, tile, rows, cols) for tile in case.sources)), 0
    else:
        bits, faults = compute(case, where, *inputs_of(case, rows, cols))
    if case.op.part and rows:
        bits = compute_parts(case, bits, rows, cols)
        keep = written(case, rows, cols)
        bits = np.where(keep, bits, bits_of(case, case.tiles[0], rows, cols))
    exact = is_bits(case) or not is_float(case.dtype)
    free = np.zeros(bits.shape, bool) if exact else np.isnan(decode(case.dtype, bits))
    counts = {case.op.fault: faults} if faults else {}
    ids = set(counts)
    if lost_bytes(case) > case.tiles[-1].bytes:
        ids.add("tile-overrun")
    if case.target != "host" and not case.op.part and has_other_region(case):
        ids.add("elementwise-shape-late")
    if "s" in case.kinds and is_float(case.dtype) and case.scalar_dtype != case.data:
        ids.add("elementwise-scalar-rounded")
    return Expected(places, bits, free, counts, ids)


def value_at(case, r, c):
    return values_of(case, case.tiles[1], r + 1, c + 1)[r, c]


def close(case, got, want):
    """Bits that are right: equal, or next to each other where the last place is free."""
    return got == want.bits if not case.op.loose else np.abs(got.astype(np.int64) - want.bits.astype(np.int64)) <= 1


def judge_image(case, image, want):
    dst = case.tiles[0]
    kind = bits_type(dst.dtype)
    got = np.frombuffer(image, kind, dst.rows * dst.cols, dst.addr)[want.places]
    nan = np.isnan(decode(case.dtype, got)) if is_float(case.dtype) else np.zeros(got.shape, bool)
    same = np.where(want.free, nan, close(case, got, want))
    if not same.all():
        r, c = (int(i) for i in np.argwhere(~same)[0])
        inputs = ([str(value_at(case, r, c))] if case.op.convert else [str(value[r, c]) for value in inputs_of(case, *got.shape)])
        return f"({r},{c}) of {', '.join(inputs)} is {int(got[r, c]):#x}, not {int(want.bits[r, c]):#x}"
    rest = np.array(np.frombuffer(case.image, np.uint8))
    rest[dst.addr:dst.addr + dst.bytes].view(kind)[want.places] = got
    return "" if rest.tobytes() == image else "bytes outside dst's region changed"


def judge_plan(case, way, want):
    status = FAULT if want.faults else OK
    if way.status != status or way.faults != want.faults:
        return f"status {way.status}, {way.faults}, not {status}, {want.faults}"
    return judge_image(case, way.image, want)


def lost_bytes(case):
    """Of a tmp that the library of a2a3 uses."""
    if "x" not in case.kinds:
        return 0
    if case.op.convert:
        return tmp_bytes(case)
    return case.op.lost(case.tiles[0], case.tiles[-1]) if uses_tmp(case.name, case.target, case.dtype) else 0


def judge_core(case, way, want):
    """Of a tmp that a library uses, the contents are lost there."""
    if set(way.faults) != want.ids:
        return f"reports {sorted(way.faults)}, not {sorted(want.ids)}"
    image = bytearray(way.image)
    if lost_bytes(case):
        tmp = case.tiles[-1]
        lost = slice(tmp.addr, tmp.addr + min(lost_bytes(case), tmp.bytes))
        if any(byte != 0xAA for byte in image[lost]):
            return "the contents of tmp are not lost"
        image[lost] = case.image[lost]
    if case.target == "a2a3" and not is_float(case.dtype):
        for tile, leaves in zip(case.sources, case.op.spoils):
            if problem := judge_spoiled(case, image, tile, leaves):
                return problem
    return judge_image(case, bytes(image), want)


def judge_spoiled(case, image, tile, leaves):
    """A source that is not what it was: checked, and put back."""
    dst = case.tiles[0]
    places = tile.offsets(dst.vrow, dst.vcol)
    kind, span = bits_type(tile.dtype), slice(tile.addr, tile.addr + tile.bytes)
    before, after = (np.frombuffer(bytes(data[span]), kind) for data in (case.image, image))
    mask = (1 << 8 * tile.size) - 1
    left = np.array([leaves(int(x)) & mask for x in decode(tile.dtype, before[places]).ravel()]).astype(kind).reshape(places.shape)
    if (after[places] != left).any():
        return "a source does not hold what the library leaves there"
    image[span] = case.image[span]
    return ""


def judge(case, result):
    status, ids, ways = result
    if status != OK:
        return [f"refused: {ids}"]
    want = expect(case)
    found = [(name, judged_by(case, way, want)) for name, way, judged_by in zip(WAYS, ways, (judge_plan, judge_plan, judge_core))]
    return [f"{name}: {problem}" for name, problem in found if problem]


def judge_stated(result, fault=""):
    """The oracle says what the documents say, and every way says what the oracle says."""
    def judge_both(case, found):
        want = expect(case)
        bits = encode(case.dtype, np.array([result]))
        free = is_float(case.dtype) and np.isnan(result)
        wrong = want.free[0, 0] != free or (not free and want.bits[0, 0] != bits[0]) or set(want.faults) != {fault} - {""}
        return judge(case, found) + ["the oracle gives another result than the documents"] * bool(wrong)
    return judge_both


def warned_by(rule):
    def judge_warned(case, result):
        return [] if result[0] != ILLEGAL and rule in result[1] else [f"status {result[0]}, {result[1]}: no warning by {rule}"]
    return judge_warned


def refused_by(rule):
    def judge_refused(case, result):
        return [] if result[0] == ILLEGAL and rule in result[1] else [f"status {result[0]}, {result[1]}: not refused by {rule}"]
    return judge_refused
