"""The pytest plugin: the fixture, and --ptog DIR."""

import os
import re
import subprocess
import sys

import pytest

OTHER = """func.func @f(%x: !pto.partition_tensor_view<8x8xf32>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%x) outs(%a)
  pto.tpack ins(%a) outs(%a)
  return
}
"""


def run_pytest(place, *words):
    """pytest as a person calls it: on a CI server its summary repeats the messages."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "BUILD_NUMBER")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *map(str, words)], cwd=place, text=True,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


@pytest.fixture
def kernels(tmp_path, embed, racy):
    """A directory as a compiler leaves it: a clean program, a racy one, a broken one, one with a target, one that is not
    simulated, one that does nothing, one that no device accepts."""
    place = tmp_path / "kernels" / "deep"
    place.mkdir(parents=True)
    (place / "good.pto").write_text(embed)
    (place / "named.pto").write_text('module attributes {pto.target_arch = "a5"} {\n' + embed + "}\n")
    (place.parent / "racy.pto").write_text('module attributes {pto.target_arch = "a2a3"} {\n' + racy + "}\n")
    (place.parent / "broken.pto").write_text("func.func @f( {")
    (place.parent / "empty.pto").write_text("func.func @f() {\n  return\n}\n")
    (place.parent / "refused.pto").write_text(embed.replace("1x16xi32", "16x1xi32"))
    (place.parent / "other.pto").write_text('module attributes {pto.target_arch = "a5"} {\n' + OTHER + "}\n")
    return place.parent


def test_the_fixture(tmp_path, embed, racy):
    (tmp_path / "k.pto").write_text(embed)
    (tmp_path / "racy.pto").write_text(racy)
    (tmp_path / "test_it.py").write_text("""
import numpy as np

def test_right(ptog_clean):
    table = np.ones((64, 32), np.float32)
    assert (ptog_clean("k.pto", "a2a3", table=table).outputs["out"] == 1).all()
    ptog_clean("k.pto")
    ptog_clean("func.func @f() {\\n  return\\n}", allow_empty=True)

def test_wrong(ptog_clean):
    ptog_clean("racy.pto", target="a2a3")

def test_no_program(ptog_clean):
    ptog_clean("func.func @f( {")
""")
    status, text = run_pytest(tmp_path)
    assert status == 1 and "2 failed, 1 passed" in text and "[text-syntax]" in text
    assert "racy.pto on a2a3 is not clean:" in text and "^~~~~~~~~~~" in text and "= fix:" in text
    assert "Traceback" not in text and "def clean" not in text


def test_a_report_is_shown_once(tmp_path, racy):
    """Neither a chain of exceptions, nor a summary before it, nor a file that two arguments name repeats it."""
    (tmp_path / "racy.pto").write_text(racy)
    (tmp_path / "bad.pto").write_text(racy.replace("1x16xi32", "16x1xi32"))
    (tmp_path / "test_it.py").write_text("""
import ptogather as pg

def test_race(ptog_clean):
    ptog_clean("racy.pto", "a2a3")

def test_refused(ptog_clean):
    ptog_clean("bad.pto", "a2a3")

def test_syntax(ptog_clean):
    ptog_clean("func.func @f( {")
""")
    status, text = run_pytest(tmp_path, "test_it.py")
    assert status == 1 and "3 failed" in text and "another exception" not in text
    for found in ("[race-raw]", "[transfer-align]", "[mgather-row-index-shape]", "[text-syntax]"):
        assert text.count(found) == 1, text
    status, text = run_pytest(tmp_path, "--ptog", "racy.pto", "--ptog", ".", "-k", "racy.pto and a2a3")
    assert text.count("[race-raw]") == 1 and "1 failed" in text


def test_a_traceback_ends_in_the_test(tmp_path, embed):
    (tmp_path / "bad.pto").write_text(embed.replace("1x16xi32", "16x1xi32"))
    (tmp_path / "test_it.py").write_text("""
import numpy as np, ptogather as pg

def test_refused():
    pg.run("bad.pto", "a2a3")

def test_different():
    pg.assert_same("bad.pto", lambda: 1, "host")

def test_argument():
    pg.take(np.eye(3), [0.5])
""")
    status, text = run_pytest(tmp_path)
    assert status == 1 and "3 failed" in text and "site-packages" not in text and text.count("[transfer-align]") == 1
    assert "test_it.py:5: Refused" in text and "test_it.py:8: AssertionError" in text and "test_it.py:11: TypeError" in text
    assert "running.py" in run_pytest(tmp_path, "--full-trace")[1]


def test_programs_are_collected(kernels):
    status, text = run_pytest(kernels.parent, "--ptog", "kernels", "-v")
    outcomes = dict(re.findall(r"kernels/(?:deep/)?(\S+) (PASSED|FAILED|SKIPPED)", text))
    wanted = {"good.pto::a2a3": "PASSED", "good.pto::a5": "PASSED", "named.pto::a5": "PASSED", "racy.pto::a2a3": "FAILED",
              "other.pto::a5": "FAILED", "empty.pto::a2a3": "FAILED", "empty.pto::a5": "FAILED", "refused.pto::a2a3": "FAILED",
              "refused.pto::a5": "FAILED", "broken.pto::read": "FAILED"}
    assert outcomes == wanted
    assert status == 1 and "[race-raw]" in text and "broken.pto:1:" in text and "pytest_plugin.py" not in text
    assert "other.pto on a5 is not judged:" in text and "empty.pto on a5 is not judged:" in text
    status, text = run_pytest(kernels.parent, "--ptog", "kernels", "-v", "--ptog-allow-unjudged", "--ptog-allow-empty")
    outcomes = dict(re.findall(r"kernels/(?:deep/)?(\S+) (PASSED|FAILED|SKIPPED)", text))
    assert outcomes == {**wanted, "other.pto::a5": "SKIPPED", "empty.pto::a2a3": "PASSED", "empty.pto::a5": "PASSED"}


def test_nothing_is_collected_unasked(kernels):
    status, text = run_pytest(kernels.parent)
    assert status == 5 and "no tests ran" in text  # pytest's own number for that


def test_a_single_file_and_a_missing_directory(kernels):
    status, text = run_pytest(kernels.parent, "--ptog", kernels / "deep" / "good.pto", kernels / "deep" / "good.pto")
    assert status == 0 and "2 passed" in text
    status, text = run_pytest(kernels.parent, "--ptog", "nowhere")
    assert status == 4 and "--ptog nowhere: no such file or directory" in text
