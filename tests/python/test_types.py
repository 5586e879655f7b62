"""The package is fully annotated: mypy, strictly; and it says so to others."""

import subprocess
import sys
from pathlib import Path

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


def test_every_public_name_has_a_docstring():
    missing = [name for name in pg.__all__ if callable(getattr(pg, name)) and not getattr(pg, name).__doc__]
    assert not missing
