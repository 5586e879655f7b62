"""The words that arguments may be, for type checkers and completion. tests/python/test_types.py compares them with the
enumerators of the library."""

from __future__ import annotations

from typing import Literal

Target = Literal["host", "cpu", "a2a3", "a5", "a5-custom", "cpusim"]
Oob = Literal["undefined", "clamp", "wrap", "zero"]
ScatterOob = Literal["undefined", "skip", "clamp", "wrap"]
Mode = Literal["row", "elem"]
BagMode = Literal["sum", "mean", "max"]
Axis = Literal["row", "col"]
Compare = Literal["eq", "ne", "lt", "le", "gt", "ge"]
Pattern = Literal["P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"]
Schedule = Literal["cost", "fast", "slow", "random", "witness"]
Launch = Literal["standard", "direct"]
Form = Literal["written", "dps", "ssa", "asm"]
Layout = Literal["row_major", "col_major", "nz"]
Loc = Literal["vec", "mat", "left", "right", "acc", "bias", "scaling"]
Pad = Literal["null", "zero", "max", "min", "custom"]
Pipe = Literal["S", "V", "MTE2", "MTE3", "M", "MTE1", "FIX", "ALL"]
Severity = Literal["note", "warning", "error"]
SlotKind = Literal["memory", "tile", "number"]
Verdict = Literal["passed", "not judged", "failed"]
