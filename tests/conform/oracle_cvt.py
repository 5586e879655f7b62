"""What tcvt means, per target: written from the documents, never from the library. Floats are float64 arrays, which hold every
number of every format; integers are Python's own."""
from fractions import Fraction

import numpy as np

from elements import FORMAT, INTEGER, bits_type, decode, encode, is_float, largest
from facts import DTYPES, SIZE

NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD, CAST_RINT = MODES = range(8)
ON, OFF = 0, 1
NARROWING = {("f16", "u8"), ("f16", "i8"), ("f16", "i16"), ("f32", "i16"), ("i64", "i32"), ("i32", "i16")}
NUMBERS = tuple(d for d in DTYPES if d != "hif8")
F8 = ("f8e4m3", "f8e5m2")
A2A3_PAIRS = {"f32": "f16 f32 bf16 i16 i32 i64", "f16": "f32 i32 i16 i8 u8", "bf16": "f32 i32", "i16": "f16 f32",
              "i32": "f32 f16 i16 i64", "i64": "f32 i32", "u8": "f16", "i8": "f16"}
A5_PAIRS = {"f32": "f16 f32 bf16 i16 i32 i64 f8e4m3 f8e5m2", "f16": "f32 i32 i16 i8 u8", "bf16": "f32 i32 f16",
            "i16": "f16 f32 u8 u32 i32", "i32": "f32 i16 u16 i64 u8", "i64": "f32 i32", "u8": "f16 u16", "i8": "f16 i16 i32",
            "u32": "u8 u16 i16", "f8e4m3": "f32", "f8e5m2": "f32"}


def converts(target, source, dtype):
    if target in ("host", "cpu", "cpusim"):
        return True
    return dtype in (A2A3_PAIRS if target == "a2a3" else A5_PAIRS).get(source, "").split()


def mode_of(source, dtype, mode):
    """The mode that is in effect, away from the CPU simulator."""
    if mode == CAST_RINT or dtype in F8:
        return RINT
    if mode == NONE or (mode == ODD and (source, dtype) != ("f32", "f16")):
        return TRUNC if is_float(source) and not is_float(dtype) else RINT
    return mode


def whole(value, mode):
    """Whole numbers of float64, each mode in its own words."""
    below, above = np.floor(value), np.ceil(value)
    if mode == RINT:
        return np.rint(value)
    if mode == ROUND:
        return np.where(np.abs(value - np.trunc(value)) >= 0.5, np.where(value < 0, below, above), np.trunc(value))
    if mode == ODD:
        return np.where(below == above, value, np.where(np.mod(below, 2) != 0, below, above))
    return {FLOOR: below, CEIL: above, TRUNC: np.trunc(value)}[mode]


def whole_fraction(value, mode):
    """The same for one Fraction."""
    below = value.numerator // value.denominator
    rest = value - below
    if rest == 0:
        return below
    nearest = below + (rest > Fraction(1, 2))
    tie = rest == Fraction(1, 2)
    return {RINT: below + below % 2 if tie else nearest, ROUND: below + (value > 0) if tie else nearest, FLOOR: below, CEIL: below + 1,
            TRUNC: below + (value < 0), ODD: below if below % 2 else below + 1}[mode]


def to_float(dtype, value, mode, saturate):
    """Float64 rounded to a format. What is too large: its largest number, or infinity."""
    exponent_bits, mantissa_bits, infinite = FORMAT[dtype]
    bias = (1 << exponent_bits - 1) - 1
    finite = np.isfinite(value)
    safe = np.where(finite, value, 0.0)
    step = np.ldexp(1.0, np.maximum(np.frexp(safe)[1] - 1, 1 - bias) - mantissa_bits)
    rounded = np.copysign(whole(safe / step, mode) * step, safe)
    beyond = largest(dtype) if saturate else np.inf if infinite else np.nan
    rounded = np.where(np.abs(rounded) > largest(dtype), np.copysign(beyond, safe), rounded)
    if not infinite:
        value = np.where(np.isinf(value), np.copysign(beyond, value), value)
    return np.where(finite, rounded, value)


def long_to_float(dtype, value, mode, saturate):
    """A Python integer that float64 does not hold."""
    mantissa_bits = FORMAT[dtype][1]
    step = 2 ** max(abs(value).bit_length() - 1 - mantissa_bits, 0)
    return float(to_float(dtype, np.float64(whole_fraction(Fraction(value, step), mode) * step), RINT, saturate))


def range_of(dtype, conversion, negative):
    """Between which numbers a whole number is clamped: those of its type, or what it is cut from."""
    if conversion.saturates:
        limits = np.iinfo(INTEGER[dtype])
    elif conversion.through_int32:
        limits = np.iinfo(np.int32)
    else:
        limits = np.iinfo(np.uint64 if dtype == "u64" and not negative else np.int64)
    return int(limits.min), int(limits.max)


def outside(conversion, negative, limit):
    """What stands for a number outside the range: its end, or without saturation all ones above and 0 below."""
    if conversion.saturates or conversion.through_int32:
        return limit
    return 0 if negative else -1


def to_integer(dtype, number, conversion):
    """One whole number of Python's, or an infinity or NaN."""
    low, high = range_of(dtype, conversion, number < 0)
    if number != number:
        return 0
    if number > high:
        return outside(conversion, False, high)
    if number < low:
        return outside(conversion, True, low)
    return int(number)


