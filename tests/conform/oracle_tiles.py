"""What the elementwise instructions mean, per target, and which types they take: written from the documents, never from the
library. A lane gets numpy arrays: floats as float64, and what it gives is rounded once; integers as Python's own, and what it gives
is cut to the type."""
import math
from dataclasses import dataclass
from typing import Callable

import numpy as np

import oracle_cvt
from elements import round_to
from facts import A5, DTYPES, SIZE, TARGETS

# ---- types

INT8, INT16, INT32, INT64 = ("i8", "u8"), ("i16", "u16"), ("i32", "u32"), ("i64", "u64")
INTEGERS = INT8 + INT16 + INT32 + INT64
BITS = INT8 + INT16 + INT32
ORDERED = tuple(d for d in DTYPES if d != "hif8")  # host and cpu compute with everything that has an order
FLOATS = tuple(d for d in ORDERED if d not in INTEGERS)
REALS = ("f16", "f32")
FOUR = ("i16", "i32") + REALS
WIDE = INT16 + INT32 + INT64 + ("f16", "bf16", "f32")
NARROW = tuple(d for d in DTYPES if SIZE[d] < 8)
SOFT = ("host", "cpu", "cpusim")
DIVIDED = INT16 + INT32 + INT64 + REALS


def types(a2a3, a5, soft=ORDERED):
    return {"host": soft, "cpu": soft, "cpusim": soft, "a2a3": a2a3, **{target: a5 for target in A5}}


# The simulator casts in C++ what it computes in double.
INTEGERS_ON_CPUSIM = {"cpusim": FLOATS + ("i16", "i32")}


@dataclass
class Where:
    """What a lane may want to know besides its operands."""
    target: str
    dtype: str
    in_place: bool = False
    by_scalar: bool = False

    @property
    def width(self):
        return 8 * SIZE[self.dtype]

    @property
    def is_npu(self):
        return self.target not in ("host", "cpu", "cpusim")


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


def floored(where, a, b):
    """a - floor(a/b)*b; a5 truncates 64-bit quotients, a2a3 goes through float32, where the divisor of a tile is rounded, too."""
    if b == 0:
        return 0
    if where.target in A5 and where.width == 64:
        return a - quotient(a, b) * b
    return through_float(where, a, b) if where.target == "a2a3" else a % b


def clamped(value):
    return int(min(max(value, -2**31), 2**31 - 1))


def through_float(where, a, b):
    with np.errstate(all="ignore"):
        whole = clamped(np.floor(np.float32(a) / np.float32(b)))
        factor = b if where.by_scalar else clamped(np.float32(b))
        rest = (clamped(np.float32(a)) - whole * factor + 2**31) % 2**32 - 2**31
        rest, divisor = np.float32(rest), np.float32(factor)
        return clamped(rest + divisor if rest * divisor < 0 else rest)


def power(where, a, b):
    """Of a negative exponent only 1 and -1 leave something. a2a3 computes in int; the CPU simulator's tpows with double."""
    if where.target in ("cpu", "cpusim") and where.by_scalar:
        return cast(where, a, b)
    if where.target == "a2a3":
        a, b = ((x + 2**31) % 2**32 - 2**31 for x in (a, b))
    if b < 0:
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
    return pow(a, b, 2**64)


def cast(where, a, b):
    """What x86 makes of a double that does not fit: the lowest number of the conversion that is used for the type."""
    with np.errstate(all="ignore"):
        value = float(np.float64(a) ** np.float64(b)) if not (a == 0 and b < 0) else np.inf
    if where.dtype == "u64" and value >= 2.0**63:
        return int(value) if value < 2.0**64 else 0
    bits = 64 if where.dtype in ("u32", "i64", "u64") else 32
    fits = np.isfinite(value) and -2.0**(bits - 1) <= int(value) < 2.0**(bits - 1)
    return int(value) if fits else -2**(bits - 1)


def no_quotient(where, a, b):
    return b == 0


def no_inverse(where, a, b):
    return a == 0


