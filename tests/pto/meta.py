#!/usr/bin/env python3
"""Shows that every row of the text tables is hit by a hand-written .pto file: operations that are modelled, types, words,
attributes, enumerators, and the rules and faults by the diagnostics that files list; and that each race states its bytes.

  meta.py

What text cannot reach stands in UNREACHABLE with the reason; an entry that is reached, or gone from the tables, fails. The
last line is "pto-meta: N passed, M failed". Exit status: 0 all passed, 1 something failed.
"""
import re
import sys
from pathlib import Path

from directives import read

HERE = Path(__file__).resolve().parent
SPEC = HERE.parent.parent / "src" / "spec"

UNREACHABLE = {
    "operand-dtype": "a type of the text always has an element type; other elements are text-element",
    "tile-shape": "a tile type without rows or columns is text-tile-type",
    "tile-size": "a tile type past 2^63 bytes is text-tile-type",
    "tile-valid": "valid extents past the tile are text-tile-type when static, text-valid when not",
    "extent-missing": "of struct ptog_run; in text a '?' without its operand is text-extent",
    "extent-fixed": "of struct ptog_run; in text a static extent has no operand: text-extent",
    "tensor-shape": "negative sizes are text-view or text-partition; types have no negative extents",
    "mgather-coalesce": "a word or number that is no mode is text-unknown-word or text-attribute",
    "mgather-oob": "a word or number that is no policy is text-unknown-word or text-attribute",
    "mscatter-coalesce": "a word or number that is no mode is text-unknown-word or text-attribute",
    "mscatter-oob": "a word or number that is no policy is text-unknown-word or text-attribute",
    "tscatter-form": "whether there is a mask pattern decides the form",
    "tscatter-pattern": "a word or number that is no pattern is text-unknown-word or text-attribute",
    "tscatter-axis": "another word than row and col is text-attribute",
    "generate-flag": "a word or number that is no flag is text-unknown-word or text-attribute",
    "tcmp-mode": "a word or number that is no comparison is text-unknown-word or text-attribute",
    "tcvt-mode": "a word or number that is no mode is text-unknown-word or text-attribute",
    "tgather-form": "the form follows from the attributes",
    "tgather-pattern": "a word that is no pattern is text-unknown-word",
    "tgather-axis": "a string that is no axis is text-attribute",
    "transfer-view-layout": "a word that is no layout is text-unknown-word",
    "transfer-pad": "a number that is no padding is text-tile-type",
    "tgather-compare-k-shape": "k is one scalar in text",
    "run-function": "the command asks for --func before it runs; the library call reports it",
    "cube-loc": "an operation with tiles in other memories is not simulated: text-not-modelled",
    "short-buffer": "tiles of a program are whole; a buffer of global memory that ends early is gm-out-of-bounds",
}
ENUMS = ("coalesce", "oob", "axis", "cmp", "pattern", "round", "saturation", "scatter_oob", "scatter_atomic", "scatter_conflict", "loc", "layout")  # those that text has words for
ROW = r'^{}\((.*)'
RACE = re.compile(r"race-|same-pipe-hazard|gm-block-overlap")
DIAGNOSTIC = re.compile(r"^// (?:ERROR|WARNING|NOTE): ([a-z0-9-]+) @", re.MULTILINE)


# ---- what the files have ----

def read_files():
    """(the code of all files, the ids of all diagnostics they list)"""
    code, ids = [], set()
    for path in sorted(HERE.rglob("*.pto")):
        text = path.read_text(encoding="utf-8", errors="replace")
        ids |= set(DIAGNOSTIC.findall(text)) | set(re.findall(r"^// CHECK: (text-[a-z-]+)$", text, re.MULTILINE))
        code += [line.split(" //")[0] for line in text.split("\n") if not re.match(r"\s*(//|# |; )", line)]
    return "\n".join(code), ids


# ---- what the tables have ----

def rows(table, macro):
    """The string arguments and plain words of every row of a macro in a table."""
    text = (SPEC / table).read_text()
    for match in re.finditer(ROW.format(macro), text, re.MULTILINE):
        yield [word.strip().strip('"') for word in re.split(r",\s*", match[1].rstrip(")").strip())]


def word(text):
    return rf"(?<![\w.!]){re.escape(text)}(?![\w.])"


def instructions():
    """The modelled tile instructions: the first two columns of their table."""
    text = (SPEC.parent.parent / "include" / "ptog" / "spec" / "insns.def").read_text()
    return dict(re.findall(r'^INSN\((\w+), "([\w.]+)"', text, re.MULTILINE))


