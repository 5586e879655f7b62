"""Every example of the docstrings and of docs/reference/python.md does what it says."""

import doctest
import importlib
import pkgutil
import re

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


def test_the_readme(root, tmp_path, monkeypatch, embed, data):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "embed.pto").write_text(embed)
    blocks = re.findall(r"^```python\n(.*?)^```", (root / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    names = {"table": data["table"], "idx": data["idx"]}
    for block in blocks:
        exec(block, names)
    assert blocks and names["r"].clean and "set_flag" in str(names["fixed"]) and (tmp_path / "r.html").exists()


def test_the_examples_of_the_package_are_many():
    tests = doctest.DocTestFinder()
    modules = [importlib.import_module(f"ptogather.{name}") for name in MODULES]
    assert sum(len(test.examples) for module in modules for test in tests.find(module)) > 40
