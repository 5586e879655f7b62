"""pg.put and pg.scatter_add against loops over numpy arrays, and against torch where it is installed."""

import numpy as np
import pytest

import ptogather as pg

RANDOM = np.random.default_rng(11)
TYPES = ("i1", "u2", "f2", "f4", "i8", "f8", "c16", "V3")
ADDED = ("i1", "u1", "i2", "u2", "f2", "i4", "f4", "i8")


def numbers(kind, shape):
    if np.dtype(kind).kind in "Vc":
        return RANDOM.integers(0, 256, (*shape, np.dtype(kind).itemsize), np.uint8).view(kind)[..., 0]
    return RANDOM.integers(-60, 60, shape).astype(kind)


def by_loop(table, idx, rows, oob, adds):
    out, count = np.array(table), len(table)
    lanes = rows.reshape(idx.size, *table.shape[1:])
    for lane, i in enumerate(idx.reshape(-1).astype("u8").tolist()):
        if i >= count and oob == "skip":
            continue
        i = min(i, count - 1) if oob == "clamp" else i % count
        out[i:i + 1] = out[i:i + 1] + lanes[lane:lane + 1] if adds else lanes[lane:lane + 1]
    return out


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("oob", ["undefined", "skip", "clamp", "wrap"])
def test_both(oob, threads):
    for n in range(60):
        adds = n % 2 == 1
        kind, row = (ADDED if adds else TYPES)[n % 8], [(), (1,), (7,), (2, 8), (64,)][n % 5]
        table = numbers(kind, (int(RANDOM.integers(1, 30)), *row))
        idx = RANDOM.integers(0, len(table) * (1 if oob == "undefined" else 3), [(0,), (1,), (40,), (5, 3)][n % 4])
        rows = numbers(kind, idx.shape + row)
        wanted = by_loop(table, idx, rows, oob, adds)
        given = [table, np.repeat(table, 2, axis=0)[::2]][n % 2 if table.ndim > 1 else 0]
        assert (pg.scatter_add if adds else pg.put)(given, idx, rows, oob=oob, threads=threads) is given
        assert given.tobytes() == wanted.tobytes(), (n, kind, row)


def test_sums_are_rounded_in_the_order_of_the_indices():
    table, rows = np.zeros((1, 1), "f2"), np.array([[2048], [1], [1]], "f2")
    assert pg.scatter_add(table, [0, 0, 0], rows)[0, 0] == 2048
    rows = RANDOM.standard_normal((500, 3)).astype("f4")
    idx = RANDOM.integers(0, 4, 500)
    wanted = np.zeros((4, 3), "f4")
    np.add.at(wanted, idx, rows)
    assert all((pg.scatter_add(np.zeros((4, 3), "f4"), idx, rows, threads=n) == wanted).all() for n in (1, 2, 5))


def test_small_floats():
    table, rows = pg.bfloat16([[1.0, 2.0], [3.0, 4.0]]), pg.bfloat16([[0.5, 0.5]])
    assert pg.scatter_add(table, [1], rows) is table
    assert np.asarray(table, np.float32).tolist() == [[1, 2], [3.5, 4.5]]
    assert np.asarray(pg.put(table, [0], rows), np.float32).tolist() == [[0.5, 0.5], [3.5, 4.5]]


def test_a_negative_index_is_a_large_one():
    with pytest.warns(pg.LaneWarning, match=r"^idx: .*index-negative"):
        assert pg.put(np.zeros(3), [-1], np.ones(1), oob="clamp").tolist() == [0, 0, 1]
    assert pg.put(np.zeros(3), [-1], np.ones(1), oob="skip").tolist() == [0, 0, 0]


def test_nothing_is_written_before_an_index_is_refused():
    table = np.zeros((4, 2))
    for idx, where in (([1, 4], "1"), ([[0, 1], [-1, 0]], "1, 0")):
        rows = np.ones((*np.shape(idx), 2))
        with pytest.raises(pg.Fault, match=rf"^put: idx\[{where}\] is -?\d+; the table has 4 rows$"):
            pg.put(table, idx, rows)
    assert not table.any()


def refused(what, error, words, *arguments, **named):
    with pytest.raises(error, match=words):
        what(*arguments, **named)


def test_wrong_arguments():
    table, rows = np.zeros((4, 2), "f4"), np.ones((1, 2), "f4")
    frozen = np.zeros((4, 2), "f4")
    frozen.flags.writeable = False
    for what in (pg.put, pg.scatter_add):
        refused(what, TypeError, "^table: expected an array that is written in place, not list$", [[1.0]], [0], rows)
        refused(what, ValueError, "^table: it is read-only$", frozen, [0], rows)
        refused(what, ValueError, "^table: strides .* cannot be written in place$", np.zeros((2, 4), "f4").T, [0], rows)
        refused(what, ValueError, "^table: it has no rows: it is a single number$", np.zeros((), "f4"), [0], rows)
        refused(what, TypeError, "^rows: its type is float64, not float32 as that of the table$", table, [0], rows.astype("f8"))
        refused(what, TypeError, "^rows: its type is bf16, not float32", table, [0], pg.bfloat16(rows))
        refused(what, ValueError, r"^rows: its shape is \(1, 2\), not \(2, 2\): that of the indices", table, [0, 1], rows)
        refused(what, TypeError, "^idx: ", table, [0.5], rows)
        refused(what, ValueError, "^oob: ", table, [0], rows, oob="zero")
        refused(what, ValueError, "^threads: ", table, [0], rows, threads=0)
        refused(what, ValueError, "^table: it has no rows to wrap to$", table[:0], [0], rows, oob="wrap")
        refused(what, ValueError, "^table: it overlaps the rows or the index$", table, [0, 1], table[:2])
    refused(pg.put, ValueError, "^table: .*byte order", np.zeros((4, 2), ">f4"), [0], rows)
    refused(pg.scatter_add, TypeError, "^table: float64 is not a supported element type", np.zeros(3), [0], np.ones(1))


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    table, idx = torch.zeros(5, 3), torch.tensor([4, 1, 4])
    rows = torch.arange(9.0).reshape(3, 3)
    wanted = torch.zeros(5, 3).index_add_(0, idx, rows)
    assert pg.scatter_add(table, idx, rows) is table and bool((table == wanted).all())
    with pytest.raises(ValueError, match="^table: "):
        pg.put(torch.zeros(2, 2, requires_grad=True), [0], torch.ones(1, 2))
