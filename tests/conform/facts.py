"""What the documents fix: element types, enums, which target takes what; and the classes that describe one case.

Everything here is read off semantics.md and errata.md, never off the library.
"""
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

TARGETS = ("host", "cpu", "a2a3", "a5", "a5-custom", "cpusim")
A5 = ("a5", "a5-custom")       # one machine: TGATHER is the same on both (E43)
DYN = -1                       # PTOG_DYN

# ---- element types ----

DTYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f8e4m3", "f8e5m2", "hif8")
NUMBER = {name: i + 1 for i, name in enumerate(DTYPES)}
SIZE = dict(zip(DTYPES, (1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 1, 1, 1)))
SIGNED = ("i8", "i16", "i32", "i64")
ONE_BYTE = ("i8", "u8", "f8e4m3", "f8e5m2", "hif8")
COMMON = ("i8", "u8", "i16", "u16", "i32", "u32", "f16", "bf16", "f32")
VECTOR = ("i16", "u16", "i32", "u32", "f16", "f32")  # 004's list for the index form

MGATHER_DTYPES = {
    "host": DTYPES, "cpu": COMMON, "a2a3": COMMON, "cpusim": COMMON,
    "a5-custom": COMMON + ("f8e4m3", "f8e5m2"), "a5": COMMON + ("f8e4m3", "f8e5m2", "hif8"),
}
MASK_DTYPES = {
    "host": DTYPES, "cpu": DTYPES, "cpusim": DTYPES, "a2a3": ("i16", "u16", "i32", "u32", "f16", "bf16", "f32"),
    **{a5: COMMON + ("f8e4m3", "f8e5m2", "hif8", "i64", "u64") for a5 in A5},
}
COMPARE_DTYPES = {
    **{soft: tuple(d for d in DTYPES if d != "hif8") for soft in ("host", "cpu", "cpusim")},
    "a2a3": ("i32", "f16", "f32"), **{a5: ("i8", "u8") + VECTOR for a5 in A5},  # a2a3 compares i32 for equality only (E37)
}
INDEX_32 = ("i32", "u32")
INDEX_16 = ("i16", "u16")
INDEX_64 = ("i64", "u64")


def compare_k_dtypes(dtype):
    """Types of k for a source: its own, or integers as wide, of 16 bits for 8 (E40)."""
    wide = max(SIZE[dtype], 2)
    return {dtype, f"i{8 * wide}", f"u{8 * wide}"}


def mgather_index_dtypes(target):
    return INDEX_32 + INDEX_64 if target == "host" else INDEX_32


def tgather_dtypes(target):
    """Element types of the index form (E31)."""
    return {"host": DTYPES, "cpu": DTYPES, "cpusim": DTYPES, "a2a3": VECTOR}.get(target, VECTOR + ONE_BYTE + INDEX_64)


def tgather_index_dtypes(target):
    return {"host": INDEX_16 + INDEX_32 + INDEX_64, "a2a3": INDEX_32}.get(target, INDEX_16 + INDEX_32)


def a5_misreads(dtype, index):
    """Pairs of data and index width that a5 libraries misread (E30)."""
    return SIZE[index] == 2 and SIZE[dtype] >= 4 or SIZE[index] == 4 and SIZE[dtype] == 1


# ---- enums: the numbers are ABI ----

LAYOUT = {"nd": 0, "dn": 1, "nz": 2}
OOB = {"undefined": 0, "clamp": 1, "wrap": 2, "zero": 3}
COALESCE = {"row": 0, "elem": 1}
FORM = {"row": 0, "elem": 0, "index": 0, "mask": 1, "compare": 2}
PATTERN = {"P0101": 1, "P1010": 2, "P0001": 3, "P0010": 4, "P0100": 5, "P1000": 6, "P1111": 7}
AXIS = {"row": 0, "col": 1}
CMP = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
ORDER = {"row": (0, 0), "col": (1, 0), "nz": (1, 1)}  # BLayout, SLayout

OK, FAULT, ILLEGAL, NO_ROOM = 0, 1, 2, 5
STATUS = ("ok", "fault", "illegal", "bad-argument", "no-memory", "no-room", "overlap")
KINDS = ("gm-out-of-bounds", "gm-outside-view", "ub-outside-tile", "tile-overrun", "pitch-mismatch", "product-overflow",
         "index-negative", "short-buffer", "div-by-zero", "shift-range", "tconcat-zero", "nan-order", "expand-block-differs",
         "scatter-conflict", "scatter-dropped", "sort-nan", "gatherb-misaligned", "sort-unsorted")
(GM_OUT_OF_BOUNDS, GM_OUTSIDE_VIEW, UB_OUTSIDE_TILE, TILE_OVERRUN, PITCH_MISMATCH, PRODUCT_OVERFLOW, INDEX_NEGATIVE,
 SHORT_BUFFER, DIV_BY_ZERO, SHIFT_RANGE, COUNT_ZERO, NAN_ORDER,
 EXPAND_BLOCK, SCATTER_CONFLICT, SCATTER_DROPPED, SORT_NAN, GATHERB_MISALIGNED, SORT_UNSORTED) = range(len(KINDS))


def keeps(pattern):
    """(step, first position kept): patterns read right to left, P0101 keeps 0, 2, 4, ..."""
    bits = pattern[:0:-1]
    return (1, 0) if pattern == "P1111" else (2, bits.index("1")) if bits.count("1") == 2 else (4, bits.index("1"))


# ---- operands ----

@dataclass
class Tile:
    dtype: str
    rows: int
    cols: int
    vrow: int
    vcol: int
    order: str = "row"
    loc: int = 0
    pad: int = 0
    addr: int = None          # None: not placed
    dyn: tuple = (False, False)  # extents given at run time
    implicit: bool = False    # a full extent is written as 0

    @property
    def size(self):
        return SIZE[self.dtype]

    @property
    def bytes(self):
        return self.rows * self.cols * self.size

    def offsets(self, rows=None, cols=None):
        """Storage positions of the elements (r, c) of the valid region, or of the first rows x cols."""
        return tile_offsets(self.order, self.rows, self.cols, 32 // self.size,
                            self.vrow if rows is None else rows, self.vcol if cols is None else cols)


@lru_cache(maxsize=None)
def tile_offsets(order, rows, cols, c0, count_r, count_c):
    r, c = np.ogrid[:count_r, :count_c]
    if order == "row":
        return r * cols + c
    if order == "col":
        return c * rows + r
    return c // c0 * (rows * c0) + r * c0 + c % c0


@dataclass
class Tensor:
    dtype: str
    layout: str
    shape: list
    stride: list
    dyn_shape: tuple = (False,) * 5
    dyn_stride: tuple = (False,) * 5
    implicit: bool = False    # strides that are packed are written as 0

    @property
    def size(self):
        return SIZE[self.dtype]


@dataclass
class Case:
    """One instruction, its extents and buffers. `form` is what the target does, `coalesce` what the program says."""
    target: str
    form: str
    cell: str
    dst: Tile
    idx: Tile = None
    table: Tensor = None
    src: Tile = None
    tmp: Tile = None
    k: Tile = None
    cdst: Tile = None
    coalesce: str = "row"
    oob: str = "undefined"
    pattern: str = "P0101"
    axis: str = "row"
    cmp: str = "eq"
    offset: int = 0
    buffers: dict = field(default_factory=dict)  # dst, src, idx, k, cdst
    threads: int = 0
    shift: int = 0
    rule: str = None          # deliberately illegal: the rule that must be among the refusals
    at_run: bool = False      # ... of the run, not of the plan

    @property
    def is_mgather(self):
        return self.form in ("row", "elem")
