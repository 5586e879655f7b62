"""Embedding bags: pg.embedding_bag against loops in numpy's float64, rounded once, and in its float32, and against torch where it is
installed."""

import numpy as np
import pytest

import ptogather as pg

RANDOM = np.random.default_rng(7)
MODES = ("sum", "mean", "max")


def to_bf16(values):
    """Rounded to the nearest, ties to even: float64 to the bits of bf16, by whole numbers alone."""
    bits = values.astype(np.float64).view(np.uint64)
    exponent = ((bits >> np.uint64(52)) & np.uint64(0x7ff)).astype(np.int64) - 1023
    unit = np.ldexp(1.0, np.maximum(exponent, -126) - 7)
    near = np.rint(values / unit) * unit  # float64 holds both exactly
    with np.errstate(over="ignore"):
        return (near.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def by_numpy(bags, rows, mode, weights=None, scales=None, padding=None):
    """Row after row, in the type of `rows`, the table in float64 or float32; `weights`: one list for each bag."""
    out, kind = np.zeros((len(bags), rows.shape[1]), rows.dtype), rows.dtype.type
    for b, bag in enumerate(bags):
        terms = []
        for k, i in enumerate(bag):
            if i == padding:
                continue
            factor = np.float64(1 if scales is None else scales[i if len(scales) > 1 else 0])
            factor *= np.float64(1 if weights is None else weights[b][k])
            terms.append(rows[i] * kind(factor))
        for k, term in enumerate(terms):
            out[b] = np.maximum(out[b], term) if mode == "max" and k else out[b] + term if mode != "max" else term
        if mode == "mean" and terms:
            out[b] /= kind(len(terms))
    return out


def some_bags(rows, count=9, most=40):
    bags = [RANDOM.integers(0, rows, RANDOM.integers(0, most)) for _ in range(count)]
    bags[3] = bags[3][:0]
    return bags, np.concatenate(bags), np.cumsum([0] + [len(bag) for bag in bags])


def tables(rows, cols):
    """Each type: the array that is given, its numbers in float64, and how a float64 is rounded to the result."""
    numbers = RANDOM.normal(0, 3, (rows, cols)).astype(np.float32)
    small = np.arange(rows * cols, dtype=np.uint8).reshape(rows, cols) & 0x7b  # neither NaN nor infinities
    halves = numbers.astype(np.float16)
    bfloats = pg.bfloat16(numbers)
    to_f32 = lambda values: values.astype(np.float32)
    yield numbers, numbers.astype(np.float64), to_f32
    yield halves, halves.astype(np.float64), lambda values: values.astype(np.float16)
    yield bfloats, np.asarray(bfloats, np.float32).astype(np.float64), to_bf16
    yield small.view(np.int8), small.view(np.int8).astype(np.float64), to_f32
    for kind in (pg.float8_e4m3, pg.float8_e5m2):
        view = kind.view(small)
        yield view, np.asarray(view, np.float32).astype(np.float64), to_f32


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("cols", [1, 7, 16, 33, 128, 600])
def test_bags_are_float64_rounded_once(mode, cols):
    for table, numbers, rounded in tables(23, cols):
        bags, flat, offsets = some_bags(23)
        scales = RANDOM.uniform(0.1, 2, 23).astype(np.float32)
        for chosen, padding in ((None, None), (scales, None), (scales[:1], 4), (None, 4)):
            got = pg.embedding_bag(flat, table, offsets[:-1], mode=mode, scales=chosen, padding_idx=padding, precise=True)
            want = rounded(by_numpy(bags, numbers, mode, scales=chosen, padding=padding))
            np.testing.assert_array_equal(getattr(got, "bits", got), want)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("cols", [1, 7, 16, 33, 128, 600])
def test_rows_of_float32_are_added_in_float32(mode, cols):
    table = RANDOM.normal(0, 3, (23, cols)).astype(np.float32)
    bags, flat, offsets = some_bags(23)
    scales = RANDOM.uniform(0.1, 2, 23).astype(np.float32)
    for chosen, padding in ((None, None), (scales, None), (scales[:1], 4), (None, 4)):
        got = pg.embedding_bag(flat, table, offsets[:-1], mode=mode, scales=chosen, padding_idx=padding)
        np.testing.assert_array_equal(got, by_numpy(bags, table, mode, scales=chosen, padding=padding))


def test_weights_indices_and_ends():
    for table, numbers, rounded in tables(11, 40):
        bags, flat, offsets = some_bags(11)
        weights = [RANDOM.normal(0, 1, len(bag)).astype(np.float32) for bag in bags]
        scales = RANDOM.uniform(0.1, 2, 11).astype(np.float32)
        want = rounded(by_numpy(bags, numbers, "sum", weights=weights, scales=scales))
        for index in (np.int32, np.int64, np.uint8):
            got = pg.embedding_bag(flat.astype(index), table, offsets.astype(np.int32 if index is np.int32 else np.int64),
                                   mode="sum", per_sample_weights=np.concatenate(weights), include_last_offset=True,
                                   scales=scales, precise=True, threads=3)
            np.testing.assert_array_equal(getattr(got, "bits", got), want)
        if table.dtype == np.float32:
            got = pg.embedding_bag(flat, table, offsets[:-1], mode="sum", per_sample_weights=np.concatenate(weights), scales=scales)
            np.testing.assert_array_equal(got, by_numpy(bags, table, "sum", weights=weights, scales=scales))


def test_two_dimensions():
    table = RANDOM.normal(0, 1, (6, 5)).astype(np.float32)
    index = RANDOM.integers(0, 6, (4, 3))
    np.testing.assert_array_equal(pg.embedding_bag(index, table),
                                  by_numpy(list(index), table, "mean"))
    assert pg.embedding_bag(np.zeros((0, 3), np.int64), table).shape == (0, 5)
    assert not pg.embedding_bag(np.zeros((2, 0), np.int64), table, mode="max").any()


def test_nan_and_infinities():
    table = np.array([[np.nan, 1], [np.inf, 2], [-np.inf, -0.0]], np.float32)
    assert np.isnan(pg.embedding_bag([[1, 0]], table, mode="max"))[0, 0]
    assert np.isnan(pg.embedding_bag([[1, 2]], table, mode="sum"))[0, 0]
    assert pg.embedding_bag([[2]], table, mode="max").tolist() == [[-np.inf, 0.0]]


def test_what_is_refused():
    table = np.zeros((4, 3), np.float32)
    flat = [0, 1, 2]
    for error, text, arguments in (
            (ValueError, "offsets: input has one dimension", {}),
            (ValueError, "offsets: input has two", {"input": [[0]], "offsets": [0]}),
            (ValueError, "offsets: expected one dimension", {"offsets": [[0]]}),
            (ValueError, "max_norm", {"offsets": [0], "max_norm": 1.0}),
            (ValueError, "mode: 'product'", {"offsets": [0], "mode": "product"}),
            (ValueError, "per_sample_weights: a mean", {"offsets": [0], "per_sample_weights": np.ones(3, np.float32)}),
            (ValueError, "per_sample_weights: expected the shape", {"offsets": [0], "mode": "sum", "per_sample_weights": np.ones(2, np.float32)}),
            (ValueError, "scales: expected one number, or 4", {"offsets": [0], "scales": np.ones(3, np.float32)}),
            (ValueError, "weight: expected 2 dimensions", {"offsets": [0], "weight": np.zeros(4, np.float32)}),
            (TypeError, "weight: expected rows", {"offsets": [0], "weight": np.zeros((4, 3), np.int32)}),
            (TypeError, "weight: float64", {"offsets": [0], "weight": np.zeros((4, 3))}),
            (TypeError, "input: expected whole numbers", {"input": [0.5], "offsets": [0]}),
            (ValueError, "padding_idx", {"offsets": [0], "padding_idx": 4}),
            (pg.Fault, r"input\[1\] is 4; the table has 4 rows", {"input": [0, 4], "offsets": [0]}),
            (pg.Fault, r"input\[0, 1\] is -1", {"input": [[0, -1]]}),
            (pg.Fault, r"offsets\[0\] is 1", {"offsets": [1]}),
            (pg.Fault, r"offsets\[1\] is 9", {"offsets": [0, 9]})):
        with pytest.raises(error, match=text):
            pg.embedding_bag(**{"input": flat, "weight": table, **arguments})


def test_as_torch_does():
    torch = pytest.importorskip("torch")
    weight = torch.from_numpy(RANDOM.normal(0, 1, (30, 17)).astype(np.float32))
    _, flat, offsets = some_bags(30)
    flat, starts = torch.from_numpy(flat), torch.from_numpy(offsets[:-1])
    for mode in MODES:
        got = pg.embedding_bag(flat, weight, starts, mode=mode)
        assert isinstance(got, torch.Tensor)
        torch.testing.assert_close(got, torch.nn.functional.embedding_bag(flat, weight, starts, mode=mode))
    want = torch.nn.functional.embedding_bag(flat, weight, starts, mode="sum")
    assert torch.equal(pg.embedding_bag(flat, weight, starts, mode="sum"), want)
