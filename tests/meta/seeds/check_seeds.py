"""Meta test: tests/seeds.tsv maps every statement of the documents 000..004 to what holds it.

Run from anywhere: python3 tests/meta/seeds/check_seeds.py [--seeds DIR] [--table FILE]

A row is: id, lines, kind, says, maps. `lines` is 12, 12-15, or 12a 12b ... for several statements on one line. `maps` names
one or more of rule:, fault:, erratum:, conflict: (of the table of conflicts in docs/explanation/errata.md: another statement says otherwise),
target:, accepts:, test:, code: (a file of src/), mutant: (of tests/mutate/formulas.py), unseen:REASON, separated by ';'. Only prose
may map to none:REASON. A row that names no rule, which `make mutate` breaks, and no test with an oracle of its own names the mutant
that its test kills, or says with unseen: why nothing of it can be observed.
Checked: ids, order, kinds and mappings of the table; that each rule and fault is mapped from every document it cites, each conflict
from two rows, and each mutant from one; that each text of tests/pto/seeds runs on every target that its document names, or is in
the table of examples in docs/explanation/errata.md; and, where the documents are at hand, that each of their lines belongs to one row, or to
rows a, b, ... .
"""
import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = ("000", "001", "002", "003", "004")
COLUMNS = ["id", "lines", "kind", "says", "maps"]
KINDS = ("sentence", "cell", "enum", "example", "formula", "syntax", "prose")
TESTS = {  # name -> at least one such file exists
    "conform": "tests/conform/run.py",
    "asm": "tests/unit/**/test_asm_seeds.c",
    "rules": "tests/unit/**/test_rules.c",
    "unit": "tests/unit/**/test_*.c",
    "examples": "examples/*.c",
    "install": "tests/install/run.py",
    "machine": "tests/unit/test_machine_*.c",
    "pto": "tests/pto/examples/*.pto",
    "cpp": "tests/cpp/run.py",
    "figures": "tests/figures/run.py",
}
# They fail when the sentence does not hold: a second opinion, or text and kernels taken from the documents.
TELLING = {"test:" + name for name in ("conform", "asm", "rules", "pto", "cpp", "figures")}
# which targets a document names
TARGETS = {"000": ("a5-custom",), "001": ("cpu",), "002": ("cpu", "a2a3", "a5"), "003": ("cpu", "a2a3", "a5"), "004": ("a2a3", "a5")}
LONGEST = 100  # characters of `says`: a paraphrase
COPY = 30      # a longer one that is found in the document itself is a copy


