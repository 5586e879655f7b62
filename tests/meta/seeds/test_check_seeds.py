"""Meta test of check_seeds.py: each wrong edit of the table is reported and fails the check.

Run from anywhere: python3 tests/meta/seeds/test_check_seeds.py. The documents it uses are made up to fit the table.
"""
import subprocess
import sys
import tempfile
from pathlib import Path
from string import ascii_lowercase

from check_seeds import text_problems

HERE = Path(__file__).resolve().parent
TABLE = (HERE.parents[1] / "seeds.tsv").read_text(encoding="utf-8").splitlines()
ID, LINES, KIND, SAYS, MAPS = range(5)
WORDS = "a sentence of the document, word for word"


def rows():
    return [line.split("\t") for line in TABLE]


def first(kind, test=lambda row: True):
    """The first row of a kind for which the test holds."""
    return next(i for i, row in enumerate(rows()) if row[KIND] == kind and test(row))


def edited(i, column, value):
    table = rows()
    table[i][column] = value
    return ["\t".join(row) for row in table]


def without(mapping):
    """No row maps to it any more."""
    table = rows()
    for row in table:
        kept = [one for one in row[MAPS].split(";") if one != mapping]
        row[MAPS] = ";".join(kept) or "test:conform"
    return ["\t".join(row) for row in table]


def make_documents(directory):
    """Five documents with a sentence on each line at which a row starts or ends."""
    lines = {}
    for row in rows()[1:]:
        start, _, end = row[LINES].rstrip(ascii_lowercase).partition("-")
        lines.setdefault(row[ID][:3], set()).update((int(start), int(end or start)))
    for document, numbers in lines.items():
        text = "\n".join(WORDS if n in numbers else "" for n in range(1, max(numbers) + 1))
        (directory / f"{document}.txt").write_text(text, encoding="utf-8")


SENTENCE = first("sentence")
RANGE = first("syntax", lambda row: "-" in row[LINES])
LETTER = first("cell", lambda row: row[LINES].endswith("b"))
WRONG = [  # what was done, the table, what the check has to say
    ("no mapping", edited(SENTENCE, MAPS, ""), "unmapped"),
    ("unknown rule", edited(SENTENCE, MAPS, "rule:no-such-rule"), "rule:no-such-rule does not exist"),
    ("unknown fault", edited(SENTENCE, MAPS, "fault:no-such-fault"), "fault:no-such-fault does not exist"),
    ("unknown mutant", edited(SENTENCE, MAPS, "mutant:no-such-mutant"), "mutant:no-such-mutant does not exist"),
    ("no killer", edited(SENTENCE, MAPS, "code:sim/cost.c;test:machine"), "nothing is named that fails when it does not hold"),
    ("no reason", edited(SENTENCE, MAPS, "unseen:no"), "unseen: gives its reason in words"),
    ("unknown erratum", edited(SENTENCE, MAPS, "erratum:E999"), "erratum:E999 does not exist"),
    ("unknown target field", edited(SENTENCE, MAPS, "target:colour"), "target:colour does not exist"),
    ("unknown test", edited(SENTENCE, MAPS, "test:luck"), "test:luck does not exist"),
    ("unknown conflict", edited(SENTENCE, MAPS, "conflict:E34"), "conflict:E34 does not exist"),
    ("an unmapped conflict", without("conflict:E23"), "conflict E23: fewer than two rows map to it"),
    ("an unmapped mutant", without("mutant:nz-elem-order"), "no row maps to mutant:nz-elem-order"),
    ("unknown kind of mapping", edited(SENTENCE, MAPS, "hope:best"), "hope:best does not exist"),
    ("a norm without a home", edited(SENTENCE, MAPS, "none:heading"), "none: is for prose"),
    ("unknown kind", edited(SENTENCE, KIND, "poem"), "'poem' is not a kind"),
    ("says nothing", edited(SENTENCE, SAYS, ""), "says has 0 characters"),
    ("says too much", edited(SENTENCE, SAYS, "x" * 101), "says has 101 characters"),
    ("twice the same id", edited(SENTENCE, ID, rows()[SENTENCE - 1][ID]), "not row"),
    ("a missing row", TABLE[:SENTENCE] + TABLE[SENTENCE + 1:], "not row"),
    ("lines out of order", edited(SENTENCE, LINES, "1"), "do not follow"),
    ("a skipped letter", edited(LETTER, LINES, rows()[LETTER][LINES][:-1] + "d"), "do not follow"),
    ("no line number", edited(SENTENCE, LINES, "here"), "'here' is not a line"),
    ("a missing column", TABLE[:-1] + [TABLE[-1].rpartition("\t")[0]], "4 columns instead of 5"),
    ("another header", ["id\tlines"] + TABLE[1:], "the first line is not"),
    ("an unmapped rule", without("rule:mgather-row-index-shape"), "rule mgather-row-index-shape: cites 002"),
    ("an unmapped fault", without("fault:ub-outside-tile"), "fault ub-outside-tile: cites 004"),
    ("an uncovered line", edited(RANGE, LINES, rows()[RANGE][LINES].partition("-")[0]), "belongs to no row"),
    ("an uncovered tail", TABLE[:-1], "belongs to no row"),
    ("a line that is not there", edited(len(TABLE) - 1, LINES, "9999"), "line 9999 is past the end"),
    ("a copied sentence", edited(SENTENCE, SAYS, WORDS), "is a copy of the document"),
]


RUN = "// RUN: ptog run %s --target "
TEXTS = [  # name, text, where it may be reported, what the check has to say of it
    ("003_L1", "".join(f"{RUN}{target} --dump dst=x\n// EXPECT: dst = 1\n" for target in ("cpu", "a2a3", "a5")), {}, []),
    ("003_L1", f"{RUN}cpu\n// EXPECT: dst = 1\n{RUN}a5\n// EXPECT: dst = 1\n", {}, ["is not run on a2a3"]),
    ("001_L1", f"{RUN}cpu\n// ERROR: mgather-dtype @1:1\n", {}, ["is not run on cpu"]),
    ("001_L1", f"{RUN}cpu\n// ERROR: mgather-dtype @1:1\n", {"cpu": ["mgather-dtype"]}, []),
    ("001_L1", f"{RUN}cpu\n// EXPECT: dst = 1\n", {"cpu": ["mgather-dtype"]}, ["docs/explanation/errata.md has ['mgather-dtype'] on cpu"]),
]


def run(table, directory):
    path = directory / "table.tsv"
    path.write_text("\n".join(table) + "\n", encoding="utf-8")
    command = [sys.executable, HERE / "check_seeds.py", "--table", path, "--seeds", directory]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        make_documents(directory)
        before = run(TABLE, directory).stdout
        for what, table, message in WRONG:
            result = run(table, directory)
            if result.returncode != 1 or message not in result.stdout or message in before:
                failed += 1
                print(f"error: {what}: status {result.returncode}, expected 1 and a new '{message}' in:\n{result.stdout}")
    for name, text, reported, wanted in TEXTS:
        found = list(text_problems(name, text, reported))
        if len(found) != len(wanted) or any(word not in problem for word, problem in zip(wanted, found)):
            failed += 1
            print(f"error: {name}: {found}, expected {wanted}, of:\n{text}")
    print(f"seeds, wrong tables: {len(WRONG) + len(TEXTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
