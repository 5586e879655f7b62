"""Nobody compares what has a number: the id of a diagnostic (its kind is in src/diag/kind.h), the name of a target."""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

TABLES = ("rules.def", "text_rules.def", "machine_faults.def", "faults.def")
CALL = re.compile(r"\b(?:strn?cmp|memcmp)\(((?:[^()\"]|\"(?:\\.|[^\"\\])*\"|\((?:[^()]|\([^()]*\))*\))*)\)")
PREFIX = re.compile(r"\bstrncmp\((?:id|\w+(?:\.|->)id),[^;]*\)")
FIND = re.compile(r"\bptog_target_find\(\"")
OF_DIAG = re.compile(r"\b(?:diag|found|finding|key|wanted|last|said)\w*(?:\.\w+|->\w+|\[\w+\])*(?:\.|->)id\b")
# report and the filter of `ptog: allow`, whose business ids are; the finding that a caller of reduce names;
# the order of a report, which is that of ids; the command, which sees no kinds.
MAY = ("src/report/", "src/diag/allow.c", "src/diag/list.c", "src/reduce/reduce.c", "tool/tell.c")


def ids():
    """Every id of the tables."""
    text = "".join((ROOT / "src" / "spec" / table).read_text() for table in TABLES)
    return set(re.findall(r"^\w+\((?:\w+, )?\"([a-z0-9]+(?:-[a-z0-9]+)+)\"", text, re.MULTILINE))


def targets():
    return set(re.findall(r"^TARGET\(\w+, \"([\w-]+)\"", (ROOT / "include/ptog/spec/targets.def").read_text(), re.MULTILINE))


def compared_names(code, known_ids, known_targets):
    """Comparisons in a C file that its numbers should do."""
    found = []
    for match in CALL.finditer(code):
        words = re.findall(r"\"([^\"]*)\"", match[1])
        by_name = any(word in known_ids or word in known_targets or re.fullmatch(r"(race|flag)-", word) for word in words)
        if by_name or OF_DIAG.search(match[1]):
            found.append(match[0])
    return found + FIND.findall(code) + PREFIX.findall(code)


def check_itself(checks, known_ids, known_targets):
    bad = ('strcmp(diag->id, id) == 0', 'strncmp(x, "race-", 5)', 'strcmp(name, "flag-redundant")', 'strcmp(target->name, "a5")',
           'strcmp(e->diags->list[i].diag.id, id)', 'ptog_target_find("host")', 'strncmp(id, prefix, strlen(prefix))')
    good = ('strcmp(rows[i].id, id)', 'strcmp(name, "emitc")', 'ptog_target_find(name)', 'strcmp(path, "-")')
    checks.check("comparisons of names are seen", [text for text in bad if not compared_names(text, known_ids, known_targets)])
    checks.check("others are not", [text for text in good if compared_names(text, known_ids, known_targets)])
    checks.check("the tables are read", [] if {"race-raw", "text-syntax", "uninit-read"} <= known_ids and "a5" in known_targets else "not all")


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    checks, known_ids, known_targets = Checks("names"), ids(), targets()
    check_itself(checks, known_ids, known_targets)
    problems = []
    for path in tracked("*.c", "*.h"):
        name = str(path.relative_to(ROOT))
        if name.startswith(("src/", "tool/")) and not name.startswith(MAY):
            problems += [f"{name}: {call}" for call in compared_names(path.read_text(), known_ids, known_targets)]
    checks.check("ids of diagnostics and names of targets are not compared", problems)
    checks.finish()


main()
