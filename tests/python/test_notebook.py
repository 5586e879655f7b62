"""What notebooks show, and the tour: executed, and the same as a .py."""

import json
import re
import sys

import numpy as np
import pytest

import ptogather as pg


def cells_of_notebook(path):
    cells = json.loads(path.read_text())["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]


def cells_of_script(path):
    """A script with `# %%` before each cell; a cell of text is comments."""
    cells = []
    for part in re.split(r"^# %%", path.read_text(), flags=re.MULTILINE)[1:]:
        kind, _, body = part.partition("\n")
        if "[markdown]" in kind:
            cells.append(("markdown", "\n".join(line[2:] for line in body.strip().split("\n"))))
        else:
            cells.append(("code", body.strip()))
    return cells


def test_the_tour_is_the_same_twice(root):
    place = root / "examples" / "python"
    assert cells_of_notebook(place / "tour.ipynb") == cells_of_script(place / "tour.py")


def test_the_tour_as_a_notebook(root, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                                    "display_name": "Python", "language": "python"}))
    import os
    os.environ["JUPYTER_PATH"] = str(tmp_path)
    book = nbformat.read(root / "examples" / "python" / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", []) if "text/html" in output.get("data", {})]
    assert len(shown) >= 4 and any("<iframe" in output["data"]["text/html"] for output in shown)
    assert not [output for cell in book.cells for output in cell.get("outputs", []) if output["output_type"] == "error"]


def test_the_tour_as_a_script(root, tmp_path):
    import subprocess
    done = subprocess.run([sys.executable, root / "examples" / "python" / "tour.py"], cwd=tmp_path, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


def test_a_program_with_its_findings(embed):
    shown = pg.Program(embed.replace("%table, %i)", "%table, %d)"))._repr_html_()
    assert shown.index("pto.mgather") < shown.index("class='finding error'") < shown.index("pto.tstore")
    assert "class='line error'" in shown and "<span class='value'>%table</span>" in shown


def test_text_of_others_is_harmless():
    shown = pg.Program("// <script>alert(1)</script>\n" + "func.func @f() {\n  return\n}")._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    found = pg.check("<img src=x onerror=alert(1)>")
    assert "<img" not in found._repr_html_() and "<img" not in found[0]._repr_html_()


def test_results_and_tiles(embed, racy, data):
    r = pg.run(racy, "a2a3", **data)
    assert r._repr_html_().startswith("<iframe") and "race-raw" in r.diagnostics._repr_html_()
    tile = r.tiles["d"]._repr_html_()
    assert "background:rgb(" in tile and "the first 16 x 24 of 16 x 32" in tile
    assert "clean" in pg.check(embed)._repr_html_() and "<table" in pg.check(embed, target="all")._repr_html_()
    assert "<pre>" in pg.explain("race-raw")._repr_html_()


def test_odd_numbers_in_tiles():
    from ptogather.tiles import TileView
    values = np.array([[np.nan, np.inf, -np.inf, 1.0, 1.0, 2.0, 0.0, -0.0]], np.float32)
    shown = TileView("t", pg.Tile("f32", 1, 8), values)._repr_html_()
    assert "nan" in shown and "inf" in shown and shown.count("<td") == 8
    same = TileView("t", pg.Tile("f32", 1, 8), np.ones((1, 8), np.float32))._repr_html_()
    assert "rgb" not in same
    bits = TileView("t", pg.Tile("hif8", 1, 32), pg.hifloat8.view(np.full((1, 32), 0x3C, np.uint8)))._repr_html_()
    assert "0x3c" in bits
