"""The documents say what the program does: generated pictures, man pages, the version, README.md's first screen, links.

usage: docs.py --build DIR [--update]     --update writes docs/img/draw-*.svg and examples/demo.expected anew instead of comparing

Commands and transcripts of the documents are typed by tests/readme.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

README, DOCS, MAN = ROOT / "README.md", ROOT / "docs", ROOT / "docs" / "man" / "ptog.1"
CXX_MAN = MAN.with_name("ptog-cxx.1")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")
RULES = DOCS / "reference" / "rules"  # made by the build

# What README.md must explain where it is first used: the word, and the words of the explanation.
TERMS = {
    "NPU": "NPUs (neural processing units, Huawei's accelerators for AI models)",
    "PTO": "PTO (Parallel Tile Operation), the instruction set",
    "GM": "global memory (GM, the large memory outside the chip)",
    "UB": "unified buffer (UB, the memory on the chip that holds tiles)",
    "target": "A *target* says which chip's rules apply",
}


class Programs:
    """What the built programs print."""

    def __init__(self, build):
        self.build = build

    def ptog(self, *arguments):
        done = run([self.build / "ptog", *arguments])
        return done.stdout + done.stderr

    def demo(self):
        return run([self.build / "examples" / "demo"]).stdout

    def rule_pages(self):
        """The pages of all rules, as the build has made them, one after the other."""
        pages = sorted((self.build / "docs" / "reference" / "rules").glob("*.md"))
        return "".join(page.read_text() for page in pages)


def command_words(programs):
    """Every subcommand and option that `ptog help` and `ptog help CMD` name."""
    text = programs.ptog("help")
    commands = re.findall(r"^  ptog ([a-z]+)", text, re.MULTILINE)
    text += "".join(programs.ptog("help", command) for command in commands)
    return commands, sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)))


def man_problems(programs):
    page = MAN.read_text().replace("\\-", "-")
    commands, options = command_words(programs)
    missing = [f"the man page has no heading for 'ptog {name}'" for name in commands
               if not re.search(rf"^\.B(R|I)? .*ptog {name}\b", page, re.MULTILINE)]
    missing += [f"the man page does not mention {name}" for name in options if name not in page]
    return missing if commands else ["ptog help lists no command"]


def cxx_problems(programs):
    page = CXX_MAN.read_text().replace("\\-", "-")
    options = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", run([programs.build / "ptog-cxx", "--help"]).stdout)))
    return [f"the man page does not mention {name}" for name in options if name not in page] if options else ["no --help"]


def anchors(text):
    """The anchors of a page's headings, as web sites make them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in plain}


def link_problems():
    """Links between the project's own documents lead somewhere, and their anchors to a heading."""
    found = []
    for page in [README, *sorted(ROOT.glob("[CS]*.md")), *sorted(DOCS.rglob("*.md")), ROOT / "examples/kernels/README.md"]:
        text = FENCE.sub("", page.read_text())
        for link, anchor in LINK.findall(text):
            target = (page.parent / link).resolve() if link else page
            if "://" in link or RULES in target.parents:
                continue
            if not target.exists():
                found.append(f"{page.relative_to(ROOT)}: {link} does not exist")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text()):
                found.append(f"{page.relative_to(ROOT)}: {link}#{anchor} is no heading")
    return found


def readme_problems():
    """README.md is short, and explains five words where it first uses them."""
    text = README.read_text()
    found = [] if text.count("\n") <= 150 else [f"README.md has {text.count(chr(10))} lines, and 150 are the most"]
    text = " ".join(text.split())
    for word, said in TERMS.items():
        first = re.search(rf"\b{word}s?\b", text).start()
        at = text.find(said)
        if not at <= first < at + len(said):
            found.append(f"README.md uses {word} before it says '{said}': {text[max(0, first - 40):first + 40]!r}")
    return found


def parts_problems():
    """Every document is of one of four kinds, and is listed in docs/README.md."""
    index = (DOCS / "README.md").read_text()
    pages = [path.relative_to(DOCS) for path in DOCS.rglob("*.md") if "site" not in path.relative_to(DOCS).parts]
    kinds = {"tutorials", "how-to", "reference", "explanation"}
    found = [f"docs/{page} is in none of the four parts" for page in pages if page.parts[0] not in kinds and str(page) != "README.md"]
    return found + [f"docs/README.md does not list {page}" for page in pages if page.parts[0] in kinds and f"({page})" not in index]


def transcript_problems():
    """What a command prints stands in a block that tests/readme compares: no other one has a message in it."""
    message = re.compile(r"^\S+:\d+(:\d+)?: (error|warning|note): |^(error|warning|note): |^ += (fix|witness|see): ", re.MULTILINE)
    return [f"{page.relative_to(ROOT)}: a message in a block that is not compared: {message.search(body)[0]}"
            for page in [README, *sorted(DOCS.rglob("*.md"))] for tag, body in FENCE.findall(page.read_text())
            if tag != "console" and not tag.startswith(("text examples/", "python")) and message.search(body)]


