"""Makes the web site of the documents: `make docs-site`.

usage: stage.py --build DIR --out DIR     a build of this project; the site is DIR/html/index.html

The Markdown of docs/ is copied, with the generated pages beside it: one for every rule (from the build), for every header of C (Doxygen
and Breathe), for the Python package (autodoc) and for every schema. Links to files of the project that are no documents
become links to copies of them, so that the site is whole without the project and without a network. The order of the navigation is that
of docs/README.md.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS, ROOT = HERE.parent, HERE.parent.parent
LINK = re.compile(r"(?<=\]\()([^)#\s]+)((?:#[^)]*)?\))")
LANGUAGES = {".c": "c", ".h": "c", ".def": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".pto": "mlir", ".json": "json", ".md": "markdown"}
PROJECT = {"README.md": "project/readme.md", "examples/kernels/README.md": "project/example-kernels.md", "CHANGELOG.md": "project/changelog.md",
           "CONTRIBUTING.md": "project/contributing.md", "SECURITY.md": "project/security.md"}
PROJECT_TITLES = ("Readme", "Example kernels", "Changelog", "Contributing", "Security")
MAX_BYTES = 400_000  # of a file that is shown


class Stage:
    """The folder that Sphinx reads; `files` are those of the project that pages link to."""

    def __init__(self, place):
        self.place, self.files = place, set()

    def link(self, page, name, link):
        """Where a link of the page that was `name` in the project leads to from `page`, a path of the site."""
        target = os.path.normpath(os.path.join(os.path.dirname(name), link))
        if "://" in link or target.startswith(".."):
            return link
        if target in PROJECT:
            new = PROJECT[target]
        elif target == "docs/README.md":
            new = "index.md"
        elif target.startswith("docs/man/"):
            new = "reference/command.md"
        elif target.startswith("docs/") and not target.endswith((".json", ".py")):
            new = target[5:]
        elif (ROOT / target).exists():
            self.files.add(target)
            new = f"files/{target.replace('/', '-')}.md"
        else:
            return link
        return os.path.relpath(new, os.path.dirname(page) or ".")

    def write(self, page, text):
        path = self.place / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, page, name):
        """A Markdown file of the project as a page."""
        parts = re.split(r"(^```.*?^```$)", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for number in range(0, len(parts), 2):  # not in code
            parts[number] = LINK.sub(lambda match: self.link(page, name, match[1]) + match[2], parts[number])
        self.write(page, "".join(parts))

    def show_files(self):
        """A page for each file, or folder, that a page links to."""
        for name in sorted(self.files):
            path, page = ROOT / name, f"files/{name.replace('/', '-')}.md"
            if path.is_dir():
                names = sorted(item.name + "/" * item.is_dir() for item in path.iterdir() if not item.name.startswith((".", "__")))
                body = "\n".join(f"- `{item}`" for item in names)
            elif path.stat().st_size > MAX_BYTES or path.suffix in (".npy", ".safetensors", ".ipynb", ".png"):
                body = f"This file is in the source tree: `{name}`."
            else:
                body = f"``````{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8')}``````"
            self.write(page, f"---\norphan: true\n---\n# {name}\n\n{body}\n")


def toctree(caption, pages, depth=1):
    lines = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n:maxdepth: {depth}\n\n{lines}\n```\n"


def navigation(stage):
    """index.md: docs/README.md, and behind it the navigation that its lists are."""
    stage.copy("index.md", "docs/README.md")
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    trees = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        links = re.findall(r"^- \[([^\]]*)\]\(([a-z][^)]*)\.md\)", part, re.MULTILINE)
        pages = [f"{title} <{link}>" for title, link in links]
        if part.startswith("Reference"):
            pages += ["reference/c/index", "reference/python-api", "reference/schemas"]
        trees.append(toctree(part.split("\n")[0], pages))
    trees.append(toctree("Project", [f"{title} <project/{title.lower().replace(' ', '-')}>" for title in PROJECT_TITLES]))
    stage.write("index.md", (stage.place / "index.md").read_text() + "\n" + "\n".join(trees))


def header_pages(stage):
    headers = sorted(path.name for path in (ROOT / "include" / "ptog").glob("*.h"))
    for name in headers:
        stage.write(f"reference/c/{name[:-2]}.rst", f"ptog/{name}\n{'=' * (len(name) + 5)}\n\n.. doxygenfile:: ptog/{name}\n")
    lines = "\n".join(name[:-2] for name in headers)
    stage.write("reference/c/index.md", "# C interface\n\nOne page for each public header. `#include <ptog/ptog.h>` includes them all, "
                "except those of MPI, which\n`#include <ptog/mpi.h>` includes. [Call the library from C](../../how-to/c.md) has an example.\n\n"
                f"```{{toctree}}\n:maxdepth: 1\n\n{lines}\n```\n")


def schema_rows(schema, prefix=""):
    """The members of an object, as rows of a table: name, type, meaning."""
    for name, member in schema.get("properties", {}).items():
        kind = member.get("type", member.get("$ref", "").rpartition("/")[2] or ("constant" if "const" in member else "word" if "enum" in member else "one of several"))
        kind = " or ".join(kind) if isinstance(kind, list) else kind
        items = member.get("items", {}) if isinstance(member.get("items"), dict) else {}
        of = items.get("type", items.get("$ref", "").rpartition("/")[2])
        said = member.get("description", "") or ", ".join(f"`{json.dumps(word)}`" for word in member.get("enum", [member.get("const")]) if word is not None)
        yield f"| `{prefix}{name}` | {kind}{f' of {of}' if of and isinstance(of, str) else ''} | {said.replace('|', chr(92) + '|')} |"
        yield from schema_rows(member, f"{prefix}{name}.")
        yield from schema_rows(items, f"{prefix}{name}[].")


def schema_pages(stage):
    text = "# JSON schemas\n\nThe members of what `--format json` prints. [JSON output](json.md) has an example.\n"
    for path in sorted((DOCS / "reference" / "schema").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        text += f"\n## {path.name}\n\n{schema['title']}. {schema.get('description', '')}\n"
        for name, part in [("", schema), *schema.get("definitions", {}).items()]:
            rows = list(schema_rows(part))
            if rows:
                text += (f"\n### {path.stem}: {name}\n" if name else "") + "\n| member | type | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    stage.write("reference/schemas.md", text)


def rule_pages(stage, build):
    made = build / "docs" / "reference" / "rules"
    if not (made / "index.md").exists():
        sys.exit(f"{made} has no pages: build first")
    shutil.copytree(made, stage.place / "reference" / "rules")
    for page in (stage.place / "reference" / "rules").glob("*.md"):
        if page.stem != "index":  # the list has them all: in the navigation of every page they would be too many
            page.write_text("---\norphan: true\n---\n" + page.read_text())
    rules = stage.place / "reference" / "rules.md"
    rules.write_text(rules.read_text() + "\n[All rules and faults](rules/index.md)\n\n```{toctree}\n:hidden:\n:maxdepth: 1\n\nrules/index\n```\n")


def python_package(stage, build, out):
    """The package as it is installed, so that its docstrings can be read, and a page for it."""
    shutil.rmtree(out / "python", ignore_errors=True)
    package = out / "python" / "ptogather"
    shutil.copytree(ROOT / "python" / "ptogather", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "native").mkdir()
    shutil.copy(build / "libptog.so", package / "native")
    subprocess.run([sys.executable, ROOT / "python" / "binding.py", "--include", ROOT / "include", "--output", package / "_api.py"], check=True)
    stage.write("reference/python-api.rst", "Python interface\n================\n\n.. automodule:: ptogather\n   :members:\n   :imported-members:\n"
                "   :undoc-members:\n")


def doxygen(out):
    settings = (HERE / "Doxyfile").read_text() + f"INPUT = {ROOT / 'include' / 'ptog'}\nOUTPUT_DIRECTORY = {out / 'doxygen'}\n" + \
        f"INPUT_FILTER = \"{sys.executable} {HERE / 'header_filter.py'}\"\nSTRIP_FROM_PATH = {ROOT / 'include'}\n"
    (out / "doxygen").mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)


def finish(static):
    """Debian's package of the theme needs a bundler, a web server and newer Sass: its script becomes one file, its style needs no other, and
    dark colours also follow the system's setting."""
    script, style = static / "scripts" / "furo.js", static / "styles" / "furo.css"
    watch = (static / "scripts" / "gumshoe-patched.js").read_text() if (static / "scripts" / "gumshoe-patched.js").exists() else ""
    script.write_text(re.sub(r"^import Gumshoe from [^\n]*\n", lambda _: watch, script.read_text()))
    text = re.sub(r"^@import url\(/[^\n]*\n", "", style.read_text())
    dark = re.search(r'body\[data-theme="dark"\] \{(.*?)\}', text, re.DOTALL)
    if dark and "prefers-color-scheme" not in text:
        text += f"\n@media (prefers-color-scheme: dark) {{ body:not([data-theme=\"light\"]) {{{dark[1]}}} }}\n"
    style.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    out = options.out.resolve()
    shutil.rmtree(out / "source", ignore_errors=True)
    stage = Stage(out / "source")
    for path in sorted(DOCS.glob("*/*.md")):
        stage.copy(str(path.relative_to(DOCS)), str(path.relative_to(ROOT)))
    shutil.copytree(DOCS / "img", stage.place / "img")
    for name, page in PROJECT.items():
        stage.copy(page, name)
    rule_pages(stage, options.build.resolve())
    header_pages(stage)
    schema_pages(stage)
    navigation(stage)
    stage.show_files()
    shutil.copy(HERE / "conf.py", stage.place)
    (stage.place / "static").mkdir()
    shutil.copy(HERE / "site.css", stage.place / "static")
    doxygen(out)
    python_package(stage, options.build.resolve(), out)
    version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]
    env = {**os.environ, "PTOG_VERSION": version, "PTOG_DOXYGEN": str(out / "doxygen" / "xml"), "PTOG_PYTHON": str(out / "python")}
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", stage.place, out / "html"], env=env, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    finish(out / "html" / "_static")


if __name__ == "__main__":
    main()