def op_wants():
    for _, name, _, _, modelled in rows("ops.def", "OP"):
        if modelled == "1":
            yield f"operation {name}", word(name)
    for name in instructions().values():
        yield f"operation pto.{name}", word("pto." + name)
    for _, name, *_ in rows("names.def", "OP"):
        yield f"operation {name}", re.escape(name) if name == "^" else word(name)


def op_word(name):
    """How an operation of the tables is found in the text: its dialect's name, or the bare one of PTO-AS."""
    names = {row[0]: row[1] for row in [*rows("ops.def", "OP"), *rows("names.def", "OP")]}
    return names.get(name) or "pto." + instructions()[name]


def attribute_wants():
    for name, *_ in [*rows("ops.def", "CLASS"), *rows("ops.def", "CLASS_ALIAS")]:
        yield f"attribute class {name}", rf"#pto<{name} \w+>|#pto\.{name}<\w+>"
    for key, _ in rows("ops.def", "KEY"):
        yield f"attribute key {key}", rf"\b{key} = "
    for op, key, *_ in [*rows("ops.def", "KEY_OF"), *rows("ops.def", "OUTS_WITH")]:
        yield f"attribute {key} of {op}", rf"{re.escape(op_word(op))}\b.*\b{key} = "
    for op, *_ in rows("ops.def", "ARGS"):
        yield f"arguments of {op}", rf"{re.escape(op_word(op))}(\[| <)"


def type_wants():
    for _, name, _ in rows("types.def", "TYPE_NAME"):
        yield f"type {name}", rf"(?<![\w.]){re.escape(name)}<"
    for _, key, _ in rows("types.def", "TILE_FIELD"):
        yield f"tile field {key}", rf"tile(_buf)?<[^>]*\b{key}="
    for _, _, text in rows("types.def", "TILE_WORD"):
        yield f"tile word {text}", rf"tile(_buf)?<[^>]*\b{text}\b"
    for name, in rows("types.def", "SCALAR"):
        yield f"scalar {name}", word(name)


def element_wants():
    """Each element type in its short or its MLIR name; the C++ names are not text."""
    for _, _, short, _, *others in rows("dtypes.def", "DTYPE"):
        names = [name for name in (short, *others) if name]
        yield f"element {short}", r"x(" + "|".join(map(re.escape, names)) + r")\b"


def enum_wants():
    for kind, _, text in rows("enums.def", "ENUM"):
        if kind in ENUMS:
            yield f"{kind} {text}", rf"[<. \"]{text}\b"


def rule_ids():
    for table, macro in (("rules.def", "RULE"), ("text_rules.def", "TEXT_RULE")):
        for name, *_ in rows(table, macro):
            yield name
    for table, macro in (("faults.def", "FAULT"), ("machine_faults.def", "MACHINE_FAULT"),
                         ("machine_faults.def", "SIMT_FAULT")):
        for _, name, *_ in rows(table, macro):
            if name != "bad-argument":  # a program of text has no arguments of calls
                yield name


# ---- the races ----

def race_wants():
    """(file and run, complaint or None): a run that reports a race says which bytes the fast and the slow schedule leave."""
    for path in sorted((HERE / "machine").glob("*.pto")):
        for number, run in enumerate(read(path.read_text(encoding="utf-8")).runs, 1):
            races = [diag for diag in run.diags if RACE.match(diag[1])]
            if races and "--schedule" not in run.command:
                said = sorted(run.schedules) == ["fast", "slow"]
                yield f"{path.name}, run {number}", None if said else "a race without the bytes of FAST and of SLOW"


# ---- the verdict ----

def judge(code, ids):
    """(row, complaint or None) for every row."""
    wants = [*op_wants(), *attribute_wants(), *type_wants(), *element_wants(), *enum_wants()]
    for what, pattern in wants:
        yield what, None if re.search(pattern, code) else "no file has it"
    known = list(dict.fromkeys(rule_ids()))
    for name in known:
        hit, reason = name in ids, UNREACHABLE.get(name)
        complaint = "reached, though said to be unreachable" if hit and reason else None
        yield f"rule {name}", complaint if hit or reason else "no file lists it"
    for name in sorted(set(UNREACHABLE) - set(known)):
        yield f"rule {name}", "said to be unreachable, but no table has it"
    for name in sorted(ids - set(known)):
        yield f"rule {name}", "a file lists it, but no table has it"
    yield from race_wants()


def main():
    passed = failed = 0
    for what, complaint in judge(*read_files()):
        passed += complaint is None
        failed += complaint is not None
        if complaint:
            print(f"FAILED {what}: {complaint}")
    print(f"pto-meta: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