def no_shift(where, a, b):
    return not 0 <= b < where.width


# ---- floats


def larger(where, a, b):
    """NaN if either is one, and +0 above -0; the CPU simulator compares, so a NaN in b is lost."""
    if where.target in ("cpu", "cpusim"):
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


def floor_remainder(where, a, b):
    """Exact on host and cpu; elsewhere in steps of float32. A rest whose sign was turned by rounding gets the divisor added, but not
    by trems on a5."""
    if not where.is_npu:
        rest = np.fmod(a, b)
        return np.where((rest != 0) & (np.signbit(rest) != np.signbit(b)), rest + b, rest)
    x, y = np.float32(a), np.float32(b)
    rest = (x - np.floor(x / y) * y).astype(np.float64)
    if where.dtype == "f16":
        half = rest.astype(np.float16)
        above = np.isfinite(rest) & (np.abs(half.astype(np.float64)) > np.abs(rest))
        rest = np.where(above, np.nextafter(half, np.float16(0)), half).astype(np.float64)
    if where.target in A5 and where.by_scalar:
        return rest
    return np.where(round_to(where.dtype, rest * b) < 0, round_to(where.dtype, rest + b), rest)


def real_power(where, a, b):
    result = np.power(a, b)
    if where.target == "a2a3":
        result = np.where((a == 0) & (b != 0), np.where(b > 0, 0.0, np.inf), result)
    return result


def ratio(where, a, b):
    """a2a3 multiplies by the rounded inverse of the scalar when dst is the tile."""
    if where.target == "a2a3" and where.in_place:
        return a * round_to(where.dtype, 1 / b)
    return a / b


def positive(a):
    return np.where((a > 0) | np.isnan(a), a, 0.0)


def product(where, a, b, rounds):
    """Rounded before anything is added, on some targets."""
    return round_to(where.dtype, a * b) if where.target in rounds else a * b


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
    apart: Callable = None   # of (case, source): that source is not dst on a2a3
    idle: bool = False       # a2a3 does nothing when a source has another region
    even: bool = False       # a2a3 writes 1-byte elements in pairs
    packed: bool = False     # a2a3 fills elements one after the other
    tmp: Callable = None     # of dst: the smallest tmp of a2a3, as type, rows and columns
    lost: Callable = None    # of (dst, tmp): bytes of tmp that a2a3 overwrites
    spoils: tuple = ()       # what a2a3 leaves of integers in each source, as functions of one element
    part: bool = False       # a source may be smaller than dst
    reads_dst: bool = False  # the real lane has dst's old elements as a last argument
    convert: Callable = None # of (case, bits): bits of another type
    bits: Callable = None    # of arrays of bits: floats are taken for integers
    widens: tuple = ()       # the type that sources may have instead, and that of dst


def always(case, source):
    return True


def inverse_of_floats(case, source):
    return case.kinds == "st" and case.dtype in FLOATS


def floats_only(case, source):
    return case.dtype in FLOATS


def first_source(case, source):
    return source == 1


def smaller_source(case, source):
    tile, dst = case.tiles[source], case.tiles[0]
    return tile.vrow < dst.vrow or tile.vcol < dst.vcol


def needs_tmp(name, target, dtype):
    return target == "a2a3" and "x" in OPS[name].kinds[0] and (dtype in FLOATS or not name.startswith("tpow"))


def uses_tmp(name, target, dtype):
    return target == "a2a3" and OPS[name].tmp is not None and (dtype in FLOATS or not name.startswith("tpow"))


