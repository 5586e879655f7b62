"""run, check, compare, gather, fmt and the others when memory runs out, at one allocation after another, for good or just once.

usage: memory.py --ptog BUILD/ptog [--only WORD] [--all]

A command then ends with status 2 and says that there was no memory; or it did without the allocation, and ends as it does
otherwise, but for lines that say what there was no memory for. It never crashes, and no other diagnostic appears or gets lost:
"not judged" is what a limit leaves open, not a failed allocation.
"""

import argparse
import json
import re
import tempfile
from pathlib import Path

import commands
from checks import ROOT, Checks

EVERY = 150  # the first allocations, each of them; of the others some, more of the earlier ones
MOST = 20_000


REPORTS = (".html", ".json")  # what is said of a run that found something says it in these, too


def is_of_memory(line):
    """Whether a line says that there was no memory for something; that a limit was met is something else. The loader has words of
    its own for it."""
    return ("memory" in line.lower() and "[limit-" not in line) or "cannot create shared object descriptor" in line


FINDING = re.compile(r"(?:(?P<place>\S+:\d+):\d+: )?(?P<level>error|warning|note|not judged): (?P<words>.*) \[(?P<id>[a-z0-9-]+)\]")
ALSO = re.compile(r"  = also(?: at line (?P<line>\d+))?(?: on [^:]*)?: (?P<words>.*) \[(?P<id>[a-z0-9-]+)\]")
ALSO_AT = re.compile(r"  = also at lines? (?P<lines>[\d, and]+)$")


def data_findings(text):
    """The same of JSON and of SARIF."""
    report = json.loads(text)
    found = {(diag["file"], diag["line"], diag["id"], diag["message"]) for diag in report.get("diagnostics", [])}
    for result in (result for run in report.get("runs", []) for result in run["results"]):
        place = result["locations"][0]["physicalLocation"] if result.get("locations") else {}
        found.add((place.get("artifactLocation", {}).get("uri"), place.get("region", {}).get("startLine"), result["ruleId"],
                   result["message"]["text"]))
    return found


def findings(run):
    """What a report finds, and where: lines, words and ids. Where there is no memory to try the best fixes, it has others, and other
    groups, so that a finding may stand on its own, or in the lines of another one."""
    found, first = data_findings(run.out) if run.out.startswith("{") else set(), None
    for line in (run.out + run.err).splitlines():
        if match := FINDING.fullmatch(line):
            first = match
            found.add((match["place"], match["words"], match["id"]))
        elif match := ALSO.fullmatch(line):
            found.add((match["line"] and f"{first['place'].rpartition(':')[0]}:{match['line']}", match["words"], match["id"]))
        elif match := ALSO_AT.fullmatch(line):
            found |= {(f"{first['place'].rpartition(':')[0]}:{number}", first["words"], first["id"])
                      for number in re.findall(r"\d+", match["lines"])}
    return found


def verdicts(run):
    """The lines that end a report, besides those that propose to repair something."""
    return [line for line in run.err.splitlines() if line.startswith("ptog ") and not is_of_memory(line) and "--apply-fix" not in line]


def problem_of(before, clean, now):
    """What is wrong with a run without memory; None when nothing is."""
    if now == clean:
        return None
    said = any(map(is_of_memory, (now.out + now.err).splitlines()))
    torn = [name for name, data in now.files.items() if data not in (before.get(name), clean.files.get(name))]
    torn = [name for name in torn if not (name.endswith(REPORTS) and said)]
    lost = [name for name in before if name not in now.files]
    if torn or lost:
        return f"torn: {torn}, lost: {lost}\n{now.err}"
    if now.status == 2:
        return None if said else clean.difference(now)
    if now.status == clean.status == 1 and (findings(now), verdicts(now)) == (findings(clean), verdicts(clean)):
        return None
    here, wanted = (now.out + now.err).splitlines(), (clean.out + clean.err).splitlines()
    other = [line for line in here if line not in wanted and not is_of_memory(line)]
    same = not other and now.status == clean.status and (said or len(here) == len(wanted))
    return None if same else clean.difference(now)


def numbers(all_of_them):
    number = 1
    while number < MOST:
        yield number
        number += 1 if all_of_them else max(1, (number - EVERY) // 12)


class Place:
    def __init__(self, root):
        self.before, self.work, self.mark = root / "before", root / "work", root / "mark"
        self.before.mkdir()
        commands.fill(self.before, ROOT / "tests" / "cli" / "files")
        self.library = commands.preload("memory", root)
        self.env = {"PTOG_RULES_URI": "https://example.org/rules", "PTOG_MPI_LIBRARY": "/none", "FAULT_MARK": str(self.mark)}

    def run(self, words, **fault):
        """(what the command did, whether an allocation failed)"""
        self.mark.unlink(missing_ok=True)
        preload = {"LD_PRELOAD": str(self.library)} if fault else {}
        done = commands.run(words, self.before, self.work, {**self.env, **preload, **fault})
        return done, self.mark.exists()


def one_command(place, checks, name, words, all_of_them):
    clean, _ = place.run(words)
    before, tried = commands.contents(place.before), 0
    for once in ({}, {"FAULT_ONCE": "1"}):
        problems = []
        for number in numbers(all_of_them):
            now, failed = place.run(words, FAULT_AT=str(number), **once)
            problem = problem_of(before, clean, now)
            problems += [f"allocation {number}{', once' * bool(once)}: {problem}"] if problem else []
            if not failed:
                break
            tried += 1
        checks.check(f"{name}: allocations up to number {number - 1} fail{' once' * bool(once)}", problems[:3] + [f"and {len(problems) - 3} more"] * (len(problems) > 3))
    return tried


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="every single allocation")
    options = parser.parse_args()
    checks = Checks("faults of memory")
    with tempfile.TemporaryDirectory(prefix="ptog-faults-") as root:
        place = Place(Path(root))
        tried = {name: one_command(place, checks, name, [options.ptog.resolve(), *words], options.all)
                 for name, words in commands.COMMANDS.items() if options.only in name}
    print(f"{sum(tried.values())} faults")
    checks.finish()


if __name__ == "__main__":
    main()
