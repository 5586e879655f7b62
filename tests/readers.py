#!/usr/bin/env python3
"""Functions of src/ and tool/ drawn at random, as a reader sees them who has only name, signature and comment: can one say what
each of them is for, and what it changes? The comment of an external function may stand at its declaration.

usage: tests/readers.py [--seed N] [--count N] [--under FOLDER] [--bodies]

--bodies shows the bodies, too, to compare with. The seed is printed; without one it is the time.
"""

import argparse
import random
import re
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FEWEST_LINES = 6  # of a body: shorter ones say themselves what they do
STARTS = re.compile(r"^[A-Za-z_][\w \*()]*?[ \*](\w+)\(")


def comment_above(lines, at):
    """The lines of the comment that ends on the line before `at`."""
    first = at
    while first > 0 and lines[at - 1].rstrip().endswith("*/"):
        first -= 1
        if lines[first].lstrip().startswith("/*"):
            return [] if lines[first].startswith("/* ----") else lines[first:at]
    return []


def declared(folders):
    """The comments of declarations, by name. One comment may stand above several declarations."""
    comments = {}
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.h")):
        lines = path.read_text(encoding="utf-8").split("\n")
        for at, line in enumerate(lines):
            start = STARTS.match(line)
            first = at
            while first > 0 and re.match(r"^[A-Za-z_ ].*[;,]$", lines[first - 1]):
                first -= 1
            if start and comment_above(lines, first):
                comments.setdefault(start[1], comment_above(lines, first))
    return comments


def defined(path):
    """Of each function of a file: its line, name, comment, signature and body."""
    lines = path.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        start, opens = STARTS.match(lines[at]), at
        while start and opens < len(lines) - 1 and lines[opens] != "{" and not lines[opens].rstrip().endswith((";", "}")):
            opens += 1
        if start and lines[opens] == "{":
            closes = lines.index("}", opens)
            yield at + 1, start[1], comment_above(lines, at), lines[at:opens], lines[opens:closes + 1]
            at = closes
        at += 1


def all_functions(under):
    comments = declared(["src", "tool", "include/ptog"])
    for path in sorted(path for folder in ("src", "tool") for path in (ROOT / folder).rglob("*.c")):
        name = str(path.relative_to(ROOT))
        for line, function, comment, signature, body in defined(path) if name.startswith(under) else ():
            if len(body) - 2 >= FEWEST_LINES:
                yield f"{name}:{line}", comment or comments.get(function, []), signature, body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--under", default="", metavar="FOLDER", help="only of this folder, such as src/sim")
    parser.add_argument("--bodies", action="store_true")
    options = parser.parse_args()
    functions = list(all_functions(options.under))
    drawn = random.Random(options.seed).sample(functions, min(options.count, len(functions)))
    print(f"{len(drawn)} of {len(functions)} functions, seed {options.seed}")
    for number, (place, comment, signature, body) in enumerate(drawn, 1):
        print("\n".join([f"\n{number}. {place}", *comment, *signature, *(body if options.bodies else [])]))


main()
