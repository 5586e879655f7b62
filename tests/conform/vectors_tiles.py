"""Single results that the documents state, one by one: a second opinion on the oracle, too. Rows: instruction, targets, type, the
operands in their order (a scalar where the instruction has one), the result, and the fault if there is one."""
import math

ALL = ("host", "cpu", "a2a3", "a5", "a5-custom")
SOFT, NPU, A5 = ALL[:2], ALL[2:], ALL[3:]
NAN, INF = math.nan, math.inf
MIN32, MAX32 = -2**31, 2**31 - 1

VECTORS = [
    ("tadd", ALL, "i32", (MAX32, 1), MIN32),
    ("tmul", ALL, "i16", (300, 300), 24464),
    ("tdiv", ALL, "f32", (1.0, 0.0), INF),
    ("tmax", ("host", "a2a3", "a5"), "f32", (NAN, 1.0), NAN),
    ("tmax", ("host", "a2a3", "a5"), "f32", (1.0, NAN), NAN),
    ("tmax", ("cpu",), "f32", (1.0, NAN), 1.0),
    ("tmax", ("host", "a2a3", "a5"), "f16", (-0.0, 0.0), 0.0),
    ("tfmod", ALL, "f32", (-7.0, 3.0), -1.0),
    ("tfmod", SOFT + A5, "i32", (-7, 3), -1),
    ("tdiv", SOFT + A5, "i32", (MIN32, -1), MIN32),
    ("tdiv", SOFT + A5, "i16", (5, 0), 0, "div-by-zero"),
    ("tshr", ALL, "i32", (-8, 1), -4),
    ("tshr", A5, "i64", (-8, 65), -4, "shift-range"),
    ("tsubs", ("a2a3",), "i32", (0, 16777217), -16777216),
    ("tsubs", SOFT + A5, "i32", (0, 16777217), -16777217),
    ("tdivs", ALL, "i32", (-7, 2), -3),
    ("tdivs", ALL, "f32", (1.0, -0.0), -INF),
    ("tmuls", ALL, "f16", (65504.0, 2.0), INF),
    ("tmaxs", ("host", "a2a3", "a5"), "f32", (NAN, 0.0), NAN),
    ("tshls", ALL, "i32", (1, 31), MIN32),
    ("tshls", ALL, "i32", (1, 32), 0, "shift-range"),
    ("texp", ALL, "f32", (-INF,), 0.0),
    ("texp", ALL, "f32", (89.0,), INF),
    ("tlog", ALL, "f32", (0.0,), -INF),
    ("tlog", ALL, "f32", (-1.0,), NAN),
    ("tsqrt", ALL, "f32", (-0.0,), -0.0),
    ("trsqrt", ALL, "f32", (0.0,), INF),
    ("trecip", ALL, "i32", (2,), 0),
    ("tneg", ALL, "i32", (MIN32,), MIN32),
    ("tabs", ALL, "f32", (-0.0,), 0.0),
    ("tnot", ALL, "i32", (0,), -1),
]
