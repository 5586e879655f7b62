"""Types the commands of README.md and of every document, as they stand there, in a fresh copy of the project.

usage: run.py --build DIR [--update] [WORD...]     only README.md, and pages whose name contains a word

DIR is a build of this project, which stands in for the copy's own. Every command must succeed, and every transcript must be what the
command prints; --update writes the transcripts anew. `make install` is given a DESTDIR, and what it puts there is found as if it were
installed. page.py explains how blocks are distinguished.
"""

import argparse
import difflib
import filecmp
import os
import shutil
import sys
import tempfile
from pathlib import Path

import page
from checks import ROOT, Checks, run

MADE = ("d.npy", "vectors.npy", "fixed.pto", "embed.svg", "ptog.xml", "ptog.sarif", "report.html")


def fresh_copy(place, build):
    """What a clone would have: the files that git knows, or all of them where there is no git; and the build."""
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    names = [name for name in listed.stdout.split("\0") if name] if listed.returncode == 0 else \
        [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file() and "build" not in path.relative_to(ROOT).parts[:1]]
    for name in names:
        if (ROOT / name).is_file() and not name.startswith("fuzz/"):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    (place / "build").symlink_to(build)


def environment(build, root, stage):
    """That of a reader who has built and installed ptogather."""
    env = {**os.environ, "DESTDIR": str(stage), "HOME": str(root), "PATH": f"{build}:{os.environ['PATH']}",
           "CMAKE_PREFIX_PATH": f"{stage}/usr/local", "PKG_CONFIG_PATH": f"{stage}/usr/local/lib/pkgconfig",
           "PKG_CONFIG_SYSROOT_DIR": "", "LD_LIBRARY_PATH": f"{stage}/usr/local/lib"}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PTOG_RULES_URI", "PTOG_TARGET"):
        env.pop(name, None)
    return env


def type_page(path, place, env, root):
    """The page as it would be now, and what went wrong."""
    text = path.read_text()
    if "<!-- typed in: an empty folder -->" in text:
        place = root / path.stem
        place.mkdir()
    return page.Reader(place, env, path.parent.name not in ("reference", "explanation")).read(text)


def difference(path, written, now):
    lines = difflib.unified_diff(written.splitlines(), now.splitlines(), path.name, "now ('make update' writes it)", lineterm="")
    return ["\n".join(lines)] if written != now else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    checks = Checks("README.md and docs")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        place, stage = root / "ptogather", root / "stage"
        place.mkdir()
        fresh_copy(place, options.build.resolve())
        env, typed = environment(options.build.resolve(), root, stage), 0
        for path in page.pages():
            text = path.read_text()
            if page.needs_python(text) or (options.words and path.name != "README.md" and not any(w in str(path) for w in options.words)):
                continue
            now, problems = type_page(path, place, env, root)
            if options.update:
                path.write_text(now)
            typed += now.count("```sh\n") + now.count("```console\n")
            checks.check(f"{path.relative_to(ROOT)}: commands", problems)
            checks.check(f"{path.relative_to(ROOT)}: transcripts", [] if options.update else difference(path, text, now))
        if not options.words:
            checks.check("there are blocks to type", [] if typed > 30 else f"only {typed}")
            for made in MADE:
                checks.check(f"{made} was made", [] if (place / made).exists() else "it is not there")
        checks.check("make install was staged", [] if (stage / "usr/local/bin/ptog").exists() else "no usr/local/bin/ptog")
        again = root / "data"
        again.mkdir()
        made = run([sys.executable, ROOT / "examples/data/make.py", again])
        differ = [path.name for path in again.iterdir() if not filecmp.cmp(path, ROOT / "examples/data" / path.name, shallow=False)]
        checks.check("examples/data is what its script makes", differ + ([made.stderr] if made.returncode else []))
    checks.finish()


main()
