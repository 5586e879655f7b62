"""The web site of the documents: it builds, its links resolve, it needs no network, and its search finds rules.

usage: run.py --build DIR --out DIR     a build of this project; a folder for the site, which is kept

Where Sphinx, MyST, Furo, Breathe or Doxygen are missing, nothing is tested: `cmake/setup.sh docs` installs them.
"""

import argparse
import html.parser
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

MODULES = ("sphinx", "myst_parser", "furo", "breathe", "cffi", "numpy")
RESOURCES = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}


class Page(html.parser.HTMLParser):
    """The links, anchors and resources of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.resources = [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if values.get(RESOURCES.get(tag)) and values.get("rel") not in ("index", "search", "next", "prev", "canonical"):
            self.resources.append(values[RESOURCES[tag]])


def dead_links(site):
    """Links between pages, and to their anchors, that lead nowhere; and resources that come from elsewhere."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    dead, foreign = [], []
    for path, page in pages.items():
        foreign += [f"{path.relative_to(site)}: {name}" for name in page.resources if "://" in name or name.startswith(("//", "/"))]
        for link in page.links + page.resources:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists():
                dead.append(f"{path.relative_to(site)}: {link}")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                dead.append(f"{path.relative_to(site)}: {link}: no such anchor")
    return sorted(set(dead)), foreign, len(pages)


def search_problems(site):
    """The index that the search reads has the page of race-raw by its title, and pages that speak of it."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1:text.rindex(")")])
    found = [] if "reference/rules/race-raw" in index["docnames"] else ["no page race-raw"]
    number = index["docnames"].index("reference/rules/race-raw") if not found else -1
    titled = [entry[0] for title, entries in index["alltitles"].items() if title == "race-raw" for entry in entries]
    return found + ([] if number in titled else ["no title race-raw"]) + ([] if {"race", "raw"} <= set(index["terms"]) else ["no words"])


def browser_problems(site):
    """What a reader sees who searches, where there is a browser."""
    browser = shutil.which("chromium")
    if not browser:
        return []
    done = run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
                f"{(site / 'search.html').as_uri()}?q=race-raw"])
    links = re.findall(r'<li[^>]*><a href="([^"#]*)', done.stdout)
    return [] if links[:1] == ["reference/rules/race-raw.html"] else [f"the first of {links[:5]} is not its page"]


def style_problems(site):
    """Colours for the dark, by the system's setting and by the button; nothing that a bundler or a server would have to bring."""
    style = (site / "_static" / "styles" / "furo.css").read_text()
    script = (site / "_static" / "scripts" / "furo.js").read_text()
    return [name for name, good in (
        ("dark colours by the system's setting", "prefers-color-scheme: dark" in style), ("dark colours by the button", 'body[data-theme="dark"]' in style),
        ("no other style sheet", "@import" not in style), ("a script in one file", not script.startswith("import"))) if not good]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    checks = Checks("docs site")
    if not shutil.which("doxygen") or not all(importlib.util.find_spec(name) for name in MODULES):
        print("docs site: skipped: Sphinx, MyST, Furo, Breathe or Doxygen are missing; 'cmake/setup.sh docs' installs them")
        checks.finish()
    made = subprocess.run([sys.executable, ROOT / "docs" / "site" / "stage.py", "--build", options.build, "--out", options.out], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = [line for line in made.stdout.splitlines() if "WARNING" in line or "ERROR" in line]
    checks.check("it builds without a warning", said + ([made.stdout[-2000:]] if made.returncode else []))
    site = options.out.resolve() / "html"
    if not (site / "index.html").exists():
        checks.finish()
    dead, foreign, count = dead_links(site)
    checks.check("links resolve", dead[:40] if count > 300 else f"only {count} pages")
    checks.check("nothing comes from elsewhere", foreign[:10])
    rules = {path.stem for path in (options.build / "docs" / "reference" / "rules").glob("*.md")}
    missing = [name for name in sorted(rules) if not (site / "reference" / "rules" / f"{name}.html").exists()]
    checks.check("every rule has its page", missing if len(rules) > 200 else f"only {len(rules)}")
    names = (site / "reference" / "c" / "plan.html").read_text(), (site / "reference" / "python-api.html").read_text()
    checks.check("C and Python have their references", [] if "ptog_plan_run" in names[0] and "ptogather.take" in names[1] else "no")
    checks.check("search", search_problems(site))
    checks.check("search in a browser", browser_problems(site))
    checks.check("style", style_problems(site))
    checks.finish()


main()
