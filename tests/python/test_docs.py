"""Every example of the docstrings, of docs/reference/python.md and of the tutorial does what it says."""

import doctest
import importlib
import os
import pkgutil
import sys
from pathlib import Path

import pytest

import ptogather

MODULES = [name for _, name, _ in pkgutil.iter_modules(ptogather.__path__) if name not in ("_api", "__main__")]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module("ptogather" + ("." + name if name else ""))
    assert doctest.testmod(module).failed == 0


def test_the_page(root, tmp_path, monkeypatch, embed):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "embed.pto").write_text(embed)
    found = doctest.testfile(str(root / "docs" / "reference" / "python.md"), module_relative=False,
                             optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 20


def test_the_tutorial(root, tmp_path, monkeypatch):
    """Its files are written and its commands typed as tests/readme does it for other pages, and its Python is run."""
    monkeypatch.syspath_prepend(str(root / "tests" / "readme"))
    monkeypatch.chdir(tmp_path)
    page = importlib.import_module("page")
    path = root / "docs" / "tutorials" / "pytest.md"
    env = {**os.environ, "HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    now, problems = page.Reader(tmp_path, env).read(path.read_text())
    assert page.needs_python(now) and now == path.read_text() and not problems, problems
    found = doctest.testfile(str(path), module_relative=False)
    assert found.failed == 0 and found.attempted > 8 and (tmp_path / "report.html").exists()


def test_the_examples_of_the_package_are_many():
    tests = doctest.DocTestFinder()
    modules = [importlib.import_module(f"ptogather.{name}") for name in MODULES]
    assert sum(len(test.examples) for module in modules for test in tests.find(module)) > 40
