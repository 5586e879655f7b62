"""The C++ examples of the documents, as printed: they compile with both compilers and standards without a warning from
our headers, and end as the documents' meaning says (semantics.md, the seeds' examples)."""

import re
from pathlib import Path

from tools import COMPILERS, HERE, ROOT, at_once, ids

DOCUMENTS = ROOT.parent / "shared" / "seeds"

# example, preset, target, the errors and warnings
OUTCOMES = [
    ("000_embedding", False, "a5-custom", ["race-raw"]),
    ("000_embedding", False, "host", []),
    ("000_embedding", False, "cpusim", []),
    ("000_flagged", False, "a5-custom", []),
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
    ("002_embedding", False, "host", []),
    ("002_embedding", False, "a2a3", []),
    ("002_embedding", False, "a5", []),
    ("002_embedding_large", False, "a2a3", ["ub-overlap"]),
    ("002_embedding_large", False, "a5", ["ub-overlap"]),
    ("002_elem_2d", False, "a2a3", ["uninit-read", "index-negative"]),
    ("002_elem_2d", True, "a2a3", []),
    ("002_elem_2d", False, "a5", ["uninit-read", "index-negative"]),
    ("002_elem_2d", True, "a5", []),
    ("002_row_colidx", False, "a5", []),
    ("002_scalar", False, "a2a3", ["uninit-read", "gm-out-of-bounds"]),
    ("002_scalar", True, "a2a3", []),
    ("002_scalar", True, "a5", []),
    ("002_dynamic", True, "a2a3", []),
    ("002_dynamic", True, "a5", []),
    ("004_auto", False, "a2a3", ["uninit-read", "ub-outside-tile"]),
    ("004_auto", True, "a2a3", []),
    ("004_auto", True, "a5", []),
    ("004_auto", True, "cpu", []),
    ("004_manual", False, "a2a3", ["tile-overrun"]),
    ("004_manual", False, "a5", ["tile-overrun"]),
]


def printed(name):
    return (HERE / "seeds" / f"{name}.inc").read_text()


def text_of(name):
    """An example as printed, and what the test supplies."""
    if name == "000_flagged":
        flags = "".join(f"    {call}(PIPE_MTE2, PIPE_V, EVENT_ID0);\n" for call in ("set_flag", "wait_flag"))
        return printed("000_embedding").replace("    // Perform", flags + "    // Perform")
    return printed(name).replace("= /* ... */;", "= halves;")


def make_source(work):
    source = work / "seeds.cpp"
    skeleton = (HERE / "seeds_main.cpp.in").read_text()
    source.write_text(re.sub(r"^@(\w+)@$", lambda found: f'#line 1 "{found[1]}.inc"\n{text_of(found[1])}', skeleton, flags=re.M))
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


def check(checks, cxx):
    check_copies(checks)
    source = make_source(cxx.work)
    names = [f"seeds-{compiler}-{standard}" for compiler, standard in COMPILERS]
    compiled = at_once(lambda item: cxx.compile(source, item[0], *item[1]), list(zip(names, COMPILERS)))
    for name, (program, said) in zip(names, compiled):
        ours = [line for line in said.split("\n") if "include/pto/" in line]
        checks.check(f"{name} compiles, clean from our headers", [said] if not program or ours else [])
        if program:
            for outcome in OUTCOMES:
                check_outcome(checks, cxx, program, outcome)
