"""Arrays in and out: take and mgather against numpy, what is copied and what is not, small floats."""

import array
import ctypes
import warnings

import numpy as np
import pytest

import ptogather as pg

RANDOM = np.random.default_rng(1)
POLICIES = ("undefined", "clamp", "wrap", "zero")


def by_numpy(table, idx, oob):
    """What take means, in numpy."""
    index = np.asarray(idx)
    if index.dtype.kind == "i" and index.itemsize <= 4:
        index = index.astype(np.uint32)
    index = index.astype(np.uint64)
    rows = np.uint64(len(table))
    outside = index >= rows
    mapped = {"clamp": np.minimum(index, rows - np.uint64(1)), "wrap": index % rows, "zero": np.where(outside, 0, index)}
    got = np.array(table[mapped.get(oob, index).astype(np.int64)])
    if oob == "zero":
        got[outside] = np.zeros((), table.dtype)
    return got


@pytest.mark.parametrize("oob", POLICIES)
@pytest.mark.parametrize("dtype", ["i1", "u2", "f2", "f4", "f8", "c16", "?", "M8[s]", [("a", "i1"), ("b", "f4")]])
def test_take_is_what_numpy_says(dtype, oob):
    for shape in ((9,), (9, 1), (9, 5), (9, 32), (3, 4, 5), (70, 2, 3)):
        table = np.frombuffer(RANDOM.bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), np.uint8).copy()
        table = (table & 1).view(dtype).reshape(shape) if dtype == "?" else table.view(dtype).reshape(shape)
        for index in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
            for form in ((), (1,), (7,), (2, 3), (2, 1, 2)):
                idx = RANDOM.integers(0, len(table) if oob == "undefined" else 100, form).astype(index)
                got = pg.take(table, idx, oob)
                assert got.dtype == table.dtype and got.shape == np.shape(idx) + table.shape[1:]
                assert got.tobytes() == np.ascontiguousarray(by_numpy(table, idx, oob)).tobytes()


def test_take_of_nothing():
    table = np.zeros((4, 3), np.float32)
    assert pg.take(table, []).shape == (0, 3)
    assert pg.take(np.zeros((4, 0), np.float32), [1, 3]).shape == (2, 0)
    assert (pg.take(np.zeros((0, 3), np.float32), [1, 3], "zero") == 0).all()
    with pytest.raises(pg.Fault, match=r"idx\[1\] is 4; the table has 4 rows"):
        pg.take(np.zeros((4, 0), np.float32), [1, 4])
    with pytest.raises(ValueError, match="table: it has no rows"):
        pg.take(np.zeros((0, 3), np.float32), [1], "wrap")


def test_take_says_which_lane():
    with pytest.raises(pg.Fault) as caught:
        pg.take(np.zeros((4, 3), np.float32), np.array([[0, 1], [2, 9]]))
    assert str(caught.value) == "take: idx[1, 1] is 9; the table has 4 rows [gm-out-of-bounds]"
    assert caught.value.diagnostics[0].id == "gm-out-of-bounds" and caught.value.result.shape == (2, 2, 3)


def test_a_negative_index_warns():
    with pytest.warns(pg.LaneWarning, match="idx: .*negative.*index-negative"):
        rows = pg.take(np.arange(4, dtype=np.float32), np.array([-1], np.int32), "clamp")
    assert rows == [3]
    with pytest.warns(pg.LaneWarning) as caught:
        pg.take([1, 2], np.array([-1], np.int32), "clamp")
        pg.mgather(np.zeros((4, 8), np.float32), np.array([-1], np.int32), oob="clamp")
    assert [one.filename for one in caught] == [__file__] * 2
    with pytest.warns(pg.LaneWarning):
        pg.take(np.arange(4, dtype=np.float32), np.array([-1], np.int32), "WRAP")


def test_out_is_written_and_returned():
    table, out = RANDOM.random((9, 4)), np.empty((2, 4))
    assert pg.take(table, [3, 1], out=out) is out and (out == table[[3, 1]]).all()
    assert pg.take(table, np.array([3, 1]), out=out, threads=4) is out
    for wrong, error in ((np.empty((2, 5)), "out: its shape"), (np.empty((2, 4), "f4"), "out: its type"),
                         (np.empty((4, 2)).T, "out: it is not packed"), (table[:2], "out: it overlaps")):
        with pytest.raises((ValueError, TypeError), match=error):
            pg.take(table, np.array([3, 1]), out=wrong)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: it is read-only"):
        pg.take(table, np.array([3, 1]), out=out)


