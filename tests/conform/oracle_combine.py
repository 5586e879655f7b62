"""Instructions that combine elements of several tiles: random cases, and what must come out, written from the pages of the manual and not
from the library.

Integers wrap around; a sum of three floats is rounded to f32 after each step. taddreluconv and tsubreluconv round the sum to the type of
the sources and saturate to that of dst; a5 wraps around in i16 before that. tadddeqrelu scales in f32, by 2^-17 first and 2^17 last, and
saturates, but cpu does neither. tdequant takes scale and offset of column 0, cpu of each column. tpairreducesum packs rows on a5 where all
columns are valid, and clears dst on cpu. tquant multiplies and adds in f32, takes the nearest integer, ties to even, and clamps it;
without offset it has a sign. tconcatcounts takes as many columns as the counts say, in bytes of the counts' type, but not more than dst
has valid, except on cpu. Of equal numbers tpartargmax and tpartargmin take src0, cpu src1. A2/A3 has no interleaves.
"""
import numpy as np

import elements
from elements import is_float
from facts import A5, SIGNED, SIZE
from oracle_mscatter import CPU, Case, Want, tile

UB, STEP = 0xC000, 0x1800
SOFT = ("host",) + CPU
BITS, REALS = ("i8", "u8", "i16", "u16", "i32", "u32"), ("f16", "f32")
NINE = BITS + ("f16", "bf16", "f32")
SUMS = {"taddc": (1, 1), "tsubc": (-1, 1), "taddsc": (1, 1), "tsubsc": (-1, 1)}
NAMES = (*SUMS, "taddreluconv", "tsubreluconv", "tadddeqrelu", "tdequant", "tpairreducesum", "tpartargmax", "tpartargmin", "tinterleave",
         "tdeinterleave", "tquant", "tconcatcounts")


def encode(dtype, number):
    with np.errstate(over="ignore"):
        return int(np.asarray(elements.encode(dtype, np.asarray([number], np.float64))).reshape(-1)[0])


def decode(dtype, bits):
    return float(np.asarray(elements.decode(dtype, np.asarray([bits], elements.bits_type(dtype)))).reshape(-1)[0])


def pick(random, values):
    return values[int(random.integers(len(values)))]


def numbers(random, dtype, shape):
    """Numbers of a type as a list of rows of their bits, small ones and some at the ends of the type."""
    rows, cols = shape
    def one():
        if is_float(dtype):
            return encode(dtype, pick(random, (0.0, 1.0, -1.5, 2.5, 0.1, -3.25, 1000.0, 60000.0 if dtype != "f16" else 40000.0)))
        low, high = (-2**(8 * SIZE[dtype] - 1), 2**(8 * SIZE[dtype] - 1)) if dtype in SIGNED else (0, 2**(8 * SIZE[dtype]))
        value = int(random.integers(-100, 100)) if random.integers(3) else int(random.integers(low, high))
        return value % 2**(8 * SIZE[dtype])
    return [[one() for _ in range(cols)] for _ in range(rows)]


def whole(dtype, bits):
    return bits - 2**(8 * SIZE[dtype]) if dtype in SIGNED and bits >= 2**(8 * SIZE[dtype] - 1) else bits


def value(dtype, bits):
    return decode(dtype, bits) if is_float(dtype) else whole(dtype, bits)


def rounded(dtype, number):
    return decode(dtype, encode(dtype, number))


def cut(dtype, number):
    return number % 2**(8 * SIZE[dtype])


def positive(number):
    return number if number > 0 else 0.0


