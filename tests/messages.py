#!/usr/bin/env python3
"""Every sentence that this project can print, in one list: `make messages`.

usage: messages.py [WORD...]     only the templates whose file or text contains a word

A template is a string literal of the sources with at least two words in it: tables (*.def), C, C++ headers, Python. There is no
list of functions or files to keep, so a new message cannot be missing. Below each template stands an example: a line that a test
prints, where one does, or the template with sample values. tests/meta/messages.py checks the wording of the same list."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("src/**/*.c", "src/**/*.h", "src/**/*.def", "tool/**/*.c", "tool/**/*.h", "tool/**/*.def", "include/**/*.h", "include/**/*.hpp",
           "include/**/*.def")
REPORTS = ("tests/pto/**/*.report", "tests/machine/reports/*", "tests/cli/*.test", "examples/**/*.expected")
TOKEN = re.compile(
    r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")|(?P<string>"(?:\\.|[^"\\\n])*")|'
    r"(?P<char>'(?:\\.|[^'\\\n])+')|(?P<include>\#\s*include[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<other>\S)|(?P<space>(?:\s|\\\n)+)", re.S)
ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
CONVERSION = re.compile(r"%(?:%|[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|z|j|t)?([diouxXeEfgGcsp]))")
PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.]*)\}")
SAMPLES = {"x": "1f", "X": "1F", "f": "1.5", "g": "1.5", "c": "x", "s": "NAME"}
SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;]?\s+\(?'?[A-Za-z]{2,}|[a-z]{2,} (?:[0-9{'<]|a )|[0-9}'>] [a-z]{2,}")
CODE = re.compile(r"</?[a-z]+[^>]*>|^\s*[.#]?[\w-]+\s*\{(?![a-z_.]+\})|^\s*import |function\s*\(|^\s*%?\w* ?=? ?\"?pto\.|\bfunc\.func\b|\barith\.|COMP_WORDS")


class Template:
    """One literal: where it stands, the call or row that it is in, and its text."""

    def __init__(self, path, line, call, text):
        self.path, self.line, self.call, self.text = path, line, call, text

    def place(self):
        return f"{self.path.relative_to(ROOT)}:{self.line}"

    def parts(self):
        """What it prints in every case: the text between its values."""
        text = CONVERSION.sub(lambda m: "\0" if m.group(1) else "%", self.text)
        return PLACEHOLDER.sub("\0", text).split("\0")

    def prints(self, message):
        """Whether the parts stand in the message, in their order."""
        at = 0
        for part in self.parts():
            at = message.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return True

    def sample(self):
        """The template with sample values."""
        text = CONVERSION.sub(lambda m: SAMPLES.get(m.group(1), "3") if m.group(1) else "%", self.text)
        return PLACEHOLDER.sub(lambda m: m.group(1), text)


def is_sentence(text):
    """Two words in a row that are neither a program nor markup."""
    plain = CONVERSION.sub(lambda m: "<>" if m.group(1) else "%", text)
    return bool(SENTENCE.search(plain)) and not CODE.search(text)


def literal(token):
    return re.sub(r"\\.", lambda m: ESCAPES.get(m.group(), m.group()), token[1:-1])


def in_c(path):
    """The templates of a file in C or C++, or of a table: adjacent literals are one, PRIu64 and macros between them are values."""
    found, calls, word, line, text, start = [], [], "", 1, None, 0
    for token in TOKEN.finditer(path.read_text(encoding="utf-8")):
        kind, value = token.lastgroup, token.group()
        if kind == "string":
            if text is None:
                text, start = "", line
            text += literal(value)
        elif text is not None and kind == "word" and value.isupper() or kind == "word" and value.startswith("PRI") and text is not None:
            text += "d" if value.startswith("PRI") else "%s"
        elif kind in ("word", "other", "char", "raw"):
            if text is not None and is_sentence(text):
                found.append(Template(path, start, calls[-1] if calls else "", text))
            text = None
            if value == "(":
                calls.append(word)
            elif value == ")" and calls:
                calls.pop()
            word = value if kind == "word" else ""
        line += value.count("\n")
    return found


def in_python(path):
    """The templates of a Python file: every string but the docstrings."""
    tree, found, skipped = ast.parse(path.read_text(encoding="utf-8")), [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{value}" for part in node.values)
            skipped.update(id(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
        else:
            continue
        if is_sentence(text):
            found.append(Template(path, node.lineno, "", text))
    return sorted(found, key=lambda template: template.line)


def templates():
    """All of them, by file."""
    found = []
    for path in sorted({path for pattern in SOURCES for path in ROOT.glob(pattern)}):
        found += in_c(path)
    for path in sorted(ROOT.glob("python/ptogather/*.py")):
        found += in_python(path)
    return found


def reported():
    """Every message that a kept report shows, without its place and its id."""
    said = {}
    for path in sorted({path for pattern in REPORTS for path in ROOT.glob(pattern)}):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            match = re.search(r"(?:^|: )(?:error|warning|note): (.*?)(?: \(\d+ times\))? \[([a-z][a-z0-9-]+)\]$", line)
            if match:
                said.setdefault(match.group(1), path)
    return said


def example_of(template, said):
    return next((message for message in said if template.prints(message)), None) or template.sample()


def main():
    words, said = sys.argv[1:], reported()
    for template in templates():
        if words and not any(word in template.text or word in str(template.path) for word in words):
            continue
        print(f"{template.place()}: {template.call}")
        print("    " + template.text.rstrip("\n").replace("\n", "\n    "))
        print("    e.g. " + example_of(template, said).rstrip("\n").replace("\n", "\n         "))


if __name__ == "__main__":
    main()
