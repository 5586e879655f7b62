"""The package is fully annotated: mypy, strictly; and it says so to others."""

import subprocess
import sys
from pathlib import Path

import pytest

import ptogather as pg

PACKAGE = Path(pg.__file__).parent


def mypy(*words, cwd):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(cwd / "cache"), *map(str, words)], cwd=cwd, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def test_the_package_is_clean(root, tmp_path):
    status, text = mypy("--config-file", root / "python" / "pyproject.toml", PACKAGE, cwd=tmp_path)
    assert status == 0, text


def test_users_see_the_types(tmp_path):
    assert (PACKAGE / "py.typed").exists()
    (tmp_path / "user.py").write_text("import ptogather as pg\nreveal_type(pg.run('x').clean)\npg.Tile('f32', 'x', 3)\n")
    status, text = mypy("--strict", "user.py", cwd=tmp_path)
    assert status == 1 and 'Revealed type is "builtins.bool"' in text and 'expected "int"' in text


def test_every_public_name_has_a_docstring():
    missing = [name for name in pg.__all__ if callable(getattr(pg, name)) and not getattr(pg, name).__doc__]
    assert not missing