class Draw:
    """The tiles of a case, one behind the other, with their values."""

    def __init__(self, random, target):
        self.random, self.target, self.operands, self.data, self.image = random, target, [], [], bytearray(random.bytes(UB))

    def add(self, dtype, shape, valid, order="row"):
        at = STEP * len(self.operands)
        rows = numbers(self.random, dtype, shape)
        self.operands.append(tile(dtype, *shape, valid, order, at))
        self.data.append(rows)
        for r, row in enumerate(rows):
            for c, bits in enumerate(row):
                self.put(self.image, len(self.operands) - 1, r, c, bits)
        return len(self.operands) - 1

    def scalar(self, dtype, bits):
        self.operands.append({"kind": "scalar", "dtype": dtype, "bits": bits})
        self.data.append(bits)

    def absent(self):
        self.operands.append(None)
        self.data.append(None)

    def put(self, image, operand, r, c, bits):
        of = self.operands[operand]
        size, place = SIZE[of["dtype"]], c * of["rows"] + r if of["order"] == "col" else r * of["cols"] + c
        at = of["addr"] + place * size
        image[at:at + size] = bits.to_bytes(size, "little")


def shape_of(random, sizes):
    """Rows and columns of a tile of whole blocks of the narrowest type, and what is valid of it."""
    block = 32 // min(sizes)
    rows, cols = int(random.integers(1, 5)), block * int(random.integers(1, 3))
    whole_tile = random.integers(2)
    return (rows, cols), (rows, cols) if whole_tile else (int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1)))


def sums(d, name):
    kinds = BITS + REALS if d.target in SOFT else ("i16", "i32") + REALS
    dtype = pick(d.random, kinds)
    shape, valid = shape_of(d.random, [SIZE[dtype]])
    d.add(dtype, shape, valid)
    d.add(dtype, shape, valid)
    scalar = name in ("taddsc", "tsubsc")
    if scalar:
        d.scalar(dtype, numbers(d.random, dtype, (1, 1))[0][0])
    else:
        d.add(dtype, shape, valid)
    d.add(dtype, shape, valid)
    sign = SUMS[name][0]

    def element(r, c):
        a, b, e = (value(dtype, x if isinstance(x, int) else x[r][c]) for x in d.data[1:4])
        if not is_float(dtype):
            return cut(dtype, a + sign * b + e)
        return encode(dtype, rounded("f32", rounded("f32", a + sign * b) + e))
    return valid, {0: element}


def narrowed(d, name):
    source, dst = pick(d.random, (("f32", "f16"), ("f16", "i8"), ("i16", "i8")))
    shape, valid = shape_of(d.random, [SIZE[dst]])
    d.add(dst, shape, valid)
    d.add(source, shape, valid)
    d.add(source, shape, valid)

    def element(r, c):
        a, b = value(source, d.data[1][r][c]), value(source, d.data[2][r][c])
        total = a - b if name == "tsubreluconv" else a + b
        if source == "i16":
            return min(max(whole("i16", total % 65536) if d.target in A5 else total, 0), 127)
        total = positive(rounded(source, total))
        return encode("f16", min(total, 65504.0)) if dst == "f16" else int(min(np.rint(total), 127))
    return valid, {0: element}


def scaled(d, _):
    shape, valid = shape_of(d.random, [2])
    d.add("f16", shape, valid)
    d.add("i32", shape, valid)
    d.add("i32", shape, valid)
    scale = np.float32(pick(d.random, (1.0, 0.5, -2.0, 0.1, 1e-3)))
    d.scalar("f32", int(scale.view(np.uint32)))
    if d.target == "a2a3":
        d.add("i32", shape, shape)
    else:
        d.absent()

    def element(r, c):
        with np.errstate(over="ignore"):
            number = np.float32(whole("i32", cut("i32", d.data[1][r][c] + d.data[2][r][c])))
            number = number * scale if d.target in CPU else number * np.float32(2**-17) * scale * np.float32(2**17)
            return encode("f16", positive(float(number)) if d.target in CPU else min(positive(float(number)), 65504.0))
    return valid, {0: element}


