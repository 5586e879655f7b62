"""The jobs that bench/gather.py measures: their inputs, and every way of doing them.

One process holds everything: each job has one table, one index array per index type and one output, all touched before
the clock starts, and every side reads and writes those. numpy and torch are given their native index type (int64). A side
that gives wrong bytes ends the run. Times are of the processor, so that other programs do not count; on two threads they are
of the day.
"""

import ctypes
import mmap
import sys
import time

import numpy as np

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

KiB, MiB, GiB = 1 << 10, 1 << 20, 1 << 30
I32 = 5  # enum ptog_dtype
UNDEFINED, CLAMP, WRAP, ZERO = range(4)  # enum ptog_oob
PATTERNS = {"P0101": (1, 0b0101), "P1010": (2, 0b1010), "P0001": (3, 0b0001), "P0010": (4, 0b0010),
            "P0100": (5, 0b0100), "P1000": (6, 0b1000), "P1111": (7, 0b1111)}
TYPES = {"i8": (1, np.int8), "u8": (2, np.uint8), "i16": (3, np.int16), "u16": (4, np.uint16), "i32": (5, np.int32),
         "u32": (6, np.uint32), "i64": (7, np.int64), "u64": (8, np.uint64), "f16": (9, np.float16),
         "bf16": (10, np.uint16), "f32": (11, np.float32)}


class Job(ctypes.Structure):
    _fields_ = [("dst", ctypes.c_void_p), ("src", ctypes.c_void_p), ("idx", ctypes.c_void_p),
                ("dst_bytes", ctypes.c_size_t), ("src_bytes", ctypes.c_size_t), ("idx_bytes", ctypes.c_size_t),
                ("lanes", ctypes.c_int64), ("width", ctypes.c_int64), ("threads", ctypes.c_int)]


def make_job(dst, src, idx, lanes, width, threads=1):
    at = lambda a: None if a is None else a.ctypes.data
    bytes_of = lambda a: 0 if a is None else a.nbytes
    return Job(at(dst), at(src), at(idx), bytes_of(dst), bytes_of(src), bytes_of(idx), lanes, width, threads)


class Libraries:
    """libptog behind bench/sides.c, and the plain loops of two compilers."""

    def __init__(self, directory):
        self.sides = ctypes.CDLL(str(directory / "libbench_sides.so"))
        self.plain = {}
        for compiler in ("gcc", "clang"):
            path = directory / f"libbench_plain_{compiler}.so"
            if path.exists():
                self.plain[compiler] = ctypes.CDLL(str(path))
        i64, i32, ptr = ctypes.c_int64, ctypes.c_int, ctypes.c_void_p
        for name, arguments in {"row": [i64, i64, i64, i32, i32], "elem": [i64, i64, i32, i32], "tile": [i32, i64, i64],
                                "mask": [i32, i64, i64, i32, i64]}.items():
            make = getattr(self.sides, f"side_plan_{name}")
            make.argtypes, make.restype = arguments, ptr
        for name, arguments in {"ptog": [ptr, ptr, i64], "plain": [ptr, ptr, i64], "mask": [ptr, ptr, ctypes.c_uint, i64],
                                "memcpy": [ptr, ctypes.c_size_t, i64], "limit": [ptr, ptr, i64, i64, i64]}.items():
            side = getattr(self.sides, f"side_{name}")
            side.argtypes, side.restype = arguments, ctypes.c_double
        self.sides.side_kernel.argtypes, self.sides.side_kernel.restype = [ptr], ctypes.c_char_p

    def plan(self, kind, *arguments):
        plan = getattr(self.sides, f"side_plan_{kind}")(*arguments)
        if not plan:
            sys.exit(f"bench: no plan for {kind} {arguments}")
        return plan

    def ptog(self, plan, job):
        return lambda times: self.sides.side_ptog(plan, ctypes.byref(job), times)

    def loop(self, compiler, name, job):
        function = ctypes.cast(getattr(self.plain[compiler], name), ctypes.c_void_p)
        return lambda times: self.sides.side_plain(function, ctypes.byref(job), times)

    def mask_loop(self, compiler, name, job, pattern):
        function = ctypes.cast(getattr(self.plain[compiler], name), ctypes.c_void_p)
        return lambda times: self.sides.side_mask(function, ctypes.byref(job), pattern, times)

    def memcpy(self, job, count):
        return lambda times: self.sides.side_memcpy(ctypes.byref(job), count, times)