def to_integers(dtype, value, conversion):
    """The bits of an array of whole float64."""
    if dtype == "u64":
        return pack(dtype, [to_integer(dtype, float(v), conversion) for v in value.ravel()], value.shape)
    low, high = range_of(dtype, conversion, False)
    inside = (value >= float(low)) & (value < float(high + 1))
    numbers = np.where(inside, value, 0).astype(np.int64)
    ends = np.where(value > 0, outside(conversion, False, high), outside(conversion, True, low))
    numbers = np.where(inside | np.isnan(value), numbers, ends)
    return numbers.astype(INTEGER[dtype]).view(bits_type(dtype))


class Conversion:
    def __init__(self, target, source, dtype, mode, saturation, tmp):
        self.target, self.source, self.dtype, self.tmp = target, source, dtype, tmp
        self.saturates = saturation == ON
        self.mode = mode
        if target == "a2a3" and not tmp and (source, dtype) not in NARROWING:
            self.saturates = True
        self.through_int32 = target == "a2a3" and tmp and (source, dtype) == ("f32", "i16")

    def __call__(self, bits):
        value = decode(self.source, bits)
        with np.errstate(all="ignore"):
            return self.by_cast(value) if self.target in ("cpu", "cpusim") else self.convert(value)

    def convert(self, value):
        mode = mode_of(self.source, self.dtype, self.mode)
        if not is_float(self.dtype):
            if is_float(self.source):
                return to_integers(self.dtype, whole(value, mode), self)
            return pack(self.dtype, [to_integer(self.dtype, int(v), self) for v in value.ravel()], value.shape)
        if is_float(self.source):
            if self.source == self.dtype == "f32":
                value = np.where(np.isfinite(value), np.copysign(whole(value, mode), value), value)
            return encode(self.dtype, to_float(self.dtype, value, mode, self.saturates))
        numbers = [long_to_float(self.dtype, int(v), mode, self.saturates) for v in value.ravel()]
        return encode(self.dtype, np.array(numbers).reshape(value.shape))

    # ---- the CPU simulator: C++ casts

    def by_cast(self, value):
        if self.saturates:
            value = self.clamp_source(value)
        if self.source == self.dtype:
            return encode(self.dtype, value)
        if is_float(self.dtype):
            return encode(self.dtype, to_float(self.dtype, value.astype(np.float64), TRUNC if self.dtype in F8 else RINT, False))
        if not is_float(self.source):
            return pack(self.dtype, [int(v) for v in value.ravel()], value.shape)
        modes = {RINT: RINT, CAST_RINT: RINT, ROUND: ROUND, FLOOR: FLOOR, CEIL: CEIL, TRUNC: TRUNC, NONE: TRUNC}
        rounded = ties_to_odd(value) if self.mode == ODD else whole(value, modes[self.mode])
        return pack(self.dtype, [cast(self.dtype, v) for v in rounded.ravel()], value.shape)

    def clamp_source(self, value):
        """The source, as double, between the limits of both types, and a value of its own type again."""
        low, high = max(limit(self.source, -1), limit(self.dtype, -1)), min(limit(self.source, 1), limit(self.dtype, 1))
        value = value.astype(np.float64)
        value = np.where(value < high, value, high)
        value = np.where(low < value, value, low)
        if is_float(self.source):
            return decode(self.source, encode(self.source, value))
        numbers = pack(self.source, [cast(self.source, v, False) for v in value.ravel()], value.shape)
        return decode(self.source, numbers)


def ties_to_odd(value):
    below = np.floor(value)
    rest = value - below
    return np.where(rest == 0.5, np.where(np.mod(below, 2) != 0, below, below + 1), np.where(rest > 0.5, below + 1, below))


def limit(dtype, sign):
    if is_float(dtype):
        return sign * float(largest(dtype))
    limits = np.iinfo(INTEGER[dtype])
    return float(limits.max if sign > 0 else limits.min)


def cast(dtype, value, through_long=True):
    """x86: the lowest number of the conversion that a compiler takes; uint8_t goes through int64_t here."""
    if dtype == "u64" and value >= 2.0**63:
        return int(value) if value < 2.0**64 else 0
    bits = 64 if dtype in ("u32", "i64", "u64") or (dtype == "u8" and through_long) else 32
    fits = np.isfinite(value) and -2.0**(bits - 1) <= np.trunc(value) < 2.0**(bits - 1)
    return int(value) if fits else -2**(bits - 1)


def pack(dtype, numbers, shape):
    mask = (1 << 8 * SIZE[dtype]) - 1
    return np.array([n & mask for n in numbers], np.uint64).astype(bits_type(dtype)).reshape(shape)


def tmp_bytes(case):
    """What a2a3 needs of a tmp without saturation, and overwrites."""
    dst, source = case.tiles[0], case.tiles[1]
    cols = min(dst.vcol, 64)
    if case.target != "a2a3" or case.attrs[1] != OFF:
        return 0
    if (source.dtype, dst.dtype) == ("f16", "i16"):
        return 32 * -(-cols // 8)
    if (source.dtype, dst.dtype) == ("f16", "i8"):
        return max(32 * -(-cols // 8), 128 + 32 * -(-cols // 16))
    if (source.dtype, dst.dtype) == ("f32", "i16"):
        rest = dst.vcol % 64
        tail = 32 * ((min(dst.vrow, 255) - 1) * source.cols // 8 + -(-rest // 8)) if rest else 0
        return max(256 * min(dst.vcol // 64, 255), tail)
    return 0


def convert(case, bits):
    return Conversion(case.target, case.data, case.dtype, *case.attrs, "x" in case.kinds)(bits)

