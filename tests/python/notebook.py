#!/usr/bin/env python3
"""Writes examples/python/tour.ipynb from tour.py: the cells are the same, and have no outputs.

usage: notebook.py
"""

import json
import re
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent.parent / "examples" / "python"


def cell(number, part):
    kind, _, body = part.partition("\n")
    text = body.strip()
    about = {"id": f"cell-{number}", "metadata": {}}
    if "[markdown]" in kind:
        text = "\n".join(line[2:] for line in text.split("\n"))
        return {"cell_type": "markdown", **about, "source": text.splitlines(keepends=True)}
    return {"cell_type": "code", **about, "execution_count": None, "outputs": [], "source": text.splitlines(keepends=True)}


def main():
    parts = re.split(r"^# %%", (PLACE / "tour.py").read_text(), flags=re.MULTILINE)[1:]
    book = {"cells": [cell(number, part) for number, part in enumerate(parts)],
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    (PLACE / "tour.ipynb").write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n")


main()
