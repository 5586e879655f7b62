#!/usr/bin/env python3
"""How ptog copes with programs of other people: every .pto file below a folder, and why some do not pass.

  run.py DIR [--ptog PATH] [--jobs N] [--list ID]

Each file is checked, for the target that its RUN lines give the compiler (--pto-arch), or that it names; it is formatted in
each of the three forms and back; and where everything in it is modelled, it is run, with synthetic inputs. There are no expectations: the table is the result. A file with a
`RUN:` line that has `not` before the compiler, or with `invalid` or `reject` in its name, is counted as one that must be refused, on
the compiler's own default (a2a3) where nothing names a target; not so one that another RUN line accepts, or that is refused
for an option of the compiler. A file without code, whose RUN lines are about another one, is none of the tile level. --list
names the files that a finding, or a line of the table, is about. Nothing of DIR is written or copied.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, limited  # noqa: E402

FORMS = ("dps", "ssa", "as")
LIMIT = 20      # seconds of processor time for one command
SLOW = 1.0      # seconds: more than that for one check is said
RUN = re.compile(r"//\s*RUN:(.*)")
CONTINUED = re.compile(r"\\\n//\s*RUN:")  # a line that goes on in the next one
NOT = re.compile(r"(?:^|[|;&]|%s)\s*not\s+(?:ptoas|pto-test-opt|mlir-opt|%\S+)|^\s*not\s")
ON_FILE = re.compile(r"\b(?:ptoas|pto-test-opt)\b.*%s")
# a refusal of an option, by a backend that an option chooses, or for want of a variable of the environment: no text could tell
OPTION = re.compile(r"CHECK.*(--[a-z]|\bwith -o\b|output flags)|RUN:.*(--pto-backend|\bnot env -u\b)")
MICRO = re.compile(r"\bpto\.v[a-z]|\bpto\.vmi\.|!vmi\.|!pto\.vmi")
# whole programs have none of these: micro instructions without a v, raw addresses, and what compilers make of SIMT code
INSIDE = re.compile(r"\bpto\.(?:" + "|".join(re.findall(r'^MICRO\("([\w.]+)"\)', (ROOT / "src/spec/micro.def").read_text(), re.M)) +
                    r"|castptr|tile_buf_addr|mte_l0c_\w+|raw_fill_l1|create_cbuf_matrix|section\.simt)\b|\bllvm\.")
COMPILER = re.compile(r"\b(?:ptoas|pto-test-opt)\b")
ARCH = re.compile(r"--pto-arch[= ](a2|a3|a2a3|a5)\b")
SEVERAL = re.compile(r"several functions: give --func with one of (.*)")
ENDLESS = re.compile(r"no end|exit status|limit-|run-stopped|run-binding|text-")
SHOWN = 40      # findings of a table


def target_of(runs, refused, named):
    """The options that choose the target: as for the compiler, --pto-arch of a RUN line counts more than what the text names."""
    calls = [line for line in runs if COMPILER.search(line)]
    calls = [line for line in calls if bool(NOT.search(line)) == refused] or calls
    found = [ARCH.search(line) for line in calls]
    if not any(found) or named and not all(found):
        return ()
    first = next(arch for arch in found if arch)
    return ("--target", "a5" if first[1] == "a5" else "a2a3")


class Seen:
    """What became of one file."""

    def __init__(self, path):
        text = path.read_text(errors="replace")
        code = re.sub(r"//.*", "", text)
        self.path = path
        runs = RUN.findall(CONTINUED.sub("", text))
        self.refused = any(NOT.search(line) for line in runs) or "invalid" in path.name or "reject" in path.name
        accepts = [line for line in runs if ON_FILE.search(line) and not NOT.search(line)]
        # by one of its RUN lines only, or for an option: the same text is accepted with others
        self.sometimes = self.refused and (bool(accepts) or bool(OPTION.search(text)))
        self.must_refuse = self.refused and not self.sometimes
        self.micro = bool(MICRO.search(code))
        self.whole = not self.micro and not INSIDE.search(code)
        self.empty = not code.strip()  # its RUN lines are about another file
        self.target = target_of(runs, self.refused, "target_arch" in code or "device-spec" in code)
        if self.must_refuse and not self.target and "target_arch" not in code and "device-spec" not in code:
            self.target = ("--target", "a2a3")  # the compiler's own default
        self.crashed = ""
        self.errors, self.warnings, self.notes = [], [], []
        self.strict = False
        self.forms = {}
        self.run = ""
        self.stops = ""  # what a run does not get past
        self.unjudged = []
        self.seconds = 0.0

    @property
    def accepted(self):
        return not self.crashed and not self.errors

    @property
    def runs(self):
        """A whole program that runs to its end, or to what is wrong with it."""
        return bool(self.run) and not self.stops

    @property
    def modelled(self):
        return not {"text-not-modelled", "text-foreign"} & {*self.notes, *self.warnings, *self.unjudged}


def call(command, text=None):
    """The exit status and the two outputs of a command; a signal's negative number when it does not end."""
    done = subprocess.run([str(word) for word in limited(LIMIT, command)], input=text, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def ids_of(output, severity):
    """The ids of one severity; what was not judged is a severity of its own."""
    found = json.loads(output)["diagnostics"]
    return list(dict.fromkeys(one["id"] for one in found if severity == ("unjudged" if one.get("unjudged") else one["severity"])))


def first_stop(output):
    """What a run would not get past: the first error of the text, or what is not simulated."""
    for one in json.loads(output)["diagnostics"]:
        if one.get("unjudged") or (one["severity"] == "error" and one["id"].startswith("text-")):
            return re.sub(r"%[\w#]+", "%x", re.sub(r"\b\d+\b", "N", one["message"]))
    return ""


def check(ptog, seen):
    start = time.monotonic()
    status, output, error = call([ptog, "check", "--format", "json", *seen.target, seen.path])
    seen.seconds = time.monotonic() - start
    if status not in (0, 1) or not output.strip():
        seen.crashed = f"check: exit status {status} {error.decode(errors='replace')[:200]}"
        return
    seen.errors, seen.warnings, seen.notes, seen.unjudged = (
        ids_of(output, severity) for severity in ("error", "warning", "note", "unjudged"))
    seen.stops = first_stop(output)
    if seen.must_refuse and not seen.errors:
        seen.strict = call([ptog, "check", "--strict", "--quiet", "--allow-unjudged", *seen.target, seen.path])[0] == 1


def convert(ptog, seen):
    """To each form and back to level 2: `same`, `refused`, or what went wrong."""
    status, wanted, _ = call([ptog, "fmt", "--form", "dps", seen.path])
    for form in FORMS:
        if status != 0:
            seen.forms[form] = "not read"
            continue
        there, text, _ = call([ptog, "fmt", "--form", form, seen.path])
        if there != 0:
            seen.forms[form] = "refused" if there == 1 else "crashed"
            continue
        back, again, _ = call([ptog, "fmt", "--form", "dps", "-"], text)
        seen.forms[form] = "same" if back == 0 and again == wanted else "differs" if back == 0 else "not read back"


def execute_one(ptog, path, *options):
    """What a run of one function comes to, and the functions to choose from when there are several."""
    status, output, error = call([ptog, "run", "--format", "json", *options, path])
    several = SEVERAL.search(error.decode(errors="replace"))
    if several:
        return "several functions", several[1].split(", ")
    if status == 124:
        return "no end", []
    if status not in (0, 1) or not output.strip():
        return f"exit status {status}", []
    return ", ".join(ids_of(output, "error") or ids_of(output, "unjudged")) or "clean", []


def execute(ptog, seen):
    """On its target, with synthetic inputs: the kernel, or every function when none is marked as one."""
    seen.run, names = execute_one(ptog, seen.path, *seen.target)
    for name in names:
        seen.run, _ = execute_one(ptog, seen.path, *seen.target, "--func", name)
        if seen.run != "clean":
            break
    if ENDLESS.search(seen.run):
        seen.stops = seen.run


def look(ptog, path):
    seen = Seen(path)
    check(ptog, seen)
    if not seen.crashed and not seen.refused:
        convert(ptog, seen)
        if not seen.stops and seen.modelled:
            execute(ptog, seen)
    return seen


# ---- the table ----

def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def table(title, counts, of):
    rows = collections.Counter(counts).most_common(SHOWN)
    if rows:
        print(f"\n{title}\n")
        for name, count in rows:
            print(f"  {count:6}  {name}" + (f"  e.g. {of[name]}" if name in of else ""))


def examples(seen, key):
    """For each value of `key`, the first file that has it."""
    first = {}
    for one in seen:
        for value in key(one):
            first.setdefault(value, one.path.name)
    return first


def by_id(title, seen, key):
    table(title, (value for one in seen for value in key(one)), examples(seen, key))


def report(everything, seconds):
    level = [one for one in everything if not one.micro and not one.empty]
    good = [one for one in level if not one.refused]
    wrong = [one for one in level if one.must_refuse]
    runs = [one for one in good if one.run and one.accepted]
    late = [one for one in everything if one.seconds > SLOW]
    print(f"files                    {len(everything)}, {len(level)} of the tile level, in {seconds:.1f} s")
    print(f"crashed, or without end  {sum(bool(one.crashed) for one in everything)}")
    print(f"checked in over {SLOW:.0f} s      {len(late)}, slowest {max((o.seconds for o in everything), default=0):.2f} s")
    print(f"read                     {share(sum('text-syntax' not in one.errors for one in good), len(good))}")
    print(f"pass check               {share(sum(one.accepted for one in good), len(good))}")
    print(f"must be refused, and are {share(sum(not one.accepted for one in wrong), len(wrong))}")
    print(f"  with --strict          {share(sum(not one.accepted or one.strict for one in wrong), len(wrong))}")
    print(f"refused with some options {sum(one.sometimes for one in level)}, which are not judged")
    for form in FORMS:
        print(f"--form {form} and back      "[:25] + share(sum(one.forms.get(form) == "same" for one in good), len(good)))
    whole = [one for one in good if one.whole and (one.run or one.stops)]
    print(f"whole programs that run  {share(sum(one.runs for one in whole), len(whole))}")
    print(f"all modelled, run clean  {share(sum(one.run == 'clean' for one in runs), len(runs))}")
    by_id("errors, by number of files", good, lambda one: one.errors)
    table("the first error: files that it alone may keep out", (one.errors[0] for one in good if one.errors), {})
    by_id("must be refused, and passes", [one for one in wrong if one.accepted],
          lambda one: [one.path.name + ", but for --strict" * one.strict])
    for form in FORMS:
        by_id(f"--form {form}", [o for o in good if o.forms.get(form) != "same"], lambda o, f=form: [o.forms.get(f, "?")])
    by_id("runs", runs, lambda one: [one.run])
    by_id("what the others stop at", [one for one in whole if one.stops], lambda one: [one.stops])
    by_id("crashes", [one for one in everything if one.crashed], lambda one: [one.crashed])


def names_of(everything, word):
    for one in everything:
        forms = [f"{form} {what}" for form, what in one.forms.items()]
        if word in one.errors + one.warnings + one.notes + forms or word in one.run.split(", "):
            print(one.path)


def main():
    parser = argparse.ArgumentParser(description="Tries ptog on every .pto file below a folder.")
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument("--ptog", type=Path, default=ROOT / "build" / "ptog", help="the command under test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument("--list", metavar="ID", help="name the files with this finding, or 'ssa refused' and the like")
    given = parser.parse_args()
    paths = sorted(path for path in given.dir.rglob("*.pto") if path.is_file())
    if not given.ptog.is_file() or not paths:
        sys.exit(f"run.py: {given.ptog} is not there" if paths else f"run.py: no .pto file below {given.dir}")
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        everything = list(pool.map(lambda path: look(given.ptog.resolve(), path), paths))
    if given.list:
        names_of(everything, given.list)
    else:
        report(everything, time.monotonic() - start)
    return 1 if any(one.crashed for one in everything) else 0


if __name__ == "__main__":
    sys.exit(main())
