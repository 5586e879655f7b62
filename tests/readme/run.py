"""Types the commands of README.md and docs/how-to/ci.md, as they stand there, in a fresh copy of the project: every one must succeed.

usage: run.py --build DIR     a build of this project, which stands in for the copy's own

Blocks tagged `sh` are typed from top to bottom in one directory; exported variables last. `make test` is left out, since this is
a part of it, and `make install` is given a DESTDIR. Blocks tagged `console` have their output compared by tests/meta/docs.py.
"""

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "::typed:: "


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


def commands(text):
    """The commands of a block: a line, with those that it is continued by."""
    command = ""
    for line in text.splitlines():
        command += line + "\n"
        if not line.endswith(("\\", "|", "&&")):
            yield command.rstrip("\n")
            command = ""


def typed(block):
    """A script that types a block, and says before each command that it comes."""
    lines = ["set -e"]
    for number, command in enumerate(commands(block)):
        if not command.startswith("make test"):
            lines += [f"printf '%s%s\\n' '{MARK}' {number} >&2", command]
    return "\n".join([*lines, "export -p"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    checks = Checks("README.md")
    with tempfile.TemporaryDirectory() as root:
        place, stage = Path(root) / "ptogather", Path(root) / "stage"
        place.mkdir()
        fresh_copy(place, build)
        env = {**os.environ, "DESTDIR": str(stage)}
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            env.pop(name, None)
        exported = ""
        pages = (ROOT / "README.md").read_text() + (ROOT / "docs" / "ci.md").read_text()
        for number, block in enumerate(BLOCK.findall(pages)):
            done = subprocess.run(["sh", "-c", exported + typed(block)], cwd=place, env=env, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
            last = done.stderr.rpartition(MARK)[2]
            checks.check(f"block {number + 1}: {block.splitlines()[0][:60]}",
                         [] if done.returncode == 0 else f"exit {done.returncode} at command {last}\n{block}\n{done.stdout[-2000:]}")
            exported += "\n".join(re.findall(r"^export PATH=.*$", block, re.MULTILINE)) + "\n"
        checks.check("there are blocks", [] if exported.strip() else "no command exports PATH")
        for name in ("d.npy", "vectors.npy", "fixed.pto", "out.npy", "embedding", "ptog.xml", "ptog.sarif"):
            checks.check(f"{name} was made", [] if (place / name).exists() else "it is not there")
        checks.check("make install was staged", [] if (stage / "usr/local/bin/ptog").exists() else "no usr/local/bin/ptog")
        again = Path(root) / "data"
        again.mkdir()
        made = run([sys.executable, ROOT / "examples/data/make.py", again])
        differ = [path.name for path in again.iterdir() if not filecmp.cmp(path, ROOT / "examples/data" / path.name, shallow=False)]
        checks.check("examples/data is what its script makes", differ + ([made.stderr] if made.returncode else []))
    checks.finish()


main()