def rem_tmp(dst):
    return dst.dtype, 1, dst.cols + 2 * -(-dst.cols // 64)


def rem_lost(dst, tmp):
    return 4 * dst.cols + 256 if dst.dtype == "f32" else 4 * (dst.cols + dst.vcol)


def float_and_back(a):
    return clamped(np.float32(a))


def float_bits(a):
    return int(np.float32(a).view(np.uint32))


SUM = dict(whole=lambda w, a, b: a + b, real=lambda w, a, b: a + b)
LESS = dict(whole=lambda w, a, b: a - b, real=lambda w, a, b: a - b)
PRODUCT = dict(whole=lambda w, a, b: a * b, real=lambda w, a, b: a * b)
MAX = dict(whole=lambda w, a, b: max(a, b), real=larger)
MIN = dict(whole=lambda w, a, b: min(a, b), real=lambda w, a, b: -larger(w, -a, -b))
AND = dict(whole=lambda w, a, b: a & b, bits=np.bitwise_and, even=True)
OR = dict(whole=lambda w, a, b: a | b, bits=np.bitwise_or, even=True)
LEFT = dict(whole=lambda w, a, b: shift(w, a, b, True), fault="shift-range", faults=no_shift)
RIGHT = dict(whole=lambda w, a, b: shift(w, a, b, False), fault="shift-range", faults=no_shift)
QUOTIENT = dict(whole=lambda w, a, b: quotient(a, b), fault="div-by-zero", faults=no_quotient)
REST = dict(whole=lambda w, a, b: a - quotient(a, b) * b if b else 0, real=remainder, fault="div-by-zero", faults=no_quotient,
            apart=always)
REM = dict(whole=floored, real=floor_remainder, fault="div-by-zero", faults=no_quotient, apart=always)
XOR = dict(whole=lambda w, a, b: a ^ b, even=True, apart=always)
POWER = dict(whole=power, real=real_power, loose=True, apart=floats_only)
TILES_TMP, SCALAR_TMP = dict(kinds=("ttx", "tt-")), dict(kinds=("tsx", "ts-"))
LIKE_DST = dict(tmp=lambda dst: (dst.dtype, dst.vrow, dst.vcol), lost=lambda dst, tmp: ((dst.vrow - 1) * tmp.cols + dst.vcol) * dst.size)
SCALAR, ONE, FILL = dict(kinds=("ts",)), dict(kinds=("t",)), dict(kinds=("s",))

OPS = {
    "tadd": Op(types(FOUR, WIDE + INT8), **SUM),
    "tsub": Op(types(FOUR, WIDE + INT8), **LESS),
    "tmul": Op(types(FOUR, WIDE), **PRODUCT),
    "tmax": Op(types(FOUR, WIDE + INT8), **MAX),
    "tmin": Op(types(FOUR, WIDE + INT8), **MIN),
    "tdiv": Op(types(REALS, DIVIDED), real=lambda w, a, b: a / b, **QUOTIENT),
    "tfmod": Op(types(("f32",), INT16 + INT32 + REALS), **REST),
    "tand": Op(dict.fromkeys(TARGETS, NARROW) | {t: NARROW + INT64 for t in SOFT}, **AND),
    "tor": Op(dict.fromkeys(TARGETS, NARROW) | {t: NARROW + INT64 for t in SOFT}, **OR),
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
    "tlrelu": Op(types(REALS, REALS, FLOATS) | INTEGERS_ON_CPUSIM, whole=lambda w, a, b: a if a > 0 else a * b, real=lambda w, a, b: np.where(a > 0, a, a * b), **SCALAR),
    "texp": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.exp(a), loose=True, **ONE),
    "tlog": Op(types(REALS, REALS, FLOATS) | INTEGERS_ON_CPUSIM, whole=lambda w, a, b: int(math.log(a)) if a > 0 else -2**31, real=lambda w, a, b: np.log(a), loose=True, **ONE),
    "tsqrt": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: np.sqrt(a), **ONE),
    "trsqrt": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: 1 / np.sqrt(a), kinds=("t-", "tx"),
                 tmp=lambda dst: (dst.dtype, 1, 32 // dst.size), lost=lambda dst, tmp: 32),
    "trecip": Op(types(FOUR, FOUR), whole=lambda w, a, b: quotient(1, a), real=lambda w, a, b: 1 / a, fault="div-by-zero",
                 faults=no_inverse, apart=always, **ONE),
    "tneg": Op(types(FOUR, WIDE), whole=lambda w, a, b: a * -1, real=lambda w, a, b: a * -1, **ONE),
    "tabs": Op(types(REALS, ("i8", "i16", "i32") + REALS), whole=lambda w, a, b: abs(a), real=lambda w, a, b: np.abs(a), **ONE),
    "trelu": Op(types(("i32",) + REALS, ("i32",) + REALS), whole=lambda w, a, b: max(a, 0),
                real=lambda w, a, b: np.where((a > 0) | np.isnan(a), a, 0.0), **ONE),
    "tnot": Op(types(BITS, BITS, INTEGERS), whole=lambda w, a, b: ~a, even=True, **ONE),
    "texpands": Op(types(BITS + ("f16", "bf16", "f32"), INTEGERS + ("f16", "bf16", "f32")), whole=lambda w, a, b: a,
                   real=lambda w, a, b: a, even=True, packed=True, **FILL),
    "trem": Op(types(("i32", "f32"), DIVIDED), **REM, **TILES_TMP, tmp=rem_tmp, lost=rem_lost, spoils=(float_and_back, float_bits)),
    "trems": Op(types(("i32", "f32"), DIVIDED), **REM, **SCALAR_TMP, tmp=lambda dst: (dst.dtype, 1, dst.vcol),
                lost=lambda dst, tmp: dst.vcol * dst.size, spoils=(float_and_back,)),
    "txor": Op(types(BITS, BITS, INTEGERS), **XOR, **TILES_TMP, **LIKE_DST),
    "txors": Op(types(BITS, BITS, INTEGERS), **XOR, **SCALAR_TMP, **LIKE_DST),
    "tprelu": Op(types(REALS, REALS, FLOATS) | INTEGERS_ON_CPUSIM, whole=lambda w, a, b: a if a > 0 else a * b, real=lambda w, a, b: np.where(a > 0, a, a * b), **TILES_TMP, apart=first_source,
                 tmp=lambda dst: ("u8", dst.vrow + 1, -(-dst.vcol // 256) * 32), lost=lambda dst, tmp: dst.vrow * tmp.cols + 32),
    "tpow": Op(types(BITS + ("f32",), BITS + REALS), **POWER, **TILES_TMP, **LIKE_DST),
    "tpows": Op(types(BITS + ("f32",), BITS + REALS), **POWER, **SCALAR_TMP, **LIKE_DST),
    "taxpy": Op(types(REALS, REALS, FLOATS),
                real=lambda w, a, b, c: product(w, a, b, () if w.dtype == "f16" and w.target in A5 else TARGETS) + c, idle=True, reads_dst=True,
                widens=("f16", "f32"), **SCALAR),
    "tfusedmuladd": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b, c: a * c + b, reads_dst=True),
    "tfusedmuladdrelu": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b, c: positive(product(w, a, c, SOFT[1:]) + b),
                           reads_dst=True),
    "tmuladddst": Op(types(REALS, REALS, FLOATS), reads_dst=True,
                     real=lambda w, a, b, c: product(w, a, b, (*SOFT[1:], *A5) if w.dtype == "f16" else SOFT[1:]) + c),
    "tsubrelu": Op(types(REALS, REALS, FLOATS), real=lambda w, a, b: positive(a - b)),
    "tcvt": Op(dict.fromkeys(TARGETS, ()), kinds=("t-", "tx"), convert=oracle_cvt.convert),
    "tpartadd": Op(types(FOUR, WIDE + INT8), part=True, apart=smaller_source, **SUM),
    "tpartmul": Op(types(FOUR, INT16 + INT32 + ("f16", "bf16", "f32")), part=True, apart=smaller_source, **PRODUCT),
    "tpartmax": Op(types(FOUR, WIDE + INT8), part=True, apart=smaller_source, **MAX),
    "tpartmin": Op(types(FOUR, WIDE + INT8), part=True, apart=smaller_source, **MIN),
}