class Buffers:
    """Anonymous mappings with the page size that was asked for, kept and reused: a large table is made once."""

    def __init__(self, pages):
        self.pages, self.kept = pages, {}

    def get(self, name, count, dtype):
        size = max(int(count) * np.dtype(dtype).itemsize, 1)
        if name not in self.kept or len(self.kept[name]) < size:
            self.kept.pop(name, None)
            area = mmap.mmap(-1, -(-size // (2 * MiB)) * 2 * MiB)
            area.madvise(mmap.MADV_HUGEPAGE if self.pages == "huge" else mmap.MADV_NOHUGEPAGE)
            np.frombuffer(area, np.uint8)[:] = 1
            self.kept[name] = area
        return np.frombuffer(self.kept[name], dtype, int(count))


def python_side(call):
    def run(times):
        start = time.thread_time_ns()
        for _ in range(times):
            call()
        return (time.thread_time_ns() - start) / times

    return run


class Made:
    """A job: its sides by name, where the bytes go, and what they have to be. `own`: of ptog's side, when others get
    indices that a policy has brought into range. `limit` is a function: nanoseconds that the memory takes at least."""

    def __init__(self, sides, out, expected, kernel, own=None, limit=None):
        self.sides, self.out, self.expected, self.kernel, self.limit = sides, out, expected, kernel, limit
        self.own = expected if own is None else own
        self.of_day = "ptog x2" in sides


class Jobs:
    def __init__(self, libraries, pages):
        self.lib, self.buffers = libraries, Buffers(pages)
        self.random = np.random.default_rng(1)
        self.table_ready = 0

    # --- inputs

    def table(self, count):
        table = self.buffers.get("table", count, np.float32)
        if self.table_ready < count:  # every element has its own bits, and none is a NaN
            table.view(np.uint32)[:] = np.arange(count, dtype=np.uint32) & 0x3FFFFFFF
            self.table_ready = count
        return table

    def indices(self, lanes, below, outside=0.0, zipf=None):
        """Uniform, or the ranks of Zipf's law with exponent `zipf`, which are places all over the table."""
        wide = self.buffers.get("index64", lanes, np.int64)
        if zipf is None:
            wide[:] = self.random.integers(0, below, lanes)
        else:
            ends = np.cumsum(1.0 / np.arange(1, below + 1) ** zipf)
            ranks = np.searchsorted(ends, self.random.random(lanes) * ends[-1])
            wide[:] = np.minimum(ranks, below - 1) * 2654435761 % below
        if outside > 0:
            bad = self.random.random(lanes) < outside
            wide[bad] += below * self.random.integers(1, 3, int(bad.sum()))
        narrow = self.buffers.get("index32", lanes, np.int32)
        narrow[:] = wide
        return wide, narrow

    def limit(self, table, places, count, size):
        return lambda: self.lib.sides.side_limit(table.ctypes.data, places.ctypes.data, count, size, 3)

    # --- sides of the jobs

    def loops(self, names, job):
        return {f"{compiler} {name.split('_')[-1] if name.endswith('memcpy') else 'loop'}": self.lib.loop(compiler, name, job)
                for compiler in self.lib.plain for name in names}

    def on_two(self, plan, job, copied):
        both = Job.from_buffer_copy(job)
        both.threads = 2
        copy = Job.from_buffer_copy(copied)
        copy.threads = 2
        return {"ptog x2": self.lib.ptog(plan, both), "memcpy x2": self.lib.memcpy(copy, job.dst_bytes)}

    def row(self, table_bytes, row_bytes, lanes, threads=1, zipf=None):
        width, rows = row_bytes // 4, table_bytes // row_bytes
        table, out = self.table(rows * width), self.buffers.get("out", lanes * width, np.float32)
        wide, narrow = self.indices(lanes, rows, zipf=zipf)
        job = make_job(out, table, narrow, lanes, width)
        plan = self.lib.plan("row", rows, width, lanes, I32, UNDEFINED)
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(job, out.nbytes)}
        if threads > 1:
            sides |= self.on_two(plan, job, job)
        else:
            sides |= self.loops(("plain_row", "plain_row_memcpy"), job)
            sides |= self.python_gathers(table.reshape(rows, width), wide, narrow, out.reshape(lanes, width))
        expected = table.reshape(rows, width)[wide]
        return Made(sides, out.reshape(lanes, width), expected, self.kernel(plan),
                    limit=self.limit(table, narrow, lanes, row_bytes))

    def elem(self, table_bytes, lanes, oob=UNDEFINED, outside=0.0, threads=1, capacity=None, zipf=None):
        count = capacity or table_bytes // 4
        table, out = self.table(count), self.buffers.get("out", lanes, np.float32)
        wide, narrow = self.indices(lanes, count, outside, zipf)
        job = make_job(out, table, narrow, lanes, 1)
        plan = self.lib.plan("elem", count, lanes, I32, oob)
        copy = self.buffers.get("copy", lanes, np.float32)  # the same bytes, in order: the table may be smaller
        copied = make_job(out, copy, None, lanes, 1)
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(copied, out.nbytes)}
        inside, own = self.mapped(wide, count, oob, table)
        safe = self.buffers.get("inside32", lanes, np.int32)  # the unchecked loops can only be given these
        safe[:] = inside
        if threads > 1:
            sides |= self.on_two(plan, job, copied)
        else:
            sides |= self.loops(("plain_elem_32_32",), make_job(out, table, safe, lanes, 1))
            if oob == UNDEFINED:
                sides |= self.python_gathers(table, wide, narrow, out)
        return Made(sides, out, own if oob == UNDEFINED else None, self.kernel(plan), own,
                    self.limit(table, safe, lanes, 4))

    @staticmethod
    def mapped(wide, count, oob, table):
        if oob == CLAMP:
            inside = np.minimum(wide, count - 1)
        elif oob == WRAP:
            inside = wide % count
        else:
            inside = np.where(wide < count, wide, 0)
        expected = table[inside]
        if oob == ZERO:
            expected = np.where(wide < count, expected, np.float32(0))
        return inside, expected

    @staticmethod
    def python_gathers(table, wide, narrow, out):
        sides = {}
        for mode in ("raise", "clip", "wrap"):
            sides[f"numpy take {mode}"] = python_side(lambda mode=mode: np.take(table, wide, axis=0, out=out, mode=mode))
        if torch:
            t, o, i = torch.from_numpy(table), torch.from_numpy(out), torch.from_numpy(wide)
            i32 = torch.from_numpy(narrow)
            sides["torch index_select"] = python_side(lambda: torch.index_select(t, 0, i, out=o))
            sides["torch index_select i32"] = python_side(lambda: torch.index_select(t, 0, i32, out=o))
            if table.ndim == 1:
                sides["torch take"] = python_side(lambda: torch.take(t, i, out=o))
                sides["torch gather"] = python_side(lambda: torch.gather(t, 0, i, out=o))
            else:  # has no place for its result
                sides["torch embedding"] = python_side(lambda: o.copy_(torch.nn.functional.embedding(i, t)))
        return sides

    def tile_index(self, name):
        number, dtype = TYPES[name]
        size = np.dtype(dtype).itemsize
        src, out = self.buffers.get("src", 64 * 64, dtype), self.buffers.get("out", 64 * 64, dtype)
        src.view(np.uint8)[:] = self.random.integers(0, 120, src.nbytes)
        wide, narrow = self.indices(64 * 64, 64 * 64)
        job = make_job(out, src, narrow, 64 * 64, 1)
        plan = self.lib.plan("tile", number, 64, 64)
        sides = {"ptog": self.lib.ptog(plan, job), "memcpy": self.lib.memcpy(job, out.nbytes)}
        sides |= self.loops((f"plain_elem_{8 * size}_32",), job)
        return Made(sides, out, src[wide], self.kernel(plan))

    def tile_mask(self, name, pattern):
        number, dtype = TYPES[name]
        which, bits = PATTERNS[pattern]
        kept = 128 * bin(bits).count("1") // 4
        src, out = self.buffers.get("src", 64 * 128, dtype), self.buffers.get("out", 64 * kept, dtype)
        src.view(np.uint8)[:] = self.random.integers(0, 120, src.nbytes)
        room = self.buffers.get("room", 64 * 128, dtype)  # what memcpy writes: as much as it reads
        job = make_job(out, src, None, 64 * 128, 1)
        plan = self.lib.plan("mask", number, 64, 128, which, kept)
        sides = {"ptog": self.lib.ptog(plan, job),
                 "memcpy": self.lib.memcpy(make_job(room, src, None, 64 * 128, 1), src.nbytes)}
        for compiler in self.lib.plain:
            sides[f"{compiler} loop"] = self.lib.mask_loop(compiler, f"plain_mask_{8 * src.itemsize}", job, bits)
        keep = np.array([bits >> (i & 3) & 1 for i in range(128)], bool)
        return Made(sides, out.reshape(64, kept), src.reshape(64, 128)[:, keep], self.kernel(plan))

    def small_call(self):
        table, out = self.table(64 * 8), self.buffers.get("out", 8, np.float32)
        wide, narrow = self.indices(1, 64)
        job = make_job(out, table, narrow, 1, 8)
        plan = self.lib.plan("row", 64, 8, 1, I32, UNDEFINED)
        sides = {"ptog": self.lib.ptog(plan, job)} | self.loops(("plain_row_memcpy",), job)
        return Made(sides, out, table.reshape(64, 8)[int(wide[0])], self.kernel(plan))

    def kernel(self, plan):
        return self.lib.sides.side_kernel(plan).decode()
