"""What the elementwise instructions mean, per target, and which types they take: written from the documents, never from the
library. A lane gets numpy arrays: floats as float64, and what it gives is rounded once; integers as Python's own, and what it gives
is cut to the type."""
from dataclasses import dataclass
from typing import Callable

import numpy as np

from elements import round_to
from facts import A5, DTYPES, SIZE

# ---- types

INT8, INT16, INT32, INT64 = ("i8", "u8"), ("i16", "u16"), ("i32", "u32"), ("i64", "u64")
INTEGERS = INT8 + INT16 + INT32 + INT64
BITS = INT8 + INT16 + INT32
ORDERED = tuple(d for d in DTYPES if d != "hif8")  # host and cpu compute with everything that has an order
FLOATS = tuple(d for d in ORDERED if d not in INTEGERS)
REALS = ("f16", "f32")
FOUR = ("i16", "i32") + REALS
WIDE = INT16 + INT32 + INT64 + ("f16", "bf16", "f32")
DIVIDED = INT16 + INT32 + INT64 + REALS


def types(a2a3, a5, soft=ORDERED):
    return {"host": soft, "cpu": soft, "a2a3": a2a3, **{target: a5 for target in A5}}


@dataclass
class Where:
    """What a lane may want to know besides its operands."""
    target: str
    dtype: str
    in_place: bool = False

    @property
    def width(self):
        return 8 * SIZE[self.dtype]

    @property
    def is_npu(self):
        return self.target not in ("host", "cpu")


# ---- integers: Python's, one by one


def quotient(a, b):
    """Truncated; nothing is divided by zero."""
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift(where, a, count, left):
    if where.target in A5 and where.width == 64:
        count &= 63
    if not 0 <= count < where.width:
        return 0 if left or a >= 0 else -1
    return a << count if left else a >> count


def less_rounded(where, a, b):
    """a2a3 adds the negative of the scalar as a float, which has 24 bits."""
    return a - int(np.float32(b)) if where.target == "a2a3" else a - b


def no_quotient(where, a, b):
    return b == 0


def no_inverse(where, a, b):
    return a == 0


def no_shift(where, a, b):
    return not 0 <= b < where.width


# ---- floats


def larger(where, a, b):
    """NaN if either is one, and +0 above -0; the CPU simulator compares, so a NaN in b is lost."""
    if where.target == "cpu":
        return np.where(a < b, b, a)
    zero = (a == 0) & (b == 0)
    return np.where(zero, np.where(np.signbit(a), b, a), np.maximum(a, b))


def remainder(where, a, b):
    """Exact on host and cpu; elsewhere in steps of f32, of which f16 keeps what it can hold without rounding up."""
    if not where.is_npu:
        return np.fmod(a, b)
    a, b = np.float32(a), np.float32(b)
    result = a - np.trunc(a / b) * b
    if where.dtype != "f16":
        return result.astype(np.float64)
    half = result.astype(np.float16)
    above = np.isfinite(result) & (np.abs(half.astype(np.float64)) > np.abs(result.astype(np.float64)))
    return np.where(above, np.nextafter(half, np.float16(0)), half).astype(np.float64)


def ratio(where, a, b):
    """a2a3 multiplies by the rounded inverse of the scalar when dst is the tile."""
    if where.target == "a2a3" and where.in_place:
        return a * round_to(where.dtype, 1 / b)
    return a / b


# ---- instructions


@dataclass
class Op:
    types: dict
    whole: Callable = None   # of (where, a, b): one pair of Python integers
    real: Callable = None    # ...: arrays of float64
    kinds: tuple = ("tt",)   # what the operands after dst may be: t a tile, s a scalar, x a tmp, - no tmp
    fault: str = ""          # the id of what has no result, and which integers that are
    faults: Callable = None
    loose: bool = False      # one unit in the last place is free
    apart: Callable = None   # of (kinds, dtype): no source is dst on a2a3
    idle: bool = False       # a2a3 does nothing when a source has another region
    even: bool = False       # a2a3 writes 1-byte elements in pairs
    packed: bool = False     # a2a3 fills elements one after the other
    clobbers: int = 0        # bytes of tmp that a2a3 overwrites


def always(kinds, dtype):
    return True


def inverse_of_floats(kinds, dtype):
    return kinds == "st" and dtype in FLOATS


