"""The C++ examples of the documents, as printed: they compile with both compilers and standards without a warning from
our headers, and end as the documents' meaning says (semantics.md, the seeds' examples). Those that are reported as printed stand in a
table of docs/explanation/errata.md, with the edit that makes them clean."""

import re
from pathlib import Path

from tools import COMPILERS, HERE, ROOT, at_once, ids
from checks import run

DOCUMENTS = ROOT.parent / "shared" / "seeds"

# where an example runs unless its caption names other targets
TARGETS = {"000": ("a5-custom",), "002": ("cpu", "a2a3", "a5"), "004": ("cpu", "a2a3", "a5", "a5-custom", "cpusim", "host")}
CAPTIONS = {"002_row_colidx": ("a5",), "002_launch": ("a5",)}

# example, preset, target, the errors and warnings where there are any. Whatever is an error as printed, with the tiles that nobody
# loads given, stands in the table of docs/explanation/errata.md.
OUTCOMES = [
    ("000_embedding", True, "a5-custom", ["race-raw"]),
    ("000_embedding", True, "host", []),
    ("000_embedding", True, "cpusim", []),
    ("000_sparse", False, "a5-custom", ["uninit-read"]),
    ("000_sparse", True, "a5-custom", []),
    ("000_manual", False, "a5-custom", ["uninit-read", "index-negative"]),
    ("000_manual", True, "a5-custom", []),
    ("001_base", False, "cpu", []),
    ("002_auto", True, "cpu", []),
    ("002_auto", True, "a2a3", ["mgather-row-index-shape"]),
    ("002_auto", True, "a5", ["mgather-row-index-shape"]),
    ("002_manual", True, "cpu", []),
    ("002_manual", True, "a2a3", ["mgather-row-index-shape"]),
    ("002_manual", True, "a5", ["mgather-row-index-shape"]),
    ("002_embedding", True, "host", []),
    ("002_embedding", True, "cpu", ["mgather-index-columns", "mgather-rows-match", "cpu-ignores-coalesce", "cpu-ignores-oob"]),
    ("002_embedding", True, "cpusim", []),
    ("002_embedding", True, "a2a3", []),
    ("002_embedding", True, "a5", []),
    ("002_embedding_large", False, "a2a3", ["ub-overlap"]),
    ("002_embedding_large", False, "a5", ["ub-overlap"]),
    ("002_elem_2d", True, "cpu", ["cpu-ignores-oob"]),
    ("002_elem_2d", False, "a2a3", ["uninit-read", "index-negative"]),
    ("002_elem_2d", True, "a2a3", []),
    ("002_elem_2d", False, "a5", ["uninit-read", "index-negative"]),
    ("002_elem_2d", True, "a5", []),
    ("002_row_colidx", True, "a5", []),
    ("002_scalar", True, "cpu", []),
    ("002_scalar", False, "a2a3", ["uninit-read", "gm-out-of-bounds"]),
    ("002_scalar", True, "a2a3", []),
    ("002_scalar", True, "a5", []),
    ("002_dynamic", True, "cpu", []),
    ("002_dynamic", True, "a2a3", []),
    ("002_dynamic", True, "a5", []),
    ("004_auto", False, "a2a3", ["uninit-read", "ub-outside-tile"]),
    *(("004_auto", True, target, []) for target in TARGETS["004"]),
    *(("004_manual", True, target, ["tile-overrun"]) for target in TARGETS["004"]),
]


# ---- the table of docs/explanation/errata.md ----

def reported():
    """(example, target) -> (ids, [(text, its replacement)], a target that runs it instead), of the examples that are reported as printed."""
    found = {}
    page = (ROOT / "docs/explanation/errata.md").read_text()
    for name, targets, said, edit in re.findall(r"^\| (\d{3}_\w+) \| [\d-]+ \| (.*?) \| (.*?) \| (.*) \| E\d+ \|$", page, re.M):
        edits, instead = re.findall(r"`([^`]+)` -> `([^`]+)`", edit), re.search(r"--target ([\w-]+)", edit)
        where = TARGETS[name[:3]] if targets == "every target" else targets.split(", ")
        found.update({(name, target): (re.findall(r"`([^`]+)`", said), edits, instead and instead[1]) for target in where})
    return found


def check_table(checks, table):
    """Each example is clean on each of its targets, or in the table with just these errors."""
    clean = lambda ids: [i for i in ids if not i.startswith("cpu-ignores")]  # noqa: E731
    seen = {(name, target): clean(expected) for name, given, target, expected in OUTCOMES if given}
    for path in sorted((HERE / "seeds").glob("*.inc")):
        for target in CAPTIONS.get(path.stem, TARGETS[path.stem[:3]]):
            if path.stem == "002_launch":
                continue
            wanted = table.get((path.stem, target), ([],))[0]
            found = seen.get((path.stem, target), "no run")
            checks.check(f"{path.stem} on {target}: clean, or in the table of docs/explanation/errata.md", [] if found == wanted else
                         f"the table says {wanted}, the test {found}")


