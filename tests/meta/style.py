"""What reads well, measured: one body for a struct tag, no `?:` inside another, few of them, and public headers that explain
at least as much as they declare."""

import argparse
import collections
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

MAX_MARKS = 22
SOURCES = ("*.c", "*.h", "*.def", "*.hpp", "*.cpp")
TAG = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")
# comments, strings and characters
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """The text without comments, strings and directives; a macro's body ends like a statement. Lines stay where they are."""
    text = NOT_CODE.sub(blank, text)
    return DIRECTIVE.sub(lambda m: m.group() + ";" if re.match(r"\s*#\s*define", m.group()) else blank(m), text)


def same_tags(files):
    """Tags with a body in more than one C file. C++ has namespaces for that."""
    places = collections.defaultdict(set)
    for path, code in files.items():
        if path.suffix in (".c", ".h", ".def") and path.relative_to(ROOT).parts[0] in ("include", "src", "tool"):
            for tag in TAG.findall(code):
                places[tag].add(str(path.relative_to(ROOT)))
    return [f"{tag}: {', '.join(sorted(found))}" for tag, found in sorted(places.items()) if len(found) > 1]


def nested(code):
    """The lines of `?:` that have another one among their operands, in brackets or not. An expression ends at a comma, a
    semicolon or a brace; what a bracket holds is an expression of its own, and a part of the one around it."""
    lines, line = [], 1
    around = [[0, 0, 0]]  # of each open bracket: `?` of the expression itself, in its brackets too, its first line

    def end():
        own, inside, first = around[-1]
        if own and inside > 1:
            lines.append(first)

    carried = [0]  # `?` of the expressions that ended inside the bracket
    for char in code:
        if char == "\n":
            line += 1
        elif char == "?":
            around[-1] = [around[-1][0] + 1, around[-1][1] + 1, around[-1][2] or line]
        elif char in "([":
            around.append([0, 0, 0])
            carried.append(0)
        elif char in ")]" and len(around) > 1:
            end()
            inside = around.pop()[1] + carried.pop()
            around[-1][1] += inside
        elif char in ",;{}":
            end()
            carried[-1] += around[-1][1] if len(around) > 1 else 0
            around[-1] = [0, 0, 0]
    return lines


def is_code(line):
    """A line of a header that declares something: no include, no guard, no empty line."""
    return line.strip() and not re.match(r"\s*#\s*(include|endif|ifndef PTOG_\w+_H$|define PTOG_\w+_H$)", line)


def prose(text):
    """How many lines of a header have code on them, and how many a comment; some have both."""
    bare = NOT_CODE.sub(blank, text)
    code = sum(1 for line in bare.split("\n") if is_code(line))
    mark = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]+", "@", m.group()), text, flags=re.DOTALL)
    return code, sum(1 for line in mark.split("\n") if "@" in line)


def check_headers(checks):
    short = []
    for path in sorted((ROOT / "include/ptog").glob("*.h")):
        code, comments = prose(path.read_text(encoding="utf-8"))
        if comments < code:
            short.append(f"{path.relative_to(ROOT)}: {code} lines of code, {comments} with a comment")
    checks.check("public headers have as many lines with comments as with code", short)


def check_itself(checks):
    checks.check("prose is counted", [] if prose("/* a\n * b */\n#include <c>\nint d; /* e */\n\nint f;\n") == (2, 3) else ["wrongly"])
    bad = ["a ? b : c ? d : e;", "x = (a ? b : c) ? d : e;", "f(a ? g(1, b ? c : d) : e);", "#define M(a) (a ? 1 : a ? 2 : 3)\n"]
    good = ["f(a ? b : c, d ? e : g);", "x = (a ? b : c) + (d ? e : f);", "/* a ? b : c ? d : e */", "a ? b : c; d ? e : f;"]
    checks.check("a `?:` inside another is seen", [text for text in bad if len(nested(code_of(text))) != 1])
    checks.check("others are not", [text for text in good if nested(code_of(text))])


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    files = {path: code_of(path.read_text(encoding="utf-8")) for path in tracked(*SOURCES)
             if path.relative_to(ROOT).parts[:2] != ("fuzz", "corpus")}
    checks = Checks("style")
    checks.check("a struct tag has one body", same_tags(files))
    check_itself(checks)
    checks.check("no `?:` inside another: write an if", [f"{path.relative_to(ROOT)}:{line}" for path, code in files.items()
                                                         for line in nested(code)])
    check_headers(checks)
    ours = [code for path, code in files.items() if path.relative_to(ROOT).parts[0] in ("src", "include", "tool", "bench", "tests")]
    marks = sum(code.count("?") for code in ours)
    lines = sum(1 for code in ours for line in code.split("\n") if line.strip())
    checks.check(f"at most {MAX_MARKS} `?:` in a thousand lines of code", [] if marks * 1000 <= MAX_MARKS * lines
                 else [f"{marks} in {lines} lines: {marks * 1000 / lines:.1f}"])
    checks.finish()


main()
