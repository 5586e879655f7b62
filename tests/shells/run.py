"""What shells and terminals see of ptog: completion in bash, zsh and fish, help that fits 80 columns, --color, --version.

usage: run.py --ptog BUILD/ptog

Completion is asked of the shells themselves, as a user would with the tab key; bash must be there, zsh and fish are asked
when they are installed. Every option that `ptog help CMD` prints must be completed: both come from one table.
"""

import argparse
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

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402


class Shells:
    def __init__(self, ptog, place, checks):
        self.ptog, self.place, self.checks = ptog, place, checks
        self.env = {**os.environ, "PATH": f"{ptog.parent}:{os.environ['PATH']}", "HOME": str(place), "TERM": "dumb"}
        for shell in ("bash", "zsh", "fish"):
            (place / shell).write_text(self.says("completion", shell))

    def says(self, *words):
        done = run([self.ptog, *words])
        return done.stdout + done.stderr

    def bash(self, *words):
        """The words that bash offers for the last one of a command line."""
        script = f"""source {self.place}/bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ptog; printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = run(["bash", "-c", script, "bash", *words], env=self.env, cwd=self.place)
        return sorted(done.stdout.split()) + done.stderr.splitlines()

    def fish(self, line):
        done = run(["fish", "-c", f"source {self.place}/fish; complete -C '{line}'"], env=self.env, cwd=self.place)
        return sorted(word.split("\t")[0] for word in done.stdout.splitlines()) + done.stderr.splitlines()

    def zsh(self, line):
        """What zsh makes of a line when the tab key is pressed at its end."""
        main, other = pty.openpty()
        shell = subprocess.Popen(["zsh", "-f", "-i"], env=self.env, cwd=self.place, stdin=other, stdout=other, stderr=other)
        os.close(other)
        setup = f"PS1=; unsetopt prompt_cr; autoload -Uz compinit; compinit -D -u; source {self.place}/zsh; echo rea''dy\n"
        os.write(main, setup.encode())
        seen = self.read_until(main, "ready")
        os.write(main, f"{line}\t".encode())
        seen = self.read_until(main, None)
        shell.kill()
        shell.wait()
        os.close(main)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\x07\r]", "", seen)

    @staticmethod
    def read_until(main, word, limit=10.0):
        """Reads until a word stands there or, with none, until nothing comes any more."""
        text, end = "", time.monotonic() + limit
        while time.monotonic() < end and not (word and word in text):
            ready, _, _ = select.select([main], [], [], 1.0 if word is None and text else limit)
            if not ready:
                break
            text += os.read(main, 4096).decode(errors="replace")
        return text


def commands_of(shells):
    return re.findall(r"^  ptog ([a-z]+)", shells.says("help"), re.MULTILINE)


def options_of(shells, command):
    """The options that the page of a command lists, and those that every command takes."""
    page = shells.says("help", command)
    return sorted(set(re.findall(r"^  (--?[a-z][a-z-]*)", page, re.MULTILINE)) | {"--color", "--help"})


def same(checks, name, found, wanted):
    checks.check(name, [] if found == wanted else f"found {found}\nwanted {wanted}")


def in_bash(shells):
    checks, commands = shells.checks, commands_of(shells)
    same(checks, "bash: commands", shells.bash("ptog", ""), sorted([*commands, "--help", "--version"]))
    same(checks, "bash: one command", shells.bash("ptog", "che"), ["check"])
    for command in commands:
        same(checks, f"bash: options of {command}", shells.bash("ptog", command, "-"), options_of(shells, command))
    same(checks, "bash: targets", shells.bash("ptog", "run", "k.pto", "--target", "a"), ["a2", "a2a3", "a3", "a5", "a5-custom", "all"])
    same(checks, "bash: a value after =", shells.bash("ptog", "check", "--format", "=", "j"), ["json", "junit"])
    same(checks, "bash: a value just after =", shells.bash("ptog", "run", "--color", "="), ["always", "auto", "never"])
    same(checks, "bash: ids", shells.bash("ptog", "explain", "race-r"), ["race-raw"])
    same(checks, "bash: shells", shells.bash("ptog", "completion", ""), ["bash", "fish", "zsh"])
    (shells.place / "kernel.pto").touch()
    (shells.place / "data.npy").touch()
    same(checks, "bash: files", shells.bash("ptog", "check", "ker"), ["kernel.pto"])
    same(checks, "bash: a file after NAME=", shells.bash("ptog", "run", "--in", "t", "=", "da"), ["data.npy"])
    same(checks, "bash: nothing for a number", shells.bash("ptog", "run", "--blocks", ""), [])


def in_fish(shells):
    checks = shells.checks
    for command in commands_of(shells):
        missing = set(options_of(shells, command)) - set(shells.fish(f"ptog {command} --")) - set(shells.fish(f"ptog {command} -"))
        checks.check(f"fish: options of {command}", [f"not offered: {name}" for name in sorted(missing)])
    same(checks, "fish: one command", shells.fish("ptog che"), ["check"])
    same(checks, "fish: formats", shells.fish("ptog check --format ju"), ["junit"])
    same(checks, "fish: ids", shells.fish("ptog explain race-r"), ["race-raw"])


def in_zsh(shells):
    checks = shells.checks
    for line, wanted in (("ptog chec", "ptog check "), ("ptog check --form", "ptog check --format="),
                         ("ptog run --target 91", "ptog run --target 910"), ("ptog explain race-ra", "ptog explain race-raw ")):
        seen = shells.zsh(line)
        checks.check(f"zsh: {line}", [] if wanted in seen else repr(seen))
    text = (shells.place / "zsh").read_text()
    for command in commands_of(shells):
        part = text.split(f"    {command})\n")[1].split(";;")[0]
        missing = [name for name in options_of(shells, command) if not re.search(rf"'\*?{name}=?\[", part)]
        checks.check(f"zsh: options of {command}", missing)


def pages(shells):
    """No page of help is wider than a terminal."""
    for command in ("", *commands_of(shells)):
        text = shells.says("help", *command.split())
        wide = [line for line in text.splitlines() if len(line) > 80]
        shells.checks.check(f"'ptog help {command}' fits 80 columns", wide if text else ["it says nothing"])


def colour(shells):
    wrong = shells.place / "wrong.pto"
    wrong.write_text("%a = =\n")
    for when, wanted in (("always", True), ("never", False), ("auto", False)):
        text = shells.says("check", str(wrong), f"--color={when}")
        shells.checks.check(f"--color={when} in a pipe", [] if ("\033[" in text) == wanted and "error" in text else repr(text))
    text = shells.says("check", str(wrong), "--color", "green")
    shells.checks.check("--color green", [] if "expected auto, always or never" in text else text)


def version(shells, commit):
    text = shells.says("--version")
    header = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]
    wanted = [rf"^ptog {re.escape(header)}\b", r"^built by (gcc|clang) \d+\.\d+.* for \w+$", r"^instruction sets: .*\bscalar\b.*\(used here\)"]
    wanted += [rf"\(commit {commit}(-dirty)?\)$"] if commit else []
    shells.checks.check("--version names what matters", [w for w in wanted if not re.search(w, text, re.MULTILINE)] and [text])
    forced = run([shells.ptog, "--version"], env={**shells.env, "PTOG_ISA": "scalar"}).stdout
    shells.checks.check("--version follows PTOG_ISA", [] if "scalar (used here)" in forced else forced)
    tuned = run([shells.ptog, "--version"], env={**shells.env, "PTOG_TUNE": "/nowhere"})
    wanted = "ptog: warning: PTOG_TUNE: /nowhere: cannot be opened"
    shells.checks.check("a PTOG_TUNE that is not there is a warning", [] if wanted in tuned.stderr and tuned.returncode == 0 else tuned.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    ptog = parser.parse_args().ptog.resolve()
    checks = Checks("shells")
    commit = run(["git", "describe", "--always", "--exclude=*"]).stdout.strip() if (ROOT / ".git").exists() else ""
    with tempfile.TemporaryDirectory() as place:
        shells = Shells(ptog, Path(place), checks)
        in_bash(shells)
        if shutil.which("fish"):
            in_fish(shells)
        if shutil.which("zsh"):
            in_zsh(shells)
        pages(shells)
        colour(shells)
        version(shells, commit)
    checks.finish()


main()
