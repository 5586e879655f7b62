#!/usr/bin/env python3
"""Mutation test of the rule table: every row deleted, every predicate flipped, must make the rule tests fail.

usage: tests/mutate/mutate.py [ID...]      only the rows with these ids

The library is built once, but for the object that holds the table; the tests keep the table as it is. Each mutant is one
compilation, one link and one run of tests/unit/test_rules. Survivors are listed; there must be none.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "src/spec/rules.def"
FLAGS = ["-std=c11", "-O1", "-I", ROOT / "include", "-I", ROOT / "src", "-I", ROOT / "tests"]
CC = os.environ.get("CC", "gcc")
JOBS = os.cpu_count() or 1


def rows(text):
    """The rows of the table as (start, end, id, predicate), found by balanced parentheses outside strings."""
    for match in re.finditer(r'^RULE\("([a-z0-9-]+)"', text, re.MULTILINE):
        depth, quoted, at = 0, False, match.start() + len("RULE")
        while True:
            char = text[at]
            if quoted:
                at += char == "\\"
                quoted = char != '"'
            elif char == '"':
                quoted = True
            elif char in "()":
                depth += 1 if char == "(" else -1
                if depth == 0:
                    break
            at += 1
        head = text[match.start():at].split('"', 2)[2]
        predicate = head.split(",")[5].strip()
        yield match.start(), at + 1, match.group(1), predicate


def run(command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"mutate: {' '.join(map(str, command))}\n{done.stdout}")


def build(place):
    """Everything that no mutant changes: the objects of the library and of the test."""
    sources = [s for s in sorted(ROOT.glob("src/**/*.c")) if s != ROOT / "src/verify/rules.c"]
    sources += [ROOT / "tests/unit/test_rules.c"]
    objects = [place / (s.parent.name + "_" + s.stem + ".o") for s in sources]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda so: must([CC, *FLAGS, "-c", so[0], "-o", so[1]]), zip(sources, objects)))
    return objects


def write_negations(place, predicates):
    lines = ['#include "verify/predicates.h"']
    lines += [f"__attribute__((unused)) static bool ptog_not_{p}(const struct ptog_check *c, enum ptog_operand o)"
              f" {{ return !ptog_{p}(c, o); }}" for p in sorted(predicates)]
    (place / "negations.h").write_text("\n".join(lines) + "\n")


def killed(place, objects, number, table):
    """Builds the library with another table and runs the tests: True when they notice."""
    mutant = place / f"mutant{number}"
    (mutant / "spec").mkdir(parents=True)
    (mutant / "spec/rules.def").write_text(table)
    must([CC, "-I", mutant, *FLAGS, "-include", place / "negations.h", "-c", ROOT / "src/verify/rules.c",
          "-o", mutant / "rules.o"])
    must([CC, *objects, mutant / "rules.o", "-lcmocka", "-lm", "-o", mutant / "test"])
    return run([mutant / "test"]).returncode != 0


def main():
    text = TABLE.read_text()
    found = list(rows(text))
    chosen = [row for row in found if not sys.argv[1:] or row[2] in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        objects = build(place)
        write_negations(place, {row[3] for row in found})
        if killed(place, objects, "none", text):
            sys.exit("mutate: the tests fail before anything is changed")
        mutants = []
        for start, end, name, predicate in chosen:
            row = text[start:end]
            flipped = re.sub(rf"\b{predicate},", f"not_{predicate},", row, count=1)
            mutants.append((f"delete {name}", text[:start] + text[end:]))
            mutants.append((f"flip {name}", text[:start] + flipped + text[end:]))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            dead = list(pool.map(lambda nm: killed(place, objects, nm[0], nm[1][1]), enumerate(mutants)))
    survivors = [name for (name, _), is_dead in zip(mutants, dead) if not is_dead]
    for name in survivors:
        print(f"survived: {name}")
    print(f"mutate: {len(mutants)} mutants of {len(chosen)} rules, {len(survivors)} survivors")
    return 1 if survivors or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