SUM = dict(whole=lambda w, a, b: a + b, real=lambda w, a, b: a + b)
LESS = dict(whole=lambda w, a, b: a - b, real=lambda w, a, b: a - b)
PRODUCT = dict(whole=lambda w, a, b: a * b, real=lambda w, a, b: a * b)
MAX = dict(whole=lambda w, a, b: max(a, b), real=larger)
MIN = dict(whole=lambda w, a, b: min(a, b), real=lambda w, a, b: -larger(w, -a, -b))
AND = dict(whole=lambda w, a, b: a & b, even=True)
OR = dict(whole=lambda w, a, b: a | b, even=True)
LEFT = dict(whole=lambda w, a, b: shift(w, a, b, True), fault="shift-range", faults=no_shift)
RIGHT = dict(whole=lambda w, a, b: shift(w, a, b, False), fault="shift-range", faults=no_shift)
QUOTIENT = dict(whole=lambda w, a, b: quotient(a, b), fault="div-by-zero", faults=no_quotient)
REST = dict(whole=lambda w, a, b: a - quotient(a, b) * b if b else 0, real=remainder, fault="div-by-zero", faults=no_quotient,
            apart=always)
SCALAR, ONE, FILL = dict(kinds=("ts",)), dict(kinds=("t",)), dict(kinds=("s",))

OPS = {
    "tadd": Op(types(FOUR, WIDE + INT8), **SUM),
    "tsub": Op(types(FOUR, WIDE + INT8), **LESS),
    "tmul": Op(types(FOUR, WIDE), **PRODUCT),
    "tmax": Op(types(FOUR, WIDE + INT8), **MAX),
    "tmin": Op(types(FOUR, WIDE + INT8), **MIN),
    "tdiv": Op(types(REALS, DIVIDED), real=lambda w, a, b: a / b, **QUOTIENT),
    "tfmod": Op(types(("f32",), INT16 + INT32 + REALS), **REST),
    "tand": Op(types(BITS, BITS, INTEGERS), **AND),
    "tor": Op(types(BITS, BITS, INTEGERS), **OR),
    "tshl": Op(types(BITS, INTEGERS, INTEGERS), **LEFT),
    "tshr": Op(types(BITS, INTEGERS, INTEGERS), **RIGHT),
    "tadds": Op(types(FOUR, WIDE + INT8), idle=True, **SUM, **SCALAR),
    "tsubs": Op(types(FOUR, WIDE + INT8), whole=less_rounded, real=LESS["real"], idle=True, **SCALAR),
    "tmuls": Op(types(FOUR, WIDE), **PRODUCT, **SCALAR),
    "tmaxs": Op(types(FOUR, WIDE + INT8), **MAX, **SCALAR),
    "tmins": Op(types(FOUR, WIDE + INT8), idle=True, **MIN, **SCALAR),
    "tdivs": Op(types(FOUR, DIVIDED), real=ratio, kinds=("ts", "st"), apart=inverse_of_floats, idle=True, **QUOTIENT),
    "tfmods": Op(types(("f32",), INT16 + INT32 + REALS), **REST, **SCALAR),
    "tands": Op(types(BITS, BITS, INTEGERS), apart=always, **AND, **SCALAR),
    "tors": Op(types(BITS, BITS, INTEGERS), apart=always, **OR, **SCALAR),
    "tshls": Op(types(INT16 + INT32, INTEGERS, INTEGERS), **LEFT, **SCALAR),
    "tshrs": Op(types(INT16 + INT32, INTEGERS, INTEGERS), **RIGHT, **SCALAR),
    "tlrelu": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.where(a > 0, a, a * b), **SCALAR),
    "texp": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.exp(a), loose=True, **ONE),
    "tlog": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.log(a), loose=True, **ONE),
    "tsqrt": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.sqrt(a), **ONE),
    "trsqrt": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: 1 / np.sqrt(a), kinds=("t-", "tx"), clobbers=32),
    "trecip": Op(types(FOUR, FOUR), whole=lambda w, a, b: quotient(1, a), real=lambda w, a, b: 1 / a, fault="div-by-zero",
                 faults=no_inverse, apart=always, **ONE),
    "tneg": Op(types(FOUR, WIDE), whole=lambda w, a, b: a * -1, real=lambda w, a, b: a * -1, **ONE),
    "tabs": Op(types(REALS, ("i8", "i16", "i32") + REALS), whole=lambda w, a, b: abs(a), real=lambda w, a, b: np.abs(a), **ONE),
    "trelu": Op(types(("i32",) + REALS, ("i32",) + REALS), whole=lambda w, a, b: max(a, 0),
                real=lambda w, a, b: np.where((a > 0) | np.isnan(a), a, 0.0), **ONE),
    "tnot": Op(types(BITS, BITS, INTEGERS), whole=lambda w, a, b: ~a, even=True, **ONE),
    "texpands": Op(types(BITS + ("f16", "bf16", "f32"), INTEGERS + ("f16", "bf16", "f32")), whole=lambda w, a, b: a,
                   real=lambda w, a, b: a, even=True, packed=True, **FILL),
}
