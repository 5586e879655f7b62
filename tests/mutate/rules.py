#!/usr/bin/env python3
"""Mutation test of the rule table: tests/unit/test_rules must notice every row that is deleted and every predicate that is negated.

usage: tests/mutate/rules.py [--build DIR] [ID...]      only the rows with these ids

Each mutant is one compilation of src/verify/rules.c with another table, one link with a build that has tests (build/test/gcc of
`make test`) and one run of test_rules, whose examples come from the table as it is. Survivors are listed; there must be none.
"""

import re
import sys

from formulas import ROOT, Build, main

TABLE, COMPILED = "src/spec/rules.def", "src/verify/rules.c"


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
        predicate = re.sub(r"\([^()]*\)", "", head).split(",")[5].strip()  # the level may have arguments
        yield match.start(), at + 1, match.group(1), predicate


class RuleBuild(Build):
    """A build whose rules.c knows the negation of every predicate."""

    def compile(self, name, source, work):
        predicates = sorted({predicate for _, _, _, predicate in rows((ROOT / TABLE).read_text())})
        lines = [f"__attribute__((unused)) static bool ptog_not_{p}(const struct ptog_check *c, enum ptog_operand_name o)"
                 f" {{ return !ptog_{p}(c, o); }}" for p in predicates]
        (work / "negations.h").write_text("\n".join(['#include "verify/predicates.h"', *lines, ""]))
        return super().compile(name, source, work, "-include", work / "negations.h")


def mutants():
    text = (ROOT / TABLE).read_text()
    for start, end, name, predicate in rows(text):
        row = text[start:end]
        negated = re.sub(rf"\b{predicate},", f"not_{predicate},", row, count=1)
        yield name, (f"{name} deleted", TABLE, row, "", "test_rules", [COMPILED])
        yield name, (f"{name} negated", TABLE, row, negated, "test_rules", [COMPILED])


if __name__ == "__main__":
    sys.exit(main(__doc__.splitlines()[0], list(mutants()), RuleBuild))