def dequantized(d, _):
    source = pick(d.random, ("i8", "i16"))
    shape, valid = shape_of(d.random, [SIZE[source]])
    d.add("f32", shape, valid)
    d.add(source, shape, valid)
    cols = pick(d.random, (1, valid[1])) if d.target in CPU else 1
    for _ in range(2):
        d.add("f32", shape, (valid[0], cols))

    def element(r, c):
        at = min(c, cols - 1)
        moved = rounded("f32", value(source, d.data[1][r][c]) - value("f32", d.data[3][r][at]))
        return encode("f32", moved * value("f32", d.data[2][r][at]))
    return valid, {0: element}


def paired(d, _):
    dtype = pick(d.random, BITS + REALS if d.target in SOFT else REALS)
    shape, valid = shape_of(d.random, [SIZE[dtype]])
    d.add(dtype, shape, valid)
    d.add(dtype, shape, valid)
    cpu, (rows, cols) = d.target in CPU, valid

    def pair(r, c):
        a = value(dtype, d.data[1][r][2 * c])
        b = value(dtype, d.data[1][r][2 * c + 1]) if 2 * c + 1 < cols else 0
        return encode(dtype, a + b) if is_float(dtype) else cut(dtype, a + b)

    def element(r, c):
        """None: not written."""
        if d.target in A5 and cols == shape[1]:
            n = r * shape[1] + c
            return pair(n // (cols // 2), n % (cols // 2)) if n < rows * (cols // 2) else None
        if r < rows and c < ((cols + 1) // 2 if cpu else cols // 2):
            return pair(r, c)
        return 0 if cpu else None
    return shape, {0: element}


def selected(d, name):
    data = pick(d.random, ("i8", "u8", "i16", "i32", "f16", "bf16", "f32") if d.target in SOFT else REALS)
    index = pick(d.random, ("i32", "u32") if SIZE[data] == 4 else ("i16", "u16", "i32", "u32"))
    shape, valid = shape_of(d.random, [SIZE[data], SIZE[index]])
    part = int(d.random.integers(1, valid[0] + 1)), int(d.random.integers(1, valid[1] + 1))
    regions = [valid, part][::pick(d.random, (1, -1))]
    for dtype, region in ((data, valid), (index, valid), (data, regions[0]), (data, regions[1]), (index, regions[0]), (index, regions[1])):
        d.add(dtype, shape, region)

    def first(r, c):
        inside = [r < rows and c < cols for rows, cols in regions]
        if not all(inside):
            return inside[0]
        a, b = value(data, d.data[2][r][c]), value(data, d.data[3][r][c])
        if name == "tpartargmin":
            a, b = -a, -b
        return a > b if d.target in CPU else a >= b
    return valid, {0: lambda r, c: d.data[2 if first(r, c) else 3][r][c], 1: lambda r, c: d.data[4 if first(r, c) else 5][r][c]}


def reordered(d, name):
    dtype = pick(d.random, NINE)
    shape, valid = shape_of(d.random, [SIZE[dtype]])
    if shape[1] > 1 and (d.target not in A5 or d.random.integers(2)):
        valid = valid[0], max(2, valid[1] - valid[1] % 2)
    one = name == "tdeinterleave" and d.random.integers(2)
    for _ in range(2):
        d.add(dtype, shape, valid)
    if one:
        d.add(dtype, (shape[0], 2 * shape[1]), (valid[0], 2 * valid[1]))
        d.absent()
    else:
        d.add(dtype, shape, valid)
        d.add(dtype, shape, valid)
    half, step = valid[1] // 2, 256 // SIZE[dtype]
    written = valid[1] if one or valid[1] % 2 == 0 or (name == "tinterleave" and half % step) else valid[1] - 1

    def element(number):
        def of(r, c):
            if c >= written:
                return None
            if name == "tinterleave":
                return d.data[2 + c % 2][r][c // 2 + number * half]
            source, at = (2, c) if one or c < half else (3, c - half)
            return d.data[source][r][2 * at + number]
        return of
    return valid, {0: element(0), 1: element(1)}


def quantized(d, _):
    dst = pick(d.random, ("i8", "u8"))
    shape, valid = shape_of(d.random, [1])
    d.add(dst, shape, valid)
    d.add("f32", shape, valid)
    d.add("f32", (8, 1), (valid[0], 1), "col")
    if d.target == "a2a3" or d.random.integers(2):
        d.add("f32", shape, valid)
    else:
        d.absent()
    if dst == "u8":
        d.add("f32", (8, 1), (valid[0], 1), "col")
    else:
        d.absent()
    low, high = (-128, 127) if dst == "i8" else (0, 255)

    def element(r, c):
        number = rounded("f32", value("f32", d.data[1][r][c]) * value("f32", d.data[2][r][0]))
        if dst == "u8":
            number = rounded("f32", number + value("f32", d.data[4][r][0]))
        return int(min(max(np.rint(number), low), high)) % 256
    return valid, {0: element}


def counted(d, _):
    dtype, index = pick(d.random, NINE), pick(d.random, ("i8", "i16", "i32", "u16", "u32"))
    size, rows = SIZE[index], int(d.random.integers(1, 5))
    cols = 32 // SIZE[dtype]
    room = 2 * cols if d.target in CPU else int(d.random.integers(cols + 1 if d.target == "a2a3" else 1, 2 * cols + 1))
    block = 32 // size
    d.add(dtype, (rows, 2 * cols), (rows, room))
    d.add(index, (rows, block), (rows, 1))
    for _ in range(2):
        d.add(dtype, (rows, cols), (rows, cols))
    for operand in (4, 5):
        d.add(index, (rows, block), (rows, 1))
        for r in range(rows):
            count = int(d.random.integers(1 if d.target == "a2a3" else 0, min(cols, 63 // size) + 1))
            d.data[operand][r][0] = count * size
            d.put(d.image, operand, r, 0, count * size)

    def split(r):
        counts = [d.data[operand][r][0] // size for operand in (4, 5)]
        first = min(counts[0], room)
        return first, min(counts[1], room - first), min(sum(counts), room) * size

    def element(r, c):
        first, second, _ = split(r)
        if c < first:
            return d.data[2][r][c]
        return d.data[3][r][c - first] if c < first + second else None
    return (rows, 2 * cols), {0: element, 1: lambda r, c: split(r)[2] if c == 0 else None}


KINDS = {**dict.fromkeys(SUMS, sums), "taddreluconv": narrowed, "tsubreluconv": narrowed, "tadddeqrelu": scaled, "tdequant": dequantized,
         "tpairreducesum": paired, "tpartargmax": selected, "tpartargmin": selected, "tinterleave": reordered, "tdeinterleave": reordered,
         "tquant": quantized, "tconcatcounts": counted}


class Combined:
    """The cases of one instruction, as scatter.py asks for them."""

    def __init__(self, name):
        self.name = name

    def draw(self, random, target):
        d = Draw(random, target)
        (rows, cols), results = KINDS[self.name](d, self.name)
        case = Case(self.name, target, d.operands, (), bytes(d.image), b"", str(d.operands))
        if target == "a2a3" and "interleave" in self.name:
            return case, Want(rule=f"{self.name}-target")
        image, odd = bytearray(d.image), d.operands[0]["valid"][1] % 2 == 1
        for number, element in results.items():
            for r in range(rows):
                for c in range(cols):
                    bits = element(r, c)
                    if bits is not None:
                        d.put(image, number, r, c, bits)
        two = self.name == "tinterleave" or (self.name == "tdeinterleave" and d.operands[3])
        if odd and two and target not in A5:
            return case, Want(rule=f"{self.name}-even")
        # A2/A3 computes tadddeqrelu in the place of its sources and of tmp.
        lost = (STEP, UB) if self.name == "tadddeqrelu" and target == "a2a3" else ()
        if self.name == "tquant" and target == "a2a3":  # in the place of its source and of tmp
            lost = (STEP, 4 * STEP)
        return case, Want(image=bytes(image), ignored=lost)
