"""The words of documents: prose, comments of public headers and Python docstrings use the terms that their readers know, not words
of this project's past. tests/meta/messages.py has the same for messages and help."""

import argparse
import ast
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

# What not to write, and what to write instead.
WORDS = {
    r"ask(?:s|ed|ing)?": "require, check, request",
    r"told": "reported, called",
    r"taken": "accepted, used, assumed",
    r"turned": "transposed, rotated",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"house": "architecture, project",
    r"rooms|(?:a|the|each|every|per|one) room(?! for\b)": "module, folder; space",
    r"ma(?:de|kes?) up": "generated, random",
    r"carr(?:y|ies|ied) out": "execute",
    r"nothing orders": "are not ordered",
    r"lodg\w+": "live range, allocation",
    r"court": "state shared by the cores",
    r"tapes?": "order log",
    r"habits?": "what a target's library does differently",
    r"circumstances": "context",
    r"(?:file|flag|kernel|launch|line|lines|program|programs|result|row|rows|table|text|value) (?:is|are) (?:right|wrong)": "correct, invalid",
    r"\d+ (?:right|wrong)|right programs?|wrong flags?": "passed, failed; correct",
    r"for ever": "forever",
    r"in the field(?! of)|the field test": "public programs, corpus",
}
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|https?://\S+|\]\([^)]*\)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def blanked(text, pattern):
    """The text with spaces where the pattern matches: lines keep their numbers."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def prose_of_header(text):
    """The comments alone, with lines where they were."""
    kept = [" " if letter != "\n" else "\n" for letter in text]
    for found in COMMENT.finditer(text):
        kept[found.start():found.end()] = found[0]
    return "".join(kept)


def prose_of_python(text):
    lines = [""] * (text.count("\n") + 2)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False):
            first = node.body[0]
            for at, line in enumerate(ast.get_docstring(node, clean=False).split("\n"), first.lineno - 1):
                lines[at] = line
    return "\n".join(lines)


def documents():
    """Every text that users read, as path and prose."""
    readers = {"*.md": lambda text: blanked(text, FENCED), "include/ptog/*.h": prose_of_header, "python/ptogather/*.py": prose_of_python,
               "docs/man/*.1": str}
    for pattern, read in readers.items():
        for path in tracked(pattern):
            name = str(path.relative_to(ROOT))
            yield name, blanked(read(path.read_text(encoding="utf-8")), QUOTED)


SAMPLE = "Only this is mended.\nNothing orders them in `the house`."


def house_words(name, text):
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        found += [f"{name}:{number}: {word[0]!r}, say {better}: {line.strip()[:100]}"
                  for pattern, better in WORDS.items() for word in re.finditer(rf"\b(?:{pattern})\b", line, re.I)]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.parse_args()
    checks = Checks("words")
    every = list(documents())
    checks.check("there are documents of every kind", [] if len(every) > 60 else [f"only {len(every)}"])
    checks.check("the check itself", [] if len(house_words("x.md", blanked(SAMPLE, QUOTED))) == 2 else ["it misses words"])
    for name, text in every:
        checks.check(name, house_words(name, text))
    checks.finish()


if __name__ == "__main__":
    main()
