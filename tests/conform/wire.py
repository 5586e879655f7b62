"""The other side of batch.c: a case to bytes, bytes to a result. Native 64-bit words in a fixed order."""
import struct
from dataclasses import dataclass

from facts import AXIS, CMP, COALESCE, DYN, FORM, KINDS, LAYOUT, NUMBER, OOB, ORDER, PATTERN

CASE_MARK = 0x3145534143474F54
RESULT_MARK = 0x3154534552474F54
BUFFERS = ("dst", "src", "idx", "k", "cdst")
FAULT = struct.Struct("=QqqQQq" + "QqqQ" * len(KINDS))


# ---- a case to bytes ----

def tile_words(tile):
    if tile is None:
        return [0] * 12
    valid = [DYN if dyn else 0 if tile.implicit and extent == padded else extent
             for dyn, extent, padded in zip(tile.dyn, (tile.vrow, tile.vcol), (tile.rows, tile.cols))]
    blayout, slayout = ORDER[tile.order]
    placed = tile.addr is not None
    fractal = 512 if tile.order == "nz" else 0
    return [NUMBER[tile.dtype], tile.loc, tile.rows, tile.cols, *valid, blayout, slayout, fractal, tile.pad, placed,
            tile.addr if placed else 0]


def stride_words(table):
    """0 stands for "packed, from the dimensions inside it"; in DN, dimension 3 is the innermost."""
    words = list(table.stride)
    if table.implicit:
        packed = 1
        for d in (3, 4, 2, 1, 0) if table.layout == "dn" else (4, 3, 2, 1, 0):
            words[d] = 0 if table.stride[d] == packed else table.stride[d]
            packed = table.shape[d] * table.stride[d]
    return [DYN if dyn else word for dyn, word in zip(table.dyn_stride, words)]


def table_words(table):
    if table is None:
        return [0] * 12
    shape = [DYN if dyn else extent for dyn, extent in zip(table.dyn_shape, table.shape)]
    return [NUMBER[table.dtype], LAYOUT[table.layout], *shape, *stride_words(table)]


def run_time_words(case):
    words = []
    for tile in (case.dst, case.src, case.idx, case.k, case.cdst):
        words += [tile.vrow if tile.dyn[0] else 0, tile.vcol if tile.dyn[1] else 0] if tile else [0, 0]
    if case.table is None:
        return words + [0] * 10
    words += [n if dyn else 0 for dyn, n in zip(case.table.dyn_shape, case.table.shape)]
    return words + [n if dyn else 0 for dyn, n in zip(case.table.dyn_stride, case.table.stride)]


def pack(case):
    words = [not case.is_mgather]
    for tile in (case.dst, case.src, case.idx, case.tmp, case.k, case.cdst):
        words += tile_words(tile)
    words += table_words(case.table)
    words += [COALESCE[case.coalesce], OOB[case.oob], FORM[case.form], PATTERN[case.pattern], AXIS[case.axis],
              CMP[case.cmp], case.offset]
    words += run_time_words(case) + [case.threads, case.shift]
    contents = [case.buffers.get(name, b"") for name in BUFFERS]
    words += [len(content) for content in contents]
    head = struct.pack("=q16s", CASE_MARK, case.target.encode())
    return b"".join([head, struct.pack(f"={len(words)}q", *words), *contents])


# ---- bytes to a result ----

@dataclass
class Run:
    status: int
    intact: bool       # the input buffers are as they were
    count: int
    row: int
    col: int
    index: int
    capacity: int
    kind: int
    of: list           # (count, row, col, index) by kind
    dst: bytes
    cdst: bytes


@dataclass
class Result:
    status: int
    diags: list        # (severity, refuses, id)
    kernel: str = ""
    check_status: int = None
    check_diags: tuple = ()
    runs: tuple = ()   # the kernel, the obvious loop

    def refusals(self):
        return [name for _, refuses, name in [*self.diags, *self.check_diags] if refuses]

    def ids(self):
        return {name for _, _, name in [*self.diags, *self.check_diags]}


class Reader:
    def __init__(self, stream):
        self.stream = stream

    def bytes(self, count):
        data = self.stream.read(count) if count else b""
        if len(data) != count:
            raise EOFError("the batch program ended in the middle of a result")
        return data

    def words(self, count):
        return struct.unpack(f"={count}q", self.bytes(8 * count))

    def word(self):
        return self.words(1)[0]

    def text(self):
        return self.bytes(self.word()).decode()

    def diags(self):
        return [(*self.words(2), self.text()) for _ in range(self.word())]

    def run(self, case):
        status, intact = self.words(2)
        fault = FAULT.unpack(self.bytes(FAULT.size))
        of = [fault[6 + 4 * kind:10 + 4 * kind] for kind in range(len(KINDS))]
        dst = self.bytes(len(case.buffers.get("dst", b"")))
        return Run(status, bool(intact), *fault[:6], of, dst, self.bytes(len(case.buffers.get("cdst", b""))))

    def result(self, case):
        if self.word() != RESULT_MARK:
            raise EOFError("the batch program wrote something that is not a result")
        result = Result(self.word(), self.diags())
        if self.word():
            result.kernel = self.text()
            result.check_status, result.check_diags = self.word(), self.diags()
            result.runs = (self.run(case), self.run(case))
        return result
