"""What the elementwise instructions mean, per target, and which types they take: written from the documents, never from the
library. A lane gets numpy arrays (integers in their own type, floats as float64, which is rounded once afterwards)."""
from dataclasses import dataclass
from typing import Callable

import numpy as np

from elements import is_float
from facts import A5, DTYPES

# ---- types

INT8, INT16, INT32, INT64 = ("i8", "u8"), ("i16", "u16"), ("i32", "u32"), ("i64", "u64")
ORDERED = tuple(d for d in DTYPES if d != "hif8")  # host and cpu compute with everything that has an order
FOUR = ("i16", "i32", "f16", "f32")
WIDE = INT16 + INT32 + INT64 + ("f16", "bf16", "f32")


def types(a2a3, a5, soft=ORDERED):
    return {"host": soft, "cpu": soft, "a2a3": a2a3, **{target: a5 for target in A5}}


# ---- lanes: lane(target, dtype, a, b) gives the values


def add(target, dtype, a, b):
    return a + b


def sub(target, dtype, a, b):
    return a - b


def mul(target, dtype, a, b):
    return a * b


def larger(target, a, b):
    """NaN if either is one, and +0 above -0; the CPU simulator compares, so a NaN in b is lost."""
    if target == "cpu":
        return np.where(a < b, b, a)
    zero = (a == 0) & (b == 0)
    return np.where(zero, np.where(np.signbit(a), b, a), np.maximum(a, b))


def maximum(target, dtype, a, b):
    return larger(target, a, b) if is_float(dtype) else np.maximum(a, b)


def minimum(target, dtype, a, b):
    return -larger(target, -a, -b) if is_float(dtype) else np.minimum(a, b)


# ---- instructions


@dataclass
class Op:
    lane: Callable
    types: dict
    kinds: str = "tt"  # what the sources are: t a tile, s a scalar


OPS = {
    "tadd": Op(add, types(FOUR, WIDE + INT8)),
    "tsub": Op(sub, types(FOUR, WIDE + INT8)),
    "tmul": Op(mul, types(FOUR, WIDE)),
    "tmax": Op(maximum, types(FOUR, WIDE + INT8)),
    "tmin": Op(minimum, types(FOUR, WIDE + INT8)),
}
