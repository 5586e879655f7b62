"""The comment lines that make a .pto file a test, read into objects.

  // RUN: COMMAND            starts a run; %s is the file, %t a prefix for files of this test; a shell runs it
  // EXIT: N                 its exit status; without the line 0, or 1 where an ERROR is listed
  // CHECK: TEXT             stands in the output, after what the CHECK before it found
  // CHECK-NOT: TEXT         stands nowhere in the output
  // ERROR: ID @LINE:COL     a diagnostic of that severity; so WARNING and NOTE. Errors and warnings that are not listed
                             fail the test; notes are looked at only where a NOTE is listed. @0:0 is "no place"
  // NAMES: WORDS            what the first error or warning has to name: an operand (%idx), or a flag (V->MTE3 1)
  // HELP: TEXT              its fix is no edit, but says TEXT: what is wrong are data or places (advice.py)
  // SAME: N                 the output is that of the file's run N (the first is 1)
  // EXPECT: NAME = EXPR     the file %t.NAME.npy (or %t.NAME where NAME ends in .bin) has these bytes
  // FAST: NAME = EXPR       so has it with --schedule fast; and SLOW. The report is the same, letter for letter
  // DATA: NAME = ...        makes the file %t.NAME.npy before the first run: see data.py

Directives belong to the RUN above them; DATA belongs to the file.
"""
import re
from dataclasses import dataclass, field

LINE = re.compile(r"^\s*// (RUN|EXIT|CHECK-NOT|CHECK|ERROR|WARNING|NOTE|NAMES|HELP|SAME|EXPECT|FAST|SLOW|DATA):\s*(.*?)\s*$")
LIKE_ONE = re.compile(r"^\s*// ?[A-Z][A-Z-]+ ?: ")
PLACE = re.compile(r"^([a-z0-9-]+) @(\d+):(\d+)$")


class BadTest(Exception):
    """The file itself is wrong."""


@dataclass
class Run:
    command: str
    exit: int = None
    checks: list = field(default_factory=list)      # (wanted, text) in order
    diags: list = field(default_factory=list)       # (severity, id, line, column)
    expects: list = field(default_factory=list)     # (name, expression)
    schedules: dict = field(default_factory=dict)   # "fast": the same under that schedule; "slow"
    same: int = None
    names: str = None
    help: str = None

    @property
    def status(self):
        return self.exit if self.exit is not None else int(any(diag[0] == "error" for diag in self.diags))

    @property
    def has_diags(self):
        """Does the command report diagnostics that can be had as one JSON object?"""
        if self.status == 2 or re.search("--format|--target all", self.command):
            return False
        return re.match(r"ptog (check|run) ", self.command) is not None


@dataclass
class Test:
    runs: list
    data: list                                      # (name, words)


def assignment(text, number):
    name, equals, value = text.partition("=")
    if not equals:
        raise BadTest(f"line {number}: expected NAME = ...")
    return name.strip(), value.strip()


def add_diag(run, kind, text, number):
    place = PLACE.match(text)
    if not place:
        raise BadTest(f"line {number}: expected ID @LINE:COL, found '{text}'")
    run.diags.append((kind.lower(), place[1], int(place[2]), int(place[3])))


def add(run, kind, text, number):
    if kind == "EXIT":
        run.exit = int(text)
    elif kind in ("CHECK", "CHECK-NOT"):
        run.checks.append((kind == "CHECK", text))
    elif kind == "SAME":
        run.same = int(text)
    elif kind in ("NAMES", "HELP"):
        setattr(run, kind.lower(), text)
    elif kind in ("FAST", "SLOW"):
        run.schedules.setdefault(kind.lower(), []).append(assignment(text, number))
    elif kind == "EXPECT":
        run.expects.append(assignment(text, number))
    else:
        add_diag(run, kind, text, number)


def read(text):
    runs, data = [], []
    for number, line in enumerate(text.split("\n"), 1):
        match = LINE.match(line)
        if not match:
            if LIKE_ONE.match(line):
                raise BadTest(f"line {number}: no such directive: {line.strip()}")
            continue
        kind, rest = match.groups()
        if kind == "RUN":
            runs.append(Run(rest))
        elif kind == "DATA":
            data.append(assignment(rest, number))
        elif not runs:
            raise BadTest(f"line {number}: {kind} before the first RUN")
        else:
            add(runs[-1], kind, rest, number)
    if not runs:
        raise BadTest("there is no RUN line")
    if not text.startswith(("// ", "# ", "; ")) or LINE.match(text.split("\n")[0]):
        raise BadTest("the first line does not say what the file shows")
    return Test(runs, data)


def without(text):
    """Output without directives: a printer keeps comments, and a CHECK line must not find itself."""
    return "\n".join(line for line in text.split("\n") if not LINE.match(line))
