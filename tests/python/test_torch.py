"""Tensors of torch: with torch itself where it is installed, and always with a module that behaves like it."""

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import ptogather as pg
from ptogather.arrays import borrow

TYPES = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "complex64", "complex128", "bfloat16")


def load_fake():
    spec = importlib.util.spec_from_file_location("torch", Path(__file__).parent / "fake_torch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["stand-in", "torch"])
def torch(request, monkeypatch):
    if request.param == "torch":
        return pytest.importorskip("torch")
    module = load_fake()
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


@pytest.fixture
def parameter(torch):
    """What torch.nn.Embedding(6, 4).weight is."""
    kind = torch.nn.Parameter if hasattr(torch, "nn") else torch.Parameter
    made = torch.tensor(np.arange(24.0).reshape(6, 4).tolist(), dtype=torch.float32)
    return kind(made) if hasattr(torch, "nn") else kind(made.array, made.dtype, requires_grad=True)


def test_a_parameter_is_a_detached_view(torch, parameter):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = pg.take(parameter, torch.tensor([5, 0]))
    assert isinstance(rows, torch.Tensor) and rows.dtype is torch.float32 and not rows.requires_grad
    assert rows.tolist() == [[20, 21, 22, 23], [0, 1, 2, 3]]
    assert borrow(parameter, "table").data.__array_interface__["data"][0] == parameter.data_ptr()


@pytest.mark.parametrize("name", TYPES)
def test_every_type_comes_back(torch, name):
    kind = getattr(torch, name)
    table = torch.tensor([[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 1]], dtype=kind)
    for out in (None, torch.tensor([[0, 0, 0], [0, 0, 0]], dtype=kind)):
        rows = pg.take(table, [3, 1], out=out)
        assert isinstance(rows, torch.Tensor) and rows.dtype is kind and (out is None or rows is out)
        assert rows.tolist() == [[1, 1, 1], table.tolist()[1]]


def test_the_instructions(torch, parameter):
    rows = pg.mgather(parameter, torch.tensor([2, 0]))
    assert isinstance(rows, torch.Tensor) and rows.tolist() == [[8, 9, 10, 11], [0, 1, 2, 3]]
    assert pg.tgather(parameter, torch.tensor([[7, 0]])).tolist() == [[7, 0]]
    positions, counts = pg.tgather(parameter, cmp="gt", k=21.0)
    assert isinstance(positions, torch.Tensor) and counts.tolist() == [0, 0, 0, 0, 0, 2] and positions.tolist()[5] == [22, 23, -1, -1]
    assert isinstance(pg.take(np.eye(3), torch.tensor([1])), np.ndarray)  # the table decides


def test_programs_give_tensors_back(torch, embed, data):
    table = torch.tensor(data["table"].tolist(), dtype=torch.float32, requires_grad=True)
    idx = torch.tensor(data["idx"].tolist(), dtype=torch.int32)
    wanted = data["table"][data["idx"][0]].tolist()
    made = pg.run(embed, "a2a3", table=table, idx=idx).outputs["out"]
    assert isinstance(made, torch.Tensor) and made.dtype is torch.float32 and made.tolist() == wanted
    out = torch.tensor(np.zeros((16, 32)).tolist(), dtype=torch.float32)
    assert pg.run(embed, "a2a3", table=table, idx=idx, out=out).outputs["out"] is out and out.tolist() == wanted
    before = out.tolist()
    assert "set_flag" in str(pg.repair(embed, "a5", table=table, idx=idx, out=out)) and out.tolist() == before
    seen = []
    pg.assert_same(embed, lambda table, idx: seen.append(table) or data["table"][data["idx"][0]], "a2a3", table=table, idx=idx)
    assert isinstance(seen[0], torch.Tensor)


def test_what_torch_would_not_write(torch, parameter, embed, data):
    with pytest.raises(ValueError, match=r"out: the tensor requires a gradient; give out.detach\(\)"):
        pg.take(np.zeros((6, 4), np.float32), np.arange(6), out=parameter)
    out = torch.tensor(np.zeros((16, 32)).tolist(), dtype=torch.float32, requires_grad=True)
    with pytest.raises(ValueError, match="out: the tensor requires a gradient"):
        pg.run(embed, "a2a3", **{**data, "out": out})


def test_a_conjugate_is_copied_and_reported(torch):
    table = torch.tensor([[1 + 2j], [3 + 4j]], dtype=torch.complex64).conj()
    with pytest.warns(pg.CopyWarning, match="table: its memory holds the conjugate or the negative"):
        assert pg.take(table, [1]).tolist() == [[3 - 4j]]


def test_tensors_without_memory_here(torch):
    if hasattr(torch, "nn"):
        elsewhere, odd = torch.ones(3, 2, device="meta"), torch.ones(3, 2).to_sparse()
        with pytest.raises(TypeError, match="table: the tensor has no memory to read: "):
            pg.take(odd, [0])
        quantized = torch.quantize_per_tensor(torch.ones(3, 2), 1.0, 0, torch.qint8)
    else:
        elsewhere = torch.Tensor(np.zeros((3, 2), np.float32), torch.float32, place="cuda")
        quantized = torch.Tensor(np.zeros((3, 2), np.int8), torch.qint8)
    with pytest.raises(TypeError, match=r"table: the tensor is on (meta|cuda:0): copy it to the CPU first, table.cpu\(\)"):
        pg.take(elsewhere, [0])
    with pytest.raises(TypeError, match="table: tensors of torch.qint8 are not supported"):
        pg.take(quantized, [0])


def test_eight_bit_floats(monkeypatch):
    module = load_fake()  # newer versions of torch have them
    monkeypatch.setitem(sys.modules, "torch", module)
    table = module.Tensor(pg.float8_e4m3([[1.0], [2.0]]).bits, module.float8_e4m3fn)
    rows = pg.take(table, [1])
    assert rows.dtype is module.float8_e4m3fn and rows.array.tolist() == pg.float8_e4m3([[2.0]]).bits.tolist()
