"""Golden tests of the ptog command: each *.test file here is a transcript, and every command in it is one test.

usage: run.py --ptog BUILD/ptog [--update] [FILE...]

A transcript is what one would see, with stderr marked:

    # why this is tested
    $ ptog explain no-such-id
    2> ptog explain: no rule or fault is called 'no-such-id'
    exit 2

Lines without a mark are stdout, and the seconds that a command took are written `N s`; `exit 0` is not written. Commands run in sh, with ptog in PATH, in a directory of their
own for each transcript, which starts as a copy of files/; `npy` there makes and shows arrays (npy.py). --update writes down
what the command does now: read the difference before you keep it.
"""

import argparse
import difflib
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import Checks  # noqa: E402


TIME = re.compile(r"(?<=bytes, )in \d+\.\d+ s$")  # of the closing line of ptog gather


def environment(ptog, **more):
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    return {**kept, "PATH": f"{ptog.parent}:/usr/bin:/bin", "LC_ALL": "C", "TERM": "dumb",
            "PTOG_RULES_URI": "https://example.org/rules", **more}


class Place:
    """A directory for the commands of one transcript, with the programs they may use."""

    def __init__(self, ptog):
        self.root = Path(tempfile.mkdtemp(prefix="ptog-cli-"))
        self.work = self.root / "work"
        shutil.copytree(HERE / "files", self.work)
        (self.root / "bin").mkdir()
        npy = self.root / "bin" / "npy"
        npy.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{HERE / 'npy.py'}' \"$@\"\n")
        npy.chmod(0o755)
        self.env = environment(ptog, PATH=f"{self.root / 'bin'}:{ptog.parent}:/usr/bin:/bin", PYTHON=sys.executable)

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def transcript_of(command, place):
    """What a transcript says below `$ command`."""
    done = subprocess.run(["sh", "-c", command], env=place.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=place.work)
    lines = done.stdout.decode(errors="replace").splitlines()
    lines += ["2> " + TIME.sub("in N s", line) if line else "2>" for line in done.stderr.decode(errors="replace").splitlines()]
    return lines + ([f"exit {done.returncode}"] if done.returncode else [])


def parse(text):
    """Pairs (lines above and with the command, lines below it)."""
    blocks, above = [], []
    for line in text.splitlines():
        if line.startswith("# "):
            above.append(line)
        elif line.startswith("$ "):
            blocks.append((above + [line], []))
            above = []
        elif blocks:
            blocks[-1][1].append(line)
    return blocks


def run_file(path, ptog, checks, update):
    written, place = [], Place(ptog)
    for above, expected in parse(path.read_text()):
        command = above[-1][2:]
        now = transcript_of(command, place)
        written += above + now
        if not update:
            difference = difflib.unified_diff(expected, now, "expected", "now", lineterm="")
            checks.check(f"{path.name}: {command}", ["\n".join(difference)] if expected != now else [])
    place.close()
    if update:
        path.write_text("\n".join(written) + "\n")


def on_terminal(command, ptog, **env):
    """What a command writes to a terminal."""
    main, other = pty.openpty()
    child = subprocess.Popen(command, env=environment(ptog, **env), stdin=subprocess.DEVNULL, stdout=other, stderr=other)
    os.close(other)
    text = b""
    while True:
        try:
            piece = os.read(main, 4096)
        except OSError:  # how Linux says that the other side is closed
            piece = b""
        if not piece:
            break
        text += piece
    os.close(main)
    child.wait()
    return text


def colour_checks(ptog, checks):
    wrong = ["sh", "-c", "echo '%a = =' | ptog check -"]
    for command, bold in (([str(ptog), "explain", "tile-loc"], b"\033[1mtile-loc"), (wrong, b"\033[1;31merror\033[0m: ")):
        name, plain = " ".join(command[1:]), re.sub(rb"\033\[[0-9;]*m", b"", bold)
        shown = on_terminal(command, ptog, TERM="xterm")
        checks.check(f"{name}: colour on a terminal", [] if bold in shown else repr(shown))
        for env in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
            shown = on_terminal(command, ptog, **env)
            good = plain in shown and b"\033" not in shown
            checks.check(f"{name}: no colour with {env}", [] if good else repr(shown))


def first_words(command, ptog, seconds=None):
    """What a command writes first to a terminal, within so many seconds if they are given, and when; then it is ended."""
    main, other = pty.openpty()
    start, text = time.monotonic(), b""
    child = subprocess.Popen(command, env=environment(ptog, TERM="xterm"), stdin=subprocess.DEVNULL, stdout=other, stderr=other)
    os.close(other)
    while not text and select.select([main], [], [], seconds)[0]:
        text = os.read(main, 4096)
    spent = time.monotonic() - start
    child.kill()
    child.wait()
    os.close(main)
    return text, spent


def progress_checks(ptog, checks):
    """A loop that runs for more than a second shows its line and how far it is, on a terminal; then the line is gone. A format that
    programs read is alone there."""
    command = [str(ptog), "run", str(HERE / "files" / "loop.pto"), "--max-steps", "1000000000000"]
    text, spent = first_words(command, ptog)
    shown = re.match(rb"\rloop.pto:6: \d+ of at most 1000000000000 operations ", text)
    checks.check("run: progress on a terminal", [] if shown and spent >= 1 else f"after {spent:.1f} s: {text!r}")
    for kind in ("github", "json"):
        text, _ = first_words([*command, "--format", kind], ptog, 2 * spent)
        checks.check(f"run: no progress with --format {kind}", [] if not text else repr(text))
    short = on_terminal([*command[:-1], "1000"], ptog, TERM="xterm")
    checks.check("run: no progress of a short run", [] if b"of at most" not in short else repr(short))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", type=Path, nargs="*")
    arguments = parser.parse_args()
    ptog = arguments.ptog.resolve()
    checks = Checks("command line")
    for path in arguments.files or sorted(HERE.glob("*.test")):
        run_file(path, ptog, checks, arguments.update)
    if not arguments.update:
        colour_checks(ptog, checks)
        progress_checks(ptog, checks)
    checks.finish()


main()
