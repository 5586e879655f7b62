"""Every command while its system calls on files fail: interrupted (EINTR), done in part, or with an error of the device (EIO), at
one call after another.

usage: io.py --ptog BUILD/ptog --cxx BUILD/ptog-cxx [--only WORD]

An interrupted or partial call changes nothing. After EIO a command ends with status 2 and says so, or it did not need the call and
did everything; files are as before or complete, and no draft is left behind.
"""

import argparse
import re
import tempfile
from pathlib import Path

import commands
from checks import ROOT, Checks

KINDS = ("eintr", "short", "eio")
SAID = re.compile("Input/output error|cannot be read|ptog-cxx: cannot find")
MAX_CALLS = 4000  # a command that makes more is not what this is for


def problem_of(kind, call, before, clean, now):
    """What is wrong with a run in which `call` failed; None when nothing is."""
    if now == clean:
        return None
    if kind != "eio":
        return clean.difference(now)
    drafts = [name for name in now.files if name.endswith("~")]
    torn = [name for name, data in now.files.items() if data not in (before.get(name), clean.files.get(name))]
    lost = [name for name in before if name not in now.files]
    if drafts or torn or lost:
        return f"left behind: {drafts}, torn: {torn}, lost: {lost}\n{now.err}"
    same = (now.status, now.out, now.files) == (clean.status, clean.out, clean.files)
    if call == "write to stderr":
        return None if same or now.status == 2 else clean.difference(now)
    if same or (now.status == 2 and SAID.search(now.err)):
        return None
    return clean.difference(now)


class Place:
    def __init__(self, root):
        self.before, self.work, self.mark = root / "before", root / "work", root / "mark"
        self.before.mkdir()
        commands.fill(self.before, ROOT / "tests" / "cli" / "files")
        self.library = commands.preload("io", root)
        self.env = {"PTOG_RULES_URI": "https://example.org/rules", "TMPDIR": str(root),
                    "PTOG_URING_LIBRARY": str(self.library),
                    "PTOG_MPI_LIBRARY": "/none"}  # what mpi-info can do without it is the same

    def run(self, words, **fault):
        """(what the command did, the call that failed)"""
        self.mark.unlink(missing_ok=True)
        env = {**self.env, "FAULT_MARK": str(self.mark), **({"LD_PRELOAD": str(self.library)} if fault else {}), **fault}
        done = commands.run(words, self.before, self.work, env)
        return done, self.mark.read_text() if self.mark.exists() else None


def one_command(place, checks, name, words):
    clean, _ = place.run(words)
    before = commands.contents(place.before)
    calls = 0
    for kind in KINDS:
        problems = []
        for number in range(1, MAX_CALLS):
            now, call = place.run(words, FAULT_KIND=kind, FAULT_AT=str(number))
            problem = problem_of(kind, call, before, clean, now)
            problems += [f"call {number}, {call}: {problem}"] if problem else []
            if call is None:
                break
            calls += 1
        checks.check(f"{name}: {kind} at each of {number - 1} calls", problems[:3] + [f"and {len(problems) - 3} more"] * (len(problems) > 3))
    for kind, every in (("eintr", 2), ("short", 1)):
        now, _ = place.run(words, FAULT_KIND=kind, FAULT_EVERY=str(every))
        problem = problem_of(kind, None, before, clean, now)
        checks.check(f"{name}: {kind} at every call", [problem] if problem else [])
    return calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--cxx", type=Path, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    checks = Checks("faults of input and output")
    work = {name: [options.ptog.resolve(), *words] for name, words in commands.COMMANDS.items()}
    work["ptog-cxx --ptog-rewrite"] = [options.cxx.resolve(), "--ptog-rewrite", "kernel.cpp"]
    work["ptog-cxx"] = [options.cxx.resolve(), "--target=a5", "--compiler=true", "-c", "kernel.cpp"]
    with tempfile.TemporaryDirectory(prefix="ptog-faults-") as root:
        place = Place(Path(root))
        calls = {name: one_command(place, checks, name, words) for name, words in work.items() if options.only in name}
    few = [name for name, count in calls.items() if count < 2]
    checks.check("every command made calls that failed", few)
    print(f"{sum(calls.values())} faults")
    checks.finish()


if __name__ == "__main__":
    main()
