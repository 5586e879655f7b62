"""What the test scripts share: named checks, readable failures, and the last line that tests/run.py counts."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SONAME = "libptog.so.0.2"  # programs keep working within a minor version


class Checks:
    """Counts checks. A check is a name and its problems; no problem means it passed. `first`: the first failure ends the program."""

    def __init__(self, title, first=False):
        self.title, self.first = title, first
        self.passed = self.failed = 0

    def check(self, name, problems=()):
        problems = [problems] if isinstance(problems, str) else list(problems)
        if not problems:
            self.passed += 1
            return True
        self.failed += 1
        print(f"FAILED {self.title}: {name}")
        for problem in problems:
            print("    " + str(problem).rstrip().replace("\n", "\n    "))
        if self.first:
            self.finish()
        return False

    def finish(self):
        """Prints the count and ends the program."""
        print(f"{self.title}: {self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def run(command, **options):
    """Runs a command from the project root; text in, text out, nothing shown."""
    options.setdefault("cwd", ROOT)
    return subprocess.run([str(word) for word in command], text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def limited(seconds, command):
    """The words of a command each process of which may use so many seconds of processor time: a hang ends it, a busy machine does not."""
    return ["/bin/sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", *command]


def tracked(*patterns):
    """The project's own files that match one of the patterns: no build output, no caches."""
    skipped = {".git", "build", "__pycache__"}
    files = (path for pattern in patterns for path in ROOT.rglob(pattern) if path.is_file())
    return sorted({path for path in files if not skipped & set(path.relative_to(ROOT).parts[:-1])})
