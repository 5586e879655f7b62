"""Findings at the author's own line, which loc(...) names, and which files are opened to show it."""

import os

import ptogather as pg
import pytest

LOCATED = 'pto.barrier <PIPE_V> loc({})\n'


def found(loc):
    return pg.check(LOCATED.format(loc), target="a5")


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A working directory with a directory outside of it."""
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "model.py").write_text("import x\nrows = gather(table, idx)\n")
    (tmp_path / "outside.py").write_text("import x\nrows = gather(table, idx)\n")
    monkeypatch.chdir(inside)
    return inside


def test_place_is_the_authors():
    diagnostics = found('callsite("model.py":3:10 to :14 at callsite("main.py":40:1 at "top.py":1:2))')
    place = diagnostics[0].place
    assert (place.file, place.line, place.column, place.end_column, place.text) == ("model.py", 3, 10, 14, None)
    assert (place.generated.file, place.generated.line, place.generated.column) == ("<text>", 1, 13)
    assert place.in_program is place.generated and place.generated.generated is None
    assert [(caller.file, caller.line, caller.column) for caller in place.callers] == [("main.py", 40, 1), ("top.py", 1, 2)]
    assert str(diagnostics).startswith("model.py:3:10: note: ")
    assert "  = called from: main.py:40:1\n  = called from: top.py:1:2\n  = generated: <text>:1:13\n" in str(diagnostics)
    assert diagnostics[0].report.startswith("model.py:3:10: note: ") and "generated" in diagnostics[0].report
    as_json = diagnostics.json()["diagnostics"][0]
    assert (as_json["file"], as_json["line"], as_json["generated"]["line"]) == ("model.py", 3, 1)
    uri = diagnostics.sarif()["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "model.py"
    assert "<code>model.py:3</code>" in diagnostics._repr_html_()


def test_place_without_a_line_is_the_programs():
    for loc in ("unknown", '"name"', '"name"(unknown)', "fused[]", "#missing"):
        place = found(loc)[0].place
        assert (place.file, place.line, place.generated, place.callers) == ("<text>", 1, None, ()), loc


def test_fix_names_the_program():
    program = """#rows = loc("model.py":3:1)
func.func @f(%table: !pto.partition_tensor_view<8x8xf32>, %ids: !pto.partition_tensor_view<1x8xi32>) {
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%ids : !pto.partition_tensor_view<1x8xi32>) outs(%i : !pto.tile_buf<vec, 1x8xi32>) loc("model.py":2:1)
  pto.barrier <PIPE_V>
  pto.mgather ins(%table, %i : !pto.partition_tensor_view<8x8xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%d : !pto.tile_buf<vec, 8x8xf32>) {coalesce = #pto<coalesce row>} loc(#rows)
  return
}
"""
    result = pg.run(program, target="a2a3", table="arange", ids="arange")
    race = result.diagnostics.errors[0]
    assert (race.id, race.file, race.line) == ("race-raw", "model.py", 3)
    assert (race.related[0].place.line, race.related[0].place.generated.line) == (2, 5)
    assert race.fix.splitlines()[0].startswith("after line 5 of <text>  pto.set_flag")
    assert (race.steps[0].place.file, race.steps[0].place.line) == ("<text>", 5)
    assert "if tload at line 2 completes late" in race.witness
    assert "model.py:3: " in str(pytest.raises(pg.Fault, result.require_clean).value)


@pytest.mark.parametrize("name", ["sub/model.py", "./sub//model.py", "{work}/sub/model.py"])
def test_line_below_is_shown(work, name):
    diagnostics = found(f'"{name.format(work=work)}":2:8')
    assert diagnostics[0].place.text == "rows = gather(table, idx)"
    assert "  2 | rows = gather(table, idx)\n    |        ^\n" in str(diagnostics)


@pytest.mark.parametrize("name", ["../outside.py", "sub/../../outside.py", "{work}/../outside.py", "{outside}/outside.py", "link.py",
                                  "up/outside.py", "{work}/up/outside.py", "short.py", "pipe", "sub", ".", "/", "..", "/dev/zero",
                                  "missing.py", "{work}x/model.py"])
def test_no_other_file_is_opened(work, name):
    (work / "link.py").symlink_to("../outside.py")
    (work / "short.py").symlink_to("sub/model.py")
    (work / "up").symlink_to("..")
    os.mkfifo(work / "pipe")
    path = name.format(work=work, outside=work.parent)
    diagnostics = found(f'"{path}":2:8')
    assert (diagnostics[0].file, diagnostics[0].line) == (path, 2)
    assert diagnostics[0].place.text is None and "gather" not in str(diagnostics)
