#!/usr/bin/env python3
"""`ptog run` with random combinations of its options, on the programs of the tests: it ends by itself, with an exit status
that it documents, and says nothing of a sanitizer.

usage: tests/fuzz_options.py --ptog PATH [--count N] [--seed N] [--only N]

The options are those that `ptog help run` lists, so a new one is tried as soon as it is there. Run N of a seed is the same
whatever the count is.
"""
import argparse
import random
import re
import tempfile
from pathlib import Path

from checks import ROOT, Checks, limited, run, tracked

STATUSES = (0, 1, 2)
PATIENCE = 300  # seconds of processor time
OPTION = re.compile(r"^  (--?[\w-]+)(?: (\S+))?(?:  |$)", re.MULTILINE)
NUMBERS = ("1", "2", "3", "7", "64", "4096")
USUAL = {  # values that an option takes; a name of a file is %o, %w is what --witness writes
    "--target": ("a2a3", "a5", "a5-custom", "host", "cpu"),
    "--format": ("text", "json", "sarif", "junit", "github", "gcc"),
    "--schedule": ("fast", "slow", "random:7", "witness:%w", "witness:%w#0", "witness:%w#1"),
    "--launch": ("standard", "direct"), "--data": ("none",), "--witness": ("%w",), "--blocks": ("1", "2", "3"),
    "--dyn-ub": ("4096", "100000", "221184", "262144"), "--set": NUMBERS + ("2.5", "0x10"),
    "--in": ("zeros", "arange", "full:3", "random:7"), "--out": ("%o", "16x8:%o"),
}
ODD = ("", "x", "0", "-1", "99999999999999999999", "1,2,3", "/nowhere/file", "%d", "missing.npy", "16x8:", "a=b", "%")
SHORT = ("20000", "300")  # operations: so that every run is short


def value_for(source, option, shape, names):
    """A value that the option takes, most of the time."""
    value = source.choice(ODD if source.random() < 0.06 else USUAL.get(option, NUMBERS if shape == "N" else ("%o",)))
    return f"{source.choice(names)}={value}" if "=" in shape and source.random() < 0.98 else value


def command(source, options, program):
    """The words of a run, with %o and %w for files that it may write, and %d for a folder."""
    text = program.read_text(errors="replace")
    names, functions = re.findall(r"%(\w+) ?:", text) or ["x"], re.findall(r"func.func[^@]*@(\w+)", text)
    words = ["run", str(program), "--max-steps", source.choice(SHORT)]
    if source.random() < 0.85:
        words += ["--target", source.choice(USUAL["--target"])]
    if len(functions) > 1:
        words += ["--func", source.choice(functions)]
    for name, shape in source.sample(options, source.randint(0, 7)):
        if name == "-o" and not {"--apply-fix", "--print-placement"} & set(words) or name in ("--func", *words):
            continue
        words += [name, value_for(source, name, shape, names)] if shape else [name]
    return words


def with_files(words, folder):
    """The words with names of files: one of its own for each %o."""
    words = [word.replace("%o", f"{folder}/out{i}.npy") for i, word in enumerate(words)]
    return [word.replace("%w", f"{folder}/witness").replace("%d", folder) for word in words]


def judge(done):
    said = done.stdout + done.stderr
    if done.returncode not in STATUSES:
        return [f"exit status {done.returncode}", said[-2000:]]
    if re.search("AddressSanitizer|runtime error:|LeakSanitizer", said):
        return [said[-2000:]]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    ptog = given.ptog.resolve()
    options = OPTION.findall(run([ptog, "help", "run"]).stdout)
    programs = [path for path in tracked("*.pto") if "tests" in path.parts or "examples" in path.parts]
    checks = Checks("options")
    checks.check("the help lists the options of run", [] if len(options) > 20 else f"only {options}")
    with tempfile.TemporaryDirectory() as folder:
        for number in [given.only] if given.only is not None else range(given.count):
            source = random.Random(f"{given.seed} {number}")
            words = with_files(command(source, options, source.choice(programs)), folder)
            problems = judge(run(limited(PATIENCE, [ptog, *words]), cwd=folder))
            shown = " ".join(word.replace(str(ROOT) + "/", "") for word in words)
            checks.check(f"--seed {given.seed} --only {number}: ptog {shown}", problems)
    checks.finish()


if __name__ == "__main__":
    main()