def test_several_threads_give_the_same():
    table = RANDOM.integers(0, 99, (5000, 256), np.int32)
    idx = RANDOM.integers(0, 5000, 20000)
    assert (pg.take(table, idx, threads=4) == table[idx]).all()


# ---- strides, and who is copied


def test_rows_with_a_pitch_are_not_copied():
    whole = RANDOM.random((50, 40), dtype=np.float32)
    idx = RANDOM.integers(0, 50, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for part in (whole[:, 3:20], whole[:, :1], whole[::2], whole[5:, 8:]):
            rows = idx % len(part)
            assert (pg.take(part, rows) == part[rows]).all()
            assert (pg.mgather(part, rows.astype(np.int32)) == part[rows]).all()


def test_other_strides_are_copied_and_said():
    whole, idx = RANDOM.random((50, 40), dtype=np.float32), np.arange(20)
    for table in (whole.T, whole[::-1], whole[:, ::2], np.broadcast_to(whole[0], (50, 40)), whole.astype(">f4")):
        with pytest.warns(pg.CopyWarning, match="table: .* bytes are copied"):
            assert (pg.mgather(table, idx.astype(np.int32)) == table[idx]).all()
    with pytest.warns(pg.CopyWarning, match="table: strides"):
        assert (pg.take(whole.T, idx) == whole.T[idx]).all()
    with pytest.warns(pg.CopyWarning, match="idx: strides"):
        assert (pg.take(whole, idx[::2]) == whole[idx[::2]]).all()
    with pytest.warns(pg.CopyWarning):
        assert (pg.mgather(whole[:, :8], [3], mode="elem") == whole[:, :8].ravel()[3]).all()


def test_an_unaligned_table_and_index():
    raw = np.frombuffer(RANDOM.bytes(4 * 64 + 1), np.uint8)[1:]
    table, idx = raw.view("f4").reshape(8, 8), np.frombuffer(b"x" + np.arange(6).tobytes(), np.uint8)[1:].view("i8")
    assert pg.take(table, idx).tobytes() == table[idx].tobytes()
    assert pg.mgather(table, idx).tobytes() == table[idx].tobytes()


class Only:
    """An object that offers an array by one protocol alone."""

    def __init__(self, **offers):
        self.__dict__.update(offers)


class Dlpack:
    def __init__(self, array_):
        self.array = array_

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_every_protocol():
    table, idx = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([2, 0], np.int32)
    wanted = table[[2, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in (table, memoryview(table), Only(__array_interface__=table.__array_interface__), Dlpack(table)):
            for index in (idx, [2, 0], (2, 0), memoryview(idx), array.array("i", [2, 0]), Dlpack(idx)):
                assert (pg.take(form, index) == wanted).all()
                assert (pg.mgather(form, index) == wanted).all()
    assert (pg.take(b"abcd", [3, 1]) == [100, 98]).all()
    assert (pg.take(bytearray(b"abcd"), [3, 1]) == [100, 98]).all()


def test_memory_is_not_copied():
    table = np.zeros((4, 8), np.float32)
    for form in (table, memoryview(table), Dlpack(table), Only(__array_interface__=table.__array_interface__)):
        from ptogather.arrays import borrow
        assert np.shares_memory(borrow(form, "table").data, table)


def bfloat16_capsule(bits, code=4, width=16, device=1):
    from ptogather.dlpack import DLDevice, DLTensor, DLType
    shape = (ctypes.c_int64 * bits.ndim)(*bits.shape)
    tensor = DLTensor(bits.ctypes.data, DLDevice(device, 0), bits.ndim, DLType(code, width, 1), shape, None, 0)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new(ctypes.addressof(tensor), b"dltensor", None)
    return Only(__dlpack__=lambda: capsule, keep=(bits, shape, tensor))


def test_dlpack_of_small_floats_and_of_devices():
    values = pg.bfloat16([[1.5, 2], [3, 4], [5, 6]])
    got = pg.take(bfloat16_capsule(values.bits), [2, 0])
    assert isinstance(got, pg.FloatArray) and got.tolist() == [[5, 6], [1.5, 2]]
    with pytest.raises(TypeError, match="table: its memory is on a device"):
        pg.take(bfloat16_capsule(values.bits, device=2), [0])
    with pytest.raises(TypeError, match="table: DLPack type 9 of 16 bits"):
        pg.take(bfloat16_capsule(values.bits, code=9), [0])
    with pytest.raises(TypeError, match="table: its __dlpack__ failed"):
        pg.take(Only(__dlpack__=lambda: 3), [0])


def test_masked_arrays_are_refused():
    table, mask = np.arange(12, dtype=np.float32).reshape(4, 3), np.zeros((4, 3), bool)
    mask[2] = True
    for masked in (np.ma.masked_array(table), np.ma.masked_array(table, mask)):
        for use in (lambda: pg.take(masked, [2]), lambda: pg.mgather(masked, [2]), lambda: pg.bfloat16(masked)):
            with pytest.raises(TypeError, match=r"(table|values): a masked array is not supported, .*: use \1.filled\(0\)"):
                use()
    with pytest.raises(TypeError, match="idx: a masked array"):
        pg.take(table, np.ma.masked_array([1, 2], [0, 1]))
    with pytest.raises(TypeError, match="out: a masked array"):
        pg.take(table, np.array([1]), out=np.ma.masked_array(np.zeros((1, 3), np.float32)))


@pytest.mark.parametrize("oob", POLICIES)
def test_take_along_an_axis(oob):
    for shape in ((5,), (5, 4), (2, 5, 3), (2, 3, 5, 1), (3, 0, 5), (0, 5, 2)):
        table = RANDOM.integers(0, 99, shape)
        for axis in range(-len(shape), len(shape)):
            for form in ((), (3,), (2, 2), (0,)):
                most = shape[axis] if oob == "undefined" else 9
                if shape[axis] == 0 and int(np.prod(form)):
                    continue
                idx = RANDOM.integers(0, max(most, 1), form, np.int32)
                moved = np.moveaxis(table, axis, 0)
                wanted = np.moveaxis(by_numpy(moved, idx, oob), range(idx.ndim), range(axis % len(shape), axis % len(shape) + idx.ndim)) \
                    if shape[axis] else np.zeros(np.take(table, idx, axis).shape, table.dtype)
                got = pg.take(table, idx, oob, axis=axis)
                assert got.shape == wanted.shape and (got == wanted).all()
                out = np.empty(wanted.shape, table.dtype)
                assert pg.take(table, idx, oob, out, axis=axis) is out and (out == wanted).all()


def test_an_axis_that_is_no_axis():
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    with pytest.raises(pg.Fault, match=r"take: idx\[1\] is 3; axis 1 of the table has 3 entries \[gm-out-of-bounds\]"):
        pg.take(table, [0, 3], axis=1)
    with pytest.warns(pg.LaneWarning, match="idx: .*negative"):
        assert pg.take(table, np.array([-1], np.int32), "clamp", axis=1)[:, 0].tolist() == [2, 5, 8, 11]
    with pytest.raises(TypeError, match=r"axis: .* take\(table.reshape\(-1\), idx\)"):
        pg.take(table, [0], axis=None)
    with pytest.raises(ValueError, match="axis: 2 is not between -2 and 1"):
        pg.take(table, [0], axis=2)
    with pytest.raises(ValueError, match="oob: 1 is not one of .*; an axis is named, axis=1"):
        pg.take(table, [0], 1)  # where numpy.take has it
    assert isinstance(pg.take(pg.bfloat16(table), [2, 0], axis=1), pg.FloatArray)
    assert (pg.take(table, [2, 0], axis=np.int8(-1)) == table[:, [2, 0]]).all()


# ---- the instructions


def test_mgather_row_and_elem():
    table = RANDOM.random((6, 8), dtype=np.float32)
    assert (pg.mgather(table, [2, 0, 9], mode="row", oob="clamp") == table[[2, 0, 5]]).all()
    assert (pg.mgather(table, [[2], [0]], mode="row") == table[[2, 0]]).all()
    assert (pg.mgather(table, [[2, 40], [0, 7]], mode="elem") == table.ravel()[[[2, 40], [0, 7]]]).all()
    assert (pg.mgather(table.reshape(2, 3, 8), [4]) == table[4]).all()
    assert (pg.mgather(table, [99], oob="zero") == 0).all()
    out = np.empty((1, 8), np.float32)
    assert pg.mgather(table, [3], out=out, threads=2) is out and (out == table[3]).all()


def test_mgather_on_other_targets():
    table, idx = RANDOM.random((64, 32), dtype=np.float32), np.arange(16, dtype=np.int32)
    for target in ("a2a3", "a5"):
        assert (pg.mgather(table, idx, target=target) == table[:16]).all()
    with pytest.raises(pg.Refused) as caught:
        pg.mgather(table, idx.reshape(16, 1), target="a2a3")
    found = caught.value.diagnostics
    assert found[0].id == "mgather-row-index-shape" and found[0].accepted_by == ("host", "cpu", "a5-custom", "cpusim")
    assert found[0].fix == "make idx [1, 16] row_major" and "= fix:" in caught.value.report
    assert "\n" not in str(caught.value)
    with pytest.warns(pg.LaneWarning, match="mgather on cpu: .*cpu-ignores-oob"):
        pg.mgather(table, np.zeros((4, 8), np.int32), mode="elem", oob="clamp", target="cpu")


def test_mgather_with_a_fault_has_the_result():
    table = np.arange(48, dtype=np.float32).reshape(6, 8)
    with pytest.raises(pg.Fault, match=r"mgather on host: .*\[gm-out-of-bounds\]") as caught:
        pg.mgather(table, [2, 9])
    assert (caught.value.result[0] == table[2]).all() and (caught.value.result[1].view(np.uint32) == 0xAAAAAAAA).all()


def test_tgather_in_its_three_forms():
    src = RANDOM.integers(-50, 50, (8, 12)).astype(np.float32)
    idx = RANDOM.integers(0, 96, (3, 5), np.int32)
    assert (pg.tgather(src, idx) == src.ravel()[idx]).all() and (pg.tgather(src[0], [3, 1]) == src[0, [3, 1]]).all()
    for pattern, keeps in (("P0101", (0, 2)), ("P1010", (1, 3)), ("P0001", (0,)), ("P1000", (3,)), ("P1111", (0, 1, 2, 3))):
        cols = [c for c in range(12) if c % 4 in keeps]
        assert (pg.tgather(src, pattern=pattern) == src[:, cols]).all()
        rows = [r for r in range(8) if r % 4 in keeps]
        assert (pg.tgather(src, pattern=pattern, axis="col") == src[rows]).all()
    limits = np.arange(8) * 5
    for k in (7, limits):
        positions, counts = pg.tgather(src, cmp="gt", k=k, offset=100)
        for row in range(8):
            wanted = np.flatnonzero(src[row] > np.broadcast_to(k, 8)[row]) + row * 12 + 100
            assert counts[row] == len(wanted) and positions[row, :len(wanted)].tolist() == wanted.tolist()
            assert (positions[row, len(wanted):] == -1).all()
    small = pg.tgather(pg.bfloat16(src), idx)
    assert isinstance(small, pg.FloatArray) and (np.asarray(small) == src.ravel()[idx]).all()
    assert pg.tgather(src, [[99]]) == 0
    with pytest.raises(pg.Refused, match="tgather on a2a3"):
        pg.tgather(src, idx.astype(np.int64), target="a2a3")


def test_a_plan_is_kept():
    from ptogather.plans import take_plan
    table, idx = np.zeros((31, 7), np.float32), np.zeros(13, np.int64)
    pg.take(table, idx)
    before = take_plan.cache_info()
    pg.take(table.copy(), idx + 1)
    after = take_plan.cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)


# ---- small floats


@pytest.mark.parametrize("element", [pg.bfloat16, pg.float8_e4m3, pg.float8_e5m2], ids=str)
def test_small_floats_convert_both_ways(element):
    patterns = np.arange(65536 if element.itemsize == 2 else 256, dtype=element.storage)
    numbers = element.view(patterns).astype(np.float32)
    back = element(numbers).bits
    same = (back == patterns) | np.isnan(numbers)
    assert same.all() and np.isnan(element.view(back[np.isnan(numbers)]).astype(np.float32)).all()
    finite = np.sort(numbers[np.isfinite(numbers)])
    values = RANDOM.uniform(finite[0], finite[-1], 1000).astype(np.float32)
    values = np.concatenate([values, RANDOM.normal(0, 1, 1000).astype(np.float32)])
    rounded = element(values).astype(np.float64)
    nearest = finite[np.abs(finite[None, :].astype(np.float64) - values[:, None]).argmin(1)] if element.itemsize == 1 else None
    if nearest is not None:
        assert (np.abs(rounded - values) == np.abs(nearest.astype(np.float64) - values)).all()
    else:
        assert (np.abs(rounded - values) <= np.abs(values) * 2.0**-8).all()


def test_ties_go_to_the_even_one():
    assert pg.bfloat16([1 + 2**-8, 1 + 3 * 2**-8]).bits.tolist() == [0x3F80, 0x3F82]
    assert pg.float8_e4m3([1.0625, 1.1875, 448, 464, 465, -1e9]).tolist()[:4] == [1.0, 1.25, 448.0, 448.0]
    assert np.isnan(np.asarray(pg.float8_e4m3([465, -1e9]))).all()
    assert pg.float8_e5m2([57344, 61439, 61440, -1e9]).tolist() == [57344.0, 57344.0, np.inf, -np.inf]


def test_small_floats_look_and_behave_like_arrays():
    a = pg.bfloat16([[1.5, 2], [3, 4]])
    assert repr(a) == "FloatArray([[1.5,   2],\n            [  3,   4]], dtype=bf16)"
    assert a.shape == (2, 2) and len(a) == 2 and a.nbytes == 8 and a[1].tolist() == [3, 4] and a[0, 1] == 2.0
    a[0] = [7, 8]
    a[1] = a[0]
    assert np.asarray(a).tolist() == [[7, 8], [7, 8]] and float(np.mean(a)) == 7.5
    bits = np.zeros(3, np.uint16)
    pg.bfloat16.view(bits)[:] = 1
    assert (bits == 0x3F80).all()
    assert repr(pg.hifloat8.view(np.array([0x3C], np.uint8))) == "FloatArray([0x3c], dtype=hif8)"
    with pytest.raises(TypeError, match="hif8: its numbers are not modelled"):
        pg.hifloat8([1.0])
    rows = pg.take(pg.bfloat16([[1, 2], [3, 4]]), [1])
    assert isinstance(rows, pg.FloatArray) and rows.tolist() == [[3, 4]]
    rows = pg.mgather(pg.float8_e4m3(np.ones((4, 8))), [1])
    assert isinstance(rows, pg.FloatArray) and rows.dtype is pg.float8_e4m3 and (np.asarray(rows) == 1).all()


def test_small_floats_print_in_columns():
    values = pg.bfloat16(np.array([[1.5, 0.1, -300], [2, np.nan, np.inf]]))
    assert repr(values) == ("FloatArray([[        1.5, 0.100097656,      -3e+02],\n"
                            "            [          2,         nan,         inf]], dtype=bf16)")
    rows = repr(pg.bfloat16(np.linspace(-1, 1000, 40 * 50).reshape(40, 50))).splitlines()
    assert "..." in repr(rows) and len({line.index(",") for line in rows if line.lstrip()[0] == "["}) == 1
    assert repr(pg.bfloat16([])) == "FloatArray([], dtype=bf16)" and repr(pg.bfloat16(2.5)) == "FloatArray(2.5, dtype=bf16)"


def test_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    table = np.arange(12).reshape(4, 3).astype(ml_dtypes.bfloat16)
    assert pg.take(table, [2]).dtype == table.dtype and (pg.take(table, [2]) == table[[2]]).all()
    assert pg.mgather(table, [2]).dtype == table.dtype


def test_empty():
    assert pg.empty((2, 3)).dtype == np.float32 and pg.empty((2, 3), "i32").sum() == 0
    assert isinstance(pg.empty(4, "bf16"), pg.FloatArray) and pg.empty(4, np.float16).dtype == np.float16
    with pytest.raises(TypeError, match="dtype: element type 'float128x' is not supported"):
        pg.empty(4, "float128x")
    with pytest.raises(MemoryError, match="shape: .*do not fit into memory"):
        pg.empty((2**40, 2**20))