def printed(name):
    return (HERE / "seeds" / f"{name}.inc").read_text()


def text_of(name):
    """An example as printed, and what the test supplies."""
    return printed(name).replace("= /* ... */;", "= halves;")


def make_source(work, skeleton, name, edits):
    """The skeleton with the examples in it; `edits`: name -> [(text, its replacement)]."""
    def example(found):
        text = text_of(found[1])
        for old, new in edits.get(found[1], ()):
            text = text.replace(old, new)
        return f'#line 1 "{found[1]}.inc"\n{text}'

    source = work / f"{name}.cpp"
    source.write_text(re.sub(r"^@(\w+)@$", example, (HERE / skeleton).read_text(), flags=re.M))
    return source


def check_copies(checks):
    """Where the documents are at hand: the copies are what they print, but for spaces at the end of lines."""
    if not DOCUMENTS.is_dir():
        return
    bare = lambda text: re.sub(r" +$", "", text, flags=re.M)  # noqa: E731
    documents = {path.name[:3]: bare(path.read_text()) for path in DOCUMENTS.iterdir()}
    for path in sorted((HERE / "seeds").glob("*.inc")):
        checks.check(f"{path.name} is what the document prints",
                     [] if path.read_text() in documents[path.name[:3]] else "it is not")


def check_outcome(checks, cxx, program, outcome):
    name, preset, target, expected = outcome
    words = [name, "preset"] if preset else [name]
    status, found, text = cxx.report(program, *words, PTOG_TARGET=target)
    errors = ids(found, "error")
    problems = [] if ids(found) == expected else [f"expected {expected}, found {ids(found)}\n{text}"]
    if status != (1 if errors else 0):
        problems.append(f"exit status {status}\n{text}")
    if "mgather-row-index-shape" in expected and not any("Coalesce::Elem" in str(d) or "elem" in str(d["fix"]) for d in found):
        problems.append(f"the fix does not name Elem: {found}")
    checks.check(f"{program.name} {' '.join(words)} on {target}", problems)


def check_edits(checks, cxx, table):
    """The edits of the table: each changes its example, which then runs clean, with the right bytes."""
    edits = {name: edit for (name, _), (_, edit, _) in table.items() if edit}
    for name, edit in edits.items():
        checks.check(f"{name}: what the table replaces is there", [f"not once: {old}" for old, _ in edit if printed(name).count(old) != 1])
    program, said = cxx.compile(make_source(cxx.work, "seeds_main.cpp.in", "edited", edits), "seeds-edited", defines=["EDITED"])
    checks.check("the edited examples compile", [] if program else [said])
    for (name, target), (_, edit, instead) in table.items() if program else ():
        if (HERE / "seeds" / f"{name}.inc").exists() and (edit or instead):
            check_outcome(checks, cxx, program, (name, True, instead or target, []))


def check_launch(checks, cxx):
    """The launch that asks for dynamic UB, with the runtime's second argument and without."""
    default = {"002_launch": [("kDynUbBytes, ", "nullptr, "), ("constexpr", "[[maybe_unused]] constexpr")]}
    for name, edits, expected in (("launch", {}, []), ("launch-default", default, ["ub-budget"])):
        source = make_source(cxx.work, "seeds_launch.cpp.in", name, edits)
        built = run([cxx.build / "ptog-cxx", "--target=a5", "-std=c++17", "-Wall", "-Wextra", source, "-o", cxx.work / name], cwd=ROOT)
        if checks.check(f"{name} compiles", [built.stderr] if built.returncode or built.stderr else []):
            status, found, text = cxx.report(cxx.work / name)
            right = ids(found, "error") == expected and status == (1 if expected else 0)
            checks.check(f"{name}: {expected or 'clean'}", [] if right else [f"{status} {ids(found)}\n{text}"])


def check(checks, cxx):
    check_copies(checks)
    table = reported()
    check_table(checks, table)
    check_edits(checks, cxx, table)
    check_launch(checks, cxx)
    source = make_source(cxx.work, "seeds_main.cpp.in", "seeds", {})
    names = [f"seeds-{compiler}-{standard}" for compiler, standard in COMPILERS]
    compiled = at_once(lambda item: cxx.compile(source, item[0], *item[1]), list(zip(names, COMPILERS)))
    for name, (program, said) in zip(names, compiled):
        ours = [line for line in said.split("\n") if "include/pto/" in line]
        checks.check(f"{name} compiles, clean from our headers", [said] if not program or ours else [])
        if program:
            for outcome in OUTCOMES:
                check_outcome(checks, cxx, program, outcome)
