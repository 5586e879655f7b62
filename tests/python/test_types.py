"""The package is fully annotated: mypy, strictly; and it says so to others."""

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import ptogather as pg

PACKAGE = Path(pg.__file__).parent


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


@pytest.fixture
def mypy(cache, tmp_path):
    """Runs mypy; what it found out about numpy and others is kept from test to test."""
    pytest.importorskip("mypy")

    def run(*words):
        done = subprocess.run([sys.executable, "-m", "mypy", "--python-version", "3.9", "--cache-dir", cache, *words], cwd=tmp_path,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    return run


def test_the_package_is_clean(root, mypy):
    status, text = mypy("--config-file", root / "python" / "pyproject.toml", PACKAGE)
    assert status == 0, text


def test_users_see_the_types(tmp_path, mypy):
    assert (PACKAGE / "py.typed").exists()
    (tmp_path / "user.py").write_text("import ptogather as pg\nreveal_type(pg.run('x').clean)\npg.Tile('f32', 'x', 3)\n")
    status, text = mypy("--strict", "user.py")
    assert status == 1 and 'Revealed type is "builtins.bool"' in text and 'expected "int"' in text


WRONG = """
import ptogather as pg
pg.take([1], [0], oob="clmp")
pg.run("x", target="a6")
pg.Device(schedule="quick")
pg.Program("x").format("text")
pg.run("x", target="a5").stats.cycle
"""
GOOD = """
import ptogather as pg
pg.take([1], [0], oob="clamp")
for target in pg.TARGETS:
    pg.check("x", target)
found = pg.check("x", "all").accepted_by
pg.run("x", found[0], schedule="slow").stats.cycles + 1
with pg.Device() as dev:
    dev.core().set_flag("MTE2", "V")
"""


def test_words_are_literals(tmp_path, mypy):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "wrong.py").write_text(WRONG)
    assert mypy("--strict", "good.py") == (0, "Success: no issues found in 1 source file\n")
    status, text = mypy("--strict", "wrong.py")
    assert status == 1 and [f"wrong.py:{line}: error" in text for line in range(3, 8)] == [True] * 5, text
    assert '"Stats" has no attribute "cycle"; maybe "cycles"?' in text


ENUMS = {"Oob": "ptog_oob", "ScatterOob": "ptog_scatter_oob", "Mode": "ptog_coalesce", "BagMode": "ptog_bag_mode", "Axis": "ptog_axis", "Compare": "ptog_cmp", "Pattern": "ptog_pattern",
         "Schedule": "ptog_schedule", "Launch": "ptog_launch", "Form": "ptog_form_text", "Pad": "ptog_pad", "Pipe": "ptog_pipe",
         "Loc": "ptog_loc", "Severity": "ptog_severity", "SlotKind": "ptog_slot_kind", "Verdict": "ptog_verdict"}


def test_the_literals_are_the_words_of_the_library():
    from ptogather import literals
    from ptogather._library import words
    for name, enum in ENUMS.items():
        assert [word.lower().replace(" ", "_") for word in get_args(getattr(literals, name))] == list(words(enum)), name
    assert get_args(literals.Target) == pg.TARGETS
    for layout in get_args(literals.Layout):
        assert pg.Tile("f32", 16, 16, layout=layout).layout == layout
    aliases = {name for name, value in vars(literals).items() if get_args(value) and name != "Literal"}
    assert aliases == {*ENUMS, "Target", "Layout"}


def test_the_figures_are_attributes():
    from ptogather._library import ffi
    fields = [name for name, _ in ffi.typeof("struct ptog_stats").fields if name != "reserved"]
    assert [field.name for field in dataclasses.fields(pg.Stats)] == [*fields, "figures"]


def test_every_public_name_has_a_docstring():
    missing = [name for name in pg.__all__ if callable(getattr(pg, name)) and not getattr(pg, name).__doc__]
    assert not missing
