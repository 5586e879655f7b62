"""Element types as numpy sees them: bits to values and back, written from the formats and not from the library."""
import numpy as np

from facts import SIZE

UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
INTEGER = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
           "i64": np.int64, "u64": np.uint64}
# bits of exponent and mantissa, and whether there are infinities
FORMAT = {"f16": (5, 10, True), "bf16": (8, 7, True), "f32": (8, 23, True), "f8e5m2": (5, 2, True), "f8e4m3": (4, 3, False)}


def is_float(dtype):
    return dtype in FORMAT


def bits_type(dtype):
    return UNSIGNED[SIZE[dtype]]


def decode(dtype, bits):
    """Integers in their own type, floats as float64: every value of every format is one exactly."""
    if not is_float(dtype):
        return bits.view(INTEGER[dtype])
    if dtype == "f32":
        with np.errstate(invalid="ignore"):  # a signalling NaN
            return bits.view(np.float32).astype(np.float64)
    exponent_bits, mantissa_bits, infinite = FORMAT[dtype]
    bits = bits.astype(np.int64)
    sign = np.where(bits >> (exponent_bits + mantissa_bits) & 1, -1.0, 1.0)
    exponent = bits >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = bits & (1 << mantissa_bits) - 1
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    value = np.where(exponent == 0, np.ldexp(mantissa.astype(np.float64), 1 - bias - mantissa_bits),
                     np.ldexp(mantissa + float(1 << mantissa_bits), exponent - bias - mantissa_bits))
    if infinite:
        value = np.where(exponent == top, np.where(mantissa == 0, np.inf, np.nan), value)
    else:
        value = np.where((exponent == top) & (mantissa == (1 << mantissa_bits) - 1), np.nan, value)
    return sign * value


def largest(dtype):
    exponent_bits, mantissa_bits, infinite = FORMAT[dtype]
    bias = (1 << exponent_bits - 1) - 1
    if infinite:
        return np.ldexp(2.0 - 2.0 ** -mantissa_bits, bias)
    return np.ldexp(2.0 - 2.0 ** (1 - mantissa_bits), bias + 1)


def round_to(dtype, value):
    """The nearest value of the format, ties to even, as float64. Too large: infinite, or NaN where there is no infinity."""
    exponent_bits, mantissa_bits, infinite = FORMAT[dtype]
    bias = (1 << exponent_bits - 1) - 1
    finite = np.isfinite(value)
    safe = np.where(finite, value, 0.0)
    exponent = np.maximum(np.frexp(safe)[1] - 1, 1 - bias)
    step = np.ldexp(1.0, exponent - mantissa_bits)
    rounded = np.where(finite, np.rint(safe / step) * step, value)
    beyond = np.inf if infinite else np.nan
    return np.where(np.abs(rounded) > largest(dtype), np.copysign(beyond, value), rounded)


def encode(dtype, value):
    """The bits of values; floats are rounded once, a NaN is any NaN."""
    if not is_float(dtype):
        return value.astype(INTEGER[dtype]).view(bits_type(dtype))
    exponent_bits, mantissa_bits, infinite = FORMAT[dtype]
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    rounded = round_to(dtype, np.asarray(value, np.float64))
    finite = np.where(np.isfinite(rounded), np.abs(rounded), 0.0)
    exponent = np.maximum(np.frexp(finite)[1] - 1, 1 - bias)
    whole = np.ldexp(finite, mantissa_bits - exponent).astype(np.int64)  # with the hidden bit, if there is one
    normal = whole >> mantissa_bits
    bits = np.where(normal > 0, (exponent + bias << mantissa_bits) + whole - (1 << mantissa_bits), whole)
    bits = np.where(np.isinf(rounded), top << mantissa_bits, bits)
    bits = np.where(np.isnan(rounded), (top << mantissa_bits) + ((1 << mantissa_bits) - 1), bits)
    bits |= np.signbit(rounded).astype(np.int64) << exponent_bits + mantissa_bits
    return bits.astype(bits_type(dtype))
