#!/usr/bin/env python3
"""Doxygen reads headers through this: ordinary comments become documentation of the declaration that they belong to.

usage: header_filter.py HEADER     writes the header to standard output

The first comment is about the file. A comment before a declaration is about it, one behind a member about that; a heading,
`/* ---- pictures ---- */`, about nothing. Lines that are indented by two more spaces are code.
"""

import re
import sys

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)


def lines_of(body):
    """The lines of a comment, without the stars at their beginning."""
    return [re.sub(r"^ *\* ?", "", line) if number else line.strip() for number, line in enumerate(body.split("\n"))]


def escaped(line):
    return re.sub(r"([\\@#<>%&$])", r"\\\1", line)


def documented(body):
    """The words of a comment as Doxygen wants them."""
    made, code = [], False
    for line in lines_of(body):
        if line.startswith("  ") and not code:
            made.append("@verbatim")
            code = True
        elif not line.startswith("  ") and code and line.strip():
            made.append("@endverbatim")
            code = False
        made.append(line.rstrip() if code else escaped(line.rstrip()))
    return "\n".join(made + ["@endverbatim"] * code)


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    name = sys.argv[1].rpartition("include/")[2]

    def replace(match):
        body = match[1]
        before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        if match.start() == 0:
            return f"/** @file {name}\n{documented(body)}\n*/"
        if body.strip().startswith("----") or before.lstrip().startswith("#"):
            return match[0]
        return f"/**{'<' if before.strip() else ''} {documented(body)} */"

    made = COMMENT.sub(replace, text)
    sys.stdout.write(re.sub(r"^( +)((?:struct|enum) \w+) (\w+), (\w+);", r"\1\2 \3; \2 \4;", made, flags=re.MULTILINE))


main()
