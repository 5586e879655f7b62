"""What a case of an elementwise instruction must give, by the oracle, and whether it did."""
from dataclasses import dataclass

import numpy as np

from elements import bits_type, decode, encode, is_float, round_to
from facts import FAULT, ILLEGAL, OK
from oracle_tiles import Where

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
    if a2a3 and op.packed and case.places[0] < 0 and dst.vcol < dst.cols and dst.vrow > 1:
        return dst.vrow, dst.vcol, np.arange(dst.vrow * dst.vcol).reshape(dst.vrow, dst.vcol)
    cols = dst.vcol
    if a2a3 and op.even and dst.size == 1 and cols < dst.cols:
        cols += cols % 2
    return dst.vrow, cols, dst.offsets(dst.vrow, cols)


def has_other_region(case):
    return any((tile.vrow, tile.vcol) != (case.tiles[0].vrow, case.tiles[0].vcol) for tile in case.sources)


def inputs_of(case, rows, cols):
    """The sources as values: float64, or Python integers."""
    tiles, inputs = list(case.sources), []
    for kind in case.kinds.rstrip("x-"):
        if kind == "t":
            tile = tiles.pop(0)
            storage = np.frombuffer(case.image, bits_type(tile.dtype), tile.rows * tile.cols, tile.addr)
            value = decode(case.dtype, storage[tile.offsets(rows, cols)])
        else:
            value = decode(case.scalar_dtype, np.full((rows, cols), case.scalar).astype(bits_type(case.scalar_dtype)))
            value = round_to(case.dtype, value) if is_float(case.dtype) else value
        inputs.append(value if is_float(case.dtype) else value.astype(object))
    return inputs + [np.zeros((rows, cols), inputs[0].dtype)] * (2 - len(inputs))


def compute(case, where, a, b):
    """The bits, and how many elements have no result."""
    if is_float(case.dtype):
        with np.errstate(all="ignore"):
            return encode(case.dtype, case.op.real(where, a, b)), 0
    mask = (1 << where.width) - 1
    pairs = list(zip(a.ravel(), b.ravel()))
    bits = np.array([case.op.whole(where, x, y) & mask for x, y in pairs], np.uint64).astype(bits_type(case.dtype))
    faults = sum(case.op.faults(where, x, y) for x, y in pairs) if case.op.faults else 0
    return bits.reshape(a.shape), faults


def expect(case):
    where = Where(case.target, case.dtype, case.in_place)
    rows, cols, places = region(case)
    bits, faults = compute(case, where, *inputs_of(case, rows, cols))
    free = np.isnan(decode(case.dtype, bits)) if is_float(case.dtype) else np.zeros(bits.shape, bool)
    counts = {case.op.fault: faults} if faults else {}
    ids = set(counts)
    if case.target != "host" and has_other_region(case):
        ids.add("elementwise-shape-late")
    if "s" in case.kinds and is_float(case.dtype) and case.scalar_dtype != case.dtype:
        ids.add("elementwise-scalar-rounded")
    return Expected(places, bits, free, counts, ids)


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
        inputs = [str(value[r, c]) for value in inputs_of(case, *got.shape)]
        return f"({r},{c}) of {', '.join(inputs)} is {int(got[r, c]):#x}, not {int(want.bits[r, c]):#x}"
    rest = np.array(np.frombuffer(case.image, np.uint8))
    rest[dst.addr:dst.addr + dst.bytes].view(kind)[want.places] = got
    return "" if rest.tobytes() == image else "bytes outside dst's region changed"


def judge_plan(case, way, want):
    status = FAULT if want.faults else OK
    if way.status != status or way.faults != want.faults:
        return f"status {way.status}, {way.faults}, not {status}, {want.faults}"
    return judge_image(case, way.image, want)


def judge_core(case, way, want):
    """Of a tmp that a library uses, the contents are lost there."""
    if set(way.faults) != want.ids:
        return f"reports {sorted(way.faults)}, not {sorted(want.ids)}"
    image = bytearray(way.image)
    if case.target == "a2a3" and "x" in case.kinds:
        tmp = slice(case.tiles[-1].addr, case.tiles[-1].addr + case.op.clobbers)
        if any(byte != 0xAA for byte in image[tmp]):
            return "the contents of tmp are not lost"
        image[tmp] = case.image[tmp]
    return judge_image(case, bytes(image), want)


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


def refused_by(rule):
    def judge_refused(case, result):
        return [] if result[0] == ILLEGAL and rule in result[1] else [f"status {result[0]}, {result[1]}: not refused by {rule}"]
    return judge_refused
