"""Text hygiene: every file says what it is, none is too long, nothing is left lying about."""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

LONGEST = 600
LONG_IS_FINE = (".def", ".tsv", ".expected", ".test", ".1", ".abi")  # tables, golden outputs, manual pages
BINARY = {"fuzz/corpus", "docs/img/report.png", "docs/img/playground", *(f"examples/data/{name}" for name in (
    "table.npy", "rows.npy", "words_table.npy", "words.npy", "model.safetensors", "tokens.npy"))}

# The first thing in a file, after the #! line, is a comment with words in it.
OPENINGS = {
    ".c": re.compile(r"/\* *\w"),
    ".h": re.compile(r"/\* *\w"),
    ".def": re.compile(r"/\* *\w"),
    ".hpp": re.compile(r"/[/*] *\w"),
    ".cpp": re.compile(r"/[/*] *\w"),
    ".py": re.compile(r'(#![^\n]*\n)?(\s*"""\s*\S|# *\w)'),
    ".js": re.compile(r"// *\w"),
    ".css": re.compile(r"/\* *\w"),
    ".sh": re.compile(r"(#![^\n]*\n)?# *\w"),
}
LEFT_OVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


def text_files():
    for path in tracked("*"):
        name = str(path.relative_to(ROOT))
        if not any(name.startswith(place) for place in BINARY):
            yield name, path


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    opening, length, spaces, left, coding = [], [], [], [], []
    for name, path in text_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            coding.append(f"{name} is not UTF-8")
            continue
        lines = text.split("\n")
        if path.suffix in OPENINGS and not OPENINGS[path.suffix].match(text):
            opening.append(f"{name} does not start with a comment that says what it is")
        if len(lines) - 1 > LONGEST and path.suffix not in LONG_IS_FINE:
            length.append(f"{name} has {len(lines) - 1} lines")
        if text and not text.endswith("\n"):
            spaces.append(f"{name}: the last line has no end")
        for number, line in enumerate(lines, 1):
            if line != line.rstrip():
                spaces.append(f"{name}:{number}: space at the end of the line")
            if LEFT_OVER.search(line):
                left.append(f"{name}:{number}: {line.strip()}")
    checks = Checks("text")
    checks.check("files are UTF-8 text", coding)
    checks.check("files say what they are", opening)
    checks.check(f"files have at most {LONGEST} lines", length)
    checks.check("no space at the end of lines", spaces)
    checks.check("nothing is left to do in comments", left)
    checks.finish()


main()
