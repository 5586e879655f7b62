"""The documents say what the program does: generated pages and drawings, the screens in README.md, the man page, the version.

usage: docs.py --build DIR [--update]     --update writes docs/rules.md, docs/img/draw-*.svg and the screens anew instead of comparing

README.md's fenced blocks are checked by their tag: `text make demo` is what examples/demo prints, `text examples/NAME` is
examples/NAME.expected, which the example itself is compared with; `console` is a command
and its output, `$ ptog ...`; `c tour.c` is a program, compiled and run, and `text tour.c` is what it prints.
"""

import argparse
import difflib
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

README, RULES, MAN = ROOT / "README.md", ROOT / "docs" / "rules.md", ROOT / "docs" / "man" / "ptog.1"
CXX_MAN = MAN.with_name("ptog-cxx.1")
FENCE = re.compile(r"^```([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Programs:
    """What the built programs print."""

    def __init__(self, build):
        self.build = build

    def ptog(self, *arguments):
        done = run([self.build / "ptog", *arguments])
        return done.stdout + done.stderr

    def demo(self):
        return run([self.build / "examples" / "demo"]).stdout

    def private(self):
        """What the static library needs besides itself."""
        return re.search(r"^Libs.private:(.*)$", (self.build / "ptogather.pc").read_text(), re.MULTILINE)[1].split()

    def compiled(self, source):
        with tempfile.TemporaryDirectory() as place:
            path, program = Path(place) / "tour.c", Path(place) / "tour"
            path.write_text(source)
            done = run(["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Iinclude", path,
                        self.build / "libptog.a", *self.private(), "-o", program])
            return done.stderr if done.returncode else run([program]).stdout


def screens(text, programs):
    """README.md with every checked block as it would be now."""
    sources = {tag: body for tag, body in FENCE.findall(text)}

    def now(match):
        tag, body = match[1], match[2]
        if tag == "text make demo":
            body = programs.demo()
        elif tag.startswith("text examples/"):
            body = (ROOT / f"{tag[5:]}.expected").read_text()
        elif tag.startswith("text ") and f"c {tag[5:]}" in sources:
            body = programs.compiled(sources[f"c {tag[5:]}"])
        elif tag == "console":
            command = body.split("\n")[0]
            body = f"{command}\n{programs.ptog(*command.split()[2:])}"
        return f"```{tag}\n{body}```"

    return FENCE.sub(now, text)


def difference(name, written, now):
    lines = difflib.unified_diff(written.splitlines(), now.splitlines(), name, "now ('make docs' writes it)", lineterm="")
    return ["\n".join(lines)] if written != now else []


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


def link_problems():
    """Links between the project's own documents lead somewhere."""
    found = []
    for page in [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = page.read_text() if page.exists() else ""
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in link and not (page.parent / link).exists():
                found.append(f"{page.relative_to(ROOT)}: {link} does not exist")
    return found


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
    return found + [f"a number stands for a document: {line}" for line in programs.ptog("explain", "--markdown").splitlines()
                    if re.match(rf"- where: .*\b({numbers}) ", line)]


def statement_problems(programs):
    """A line of an example in C is a whole statement: every bracket in it is closed."""
    lines = [line for tag, body in FENCE.findall(programs.ptog("explain", "--markdown")) if tag == "c" for line in body.splitlines()]
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
    RULES.write_text(programs.ptog("explain", "--markdown"))
    README.write_text(screens(README.read_text(), programs))
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
    readme = README.read_text()
    checks.check("docs/rules.md", difference("docs/rules.md", RULES.read_text() if RULES.exists() else "",
                                             programs.ptog("explain", "--markdown")))
    tags = [tag for tag, _ in FENCE.findall(readme)]
    wanted = {"text make demo", "console", "c tour.c", "text tour.c"}
    checks.check("README.md has its screens", [f"no block tagged '{tag}'" for tag in sorted(wanted - set(tags))])
    checks.check("README.md's screens", difference("README.md", readme, screens(readme, programs)))
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
    checks.check("documents are named", document_problems(programs))
    checks.check("examples in C are whole statements", statement_problems(programs))
    checks.check("viewers of traces", viewer_problems())
    checks.finish()


main()