def errata_problems():
    """The errata that ptog compare names are those of docs/explanation/errata.md, and the rules that they explain exist."""
    page = (ROOT / "docs/explanation/errata.md").read_text()
    rules = "".join((ROOT / "src" / "spec" / name).read_text() for name in ("rules.def", "text_rules.def"))
    found = []
    for name, text in re.findall(r'^ERRATUM\("(\w+)", ".*", "(.*)"\)$', (ROOT / "src/spec/errata.def").read_text(), re.MULTILINE):
        if f"| {name} |" not in page:
            found.append(f"{name} is not in docs/explanation/errata.md")
        found += [f"{name}: no rule is called {rule}" for rule in text.split() if f'"{rule}"' not in rules]
    shown = re.findall(r"E\d+", page.split("These show in bytes")[1].split("The others")[0])
    golden = (ROOT / "tests" / "cli" / "compare.test").read_text()
    return found + [f"{name} shows in bytes, and no comparison in tests/cli/compare.test finds it" for name in shown
                    if not re.search(rf"^  \S+ +differs .*\b{name}\b", golden, re.MULTILINE)]


def document_problems(programs):
    """Documents have names: docs/explanation/errata.md explains each, and no page of ours makes readers know a number."""
    rows = re.findall(r'^DOCUMENT\("(\d+)", "(.*)"\)$', (ROOT / "src/spec/documents.def").read_text(), re.MULTILINE)
    errata = (ROOT / "docs/explanation/errata.md").read_text()
    found = [f"docs/explanation/errata.md does not list {number}, {name}" for number, name in rows if f"| **{number}** | {name} |" not in errata]
    numbers = "|".join(number for number, _ in rows)
    return found + [f"a number stands for a document: {line}" for line in programs.rule_pages().splitlines()
                    if re.match(rf"- source: .*\b({numbers}) ", line)]


def statement_problems(programs):
    """A line of an example in C is a whole statement: every bracket in it is closed."""
    lines = [line for tag, body in FENCE.findall(programs.rule_pages()) if tag == "c" for line in body.splitlines()]
    return [f"not a whole statement: {line}" for line in lines
            if any(line.count(a) != line.count(b) for a, b in ("()", "[]", "{}"))] if lines else ["no example in C"]


def drawings(programs):
    """The pictures of docs/img that are made from src/spec/drawings.def, by path: each of them as it would be now."""
    ids = re.findall(r'^DRAWING\("([a-z-]+)"', (ROOT / "src/spec/drawings.def").read_text(), re.MULTILINE)
    return {ROOT / "docs" / "img" / f"draw-{name}.svg": programs.ptog("draw", "--example", name) for name in ids}


def drawing_problems(programs):
    """Each of them is there, is as it would be now, and is shown in docs/reference/semantics.md; no other one is there."""
    now, page = drawings(programs), (ROOT / "docs/reference/semantics.md").read_text()
    found = [f"{path.name} is not what 'make docs' writes" for path, text in now.items()
             if not path.exists() or path.read_text() != text]
    found += [f"docs/reference/semantics.md does not show {path.name}" for path in now if f"(../img/{path.name})" not in page]
    return found + [f"{path.name} is of no example" for path in (ROOT / "docs" / "img").glob("draw-*.svg") if path not in now]


def viewer_problems():
    """Readers of traces are sent to viewers that exist: browsers have no page of their own for them any more."""
    pages = {path: path.read_text() for path in (README, *sorted((ROOT / "docs").rglob("*.md")), MAN)}
    found = [f"{path.relative_to(ROOT)} names a page that is gone" for path, text in pages.items() if "chrome:" + "//" in text]
    return found + [f"docs/how-to/trace.md does not name {name}" for name in ("https://ui.perfetto.dev", "https://www.speedscope.app")
                    if name not in pages[ROOT / "docs/how-to/trace.md"]]


def update(programs):
    now = drawings(programs)
    for path in set((ROOT / "docs" / "img").glob("draw-*.svg")) - set(now):
        path.unlink()
    for path, text in now.items():
        path.write_text(text)
    (ROOT / "examples" / "demo.expected").write_text(programs.demo())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    programs = Programs(arguments.build.resolve())
    if arguments.update:
        update(programs)
        return
    checks = Checks("docs")
    checks.check("README.md", readme_problems())
    checks.check("four parts", parts_problems())
    checks.check("transcripts are compared", transcript_problems())
    checks.check("the man page is complete", man_problems(programs))
    checks.check("the man page of ptog-cxx is complete", cxx_problems(programs))
    for page in (MAN, CXX_MAN):
        warnings = run(["groff", "-man", "-ww", "-z", "-Tutf8", page])
        checks.check(f"{page.name} has no warnings", [warnings.stderr] if warnings.stderr or warnings.returncode else [])
    version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]
    changes = (ROOT / "CHANGELOG.md").read_text()
    checks.check("CHANGELOG.md has the version", [] if f"## {version}" in changes else f"no heading '## {version}'")
    for page in (MAN, CXX_MAN):
        checks.check(f"{page.name} has the version", [] if f'"ptogather {version}"' in page.read_text() else version)
    checks.check("links lead somewhere", link_problems())
    checks.check("errata", errata_problems())
    checks.check("drawings", drawing_problems(programs))
    picture = run([sys.executable, DOCS / "site" / "pictures.py", "--ptog", programs.build / "ptog", "--check"])
    checks.check("pictures of a browser", [picture.stderr] if picture.returncode else [])
    checks.check("documents are named", document_problems(programs))
    checks.check("examples in C are whole statements", statement_problems(programs))
    checks.check("viewers of traces", viewer_problems())
    checks.finish()


main()
