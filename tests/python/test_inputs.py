"""Arguments that are not given: generated as the command generates them; and arguments that do not fit."""

import os
import re
import subprocess
import warnings

import numpy as np
import pytest

import ptogather as pg
from ptogather._library import NATIVE

POINTERS = """func.func @f(%table: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %out: !pto.ptr<f32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %t = pto.make_tensor_view %table, shape = [%rows, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
  %i = pto.make_tensor_view %idx, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xi32>
  %o = pto.make_tensor_view %out, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
  %tp = pto.partition_view %t, offsets = [%c0, %c0], sizes = [%rows, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x32xf32>
  %ip = pto.partition_view %i, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x16xi32>
  %op = pto.partition_view %o, offsets = [%c0, %c0], sizes = [%c16, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>
  %x = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  pto.tload ins(%ip) outs(%x)
  pto.mgather ins(%tp, %x) outs(%d) {coalesce = #pto<coalesce row>}
  pto.tstore ins(%d) outs(%op)
  return
}
"""


def test_what_is_not_given_is_generated(embed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r = pg.run(embed, "a2a3")
    assert r.clean and r.generated == ("table", "idx") and set(r.inputs) == {"table", "idx"}
    assert (r.outputs["out"] == r.inputs["table"][r.inputs["idx"][0]]).all() and np.ptp(r.inputs["table"]) > 0


def test_pointers_and_numbers_are_generated():
    r = pg.run(POINTERS)
    assert r.clean and set(r.generated) == {"table", "idx", "out", "rows"}
    rows = r.inputs["rows"]
    table, idx = r.inputs["table"].reshape(-1, 32), r.inputs["idx"]
    assert len(table) >= rows > 0 and idx.max() < rows and (r.outputs["out"].reshape(16, 32) == table[idx]).all()
    with pytest.warns(pg.GeneratedWarning, match="using random data for %table and %idx"):
        assert pg.run(POINTERS, rows=5).inputs["idx"].max() < 5


def test_generated_memory_is_as_large_as_the_program_needs(root):
    """Whatever the types say: nothing is accessed, extents are open, or the program is refused."""
    text = "func.func @f(%a: !pto.ptr<f32>, %m: memref<?x4xf32>, %x: f32, %n: index) {\n  return\n}"
    inputs = pg.synthetic_inputs(text)
    assert inputs["a"].size == 0 and inputs["m"].shape[1:] == (4,) and inputs["n"] > 0
    assert pg.run(text, allow_empty=True).clean
    for name in ("element_odd", "mgather_capacity"):
        with pytest.raises(pg.Refused):
            pg.run(root / "tests" / "pto" / "reject" / f"{name}.pto")


def test_they_are_those_of_the_command(embed, tmp_path):
    for name, text in (("embed", embed), ("pointers", POINTERS)):
        (tmp_path / f"{name}.pto").write_text(text)
        subprocess.run([NATIVE / "ptog", "run", f"{name}.pto", "--target", "a2a3", "--dump", f"d={name}.npy"], cwd=tmp_path,
                       check=True, stderr=subprocess.PIPE, env={**os.environ, "LD_PRELOAD": ""})  # of the sanitizer
        r = pg.run(tmp_path / f"{name}.pto", "a2a3")
        assert (np.load(tmp_path / f"{name}.npy") == r.tiles["d"].array).all()


def test_a_caller_who_gives_some_is_warned(embed, data):
    with pytest.warns(pg.GeneratedWarning, match=r"using random data for %idx \(indices 0..63\); give generate=False") as caught:
        pg.run(embed, "a2a3", table=data["table"])
    assert caught[0].filename == __file__
    with pytest.raises(TypeError, match=r"idx: missing argument \(1x16 i32\): the program accesses it in global memory"):
        pg.run(embed, "a2a3", table=data["table"], generate=False)
    assert pg.run(embed, "a2a3", generate=False, table=data["table"], idx=data["idx"]).clean


def test_recipes(embed, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for recipe, wanted in (("zeros", [0] * 16), ("arange", range(16)), ("full:3", [3] * 16), ("repeat:1,2,3", [1, 2, 3] * 5 + [1]),
                               (",".join(map(str, range(16))), range(16))):
            r = pg.run(embed, "a2a3", table=data["table"], idx=recipe)
            assert r.inputs["idx"].tolist() == [list(wanted)] and (r.outputs["out"] == data["table"][list(wanted)]).all()
    again = [pg.run(embed, "a2a3", table="random:5", idx="zeros").outputs["out"].tolist() for _ in range(2)]
    assert again[0] == again[1] != pg.run(embed, "a2a3", table="random:6", idx="zeros").outputs["out"].tolist()


@pytest.mark.parametrize("value", [[1, 2, 3], (1, 2, 3), "1,2,3", np.array([1, 2, 3], np.int32), 3])
def test_too_few_elements_are_an_error_with_its_correction(embed, data, value):
    with pytest.raises(ValueError) as caught:
        pg.run(embed, "a2a3", table=data["table"], idx=value)
    message = str(caught.value)
    assert message.startswith("idx: %idx has 16 elements") and ("3 are given" in message or "1 is given" in message)
    correction = re.search(r"; to (?:repeat them|fill it with the number), idx=(.*)$", message)[1]
    fixed = eval(correction, {"np": np, "idx": value})  # what the message says to write
    wanted = [[3] * 16] if isinstance(value, int) else [[1, 2, 3] * 5 + [1]]
    assert pg.run(embed, "a2a3", table=data["table"], idx=fixed).inputs["idx"].tolist() == wanted


def test_shapes_are_those_of_the_program(embed, data):
    flat = data["idx"][0]
    for idx in (flat, flat.tolist(), [flat.tolist()], flat.reshape(1, 1, 16)):
        assert pg.run(embed, "a2a3", table=data["table"], idx=idx).clean
    for idx, found in ((flat.reshape(16, 1), "16x1"), (flat.reshape(4, 4), "4x4"), (np.zeros(17, np.int32), "17")):
        with pytest.raises(ValueError, match=f"idx: its shape is {found}, but %idx is 1x16"):
            pg.run(embed, "a2a3", table=data["table"], idx=idx)
    with pytest.raises(ValueError, match="table: its shape is 32x64, but %table is 64x32"):
        pg.run(embed, "a2a3", **{**data, "table": data["table"].T.copy()})


def test_numbers_that_do_not_fit(embed, data):
    for idx, found in (([1.5] * 16, "1.5"), ([2**40] * 16, str(2**40)), ([-2**31 - 1] * 16, str(-2**31 - 1)), ([float("inf")] * 16, "inf")):
        with pytest.raises(TypeError, match=f"idx: {found} does not fit i32"):
            pg.run(embed, "a2a3", table=data["table"], idx=idx)
    assert pg.run(embed, "a2a3", table=data["table"], idx=[2.0] * 16).inputs["idx"].tolist() == [2] * 16


def test_the_program_is_reported_before_its_arguments(embed):
    for text in ("func.func @f( {", embed.replace("%i)", "%j)")):
        for target in (None, "a2a3"):
            with pytest.raises(pg.Refused, match=r"\[text-"):
                pg.run(text, target, nothing=3)
    with pytest.raises(TypeError, match="nothing: not an argument of the program; its arguments are table, idx, out"):
        pg.run(embed, nothing=3)


def test_repair_generates_what_is_missing():
    assert pg.run(pg.repair(POINTERS, "a5"), "a5").clean