class Tally:
    """Counts checks and prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, problems, where):
        self.passed += not problems
        self.failed += bool(problems)
        for problem in problems:
            print(f"error: {where}: {problem}")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


# ---- what a mapping may name ----

def table_entries(name, macro):
    """id -> where documented, of each RULE("id", ...) or FAULT(KIND, "id", ...) of a .def table."""
    entries = {}
    for entry in re.split(rf"^{macro}\(", read(name), flags=re.M)[1:]:
        literals = re.findall(r'"((?:[^"\\]|\\.)*)"', entry)
        cites = [text for text in literals[1:] if re.match(r"00[0-4] |errata E|this project|ptog targets|ptog/|docs/|[A-Z0-9]+ page of the manual|TROWEXPANDADD page", text)]
        entries[literals[0]] = cites[-1] if cites else ""
    return entries


def target_fields():
    body = re.search(r"struct ptog_target \{(.*?)\};", read("include/ptog/target.h"), re.S).group(1)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    return {name for part in body.split(";") for name in re.findall(r"(\w+)\s*(?:,|$)", part.strip())}


def run_mutants():
    """The ids of the mutants of formulas; none when one of them changes nothing any more."""
    done = subprocess.run([sys.executable, ROOT / "tests/mutate/formulas.py", "--list"], stdout=subprocess.PIPE, text=True)
    return done.stdout.split() if done.returncode == 0 else []


def conflicts():
    """The section of docs/explanation/errata.md with the conflicts between documents and the examples that are reported as printed."""
    return re.search(r"^## Conflicts between documents\n.*?(?=^## )", read("docs/explanation/errata.md"), re.M | re.S)[0]


def names():
    return {
        "rule": table_entries("src/spec/rules.def", "RULE"),
        "fault": {**table_entries("src/spec/faults.def", "FAULT"),
                  **table_entries("src/spec/machine_faults.def", "MACHINE_FAULT"),
                  **table_entries("src/spec/machine_faults.def", "SIMT_FAULT")},
        "code": {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.c")},
        "erratum": set(re.findall(r"^\| (E\d+) \|", read("docs/explanation/errata.md").replace(conflicts(), ""), re.M)),
        "target": target_fields(),
        "accepts": set(re.findall(r"^ACCEPTS\((\w+)", read("include/ptog/spec/accepts.def"), re.M)),
        "test": {test for test, files in TESTS.items() if any(ROOT.glob(files))},
        "mutant": set(run_mutants()),
        "conflict": set(re.findall(r"^\| (E\d+) \|", conflicts(), re.M)),
    }


# ---- the table ----

def read_rows(path, tally):
    header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    tally.check([] if header.split("\t") == COLUMNS else [f"the first line is not {' '.join(COLUMNS)}"], path.name)
    rows = []
    for number, line in enumerate(lines, 2):
        fields = line.split("\t")
        if len(fields) == len(COLUMNS):
            rows.append(dict(zip(COLUMNS, fields)))
        else:
            tally.check([f"{len(fields)} columns instead of {len(COLUMNS)}"], f"{path.name}:{number}")
    return rows


def by_document(rows):
    """Rows with an unknown document come last, under their own number."""
    documents = {document: [] for document in DOCUMENTS}
    for row in rows:
        documents.setdefault(row["id"][:3], []).append(row)
    return documents


def span(row):
    """(first line, last line, letter), or None."""
    match = re.fullmatch(r"(\d+)(?:-(\d+)|([a-z]))?", row["lines"])
    if not match:
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    return (first, last, match[3] or "") if 1 <= first <= last else None


def mapping_problems(row, known):
    maps = row["maps"].split(";")
    if len(set(maps)) != len(maps):
        yield "the same mapping twice"
    for kind, _, name in (one.partition(":") for one in maps):
        if not name:
            yield "unmapped" if not kind else f"'{kind}' is not of the form kind:name"
        elif kind == "none":
            if row["kind"] != "prose" or len(maps) > 1:
                yield "none: is for prose, and stands alone"
        elif kind == "unseen":
            if len(name.split()) < 4:
                yield "unseen: gives its reason in words"
        elif name not in known.get(kind, ()):
            files = f" (there is no {TESTS[name]})" if kind == "test" and name in TESTS else ""
            yield f"{kind}:{name} does not exist{files}"


def killer_problems(row):
    maps = row["maps"].split(";")
    if row["kind"] != "prose" and not any(one in TELLING or one.startswith(("rule:", "mutant:", "unseen:", "accepts:"))
                                          for one in maps):
        yield "nothing is named that fails when it does not hold: name a mutant, or say with unseen: why it cannot be observed"


def follows(row, previous):
    """The lines begin after those of the row before, or are the next letter of the same line."""
    (first, last, letter), (before, end, letter_before) = span(row), span(previous) if previous else (0, 0, "")
    if first == before and letter_before:
        return letter == chr(ord(letter_before) + 1)
    return first > end and letter in ("", "a")


def row_problems(row, previous, number, known):
    """`previous` is the row before it in the same document, or None; `number` counts from 1."""
    if row["id"] != f"{row['id'][:3]}-{number:03d}" or row["id"][:3] not in DOCUMENTS:
        yield f"not row {number} of a document {DOCUMENTS[0]}..{DOCUMENTS[-1]}"
    if row["kind"] not in KINDS:
        yield f"'{row['kind']}' is not a kind"
    if not span(row):
        yield f"'{row['lines']}' is not a line, a range or a line with a letter"
    elif (not previous or span(previous)) and not follows(row, previous):
        yield f"lines {row['lines']} do not follow {'lines ' + previous['lines'] if previous else 'the start'}"
    if not 1 <= len(row["says"]) <= LONGEST:
        yield f"says has {len(row['says'])} characters, not 1..{LONGEST}"
    yield from mapping_problems(row, known)
    yield from killer_problems(row)


def check_rows(rows, known, tally):
    for document, own in by_document(rows).items():
        tally.check([] if own else ["has no rows"], f"document {document}")
        for number, (row, previous) in enumerate(zip(own, [None] + own), 1):
            tally.check(list(row_problems(row, previous, number, known)), row["id"])
    sorted_ids = sorted(row["id"] for row in rows)
    tally.check([] if [row["id"] for row in rows] == sorted_ids else ["rows are not in the order of their ids"], "table")


def check_cited(kind, entries, rows, tally):
    """Each rule and fault that cites documents is mapped from a row of each of them."""
    for name, cites in entries.items():
        wanted = set(re.findall(r"\b00[0-4]\b", cites))
        mapped = {row["id"][:3] for row in rows if f"{kind}:{name}" in row["maps"].split(";")}
        problems = [f"cites {document} ({cites}), but no row of {document} maps to it" for document in sorted(wanted - mapped)]
        tally.check(problems if cites else ["does not say where it is documented"], f"{kind} {name}")


def check_named(known, rows, tally):
    """Each conflict is one between statements of the table; each mutant breaks one of them."""
    counts = Counter(one for row in rows for one in row["maps"].split(";"))
    for name in sorted(known["conflict"], key=lambda name: int(name[1:])):
        problems = [] if name in known["erratum"] else ["is no entry of docs/explanation/errata.md"]
        tally.check(problems + ([] if counts[f"conflict:{name}"] >= 2 else ["fewer than two rows map to it"]), f"conflict {name}")
    tally.check([f"no row maps to mutant:{name}" for name in sorted(known["mutant"])
                 if not counts[f"mutant:{name}"] and not name.startswith("static-")], "mutants")  # those are named by their rules


# ---- the examples ----

def text_problems(name, text, reported):
    """`reported`: the targets on which the text may end with an error, and the ids."""
    runs = {found[1]: found[2] for found in re.finditer(r"^// RUN: ptog run .*?--target (\S+).*\n((?:// (?!RUN|DATA).*\n)*)", text, re.M)}
    for target in TARGETS[name[:3]]:
        said = runs.get(target, "")
        errors = re.findall(r"^// ERROR: (\S+)", said, re.M)
        if target in reported and errors != reported[target]:
            yield f"docs/explanation/errata.md has {reported[target]} on {target}, the file {errors}"
        if target not in reported and ("// EXPECT: " not in said or errors):
            yield f"is not run on {target} with a result that is expected"


def check_texts(tally):
    reported = {}
    for name, targets, said in re.findall(r"^\| (\d{3}_L\w+) \| \S+ \| (.*?) \| (.*?) \|", conflicts(), re.M):
        reported[name] = {target: re.findall(r"`([^`]+)`", said) for target in targets.split(", ")}
    files = sorted((ROOT / "tests/pto/seeds").glob("*.pto"))
    for path in files:
        tally.check(list(text_problems(path.stem, path.read_text(encoding="utf-8"), reported.get(path.stem, {}))), path.name)
    tally.check([f"there is no {name}.pto" for name in reported if name not in {path.stem for path in files}], "docs/explanation/errata.md")


# ---- the documents ----

def coverage_problems(lines, rows):
    """`lines` of one document; the rows are known to be in order and not to overlap."""
    text, covered = " ".join(lines).lower(), set()
    for row in rows:
        first, last, _ = span(row) or (1, 0, "")
        covered.update(range(first, last + 1))
        if last > len(lines):
            yield f"{row['id']}: line {last} is past the end"
        elif last and not (lines[first - 1].strip() and lines[last - 1].strip()):
            yield f"{row['id']}: lines {row['lines']} start or end with a blank line"
        if len(row["says"]) > COPY and row["says"].lower() in text:
            yield f"{row['id']}: says is a copy of the document"
    for number, line in enumerate(lines, 1):
        if line.strip() and number not in covered:
            yield f"line {number} belongs to no row"


def check_documents(directory, rows, tally):
    if not directory.is_dir():
        print(f"note: no documents in {directory}: coverage of their lines is not checked")
        return
    for document, own in by_document(rows).items():
        files = sorted(directory.glob(f"{document}*"))
        if len(files) == 1:
            lines = files[0].read_text(encoding="utf-8").split("\n")
            tally.check(list(coverage_problems(lines, own)), files[0].name)
        else:
            tally.check([f"{len(files)} files instead of one"], f"document {document}")


def print_summary(rows):
    for document, own in by_document(rows).items():
        kinds = Counter(row["kind"] for row in own)
        print(f"{document}: {len(own)} rows: " + ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=Path, default=ROOT / "../shared/seeds", help="directory of the documents 000..004")
    parser.add_argument("--table", type=Path, default=ROOT / "tests/seeds.tsv")
    options = parser.parse_args()
    tally, known = Tally(), names()
    rows = read_rows(options.table, tally)
    check_rows(rows, known, tally)
    check_cited("rule", known["rule"], rows, tally)
    check_cited("fault", known["fault"], rows, tally)
    check_named(known, rows, tally)
    check_texts(tally)
    check_documents(options.seeds, rows, tally)
    print_summary(rows)
    print(f"seeds: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
