#!/usr/bin/env python3
"""Every sentence that this project can print, in one list: `make messages`.

A template is a string literal of the sources with at least two words in it: tables (*.def), C, C++ headers, Python. No list of
functions or files has to be kept, so a new message cannot be missing. Beside each template stands an example: a line that a
test prints, if one does, or the template with sample values put in. tests/meta/messages.py reads the same list."""
import argparse
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKEN = re.compile(
    r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<raw>R"(?P<d>[^(\s]*)\(.*?\)(?P=d)")|(?P<string>"(?:\\.|[^"\\\n])*")|'
    r"(?P<char>'(?:\\.|[^'\\\n])+')|(?P<include>\#\s*include[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<other>\S)|(?P<space>\s+)",
    re.S)
ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|z|j|t)?([a-zA-Z])|%(%)|%\Z")
PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.]*)\}")
SAMPLES = {"d": "3", "i": "3", "u": "3", "x": "1f", "X": "1F", "f": "1.5", "g": "1.5", "e": "1e3", "c": "x", "s": "NAME"}


class Template:
    """One literal: where it stands, the call or row it is in, and its text."""

    def __init__(self, path, line, call, column, text, row=""):
        self.path, self.line, self.call, self.column, self.text, self.row = path, line, call, column, text, row

    def pattern(self):
        """A regular expression for what the template prints."""
        text = CONVERSION.sub(lambda m: "%" if m.group(2) else "\0", self.text)
        text = PLACEHOLDER.sub("\0", text)
        return ".*?".join(re.escape(part) for part in text.split("\0"))

    def sample(self):
        """The template with sample values."""
        text = CONVERSION.sub(lambda m: "%" if m.group(2) else SAMPLES.get(m.group(1) or "d", "3"), self.text)
        return PLACEHOLDER.sub(lambda m: m.group(1), text)


def is_sentence(text):
    """Two words in a row, and neither a path nor a piece of markup or code."""
    plain = CONVERSION.sub("0", text)
    if re.search(r"</?[a-z]+[^>]*>|^\s*[.#]?[\w-]+\s*\{|^\s*import |function\s*\(", plain):
        return False
    return re.search(r"[A-Za-z]{2,}[,:;]?\s+\(?'?[A-Za-z]{2,}|[a-z]{2,} (?:[0-9{']|a )|[0-9}'] [a-z]{2,}", plain) is not None


def literal(token):
    return re.sub(r"\\.", lambda m: ESCAPES.get(m.group(), m.group()), token[1:-1])


def in_c(path):
    """The templates of a file in C, C++ or of a table."""
    source, found, calls, word, line = path.read_text(), [], [], "", 1
    text, start, broken = None, 0, False

    def finish():
        nonlocal text
        if text is not None:
            name, column, row = calls[-1] if calls else ("", 0, "")
            if calls and column == 0 and not row:
                calls[-1][2] = text
            if is_sentence(text):
                found.append(Template(path, start, name, column, text, row))
        text = None

    for token in TOKEN.finditer(source):
        kind, value = token.lastgroup, token.group()
        if kind in ("d",):
            kind = "raw"
        if kind == "string":
            if text is None:
                text, start = "", line
            elif broken:
                text += ""
            text += literal(value)
            broken = False
        elif kind == "raw":
            finish()
        elif kind == "word" and text is not None and (value.startswith("PRI") or value.isupper()):
            if not value.startswith("PRI"):
                text += "%s"
        elif kind in ("word", "other", "char"):
            finish()
            if value == "(":
                calls.append([word, 0, ""])
            elif value == ")" and calls:
                calls.pop()
            elif value == "," and calls:
                calls[-1][1] += 1
            elif value == ";" and path.suffix != ".def":
                pass
            word = value if kind == "word" else ""
        line += value.count("\n")
    finish()
    return found


def in_python(path):
    """The templates of a Python file: every string but the docstrings."""
    tree, found, skipped = ast.parse(path.read_text()), [], set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            skipped.add(id(node.body[0].value))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{value}" for part in node.values)
            skipped.update(id(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
        else:
            continue
        if is_sentence(text):
            found.append(Template(path, node.lineno, "", 0, text))
    return sorted(found, key=lambda t: t.line)


def templates():
    """All of them, by file."""
    files = [*ROOT.glob("src/**/*.[ch]"), *ROOT.glob("src/**/*.def"), *ROOT.glob("include/**/*.[dh]*"), *ROOT.glob("tool/**/*.[chd]*")]
    found = []
    for path in sorted(files):
        found += in_c(path)
    for path in sorted(ROOT.glob("python/ptogather/*.py")):
        found += in_python(path)
    return found


def main():
    for t in templates():
        print(f"{t.path.relative_to(ROOT)}:{t.line}: {t.call}#{t.column} {t.row}")
        print("    " + t.text.replace("\n", "\n    "))


if __name__ == "__main__":
    sys.exit(main())
