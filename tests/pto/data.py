"""DATA and EXPECT: small arrays from a few words, and what a run must leave behind, as an expression over them.

  f16 64x32 iota             0, 1, 2, ... as values of the type
  f16 32x32 eye              ones on the diagonal
  f16 64x32 bits             0, 1, 2, ... as bit patterns
  f32 8x16 random 7          random bits from seed 7: NaNs and signed zeros are among them
  i32 1x16 below 64 seed 7   random numbers from 0 to 63
  i32 1x4 all -1             one value
  i32 1x4 3 0 -1 64          the values; hexadecimal too
An expression sees np, the arrays by name, and the functions below. A list stands for values of the result's type.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conform"))
from facts import keeps  # noqa: E402

NUMPY = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8", "f16": "f2",
         "bf16": "u2", "f32": "f4", "f64": "f8", "f8e4m3": "u1", "f8e5m2": "u1", "hif8": "u1"}


# ---- DATA ----

def bits(count, dtype):
    return np.arange(count, dtype=np.uint64).astype(f"u{dtype.itemsize}").view(dtype)


def values(words, dtype):
    if dtype.kind == "f":
        return np.array([float(word) for word in words], dtype)
    wide = np.array([int(word, 0) & 0xFFFFFFFFFFFFFFFF for word in words], np.uint64)
    return wide.astype(f"u{dtype.itemsize}").view(dtype)


def make(words):
    """The array that the words of a DATA line describe."""
    kind, extents, *how = words.replace(",", " ").replace("[", " ").replace("]", " ").split()
    dtype, shape = np.dtype(NUMPY[kind]), tuple(int(n) for n in extents.split("x"))
    count = int(np.prod(shape))
    if how == ["iota"]:
        flat = np.arange(count).astype(dtype)
    elif how == ["eye"]:
        flat = np.eye(*shape).astype(dtype).reshape(-1)
    elif how == ["bits"]:
        flat = bits(count, dtype)
    elif how[0] == "random":
        flat = np.frombuffer(np.random.default_rng(int(how[1])).bytes(count * dtype.itemsize), dtype)
    elif how[0] == "below":
        flat = np.random.default_rng(int(how[3])).integers(0, int(how[1]), count).astype(dtype)
    elif how[0] == "all":
        flat = np.repeat(values(how[1:2], dtype), count)
    else:
        flat = values(how, dtype)
    return flat.reshape(shape)


def save(path, array):
    if path.endswith(".bin"):
        Path(path).write_bytes(array.tobytes())
    else:
        np.save(path, array)


# ---- EXPECT ----

def u32(array):
    """Indices as the hardware reads them: -1 is 4294967295."""
    return array.ravel().view(np.uint32).astype(np.int64)


def zero_past(rows, index):
    """rows[index], and zeros where there is no such row or element."""
    taken = rows[np.minimum(index, len(rows) - 1)].copy()
    taken[index >= len(rows)] = 0
    return taken


def unwritten(like):
    """What UB holds where nothing was written."""
    return np.frombuffer(b"\xaa" * like.nbytes, like.dtype).reshape(like.shape)


def kept(array, pattern):
    """The columns that a mask pattern keeps."""
    step, first = keeps(pattern)
    return array[..., first::step]


def nz(array):
    """A matrix as an NZ table <1, cols/C0, rows/16, 16, C0>."""
    c0 = 32 // array.dtype.itemsize
    blocks = array.reshape(array.shape[0] // 16, 16, array.shape[1] // c0, c0)
    return np.ascontiguousarray(blocks.transpose(2, 0, 1, 3))[None]


def from_nz(table):
    """The matrix in an NZ table <1, block columns, block rows, 16, C0>."""
    _, block_cols, block_rows, high, c0 = table.shape
    return table[0].transpose(1, 2, 0, 3).reshape(block_rows * high, block_cols * c0)


def evaluate(expression, arrays):
    names = {"np": np, "u32": u32, "zero_past": zero_past, "unwritten": unwritten, "kept": kept, "nz": nz, "from_nz": from_nz}
    return eval(expression, {**names, **arrays})


def load(path):
    return np.fromfile(path, np.uint8) if path.endswith(".bin") else np.load(path)


def same_bytes(want, got):
    """An array counts with its shape, leading ones apart; a list counts by its values."""
    if isinstance(want, (list, int, float)):
        want = np.broadcast_to(np.array(want), got.shape) if np.ndim(want) == 0 else np.array(want).reshape(got.shape)
        want = want.astype(got.dtype)
    shapes = [tuple(n for n in shape if n != 1) for shape in (want.shape, got.shape)]
    raw = got.dtype == np.uint8 and want.nbytes == got.nbytes  # of a .bin file
    same_kind = want.dtype == got.dtype or want.dtype.kind != "f" and got.dtype.kind in "ui"
    alike = raw or same_kind and want.dtype.itemsize == got.dtype.itemsize
    return alike and (shapes[0] == shapes[1] or got.ndim == 1) and want.tobytes() == got.tobytes()


def difference(want, got):
    """The first element that differs, and how many do."""
    kinds = f"expected {want.dtype} {want.shape}, got {got.dtype} {got.shape}"
    if want.size != got.size:
        return kinds
    a, b = want.astype(got.dtype).ravel(), got.ravel()
    apart = [i for i in range(got.size) if a[i:i + 1].tobytes() != b[i:i + 1].tobytes()]
    if not apart:
        return kinds
    place = tuple(int(n) for n in np.unravel_index(apart[0], got.shape))
    return f"{kinds}\n{len(apart)} of {got.size} elements differ, first {place}: expected {a[apart[0]]}, got {b[apart[0]]}"


def compare(expression, arrays, path):
    """None, or what is wrong with the file."""
    try:
        got = load(path)
    except (OSError, ValueError) as error:
        return f"no such output: {error}"
    try:
        want = evaluate(expression, arrays)
        if same_bytes(want, got):
            return None
    except (ArithmeticError, IndexError, NameError, TypeError, ValueError) as error:
        return f"cannot compare with an output of {got.dtype} {got.shape}: {error}"
    return difference(np.asarray(want), got)
