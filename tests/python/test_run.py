"""Programs with arrays: run, check, repair, explain, and what a result holds."""

import json

import numpy as np
import pytest

import ptogather as pg


def test_the_lines_of_the_first_example(embed, data, tmp_path):
    path = tmp_path / "embed.pto"
    path.write_text(embed)
    r = pg.run(str(path), target="a2a3", table=data["table"], idx=data["idx"], out=pg.empty((16, 32), "f32"))
    assert r.clean and (r.outputs["out"] == data["table"][data["idx"][0]]).all()
    assert r.stats.cycles > 0 and r.diagnostics[0].id == "run-auto"
    r.save_trace(tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"] == r.trace["traceEvents"]
    r.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>") and "embed.pto" in page and 'id="timeline"' in page
    assert "iframe" in r._repr_html_() and "timeline" in r._repr_html_()
    assert set(pg.check(embed, target="all")) == set(pg.TARGETS)
    assert pg.explain("race-raw").severity == "error"
    assert "set_flag" in str(pg.repair(embed, target="a5"))


def test_outputs_are_written_in_place(embed, data):
    r = pg.run(embed, "a2a3", **data)
    assert r.outputs["out"] is data["out"] and (data["out"] == data["table"][data["idx"][0]]).all()


def test_outputs_are_made_when_they_are_not_given(embed, data):
    del data["out"]
    for target in (None, "a5"):
        assert (pg.run(embed, target, **data).outputs["out"] == data["table"][data["idx"][0]]).all()


def test_a_race_is_an_object(racy, data):
    r = pg.run(racy, target="a2a3", **data)
    found = r.diagnostics.errors[0]
    assert not r.clean and found.id == "race-raw" and found.line == 6 and found.severity == "error"
    first, second = found.steps
    assert (first.kind, first.side, first.place.line, first.src, first.dst) == ("set", "after", 4, "mte2", "v")
    assert (second.kind, second.side, second.place.line) == ("wait", "before", 6) and second.statement in found.fix.splitlines()[1]
    assert "set_flag" in found.fix and found.related[0].place.line == 4 and found.related[0].message == "written here"
    assert found.witness and "^~~~" in str(found) and str(found) in str(r.diagnostics)
    assert r.diagnostics.json()["diagnostics"][0]["id"] == found.id
    assert r.diagnostics.sarif()["runs"][0]["results"][0]["ruleId"] == found.id
    with pytest.raises(pg.Fault, match=r"race: mgather \(pipe S\) may read .* \[race-raw\]") as caught:
        r.require_clean()
    assert caught.value.result is r and "\n" not in str(caught.value)


def test_a_wait_that_is_late_is_moved(racy, data):
    lines = racy.split("\n")
    late = next(i for i, line in enumerate(lines) if "pto.mgather" in line)
    lines.insert(late, "  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]")
    lines.insert(late + 2, "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]")
    text = "\n".join(lines)
    step = pg.run(text, target="a2a3", **data).diagnostics.errors[0].steps[0]
    assert (step.kind, step.side, step.place.line, step.from_line) == ("wait", "before", late + 2, late + 3)
    lines.insert(late + 1, lines.pop(late + 2))
    assert str(pg.repair(text, target="a2a3", inputs=data)) == "\n".join(lines)


def test_a_witness_shows_the_race(racy, data):
    right = data["table"][data["idx"][0]]
    found = pg.run(racy, target="a2a3", **data).diagnostics.errors[0]
    late = [(found.more["late_block"], found.more["late_instruction"])]
    data["out"][...] = 0
    assert not (pg.run(racy, target="a2a3", schedule="witness", late=late, **data).outputs["out"] == right).all()
    assert (pg.run(racy, target="a2a3", schedule="witness", **data).outputs["out"] == right).all()


def test_repair_mends_it_and_changes_no_array(racy, data):
    before = {name: value.copy() for name, value in data.items()}
    fixed = pg.repair(racy, target="a2a3", **data)
    assert all((data[name] == before[name]).all() for name in data)
    assert pg.run(fixed, target="a2a3", **data).clean
    kept = [line for line in str(fixed).splitlines() if "_flag" not in line]
    assert kept == racy.splitlines()
    assert pg.run(pg.repair(racy, target="a5"), "a5", **data).clean


def test_a_refused_program(embed, data):
    with pytest.raises(pg.Refused, match=r"<text>:4: .*\[transfer-align\] \(and 2 more\)") as caught:
        pg.run(embed.replace("1x16xi32", "16x1xi32"), "a2a3", **{**data, "idx": data["idx"].T.copy()})
    assert "\n" not in str(caught.value) and "^" in caught.value.report
    with pytest.raises(pg.Refused, match="text-"):
        pg.run("%d = mgather", "a2a3")


def test_check_and_format(embed):
    assert pg.check(embed).clean and pg.check("%d = pto.tload").errors
    program = pg.Program(embed)
    assert program.functions == ("embed",) and [slot.name for slot in program.slots()] == ["table", "idx", "out"]
    assert program.slots()[2].written and not program.slots()[0].written and program.target is None
    assert "mgather" in program.format() and pg.Program(program.format("dps")).functions == ("embed",)
    assert "mgather.row.clamp" in program.format("asm")
    with pytest.raises(pg.Refused, match=r"format: <text>:1: .*\[text-form\]"):
        pg.Program(pg.explain("text-form").wrong).format("ssa")
    checked = pg.check(embed, target="all")
    assert checked.accepted_by == ("host", "a2a3", "a5", "cpusim") and not checked["cpu"].clean


def test_tiles_stats_and_map(embed, data):
    r = pg.run(embed, "a2a3", **data)
    assert set(r.tiles) == {"i", "d"} and r.tiles["d"].tile.shape == (16, 32)
    assert (np.asarray(r.tiles["d"]) == data["out"]).all() and (r.tiles["i"].array == data["idx"]).all()
    assert len(r.ub) == 2 and r.ub[0].bytes > 0 and "cycles" in repr(r.stats)
    assert "addr" in str(r.placed()) and "set_flag" in str(r.placed())
    with pytest.raises(KeyError, match="is not a tile"):
        r.tiles["x"]
    with pytest.raises(AttributeError, match="did you mean 'cycles'"):
        r.stats.cycle
    with pytest.raises(ValueError, match="host does not simulate pipes"):
        pg.run(embed, **data).stats


def test_a_padded_tile():
    text = """func.func @f(%a: !pto.partition_tensor_view<3x9xbf16>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xbf16, valid=3x9>
  pto.tload ins(%a) outs(%t)
  return
}"""
    values = pg.bfloat16(np.arange(27).reshape(3, 9))
    view = pg.run(text, a=values).tiles["t"]
    assert view.tile.shape == (8, 16) and view.shape == (3, 9) and view.array.tolist() == values.tolist()
    assert view._repr_html_().count("class='padding'") == 8 * 16 - 27


def test_bits_stand_for_small_floats(tmp_path):
    text = """func.func @f(%a: !pto.partition_tensor_view<8x16xbf16>, %b: !pto.partition_tensor_view<8x16xbf16>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xbf16>
  pto.tload ins(%a) outs(%t)
  pto.tstore ins(%t) outs(%b)
  return
}"""
    bits = np.arange(128, dtype=np.uint16).reshape(8, 16)
    assert pg.run(text, a=bits).outputs["b"].bits.tolist() == bits.tolist()
    out = np.zeros((8, 16), np.uint16)
    pg.run(text, a=pg.bfloat16.view(bits), b=out)
    assert (out == bits).all()
    assert pg.run(text, a=[[1.5] * 16] * 8).outputs["b"].tolist() == [[1.5] * 16] * 8


def test_numbers_and_several_functions():
    text = """func.func @f(%a: !pto.ptr<f32>, %n: index) {
  return
}
func.func @g(%x: f32) {
  return
}"""
    with pytest.raises(ValueError, match="function: the program has several: choose one of f, g"):
        pg.run(text)
    allowed = {"allow_empty": True}
    assert pg.run(text, function="f", a=np.zeros(3, np.float32), n=np.int16(4), **allowed).clean
    assert pg.run(text, function="g", x=2.5, **allowed).clean and pg.run(text, function="g", x=True, **allowed).clean
    with pytest.raises(ValueError, match="function: 'h' is not in the program, which has f, g"):
        pg.run(text, function="h")


def test_strides_are_copied_and_said(embed, data):
    wide = np.zeros((16, 64), np.float32)
    table = np.asfortranarray(data["table"])
    with pytest.warns(pg.CopyWarning, match="table: strides|out: strides"):
        r = pg.run(embed, "a2a3", table=table, idx=data["idx"], out=wide[:, :32])
    assert (wide[:, :32] == data["table"][data["idx"][0]]).all() and (wide[:, 32:] == 0).all() and r.clean


def test_read_only_arrays(embed, data):
    data["table"].flags.writeable = False
    assert pg.run(embed, "a2a3", **data).clean
    data["out"].flags.writeable = False
    with pytest.raises(ValueError, match="out: the program stores to it, and the array is read-only"):
        pg.run(embed, "a2a3", **data)


def test_names_that_are_options():
    text = "func.func @f(%target: !pto.ptr<f32>, %seed: index) {\n  return\n}"
    assert pg.run(text, "host", inputs={"target": np.zeros(3, np.float32), "seed": 3}, allow_empty=True).clean


def test_a_closed_result(embed, data, tmp_path):
    r = pg.run(embed, "a2a3", **data)
    tiles = r.tiles
    with r:
        pass
    for use in (lambda: r.tiles, lambda: tiles["d"], lambda: r.ub, lambda: r.trace, lambda: r.placed(),
                lambda: r.report(tmp_path / "x"), lambda: r.save_trace(tmp_path / "x")):
        with pytest.raises(ValueError, match="result: it is closed"):
            use()
    assert r.clean and r.stats.cycles and r.outputs["out"] is data["out"] and "run-auto" in r._repr_html_()
    assert not (tmp_path / "x").exists()
    r.close()


def test_a_result_outlives_its_program(embed, data):
    r = pg.run(pg.Program(embed), "a2a3", **data)
    import gc
    gc.collect()
    assert "alloc_tile" in str(r.placed()) and r.program.name == "<text>"


def test_the_trace_may_be_left_out_or_cut(embed, data):
    with pytest.raises(ValueError, match="trace: not available"):
        pg.run(embed, "a2a3", trace=False, **data).trace
    with pytest.raises(ValueError, match="longer than what was kept"):
        pg.run(embed, "a2a3", trace=100, **data).trace


def test_files_appear_whole_or_not_at_all(embed, data, tmp_path):
    r = pg.run(embed, "a2a3", **data)
    with pytest.raises(OSError):
        r.report(tmp_path / "no" / "r.html")
    r.report(tmp_path / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
    with pytest.raises(FileNotFoundError):
        pg.run(tmp_path / "k.pto")
    with pytest.raises(FileNotFoundError):
        pg.check("k.pto")


def test_every_id_has_a_page():
    from ptogather.explain import ids
    known = list(ids())
    assert len(known) > 100 and all(pg.explain(one).what for one in known)
    assert "wrong" in str(pg.explain("mgather-index-align"))
    race = pg.explain("race-raw")
    assert race.documented == "MGATHER manual, Pipe / Synchronisation Model"
    assert "pto.mgather" in race.wrong and "no arrow" in race.drawn_wrong and "wait==[ mgather" in str(race)


def test_assert_same(embed, data):
    r = pg.assert_same(embed, reference=lambda table, idx: {"out": table[idx[0]]}, target="a2a3", seed=3)
    assert r.clean
    pg.assert_same(embed, lambda table, idx: table[idx[0]] * (1 + 1e-6), rtol=1e-5)
    with pytest.raises(AssertionError) as caught:
        pg.assert_same(embed, lambda table, idx: table[idx[0]] + (np.arange(16) == 4)[:, None], **data)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("out[4, 0] is ") and lines[0].endswith("; 32 of 512 elements differ")
    assert lines[1].startswith("  made at <text>:5: pto.mgather") and lines[2].startswith("  stored at <text>:6: pto.tstore")
    assert lines[3] == f"  its index is i[4] = {data['idx'][0, 4]}"
    with pytest.raises(AssertionError, match="is not clean"):
        pg.assert_same(embed.replace("  pto.mgather", "  pto.barrier <PIPE_V>\n  pto.mgather"), lambda table: table, "a2a3")
    with pytest.raises(AssertionError, match=r"out has the shape \(16, 32\), and the reference gives \(2, 2\)"):
        pg.assert_same(embed, lambda: np.zeros((2, 2)))
    with pytest.raises(TypeError, match="reference: it expects 'x'"):
        pg.assert_same(embed, lambda x: x)
    with pytest.raises(TypeError, match="reference: 'o' is not an output; the outputs are out"):
        pg.assert_same(embed, lambda: {"o": 0})


def test_examples_of_the_tree_run_or_are_refused(root):
    """Every program of the tree, with synthetic inputs: an object in any case, never a crash."""
    count = 0
    for path in sorted([*root.glob("examples/*.pto"), *root.glob("tests/cli/files/*.pto")]):
        for found in pg.check(path, target="all").values():
            assert all(item.id and item.message for item in found)
        try:
            program = pg.Program(path)
        except pg.Refused:
            continue
        for function in program.functions:
            try:
                inputs = pg.synthetic_inputs(program, function)
                assert pg.run(program, function=function, inputs=inputs, max_steps=10000).diagnostics is not None
                count += 1
            except (pg.Refused, TypeError, MemoryError) as error:
                assert "\n" not in str(error)
    assert count > 5
